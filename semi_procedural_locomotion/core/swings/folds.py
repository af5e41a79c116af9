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

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.limits import REACH
from ..rig.reach import compute_comfortable_reaches, measure_own_legs
from ..rig.structure import Leg, Rig
from ..times.source import SourcePoses
from .feet import FootTargets
from .flexes import FlexTrack, flex_ankles, plan_flexes
from .heights import limit_drops, soften_excess
from .limits import FOLDS
from .records import LegSwings, SwingLifts


@dataclass(frozen=True)
class FoldPlan:
    """How feet make room for legs that would fold too far, L legs.

    Attributes
    ----------
    least
        How near each ankle can come to its hip, metres, shape (L,).
    longest
        How long each leg may be with its foot off its shin, metres, shape (L,).
    lifts
        How much of its height each swing can give up, one for each leg.
    flexes
        How far the feet are turned flat then.
    """

    least: FloatArray
    longest: FloatArray
    lifts: tuple[SwingLifts, ...]
    flexes: FlexTrack


def plan_folds(
    tables: MotionTables,
    walked: tuple[SourcePoses, StepStates, FootTargets],
    swings: tuple[LegSwings, ...],
    hips: FloatArray,
    grid: TimeGrid,
    ground: Ground,
) -> FoldPlan:
    """Plan how the feet of each swing make room.

    Parameters
    ----------
    tables
        The motions.
    walked
        Blended poses, steps and feet at the G times of the grid.
    swings
        What is planned for the steps.
    hips
        World positions of the hip joints there, metres, shape (G, L, 3).
    grid
        Those times.
    ground
        What feet that are turned flat shall not be in.
    """
    source, states, targets = walked
    plan = FoldPlan(
        least=_find_least_distances(tables, source),
        longest=np.asarray(tables.leg_rows.longest),
        lifts=tuple(leg.lifts for leg in swings),
        flexes=FlexTrack(grid, np.zeros((grid.count, len(swings)))),
    )
    lowered = _let_down(tables.small_rig, states, plan, targets, hips)
    flexes = plan_flexes(tables, (source, states, lowered), hips, grid, ground)
    return replace(plan, flexes=flexes)


def make_room(
    rig: Rig,
    source: SourcePoses,
    states: StepStates,
    plan: FoldPlan,
    targets: FootTargets,
    hips: FloatArray,
    times: FloatArray,
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
    times
        Seconds of the scene's clock, shape (N,).
    """
    targets = _draw_in(rig, source, states, plan.longest, targets, hips)
    lowered = _let_down(rig, states, plan, targets, hips)
    return flex_ankles(rig, source, states, plan.flexes.read(times), lowered)


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
