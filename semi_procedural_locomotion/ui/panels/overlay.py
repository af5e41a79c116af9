# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of the overlay."""

from __future__ import annotations

import bpy

from ..overlay.shown import draw_overlay
from ..targets import find_active_armature
from .parts import CharacterPanel


class LOCOMOTION_PT_overlay(CharacterPanel, bpy.types.Panel):
    """What the 3D View shows of planned walks."""

    bl_label = "Overlay"
    bl_order = 6
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        draw_overlay(self.layout, context, find_active_armature(context))


CLASSES = (LOCOMOTION_PT_overlay,)
