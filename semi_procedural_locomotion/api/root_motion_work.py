# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of a conversion of root motion: read, hand on, correct keys; nothing is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ..blender.limits import ROOT_MOTION_WRITING
from ..blender.root_motion.fitting import (
    BoneGoals,
    FittedChannels,
    find_difference,
    find_holds,
    invert_matrices,
    list_keyable,
)
from ..blender.root_motion.trials import Channel, PlayedAction, TriedPoses, show_poses
from ..blender.root_motion.writing import KeyRange, compute_object_channels, measure_bones
from ..blender.values.armature import read_rest_matrix, split_object_axes
from ..blender.values.curves import split_bone_path
from ..blender.values.evaluation import needs_evaluation
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.carriers import (
    CarriedBody,
    HandedTravel,
    RigidMotion,
    find_traveller,
    hand_travel,
    travels,
)
from ..errors import RigError, TravelError
from ..requests.plans import Carrier, RootMotionRequest
from .progress import Steps


@dataclass(frozen=True)
class CarrierBones:
    """Bones that carry a body.

    Attributes
    ----------
    root
        Takes everything along; empty where none does.
    body
        Takes the upper body along.
    controls
        Others that an animator moves, where they are known.
    """

    root: str
    body: str
    controls: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FoundRootMotion:
    """A computed conversion, not written.

    Attributes
    ----------
    played
        The action and whose it is.
    request
        What was asked for.
    source
        What had the travel.
    bones
        Root bone and body.
    key_range
        Frames of the new keys.
    changes
        Values of the channels to key.
    missed
        Bones that follow by constraints and are not shown where they were.
    imprecise
        Metres that bones are off since numbers so far from the armature's origin are not more exact;
        zero where that is not to be seen.
    """

    played: PlayedAction
    request: RootMotionRequest
    source: Carrier
    bones: CarrierBones
    key_range: KeyRange
    changes: Mapping[Channel, FloatArray]
    missed: tuple[str, ...]
    imprecise: float


class Conversion:
    """One conversion over a range of frames."""

    def __init__(
        self,
        played: PlayedAction,
        request: RootMotionRequest,
        bones: CarrierBones,
        key_range: KeyRange,
    ) -> None:
        self._played, self._request, self._key_range = played, request, key_range
        self._bones, self._root, self._body = bones, bones.root, bones.body
        self._armature = played.armature

    def run(self, curves: list[bpy.types.FCurve]) -> Steps[FoundRootMotion]:
        """Read the action, hand the travel on, and correct keys until the bones are where they were."""
        self._require_free_root()
        shown = yield from self._show({}, 0.0, 0.3, "reading the action")
        world = shown.parent @ shown.objects
        split_object_axes(self._armature, world[0])
        self._require_one_size(shown.objects)
        _, scale = split_object_axes(self._armature, world)
        carried = self._read_carried(shown, world)
        source = self._choose_source(carried, measure_bones(self._armature) * scale)
        handed = hand_travel(carried, self._request, source)
        changes = self._find_object_channels(shown, world, handed)
        goals = self._find_goals(shown, world, carried, handed)
        self._require_free_object(changes)
        keyed = {split_bone_path(curve.data_path)[0] for curve in curves}
        follows = needs_evaluation(self._armature)
        carriers = {name for name in (self._root, self._body) if name} | self._bones.controls
        fitted = FittedChannels(
            goals, list_keyable(self._armature, keyed, carriers, follows=follows), dict(changes)
        )
        missed, off = yield from self._correct(fitted, shown)
        fitted.changes = {key: v for key, v in fitted.changes.items() if key not in changes}
        fitted.drop_unchanged()
        if missed:
            # Without keys that changed nothing bones may be back.
            keys = {**changes, **fitted.changes}
            poses = yield from self._show(keys, 1.0, 1.0, "looking at all bones")
            missed = fitted.list_missed(poses.bones)
        names = self._check_missed(missed)
        is_seen = not names and off > ROOT_MOTION_WRITING.shown * goals.size
        return FoundRootMotion(
            self._played,
            self._request,
            source,
            self._bones,
            self._key_range,
            {**changes, **fitted.changes},
            names,
            off * scale if is_seen else 0.0,
        )

    def returns(self, changes: Mapping[Channel, FloatArray]) -> bool:
        """Whether all rotations to key end as they begin."""
        ends = {key: v[[0, -1]] for key, v in changes.items() if key[1] != "location"}
        return all(
            find_difference(name, v[:1], v[1:]) < ROOT_MOTION_WRITING.returned
            and (
                name != "rotation_euler" or np.abs(v[1] - v[0]).max() < ROOT_MOTION_WRITING.returned
            )
            for (_, name), v in ends.items()
        )

    def _correct(self, fitted: FittedChannels, shown: TriedPoses) -> Steps[tuple[list[int], float]]:
        """Rounds of correction; gives the bones that are still missed, and how far any is off."""
        rounds = ROOT_MOTION_WRITING.most_rounds
        poses = shown
        if fitted.changes:
            poses = yield from self._show(fitted.changes, 0.3, 0.4, "moving the object")
        for number in range(rounds):
            while not fitted.correct(poses.bones):
                missed = fitted.list_missed(poses.bones)
                if not missed or not fitted.key_above(missed, poses.bones):
                    return missed, self._measure_offset(fitted, poses)
            share = 0.4 + 0.6 * number / rounds
            text = "keeping the other bones where they are"
            poses = yield from self._show(fitted.changes, share, share + 0.6 / rounds, text)
        return fitted.list_missed(poses.bones), self._measure_offset(fitted, poses)

    def _measure_offset(self, fitted: FittedChannels, poses: TriedPoses) -> float:
        """How far a bone that deforms the body is off, armature units."""
        return fitted.goals.measure_offset(fitted.list_deforming(), poses.bones)

    def _show(
        self, changes: Mapping[Channel, FloatArray], start: float, end: float, text: str
    ) -> Steps[TriedPoses]:
        """Evaluate all frames in pieces."""
        frames, found = self._key_range.frames, []
        pieces = -(-len(frames) // ROOT_MOTION_WRITING.chunk)
        for number, part in enumerate(np.array_split(frames, pieces)):
            yield start + (end - start) * number / pieces, text
            found.append(show_poses(self._played, part, frames, changes))
        return TriedPoses(
            np.concatenate([piece.bones for piece in found]),
            np.concatenate([piece.objects for piece in found]),
            found[0].parent,
        )

    def _read_carried(self, shown: TriedPoses, world: FloatArray) -> CarriedBody:
        """Motions of object, root and body in world axes, metres."""
        out, into = world[0], np.linalg.inv(world[0])

        def read(name: str) -> RigidMotion:
            posed = shown.bones[:, self._armature.pose.bones.find(name)].astype(np.float64)
            rest = read_rest_matrix(self._armature, name)
            moved = out @ posed @ np.linalg.inv(rest) @ into
            return _make_motion(moved, (out @ rest)[:3, 3])

        root = read(self._root) if self._root else None
        moved = _make_motion(world @ into, out[:3, 3])
        return CarriedBody(moved, root, read(self._body), self._key_range.frames)

    def _choose_source(self, carried: CarriedBody, size: float) -> Carrier:
        """What has the travel."""
        request, action = self._request, self._played.action.name
        if request.source == "auto":
            found = find_traveller(carried, request, size)
            if found is None:
                raise TravelError(
                    f"nothing travels in {action!r} that could give its travel away: choose an action "
                    "that is not in place, or another To"
                )
            return found
        motion = carried.get(request.source)
        times = self._key_range.frames
        if motion is None or not travels(motion, times, request, size):
            what = {"object": "the object", "root": "the root bone", "body": "the body"}
            raise TravelError(
                f"{what[request.source]} of {self._armature.name!r} does not travel in {action!r}: "
                "choose another From, or an action that is not in place"
            )
        return request.source

    def _find_object_channels(
        self, shown: TriedPoses, world: FloatArray, handed: HandedTravel
    ) -> dict[Channel, FloatArray]:
        """Channels of the object that change."""
        wanted = np.linalg.inv(shown.parent) @ handed.object.matrices @ world[0]
        found = {}
        size = measure_bones(self._armature)
        before = compute_object_channels(self._armature, shown.objects)
        for name, values in compute_object_channels(self._armature, wanted).items():
            limit = ROOT_MOTION_WRITING.placed * (size if name == "location" else 1.0)
            if find_difference(name, before[name], values) > limit:
                found["", name] = values
        return found

    def _find_goals(
        self,
        shown: TriedPoses,
        world: FloatArray,
        carried: CarriedBody,
        handed: HandedTravel,
    ) -> BoneGoals:
        """Where the bones shall be, seen from the object as it will stand."""
        into, out = np.linalg.inv(world[0]), world[0]
        if handed.others is None:
            carry = invert_matrices(handed.object.matrices) @ carried.object.matrices
        else:
            carry = handed.others.matrices
        own = {}
        if carried.root is not None and handed.root is not None:
            index = self._armature.pose.bones.find(self._root)
            moved = handed.root.matrices @ invert_matrices(carried.root.matrices)
            own[index] = into @ moved @ out @ shown.bones[:, index]
        size = measure_bones(self._armature)
        return BoneGoals(self._armature, shown.bones, into @ carry @ out, own, size)

    def _require_free_root(self) -> None:
        """Refuse where keys of the root bone would not be seen."""
        holds = find_holds(self._armature)
        if self._root in holds and "root" in (self._request.source, self._request.target):
            raise RigError(
                f"the root bone {self._root!r} is moved by {holds[self._root]}, over its keys: mute it, "
                "or choose another Root Bone"
            )

    def _require_one_size(self, matrices: FloatArray) -> None:
        """Refuse where the object changes its size with time."""
        sizes = np.linalg.norm(matrices[:, :3, :3], axis=1)
        if np.abs(sizes / sizes[0] - 1.0).max() > ROOT_MOTION_WRITING.returned:
            raise RigError(
                f"{self._armature.name!r} changes its scale in {self._played.action.name!r}: take the "
                "keys of its scale away"
            )

    def _require_free_object(self, changes: Mapping[Channel, FloatArray]) -> None:
        """Refuse where keys of the object would not be seen."""
        holds = find_holds(self._armature)
        if changes and "" in holds:
            raise RigError(
                f"{self._armature.name!r} is moved by {holds['']}, over its keys: mute it, or choose "
                "another To"
            )

    def _check_missed(self, missed: list[int]) -> tuple[str, ...]:
        """Names of the bones that are not where they were; RigError where that is all of them."""
        names = tuple(self._armature.pose.bones[index].name for index in missed)
        if self._body in names:
            holds = find_holds(self._armature)
            reason = holds.get(self._body, "constraints or drivers")
            if not needs_evaluation(self._armature):
                reason = "the bones above it"
            raise RigError(
                f"the body {self._body!r} is moved by {reason} and cannot be kept where it is: mute it, "
                "or choose another Body"
            )
        return names


def _make_motion(matrices: FloatArray, rest: FloatArray) -> RigidMotion:
    """The rigid part of matrices (N, 4, 4) that move a point (3,)."""
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(matrices[:, :3, :3]))
    places = matrices[:, :3, :3] @ rest + matrices[:, :3, 3]
    return RigidMotion(np.asarray(rest), places, rot.unroll_quaternions(turns))
