# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of footsteps."""

from __future__ import annotations

import bpy

from ...blender.footsteps.objects import is_edited, list_footsteps
from ...blender.setup.footstep_properties import find_step_owner, is_timed
from ..footsteps.edits import LOCOMOTION_MT_footsteps
from ..targets import find_active_armature
from ..wording import count
from .parts import CharacterPanel, draw_text


class LOCOMOTION_PT_footsteps(CharacterPanel, bpy.types.Panel):
    """Footsteps of the active character."""

    bl_label = "Footsteps"
    bl_order = 3

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        armature = find_active_armature(context)
        if armature is None:
            return
        steps, travel = list_footsteps(armature), armature.locomotion.travel
        column = layout.column(align=True)
        column.operator("view3d.footsteps_place", text="Place", icon="ADD")
        column.operator("object.footsteps_generate", text="Generate", icon="MOD_ARRAY")
        column.operator("object.footsteps_from_plan", text="From Plan", icon="FILE_REFRESH")
        if not steps:
            draw_text(layout, context, "No footsteps: the walk is as planned", "INFO")
            return
        edited = sum(is_edited(step) for step in steps)
        layout.label(text=f"{count(len(steps), 'footstep')}, {edited} of them yours")
        lost = sum(step.locomotion_footstep.is_lost for step in steps)
        if lost:
            text = f"{count(lost, 'footstep')} in red not used: no step of the leg passes near"
            draw_text(layout, context, text, "ERROR")
        if travel.source != "FOOTSTEPS":
            layout.prop_enum(travel, "source", "FOOTSTEPS", text="Travel along Footsteps")
        column = layout.column(align=True)
        column.operator("object.footsteps_replace_on_ground", icon="SNAP_NORMAL")
        column.menu(LOCOMOTION_MT_footsteps.bl_idname)
        column.operator("object.footsteps_clear", icon="TRASH")
        layout.prop(armature.locomotion, "move_footsteps")
        layout.prop(context.window_manager, "locomotion_step_labels")
        self._draw_active(context)

    def _draw_active(self, context: bpy.types.Context) -> None:
        """Find what is known of the active footstep."""
        active = context.view_layer.objects.active
        if active is None or find_step_owner(active) is None:
            return
        data = active.locomotion_footstep
        column = self.layout.box().column(align=True)
        column.label(text=f"Step {data.number}, {data.leg}", translate=False)
        column.prop(data, "is_left_out")
        row = column.row()
        row.enabled = data.character.locomotion.travel.source == "FOOTSTEPS"
        row.prop(data, "is_jump")
        if data.is_lost:
            column.label(text="Not used", icon="ERROR")
        elif not data.is_planned:
            column.label(text="Placed by you")
        else:
            column.label(text="Moved by you" if is_edited(active) else "As planned")
        if not data.is_left_out:
            self._draw_times(column, active)

    def _draw_times(self, column: bpy.types.UILayout, step: bpy.types.Object) -> None:
        """Find when a footstep bears."""
        data = step.locomotion_footstep
        if not data.has_start:
            column.label(text="Frames are known after a bake", icon="TIME")
            return
        # Only a walk along the footsteps takes its times from them.
        fields = column.column(align=True)
        fields.enabled = data.character.locomotion.travel.source == "FOOTSTEPS"
        fields.prop(data, "start")
        if data.planned_duration or data.has_own_duration:
            fields.prop(data, "duration")
        if is_timed(step):
            column.label(text="Frames set by you", icon="TIME")
            column.operator("object.footsteps_reset_times", icon="LOOP_BACK")


CLASSES = (LOCOMOTION_PT_footsteps,)
