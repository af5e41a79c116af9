# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sole points over one cycle as smooth heights and velocities, free of scale (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.periodic import differentiate_periodic, sample_periodic, smooth_periodic
from ..maths.rotations import FloatArray
from .limits import SIGNAL


@dataclass(frozen=True)
class FootSignals:
    """Record of what the contact search sees of the sole points.

    Attributes
    ----------
    places
        Horizontal positions in the moving character's frame, metres, shape (N, L, C, 2).
    velocities
        Horizontal velocities, metres a second, shape (N, L, C, 2).
    rises
        Vertical velocities, metres a second, shape (N, L, C).
    lowness
        Height over the floor as a share of the leg's clearance, 0 on and below the floor; for a
        point that hangs below the ground while its foot is up, the depth; shape (N, L, C).
    over
        Heights over the points' own resting heights, metres, shape (N, L, C).
    hovers
        Points that rest above their foot's ground and are measured from it, shape (L, C) of bool.
    floors
        Height of each leg's ground, metres, shape (L,).
    levels
        Height from which each point is measured, metres, shape (L, C).
    depths
        How far each leg's lowest point dips below its floor, metres, shape (L,).
    height_ranges
        Largest height range among a leg's points, metres, shape (L,).
    clearances
        Height that is lowness 1: how far each leg's lowest point rises over its floor, at least some
        share of the largest leg's and of the leg's own range, metres, shape (L,).
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
    is_apart: np.ndarray
    levels: FloatArray
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
    ranks: np.ndarray | None = None,
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
    ranks
        Which of a foot's points has the foot's ground for its floor, counted from the deepest floor,
        shape (L,) of int; None for the deepest. Deeper points droop.
    """
    noise = _estimate_noise(points, keys_per_cycle)
    if smoothing is None:
        smoothing = _choose_smoothing(points, period, keys_per_cycle, noise)
    smooth = smooth_periodic(points, smoothing)
    velocities = differentiate_periodic(smooth, period)
    heights = smooth[..., 2]
    low, high = SIGNAL.low_percentile, 100.0 - SIGNAL.low_percentile
    point_ranges = np.percentile(heights, high, axis=0) - np.percentile(heights, low, axis=0)
    leg_ranges = np.max(point_ranges, axis=1)
    units = np.maximum(leg_ranges, SIGNAL.least_leg_range * np.max(leg_ranges)) + 1e-9 * leg_length
    point_floors = find_floors(
        heights, np.maximum(point_ranges, SIGNAL.least_point_range * units[:, None])
    )
    stays = _measure_stays(heights, point_floors, units)
    firmest = np.argmax(stays, axis=1)[:, None]
    floors = np.min(point_floors, axis=1)
    ranked = np.sort(point_floors, axis=1)
    is_apart = np.diff(ranked) >= SIGNAL.hover * units[:, None]
    if ranks is not None:
        floors = np.take_along_axis(ranked, ranks[:, None], axis=1)[:, 0]
        droops = floors[:, None] - point_floors >= SIGNAL.hover * units[:, None]
        point_floors = np.where(droops, floors[:, None], point_floors)
    hovers = point_floors - floors[:, None] >= SIGNAL.hover * units[:, None]
    if grounded is not None:
        hovers &= ~grounded
    own_over = heights - point_floors
    levels = np.where(hovers, floors[:, None], point_floors)
    over = heights - levels
    hanging = _find_hanging(over, firmest, units)
    lowest = np.min(over, axis=2)
    clearances = np.maximum(np.percentile(lowest, high, axis=0), 1e-9 * leg_length)
    clearances = np.maximum(clearances, SIGNAL.least_clearance * np.max(clearances))
    clearances = np.maximum(clearances, SIGNAL.least_clearance_of_range * leg_ranges)
    speeds = np.hypot(velocities[..., 0], velocities[..., 1])
    return FootSignals(
        places=smooth[..., :2],
        velocities=velocities[..., :2],
        rises=velocities[..., 2],
        lowness=np.where(hanging, -over, np.maximum(over, 0.0)) / clearances[None, :, None],
        over=own_over,
        hovers=hovers,
        floors=floors,
        is_apart=is_apart,
        levels=levels,
        depths=np.maximum(0.0, -np.percentile(lowest, low, axis=0)),
        height_ranges=leg_ranges,
        clearances=clearances,
        fast=float(np.percentile(speeds, SIGNAL.fast_percentile)) + 1e-12,
        period=period,
        noise=noise,
        velocity_noise=noise
        / (
            period
            * np.sqrt(_count_keys(points, keys_per_cycle) * 4.0 * np.sqrt(np.pi) * smoothing**3)
        ),
        smoothing=smoothing,
    )


def _measure_stays(heights: FloatArray, floors: FloatArray, units: FloatArray) -> FloatArray:
    """Shares (L, C) of the cycle that points stay at their floors, by one measure for all of a foot."""
    apart = (heights - floors) / (SIGNAL.floor_kernel * units[:, None])
    return np.asarray(np.mean(np.exp(-0.5 * np.square(apart)), axis=0))


def _find_hanging(over: FloatArray, firmest: np.ndarray, units: FloatArray) -> np.ndarray:
    """Find where points (N, L, C) hang below the ground, and further than the foot's firmest point does.

    A whole foot that sinks in still stands; a tip that droops while the foot is in the air does not.
    """
    firm = np.take_along_axis(over, np.broadcast_to(firmest, (*over.shape[:2], 1)), axis=2)
    limits = SIGNAL.hover * units[:, None]
    return np.asarray((over < -limits) & (over - np.minimum(firm, 0.0) < -limits))


def _count_keys(points: FloatArray, keys_per_cycle: float) -> int:
    """Whole number of keys that the samples can tell apart."""
    return int(np.clip(round(keys_per_cycle), SIGNAL.fewest_keys, len(points)))


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
    return (
        float(np.median(np.percentile(np.abs(third), SIGNAL.noise_percentile, axis=0)))
        / SIGNAL.noise_gain
    )


def _choose_smoothing(
    points: FloatArray, period: float, keys_per_cycle: float, noise: float
) -> float:
    """Width of the low-pass that leaves the wanted noise (docs/method/contacts.md, Smoothing)."""
    keys = _count_keys(points, keys_per_cycle)
    trial = differentiate_periodic(smooth_periodic(points, SIGNAL.trial_smoothing), period)
    fast = float(np.percentile(np.hypot(trial[..., 0], trial[..., 1]), SIGNAL.fast_percentile))
    wanted = max(SIGNAL.velocity_noise * fast * period, 1e-30)
    cubed = noise**2 / (keys * 4.0 * np.sqrt(np.pi) * wanted**2)
    return float(np.clip(np.cbrt(cubed), SIGNAL.least_smoothing, SIGNAL.most_smoothing))


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
        Densest height of the low band, lower ones preferred, so that a toe that dips below
        the ground for a moment does not define it (docs/method/contacts.md, Floors).
    """
    lowest = np.percentile(heights, SIGNAL.floor_percentile, axis=0)
    shares = np.linspace(0.0, 1.0, SIGNAL.floor_steps).reshape((-1,) + (1,) * ranges.ndim)
    levels = lowest + shares * (SIGNAL.floor_band * ranges)
    apart = (heights[None] - levels[:, None]) / (SIGNAL.floor_kernel * np.maximum(ranges, 1e-30))
    density = np.sum(np.exp(-0.5 * np.square(apart)), axis=1) * (1.0 - SIGNAL.floor_slope * shares)
    best = np.argmax(density, axis=0)
    return np.asarray(np.take_along_axis(levels, best[None], axis=0)[0])
