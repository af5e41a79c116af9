# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that switch Live, Record and Auto Bake, and the rows that show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import bpy
from bpy.props import EnumProperty

from ...api import watching
from ...api.live_recording import start_recording, stop_recording
from ...api.notes import tell_notes
from ...api.verifying import note_verification
from ...api.watches import Watch, find_end
from ...errors import LocomotionError
from ..panels.parts import draw_text
from ..targets import find_characters, poll_characters
from ..telling import report_line
from . import handlers as live_handlers

_Start = Callable[[bpy.types.Object, bpy.types.Scene], Watch | None]
_Stop = Callable[[bpy.types.Object], None]

ACTION_PROPERTY = {
    "name": "Action",
    "description": "Switch on, off, or over",
    "items": (
        ("TOGGLE", "Toggle", "Switch off where all are on, else on"),
        ("ON", "On", "Switch on"),
        ("OFF", "Off", "Switch off"),
    ),
    "default": "TOGGLE",
    "options": {"SKIP_SAVE"},
}


def switch(
    operator: bpy.types.Operator,
    armatures: Sequence[bpy.types.Object],
    is_on: Callable[[bpy.types.Object], bool],
    start: _Start,
    stop: _Stop,
) -> set[str]:
    """Do what the operator's ``action`` says to all of some characters."""
    watching.free_copies()
    turn_on = operator.action == "ON" or (
        operator.action == "TOGGLE" and not all(is_on(item) for item in armatures)
    )
    try:
        for armature in armatures:
            if turn_on and not is_on(armature):
                watch = start(armature, bpy.context.scene)
                if watch is not None and watch.seen is not None:
                    for words in tell_notes(note_verification(watch.seen)):
                        report_line(operator, {"WARNING"}, f"{armature.name}: {words}")
            elif not turn_on and is_on(armature):
                stop(armature)
    except LocomotionError as error:
        report_line(operator, {"ERROR"}, str(error))
        return {"CANCELLED"}
    finally:
        live_handlers.install()
    return {"FINISHED"}


def is_live(armature: bpy.types.Object) -> bool:
    """Whether the character is shown live."""
    watch = watching.find_watch(armature)
    return watch is not None and watch.live


def is_auto_baked(armature: bpy.types.Object) -> bool:
    """Whether the character is baked again at every change."""
    watch = watching.find_watch(armature)
    return watch is not None and watch.auto_bake


class ANIM_OT_locomotion_live(bpy.types.Operator):
    """Show the walks of the selected characters."""

    bl_idname = "anim.locomotion_live"
    bl_label = "Live"
    bl_description = (
        "Show the walk of the selected characters without writing keys, following every change"
    )
    bl_options = {"REGISTER", "UNDO"}

    action: EnumProperty(**ACTION_PROPERTY)

    poll = classmethod(poll_characters)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch."""
        return switch(
            self, find_characters(context), is_live, watching.start_live, watching.stop_live
        )


class ANIM_OT_locomotion_auto_bake(bpy.types.Operator):
    """Bake the walks of the selected characters at every change."""

    bl_idname = "anim.locomotion_auto_bake"
    bl_label = "Auto Bake"
    bl_description = (
        "Bake the walk of the selected characters now, and again whenever a setting, the travel "
        "or the ground changes"
    )
    bl_options = {"REGISTER", "UNDO"}

    action: EnumProperty(**ACTION_PROPERTY)

    poll = classmethod(poll_characters)

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch."""
        return switch(
            self,
            find_characters(context),
            is_auto_baked,
            watching.start_auto_bake,
            watching.stop_auto_bake,
        )


class ANIM_OT_locomotion_record(bpy.types.Operator):
    """Key what is shown live."""

    bl_idname = "anim.locomotion_record"
    bl_label = "Record Walk"
    bl_description = (
        "Note the frames that are played while the selected characters are live; "
        "switching off keys them"
    )
    bl_options = {"REGISTER", "UNDO"}

    action: EnumProperty(**ACTION_PROPERTY)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a live character is chosen."""
        if not poll_characters(cls, context):
            return False
        if not any(is_live(item) for item in find_characters(context)):
            cls.poll_message_set("Switch Live on first")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Switch."""
        armatures = [item for item in find_characters(context) if is_live(item)]
        return switch(self, armatures, _is_recorded, _record_from_now, self._write)

    def _write(self, armature: bpy.types.Object) -> None:
        """Key the frames that were shown."""
        span = stop_recording(armature)
        if span is None:
            report_line(self, {"WARNING"}, f"{armature.name}: no frame of the walk was played")
        else:
            report_line(self, {"INFO"}, f"{armature.name}: recorded frames {span[0]} to {span[1]}")


def _is_recorded(armature: bpy.types.Object) -> bool:
    """Whether the frames of a character are noted."""
    watch = watching.find_watch(armature)
    return watch is not None and watch.recorded is not None


def _record_from_now(armature: bpy.types.Object, scene: bpy.types.Scene) -> Watch | None:  # noqa: ARG001
    """Note the frames of a character."""
    start_recording(armature)
    return watching.find_watch(armature)


def draw_live(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object
) -> None:
    """Draw the switches of a character, and why its last plan failed."""
    row = layout.row(align=True)
    row.operator("anim.locomotion_live", icon="PLAY", depress=is_live(armature))
    row.operator("anim.locomotion_auto_bake", icon="FILE_REFRESH", depress=is_auto_baked(armature))
    if is_live(armature):
        shown = _is_recorded(armature)
        text = "Stop and Key" if shown else "Record"
        layout.operator("anim.locomotion_record", text=text, icon="REC", depress=shown)
    watch = watching.find_watch(armature)
    error = find_end(armature) if watch is None else watch.error
    if error:
        draw_text(layout, context, error, "ERROR")


_CLASSES = (
    ANIM_OT_locomotion_live,
    ANIM_OT_locomotion_auto_bake,
    ANIM_OT_locomotion_record,
)


def register() -> None:
    """Add operators and handlers."""
    for cls in _CLASSES:
        bpy.utils.register_class(cls)
    live_handlers.register()


def unregister() -> None:
    """Take them out; live characters are put back first."""
    live_handlers.unregister()
    for cls in reversed(_CLASSES):
        bpy.utils.unregister_class(cls)
