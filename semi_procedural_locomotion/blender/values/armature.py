# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects read as skeletons."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import bpy
import numpy as np

from ...core.keys.channels import ChannelLayout, poses_from_basis
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, find_determinants, invert_matrices
from ...core.rig.skeleton import BoneEnd, HeldBone, Skeleton
from ...errors import RigError
from ..limits import VALUE
from .held import basis_from_held, read_held
from .libraries import is_placeholder, tell_missing_libraries


def read_skeleton(
    armature: bpy.types.Object,
    matrix: FloatArray | None = None,
    held: Sequence[HeldBone] = (),
    ends: Sequence[BoneEnd] = (),
    leaders: Sequence[tuple[str, str]] = (),
) -> Skeleton:
    """Bones of an armature object in character space.

    Parameters
    ----------
    armature
        An armature object.
    matrix
        World matrix whose rotation and scale are folded into the parentless bones, its location
        left out, shape (4, 4); None for the object's as it is now.
    held
        Bones that stand otherwise at rest than they were built.
    ends
        Ends of bones that are bones of the skeleton as well, after all others; those whose bones are
        gone are left out.
    leaders
        Names of bones and of those that they hang from in place of their own parents; those of which
        one is gone are left out.

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
    skeleton = Skeleton(
        names=tuple(bone.name for bone in bones),
        parents=parents,
        rest_rotations=np.tile(rot.IDENTITY, (len(bones), 1)),
        rest_translations=np.zeros((len(bones), 3)),
        object_rotation=rotation,
        object_scale=scale,
        held=tuple(entry for entry in held if entry.name in index),
    )
    built = _build_skeleton(armature, skeleton)
    if built.held:
        basis = basis_from_held(built.names, built.held)
        turns, places, _ = poses_from_basis(read_channel_layout(armature, built), basis)
        built = replace(built, rest_rotations=turns[0], rest_translations=places[0])
    known = [pair for pair in leaders if set(pair) <= index.keys()]
    with suppress(ValueError):  # bones were put below one another since
        built = built.lead(known)[0] if known else built
    return built.add_ends([end for end in ends if end.bone in index])


def _build_skeleton(armature: bpy.types.Object, skeleton: Skeleton) -> Skeleton:
    """The bones of a skeleton with the rest pose that the armature was built in."""
    bones = [armature.data.bones[name] for name in skeleton.names]
    parents, scale = skeleton.parents, skeleton.object_scale
    rests = np.array([bone.matrix_local for bone in bones], dtype=np.float64)
    quaternions = rot.quaternions_from_matrices(rot.orthonormalize_axes(rests[:, :3, :3]))
    heads = rests[:, :3, 3]
    is_child = (parents >= 0)[:, None]
    turn_back = np.where(is_child, rot.conjugate(quaternions[parents]), skeleton.object_rotation)
    origins = np.where(is_child, heads[parents], 0.0)
    places = scale * rot.rotate(turn_back, heads - origins)
    return replace(
        skeleton,
        rest_rotations=rot.multiply(turn_back, quaternions),
        rest_translations=np.where(is_child, places, places + skeleton.object_origin),
    )


def read_channel_layout(armature: bpy.types.Object, skeleton: Skeleton) -> ChannelLayout:
    """How the bones of a skeleton are keyed on an armature object that has them all but for ends."""
    pose_bones, bones = armature.pose.bones, armature.data.bones
    missing = [name for name in skeleton.own_names if name not in pose_bones]
    if missing:
        raise RigError(
            f"armature {armature.name!r} has no bone {missing[0]!r}",
            "press Set Up Again",
            "name its `legs` and `body` in a job",
        )
    own = [bones[n] if o else None for n, o in zip(skeleton.names, skeleton.is_own, strict=True)]
    return ChannelLayout(
        skeleton=_rebuild(armature, skeleton)
        if skeleton.held or skeleton.own_parents is not None
        else skeleton,
        rotation_modes=tuple(
            "QUATERNION" if bone is None else pose_bones[bone.name].rotation_mode for bone in own
        ),
        inherit_rotation=np.array([b is None or b.use_inherit_rotation for b in own], dtype=bool),
        inherit_scale=tuple("FULL" if bone is None else bone.inherit_scale for bone in own),
        local_location=np.array([b is None or b.use_local_location for b in own], dtype=bool),
        parents=None if skeleton.own_parents is None else skeleton.parents,
    )


def _rebuild(armature: bpy.types.Object, skeleton: Skeleton) -> Skeleton:
    """A skeleton as it was built: held bones as at first, all below the parents of the armature."""
    own, _ = skeleton.select([int(bone) for bone in np.flatnonzero(skeleton.is_own)])
    if own.own_parents is not None:
        own = replace(own, parents=own.own_parents, own_parents=None)
    built = replace(_build_skeleton(armature, own), held=())
    return replace(built.add_ends(skeleton.ends), held=skeleton.held)


def read_held_moves(armature: bpy.types.Object, skeleton: Skeleton) -> FloatArray:
    """What takes points that ride on bones as they were built to where they are at rest.

    Parameters
    ----------
    armature
        The armature object.
    skeleton
        Its bones, B of them, some of which may be held.

    Returns
    -------
    array, shape (B, 4, 4)
        Character space, metres.
    """
    layout = read_channel_layout(armature, skeleton)
    built = replace(layout.skeleton, held=())
    basis = basis_from_held(built.names, skeleton.held)
    posed = poses_from_basis(replace(layout, skeleton=built, parents=None), basis)
    turns, places = built.rest_poses
    moves = np.empty((len(built), 4, 4))
    for bone, parent in enumerate(built.parents):
        local = np.eye(4)
        local[:3, :3] = rot.matrices_from_quaternions(posed[0][0, bone]) * posed[2][0, bone]
        local[:3, 3] = posed[1][0, bone]
        moves[bone] = local if parent < 0 else moves[parent] @ local
    rests = np.tile(np.eye(4), (len(built), 1, 1))
    rests[:, :3, :3], rests[:, :3, 3] = rot.matrices_from_quaternions(turns), places
    return np.asarray(moves @ invert_matrices(rests))


def read_rest_matrix(armature: bpy.types.Object, bone: str) -> FloatArray:
    """Matrix (4, 4) of a bone at rest in armature space, held as the set-up keeps it."""
    built = matrix_array(armature.data.bones[bone].matrix_local)
    held = read_held(armature)
    if not held:
        return built
    skeleton = read_skeleton(armature, np.eye(4), held)
    return np.asarray(read_held_moves(armature, skeleton)[skeleton.find_index(bone)] @ built)


def require_armature(armature: bpy.types.Object) -> None:
    """Raise RigError unless the object is an armature with bones."""
    if armature.type != "ARMATURE":
        raise RigError(f"{armature.name!r} is not an armature: select the character's armature")
    if not len(armature.data.bones) and is_placeholder(armature):
        raise RigError(f"armature {armature.name!r} has no bones: {tell_missing_libraries()}")
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
        Where the scale is uneven, negative, zero, sheared or not the same throughout, or a matrix
        holds what is no number.
    """
    if not np.all(np.abs(matrices) <= VALUE.farthest):
        raise RigError(
            f"armature {armature.name!r} has no place, since its transform holds what is no number or "
            "too far off: set its location, rotation and scale and those of its parents anew, and check "
            "their keys and drivers"
        )
    axes = matrices[..., :3, :3]
    sizes = np.sqrt(np.sum(axes * axes, axis=-2))
    if not sizes.min() > VALUE.no_scale:
        raise RigError(
            f"armature {armature.name!r} is scaled to nothing: set its scale (Alt+S) and that of its "
            "parents to 1, and check their keys and drivers"
        )
    scale = float(sizes.mean())
    limit = VALUE.uniform * scale
    unit = axes / max(scale, VALUE.no_scale)
    sheared = np.abs(np.swapaxes(unit, -1, -2) @ unit - np.eye(3)).max() > 3 * VALUE.uniform
    if scale <= 0 or np.ptp(sizes) > limit or sheared or np.any(find_determinants(axes) <= 0):
        # A matrix does not tell which axis is mirrored; the object's own scale does, unless that is even.
        told = np.array(armature.scale) * np.array(armature.delta_scale)
        if np.ptp(told) <= VALUE.uniform * told[0]:
            signs = np.where(find_determinants(axes) <= 0, -1.0, 1.0)[..., None]
            told = (signs * sizes).reshape(-1, 3)[0]
        shown = ", ".join(f"{size:.4g}" for size in told)
        raise RigError(
            f"armature {armature.name!r} is scaled unevenly or mirrored ({shown}): "
            "apply the scale (Ctrl+A) of it and of its parents, and look at its clips then, whose keys "
            "stay as they are: ways are as long as before, what was mirrored goes to the other side"
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


def find_known_bone(armature: bpy.types.Object, name: str) -> str:
    """The bone that an animator sees for one: itself, or where it is hidden what it goes after.

    Parameters
    ----------
    armature
        The armature object.
    name
        Of the bone; one that there is not is given back.
    """
    seen, left = {name}, [name]
    while left:
        bone = armature.pose.bones.get(left.pop(0))
        if bone is None:
            continue
        collections = bone.bone.collections
        if not bone.bone.hide and (not collections or any(c.is_visible for c in collections)):
            return str(bone.name)
        after = [getattr(c, "subtarget", "") for c in bone.constraints]
        after += [] if bone.parent is None else [bone.parent.name]
        left += [other for other in after if other and other not in seen]
        seen.update(after)
    return name
