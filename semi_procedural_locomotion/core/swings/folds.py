# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet kept out of the way of a leg that cannot fold any further (numpy only).

Where the hips are carried low or the ground rises steeply, a foot that the motion lifts high would
come too near to its hip. It is let down as far as what lies under it allows; where that is not
enough, a foot that hangs with its heel up is turned flat, as an ankle would be flexed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.footpoints import compute_sole_points, compute_sole_weights
from ..rig.ik_chain import measure_shortest
from ..times.source import SourcePoses
from .feet import FootTargets, soften_excess
from .flight import shape_bump
from .planning import LegSwings

# A leg may fold to this share of its motions' own least reach; the limit is rounded over this share
# of the leg. Two bones may always fold to the last share.
_FOLD_SHARE = 0.9
_FOLD_WIDTH = 0.04
_FOLDED = 0.28
_TWO_BONE_JOINTS = 3
# A swing keeps the rest of its height in any case.
_MOST_DROP = 0.65
# A leg folds at least this much less than it could, share of its length; legs longer than the other
# share are not looked at.
_FOLD_MARGIN, _LOOKED_AT = 0.015, 0.8
# Nor does turning its foot flat stretch a leg beyond this share of its length, or by more than this
# where it is stretched already.
_LONGEST, _STRETCH = 0.97, 0.001
# Bisections of the share by which a foot is turned flat: exact to a hundredth of a degree.
_BISECTIONS = 13
# Shares of the flight, or of the roll from lift to land, over which a foot is turned flat and back, and
# where near the ends a swing counts with at least this share of its middle.
_FLEX_SHARES = (0.25, 0.35, 0.5, 0.7)
_FLEX_FLOOR = 0.15
# What is left over counts so much against a calmer curve.
_UNMET_COST = 20.0
_PASSES = 4
_ACROSS, _BALL = np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 0.0])
# Shares of the flight after which a foot no longer turns about what bore it, and before the strike.
_RELEASED = 0.3


@dataclass(frozen=True)
class AnkleFlexes:
    """How far the foot is turned flat in each swing of one leg, K steps.

    Attributes
    ----------
    amounts
        Share of the foot's pitch that is taken out in the middle, 0 to 1, shape (K,).
    rises, falls
        Shares of the time over which it is turned flat and back, shape (K,).
    early
        Whether that time is the foot's roll, from lift to land, and not only its flight, shape (K,).
    """

    amounts: FloatArray
    rises: FloatArray
    falls: FloatArray
    early: np.ndarray

    @classmethod
    def none(cls, count: int) -> AnkleFlexes:
        """Feet of ``count`` steps left as they are."""
        half = np.full(count, 0.5)
        return cls(np.zeros(count), half, half.copy(), np.zeros(count, dtype=bool))

    def read(self, steps: np.ndarray, spans: FloatArray) -> FloatArray:
        """Shares of the pitch taken out in steps (N,) at shares of flight and roll (N, 2), (N,)."""
        steps = np.minimum(steps, len(self.amounts) - 1)
        passed = np.where(self.early[steps], spans[:, 1], spans[:, 0])
        return self.amounts[steps] * shape_bump(passed, self.rises[steps], self.falls[steps])

    def choose(
        self, steps: np.ndarray, spans: FloatArray, needed: FloatArray, most: FloatArray
    ) -> None:
        """Choose for each step the calmest curve that has what is needed, and not more than most.

        All arrays are over instants (n,) of all steps that are to be changed; ``spans`` (n, 2) as for
        `read`.
        """
        best = np.full(len(self.amounts), np.inf)
        for early, rise, fall in product((False, True), _FLEX_SHARES, _FLEX_SHARES):
            shape = shape_bump(spans[:, int(early)], np.array(rise), np.array(fall))
            amounts, ceilings = np.zeros(len(best)), np.ones(len(best))
            np.maximum.at(amounts, steps, needed / np.maximum(shape, _FLEX_FLOOR))
            np.minimum.at(ceilings, steps, most / np.maximum(shape, 1e-9))
            amounts = np.minimum(amounts, ceilings)
            unmet = np.zeros(len(best))
            np.maximum.at(unmet, steps, needed - amounts[steps] * shape)
            cost = amounts * (1.0 / rise + 1.0 / fall) + _UNMET_COST * unmet
            better = (cost < best - 1e-9) & (amounts > 0)
            best[better] = cost[better]
            self.amounts[better] = amounts[better]
            self.rises[better], self.falls[better], self.early[better] = rise, fall, early


def limit_folds(
    tables: MotionTables,
    states: StepStates,
    swings: tuple[LegSwings, ...],
    targets: FootTargets,
    hips: FloatArray,
) -> FootTargets:
    """Swinging feet let down where the leg would have to fold further than it can.

    A leg may fold as far as its motions fold it, and a little further, or to a fixed share of its
    length.

    Parameters
    ----------
    tables, states, swings
        The motions and the steps.
    targets
        The feet.
    hips
        World positions of the hip joints, metres, shape (N, L, 3).
    """
    least = _find_least_distances(tables)
    away = targets.ankles - hips
    reach = rot.lengths(away)
    # The lowest point of the sphere about the hip below which the foot has to stay.
    level = np.sqrt(np.maximum(least * least - away[..., 0] ** 2 - away[..., 1] ** 2, 0.0))
    width = _FOLD_WIDTH * tables.rig.leg_length
    near = reach < least + width
    if not np.any(near):
        return targets
    drop = soften_excess(away[..., 2] + level, np.full_like(level, width))
    rooms = np.stack(
        [
            leg.lifts.read_rooms(
                np.minimum(states.steps[:, i], len(leg.lifts.rooms) - 1), states.flight[:, i]
            )
            for i, leg in enumerate(swings)
        ],
        axis=1,
    )
    most = np.minimum(_MOST_DROP * targets.heights, rooms)
    drop = np.where(near, np.minimum(drop, most), 0.0)
    shift = drop[..., None] * rot.UP
    return replace(
        targets,
        ankles=targets.ankles - shift,
        footbases=targets.footbases - shift,
        heights=targets.heights - drop,
    )


def _find_least_distances(tables: MotionTables) -> FloatArray:
    """How near each ankle may come to its hip, metres, shape (L,)."""
    lengths = np.array([leg.length for leg in tables.small_rig.legs])
    own = _FOLD_SHARE * tables.leg_cycles.least_reaches.min(axis=0)
    # Two bones fold up freely; the bends of longer chains may be opposed and shorten it little.
    chains = np.array([len(leg.joints) > _TWO_BONE_JOINTS for leg in tables.small_rig.legs])
    return np.where(chains, own, np.minimum(own, _FOLDED * lengths))


def plan_flexes(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    counts: Sequence[int],
    targets: FootTargets,
    hips: FloatArray,
) -> tuple[AnkleFlexes, ...]:
    """How far the foot has to be turned flat in each swing for its leg to fold enough.

    Parameters
    ----------
    tables, source, states
        The motions, the blended poses and the steps at the times of the plan's grid, G of them.
    counts
        Number of steps of each leg.
    targets
        The feet there, already let down by `limit_folds`.
    hips
        World positions of the hip joints, metres, shape (G, L, 3).
    """
    return tuple(
        _plan_leg_flexes(tables, source, states, count, targets, hips[:, index], index)
        for index, count in enumerate(counts)
    )


def _plan_leg_flexes(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    count: int,
    targets: FootTargets,
    hips: FloatArray,
    index: int,
) -> AnkleFlexes:
    """The flexes of one leg, whose hip is at (G, 3)."""
    flexes = AnkleFlexes.none(count)
    leg, poses, steps = tables.small_rig.legs[index], source.legs, states.steps[:, index]
    joints = np.array(leg.joints, dtype=np.intp)
    rolling = _find_rolling(states, index) & (len(joints) > 2)
    reach = rot.lengths(targets.ankles[:, index] - hips)
    own = rot.lengths(poses.positions[:, joints[-1]] - poses.positions[:, joints[0]])

    def ask(rows: np.ndarray) -> FloatArray:
        """Least distances of ankle and hip in some of the frames."""
        hinge = rot.rotate(poses.rotations[rows, joints[0]], leg.hinge)
        shortest = measure_shortest(poses.positions[np.ix_(rows, joints)], hinge)
        return np.minimum(shortest + _FOLD_MARGIN * leg.length, own[rows])

    rows = np.flatnonzero(rolling & (reach < np.minimum(own, _LOOKED_AT * leg.length)))
    rows = rows[reach[rows] < ask(rows)] if len(rows) else rows
    if len(rows) == 0:
        return flexes
    rows = np.flatnonzero(rolling & np.isin(steps, steps[rows]))
    foot, asked, hips = (
        _HeldFoot.read(tables, source, states, targets, index, rows),
        ask(rows),
        hips[rows],
    )
    spans, steps, reach = _read_spans(states, index)[rows], steps[rows], reach[rows]
    longest = np.maximum(_LONGEST * leg.length, reach + _STRETCH * leg.length)
    most = foot.find_shares(hips, longest, np.zeros(len(rows)))
    needed = np.zeros(len(rows))
    # On its way past the hip a foot that is turned flat may come nearer before it gets away.
    for _ in range(_PASSES):
        shares = flexes.read(steps, spans)
        near = (rot.lengths(foot.flatten(shares)[0] - hips) < asked) & (foot.pitch < 0)
        if not np.any(near):
            break
        needed = np.where(near, foot.find_shares(hips, asked, shares), needed)
        flexes.choose(steps, spans, needed, most)
    return flexes


def flex_ankles(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    flexes: tuple[AnkleFlexes, ...],
    targets: FootTargets,
) -> FootTargets:
    """Feet turned flat about where they bear as planned by `plan_flexes`."""
    ankles, rotations = targets.ankles, targets.rotations
    for index, flex in enumerate(flexes):
        shares = flex.read(states.steps[:, index], _read_spans(states, index))
        rows = np.flatnonzero((shares > 0) & _find_rolling(states, index))
        if len(rows) == 0:
            continue
        if ankles is targets.ankles:
            ankles, rotations = ankles.copy(), rotations.copy()
        foot = _HeldFoot.read(tables, source, states, targets, index, rows)
        ankles[rows, index], rotations[rows, index] = foot.flatten(shares[rows])
    return replace(targets, ankles=ankles, rotations=rotations)


def _read_spans(states: StepStates, index: int) -> FloatArray:
    """Shares of flight and roll of the foot of a leg that have passed, (N, 2)."""
    return np.stack([states.flight[:, index], states.roll_share[:, index]], axis=1)


def _find_rolling(states: StepStates, index: int) -> np.ndarray:
    """Whether the foot of a leg is on its way from lift to land, shape (N,)."""
    roll = states.roll_share[:, index]
    return np.asarray((roll > 0.0) & (roll < 1.0) & ~states.standing[:, index])


@dataclass(frozen=True)
class _HeldFoot:
    """A foot in n frames: its print's axes, its ankle, and its sole points seen from the ankle.

    ``sole`` (n, 3, 3) is in the axes ``frames``; the foot turns about the place that the ``weights``
    (n, 3) of its points make. ``pitch`` is the rise from heel to ball, radians.
    """

    frames: FloatArray
    ankles: FloatArray
    rotations: FloatArray
    sole: FloatArray
    weights: FloatArray
    pitch: FloatArray

    @classmethod
    def read(
        cls,
        tables: MotionTables,
        source: SourcePoses,
        states: StepStates,
        targets: FootTargets,
        index: int,
        rows: np.ndarray,
    ) -> _HeldFoot:
        """The foot of one leg in some frames."""
        leg, poses, flight = tables.small_rig.legs[index], source.legs, states.flight[rows, index]
        frames, held = targets.frames[rows, index], targets.rotations[rows, index]
        points = compute_sole_points(leg, poses.rotations[rows], poses.positions[rows])
        into_foot = rot.multiply(held, rot.conjugate(poses.rotations[rows, leg.ankle]))
        sole = rot.rotate(into_foot[:, None], points - poses.positions[rows, leg.ankle][:, None])
        local = rot.rotate(rot.conjugate(frames)[:, None], sole)
        along = local[:, 1] - local[:, 0]
        pitch = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
        # A foot whose heel hangs is left alone: turned flat, its ankle would rise.
        weights = compute_sole_weights(local[..., 2], float(tables.rig.foot_lengths[index]))
        # In the air a foot turns about its ball, which brings the ankle away from the hip.
        free = shape_bump(flight, np.array(_RELEASED), np.array(_RELEASED))[:, None]
        weights = weights * (1.0 - free) + _BALL * free
        ankles = targets.ankles[rows, index]
        return cls(frames, ankles, held, local, weights, np.minimum(pitch, 0.0))

    def flatten(self, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Ankles (n, 3) and their rotations (n, 4) with shares (n,) of the pitch taken out."""
        turn = rot.quaternions_from_axis_angles(_ACROSS, shares * self.pitch)
        turned = rot.rotate(turn[:, None], self.sole)
        # A foot that is still on its toe turns about it, and does not slide.
        moved = np.einsum("np,npc->nc", self.weights, (self.sole - turned)[..., :2])
        height = self.sole[..., 2].min(axis=1) - turned[..., 2].min(axis=1)
        shift = rot.rotate(self.frames, rot.pack(moved[:, 0], moved[:, 1], height))
        about = rot.multiply(rot.multiply(self.frames, turn), rot.conjugate(self.frames))
        return self.ankles + shift, rot.multiply(about, self.rotations)

    def find_shares(self, hips: FloatArray, asked: FloatArray, least: FloatArray) -> FloatArray:
        """Shares (n,), from the least on, at which ankles are as far from hips (n, 3) as asked."""
        low, high = least, np.ones(len(asked))
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            enough = rot.lengths(self.flatten(middle)[0] - hips) >= asked
            low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        return high
