# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vertices of the meshes that an armature moves, with the bones that move them; its outline."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils.kdtree import KDTree

from ...core.body.outline import BodyOutline, outline_from_points
from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from ..limits import EVIDENCE, OUTLINE, VALUE
from .meshes import BodyMesh, find_body_meshes, read_positions, stand_points


@dataclass(frozen=True)
class MeshSkin:
    """Vertices of one mesh, or as many as tell its shape.

    Attributes
    ----------
    points
        In character space at rest, metres, shape (V, 3).
    bones
        The bones that move each, shape (V, 4), int; unused places hold 0.
    weights
        Their weights, shape (V, 4); unused places hold 0.
    keeps_volume
        Which are blended by dual quaternions, as *Preserve Volume* has it, shape (V,) of bool.
    """

    points: FloatArray
    bones: np.ndarray
    weights: FloatArray
    keeps_volume: np.ndarray

    def select(self, points: np.ndarray) -> MeshSkin:
        """The vertices of an index or bool array."""
        return MeshSkin(
            self.points[points],
            self.bones[points],
            self.weights[points],
            self.keeps_volume[points],
        )

    @property
    def owners(self) -> np.ndarray:
        """The bone that moves each vertex most, -1 where none does, shape (V,)."""
        most = self.weights.argmax(axis=1)[:, None]
        held = np.take_along_axis(self.weights, most, axis=1)[:, 0] > 0.0
        return np.where(held, np.take_along_axis(self.bones, most, axis=1)[:, 0], -1)


def read_skin(mesh: BodyMesh, index: dict[str, int]) -> MeshSkin:
    """Vertices of a mesh as it is shown with its bones at rest.

    Parameters
    ----------
    index
        Bones by name.

    Returns
    -------
    MeshSkin
        Of a mesh with very many vertices the outermost of each of many cells.
    """
    skin = _read_built(mesh, index)
    lighter = mesh.leave_replacing()
    if lighter.builders != mesh.builders and not skin.weights.any():
        skin = _follow(skin.points, _read_built(lighter, index))
    return skin


def _read_built(mesh: BodyMesh, index: dict[str, int]) -> MeshSkin:
    """Vertices of a mesh and what moves them."""
    with mesh.open_built() as data:
        positions = read_positions(data)
        chosen = choose_outermost(positions, EVIDENCE.most_vertices)
        points = mesh.bring(positions[chosen])
        if mesh.guide is not None:
            return _follow(points, read_skin(mesh.guide, index))
        if mesh.bone is not None:
            return _ride_on(points, index[mesh.bone])
        keeps_volume = np.full(len(points), mesh.keeps_volume)
        return MeshSkin(points, *_read_weights(mesh.item, data, chosen, index), keeps_volume)


def choose_outermost(points: FloatArray, most: int) -> np.ndarray:
    """Indices of at most so many points, of each cell the ones outermost along the axes, growing.

    Points whose places are no numbers, or too far off, are left out.

    Parameters
    ----------
    points
        Shape (V, 3).
    most
        Where there are no more, all are taken.
    """
    with np.errstate(invalid="ignore"):
        placed = (np.abs(points) <= VALUE.farthest).all(axis=1)
    if not placed.all():
        # What has no place is nowhere outside.
        rest = np.flatnonzero(placed)
        return rest[choose_outermost(points[rest], most)]
    chosen = np.arange(len(points))
    cells = EVIDENCE.cells
    while len(chosen) > most:
        size = max(float(np.ptp(points, axis=0).max()), 1e-12) / cells
        places = np.floor((points - points.min(axis=0)) / size).astype(np.int64)
        keys = (places[:, 0] * (cells + 1) + places[:, 1]) * (cells + 1) + places[:, 2]
        kept = np.zeros(len(points), dtype=bool)
        for axis in range(3):
            order = np.lexsort((points[:, axis], keys))
            ends = np.flatnonzero(np.diff(keys[order]))
            kept[order[np.append(0, ends + 1)]] = True
            kept[order[np.append(ends, len(order) - 1)]] = True
        chosen = np.flatnonzero(kept)
        cells = max(int(EVIDENCE.coarser * cells), 1)
        if cells == 1:
            break
    return chosen


def _read_weights(
    item: bpy.types.Object, mesh: bpy.types.Mesh, chosen: np.ndarray, index: dict[str, int]
) -> tuple[np.ndarray, FloatArray]:
    """The four largest weights (V, 4) of some vertices, and the bones (V, 4) that they belong to."""
    bone_of_group = {g.index: index[g.name] for g in item.vertex_groups if g.name in index}
    bones = np.zeros((len(chosen), EVIDENCE.influences), dtype=np.intp)
    weights = np.zeros((len(chosen), EVIDENCE.influences))
    if not bone_of_group:
        return bones, weights
    vertices = mesh.vertices
    for row, vertex in enumerate(chosen.tolist()):
        found = [
            (element.weight, bone_of_group[element.group])
            for element in vertices[vertex].groups
            if element.group in bone_of_group and element.weight > 0.0
        ]
        for place, (weight, bone) in enumerate(sorted(found, reverse=True)[: EVIDENCE.influences]):
            bones[row, place] = bone
            weights[row, place] = weight
    return bones, weights


def _ride_on(points: FloatArray, bone: int) -> MeshSkin:
    """Vertices that ride on one bone."""
    weights = np.zeros((len(points), EVIDENCE.influences))
    weights[:, 0] = 1.0
    bones = np.full(weights.shape, bone, dtype=np.intp)
    return MeshSkin(points, bones, weights, np.zeros(len(points), dtype=bool))


def _follow(points: FloatArray, guide: MeshSkin) -> MeshSkin:
    """Vertices that go along with the nearest of another mesh, which has some."""
    tree = KDTree(len(guide.points))
    for row, place in enumerate(guide.points.tolist()):
        tree.insert(place, row)
    tree.balance()
    nearest = np.array([tree.find(place)[1] for place in points.tolist()], dtype=np.intp)
    return MeshSkin(
        points, guide.bones[nearest], guide.weights[nearest], guide.keeps_volume[nearest]
    )


def read_outline(armature: bpy.types.Object, skeleton: Skeleton) -> BodyOutline:
    """A few places of each visible mesh that an armature moves, the outermost of each of many cells.

    Of a character that is hidden as a whole all meshes count.
    """
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    bones, places = [np.empty(0, dtype=np.intp)], [np.empty((0, 3))]
    meshes = find_body_meshes(armature, skeleton)
    for mesh in [mesh for mesh in meshes if mesh.item.visible_get()] or meshes:
        skin = read_skin(mesh, index)
        skin = skin.select(skin.owners >= 0)
        if len(skin.points):
            chosen = _choose_outermost(skin.points)
            bones.append(skin.owners[chosen])
            standing = stand_points(armature, skeleton, skin.points, skin.bones, skin.weights)
            places.append(standing[chosen])
    return outline_from_points(skeleton, np.concatenate(bones), np.concatenate(places))


def _choose_outermost(points: FloatArray) -> np.ndarray:
    """Indices of points, of each cell that the points' box is divided into the outermost one."""
    low, high = points.min(axis=0), points.max(axis=0)
    cell = max(float((high - low).max()) / OUTLINE.cells, 1e-12)
    away = np.linalg.norm(points - 0.5 * (low + high), axis=1)
    order = np.argsort(-away, kind="stable")
    places = np.floor((points[order] - low) / cell).astype(np.int64)
    keys = (places[:, 0] * (OUTLINE.cells + 1) + places[:, 1]) * (OUTLINE.cells + 1) + places[:, 2]
    _, first = np.unique(keys, return_index=True)
    return order[first]
