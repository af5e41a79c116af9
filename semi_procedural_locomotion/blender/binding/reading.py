# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones, vertices and vertex groups read for binding."""

from __future__ import annotations

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.maths.rotations import FloatArray
from ...core.rig.binding.bones import BindBones, make_bind_bones
from ...errors import RigError
from ..values.armature import matrix_array, require_armature


def read_bind_bones(armature: bpy.types.Object) -> BindBones:
    """The deforming bones of an armature object at rest, in the world, metres.

    Raises
    ------
    RigError
        It is no armature, or no bone of it deforms.
    """
    require_armature(armature)
    bones = [bone for bone in _list_parents_first(armature) if bone.use_deform]
    if not bones:
        raise RigError(
            f"no bone of {armature.name!r} deforms: tick Deform in the properties of its bones"
        )
    places = {bone.name: number for number, bone in enumerate(bones)}
    parents = []
    for bone in bones:
        above = bone.parent
        while above is not None and above.name not in places:
            above = above.parent
        parents.append(-1 if above is None else places[above.name])
    matrix = matrix_array(armature.matrix_world)
    ends = np.array([[bone.head_local, bone.tail_local] for bone in bones])
    ends = ends @ matrix[:3, :3].T + matrix[:3, 3]
    return make_bind_bones(tuple(places), np.array(parents, dtype=np.intp), ends[:, 0], ends[:, 1])


def _list_parents_first(armature: bpy.types.Object) -> list[bpy.types.Bone]:
    """Bones of an armature object, parents before their children."""
    roots = [bone for bone in armature.data.bones if bone.parent is None]
    return [bone for root in roots for bone in (root, *root.children_recursive)]


def read_shape(item: bpy.types.Object) -> tuple[FloatArray, NDArray[np.int32]]:
    """Vertices (V, 3) of a mesh object at rest, in the world, metres, and its edges (E, 2)."""
    mesh = item.data
    points = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.edges.foreach_get("vertices", edges)
    matrix = matrix_array(item.matrix_world)
    places = points.reshape(-1, 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    return places, edges.reshape(-1, 2)


def list_weighted_bones(item: bpy.types.Object, armature: bpy.types.Object) -> list[str]:
    """Names of the deforming bones that a mesh object has vertex groups of."""
    bones = armature.data.bones
    return [g.name for g in item.vertex_groups if g.name in bones and bones[g.name].use_deform]


def read_weights(item: bpy.types.Object, names: list[str]) -> tuple[NDArray[np.int64], FloatArray]:
    """Weights of some vertex groups of a mesh object.

    Parameters
    ----------
    item
        A mesh object.
    names
        Names of groups, G of them; those that are not there weigh nothing.

    Returns
    -------
    entries
        Vertex and place in ``names`` of each weight above 0, shape (N, 2), whole numbers.
    weights
        Shape (N,).
    """
    places = {g.index: names.index(g.name) for g in item.vertex_groups if g.name in names}
    entries, weights = [], []
    for vertex in item.data.vertices if places else ():
        for element in vertex.groups:
            if element.group in places and element.weight > 0:
                entries.append((vertex.index, places[element.group]))
                weights.append(element.weight)
    return np.array(entries, dtype=np.int64).reshape(-1, 2), np.array(weights, dtype=np.float64)
