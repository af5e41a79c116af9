# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that rays can be cast on, kept as long as they do not change.

Search trees and casters are made only of what lies around the rays that are asked for: a walk is at one
place of a large ground.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray
from ..limits import SCENE_GROUND, VALUE
from .meshes import MeshFaces, MeshShape, read_faces


class _MeshPart(NamedTuple):
    """What was made of the faces in a box (3,), (3,) of the mesh's space; None where there are none."""

    low: FloatArray
    high: FloatArray
    made: Any


class MeshTree:
    """A mesh that rays can be cast on.

    Parameters
    ----------
    faces
        Of the mesh.
    key
        What `MeshFaces.hash` gives of them.

    Attributes
    ----------
    faces, key
        As given.
    corners
        Corners of the bounding box in the mesh's space, shape (8, 3).
    lost
        Vertices that it is without, see `MeshFaces`.
    """

    def __init__(self, faces: MeshFaces, key: str) -> None:
        self.faces, self.key = faces, key
        self.corners: FloatArray = faces.find_corners()
        self.lost = faces.lost
        self._parts: dict[object, _MeshPart] = {}

    @property
    def is_small(self) -> bool:
        """Whether all of it is made into one part."""
        return self.faces.triangle_count <= SCENE_GROUND.few_triangles

    def find_tree(self, low: FloatArray, high: FloatArray) -> BVHTree | None:
        """A search tree of all triangles that touch a box (3,), (3,), and maybe others, mesh space.

        None where there are none.
        """
        found: BVHTree | None = self.find_part("tree", low, high, MeshShape.build_tree)
        return found

    def find_part(
        self,
        name: object,
        low: FloatArray,
        high: FloatArray,
        make: Callable[[MeshShape], Any],
    ) -> Any:  # noqa: ANN401 - whatever is made
        """What was made of the triangles about a box, or is made now of those in it and about.

        Parameters
        ----------
        name
            Of what is made; one part is kept for each.
        low, high
            Corners of the box, mesh space, shape (3,).
        make
            Makes it of triangles.
        """
        part = self._parts.get(name)
        low, high = np.maximum(low, self.corners[0]), np.minimum(high, self.corners[-1])
        if part is None or not ((part.low <= low).all() and (high <= part.high).all()):
            part = self._parts[name] = self._make_part(part, low, high, make)
            while len(self._parts) > VALUE.most_parts:
                del self._parts[next(iter(self._parts))]
        return part.made

    def _make_part(
        self,
        before: _MeshPart | None,
        low: FloatArray,
        high: FloatArray,
        make: Callable[[MeshShape], Any],
    ) -> _MeshPart:
        """A part of a box and around it, and of the box of the part before."""
        if self.is_small:
            whole = np.full(3, np.inf)
            return _MeshPart(-whole, whole, make(self.faces.triangulate()))
        if before is not None:
            low, high = np.minimum(low, before.low), np.maximum(high, before.high)
        margin = SCENE_GROUND.around_rays * float((high - low).max())
        low, high = low - margin, high + margin
        shape = self.faces.select(low, high)
        return _MeshPart(low, high, None if shape is None else make(shape))


_trees: OrderedDict[str, MeshTree] = OrderedDict()


def get_mesh_tree(mesh: bpy.types.Mesh, matrix: FloatArray | None = None) -> MeshTree | None:
    """The tree of an evaluated mesh, None for a mesh without faces.

    It is taken from the store where vertices and faces are the same as before.

    Parameters
    ----------
    mesh
        The mesh.
    matrix
        What its vertices are taken through first, shape (4, 4); None leaves them in its own space.
    """
    faces = read_faces(mesh)
    if faces is None:
        return None
    if matrix is not None:
        faces = faces.place(matrix)
    key = faces.hash()
    if key not in _trees:
        _trees[key] = MeshTree(faces, key)
        sizes = sum(tree.faces.size for tree in _trees.values())
        while len(_trees) > VALUE.most_trees or (sizes > VALUE.most_bytes and len(_trees) > 1):
            _, gone = _trees.popitem(last=False)
            sizes -= gone.faces.size
    _trees.move_to_end(key)
    return _trees[key]


def clear_mesh_trees() -> None:
    """Forget all trees."""
    _trees.clear()
