# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels of the sections of a baked walk, and of what was changed by hand on its keys."""

from __future__ import annotations

import bpy

from ...api import is_baked
from ...api.sections import list_sections
from ...blender.bake.edits import name_edit
from ...blender.setup.section_properties import find_section
from ..targets import get_active_armature
from .parts import CharacterPanel, is_character_active

# More edits than these are told by their number.
_MOST_EDITS = 12
# Share of a row that its name takes; the rest is for its frames and buttons.
_NAME_SHARE = 0.6


class LOCOMOTION_PT_sections(CharacterPanel, bpy.types.Panel):
    """Stretches of walk in the bake."""

    bl_label = "Sections"
    bl_parent_id = "LOCOMOTION_PT_bake"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether a walk is baked."""
        if not is_character_active(context):
            return False
        armature = get_active_armature(context)
        return is_baked(armature) and bool(list_sections(armature))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        armature = get_active_armature(context)
        column = self.layout.column(align=True)
        for section in list_sections(armature):
            first, last = section.frames
            row = column.row(align=True)
            split = row.split(factor=_NAME_SHARE)
            entry = find_section(armature, section.frames)
            if entry is None:
                split.label(text="Walk", icon="ACTION")
            else:
                split.prop(entry, "name", text="", icon="ACTION")
            split.label(text=f"{first} to {last}", translate=False)
            for name, icon in (("show", "IMPORT"), ("bake", "FILE_REFRESH"), ("remove", "X")):
                button = row.operator(f"anim.locomotion_section_{name}", text="", icon=icon)
                button.frame = first
        self.layout.label(text="Set Own Range and bake to add one", icon="INFO")


class LOCOMOTION_PT_edits(CharacterPanel, bpy.types.Panel):
    """Changes by hand that every further walk gets."""

    bl_label = "Edits"
    bl_parent_id = "LOCOMOTION_PT_bake"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Whether keys of the bake were changed."""
        if not is_character_active(context):
            return False
        armature = get_active_armature(context)
        return is_baked(armature) and any(s.edits for s in list_sections(armature))

    def draw(self, context: bpy.types.Context) -> None:
        """Draw the panel."""
        for section in list_sections(get_active_armature(context)):
            if not section.edits:
                continue
            box = self.layout.box().column(align=True)
            row = box.row()
            row.label(text=section.name, icon="GREASEPENCIL", translate=False)
            button = row.operator("anim.locomotion_edit_remove", text="Remove All")
            button.frame = section.frames[0]
            for edit in section.edits[:_MOST_EDITS]:
                row = box.row(align=True)
                split = row.split(factor=_NAME_SHARE)
                split.label(text=name_edit(edit), translate=False)
                frames = (
                    f"{edit.first}" if edit.first == edit.last else f"{edit.first} to {edit.last}"
                )
                split.label(text=frames, translate=False)
                button = row.operator("anim.locomotion_edit_remove", text="", icon="X")
                button.path, button.frame = edit.key
            more = len(section.edits) - _MOST_EDITS
            if more > 0:
                box.label(text=f"and {more} more")


CLASSES = (LOCOMOTION_PT_sections, LOCOMOTION_PT_edits)
