# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel that takes actions over from another armature."""

from __future__ import annotations

import bpy

from ..targets import get_active_armature
from .parts import CharacterPanel, draw_activity


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


CLASSES = (LOCOMOTION_PT_transfer,)
