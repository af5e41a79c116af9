# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of points of a body over the ground, under roofs too (numpy only)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..ground.interface import Ground
from ..ground.layers import find_covered, split_layers
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import SHOWN_FEET


def measure_heights(
    points: FloatArray,
    times: FloatArray,
    ground: Ground,
    leg_length: float,
    levels: FloatArray | None = None,
    look: tuple[float, ArrayLike] | None = None,
) -> tuple[FloatArray, np.ndarray]:
    """Heights of points over the ground, and its surfaces.

    Parameters
    ----------
    points
        World, metres, shape (..., 3).
    times
        Seconds, broadcastable to (...).
    ground, leg_length
        What is under the points, and L in metres.
    levels
        World z of the floor that they belong to, metres, broadcastable to (...): what lies far over the
        points, while the floor is below, is a roof. None for points of feet, which are near to theirs.
    look
        How far above a point ground still counts as under it, and how far above its level it is a roof,
        broadcastable to (...), shares of L. None for that of bodies.

    Returns
    -------
    heights
        Metres, negative in the ground, nan over nothing, shape (...).
    surfaces
        -1 for none, shape (...).
    """
    if look is None:
        heights = points[..., 2]
        levels = heights if levels is None else np.minimum(levels, heights)
        look = SHOWN_FEET.look_up, SHOWN_FEET.roof + (heights - levels) / leg_length
    look_up, roof = look
    shape = points.shape[:-1]
    flat, when = points.reshape(-1, 3), np.broadcast_to(times, shape).reshape(-1)
    hits = ground.cast_down(flat + rot.UP * (look_up * leg_length), when)
    tops = np.where(hits.hit, hits.points[:, 2], np.nan)
    surfaces = np.where(hits.hit, hits.surfaces, -1)
    if levels is not None:
        level = np.broadcast_to(levels, shape).reshape(-1)
        depths = np.where(hits.hit, tops - flat[:, 2], 0.0)
        rows = np.flatnonzero(depths > SHOWN_FEET.sure_depth * leg_length)
        if len(rows):
            layers = ground.cast_all(flat[rows], when[rows])
            roofs = level + np.broadcast_to(roof, shape).reshape(-1) * leg_length
            # Nothing else can be under a roof.
            covered = find_covered(layers, flat[rows, 2])
            lines = split_layers(layers, len(rows), covered)
            rows = rows[covered]
            for row, roof_height, storeys in zip(
                rows.tolist(), roofs[rows].tolist(), lines, strict=True
            ):
                under = storeys.find_under_roof(float(flat[row, 2]), float(level[row]), roof_height)
                if under is not None:
                    tops[row], surfaces[row] = storeys.heights[under], storeys.surfaces[under]
    return (flat[:, 2] - tops).reshape(shape), surfaces.reshape(shape)


def measure_beside(
    points: FloatArray,
    aside: tuple[float, int],
    times: FloatArray,
    ground: Ground,
    leg_length: float,
    levels: FloatArray | None = None,
) -> FloatArray:
    """Heights over the ground of places all around points, metres, shape (n, D).

    Parameters
    ----------
    points
        World, metres, shape (n, 3).
    aside
        How far to the side they are, metres, and in how many directions D.
    times, ground, leg_length, levels
        As for `measure_heights`, of each point, shape (n,).
    """
    way, count = aside
    turns = 2.0 * np.pi * np.arange(count) / count
    beside = points[:, None] + way * rot.pack(np.cos(turns), np.sin(turns), 0.0 * turns)
    floors = None if levels is None else levels[:, None]
    return measure_heights(beside, times[:, None], ground, leg_length, floors)[0]
