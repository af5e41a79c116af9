# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parallel rays against a triangle mesh in single precision, many at a time (numpy only).

The arithmetic is that of Blender's search trees, operation by operation (the *watertight* test of Woop,
Benthin and Wald, 2013), so that a first hit is theirs to the last digit (docs/method/ground.md, Meshes of
the scene). Which triangles a ray may meet is looked up in cells of the plane across the rays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..maths.rotations import FloatArray
from .limits import CASTING


class CellGrid(NamedTuple):
    """Cells of one size: sorted keys of the cells in use and what each of them lists."""

    cell: float
    columns: int
    rows: int
    keys: np.ndarray
    starts: np.ndarray
    items: np.ndarray

    def find_cells(self, across: FloatArray) -> tuple[np.ndarray, np.ndarray]:
        """Points (c,) in a cell that lists something, and the places (c,) of these cells.

        Parameters
        ----------
        across
            Places from the grid's corner, shape (n, 2).
        """
        column, row = np.floor(across.T / self.cell)
        inside = (column >= 0) & (column < self.columns) & (row >= 0) & (row < self.rows)
        points = np.flatnonzero(inside)
        keys = column[points].astype(np.int64) * self.rows + row[points].astype(np.int64)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[places] == keys
        return points[known], places[known]

    def list_candidates(self, across: FloatArray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points (c,) and the items (c,) that their cells list; where each point's entries begin."""
        points, places = self.find_cells(across)
        counts = self.starts[places + 1] - self.starts[places]
        first = np.cumsum(counts) - counts
        owner = np.repeat(points, counts)
        entry = np.arange(len(owner)) + np.repeat(self.starts[places] - first, counts)
        return owner, self.items[entry], first


class BoxCells:
    """Rectangles prepared for points.

    Parameters
    ----------
    low, high
        Their corners, metres, shape (b, 2), b >= 1.
    """

    def __init__(self, low: FloatArray, high: FloatArray) -> None:
        self._low, self._high = low, high
        self._origin = low.min(axis=0)
        size = high.max(axis=0) - self._origin
        self._grids = build_grids(low - self._origin, high - self._origin, size)

    def count_pairs(self, places: FloatArray) -> np.ndarray:
        """Count how many rectangles are looked at for each of some places (n, 2), shape (n,)."""
        counts = np.zeros(len(places), dtype=np.intp)
        for grid in self._grids:
            points, cells = grid.find_cells(places - self._origin)
            counts[points] += grid.starts[cells + 1] - grid.starts[cells]
        return counts

    def find_pairs(self, places: FloatArray) -> tuple[np.ndarray, np.ndarray]:
        """Places and the rectangles that they lie in.

        Parameters
        ----------
        places
            Shape (n, 2).

        Returns
        -------
        places, rectangles
            Indices of both, shape (p,); each pair is there once.
        """
        points, boxes = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
        for grid in self._grids:
            owner, items, _ = grid.list_candidates(places - self._origin)
            points.append(owner)
            boxes.append(items)
        point, box = np.concatenate(points), np.concatenate(boxes)
        at = places[point]
        inside = np.all((at >= self._low[box]) & (at <= self._high[box]), axis=1)
        return point[inside], box[inside]


def build_grids(low: FloatArray, high: FloatArray, size: FloatArray) -> list[CellGrid]:
    """Grids of growing cells; each item is in the finest that it does not crowd.

    Parameters
    ----------
    low, high
        Corners of the items' rectangles from the corner of them all, shape (t, 2).
    size
        Extent of them all, shape (2,).
    """
    if len(low) == 0:
        return []
    extents = high - low
    cell = float(np.median(np.max(extents, axis=1)))
    # Long thin items, such as treads, are measured by their short side.
    cell = max(
        min(cell, float(np.median(np.min(extents, axis=1))) * CASTING.thin),
        cell / CASTING.most_cells,
    )
    waiting = np.arange(len(low))
    grids = []
    while len(waiting):
        spans = np.floor(high[waiting] / cell) - np.floor(low[waiting] / cell) + 1.0
        fits = spans[:, 0] * spans[:, 1] <= CASTING.most_cells
        here = waiting[fits]
        if len(here):
            grids.append(_fill_grid(low[here], high[here], here, cell, size))
        waiting = waiting[~fits]
        cell *= CASTING.coarser
    return grids


def _fill_grid(
    low: FloatArray, high: FloatArray, items: np.ndarray, cell: float, size: FloatArray
) -> CellGrid:
    """One grid whose cells list the items whose rectangles touch them."""
    columns, rows = (np.floor(size / cell) + 1).astype(np.int64)
    first = np.floor(low / cell).astype(np.int64)
    spans = np.floor(high / cell).astype(np.int64) - first + 1
    counts = spans[:, 0] * spans[:, 1]
    owner = np.repeat(np.arange(len(low)), counts)
    place = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    column = first[owner, 0] + place // spans[owner, 1]
    row = first[owner, 1] + place % spans[owner, 1]
    key = column * rows + row
    order = np.argsort(key, kind="stable")
    keys, starts = np.unique(key[order], return_index=True)
    return CellGrid(
        cell,
        int(columns),
        int(rows),
        keys,
        np.append(starts, len(order)),
        items[owner[order]],
    )


# Blender does not normalise vectors whose square is shorter.
_SHORTEST = np.float32(1.0e-35)
_FLOAT = np.finfo(np.float32)


class _SingleHits(NamedTuple):
    """Record of what rays meet first.

    Attributes
    ----------
    distances
        Along the unit directions, float32, infinite where nothing is met, shape (n,).
    triangles
        Index of the triangle, -1 for none, shape (n,).
    """

    distances: np.ndarray
    triangles: np.ndarray


class _SingleCrossings(NamedTuple):
    """All that rays meet, by ray and then by distance.

    Attributes
    ----------
    rays, triangles
        Indices, shape (h,).
    distances
        Along the unit directions, float32, shape (h,).
    """

    rays: np.ndarray
    triangles: np.ndarray
    distances: np.ndarray


class SingleCaster:
    """A triangle mesh prepared for rays of one direction.

    Parameters
    ----------
    vertices
        In the mesh's own space, float32, shape (V, 3).
    triangles
        Vertex indices, shape (T, 3), T >= 1.
    direction
        Of all rays, in that space, of any length, shape (3,).
    across
        Places of the vertices in the plane across the rays, shape (V, 2); in world units.
    slack
        By how much such a place may be off through rounding.
    """

    def __init__(
        self,
        vertices: np.ndarray,
        triangles: np.ndarray,
        direction: FloatArray,
        across: FloatArray,
        slack: float,
    ) -> None:
        corners = np.ascontiguousarray(vertices[triangles].transpose(1, 2, 0), dtype=np.float32)
        self._direction = _normalize_single(direction.astype(np.float32))
        self._axes = _order_axes(self._direction)
        # Corner, axis in the order of the test, triangle.
        self._corners = corners[:, self._axes]
        self._normals: np.ndarray | None = None
        self._plain = corners
        places = across[triangles]
        low, high = places.min(axis=1) - slack, places.max(axis=1) + slack
        self._origin = low.min(axis=0)
        low, high = low - self._origin, high - self._origin
        self._bounds = np.ascontiguousarray(np.concatenate([low, high], axis=1).T)
        self._grids = build_grids(low, high, high.max(axis=0))

    @property
    def direction(self) -> np.ndarray:
        """Unit direction of the rays, float32, shape (3,)."""
        return self._direction

    @property
    def normals(self) -> np.ndarray:
        """Unit normals of the triangles, float32, shape (T, 3)."""
        if self._normals is None:
            self._normals = _find_normals(self._plain)
        return self._normals

    def cast(self, places: FloatArray, origins: np.ndarray) -> _SingleHits:
        """The nearest triangle on each ray.

        Parameters
        ----------
        places
            Of the rays in the plane across them, shape (n, 2).
        origins
            Where they start, in the mesh's space, float32, shape (n, 3).
        """
        distances = np.full(len(places), np.inf, dtype=np.float32)
        nearest = np.full(len(places), -1, dtype=np.intp)
        rays, faces, away = self._meet(places, origins)
        if len(rays):
            order = np.lexsort((faces, away, rays))
            rays, faces, away = rays[order], faces[order], away[order]
            first = np.flatnonzero(np.diff(rays, prepend=-1))
            distances[rays[first]], nearest[rays[first]] = away[first], faces[first]
        return _SingleHits(distances, nearest)

    def cast_through(self, places: FloatArray, origins: np.ndarray) -> _SingleCrossings:
        """All triangles on each ray; parameters are those of `cast`."""
        rays, faces, away = self._meet(places, origins)
        order = np.lexsort((faces, away, rays))
        return _SingleCrossings(rays[order], faces[order], away[order])

    def _meet(
        self, places: FloatArray, origins: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Rays (h,), the triangles that they meet, and how far away."""
        found = [(np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0, np.float32))]
        turned = np.ascontiguousarray(origins[:, self._axes].T)
        for first in range(0, len(places), CASTING.chunk):
            across = places[first : first + CASTING.chunk] - self._origin
            for grid in self._grids:
                found.append(self._meet_in(grid, across, turned, first))
        rays, faces, away = (np.concatenate(part) for part in zip(*found, strict=True))
        return rays, faces, away

    def _meet_in(
        self, grid: CellGrid, across: FloatArray, turned: np.ndarray, first: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Hits among the triangles that one grid lists for some of the rays."""
        owner, candidates, _ = grid.list_candidates(across)
        x, y = across[owner].T
        left, near, right, far = (bound[candidates] for bound in self._bounds)
        over = (x >= left) & (x <= right) & (y >= near) & (y <= far)
        candidates, rays = candidates[over], owner[over] + first
        kx, ky, kz = self._direction[self._axes]
        inverse = np.float32(1.0) / kz
        shear_x, shear_y = kx * inverse, ky * inverse
        start = turned[:, rays]
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (
            corner[:, candidates] - start for corner in self._corners
        )
        if shear_x or shear_y:
            ax, ay = ax - shear_x * az, ay - shear_y * az
            bx, by = bx - shear_x * bz, by - shear_y * bz
            cx, cy = cx - shear_x * cz, cy - shear_y * cz
        u, v, w = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
        below = (u < 0) | (v < 0) | (w < 0)
        above = (u > 0) | (v > 0) | (w > 0)
        area = u + v + w
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            along = (u * az + v * bz + w * cz) * inverse
            away = along * (np.float32(1.0) / area)
        hit = ~(below & above) & (area != 0) & np.isfinite(area)
        # The distance has the sign of its two factors, as Blender tells it without dividing.
        hit &= (np.signbit(along) == np.signbit(area)) & (away >= 0)
        rays, candidates, away = rays[hit], candidates[hit], away[hit]
        inside = self._passes_box(candidates, start[:, hit])
        return rays[inside], candidates[inside], away[inside]

    def _passes_box(self, triangles: np.ndarray, origins: np.ndarray) -> np.ndarray:
        """Whether rays from origins (3, h) pass the boxes of triangles (h,), as search trees ask first.

        A ray along the last side of a box does not, though it may run along an edge of the triangle.
        """
        direction = self._direction[self._axes]
        enters, leaves = [], []
        for axis, origin in enumerate(origins):
            a, b, c = (corner[axis, triangles] for corner in self._corners)
            low = np.minimum(np.minimum(a, b), c) - _FLOAT.eps
            high = np.maximum(np.maximum(a, b), c) + _FLOAT.eps
            if abs(direction[axis]) < _FLOAT.eps:
                inverse = _FLOAT.max
            else:
                inverse = np.float32(1.0) / direction[axis]
            with np.errstate(over="ignore"):
                ends = (low - origin) * inverse, (high - origin) * inverse
            enters.append(ends[int(inverse < 0)])
            leaves.append(ends[1 - int(inverse < 0)])
        first, last = np.maximum.reduce(enters), np.minimum.reduce(leaves)
        return (first <= last) & (last >= 0)


def _normalize_single(vector: np.ndarray) -> np.ndarray:
    """A vector (3,) of length 1, in single precision as Blender computes it."""
    x, y, z = vector.astype(np.float32)
    square = x * x + y * y + z * z
    if square <= _SHORTEST:
        return np.zeros(3, dtype=np.float32)
    return np.asarray(vector * (np.float32(1.0) / np.sqrt(square)), dtype=np.float32)


def _order_axes(direction: np.ndarray) -> np.ndarray:
    """Axes in the order in which triangles are looked at: two across, and the longest along the ray."""
    x, y, z = np.abs(direction)
    along = (0 if x > z else 2) if x > y else (1 if y > z else 2)
    first = along + 1 if along != 2 else 0
    second = first + 1 if first != 2 else 0
    if direction[along] < 0:
        first, second = second, first
    return np.array([first, second, along])


def _find_normals(corners: np.ndarray) -> np.ndarray:
    """Unit normals (T, 3) of triangles, corners (3, 3, T), as Blender computes them."""
    (ax, ay, az), (bx, by, bz) = corners[0] - corners[1], corners[1] - corners[2]
    normals = np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
    x, y, z = normals
    square = x * x + y * y + z * z
    long = square > _SHORTEST
    lengths = np.sqrt(np.where(long, square, np.float32(1.0)))
    scale = np.where(long, np.float32(1.0) / lengths, np.float32(0.0)).astype(np.float32)
    return np.ascontiguousarray((normals * scale).T)
