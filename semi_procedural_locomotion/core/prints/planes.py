# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plane under a sole (numpy only; docs/method/ground.md, Soles on the ground)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from .limits import FITS


def list_plane_terms(stations: FloatArray, length: float) -> FloatArray:
    """Rows (1, distance from the middle along, distance across) of the stations, shape (P, 3)."""
    return np.stack([np.ones(len(stations)), stations[:, 0] - 0.5 * length, stations[:, 1]], axis=1)


def fit_planes(
    heights: FloatArray,
    stations: FloatArray,
    size: tuple[float, float],
    tolerance: float,
    max_rise: float,
    bearing: np.ndarray | None = None,
) -> FloatArray:
    """Planes that touch the ground from above.

    Parameters
    ----------
    heights
        Of the ground, world, metres, shape (n, K, P).
    stations
        Places along and across the sole, from its heel, metres, shape (P, 2).
    size
        Length and width of the sole, metres.
    tolerance
        How far below the plane ground still supports, metres.
    max_rise
        Steepest slope, rise over run.
    bearing
        Stations on which the plane rests, shape (P,) of bool; None for all. It lies above all others.

    Returns
    -------
    array, shape (n, K, 3)
        Height at the middle, metres, and rise along and across, metres a metre.
    """
    length, width = size
    basis = list_plane_terms(stations, length)
    bearing = np.ones(len(stations), dtype=bool) if bearing is None else bearing
    borne = np.where(bearing, heights, -np.inf)
    top = borne.max(axis=-1, keepdims=True)
    # A point lower than any other by more than the steepest slope between them is under no plane that
    # touches from above: beyond an edge, or a hole. It has no say, else a sole leans over the drop.
    apart = np.hypot(*(stations[:, None] - stations[None]).transpose(2, 0, 1))
    least = (borne[..., None, :] - max_rise * apart).max(axis=-1)
    touchable = borne > least - tolerance
    # The highest points lead: a sole rests on what sticks out.
    below = np.minimum((top - heights) / (0.5 * length), FITS.most_lead)
    weights = np.exp(-FITS.lead * below**2) * touchable
    regular = FITS.regular * np.diag([1.0, length * length, width * width])
    plane = np.zeros((*heights.shape[:2], 3))
    for _ in range(FITS.rounds):
        weighted = weights[..., None] * basis
        normal = np.einsum("nkpi,pj->nkij", weighted, basis) + regular
        right = np.einsum("nkpi,nkp->nki", weighted, heights)
        plane = np.linalg.solve(normal, right[..., None])[..., 0]
        rest = heights - plane @ basis.T
        weights = np.where(rest > 0, 1.0, 1.0 / (1.0 + (FITS.outlier * rest / tolerance) ** 2))
        weights = weights * touchable
    rise = np.hypot(plane[..., 1], plane[..., 2])
    plane[..., 1:] *= np.minimum(1.0, max_rise / np.maximum(rise, 1e-9))[..., None]
    plane[..., 0] += (heights - plane @ basis.T).max(axis=-1)
    return plane
