# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drivers that are Python expressions, which Blender does not evaluate where scripts are off."""

from __future__ import annotations

from collections.abc import Container

import bpy

from ...notes import Note, NoteKind, make_note
from .curves import split_bone_path


def are_scripts_off() -> bool:
    """Whether Blender has met a script or an expression of the file and left it alone."""
    return bool(bpy.app.autoexec_fail)


def note_blocked_drivers(armature: bpy.types.Object, bones: Container[str]) -> list[Note]:
    """A note where drivers of some bones, or of their constraints, stand still since scripts are off.

    Nothing is run to find that out. Expressions that Blender reads without Python go on, and so does
    everything where scripts are allowed.

    Parameters
    ----------
    armature
        The armature object.
    bones
        Names of the bones that count.
    """
    if not are_scripts_off() or armature.animation_data is None:
        return []
    blocked = [
        split_bone_path(curve.data_path)[0]
        for curve in armature.animation_data.drivers
        if curve.driver.type == "SCRIPTED" and not curve.driver.is_simple_expression
    ]
    found = [bone for bone in blocked if bone and bone in bones]
    if not found:
        return []
    return [make_note(NoteKind.DRIVERS_BLOCKED, drivers=len(found), bone=found[0])]
