# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends of bones on which legs stand, and what bones hang from, kept with the set-up of an armature."""

from __future__ import annotations

import bpy

from ...core.rig.skeleton import BoneEnd


def read_ends(armature: bpy.types.Object) -> tuple[BoneEnd, ...]:
    """The ends of bones that the set-up of an armature keeps; none where it is not set up."""
    character = getattr(armature, "locomotion", None)
    return tuple(
        BoneEnd(leg.end, leg.bones[-1].name, tuple(leg.end_offset))
        for leg in (() if character is None else character.legs)
        if leg.end and len(leg.bones)
    )


def read_leaders(armature: bpy.types.Object) -> tuple[tuple[str, str], ...]:
    """Bones that hang from others than their parents, with these; none where it is not set up."""
    character = getattr(armature, "locomotion", None)
    entries = () if character is None else character.led
    return tuple((entry.name, entry.leader) for entry in entries)
