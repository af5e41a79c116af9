# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects read as skeletons."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.keys.channels import ChannelLayout
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from ...errors import RigError
from ..limits import VALUE


def read_skeleton(armature: bpy.types.Object, matrix: FloatArray | None = None) -> Skeleton:
    """Bones of an armature object in character space.

    Parameters
    ----------
    armature
        An armature object.
    matrix
        World matrix whose rotation and scale are folded into the parentless bones, its location
        left out, shape (4, 4); None for the object's as it is now.

    Returns
    -------
    Skeleton
        Parents first, metres.

    Raises
    ------
    RigError
        Where the object is no armature, has no bones, or is mirrored or scaled unevenly.
    """
    require_armature(armature)
    if matrix is None:
        matrix = matrix_array(armature.matrix_world)
    rotation, scale = split_object_axes(armature, matrix)
    bones = _sort_bones(armature.data.bones)
    index = {bone.name: i for i, bone in enumerate(bones)}
    parents = np.array([index[b.parent.name] if b.parent else -1 for b in bones], dtype=np.intp)
    rests = np.array([bone.matrix_local for bone in bones], dtype=np.float64)
    quaternions = rot.quaternions_from_matrices(rot.orthonormalize_axes(rests[:, :3, :3]))
    heads = rests[:, :3, 3]
    is_child = (parents >= 0)[:, None]
    turn_back = np.where(is_child, rot.conjugate(quaternions[parents]), rotation)
    origins = np.where(is_child, heads[parents], 0.0)
    return Skeleton(
        names=tuple(bone.name for bone in bones),
        parents=parents,
        rest_rotations=rot.multiply(turn_back, quaternions),
        rest_translations=scale * rot.rotate(turn_back, heads - origins),
        object_rotation=rotation,
        object_scale=scale,
    )


def read_channel_layout(armature: bpy.types.Object, skeleton: Skeleton) -> ChannelLayout:
    """How the bones of a skeleton are keyed on an armature object that has them all."""
    missing = [name for name in skeleton.names if name not in armature.pose.bones]
    if missing:
        raise RigError(f"armature {armature.name!r} has no bone {missing[0]!r}: press Set Up Again")
    pose_bones = [armature.pose.bones[name] for name in skeleton.names]
    bones = [armature.data.bones[name] for name in skeleton.names]
    return ChannelLayout(
        skeleton=skeleton,
        rotation_modes=tuple(bone.rotation_mode for bone in pose_bones),
        inherit_rotation=np.array([bone.use_inherit_rotation for bone in bones], dtype=bool),
        inherit_scale=tuple(bone.inherit_scale for bone in bones),
        local_location=np.array([bone.use_local_location for bone in bones], dtype=bool),
    )


def require_armature(armature: bpy.types.Object) -> None:
    """Raise RigError unless the object is an armature with bones."""
    if armature.type != "ARMATURE":
        raise RigError(f"{armature.name!r} is not an armature: select the character's armature")
    if not len(armature.data.bones):
        raise RigError(f"armature {armature.name!r} has no bones: add bones or choose another")


def split_object_axes(armature: bpy.types.Object, matrices: FloatArray) -> tuple[FloatArray, float]:
    """Rotation and uniform scale of an object's world matrix.

    Parameters
    ----------
    armature
        Named in the error.
    matrices
        World matrices, shape (..., 4, 4); the scale must be one and the same in all of them.

    Returns
    -------
    rotations
        Unit quaternions, shape (..., 4).
    scale
        Metres per armature unit.

    Raises
    ------
    RigError
        Where the scale is uneven, negative, zero, sheared or not the same throughout.
    """
    axes = matrices[..., :3, :3]
    sizes = np.sqrt(np.sum(axes * axes, axis=-2))
    scale = float(sizes.mean())
    limit = VALUE.uniform * scale
    unit = axes / max(scale, VALUE.no_scale)
    sheared = np.abs(np.swapaxes(unit, -1, -2) @ unit - np.eye(3)).max() > 3 * VALUE.uniform
    if scale <= 0 or np.ptp(sizes) > limit or sheared or np.any(np.linalg.det(axes) <= 0):
        # A matrix does not tell which axis is mirrored; the object's own scale does, unless that is even.
        told = np.array(armature.scale) * np.array(armature.delta_scale)
        if np.ptp(told) <= VALUE.uniform * told[0]:
            signs = np.where(np.linalg.det(axes) <= 0, -1.0, 1.0)[..., None]
            told = (signs * sizes).reshape(-1, 3)[0]
        shown = ", ".join(f"{size:.4g}" for size in told)
        raise RigError(
            f"armature {armature.name!r} is scaled unevenly or mirrored ({shown}): "
            "apply the scale (Ctrl+A) of it and of its parents"
        )
    return rot.quaternions_from_matrices(rot.orthonormalize_axes(axes)), scale


def matrix_array(matrix: object) -> FloatArray:
    """A Blender matrix as an array (4, 4)."""
    return np.array(matrix, dtype=np.float64)


def _sort_bones(bones: bpy.types.ArmatureBones) -> list[bpy.types.Bone]:
    """All bones, parents before children, otherwise in Blender's own order."""
    ordered: list[bpy.types.Bone] = []
    waiting = [bone for bone in reversed(list(bones)) if bone.parent is None]
    while waiting:
        bone = waiting.pop()
        ordered.append(bone)
        waiting.extend(reversed(list(bone.children)))
    return ordered
