# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses of an armature: stored, shown, blended, keyed, and copied to other characters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import bpy
import numpy as np

from ..blender.reading.adopting import pair_rests
from ..blender.setup.key_poses import add_key_pose, read_key_pose, read_pose, show_pose
from ..blender.values.armature import read_channel_layout, require_armature
from ..blender.values.evaluation import needs_evaluation
from ..blender.values.held import basis_from_held
from ..core.keys.channels import KeyPose, PosedBone, basis_from_poses, blend_poses, poses_from_basis
from ..core.motions.clips import Clip
from ..core.motions.transfer.limits import NAMING
from ..core.motions.transfer.moving import transfer_clip
from ..core.motions.transfer.naming import match_names
from ..errors import RigError
from .characters import find_character
from .clips import find_main_rig
from .set_up_work import is_set_up, read_character


def store_pose(
    armature: bpy.types.Object, name: str = "Pose", bones: Iterable[str] | None = None
) -> str:
    """Store how bones of an armature stand now; gives the pose's name.

    Parameters
    ----------
    armature
        The armature object.
    name
        A name; a number is put behind it where it is taken.
    bones
        Names of bones; None for all.
    """
    require_armature(armature)
    names = [bone.name for bone in armature.pose.bones] if bones is None else list(bones)
    return str(add_key_pose(armature, name, read_pose(armature, names)).name)


def find_key_pose(armature: bpy.types.Object, name: str | None = None) -> bpy.types.PropertyGroup:
    """A stored pose by name, or the active one.

    Raises
    ------
    RigError
        There is none.
    """
    data = armature.locomotion
    place = data.active_key_pose if name is None else data.key_poses.find(name)
    if not 0 <= place < len(data.key_poses):
        what = "no key pose" if name is None else f"no key pose {name!r}"
        raise RigError(f"{armature.name!r} has {what}: store one first")
    return data.key_poses[place]


def show_key_pose(
    armature: bpy.types.Object,
    name: str | None = None,
    share: float = 1.0,
    *,
    keys_frame: float | None = None,
) -> tuple[str, ...]:
    """Bring an armature from its pose to a stored one.

    Parameters
    ----------
    armature
        The armature object.
    name
        Of the stored pose; None for the active one.
    share
        How far, 0 to 1.
    keys_frame
        Frame at which the bones are keyed; None for no keys.

    Returns
    -------
    tuple of str
        Bones of the pose that the armature does not have.
    """
    stored = read_key_pose(find_key_pose(armature, name))
    known = [bone for bone in stored if bone in armature.pose.bones]
    pose = blend_poses(read_pose(armature, known), stored, share)
    show_pose(armature, pose, keys_frame=keys_frame)
    return tuple(bone for bone in stored if bone not in known)


def copy_key_pose(
    source: bpy.types.Object, target: bpy.types.Object, name: str | None = None
) -> tuple[str, bool]:
    """Copy a stored pose to another character.

    Bones of the same names and axes take their rotations as they are; other skeletons are posed by
    legs, spine, neck and arms (docs/method/transfer.md, Who follows whom).

    Returns
    -------
    name
        Of the new pose.
    by_names
        Whether names told which bone is which.

    Raises
    ------
    RigError
        The bodies are too unlike.
    """
    entry = find_key_pose(source, name)
    pose = read_key_pose(entry)
    match = match_names(list(pose), [bone.name for bone in target.pose.bones])
    rests = pair_rests(source, target, match.pairs)
    if match.share >= NAMING.least_share and rests.is_same:
        scale = rests.change.scale
        copied: KeyPose = {
            other: replace(pose[bone], location=scale * pose[bone].location)
            for bone, other in match.pairs.items()
        }
        return str(add_key_pose(target, entry.name, copied).name), True
    return str(add_key_pose(target, entry.name, _carry_pose(source, target, pose)).name), False


def _carry_pose(
    source: bpy.types.Object, target: bpy.types.Object, pose: KeyPose
) -> dict[str, PosedBone]:
    """A pose of one character as a pose of another, by their bodies."""
    owner, other = (
        read_character(item) if is_set_up(item) else find_character(item)
        for item in (source, target)
    )
    if needs_evaluation(target):
        raise RigError(
            f"{target.name!r} is moved by controls, which poses of other bodies do not reach: use "
            "Transfer Clips"
        )
    rig, main = find_main_rig(owner), other.rig
    skeleton = rig.skeleton
    layout = read_channel_layout(source, skeleton)
    rest = basis_from_held(skeleton.names, skeleton.held)
    for bone, posed in pose.items():
        if bone in skeleton.names:
            place = skeleton.find_index(bone)
            rest.rotations[0, place], rest.locations[0, place] = posed.rotation, posed.location
            rest.scales[0, place] = posed.scale
    local = poses_from_basis(layout, rest)
    # A clip that stands still: feet that stand go on to stand.
    turns, places, sizes = (np.repeat(values, 2, axis=0) for values in local)
    clip = Clip(
        "Pose", np.array([0.0, 1.0]), turns, places, sizes, key_interval=1.0, frame_rate=1.0
    )
    moved = transfer_clip(clip, rig, main)
    basis = basis_from_poses(
        read_channel_layout(target, main.skeleton),
        moved.rotations[:1],
        moved.translations[:1],
        moved.scales[:1],
    )
    return {
        name: PosedBone(basis.rotations[0, bone], basis.locations[0, bone], basis.scales[0, bone])
        for bone, name in enumerate(main.skeleton.names)
        if main.skeleton.is_own[bone]
    }
