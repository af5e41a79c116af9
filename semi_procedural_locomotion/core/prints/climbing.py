# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far ahead of a body its feet stand where it climbs, and behind it where it descends (numpy only).

Under feet that stood about the body as on the flat, a climbing leg is folded where it strikes and
stretched where it leaves; going down it is the other way round (docs/method/prints.md, Climbing).
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.tables import MotionTables
from ..times.grades import measure_grades
from ..times.planning import TimePlan
from .limits import CLIMBING


def measure_leads(tables: MotionTables, times: TimePlan, levels: FloatArray) -> FloatArray:
    """How far uphill feet stand of where they would on the flat, metres.

    Parameters
    ----------
    tables
        The motions.
    times
        The time plan.
    levels
        Height of the ground that the body walks on, metres, shape (G,).

    Returns
    -------
    array, shape (G, 2)
        Along world x and y, on the plan's grid.
    """
    grid, rides = times.grid, times.rides
    width = CLIMBING.width * tables.cycles.slowest_period
    _, velocities, _ = rides.measure_velocities()
    moved = smooth_gaussian(velocities, grid.interval, width)
    heights = smooth_gaussian(levels - rides.measure_heave(), grid.interval, width)
    rises = np.gradient(heights, grid.interval)[:, None]
    slow = (CLIMBING.slow * tables.cycles.slowest_speed) ** 2
    squares = np.sum(moved * moved, axis=1, keepdims=True)
    slopes = rises * moved / np.maximum(squares, slow)
    if len(tables.small_rig.legs) > CLIMBING.upright_legs:
        leads = CLIMBING.many * slopes
    else:
        leads = np.where(rises > 0.0, CLIMBING.up, CLIMBING.down) * slopes
        grades = np.maximum(measure_grades(tables, rides, levels), 0.0)
        ways = velocities / np.maximum(np.hypot(*velocities.T), np.sqrt(slow))[:, None]
        leads += CLIMBING.further * grades[:, None] * ways
    walk = tables.cycles.slowest
    height = tables.cycles.hip_centres[walk, 2] - tables.cycles.ground_heights[walk]
    return np.asarray(height * leads / (1.0 + np.sum(slopes**2, axis=1, keepdims=True)))


def find_times_ahead(
    tables: MotionTables, times: TimePlan, instants: FloatArray, ahead: float
) -> FloatArray:
    """When the middle of a body is at places ahead of where it is at some instants, seconds, (n,).

    The fore feet of a long body are on stairs before its middle is: the ground that it walks on where
    they are is that which its middle will have there, and of hind feet that which it had. Bodies that
    stand upright are in one place.

    Parameters
    ----------
    tables, times
        The motions and the time plan.
    instants
        Seconds, shape (n,).
    ahead
        How far ahead along the way, below 0 behind, metres.
    """
    if len(tables.small_rig.legs) <= CLIMBING.upright_legs:
        return instants
    grid = times.grid
    # A way that hardly grows where the body stands, so that each place has one time.
    ways = times.ways + 1e-9 * tables.rig.leg_length * np.arange(grid.count)
    return np.asarray(np.interp(np.interp(instants, grid.times, ways) + ahead, ways, grid.times))


def find_stance_lead(tables: MotionTables, leg: int) -> float:
    """How far ahead of the middle of a body a leg stands in its slowest walk, metres."""
    forward = np.array([*tables.rig.forward, 0.0])
    return float(tables.leg_cycles.stance_positions[tables.cycles.slowest, leg] @ forward)
