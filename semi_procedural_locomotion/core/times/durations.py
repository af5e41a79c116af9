# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a cycle takes, the one place where that is decided (numpy only).

Along any travel cycles run at the speed over the blended stride, within limits: `plan_rates`. Along
footsteps the length of the strides is given, and says how long each takes: `CyclePace`
(docs/method/times.md, Rates; docs/method/footsteps.md, The clock).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
from ..motions.records import MotionSet
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from .crossing_limits import find_parting_rates, measure_own_drift
from .grades import quicken_on_grades
from .limits import RATES
from .stride_limits import (
    find_left,
    limit_climbs,
    limit_outer_feet,
    limit_side_strides,
    limit_strides,
    limit_turns,
)
from .strides import align_motions, blend_strides
from .weights import find_turning


@dataclass(frozen=True)
class Pace:
    """What the travel does, on the plan's grid of G times.

    Attributes
    ----------
    velocities
        In character space, metres a second, shape (G, 2).
    turn_rates
        Radians a second, shape (G,).
    moving
        Whether the travel moves, shape (G,).
    accelerations
        How quickly the velocity changes, straight on and in turns, metres a second squared, shape
        (G,); None where that does not count.
    """

    velocities: FloatArray
    turn_rates: FloatArray
    moving: np.ndarray
    accelerations: FloatArray | None = None

    @property
    def speeds(self) -> FloatArray:
        """Metres a second, shape (G,)."""
        return np.hypot(self.velocities[:, 0], self.velocities[:, 1])


@dataclass(frozen=True)
class CyclePace:
    """How long a cycle takes for a length of stride.

    Attributes
    ----------
    strides, periods
        Of the walks ahead, metres and seconds, strides increasing, shape (M,).
    exponent
        How stride and rate share a slowdown, as `PlanSettings.slowdown_exponent`.
    factor
        Cycles are this many times as long as the motions ask for.
    """

    strides: FloatArray
    periods: FloatArray
    exponent: float
    factor: float = 1.0

    def find_periods(self, strides: FloatArray) -> FloatArray:
        """Seconds of a cycle for strides (N,) in metres."""
        share = np.clip(strides / self.strides[0], 1e-6, 1.0)
        slowed = share ** -min(
            self.exponent / max(1.0 - self.exponent, RATES.least_exponent), RATES.most_slowing
        )
        between = np.interp(strides, self.strides, self.periods)
        return self.factor * between * np.minimum(slowed, RATES.longest_slowed)


def measure_pace(
    motions: MotionSet, walk: int, exponent: float, speed: float | None = None
) -> CyclePace:
    """Pace of the motions that go the way of one of them.

    Parameters
    ----------
    motions
        All motions.
    walk
        Index of the slowest that goes ahead.
    exponent
        See `CyclePace`.
    speed
        Metres a second of its own strides; None for the walk's own speed.
    """
    own = motions.motions[walk]
    ahead = [own]
    for motion in sorted(motions.motions, key=lambda m: m.stride):
        same_way = (
            motion.is_cycle
            and motion.velocity @ own.velocity > RATES.same_way * motion.speed * own.speed
        )
        if same_way and motion.speed > ahead[-1].speed and motion.stride > ahead[-1].stride:
            ahead.append(motion)
    return CyclePace(
        strides=np.array([m.stride for m in ahead]),
        periods=np.array([m.period for m in ahead]),
        exponent=exponent,
        factor=1.0 if speed is None else own.speed / speed,
    )


def plan_rates(
    tables: MotionTables,
    grid: TimeGrid,
    weights: FloatArray,
    pace: Pace,
    settings: PlanSettings,
    levels: FloatArray | None = None,
    grades: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Cycles a second over time.

    Parameters
    ----------
    tables
        The motions.
    grid
        The times.
    weights
        Shares of the motions, shape (G, M).
    pace
        What the travel does.
    settings
        Choices.
    levels
        Height of the ground along the travel, metres, shape (G,); None for flat ground.
    grades
        Its rise over run where it is one slope, shape (G,); None for none.

    Returns
    -------
    rates
        The speed over the blended stride, on grades as much quicker as people's; raised where a step
        would be too long, turn too far, take too much time, cross the other leg or climb too high; 0
        where the travel stands for long, shape (G,).
    quickened
        The factor by which they are raised so that legs do not cross, 1 or more, shape (G,).
    """
    if not np.any(pace.moving):
        return np.zeros(grid.count), np.ones(grid.count)
    speeds = pace.speeds
    rates = find_own_rates(tables, weights, pace, settings)
    if grades is not None and settings.cycle_time == "strides":
        rates = rates * quicken_on_grades(tables, weights, grades)
    outer = limit_outer_feet(tables, weights, rates, speeds, pace.turn_rates)
    rates = np.where(rates > 0.0, np.maximum(rates, outer), rates)
    rates = np.maximum(rates, _turn_on_the_spot(tables, weights, pace))
    rates = np.maximum(rates, limit_turns(pace.turn_rates, settings))
    sideways = np.abs(pace.velocities @ find_left(tables.rig))
    drift = measure_own_drift(tables, weights)
    rates = np.maximum(rates, limit_side_strides(sideways, speeds, drift, settings, tables))
    rates = _keep_stepping(tables, grid, rates, pace, settings)
    apart = find_parting_rates(tables, weights, pace.velocities, pace.turn_rates)
    quicker = np.where(rates > 0, np.maximum(rates, apart), 0.0)
    quickened = np.where(rates > 0, quicker / np.maximum(rates, 1e-9), 1.0)
    if levels is not None:
        quicker = limit_climbs(
            tables, grid, quicker, pace.velocities, pace.moving, levels, settings
        )
    return quicker, quickened


def find_own_rates(
    tables: MotionTables, weights: FloatArray, pace: Pace, settings: PlanSettings
) -> FloatArray:
    """Cycles a second that motions ask for at a pace, before any limit but that of the stride, (G,).

    By strides it is the speed over the stride of the blended pose. By the thesis it is the blended rate
    of the motions by the speed over their blended speed, and what accelerates takes as many cycles as
    keep the change of velocity in each, up to twice as many (docs/method/times.md, Cycle time).
    """
    speeds, cycles = pace.speeds, tables.cycles
    idle = speeds < RATES.idle * cycles.slowest_speed
    strides = blend_strides(cycles, weights, align_motions(cycles, pace.velocities))
    if settings.cycle_time == "accelerations":
        walking = weights * cycles.is_cycle
        blended = walking @ (1.0 / np.maximum(cycles.periods, 1e-9))
        own = walking @ (cycles.strides / np.maximum(cycles.periods, 1e-9))
        strides = np.where(blended > 0.0, own / np.maximum(blended, 1e-9), strides)
    strides = limit_strides(strides, settings, tables.rig.leg_length)
    rates = np.where(idle, 0.0, speeds / np.maximum(strides, 1e-9))
    if settings.cycle_time == "accelerations" and pace.accelerations is not None:
        most = max(settings.max_speed_change, RATES.least_setting)
        rates = np.clip(pace.accelerations / most, rates, RATES.hurried * rates)
    return rates


def _turn_on_the_spot(tables: MotionTables, weights: FloatArray, pace: Pace) -> FloatArray:
    """Cycles a second of motions that turn on the spot, by their weight, shape (G,)."""
    _, on_the_spot = find_turning(tables)
    rates = np.zeros(len(weights))
    for index in np.flatnonzero(on_the_spot):
        motion = tables.motion_set.motions[index]
        faster = np.maximum(np.abs(pace.turn_rates / motion.turn_rate), 1.0)
        rates += weights[:, index] * faster / motion.period
    return rates


def _keep_stepping(
    tables: MotionTables,
    grid: TimeGrid,
    rates: FloatArray,
    pace: Pace,
    settings: PlanSettings,
) -> FloatArray:
    """Rates with no cycle too long, and 0 where the travel stands for long, shape (G,)."""
    period = tables.cycles.slowest_period
    reach = round(RATES.step_on * period / grid.interval)
    near = find_sliding_maximum(pace.moving * 1.0, reach) > 0.5
    # Steady slow walks keep their slow steps; starts, stops and turns on the spot do not wait.
    standing = find_sliding_maximum(~pace.moving * 1.0, reach) > 0.5
    slow = standing & (pace.speeds < RATES.slow * tables.cycles.slowest_speed)
    turning = pace.speeds < RATES.turn_radius * tables.rig.leg_length * np.abs(pace.turn_rates)
    longest = np.where(slow | turning, RATES.slow_cycle, max(settings.max_cycle, RATES.slow_cycle))
    return np.where(near, np.maximum(rates, 1.0 / (longest * period)), 0.0)
