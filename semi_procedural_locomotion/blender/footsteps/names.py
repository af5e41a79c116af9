# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of footsteps, in whose order lists of Blender show them as they are walked."""

from __future__ import annotations

import re

import bpy

# With or without a number, and as Blender names a duplicate.
_MADE = r".+ Step( \d+)? {leg}(\.\d+)?"


def make_step_name(armature: bpy.types.Object, number: int, leg: str) -> str:
    """Name of the step with a number, of a leg's name."""
    return f"{armature.name} Step {number:03d} {leg}"


def name_footsteps(armature: bpy.types.Object, steps: list[bpy.types.Object]) -> None:
    """Name footsteps after their numbers; those with names that a user gave keep them.

    Parameters
    ----------
    armature
        Whose.
    steps
        Its footsteps in their order.
    """
    wrong: list[tuple[bpy.types.Object, str]] = []
    for item in steps:
        data = item.locomotion_footstep
        name = make_step_name(armature, data.number, data.leg)
        made = re.fullmatch(_MADE.format(leg=re.escape(data.leg)), item.name)
        if made and item.name != name:
            wrong.append((item, name))
    # Names that others have yet are free once all of these have none.
    for item, _ in wrong:
        item.name = f"{armature.name} Step"
    for item, name in wrong:
        item.name = name
        item.locomotion_footstep.made_as = item.name
