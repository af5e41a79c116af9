# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Uniform cubic B-splines: all along a walk, and bumps that begin and end at nothing (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray


def read_spline(places: FloatArray, order: int = 0) -> tuple[np.ndarray, FloatArray]:
    """Weights of the four knots around places on a line of knots at whole numbers.

    Parameters
    ----------
    places
        Any shape (...); knot k is the middle of the piece of weight 2 / 3 at place k - 1.
    order
        Which derivative by the place, 0 to 3.

    Returns
    -------
    first, weights
        Index of the first of the four, shape (...), and their weights, shape (..., 4).
    """
    first = np.floor(places).astype(np.intp)
    u = places - first
    if order == 0:
        parts = [(1 - u) ** 3, 3 * u**3 - 6 * u**2 + 4, -3 * u**3 + 3 * u**2 + 3 * u + 1, u**3]
    elif order == 1:
        parts = [-3 * (1 - u) ** 2, 9 * u**2 - 12 * u, -9 * u**2 + 6 * u + 3, 3 * u**2]
    elif order == 2:
        parts = [6 * (1 - u), 18 * u - 12, -18 * u + 6, 6 * u]
    else:
        one = np.ones_like(u)
        parts = [-6 * one, 18 * one, -18 * one, 6 * one]
    return first, np.stack(parts, axis=-1) / 6.0


def read_bumps(shares: FloatArray, pieces: int, order: int = 0) -> FloatArray:
    """Values of all bumps of a number of pieces, which are 0 with their slope at both ends.

    Parameters
    ----------
    shares
        From 0 to 1, any shape (...); beyond them bumps stay 0.
    pieces
        4 or more.
    order
        Which derivative by the share.

    Returns
    -------
    array, shape (..., pieces - 1)
    """
    inside = np.clip(shares, 0.0, 1.0)
    places = np.minimum(inside * pieces, np.nextafter(float(pieces), 0.0))
    first, weights = read_spline(places, order)
    knots = np.zeros((*np.shape(places), pieces + 3))
    np.put_along_axis(knots, first[..., None] + np.arange(4), weights, axis=-1)
    free = _free_ends(pieces)
    values = knots @ free * float(pieces) ** order
    return np.where((shares >= 0.0) & (shares <= 1.0), 1.0, 0.0)[..., None] * values


def _free_ends(pieces: int) -> FloatArray:
    """Knots (pieces + 3, pieces - 1) of each bump: the outer three make one whose end is 0 and level."""
    free = np.zeros((pieces + 3, pieces - 1))
    free[:3, 0] = free[:-4:-1, -1] = (1.0, -0.5, 1.0)
    inner = np.arange(1, pieces - 2)
    free[inner + 2, inner] = 1.0
    return free


def integrate_bumps(pieces: int, order: int) -> FloatArray:
    """Integrals over all shares of products of derivatives of bumps, (pieces - 1, pieces - 1)."""
    count = 8 * pieces
    values = read_bumps((np.arange(count) + 0.5) / count, pieces, order)
    return values.T @ values / count
