# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strides of blended motions (numpy only).

The blended pose of motions in unlike directions has the stride of their vector sum
(docs/method/times.md, Rates).
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.tables import CycleTable
from .limits import RATES


def align_motions(cycles: CycleTable, velocities: FloatArray) -> FloatArray:
    """How far each motion goes the way of the travel, -1 to 1, shape (G, M).

    Parameters
    ----------
    cycles
        Numbers of the motions.
    velocities
        Of the travel in character space, metres a second, shape (G, 2). Where they are small every
        motion counts in full.
    """
    own = cycles.velocities / np.maximum(np.hypot(*cycles.velocities.T), 1e-9)[:, None]
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    cosines = (velocities / np.maximum(speeds, 1e-9)[:, None]) @ own.T
    sure = np.minimum(speeds / (RATES.slow * cycles.slowest_speed), 1.0)[:, None]
    return 1.0 + sure * (cosines - 1.0)


def blend_strides(cycles: CycleTable, weights: FloatArray, alignment: FloatArray) -> FloatArray:
    """Stride of the blended pose along the travel, metres, shape (G,)."""
    along = np.sum(weights * alignment * cycles.strides, axis=1)
    return np.maximum(along, RATES.least_stride * (weights @ cycles.strides))
