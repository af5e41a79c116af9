# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A measure of walks by the evaluated meshes alone: it knows nothing of the project.

What a foot is, is told by the names of bones: vertices most of whose weight is on them. Everything
else is read from what Blender shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from tools.compatibility.meter import find_runs, shrink

# Heights of points (N, 3) over the ground, negative inside it, shape (N,).
Heights = Callable[[np.ndarray], np.ndarray]


def level_heights(points: np.ndarray) -> np.ndarray:
    """Heights over the plane through the world's origin."""
    return points[:, 2]


def mesh_heights(item: bpy.types.Object) -> Heights:
    """Heights over a mesh that is open below; inside it, by the shortest way out.

    A point is inside where a ray straight up meets the mesh.
    """
    world = item.matrix_world
    corners = [world @ vertex.co for vertex in item.data.vertices]
    tree = BVHTree.FromPolygons(corners, [tuple(face.vertices) for face in item.data.polygons])
    up = Vector((0.0, 0.0, 1.0))

    def find_height(place: np.ndarray) -> float:
        point = Vector(place)
        if tree.ray_cast(point, up)[0] is not None:
            return -float(tree.find_nearest(point)[3])
        below = tree.ray_cast(point, -up)[3]
        return np.inf if below is None else float(below)

    return lambda points: np.array([find_height(place) for place in points])


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
        Of points over the ground.
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
        above = heights(points.reshape(-1, 3)).reshape(points.shape[:2])
        result.append(SeenFoot(points, -above))
    return result


def measure_sink(feet: Sequence[SeenFoot]) -> float:
    """Depth of the deepest vertex of any foot in any frame, metres."""
    return max(0.0, *(float(foot.depths.max()) for foot in feet))


def measure_hover(feet: Sequence[SeenFoot]) -> float:
    """Largest height, over the frames, of the foot that is nearest to the ground, metres."""
    return float(np.min([foot.lows for foot in feet], axis=0).max())


def measure_float(feet: Sequence[SeenFoot], stands: Sequence[np.ndarray]) -> float:
    """Height of the lowest vertex of a standing foot, 99th percentile of the worst foot, metres."""
    worst = 0.0
    for foot, own in zip(feet, stands, strict=True):
        inner = shrink(own)
        if inner.any():
            worst = max(worst, float(np.quantile(np.maximum(foot.lows[inner], 0.0), 0.99)))
    return worst


def find_stands(feet: Sequence[SeenFoot], length: float, fps: float) -> list[np.ndarray]:
    """Frames in which each foot stands, F arrays of bool.

    Its lowest vertex is slower than 0.35 of what the feet go on the whole (of 0.3 leg lengths a second
    at least), and nearer to the ground than 1.5 % of the leg; or it hangs in the air as quietly, rising
    or falling slower than a tenth of that, for three steps on end.

    Parameters
    ----------
    feet
        All feet.
    length
        Of a leg, metres.
    fps
        Frames a second.
    """
    ways = [np.linalg.norm(np.diff(f.points.mean(axis=1)[[0, -1], :2], axis=0)) for f in feet]
    pace = max(float(np.mean(ways)) / (len(feet[0].points) - 1), 0.3 * length / fps)
    found = []
    for foot in feet:
        lowest = (foot.depths[:-1] + foot.depths[1:]).argmax(axis=1)
        way = np.array([foot.points[f + 1, v] - foot.points[f, v] for f, v in enumerate(lowest)])
        quiet = np.hypot(way[:, 0], way[:, 1]) < 0.35 * pace
        hangs = np.zeros(len(quiet), dtype=bool)
        for first, last in find_runs(quiet & (np.abs(way[:, 2]) < 0.1 * pace)):
            hangs[first:last] = last - first >= 3
        sides = [np.append(rest, False) | np.append(False, rest) for rest in (quiet, hangs)]
        found.append(((foot.lows < 0.015 * length) & sides[0]) | sides[1])
    return found


def measure_slip(feet: Sequence[SeenFoot], stands: Sequence[np.ndarray], bearing: float) -> float:
    """Longest way that what bears the front or the rear of a standing foot has moved, metres.

    What is nearer to the lowest vertex bears more, a third less for each ``bearing`` metres. In the
    first and last frame of a contact a foot still arrives or already leaves.
    """
    worst = 0.0
    for foot, own in zip(feet, stands, strict=True):
        middle = foot.points[0, :, :2] - foot.points[0, :, :2].mean(axis=0)
        front = middle @ np.linalg.svd(middle, full_matrices=False)[2][0] > 0.0
        loads = np.exp(-(foot.depths.max(axis=1, keepdims=True) - foot.depths) / bearing)
        for half in (front, ~front):
            for first, last in find_runs(shrink(own)):
                way, paths = [np.zeros(2)], []
                for frame in range(first, last - 1):
                    shared = np.sqrt(loads[frame] * loads[frame + 1]) * half
                    if shared.max() < 0.5:
                        paths.append(way)
                        way = [np.zeros(2)]
                        continue
                    step = foot.points[frame + 1, :, :2] - foot.points[frame, :, :2]
                    way.append(way[-1] + (shared[:, None] * step).sum(axis=0) / shared.sum())
                for path in map(np.array, [*paths, way]):
                    apart = np.linalg.norm(path[:, None] - path[None, :], axis=-1)
                    worst = max(worst, float(apart.max()))
    return worst


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
