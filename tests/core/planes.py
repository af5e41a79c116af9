# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Endless slopes in closed form, and flights of steps."""

import numpy as np

from benchmarks.mesh_grounds import MeshGround
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


def make_steps(rise, tread, angle, count=8, first=1.2, breadth=12.0):
    """Steps across +X turned by an angle about the origin; rise and tread in metres."""
    edges = first + tread * np.arange(count)
    heights = rise * np.arange(count + 1)
    profile = [(-6.0, 0.0)]
    for edge, low, high in zip(edges, heights[:-1], heights[1:], strict=True):
        profile += [(edge, low), (edge + 1e-4, high)]
    profile.append((edges[-1] + 20.0, heights[-1]))
    rows = np.array([[x, y, z] for x, z in profile for y in (-breadth, breadth)])
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = rows @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    first_corners = 2 * np.arange(len(profile) - 1)
    triangles = [
        corners for k in first_corners for corners in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))
    ]
    return MeshGround(turned, np.array(triangles))
