# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of the controls that walks are written on."""

from __future__ import annotations

import bpy

from ...api.controls import describe_output
from ...api.notes import find_severity, sort_notes
from ...api.wording import Severity
from ...blender.setup.controls import is_edited, read_controls
from ...blender.setup.rigs import name_bones
from ...core.rig.controls.mapping import VERIFIED, ControlMap, LegControls
from ..targets import get_active_armature
from .parts import CharacterPanel, draw_activity, draw_notes, draw_text

_EDITED = "GREASEPENCIL"
# Legs of more joints have a segment above the ankle.
_JOINTS_WITHOUT_HOCK = 3


def draw_output(
    layout: bpy.types.UILayout, context: bpy.types.Context, armature: bpy.types.Object
) -> ControlMap | None:
    """Draw in a line what walks are written to, and give the controls that are kept."""
    found = read_controls(armature)
    text, is_good = describe_output(found, armature.locomotion.settings.output.lower())
    draw_text(layout, context, text, "CHECKMARK" if is_good else "ERROR")
    return found


class LOCOMOTION_PT_controls(CharacterPanel, bpy.types.Panel):
    """What was found, what is in use, and why it may be wrong."""

    bl_label = "Controls"
    bl_parent_id = "LOCOMOTION_PT_character"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        layout, armature = self.layout, get_active_armature(context)
        if draw_activity(layout, "anim.locomotion_controls_probe"):
            return
        data = armature.locomotion.controls
        found = draw_output(layout, context, armature)
        row = layout.row(align=True)
        row.operator("anim.locomotion_controls_probe", icon="VIEWZOOM")
        if found is None:
            draw_text(
                layout, context, "Probe finds the bones that an animator moves on this rig", "INFO"
            )
            return
        if is_edited(data):
            again = row.operator("anim.locomotion_controls_probe", text="", icon="LOOP_BACK")
            again.use_reset = True
        row.operator("anim.locomotion_controls_clear", text="", icon="X")
        layout.operator("anim.locomotion_controls_select", icon="RESTRICT_SELECT_OFF")
        draw_notes(layout, context, sort_notes(found.doubts))
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column(align=True)
        for name, text in (("body", "Body"), ("root", "Root")):
            _draw_picker(column, getattr(data, name), armature, text)
        entries = {entry.bones: number for number, entry in enumerate(data.legs)}
        for number, leg in enumerate(armature.locomotion.legs):
            place = entries.get(name_bones(leg))
            is_rigged = bool(found.bones)
            _LegBox(context, armature, number, place).draw(layout, found.legs[number], is_rigged)
        self._draw_upper_body(armature)

    def _draw_upper_body(self, armature: bpy.types.Object) -> None:
        """Controls of spine, arms and head."""
        data = armature.locomotion.controls
        if not len(data.turned):
            return
        header, body = self.layout.panel("LOCOMOTION_controls_upper", default_closed=True)
        header.label(text=f"Upper Body ({len(data.turned)})")
        if body is None:
            return
        body.template_list(
            "LOCOMOTION_UL_turned", "", data, "turned", data, "active_turned", rows=4, maxrows=10
        )


class _LegBox:
    """The controls of one leg."""

    def __init__(
        self, context: bpy.types.Context, armature: bpy.types.Object, number: int, place: int | None
    ) -> None:
        self.context = context
        self.armature = armature
        self.leg = armature.locomotion.legs[number]
        self.number = number
        self.place = place

    def draw(self, layout: bpy.types.UILayout, found: LegControls, is_rigged: bool) -> None:
        """Draw the leg, closed where there is nothing to look at."""
        is_sure = bool(found.foot or found.chain) and found.confidence >= VERIFIED
        is_good = is_sure and not any(find_severity(n) is Severity.WALK for n in found.doubts)
        # Its own place for each state, so that a leg in doubt opens by itself.
        name = f"LOCOMOTION_controls_{self.number}_{'good' if is_good else 'doubtful'}"
        header, body = layout.panel(name, default_closed=is_good or not is_rigged)
        entry = None
        if self.place is not None:
            entry = self.armature.locomotion.controls.legs[self.place]
        header.label(
            text=f"{self.leg.name} ({_describe_kind(found)})",
            icon="CHECKMARK" if is_good else "ERROR" if is_rigged else "BLANK1",
            translate=False,
        )
        if entry is not None and entry.is_edited:
            header.label(text="", icon=_EDITED)
        right = header.row()
        right.alignment = "RIGHT"
        if found.foot or found.chain:
            right.label(text=f"{found.confidence:.0%}")
        if entry is not None and self.leg.partner >= 0:
            mirror = right.operator("anim.locomotion_controls_mirror", text="", icon="MOD_MIRROR")
            mirror.leg = self.number
        if body is None:
            return
        draw_notes(body, self.context, sort_notes(found.doubts))
        if entry is not None:
            self._draw_single(body, entry)
            self._draw_rolls(body, entry)
            self._draw_chain(body, entry)
            self._draw_switches(body, entry)

    def _draw_single(self, layout: bpy.types.UILayout, entry: bpy.types.PropertyGroup) -> None:
        """Foot, toe, hock and pole."""
        column = layout.column(align=True)
        _draw_picker(column, entry.foot, self.armature, "Foot")
        if entry.ankle.bone or entry.ankle.found:
            _draw_picker(column, entry.ankle, self.armature, "Ankle")
        _draw_picker(column, entry.toe, self.armature, "Toe")
        if len(self.leg.bones) > _JOINTS_WITHOUT_HOCK or entry.hock.bone:
            _draw_picker(column, entry.hock, self.armature, "Hock")
        _draw_picker(column, entry.pole, self.armature, "Pole")
        if entry.pole.bone:
            column.prop(entry, "pole_turns")

    def _draw_rolls(self, layout: bpy.types.UILayout, entry: bpy.types.PropertyGroup) -> None:
        """Controls that roll the foot."""
        column = layout.column(align=True)
        for number, row in enumerate(entry.rolls):
            line = _draw_picker(column, row, self.armature, " " if number else "Rolls")
            self._draw_button(line, "ROLLS", number)
        self._draw_button(self._draw_heading(column, "" if len(entry.rolls) else "Rolls"), "ROLLS")

    def _draw_chain(self, layout: bpy.types.UILayout, entry: bpy.types.PropertyGroup) -> None:
        """One control for each joint."""
        column = layout.column(align=True)
        joints = [bone.name for bone in self.leg.bones] + [self.leg.toe] * bool(self.leg.toe)
        names = _name_joints(len(self.leg.bones))
        for number, row in enumerate(entry.chain):
            line = _draw_picker(
                column, row, self.armature, f"FK {names[number]}" if number < len(names) else "FK"
            )
            if number >= len(joints):
                self._draw_button(line, "CHAIN", number)
        if len(entry.chain) < len(joints):
            lead = f"FK {names[len(entry.chain)]}" if len(entry.chain) else "FK Chain"
            self._draw_button(self._draw_heading(column, lead), "CHAIN")

    def _draw_switches(self, layout: bpy.types.UILayout, entry: bpy.types.PropertyGroup) -> None:
        """Properties between IK and FK, with both values."""
        column = layout.column(align=True)
        for number, switch in enumerate(entry.switches):
            line = column.row(align=True)
            line.prop(switch, "path", text=" " if number else "Switch")
            self._draw_button(line, "SWITCHES", number)
            column.prop(switch, "ik")
            column.prop(switch, "fk")
        lead = "" if len(entry.switches) else "Switch"
        self._draw_button(self._draw_heading(column, lead), "SWITCHES")

    def _draw_heading(self, layout: bpy.types.UILayout, text: str) -> bpy.types.UILayout:
        """A label at the place of labels, and room for a button."""
        split = layout.split(factor=0.4)
        label = split.row()
        label.alignment = "RIGHT"
        label.label(text=text)
        return split.row(align=True)

    def _draw_button(self, layout: bpy.types.UILayout, target: str, number: int = -1) -> None:
        """The button that removes an entry, or adds one."""
        icon = "ADD" if number < 0 else "X"
        button = layout.operator("anim.locomotion_controls_list", text="", icon=icon)
        button.entry, button.target, button.number = self.place or 0, target, number


def _describe_kind(found: LegControls) -> str:
    """Describe which ways of moving a leg has."""
    kinds = [name for name, has in (("IK", found.foot), ("FK", found.chain)) if has]
    return " and ".join(kinds) or "none"


def _name_joints(number: int) -> list[str]:
    """Find what the joints of a leg and its toe are called."""
    middle = (
        ["Knee"] if number == _JOINTS_WITHOUT_HOCK else [f"Joint {i}" for i in range(1, number - 1)]
    )
    return ["Hip", *middle, "Ankle", "Toe"]


def _draw_picker(
    layout: bpy.types.UILayout,
    control: bpy.types.PropertyGroup,
    armature: bpy.types.Object,
    text: str,
) -> bpy.types.UILayout:
    """A bone to be chosen; marked where it is gone, or not the one that was found."""
    row = layout.row(align=True)
    row.alert = bool(control.bone) and control.bone not in armature.pose.bones
    row.prop_search(control, "bone", armature.pose, "bones", text=text)
    if control.is_edited:
        row.label(text="", icon=_EDITED)
    return row


CLASSES = (LOCOMOTION_PT_controls,)
