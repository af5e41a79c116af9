# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one way in which soles meet the ground: rays down from a named start (numpy only).

A ray that meets nothing, or nothing high enough to count, is a miss: its height is minus infinity and
its surface -1. Whoever has to reckon with a floor there names its depth, see `SoleHits.fill`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..maths.rotations import FloatArray
from .interface import Ground
from .layers import pick_clear
from .limits import ROOM


@dataclass(frozen=True)
class _RayStarts:
    """Record of how high rays start over what a sole stands on or passes, leg lengths.

    See docs/method/ground.md, Soles on the ground.
    """

    over_prints: float = 0.7
    """Over the higher of two prints: what lies higher is a ceiling, as beyond the largest step."""
    over_plane: float = 0.02
    """Over the plane of a print: it lies on the ground, but for rounding and what is uneven."""
    over_sole: float = 0.15
    """Over a sole that a user put somewhere, and as far below it: what lies there carries it."""


STARTS = _RayStarts()


@dataclass(frozen=True)
class SoleHits:
    """Ground under points of soles; all arrays have the shape of the points.

    Attributes
    ----------
    heights
        World z, metres; minus infinity for a miss.
    surfaces
        Which surface was met, -1 for a miss.
    """

    heights: FloatArray
    surfaces: np.ndarray

    @property
    def met(self) -> np.ndarray:
        """Where there is ground, array of bool."""
        return self.heights > -np.inf

    def flatten(self) -> SoleHits:
        """The same, all but the last axis of the points made one."""
        shape = (-1, self.heights.shape[-1])
        return SoleHits(self.heights.reshape(shape), self.surfaces.reshape(shape))

    def fill(self, floor: ArrayLike) -> FloatArray:
        """Heights with a floor, world z, in place of misses, metres."""
        return np.where(self.met, self.heights, floor)


def start_over_body(levels: FloatArray, reach: float) -> FloatArray:
    """World z, metres, from which a sole near a body on ``levels`` looks for ground in reach."""
    return levels + reach


def start_over_prints(behind: FloatArray, ahead: FloatArray, leg_length: float) -> FloatArray:
    """World z, metres, from which a swing between prints (..., 3) looks for what is in its way."""
    return np.maximum(behind[..., 2], ahead[..., 2]) + STARTS.over_prints * leg_length


def start_over_plane(points: FloatArray, leg_length: float) -> FloatArray:
    """World z, metres, from which points (..., 3) on the plane of a print look for the ground."""
    return points[..., 2] + STARTS.over_plane * leg_length


def cast_soles(
    ground: Ground,
    points: FloatArray,
    tops: FloatArray,
    times: FloatArray,
    bottoms: FloatArray | None = None,
    floors: FloatArray | None = None,
) -> SoleHits:
    """Ground under points of soles.

    Parameters
    ----------
    ground
        What is asked.
    points
        World, metres, shape (..., 2 or 3); only x and y count.
    tops
        World z at which the rays start, metres, broadcastable to the shape of the points.
    times
        Seconds of the scene's clock, broadcastable likewise.
    bottoms
        World z below which ground does not count, metres, broadcastable likewise; None where all
        does.
    floors
        World z of what the soles stand on, metres, broadcastable likewise: a ceiling or a beam over it
        that is no step is passed under. None where whatever lies below the start counts.
    """
    shape = points.shape[:-1]
    origins = np.empty((*shape, 3))
    origins[..., :2], origins[..., 2] = points[..., :2], tops
    when = np.broadcast_to(times, shape).ravel()
    hits = ground.cast_down(origins.reshape(-1, 3), when)
    heights = np.where(hits.hit, hits.points[:, 2], -np.inf)
    surfaces = np.where(hits.hit, hits.surfaces, -1)
    if floors is not None:
        _pass_under(
            ground,
            origins.reshape(-1, 3),
            when,
            np.broadcast_to(floors, shape).ravel(),
            heights,
            surfaces,
        )
    heights, surfaces = heights.reshape(shape), surfaces.reshape(shape)
    if bottoms is not None:
        met = heights >= bottoms
        heights, surfaces = np.where(met, heights, -np.inf), np.where(met, surfaces, -1)
    return SoleHits(heights, surfaces)


def _pass_under(
    ground: Ground,
    origins: FloatArray,
    times: FloatArray,
    floors: FloatArray,
    heights: FloatArray,
    surfaces: np.ndarray,
) -> None:
    """Put what is under ceilings that rays (n,) met in place of these, in place."""
    doubtful = np.flatnonzero(heights > floors + ROOM.doubtful * (origins[:, 2] - floors))
    if len(doubtful) == 0:
        return
    layers = ground.cast_all(origins[doubtful], times[doubtful])
    heights[doubtful], surfaces[doubtful] = pick_clear(
        layers, floors[doubtful], origins[doubtful, 2]
    )
