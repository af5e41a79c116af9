# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's meshes as what may stand in a body's way.

The sheets of a passage are taken into a mesh's own space, each station with the mesh's placement at
its own time, and cut with the mesh's search tree. So things that move are met where they are then.
"""

from __future__ import annotations

from collections.abc import Collection

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.travel.walls import Crossing, Passage
from .casting import SceneGround
from .rays import find_world_boxes, is_flat


class SceneWalls:
    """Meshes in the way; implements `core.travel.walls.Walls`.

    Parameters
    ----------
    ground
        All meshes that may be in the way, whether they are walked on or not.
    walked
        Names of those that are walked on; None for all of them.
    rate
        Frames a second.
    """

    def __init__(self, ground: SceneGround, walked: Collection[str] | None, rate: float) -> None:
        self._ground = ground
        self._walked = walked
        self._rate = rate

    def as_fingerprint(self) -> list[object]:
        """Find what tells them from others, see `core.maths.fingerprints`."""
        walked = None if self._walked is None else frozenset(self._walked)
        return [self._ground, walked, self._rate]

    def find_crossings(self, passage: Passage) -> list[Crossing]:
        """Find what crosses the sheets of a passage, by the names of objects; see `Walls`."""
        found: dict[str, list[np.ndarray]] = {}
        stretches = self._find_stretches(passage)
        for index in np.flatnonzero(stretches.any(axis=1)).tolist():
            pieces = self._cut(index, passage, stretches[index])
            if len(pieces):
                found.setdefault(self._ground.surfaces[index].name, []).append(pieces)
        return [Crossing(name, np.unique(np.concatenate(parts))) for name, parts in found.items()]

    def _find_stretches(self, passage: Passage) -> np.ndarray:
        """Find where the box of each surface touches that between two stations, (K, S - 1) of bool."""
        low, high = _find_boxes(passage)
        touched = np.zeros((len(self._ground), len(low)), dtype=bool)
        groups: dict[bpy.types.Object | None, list[int]] = {}
        for index, surface in enumerate(self._ground.surfaces):
            if surface.deforming is not None:
                corners = surface.deforming.list_corners(passage.times * self._rate)
                placements = self._ground.find_placements(surface, passage.times)
                touched[index] = _touch(*_join(*find_world_boxes(placements, corners)), low, high)
            elif surface.mesh is not None:
                groups.setdefault(surface.mover, []).append(index)
        for mover, members in groups.items():
            surfaces = [self._ground.surfaces[index] for index in members]
            corners = np.stack([s.mesh.corners for s in surfaces if s.mesh is not None])
            own = np.stack([surface.placement for surface in surfaces])
            frames = self._ground.find_frames(mover, passage.times)
            if frames is None:
                lows, highs = find_world_boxes(own, corners)
                touched[members] = _touch(lows[:, None], highs[:, None], low, high)
                continue
            boxes = [find_world_boxes(frame @ own, corners) for frame in frames]
            lows, highs = _join(*(np.stack(part) for part in zip(*boxes, strict=True)))
            touched[members] = _touch(lows, highs, low[:, None], high[:, None]).T
        for index, surface in enumerate(self._ground.surfaces):
            if surface.showing is not None:
                shown = surface.find_shown(passage.times * self._rate)
                touched[index] &= shown[:-1] | shown[1:]
        return touched

    def _cut(self, index: int, passage: Passage, stretches: np.ndarray) -> np.ndarray:
        """Pieces of the sheets that a surface crosses on some stretches (S - 1,) between stations."""
        surface, sheets = self._ground.surfaces[index], passage.sheets
        stations = np.append(stretches, False) | np.insert(stretches, 0, False)
        walked = self._walked is None or surface.name in self._walked
        along = sheets.level | sheets.upright
        chosen = np.where(
            along, np.append(stretches, False)[sheets.cells[:, 0]], stations[sheets.cells[:, 0]]
        )
        if walked:
            chosen &= sheets.cells[:, 1] >= passage.step_level
        rows = np.flatnonzero(stations)
        placements = self._ground.find_placements(surface, passage.times[rows])
        if is_flat(placements).any() or not chosen.any():
            return np.empty(0, dtype=np.intp)
        inverses, local = invert_matrices(placements), np.empty(passage.points.shape)
        turned = np.einsum("sij,shoj->shoi", inverses[:, :3, :3], passage.points[rows])
        local[rows] = turned + inverses[:, None, None, :3, 3]
        local, pieces = local.reshape(-1, 3), np.flatnonzero(chosen)
        if surface.deforming is None:
            if surface.mesh is None:
                return pieces[:0]
            low, high = _find_corner_boxes(local, sheets.corners[pieces])
            ends = surface.mesh.corners
            touching = _touch(low, high, ends.min(axis=0), ends.max(axis=0))
            if not touching.any():
                return pieces[:0]
            box = low[touching].min(axis=0), high[touching].max(axis=0)
            tree = surface.mesh.find_tree(*box)
            return _overlap(tree, local, sheets.corners, pieces[touching])
        frames = np.round(passage.times * self._rate).astype(int)[sheets.cells[pieces, 0]]
        boxes = {}
        for frame in np.unique(frames).tolist():
            low, high = _find_corner_boxes(local, sheets.corners[pieces[frames == frame]])
            boxes[frame] = (low.min(axis=0), high.max(axis=0))
        trees = surface.deforming.find_trees(boxes)
        parts = [
            _overlap(trees[frame], local, sheets.corners, pieces[frames == frame])
            for frame in boxes
        ]
        return np.concatenate(parts)


def _find_boxes(passage: Passage) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest world corner between two stations each, shape (S - 1, 3)."""
    return _join(passage.points.min(axis=(1, 2)), passage.points.max(axis=(1, 2)))


def _touch(
    low: FloatArray, high: FloatArray, passage_low: FloatArray, passage_high: FloatArray
) -> np.ndarray:
    """Find where boxes touch those of a passage (S - 1, 3)."""
    return np.asarray(((low <= passage_high) & (high >= passage_low)).all(axis=-1))


def _find_corner_boxes(points: FloatArray, corners: np.ndarray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corner of pieces with corners (n, 4) among points (N, 3), (n, 3) each."""
    places = points[corners]
    return places.min(axis=1), places.max(axis=1)


def _join(lows: FloatArray, highs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Boxes between two stations each from those at stations, along the first axis."""
    return np.minimum(lows[:-1], lows[1:]), np.maximum(highs[:-1], highs[1:])


def _overlap(
    tree: BVHTree | None, points: FloatArray, corners: np.ndarray, pieces: np.ndarray
) -> np.ndarray:
    """Those of some pieces that cross a tree in whose space the points (N, 3) are."""
    if tree is None or not len(pieces):
        return pieces[:0]
    used, places = np.unique(corners[pieces], return_inverse=True)
    quads = places.reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    sheet = BVHTree.FromPolygons(points[used].tolist(), triangles.tolist(), all_triangles=True)
    pairs = sheet.overlap(tree)
    if not pairs:
        return pieces[:0]
    return pieces[np.unique(np.array(pairs)[:, 0] % len(pieces))]
