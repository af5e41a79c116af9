# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The time plan: which motions play when, and when each foot stands (numpy only).

Everything is a function of the travel and the level that it walks on (docs/method/times.md, Leg times).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ...errors import TravelError
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.tables import LAND, LIFT, OFF, STRIKE, CycleTable, MotionTables
from ..settings import PlanSettings
from ..travel.way import Travel
from .contacts import fit_contacts, weigh_key_times
from .durations import Pace, plan_rates
from .gaps import fit_jumps
from .grades import measure_grades
from .limits import CONTACTS, GRID, RATES
from .moves import find_moves, fit_moves, step_on_drifts
from .refusals import check_rates
from .rides import Rides, ride_world
from .strides import align_motions
from .weights import normalize_cycles, plan_weights


@dataclass(frozen=True)
class TimePlan:
    """Everything about a walk that does not depend on the ground, on a grid of G times.

    Attributes
    ----------
    grid
        The times.
    positions, yaws
        The travel, world metres and radians, shapes (G, 3) and (G,).
    foot_yaws
        Heading that the feet follow in steps; that of the travel where it turns no faster than feet,
        radians, shape (G,).
    velocities
        Velocity of the travel over what carries it, in character space, metres a second, smoothed,
        shape (G, 2).
    rides
        What carries it, and the travel in those spaces.
    weights, cycle_weights
        Shares of all motions and of the walks among themselves, sum 1, shape (G, M).
    walk_share
        Sum of the walks' weights, shape (G,).
    phases
        Common phase in cycles, not decreasing, shape (G,).
    leg_times
        Time of each leg in steps: whole numbers are stance instants; increasing, shape (G, L).
    key_times
        Blended lift, off, strike, land, shape (G, L, 4).
    quickened
        By which factor the steps are quicker than the motions ask for, so that no side step crosses
        the legs, 1 or more, shape (G,).
    moves
        Start and end of each move in seconds, None where it runs beyond the travel.
    """

    grid: TimeGrid
    positions: FloatArray
    yaws: FloatArray
    foot_yaws: FloatArray
    velocities: FloatArray
    rides: Rides
    weights: FloatArray
    cycle_weights: FloatArray
    walk_share: FloatArray
    phases: FloatArray
    leg_times: FloatArray
    key_times: FloatArray
    quickened: FloatArray
    moves: tuple[tuple[float | None, float | None], ...]

    @cached_property
    def ways(self) -> FloatArray:
        """How far the body has come along its way, metres, shape (G,)."""
        steps = np.hypot(*np.diff(self.positions[:, :2], axis=0).T)
        return np.concatenate([[0.0], np.cumsum(steps)])

    def step_key_times(self, leg: int, steps: np.ndarray) -> FloatArray:
        """Lift, off, strike, land of whole steps of a leg, constant within each, shape (K, 4).

        The foot leaves when the leg's time first reaches the blended key time, and strikes when it
        last does, so that each fits the motions that play then, and no contact gets longer where
        the blend changes.
        """
        result = np.empty((len(steps), 4))
        for key in (LIFT, OFF, STRIKE, LAND):
            behind = self.leg_times[:, leg] - self.key_times[:, leg, key]
            if key in (LIFT, OFF):
                passed = np.maximum.accumulate(behind)
            else:
                passed = np.minimum.accumulate(behind[::-1])[::-1]
            levels = steps.astype(np.float64)
            times = self.grid.find_crossings(passed, levels)
            reached = self.grid.sample(self.leg_times[:, leg], times) - levels
            # Steps that run past the ends of the grid keep the key times that they have there.
            beyond = (levels < passed[0]) | (levels > passed[-1])
            ends = self.grid.sample(self.key_times[:, leg, key], times)
            result[:, key] = np.where(beyond, ends, reached)
        return np.maximum.accumulate(np.clip(result, 0.0, 1.0), axis=1)


class ClockSource(Protocol):
    """What fixes the clock of a walk besides its own pace, as footsteps do."""

    def set_clock(
        self, grid: TimeGrid, phases: FloatArray, leg_times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Phases (G,) and leg times (G, L) as the source has them, for those of the walk's own pace."""
        ...


def plan_times(
    tables: MotionTables,
    travel: Travel,
    settings: PlanSettings,
    levels: FloatArray | None = None,
    clock: ClockSource | None = None,
    rides: Rides | None = None,
) -> TimePlan:
    """Plan weights, phase and stance instants along a travel.

    Parameters
    ----------
    tables
        The character's motions; at least one walk.
    travel
        The whole travel, not only the frames to be baked: the phase hangs on the start of each move.
    settings
        Choices.
    levels
        Height of the ground along the travel on the plan's grid, metres, shape (G,): on steep ground
        the steps get shorter. None stands for flat ground.
    clock
        Fixes when steps come; None where only the travel does.
    rides
        What carries the travel; None for the world.

    Raises
    ------
    TravelError
        Where no motion walks, or none could ever step so often.
    """
    if not np.any(tables.cycles.is_cycle):
        raise TravelError(
            "no walk among the motions", "tick or add a walk cycle", "name one in `motions`"
        )
    grid = make_plan_grid(tables.cycles, travel, settings, len(tables.rig.legs))
    rides = rides or ride_world(grid, travel)
    positions, yaws = travel.evaluate(grid.times)
    velocities, turn_rates = _measure_velocities(rides, tables.cycles.slowest_period)
    if travel.phases is None:
        rides = rides.spread_turns(tables)
    if rides.foot_yaws is not rides.yaws:
        width = GRID.velocity_width * tables.cycles.slowest_period
        turn_rates = smooth_gaussian(rides.measure_foot_turns(), grid.interval, width)
    grades = None
    if levels is not None:
        grades = measure_grades(tables, rides, levels)
        levels = levels - rides.measure_heave()
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    moving = (speeds > GRID.moving_speed * tables.cycles.slowest_speed) | (
        np.abs(turn_rates) > GRID.moving_turn
    )
    if travel.phases is None:
        moving = step_on_drifts(moving, velocities, turn_rates, grid, tables, settings)
    accelerations = None
    if settings.cycle_time == "accelerations":
        accelerations = _measure_accelerations(velocities, turn_rates, grid, tables.cycles)
    pace = Pace(velocities, turn_rates, moving, accelerations)
    weights = plan_weights(tables, grid, velocities, turn_rates, settings)
    cycle_weights, walk_share = normalize_cycles(weights, tables.cycles)
    rates, quickened = plan_rates(tables, grid, weights, pace, settings, levels, grades)
    check_rates(tables, travel, rides, rates, weights)
    phases = _integrate(rates, grid.interval)
    phases += travel.first_phase - np.interp(travel.start, grid.times, phases)
    moves = find_moves(moving, grid, tables.cycles.slowest_period)
    phases = fit_moves(phases, grid, moves, tables)
    if travel.phases is None and travel.jumps:
        phases = fit_jumps(phases, grid.times, travel.jumps, tables)
    key_weights = weigh_key_times(tables, cycle_weights, align_motions(tables.cycles, velocities))
    leg_times, key_times = _time_legs(phases, cycle_weights, key_weights, tables)
    key_times = fit_contacts(tables.rig, key_times, walk_share, pace, rates)
    if clock is not None:
        phases, leg_times = clock.set_clock(grid, phases, leg_times)
    times = grid.times
    return TimePlan(
        grid=grid,
        positions=positions,
        yaws=yaws,
        foot_yaws=rides.turn_feet(grid.times),
        velocities=velocities,
        rides=rides,
        weights=weights,
        cycle_weights=cycle_weights,
        walk_share=walk_share,
        phases=phases,
        leg_times=leg_times,
        key_times=key_times,
        quickened=quickened,
        moves=tuple(
            (None if a is None else float(times[a]), None if b is None else float(times[b]))
            for a, b in moves
        ),
    )


def make_plan_grid(
    cycles: CycleTable, travel: Travel, settings: PlanSettings, legs: int = 2
) -> TimeGrid:
    """Grid anchored at the travel's start, so that a shift in time shifts everything exactly.

    Parameters
    ----------
    cycles
        The motions' cycles.
    travel
        Gives start and end.
    settings
        Give the samples a second.
    legs
        How many legs are planned.

    Raises
    ------
    TravelError
        The plan would take more memory than ordinary machines have; the message tells how much.
    """
    interval = 1.0 / settings.grid_rate
    padding = int(np.ceil(GRID.padding * cycles.slowest_period / interval))
    inside = int(np.ceil((travel.end - travel.start) / interval))
    rows = inside + 2 * padding + 1
    weight = max(legs, 2) / 2.0
    if rows * weight > GRID.most_rows:
        gigabytes, minutes = GRID.row_bytes * 1e-9, GRID.row_seconds / 60.0
        raise TravelError(
            f"a plan of {travel.end - travel.start:.0f} s with {settings.grid_rate:g} samples a second "
            f"would take about {rows * weight * gigabytes:.0f} GB of memory and "
            f"{rows * weight * minutes:.0f} minutes",
            "lower Planning Rate, or choose a range that is nearer to the start of the walk",
            "lower `grid_rate`, or give `frames` that are nearer to the start of the walk",
        )
    return TimeGrid(travel.start - padding * interval, interval, rows)


def _measure_velocities(rides: Rides, period: float) -> tuple[FloatArray, FloatArray]:
    """Smoothed velocity in character space (G, 2) and turn rate (G,) over what carries the body."""
    local, _, turn = rides.measure_velocities()
    interval, width = rides.grid.interval, GRID.velocity_width * period
    return smooth_gaussian(local, interval, width), smooth_gaussian(turn, interval, width)


def _measure_accelerations(
    velocities: FloatArray, turn_rates: FloatArray, grid: TimeGrid, cycles: CycleTable
) -> FloatArray:
    """How quickly a velocity in character space (G, 2) changes over what carries the body, (G,)."""
    changes = np.gradient(velocities, grid.interval, axis=0)
    turned = np.stack([-velocities[:, 1], velocities[:, 0]], axis=1) * turn_rates[:, None]
    width = RATES.acceleration_width * cycles.slowest_period
    smooth = smooth_gaussian(changes + turned, grid.interval, width)
    return np.hypot(smooth[:, 0], smooth[:, 1])


def _integrate(rates: FloatArray, interval: float) -> FloatArray:
    """Integral by the trapezoid rule, starting at 0."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (rates[1:] + rates[:-1]) * interval)])


def _time_legs(
    phases: FloatArray, cycle_weights: FloatArray, key_weights: FloatArray, tables: MotionTables
) -> tuple[FloatArray, FloatArray]:
    """Strictly increasing leg times (G, L) and blended key times (G, L, 4)."""
    used = np.flatnonzero(tables.cycles.is_cycle)
    shares = cycle_weights[:, used]
    turns = np.exp(2j * np.pi * tables.leg_cycles.stances[used])
    stances = np.unwrap(np.angle(shares @ turns), axis=0) / (2 * np.pi)
    # The first stance is counted from the slowest walk's, so that whole turns do not matter.
    stances -= np.round(stances[0] - tables.leg_cycles.stances[tables.cycles.slowest])
    leg_times = phases[:, None] - stances
    # Else a contact would last for as long as a quick change from a run to a walk holds its leg up,
    # while the body goes on.
    beyond = leg_times - CONTACTS.least_leg_rate * phases[:, None]
    leg_times = leg_times + (np.maximum.accumulate(beyond, axis=0) - beyond)
    leg_times = leg_times + 1e-9 * np.arange(len(phases))[:, None]
    key_times = np.tensordot(key_weights[:, used], tables.leg_cycles.key_times[used], axes=1)
    return leg_times, key_times
