# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators on the active motion of the active character."""

from __future__ import annotations

import bpy
from bpy.props import StringProperty

from ..choices import FORGET
from ..targets import get_active_armature, poll_active_character
from ..telling import report_line


class ANIM_OT_locomotion_key_times_reset(bpy.types.Operator):
    """Take back key times that were set by hand."""

    bl_idname = "anim.locomotion_key_times_reset"
    bl_label = "Reset Key Times"
    bl_description = "Give the active motion back the key times that the analysis found"
    bl_options = {"REGISTER", "UNDO"}

    foot: StringProperty(
        name="Foot",
        description="Bone of the foot whose times are given back; empty for all feet",
        options=FORGET,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a key time of the active motion is set by hand."""
        if not poll_active_character(cls, context):
            return False
        if not _list_edited(context):
            cls.poll_message_set("No key time of the active motion is edited")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[str]:
        """Give them back, or report that there is nothing to give back."""
        entries = [e for e in _list_edited(context) if self.foot in ("", e.name)]
        if not entries:
            report_line(self, {"WARNING"}, f"No key time of the foot {self.foot!r} is edited")
            return {"CANCELLED"}
        for entry in entries:
            entry.reset()
        get_active_armature(context).update_tag()
        return {"FINISHED"}


def _list_edited(context: bpy.types.Context) -> list[bpy.types.PropertyGroup]:
    """Key times of the active motion that are set by hand."""
    data = get_active_armature(context).locomotion
    if data.active_motion >= len(data.motions):
        return []
    return [entry for entry in data.motions[data.active_motion].key_times if entry.is_edited]


def register() -> None:
    """Add the operator."""
    bpy.utils.register_class(ANIM_OT_locomotion_key_times_reset)


def unregister() -> None:
    """Take it out."""
    bpy.utils.unregister_class(ANIM_OT_locomotion_key_times_reset)
