# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel that plants the feet of an action that travels already, with its numbers before and after."""

from __future__ import annotations

import bpy

from ...blender.setup.fix_records import is_cleaned, read_before
from ...blender.values.bake_record import find_base_action
from ..targets import get_active_armature
from .parts import CharacterPanel, draw_activity, draw_value
from .report_rows import list_report_rows


class LOCOMOTION_PT_fix_feet(CharacterPanel, bpy.types.Panel):
    """Cleaning of captured and hand-keyed actions."""

    bl_label = "Fix Feet"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        if draw_activity(layout, "anim.locomotion_fix_feet"):
            return
        cleaned = is_cleaned(armature)
        action, _ = find_base_action(armature)
        data = armature.animation_data
        if cleaned or data is None:
            name = "None" if action is None else action.name
            draw_value(layout, "Action", name)
        else:
            layout.template_ID(data, "action")
        column = layout.column()
        column.scale_y = 1.5
        column.operator(
            "anim.locomotion_fix_feet",
            text="Fix Feet Again" if cleaned else "Fix Feet",
            icon="ACTION_TWEAK",
        )
        if cleaned:
            layout.operator("anim.locomotion_bake_remove", icon="TRASH")
        self._draw_choices(armature, cleaned)
        if cleaned:
            self._draw_numbers(armature)

    def _draw_choices(self, armature: bpy.types.Object, cleaned: bool) -> None:
        """How it is cleaned, and which feet."""
        fix = armature.locomotion.fix
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(fix, "plant", slider=True)
        column.prop(fix, "hold")
        column.prop(fix, "smooth_hips")
        row = column.row()
        row.enabled = cleaned
        row.prop(fix, "use_markers")
        column.prop(fix, "use_range")
        frames = column.column(align=True)
        frames.enabled = fix.use_range
        frames.prop(fix, "frame_start")
        frames.prop(fix, "frame_end")
        feet = self.layout.column_flow(columns=2, align=True)
        for leg in armature.locomotion.legs:
            feet.prop(leg, "plants", text=leg.name, translate=False)

    def _draw_numbers(self, armature: bpy.types.Object) -> None:
        """Each number before and after."""
        before = {label: text for label, text, _ in list_report_rows(read_before(armature))}
        column = self.layout.box().column(align=True)
        for label, text, _ in list_report_rows(armature.locomotion.report.values):
            draw_value(column, label, f"{before[label]} → {text}" if label in before else text)


CLASSES = (LOCOMOTION_PT_fix_feet,)
