# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Search trees of meshes, kept as long as the meshes do not change."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray
from ..limits import VALUE

_trees: OrderedDict[str, MeshTree] = OrderedDict()


@dataclass(frozen=True)
class MeshTree:
    """A mesh that rays can be cast on.

    Attributes
    ----------
    tree
        In the mesh's own space.
    corners
        Corners of the bounding box in that space, shape (8, 3).
    lost
        Vertices whose places are no numbers, or too far off; the tree is without their faces.
    """

    tree: BVHTree
    corners: FloatArray
    lost: int = 0


@dataclass(frozen=True)
class MeshShape:
    """The triangles of a mesh.

    Attributes
    ----------
    vertices
        In the mesh's own space, float32, shape (V, 3).
    triangles
        Vertex indices, int32, shape (T, 3), T >= 1.
    lost
        Vertices that were left out with their faces; see `MeshTree`.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    lost: int = 0

    def find_corners(self) -> FloatArray:
        """Corners of the bounding box of the vertices, shape (8, 3)."""
        # Column by column this is many times faster than along the first axis.
        columns = [self.vertices[:, axis] for axis in range(3)]
        low, high = ([float(end(column)) for column in columns] for end in (np.min, np.max))
        return _box_corners(np.array(low), np.array(high))

    def select(self, low: FloatArray, high: FloatArray) -> MeshShape | None:
        """The triangles that may touch a box (3,), (3,) of the mesh's space; None without any."""
        outside = np.zeros(len(self.vertices), dtype=np.uint8)
        for axis in range(3):
            outside |= (self.vertices[:, axis] < low[axis]).astype(np.uint8) << 2 * axis
            outside |= (self.vertices[:, axis] > high[axis]).astype(np.uint8) << 2 * axis + 1
        # A triangle misses the box where all three corners lie beyond the same side.
        first, second, third = outside[self.triangles].T
        chosen = self.triangles[(first & second & third) == 0]
        if not len(chosen):
            return None
        used, triangles = np.unique(chosen, return_inverse=True)
        return MeshShape(self.vertices[used], triangles.reshape(-1, 3).astype(np.int32))

    def keep_placed(self) -> MeshShape | None:
        """The shape without triangles at vertices that are nowhere; None where none is left."""
        farthest = VALUE.farthest
        # One vertex that is no number would make the whole of a search tree miss.
        with np.errstate(invalid="ignore"):
            if self.vertices.max() <= farthest and self.vertices.min() >= -farthest:
                return self
            placed = (np.abs(self.vertices) <= farthest).all(axis=1)
        triangles = self.triangles[placed[self.triangles].all(axis=1)]
        if not len(triangles):
            return None
        used, indices = np.unique(triangles, return_inverse=True)
        return MeshShape(
            self.vertices[used],
            indices.reshape(-1, 3).astype(np.int32),
            int(np.count_nonzero(~placed)),
        )

    def place(self, matrix: FloatArray) -> MeshShape:
        """The shape with its vertices taken through a matrix (4, 4)."""
        moved = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        return replace(self, vertices=moved.astype(np.float32))

    def build_tree(self) -> BVHTree:
        """A search tree of the triangles."""
        return BVHTree.FromPolygons(
            self.vertices.tolist(), self.triangles.tolist(), all_triangles=True
        )


class ShapeReader:
    """Reads the shapes of a mesh one after the other; faces that stay are divided only once."""

    def __init__(self) -> None:
        # Vertices of the corners of all faces and number of faces, and what they were divided into.
        self._corners = np.empty(0, dtype=np.int32)
        self._count = 0
        self._triangles = np.empty((0, 3), dtype=np.int32)

    def read(self, mesh: bpy.types.Mesh) -> MeshShape | None:
        """The triangles of an evaluated mesh whose vertices have a place, None for a mesh without."""
        if not len(mesh.polygons):
            return None
        vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        _read_values(mesh, ("position", "vector"), (mesh.vertices, "co"), vertices)
        corners = np.empty(len(mesh.loops), dtype=np.int32)
        _read_values(mesh, (".corner_vert", "value"), (mesh.loops, "vertex_index"), corners)
        count = len(mesh.polygons)
        if count != self._count or not np.array_equal(corners, self._corners):
            self._corners, self._count = corners, count
            mesh.calc_loop_triangles()
            triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
            mesh.loop_triangles.foreach_get("vertices", triangles)
            self._triangles = triangles.reshape(-1, 3)
        return MeshShape(vertices.reshape(-1, 3), self._triangles).keep_placed()


def _read_values(
    mesh: bpy.types.Mesh,
    attribute: tuple[str, str],
    items: tuple[bpy.types.bpy_prop_collection, str],
    values: np.ndarray,
) -> None:
    """Fill values from an attribute, a hundred times as fast, or else item by item."""
    layer = mesh.attributes.get(attribute[0])
    # Meshes that are being edited have no attributes of their own.
    if layer is not None and len(layer.data) == len(items[0]):
        layer.data.foreach_get(attribute[1], values)
    else:
        items[0].foreach_get(items[1], values)


def count_nowhere(mesh: bpy.types.Mesh) -> int:
    """Vertices of an evaluated mesh whose places are no numbers, or too far off."""
    places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", places)
    with np.errstate(invalid="ignore"):
        placed = (np.abs(places.reshape(-1, 3)) <= VALUE.farthest).all(axis=1)
    return int(np.count_nonzero(~placed))


def get_mesh_tree(mesh: bpy.types.Mesh, matrix: FloatArray | None = None) -> MeshTree | None:
    """The tree of an evaluated mesh, None for a mesh without faces.

    The tree is taken from the store where vertices and triangles are the same as before.

    Parameters
    ----------
    mesh
        The mesh.
    matrix
        What its vertices are taken through first, shape (4, 4); None leaves them in its own space.
    """
    shape = ShapeReader().read(mesh)
    if shape is None:
        return None
    if matrix is not None:
        shape = shape.place(matrix)
    digest = hashlib.blake2b(shape.vertices.tobytes(), digest_size=16)
    digest.update(shape.triangles.tobytes())
    key = digest.hexdigest()
    if key not in _trees:
        _trees[key] = MeshTree(shape.build_tree(), shape.find_corners(), shape.lost)
        if len(_trees) > VALUE.most_trees:
            _trees.popitem(last=False)
    _trees.move_to_end(key)
    return _trees[key]


def clear_mesh_trees() -> None:
    """Forget all trees."""
    _trees.clear()


def _box_corners(low: FloatArray, high: FloatArray) -> FloatArray:
    """The eight corners (8, 3) of an axis-parallel box."""
    choice = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)], dtype=bool)
    return np.where(choice, high, low)
