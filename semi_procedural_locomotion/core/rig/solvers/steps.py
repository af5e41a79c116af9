# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of each method, from coordinates and the way that the end shall go (numpy only).

The methods: docs/method/solvers.md, Methods. Steps that would leave a limit are taken without that
coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..limits import SOLVING
from .chains import (
    ANGLES,
    SLIDES,
    Chain,
    ChainPose,
    JointRanges,
    find_axes,
    find_jacobian,
    pose_chain,
)


class Task(NamedTuple):
    """What a step is made from.

    Attributes
    ----------
    chain, limits
        The chain, and what its joints may do.
    coordinates
        Where they are, shape (N, K, 6).
    pose
        The chain's pose there.
    targets
        Where the end shall be, metres, shape (N, 3).
    shares
        How much of the way to go at once, 0 to 1, shape (N,).
    """

    chain: Chain
    limits: JointRanges
    coordinates: FloatArray
    pose: ChainPose
    targets: FloatArray
    shares: FloatArray


Step = Callable[[Task], FloatArray]
_Invert = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def step_transpose(task: Task) -> FloatArray:
    """Down the slope of the squared distance, as far as that falls if the chain were straight lines."""
    return _step_by_jacobian(task, _transpose)


def step_pseudo_inverse(task: Task) -> FloatArray:
    """The least change that takes the end there if the chain were straight lines."""
    return _step_by_jacobian(task, _pseudo_invert)


def step_damped(task: Task) -> FloatArray:
    """The same, damped where joints can do little about it."""
    return _step_by_jacobian(task, _damp)


def _step_by_jacobian(task: Task, invert: _Invert) -> FloatArray:
    """New coordinates from the change of the end by each coordinate."""
    count = len(task.coordinates)
    before = task.coordinates.reshape(count, -1)
    axes = find_axes(task.pose, task.coordinates)
    jacobian = find_jacobian(task.pose, task.coordinates, axes)
    way = (task.targets - task.pose.positions[:, -1]) * task.shares[:, None]
    longest = SOLVING.longest_step * task.chain.lengths
    way = way * np.minimum(longest / np.maximum(rot.lengths(way), 1e-300), 1.0)[:, None]
    free = np.broadcast_to(task.limits.free.ravel(), before.shape)
    low, high = (
        bound.reshape(-1, before.shape[1]) for bound in (task.limits.lower, task.limits.upper)
    )
    after = before
    # What would leave its limit stays there, and the others are asked again.
    for _ in range(SOLVING.askings):
        change = invert(jacobian * free[:, None], way, task.chain.lengths)
        after = before + np.where(free, change, 0.0)
        kept = np.clip(after, low, high)
        held = (after != kept) & free
        after = kept
        if not np.any(held):
            break
        way = way - np.einsum("nij,nj->ni", jacobian, np.where(held, kept - before, 0.0))
        before_held = np.where(held, kept, before)
        free, before = free & ~held, before_held
    return after.reshape(task.coordinates.shape)


def _transpose(jacobian: FloatArray, way: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    """Change (N, C) by the transpose, of the length that is best for it."""
    change = np.einsum("nij,ni->nj", jacobian, way)
    moved = np.einsum("nij,nj->ni", jacobian, change)
    square = np.einsum("ni,ni->n", moved, moved)
    share = np.einsum("ni,ni->n", way, moved) / np.maximum(square, 1e-300)
    return share[:, None] * change


def _pseudo_invert(jacobian: FloatArray, way: FloatArray, lengths: FloatArray) -> FloatArray:  # noqa: ARG001
    """Change (N, C) by J^T (J J^T)^-1, with singular values that are next to nothing left out."""
    inverse = np.linalg.pinv(jacobian, rcond=SOLVING.singular)
    return np.asarray(np.einsum("nji,ni->nj", inverse, way))


def _damp(jacobian: FloatArray, way: FloatArray, lengths: FloatArray) -> FloatArray:
    """Change (N, C) by J^T (J J^T + d^2 I)^-1, damped by a share of what is left to go."""
    square = np.einsum("nij,nkj->nik", jacobian, jacobian)
    least = (SOLVING.least_damping * lengths) ** 2
    damping = SOLVING.damping * rot.lengths(way) * lengths + least
    square += damping[:, None, None] * np.eye(3)
    return np.asarray(
        np.einsum("nij,ni->nj", jacobian, np.linalg.solve(square, way[..., None])[..., 0])
    )


def step_ccd(task: Task) -> FloatArray:
    """Coordinate by coordinate from the end to the root, each as well as it alone can."""
    bones = range(task.coordinates.shape[1] - 1, -1, -1)
    return _aim_end(task, task.coordinates, bones)


def _aim_end(task: Task, coordinates: FloatArray, bones: Iterable[int]) -> FloatArray:
    """Turn some bones, one after the other, so that the end comes nearest to its target."""
    coordinates = coordinates.copy()
    pose = pose_chain(task.chain, coordinates)
    for bone in bones:
        for axis in np.flatnonzero(task.limits.free[bone]).tolist():
            direction = _find_axis(pose, coordinates, bone, axis)
            arm = pose.positions[:, -1] - pose.positions[:, bone]
            wanted = task.targets - pose.positions[:, bone]
            change = _aim(direction, arm, wanted, is_slide=axis >= SLIDES.start)
            coordinates[:, bone, axis] = np.clip(
                coordinates[:, bone, axis] + task.shares * change,
                task.limits.lower[..., bone, axis],
                task.limits.upper[..., bone, axis],
            )
            pose = pose_chain(task.chain, coordinates)
    return coordinates


def _find_axis(pose: ChainPose, coordinates: FloatArray, bone: int, axis: int) -> FloatArray:
    """World axis (N, 3) of one coordinate of a bone."""
    one = slice(bone, bone + 1)
    part = ChainPose(pose.rotations[:, one], pose.positions[:, one], pose.bases[:, one])
    return np.asarray(find_axes(part, coordinates[:, one])[:, 0, axis])


def _aim(direction: FloatArray, arm: FloatArray, wanted: FloatArray, is_slide: bool) -> FloatArray:
    """How far to turn about a direction, or to slide along it, so that an arm ends nearest to a place."""
    if is_slide:
        return rot.dot(direction, wanted - arm)
    flat = rot.dot(arm, wanted) - rot.dot(direction, arm) * rot.dot(direction, wanted)
    return np.asarray(np.arctan2(rot.dot(direction, rot.cross(arm, wanted)), flat))


def step_fabrik(task: Task) -> FloatArray:
    """Joints drawn to the target from the end, and back to the root, along the lines between them.

    Sliding joints stay where they are.
    """
    lengths = rot.lengths(task.chain.offsets)
    points = task.pose.positions.copy()
    last = points.shape[1] - 1
    points[:, last] += task.shares[:, None] * (task.targets - points[:, last])
    for joint in range(last - 1, 0, -1):
        away = rot.normalize(points[:, joint] - points[:, joint + 1])
        points[:, joint] = points[:, joint + 1] + lengths[:, joint, None] * away
    # On the way back each bone is turned to its next joint, about the axes that it has.
    coordinates = task.coordinates.copy()
    axes, place = task.chain.parents, task.chain.origins
    for bone in range(last):
        single = Chain(
            place, axes, task.chain.rests[bone : bone + 1], task.chain.offsets[:, bone : bone + 1]
        )
        own = coordinates[:, bone : bone + 1]
        posed = pose_chain(single, own)
        for axis in SOLVING.turnings * np.flatnonzero(task.limits.free[bone, ANGLES]).tolist():
            direction = find_axes(posed, own)[:, 0, axis]
            head = posed.positions[:, 0]
            change = _aim(
                direction, posed.positions[:, 1] - head, points[:, bone + 1] - head, is_slide=False
            )
            own[:, 0, axis] = np.clip(
                own[:, 0, axis] + change,
                task.limits.lower[..., bone, axis],
                task.limits.upper[..., bone, axis],
            )
            posed = pose_chain(single, own)
        axes, place = posed.rotations[:, 0], posed.positions[:, 1]
    # Lines know no twist: where hinges do not follow them, the whole chain is turned.
    return _aim_end(task, coordinates, (0,))


METHODS: Mapping[str, Step] = {
    "transpose": step_transpose,
    "pseudo_inverse": step_pseudo_inverse,
    "damped": step_damped,
    "ccd": step_ccd,
    "fabrik": step_fabrik,
}
