# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deforming bones of the upper body whose controls are wanted."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ...core.rig.controls.deforming import reduce_rig
from ...core.rig.structure import Rig
from ...core.rig.upper_body import find_body_parts


@dataclass(frozen=True)
class UpperBody:
    """Names of deforming bones besides the legs.

    Attributes
    ----------
    body
        The last one above all legs.
    joints
        Spine, neck, head, shoulders, arms to the hand, and tail, as far as they are there.
    """

    body: str
    joints: tuple[str, ...]


def read_upper_body(armature: bpy.types.Object, rig: Rig) -> UpperBody:
    """The deforming bones of a rig besides its legs."""
    reduced = read_deforming_rig(armature, rig)
    parts = find_body_parts(reduced)
    found = [*parts.spine, *parts.neck]
    found += [] if parts.head is None else [parts.head]
    for arm in parts.arms:
        found += [b for b in (arm.shoulder, arm.upper, arm.fore, arm.hand) if b is not None]
    found += parts.tail
    names = reduced.skeleton.names
    return UpperBody(names[reduced.body], tuple(names[bone] for bone in dict.fromkeys(found)))


def read_deforming_rig(armature: bpy.types.Object, rig: Rig) -> Rig:
    """The rig that the deforming bones make among themselves, see `reduce_rig`."""
    names = rig.skeleton.names
    bones = armature.data.bones
    deforming = {i for i, name in enumerate(names) if name in bones and bones[name].use_deform}
    number = {name: index for index, name in enumerate(names)}
    copied = {
        number[bone.name]: number[constraint.subtarget]
        for bone in armature.pose.bones
        for constraint in bone.constraints
        if constraint.type == "COPY_TRANSFORMS" and constraint.target == armature
        if constraint.subtarget in number
    }
    return reduce_rig(rig, deforming, copied)
