# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the lists in the panels."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import BoolProperty

from ...api.motion_entries import is_gone

_KIND_ICONS = {"cycle": "LOOP_FORWARDS", "rest": "ARMATURE_DATA", "other": "X"}
# Share of a motion's row that its name takes; the rest is for its speed.
_NAME_SHARE = 0.6
# Width of an entry's number in units of Blender's buttons.
_NUMBER_WIDTH = 1.0


class LOCOMOTION_UL_legs(bpy.types.UIList):
    """Legs with what is sure of them."""

    def draw_item(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401, ARG002
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,  # noqa: ARG002
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """One leg."""
        row = layout.row()
        row.prop(item, "name", text="", emboss=False, icon="BONE_DATA")
        ends = row.row()
        ends.alignment = "RIGHT"
        ends.enabled = False
        if len(item.bones):
            ends.label(text=f"{item.bones[0].name} - {item.bones[-1].name}")
        if item.has_edited_sole:
            row.label(text="", icon="GREASEPENCIL")
        if item.reasons:
            row.label(text="", icon="ERROR")


class LOCOMOTION_UL_motions(bpy.types.UIList):
    """Motions with tick, kind and speed."""

    show_others: BoolProperty(
        name="Show Other Actions", description="Show actions that are no locomotion as well"
    )

    def draw_filter(self, context: bpy.types.Context, layout: bpy.types.UILayout) -> None:  # noqa: ARG002
        """Draw what is below the list."""
        layout.prop(self, "filter_name", text="", icon="VIEWZOOM")
        layout.prop(self, "show_others")

    def filter_items(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        data: bpy.types.PropertyGroup,
        property: str,
    ) -> tuple[list[int], list[int]]:
        """Leave out what does not fit the filter, and actions that are no locomotion."""
        part = self.filter_name.lower()
        flags = [
            self.bitflag_filter_item
            if part in (entry.action.name.lower() if entry.action is not None else "")
            and (self.show_others or entry.enabled or entry.found_kind != "other")
            else 0
            for entry in getattr(data, property)
        ]
        return flags, []

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401, ARG002
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,  # noqa: ARG002
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """One motion."""
        row = layout.row(align=True)
        row.prop(item, "enabled", text="")
        split = row.split(factor=_NAME_SHARE)
        split.active = item.enabled
        if item.action is None:
            gone = is_gone(item)
            split.label(
                text="Action Is Gone" if gone else "No Action", icon="ERROR" if gone else "QUESTION"
            )
            return
        kind = _KIND_ICONS.get(item.found_kind, "QUESTION")
        if any(times.is_edited for times in item.key_times):
            kind = "GREASEPENCIL"
        is_doubtful = item.warnings and item.found_kind != "other"
        split.label(text=item.action.name, icon="ERROR" if is_doubtful else kind, translate=False)
        findings = split.row()
        findings.alignment = "RIGHT"
        if item.found_kind == "cycle":
            system = context.scene.unit_settings.system
            used = item.own_speed or item.speed
            speed = bpy.utils.units.to_string(system, "VELOCITY", used, precision=3)
            findings.label(text=speed, translate=False)


class LOCOMOTION_UL_groups(bpy.types.UIList):
    """Groups of motions with their weights."""

    def draw_item(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,  # noqa: ARG002
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """One group; one that no motion is in has no say."""
        is_used = any(entry.enabled and entry.group == item.name for entry in data.motions)
        row = layout.row()
        row.active = is_used
        row.prop(item, "name", text="", emboss=False, icon="GROUP")
        row.prop(item, "weight", text="")


class LOCOMOTION_UL_ground(bpy.types.UIList):
    """Objects to walk on."""

    def draw_item(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401, ARG002
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,  # noqa: ARG002
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """One object."""
        layout.prop(item, "object", text="", emboss=False, icon="OBJECT_DATA")


class LOCOMOTION_UL_points(bpy.types.UIList):
    """Points of the path."""

    def draw_item(
        self,
        context: bpy.types.Context,  # noqa: ARG002
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401, ARG002
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """One point."""
        layout.use_property_split = False
        row = layout.row(align=True)
        number = row.row()
        number.ui_units_x = _NUMBER_WIDTH
        number.label(text=f"{index + 1}")
        for axis in (0, 1):
            row.prop(item, "location", index=axis, text="")


CLASSES = (
    LOCOMOTION_UL_legs,
    LOCOMOTION_UL_motions,
    LOCOMOTION_UL_groups,
    LOCOMOTION_UL_ground,
    LOCOMOTION_UL_points,
)
