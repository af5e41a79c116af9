# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs bent to reach their ankle targets while keeping the clip's own bend (numpy only).

A solver gets the leg as the clip poses it, hip already where it shall be, and returns the pose
that is nearest in kind: the same plane of bending, turned along with the line from hip to ankle. A
target at the clip's own ankle gives the clip's own pose back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import BENDS
from .reach import soften_distances


class LegSolution(NamedTuple):
    """A solved leg of K joints.

    Attributes
    ----------
    rotations
        World rotations of the bones hip .. shin, shape (N, K - 1, 4).
    positions
        World positions of the joints hip .. ankle, metres, shape (N, K, 3).
    unreached
        Distance between the ankle and its target, metres, shape (N,).
    """

    rotations: FloatArray
    positions: FloatArray
    unreached: FloatArray


class Reach(NamedTuple):
    """Where a leg points and how long it gets.

    Attributes
    ----------
    own_directions, directions
        Unit vectors from hip to ankle in the clip's pose and in the solved one, shape (N, 3).
    own_distances, distances
        Metres from hip to ankle likewise, shape (N,).
    turn
        Rotation of the whole leg from the one to the other, swivel included, shape (N, 4).
    """

    own_directions: FloatArray
    directions: FloatArray
    own_distances: FloatArray
    distances: FloatArray
    turn: FloatArray


def solve_two_bone(
    points: FloatArray,
    rotations: FloatArray,
    targets: FloatArray,
    rest_hinge: FloatArray,
    swivel: ArrayLike = 0.0,
    is_soft: bool = True,
) -> LegSolution:
    """Thigh and shin that bring the ankle to its target, by the law of cosines.

    Both bones keep their roll about themselves relative to the hinge: each is turned by the
    shortest arc to its new direction and then twisted until the clip's hinge meets the new one
    (docs/method/rig.md, Two bones).

    Parameters
    ----------
    points
        Hip, knee and ankle of the clip's pose, world, metres, shape (N, 3, 3).
    rotations
        World rotations of thigh and shin in that pose, shape (N, 2, 4).
    targets
        Where the ankle shall be, world, metres, shape (N, 3).
    rest_hinge
        World direction of thigh x shin for a leg too straight to tell, shape (3,) or (N, 3).
    swivel
        Turn of the knee about the line from hip to target, radians, shape () or (N,).
    is_soft
        Whether the last of the leg's length is approached softly, see `find_reach`.

    Returns
    -------
    LegSolution
    """
    _check_shapes(points, rotations, targets, joints=3)
    hip = points[:, 0]
    thigh, shin = points[:, 1] - hip, points[:, 2] - points[:, 1]
    upper, lower = rot.lengths(thigh), rot.lengths(shin)
    shortest = measure_folded(upper, lower)
    reach = find_reach(points, targets, upper + lower, shortest, swivel, is_soft)
    tiny = np.finfo(float).tiny
    straight = (reach.distances**2 - upper**2 - lower**2) / np.maximum(2.0 * upper * lower, tiny)
    bends = np.arccos(np.clip(straight, -1.0, 1.0))
    hinge = _find_hinges(rot.normalize(thigh), rot.normalize(shin), rest_hinge, reach, bends)
    new_hinge = rot.rotate(reach.turn, hinge)

    cosine = (upper**2 + reach.distances**2 - lower**2) / np.maximum(
        2.0 * upper * reach.distances, tiny
    )
    cosine = np.clip(cosine, -1.0, 1.0)
    sine = np.sqrt(1.0 - cosine * cosine)
    side = rot.cross(new_hinge, reach.directions)
    new_thigh = cosine[:, None] * reach.directions - sine[:, None] * side
    knee = hip + upper[:, None] * new_thigh
    ankle = hip + reach.distances[:, None] * reach.directions
    new_shin = rot.normalize(ankle - knee)
    turns = (
        _turn_frames(rot.normalize(thigh), hinge, new_thigh, new_hinge),
        _turn_frames(rot.normalize(shin), hinge, new_shin, new_hinge),
    )
    return LegSolution(
        stack_joints([rot.multiply(turn, rotations[:, i]) for i, turn in enumerate(turns)]),
        stack_joints([hip, knee, ankle]),
        rot.lengths(targets - ankle),
    )


def measure_folded(upper: FloatArray, lower: FloatArray) -> FloatArray:
    """Distance from hip to ankle of two bones of these lengths folded as far as they go, metres."""
    return np.asarray(np.sqrt(upper**2 + lower**2 + 2.0 * upper * lower * np.cos(BENDS.most)))


def aim_segment(
    points: FloatArray, rotations: FloatArray, targets: FloatArray, swivel: ArrayLike = 0.0
) -> LegSolution:
    """The only segment of a leg turned towards its target; its length does not change.

    Parameters are those of `solve_two_bone` with shapes (N, 2, 3), (N, 1, 4), (N, 3) and (N,).
    """
    _check_shapes(points, rotations, targets, joints=2)
    length = rot.lengths(points[:, 1] - points[:, 0])
    reach = find_reach(points, targets, length, length, swivel)
    ankle = points[:, 0] + length[:, None] * reach.directions
    return LegSolution(
        stack_joints([rot.multiply(reach.turn, rotations[:, 0])]),
        stack_joints([points[:, 0], ankle]),
        rot.lengths(targets - ankle),
    )


def find_reach(
    points: FloatArray,
    targets: FloatArray,
    leg_lengths: FloatArray,
    shortest: FloatArray,
    swivel: ArrayLike,
    is_soft: bool = True,
) -> Reach:
    """Direction and distance from hip to ankle that a leg takes for a target.

    Parameters
    ----------
    points
        Joints hip .. ankle of the clip's pose, world, metres, shape (N, K, 3).
    targets
        World, metres, shape (N, 3).
    leg_lengths
        Sums of the segments, metres, shape (N,).
    shortest
        Distance of the leg folded as far as it goes, metres, shape (N,).
    swivel
        Turn about the line from hip to target, radians, shape () or (N,).
    is_soft
        Whether distances are softened beyond the comfortable reach; else they end at the leg's length.

    Returns
    -------
    Reach
        Its distances are not below the shortest, unless the clip itself is folded further.
    """
    hip = points[:, 0]
    own, asked = points[:, -1] - hip, targets - hip
    own_distances, asked_distances = rot.lengths(own), rot.lengths(asked)
    tiny = BENDS.no_direction * leg_lengths
    first = rot.normalize(points[:, 1] - hip)
    own_directions = np.where((own_distances > tiny)[:, None], rot.normalize(own), first)
    directions = np.where((asked_distances > tiny)[:, None], rot.normalize(asked), own_directions)
    if is_soft:
        distances = soften_distances(asked_distances, own_distances, leg_lengths)
    else:
        distances = np.minimum(asked_distances, leg_lengths)
    distances = np.maximum(distances, np.minimum(shortest, own_distances))
    turn = rot.quaternions_from_arcs(own_directions, directions)
    turn = rot.multiply(rot.quaternions_from_axis_angles(directions, swivel), turn)
    return Reach(own_directions, directions, own_distances, distances, turn)


def stack_joints(per_joint: list[FloatArray]) -> FloatArray:
    """Arrays (N, C) of each joint joined to (N, K, C) with component-major storage."""
    return np.moveaxis(np.stack([np.moveaxis(a, -1, 0) for a in per_joint], axis=-1), 0, -1)


def remove_component(vectors: ArrayLike, directions: FloatArray) -> FloatArray:
    """``vectors`` (N, 3) or (3,) without their part along unit ``directions`` (N, 3)."""
    return np.asarray(vectors) - rot.dot(vectors, directions)[:, None] * directions


def _find_hinges(
    thigh: FloatArray,
    shin: FloatArray,
    rest_hinge: FloatArray,
    reach: Reach,
    bends: FloatArray,
) -> FloatArray:
    """Unit hinges normal to hip-ankle: from the bend where it is clear, else the rest hinge.

    What ``bends`` (N,) in radians are beyond the leg's own is bent about the rest hinge, unless the own
    bend tells its plane.
    """
    bend = rot.cross(thigh, shin)
    rest = rot.normalize(remove_component(rest_hinge, thigh))
    sines = rot.lengths(bend)
    unsure = np.clip(1.0 - sines / BENDS.sure, 0.0, 1.0)[:, None]
    mixed = bend * (1.0 - unsure) + rest * (unsure * BENDS.sure)
    own = np.arctan2(sines, rot.dot(thigh, shin))
    slight = 1.0 - rot.step_cubic((own - BENDS.slight) / (BENDS.clear - BENDS.slight))
    further = np.sqrt(np.maximum(bends * bends - own * own, 0.0)) * slight
    mixed = rot.normalize(mixed) * own[:, None] + rest * further[:, None]
    hinge = remove_component(mixed, reach.own_directions)
    lost = rot.lengths(hinge) < BENDS.no_direction
    if np.any(lost):
        hinge = np.where(lost[:, None], find_normals(reach.own_directions), hinge)
    return rot.normalize(hinge)


def find_normals(directions: FloatArray) -> FloatArray:
    """Some unit vectors normal to unit ``directions`` (N, 3)."""
    axis = np.eye(3)[np.argmin(np.abs(directions), axis=-1)]
    return rot.normalize(rot.cross(directions, axis))


def _turn_frames(
    directions: FloatArray, hinges: FloatArray, new_directions: FloatArray, new_hinges: FloatArray
) -> FloatArray:
    """Rotations (N, 4) taking bone directions to new ones and hinges nearest to the new ones."""
    arc = rot.quaternions_from_arcs(directions, new_directions)
    carried = rot.rotate(arc, hinges)
    angle = np.arctan2(
        rot.dot(rot.cross(carried, new_hinges), new_directions), rot.dot(carried, new_hinges)
    )
    return rot.multiply(rot.quaternions_from_axis_angles(new_directions, angle), arc)


def _check_shapes(
    points: FloatArray, rotations: FloatArray, targets: FloatArray, joints: int
) -> None:
    """Refuse arrays that do not belong to a leg of so many joints."""
    count = len(points)
    for name, array, shape in (
        ("points", points, (count, joints, 3)),
        ("rotations", rotations, (count, joints - 1, 4)),
        ("targets", targets, (count, 3)),
    ):
        if np.shape(array) != shape:
            raise ValueError(f"{name} must have shape {shape}, got {np.shape(array)}")
