# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of motions by speed alone: a motor from idle over walk to run (numpy only).

Below the speed of the slowest motion rest and it share, between two motions these do, each linearly in
the speed (docs/method/motions.md, By speed alone).
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import TINY, FloatArray
from .limits import CHOICE


def compute_motor_weights(
    speeds: FloatArray,
    rest: np.ndarray,
    queries: FloatArray,
    walk_from: float = 0.0,
    run_from: float = 0.0,
) -> FloatArray:
    """Blend weights of motions for wanted speeds.

    Parameters
    ----------
    speeds
        Native speeds of the motions, metres a second, shape (M,).
    rest
        Which motions stand, shape (M,) of bool.
    queries
        Wanted speeds, metres a second, shape (N,).
    walk_from, run_from
        Speeds from which on the slowest and the fastest motion play alone, metres a second; 0 for
        their own. What lies between is moved along in proportion.

    Returns
    -------
    array, shape (N, M)
        Sum 1; motions of one speed share equally.
    """
    weights = np.zeros((len(queries), len(speeds)))
    moving = np.flatnonzero(~rest)
    standing = np.flatnonzero(rest)
    if len(moving) == 0:
        weights[:, standing] = 1.0 / len(standing)
        return weights
    own, places = np.unique(speeds[moving], return_inverse=True)
    levels = own.copy()
    first = walk_from or float(own[0])
    last = max(run_from or float(own[-1]), first)
    if len(own) > 1:
        levels = first + (own - own[0]) / (own[-1] - own[0]) * (last - first)
        # Levels that fall together are parted by nothing that a speed could lie in.
        levels = np.maximum.accumulate(levels + 1e-9 * first * np.arange(len(levels)))
    else:
        levels[0] = first
    knots = np.concatenate([[0.0], levels]) if len(standing) else levels
    shares = np.stack([np.interp(queries, knots, row) for row in np.eye(len(knots))], axis=1)
    if len(standing):
        weights[:, standing] = shares[:, :1] / len(standing)
        shares = shares[:, 1:]
    weights[:, moving] = shares[:, places] / np.bincount(places)[places]
    return weights


def drive_by_speed(
    velocities: FloatArray,
    rest: np.ndarray,
    queries: FloatArray,
    walk_from: float = 0.0,
    run_from: float = 0.0,
) -> FloatArray:
    """Weights of motions for wanted velocities, by speed among those that go that way.

    Parameters
    ----------
    velocities
        Native velocities of the motions, metres a second, shape (M, 2).
    rest, walk_from, run_from
        As of `compute_motor_weights`.
    queries
        Wanted velocities, metres a second, shape (N, 2).

    Returns
    -------
    array, shape (N, M)
        Sum 1. Where no motion goes within 60 degrees of the wanted way, the nearest ones do.
    """
    own, asked = (v / np.maximum(np.hypot(*v.T), 1e-9)[:, None] for v in (velocities, queries))
    cosines = np.where(rest, -1.0, asked @ own.T)
    nearest = cosines.max(axis=1, keepdims=True, initial=-1.0)
    # Who stands faces every way.
    still = np.hypot(*queries.T)[:, None] < TINY
    goes = still | (cosines >= np.minimum(nearest, CHOICE.motor_ahead) - TINY)
    used = rest | goes
    weights, speeds = np.zeros(used.shape), np.hypot(*velocities.T)
    for pattern in np.unique(used, axis=0):
        rows = np.flatnonzero((used == pattern).all(axis=1))
        chosen = np.flatnonzero(pattern)
        parts = compute_motor_weights(
            speeds[chosen], rest[chosen], np.hypot(*queries[rows].T), walk_from, run_from
        )
        weights[np.ix_(rows, chosen)] = parts
    return weights
