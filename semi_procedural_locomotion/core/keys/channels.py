# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Between local poses and the channels that are keyed on bones (numpy only).

A bone's *basis* is what its channels say: a location in armature units, a rotation and a scale,
all relative to the bone at rest. With default settings a local pose is the rest transform followed
by the basis. Bones that do not inherit rotation, inherit scale in another way, or move along the
armature's axes get their parent's transform as Blender builds it (source: the meaning of
`Bone.convert_local_to_pose`, held equal to Blender by tests).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import TINY, FloatArray, find_determinants, invert_matrices
from ..rig.skeleton import Skeleton
from .eulers import ROTATION_MODES

INHERIT_SCALES = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
# Cosine above which two axes count as sheared; Blender's own limit, kept for equal results.
_SHEAR_COSINE = 1e-4

_Frames = tuple[FloatArray, FloatArray]


@dataclass(frozen=True)
class ChannelLayout:
    """Record of how the bones of a skeleton are keyed.

    Attributes
    ----------
    skeleton
        The bones as they were built, B of them: held ones not as they stand, and all below the parents
        that their armature has.
    rotation_modes
        One of `eulers.ROTATION_MODES` per bone.
    inherit_rotation
        Whether the bone turns with its parent, shape (B,) of bool.
    inherit_scale
        One of `INHERIT_SCALES` per bone.
    local_location
        Whether the location is along the bone's own axes, shape (B,) of bool.
    parents
        Index of the bone that each pose is told against, shape (B,); None for those of the armature.
    """

    skeleton: Skeleton
    rotation_modes: tuple[str, ...]
    inherit_rotation: np.ndarray
    inherit_scale: tuple[str, ...]
    local_location: np.ndarray
    parents: np.ndarray | None = None

    def __post_init__(self) -> None:
        count = len(self.skeleton)
        for name in ("rotation_modes", "inherit_rotation", "inherit_scale", "local_location"):
            if len(getattr(self, name)) != count:
                raise ValueError(f"{name} must have {count} items, got {len(getattr(self, name))}")
        unknown = set(self.rotation_modes) - set(ROTATION_MODES)
        if unknown:
            raise ValueError(f"rotation modes must be of {ROTATION_MODES}, got {sorted(unknown)}")
        unknown = set(self.inherit_scale) - set(INHERIT_SCALES)
        if unknown:
            raise ValueError(f"inherit_scale must be of {INHERIT_SCALES}, got {sorted(unknown)}")

    @property
    def special_bones(self) -> list[int]:
        """Bones whose parent's transform is not simply inherited."""
        return [
            bone
            for bone, parent in enumerate(self.skeleton.parents)
            if not self.local_location[bone]
            or (parent >= 0 and not (self.inherit_rotation[bone] and self._scales_fully(bone)))
        ]

    def _scales_fully(self, bone: int) -> bool:
        return self.inherit_scale[bone] == "FULL"


@dataclass(frozen=True)
class BasisPoses:
    """Basis channels of all bones.

    Attributes
    ----------
    rotations
        Unit quaternions, shape (N, B, 4).
    locations
        Armature units, shape (N, B, 3).
    scales
        Factors, shape (N, B, 3).
    """

    rotations: FloatArray
    locations: FloatArray
    scales: FloatArray


def poses_from_basis(
    layout: ChannelLayout, basis: BasisPoses
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Local poses of bones whose channels are given.

    Parameters
    ----------
    basis
        Channels of all B bones at N frames.

    Returns
    -------
    rotations, translations, scales
        As in `Clip`, parentless bones in character space, metres, shapes (N, B, 4), (N, B, 3),
        (N, B, 3).
    """
    skeleton = layout.skeleton
    rest = skeleton.rest_rotations[None]
    rotations = rot.multiply(rest, basis.rotations)
    offsets = skeleton.object_scale * rot.rotate(rest, basis.locations)
    translations = skeleton.rest_translations[None] + offsets
    scales = np.array(basis.scales, dtype=np.float64)
    special = layout.special_bones
    frames: dict[int, _Frames] = {}
    for bone in _needed_bones(skeleton, special):
        parent = int(skeleton.parents[bone])
        if bone in special:
            transform = build_parent_transform(layout, bone, frames)
            linear = rot.matrices_from_quaternions(basis.rotations[:, bone])
            axes = transform.turn @ (linear * basis.scales[:, bone, None, :])
            axes = axes * transform.post_scale[:, None, :]
            positions = transform.origin + _apply(transform.move, basis.locations[:, bone])
            frames[bone] = (axes, positions)
            local_axes, local_positions = _relative_to_parent(skeleton, parent, frames, bone)
            rotations[:, bone], scales[:, bone] = _split_axes(local_axes)
            translations[:, bone] = local_positions
        else:
            frames[bone] = _place_bone(
                skeleton, bone, frames, rotations[:, bone], translations[:, bone], scales[:, bone]
            )
    poses, told = (rotations, translations, scales), skeleton
    if layout.parents is not None:
        told = replace(skeleton, parents=layout.parents)
        poses = _hang(skeleton, told, *poses)
    own, above = told.held_sizes
    return poses[0], poses[1] * above, poses[2] / own


def basis_from_poses(
    layout: ChannelLayout, rotations: FloatArray, translations: FloatArray, scales: FloatArray
) -> BasisPoses:
    """Channels that give local poses.

    Parameters
    ----------
    rotations, translations, scales
        As in `Clip`, metres, shapes (N, B, 4), (N, B, 3), (N, B, 3).

    Returns
    -------
    BasisPoses
        The inverse of `poses_from_basis`.
    """
    skeleton = layout.skeleton
    told = skeleton if layout.parents is None else replace(skeleton, parents=layout.parents)
    own, above = told.held_sizes
    translations, scales = translations / above, scales * own
    if layout.parents is not None:
        rotations, translations, scales = _hang(told, skeleton, rotations, translations, scales)
    inverse_rest = rot.conjugate(skeleton.rest_rotations)[None]
    basis_rotations = rot.multiply(inverse_rest, rotations)
    offsets = (translations - skeleton.rest_translations[None]) / skeleton.object_scale
    locations = rot.rotate(inverse_rest, offsets)
    basis_scales = np.array(scales, dtype=np.float64)
    special = layout.special_bones
    frames: dict[int, _Frames] = {}
    for bone in _needed_bones(skeleton, special):
        frames[bone] = _place_bone(
            skeleton, bone, frames, rotations[:, bone], translations[:, bone], scales[:, bone]
        )
        if bone in special:
            axes, positions = frames[bone]
            transform = build_parent_transform(layout, bone, frames)
            local = _invert(transform.turn) @ (axes / transform.post_scale[:, None, :])
            basis_rotations[:, bone], basis_scales[:, bone] = _split_axes(local)
            shift = positions - transform.origin
            locations[:, bone] = _apply(_invert(transform.move), shift)
    return BasisPoses(basis_rotations, locations, basis_scales)


def poses_from_matrices(
    skeleton: Skeleton, matrices: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Local poses of bones whose final matrices are given.

    Parameters
    ----------
    matrices
        In armature space and armature units, shape (N, B, 4, 4).

    Returns
    -------
    rotations, translations, scales
        As in `Clip`, metres, shapes (N, B, 4), (N, B, 3), (N, B, 3). Shear is left out.
    """
    count = (len(matrices), len(skeleton))
    rotations, scales = np.empty((*count, 4)), np.empty((*count, 3))
    translations = np.empty((*count, 3))
    for bone, parent in enumerate(skeleton.parents):
        near = {i: (matrices[:, i, :3, :3], matrices[:, i, :3, 3]) for i in (bone, int(parent))}
        axes, translations[:, bone] = _relative_to_parent(skeleton, int(parent), near, bone)
        rotations[:, bone], scales[:, bone] = _split_axes(axes)
    own, above = skeleton.held_sizes
    return rotations, translations * above, scales / own


@dataclass(frozen=True)
class ParentTransform:
    """Record of what a bone's basis is placed in.

    Attributes
    ----------
    turn, move
        Axes of its rotation and of its location, shape (N, 3, 3).
    origin, post_scale
        Where a location of zero is, and what is put on the axes last, shape (N, 3).
    """

    turn: FloatArray
    move: FloatArray
    origin: FloatArray
    post_scale: FloatArray


def _needed_bones(skeleton: Skeleton, special: list[int]) -> list[int]:
    """Special bones and their ancestors, parents first."""
    return sorted({bone for index in special for bone in skeleton.find_ancestors(index)})


def _hang(
    skeleton: Skeleton,
    other: Skeleton,
    rotations: FloatArray,
    translations: FloatArray,
    scales: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Local poses of bones against other parents; parents of both kinds come before their children."""
    found = tuple(np.array(part, dtype=np.float64) for part in (rotations, translations, scales))
    frames: dict[int, _Frames] = {}
    moved = np.flatnonzero(skeleton.parents != other.parents).tolist()
    needed = {*moved, *(int(other.parents[bone]) for bone in moved)} - {-1}
    for bone in _needed_bones(skeleton, sorted(needed)):
        parts = (rotations[:, bone], translations[:, bone], scales[:, bone])
        frames[bone] = _place_bone(skeleton, bone, frames, *parts)
    for bone in moved:
        axes, places = _relative_to_parent(other, int(other.parents[bone]), frames, bone)
        found[0][:, bone], found[2][:, bone] = _split_axes(axes)
        found[1][:, bone] = places
    return found[0], found[1], found[2]


def _place_bone(
    skeleton: Skeleton,
    bone: int,
    frames: Mapping[int, _Frames],
    rotations: FloatArray,
    translations: FloatArray,
    scales: FloatArray,
) -> _Frames:
    """Axes (N, 3, 3) and heads (N, 3) of a bone in armature space from its local pose."""
    local = rot.matrices_from_quaternions(rotations) * scales[:, None, :]
    units = translations / skeleton.object_scale
    parent = int(skeleton.parents[bone])
    if parent < 0:
        turn = rot.matrices_from_quaternions(rot.conjugate(skeleton.object_rotation))
        return turn @ local, _apply(turn, units - skeleton.object_origin / skeleton.object_scale)
    axes, heads = frames[parent]
    return axes @ local, heads + _apply(axes, units)


def _relative_to_parent(
    skeleton: Skeleton, parent: int, frames: Mapping[int, _Frames], bone: int
) -> _Frames:
    """Inverse of `_place_bone`: local axes and translations in metres."""
    axes, heads = frames[bone]
    if parent < 0:
        turn = rot.matrices_from_quaternions(skeleton.object_rotation)
        places = skeleton.object_scale * _apply(turn, heads) + skeleton.object_origin
        return turn @ axes, places
    inverse = _invert(frames[parent][0])
    return inverse @ axes, skeleton.object_scale * _apply(inverse, heads - frames[parent][1])


def build_parent_transform(
    layout: ChannelLayout, bone: int, frames: Mapping[int, _Frames]
) -> ParentTransform:
    """The space of a bone's channels, by Blender's rules for its inheritance settings.

    ``frames`` has axes (N, 3, 3) and heads (N, 3) of its parent in armature space, armature units.
    """
    skeleton = layout.skeleton
    parent = int(skeleton.parents[bone])
    if parent < 0:
        turn_back = rot.conjugate(skeleton.object_rotation)
        rest = rot.multiply(turn_back, skeleton.rest_rotations[bone])
        turn = rot.matrices_from_quaternions(rest)[None]
        place = skeleton.rest_translations[bone] - skeleton.object_origin
        head = rot.rotate(turn_back, place) / skeleton.object_scale
        move = turn if layout.local_location[bone] else np.eye(3)[None]
        return ParentTransform(turn, move, head[None], np.ones((1, 3)))
    axes, heads = frames[parent]
    offset_axes = rot.matrices_from_quaternions(skeleton.rest_rotations[bone])
    offset = skeleton.rest_translations[bone] / skeleton.object_scale
    base, post_scale = _inherit_axes(layout, bone, parent, axes)
    turn = base @ offset_axes
    fully = layout.inherit_rotation[bone] and layout.inherit_scale[bone] == "FULL"
    if layout.inherit_scale[bone] == "FIX_SHEAR":
        turn = _orthogonalize(turn, unit=False)
    move = axes
    if layout.local_location[bone]:
        move = turn if fully else axes @ offset_axes
    return ParentTransform(turn, move, heads + _apply(axes, offset), post_scale)


def _inherit_axes(
    layout: ChannelLayout, bone: int, parent: int, axes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The part (N, 3, 3) of a parent's axes that a bone inherits, and the scale put on last."""
    mode = layout.inherit_scale[bone]
    post_scale = np.ones((len(axes), 3))
    if layout.inherit_rotation[bone]:
        base = axes
        if mode in ("NONE", "AVERAGE"):
            base = _orthogonalize(axes, unit=True)
        elif mode == "ALIGNED":
            base = _orthogonalize(axes, unit=False)
            post_scale = _column_lengths(base)
            base = base / post_scale[:, None, :]
        elif mode == "NONE_LEGACY":
            base = axes / np.maximum(_column_lengths(axes), TINY)[:, None, :]
    else:
        rest = np.broadcast_to(_rest_axes(layout.skeleton, parent), axes.shape)
        base = rest
        if mode == "FULL":
            base = rest * _column_lengths(axes)[:, None, :]
        elif mode == "FIX_SHEAR":
            base = rest * _sizes_without_shear(axes)[:, None, :]
        elif mode == "ALIGNED":
            post_scale = _sizes_without_shear(axes)
    if mode == "AVERAGE":
        base = base * np.cbrt(np.abs(find_determinants(axes)))[:, None, None]
    return base, post_scale


def _rest_axes(skeleton: Skeleton, bone: int) -> FloatArray:
    """Axes (3, 3) of a bone at rest in armature space."""
    q = rot.conjugate(skeleton.object_rotation)
    for index in reversed(skeleton.find_ancestors(bone)):
        q = rot.multiply(q, skeleton.rest_rotations[index])
    return rot.matrices_from_quaternions(q)


def _apply(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """Matrices (N, 3, 3) or (3, 3) times vectors (N, 3) or (3,)."""
    return np.einsum("...ij,...j->...i", matrices, vectors)


def _invert(axes: FloatArray) -> FloatArray:
    """Inverses of (N, 3, 3); bones scaled to nothing get the pseudo-inverse."""
    if np.abs(find_determinants(axes)).min(initial=1.0) > TINY:
        return invert_matrices(axes)
    return np.linalg.pinv(axes)


def _column_lengths(axes: FloatArray) -> FloatArray:
    """Lengths (N, 3) of the columns of (N, 3, 3)."""
    return np.sqrt(np.sum(axes * axes, axis=-2))


def _sizes_without_shear(axes: FloatArray) -> FloatArray:
    """Column lengths (N, 3) brought to the true volume of the axes."""
    size = _column_lengths(axes)
    volume = np.prod(size, axis=-1)
    share = np.abs(find_determinants(axes)) / np.maximum(volume, TINY)
    return size * np.where(volume > TINY, np.cbrt(share), 1.0)[:, None]


def _orthogonalize(axes: FloatArray, *, unit: bool) -> FloatArray:
    """Take shear out of (N, 3, 3), Y first, X and Z by equal shares."""
    y = axes[..., 1]
    square = np.maximum(rot.dot(y, y), TINY)
    x = axes[..., 0] - y * (rot.dot(axes[..., 0], y) / square)[..., None]
    z = axes[..., 2] - y * (rot.dot(axes[..., 2], y) / square)[..., None]
    unit_x, unit_z = rot.normalize(x), rot.normalize(z)
    cosine = np.clip(rot.dot(unit_x, unit_z), -1.0, 1.0)
    angle = np.arccos(cosine)
    target = angle + 0.5 * (0.5 * np.pi - angle)
    side = rot.normalize(unit_x - unit_z * cosine[..., None])
    turned_x = side * np.sin(target)[..., None] + unit_z * np.cos(target)[..., None]
    turned_z = rot.normalize(rot.cross(rot.cross(turned_x, unit_z), turned_x))
    sheared = (np.abs(cosine) > _SHEAR_COSINE)[..., None]
    if unit:
        x = np.where(sheared, turned_x, unit_x)
        z = np.where(sheared, turned_z, unit_z)
        y = rot.normalize(y)
    else:
        factor = np.sqrt(np.sin(angle))[..., None]
        x = np.where(sheared, turned_x * rot.lengths(x)[..., None] * factor, x)
        z = np.where(sheared, turned_z * rot.lengths(z)[..., None] * factor, z)
    return np.stack([x, y, z], axis=-1)


def _split_axes(axes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Rotations (N, 4) and scales (N, 3) of axes (N, 3, 3); mirrored axes get negative scales."""
    mirrored = np.where(find_determinants(axes) < 0, -1.0, 1.0)[:, None, None]
    axes = axes * mirrored
    y = rot.normalize(axes[..., 1])
    x = rot.normalize(axes[..., 0] - rot.dot(axes[..., 0], y)[..., None] * y)
    matrices = np.stack([x, y, rot.cross(x, y)], axis=-1)
    return rot.quaternions_from_matrices(matrices), _column_lengths(axes) * mirrored[..., 0]


@dataclass(frozen=True)
class PosedBone:
    """Record of how a bone stands against its rest pose.

    Attributes
    ----------
    rotation
        A unit quaternion in the bone's axes, shape (4,).
    location
        Units of the armature in those axes, shape (3,).
    scale
        Factors, shape (3,).
    """

    rotation: FloatArray
    location: FloatArray
    scale: FloatArray


KeyPose = Mapping[str, PosedBone]


def blend_poses(first: KeyPose, second: KeyPose, share: float) -> dict[str, PosedBone]:
    """The pose at some share of the way from one to another, 0 to 1, of the bones that both have."""
    return {
        name: PosedBone(
            rot.slerp(
                first[name].rotation,
                rot.align_hemispheres(bone.rotation, first[name].rotation),
                share,
            ),
            (1.0 - share) * first[name].location + share * bone.location,
            (1.0 - share) * first[name].scale + share * bone.scale,
        )
        for name, bone in second.items()
        if name in first
    }
