# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of any number of joints: one number bends or straightens all inner joints (numpy only)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .ik import (
    LegSolution,
    aim_segment,
    find_normals,
    find_reach,
    remove_component,
    solve_two_bone,
    stack_joints,
)
from .limits import BENDS


class _Chain(NamedTuple):
    """Segments, inner axes (unit), inner bends and how they share a fold, joints on the first axis."""

    segments: FloatArray
    axes: FloatArray
    bends: FloatArray
    folds: FloatArray

    def select(self, rows: NDArray[np.intp]) -> _Chain:
        """The chain of some frames only."""
        return _Chain(*(part[:, rows] for part in self))


def solve_leg(
    points: FloatArray,
    rotations: FloatArray,
    targets: FloatArray,
    rest_hinge: FloatArray,
    swivel: ArrayLike = 0.0,
    most_bends: FloatArray | None = None,
    is_soft: bool = True,
) -> LegSolution:
    """A leg of any number of joints brought to its ankle target.

    Parameters
    ----------
    points
        Joints hip .. ankle of the clip's pose, world, metres, shape (N, K, 3), K >= 2.
    rotations
        World rotations of the bones hip .. shin in that pose, shape (N, K - 1, 4).
    targets
        Where the ankle shall be, world, metres, shape (N, 3).
    rest_hinge
        World direction of thigh x shin for a leg too straight to tell, shape (3,) or (N, 3).
    swivel
        Turn about the line from hip to target, radians, shape () or (N,).
    most_bends
        How far the leg's own motions bend each inner joint, radians, shape (K - 2,); None where that
        is not known.
    is_soft
        Whether the last of the leg's length is approached softly, see `find_reach`.

    Returns
    -------
    LegSolution
        From `aim_segment`, `solve_two_bone` or `solve_chain`, as the number of joints wants.
    """
    joints = np.shape(points)[1]
    if joints == 2:
        return aim_segment(points, rotations, targets, swivel)
    if joints == 3:
        return solve_two_bone(points, rotations, targets, rest_hinge, swivel, is_soft)
    return solve_chain(points, rotations, targets, rest_hinge, swivel, most_bends, is_soft)


def measure_bends(points: FloatArray) -> FloatArray:
    """Angles by which the inner joints of legs bend, radians, shape (N, K - 2).

    Parameters
    ----------
    points
        Joints hip .. ankle, metres, shape (N, K, 3).
    """
    directions = rot.normalize(np.diff(points, axis=1))
    sines = rot.lengths(rot.cross(directions[:, :-1], directions[:, 1:]))
    return np.arctan2(sines, rot.dot(directions[:, :-1], directions[:, 1:]))


def solve_chain(
    points: FloatArray,
    rotations: FloatArray,
    targets: FloatArray,
    rest_hinge: FloatArray,
    swivel: ArrayLike = 0.0,
    most_bends: FloatArray | None = None,
    is_soft: bool = True,
) -> LegSolution:
    """A leg of three joints or more bent by one number s.

    Every bend angle b becomes s b for s <= 1 and b + (s - 1) max(f, least fold) for s > 1, up to
    the most that a joint folds, where f is what its own motions bend it further, or b where that is
    not known; s is found so that hip and ankle are as far apart as the target asks, 1 exactly where
    they are already. Then the whole leg is turned. See docs/method/rig.md, Chains of bones.

    Parameters and result are those of `solve_leg` with K >= 3.
    """
    count, joints = np.shape(points)[:2]
    if joints < 3 or np.shape(rotations) != (count, joints - 1, 4):
        raise ValueError(
            "a chain needs K >= 3 points and K - 1 rotations, got "
            f"{np.shape(points)} and {np.shape(rotations)}"
        )
    chain = _describe_chain(points, rest_hinge, most_bends)
    lengths = np.sum(rot.lengths(chain.segments), axis=0)
    folded = _find_limits(chain)
    shortest = _find_distances(chain, folded)
    reach = find_reach(points, targets, lengths, shortest, swivel, is_soft)
    amounts = _find_amounts(chain, reach.own_distances, reach.distances, lengths, folded)
    turns, bent = _bend(chain, amounts)

    ends = bent[-1]
    end_lengths = rot.lengths(ends)
    directions = np.where(
        (end_lengths > BENDS.tolerance * lengths)[:, None],
        rot.normalize(ends),
        reach.own_directions,
    )
    whole = rot.quaternions_from_arcs(directions, reach.directions)
    whole = rot.multiply(rot.quaternions_from_axis_angles(reach.directions, swivel), whole)
    hip = points[:, 0]
    positions = [hip] + [hip + rot.rotate(whole, point) for point in bent]
    solved = [
        rot.multiply(rot.multiply(whole, turn), rotations[:, i]) for i, turn in enumerate(turns)
    ]
    return LegSolution(
        stack_joints(solved), stack_joints(positions), rot.lengths(targets - positions[-1])
    )


def _describe_chain(
    points: FloatArray, rest_hinge: FloatArray, most_bends: FloatArray | None
) -> _Chain:
    """Segments, hinge axes and bend angles; the rest hinge decides for straight joints."""
    segments = np.moveaxis(np.diff(points, axis=1), 1, 0)
    directions = rot.normalize(segments)
    bend = rot.cross(directions[:-1], directions[1:])
    sine = rot.lengths(bend)
    bends = np.arctan2(sine, rot.dot(directions[:-1], directions[1:]))
    axes = []
    for joint in range(len(bend)):
        rest = remove_component(rest_hinge, directions[joint])
        # The stored hinge is that of the first inner joint; a later joint may bend the other way
        # and shows so by what bend it has.
        along = rot.dot(bend[joint], rest)
        sign = np.where((along < 0) & (joint > 0), -1.0, 1.0)[:, None]
        unsure = np.clip(1.0 - sine[joint] / BENDS.sure_in_chain, 0.0, 1.0)[:, None]
        axis = bend[joint] * (1.0 - unsure) + sign * rot.normalize(rest) * (
            unsure * BENDS.sure_in_chain
        )
        lost = rot.lengths(axis) < BENDS.tolerance
        axis = np.where(lost[:, None], find_normals(directions[joint]), axis)
        axes.append(rot.normalize(axis))
    room = bends if most_bends is None else np.reshape(most_bends, (-1, 1)) - bends
    return _Chain(segments, np.stack(axes), bends, np.maximum(room, BENDS.least_fold))


def _find_bend_changes(chain: _Chain, amounts: FloatArray) -> FloatArray:
    """Changes of all bends for amounts s, shape (K - 2, N)."""
    pace = np.where(amounts > 1.0, chain.folds, chain.bends)
    own = np.minimum(amounts - 1.0, 1.0) * pace
    beyond = BENDS.fold_beyond * np.maximum(amounts - 2.0, 0.0)
    room = np.maximum(BENDS.most - chain.bends, 0.0)
    return np.asarray(np.minimum(own + beyond, room))


def _bend(chain: _Chain, amounts: FloatArray) -> tuple[list[FloatArray], list[FloatArray]]:
    """Turns of all bones and places of all joints but the hip (relative to it) for amounts s."""
    changes = _find_bend_changes(chain, amounts)
    turn = np.broadcast_to(rot.IDENTITY, (len(amounts), 4))
    turns, places = [turn], [chain.segments[0]]
    for axis, change, segment in zip(chain.axes, changes, chain.segments[1:], strict=True):
        turn = rot.multiply(turn, rot.quaternions_from_axis_angles(axis, change))
        turns.append(turn)
        places.append(places[-1] + rot.rotate(turn, segment))
    return turns, places


def _find_distances(chain: _Chain, amounts: FloatArray) -> FloatArray:
    """Distances from hip to ankle for amounts s, metres, shape (N,)."""
    return _find_ends(chain, _find_bend_changes(chain, amounts))


def _find_ends(chain: _Chain, changes: FloatArray) -> FloatArray:
    """Distances from hip to ankle after changes (K - 2, N) of all bends, metres, shape (N,)."""
    # From the ankle up, so that no turns have to be joined: `_bend` asks for all joints.
    end = chain.segments[-1]
    for joint in reversed(range(len(chain.axes))):
        turn = rot.quaternions_from_axis_angles(chain.axes[joint], changes[joint])
        end = chain.segments[joint] + rot.rotate(turn, end)
    return rot.lengths(end)


def _find_limits(chain: _Chain) -> FloatArray:
    """Amounts s of the strongest folding: until the first or the last joint meets its limit."""
    room = np.maximum(BENDS.most - chain.bends, 0.0)
    limits = 1.0 + np.where(
        room < chain.folds, room / chain.folds, 1.0 + (room - chain.folds) / BENDS.fold_beyond
    )
    first, last = np.min(limits, axis=0), np.max(limits, axis=0)
    # Where bends of opposite sense meet, folding on may lengthen the chain again.
    shorter = _find_distances(chain, first) <= _find_distances(chain, last)
    return np.where(shorter, first, last)


def _find_amounts(
    chain: _Chain,
    own_distances: FloatArray,
    distances: FloatArray,
    lengths: FloatArray,
    folded: FloatArray,
) -> FloatArray:
    """Amounts s that give the distances, by the Illinois variant of the secant method.

    Each frame stops by itself, so a result does not depend on the frames solved beside it.
    """
    amounts = np.ones_like(distances)
    miss = own_distances - distances
    tolerance = BENDS.tolerance * lengths
    # A positive miss is a chain too long. It is `long` at the straighter end of the bracket.
    too_long = miss > 0
    straight, bent = np.where(too_long, 1.0, 0.0), np.where(too_long, folded, 1.0)
    long = np.where(too_long, miss, _find_distances(chain, straight) - distances)
    short = np.where(too_long, _find_distances(chain, folded) - distances, miss)
    rows = np.flatnonzero(np.abs(miss) > tolerance)
    side = np.zeros(len(miss))
    for _ in range(BENDS.most_tries):
        if len(rows) == 0:
            break
        s0, s1, f0, f1 = straight[rows], bent[rows], long[rows], short[rows]
        spread = f0 - f1
        safe = np.where(np.abs(spread) > 0, spread, 1.0)
        guess = np.clip(s0 + (s1 - s0) * f0 / safe, s0, s1)
        found = _find_distances(chain.select(rows), guess) - distances[rows]
        amounts[rows] = guess
        positive, before = found > 0, side[rows]
        straight[rows] = np.where(positive, guess, s0)
        bent[rows] = np.where(positive, s1, guess)
        long[rows] = np.where(positive, found, np.where(before < 0, 0.5 * f0, f0))
        short[rows] = np.where(positive, np.where(before > 0, 0.5 * f1, f1), found)
        side[rows] = np.where(positive, 1.0, -1.0)
        rows = rows[np.abs(found) > tolerance[rows]]
    return amounts
