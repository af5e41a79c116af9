# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast the cycles run: the speed over the blended stride, within limits (numpy only).

Plan study 1.3. The blended pose of motions in unlike directions has the stride of their vector sum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum, smooth_gaussian
from ..motions.tables import CycleTable, MotionTables
from ..rig.structure import Rig
from ..settings import PlanSettings
from .crossing_limits import find_left, find_parting_rates, measure_own_drift
from .weights import find_turning

# Feet keep stepping this many cycles before and after a move.
_STEP_ON = 1.2
# Longest cycle near a standstill and on the spot, in cycles of the slowest walk.
_SLOW_CYCLE = 1.25
# Below this share of the slowest walk's speed the direction of travel does not tell which motion's
# stride counts, and starts and stops keep stepping.
_SLOW = 0.2
# Strides of motions in opposite directions never cancel below this share of their sum.
_LEAST_STRIDE = 0.5
# Where the rest motion has this share or more, feet leave no sooner than this after their stance, so
# that of two feet one just leaves when the other strikes.
_STANDING_SHARE, _HALF_STANCE = 0.5, 0.26
# Contacts are lengthened while the body passes the foot by less than this share of the leg each way.
_STANCE_REACH = 0.5
# With a motion that goes sideways, but not in full, side strides may be longer by this factor.
_LED_STRIDE = 2.0
# The ground's slope is smoothed over this many cycles; steps on slopes get no faster than so many
# cycles in one of the slowest walk.
_SLOPE_WIDTH = 0.3
_FASTEST_STEPS = 1.7
# A travel turns on the spot where the radius of its turn is below this share of the leg.
_TURN_RADIUS = 0.4
# A sideways walk is one whose sideways share of the speed is above this.
_SIDEWAYS_SHARE = 0.5


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
    """

    velocities: FloatArray
    turn_rates: FloatArray
    moving: np.ndarray

    @property
    def speeds(self) -> FloatArray:
        """Metres a second, shape (G,)."""
        return np.hypot(self.velocities[:, 0], self.velocities[:, 1])


def align_motions(cycles: CycleTable, velocities: FloatArray) -> FloatArray:
    """How far each motion goes the way of the travel, -1 to 1, shape (G, M).

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
    sure = np.minimum(speeds / (_SLOW * cycles.slowest_speed), 1.0)[:, None]
    return 1.0 + sure * (cosines - 1.0)


def blend_strides(cycles: CycleTable, weights: FloatArray, alignment: FloatArray) -> FloatArray:
    """Stride of the blended pose along the travel, metres, shape (G,)."""
    along = np.sum(weights * alignment * cycles.strides, axis=1)
    return np.maximum(along, _LEAST_STRIDE * (weights @ cycles.strides))


def weigh_key_times(
    tables: MotionTables, cycle_weights: FloatArray, alignment: FloatArray
) -> FloatArray:
    """Weights with which key times are blended, sum 1, shape (G, M).

    Weighted by the strides, the blended contact is as long as the way that the blended pose's foot
    goes in it, so that a planted foot has to be corrected as little as that of a single motion.
    """
    strides = tables.cycles.strides + 1e-6 * tables.rig.leg_length
    shares = cycle_weights * strides * np.maximum(alignment, 0.1)
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
    rig
        The character.
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
    slow = rot.step_cubic((1.0 - walk_share) / _STANDING_SHARE)[:, None]
    swept = _TURN_RADIUS * rig.leg_length * np.abs(pace.turn_rates)
    turning = np.clip(1.0 - pace.speeds / np.maximum(swept, 1e-9), 0.0, 1.0)[:, None]
    lift, off, strike, land = np.moveaxis(key_times, -1, 0)
    later, sooner = _HALF_STANCE - off, strike - (1.0 - _HALF_STANCE)
    reached = _STANCE_REACH * rig.leg_length * rates / np.maximum(pace.speeds, 1e-9)
    half = np.minimum(reached, _HALF_STANCE)[:, None]
    longer, earlier = np.maximum(half - off, 0.0), np.maximum(strike - (1.0 - half), 0.0)
    new_off = off + slow * longer + slow * turning * np.minimum(later, 0.0)
    new_strike = strike - slow * earlier - slow * turning * np.minimum(sooner, 0.0)
    new_lift = lift * new_off / np.maximum(off, 1e-9)
    rolled = (1.0 - new_strike) / np.maximum(1.0 - strike, 1e-9)
    return np.stack([new_lift, new_off, new_strike, 1.0 - (1.0 - land) * rolled], axis=-1)


def plan_rates(
    tables: MotionTables,
    grid: TimeGrid,
    weights: FloatArray,
    pace: Pace,
    settings: PlanSettings,
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

    Returns
    -------
    rates
        The speed over the blended stride, raised where a step would be too long, turn too far, cross
        the other leg or take too much time; 0 where the travel stands for long, shape (G,).
    quickened
        The factor by which the legs would cross without the last of these, 1 or more, shape (G,).
    """
    if not np.any(pace.moving):
        return np.zeros(grid.count), np.ones(grid.count)
    speeds, length = pace.speeds, tables.rig.leg_length
    strides = blend_strides(tables.cycles, weights, align_motions(tables.cycles, pace.velocities))
    if settings.max_stride > 0:
        strides = np.minimum(strides, settings.max_stride * length)
    idle = speeds < 1e-4 * tables.cycles.slowest_speed
    rates = np.where(idle, 0.0, speeds / np.maximum(strides, 1e-9))
    rates = np.maximum(rates, _turn_on_the_spot(tables, weights, pace))
    rates = np.maximum(rates, np.abs(pace.turn_rates) / max(settings.max_turn_per_cycle, 1e-6))
    rates = np.maximum(rates, _shorten_side_steps(tables, weights, pace, settings))
    rates = _keep_stepping(tables, grid, rates, pace, settings)
    apart = find_parting_rates(tables, weights, pace.velocities, pace.turn_rates)
    quicker = np.where(rates > 0, np.maximum(rates, apart), 0.0)
    return quicker, np.where(rates > 0, quicker / np.maximum(rates, 1e-9), 1.0)


def _turn_on_the_spot(tables: MotionTables, weights: FloatArray, pace: Pace) -> FloatArray:
    """Cycles a second of motions that turn on the spot, by their weight, shape (G,)."""
    _, on_the_spot = find_turning(tables)
    rates = np.zeros(len(weights))
    for index in np.flatnonzero(on_the_spot):
        motion = tables.motion_set.motions[index]
        faster = np.maximum(np.abs(pace.turn_rates / motion.turn_rate), 1.0)
        rates += weights[:, index] * faster / motion.period
    return rates


def _shorten_side_steps(
    tables: MotionTables, weights: FloatArray, pace: Pace, settings: PlanSettings
) -> FloatArray:
    """Least rates of a mostly sideways walk beyond what its motions do, cycles a second, (G,)."""
    left = find_left(tables.rig)
    own = np.abs(tables.cycles.velocities @ left)
    led = np.any(own > _SIDEWAYS_SHARE * np.maximum(np.hypot(*tables.cycles.velocities.T), 1e-9))
    sideways = np.abs(pace.velocities @ left)
    longest = max(settings.max_side_stride, 1e-3) * tables.rig.leg_length
    strides = np.full(len(weights), longest)
    if led:
        strides = np.maximum(_LED_STRIDE * longest, np.abs(measure_own_drift(tables, weights)))
    mostly = sideways > _SIDEWAYS_SHARE * np.maximum(pace.speeds, 1e-9)
    return np.where(mostly, sideways / strides, 0.0)


def _keep_stepping(
    tables: MotionTables,
    grid: TimeGrid,
    rates: FloatArray,
    pace: Pace,
    settings: PlanSettings,
) -> FloatArray:
    """Rates with no cycle too long, and 0 where the travel stands for long, shape (G,)."""
    period = tables.cycles.slowest_period
    reach = round(_STEP_ON * period / grid.interval)
    near = find_sliding_maximum(pace.moving * 1.0, reach) > 0.5
    # Steady slow walks keep their slow steps; starts, stops and turns on the spot do not wait.
    standing = find_sliding_maximum(~pace.moving * 1.0, reach) > 0.5
    slow = standing & (pace.speeds < _SLOW * tables.cycles.slowest_speed)
    turning = pace.speeds < _TURN_RADIUS * tables.rig.leg_length * np.abs(pace.turn_rates)
    longest = np.where(slow | turning, _SLOW_CYCLE, max(settings.max_cycle, _SLOW_CYCLE))
    return np.where(near, np.maximum(rates, 1.0 / (longest * period)), 0.0)


def shorten_climbs(
    tables: MotionTables,
    grid: TimeGrid,
    rates: FloatArray,
    pace: Pace,
    levels: FloatArray,
    settings: PlanSettings,
) -> FloatArray:
    """Rates raised so that no step climbs or falls more than the settings allow (plan study 1.3)."""
    width = _SLOPE_WIDTH * tables.cycles.slowest_period
    climb = np.abs(np.gradient(smooth_gaussian(levels, grid.interval, width), grid.interval))
    climb = np.where(pace.moving, climb, 0.0)
    # A cycle has two steps of each pair of legs, so it may climb twice as much as one step.
    most = 2.0 * max(settings.max_climb, 1e-3) * tables.rig.leg_length
    cap = np.maximum(rates, _FASTEST_STEPS / tables.cycles.slowest_period)
    return np.minimum(np.maximum(rates, climb / most), cap)
