# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A measure of walks by the evaluated meshes alone: it knows nothing of the project.

What a foot is, is told by the names of bones: vertices most of whose weight is on them. Where the
ground is, is told by a function of world x and y. Everything else is read from what Blender shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

Heights = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class SeenFoot:
    """Vertices of one foot over F frames that follow one another.

    Attributes
    ----------
    points
        World, metres, shape (F, V, 3).
    depths
        Depth of each vertex below the ground, metres, negative above it, shape (F, V).
    """

    points: np.ndarray
    depths: np.ndarray

    @property
    def lows(self) -> np.ndarray:
        """Height of the lowest vertex over the ground in each frame, metres, shape (F,)."""
        return -self.depths.max(axis=1)


def see_feet(
    armature: bpy.types.Object,
    feet: Sequence[Sequence[str]],
    frames: Sequence[int],
    heights: Heights,
) -> list[SeenFoot]:
    """Feet of a character as the scene shows its meshes.

    Parameters
    ----------
    armature
        The character's object.
    feet
        Names of the bones of each foot.
    frames
        Scene frames that follow one another.
    heights
        Height of the ground at x and y.
    """
    scene = bpy.context.scene
    meshes = [
        item
        for item in scene.objects
        if item.type == "MESH"
        and any(m.type == "ARMATURE" and m.object == armature for m in item.modifiers)
    ]
    chosen = [[_choose(mesh, foot) for mesh in meshes] for foot in feet]
    seen: list[list[np.ndarray]] = [[] for _ in feet]
    for frame in frames:
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        clouds = [_read_vertices(mesh.evaluated_get(graph)) for mesh in meshes]
        for foot, parts in enumerate(chosen):
            cut = [cloud[ids] for cloud, ids in zip(clouds, parts, strict=True)]
            seen[foot].append(np.concatenate(cut))
    result = []
    for points in map(np.array, seen):
        depths = heights(points[..., 0], points[..., 1]) - points[..., 2]
        result.append(SeenFoot(points, depths))
    return result


def measure_sink(feet: Sequence[SeenFoot]) -> float:
    """Depth of the deepest vertex of any foot in any frame, metres."""
    return max(0.0, *(float(foot.depths.max()) for foot in feet))


def measure_hover(feet: Sequence[SeenFoot]) -> float:
    """Largest height, over the frames, of the foot that is nearest to the ground, metres."""
    return float(np.min([foot.lows for foot in feet], axis=0).max())


def measure_slip(feet: Sequence[SeenFoot], near: float, least: int = 3) -> float:
    """Longest way of a vertex that bears a foot while it does, metres.

    A vertex bears in frames in a row, ``least`` or more, in which it is nearer to the ground than
    ``near``. In the first and last of them it still arrives or already leaves.
    """
    worst = 0.0
    for foot in feet:
        bears = -foot.depths < near
        for vertex in range(bears.shape[1]):
            for first, last in _find_runs(bears[:, vertex]):
                if last - first < least + 2:
                    continue
                way = foot.points[first + 1 : last - 1, vertex]
                apart = np.linalg.norm(way[:, None, :2] - way[None, :, :2], axis=-1)
                worst = max(worst, float(apart.max()))
    return worst


def _find_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First index and the one after the last of each row of true flags."""
    edges = np.diff(np.concatenate([[0], flags.astype(int), [0]]))
    return list(zip(np.flatnonzero(edges > 0), np.flatnonzero(edges < 0), strict=True))


def _choose(mesh: bpy.types.Object, bones: Sequence[str]) -> np.ndarray:
    """Indices of the vertices that hang for the most part on some bones."""
    names = {group.index: group.name for group in mesh.vertex_groups}
    found = []
    for vertex in mesh.data.vertices:
        weights = [(names.get(g.group), g.weight) for g in vertex.groups]
        total = sum(weight for _, weight in weights)
        own = sum(weight for name, weight in weights if name in bones)
        if total > 0 and own > 0.5 * total:
            found.append(vertex.index)
    return np.array(found, dtype=np.intp)


def _read_vertices(shown: bpy.types.Object) -> np.ndarray:
    """World places of an evaluated mesh's vertices, shape (V, 3)."""
    mesh = shown.to_mesh()
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    shown.to_mesh_clear()
    world = np.array(shown.matrix_world, dtype=np.float64)
    return flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
