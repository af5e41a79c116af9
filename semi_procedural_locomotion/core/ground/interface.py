# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the planner asks for ground: points and times in, surfaces out (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class GroundHits:
    """First surfaces below points.

    Attributes
    ----------
    points
        Where the vertical line meets the surface, world, metres, shape (n, 3); the asked point where
        nothing was hit.
    normals
        Unit normals turned upwards, world, shape (n, 3); up where nothing was hit.
    surfaces
        Which surface was hit, -1 for none, shape (n,).
    hit
        Whether anything was hit, shape (n,) of bool.
    """

    points: FloatArray
    normals: FloatArray
    surfaces: np.ndarray
    hit: np.ndarray


@dataclass(frozen=True)
class GroundLayers:
    """All surfaces that lie over each other on vertical lines, as flat arrays.

    They are sorted by line, and those of one line from the top down. A surface that meets a line
    several times, as a closed body does, is there as often.

    Attributes
    ----------
    rays
        Index of the line, ascending, shape (h,).
    heights
        World z at which the line meets the surface, metres, shape (h,).
    surfaces
        Which surface that is, shape (h,).
    upwards
        Whether the face's own normal looks up there, shape (h,) of bool. Of a closed body it tells top
        from underside; a single sheet may be turned either way.
    """

    rays: np.ndarray
    heights: FloatArray
    surfaces: np.ndarray
    upwards: np.ndarray


def sort_layers(
    rays: np.ndarray, heights: FloatArray, surfaces: np.ndarray, upwards: np.ndarray
) -> GroundLayers:
    """Put hits (h,) in the order of `GroundLayers`; of equal heights, in the order given."""
    order = np.lexsort((-heights, rays))
    return GroundLayers(rays[order], heights[order], surfaces[order], upwards[order])


class Ground(Protocol):
    """Anything that can be walked on."""

    def cast_down(self, points: FloatArray, times: FloatArray) -> GroundHits:
        """First surface at or below each point.

        Parameters
        ----------
        points
            World, metres, shape (n, 3).
        times
            Seconds of the scene's clock, shape (n,).
        """
        ...

    def cast_all(self, points: FloatArray, times: FloatArray) -> GroundLayers:
        """All surfaces on the vertical line through each point, above it and below.

        Parameters
        ----------
        points
            World, metres, shape (n, 3); only x and y count.
        times
            Seconds of the scene's clock, shape (n,).
        """
        ...

    def surface_frames(self, surface: int, times: FloatArray) -> FloatArray:
        """World matrices, shape (n, 4, 4), of the object that carries a surface at given times."""
        ...

    def height_limits(self) -> tuple[float, float]:
        """Lowest and highest world z that any surface reaches, metres."""
        ...

    def name_surface(self, surface: int) -> str:
        """Find what a surface is called by those who made it."""
        ...

    def moving_surfaces(self) -> frozenset[int]:
        """Surfaces whose frames change over time; only these carry prints along."""
        ...
