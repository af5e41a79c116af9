# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming bones of the upper body whose controls are wanted."""

from __future__ import annotations

import bpy

from ...core.rig.controls.deforming import reduce_rig
from ...core.rig.structure import Rig
from ...core.rig.upper_body import find_body_parts


def list_upper_joints(armature: bpy.types.Object, rig: Rig) -> list[str]:
    """Names of spine, neck, head, shoulders, arms to the hand, and tail, as far as they are there."""
    names = rig.skeleton.names
    bones = armature.data.bones
    deforming = {number for number, name in enumerate(names) if bones[name].use_deform}
    reduced = reduce_rig(rig, deforming) if deforming else rig
    parts = find_body_parts(reduced)
    found = [*parts.spine, *parts.neck]
    found += [] if parts.head is None else [parts.head]
    for arm in parts.arms:
        found += [b for b in (arm.shoulder, arm.upper, arm.fore, arm.hand) if b is not None]
    found += parts.tail
    return [reduced.skeleton.names[bone] for bone in dict.fromkeys(found)]
