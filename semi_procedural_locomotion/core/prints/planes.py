# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plane under a sole, and how much of the sole is supported on it (numpy only).

Arrays are of n soles with K tries each, and P stations under each (docs/method/ground.md, Soles on the
ground).
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from .limits import FITS, FOOTHOLDS


def list_plane_terms(stations: FloatArray, length: float) -> FloatArray:
    """Rows (1, distance from the middle along, distance across) of the stations, shape (P, 3)."""
    return np.stack([np.ones(len(stations)), stations[:, 0] - 0.5 * length, stations[:, 1]], axis=1)


def fit_planes(
    heights: FloatArray,
    stations: FloatArray,
    size: tuple[float, float],
    tolerance: float,
    max_rise: float,
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

    Returns
    -------
    array, shape (n, K, 3)
        Height at the middle, metres, and rise along and across, metres a metre.
    """
    length, width = size
    basis = list_plane_terms(stations, length)
    top = heights.max(axis=-1, keepdims=True)
    # A point lower than any other by more than the steepest slope between them is under no plane that
    # touches from above: beyond an edge, or a hole. It has no say, else a sole leans over the drop.
    apart = np.hypot(*(stations[:, None] - stations[None]).transpose(2, 0, 1))
    least = (heights[..., None, :] - max_rise * apart).max(axis=-1)
    touchable = heights > least - tolerance
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


def measure_supports(
    gaps: FloatArray,
    stations: FloatArray,
    inside: np.ndarray,
    length: float,
    tolerance: float,
) -> FloatArray:
    """Share of soles that has ground under it.

    Parameters
    ----------
    gaps
        Of the ground above the planes, metres, minus infinity where there is none, shape (n, K, P).
    stations
        Places along and across the sole, from its heel, metres, shape (P, 2).
    inside
        Which of them are on the sole itself, shape (P,) of bool.
    length
        Of the sole, metres.
    tolerance
        How far below the plane ground still supports, metres.

    Returns
    -------
    array, shape (n, K)
        0 to 1.
    """
    supported = gaps > -tolerance
    supports = supported[..., inside].mean(axis=-1)
    middle = np.abs(stations[:, 0] - 0.5 * length) < FOOTHOLDS.middle * length
    on_middle = supported[..., middle].any(axis=-1)
    supports = supports * np.where(on_middle, 1.0, FOOTHOLDS.hollow_middle)
    heel, toe = np.abs(stations[:, 0]) < 1e-9, np.abs(stations[:, 0] - length) < 1e-9
    bridged = supported[..., heel].any(axis=-1) & supported[..., toe].any(axis=-1)
    bridged &= gaps[..., inside].min(axis=-1) > -FOOTHOLDS.bridged_depth * tolerance
    return np.where(bridged, np.maximum(supports, FOOTHOLDS.bridged), supports)
