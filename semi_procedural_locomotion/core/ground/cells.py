# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rectangles seen from above, and which of them a point may lie in (numpy only).

They lie in square cells of a few sizes, each in the finest that it does not crowd; a point looks at one
cell of each size (docs/method/ground.md, Vertical rays).
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
