# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel that plants the feet of an action that travels already, with its numbers before and after."""

from __future__ import annotations

import bpy

from ...api.notes import find_units
from ...blender.setup.fix_records import is_cleaned, read_before
from ...blender.values.bake_record import find_base_action
from ...blender.values.nla import plays_strips
from ..targets import get_active_armature
from .parts import CharacterPanel, draw_activity, draw_text, draw_value, list_report_rows


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
        if cleaned:
            action, _ = find_base_action(armature)
            draw_value(layout, "Cleaned", "NLA strips" if action is None else action.name)
        else:
            self._draw_action(context, armature)
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

    def _draw_action(self, context: bpy.types.Context, armature: bpy.types.Object) -> None:
        """Choice of the action that is played and cleaned, with its slot where that is open."""
        layout, data = self.layout, armature.animation_data
        split = layout.split(factor=0.25)
        split.label(text="Action")
        if data is not None:
            split.template_ID(data, "action")
        elif hasattr(split, "template_action"):
            split.template_action(armature)
        else:
            split.label(text="None")
        if data is None:
            return
        if data.action is None and plays_strips(data):
            draw_text(layout, context, "None is active: the strips of the NLA are cleaned", "INFO")
        suitable = getattr(data, "action_suitable_slots", ())
        if len(suitable) > 1 or (len(suitable) and data.action_slot is None):
            split = layout.split(factor=0.25)
            split.label(text="Slot")
            split.template_search(data, "action_slot", data, "action_suitable_slots")

    def _draw_choices(self, armature: bpy.types.Object, cleaned: bool) -> None:
        """How it is cleaned, and which feet."""
        fix = armature.locomotion.fix
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.prop(fix, "plant", slider=True)
        column.prop(fix, "hold")
        column.prop(fix, "smooth_hips")
        again = column.column()
        again.enabled = cleaned
        again.row(heading="Contacts").prop(fix, "use_markers", text="From Markers")
        again.prop(armature.locomotion.settings, "keep_edits")
        column.prop(fix, "use_range")
        frames = column.column(align=True)
        frames.enabled = fix.use_range
        frames.prop(fix, "frame_start")
        frames.prop(fix, "frame_end")
        self.layout.label(text="Feet to Plant")
        feet = self.layout.column_flow(columns=2, align=True)
        for leg in armature.locomotion.legs:
            feet.prop(leg, "plants", text=leg.name, translate=False)

    def _draw_numbers(self, armature: bpy.types.Object) -> None:
        """Each number before and after."""
        units = find_units()
        before = {label: text for label, text, _ in list_report_rows(read_before(armature), units)}
        column = self.layout.box().column(align=True)
        for label, text, _ in list_report_rows(armature.locomotion.report.values, units):
            draw_value(column, label, f"{before[label]} → {text}" if label in before else text)


CLASSES = (LOCOMOTION_PT_fix_feet,)
