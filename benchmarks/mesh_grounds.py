# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds of one triangle mesh that does not move, for measuring and testing without Blender."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from semi_procedural_locomotion.core.ground.interface import GroundHits, GroundLayers
from semi_procedural_locomotion.core.ground.limits import CASTING
from semi_procedural_locomotion.core.ground.single_casting import CellGrid, build_grids
from semi_procedural_locomotion.core.ground.terrain import StillGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.rotations import FloatArray
from semi_procedural_locomotion.errors import GroundError

# Cosine to vertical below which a triangle is a wall that no vertical ray can hit.
_WALL = 1e-9
# Share of a triangle that its edges are widened by: no ray slips between two that share one.
_EDGE_MARGIN = 1e-7


class _VerticalHits(NamedTuple):
    """Highest surfaces at or below start points.

    Attributes
    ----------
    heights
        Metres, nan where nothing was hit, shape (n,).
    triangles
        Index of the triangle hit, -1 for none, shape (n,).
    """

    heights: FloatArray
    triangles: np.ndarray


class _VerticalCrossings(NamedTuple):
    """Everything that vertical lines cross, sorted by line and then from the top down.

    Attributes
    ----------
    rays
        Index of the line, ascending, shape (h,).
    heights
        Metres, shape (h,).
    triangles
        Index of the triangle crossed, shape (h,).
    """

    rays: np.ndarray
    heights: FloatArray
    triangles: np.ndarray


class VerticalCaster:
    """A triangle mesh prepared for vertical rays.

    Parameters
    ----------
    vertices
        World, metres, shape (V, 3).
    triangles
        Vertex indices, shape (T, 3), T >= 1.
    """

    def __init__(self, vertices: FloatArray, triangles: np.ndarray) -> None:
        corners = _gather_corners(vertices, triangles)
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = np.linalg.norm(normals, axis=1)
        normals /= np.maximum(areas, np.finfo(float).tiny)[:, None]
        self._faces = np.flatnonzero(np.abs(normals[:, 2]) > _WALL)
        self.upwards: np.ndarray = normals[:, 2] > 0
        """Whether each triangle's own normal looks up, shape (T,)."""
        self.normals: FloatArray = normals * np.where(normals[:, 2:] < 0, -1.0, 1.0)
        """Unit normals of all triangles, turned upwards, shape (T, 3)."""
        corners = corners[self._faces]
        low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
        self._origin = low.min(axis=0) if len(low) else np.zeros(2)
        self._size = high.max(axis=0) - self._origin if len(low) else np.zeros(2)
        self._touch = CASTING.touch * float(max(*self._size, 0.0))
        self._planes = _compute_planes(corners, self.normals[self._faces], self._origin)
        self._grids = build_grids(low - self._origin, high - self._origin, self._size)

    def cast_down(self, points: FloatArray) -> _VerticalHits:
        """Highest surface at or below each point.

        Parameters
        ----------
        points
            World, metres, shape (n, 3).

        Returns
        -------
        _VerticalHits
        """
        points = np.asarray(points, dtype=np.float64)
        heights = np.full(len(points), -np.inf)
        faces = np.full(len(points), -1, dtype=np.intp)
        for first in range(0, len(points), CASTING.chunk):
            part = slice(first, first + CASTING.chunk)
            across = points[part, :2] - self._origin
            ceiling = points[part, 2] + self._touch
            for grid in self._grids:
                self._cast_chunk(grid, across, ceiling, heights[part], faces[part])
        hit = faces >= 0
        triangles = np.full(len(points), -1, dtype=np.intp)
        triangles[hit] = self._faces[faces[hit]]
        return _VerticalHits(np.where(hit, heights, np.nan), triangles)

    def cast_all(self, points: FloatArray) -> _VerticalCrossings:
        """All triangles on the vertical line through each point.

        Parameters
        ----------
        points
            World, metres, shape (n, 2 or 3); only x and y count.

        Returns
        -------
        _VerticalCrossings
            Where a line runs through an edge, only the first of the triangles that share it and look
            the same way.
        """
        points = np.asarray(points, dtype=np.float64)
        rays, heights = [np.empty(0, dtype=np.intp)], [np.empty(0)]
        faces = [np.empty(0, dtype=np.intp)]
        for first in range(0, len(points), CASTING.chunk):
            across = points[first : first + CASTING.chunk, :2] - self._origin
            for grid in self._grids:
                owner, candidates, _ = grid.list_candidates(across)
                z, inner = self._meet(candidates, across[owner])
                rays.append(owner[inner] + first)
                heights.append(z[inner])
                faces.append(candidates[inner])
        ray, height = np.concatenate(rays), np.concatenate(heights)
        triangle = self._faces[np.concatenate(faces)]
        order = np.lexsort((triangle, -height, self.upwards[triangle], ray))
        ray, height, triangle = ray[order], height[order], triangle[order]
        upwards = self.upwards[triangle]
        again = (np.diff(ray) == 0) & (np.diff(upwards) == 0)
        again &= -np.diff(height) <= CASTING.same * float(max(*self._size, 0.0))
        kept = ~np.concatenate([np.zeros(min(len(ray), 1), dtype=bool), again])
        ray, height, triangle = ray[kept], height[kept], triangle[kept]
        order = np.lexsort((-height, ray))
        return _VerticalCrossings(ray[order], height[order], triangle[order])

    def _meet(self, candidates: np.ndarray, across: FloatArray) -> tuple[FloatArray, np.ndarray]:
        """Heights of triangles at places (c, 2) from the origin, and whether they lie there."""
        plane = self._planes[candidates]
        x, y = across[:, 0], across[:, 1]
        u = plane[:, 0] * x + plane[:, 1] * y + plane[:, 2]
        v = plane[:, 3] * x + plane[:, 4] * y + plane[:, 5]
        z = plane[:, 6] * x + plane[:, 7] * y + plane[:, 8]
        inner = (u >= -_EDGE_MARGIN) & (v >= -_EDGE_MARGIN) & (u + v <= 1.0 + _EDGE_MARGIN)
        return z, inner

    def _cast_chunk(
        self,
        grid: CellGrid,
        across: FloatArray,
        ceiling: FloatArray,
        heights: FloatArray,
        faces: np.ndarray,
    ) -> None:
        """Raise ``heights`` and ``faces`` in place to the hits found in one grid."""
        owner, candidates, first = grid.list_candidates(across)
        if len(owner) == 0:
            return
        rays = owner[first]
        counts = np.diff(np.append(first, len(owner)))
        z, inner = self._meet(candidates, across[owner])
        z = np.where(inner & (z <= ceiling[owner]), z, -np.inf)
        best = np.maximum.reduceat(z, first)
        better = best > heights[rays]
        is_best = (z == np.repeat(best, counts)) & np.repeat(better, counts)
        # Written backwards so that of equal heights the first triangle stays.
        faces[owner[is_best][::-1]] = candidates[is_best][::-1]
        heights[rays[better]] = best[better]


def _gather_corners(vertices: FloatArray, triangles: np.ndarray) -> FloatArray:
    """Corners (T, 3, 3) of a checked mesh."""
    vertices = np.asarray(vertices, dtype=np.float64)
    triangles = np.asarray(triangles)
    if vertices.ndim != 2 or vertices.shape[1] != 3:
        raise ValueError(f"vertices must have shape (V, 3), got {vertices.shape}")
    if triangles.ndim != 2 or triangles.shape[1] != 3:
        raise ValueError(f"triangles must have shape (T, 3), got {triangles.shape}")
    if len(triangles) == 0:
        raise GroundError("the ground has no faces: choose an object with a surface")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise ValueError(f"triangles must index {len(vertices)} vertices")
    if not np.all(np.isfinite(vertices)):
        raise GroundError("the ground has vertices that are not numbers: repair the mesh")
    return vertices[triangles]


def _compute_planes(corners: FloatArray, normals: FloatArray, origin: FloatArray) -> FloatArray:
    """Two barycentrics and the height as linear functions of x and y: rows of nine numbers."""
    start = corners[:, 0, :2] - origin
    first = corners[:, 1] - corners[:, 0]
    second = corners[:, 2] - corners[:, 0]
    area = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    ux, uy = second[:, 1] / area, -second[:, 0] / area
    vx, vy = -first[:, 1] / area, first[:, 0] / area
    zx, zy = -normals[:, 0] / normals[:, 2], -normals[:, 1] / normals[:, 2]
    columns = [
        (ux, uy, -(ux * start[:, 0] + uy * start[:, 1])),
        (vx, vy, -(vx * start[:, 0] + vy * start[:, 1])),
        (zx, zy, corners[:, 0, 2] - zx * start[:, 0] - zy * start[:, 1]),
    ]
    return np.stack([value for row in columns for value in row], axis=1)


class MeshGround(StillGround):
    """A triangle mesh that does not move.

    Parameters
    ----------
    vertices
        World, metres, shape (V, 3).
    triangles
        Vertex indices, shape (T, 3).
    surfaces
        Number of the surface that each triangle belongs to, shape (T,); 0 where left out.
    """

    def __init__(
        self, vertices: FloatArray, triangles: np.ndarray, surfaces: np.ndarray | None = None
    ) -> None:
        self._caster = VerticalCaster(vertices, triangles)
        used = np.asarray(vertices)[np.unique(triangles), 2]
        self._height_limits = (float(used.min()), float(used.max()))
        count = len(triangles)
        self._surfaces = np.zeros(count, dtype=np.intp) if surfaces is None else surfaces
        if np.shape(self._surfaces) != (count,):
            raise ValueError(f"surfaces must have shape ({count},), got {np.shape(self._surfaces)}")

    def cast_down(
        self,
        points: FloatArray,
        times: FloatArray,  # noqa: ARG002 - the ground does not move
    ) -> GroundHits:
        """See `interface.Ground`."""
        points = np.asarray(points, dtype=np.float64)
        heights, triangles = self._caster.cast_down(points)
        hit = triangles >= 0
        return GroundHits(
            rot.pack(points[:, 0], points[:, 1], np.where(hit, heights, points[:, 2])),
            np.where(hit[:, None], self._caster.normals[triangles], rot.UP),
            np.where(hit, self._surfaces[triangles], -1),
            hit,
        )

    def cast_all(
        self,
        points: FloatArray,
        times: FloatArray,  # noqa: ARG002 - the ground does not move
    ) -> GroundLayers:
        """See `interface.Ground`."""
        rays, heights, triangles = self._caster.cast_all(points)
        return GroundLayers(
            rays, heights, self._surfaces[triangles], self._caster.upwards[triangles]
        )

    def height_limits(self) -> tuple[float, float]:
        """See `interface.Ground`."""
        return self._height_limits
