# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that work in steps: modal with progress and Esc in a window, at once elsewhere.

Nothing in the file changes while the steps run, so that Esc and errors leave everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import bpy

from ..api.progress import Steps, run_steps
from ..errors import LocomotionError
from .limits import WAITING
from .telling import report_line

_PROGRESS_END = 100


@dataclass(frozen=True)
class Activity:
    """Record of what a running operator does.

    Attributes
    ----------
    operator
        Its ``bl_idname``.
    text
        What is being done.
    """

    operator: str
    share: float
    text: str


_activities: list[Activity] = []
# Filled by an undo in another window while an operator works.
_undone: list[bool] = []


def get_activity() -> Activity | None:
    """Find what is running now, for panels; None while nothing is."""
    return _activities[-1] if _activities else None


class SteppedOperator:
    """Base of operators that compute in steps and then write in one go."""

    bl_idname: str
    bl_label: str
    report: Callable[[set[str], str], None]
    _steps: Steps[Any] | None = None
    _timer: bpy.types.Timer | None = None
    _scene = 0

    def make_steps(self, context: bpy.types.Context) -> Steps[Any]:
        """The work; changes nothing in the file."""
        raise NotImplementedError

    def finish(self, context: bpy.types.Context, result: Any) -> None:  # noqa: ANN401
        """Write the result of the steps and report."""
        raise NotImplementedError

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Run to the end at once."""
        try:
            result = run_steps(self.make_steps(context))
        except LocomotionError as error:
            self._refuse(error)
            return {"CANCELLED"}
        return self._write(context, result)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:  # noqa: ARG002
        """Start working between the window's events; without a window, run at once."""
        if bpy.app.background or context.window is None:
            return self.execute(context)
        self._steps = self.make_steps(context)
        self._scene = context.scene.session_uid
        _undone.clear()
        for handlers in _list_undo_handlers():
            handlers.append(_note_undo)
        manager = context.window_manager
        self._timer = manager.event_timer_add(WAITING.interval, window=context.window)
        manager.progress_begin(0, _PROGRESS_END)
        manager.modal_handler_add(self)
        self._show(context, 0.0, "starting")
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        """Do some steps for each tick of the timer; Esc stops."""
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            report_line(self, {"INFO"}, "Cancelled, nothing was changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        runs = False
        try:
            if _undone or context.scene.session_uid != self._scene:
                raise ReferenceError
            share, text = self._advance()
            runs = True
        except StopIteration as end:
            return self._write(context, end.value)
        except LocomotionError as error:
            self._refuse(error)
            return {"CANCELLED"}
        except ReferenceError:
            # An undo, or another scene, in a second window takes away what it works on.
            report_line(
                self,
                {"WARNING"},
                "Stopped, nothing was changed: something was undone or removed, or the scene switched, "
                "meanwhile",
            )
            return {"CANCELLED"}
        finally:
            if not runs:
                self.cancel(context)
        self._show(context, share, text)
        return {"RUNNING_MODAL"}

    def _advance(self) -> tuple[float, str]:
        """Do steps until it is time to draw; gives what comes next.

        Raises StopIteration: all is done.
        """
        steps = self._steps or iter(())
        pause = perf_counter() + WAITING.patience
        share, text = next(steps)
        while perf_counter() < pause:
            share, text = next(steps)
        return share, text

    def _write(self, context: bpy.types.Context, result: Any) -> set[str]:  # noqa: ANN401
        """Write what the steps gave."""
        try:
            self.finish(context, result)
        except LocomotionError as error:
            self._refuse(error)
            return {"CANCELLED"}
        return {"FINISHED"}

    def _refuse(self, error: LocomotionError) -> None:
        """Report an error, and before it what else is to mind: a window shows the last one."""
        for hint in error.hints:
            report_line(self, {"WARNING"}, hint)
        report_line(self, {"ERROR"}, str(error))

    def tell(self, context: bpy.types.Context, share: float, text: str) -> None:
        """Tell what `finish` does now, where the work runs in a window."""
        if self._timer is not None:
            self._show(context, share, text)

    def cancel(self, context: bpy.types.Context) -> None:
        """Put timer, cursor and status bar back.

        Blender calls it too when a window closes, or what asks for choices before the work begins.
        """
        if self._steps is None:
            return
        self._steps.close()
        for handlers in _list_undo_handlers():
            if _note_undo in handlers:
                handlers.remove(_note_undo)
        manager = context.window_manager
        if self._timer is not None:
            manager.event_timer_remove(self._timer)
            self._timer = None
            manager.progress_end()
        if context.workspace is not None:
            context.workspace.status_text_set(None)
        _activities.clear()
        _redraw(context)

    def _show(self, context: bpy.types.Context, share: float, text: str) -> None:
        """Tell how far the work is."""
        _activities[:] = [Activity(type(self).bl_idname, share, text)]
        context.window_manager.progress_update(round(_PROGRESS_END * share))
        shown = f"{self.bl_label}: {text} ({share:.0%})    Esc: Cancel"
        context.workspace.status_text_set(shown)
        _redraw(context)


def _list_undo_handlers() -> tuple[list[Callable[..., None]], ...]:
    """Handlers that Blender calls after an undo and a redo."""
    return bpy.app.handlers.undo_post, bpy.app.handlers.redo_post


def _note_undo(*_: object) -> None:
    """Remember that something was undone."""
    _undone.append(True)


def _redraw(context: bpy.types.Context) -> None:
    """Draw the sidebars of the 3D views again, which show the progress."""
    if context.screen is None:
        return
    for area in context.screen.areas:
        if area.type == "VIEW_3D":
            for region in area.regions:
                if region.type == "UI":
                    region.tag_redraw()
