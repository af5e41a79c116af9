# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces and triangles of meshes, read as they lie in memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray
from ..limits import VALUE

# A bit for each side of a box, by axis.
_SIDES, _INSIDE = (1 << np.arange(6, dtype=np.uint8)).reshape(3, 2).astype(np.uint8), np.uint8(0)


@dataclass(frozen=True)
class MeshFaces:
    """The faces of a mesh, all of one number of corners.

    Attributes
    ----------
    vertices
        In the mesh's own space, float32, shape (V, 3).
    faces
        Vertex indices, int32, shape (F, 3) or (F, 4), F >= 1.
    lost
        Vertices whose places are no numbers, or too far off; it is without their faces.
    """

    vertices: np.ndarray
    faces: np.ndarray
    lost: int = 0

    @property
    def triangle_count(self) -> int:
        """Triangles that the faces are divided into."""
        return len(self.faces) * (self.faces.shape[1] - 2)

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return int(self.vertices.nbytes + self.faces.nbytes)

    def find_corners(self) -> FloatArray:
        """Corners of the bounding box of the vertices, shape (8, 3)."""
        return _find_corners(self.vertices)

    def hash(self) -> str:
        """A text that differs where any vertex or face does."""
        digest = hashlib.blake2b(repr((self.faces.shape, self.lost)).encode(), digest_size=16)
        digest.update(self.vertices.data)
        digest.update(self.faces.data)
        return digest.hexdigest()

    def keep_placed(self) -> MeshFaces | None:
        """The faces without triangles at vertices that are nowhere; None where none is left."""
        if _is_placed(self.vertices):
            return self
        shape = self.triangulate().keep_placed()
        return None if shape is None else MeshFaces(shape.vertices, shape.triangles, shape.lost)

    def place(self, matrix: FloatArray) -> MeshFaces:
        """The faces with their vertices taken through a matrix (4, 4)."""
        moved = self.vertices @ matrix[:3, :3].T + matrix[:3, 3]
        return replace(self, vertices=moved.astype(np.float32))

    def triangulate(self) -> MeshShape:
        """All triangles."""
        return MeshShape(self.vertices, _divide(self.vertices, self.faces))

    def select(self, low: FloatArray, high: FloatArray) -> MeshShape | None:
        """The triangles of faces that may touch a box (3,), (3,), mesh space; None without any."""
        outside = _find_outside(self.vertices, low, high)
        chosen = []
        for first in range(0, len(self.faces), VALUE.faces_at_once):
            faces = self.faces[first : first + VALUE.faces_at_once]
            # A face misses the box where all its corners lie beyond the same side.
            beyond = np.bitwise_and.reduce(outside[faces], axis=1)
            chosen.append(faces[beyond == 0])
        faces = np.concatenate(chosen)
        if not len(faces):
            return None
        used, places = np.unique(faces, return_inverse=True)
        vertices = self.vertices[used]
        return MeshShape(vertices, _divide(vertices, places.reshape(faces.shape).astype(np.int32)))


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
        Vertices that were left out with their faces; see `MeshFaces`.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    lost: int = 0

    def find_corners(self) -> FloatArray:
        """Corners of the bounding box of the vertices, shape (8, 3)."""
        return _find_corners(self.vertices)

    def select(self, low: FloatArray, high: FloatArray) -> MeshShape | None:
        """The triangles that may touch a box (3,), (3,) of the mesh's space; None without any."""
        outside = _find_outside(self.vertices, low, high)
        # A triangle misses the box where all three corners lie beyond the same side.
        first, second, third = outside[self.triangles].T
        chosen = self.triangles[(first & second & third) == 0]
        if not len(chosen):
            return None
        used, triangles = np.unique(chosen, return_inverse=True)
        return MeshShape(self.vertices[used], triangles.reshape(-1, 3).astype(np.int32))

    def keep_placed(self) -> MeshShape | None:
        """The shape without triangles at vertices that are nowhere; None where none is left."""
        # One vertex that is no number would make the whole of a search tree miss.
        if _is_placed(self.vertices):
            return self
        with np.errstate(invalid="ignore"):
            placed = (np.abs(self.vertices) <= VALUE.farthest).all(axis=1)
        triangles = self.triangles[placed[self.triangles].all(axis=1)]
        if not len(triangles):
            return None
        used, indices = np.unique(triangles, return_inverse=True)
        return MeshShape(
            self.vertices[used],
            indices.reshape(-1, 3).astype(np.int32),
            int(np.count_nonzero(~placed)),
        )

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


def read_faces(mesh: bpy.types.Mesh) -> MeshFaces | None:
    """The faces of an evaluated mesh whose vertices have a place, None for a mesh without any.

    Faces of three or of four corners alone are taken as they are, and others divided by Blender.
    """
    count = len(mesh.polygons)
    if not count:
        return None
    vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    _read_values(mesh, ("position", "vector"), (mesh.vertices, "co"), vertices)
    sides = len(mesh.loops) / count
    if sides in (3.0, 4.0):
        corners = np.empty(len(mesh.loops), dtype=np.int32)
        # No face has less than three corners; of others as many may have more than four as less.
        if sides == 4.0 and not _are_even(mesh, corners):
            sides = 0.0
    if sides in (3.0, 4.0):
        _read_values(mesh, (".corner_vert", "value"), (mesh.loops, "vertex_index"), corners)
        faces = corners.reshape(count, int(sides))
        return MeshFaces(vertices.reshape(-1, 3), faces).keep_placed()
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    return MeshFaces(vertices.reshape(-1, 3), triangles.reshape(-1, 3)).keep_placed()


def _are_even(mesh: bpy.types.Mesh, room: np.ndarray) -> bool:
    """Whether all faces of a mesh have four corners; ``room`` is int32, for as many, and written to."""
    # Large meshes have room for no more arrays than have to be kept.
    starts = room[: len(mesh.polygons)]
    mesh.polygons.foreach_get("loop_start", starts)
    return all(
        bool((np.diff(starts[first : first + VALUE.faces_at_once + 1]) == 4).all())
        for first in range(0, len(starts), VALUE.faces_at_once)
    )


def _divide(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Faces (F, 3 or 4) as triangles (T, 3), quads along the diagonal that Blender takes."""
    if faces.shape[1] == 3:
        return faces
    first, second, third, fourth = (vertices[faces[:, k]] for k in range(4))
    across = third - first
    left, right = np.cross(second - first, across), np.cross(fourth - first, across)
    # Both corners on one side of the first diagonal: the other one lies inside.
    flips = np.einsum("ij,ij->i", left, right) > 0.0
    pairs = np.stack([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]], axis=1)
    pairs[flips] = np.stack([faces[flips][:, [0, 1, 3]], faces[flips][:, [1, 2, 3]]], axis=1)
    return pairs.reshape(-1, 3)


def _is_placed(vertices: np.ndarray) -> bool:
    """Whether all vertices (V, 3) have a place."""
    with np.errstate(invalid="ignore"):
        return bool(vertices.max() <= VALUE.farthest and vertices.min() >= -VALUE.farthest)


def _find_outside(vertices: np.ndarray, low: FloatArray, high: FloatArray) -> np.ndarray:
    """Beyond which sides of a box (3,), (3,) vertices (V, 3) lie, a bit for each, uint8, shape (V,)."""
    outside = np.zeros(len(vertices), dtype=np.uint8)
    for axis in range(3):
        outside |= np.where(vertices[:, axis] < float(low[axis]), _SIDES[axis, 0], _INSIDE)
        outside |= np.where(vertices[:, axis] > float(high[axis]), _SIDES[axis, 1], _INSIDE)
    return outside


def _find_corners(vertices: np.ndarray) -> FloatArray:
    """Corners (8, 3) of the bounding box of vertices (V, 3)."""
    # Column by column this is many times faster than along the first axis.
    columns = [vertices[:, axis] for axis in range(3)]
    low, high = ([float(end(column)) for column in columns] for end in (np.min, np.max))
    return make_box_corners(np.array(low), np.array(high))


def make_box_corners(low: FloatArray, high: FloatArray) -> FloatArray:
    """The eight corners (8, 3) of an axis-parallel box."""
    choice = np.array([[(i >> axis) & 1 for axis in range(3)] for i in range(8)], dtype=bool)
    return np.where(choice, high, low)
