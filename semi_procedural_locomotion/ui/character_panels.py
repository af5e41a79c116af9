# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of what a character is: legs, soles, body, motions."""

from __future__ import annotations

from math import degrees, pi

import bpy

from ..api import is_set_up
from ..blender.rig_store import is_measured
from ..core.motion_notes import name_warning
from .panel_parts import CharacterPanel, SidebarPanel, draw_activity, draw_text
from .targets import find_active_armature, get_active_armature
from .wording import count

_LEFT_TURN, _RIGHT_TURN = 0.5 * pi, -0.5 * pi


class LOCOMOTION_PT_character(SidebarPanel, bpy.types.Panel):
    """Set Up and what it found."""

    bl_label = "Character"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, find_active_armature(context)
        if armature is None:
            draw_text(layout, context, "Select the armature of a character", "INFO")
            return
        if draw_activity(layout, "anim.locomotion_setup"):
            return
        ready = is_set_up(armature)
        column = layout.column()
        column.scale_y = 1.0 if ready else 1.5
        text = "Set Up Again" if ready else "Set Up"
        column.operator("anim.locomotion_setup", text=text, icon="ARMATURE_DATA")
        if not ready:
            draw_text(
                layout,
                context,
                "Finds legs and walks. Where it finds none, select the bones of a leg in Pose Mode:",
            )
            layout.operator("anim.locomotion_leg_add", icon="ADD")
            draw_text(layout, context, "Without any walk, one is made from numbers:")
            layout.operator("anim.locomotion_make_cycle", icon="ADD")
            return
        data = armature.locomotion
        used = sum(entry.enabled for entry in data.motions)
        draw_text(
            layout,
            context,
            f"{armature.name}: {count(len(data.legs), 'leg')}, {count(used, 'motion')}",
            "CHECKMARK" if not data.reasons else "QUESTION",
        )
        for reason in data.reasons.splitlines():
            draw_text(layout, context, reason, "DOT")


class LOCOMOTION_PT_legs(CharacterPanel, bpy.types.Panel):
    """The list of legs and the chain of the active one."""

    bl_label = "Legs"
    bl_parent_id = "LOCOMOTION_PT_character"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        row = layout.row()
        row.template_list(
            "LOCOMOTION_UL_legs", "", data, "legs", data, "active_leg", rows=3, maxrows=6
        )
        buttons = row.column(align=True)
        buttons.operator("anim.locomotion_leg_add", text="", icon="ADD")
        buttons.operator("anim.locomotion_leg_remove", text="", icon="REMOVE")
        buttons.separator()
        buttons.operator("anim.locomotion_leg_mirror", text="", icon="MOD_MIRROR")
        if not all(is_measured(leg) for leg in data.legs):
            row = layout.row()
            row.alert = True
            row.operator("anim.locomotion_legs_measure", icon="FILE_REFRESH")
        if data.active_leg < len(data.legs):
            self._draw_leg(context, data.legs[data.active_leg], armature)

    def _draw_leg(
        self,
        context: bpy.types.Context,
        leg: bpy.types.PropertyGroup,
        armature: bpy.types.Object,
    ) -> None:
        """The bones of the active leg."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        last = len(leg.bones) - 1
        for number, bone in enumerate(leg.bones):
            end = {0: "HIP", last: "ANKLE"}.get(number)
            text = end.title() if end else "Knee" if last == 2 else f"Joint {number}"
            row = column.row(align=True)
            row.prop_search(bone, "name", armature.data, "bones", text=text)
            steps = row.row(align=True)
            steps.enabled = end is not None
            for direction, icon in (("UP", "TRIA_UP"), ("DOWN", "TRIA_DOWN")):
                step = steps.operator("anim.locomotion_leg_step", text="", icon=icon)
                step.end, step.direction = end or "HIP", direction
        row = column.row(align=True)
        row.prop_search(leg, "toe", armature.data, "bones", text="Toe")
        row.label(text="", icon="BLANK1")
        row.label(text="", icon="BLANK1")
        for reason in leg.reasons.splitlines():
            draw_text(layout, context, reason, "ERROR")


class LOCOMOTION_PT_soles(CharacterPanel, bpy.types.Panel):
    """The sole of the active leg."""

    bl_label = "Sole"
    bl_parent_id = "LOCOMOTION_PT_character"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        if data.active_leg >= len(data.legs):
            return
        leg = data.legs[data.active_leg]
        layout.use_property_split = True
        layout.use_property_decorate = False
        for name, text in (("heel", "Heel"), ("ball", "Ball"), ("toe_tip", "Toe Tip")):
            column = layout.column(align=True)
            column.prop_search(getattr(leg, name), "bone", armature.data, "bones", text=text)
            column.prop(getattr(leg, name), "offset")
        layout.prop(leg, "sole_width")


class LOCOMOTION_PT_body(CharacterPanel, bpy.types.Panel):
    """Forward, the bone of the hips, the root bone."""

    bl_label = "Body"
    bl_parent_id = "LOCOMOTION_PT_character"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        layout.use_property_split = True
        layout.use_property_decorate = False
        split = layout.split(factor=0.4)
        label = split.row()
        label.alignment = "RIGHT"
        label.label(text="Forward")
        row = split.row(align=True)
        row.label(text=_name_direction(data.forward))
        for angle, icon in (
            (_LEFT_TURN, "LOOP_BACK"),
            (pi, "UV_SYNC_SELECT"),
            (_RIGHT_TURN, "LOOP_FORWARDS"),
        ):
            row.operator("anim.locomotion_forward", text="", icon=icon).angle = angle
        layout.prop_search(data, "body", armature.data, "bones")
        layout.prop_search(data, "root", armature.data, "bones")


def _name_direction(forward: bpy.types.bpy_prop_array) -> str:
    """A direction seen from above by the axis nearest to it."""
    x, y = forward
    if abs(x) > abs(y):
        return "+X" if x > 0 else "-X"
    return "+Y" if y > 0 else "-Y"


class LOCOMOTION_PT_motions(CharacterPanel, bpy.types.Panel):
    """The actions that the walk is made of."""

    bl_label = "Motions"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        row = layout.row()
        row.template_list(
            "LOCOMOTION_UL_motions", "", data, "motions", data, "active_motion", rows=4
        )
        draw_list_buttons(row, "MOTIONS", can_move=True)
        if not draw_activity(layout, "anim.locomotion_analyze"):
            layout.operator("anim.locomotion_analyze", text="Analyze", icon="FILE_REFRESH")


class LOCOMOTION_PT_motion(CharacterPanel, bpy.types.Panel):
    """Choices and findings of the active motion."""

    bl_label = "Active Motion"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, data = self.layout, get_active_armature(context).locomotion
        if data.active_motion >= len(data.motions):
            return
        entry = data.motions[data.active_motion]
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(entry, "action")
        column.prop(entry, "kind")
        column.prop(entry, "group")
        column.prop(entry, "is_reversed")
        column.prop(entry, "own_speed")
        if entry.found_kind == "cycle":
            box = layout.box().column(align=True)
            system = context.scene.unit_settings.system
            speed = bpy.utils.units.to_string(system, "VELOCITY", entry.speed, precision=3)
            for label, text in (
                ("Speed", speed),
                ("Direction", _describe_direction(entry.direction)),
                ("Turn Rate", f"{degrees(entry.turn_rate):.0f}°/s"),
                ("Period", f"{entry.period:.2f} s"),
                ("Quality", f"{entry.quality:.0%}"),
            ):
                draw_value(box, label, text)
        name = "" if entry.action is None else entry.action.name
        for warning in entry.warnings.splitlines():
            draw_text(layout, context, name_warning(name, warning), "ERROR")


class LOCOMOTION_PT_groups(CharacterPanel, bpy.types.Panel):
    """Shares of the groups of motions."""

    bl_label = "Groups"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, data = self.layout, get_active_armature(context).locomotion
        row = layout.row()
        row.template_list("LOCOMOTION_UL_groups", "", data, "groups", data, "active_group", rows=2)
        draw_list_buttons(row, "GROUPS", can_move=True)
        if not len(data.groups):
            draw_text(layout, context, "All groups of motions have an equal share")


def _describe_direction(angle: float) -> str:
    """A direction against forward in words and degrees."""
    size = abs(degrees(angle))
    if size < 0.5:
        return "Forward"
    if size > 179.5:
        return "Backward"
    return f"{size:.0f}° {'left' if angle > 0 else 'right'}"


def draw_value(layout: bpy.types.UILayout, label: str, text: str) -> None:
    """A label and a value that cannot be edited."""
    split = layout.split(factor=0.5)
    split.label(text=label)
    value = split.row()
    value.alignment = "RIGHT"
    value.label(text=text, translate=False)


def draw_list_buttons(layout: bpy.types.UILayout, target: str, can_move: bool = False) -> None:
    """Buttons beside a list."""
    column = layout.column(align=True)
    changes = [("ADD", "ADD"), ("REMOVE", "REMOVE")]
    if can_move:
        changes += [("UP", "TRIA_UP"), ("DOWN", "TRIA_DOWN")]
    for number, (change, icon) in enumerate(changes):
        if number == 2:
            column.separator()
        button = column.operator("anim.locomotion_list", text="", icon=icon)
        button.target, button.change = target, change


CLASSES = (
    LOCOMOTION_PT_character,
    LOCOMOTION_PT_legs,
    LOCOMOTION_PT_soles,
    LOCOMOTION_PT_body,
    LOCOMOTION_PT_motions,
    LOCOMOTION_PT_motion,
    LOCOMOTION_PT_groups,
)
