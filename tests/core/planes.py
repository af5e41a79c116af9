# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Endless slopes in closed form."""

import numpy as np

from semi_procedural_locomotion.core.ground.interface import GroundHits, GroundLayers
from semi_procedural_locomotion.core.maths import rotations as rot


class SlopedPlane:
    """The plane z = rise . (x, y), endless in all directions."""

    def __init__(self, rise):
        self.rise = np.asarray(rise, dtype=np.float64)

    def heights(self, points):
        """World z under points (..., 2 or 3)."""
        return np.asarray(points)[..., :2] @ self.rise

    def cast_down(self, points, times):
        points = np.asarray(points, dtype=np.float64)
        hit = points[:, 2] >= self.heights(points) - 1e-12
        heights = np.where(hit, self.heights(points), points[:, 2])
        normal = rot.normalize(np.array([-self.rise[0], -self.rise[1], 1.0]))
        normals = np.where(hit[:, None], normal, rot.UP)
        places = rot.pack(points[:, 0], points[:, 1], heights)
        return GroundHits(places, normals, np.where(hit, 0, -1), hit)

    def cast_all(self, points, times):
        count = len(points)
        heights = self.heights(points)
        return GroundLayers(
            np.arange(count), heights, np.zeros(count, dtype=int), np.ones(count, dtype=bool)
        )

    def surface_frames(self, surface, times):
        return np.tile(np.eye(4), (len(times), 1, 1))

    def height_limits(self):
        return -1e3, 1e3

    def name_surface(self, surface):
        return f"Surface {surface}"

    def moving_surfaces(self):
        return frozenset()
