# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground under the ways of feet as slices with signed distances (numpy only).

How high a point is over the ground has no usable slope at a riser: there it jumps. Its distance to the
ground, negative inside, has: it points out of the riser, and over its edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.columns import Columns
from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class GroundSlices(Columns):
    """Signed distances to the ground in upright slices along F ways.

    Attributes
    ----------
    starts
        Place along and height of the first sample of each, shape (F, 2).
    spacing
        Between samples, both ways.
    distances
        Shape (F, U, Z).
    """

    starts: FloatArray
    spacing: float
    distances: FloatArray

    @classmethod
    def measure(
        cls, starts: FloatArray, heights: FloatArray, spacing: float, reach: int, count: int
    ) -> GroundSlices:
        """Slices of profiles.

        Parameters
        ----------
        starts
            Place along and height of the first sample, shape (F, 2).
        heights
            Of the ground at places from the first on, in equal steps, shape (F, U).
        spacing
            Those steps.
        reach
            Steps within which the nearest ground is looked for; farther off, what is right below counts.
        count
            Samples upwards.
        """
        levels = starts[:, 1, None] + spacing * np.arange(count)
        out = np.full((*heights.shape, count), np.inf)
        inside = np.full_like(out, np.inf)
        width = heights.shape[1]
        for shift in range(-reach, reach + 1):
            nearest = heights[:, np.clip(np.arange(width) + shift, 0, width - 1)]
            above = levels[:, None] - nearest[..., None]
            square = (shift * spacing) ** 2
            np.minimum(out, square + np.maximum(above, 0.0) ** 2, out=out)
            np.minimum(inside, square + np.maximum(-above, 0.0) ** 2, out=inside)
        return cls(starts, spacing, np.sqrt(out) - np.sqrt(inside))

    def read(self, places: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Distances of points to the ground and their slopes.

        Parameters
        ----------
        places
            Along and up, of points of each slice, shape (F, ..., 2).

        Returns
        -------
        distances, slopes
            Shapes (F, ...) and (F, ..., 2).
        """
        shape = self.distances.shape
        start = self.starts.reshape(len(self.starts), *(1,) * (places.ndim - 2), 2)
        spots = (places - start) / self.spacing
        most = np.array(shape[1:]) - 1.000001
        held = np.clip(spots, 0.0, most)
        index = held.astype(np.intp)
        u, v = held[..., 0] - index[..., 0], held[..., 1] - index[..., 1]
        number = np.arange(shape[0]).reshape(-1, *(1,) * (places.ndim - 2))
        flat = (number * shape[1] + index[..., 0]) * shape[2] + index[..., 1]
        values = self.distances.ravel()
        a, b = values[flat], values[flat + 1]
        c, d = values[flat + shape[2]], values[flat + shape[2] + 1]
        low, high = a + (c - a) * u, b + (d - b) * u
        along = ((c - a) * (1.0 - v) + (d - b) * v) / self.spacing
        up = (high - low) / self.spacing
        slopes = np.stack([along, up], axis=-1)
        beyond = (spots - held) * self.spacing
        return low + (high - low) * v + np.sum(slopes * beyond, axis=-1), slopes
