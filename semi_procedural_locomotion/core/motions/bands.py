# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of motions for a wanted velocity: polar gradient bands (numpy only).

Gradient bands in speed and heading (docs/method/sources.md, Thesis, chapter 6) with two corrections:
the rest motion's share depends on the speed ratio alone, and the angle towards another motion is
periodic, so that weights are continuous everywhere (docs/method/motions.md, Gradient bands).
"""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import TINY, FloatArray
from .limits import BAND


def compute_band_weights(
    velocities: FloatArray, rest: np.ndarray, queries: FloatArray
) -> FloatArray:
    """Blend weights of motions for wanted velocities.

    Exact at each motion's own velocity, continuous in the query, non-negative, sum 1.

    Parameters
    ----------
    velocities
        Native velocities of the motions in character space, metres a second, shape (M, 2).
    rest
        Which motions stand, shape (M,) of bool; a motion of zero velocity counts as one that stands.
    queries
        Wanted velocities in character space, metres a second, shape (N, 2).

    Returns
    -------
    array, shape (N, M)
        Rest motions share what the speed leaves to them; without one the slowest motion gets it.
        Motions of equal velocity get equal shares.
    """
    velocities = np.asarray(velocities, dtype=np.float64)
    queries = np.asarray(queries, dtype=np.float64)
    rest = np.asarray(rest, dtype=bool)
    count = len(velocities)
    if count == 0:
        raise ValueError("velocities must hold at least one motion")
    if velocities.shape != (count, 2) or rest.shape != (count,):
        raise ValueError(
            f"velocities must have shape (M, 2) and rest (M,), got {velocities.shape}, {rest.shape}"
        )
    if queries.ndim != 2 or queries.shape[1] != 2:
        raise ValueError(f"queries must have shape (N, 2), got {queries.shape}")
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    moving = np.flatnonzero(~rest & (speeds > 0))
    standing = np.setdiff1d(np.arange(count), moving)
    weights = np.zeros((len(queries), count))
    if len(moving) == 0:
        weights[:, standing] = 1.0 / len(standing)
        return weights
    headings = np.arctan2(velocities[moving, 1], velocities[moving, 0])
    query_speeds = np.hypot(queries[:, 0], queries[:, 1])
    query_headings = np.arctan2(queries[:, 1], queries[:, 0])
    ring = compute_ring_speeds(speeds[moving], headings, query_headings)
    rest_share = np.maximum(0.0, 1.0 - query_speeds / ring)
    shares = _compute_moving_shares(
        speeds[moving], headings, np.maximum(query_speeds, ring), query_headings
    )
    weights[:, moving] = (1.0 - rest_share)[:, None] * shares
    if len(standing):
        weights[:, standing] = (rest_share / len(standing))[:, None]
    else:
        weights[:, moving[int(np.argmin(speeds[moving]))]] += rest_share
    return weights


def compute_ring_speeds(
    speeds: FloatArray, headings: FloatArray, query_headings: FloatArray
) -> FloatArray:
    """Speed at which the rest motion's share ends, for each heading.

    Parameters
    ----------
    speeds, headings
        Polar form of the moving motions' velocities, metres a second and radians, shape (K,).
    query_headings
        Radians, shape (N,).

    Returns
    -------
    array, shape (N,)
        Metres a second, nowhere above a motion's own speed at its heading, so that the weights stay
        exact at the motions (docs/method/motions.md, Gradient bands).
    """
    gaps = np.abs(rot.wrap_angles(headings[:, None] - headings[None, :]))
    order = np.arange(len(speeds))
    slower = (speeds[None, :] < speeds[:, None]) | (
        (speeds[None, :] == speeds[:, None]) & (order[None, :] < order[:, None])
    )
    kept = ~np.any(slower & (gaps < BAND.ring_angle - BAND.rounding), axis=1)
    base = np.interp(
        query_headings % (2.0 * np.pi),
        *_sort_by_heading(headings[kept], speeds[kept]),
        period=2.0 * np.pi,
    )
    away = np.abs(rot.wrap_angles(query_headings[:, None] - headings[None, :]))
    reach = np.min(speeds[None, :] * (1.0 + BAND.ring_slope * away), axis=1)
    return np.minimum(base, reach)


def _sort_by_heading(headings: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Headings in [0, 2 pi) in rising order with their values."""
    headings = headings % (2.0 * np.pi)
    order = np.argsort(headings)
    return headings[order], values[order]


def _compute_moving_shares(
    speeds: FloatArray,
    headings: FloatArray,
    query_speeds: FloatArray,
    query_headings: FloatArray,
) -> FloatArray:
    """Gradient band weights (N, K) among K moving motions at queries outside the ring."""
    count = len(speeds)
    bands = np.ones((len(query_speeds), count))
    for i in range(count):
        from_i = query_headings - headings[i]
        for j in range(count):
            if i == j:
                continue
            turn = float(rot.wrap_angles(headings[j] - headings[i]))
            mean_speed = 0.5 * (speeds[i] + speeds[j])
            angle = BAND.angle_factor * abs(turn)
            rise = (speeds[j] - speeds[i]) / mean_speed
            squared = angle * angle + rise * rise
            if squared < TINY:
                bands[:, i] = np.minimum(bands[:, i], 0.5)
                continue
            query_rise = (query_speeds - speeds[i]) / mean_speed
            along = rise * query_rise
            if abs(turn) > TINY:
                along = along + angle * BAND.angle_factor * _measure_angles_towards(from_i, turn)
            np.minimum(bands[:, i], 1.0 - along / squared, out=bands[:, i])
    np.maximum(bands, 0.0, out=bands)
    totals = np.sum(bands, axis=1)
    lost = totals < TINY
    if np.any(lost):
        bands[lost] = _choose_nearest(speeds, headings, query_speeds[lost], query_headings[lost])
        totals[lost] = 1.0
    return np.asarray(bands / totals[:, None])


def _measure_angles_towards(angles: FloatArray, turn: float) -> FloatArray:
    """Angles of queries from one motion, positive towards another ``turn`` away, without jumps.

    On the far side a ramp leads from beyond the second motion back to before the first
    (docs/method/motions.md, Gradient bands).
    """
    theta = abs(turn)
    y = (angles if turn > 0 else -angles) % (2.0 * np.pi)
    far = 2.0 * np.pi - theta
    width = min(far, max(theta, BAND.least_ramp))
    rim = 0.5 * (far - width)
    ramp = (theta + rim) - (theta + 2.0 * rim) * (y - theta - rim) / width
    return np.where(y <= theta + rim, y, np.where(y >= 2.0 * np.pi - rim, y - 2.0 * np.pi, ramp))


def _choose_nearest(
    speeds: FloatArray,
    headings: FloatArray,
    query_speeds: FloatArray,
    query_headings: FloatArray,
) -> FloatArray:
    """One-hot weights (N, K) of the motion nearest to each query."""
    points = speeds * np.exp(1j * headings)
    queries = query_speeds * np.exp(1j * query_headings)
    nearest = np.argmin(np.abs(queries[:, None] - points[None, :]), axis=1)
    return np.asarray(np.eye(len(speeds))[nearest])
