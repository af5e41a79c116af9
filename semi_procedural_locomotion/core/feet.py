# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where every foot is at any time: on its print, or on its way to the next (numpy only).

The foot is tied rigidly to the frame of its footbase all the time (plan study 0.2): in contact the
weighted sole point stays exactly where it is while the foot rolls as the motion has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import rotations as rot
from .clearance import (
    PlannedSwings,
    SwingLifts,
    find_blocked_steps,
    flight_samples,
    plan_lifts,
)
from .flight import SwingWay, fit_swing, retime_progress, shape_bump
from .ground import Ground
from .posing import OFF, STRIKE, LegPoses, MotionTables
from .prints import PrintPlan
from .rotations import FloatArray
from .settings import PlanSettings
from .steps import StepStates, stack_legs
from .times import TimePlan

# A real step of this share of the stride gets the motion's full lift (method A12).
_FULL_LIFT_SHARE = 0.6


@dataclass(frozen=True)
class LegSwings:
    """What a leg's steps need besides their prints, K steps.

    Attributes
    ----------
    lifted, struck
        Footbase of the placed source pose at foot-off and at strike, shape (K, 3).
    lifts
        Bumps and re-timings over obstacles.
    least_lifts
        Share of the motion's own lift that the step's length asks for, 0 to 1, shape (K,).
    """

    lifted: FloatArray
    struck: FloatArray
    lifts: SwingLifts
    least_lifts: FloatArray


@dataclass(frozen=True)
class SourcePoses:
    """Blended poses at N times, before any correction.

    Attributes
    ----------
    weights, cycle_weights
        Shapes (N, M).
    walk_share
        Shape (N,).
    positions, yaws
        The travel, shapes (N, 3) and (N,).
    leg_times
        Whole and share, shape (N, L).
    legs
        Poses of the bones that carry the legs, in character space.
    """

    weights: FloatArray
    cycle_weights: FloatArray
    walk_share: FloatArray
    positions: FloatArray
    yaws: FloatArray
    phases: FloatArray
    leg_times: FloatArray
    legs: LegPoses


@dataclass(frozen=True)
class FootTargets:
    """Feet of L legs at N times, world.

    Attributes
    ----------
    footbases
        Metres, shape (N, L, 3).
    frames
        Frames of the footbases, as of prints, shape (N, L, 4).
    ankles
        Targets of the ankle joints, metres, shape (N, L, 3).
    rotations
        Rotations of the ankle bones, shape (N, L, 4).
    swivels
        Turn of the foot against the body's heading beyond the motion's own, radians, shape (N, L).
    """

    footbases: FloatArray
    frames: FloatArray
    ankles: FloatArray
    rotations: FloatArray
    swivels: FloatArray


def pose_source(
    tables: MotionTables,
    plan: TimePlan,
    step_keys: tuple[FloatArray, ...],
    first_steps: tuple[int, ...],
    times: FloatArray,
) -> SourcePoses:
    """Blended poses at any times.

    Parameters
    ----------
    tables
        The motions.
    plan
        The time plan.
    step_keys
        Key times of the steps, L arrays of shape (K - 1, 4).
    first_steps
        Step number of each leg's first print.
    times
        Seconds, shape (N,).
    """
    grid = plan.grid
    leg_times = grid.sample(plan.leg_times, times)
    phases = grid.sample(plan.phases, times)
    weights = grid.sample(plan.weights, times)
    keys = np.stack(
        [
            step_keys[leg][
                np.clip(
                    np.floor(leg_times[:, leg]).astype(np.intp) - first_steps[leg],
                    0,
                    len(step_keys[leg]) - 1,
                )
            ]
            for leg in range(leg_times.shape[1])
        ],
        axis=1,
    )
    return SourcePoses(
        weights=weights,
        cycle_weights=grid.sample(plan.cycle_weights, times),
        walk_share=grid.sample(plan.walk_share, times),
        positions=grid.sample_smooth(plan.positions, times),
        yaws=grid.sample_smooth(plan.yaws, times),
        phases=phases,
        leg_times=leg_times,
        legs=tables.pose_legs(weights, phases, leg_times, keys),
    )


def place_footbases(
    tables: MotionTables, source: SourcePoses, leg: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Footbases of the source pose.

    Returns
    -------
    placed
        World x and y along the travel, height over the leg's own ground, metres, shape (N, 3).
    local
        In character space, shape (N, 3).
    angles
        Angle of the foot's direction in character space from +X, radians, shape (N,).
    """
    local, direction = tables.compute_leg_footbases(leg, source.legs, source.weights)
    placed = rot.rotate(rot.quaternions_from_yaws(source.yaws), local)
    ground = tables.blend_constants(source.weights, tables.sole_heights[:, leg])
    placed = rot.pack(
        placed[..., 0] + source.positions[:, 0],
        placed[..., 1] + source.positions[:, 1],
        local[..., 2] - ground,
    )
    return placed, local, np.arctan2(direction[..., 1], direction[..., 0])


def solve_feet(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: tuple[LegSwings, ...],
) -> FootTargets:
    """Targets of all feet.

    Parameters
    ----------
    tables
        The motions.
    source, states
        Blended poses and steps at the same N times.
    swings
        The steps' own data, one for each leg.
    """
    columns = [
        _solve_foot(tables, source, states, swings[leg], leg) for leg in range(len(tables.legs))
    ]
    return FootTargets(*[stack_legs(list(parts)) for parts in zip(*columns, strict=True)])


def _solve_foot(
    tables: MotionTables, source: SourcePoses, states: StepStates, swings: LegSwings, leg: int
) -> tuple[FloatArray, ...]:
    """Footbase, frame, ankle, ankle rotation and swivel of one leg."""
    placed, local, angle = place_footbases(tables, source, leg)
    steps = np.minimum(states.steps[:, leg], len(swings.lifted) - 1)
    behind, ahead, flight = states.behind[:, leg], states.ahead[:, leg], states.flight[:, leg]
    way = fit_swing(placed, swings.lifted[steps], swings.struck[steps], behind, ahead, flight)
    lift = _add_least_lift(tables, source, states, swings, steps, leg)
    footbase, progress = _place_in_flight(way, lift, swings.lifts, steps, states, leg)
    frame = _blend_frames(states, leg, progress)
    ankle = tables.legs[leg].ankle
    to_world = rot.multiply(frame, rot.quaternions_from_yaws(-angle))
    target = footbase + rot.rotate(to_world, source.legs.positions[:, ankle] - local)
    rotation = rot.multiply(to_world, source.legs.rotations[:, ankle])
    heading = _interpolate_headings(states, leg)
    return footbase, frame, target, rotation, rot.wrap_angles(heading - source.yaws - angle)


def _place_in_flight(
    way: SwingWay,
    lift: FloatArray,
    lifts: SwingLifts,
    steps: np.ndarray,
    states: StepStates,
    leg: int,
) -> tuple[FloatArray, FloatArray]:
    """World footbases (N, 3) and progress from print to print, 0 to 1 (N,)."""
    behind, ahead, flight = states.behind[:, leg], states.ahead[:, leg], states.flight[:, leg]
    flying = ~states.in_contact[:, leg]
    progress = retime_progress(way.progress, lifts.exponents[steps], lifts.kinds[steps])
    progress = np.where(flying, progress, np.where(flight >= 1.0, 1.0, 0.0))
    inside = np.clip(progress, 0.0, 1.0)
    bump = lifts.amplitudes[steps] * shape_bump(flight, lifts.rises[steps], lifts.falls[steps])
    height = np.where(flying, way.height + lift + bump, 0.0)
    deviation = np.where(flying[:, None], way.deviation, 0.0)
    step = ahead - behind
    return (
        rot.pack(
            behind[:, 0] + progress * step[:, 0] + deviation[:, 0],
            behind[:, 1] + progress * step[:, 1] + deviation[:, 1],
            behind[:, 2] + inside * step[:, 2] + height,
        ),
        inside,
    )


def _add_least_lift(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    swings: LegSwings,
    steps: np.ndarray,
    leg: int,
) -> FloatArray:
    """Lift that a real step keeps where a rest motion's share would take it away (method A12)."""
    missing = np.clip(swings.least_lifts[steps] - source.walk_share, 0.0, None)
    missing = np.where(states.in_contact[:, leg], 0.0, missing)
    if not np.any(missing > 0):
        return missing
    curve = tables.read_lift_curve(
        leg, source.cycle_weights, states.leg_times[:, leg], states.key_times[:, leg]
    )
    return missing * curve


def _interpolate_headings(states: StepStates, leg: int) -> FloatArray:
    """Heading of the foot: eased from print to print over the flight (plan study 4.5)."""
    start = states.headings_behind[:, leg]
    turn = rot.wrap_angles(states.headings_ahead[:, leg] - start)
    return start + turn * rot.step_quintic(states.flight[:, leg])


def _blend_frames(states: StepStates, leg: int, progress: FloatArray) -> FloatArray:
    """Frame of the foot: yaw eased over the flight, slope following the progress."""
    between = rot.nlerp(
        states.frames_behind[:, leg], states.frames_ahead[:, leg], rot.step_quintic(progress)
    )
    normal = rot.rotate(between, rot.UP)
    yaw = rot.quaternions_from_yaws(_interpolate_headings(states, leg))
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normal), yaw)


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
    for leg, row in enumerate(prints.rows):
        keys = step_keys[leg]
        numbers = row.first + np.arange(len(row.times) - 1)
        leg_times = plan.leg_times[:, leg]
        ends = [
            plan.grid.find_crossings(leg_times, keys[:, key] + numbers) for key in (OFF, STRIKE)
        ]
        source = pose_source(tables, plan, step_keys, first_steps, np.concatenate(ends))
        placed, _, _ = place_footbases(tables, source, leg)
        lifted, struck = placed[: len(numbers)], placed[len(numbers) :]
        strides = plan.grid.sample(plan.cycle_weights, ends[0]) @ tables.strides
        least = _measure_least_lifts(tables, row.positions, row.headings, strides, leg)
        swings = LegSwings(lifted, struck, SwingLifts.none(len(numbers)), least)
        lifts = _plan_leg_lifts(
            tables, plan, prints, step_keys, ground, settings, leg, swings, numbers
        )
        result.append(LegSwings(lifted, struck, lifts, least))
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
    ends = PlannedSwings(
        behind=row.positions[:-1],
        ahead=row.positions[1:],
        frames_behind=row.frames[:-1],
        frames_ahead=row.frames[1:],
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
    placed, _, _ = place_footbases(tables, source, leg)
    placed = placed.reshape(len(blocked), len(share), 3)
    flight = np.broadcast_to(share, times[blocked].shape)

    def spread(values: FloatArray) -> FloatArray:
        return np.repeat(values[blocked][:, None], len(share), axis=1)

    way = fit_swing(
        placed,
        spread(swings.lifted),
        spread(swings.struck),
        spread(ends.behind),
        spread(ends.ahead),
        flight,
    )
    missing = np.clip(
        swings.least_lifts[blocked][:, None] - source.walk_share.reshape(flight.shape), 0.0, None
    )
    curve = tables.read_lift_curve(
        leg,
        source.cycle_weights,
        leg_times[blocked].ravel(),
        np.repeat(keys[blocked], len(share), axis=0),
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
    for name in ("amplitudes", "rises", "falls", "exponents", "kinds"):
        getattr(lifts, name)[blocked] = getattr(own, name)
    return lifts
