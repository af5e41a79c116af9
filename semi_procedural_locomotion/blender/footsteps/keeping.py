# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as they are before a bake tells something of them, to be put back."""

from __future__ import annotations

import bpy

from ..setup.values import read_values, write_values
from .objects import list_footsteps


class KeptFootsteps:
    """What a bake may change on the footsteps of a character: their properties and colours.

    Parameters
    ----------
    armature
        The character's object.
    """

    def __init__(self, armature: bpy.types.Object) -> None:
        self._materials = {item.session_uid for item in bpy.data.materials}
        self._steps = [
            (
                step,
                read_values(step.locomotion_footstep),
                tuple(step.color),
                [(slot.link, slot.material) for slot in step.material_slots],
            )
            for step in list_footsteps(armature)
        ]

    def put_back(self) -> None:
        """Make the footsteps what they were, and remove materials that are new."""
        for step, values, colour, slots in self._steps:
            write_values(step.locomotion_footstep, values)
            if tuple(step.color) != colour:
                step.color = colour
            for slot, (link, material) in zip(step.material_slots, slots, strict=True):
                if slot.link != link:
                    slot.material = None
                    slot.link = link
                if slot.material != material:
                    slot.material = material
        new = [item for item in bpy.data.materials if item.session_uid not in self._materials]
        for material in new:
            bpy.data.materials.remove(material)
