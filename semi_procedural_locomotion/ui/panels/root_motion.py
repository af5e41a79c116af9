# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of root motion, for any armature."""

from __future__ import annotations

import bpy

from ...blender import versions
from ..targets import find_active_armature, get_active_armature
from .parts import SidebarPanel, draw_activity, draw_text, draw_value


class LOCOMOTION_PT_root_motion(SidebarPanel, bpy.types.Panel):
    """From where the travel of an action goes to where."""

    bl_label = "Root Motion"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether an armature is active, set up or not."""
        return super().poll(context) and find_active_armature(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        choices = armature.locomotion.root_motion
        layout.use_property_split = True
        layout.use_property_decorate = False
        action, _ = versions.get_assigned_action(armature)
        if action is not None:
            draw_value(layout, "Action", action.name)
        column = layout.column(align=True)
        column.prop(choices, "source")
        column.prop(choices, "target")
        column = layout.column(align=True)
        column.prop(choices, "use_ground")
        column.prop(choices, "use_height")
        column.prop(choices, "turn")
        layout.prop(choices, "use_even")
        column = layout.column()
        column.prop_search(choices, "root_bone", armature.data, "bones")
        column.prop_search(choices, "body_bone", armature.data, "bones")
        layout.prop(choices, "use_play")
        if choices.source == choices.target:
            draw_text(layout, context, "The travel goes nowhere: choose another To", "ERROR")
        if not draw_activity(layout, "anim.locomotion_root_motion"):
            layout.operator("anim.locomotion_root_motion", icon="CON_FOLLOWPATH")


CLASSES = (LOCOMOTION_PT_root_motion,)
