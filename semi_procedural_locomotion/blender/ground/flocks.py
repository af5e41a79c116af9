# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that keep their shape and move together, found by their boxes.

However many there are, a ray is taken only to those whose boxes it passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.ground.cells import BoxCells
from ...core.ground.single_casting import SingleCaster
from ...core.maths.matrices import invert_matrices
from ...core.maths.rotations import FloatArray
from ..limits import SCENE_GROUND
from ..values.mesh_trees import MeshTree
from ..values.meshes import MeshShape, make_box_corners
from .rays import (
    Aim,
    CasterMeeting,
    Meeting,
    TreeMeeting,
    aim_rays,
    find_world_boxes,
    is_flat,
    passes_over,
)


class Flock:
    """Meshes that one carrier moves, or that all stand still.

    Parameters
    ----------
    surfaces
        Index of each among all surfaces, shape (s,), s >= 1.
    meshes
        Their meshes.
    placements
        From each mesh to the carrier, or to the world where they stand still, shape (s, 4, 4).
    """

    def __init__(
        self,
        surfaces: np.ndarray,
        meshes: Sequence[MeshTree],
        placements: FloatArray,
    ) -> None:
        self._surfaces = surfaces
        self._meshes = list(meshes)
        self._placements = placements
        self._corners = np.stack([mesh.corners for mesh in meshes])
        self._extents = np.abs(self._corners).max(axis=(1, 2))
        self._low, self._high = find_world_boxes(placements, self._corners)
        self._solid = ~is_flat(placements)
        self._cells: dict[float, BoxCells] = {}
        still = np.where(self._solid[:, None, None], placements, np.eye(4))
        self._inverses = invert_matrices(still)

    @property
    def box(self) -> FloatArray:
        """Lowest and highest corner of all, in the carrier's space, shape (2, 3)."""
        return np.stack([self._low.min(axis=0), self._high.max(axis=0)])

    def list_aims(
        self,
        rays: np.ndarray,
        points: FloatArray,
        frames: FloatArray | None,
        heights: FloatArray,
    ) -> Iterator[tuple[Aim, np.ndarray, Meeting]]:
        """The rays that pass over the meshes, part by part.

        Parameters
        ----------
        rays
            Indices of the rays that are looked at, shape (c,).
        points
            Where vertical rays start, world, metres, shape (n, 3); their height may be infinite.
        frames
            World matrices of the carrier at the times of these rays, shape (c, 4, 4); None for one
            that stands still.
        heights
            World z of what the rays have met already, shape (n,); read anew for each part.

        Yields
        ------
        aim, surfaces, meeting
            With the surface (r,) of each entry, and what the entries are held against.
        """
        if not self._solid.any():
            return
        for which, members in self._list_pairs(points[rays], frames):
            ray = rays[which]
            if frames is None:
                placements, inverses = self._placements, self._inverses
                low, high = self._low[members], self._high[members]
                over = self._solid[members]
            else:
                placements = frames[which] @ self._placements[members]
                low, high = find_world_boxes(placements, self._corners[members])
                over = ~is_flat(placements)
            over = over & passes_over(points[ray], heights[ray], low, high)
            if not over.any():
                continue
            chosen = members[over]
            if frames is None:
                placements, inverses = placements[chosen], inverses[chosen]
            else:
                placements = placements[over]
                inverses = invert_matrices(placements)
            aim = aim_rays(
                ray[over], points, placements, inverses, high[over, 2], self._extents[chosen]
            )
            stands = frames is None
            yield aim, self._surfaces[chosen], self._meet(aim, chosen, points, stands=stands)

    def _meet(self, aim: Aim, members: np.ndarray, points: FloatArray, *, stands: bool) -> Meeting:
        """What entries of members (r,) are held against."""
        order = np.argsort(members, kind="stable")
        first = np.flatnonzero(np.diff(members[order], prepend=-1))
        groups = np.split(order, first[1:])
        if stands and len(groups) <= SCENE_GROUND.most_casters:
            casters = [
                (rows, self._find_caster(members[rows[0]], points[aim.rays[rows], :2]))
                for rows in groups
            ]
            return CasterMeeting([(rows, found) for rows, found in casters if found is not None])
        trees: list[BVHTree | None] = [None] * len(members)
        for rows in groups:
            mesh = self._meshes[members[rows[0]]]
            low, high = mesh.corners[0], mesh.corners[-1]
            if not mesh.is_small:
                low, high = aim.select(rows).find_box(mesh.corners)
            tree = mesh.find_tree(low, high)
            for row in rows.tolist():
                trees[row] = tree
        return TreeMeeting(trees)

    def _find_caster(self, member: int, places: FloatArray) -> SingleCaster | None:
        """The caster of a mesh that stands still for rays at places (n, 2); None without any face."""
        mesh, placement = self._meshes[member], self._placements[member]
        inverse, extent = self._inverses[member], self._extents[member]
        corners = make_box_corners(
            np.append(places.min(axis=0), self._low[member, 2]),
            np.append(places.max(axis=0), self._high[member, 2]),
        )
        box = corners @ inverse[:3, :3].T + inverse[:3, 3]

        def make(shape: MeshShape) -> SingleCaster:
            across = shape.vertices.astype(np.float64) @ placement[:2, :3].T + placement[:2, 3]
            far = float(np.abs(across).max())
            size = extent * float(np.abs(placement[:3, :3]).max())
            slack = SCENE_GROUND.beside * (SCENE_GROUND.lift * size + SCENE_GROUND.single * far)
            return SingleCaster(shape.vertices, shape.triangles, -inverse[:3, 2], across, slack)

        name = ("caster", placement.tobytes())
        found: SingleCaster | None = mesh.find_part(name, box.min(axis=0), box.max(axis=0), make)
        return found

    def find_heights(self, frames: FloatArray | None) -> tuple[float, float]:
        """Lowest and highest world z of all at the carrier's places (f, 4, 4), f >= 2.

        The largest move of each from one place to the next is added on both sides.
        """
        if frames is None:
            return float(self._low[:, 2].min()), float(self._high[:, 2].max())
        low, high = np.inf, -np.inf
        for placement, corners in zip(self._placements, self._corners, strict=True):
            place = corners @ placement[:3, :3].T + placement[:3, 3]
            heights = frames[:, 2, :3] @ place.T + frames[:, 2, 3:]
            move = np.abs(np.diff(heights, axis=0)).max(initial=0.0)
            low, high = min(low, heights.min() - move), max(high, heights.max() + move)
        return float(low), float(high)

    def _list_pairs(
        self, points: FloatArray, frames: FloatArray | None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Rays and members that may meet, all that do among them, in parts of bounded size."""
        places, reach = points[:, :2], 0.0
        rays = np.arange(len(points))
        if frames is not None:
            rays = np.flatnonzero(~is_flat(frames))
            places, reach = self._find_ways(points[rays], frames[rays])
        if len(self._meshes) <= SCENE_GROUND.few_surfaces or not np.isfinite(reach):
            size = max(SCENE_GROUND.most_pairs // len(self._meshes), 1)
            for first in range(0, len(rays), size):
                part = rays[first : first + size]
                members = np.tile(np.arange(len(self._meshes)), len(part))
                yield np.repeat(part, len(self._meshes)), members
            return
        cells = self._get_cells(reach)
        counts = np.cumsum(cells.count_pairs(places))
        part_of = counts // SCENE_GROUND.most_pairs
        for part in np.unique(part_of):
            chosen = np.flatnonzero(part_of == part)
            which, members = cells.find_pairs(places[chosen])
            order = np.lexsort((members, which))
            yield rays[chosen[which[order]]], members[order]

    def _find_ways(self, points: FloatArray, frames: FloatArray) -> tuple[FloatArray, float]:
        """Middles (n, 2) of the ways of rays through the members' heights, in the carrier's xy.

        And how far the longest goes to each side; infinite where one hardly goes down.
        """
        inverses = invert_matrices(frames)
        start = np.where(np.isfinite(points), points, 0.0)
        origins = np.einsum("nij,nj->ni", inverses[:, :3, :3], start) + inverses[:, :3, 3]
        ahead = -inverses[:, :3, 2]
        ends = np.array([self._low[:, 2].min(), self._high[:, 2].max()])
        size = float(np.ptp(self._high[:, :2], axis=0).max(initial=0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (ends - origins[:, 2:]) / ahead[:, 2:]
            ways = origins[:, None, :2] + shares[:, :, None] * ahead[:, None, :2]
        if not np.isfinite(ways).all():
            return origins[:, :2], np.inf
        reach = float(np.abs(np.diff(ways, axis=1)).max(initial=0.0)) / 2.0
        return ways.mean(axis=1), np.inf if reach > size else reach

    def _get_cells(self, reach: float) -> BoxCells:
        """Cells of the members' boxes, each widened by a reach or up to twice that."""
        # Widened in powers of two, the same cells serve many questions.
        wide = 0.0 if reach == 0.0 else 2.0 ** np.ceil(np.log2(reach))
        if wide not in self._cells:
            sizes = np.maximum(np.abs(self._low), np.abs(self._high)).max(axis=1)
            margin = (wide + 2.0 * SCENE_GROUND.start * (1.0 + sizes))[:, None]
            self._cells[wide] = BoxCells(self._low[:, :2] - margin, self._high[:, :2] + margin)
        return self._cells[wide]
