# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The level of the ground that the body walks on, among all that lie over each other (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..travel.way import Travel
from .limits import LEVELS
from .stride_limits import check_speed


def plan_levels(
    tables: MotionTables,
    grid: TimeGrid,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
) -> FloatArray:
    """Level of the ground along a travel.

    Parameters
    ----------
    tables
        The character's motions.
    grid
        Times of the plan.
    travel
        Where it goes.
    ground
        What to walk on.
    settings
        How far up or down the next level may lie.

    Returns
    -------
    array, shape (G,)
        World z, metres.

    Raises
    ------
    TravelError
        The travel is far from what the motions do.
    """
    positions, yaws = travel.evaluate(grid.times)
    check_speed(tables, np.gradient(positions[:, :2], grid.interval, axis=0))
    reach = settings.step_limit * tables.rig.leg_length
    stride = max(round(1.0 / (LEVELS.rate * grid.interval)), 1)
    stations = np.unique(np.append(np.arange(0, grid.count, stride), grid.count - 1))
    middles = tables.leg_cycles.stance_positions + 0.5 * (
        tables.rig.foot_lengths[:, None] * tables.leg_cycles.foot_directions
    )
    turned = rot.rotate(
        rot.quaternions_from_yaws(yaws[stations])[:, None],
        middles[tables.cycles.slowest] * [1, 1, 0],
    )
    feet = (positions[stations, None] + turned).transpose(1, 0, 2)
    levels = track_ground_level(ground, positions[stations], grid.times[stations], reach, feet)
    return np.interp(np.arange(grid.count), stations, levels)


def track_ground_level(
    ground: Ground,
    positions: FloatArray,
    times: FloatArray,
    reach: float,
    feet: FloatArray | None = None,
) -> FloatArray:
    """Height of the level that the body walks on along its way.

    The level is the highest surface not more than ``reach`` above the level before it, so that a
    bridge carries and a roof or tree above does not. Where the middle of the way has none within
    reach, as between two rows of stones, what lies where the feet tread counts. Gaps are bridged in
    a straight line.

    Parameters
    ----------
    ground
        What to walk on.
    positions
        The way, world metres, shape (n, 3); the first point's height chooses the level.
    times
        Seconds, shape (n,).
    reach
        How far up or down the next level may lie, metres.
    feet
        Where each foot treads, world metres, shape (K, n, 3); None for the middle of the way alone.

    Returns
    -------
    array, shape (n,)
        World z; the way's own height where there is no ground at all.
    """
    layers = _cast_layers(ground, positions, times)
    single = layers.shape[0] == 1 and not np.any(np.isnan(layers[0]))
    if single and (len(times) < 2 or np.abs(np.diff(layers[0])).max() < reach):
        return layers[0]
    rows = [] if feet is None else [_cast_layers(ground, foot, times) for foot in feet]
    return _follow_level(layers, np.concatenate([layers, *rows]), positions, reach)


def _cast_layers(ground: Ground, positions: FloatArray, times: FloatArray) -> FloatArray:
    """All surfaces under each point, from the top down, nan for none, shape (layers, n)."""
    _, top = ground.height_limits()
    points = positions.copy()
    points[:, 2] = top + LEVELS.above
    layers: list[FloatArray] = []
    active = np.ones(len(points), dtype=bool)
    gap = LEVELS.below * max(1.0, abs(top))
    for _ in range(LEVELS.most_layers):
        hits = ground.cast_down(points[active], times[active])
        if not np.any(hits.hit):
            break
        layer = np.full(len(points), np.nan)
        index = np.flatnonzero(active)[hits.hit]
        layer[index] = hits.points[hits.hit, 2]
        layers.append(layer)
        points[index, 2] = layer[index] - gap
        active = np.zeros_like(active)
        active[index] = True
    return np.array(layers).reshape(len(layers), len(points))


def _follow_level(
    middle: FloatArray, everywhere: FloatArray, positions: FloatArray, reach: float
) -> FloatArray:
    """Walk along the way from level to level; one pass over stations of the way."""
    travelled = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(positions[:, :2], axis=0).T))])
    levels = np.full(len(positions), np.nan)
    last, since = None, 0.0
    for station in range(len(positions)):
        heights = middle[:, station][~np.isnan(middle[:, station])]
        if last is None:
            below = heights[heights <= positions[station, 2] + reach]
            choice = below if len(below) else heights
            if len(choice):
                last = choice.max() if len(below) else choice.min()
                levels[station], since = last, travelled[station]
            continue
        near = heights[np.abs(heights - last) <= reach]
        if len(near) == 0:
            near = everywhere[:, station][np.abs(everywhere[:, station] - last) <= reach]
        if len(near):
            last, since = near.max(), travelled[station]
            levels[station] = last
            continue
        below = heights[heights < last]
        if len(below) and travelled[station] - since > LEVELS.gap_patience * reach:
            last, since = below.max(), travelled[station]
            levels[station] = last
    known = np.flatnonzero(~np.isnan(levels))
    if len(known) == 0:
        return positions[:, 2].copy()
    return np.interp(np.arange(len(levels)), known, levels[known])
