# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The next sole under the pointer as soon as the Footsteps tool is chosen, before any click.

A gizmo of the tool is asked at every move of the pointer what lies under it. It answers that nothing
does, so that clicks and keys go on to the tool and to Blender, and draws the sole. While Blender asks
and draws it lets nothing be written, and reading how a character walks may need a scene of its own:
the gizmo only notes where the pointer is, and a timer finds the sole there.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...api.footstep_runs import StepMaker, find_step_maker, read_laid_steps
from ...api.footsteps import find_step_ground
from ...api.progress import run_steps
from ...blender.ground.surfaces import list_ignored, pick_point
from ...core.ground.interface import Ground
from ...errors import LocomotionError
from ..limits import PLACING
from ..live.handlers import is_busy
from ..targets import find_active_character
from .placer import StepGhost, StepPlacer
from .tool import VIEW3D_OT_footsteps_place


@dataclass
class _Reading:
    """Record of what the sole is shown with.

    Attributes
    ----------
    name, frame
        Character and frame for which it was read.
    maker, ground
        How it walks, and on what.
    read, used
        Seconds of the computer's clock.
    """

    name: str
    frame: int
    maker: StepMaker
    ground: Ground
    read: float
    used: float


@dataclass(frozen=True)
class _Pointer:
    """Record of where the pointer is.

    Attributes
    ----------
    region
        Address of the region that it is over.
    place
        Pixels from that region's lower left corner.
    """

    region: int
    place: tuple[float, float]


class NextStep:
    """The next sole under the pointer, found outside of drawing."""

    def __init__(self) -> None:
        self.ghost = StepGhost()
        self._pointer: _Pointer | None = None
        # The region in which the sole is shown.
        self._shown_in = 0
        self._reading: _Reading | None = None
        # Until when a character that cannot be read is not tried again; the click says why.
        self._refused = ("", 0.0)

    def is_shown_in(self, region: bpy.types.Region) -> bool:
        """Whether there is a sole to draw in a region."""
        return self.ghost.outline is not None and self._shown_in == region.as_pointer()

    def note(self, region: bpy.types.Region, place: tuple[float, float]) -> None:
        """Have the sole found soon at a place of a region; this writes nothing."""
        self._pointer = _Pointer(region.as_pointer(), (float(place[0]), float(place[1])))
        if not bpy.app.timers.is_registered(_follow_pointer):
            bpy.app.timers.register(_follow_pointer)

    def forget(self) -> None:
        """Read the character anew: undo and loading replace what the file holds."""
        self.ghost.outline = None
        self._reading = None

    def follow(self) -> None:
        """Find the sole where the pointer was noted last."""
        pointer, self._pointer = self._pointer, None
        place = None if pointer is None else _find_region(pointer.region)
        if pointer is None or place is None:
            return
        window, area, region = place
        shown = self.ghost.outline is not None
        self.ghost.outline = None
        self._shown_in = pointer.region
        with bpy.context.temp_override(window=window, area=area, region=region):
            context = bpy.context
            armature = find_active_character(context)
            waits = VIEW3D_OT_footsteps_place.is_running() or is_busy()
            if armature is not None and not waits:
                self.point(context, armature, pointer.place)
        if shown or self.ghost.outline is not None:
            region.tag_redraw()

    def point(
        self,
        context: bpy.types.Context,
        armature: bpy.types.Object,
        place: tuple[float, float],
    ) -> None:
        """Show the next sole of a character at a place of the context's region."""
        name, until = self._refused
        if name == armature.name and monotonic() < until:
            return
        try:
            reading = self._read(context, armature)
        except LocomotionError:
            self._refused = (armature.name, monotonic() + PLACING.old)
            return
        maker = reading.maker
        point = pick_point(
            context, context.region, place, list_ignored(armature), float(maker.start[2])
        )
        placer = StepPlacer(maker.gait, maker.start[:2], maker.direction)
        placer.set_steps(read_laid_steps(armature, maker.character.rig, context.scene))
        placer.hover(None if point is None else np.asarray(point), snap=False)
        self.ghost.show(maker, reading.ground, placer.ghost, context.scene)

    def _read(self, context: bpy.types.Context, armature: bpy.types.Object) -> _Reading:
        """Character and ground, read anew where they may have changed."""
        now, scene = monotonic(), context.scene
        kept = self._reading
        if (
            kept is not None
            and (kept.name, kept.frame) == (armature.name, scene.frame_current)
            and now - kept.read < PLACING.old
            and now - kept.used < PLACING.away
        ):
            kept.used = now
            return kept
        maker = run_steps(find_step_maker(armature, scene))
        ground = find_step_ground(maker.character, scene)
        # Reading may take longer than the pointer may be away.
        done = monotonic()
        self._reading = _Reading(
            armature.name, scene.frame_current, maker, ground, read=done, used=done
        )
        return self._reading


def _find_region(
    address: int,
) -> tuple[bpy.types.Window, bpy.types.Area, bpy.types.Region] | None:
    """The region of a 3D View at an address, with its window and area; None where it is gone."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                for region in area.regions:
                    if region.as_pointer() == address:
                        return window, area, region
    return None


# One for all views: there is one pointer.
next_step = NextStep()


def _follow_pointer() -> None:
    """Find the sole, outside of drawing; for a timer."""
    next_step.follow()


def _forget(*_: object) -> None:
    """Forget what was read; for handlers."""
    next_step.forget()


class LOCOMOTION_GT_next_step(bpy.types.Gizmo):
    """The next sole under the pointer."""

    bl_idname = "LOCOMOTION_GT_next_step"

    __slots__ = ()

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the sole, unless the tool itself does so since a click."""
        if next_step.is_shown_in(context.region) and not VIEW3D_OT_footsteps_place.is_running():
            next_step.ghost.draw()

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        """Note where the pointer is; it is over no gizmo."""
        next_step.note(context.region, location)
        return -1


class LOCOMOTION_GGT_next_step(bpy.types.GizmoGroup):
    """What the Footsteps tool shows before it is clicked with."""

    bl_idname = "LOCOMOTION_GGT_next_step"
    bl_label = "Next Footstep"
    bl_space_type = "VIEW_3D"
    bl_region_type = "WINDOW"
    bl_options = {"3D"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a character is active."""
        return find_active_character(context) is not None

    def setup(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Make the one gizmo."""
        self.gizmos.new(LOCOMOTION_GT_next_step.bl_idname)


# Loading a file takes all other handlers out.
persistent(_forget)
_HANDLERS = ("undo_post", "redo_post", "load_post")
_CLASSES = (LOCOMOTION_GT_next_step, LOCOMOTION_GGT_next_step)


def register() -> None:
    """Add the gizmo."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    for name in _HANDLERS:
        getattr(bpy.app.handlers, name).append(_forget)


def unregister() -> None:
    """Take it out."""
    for name in _HANDLERS:
        handlers = getattr(bpy.app.handlers, name)
        if _forget in handlers:
            handlers.remove(_forget)
    next_step.forget()
    if bpy.app.timers.is_registered(_follow_pointer):
        bpy.app.timers.unregister(_follow_pointer)
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
