# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plane under a sole (numpy only; docs/method/ground.md, Soles on the ground)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import FITS


def fit_planes(
    heights: FloatArray,
    shares: FloatArray,
    sizes: FloatArray,
    tolerance: float,
    max_rise: float,
    bearing: np.ndarray | None = None,
) -> FloatArray:
    """Planes that touch the ground from above.

    Parameters
    ----------
    heights
        Of the ground under n soles, world, metres, minus infinity where there is none, shape (n, P).
    shares
        Places along and across a sole, from its heel, in lengths and widths of it, shape (P, 2).
    sizes
        Length and width of each sole, metres, shape (n, 2).
    tolerance
        How far below the plane ground still supports, metres.
    max_rise
        Steepest slope, rise over run.
    bearing
        Stations on which the plane rests, shape (P,) of bool; None for all. It lies above all others.

    Returns
    -------
    array, shape (n, 3)
        Height at the middle, metres, and rise along and across, metres a metre.
    """
    basis = np.concatenate([np.ones((len(shares), 1)), shares - [0.5, 0.0]], axis=1)
    squares = (basis[:, :, None] * basis[:, None]).reshape(-1, 9)
    borne = heights if bearing is None else np.where(bearing, heights, -np.inf)
    top = borne.max(axis=1, keepdims=True)
    # A point lower than any other by more than the steepest slope between them is under no plane that
    # touches from above: beyond an edge, or a hole. It has no say, else a sole leans over the drop.
    between = (shares[:, None] - shares).reshape(-1, 2)
    apart = np.sqrt(sizes**2 @ between.T**2).reshape(-1, len(shares), len(shares))
    least = (borne[:, None] - max_rise * apart).max(axis=-1)
    touchable = borne > least - tolerance
    # The highest points lead: a sole rests on what sticks out.
    solid = np.where(heights > -np.inf, heights, heights.max(axis=1, keepdims=True))
    below = (top - solid) / (0.5 * sizes[:, :1])
    weights = np.exp(-FITS.lead * below**2) * touchable
    plane = np.zeros((len(heights), 3))
    for _ in range(FITS.rounds):
        normal = (weights @ squares).reshape(-1, 3, 3) + rot.TINY * np.eye(3)
        right = (weights * solid) @ basis
        plane = np.linalg.solve(normal, right[..., None])[..., 0]
        rest = solid - plane @ basis.T
        weights = np.where(rest > 0, 1.0, 1.0 / (1.0 + (FITS.outlier * rest / tolerance) ** 2))
        weights = weights * touchable
    rise = np.hypot(*(plane[:, 1:] / sizes).T)
    plane[:, 1:] *= np.minimum(1.0, max_rise / np.maximum(rise, rot.TINY))[:, None]
    plane[:, 0] += (heights - plane @ basis.T).max(axis=1)
    plane[:, 1:] /= sizes
    return plane
