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

from ..maths import rotations as rot
from ..maths.constants import LEGS_OF_PEOPLE
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum, smooth_gaussian
from ..motions.records import MotionSet
from ..motions.tables import OFF, STRIKE, CycleTable, MotionTables
from ..rig.structure import Rig
from ..settings import PlanSettings
from .crossing_limits import find_parting_rates, measure_own_drift
from .limits import CONTACTS, GRADES, RATES
from .rides import Rides
from .stride_limits import (
    find_left,
    limit_climbs,
    limit_outer_feet,
    limit_side_strides,
    limit_strides,
    limit_turns,
)
from .weights import find_turning


def measure_grades(tables: MotionTables, rides: Rides, levels: FloatArray) -> FloatArray:
    """Rise over run of the ground along the way, as far as it holds for half a cycle around.

    Parameters
    ----------
    rides
        How the travel goes over the ground, on the plan's grid of G times.
    levels
        Height of the ground that the body walks on, metres, shape (G,).

    Returns
    -------
    array, shape (G,)
        Above 0 going up; 0 on stairs, bumps and what moves, as a deck that rocks is no hill, and
        fading where the travel stands.
    """
    grid, period = rides.grid, tables.cycles.slowest_period
    local, _, _ = rides.measure_velocities()
    speeds = np.hypot(local[:, 0], local[:, 1])
    heights = levels - rides.measure_heave()
    near = smooth_gaussian(heights, grid.interval, GRADES.near * period)
    rises = np.gradient(near, grid.interval)
    around = max(round(GRADES.around * period / grid.interval), 1)
    least, most = -find_sliding_maximum(-rises, around), find_sliding_maximum(rises, around)
    held = np.maximum(least, 0.0) + np.minimum(most, 0.0)
    slow = GRADES.slow * tables.cycles.slowest_speed
    carried = np.array([carrier is not None for carrier in rides.carriers])[rides.numbers]
    grades = np.where(carried, 0.0, held * speeds / np.maximum(speeds, slow) ** 2)
    return smooth_gaussian(grades, grid.interval, GRADES.width * period)


def quicken_on_grades(tables: MotionTables, weights: FloatArray, grades: FloatArray) -> FloatArray:
    """Find by which factor people's steps come quicker on grades (G,) than on the level, (G,).

    They take longer steps up and shorter ones down. So do walks of bodies on two legs; runs, whose feet
    stand for less than half of a cycle, keep their strides.

    Parameters
    ----------
    weights
        Shares of the motions, shape (G, M).
    grades
        See `measure_grades`.
    """
    if len(tables.small_rig.legs) != LEGS_OF_PEOPLE:
        return np.ones(len(grades))
    keys = tables.leg_cycles.key_times
    stands = np.mean(1.0 - keys[..., STRIKE] + keys[..., OFF], axis=1) >= GRADES.walking
    people = np.interp(grades, GRADES.slopes, GRADES.quicker)
    return np.asarray(1.0 + (weights @ (stands & tables.cycles.is_cycle)) * (people - 1.0))


def align_motions(cycles: CycleTable, velocities: FloatArray) -> FloatArray:
    """Measure how far each motion goes the way of the travel, -1 to 1, shape (G, M).

    Parameters
    ----------
    cycles
        Numbers of the motions.
    velocities
        Of the travel in character space, metres a second, shape (G, 2). Where they are small every
        motion counts in full.
    """
    own = cycles.velocities / np.maximum(np.hypot(*cycles.velocities.T), 1e-9)[:, None]
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    cosines = (velocities / np.maximum(speeds, 1e-9)[:, None]) @ own.T
    sure = np.minimum(speeds / (RATES.slow * cycles.slowest_speed), 1.0)[:, None]
    return 1.0 + sure * (cosines - 1.0)


def blend_strides(cycles: CycleTable, weights: FloatArray, alignment: FloatArray) -> FloatArray:
    """Stride of the blended pose along the travel, metres, shape (G,)."""
    along = np.sum(weights * alignment * cycles.strides, axis=1)
    return np.maximum(along, RATES.least_stride * (weights @ cycles.strides))


@dataclass(frozen=True)
class Pace:
    """Record of what the travel does, on the plan's grid of G times.

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
    """Record of how long a cycle takes for a length of stride.

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
    weights
        Shares of the motions, shape (G, M).
    pace
        What the travel does.
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


def weigh_key_times(
    tables: MotionTables, cycle_weights: FloatArray, alignment: FloatArray
) -> FloatArray:
    """Weights with which key times are blended, sum 1, shape (G, M).

    Weighted by the strides, the blended contact is as long as the way that the blended pose's foot
    goes in it, so that a planted foot has to be corrected as little as that of a single motion.
    """
    strides = tables.cycles.strides + 1e-6 * tables.rig.leg_length
    shares = cycle_weights * strides * np.maximum(alignment, CONTACTS.least_alignment)
    return shares / shares.sum(axis=1, keepdims=True)


def fit_contacts(
    rig: Rig,
    key_times: FloatArray,
    walk_share: FloatArray,
    pace: Pace,
    rates: FloatArray,
) -> FloatArray:
    """Key times where the travel is not what the motions were made for.

    Where the rest motion has a share, the travel is slower than any motion that goes that way: a run
    that is only slowed down would float between its short contacts, so its feet stand as those of a
    walk do, as long as the leg reaches while the body passes over them. Turns on the spot need no
    double support: their feet take longer for the turn.

    Parameters
    ----------
    key_times
        Blended lift, off, strike, land, shape (G, L, 4).
    walk_share
        Sum of the walks' weights, shape (G,).
    pace
        What the travel does.
    rates
        Cycles a second, shape (G,).

    Returns
    -------
    array, shape (G, L, 4)
        Unchanged where motions play in full.
    """
    slow = rot.step_cubic((1.0 - walk_share) / CONTACTS.standing_share)[:, None]
    swept = RATES.turn_radius * rig.leg_length * np.abs(pace.turn_rates)
    turning = np.clip(1.0 - pace.speeds / np.maximum(swept, 1e-9), 0.0, 1.0)[:, None]
    lift, off, strike, land = np.moveaxis(key_times, -1, 0)
    later, sooner = CONTACTS.half_stance - off, strike - (1.0 - CONTACTS.half_stance)
    reached = CONTACTS.stance_reach * rig.leg_length * rates / np.maximum(pace.speeds, 1e-9)
    half = np.minimum(reached, CONTACTS.half_stance)[:, None]
    longer, earlier = np.maximum(half - off, 0.0), np.maximum(strike - (1.0 - half), 0.0)
    new_off = off + slow * longer + slow * turning * np.minimum(later, 0.0)
    new_strike = strike - slow * earlier - slow * turning * np.minimum(sooner, 0.0)
    new_lift = lift * new_off / np.maximum(off, 1e-9)
    rolled = (1.0 - new_strike) / np.maximum(1.0 - strike, 1e-9)
    return np.stack([new_lift, new_off, new_strike, 1.0 - (1.0 - land) * rolled], axis=-1)
