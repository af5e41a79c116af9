# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that their legs cannot fold to (numpy only).

Where the hips are carried low or the ground rises steeply, a foot that the motion lifts high would
come too near to its hip. One plan makes room for it: the foot is let down as far as what lies under it
allows; where that is not enough, a foot that hangs with its heel up is turned flat, as an ankle would
be flexed (docs/method/swings.md, Folding).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.ik_chain import measure_shortest
from ..rig.limits import REACH
from ..rig.reach import compute_comfortable_reaches, measure_own_legs
from ..rig.structure import Leg, Rig
from ..times.source import SourcePoses
from .ankles import AnkleFlexes, HeldFoot
from .feet import FootTargets
from .heights import limit_drops, soften_excess
from .limits import FOLDS
from .records import LegSwings, SwingLifts


@dataclass(frozen=True)
class FoldPlan:
    """How feet make room for legs that cannot fold any further, L legs.

    Attributes
    ----------
    least
        How near each ankle may come to its hip, metres, shape (L,).
    longest
        How long each leg may be with its foot off its shin, metres, shape (L,).
    lifts
        How much of its height each swing can give up, one for each leg.
    flexes
        How far the feet are turned flat then, one for each leg.
    """

    least: FloatArray
    longest: FloatArray
    lifts: tuple[SwingLifts, ...]
    flexes: tuple[AnkleFlexes, ...]


def plan_folds(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: tuple[LegSwings, ...],
    targets: FootTargets,
    hips: FloatArray,
) -> FoldPlan:
    """Plan how the feet of each swing make room.

    Parameters
    ----------
    tables, source, states
        The motions, the blended poses and the steps at the times of the plan's grid, G of them.
    swings
        What is planned for the steps.
    targets
        The feet there.
    hips
        World positions of the hip joints, metres, shape (G, L, 3).
    """
    unbent = tuple(AnkleFlexes.none(len(leg.lifted)) for leg in swings)
    least, lifts = _find_least_distances(tables, source), tuple(leg.lifts for leg in swings)
    plan = FoldPlan(least, np.asarray(tables.leg_rows.longest), lifts, unbent)
    lowered = _let_down(tables.small_rig, states, plan, targets, hips)
    flexes = tuple(
        _plan_leg_flexes(tables, source, states, flex, lowered, hips[:, index], index)
        for index, flex in enumerate(unbent)
    )
    return replace(plan, flexes=flexes)


def make_room(
    rig: Rig,
    source: SourcePoses,
    states: StepStates,
    plan: FoldPlan,
    targets: FootTargets,
    hips: FloatArray,
) -> FootTargets:
    """Feet that make room as planned.

    Parameters
    ----------
    rig, source, states
        The bones that carry the legs, the blended poses and the steps at N times.
    plan
        How they make room.
    targets
        The feet.
    hips
        World positions of the hip joints, metres, shape (N, L, 3).
    """
    targets = _draw_in(rig, source, states, plan.longest, targets, hips)
    lowered = _let_down(rig, states, plan, targets, hips)
    return flex_ankles(rig, source, states, plan.flexes, lowered)


def _draw_in(
    rig: Rig,
    source: SourcePoses,
    states: StepStates,
    longest: FloatArray,
    targets: FootTargets,
    hips: FloatArray,
) -> FootTargets:
    """Swinging feet drawn towards their hips where these were not lowered for them."""
    away = targets.ankles - hips
    reach = rot.lengths(away)
    far = ~states.in_contact & (reach > REACH.comfortable * np.array([g.length for g in rig.legs]))
    if not np.any(far):
        return targets
    own, _, lengths = measure_own_legs(rig.legs, source.legs.positions, reach, longest)
    excess = reach - compute_comfortable_reaches(own, lengths)
    excess = np.where(far & (excess > FOLDS.drawn_from * lengths), excess, 0.0)
    shift = -away * (excess / np.maximum(reach, 1e-12))[..., None]
    return replace(targets, ankles=targets.ankles + shift, footbases=targets.footbases + shift)


def _let_down(
    rig: Rig,
    states: StepStates,
    plan: FoldPlan,
    targets: FootTargets,
    hips: FloatArray,
) -> FootTargets:
    """Swinging feet let down where the leg would have to fold further than it can.

    A leg may fold as far as its motions fold it, and a little further, or to a fixed share of its
    length.
    """
    least = plan.least
    away = targets.ankles - hips
    reach = rot.lengths(away)
    # The lowest point of the sphere about the hip below which the foot has to stay.
    level = np.sqrt(np.maximum(least * least - away[..., 0] ** 2 - away[..., 1] ** 2, 0.0))
    width = FOLDS.width * rig.leg_length
    near = reach < least + width
    if not np.any(near):
        return targets
    drop = soften_excess(away[..., 2] + level, np.full_like(level, width))
    most = limit_drops(targets.heights, plan.lifts, states)
    drop = np.where(near, np.minimum(drop, most), 0.0)
    shift = drop[..., None] * rot.UP
    return replace(
        targets,
        ankles=targets.ankles - shift,
        footbases=targets.footbases - shift,
        heights=targets.heights - drop,
    )


def _find_least_distances(tables: MotionTables, source: SourcePoses) -> FloatArray:
    """How near each ankle may come to its hip, metres, shape (L,)."""
    legs = tables.small_rig.legs
    lengths = np.array([leg.length for leg in legs])
    own = FOLDS.own * tables.leg_cycles.least_reaches.min(axis=0)
    # Two bones fold up freely; the bends of longer chains may be opposed and shorten it little.
    chains = np.array([len(leg.joints) > FOLDS.two_bone_joints for leg in legs])
    # Bones of two lengths come no nearer than by what the longer has beyond the other.
    apart = np.array([_measure_difference(leg, source) for leg in legs])
    free = np.maximum(FOLDS.two_bones * lengths, apart + FOLDS.margin * lengths)
    return np.where(chains, own, np.minimum(own, free))


def _measure_difference(leg: Leg, source: SourcePoses) -> float:
    """By how much the longest bone of a leg is longer than all others together, metres, 0 at least."""
    bones = rot.lengths(np.diff(source.legs.positions[0, list(leg.joints)], axis=0))
    return max(0.0, 2.0 * float(bones.max()) - float(bones.sum()))


def _plan_leg_flexes(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    flexes: AnkleFlexes,
    targets: FootTargets,
    hips: FloatArray,
    index: int,
) -> AnkleFlexes:
    """The flexes of one leg, whose hip is at (G, 3)."""
    rig, most_bends = tables.small_rig, tables.leg_rows.most_bends[index]
    leg, poses, steps = rig.legs[index], source.legs, states.steps[:, index]
    joints = np.array(leg.joints, dtype=np.intp)
    rolling = _find_rolling(states, index) & (len(joints) > 2)
    reach = rot.lengths(targets.ankles[:, index] - hips)
    own = rot.lengths(poses.positions[:, joints[-1]] - poses.positions[:, joints[0]])

    def ask(rows: np.ndarray) -> FloatArray:
        """Least distances of ankle and hip in some of the frames."""
        hinge = rot.rotate(poses.rotations[rows, joints[0]], leg.hinge)
        shortest = measure_shortest(poses.positions[np.ix_(rows, joints)], hinge, most_bends)
        return np.minimum(shortest + FOLDS.margin * leg.length, own[rows])

    rows = np.flatnonzero(rolling & (reach < np.minimum(own, FOLDS.looked_at * leg.length)))
    rows = rows[reach[rows] < ask(rows)] if len(rows) else rows
    if len(rows) == 0:
        return flexes
    rows = np.flatnonzero(rolling & np.isin(steps, steps[rows]))
    foot, asked, hips = (
        HeldFoot.read(rig, source, states, targets, index, rows),
        ask(rows),
        hips[rows],
    )
    spans, steps, reach = _read_spans(states, index)[rows], steps[rows], reach[rows]
    longest = np.maximum(FOLDS.longest * leg.length, reach + FOLDS.stretch * leg.length)
    most = foot.find_shares(hips, longest, np.zeros(len(rows)))
    needed = np.zeros(len(rows))
    # On its way past the hip a foot that is turned flat may come nearer before it gets away.
    for _ in range(FOLDS.passes):
        shares = flexes.read(steps, spans)
        near = (rot.lengths(foot.flatten(shares)[0] - hips) < asked) & (foot.pitch < 0)
        if not np.any(near):
            break
        needed = np.where(near, foot.find_shares(hips, asked, shares), needed)
        flexes.choose(steps, spans, needed, most)
    return flexes


def flex_ankles(
    rig: Rig,
    source: SourcePoses,
    states: StepStates,
    flexes: tuple[AnkleFlexes, ...],
    targets: FootTargets,
) -> FootTargets:
    """Feet turned flat about where they bear as planned."""
    ankles, rotations = targets.ankles, targets.rotations
    for index, flex in enumerate(flexes):
        shares = flex.read(states.steps[:, index], _read_spans(states, index))
        rows = np.flatnonzero((shares > 0) & _find_rolling(states, index))
        if len(rows) == 0:
            continue
        if ankles is targets.ankles:
            ankles, rotations = ankles.copy(), rotations.copy()
        foot = HeldFoot.read(rig, source, states, targets, index, rows)
        ankles[rows, index], rotations[rows, index] = foot.flatten(shares[rows])
    return replace(targets, ankles=ankles, rotations=rotations)


def _read_spans(states: StepStates, index: int) -> FloatArray:
    """Shares of flight and roll of the foot of a leg that have passed, (N, 2)."""
    return np.stack([states.flight[:, index], states.roll_share[:, index]], axis=1)


def _find_rolling(states: StepStates, index: int) -> np.ndarray:
    """Whether the foot of a leg is on its way from lift to land, shape (N,)."""
    roll = states.roll_share[:, index]
    return np.asarray((roll > 0.0) & (roll < 1.0) & ~states.standing[:, index])
