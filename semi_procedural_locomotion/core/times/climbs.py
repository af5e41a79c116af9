# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a walk slows down where its ground climbs or falls faster than legs do in steps (numpy only).

People take one tread a step on stairs, and take longer for it the higher it is, so that they come along
at a third of their speed. A walk that kept its speed there would climb by half a leg in each step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths.constants import MOST_STATIONS
from ..maths.lines import measure_line
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum, integrate_rates
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..travel.speeds import SpeedCurve, limit_gains
from ..travel.way import Travel, lay_stations
from .levels import find_levels
from .limits import CLIMBS
from .stride_limits import find_highest_climb, fit_treads


@dataclass(frozen=True)
class ClimbPace:
    """Record of how fast a way is walked for what it climbs.

    Attributes
    ----------
    distances
        Metres along the way, evenly spread from 0, shape (V,).
    shares
        Of its full speed, above 0 and at most 1, shape (V,).
    """

    distances: FloatArray
    shares: FloatArray


def pace_climbs(
    tables: MotionTables,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings,
    speed: float,
    ramp: float,
) -> ClimbPace | None:
    """Measure how fast a travel goes for what it climbs; None where it may keep its speed all along.

    Parameters
    ----------
    travel
        Where it goes at full speed.
    ground
        What it walks on; it stands still.
    speed
        Full speed, metres a second.
    ramp
        Seconds from full speed to standing in which the walk slows down before a climb.
    """
    length, cycles = tables.rig.leg_length, tables.cycles
    stations = lay_stations(travel, CLIMBS.spacing * length, MOST_STATIONS)
    if stations is None:
        return None
    distances, times = stations
    levels = find_levels(tables, travel, ground, settings, times)
    step = distances[1]
    stride = float(cycles.slowest_period * speed)
    window = max(round(CLIMBS.window * stride / step), 1)
    slopes = np.abs(np.gradient(blur_hann(levels, window), step))
    climbs, risers = fit_treads(distances, levels, find_highest_climb(tables, settings), length)
    rates = _find_rates(climbs, risers, length) / cycles.slowest_period
    asked = np.maximum(slopes * speed / (rates * 2.0 * climbs), 1.0)
    if not np.any(asked > CLIMBS.noticed):
        return None
    asked = blur_hann(find_sliding_maximum(np.minimum(asked, 1.0 / CLIMBS.slowest), window), window)
    speeds = limit_gains(speed / asked, step, speed / max(ramp, CLIMBS.least_ramp))
    return ClimbPace(distances, speeds / speed)


def _find_rates(climbs: FloatArray, risers: FloatArray, length: float) -> FloatArray:
    """Cycles in the time of one of the slowest walk, for what `fit_treads` found, (V,)."""
    lifted = np.maximum(climbs, risers) / length
    return np.where(risers > 0.0, 1.0 / (1.0 + CLIMBS.longer * lifted), CLIMBS.quicker)


def slow_travel(travel: Travel, pace: ClimbPace) -> Travel:
    """A travel that takes longer for what it climbs; where it stands it does not stand longer."""
    along = measure_line(travel.positions[:, :2])
    slowness = 1.0 / np.interp(along, pace.distances, pace.shares)
    return replace(travel, times=travel.start + integrate_rates(slowness, travel.times))


def speeds_from_pace(pace: ClimbPace, speed: float, start: float) -> SpeedCurve:
    """Speeds over time of a way that is walked at a pace from a time in seconds on."""
    speeds = speed * pace.shares
    return SpeedCurve(start + integrate_rates(1.0 / speeds, pace.distances), speeds)
