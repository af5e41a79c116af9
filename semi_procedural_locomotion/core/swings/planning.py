# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the steps of a leg need besides their prints (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import LegClock, read_lift_curve
from ..motions.tables import OFF, STRIKE, MotionTables
from ..prints.planning import PrintPlan
from ..prints.states import carry_prints
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.source import place_footbases, pose_source
from .clearance import PlannedSwings, SwingLifts, find_blocked_steps, flight_samples, plan_lifts
from .flight import fit_swing, shape_arc
from .hollows import measure_drops, measure_hollows

# A real step of this share of the stride gets the motion's full lift (method A12).
_FULL_LIFT_SHARE = 0.6


@dataclass(frozen=True)
class LegSwings:
    """What a leg's steps need besides their prints, K steps.

    Attributes
    ----------
    lifted, struck
        Footbase of the placed source pose at foot-off and at strike, shape (K, 3).
    twists
        Turn of the foot about up against its stance at foot-off and at strike, radians, shape (K, 2).
    lifts
        Bumps and re-timings over obstacles.
    least_lifts
        Share of the motion's own lift that the step's length asks for, 0 to 1, shape (K,).
    arcs
        Heights of simple arcs over the higher print, metres, shape (K,); None follows the motion.
    hollows
        How far the ground lies under each print, see `hollows`, metres, shape (K + 1, S); None where
        it lies nowhere lower.
    drops
        How far the foot is let down into a hollow at foot-off and at strike, metres, shape (K, 2).
    """

    lifted: FloatArray
    struck: FloatArray
    twists: FloatArray
    lifts: SwingLifts
    least_lifts: FloatArray
    arcs: FloatArray | None = None
    hollows: FloatArray | None = None
    drops: FloatArray | None = None


def plan_swings(
    tables: MotionTables,
    plan: TimePlan,
    prints: PrintPlan,
    step_keys: tuple[FloatArray, ...],
    ground: Ground,
    settings: PlanSettings,
) -> tuple[LegSwings, ...]:
    """Everything that the steps of all legs need, one entry for each leg."""
    first_steps = tuple(row.first for row in prints.rows)
    result = []
    hollows = measure_hollows(tables, prints, ground)
    for leg, row in enumerate(prints.rows):
        keys = step_keys[leg]
        numbers = row.first + np.arange(len(row.times) - 1)
        leg_times = plan.leg_times[:, leg]
        ends = [
            plan.grid.find_crossings(leg_times, keys[:, key] + numbers) for key in (OFF, STRIKE)
        ]
        source = pose_source(tables, plan, step_keys, first_steps, np.concatenate(ends))
        feet = place_footbases(tables, source, leg)
        lifted, struck = feet.placed[: len(numbers)], feet.placed[len(numbers) :]
        twists = feet.twists.reshape(2, len(numbers)).T
        strides = plan.grid.sample(plan.cycle_weights, ends[0]) @ tables.cycles.strides
        least = _measure_least_lifts(tables, row.positions, row.headings, strides, leg)
        arcs = None
        if settings.simple_arc:
            arcs = settings.arc_height * tables.small_rig.legs[leg].length * least
        free = SwingLifts.none(len(numbers))
        swings = LegSwings(lifted, struck, twists, free, least, arcs)
        depths, drops = hollows[leg], None
        if depths is not None:
            under = np.concatenate([depths[:-1], depths[1:]])
            angles = feet.angles + feet.twists
            drops = measure_drops(tables, source, feet, angles, under, leg)
            drops = drops.reshape(2, len(numbers)).T
        lifts = _plan_leg_lifts(
            tables, plan, prints, step_keys, ground, settings, leg, swings, numbers
        )
        result.append(replace(swings, lifts=lifts, hollows=depths, drops=drops))
    return tuple(result)


def _measure_least_lifts(
    tables: MotionTables,
    positions: FloatArray,
    headings: FloatArray,
    strides: FloatArray,
    leg: int,
) -> FloatArray:
    """Share of the full lift that each step deserves by its length and turn, 0 to 1."""
    step = np.hypot(*np.diff(positions[:, :2], axis=0).T)
    turn = np.abs(rot.wrap_angles(np.diff(headings)))
    length = step + 0.5 * float(tables.rig.foot_lengths[leg]) * turn
    share = np.sqrt(length / np.maximum(_FULL_LIFT_SHARE * strides, 1e-9))
    return np.where(length > 1e-6, np.minimum(share, 1.0), 0.0)


def _plan_leg_lifts(
    tables: MotionTables,
    plan: TimePlan,
    prints: PrintPlan,
    step_keys: tuple[FloatArray, ...],
    ground: Ground,
    settings: PlanSettings,
    leg: int,
    swings: LegSwings,
    numbers: np.ndarray,
) -> SwingLifts:
    """Bumps and re-timings of one leg's steps."""
    row, keys = prints.rows[leg], step_keys[leg]
    share = flight_samples()
    leg_times = keys[:, OFF, None] + (keys[:, STRIKE] - keys[:, OFF])[:, None] * share
    times = plan.grid.find_crossings(plan.leg_times[:, leg], (leg_times + numbers[:, None]).ravel())
    times = times.reshape(leg_times.shape)
    # Ground that moves is tested as it lies in the middle of each flight, its prints with it.
    middle = times[:, len(share) // 2]
    sides = []
    for side in (slice(None, -1), slice(1, None)):
        prints_there = (row.positions[side], row.frames[side], row.headings[side])
        carried = carry_prints(ground, row.surfaces[side], row.times[side], middle, prints_there)
        sides.append(carried[:2])
    ends = PlannedSwings(
        behind=sides[0][0],
        ahead=sides[1][0],
        frames_behind=sides[0][1],
        frames_ahead=sides[1][1],
        progress=np.zeros_like(times),
        deviations=np.zeros((*times.shape, 2)),
        heights=np.zeros_like(times),
        times=times,
    )
    foot, length = float(tables.rig.foot_lengths[leg]), tables.rig.leg_length
    blocked = np.flatnonzero(find_blocked_steps(ends, ground, foot, length))
    lifts = SwingLifts.none(len(numbers))
    if len(blocked) == 0:
        return lifts
    source = pose_source(
        tables, plan, step_keys, tuple(r.first for r in prints.rows), times[blocked].ravel()
    )
    placed = place_footbases(tables, source, leg).placed.reshape(len(blocked), len(share), 3)
    flight = np.broadcast_to(share, times[blocked].shape)

    def spread(values: FloatArray) -> FloatArray:
        return np.repeat(values[blocked][:, None], len(share), axis=1)

    missing = np.clip(
        swings.least_lifts[blocked][:, None] - source.walk_share.reshape(flight.shape), 0.0, None
    )
    if swings.arcs is None:
        way = fit_swing(
            placed,
            spread(swings.lifted),
            spread(swings.struck),
            spread(ends.behind),
            spread(ends.ahead),
            flight,
        )
    else:
        way = shape_arc(spread(ends.behind), spread(ends.ahead), flight, spread(swings.arcs))
        missing = np.zeros_like(missing)
    curve = read_lift_curve(
        tables,
        LegClock(
            leg,
            source.cycle_weights,
            leg_times[blocked].ravel(),
            np.repeat(keys[blocked], len(share), axis=0),
        ),
    ).reshape(flight.shape)
    planned = PlannedSwings(
        behind=ends.behind[blocked],
        ahead=ends.ahead[blocked],
        frames_behind=ends.frames_behind[blocked],
        frames_ahead=ends.frames_ahead[blocked],
        progress=way.progress,
        deviations=way.deviation,
        heights=way.height + missing * curve,
        times=times[blocked],
    )
    own = plan_lifts(planned, ground, foot, length, settings.swing_margin * length)
    for entry in fields(lifts):
        getattr(lifts, entry.name)[blocked] = getattr(own, entry.name)
    return lifts
