# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of the lists in the panels."""

from __future__ import annotations

from typing import Any

import bpy

_KIND_ICONS = {"cycle": "LOOP_FORWARDS", "rest": "ARMATURE_DATA", "other": "X"}


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
        if item.reasons:
            row.label(text="", icon="ERROR")


class LOCOMOTION_UL_motions(bpy.types.UIList):
    """Motions with tick, kind and speed."""

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
        name = row.row()
        name.active = item.enabled
        if item.action is None:
            name.label(text="No Action", icon="QUESTION")
            return
        name.label(text=item.action.name, icon=_KIND_ICONS.get(item.found_kind, "QUESTION"))
        speed = row.row()
        speed.active = item.enabled
        speed.alignment = "RIGHT"
        if item.found_kind == "cycle":
            system = context.scene.unit_settings.system
            speed.label(text=bpy.utils.units.to_string(system, "VELOCITY", item.speed, precision=3))
        warned = row.row()
        warned.active = item.enabled
        warned.label(text="", icon="ERROR" if item.warnings else "BLANK1")


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
        row = layout.row(align=True)
        row.label(text=f"{index + 1}")
        row.prop(item, "location", text="")


CLASSES = (LOCOMOTION_UL_legs, LOCOMOTION_UL_motions, LOCOMOTION_UL_ground, LOCOMOTION_UL_points)
