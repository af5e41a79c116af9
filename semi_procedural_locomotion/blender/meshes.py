# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Search trees of meshes, kept as long as the meshes do not change."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ..core.rotations import FloatArray

# Trees kept for the next bake. A tree of a million triangles takes about 200 MB, most a few kB.
_MOST_TREES = 128
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
    """

    tree: BVHTree
    corners: FloatArray


def get_mesh_tree(mesh: bpy.types.Mesh) -> MeshTree | None:
    """The tree of an evaluated mesh, None for a mesh without faces.

    The tree is taken from the store where vertices and triangles are the same as before.
    """
    mesh.calc_loop_triangles()
    count = len(mesh.loop_triangles)
    if not count:
        return None
    vertices = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", vertices)
    triangles = np.empty(3 * count, dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    digest = hashlib.blake2b(vertices.tobytes(), digest_size=16)
    digest.update(triangles.tobytes())
    key = digest.hexdigest()
    if key not in _trees:
        points = vertices.reshape(-1, 3)
        used = points[triangles].astype(np.float64)
        tree = BVHTree.FromPolygons(
            points.tolist(), triangles.reshape(-1, 3).tolist(), all_triangles=True
        )
        _trees[key] = MeshTree(tree, _box_corners(used.min(axis=0), used.max(axis=0)))
        if len(_trees) > _MOST_TREES:
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
