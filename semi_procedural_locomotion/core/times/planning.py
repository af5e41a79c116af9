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
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.records import Motion
from ..motions.tables import LAND, LIFT, OFF, STRIKE, CycleTable, MotionTables
from ..settings import PlanSettings
from ..travel.carried import CarriedTravel, move_points
from ..travel.way import Travel
from .durations import (
    Pace,
    align_motions,
    fit_contacts,
    measure_grades,
    plan_rates,
    weigh_key_times,
)
from .gaps import fit_jumps
from .limits import CONTACTS, GRID, MOVES, RATES, REFUSALS
from .rides import RiddenTravel, Rides, ride_world
from .stride_limits import find_fastest
from .weights import normalize_cycles, plan_weights

Moves = list[tuple[int | None, int | None]]


def step_on_drifts(
    moving: np.ndarray,
    velocities: FloatArray,
    turn_rates: FloatArray,
    grid: TimeGrid,
    tables: MotionTables,
    settings: PlanSettings,
) -> np.ndarray:
    """Let a travel that hardly moves move for a step whenever its drift has added up to one.

    Parameters
    ----------
    moving
        Whether the travel moves by its speed, shape (G,).
    velocities, turn_rates
        In character space, metres and radians a second, shapes (G, 2) and (G,).
    settings
        Which steps are too short to be taken.

    Returns
    -------
    array, shape (G,)
        Whether the travel moves; as given where it rests in its place.
    """
    length = tables.rig.leg_length
    angle = max(settings.park_angle, MOVES.least_drift_turn)
    distance = max(settings.park_distance, MOVES.least_drift) * length
    farthest = float(np.hypot(*tables.leg_cycles.stance_positions[..., :2].T).max())
    yaws = np.cumsum(turn_rates) * grid.interval
    turned = rot.rotate(rot.quaternions_from_yaws(yaws), rot.pack(*velocities.T, 0.0 * yaws))
    places = np.cumsum(turned[:, :2], axis=0) * grid.interval
    cycle = tables.cycles.slowest_period / grid.interval
    lasting = max(round(MOVES.drift_step * cycle), 1)
    moving = moving.copy()
    index = 0
    while index < len(moving):
        # What stands still from here on, as far as to the next move.
        rest = int(np.argmax(np.append(moving[index:], True)))
        stretch = slice(index, index + rest)
        turns = np.abs(yaws[stretch] - yaws[index])
        ways = np.hypot(*(places[stretch] - places[index]).T)
        passed = np.flatnonzero((ways + farthest * turns >= distance) | (turns >= angle))
        if len(passed) > 0:
            start = index + int(passed[0])
            if index > 0 and start - index < MOVES.drift_rest * cycle:
                moving[index:start] = True
            moving[start : start + lasting] = True
            index = start + lasting
        else:
            index += rest + int(np.argmin(np.append(moving[index + rest :], False)))
    return moving


def find_moves(moving: np.ndarray, grid: TimeGrid, period: float) -> Moves:
    """Moves of a travel.

    Parameters
    ----------
    moving
        Whether the travel moves, on the grid, shape (G,).
    period
        Cycle time of the slowest walk, seconds.

    Returns
    -------
    list of (start, end)
        Grid indices; None where a move runs past the grid. Rests that are too short for all feet to
        close and to start again are part of a move.
    """
    edges = np.diff(moving.astype(int))
    starts: list[int | None] = [int(i) for i in np.flatnonzero(edges > 0)]
    ends: list[int | None] = [int(i) for i in np.flatnonzero(edges < 0)]
    if moving[0]:
        starts.insert(0, None)
    if moving[-1]:
        ends.append(None)
    least = (MOVES.closing + MOVES.opening + MOVES.anticipation) * period / grid.interval
    merged: Moves = []
    for start, end in zip(starts, ends, strict=True):
        last = merged[-1][1] if merged else None
        if last is not None and start is not None and start - last < least:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def fit_moves(phases: FloatArray, grid: TimeGrid, moves: Moves, tables: MotionTables) -> FloatArray:
    """Phases (G,) shifted so that a foot lifts just before each start, and stands at each stop."""
    period = tables.cycles.slowest_period
    stances = tables.leg_cycles.stances[tables.cycles.slowest]
    offs = tables.leg_cycles.key_times[tables.cycles.slowest, :, OFF]
    times = grid.times
    phases = phases.copy()
    previous_end: int | None = None
    for start, end in moves:
        if start is not None:
            lead = times[start] - MOVES.anticipation * period
            ahead = (stances + offs - np.interp(lead, times, phases)) % 1.0
            shift = float(ahead[np.argmin(np.minimum(ahead, 1.0 - ahead))])
            first = 0
            if previous_end is not None:
                # All feet stand here: a jump of the phase is not seen.
                closed = times[previous_end] + MOVES.closing * period
                opens = lead - MOVES.opening * period
                first = int(np.searchsorted(times, 0.5 * (closed + opens)))
            elif shift >= 0.5:
                shift -= 1.0
            phases[first:] += shift
        if end is not None:
            stop = times[end]
            ahead = (stances - np.interp(stop, times, phases)) % 1.0
            options = np.concatenate([ahead, ahead - 1.0])
            # Longer last steps cost more than an extra short one: they drop the hips.
            shift = float(
                options[np.argmin(np.where(options >= 0, options, -MOVES.longer_cost * options))]
            )
            span = MOVES.settle * period
            if start is not None:
                span = min(span, MOVES.settle_share * (stop - times[start]))
            phases += shift * rot.step_quintic((times - (stop - span)) / max(span, grid.interval))
            previous_end = end
    return np.maximum.accumulate(phases)


# How a character leaves what carries it.
_LET_GO = (
    "key the influence of a Child Of constraint in place of the parent, so that it lets go where the "
    "character steps off"
)


def check_speed(tables: MotionTables, travel: Travel, rides: Rides) -> None:
    """Refuse travels that no walk can follow.

    Raises TravelError: it is a hundred times as fast as the fastest motion, or carried off over
    standing ground.

    Parameters
    ----------
    travel, rides
        The travel, and how it goes over what carries it.
    """
    if not np.any(tables.cycles.is_cycle):
        return
    run = _Run.of(travel, rides)
    worst = int(np.argmax(run.speeds))
    name, own = find_fastest(tables.motion_set)
    if run.speeds[worst] <= REFUSALS.most_fast * own:
        return
    _refuse_stride(tables, next(m for m in tables.motion_set.motions if m.name == name))
    run.refuse_sliding(worst, own, rides)
    _refuse_carried_off(travel, rides, float(run.times[worst]))
    run.refuse_jump(worst, tables.rig.leg_length)
    factor = float(run.speeds[worst]) / own
    told = f"{factor:.0f} times" if factor < REFUSALS.most_told else "many thousand times"
    raise TravelError(
        f"the travel is {told} as fast as the fastest motion, {name!r} at {own:.3g} m/s",
        "travel slower, tick a motion that is as fast, or bring scene and character to the same units",
        "travel slower, name a motion that is as fast in `motions`, or bring scene and character to the "
        "same units",
    )


def _check_rates(
    tables: MotionTables, travel: Travel, rides: Rides, rates: FloatArray, weights: FloatArray
) -> None:
    """Refuse walks of countless steps, as a motion with hardly a stride asks for."""
    limit = max(REFUSALS.most_rate, REFUSALS.most_quick / tables.cycles.slowest_period)
    if rates.max() <= limit:
        return
    worst = int(np.argmax(rates))
    main = tables.motion_set.motions[
        int(np.argmax(np.where(tables.cycles.is_cycle, weights[worst], -1.0)))
    ]
    _refuse_stride(tables, main)
    time = float(np.clip(rides.grid.times[worst], travel.start, travel.end))
    run = _Run.of(travel, rides)
    fastest = run.find_fastest_near(time)
    run.refuse_sliding(fastest, find_fastest(tables.motion_set)[1], rides)
    _refuse_carried_off(travel, rides, time)
    run.refuse_jump(fastest, tables.rig.leg_length)
    raise TravelError(
        f"{main.name!r} would have to take more than {limit:.0f} cycles a second",
        "untick it if it is no walk that goes this way, travel slower, or raise the limits of the steps "
        "(Longest Stride, Side Stride, Turn per Cycle)",
        "leave it out of `motions` if it is no walk that goes this way, travel slower, or raise "
        "`max_stride`, `max_side_stride` or `max_turn_per_cycle`",
        time=time,
    )


def _refuse_stride(tables: MotionTables, motion: Motion) -> None:
    """Refuse a motion that all but walks on the spot."""
    if motion.speed * motion.period < REFUSALS.least_stride * tables.rig.leg_length:
        raise TravelError(
            f"{motion.name!r} has a stride of nearly nothing, less than {REFUSALS.least_stride:.0%} of "
            "the leg, so that no number of its steps goes along the travel",
            "untick it, or set its Speed",
            "leave it out of `motions`, or give its `speed` there",
        )


def _refuse_carried_off(travel: Travel, rides: Rides, time: float) -> None:
    """Refuse a travel that its carrier takes over other ground faster than it walks at a time."""
    meant = travel.meant if isinstance(travel, RiddenTravel) else travel
    if not isinstance(meant, CarriedTravel):
        return
    step = 0.5 * rides.grid.interval
    times = np.array([time - step, time + step])
    places, yaws = meant.local.evaluate(np.array([time - step, time, time + step]))
    carried, _ = meant.carrier.carry(places[[1, 1]], yaws[[1, 1]], times)
    under = rides.carriers[int(rides.find_numbers(np.array([time]))[0])]
    if under is not None:
        carried = move_points(np.linalg.pinv(under.find_motions(times)), carried)
    speed = float(np.hypot(*(carried[1] - carried[0])[:2])) / rides.grid.interval
    own = float(np.hypot(*(places[2] - places[0])[:2])) / rides.grid.interval
    if speed > own:
        raise TravelError(
            f"{meant.carrier.name!r} carries the character at {speed:.3g} m/s over ground that does not "
            "go along",
            f"end the walk before that (Own Range), or {_LET_GO}",
            f"end `frames` before that, or {_LET_GO}",
            time=time,
        )


@dataclass(frozen=True)
class _Run:
    """A travel while it lasts, without what goes on past its ends.

    Attributes
    ----------
    times
        Seconds, shape (R,).
    velocities, speeds
        Over what carries it, along the world's axes, metres a second, shapes (R, 2) and (R,).
    interval
        Seconds from one time to the next.
    """

    times: FloatArray
    velocities: FloatArray
    speeds: FloatArray
    interval: float

    @classmethod
    def of(cls, travel: Travel, rides: Rides) -> _Run:
        """The times of a plan's grid at which a travel lasts."""
        times = rides.grid.times
        lasts = (times >= travel.start) & (times <= travel.end)
        if not np.any(lasts):
            lasts[:] = True
        velocities = rides.measure_velocities()[1][lasts, :2]
        return cls(times[lasts], velocities, np.hypot(*velocities.T), rides.grid.interval)

    def find_fastest_near(self, time: float) -> int:
        """Index of the fastest time within the length of a jump from a time in seconds."""
        near = np.abs(self.times - time) <= REFUSALS.jump
        return int(np.argmax(np.where(near, self.speeds, -1.0)))

    def refuse_sliding(self, worst: int, own: float, rides: Rides) -> None:
        """Refuse ground that goes by below the walk faster than the fastest motion, m/s."""
        names = np.where(rides.find_sliding(), np.array(rides.names)[rides.numbers], "")
        sliding = names[np.isin(rides.grid.times, self.times)]
        name = str(sliding[worst])
        if not name or self.speeds[worst] <= own:
            return
        others = np.flatnonzero((sliding != name) | (self.speeds <= own))
        before, after = others[others < worst], others[others > worst]
        first = before[-1] + 1 if len(before) else 0
        last = after[0] - 1 if len(after) else len(self.times) - 1
        raise TravelError(
            f"{name!r} goes by below the walk at up to {self.speeds[worst]:.3g} m/s: leave it out of "
            "the ground, let it move slower, or parent the character to it",
            time=float(self.times[first]),
            last=float(self.times[last]),
        )

    def refuse_jump(self, worst: int, leg_length: float) -> None:
        """Refuse a travel that is somewhere else at once, and goes slowly before and after."""
        near = np.abs(self.times - self.times[worst]) <= REFUSALS.jump
        beside = self.speeds[~near]
        if not len(beside) or beside.max() > REFUSALS.beside_jump * self.speeds[worst]:
            return
        distance = float(np.hypot(*self.velocities[near].sum(axis=0)) * self.interval)
        told = f"{distance:.3g} m"
        if distance > REFUSALS.most_lengths * leg_length:
            told = f"more than {REFUSALS.most_lengths:.0f} times the length of a leg"
        raise TravelError(
            f"the travel jumps {told} at once",
            "let it move over more frames, or bake what is before and after the jump by itself (Own "
            "Range)",
            "let it move over more frames, or bake the `frames` before and after the jump by themselves",
            time=float(self.times[worst]),
        )


@dataclass(frozen=True)
class TimePlan:
    """Everything about a walk that does not depend on the ground, on a grid of G times.

    Attributes
    ----------
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


class _ClockSource(Protocol):
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
    clock: _ClockSource | None = None,
    rides: Rides | None = None,
) -> TimePlan:
    """Plan weights, phase and stance instants along a travel.

    Raises TravelError where no motion walks, or none could ever step so often.

    Parameters
    ----------
    tables
        The character's motions; at least one walk.
    travel
        The whole travel, not only the frames to be baked: the phase hangs on the start of each move.
    levels
        Height of the ground along the travel on the plan's grid, metres, shape (G,): on steep ground
        the steps get shorter. None stands for flat ground.
    clock
        Fixes when steps come; None where only the travel does.
    rides
        What carries the travel; None for the world.
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
    _check_rates(tables, travel, rides, rates, weights)
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

    Raises TravelError: the plan would take more memory than ordinary machines have; the message
    tells how much.

    Parameters
    ----------
    cycles
        The motions' cycles.
    settings
        Give the samples a second.
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
