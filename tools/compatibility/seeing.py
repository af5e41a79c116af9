# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A character as the scene shows it: places of its vertices and bones, told apart by bones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np


@dataclass(frozen=True)
class Skin:
    """One mesh of a character.

    Attributes
    ----------
    owners
        Number of the bone that moves each vertex the most, -1 for none, shape (V,).
    faces
        Triangles, shape (T, 3).
    """

    item: bpy.types.Object
    owners: np.ndarray
    faces: np.ndarray


@dataclass(frozen=True)
class Cast:
    """What of a character is looked at.

    Attributes
    ----------
    skins
        Its meshes; empty where it has none.
    """

    armature: bpy.types.Object
    names: tuple[str, ...]
    skins: tuple[Skin, ...]

    @property
    def owners(self) -> np.ndarray:
        """Number of the bone of each point that `see_frames` gives; both ends of bones without a mesh."""
        if self.skins:
            return np.concatenate([skin.owners for skin in self.skins])
        return np.repeat(np.arange(len(self.names)), 2)

    @property
    def deformed(self) -> np.ndarray:
        """Whether each point moves with a skin, and not stiffly with one bone that it hangs on."""
        if not self.skins:
            return np.ones(2 * len(self.names), dtype=bool)
        return np.concatenate(
            [np.full(len(s.owners), _is_deformed(s.item, self.armature)) for s in self.skins]
        )

    @property
    def faces(self) -> np.ndarray:
        """Triangles of all meshes, shape (T, 3)."""
        starts = np.cumsum([0, *(len(skin.owners) for skin in self.skins)])
        parts = [skin.faces + s for skin, s in zip(self.skins, starts[:-1], strict=True)]
        return np.concatenate(parts) if parts else np.zeros((0, 3), dtype=int)


@dataclass(frozen=True)
class Sight:
    """A character over F frames that follow one another; world, metres.

    Attributes
    ----------
    points
        Vertices, or ends of bones where there is no mesh, shape (F, V, 3).
    bones
        Heads and tails, shape (F, B, 2, 3).
    """

    points: np.ndarray
    bones: np.ndarray


def find_meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Visible meshes that an armature deforms, or that hang on one of its bones."""
    shown = [o for o in bpy.context.scene.objects if o.type == "MESH" and o.visible_get()]
    return [item for item in shown if _is_deformed(item, armature) or _find_holder(item, armature)]


def hide_scenery(armature: bpy.types.Object) -> int:
    """Hide what a file shows beside its character; how many objects that were."""
    kept, count = set(find_meshes(armature)), 0
    for item in bpy.context.scene.objects:
        is_solid = item.type in {"MESH", "CURVE", "SURFACE", "META", "FONT", "EMPTY"}
        chain = _list_parents(item)
        if is_solid and item.visible_get() and item not in kept and armature not in chain:
            item.hide_viewport = True
            count += item.type != "EMPTY"
    bpy.context.view_layer.update()
    return count


def make_cast(armature: bpy.types.Object) -> Cast:
    """What is looked at of a character as the scene shows it now."""
    names = tuple(bone.name for bone in armature.pose.bones)
    skins = [_read_skin(item, armature, names) for item in find_meshes(armature)]
    return Cast(armature, names, tuple(skin for skin in skins if len(skin.owners)))


def see_frames(cast: Cast, frames: Sequence[int]) -> Sight:
    """Let the scene show frames and read where everything is."""
    scene, points, bones = bpy.context.scene, [], []
    for frame in frames:
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        bones.append(_read_bones(cast.armature.evaluated_get(graph), cast.names))
        clouds = [_read_points(skin, graph) for skin in cast.skins]
        points.append(np.concatenate(clouds) if clouds else bones[-1].reshape(-1, 3))
    return Sight(np.array(points, dtype=np.float32), np.array(bones))


def _is_deformed(item: bpy.types.Object, armature: bpy.types.Object) -> bool:
    return any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)


def _list_parents(item: bpy.types.Object) -> list[bpy.types.Object]:
    found = []
    while item.parent is not None:
        item = item.parent
        found.append(item)
    return found


def _find_holder(item: bpy.types.Object, armature: bpy.types.Object) -> str:
    """Name of the armature's bone that an object hangs on, through others as well."""
    while item.parent is not None and item.parent != armature:
        item = item.parent
    return item.parent_bone if item.parent is not None and item.parent_type == "BONE" else ""


def _read_skin(item: bpy.types.Object, armature: bpy.types.Object, names: tuple[str, ...]) -> Skin:
    """Faces of a mesh as it is shown, and which bone moves a vertex the most."""
    graph = bpy.context.evaluated_depsgraph_get()
    shown = item.evaluated_get(graph)
    mesh = shown.to_mesh(preserve_all_data_layers=True, depsgraph=graph)
    mesh.calc_loop_triangles()
    faces = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", faces)
    numbers = {name: number for number, name in enumerate(names)}
    holder = _find_holder(item, armature)
    if holder in numbers and not _is_deformed(item, armature):
        owners = np.full(len(mesh.vertices), numbers[holder])
    else:
        groups = {group.index: numbers.get(group.name, -1) for group in item.vertex_groups}
        owners = np.array([_find_owner(vertex, groups) for vertex in mesh.vertices], dtype=int)
    shown.to_mesh_clear()
    return Skin(item, owners, faces.reshape(-1, 3))


def _find_owner(vertex: bpy.types.MeshVertex, groups: dict[int, int]) -> int:
    """Number of the bone with the largest weight; -1 where there is none."""
    weights = [(g.weight, groups.get(g.group, -1)) for g in vertex.groups]
    return max(((w, b) for w, b in weights if b >= 0 and w > 0.0), default=(0.0, -1))[1]


def _read_points(skin: Skin, graph: bpy.types.Depsgraph) -> np.ndarray:
    """World places of the vertices of a mesh, shape (V, 3)."""
    shown = skin.item.evaluated_get(graph)
    mesh = shown.to_mesh()
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    shown.to_mesh_clear()
    if len(flat) != 3 * len(skin.owners):
        raise ValueError(f"{skin.item.name} has another number of vertices in other frames")
    world = np.array(shown.matrix_world, dtype=np.float64)
    return flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]


def _read_bones(armature: bpy.types.Object, names: tuple[str, ...]) -> np.ndarray:
    """World places of heads and tails, shape (B, 2, 3)."""
    world = np.array(armature.matrix_world)
    ends = [(armature.pose.bones[n].head, armature.pose.bones[n].tail) for n in names]
    return np.array(ends).reshape(-1, 2, 3) @ world[:3, :3].T + world[:3, 3]
