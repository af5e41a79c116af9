# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that an armature moves, as they are shown with its bones as they were built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray, invert_matrices
from ...core.rig.skeleton import Skeleton
from ..limits import VALUE
from ..values.armature import matrix_array, read_held_moves
from ..values.matrices import follows
from ..values.rendering import let_show
from ..values.scene_state import set_frame, temporary_scene

# Modifiers that make the shape of a body out of what is modelled. Others that bend it after objects
# may follow a pose, and are passed over.
_BUILDING = {
    "ARRAY",
    "BEVEL",
    "BOOLEAN",
    "DATA_TRANSFER",
    "DECIMATE",
    "DISPLACE",
    "LAPLACIANSMOOTH",
    "MASK",
    "MIRROR",
    "MULTIRES",
    "NODES",
    "REMESH",
    "SCREW",
    "SKIN",
    "SMOOTH",
    "SOLIDIFY",
    "SUBSURF",
    "VERTEX_WEIGHT_EDIT",
    "VERTEX_WEIGHT_MIX",
    "VERTEX_WEIGHT_PROXIMITY",
    "WELD",
    "WIREFRAME",
}
# Modifiers that bend it as well, with what each goes by: they count where that follows no bone.
_BENDING = {"CAST": "object", "LATTICE": "object", "SIMPLE_DEFORM": "origin"}
# Those without which parts of a body are missing count where they are shown in renders alone.
_COMPLETING = {"MIRROR"}
# Those that may lose the weights of the mesh that they get.
_REPLACING = {"NODES", "REMESH"}
# Those by which clothes follow the mesh of a body.
_FOLLOWING = {"MESH_DEFORM": "object", "SURFACE_DEFORM": "target"}


@dataclass(frozen=True)
class BodyMesh:
    """A mesh object that an armature moves.

    Attributes
    ----------
    bone
        Name of the bone that it hangs from; None where its vertices are weighted.
    matrix
        From its own space to armature space at rest, shape (4, 4).
    builders
        Names of the modifiers that give it its shape.
    guide
        The mesh that it follows where it is bound to one; None where the armature moves it itself.
    keeps_volume
        Whether the armature moves it with *Preserve Volume*.
    is_rendered
        Whether it is meant as renders show it, in place of the view.
    """

    item: bpy.types.Object
    bone: str | None
    matrix: FloatArray
    skeleton: Skeleton
    builders: tuple[str, ...] = ()
    guide: BodyMesh | None = None
    keeps_volume: bool = False
    is_rendered: bool = False

    def bring(self, points: FloatArray) -> FloatArray:
        """Points of the mesh (N, 3) in character space, metres."""
        placed = points @ self.matrix[:3, :3].T + self.matrix[:3, 3]
        return to_character_space(self.skeleton, placed)

    def as_rendered(self) -> BodyMesh:
        """The same as renders show it."""
        builders = tuple(
            m.name for m in self.item.modifiers if m.show_render and _builds(m, self.item)
        )
        return replace(self, builders=builders, is_rendered=True)

    def leave_replacing(self) -> BodyMesh:
        """The same without the modifiers that may lose its weights."""
        kinds = {modifier.name: modifier.type for modifier in self.item.modifiers}
        kept = tuple(name for name in self.builders if kinds.get(name) not in _REPLACING)
        return replace(self, builders=kept)

    @contextmanager
    def open_built(self) -> Iterator[bpy.types.Mesh]:
        """The mesh as it is shown with its bones at rest, such as both halves where one is mirrored.

        Where nothing gives it another shape than it has, that is the object's own.
        """
        if not self.builders and not _is_shaped(self.item):
            yield self.item.data
            return
        double, made = self.item.copy(), list[bpy.types.ID]()
        try:
            double.parent = None
            double.matrix_world = self.item.matrix_world
            double.animation_data_clear()
            double.constraints.clear()
            for modifier in list(double.modifiers):
                if modifier.name in self.builders:
                    modifier.show_viewport = True
                    faces = len(self.item.data.polygons)
                    scene = bpy.context.scene
                    made += let_show(modifier, scene, faces, as_rendered=self.is_rendered)
                else:
                    double.modifiers.remove(modifier)
            double.hide_viewport = False
            with temporary_scene(bpy.context.scene) as stage:
                stage.collection.objects.link(double)
                set_frame(stage, bpy.context.scene.frame_current_final)
                stage.view_layers[0].update()
                graph = stage.view_layers[0].depsgraph
                shown = double.evaluated_get(graph)
                yield shown.to_mesh(preserve_all_data_layers=True, depsgraph=graph)
                shown.to_mesh_clear()
        finally:
            bpy.data.objects.remove(double)
            bpy.data.batch_remove(made)


def find_body_meshes(armature: bpy.types.Object, skeleton: Skeleton) -> list[BodyMesh]:
    """The meshes with vertices that an armature with this skeleton moves, and that have a place."""
    found = []
    for item in bpy.data.objects:
        if item.type != "MESH" or not len(item.data.vertices):
            continue
        moving = [m for m in item.modifiers if m.type == "ARMATURE" and m.object == armature]
        by_bone = item.parent == armature and item.parent_type == "BONE"
        if moving or (item.parent == armature and not by_bone):
            matrix = _find_own_matrix(armature, item)
            kept = any(m.show_viewport and m.use_deform_preserve_volume for m in moving)
            builders = _list_builders(item)
            found.append(BodyMesh(item, None, matrix, skeleton, builders, keeps_volume=kept))
        elif by_bone and item.parent_bone in skeleton.names:
            matrix = _find_rest_matrix(armature, item)
            builders = _list_builders(item)
            found.append(BodyMesh(item, item.parent_bone, matrix, skeleton, builders))
    bodies = [*found, *_find_followers(armature, found)]
    return [body for body in bodies if bool((np.abs(body.matrix) <= VALUE.farthest).all())]


def _find_followers(armature: bpy.types.Object, bodies: list[BodyMesh]) -> list[BodyMesh]:
    """Meshes, such as clothes, that are bound to the meshes of a body."""
    by_item = {body.item: body for body in bodies}
    found = []
    for item in bpy.data.objects:
        if item.type != "MESH" or item in by_item or not len(item.data.vertices):
            continue
        for modifier in item.modifiers:
            guide = getattr(modifier, _FOLLOWING.get(modifier.type, ""), None)
            if guide in by_item:
                body = by_item[guide]
                matrix = _find_own_matrix(armature, item)
                builders = _list_builders(item)
                found.append(BodyMesh(item, None, matrix, body.skeleton, builders, body))
                break
    return found


def to_character_space(skeleton: Skeleton, points: FloatArray) -> FloatArray:
    """Points (N, 3) in armature space turned and scaled to character space."""
    turned: FloatArray = rot.rotate(skeleton.object_rotation, points)
    return skeleton.object_origin + skeleton.object_scale * turned


def stand_points(
    armature: bpy.types.Object,
    skeleton: Skeleton,
    points: FloatArray,
    bones: np.ndarray,
    weights: FloatArray,
) -> FloatArray:
    """Points as they are at rest, where bones stand otherwise than they were built.

    Parameters
    ----------
    points
        In character space as built, metres, shape (P, 3).
    bones, weights
        The bones that move each point and their weights, shapes (P, K).
    """
    if not skeleton.held or not len(points):
        return points
    moves = read_held_moves(armature, skeleton)
    total = weights.sum(axis=1)
    moved = np.zeros_like(points)
    for bone, weight in zip(bones.T, weights.T, strict=True):
        placed = np.einsum("pij,pj->pi", moves[bone, :3, :3], points) + moves[bone, :3, 3]
        moved += weight[:, None] * placed
    free = total <= 0.0
    moved[~free] /= total[~free, None]
    moved[free] = points[free]
    return moved


def read_positions(mesh: bpy.types.Mesh) -> FloatArray:
    """Positions of a mesh's vertices in its own space, shape (V, 3)."""
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    return flat.reshape(-1, 3).astype(np.float64)


def _list_builders(item: bpy.types.Object) -> tuple[str, ...]:
    """Names of the shown modifiers that give a mesh its shape.

    Those after the armature's count as well: what they do to a mesh at rest is what they do to a
    posed one, nearly.
    """
    return tuple(
        modifier.name
        for modifier in item.modifiers
        if _builds(modifier, item)
        and (modifier.show_viewport or (modifier.type in _COMPLETING and modifier.show_render))
    )


def _builds(modifier: bpy.types.Modifier, item: bpy.types.Object) -> bool:
    """Whether a modifier gives an object's mesh its shape whatever the pose of its armature is."""
    if modifier.type not in _BENDING:
        return modifier.type in _BUILDING
    guide = getattr(modifier, _BENDING[modifier.type])
    armatures = [m.object for m in item.modifiers if m.type == "ARMATURE" and m.object is not None]
    return guide is None or not any(follows(guide, a, bones_alone=True) for a in armatures)


def _is_shaped(item: bpy.types.Object) -> bool:
    """Whether shape keys give a mesh another shape than its own."""
    keys = item.data.shape_keys
    if keys is None:
        return False
    if item.show_only_shape_key:
        return bool(item.active_shape_key_index)
    return any(key.value and not key.mute for key in keys.key_blocks[1:])


def rides_alone(item: bpy.types.Object, armature: bpy.types.Object) -> bool:
    """Whether an object goes with an armature object as its child, and after nothing else."""
    deltas = (item.delta_location, item.delta_rotation_euler, item.delta_rotation_quaternion)
    plain = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    is_plain = all(tuple(d) == p for d, p in zip(deltas, plain, strict=True))
    is_plain &= tuple(item.delta_scale) == (1.0, 1.0, 1.0)
    return item.parent == armature and not len(item.constraints) and is_plain


def _find_own_matrix(armature: bpy.types.Object, item: bpy.types.Object) -> FloatArray:
    """Matrix (4, 4) to armature space of an object that an armature deforms."""
    if rides_alone(item, armature):
        # Its place in the world may be older than that of the armature, or not known at all.
        return np.asarray(
            matrix_array(item.matrix_parent_inverse) @ matrix_array(item.matrix_basis)
        )
    to_armature = invert_matrices(matrix_array(armature.matrix_world))
    return np.asarray(to_armature @ matrix_array(item.matrix_world))


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
