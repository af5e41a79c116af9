# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a control is, told by how the joints went along with it (numpy only).

docs/method/controls.md, What each control does, has the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from .limits import PROBE
from .records import Found, LimbJoints
from .responses import BACK, DROP, LIFT, MOVES, TURN, Responses

Rank = Callable[[int], tuple[int, ...]]
"""Order of controls that do the same, by their number: the least is the best."""

_TURNS = (TURN, BACK)


def find_foot(responses: Responses, leg: LimbJoints, heads: FloatArray, rank: Rank) -> Found:
    """The control that takes an ankle along, while the hip stays and the knee gives.

    Parameters
    ----------
    responses, leg
        What moved.
    heads
        Places of the joints before, shape (T, 3).
    rank
        Order of those that do the same.

    Returns
    -------
    Found
        With the share of the ankle's place alone: whether it turns with it is `share_ankle_turns`.
    """
    places = responses.share_places(LIFT)[:, leg.ankle]
    shifts = responses.measure_shifts(LIFT)
    stays = shifts[:, leg.joints[0]] < PROBE.still
    for other in (*leg.others, leg.body):
        stays &= (shifts[:, other] < PROBE.still) | (other == leg.ankle)
    if not leg.is_detached:
        stays &= _gives(responses, leg, heads)
    turns = responses.share_turns()[:, leg.ankle]
    taken = list(np.flatnonzero(stays & (places > PROBE.partly)))
    if not taken:
        return Found()
    best = min(
        taken,
        key=lambda i: (places[i] < PROBE.rigid, turns[i] < PROBE.rigid, *rank(i)),
    )
    return Found(int(best), float(places[best]))


def share_ankle_turns(responses: Responses, leg: LimbJoints) -> FloatArray:
    """How nearly the ankle turns with each control, shape (C,)."""
    return responses.share_turns()[:, leg.ankle]


def find_turner(responses: Responses, leg: LimbJoints, rank: Rank, without: int) -> Found:
    """The control that turns an ankle about itself, where the foot's control only shifts it."""
    turns = _share_bends(responses)[:, leg.ankle]
    turns[~_acts_on_leg_alone(responses, leg)] = 0.0
    for move in _TURNS:
        turns[responses.measure_shifts(move)[:, leg.ankle] > PROBE.still] = 0.0
        turns[responses.measure_turns(move)[:, leg.joints[0]] > PROBE.still] = 0.0
    if without >= 0:
        turns[without] = 0.0
    return _choose(turns, rank)


def find_toe(responses: Responses, leg: LimbJoints, rank: Rank, without: Iterable[int]) -> Found:
    """The control that turns a toe and leaves the ankle."""
    if leg.toe is None or leg.toe == leg.ankle:
        return Found()
    shares = _share_bends(responses)[:, leg.toe]
    shares[~_acts_on_leg_alone(responses, leg)] = 0.0
    for move in _TURNS:
        shares[responses.measure_shifts(move)[:, leg.ankle] > PROBE.still] = 0.0
        shares[responses.measure_turns(move)[:, leg.ankle] > PROBE.still] = 0.0
    shares[list(without)] = 0.0
    return _choose(shares, rank)


def find_rolls(
    responses: Responses, leg: LimbJoints, heads: FloatArray, foot: int, tied: Set[int]
) -> list[int]:
    """Controls that turn a foot about a point of its sole, and leave the hip.

    Parameters
    ----------
    responses, leg
        What moved.
    heads
        Places of the joints before, shape (T, 3).
    foot
        Number of the foot's control.
    tied
        Numbers of the controls that go along with it. Others that take the foot along when they are
        shifted are foot controls themselves, and no rolls.
    """
    found = np.zeros(len(responses.controls), dtype=bool)
    for move in (TURN, BACK, LIFT, DROP):
        turned = responses.measure_turns(move)[:, leg.ankle]
        shifted = rot.lengths(responses.shifts[:, move, leg.ankle])
        away = shifted / np.maximum(turned * PROBE.turn, 1e-9) / leg.length
        fits = (turned > PROBE.rolled) & (away > PROBE.pivot) & (away < PROBE.reach)
        fits &= responses.measure_shifts(move)[:, leg.joints[0]] < PROBE.still
        if not leg.is_detached:
            fits &= _measure_stretches(responses, leg, heads, move) < PROBE.stretched
            inner = responses.measure_shifts(move)[:, list(leg.joints[1:-1])]
            fits &= (inner > PROBE.noise).any(axis=1) | (len(leg.joints) < 3)
        found |= fits
    found &= _acts_on_leg_alone(responses, leg)
    is_tied = np.isin(np.arange(len(found)), list(tied))
    found &= is_tied | (responses.share_places(LIFT)[:, leg.ankle] < PROBE.partly)
    found[foot] = False
    return [int(i) for i in np.flatnonzero(found)]


def find_hock(responses: Responses, leg: LimbJoints, heads: FloatArray, rank: Rank) -> Found:
    """The control that turns the segment above the ankle about the ankle.

    As one piece with it, or at least about the hinge of the knee.
    """
    if len(leg.joints) < 4:
        return Found()
    above = leg.joints[-2]
    hinge, alone = _find_hinge(leg, heads), _acts_on_leg_alone(responses, leg)
    is_rigid = _share_bends(responses)[:, above] >= PROBE.rigid
    shares = np.zeros(len(responses.controls))
    for move in _TURNS:
        turned = responses.turns[:, move, above]
        aligned = np.abs(turned @ hinge) / np.maximum(rot.lengths(turned), 1e-9)
        fits = alone & _ankle_stays(responses, leg, move)
        fits &= is_rigid | (aligned > PROBE.aligned)
        fits &= responses.measure_shifts(move)[:, leg.joints[0]] < PROBE.still
        fits &= responses.measure_shifts(move)[:, above] > PROBE.still
        share = np.minimum(rot.lengths(turned) / PROBE.turn, 1.0)
        shares = np.maximum(shares, np.where(fits & (share > PROBE.rolled), share, 0.0))
    good = np.flatnonzero(shares)
    if not len(good):
        return Found()
    best = min(good, key=rank)
    return Found(int(best), float(shares[best]))


def find_pole(
    responses: Responses, leg: LimbJoints, heads: FloatArray, rank: Rank, without: Iterable[int]
) -> tuple[Found, bool]:
    """The control that swings a knee about the line from hip to ankle, and whether it is turned.

    The ankle stays where it is. A foot that hangs from the shin turns with it.
    """
    if len(leg.joints) < 3:
        return Found(), False
    line = rot.normalize(heads[leg.ankle] - heads[leg.joints[0]])
    arms = heads[list(leg.joints[1:-1])] - heads[leg.joints[0]]
    arms = arms - (arms @ line)[:, None] * line
    # Of three segments, the joint farthest off the line swings most.
    best = int(np.argmax(rot.lengths(arms)))
    arm, knee = arms[best], leg.joints[1 + best]
    across = np.cross(line, arm) / max(float(arm @ arm), 1e-30)
    alone = _acts_on_leg_alone(responses, leg)
    alone[list(without)] = False
    for moves, is_turned in (((LIFT, DROP), False), (_TURNS, True)):
        shares = np.zeros(len(responses.controls))
        for move in moves:
            shifts = responses.shifts[:, move, knee]
            swung = np.abs(shifts @ across)
            sideways = swung * float(np.linalg.norm(arm)) / np.maximum(rot.lengths(shifts), 1e-30)
            felt = (swung > PROBE.felt * PROBE.turn) & (sideways > PROBE.aligned)
            felt &= alone & (responses.measure_shifts(move)[:, leg.ankle] < PROBE.still)
            felt &= responses.measure_shifts(move)[:, leg.joints[0]] < PROBE.still
            felt &= _measure_stretches(responses, leg, heads, move) < PROBE.still
            shares = np.maximum(shares, np.where(felt, swung / PROBE.turn, 0.0))
        good = np.flatnonzero(shares)
        if len(good):
            best = min(good, key=rank)
            return Found(int(best), float(min(shares[best], 1.0))), is_turned
    return Found(), False


def find_chain(
    responses: Responses, leg: LimbJoints, rank: Rank, *, with_toe: bool
) -> tuple[Found, ...]:
    """The controls that turn hip .. ankle one by one, and the toe; fewer where one is missing."""
    shares = responses.share_swings()
    # Feet and toes turn wholly; above them only the way to the next joint counts.
    ends = [leg.ankle, *(() if leg.toe is None else (leg.toe,))]
    shares[:, ends] = _share_bends(responses)[:, ends]
    shares[~_acts_on_leg_alone(responses, leg)] = 0.0
    line = list(leg.joints)
    if with_toe and leg.toe is not None and leg.toe not in line:
        line.append(leg.toe)
    found: list[Found] = []
    for place, joint in enumerate(line):
        below = [one for one in line[place:] if one in leg.joints or one == joint]
        share = shares[:, below].min(axis=1)
        for move in _TURNS:
            share[responses.measure_shifts(move)[:, joint] > PROBE.still] = 0.0
            for above in line[:place]:
                share[responses.measure_turns(move)[:, above] > PROBE.still] = 0.0
        share[[one.control for one in found]] = 0.0
        one = _choose(share, rank)
        if not one:
            break
        found.append(one)
    return tuple(found)


def find_body(
    responses: Responses, legs: tuple[LimbJoints, ...], upper: list[int], rank: Rank
) -> Found:
    """The control that takes hips and upper body along, and planted feet not if any does so.

    Parameters
    ----------
    responses, legs
        What moved.
    upper
        Joints of the upper body.
    rank
        Order of those that do the same.
    """
    places = responses.share_places(DROP)
    shares = places[:, [legs[0].body, *(leg.joints[0] for leg in legs)]].min(axis=1)
    turns = responses.share_turns()[:, legs[0].body]
    whole = places[:, upper].mean(axis=1) if upper else np.ones(len(shares))
    feet = responses.measure_shifts(DROP)[:, [leg.ankle for leg in legs]].mean(axis=1)
    taken = np.flatnonzero((shares > PROBE.partly) & (whole > PROBE.whole_body))
    if not len(taken):
        return Found()
    best = min(
        taken,
        key=lambda i: (
            shares[i] < PROBE.rigid,
            feet[i] > PROBE.partly,
            turns[i] < PROBE.rigid,
            *rank(i),
        ),
    )
    return Found(int(best), float(shares[best]))


def find_root(responses: Responses, legs: tuple[LimbJoints, ...], body: int, rank: Rank) -> Found:
    """The control that takes everything along, feet as well."""
    places = responses.share_places(DROP)
    joints = [legs[0].body, *(leg.ankle for leg in legs)]
    shares = np.minimum(places[:, joints].min(axis=1), responses.share_turns()[:, joints].min(1))
    if body >= 0:
        shares[body] = 0.0
    return _choose(np.where(shares > PROBE.rigid, shares, 0.0), rank)


def find_turned(
    responses: Responses, joints: list[int], without: Iterable[int], rank: Rank
) -> dict[int, Found]:
    """The control that turns each of some joints and as few others as any.

    Parameters
    ----------
    responses
        What moved.
    joints
        Joints of the upper body, all of which count when a control is asked how many it turns.
    without
        Controls that are for something else.
    rank
        Order of those that do the same.
    """
    shares = responses.share_swings()
    shares[list(without)] = 0.0
    felt = np.maximum(responses.measure_turns(TURN), responses.measure_turns(BACK))
    reach = np.count_nonzero(felt[:, joints] > PROBE.still, axis=1)
    found = {}
    for joint in joints:
        one = _choose(shares[:, joint], lambda i: (int(reach[i]), *rank(i)))
        if one and one.share >= PROBE.rigid:
            found[joint] = one
    return found


def _choose(shares: FloatArray, rank: Rank) -> Found:
    """The best of the controls that do something nearly wholly, or in part if none does."""
    for least in (PROBE.rigid, PROBE.partly):
        good = np.flatnonzero(shares >= least)
        if len(good):
            best = min(good, key=rank)
            return Found(int(best), float(shares[best]))
    return Found()


def _share_bends(responses: Responses) -> FloatArray:
    """How nearly joints turn as controls do that can bend them, and not only twist, shape (C, T)."""
    return np.minimum(responses.share_turns(), responses.share_swings())


def _acts_on_leg_alone(responses: Responses, leg: LimbJoints) -> np.ndarray:
    """Which controls leave all joints but those of a leg, shape (C,)."""
    count = responses.shifts.shape[2]
    own = {*leg.joints, leg.ankle if leg.toe is None else leg.toe}
    beside = [joint for joint in range(count) if joint not in own]
    moved = [
        (responses.measure_shifts(move)[:, beside] > PROBE.still).any(axis=1)
        | (responses.measure_turns(move)[:, beside] > PROBE.still).any(axis=1)
        for move in range(MOVES)
    ]
    return np.asarray(~np.any(moved, axis=0))


def _ankle_stays(responses: Responses, leg: LimbJoints, move: int) -> np.ndarray:
    """Which controls leave the ankle where it is in a move, shape (C,)."""
    stays = responses.measure_shifts(move)[:, leg.ankle] < PROBE.still
    return np.asarray(stays & (responses.measure_turns(move)[:, leg.ankle] < PROBE.still))


def _measure_stretches(
    responses: Responses, leg: LimbJoints, heads: FloatArray, move: int
) -> FloatArray:
    """The most that a segment becomes longer or shorter in a move, in steps, shape (C,)."""
    joints = list(leg.joints)
    before = rot.lengths(np.diff(heads[joints], axis=0))
    after = rot.lengths(np.diff(heads[joints] + responses.shifts[:, move, joints], axis=1))
    return np.asarray(np.abs(after - before).max(axis=1) / responses.step)


def _gives(responses: Responses, leg: LimbJoints, heads: FloatArray) -> np.ndarray:
    """Which shifts make a leg bend, and do not pull one of its bones away, shape (C,).

    A joint between hip and ankle goes along, and not as one piece with the control.
    """
    inner = list(leg.joints[1:-1])
    if not inner:
        return _measure_stretches(responses, leg, heads, LIFT) < PROBE.stretched
    follows = responses.measure_shifts(LIFT)[:, inner] > PROBE.still
    rigid = responses.share_places(LIFT)[:, inner] >= PROBE.rigid
    return np.asarray(follows.any(axis=1) & ~(follows & rigid).any(axis=1))


def _find_hinge(leg: LimbJoints, heads: FloatArray) -> FloatArray:
    """Unit normal of the plane of a leg's joints, shape (3,)."""
    points = heads[list(leg.joints)]
    return np.asarray(np.linalg.svd(points - points.mean(axis=0))[2][-1])
