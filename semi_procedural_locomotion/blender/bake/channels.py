# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses turned into the values of channels to key, all frames at once."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.keys.channels import BasisPoses, basis_from_poses
from ...core.keys.eulers import channels_from_quaternions, quaternions_from_channels
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton, compute_global_poses
from ...errors import BakeError
from ..limits import WRITING
from ..travel.reading import sample_own_matrices
from ..values.armature import read_channel_layout, split_object_axes
from ..values.bake_record import ChannelKey
from ..values.curves import CurvesByChannel, build_bone_path, evaluate_channel
from ..values.matrices import get_rotation_property, read_delta_rotation, sample_parent_matrices
from ..values.nla import list_strip_channels

OBJECT_GROUP = "Object Transforms"


@dataclass(frozen=True)
class ChannelValues:
    """Values of one property to key, locked or not: locks bind the hand, not the animation.

    Attributes
    ----------
    bone
        Its bone, empty for the object itself.
    name
        The property.
    values
        One column for each component, shape (N, C); nan for those that are not keyed.
    """

    bone: str
    name: str
    values: FloatArray

    @property
    def path(self) -> str:
        """Data path from the object."""
        return build_bone_path(self.bone, self.name)

    @property
    def group(self) -> str:
        """Channel group of the curves."""
        return self.bone or OBJECT_GROUP


@dataclass(frozen=True)
class UnderWalk:
    """What a walk is mixed with, channel by channel.

    Attributes
    ----------
    existing
        Curves of the animation under the bake.
    before
        What properties were that an earlier bake keys: what they show now is that bake.
    weights
        Share of the walk at each frame, shape (N,).
    own
        Bones and properties that the animator has keyed beside the channels of an earlier bake. What the
        walk does not move of them stays as it is keyed.
    """

    existing: CurvesByChannel
    before: Mapping[ChannelKey, float]
    weights: FloatArray
    own: Container[tuple[str, str]] = ()

    def evaluate(
        self, owner: bpy.types.Object | bpy.types.PoseBone, name: str, frames: FloatArray
    ) -> FloatArray:
        """Values of a property without the bake at frames (N,), shape (N, C)."""
        bone = _name_bone(owner)
        own = _read_own(owner, name, self.before)
        return evaluate_channel(self.existing.get((bone, name), {}), own, frames)


def compute_channels(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    under: UnderWalk,
    carrier: str | None,
) -> list[ChannelValues]:
    """Everything to key.

    Parameters
    ----------
    armature
        The character's object.
    poses
        Solved poses at N frames.
    skeleton
        Bones of ``poses``.
    frames
        Scene frames of the poses, shape (N,).
    under
        What the walk is mixed with.
    carrier
        Name of the bone that carries the travel; empty where the bones without a parent make up for
        the object's own motion, None where the object carries it.

    Returns
    -------
    list of ChannelValues
        Rotations in each owner's rotation mode, continuous from the existing animation on.
    """
    layout = read_channel_layout(armature, skeleton)
    if carrier is None:
        carried = list(_compute_object_channels(armature, poses, skeleton, frames, under))
    else:
        carried = []
    basis = poses.basis
    if basis is None:
        if carrier is not None:
            world = sample_own_matrices(armature, frames, bpy.context.scene)
            poses = _carry_by_bones(armature, poses, skeleton, world, carrier)
        basis = basis_from_poses(layout, poses.rotations, poses.translations, poses.scales)
    size = float(np.abs(skeleton.rest_translations).max()) / skeleton.object_scale
    moved = {*under.existing, *list_strip_channels(armature.animation_data)}
    played = poses.rotated | poses.moved | poses.scaled | poses.owned
    for bone in np.flatnonzero(played & skeleton.is_own):
        owner = armature.pose.bones[skeleton.names[bone]]
        turns = _blend_rotations(owner, basis.rotations[:, bone], frames, under)
        vectors = (
            ("location", poses.moved[bone], basis.locations[:, bone]),
            ("scale", poses.scaled[bone], basis.scales[:, bone]),
        )
        candidates = [(poses.rotated[bone], turns)]
        candidates += [
            (asked, _blend_vectors(owner, name, values, frames, under))
            for name, asked, values in vectors
        ]
        for asked, channel in candidates:
            is_free = poses.owned[bone] and (channel.bone, channel.name) not in under.own
            if asked or (is_free and _is_overruled(owner, channel, moved, under.before, size)):
                carried.append(channel)
    return carried


def _name_bone(owner: bpy.types.Object | bpy.types.PoseBone) -> str:
    """Name of a bone, empty for an object."""
    return owner.name if isinstance(owner, bpy.types.PoseBone) else ""


def _read_own(
    owner: bpy.types.Object | bpy.types.PoseBone, name: str, before: Mapping[ChannelKey, float]
) -> list[float]:
    """Components of a property without any bake, where no curve animates them."""
    path = build_bone_path(_name_bone(owner), name)
    return [before.get((path, i), value) for i, value in enumerate(getattr(owner, name))]


def _is_overruled(
    owner: bpy.types.PoseBone,
    channel: ChannelValues,
    under: Container[tuple[str, str]],
    before: Mapping[ChannelKey, float],
    size: float,
) -> bool:
    """Whether the pose or the animation under a bake would show a channel otherwise.

    ``under`` are bones and properties that the action or the strips under the bake move.
    ``size`` is that of the skeleton in armature units.
    """
    if (channel.bone, channel.name) in under:
        return True
    present = np.array(_read_own(owner, channel.name, before))
    if channel.name.startswith("rotation"):
        there, wanted = (
            quaternions_from_channels(values, owner.rotation_mode)
            for values in (present[None], channel.values)
        )
        return bool(1.0 - np.abs(rot.dot(there, wanted)).min() > WRITING.turned)
    limit = WRITING.posed * (size if channel.name == "location" else 1.0)
    return bool(np.abs(present - channel.values).max() > limit)


def _compute_object_channels(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    under: UnderWalk,
) -> Iterator[ChannelValues]:
    """Location and rotation of the object that carry the character along."""
    above = sample_parent_matrices(armature, frames, bpy.context.scene)
    inverse = invert_matrices(above)
    turns, _ = split_object_axes(armature, above)
    rotations = rot.multiply(poses.orientations, skeleton.object_rotation)
    rotations = rot.multiply(rot.conjugate(turns), rotations)
    places = skeleton.place_object(poses.orientations, poses.positions)
    locations = np.einsum("...ij,...j->...i", inverse[..., :3, :3], places)
    locations = locations + inverse[..., :3, 3] - np.array(armature.delta_location)
    rotations = rot.multiply(rot.conjugate(read_delta_rotation(armature)), rotations)
    yield _blend_vectors(armature, "location", locations, frames, under)
    yield _blend_rotations(armature, rotations, frames, under)


def _carry_by_bones(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    world: FloatArray,
    root_bone: str,
) -> PoseArray:
    """Poses whose bones carry the travel while the object moves as ``world`` (N, 4, 4) tells."""
    still: set[int] = set()
    if root_bone:
        if root_bone not in skeleton.names:
            raise BakeError(
                f"{armature.name!r} has no bone {root_bone!r} to carry the travel",
                "choose another",
                "name another as `root`",
            )
        still = set(skeleton.find_ancestors(skeleton.find_index(root_bone))[1:])
    turns, scale = split_object_axes(armature, world)
    back = rot.multiply(skeleton.object_rotation, rot.conjugate(turns))
    shift = poses.positions - world[:, :3, 3]
    ratio = skeleton.object_scale / scale
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    global_turns, heads = compute_global_poses(
        skeleton, poses.rotations, poses.translations, poses.scales
    )
    rotated, moved = poses.rotated.copy(), poses.moved.copy()
    for bone, parent in enumerate(skeleton.parents):
        if bone in still or (parent >= 0 and int(parent) not in still):
            continue
        turn = rot.multiply(back, rot.multiply(poses.orientations, global_turns[:, bone]))
        place = rot.rotate(poses.orientations, heads[:, bone]) + shift
        place = ratio * rot.rotate(back, place) + skeleton.object_origin
        if parent >= 0:
            down = rot.conjugate(global_turns[:, parent])
            turn = rot.multiply(down, turn)
            place = rot.rotate(down, place - heads[:, parent])
        rotations[:, bone], translations[:, bone] = turn, place
        rotated[bone] = moved[bone] = True
    return replace(
        poses, rotations=rotations, translations=translations, rotated=rotated, moved=moved
    )


def _blend_vectors(
    owner: bpy.types.Object | bpy.types.PoseBone,
    name: str,
    values: FloatArray,
    frames: FloatArray,
    under: UnderWalk,
) -> ChannelValues:
    """A location or scale mixed with the existing animation."""
    if under.weights.min() < 1.0:
        there = under.evaluate(owner, name, frames)
        values = there + (values - there) * under.weights[:, None]
    return ChannelValues(_name_bone(owner), name, values)


def _blend_rotations(
    owner: bpy.types.Object | bpy.types.PoseBone,
    rotations: FloatArray,
    frames: FloatArray,
    under: UnderWalk,
) -> ChannelValues:
    """A rotation mixed with the existing animation, in the owner's rotation mode."""
    mode, bone = owner.rotation_mode, _name_bone(owner)
    name = get_rotation_property(mode)
    if under.weights.min() < 1.0:
        there = quaternions_from_channels(under.evaluate(owner, name, frames), mode)
        rotations = rot.slerp(there, rotations, under.weights)
    is_keyed = (bone, name) in under.existing
    reference = under.evaluate(owner, name, frames[:1])[0] if is_keyed else None
    return ChannelValues(bone, name, channels_from_quaternions(rotations, mode, reference))


def find_locked_bones(
    armature: bpy.types.Object, skeleton: Skeleton, poses: PoseArray
) -> list[str]:
    """Names of the bones of which a bake keys channels that are locked in the viewport.

    Parameters
    ----------
    armature
        The character's object.
    skeleton
        Bones of ``poses``.
    poses
        What is baked.
    """
    found = []
    size = float(np.abs(skeleton.rest_translations).max()) / skeleton.object_scale
    for bone, name in enumerate(skeleton.names):
        if not skeleton.is_own[bone]:
            continue
        rotated, moved, scaled = poses.rotated[bone], poses.moved[bone], poses.scaled[bone]
        owner = armature.pose.bones[name]
        turn = [*owner.lock_rotation, owner.lock_rotations_4d and owner.lock_rotation_w]
        locks = ((rotated, turn), (moved, owner.lock_location), (scaled, owner.lock_scale))
        if not any(keyed and any(locked) for keyed, locked in locks):
            continue
        if poses.basis is None or _moves_locked(owner, poses.basis, bone, size):
            found.append(name)
    return found


def _moves_locked(owner: bpy.types.PoseBone, basis: BasisPoses, bone: int, size: float) -> bool:
    """Whether channels leave rest that are locked: controls are keyed on all axes at once."""
    turns = channels_from_quaternions(basis.rotations[:, bone], owner.rotation_mode)[:, -3:]
    moves = (
        (turns, owner.lock_rotation),
        (basis.locations[:, bone] / size, owner.lock_location),
        (basis.scales[:, bone] - 1.0, owner.lock_scale),
    )
    away = [np.abs(values[:, np.array(locks)]).max(initial=0.0) for values, locks in moves]
    return bool(max(away) > WRITING.locked)
