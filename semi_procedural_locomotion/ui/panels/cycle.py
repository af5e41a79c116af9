# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of a made cycle; every change of its numbers makes the cycle again."""

from __future__ import annotations

from typing import Any

import bpy

from ...api.cycles import REST, SIDED
from ...blender.setup.cycle_properties import is_made
from ..targets import find_active_armature
from .parts import CharacterPanel, draw_text

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


CLASSES = (LOCOMOTION_PT_cycle,)
