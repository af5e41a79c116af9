# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The time plan: which motions play when, and when each foot stands (numpy only).

Plan study 1. Everything is a function of the travel alone; the ground is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import TravelError
from . import rotations as rot
from .blending import compute_band_weights
from .grid import TimeGrid
from .posing import OFF, MotionTables
from .rotations import FloatArray
from .settings import PlanSettings
from .smoothing import smooth_gaussian
from .travel import Travel

# Smoothing widths as shares of the slowest walk's cycle (plan study 1.1 and 1.2).
_VELOCITY_WIDTH = 0.1
_WEIGHT_WIDTH = 0.13
# A travel moves where it is faster than this share of the slowest walk or turns faster than this.
_MOVING_SPEED = 0.02
_MOVING_TURN = float(np.radians(4.0))
# Feet keep stepping this many cycles before and after a move.
_STEP_ON = 1.2
# Longest cycle near a standstill and elsewhere, in cycles of the slowest walk.
_SLOW_CYCLE = 1.25
_LONGEST_CYCLE = 2.2
# The first foot leaves this long before the body moves, in cycles (plan study 1.4).
_ANTICIPATION = 0.1
# The last steps are re-timed over this many cycles so that a foot stands when the body stops.
_SETTLE = 2.0
# Padding of the grid at both ends, in cycles.
_PADDING = 2.25
# The ground's slope is smoothed over this many cycles; steps on slopes get no faster than so many
# cycles in one of the slowest walk.
_SLOPE_WIDTH = 0.3
_FASTEST_STEPS = 1.7
# A sideways walk is one whose sideways share of the speed is above this.
_SIDEWAYS_SHARE = 0.5
# Weights below this change no visible pose.
_LEAST_WEIGHT = 1e-4


@dataclass(frozen=True)
class TimePlan:
    """Everything about a walk that does not depend on the ground, on a grid of G times.

    Attributes
    ----------
    grid
        The times.
    positions, yaws
        The travel, world metres and radians, shapes (G, 3) and (G,).
    velocities
        Velocity of the travel in character space, metres a second, smoothed, shape (G, 2).
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
    moves
        Start and end of each move in seconds, None where it runs beyond the travel.
    """

    grid: TimeGrid
    positions: FloatArray
    yaws: FloatArray
    velocities: FloatArray
    weights: FloatArray
    cycle_weights: FloatArray
    walk_share: FloatArray
    phases: FloatArray
    leg_times: FloatArray
    key_times: FloatArray
    moves: tuple[tuple[float | None, float | None], ...]

    def step_key_times(self, leg: int, steps: np.ndarray) -> FloatArray:
        """Lift, off, strike, land of whole steps of a leg, constant within each, shape (K, 4).

        They are read in the middle of the step (plan study 1.5), so that they do not drift in it.
        """
        times = self.grid.find_crossings(self.leg_times[:, leg], steps + 0.5)
        return self.grid.sample(self.key_times[:, leg], times)


def plan_times(
    tables: MotionTables,
    travel: Travel,
    settings: PlanSettings,
    levels: FloatArray | None = None,
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

    Raises
    ------
    TravelError
        Where no motion walks.
    """
    if not np.any(tables.is_cycle):
        raise TravelError("no walk among the motions: tick or add a walk cycle")
    grid = make_plan_grid(tables, travel, settings)
    positions, yaws = travel.evaluate(grid.times)
    velocities, turn_rates = _measure_velocities(grid, positions, yaws, tables.slowest_period)
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    weights = plan_weights(tables, grid, velocities, settings)
    cycle_weights, walk_share = _normalize_cycles(weights, tables)
    moving = (speeds > _MOVING_SPEED * tables.slowest_speed) | (np.abs(turn_rates) > _MOVING_TURN)
    rates = _plan_rates(tables, grid, weights, velocities, turn_rates, moving, settings)
    if levels is not None:
        rates = _shorten_climbs(tables, grid, rates, speeds, levels, settings)
    phases = _integrate(rates, grid.interval)
    phases -= np.interp(travel.start, grid.times, phases)
    moves = _find_moves(moving)
    phases = _fit_moves(phases, grid, moves, tables)
    leg_times, key_times = _time_legs(phases, cycle_weights, tables)
    times = grid.times
    return TimePlan(
        grid=grid,
        positions=positions,
        yaws=yaws,
        velocities=velocities,
        weights=weights,
        cycle_weights=cycle_weights,
        walk_share=walk_share,
        phases=phases,
        leg_times=leg_times,
        key_times=key_times,
        moves=tuple(
            (None if a is None else float(times[a]), None if b is None else float(times[b]))
            for a, b in moves
        ),
    )


def make_plan_grid(tables: MotionTables, travel: Travel, settings: PlanSettings) -> TimeGrid:
    """Grid anchored at the travel's start, so that a shift in time shifts everything exactly."""
    interval = 1.0 / settings.grid_rate
    padding = int(np.ceil(_PADDING * tables.slowest_period / interval))
    inside = int(np.ceil((travel.end - travel.start) / interval))
    return TimeGrid(travel.start - padding * interval, interval, inside + 2 * padding + 1)


def _measure_velocities(
    grid: TimeGrid, positions: FloatArray, yaws: FloatArray, period: float
) -> tuple[FloatArray, FloatArray]:
    """Smoothed velocity in character space (G, 2) and turn rate (G,)."""
    world = np.gradient(positions[:, :2], grid.interval, axis=0)
    cosine, sine = np.cos(yaws), np.sin(yaws)
    local = np.stack(
        [cosine * world[:, 0] + sine * world[:, 1], cosine * world[:, 1] - sine * world[:, 0]], 1
    )
    width = _VELOCITY_WIDTH * period
    turn = np.gradient(yaws, grid.interval)
    return (
        smooth_gaussian(local, grid.interval, width),
        smooth_gaussian(turn, grid.interval, width),
    )


def plan_weights(
    tables: MotionTables, grid: TimeGrid, velocities: FloatArray, settings: PlanSettings
) -> FloatArray:
    """Shares of the motions over time, sum 1, shape (G, M).

    Below the slowest walk's speed the query is raised so that stride and rate share the slowdown
    (plan study 1.2); weights are smoothed in time without lag.
    """
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    slow = np.minimum(speeds / tables.slowest_speed, 1.0)
    factor = np.where(slow < 1.0, np.maximum(slow, 1e-9) ** (settings.slowdown_exponent - 1.0), 1.0)
    queries = velocities * factor[:, None]
    weights = np.zeros((grid.count, len(tables.is_cycle)))
    for group in tables.set.groups:
        members = np.array(group.members, dtype=np.intp)
        own = compute_band_weights(tables.velocities[members], ~tables.is_cycle[members], queries)
        share = np.interp(grid.times, group.weight_times, group.weights)
        weights[:, members] += own * share[:, None]
    weights = smooth_gaussian(weights, grid.interval, _WEIGHT_WIDTH * tables.slowest_period)
    weights = np.where(weights < _LEAST_WEIGHT, 0.0, weights)
    total = weights.sum(axis=1, keepdims=True)
    weights[total[:, 0] <= 0, tables.slowest] = 1.0
    return weights / np.where(total > 0, total, 1.0)


def _normalize_cycles(weights: FloatArray, tables: MotionTables) -> tuple[FloatArray, FloatArray]:
    """Weights of the walks among themselves; the slowest walk where all vanish."""
    walking = weights * tables.is_cycle
    share = walking.sum(axis=1)
    result = walking / np.where(share > 1e-6, share, 1.0)[:, None]
    idle = share <= 1e-6
    result[idle] = 0.0
    result[idle, tables.slowest] = 1.0
    return result, share


def _plan_rates(
    tables: MotionTables,
    grid: TimeGrid,
    weights: FloatArray,
    velocities: FloatArray,
    turn_rates: FloatArray,
    moving: np.ndarray,
    settings: PlanSettings,
) -> FloatArray:
    """Cycles a second over time: speed over the blended stride, within limits, 0 at rest."""
    period, slowest = tables.slowest_period, tables.slowest_speed
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    rates = np.where(
        speeds < 1e-4 * slowest, 0.0, speeds / np.maximum(weights @ tables.strides, 1e-9)
    )
    rates = np.maximum(rates, np.abs(turn_rates) / max(settings.max_turn_per_cycle, 1e-6))
    forward = tables.rig.forward
    sideways = np.abs(velocities[:, 0] * -forward[1] + velocities[:, 1] * forward[0])
    has_side_motion = _has_sideways_motion(tables)
    if not has_side_motion:
        longest = max(settings.max_side_stride, 1e-3) * tables.rig.leg_length
        mostly = sideways > _SIDEWAYS_SHARE * np.maximum(speeds, 1e-9)
        rates = np.maximum(rates, np.where(mostly, sideways / longest, 0.0))
    if not np.any(moving):
        return np.zeros(grid.count)
    reach = round(_STEP_ON * period / grid.interval)
    near = np.convolve(moving.astype(float), np.ones(2 * reach + 1), "same") > 0.5
    slow = speeds < 0.2 * slowest
    floor = np.where(slow, 1.0 / (_SLOW_CYCLE * period), 1.0 / (_LONGEST_CYCLE * period))
    return np.where(near, np.maximum(rates, floor), 0.0)


def _shorten_climbs(
    tables: MotionTables,
    grid: TimeGrid,
    rates: FloatArray,
    speeds: FloatArray,
    levels: FloatArray,
    settings: PlanSettings,
) -> FloatArray:
    """Rates raised so that no step climbs or falls more than the settings allow (plan study 1.3)."""
    width = _SLOPE_WIDTH * tables.slowest_period
    climb = np.abs(np.gradient(smooth_gaussian(levels, grid.interval, width), grid.interval))
    climb = np.where(speeds > _MOVING_SPEED * tables.slowest_speed, climb, 0.0)
    # A cycle has two steps of each pair of legs, so it may climb twice as much as one step.
    most = 2.0 * max(settings.max_climb, 1e-3) * tables.rig.leg_length
    cap = np.maximum(rates, _FASTEST_STEPS / tables.slowest_period)
    return np.minimum(np.maximum(rates, climb / most), cap)


def _has_sideways_motion(tables: MotionTables) -> bool:
    """Whether some walk travels mostly sideways, so that its own stride may be trusted."""
    forward = tables.rig.forward
    side = np.abs(tables.velocities @ np.array([-forward[1], forward[0]]))
    return bool(np.any(side > _SIDEWAYS_SHARE * np.maximum(np.hypot(*tables.velocities.T), 1e-9)))


def _integrate(rates: FloatArray, interval: float) -> FloatArray:
    """Integral by the trapezoid rule, starting at 0."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (rates[1:] + rates[:-1]) * interval)])


def _find_moves(moving: np.ndarray) -> list[tuple[int | None, int | None]]:
    """Grid indices at which moves start and end; None where they run past the grid."""
    edges = np.diff(moving.astype(int))
    starts: list[int | None] = [int(i) for i in np.flatnonzero(edges > 0)]
    ends: list[int | None] = [int(i) for i in np.flatnonzero(edges < 0)]
    if moving[0]:
        starts.insert(0, None)
    if moving[-1]:
        ends.append(None)
    return list(zip(starts, ends, strict=True))


def _fit_moves(
    phases: FloatArray,
    grid: TimeGrid,
    moves: list[tuple[int | None, int | None]],
    tables: MotionTables,
) -> FloatArray:
    """Shift the phase so that a foot lifts just before each start, and stands at each stop."""
    period = tables.slowest_period
    stances = tables.stances[tables.slowest]
    offs = tables.key_times[tables.slowest, :, OFF]
    times = grid.times
    phases = phases.copy()
    previous_end: int | None = None
    for start, end in moves:
        if start is not None:
            lead = times[start] - _ANTICIPATION * period
            ahead = (stances + offs - np.interp(lead, times, phases)) % 1.0
            shift = float(ahead[np.argmin(np.minimum(ahead, 1.0 - ahead))])
            shift = shift - 1.0 if shift >= 0.5 and previous_end is None else shift
            first = 0 if previous_end is None else (previous_end + start) // 2
            phases[first:] += shift
        if end is not None:
            stop = times[end]
            ahead = (stances - np.interp(stop, times, phases)) % 1.0
            options = np.concatenate([ahead, ahead - 1.0])
            # Longer last steps cost more than an extra short one: they drop the hips.
            shift = float(options[np.argmin(np.where(options >= 0, options, -4.0 * options))])
            span = _SETTLE * period
            if start is not None:
                span = min(span, 0.6 * (stop - times[start]))
            phases += shift * rot.step_quintic((times - (stop - span)) / max(span, grid.interval))
            previous_end = end
    return np.maximum.accumulate(phases)


def _time_legs(
    phases: FloatArray, cycle_weights: FloatArray, tables: MotionTables
) -> tuple[FloatArray, FloatArray]:
    """Strictly increasing leg times (G, L) and blended key times (G, L, 4)."""
    used = np.flatnonzero(tables.is_cycle)
    shares = cycle_weights[:, used]
    turns = np.exp(2j * np.pi * tables.stances[used])
    stances = np.unwrap(np.angle(shares @ turns), axis=0) / (2 * np.pi)
    # The first stance is counted from the slowest walk's, so that whole turns do not matter.
    stances -= np.round(stances[0] - tables.stances[tables.slowest])
    leg_times = np.maximum.accumulate(phases[:, None] - stances, axis=0)
    leg_times = leg_times + 1e-9 * np.arange(len(phases))[:, None]
    key_times = np.tensordot(shares, tables.key_times[used], axes=1)
    return leg_times, key_times
