# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the hips must move up or down so that all feet reach their places (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

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


@dataclass(frozen=True)
class HipWishes:
    """What legs ask of the height of their hips, height changes in metres at N times, all (N, L).

    Attributes
    ----------
    desired, ceilings
        What each leg likes and bears, see `desired_hip_offsets`.
    floors
        Below which a leg is folded beyond its comfort; -inf where no height does.
    in_contact
        Whether its foot bears.
    """

    desired: FloatArray
    ceilings: FloatArray
    floors: FloatArray
    in_contact: np.ndarray

    def combine(
        self, lowest: float, legs: np.ndarray | slice = slice(None)
    ) -> tuple[FloatArray, FloatArray]:
        """One height change for some legs and its ceiling, (N,), see `combine_hip_heights`.

        No hips are lowered for a foot in the air, or as any leg would like, so far that another leg is
        folded beyond its comfort: the foot is drawn in instead (docs/method/body.md, Hips).
        """
        floors = self.floors[:, legs].max(axis=1, keepdims=True)
        ceilings = self.ceilings[:, legs]
        ceilings = np.where(self.in_contact[:, legs], ceilings, np.maximum(ceilings, floors))
        return combine_hip_heights(np.maximum(self.desired[:, legs], floors), ceilings, lowest)


def fly_hips(
    tables: MotionTables,
    hips: FloatArray,
    grid: TimeGrid,
    supports: FloatArray,
    offsets: FloatArray,
    flights: Flights,
) -> tuple[FloatArray, FloatArray]:
    """Hip offsets whose body flies where no foot is on the ground.

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
    offsets
        As they are without, metres, shape (G,).
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
        return offsets, np.zeros_like(offsets)
    gravity, path = find_gravity(tables), supports + offsets
    offsets = offsets + tilt_flights(path, grid, flights.own, gravity, length) - path
    path = hips[..., 2].mean(axis=1) + offsets
    flown = fly_body(path, grid, flights.jumps, gravity, length)
    bears = ~find_jumped(grid.times, flights.jumps)
    return offsets + flown - path, np.where(bears, np.maximum(path - flown, 0.0), 0.0)


def find_hip_wishes(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    targets: FootTargets,
    hips: FloatArray,
) -> HipWishes:
    """What each leg asks of hips at places (N, L, 3), metres."""
    asked = rot.lengths(targets.ankles - hips)
    own, bare, lengths = measure_own_legs(
        tables.small_rig.legs, source.legs.positions, asked, tables.leg_rows.longest
    )
    # Layers may have legs folded farther than any motion.
    least = np.minimum(HIPS.least_fold * tables.leg_cycles.least_reaches.min(axis=0), own)
    desired, ceilings = desired_hip_offsets(hips, targets.ankles, own + (lengths - bare), lengths)
    floors = _find_floors(targets, hips, least)
    return HipWishes(desired, ceilings, floors, states.in_contact)


def _find_floors(targets: FootTargets, hips: FloatArray, least: FloatArray) -> FloatArray:
    """Height changes of hips below which ankles are nearer than the least (G, L), metres, (G, L)."""
    across = targets.ankles - hips
    room = least * least - across[..., 0] ** 2 - across[..., 1] ** 2
    return np.where(room > 0.0, across[..., 2] + np.sqrt(np.maximum(room, 0.0)), -np.inf)


def desired_hip_offsets(
    hips: FloatArray,
    targets: FloatArray,
    clip_distances: FloatArray,
    leg_lengths: ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Height changes of the hips that each leg would like, and those that it can bear.

    A leg likes the change after which hip and ankle target are as far apart as in the clip: the
    upper intersection of the vertical line through the hip with a sphere about the target. It
    bears the same with its comfortable reach as radius. Where the line misses the sphere, its
    nearest point counts, which is level with the target (docs/method/body.md, Hips).

    Parameters
    ----------
    hips
        Hip joints of the placed clip pose, world, metres, shape (N, L, 3).
    targets
        Ankle targets, world, metres, shape (N, L, 3).
    clip_distances
        Distances from hip to ankle in the clip pose, metres, shape (N, L).
    leg_lengths
        Metres, shape (L,) or (N, L).

    Returns
    -------
    desired, ceilings
        Metres upwards, shapes (N, L).
    """
    across = np.asarray(targets) - np.asarray(hips)
    level_squared = across[..., 0] ** 2 + across[..., 1] ** 2
    reaches = compute_comfortable_reaches(clip_distances, leg_lengths)
    own = np.asarray(clip_distances, dtype=np.float64)
    desired = across[..., 2] + np.sqrt(np.maximum(own**2 - level_squared, 0.0))
    ceilings = across[..., 2] + np.sqrt(np.maximum(reaches**2 - level_squared, 0.0))
    return desired, ceilings


def combine_hip_heights(
    desired: FloatArray, ceilings: FloatArray, lowest: float = -np.inf
) -> tuple[FloatArray, FloatArray]:
    """One height change for all legs.

    With lo the least desired, av the mean desired and c the lowest ceiling the change is
    lo + a b / (a + b), a = av - lo, b = c - lo: near the mean where the ceiling is far, near the
    ceiling where that is close, never above it; lo is held below c first (docs/method/body.md, Hips).

    Parameters
    ----------
    desired, ceilings
        Metres upwards, shapes (..., L).
    lowest
        Metres upwards; legs that would ask for less stay short of their places.

    Returns
    -------
    raw, ceiling
        Metres upwards, shapes (...).
    """
    ceiling = np.maximum(np.min(ceilings, axis=-1), lowest)
    low = np.minimum(np.min(desired, axis=-1), ceiling)
    a = np.maximum(np.mean(desired, axis=-1) - low, 0.0)
    b = ceiling - low
    total = a + b
    share = np.divide(a * b, total, out=np.zeros_like(total), where=total > 0)
    return np.minimum(low + share, ceiling), ceiling


def smooth_hip_offsets(
    raw: FloatArray,
    ceiling: FloatArray,
    interval: float,
    sigma: float = HIPS.sigma,
    radius: float = HIPS.sigma_radius,
) -> FloatArray:
    """Hip offsets without corners that never exceed their ceiling.

    y = Gauss(raw), v = max(0, y - ceiling), result = y - blur(dilate(v, r), r), both of compact
    radius r; the blur of a maximum over r is nowhere below v itself
    (docs/method/body.md, Smoothing under a ceiling).

    Parameters
    ----------
    raw, ceiling
        From `combine_hip_heights`, metres, shapes (N, ...), uniformly sampled in time.
    interval
        Seconds between samples; 96 a second or more are needed for smooth hips.
    sigma
        Standard deviation of the Gaussian, seconds.
    radius
        Reach of the dilation and of the blur, seconds.

    Returns
    -------
    array, shape (N, ...)
        Metres upwards.
    """
    smooth = smooth_gaussian(raw, interval, sigma)
    violation = np.maximum(smooth - ceiling, 0.0)
    samples = max(round(radius / interval), 1)
    relief = blur_hann(find_sliding_maximum(violation, samples), samples)
    # The minimum only takes off rounding errors of the transform.
    return np.minimum(smooth - np.maximum(relief, 0.0), ceiling)
