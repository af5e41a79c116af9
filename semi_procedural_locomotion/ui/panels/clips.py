# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of what makes, takes over and changes clips, and of binding and stored poses."""

from __future__ import annotations

from typing import Any

import bpy

from ...api.cycles import REST, SIDED
from ...api.notes import find_units
from ...blender import versions
from ...blender.setup.cycle_properties import is_made
from ...blender.setup.fix_records import is_cleaned, read_before
from ...blender.values.bake_record import find_base_action
from ...blender.values.nla import plays_strips
from ..targets import find_active_armature, get_active_armature
from .parts import (
    CharacterPanel,
    SidebarPanel,
    draw_activity,
    draw_text,
    draw_value,
    list_report_rows,
)

_STEP, _BODY = ("speed", "pace", "stride", "width", "lift", "roll"), ("bounce", "sway", "arms")
_ADDED = ("crouch", "lean", "turn")
_OF_REST = ("width", "crouch", "lean")


def draw_style(layout: bpy.types.UILayout, owner: Any, gait: str) -> None:  # noqa: ANN401
    """Draw the numbers that a gait has."""
    for names in (_OF_REST,) if gait == REST else (_STEP, _BODY, _ADDED):
        column = layout.column(align=True)
        for name in names:
            column.prop(owner, name, slider=True)
    if gait in SIDED:
        layout.prop(owner, "mirrored")


class LOCOMOTION_PT_cycle(CharacterPanel, bpy.types.Panel):
    """Making of cycles, and the numbers of the active motion where it was made."""

    bl_label = "Made Cycles"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, action = self.layout, _get_made(context)
        layout.operator("anim.locomotion_make_cycle", icon="ADD")
        if action is None:
            return
        cycle = action.locomotion_cycle
        column = layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        column.enabled = action.library is None
        draw_style(column, cycle, cycle.gait)
        if cycle.message:
            draw_text(layout, context, cycle.message, "ERROR")


def _get_made(context: bpy.types.Context) -> bpy.types.Action | None:
    """The action of the active motion, where it is a made cycle."""
    armature = find_active_armature(context)
    if armature is None:
        return None
    data = armature.locomotion
    if data.active_motion >= len(data.motions):
        return None
    action = data.motions[data.active_motion].action
    return action if is_made(action) else None


class LOCOMOTION_PT_transfer(CharacterPanel, bpy.types.Panel):
    """Source, its actions, and the button."""

    bl_label = "Transfer"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout = self.layout
        transfer = get_active_armature(context).locomotion.transfer
        row = layout.row()
        row.use_property_split = True
        row.use_property_decorate = False
        row.prop(transfer, "source")
        if len(transfer.offered):
            layout.template_list(
                "LOCOMOTION_UL_offered", "", transfer, "offered", transfer, "active", rows=3
            )
        if not draw_activity(layout, "anim.locomotion_transfer"):
            layout.operator("anim.locomotion_transfer", icon="COPYDOWN")


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
        """Find how it is cleaned, and which feet."""
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
