# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Knees of legs by how far hip and ankle are apart (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray

# Shares of the leg between which the law of cosines holds; it goes on straight outside.
_NEAR, _FAR = 0.25, 0.997


def bend_knees(
    distances: FloatArray, thighs: FloatArray, shins: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Bends of knees and their slopes.

    Parameters
    ----------
    distances
        From hip to ankle, shape (...).
    thighs, shins
        Lengths of the two bones, broadcastable to (...).

    Returns
    -------
    bends, slopes
        Radians, 0 where straight, and their derivative by the distance, shapes (...).
    """
    whole, apart = thighs + shins, np.abs(thighs - shins)
    low = np.maximum(_NEAR * whole, apart + 0.02 * whole)
    inside = np.clip(distances, low, _FAR * whole)
    double = 2.0 * thighs * shins
    cosines = (inside * inside - thighs * thighs - shins * shins) / double
    sines = np.sqrt(1.0 - cosines * cosines)
    slopes = -2.0 * inside / (double * sines)
    return np.arccos(cosines) + slopes * (distances - inside), slopes
