# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels of skin and stored poses, for any armature."""

from __future__ import annotations

import bpy

from ..targets import find_active_armature, get_active_armature
from .parts import SidebarPanel, draw_activity


class LOCOMOTION_PT_binding(SidebarPanel, bpy.types.Panel):
    """What meshes follow."""

    bl_label = "Skin"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an armature is active, set up or not."""
        return super().poll(context) and find_active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Draw the panel."""
        layout = self.layout
        if draw_activity(layout, "object.locomotion_bind"):
            return
        layout.operator("object.locomotion_bind", icon="MOD_ARMATURE")
        row = layout.row(align=True)
        for shown, text in (("ZONES", "Bone Zones"), ("BONE", "Active Bone"), ("NONE", "Hide")):
            row.operator("object.locomotion_bone_zones", text=text).shown = shown


class LOCOMOTION_PT_key_poses(SidebarPanel, bpy.types.Panel):
    """Stored poses."""

    bl_label = "Key Poses"
    bl_parent_id = "LOCOMOTION_PT_binding"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, data = self.layout, get_active_armature(context).locomotion
        row = layout.row()
        row.template_list(
            "UI_UL_list", "locomotion_key_poses", data, "key_poses", data, "active_key_pose", rows=3
        )
        column = row.column(align=True)
        column.operator("pose.locomotion_store", text="", icon="ADD")
        column.operator("pose.locomotion_remove", text="", icon="REMOVE")
        layout.operator("pose.locomotion_show", icon="ARMATURE_DATA")
        layout.operator("pose.locomotion_copy", icon="COPYDOWN")


CLASSES = (LOCOMOTION_PT_binding, LOCOMOTION_PT_key_poses)
