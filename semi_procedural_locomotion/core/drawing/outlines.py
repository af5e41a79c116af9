# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of footprints, for drawing them (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..prints.records import PrintRow

# Half widths of a sole along its length, from heel to toe tip, as shares of its width; rounded ends,
# a narrow arch, the ball widest.
_PLACES = np.array([0.0, 0.03, 0.1, 0.2, 0.42, 0.62, 0.75, 0.87, 0.96, 1.0])
_HALF_WIDTHS = np.array([0.0, 0.24, 0.38, 0.41, 0.37, 0.46, 0.5, 0.45, 0.27, 0.0])
# The outer edge bulges less than the inner, which tells left from right.
_OUTER = 0.82


def outline_soles(
    positions: FloatArray, frames: FloatArray, length: float, width: float, side: str = ""
) -> FloatArray:
    """Outlines of prints on the ground.

    Parameters
    ----------
    positions
        Heel ends, world, metres, shape (n, 3).
    frames
        Rotations with the x axis from heel to toe and the z axis along the normal, shape (n, 4).
    length, width
        Of the sole, metres.
    side
        ``"L"`` or ``"R"`` gives the print an outer edge, anything else none.

    Returns
    -------
    array, shape (n, P, 3)
        Corners in order, counter-clockwise seen from above, world, metres.
    """
    left = _HALF_WIDTHS * width * (_OUTER if side == "L" else 1.0)
    right = _HALF_WIDTHS * width * (_OUTER if side == "R" else 1.0)
    along = _PLACES * length
    there = np.stack([along, -right, np.zeros_like(along)], axis=1)
    back = np.stack([along, left, np.zeros_like(along)], axis=1)[-2:0:-1]
    flat = np.concatenate([there, back])
    return positions[:, None] + rot.rotate(frames[:, None], flat)


def list_used_prints(row: PrintRow, first: float, last: float) -> np.ndarray:
    """Indices of the prints that a leg stands on or reaches for within a range of seconds."""
    own = np.flatnonzero(~row.parked)
    times = row.times[own]
    before, after = np.flatnonzero(times <= first), np.flatnonzero(times >= last)
    start = before[-1] if len(before) else 0
    end = after[0] + 1 if len(after) else len(own)
    return own[start:end]
