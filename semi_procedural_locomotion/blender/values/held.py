# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that stand otherwise than they were built, kept with the set-up of an armature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.keys.channels import BasisPoses
from ...core.keys.eulers import channels_from_quaternions, quaternions_from_channels
from ...core.maths import rotations as rot
from ...core.rig.skeleton import HeldBone
from .matrices import get_rotation_property


def read_held(armature: bpy.types.Object) -> tuple[HeldBone, ...]:
    """The held bones that the set-up of an armature keeps; none where it is not set up.

    One that was renamed since is found by how it stands.
    """
    character = getattr(armature, "locomotion", None)
    kept = [
        HeldBone(entry.name, tuple(entry.location), tuple(entry.rotation), tuple(entry.scale))
        for entry in (() if character is None else character.held)
    ]
    bones, known = armature.pose.bones, {entry.name for entry in kept}
    for number, entry in enumerate(kept):
        if entry.name not in bones:
            alike = [b.name for b in bones if b.name not in known and _stands_as(b, entry)]
            kept[number] = replace(entry, name=alike[0]) if len(alike) == 1 else entry
    return tuple(kept)


def _stands_as(bone: bpy.types.PoseBone, entry: HeldBone) -> bool:
    """Whether a bone stands as one was held, to the last digits of Blender's single numbers."""
    present, digit = read_present(bone, {}), 4.0 * float(np.finfo(np.float32).eps)
    return all(
        np.allclose(values, getattr(entry, name), rtol=digit, atol=digit)
        for name, values in present.items()
    )


def read_present(
    bone: bpy.types.PoseBone, before: Mapping[tuple[str, int], float]
) -> dict[str, tuple[float, ...]]:
    """Location, rotation and scale of a bone as a scene shows it without a bake.

    Parameters
    ----------
    bone
        The bone.
    before
        What properties were that a bake keys, by data path and index.
    """

    def read(name: str) -> list[float]:
        path = bone.path_from_id(name)
        return [before.get((path, i), value) for i, value in enumerate(getattr(bone, name))]

    mode = bone.rotation_mode
    turn = quaternions_from_channels(np.array([read(get_rotation_property(mode))]), mode)[0]
    return {
        "location": tuple(read("location")),
        "rotation": tuple((turn if turn[0] >= 0 else -turn).tolist()),
        "scale": tuple(read("scale")),
    }


def pose_held(armature: bpy.types.Object, held: Iterable[HeldBone]) -> None:
    """Put the held bones of an armature as they stand."""
    for entry in held:
        bone = armature.pose.bones.get(entry.name)
        if bone is None:
            continue
        turn = channels_from_quaternions(np.array([entry.rotation]), bone.rotation_mode)[0]
        setattr(bone, get_rotation_property(bone.rotation_mode), turn.tolist())
        bone.location, bone.scale = entry.location, entry.scale


def basis_from_held(names: Sequence[str], held: Iterable[HeldBone]) -> BasisPoses:
    """Channels of bones at rest, shapes (1, B, 4), (1, B, 3) and (1, B, 3)."""
    count = len(names)
    rotations = np.tile(rot.IDENTITY, (1, count, 1))
    locations, scales = np.zeros((1, count, 3)), np.ones((1, count, 3))
    index = {name: bone for bone, name in enumerate(names)}
    for entry in held:
        if entry.name in index:
            bone = index[entry.name]
            rotations[0, bone], locations[0, bone] = entry.rotation, entry.location
            scales[0, bone] = entry.scale
    return BasisPoses(rotations, locations, scales)
