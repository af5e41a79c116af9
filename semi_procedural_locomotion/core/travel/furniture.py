# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Things on a way that a body would climb and leave at once, as seats are (numpy only).

See docs/method/travel.md, Furniture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground, GroundLayers
from ..ground.layers import find_insides
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
from .limits import FURNITURE, PASSAGE


@dataclass(frozen=True)
class TroddenWay:
    """A way over ground, as densely as things on it are looked for: N places.

    Attributes
    ----------
    times
        Seconds, shape (N,).
    places, sides
        World x, y, metres, and unit vectors to the left of the way, shape (N, 2).
    levels
        Height of the ground that the body walks on, world z, metres, shape (N,).
    spacing
        Metres between two places.
    """

    times: FloatArray
    places: FloatArray
    sides: FloatArray
    levels: FloatArray
    spacing: float


@dataclass(frozen=True)
class Furniture:
    """A thing that is climbed.

    Attributes
    ----------
    surface
        Index of the surface.
    time
        Seconds at which the way comes to it.
    place
        World, metres, shape (3,): where it is highest.
    height
        Metres of that above the ground around it.
    too_high
        Whether that is more than one step.
    """

    surface: int
    time: float
    place: FloatArray
    height: float
    too_high: bool


def trace_way(
    times: FloatArray, places: FloatArray, levels: FloatArray, length: float
) -> TroddenWay | None:
    """A way at even distances; None for one that goes hardly anywhere.

    Parameters
    ----------
    times
        Seconds, increasing, shape (n,).
    places
        World x, y, metres, shape (n, 2).
    levels
        Height of the ground that the body walks on, world z, metres, shape (n,).
    length
        Of the leg, metres.
    """
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
    if way[-1] < FURNITURE.span * length:
        return None
    count = min(int(np.ceil(way[-1] / (FURNITURE.spacing * length))) + 1, FURNITURE.most)
    even = np.linspace(0.0, way[-1], count)
    at = np.interp(even, way, times)
    flat = np.stack([np.interp(at, times, places[:, axis]) for axis in (0, 1)], axis=1)
    steps = np.gradient(flat, axis=0)
    sizes = np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-9)
    sides = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / sizes[:, None]
    return TroddenWay(at, flat, sides, np.interp(at, times, levels), float(even[1]))


def find_furniture(
    way: TroddenWay, ground: Ground, offsets: FloatArray, length: float, step_limit: float
) -> list[Furniture]:
    """What a body would climb and leave at once, in the order of the way, each surface once.

    Parameters
    ----------
    way
        Where it goes.
    ground
        What it walks on.
    offsets
        Lines beside the way that are looked along, metres to the left, shape (O,).
    length
        Of the leg, metres.
    step_limit
        How high the body steps, metres.
    """
    count, lines = len(way.times), len(offsets)
    points = np.zeros((count, lines, 3))
    points[..., :2] = way.places[:, None] + offsets[:, None] * way.sides[:, None]
    layers = ground.cast_all(points.reshape(-1, 3), np.repeat(way.times, lines))
    levels = np.repeat(way.levels, lines)
    heights, surfaces = _find_tops(layers, levels, step_limit)
    heights, surfaces = heights.reshape(count, lines), surfaces.reshape(count, lines)
    rises = heights - _level_out(heights, 0.5 * length / way.spacing)
    high = (rises > PASSAGE.knee * length) & (surfaces >= 0)
    found, moving = [], ground.moving_surfaces()
    for surface in np.unique(surfaces[high]).tolist():
        mine = surfaces == surface
        # What is walked on beside such places as well is the ground itself.
        if surface in moving or 2 * np.count_nonzero(mine & high) < np.count_nonzero(mine):
            continue
        row, line = np.unravel_index(np.argmax(np.where(mine, rises, -np.inf)), rises.shape)
        first = int(np.argmax((mine & high).any(axis=1)))
        place = np.array([*points[row, line, :2], heights[row, line]])
        height = float(rises[row, line])
        found.append(
            Furniture(surface, float(way.times[first]), place, height, height > step_limit)
        )
    return sorted(found, key=lambda thing: thing.time)


def _find_tops(
    layers: GroundLayers, levels: FloatArray, reach: float
) -> tuple[FloatArray, np.ndarray]:
    """Height and surface of the highest on each line that is no farther than a reach above its level.

    Both have the shape (n,). A body that has climbed something is still above the floor beside it.

    Where there is none, the height is a reach below the level and the surface -1.
    """
    heights, surfaces = levels - reach, np.full(len(levels), -1, dtype=np.intp)
    near = (layers.heights <= levels[layers.rays] + reach) & ~find_insides(layers)
    rays, first = np.unique(layers.rays[near], return_index=True)
    heights[rays], surfaces[rays] = layers.heights[near][first], layers.surfaces[near][first]
    return heights, surfaces


def _level_out(heights: FloatArray, half: float) -> FloatArray:
    """A profile (N, O) without its gaps and short rises, by samples in half a leg.

    It goes on beyond its ends as it ends: what it ends on is no short rise.
    """
    radii = [max(int(half * share), 1) for share in (FURNITURE.gap, FURNITURE.span)]
    beyond = sum(radii)
    padded = np.pad(heights, ((beyond, beyond), (0, 0)), mode="edge")
    filled = _erode(find_sliding_maximum(padded, radii[0]), radii[0])
    return find_sliding_maximum(_erode(filled, radii[1]), radii[1])[beyond:-beyond]


def _erode(values: FloatArray, radius: int) -> FloatArray:
    """Lowest value within a radius of samples, along the first axis."""
    return -find_sliding_maximum(-values, radius)
