# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the lists in the panels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import bpy
from bpy.props import BoolProperty

from ...api.motion_entries import is_gone

_KIND_ICONS = {"cycle": "LOOP_FORWARDS", "rest": "ARMATURE_DATA", "other": "X"}
# Share of a motion's row that its name takes; the rest is for its speed.
_NAME_SHARE = 0.72
# Width of an entry's number in units of Blender's buttons.
_NUMBER_WIDTH = 1.0


@dataclass(frozen=True)
class _ListRow:
    """One row of a list.

    Attributes
    ----------
    context
        What Blender is about.
    layout
        Where to draw.
    data
        What holds the list.
    index
        Its number in the list, from 0.
    """

    context: bpy.types.Context
    layout: bpy.types.UILayout
    data: Any
    item: Any
    index: int


class _RowDrawing(Protocol):
    """What knows how to draw a row."""

    def draw_row(self, row: _ListRow) -> None:
        """Draw one row."""
        ...


class _DrawnList:
    """A list whose rows are drawn by its `draw_row`."""

    def draw_item(
        self: _RowDrawing,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,  # noqa: ANN401
        item: bpy.types.PropertyGroup,
        icon: int,  # noqa: ARG002
        active_data: Any,  # noqa: ANN401, ARG002
        active_property: str,  # noqa: ARG002
        index: int = 0,
        flt_flag: int = 0,  # noqa: ARG002
    ) -> None:
        """Draw one row, as Blender asks for it."""
        self.draw_row(_ListRow(context, layout, data, item, index))


class LOCOMOTION_UL_legs(_DrawnList, bpy.types.UIList):
    """Legs with what is sure of them."""

    def draw_row(self, row: _ListRow) -> None:
        """One leg."""
        item, line = row.item, row.layout.row()
        line.prop(item, "name", text="", emboss=False, icon="BONE_DATA")
        ends = line.row()
        ends.alignment = "RIGHT"
        ends.enabled = False
        if len(item.bones):
            ends.label(text=f"{item.bones[0].name} - {item.bones[-1].name}")
        if item.has_edited_sole:
            line.label(text="", icon="GREASEPENCIL")
        if item.reasons:
            line.label(text="", icon="ERROR")


class LOCOMOTION_UL_turned(_DrawnList, bpy.types.UIList):
    """Bones of the upper body with the controls that turn them."""

    def draw_row(self, row: _ListRow) -> None:
        """One bone."""
        item, line = row.item, row.layout.row(align=True)
        split = line.split(factor=0.5)
        split.label(text=item.bone, icon="BONE_DATA", translate=False)
        pose = item.id_data.pose
        split.alert = bool(item.control.bone) and item.control.bone not in pose.bones
        split.prop_search(item.control, "bone", pose, "bones", text="")
        if item.control.is_edited:
            line.label(text="", icon="GREASEPENCIL")


class LOCOMOTION_UL_motions(_DrawnList, bpy.types.UIList):
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

    def draw_row(self, row: _ListRow) -> None:
        """One motion."""
        item, line = row.item, row.layout.row(align=True)
        line.prop(item, "enabled", text="")
        split = line.split(factor=_NAME_SHARE)
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
            system = row.context.scene.unit_settings.system
            used = item.own_speed or item.speed
            speed = bpy.utils.units.to_string(system, "VELOCITY", used, precision=3)
            findings.label(text=speed, translate=False)


class LOCOMOTION_UL_groups(_DrawnList, bpy.types.UIList):
    """Groups of motions with their weights."""

    def draw_row(self, row: _ListRow) -> None:
        """One group; one that no motion is in has no say."""
        item, line = row.item, row.layout.row()
        line.active = any(entry.enabled and entry.group == item.name for entry in row.data.motions)
        line.prop(item, "name", text="", emboss=False, icon="GROUP")
        line.prop(item, "weight", text="")


class LOCOMOTION_UL_layers(_DrawnList, bpy.types.UIList):
    """Layers over the walk with their weights."""

    def draw_row(self, row: _ListRow) -> None:
        """One layer; one without an action has no say."""
        item, line = row.item, row.layout.row()
        line.active = item.action is not None
        icon = "QUESTION" if item.action is None else "ARMATURE_DATA"
        line.prop(item, "name", text="", emboss=False, icon=icon)
        line.prop(item, "weight", text="")


class LOCOMOTION_UL_ground(_DrawnList, bpy.types.UIList):
    """Objects to walk on."""

    def draw_row(self, row: _ListRow) -> None:
        """One object."""
        row.layout.prop(row.item, "object", text="", emboss=False, icon="OBJECT_DATA")


class LOCOMOTION_UL_left_out(_DrawnList, bpy.types.UIList):
    """Objects and collections that are no ground."""

    def draw_row(self, row: _ListRow) -> None:
        """One object or collection, with what it is."""
        item, line = row.item, row.layout.row(align=True)
        kind = "collection" if item.is_collection else "object"
        icon = "OUTLINER_COLLECTION" if item.is_collection else "OBJECT_DATA"
        line.prop(item, "is_collection", text="", icon=icon)
        line.prop(item, kind, text="")


class LOCOMOTION_UL_points(_DrawnList, bpy.types.UIList):
    """Points of the path."""

    def draw_row(self, row: _ListRow) -> None:
        """One point."""
        row.layout.use_property_split = False
        line = row.layout.row(align=True)
        number = line.row()
        number.ui_units_x = _NUMBER_WIDTH
        number.label(text=f"{row.index + 1}")
        for axis in (0, 1):
            line.prop(row.item, "location", index=axis, text="")


class LOCOMOTION_UL_offered(_DrawnList, bpy.types.UIList):
    """Actions of the source with their ticks."""

    def draw_row(self, row: _ListRow) -> None:
        """One action."""
        line = row.layout.row(align=True)
        line.prop(row.item, "enabled", text="")
        action = row.item.action
        line.label(text="(removed)" if action is None else action.name, translate=False)


CLASSES = (
    LOCOMOTION_UL_offered,
    LOCOMOTION_UL_legs,
    LOCOMOTION_UL_turned,
    LOCOMOTION_UL_motions,
    LOCOMOTION_UL_groups,
    LOCOMOTION_UL_layers,
    LOCOMOTION_UL_ground,
    LOCOMOTION_UL_left_out,
    LOCOMOTION_UL_points,
)
