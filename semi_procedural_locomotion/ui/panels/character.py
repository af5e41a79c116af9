# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of what a character is: legs, soles, body."""

from __future__ import annotations

from math import pi

import bpy

from ...api import is_set_up
from ...api.notes import read_doubts
from ...blender.setup.rigs import is_measured
from ...blender.values.libraries import is_placeholder, tell_missing_libraries
from ...notes import NoteKind
from ..targets import describe_instance, find_active_armature, get_active_armature
from ..wording import count
from .parts import CharacterPanel, SidebarPanel, draw_activity, draw_notes, draw_text

_LEFT_TURN, _RIGHT_TURN = 0.5 * pi, -0.5 * pi
# Icons of what is hidden and shown in the view.
_SHOWN_ICONS = ("HIDE_ON", "HIDE_OFF")


class LOCOMOTION_PT_character(SidebarPanel, bpy.types.Panel):
    """Set Up and what it found."""

    bl_label = "Character"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, find_active_armature(context)
        if armature is None:
            text = describe_instance(context) or "Select the armature of a character"
            draw_text(layout, context, text, "INFO")
            return
        if is_placeholder(armature):
            text = f"{armature.name} has no bones: {tell_missing_libraries()}"
            draw_text(layout, context, text, "ERROR")
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
        doubts = read_doubts(data)
        # The question whether the legs are right stands before all that is told of them.
        asked = [doubt for doubt in doubts if doubt.kind is NoteKind.LEGS_UNSURE]
        draw_notes(layout, context, asked)
        used = sum(entry.enabled for entry in data.motions)
        draw_text(
            layout,
            context,
            f"{armature.name}: {count(len(data.legs), 'leg')}, {count(used, 'motion')}",
            "CHECKMARK" if not data.reasons else "QUESTION",
        )
        draw_notes(layout, context, [doubt for doubt in doubts if doubt not in asked])


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
        draw_notes(layout, context, read_doubts(leg))


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
        overlay = context.window_manager.locomotion_overlay
        layout.prop(overlay, "show_own_sole", icon=_SHOWN_ICONS[overlay.show_own_sole], toggle=True)
        for name, text in (("heel", "Heel"), ("ball", "Ball"), ("toe_tip", "Toe Tip")):
            point = getattr(leg, name)
            column = layout.column(align=True)
            row = column.row(align=True)
            row.prop_search(point, "bone", armature.data, "bones", text=text)
            if point.is_edited:
                row.label(text="", icon="GREASEPENCIL")
            column.prop(point, "offset")
        row = layout.row(align=True)
        row.prop(leg, "sole_width")
        if leg.has_edited_width:
            row.label(text="", icon="GREASEPENCIL")
        layout.operator("anim.locomotion_sole_reset", icon="LOOP_BACK")


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
        overlay = context.window_manager.locomotion_overlay
        row.prop(overlay, "show_forward", text="", icon=_SHOWN_ICONS[overlay.show_forward])
        row = layout.row(align=True)
        for angle, text, icon in (
            (_LEFT_TURN, "Turn 90°", "LOOP_BACK"),
            (pi, "Flip", "UV_SYNC_SELECT"),
            (_RIGHT_TURN, "Turn 90°", "LOOP_FORWARDS"),
        ):
            row.operator("anim.locomotion_forward", text=text, icon=icon).angle = angle
        layout.prop_search(data, "body", armature.data, "bones")
        layout.prop_search(data, "root", armature.data, "bones")


def _name_direction(forward: bpy.types.bpy_prop_array) -> str:
    """A direction seen from above by the axis nearest to it."""
    x, y = forward
    if abs(x) > abs(y):
        return "+X" if x > 0 else "-X"
    return "+Y" if y > 0 else "-Y"


CLASSES = (
    LOCOMOTION_PT_character,
    LOCOMOTION_PT_legs,
    LOCOMOTION_PT_soles,
    LOCOMOTION_PT_body,
)
