# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertical rays of the world against meshes, in each mesh's own space.

Meshes that stand still are met by all rays at once, with `core.ground.single_casting`; others by search
trees, a ray at a time. Both give the same first hits to the last digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ...core.ground.single_casting import SingleCaster
from ...core.maths.rotations import FloatArray, find_determinants, normalize
from ..limits import SCENE_GROUND


class Aim(NamedTuple):
    """Rays that pass over meshes: each entry is one ray and one mesh.

    Attributes
    ----------
    rays
        Indices of the rays, shape (r,).
    placements, inverses
        From the mesh to the world and back, shape (r, 4, 4).
    origins, directions
        Of the rays, mesh space, shape (r, 3).
    tops
        World z that the mesh's box reaches, shape (r,).
    extents
        Largest coordinate of the mesh, in its own space, shape (r,): what rounding goes by.
    """

    rays: np.ndarray
    placements: FloatArray
    inverses: FloatArray
    origins: FloatArray
    directions: FloatArray
    tops: FloatArray
    extents: FloatArray

    def select(self, rows: np.ndarray) -> Aim:
        """Some entries (e,) alone."""
        return Aim(*(values[rows] for values in self))

    def find_box(self, corners: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest corner of what the rays pass within a box (8, 3), mesh space."""
        along = np.einsum("ncj,nj->nc", corners - self.origins[:, None], self.directions)
        lengths = np.maximum(along.max(axis=1), 0.0) / (self.directions**2).sum(axis=1)
        ends = self.origins + lengths[:, None] * self.directions
        points = np.concatenate([self.origins, ends])
        points = np.clip(points, corners[0], corners[-1])
        return points.min(axis=0), points.max(axis=0)


class _RayHits(NamedTuple):
    """Record of what rays hit.

    Attributes
    ----------
    entries
        Indices of the aim's entries, as often as each hit, shape (h,).
    points, normals
        World, shape (h, 3).
    """

    entries: np.ndarray
    points: FloatArray
    normals: FloatArray


def find_world_boxes(placements: FloatArray, corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest corners (n, 3) of boxes (n, 8, 3), or of one (8, 3), placed n times."""
    corners = np.broadcast_to(corners, (len(placements), 8, 3))
    world = np.einsum("nij,ncj->nci", placements[:, :3, :3], corners) + placements[:, None, :3, 3]
    return world.min(axis=1), world.max(axis=1)


def is_flat(placements: FloatArray) -> np.ndarray:
    """Whether matrices (n, 4, 4) flatten a mesh to nothing, shape (n,)."""
    axes = placements[:, :3, :3]
    size = np.abs(axes).max(axis=(1, 2), initial=0.0)
    flat: np.ndarray = np.abs(find_determinants(axes)) <= SCENE_GROUND.flat * size**3
    return flat


def find_slacks(points: FloatArray) -> FloatArray:
    """Metres (n,) by which rays from points (n, 3) may lie beside a box and still pass over it."""
    sizes = np.where(np.isfinite(points), np.abs(points), 0.0).max(axis=1, initial=0.0)
    slacks: FloatArray = SCENE_GROUND.start * (1.0 + sizes)
    return slacks


def passes_over(
    points: FloatArray, heights: FloatArray, low: FloatArray, high: FloatArray
) -> np.ndarray:
    """Whether points (n, 3) are over boxes in xy, not below them, and without a hit above them.

    Parameters
    ----------
    points
        Where vertical rays start, world, metres; their height may be infinite.
    heights
        World z of what they have met already, shape (n,).
    low, high
        Corners of the boxes, world, shape (n, 3).
    """
    slack = find_slacks(points)
    side = slack[:, None]
    inside: np.ndarray = np.all(points[:, :2] >= low[:, :2] - side, axis=1)
    inside &= np.all(points[:, :2] <= high[:, :2] + side, axis=1)
    inside &= (points[:, 2] >= low[:, 2] - slack) & (heights <= high[:, 2] + slack)
    return inside


def aim_rays(
    rays: np.ndarray,
    points: FloatArray,
    placements: FloatArray,
    inverses: FloatArray,
    tops: FloatArray,
    extents: FloatArray,
) -> Aim:
    """Take rays into the spaces of the meshes that they pass over.

    Parameters
    ----------
    rays
        Index of the ray of each entry, shape (r,).
    points
        Where vertical rays start, world, metres, shape (n, 3); of infinite height, at the top of what
        they meet.
    placements, inverses, tops, extents
        See `Aim`.
    """
    starts = points[rays]
    starts[:, 2] = np.where(np.isinf(starts[:, 2]), tops, starts[:, 2])
    far = np.abs(starts).max(axis=1, initial=0.0)
    sizes = extents * np.abs(placements[:, :3, :3]).max(axis=(1, 2), initial=0.0)
    # Hits are rounded by the mesh's own size, however far it is from the world's origin.
    starts[:, 2] += SCENE_GROUND.start + SCENE_GROUND.lift * sizes + SCENE_GROUND.single * far
    origins = np.einsum("nij,nj->ni", inverses[:, :3, :3], starts) + inverses[:, :3, 3]
    return Aim(rays, placements, inverses, origins, -inverses[:, :3, 2], tops, extents)


class Meeting(Protocol):
    """What the entries of an aim are held against."""

    def cast_first(self, aim: Aim, points: FloatArray, heights: FloatArray) -> _RayHits:
        """The highest hit of each ray.

        Parameters
        ----------
        points
            What the rays were aimed from, world, metres, shape (n, 3).
        heights
            World z of what the rays have met already, shape (n,); lower hits do not count.

        Returns
        -------
        _RayHits
            At most one of each ray, with normals turned upwards.
        """
        ...

    def cast_through(self, aim: Aim, points: FloatArray) -> _RayHits:
        """All hits of all rays, with normals as the faces have them."""
        ...


class TreeMeeting:
    """Search trees, one for each entry of an aim; None where there is nothing. A ray at a time.

    Parameters
    ----------
    trees
        Of the mesh of each entry.
    """

    def __init__(self, trees: Sequence[BVHTree | None]) -> None:
        self._trees = trees

    def cast_first(self, aim: Aim, points: FloatArray, heights: FloatArray) -> _RayHits:
        """See `Meeting`."""
        order = np.lexsort((-aim.tops, aim.rays))
        rays, tops = aim.rays.tolist(), aim.tops.tolist()
        origins, directions = aim.origins.tolist(), aim.directions.tolist()
        rows = aim.placements[:, 2].tolist()
        reached: dict[int, float] = dict(zip(rays, heights[aim.rays].tolist(), strict=True))
        best: dict[int, tuple[int, tuple[float, ...], tuple[float, ...]]] = {}
        for entry in order.tolist():
            ray, tree = rays[entry], self._trees[entry]
            if tops[entry] < reached[ray] or tree is None:
                continue
            location, normal, face, _ = tree.ray_cast(origins[entry], directions[entry])
            if face is None:
                continue
            x, y, z = place = location.to_tuple()
            a, b, c, d = rows[entry]
            height = a * x + b * y + c * z + d
            if height > reached[ray] or (
                height == reached[ray] and (ray not in best or entry < best[ray][0])
            ):
                reached[ray] = height
                best[ray] = (entry, place, normal.to_tuple())
        return _turn_up(_bring_back(aim, *_split(list(best.values())), points))

    def cast_through(self, aim: Aim, points: FloatArray) -> _RayHits:
        """See `Meeting`."""
        found = [
            (entry, location.to_tuple(), normal.to_tuple())
            for entry, (tree, origin, direction, extent) in enumerate(
                zip(
                    self._trees,
                    aim.origins.tolist(),
                    aim.directions.tolist(),
                    aim.extents.tolist(),
                    strict=True,
                )
            )
            if tree is not None
            for location, normal in _cast_one(tree, Vector(origin), Vector(direction), extent)
        ]
        return _bring_back(aim, *_split(found), points)


class CasterMeeting:
    """Casters, each for some entries of an aim; all rays of one at once.

    Parameters
    ----------
    groups
        Entries (e,) and the caster of their mesh as it stands.
    """

    def __init__(self, groups: Sequence[tuple[np.ndarray, SingleCaster]]) -> None:
        self._groups = groups

    def cast_first(self, aim: Aim, points: FloatArray, heights: FloatArray) -> _RayHits:
        """See `Meeting`."""
        parts = [_NOTHING]
        for rows, caster in self._groups:
            origins = aim.origins[rows].astype(np.float32)
            hits = caster.cast(points[aim.rays[rows], :2], origins)
            met = np.flatnonzero(hits.triangles >= 0)
            places = origins[met] + caster.direction * hits.distances[met, None]
            parts.append((rows[met], places, caster.normals[hits.triangles[met]]))
        entries, places, normals = (np.concatenate(part) for part in zip(*parts, strict=True))
        a, b, c, d = aim.placements[entries, 2].T
        x, y, z = places.astype(np.float64).T
        height, rays = a * x + b * y + c * z + d, aim.rays[entries]
        order = np.lexsort((entries, -height, rays))
        order = order[height[order] >= heights[rays[order]]]
        best = order[np.flatnonzero(np.diff(rays[order], prepend=-1))]
        return _turn_up(_bring_back(aim, entries[best], places[best], normals[best], points))

    def cast_through(self, aim: Aim, points: FloatArray) -> _RayHits:
        """See `Meeting`."""
        parts = [_NOTHING]
        for rows, caster in self._groups:
            origins = aim.origins[rows].astype(np.float32)
            hits = caster.cast_through(points[aim.rays[rows], :2], origins)
            normals = caster.normals[hits.triangles]
            kept = _choose_apart(
                hits.rays,
                hits.distances.astype(np.float64),
                normals @ caster.direction < 0.0,
                SCENE_GROUND.step_through * aim.extents[rows],
            )
            ray = hits.rays[kept]
            places = origins[ray] + caster.direction * hits.distances[kept, None]
            parts.append((rows[ray], places, normals[kept]))
        entries, places, normals = (np.concatenate(part) for part in zip(*parts, strict=True))
        order = np.argsort(entries, kind="stable")
        return _bring_back(aim, entries[order], places[order], normals[order], points)


# Entries, places and normals of no hits.
_NOTHING = (np.empty(0, np.intp), np.empty((0, 3), np.float32), np.empty((0, 3), np.float32))


def _choose_apart(
    rays: np.ndarray, away: FloatArray, faced: np.ndarray, steps: FloatArray
) -> np.ndarray:
    """Find which hits (h,) of rays are surfaces of their own; of faces that share an edge, one is.

    Parameters
    ----------
    rays
        Ascending, with each ray's hits from the nearest on.
    away, faced
        How far each hit is, and whether its face looks against the ray.
    steps
        Below a hit of each ray, the way on which nothing counts, shape (r,): rounding alone.
    """
    kept = np.zeros(len(rays), dtype=bool)
    first = np.flatnonzero(np.diff(rays, prepend=-1))
    counts = np.diff(np.append(first, len(rays)))
    begun = np.full(len(first), -np.inf)
    last, last_faced = np.full(len(first), -np.inf), np.zeros(len(first), dtype=bool)
    for rank in range(int(counts.max(initial=0))):
        open_rays = np.flatnonzero(counts > rank)
        hit = first[open_rays] + rank
        step = steps[rays[hit]]
        is_new = away[hit] > begun[open_rays]
        is_near = away[hit] - last[open_rays] <= 2.0 * step
        own = is_new & (~is_near | (faced[hit] != last_faced[open_rays]))
        kept[hit[own]] = True
        begun[open_rays[is_new]] = (away[hit] + step)[is_new]
        last[open_rays[own]], last_faced[open_rays[own]] = away[hit[own]], faced[hit[own]]
    return np.flatnonzero(kept)


def _split(
    found: Sequence[tuple[int, tuple[float, ...], tuple[float, ...]]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Entries, places and normals of hits that were found one by one."""
    if not found:
        return _NOTHING
    entries, places, normals = zip(*found, strict=True)
    return np.array(entries, dtype=np.intp), np.array(places), np.array(normals)


def _turn_up(hits: _RayHits) -> _RayHits:
    """Hits with normals turned upwards."""
    return hits._replace(normals=hits.normals * np.where(hits.normals[:, 2:] < 0, -1.0, 1.0))


def _bring_back(
    aim: Aim, entries: np.ndarray, places: np.ndarray, normals: np.ndarray, points: FloatArray
) -> _RayHits:
    """Entries with places and normals in mesh space as hits in the world."""
    if not len(entries):
        return _RayHits(entries, np.empty((0, 3)), np.empty((0, 3)))
    places, normals = places.astype(np.float64), normals.astype(np.float64)
    back = aim.placements[entries]
    world = np.einsum("nij,nj->ni", back[:, :3, :3], places) + back[:, :3, 3]
    world[:, :2] = points[aim.rays[entries], :2]
    upright = aim.inverses[entries, :3, :3]
    return _RayHits(entries, world, normalize(np.einsum("nji,nj->ni", upright, normals)))


def _cast_one(
    tree: BVHTree, origin: Vector, direction: Vector, extent: float
) -> list[tuple[Vector, Vector]]:
    """Place and normal of all faces on a ray; of faces that share an edge there, one."""
    found: list[tuple[Vector, Vector]] = []
    met: set[int] = set()
    ahead = direction.normalized()
    least = step = SCENE_GROUND.step_through * extent
    while True:
        location, normal, face, _ = tree.ray_cast(origin, direction)
        if face is None:
            return found
        if face in met:
            # The face just met is met again by rounding: no straight line meets one twice.
            step *= 2.0
        else:
            near = bool(found) and (location - found[-1][0]).length <= 2.0 * least
            if not near or (normal.dot(ahead) < 0) != (found[-1][1].dot(ahead) < 0):
                found.append((location, normal))
            met.add(face)
            step = least
        origin = location + ahead * step
