# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far hips go up or down with their flights, and for feet that no plan knows (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum, smooth_gaussian
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.reach import compute_comfortable_reaches, measure_own_legs
from ..swings.feet import FootTargets
from ..times.source import SourcePoses
from .airborne.bodies import fly_body, tilt_flights
from .airborne.gravity import find_gravity
from .airborne.records import Flights, find_jumped
from .limits import HIPS


def fly_hips(
    tables: MotionTables,
    hips: FloatArray,
    grid: TimeGrid,
    supports: FloatArray,
    flights: Flights,
) -> tuple[FloatArray, FloatArray]:
    """Hip offsets by which a body flies where no foot is on the ground.

    Parameters
    ----------
    tables
        The motions.
    hips
        World positions of the hip joints before any change, metres, shape (G, L, 3).
    grid
        The times of a plan, G of them.
    supports
        Height of the ground that supports the body, metres, shape (G,).
    flights
        When no foot is on the ground; the body flies then, in jumps from a crouch to a landing.

    Returns
    -------
    offsets
        Metres upwards, shape (G,).
    crouches
        How much of that is the crouch before a jump, or the giving way after it, metres, shape (G,).
    """
    length = tables.rig.leg_length
    if not flights.whole:
        return np.zeros_like(supports), np.zeros_like(supports)
    gravity = find_gravity(tables)
    offsets = tilt_flights(supports, grid, flights.own, gravity, length) - supports
    path = hips[..., 2].mean(axis=1) + offsets
    flown = fly_body(path, grid, flights.jumps, gravity, length)
    bears = ~find_jumped(grid.times, flights.jumps)
    return offsets + flown - path, np.where(bears, np.maximum(path - flown, 0.0), 0.0)


def find_hip_changes(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    targets: FootTargets,
    hips: FloatArray,
) -> FloatArray:
    """Height changes of hips (N, L, 3) for feet at N times, metres, (N,) (docs/method/body.md, Hips).

    No hips are lowered for a foot in the air, or as any leg would like, so far that another leg is
    folded beyond its comfort: the foot is drawn in instead.
    """
    ankles, legs = targets.ankles, tables.small_rig.legs
    own, bare, lengths = measure_own_legs(
        legs, source.legs.positions, rot.lengths(ankles - hips), tables.leg_rows.longest
    )
    # Layers may have legs folded farther than any motion.
    least = np.minimum(HIPS.least_fold * tables.leg_cycles.least_reaches.min(axis=0), own)
    floors = stand_over(hips, ankles, least).max(axis=1, keepdims=True)
    own = own + lengths - bare
    desired = np.maximum(stand_over(hips, ankles, own), floors)
    ceilings = stand_over(hips, ankles, compute_comfortable_reaches(own, lengths))
    ceilings = np.where(states.in_contact, ceilings, np.maximum(ceilings, floors))
    ceiling = np.maximum(ceilings.min(axis=1), -HIPS.most_drop * tables.rig.leg_length)
    low = np.minimum(desired.min(axis=1), ceiling)
    # Near the mean where the ceiling is far, near the ceiling where that is close, never above it.
    above, room = np.maximum(desired.mean(axis=1) - low, 0.0), ceiling - low
    return np.asarray(low + above * room / np.maximum(above + room, rot.TINY))


def stand_over(hips: FloatArray, ankles: FloatArray, distances: FloatArray) -> FloatArray:
    """Height changes after which hips are so far from ankles, metres, (...).

    Where the vertical line through a hip misses the sphere about its ankle its nearest point counts.

    Parameters
    ----------
    hips, ankles
        World, metres, shapes (..., 3).
    distances
        Metres, shape (...).
    """
    across = ankles - hips
    square = distances**2 - across[..., 0] ** 2 - across[..., 1] ** 2
    return np.asarray(across[..., 2] + np.sqrt(np.maximum(square, 0.0)))


def smooth_hip_offsets(raw: FloatArray, ceiling: FloatArray, interval: float) -> FloatArray:
    """Hip offsets without corners that never exceed their ceiling.

    y = Gauss(raw), v = max(0, y - ceiling), result = y - blur(dilate(v, r), r), both of compact
    radius r; the blur of a maximum over r is nowhere below v itself
    (docs/method/body.md, Smoothing under a ceiling).

    Parameters
    ----------
    raw, ceiling
        As they are asked for, metres, shapes (N, ...), uniformly sampled in time.
    interval
        Seconds between samples; 96 a second or more are needed for smooth hips.

    Returns
    -------
    array, shape (N, ...)
        Metres upwards.
    """
    smooth = smooth_gaussian(raw, interval, HIPS.sigma)
    violation = np.maximum(smooth - ceiling, 0.0)
    samples = max(round(HIPS.sigma_radius / interval), 1)
    relief = blur_hann(find_sliding_maximum(violation, samples), samples)
    # The minimum only takes off rounding errors of the transform.
    return np.minimum(smooth - np.maximum(relief, 0.0), ceiling)
