# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of a walk: ground, travel, steps, bake."""

from __future__ import annotations

import bpy

from ...api import is_baked
from ...api.notes import find_units, read_notes
from ...api.setups import find_left
from ...blender.setup.fix_records import is_cleaned
from ...blender.setup.rigs import find_root_bone
from ...requests.settings.travels import GROUND
from ..driving.operator import draw_drive
from ..live.operators import draw_live, is_live
from ..operators.presets import LOCOMOTION_PT_step_presets
from ..targets import get_active_armature
from .controls import draw_output
from .parts import (
    CharacterPanel,
    draw_activity,
    draw_list_buttons,
    draw_notes,
    draw_text,
    draw_value,
    is_character_active,
    list_report_rows,
)

_PATHS = ("CURVE", "POINTS")
_LINES = (*_PATHS, "STRAIGHT")
_SPEED_SOURCES = (*_LINES, "FOOTSTEPS")


def _is_closed(travel: bpy.types.PropertyGroup) -> bool:
    """Whether the way of a travel ends where it begins, as far as a panel can tell quickly."""
    if travel.source == "POINTS":
        places = [tuple(point.location) for point in travel.points]
        return len(places) > 2 and places[0] == places[-1]
    curve = travel.curve
    if curve is None or not curve.data.splines:
        return False
    return bool(curve.data.splines[0].use_cyclic_u or curve.modifiers)


class LOCOMOTION_PT_travel(CharacterPanel, bpy.types.Panel):
    """What is walked on and where to."""

    bl_label = "Ground and Travel"
    bl_order = 2

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        layout.use_property_split = True
        layout.use_property_decorate = False
        self._draw_ground(data.ground)
        layout.separator()
        self._draw_travel(data.travel, armature)
        layout.separator()
        layout.prop(data.travel, "output_to")
        if data.travel.output_to == "BONE":
            row = layout.row()
            row.alert = not find_root_bone(armature)
            row.prop_search(data, "root", armature.data, "bones")
            layout.prop(data.settings, "upright_root")

    def _draw_ground(self, ground: bpy.types.PropertyGroup) -> None:
        """Find what is walked on."""
        layout = self.layout
        layout.prop(ground, "source")
        if ground.source == "COLLECTION":
            layout.prop(ground, "collection")
        elif ground.source == "OBJECTS":
            row = layout.row()
            row.template_list(
                "LOCOMOTION_UL_ground", "", ground, "objects", ground, "active_object", rows=2
            )
            draw_list_buttons(row, "GROUND")

    def _draw_travel(self, travel: bpy.types.PropertyGroup, armature: bpy.types.Object) -> None:
        """Find where it goes and how fast."""
        layout = self.layout
        layout.prop(travel, "source")
        if travel.source == "CURVE":
            layout.prop(travel, "curve")
        elif travel.source == "BONE":
            layout.prop_search(travel, "bone", armature.data, "bones")
        elif travel.source == "POINTS":
            row = layout.row()
            row.template_list(
                "LOCOMOTION_UL_points", "", travel, "points", travel, "active_point", rows=3
            )
            draw_list_buttons(row, "POINTS", can_move=True)
            row = layout.row(align=True)
            row.prop(travel, "space")
            row.operator("anim.locomotion_points_space", text="", icon="SNAP_ON")
        if travel.source in _SPEED_SOURCES:
            layout.prop(travel, "use_native_speed")
            row = layout.row()
            row.enabled = not travel.use_native_speed
            row.use_property_decorate = True  # the speed may be keyed
            row.prop(travel, "speed")
        if travel.source in _PATHS:
            row = layout.row()
            row.enabled = _is_closed(travel)
            row.prop(travel, "rounds")
            layout.prop(travel, "heading")
            layout.prop(travel, "slow_turns")
        if travel.source in (*_PATHS, "STRAIGHT"):
            ends = ("start", "stop")
            if travel.source == "STRAIGHT":
                ends = ("straight_start", "straight_stop")
            column = layout.column(align=True)
            for name in ends:
                column.prop(travel, name)
            row = column.row()
            row.enabled = "STAND" in [getattr(travel, name) for name in ends]
            row.prop(travel, "ease")
        if travel.source in _LINES:
            layout.prop(travel, "slow_climbs")
            layout.prop(travel, "jump_gaps")
            row = layout.row()
            row.enabled = travel.jump_gaps
            row.prop(travel, "longest_jump")
            layout.prop(travel, "keep_clear")


class LOCOMOTION_PT_left_out(CharacterPanel, bpy.types.Panel):
    """What of the scene is no ground."""

    bl_label = "Left Out"
    bl_parent_id = "LOCOMOTION_PT_travel"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether meshes are walked on."""
        if not is_character_active(context):
            return False
        return get_active_armature(context).locomotion.ground.source != "PLANE"

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        ground = get_active_armature(context).locomotion.ground
        row = layout.row()
        row.template_list(
            "LOCOMOTION_UL_left_out", "", ground, "left_out", ground, "active_left_out", rows=2
        )
        draw_list_buttons(row, "LEFT_OUT")
        layout.operator("anim.locomotion_leave_out", icon="RESTRICT_SELECT_OFF")
        column = layout.column(align=True)
        for name in GROUND:
            column.prop(ground, name)


class LOCOMOTION_PT_drive(CharacterPanel, bpy.types.Panel):
    """Steering."""

    bl_label = "Drive"
    bl_parent_id = "LOCOMOTION_PT_travel"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        draw_drive(layout, get_active_armature(context))


class LOCOMOTION_PT_steps(CharacterPanel, bpy.types.Panel):
    """Limits and manner of the steps."""

    bl_label = "Steps"
    bl_parent_id = "LOCOMOTION_PT_travel"
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:  # noqa: ARG002
        """Presets."""
        LOCOMOTION_PT_step_presets.draw_panel_header(self.layout)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        settings = get_active_armature(context).locomotion.settings
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(settings, "lock_feet")
        body = layout.column()
        body.enabled = settings.lock_feet
        blending = layout.column(align=True)
        blending.prop(settings, "blend_by")
        if settings.blend_by == "SPEED":
            blending.prop(settings, "walk_from")
            blending.prop(settings, "run_from")
        for names in (
            ("slowdown_exponent", "max_cycle", "max_turn_per_cycle"),
            (
                ("cycle_time", "max_speed_change")
                if settings.cycle_time == "ACCELERATIONS"
                else ("cycle_time",)
            ),
            ("max_stride", "max_side_stride", "max_climb"),
            ("park_distance", "park_angle"),
            ("search_footholds", "step_limit", "max_slope", "sole_tolerance"),
            ("swing_margin", "toe_clearance"),
            ("simple_arc", "arc_height") if settings.simple_arc else ("simple_arc",),
            (
                "lean",
                "lean_accelerated",
                "look_ahead",
                "turn_to_way",
                "lean_back",
                "shoulder_turn",
                "arm_spread",
            ),
            ("support_smoothing", "ik_method", "use_automatic_hug"),
        ):
            column = body.column(align=True)
            for name in names:
                column.prop(settings, name)
        if not settings.use_automatic_hug:
            body.prop(settings, "hug")


def _tell_left(bake: str, playing: str) -> str:
    """Tell what it means that another action plays in place of a bake."""
    instead = f"{playing} plays in place of the bake {bake}" if playing else f"{bake} is not played"
    return (
        f"{instead}. Influences, switches and the object's place stay as it has left them: choose it "
        "again, or use Remove Bake, which gives them back"
    )


class LOCOMOTION_PT_bake(CharacterPanel, bpy.types.Panel):
    """Writing the walk."""

    bl_label = "Bake"
    bl_order = 4

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        if any(draw_activity(layout, f"anim.locomotion_{name}") for name in ("bake", "verify")):
            return
        row = layout.row()
        row.use_property_split = True
        row.use_property_decorate = False
        row.prop(armature.locomotion.settings, "output")
        if armature.locomotion.controls.is_probed or armature.locomotion.settings.output not in (
            "AUTOMATIC",
            "DEFORMING",
        ):
            draw_output(layout, context, armature)
        column = layout.column()
        column.scale_y = 1.5
        baked = is_baked(armature)
        text = "Bake Walk Again" if baked and not is_cleaned(armature) else "Bake Walk"
        column.operator("anim.locomotion_bake", text=text, icon="ACTION")
        left = find_left(armature)
        if left is not None:
            draw_text(layout, context, _tell_left(*left), "ERROR")
        if baked or left is not None:
            if not is_cleaned(armature):
                layout.operator("anim.locomotion_verify", icon="VIEWZOOM")
            layout.operator("anim.locomotion_bake_remove", icon="TRASH")
        if baked:
            layout.operator("anim.locomotion_correction_layer", icon="NLA_PUSHDOWN")
        draw_live(layout, context, armature)


class LOCOMOTION_PT_bake_options(CharacterPanel, bpy.types.Panel):
    """Range, blends and what the bake is written to."""

    bl_label = "Options"
    bl_parent_id = "LOCOMOTION_PT_bake"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        settings = get_active_armature(context).locomotion.settings
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(settings, "use_range")
        column = layout.column(align=True)
        column.enabled = settings.use_range
        column.prop(settings, "frame_start")
        column.prop(settings, "frame_end")
        row = layout.row()
        row.enabled = not settings.use_range
        row.prop(settings, "extend_scene")
        column = layout.column(align=True)
        column.prop(settings, "blend_in")
        column.prop(settings, "blend_out", text="Out")
        layout.prop(settings, "action_name")
        layout.prop(settings, "keep_edits")
        layout.prop(settings, "key_tolerance")
        layout.prop(settings, "use_markers")
        layout.prop(settings, "use_strip")
        layout.prop(settings, "verify")


# Green, yellow and red, in any version of Blender.
_VERDICT_ICONS = {
    "good": "COLLECTION_COLOR_04",
    "doubtful": "COLLECTION_COLOR_03",
    "bad": "COLLECTION_COLOR_01",
}


class LOCOMOTION_PT_report(CharacterPanel, bpy.types.Panel):
    """What the last bake measured."""

    bl_label = "Report"
    bl_parent_id = "LOCOMOTION_PT_bake"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether there is a report."""
        if not is_character_active(context):
            return False
        return bool(get_active_armature(context).locomotion.report.values)

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        report = get_active_armature(context).locomotion.report
        if is_live(get_active_armature(context)):
            layout.label(text="Of the bake, not of what Live shows", icon="INFO")
        column = layout.box().column(align=True)
        for label, text, verdict in list_report_rows(report.values, find_units()):
            draw_value(column, label, text, _VERDICT_ICONS.get(verdict, "BLANK1"))
        layout.operator(
            "anim.locomotion_worst_frame", text=f"Jump to Worst Frame ({report.worst_frame})"
        )
        draw_notes(layout, context, read_notes(report))


CLASSES = (
    LOCOMOTION_PT_travel,
    LOCOMOTION_PT_left_out,
    LOCOMOTION_PT_drive,
    LOCOMOTION_PT_steps,
    LOCOMOTION_PT_bake,
    LOCOMOTION_PT_bake_options,
    LOCOMOTION_PT_report,
)
