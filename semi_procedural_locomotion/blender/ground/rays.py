# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertical rays of the world against the search tree of one mesh, in the mesh's own space."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray, normalize
from ..limits import SCENE_GROUND


class Aim(NamedTuple):
    """Rays that pass over a surface in one of its shapes.

    Attributes
    ----------
    rays
        Indices of the rays, shape (r,).
    placements, inverses
        From the mesh to the world and back, shape (r, 4, 4) or (1, 4, 4).
    origins, directions
        Of the rays, mesh space, shape (r, 3).
    extent
        Largest coordinate of the mesh, in its own space: what rounding goes by.
    """

    rays: np.ndarray
    placements: FloatArray
    inverses: FloatArray
    origins: FloatArray
    directions: FloatArray
    extent: float

    def find_box(self, corners: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Lowest and highest corner of what the rays pass within a box (8, 3), mesh space."""
        along = np.einsum("ncj,nj->nc", corners - self.origins[:, None], self.directions)
        lengths = np.maximum(along.max(axis=1), 0.0) / (self.directions**2).sum(axis=1)
        ends = self.origins + lengths[:, None] * self.directions
        points = np.concatenate([self.origins, ends])
        points = np.clip(points, corners[0], corners[-1])
        return points.min(axis=0), points.max(axis=0)


def aim_rays(
    points: FloatArray, heights: FloatArray, placements: FloatArray, corners: FloatArray
) -> Aim:
    """Find the rays that pass over a mesh, and take them into its space.

    Parameters
    ----------
    points
        Where vertical rays start, world, metres, shape (n, 3); of infinite height, at the top of what
        they meet.
    heights
        What they have met already: only what lies higher counts, world z, shape (n,).
    placements
        From the mesh to the world, shape (n, 4, 4) or (1, 4, 4) where it stands still.
    corners
        Of the mesh's bounding box, in its own space, shape (8, 3).
    """
    low, high = _find_world_box(placements, corners)
    rays = _find_rays_over(points, heights, low, high)
    if len(placements) > 1:
        placements = placements[rays]
    axes = placements[:, :3, :3]
    size = np.abs(axes).max(axis=(1, 2), initial=0.0)
    extent = float(np.abs(corners).max())
    if not len(rays) or (np.abs(np.linalg.det(axes)) <= SCENE_GROUND.flat * size**3).any():
        nothing = np.empty((0, 3))
        return Aim(rays[:0], placements[:0], placements[:0], nothing, nothing, extent)
    inverses = np.linalg.inv(placements)
    starts = points[rays]
    tops = np.broadcast_to(high[:, 2], len(points))[rays]
    starts[:, 2] = np.where(np.isinf(starts[:, 2]), tops, starts[:, 2])
    tolerance = SCENE_GROUND.start * (1.0 + np.abs(starts).max(axis=1))
    starts = starts + np.stack([np.zeros(len(rays)), np.zeros(len(rays)), tolerance], axis=1)
    origins = np.einsum("...ij,...j->...i", inverses[:, :3, :3], starts) + inverses[:, :3, 3]
    directions = np.broadcast_to(-inverses[:, :3, 2], origins.shape)
    return Aim(rays, placements, inverses, origins, directions, extent)


def cast_rays(
    aim: Aim, tree: BVHTree | None, points: FloatArray, *, through: bool
) -> tuple[np.ndarray, FloatArray, FloatArray]:
    """Meet a tree with rays.

    Parameters
    ----------
    aim
        The rays.
    tree
        Of the mesh, in its own space; None for a mesh without faces.
    points
        What the rays were aimed from, world, metres, shape (n, 3).
    through
        Whether they go on through what they hit.

    Returns
    -------
    rays
        Indices of the points whose ray hit, shape (h,), as often as it did.
    hits, normals
        World, shape (h, 3); normals are turned upwards, but as the faces have them where rays go
        through.
    """
    nothing = np.empty((0, 3))
    if tree is None:
        return aim.rays[:0], nothing, nothing
    which, hits, turned = [], [], []
    cast = _cast_through if through else _cast_once
    for ray, (origin, direction) in enumerate(
        zip(aim.origins.tolist(), aim.directions.tolist(), strict=True)
    ):
        for location, normal in cast(tree, Vector(origin), Vector(direction), aim.extent):
            which.append(ray)
            hits.append(location.to_tuple())
            turned.append(normal.to_tuple())
    if not which:
        return aim.rays[:0], nothing, nothing
    chosen = np.array(which)
    shape = (len(aim.rays), 4, 4)
    back = np.broadcast_to(aim.placements, shape)[chosen]
    world = np.einsum("nij,nj->ni", back[:, :3, :3], np.array(hits)) + back[:, :3, 3]
    world[:, :2] = points[aim.rays[chosen], :2]
    upright = np.broadcast_to(aim.inverses, shape)[chosen][:, :3, :3]
    normals = normalize(np.einsum("nji,nj->ni", upright, np.array(turned)))
    if not through:
        normals = normals * np.where(normals[:, 2] < 0, -1.0, 1.0)[:, None]
    return aim.rays[chosen], world, normals


def _cast_once(
    tree: BVHTree, origin: Vector, direction: Vector, _: float
) -> list[tuple[Vector, Vector]]:
    """Place and normal of the first face that a ray meets."""
    location, normal, face, _ = tree.ray_cast(origin, direction)
    return [] if face is None else [(location, normal)]


def _cast_through(
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


def _find_world_box(placements: FloatArray, corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Lowest and highest world corner, shape (n, 3) each, of a box placed n times."""
    world = np.einsum("nij,cj->nci", placements[:, :3, :3], corners) + placements[:, None, :3, 3]
    return world.min(axis=1), world.max(axis=1)


def _find_rays_over(
    points: FloatArray, heights: FloatArray, low: FloatArray, high: FloatArray
) -> np.ndarray:
    """Indices of points over a box in xy, not below it, and without a hit above it."""
    reach = np.abs(points, where=np.isfinite(points), out=np.zeros_like(points))
    slack = SCENE_GROUND.start * (1.0 + reach.max(initial=0.0))
    inside = np.all((points[:, :2] >= low[:, :2] - slack), axis=1)
    inside &= np.all((points[:, :2] <= high[:, :2] + slack), axis=1)
    inside &= (points[:, 2] >= low[:, 2] - slack) & (heights <= high[:, 2] + slack)
    return np.flatnonzero(inside)
