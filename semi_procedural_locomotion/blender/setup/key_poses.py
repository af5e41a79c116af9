# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses kept on an armature: written from its pose, and shown on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

from ...core.keys.channels import KeyPose, PosedBone
from ...core.keys.eulers import channels_from_quaternions
from ..values.held import read_present
from ..values.matrices import get_rotation_property
from .values import remove_entry


def read_pose(armature: bpy.types.Object, names: Iterable[str]) -> KeyPose:
    """How bones of an armature stand now against their rest pose."""
    found = {}
    for name in names:
        present = read_present(armature.pose.bones[name], {})
        found[name] = PosedBone(
            np.array(present["rotation"]), np.array(present["location"]), np.array(present["scale"])
        )
    return found


def read_key_pose(entry: bpy.types.PropertyGroup) -> KeyPose:
    """A stored pose."""
    return {
        bone.name: PosedBone(np.array(bone.rotation), np.array(bone.location), np.array(bone.scale))
        for bone in entry.bones
    }


def add_key_pose(armature: bpy.types.Object, name: str, pose: KeyPose) -> bpy.types.PropertyGroup:
    """Store a pose behind the others, with a name of its own, and make it the active one."""
    data = armature.locomotion
    taken = {entry.name for entry in data.key_poses}
    unlike, number = name, 1
    while unlike in taken:
        unlike, number = f"{name}.{number:03d}", number + 1
    entry = data.key_poses.add()
    entry.name = unlike
    for bone, posed in pose.items():
        stored = entry.bones.add()
        stored.name = bone
        stored.rotation, stored.location = posed.rotation.tolist(), posed.location.tolist()
        stored.scale = posed.scale.tolist()
    data.active_key_pose = len(data.key_poses) - 1
    return entry


def remove_key_pose(armature: bpy.types.Object, place: int) -> None:
    """Take a stored pose away."""
    data = armature.locomotion
    remove_entry(data, "key_poses", place)
    data.active_key_pose = max(min(place, len(data.key_poses) - 1), 0)


def show_pose(
    armature: bpy.types.Object, pose: KeyPose, *, keys_frame: float | None = None
) -> Sequence[str]:
    """Put the bones of an armature into a pose; those that it does not have are given back.

    Parameters
    ----------
    armature
        The armature object.
    pose
        The pose.
    keys_frame
        Frame at which the channels are keyed; None for no keys.
    """
    missing = []
    for name, posed in pose.items():
        bone = armature.pose.bones.get(name)
        if bone is None:
            missing.append(name)
            continue
        rotation = get_rotation_property(bone.rotation_mode)
        turn = channels_from_quaternions(posed.rotation[None], bone.rotation_mode)[0]
        setattr(bone, rotation, turn.tolist())
        bone.location, bone.scale = posed.location.tolist(), posed.scale.tolist()
        if keys_frame is not None:
            for channel in (rotation, "location", "scale"):
                bone.keyframe_insert(channel, frame=keys_frame, group=name)
    return missing
