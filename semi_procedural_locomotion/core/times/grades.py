# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How steep the ground is along the way where it is one slope, and how that changes strides (numpy only).

Stairs, kerbs and bumps have no grade: their steps are fitted to treads and places
(docs/method/times.md, Grades).
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum, smooth_gaussian
from ..motions.tables import OFF, STRIKE, MotionTables
from .limits import GRADES
from .rides import Rides


def measure_grades(tables: MotionTables, rides: Rides, levels: FloatArray) -> FloatArray:
    """Rise over run of the ground along the way, as far as it holds for half a cycle around.

    Parameters
    ----------
    tables
        The motions.
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
    """By which factor people's steps come quicker on grades (G,) than on the level, (G,).

    They take longer steps up and shorter ones down. So do walks of bodies on two legs; runs, whose feet
    stand for less than half of a cycle, keep their strides.

    Parameters
    ----------
    tables
        The motions.
    weights
        Shares of the motions, shape (G, M).
    grades
        See `measure_grades`.
    """
    if len(tables.small_rig.legs) != GRADES.legs:
        return np.ones(len(grades))
    keys = tables.leg_cycles.key_times
    stands = np.mean(1.0 - keys[..., STRIKE] + keys[..., OFF], axis=1) >= GRADES.walking
    people = np.interp(grades, GRADES.slopes, GRADES.quicker)
    return np.asarray(1.0 + (weights @ (stands & tables.cycles.is_cycle)) * (people - 1.0))
