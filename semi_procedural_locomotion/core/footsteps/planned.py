# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A travel along footsteps of a plan: its way and clock, bent where steps were moved (numpy only).

Nothing changes as long as no step does. Where steps were moved, the way is by as much as the bodies over
them are, and cycles take as much longer or shorter as strides of these lengths do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import integrate_rates, smooth_gaussian
from ..times.durations import CyclePace
from ..travel.way import Travel
from .layout import LaidStep, StepGait
from .limits import WALK
from .timing import StepTiming, TimedSteps, retime_clock
from .travel import StepTravel, StepWalkChoices


@dataclass(frozen=True)
class PlannedWay:
    """The way of a plan that footsteps were made from, on its grid of G times.

    Attributes
    ----------
    times
        Seconds of the scene's clock, evenly spaced, shape (G,).
    positions, yaws, phases
        As of a `Travel`, shapes (G, 3), (G,), (G,).
    shown
        Seconds between which it is walked.
    factor
        Of the pace that it was planned with, see `CyclePace`.
    """

    times: FloatArray
    positions: FloatArray
    yaws: FloatArray
    phases: FloatArray
    shown: tuple[float, float]
    factor: float


@dataclass(frozen=True)
class PlannedStep:
    """Record of where and when a footstep was planned.

    Attributes
    ----------
    step
        Where it lay.
    time
        Seconds at which its foot stands.
    """

    step: LaidStep
    time: float


def goes_as_planned(steps: Sequence[LaidStep], planned: Sequence[PlannedStep | None]) -> bool:
    """Whether footsteps are those of a plan in its order, so that they can be walked at its times."""
    latest: dict[int, float] = {}
    before = -np.inf
    for step, own in zip(steps, planned, strict=True):
        if own is None or own.step.leg != step.leg or own.time < before:
            return False
        if own.time <= latest.get(step.leg, -np.inf):
            return False
        latest[step.leg] = before = own.time
    return bool(steps)


def travel_as_planned(
    gait: StepGait,
    steps: Sequence[LaidStep],
    planned: Sequence[PlannedStep],
    way: PlannedWay,
    pace: CyclePace,
    choices: StepWalkChoices,
) -> StepTravel:
    """The travel of a plan along its footsteps, as they lie now.

    Parameters
    ----------
    steps, planned
        The footsteps, and what they were planned as.
    pace
        How long cycles take.
    choices
        How they are walked; the walk begins where and when the plan does.
    """
    planned, way = _move_whole(gait, steps, planned, way)
    times = np.array([own.time for own in planned])
    taken = np.array(list(choices.skipped) or [False] * len(steps)) < 0.5
    period = pace.factor * float(pace.periods[0])
    moved = _measure_moves(gait, steps, planned)
    still = np.abs(moved).max(axis=1) < WALK.in_place * gait.stride
    width = WALK.widths[0] * period
    bodies = np.column_stack([way.positions[:, :2], way.yaws])
    changed = bodies.copy()
    if not np.all(still[taken]):
        changed += _spread(
            way.times, times[taken], np.where(still[:, None], 0.0, moved)[taken], width
        )
    heights = np.array([[step.middle[2]] for step in steps])[taken]
    levels = _spread(way.times, times[taken], heights, width)[:, 0]
    clock = way.times + integrate_rates(_change_pace(bodies, changed, way, pace) - 1.0, way.times)
    clock += np.interp(way.shown[0], way.times, way.times - clock)
    # Phases stand still where the character does.
    phases = way.phases - choices.phase_offset + WALK.apart * np.arange(len(way.times))
    instants = np.interp(times, way.times, phases)
    timings = list(choices.timings) or [StepTiming()] * len(steps)
    kept = way.times
    if any(timing.is_set for timing in timings):
        parts = int(np.ceil((way.times[1] - way.times[0]) * WALK.fine_rate / period))
        kept = np.linspace(way.times[0], way.times[-1], (len(way.times) - 1) * parts + 1)
        changed, levels = _sample(changed, way.times, kept), np.interp(kept, way.times, levels)
        clock, phases = np.interp(kept, way.times, clock), np.interp(kept, way.times, phases)
    away = np.hypot(*(changed[:, :2] - changed[0, :2]).T)
    idle = float(phases[np.argmax(away > WALK.still * gait.stride)])
    legs = [step.leg for step in steps]
    asked = TimedSteps(legs, instants, np.zeros(len(steps)), timings)
    clock, misses = retime_clock(gait, asked, phases, clock, idle, {})
    first, last = np.interp(way.shown, kept, clock)
    travel = Travel(
        times=clock,
        positions=np.column_stack([changed[:, :2], levels]),
        yaws=changed[:, 2],
        phases=phases + choices.phase_offset,
        shown=(float(first), float(last)),
    )
    return StepTravel(travel, np.interp(times, kept, clock), tuple(misses))


def _move_whole(
    gait: StepGait, steps: Sequence[LaidStep], planned: Sequence[PlannedStep], way: PlannedWay
) -> tuple[Sequence[PlannedStep], PlannedWay]:
    """A plan moved as a whole, where most of its footsteps were, as with a set that they go with."""
    turns = np.array(
        [step.heading - own.step.heading for step, own in zip(steps, planned, strict=True)]
    )
    turn = float(turns[0] + np.median(rot.wrap_angles(turns - turns[0])))
    turned = rot.quaternions_from_yaws(turn)
    now = np.array([step.middle for step in steps])
    before = np.array([own.step.middle for own in planned])
    shift = np.median(now - rot.rotate(turned, before), axis=0) * [1.0, 1.0, 0.0]
    limit = WALK.in_place * gait.stride
    moved = np.hypot(*(now - before)[:, :2].T) >= limit
    after = rot.rotate(turned, before) + shift
    fits = np.hypot(*(now - after)[:, :2].T) < limit
    if np.mean(moved & fits) <= WALK.most_moved:
        return planned, way
    carried = [
        replace(own, step=replace(own.step, middle=place, heading=own.step.heading + turn))
        for own, place in zip(planned, after, strict=True)
    ]
    positions = rot.rotate(turned, way.positions) + shift
    return carried, replace(way, positions=positions, yaws=way.yaws + turn)


def _measure_moves(
    gait: StepGait, steps: Sequence[LaidStep], planned: Sequence[PlannedStep]
) -> FloatArray:
    """How far the bodies over some footsteps were moved and turned, metres and radians, shape (N, 3)."""
    moves = []
    for step, own in zip(steps, planned, strict=True):
        place, direction = gait.place_body(step.leg, step.middle, step.heading)
        before, towards = gait.place_body(own.step.leg, own.step.middle, own.step.heading)
        turn = float(rot.wrap_angles(direction - towards))
        moves.append(np.append(place - before, turn))
    return np.array(moves)


def _spread(grid: FloatArray, times: FloatArray, values: FloatArray, width: float) -> FloatArray:
    """Values (N, C) at some times, smoothed over a grid (G,), shape (G, C)."""
    times, places = np.unique(times, return_inverse=True)
    counts = np.bincount(places)[:, None]
    means = np.zeros((len(times), values.shape[1]))
    np.add.at(means, places, values)
    raw = _sample(means / counts, times, grid)
    interval = float(grid[1] - grid[0])
    smooth = smooth_gaussian(raw, interval, width)
    return smooth + smooth_gaussian(raw - smooth, interval, width)


def _sample(values: FloatArray, times: FloatArray, grid: FloatArray) -> FloatArray:
    """Values (N, C) at times (N,) on a grid (G,), shape (G, C)."""
    return np.stack([np.interp(grid, times, column) for column in values.T], axis=1)


def _change_pace(
    before: FloatArray, after: FloatArray, way: PlannedWay, pace: CyclePace
) -> FloatArray:
    """Measure how much longer the walk takes at each time than it was planned, a factor, shape (G,)."""
    interval = float(way.times[1] - way.times[0])
    rates = np.gradient(way.phases, interval)
    period = pace.factor * float(pace.periods[0])
    steps = rates * period > WALK.stepping

    def find_periods(bodies: FloatArray) -> FloatArray:
        """Seconds of a cycle for the strides of a way (G, 3)."""
        speeds = np.hypot(*np.gradient(bodies[:, :2], interval, axis=0).T)
        return pace.find_periods(speeds / np.maximum(rates, WALK.stepping / period))

    factors = np.where(steps, find_periods(after) / find_periods(before), 1.0)
    width = WALK.pace_width * WALK.widths[0] * period
    return pace.factor / way.factor * smooth_gaussian(factors, interval, width)
