# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's handlers for characters that follow every change.

Those that run often are there only while some character is watched. They plan nothing: a change of
the scene is marked, and a timer plans shortly after. Frames are shown before Blender evaluates
them, so that each is evaluated once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import bpy
from bpy.app.handlers import persistent

from ...api import watching
from ...api.kept_walks import forget_walks
from ...api.notes import tell_case, tell_cure, tell_note
from ...api.watches import is_at_work
from ...blender import versions
from ...blender.setup.footstep_properties import release_deleted
from ...notes import Note, NoteKind, make_note
from ..limits import WAITING
from ..targets import redraw_views

# Names of operators during which nothing is planned begin so.
_BUSY_OPERATORS = ("TRANSFORM_OT_", "ANIM_OT_locomotion")

_logger = logging.getLogger(__name__)
# Characters whose plans have to be made again because the ground has changed.
_stale: set[int] = set()
_listeners: list[Callable[[], None]] = []


def add_listener(function: Callable[[], None]) -> None:
    """Have a function called after every planning."""
    if function not in _listeners:
        _listeners.append(function)


def remove_listener(function: Callable[[], None]) -> None:
    """Have it called no more."""
    if function in _listeners:
        _listeners.remove(function)


def install() -> None:
    """Add or take out the handlers, as there are watched characters or not."""
    wanted = bool(watching.list_watches())
    for name, function in _WHILE_WATCHING.items():
        handlers = getattr(bpy.app.handlers, name, None)
        if handlers is None:
            continue
        if wanted and function not in handlers:
            handlers.append(function)
        elif not wanted and function in handlers:
            handlers.remove(function)
    if not wanted:
        _stale.clear()
        if bpy.app.timers.is_registered(_tick):
            bpy.app.timers.unregister(_tick)
    for function in _listeners:
        function()


def refresh_now() -> bool:
    """Plan again what has changed, without waiting; whether anything was planned."""
    stale = set(_stale)
    _stale.clear()
    changed = watching.refresh(stale)
    if changed:
        install()
        redraw_views()
    return changed


def choose_delay() -> float:
    """Seconds from a change to the planning: more where planning takes long, so that work goes on."""
    cost = max((watch.cost for watch in watching.list_watches()), default=0.0)
    return WAITING.delay if cost < WAITING.quick else min(cost, WAITING.longest_delay)


def _tick() -> float | None:
    """Plan what was marked; later while the user is moving something or a bake runs."""
    if is_busy():
        return WAITING.delay
    refresh_now()
    return None


def is_busy() -> bool:
    """Whether an operator runs that holds on to what planning would change."""
    return any(
        operator.bl_idname.startswith(_BUSY_OPERATORS)
        for window in bpy.context.window_manager.windows
        for operator in window.modal_operators
    )


def _mark(uids: set[int]) -> None:
    """Have the timer look for changes soon, and plan these characters in any case."""
    _stale.update(uids)
    if not bpy.app.timers.is_registered(_tick):
        bpy.app.timers.register(_tick, first_interval=choose_delay())


def _show_frame(scene: bpy.types.Scene, depsgraph: object = None) -> None:  # noqa: ARG001
    """Put live characters in their poses before the frame is evaluated."""
    if not is_at_work():
        failed = watching.show_frame(scene, scene.frame_current_final)
        if failed:
            _mark(failed)


def _note_update(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """Mark what may have changed. Blender does not call this for changes of the frame."""
    if is_at_work():
        return
    stale: set[int] = set()
    looks = False
    for update in depsgraph.updates:
        item = update.id.original
        if not isinstance(item, bpy.types.Object) or watching.is_of_character(item):
            looks = looks or isinstance(item, _INPUT_TYPES)
        elif update.is_updated_transform or update.is_updated_geometry:
            stale |= watching.find_dependents(item, scene)
    if stale or looks:
        _mark(stale)


def _note_undo(*_: object) -> None:
    """Plan again from what undo brought back."""
    watching.adopt_states()
    install()
    uids = {watch.uid for watch in watching.list_watches()}
    if uids:
        _mark(uids)


def _note_load(*_: object) -> None:
    """Forget the characters of the file before; end what a crash left in this one."""
    watching.forget_all()
    forget_walks()
    watching.clean_file()
    install()


def _note_import(*_: object) -> None:
    """Have copies of live characters from other files walk."""
    if not is_at_work():
        watching.free_copies()


def _before_save(*_: object) -> None:
    """Files never hold characters that are shown live."""
    watching.put_back_all(forget=False)


def _release_deleted(*_: object) -> None:
    """Files keep no deleted characters for the sake of their footsteps."""
    release_deleted()


def _after_save(*_: object) -> None:
    """Show them again."""
    watching.take_up_all()


def _before_render(scene: bpy.types.Scene, *_: object) -> None:
    """Warn that Live is no bake."""
    live = [w for w in watching.list_watches() if w.live and w.scene_uid == scene.session_uid]
    if live:
        names = tuple(repr(watch.name) for watch in live)
        note = make_note(NoteKind.RENDERED_LIVE, characters=names)
        _logger.warning(tell_note(note))
        if not bpy.app.background:
            bpy.app.timers.register(lambda: _show(note), first_interval=0.1)


def _show(note: Note) -> None:
    """Show a note in a window."""

    def draw(menu: bpy.types.Menu, context: bpy.types.Context) -> None:  # noqa: ARG001
        for text in (tell_case(note), tell_cure(note)):
            menu.layout.label(text=text, translate=False)

    manager = bpy.context.window_manager
    if manager.windows:
        with bpy.context.temp_override(window=manager.windows[0]):
            manager.popup_menu(draw, title="Live Characters", icon="ERROR")


_INPUT_TYPES = (
    bpy.types.Object,
    bpy.types.Action,
    bpy.types.Armature,
    bpy.types.Scene,
    bpy.types.Collection,
)
_WHILE_WATCHING = {
    "frame_change_pre": _show_frame,
    "depsgraph_update_post": _note_update,
    "save_pre": _before_save,
    "save_post": _after_save,
    "save_post_fail": _after_save,
    "render_init": _before_render,
}
_ALWAYS = {
    "load_post": _note_load,
    "undo_post": _note_undo,
    "redo_post": _note_undo,
    "save_pre": _release_deleted,
    versions.AFTER_IMPORT: _note_import,
}
# Loading a file takes all other handlers out.
for _function in (*_WHILE_WATCHING.values(), *_ALWAYS.values()):
    persistent(_function)


def register() -> None:
    """Add the handlers that find watched characters after undo and loading."""
    for name, function in _ALWAYS.items():
        getattr(bpy.app.handlers, name).append(function)


def unregister() -> None:
    """Put everything back and take all handlers out."""
    watching.put_back_all(forget=True)
    install()
    for name, function in _ALWAYS.items():
        handlers = getattr(bpy.app.handlers, name)
        if function in handlers:
            handlers.remove(function)
