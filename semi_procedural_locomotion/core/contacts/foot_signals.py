# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sole points over one cycle as smooth heights and velocities, free of scale (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.periodic import differentiate_periodic, sample_periodic, smooth_periodic
from ..maths.rotations import FloatArray

# Widths of the low-pass, shares of the cycle, and the velocity noise it should leave as a share of
# the fast feet's speed (motion_study.md 3.1).
LEAST_SMOOTHING = 0.008
_MOST_SMOOTHING = 0.03
_WANTED_VELOCITY_NOISE = 0.035
_TRIAL_SMOOTHING = 0.012
# The 30th percentile of |third difference| of unit white noise is .385 times its deviation sqrt(20).
_THIRD_DIFFERENCE_GAIN = 0.385 * np.sqrt(20.0)
# Floor by dwell (motion_study.md 3.2): band above the 2nd percentile, kernel width, share of the
# density that the top of the band loses, steps of the search.
_FLOOR_BAND = 0.40
_FLOOR_KERNEL = 0.03
_FLOOR_SLOPE = 0.5
_FLOOR_STEPS = 46
# A point whose floor is this share of the leg's height range above the foot's has no floor of its own.
_HOVER = 0.08
# Least height range of a leg as a share of the largest leg's, of a point as a share of its leg's, and
# least unit of lowness as shares of the largest leg's and of the own range (motion_study.md 3.3).
_LEAST_LEG_RANGE = 0.25
_LEAST_POINT_RANGE = 0.35
_LEAST_CLEARANCE = 0.3
_LEAST_CLEARANCE_OF_RANGE = 0.35


@dataclass(frozen=True)
class FootSignals:
    """What the contact search sees of the sole points.

    Attributes
    ----------
    places
        Horizontal positions in the moving character's frame, metres, shape (N, L, C, 2).
    velocities
        Horizontal velocities, metres a second, shape (N, L, C, 2).
    rises
        Vertical velocities, metres a second, shape (N, L, C).
    lowness
        Height over the floor as a share of the leg's clearance, 0 on and below the floor, shape
        (N, L, C).
    over
        Heights over the points' own resting heights, metres, shape (N, L, C).
    hovers
        Points that rest above their foot's ground and are measured from it, shape (L, C) of bool.
    floors
        Height of each leg's ground, metres, shape (L,).
    depths
        How far each leg's lowest point dips below its floor, metres, shape (L,).
    height_ranges
        Largest height range among a leg's points, metres, shape (L,).
    clearances
        How far each leg's lowest point rises over its floor, metres, shape (L,).
    fast
        90th percentile of the horizontal speeds, metres a second.
    period
        Seconds.
    noise
        Estimated deviation of the positions, metres.
    velocity_noise
        What of it is left in the velocities, metres a second.
    smoothing
        Width of the low-pass, share of the cycle.
    """

    places: FloatArray
    velocities: FloatArray
    rises: FloatArray
    lowness: FloatArray
    over: FloatArray
    hovers: np.ndarray
    floors: FloatArray
    depths: FloatArray
    height_ranges: FloatArray
    clearances: FloatArray
    fast: float
    period: float
    noise: float
    velocity_noise: float
    smoothing: float

    @property
    def centre(self) -> FloatArray:
        """Mean horizontal place of all sole points, metres, shape (2,)."""
        return np.asarray(np.mean(self.places.reshape(-1, 2), axis=0))


def compute_foot_signals(
    points: FloatArray,
    period: float,
    leg_length: float,
    keys_per_cycle: float,
    smoothing: float | None = None,
    grounded: np.ndarray | None = None,
) -> FootSignals:
    """Smooth sole points, differentiate them and measure heights from each leg's own floor.

    Parameters
    ----------
    points
        Sole points of one closed cycle in the moving character's frame, metres, Z up, shape
        (N, L, C, 3).
    period
        Seconds.
    leg_length
        Metres; only guards against dividing by zero.
    keys_per_cycle
        Authored keys in a cycle.
    smoothing
        Width of the low-pass as a share of the cycle; None chooses it from the noise.
    grounded
        Points known to bear weight wherever they rest, shape (L, C) of bool, or None.
    """
    noise = _estimate_noise(points, keys_per_cycle)
    if smoothing is None:
        smoothing = _choose_smoothing(points, period, keys_per_cycle, noise)
    smooth = smooth_periodic(points, smoothing)
    velocities = differentiate_periodic(smooth, period)
    heights = smooth[..., 2]
    point_ranges = np.percentile(heights, 97, axis=0) - np.percentile(heights, 3, axis=0)
    leg_ranges = np.max(point_ranges, axis=1)
    units = np.maximum(leg_ranges, _LEAST_LEG_RANGE * np.max(leg_ranges)) + 1e-9 * leg_length
    point_floors = find_floors(
        heights, np.maximum(point_ranges, _LEAST_POINT_RANGE * units[:, None])
    )
    floors = np.min(point_floors, axis=1)
    hovers = point_floors - floors[:, None] >= _HOVER * units[:, None]
    if grounded is not None:
        hovers &= ~grounded
    own_over = heights - point_floors
    over = heights - np.where(hovers, floors[:, None], point_floors)
    lowest = np.min(over, axis=2)
    clearances = np.maximum(np.percentile(lowest, 97, axis=0), 1e-9 * leg_length)
    clearance_units = np.maximum(clearances, _LEAST_CLEARANCE * np.max(clearances))
    clearance_units = np.maximum(clearance_units, _LEAST_CLEARANCE_OF_RANGE * leg_ranges)
    speeds = np.hypot(velocities[..., 0], velocities[..., 1])
    return FootSignals(
        places=smooth[..., :2],
        velocities=velocities[..., :2],
        rises=velocities[..., 2],
        lowness=np.maximum(over, 0.0) / clearance_units[None, :, None],
        over=own_over,
        hovers=hovers,
        floors=floors,
        depths=np.maximum(0.0, -np.percentile(lowest, 3, axis=0)),
        height_ranges=leg_ranges,
        clearances=clearances,
        fast=float(np.percentile(speeds, 90)) + 1e-12,
        period=period,
        noise=noise,
        velocity_noise=noise
        / (
            period
            * np.sqrt(_count_keys(points, keys_per_cycle) * 4.0 * np.sqrt(np.pi) * smoothing**3)
        ),
        smoothing=smoothing,
    )


def _count_keys(points: FloatArray, keys_per_cycle: float) -> int:
    """Whole number of keys that the samples can tell apart."""
    return int(np.clip(round(keys_per_cycle), 8, len(points)))


def _estimate_noise(points: FloatArray, keys_per_cycle: float) -> float:
    """Deviation of the positions from third differences at key spacing; planted feet have none."""
    keys = _count_keys(points, keys_per_cycle)
    at_keys = sample_periodic(points, np.arange(keys) / keys)
    third = (
        at_keys
        - 3.0 * np.roll(at_keys, 1, axis=0)
        + 3.0 * np.roll(at_keys, 2, axis=0)
        - np.roll(at_keys, 3, axis=0)
    )
    return float(np.median(np.percentile(np.abs(third), 30, axis=0))) / _THIRD_DIFFERENCE_GAIN


def _choose_smoothing(
    points: FloatArray, period: float, keys_per_cycle: float, noise: float
) -> float:
    """Width of the low-pass that leaves the wanted velocity noise (motion_study.md 3.1)."""
    keys = _count_keys(points, keys_per_cycle)
    trial = differentiate_periodic(smooth_periodic(points, _TRIAL_SMOOTHING), period)
    fast = float(np.percentile(np.hypot(trial[..., 0], trial[..., 1]), 90))
    wanted = max(_WANTED_VELOCITY_NOISE * fast * period, 1e-30)
    cubed = noise**2 / (keys * 4.0 * np.sqrt(np.pi) * wanted**2)
    return float(np.clip(np.cbrt(cubed), LEAST_SMOOTHING, _MOST_SMOOTHING))


def find_floors(heights: FloatArray, ranges: FloatArray) -> FloatArray:
    """Heights at which points rest: where they dwell longest, not their lowest.

    Parameters
    ----------
    heights
        Metres, samples on the first axis, shape (N, ...).
    ranges
        Height range of each point, metres, shape (...).

    Returns
    -------
    array, shape (...)
        Densest height of the low band, lower ones preferred (motion_study.md 3.2), so that a toe
        that dips below the ground for a moment does not define it.
    """
    lowest = np.percentile(heights, 2, axis=0)
    shares = np.linspace(0.0, 1.0, _FLOOR_STEPS).reshape((-1,) + (1,) * ranges.ndim)
    levels = lowest + shares * (_FLOOR_BAND * ranges)
    apart = (heights[None] - levels[:, None]) / (_FLOOR_KERNEL * np.maximum(ranges, 1e-30))
    density = np.sum(np.exp(-0.5 * np.square(apart)), axis=1) * (1.0 - _FLOOR_SLOPE * shares)
    best = np.argmax(density, axis=0)
    return np.asarray(np.take_along_axis(levels, best[None], axis=0)[0])
