# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a travel has gone, and when (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.lines import measure_line
from ..maths.rotations import FloatArray
from .way import Travel


def measure_travel(travel: Travel) -> tuple[FloatArray, FloatArray]:
    """Distances along a travel seen from above, and when each is reached first.

    Parameters
    ----------
    travel
        Where it goes; samples at which it stands are left out.

    Returns
    -------
    distances, times
        Metres from 0, increasing, and seconds, shape (K,) each, K >= 1; the last distance is its length.
    """
    along = measure_line(travel.positions)
    moved = np.concatenate([[True], np.diff(along) > 0.0])
    return along[moved], travel.times[moved]


def lay_stations(travel: Travel, spacing: float, most: int) -> tuple[FloatArray, FloatArray] | None:
    """Places evenly spread along a travel, as distances and times.

    Parameters
    ----------
    travel
        Where it goes.
    spacing
        Metres between two of them at the most.
    most
        How many there may be.

    Returns
    -------
    distances, times
        Metres and seconds, shape (n,) each; None where that would be fewer than 3, or more than the most.
    """
    along, clock = measure_travel(travel)
    count = int(np.ceil(along[-1] / spacing)) + 1
    if not 3 <= count <= most:
        return None
    distances = np.linspace(0.0, along[-1], count)
    return distances, np.interp(distances, along, clock)
