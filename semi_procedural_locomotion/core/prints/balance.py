# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far off its feet a body stands that leans as a whole (numpy only).

A body in balance leans about its feet. Its way is that of the hips, so that the feet stand off it:
behind in starts, ahead in stops, outside in curves (docs/method/prints.md, Balance).
"""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.lines import measure_line
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..motions.posing import blend_constants
from ..motions.tables import OFF, STRIKE, MotionTables
from ..times.planning import TimePlan
from .limits import BALANCE, REACH


def lead_feet(
    tables: MotionTables, times: TimePlan, leans: FloatArray | None, levels: FloatArray
) -> FloatArray | None:
    """How far feet stand off where an upright body would have them.

    Parameters
    ----------
    tables, times
        The motions and the time plan.
    leans
        Towards world x and y, see `leaning.track_leans`, radians, shape (G, 2); None for none.
    levels
        Height of the ground that the body walks on, metres, shape (G,): where it rises or falls, feet
        stand where that has room for them.

    Returns
    -------
    array, shape (G, 2)
        Along world x and y, metres; None for nowhere, for long bodies, whose feet stand about them, and
        for passengers, whose feet go as over still ground.
    """
    if leans is None or not times.rides.in_world or tables.small_rig.is_long:
        return None
    weights, cycles = times.weights, tables.cycles
    hips = blend_constants(weights, cycles.hip_centres)[:, 2]
    heights = hips - blend_constants(weights, cycles.ground_heights)
    angles = np.hypot(*leans.T)
    asked = heights * np.tan(angles)
    axes = -leans / np.maximum(angles, rot.TINY)[:, None]
    ways = np.gradient(times.positions[:, :2], times.grid.interval, axis=0)
    ahead = ways / np.maximum(np.hypot(*ways.T), rot.TINY)[:, None]
    along = asked * np.sum(axes * ahead, axis=1)
    aside = asked[:, None] * axes - along[:, None] * ahead
    # Feet of a body that goes aside would cross.
    facing = rot.rotate(rot.quaternions_from_yaws(times.yaws), np.array([*tables.rig.forward, 0.0]))
    straight = np.maximum(2.0 * np.sum(ahead * facing[:, :2], axis=1) ** 2 - 1.0, 0.0)
    along, aside = straight * along, straight[:, None] * aside
    gone, coming = _measure_ways(times, cycles.slowest_period)
    swept, legs = _measure_swept(tables, weights), tables.small_rig.legs
    reach = REACH.measure_across(BALANCE.lowered_hip) * min(leg.length for leg in legs)
    room = BALANCE.way * np.where(along > 0.0, coming, gone)
    along = _hold(along, np.minimum(room, reach - swept))
    across = np.sqrt(np.maximum(reach**2 - (swept + np.abs(along)) ** 2, 0.0))
    far = np.hypot(*aside.T)
    aside = aside * (_hold(far, across) / np.maximum(far, rot.TINY))[:, None]
    even = _find_even(levels, tables.rig.leg_length, cycles.slowest_period / times.grid.interval)
    return np.asarray(even[:, None] * (along[:, None] * ahead + aside))


def _hold(ways: FloatArray, most: FloatArray) -> FloatArray:
    """Ways (G,) approached softly to what they may be at the most, metres."""
    most = np.maximum(most, rot.TINY)
    return np.asarray(most * np.tanh(ways / most))


def _find_even(levels: FloatArray, length: float, cycle: float) -> FloatArray:
    """Share of even ground within a cycle (of so many samples) before and after each time, (G,)."""
    reach = max(round(cycle), 1)
    uneven = find_sliding_maximum(levels, reach) + find_sliding_maximum(-levels, reach)
    share = rot.step_cubic(2.0 * uneven / (length * BALANCE.level) - 1.0)
    return 1.0 - blur_hann(share, max(reach // 2, 1))


def _measure_ways(times: TimePlan, period: float) -> tuple[FloatArray, FloatArray]:
    """How far the body has come in half a cycle, and goes in the next one, metres, (G,) each."""
    grid, line = times.grid, measure_line(times.positions[:, :2])
    half = 0.5 * period
    return line - grid.sample(line, grid.times - half), grid.sample(line, grid.times + half) - line


def _measure_swept(tables: MotionTables, weights: FloatArray) -> FloatArray:
    """How far a foot is before or behind its body at most while it bears, metres, (G,)."""
    offs, strikes = (tables.leg_cycles.key_times[..., key] for key in (OFF, STRIKE))
    strides = tables.cycles.strides * tables.cycles.is_cycle
    return np.asarray((weights @ (np.maximum(offs, 1.0 - strikes) * strides[:, None])).max(axis=1))
