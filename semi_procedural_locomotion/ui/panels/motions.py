# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of the motions that a walk is made of, their key times and groups."""

from __future__ import annotations

from math import degrees

import bpy

from ...api.motion_entries import is_gone
from ...api.notes import gather_motion_notes, read_notes
from ...core.contacts.edits import find_fault
from ...notes import NoteKind, make_note
from ..overlay.cycles import find_cycles
from ..targets import get_active_armature
from .parts import (
    CharacterPanel,
    draw_activity,
    draw_list_buttons,
    draw_notes,
    draw_table,
    draw_text,
    draw_value,
)

_KEY_LABELS = {
    "lift": "Lift",
    "off": "Foot-Off",
    "post_lift": "Post-Lift",
    "pre_land": "Pre-Land",
    "strike": "Strike",
    "land": "Land",
}
# Share of a row of key times that the name of the foot takes.
_FOOT_SHARE = 0.28


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
        if is_gone(entry):
            draw_notes(column, context, [make_note(NoteKind.ACTION_GONE, motions=1)])
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
        draw_notes(layout, context, gather_motion_notes([(name, read_notes(entry))]))


class LOCOMOTION_PT_key_times(CharacterPanel, bpy.types.Panel):
    """When the feet stand in the active motion."""

    bl_label = "Key Times"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, data = self.layout, get_active_armature(context).locomotion
        if data.active_motion >= len(data.motions):
            return
        motion = data.motions[data.active_motion]
        if not len(motion.key_times):
            draw_text(layout, context, "Only walks have key times: Analyze finds them", "INFO")
            return
        names = {leg.bones[-1].name: leg.name for leg in data.legs if len(leg.bones)}
        column = layout.column(align=True)
        has_edited = any(entry.is_edited for entry in motion.key_times)
        _, titles = _split_name(column.row(align=True))
        for text in ("Strike", "Stance", "Foot-Off"):
            titles.label(text=text)
        for entry in motion.key_times:
            self._draw_foot(column, entry, names.get(entry.name, entry.name), has_edited)
        for entry in motion.key_times:
            fault = find_fault(entry.times) if entry.is_edited else ""
            if fault:
                draw_text(layout, context, f"{names.get(entry.name, entry.name)} {fault}", "ERROR")
        layout.operator("anim.locomotion_key_times_reset", icon="LOOP_BACK").foot = ""

    def _draw_foot(
        self,
        layout: bpy.types.UILayout,
        entry: bpy.types.PropertyGroup,
        name: str,
        keeps_room: bool,
    ) -> None:
        """The times of one foot, with room for a button that other feet have."""
        row = layout.row(align=True)
        row.alert = entry.is_edited and bool(find_fault(entry.times))
        title, cells = _split_name(row)
        title.label(text=name, translate=False)
        if entry.is_edited:
            title.label(text="", icon="GREASEPENCIL")
        for time in ("strike", "stance", "off"):
            cells.prop(entry, time, text="")
        if entry.is_edited:
            button = cells.operator("anim.locomotion_key_times_reset", text="", icon="LOOP_BACK")
            button.foot = entry.name
        elif keeps_room:
            cells.label(text="", icon="BLANK1")


def _split_name(layout: bpy.types.UILayout) -> tuple[bpy.types.UILayout, bpy.types.UILayout]:
    """Room for the name of a foot, and for its times."""
    split = layout.split(factor=_FOOT_SHARE, align=True)
    return split.row(align=True), split.row(align=True)


class LOCOMOTION_PT_analysis(CharacterPanel, bpy.types.Panel):
    """What is stored of the cycles, side by side."""

    bl_label = "Analysis"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        options = context.window_manager.locomotion_overlay
        row = layout.row(align=True)
        row.prop(options, "show_cycle", toggle=True)
        beside = row.row(align=True)
        beside.enabled = options.show_cycle
        beside.prop(options, "compare_cycles", toggle=True)
        shown = find_cycles(armature)
        if not shown.motions:
            draw_text(layout, context, "No ticked motion has a cycle: use Analyze", "INFO")
            return
        system = context.scene.unit_settings.system
        rows: list[tuple[str, ...]] = [("", "Speed", "Stride", "Period", "Duty")]
        for name, motion in shown.motions.items():
            if motion is None:
                rows.append((name, "changed", "", "", ""))
                continue
            stride = bpy.utils.units.to_string(system, "LENGTH", motion.stride, precision=3)
            speed = bpy.utils.units.to_string(system, "VELOCITY", motion.speed, precision=3)
            rows.append((name, speed, stride, f"{motion.period:.2f} s", f"{motion.duty:.0%}"))
        draw_table(layout, rows)
        if any(motion is None for motion in shown.motions.values()):
            draw_text(layout, context, "Changed since it was analyzed: use Analyze", "INFO")
        active = shown.find_active(armature)
        if active is None:
            return
        layout.separator()
        draw_text(layout, context, active.action)
        rows = [("", *(leg.name for leg in active.legs))]
        rows.append(("Stance", *(f"{leg.stance:.2f}" for leg in active.legs)))
        for key in active.legs[0].key_times:
            label = _KEY_LABELS[key]
            rows.append((label, *(f"{leg.key_times[key]:.2f}" for leg in active.legs)))
        strides = (
            bpy.utils.units.to_string(system, "LENGTH", leg.stride, precision=3)
            for leg in active.legs
        )
        rows.append(("Stride", *strides))
        draw_table(layout, rows)


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
        elif data.active_group < len(data.groups):
            layout.prop(data.groups[data.active_group], "overrides")


class LOCOMOTION_PT_layers(CharacterPanel, bpy.types.Panel):
    """Actions that some bones follow over the walk."""

    bl_label = "Layers"
    bl_parent_id = "LOCOMOTION_PT_motions"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        data = armature.locomotion
        row = layout.row()
        row.template_list("LOCOMOTION_UL_layers", "", data, "layers", data, "active_layer", rows=2)
        draw_list_buttons(row, "LAYERS", can_move=True)
        if data.active_layer >= len(data.layers):
            return
        entry = data.layers[data.active_layer]
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(entry, "action")
        column.prop(entry, "mode")
        column.prop(entry, "mask")
        if entry.mask == "BONE":
            column.prop_search(entry, "bone", armature.data, "bones")
        elif entry.mask == "COLLECTION":
            column.prop_search(entry, "collection", armature.data, "collections_all")
        column.prop(entry, "soft")
        column.prop(entry, "clock")
        if entry.clock == "WALK":
            return
        column.prop(entry, "start")
        column.prop(entry, "rate")
        column.prop(entry, "repeats")
        fade = column.column()
        fade.active = not entry.repeats
        fade.prop(entry, "fade")


def _describe_direction(angle: float) -> str:
    """A direction against forward in words and degrees."""
    size = abs(degrees(angle))
    if size < 0.5:
        return "Forward"
    if size > 179.5:
        return "Backward"
    return f"{size:.0f}° {'left' if angle > 0 else 'right'}"


CLASSES = (
    LOCOMOTION_PT_motions,
    LOCOMOTION_PT_motion,
    LOCOMOTION_PT_key_times,
    LOCOMOTION_PT_analysis,
    LOCOMOTION_PT_groups,
    LOCOMOTION_PT_layers,
)
