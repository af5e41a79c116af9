# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that an armature moves, as they are before it moves them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from ..limits import EVIDENCE
from ..values.armature import matrix_array
from ..values.scene_state import temporary_scene

# Modifiers that add or take away parts of a body. Those that refine a surface are passed over: they
# make many vertices and move the outside little; those that bend it may follow a pose.
_BUILDING = {"ARRAY", "BOOLEAN", "MASK", "MIRROR", "NODES", "SCREW", "SKIN", "SOLIDIFY"}


@dataclass(frozen=True)
class BodyMesh:
    """A mesh object that an armature moves.

    Attributes
    ----------
    item
        The object.
    bone
        Name of the bone that it hangs from; None where its vertices are weighted.
    matrix
        From its own space to armature space at rest, shape (4, 4).
    skeleton
        Of the armature.
    builders
        Names of the modifiers that build it before the armature moves it.
    """

    item: bpy.types.Object
    bone: str | None
    matrix: FloatArray
    skeleton: Skeleton
    builders: tuple[str, ...] = ()

    def bring(self, points: FloatArray) -> FloatArray:
        """Points of the mesh (N, 3) in character space, metres."""
        placed = points @ self.matrix[:3, :3].T + self.matrix[:3, 3]
        return to_character_space(self.skeleton, placed)

    @contextmanager
    def open_built(self) -> Iterator[bpy.types.Mesh]:
        """The mesh that the armature moves, such as both halves where one is modelled and mirrored.

        Where no modifier builds it, that is the object's own.
        """
        if not self.builders:
            yield self.item.data
            return
        double = self.item.copy()
        try:
            double.parent = None
            double.matrix_world = self.item.matrix_world
            double.animation_data_clear()
            double.constraints.clear()
            for modifier in list(double.modifiers):
                if modifier.name not in self.builders:
                    double.modifiers.remove(modifier)
            double.hide_viewport = False
            with temporary_scene(bpy.context.scene) as stage:
                stage.collection.objects.link(double)
                stage.view_layers[0].update()
                graph = stage.view_layers[0].depsgraph
                shown = double.evaluated_get(graph)
                yield shown.to_mesh(preserve_all_data_layers=True, depsgraph=graph)
                shown.to_mesh_clear()
        finally:
            bpy.data.objects.remove(double)


def find_body_meshes(armature: bpy.types.Object, skeleton: Skeleton) -> list[BodyMesh]:
    """The meshes with vertices that an armature with this skeleton moves."""
    to_armature = np.linalg.inv(matrix_array(armature.matrix_world))
    found = []
    for item in bpy.data.objects:
        if item.type != "MESH" or not len(item.data.vertices):
            continue
        deformed = any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)
        by_bone = item.parent == armature and item.parent_type == "BONE"
        if deformed or (item.parent == armature and not by_bone):
            matrix = to_armature @ matrix_array(item.matrix_world)
            builders = _list_builders(item, armature) if deformed else ()
            found.append(BodyMesh(item, None, matrix, skeleton, builders))
        elif by_bone and item.parent_bone in skeleton.names:
            matrix = _find_rest_matrix(armature, item)
            builders = _list_builders(item, armature)
            found.append(BodyMesh(item, item.parent_bone, matrix, skeleton, builders))
    return found


def to_character_space(skeleton: Skeleton, points: FloatArray) -> FloatArray:
    """Points (N, 3) in armature space turned and scaled to character space."""
    turned: FloatArray = rot.rotate(skeleton.object_rotation, points)
    return skeleton.object_origin + skeleton.object_scale * turned


def read_positions(mesh: bpy.types.Mesh) -> FloatArray:
    """Positions of a mesh's vertices in its own space, shape (V, 3)."""
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def read_weights(
    item: bpy.types.Object, mesh: bpy.types.Mesh, index: dict[str, int]
) -> tuple[np.ndarray, FloatArray]:
    """The four largest weights of every vertex that belong to bones of the armature.

    Parameters
    ----------
    item
        The object whose vertex groups the weights are of.
    mesh
        Its mesh, built or not; V vertices.
    index
        Bones by name.

    Returns
    -------
    bones
        Shape (V, 4), int; unused places hold 0.
    weights
        Shape (V, 4); unused places hold 0.
    """
    bone_of_group = {g.index: index[g.name] for g in item.vertex_groups if g.name in index}
    count = len(mesh.vertices)
    bones = np.zeros((count, EVIDENCE.influences), dtype=np.intp)
    weights = np.zeros((count, EVIDENCE.influences))
    if not bone_of_group:
        return bones, weights
    for vertex in mesh.vertices:
        found = [
            (element.weight, bone_of_group[element.group])
            for element in vertex.groups
            if element.group in bone_of_group and element.weight > 0.0
        ]
        for place, (weight, bone) in enumerate(sorted(found, reverse=True)[: EVIDENCE.influences]):
            bones[vertex.index, place] = bone
            weights[vertex.index, place] = weight
    return bones, weights


def _list_builders(item: bpy.types.Object, armature: bpy.types.Object) -> tuple[str, ...]:
    """Names of the shown modifiers that build a mesh before an armature moves it."""
    names: list[str] = []
    for modifier in item.modifiers:
        if modifier.type == "ARMATURE" and modifier.object == armature:
            break
        if modifier.type in _BUILDING and modifier.show_viewport:
            names.append(modifier.name)
    return tuple(names)


def _find_rest_matrix(armature: bpy.types.Object, item: bpy.types.Object) -> FloatArray:
    """Matrix (4, 4) to armature space of an object parented to a bone, in the rest pose."""
    bone = armature.data.bones[item.parent_bone]
    rest = matrix_array(bone.matrix_local)
    if not bone.use_relative_parent:
        tail = np.eye(4)
        tail[1, 3] = bone.length  # such objects hang from the bone's tail
        rest = rest @ tail
    own = matrix_array(item.matrix_parent_inverse) @ matrix_array(item.matrix_basis)
    return np.asarray(rest @ own)
