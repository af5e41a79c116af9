# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's meshes as ground.

Vertical rays are taken into each mesh's own space and their hits back to the world, so one tree
serves all copies of a mesh however they are scaled, sheared or moved. Placements are those of the
times asked for, and so are the shapes of meshes that deform; other shapes are those of the frame at
which the ground was built.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.ground.interface import GroundHits, GroundLayers, sort_layers
from ...core.maths.rotations import FloatArray
from ..limits import SCENE_GROUND
from ..setup.characters import collect_character, find_set_up_characters
from ..setup.footstep_properties import is_footstep
from ..values.matrices import is_animated, sample_world_matrices
from ..values.meshes import MeshTree, get_mesh_tree
from ..values.scene_state import get_frame_rate
from .deforming import DeformingMesh, find_deforming
from .rays import Aim, aim_rays, cast_rays

# Meshes that are shown so are helpers, not scenery.
_HELPER_DISPLAYS = frozenset({"BOUNDS", "WIRE"})


@dataclass(frozen=True)
class Surface:
    """One mesh as it stands in the scene.

    Attributes
    ----------
    name
        Of the object, or of the object that makes the instance.
    carrier
        The object whose motion moves the mesh, or None where it stands still.
    mesh
        Its tree, or None where its shape changes.
    placement
        From the mesh to the carrier where there is one, else to the world, shape (4, 4).
    deforming
        Its shapes over time, or None where the shape stays.
    """

    name: str
    carrier: bpy.types.Object | None
    mesh: MeshTree | None
    placement: FloatArray
    deforming: DeformingMesh | None = None

    def list_corners(self, frames: FloatArray) -> FloatArray:
        """Corners of the bounding box at frames (N,), mesh space, shape (N, 8, 3).

        Where the mesh has no faces, it is the box of another frame.
        """
        boxes: list[FloatArray | None] = [None if self.mesh is None else self.mesh.corners]
        if self.deforming is not None:
            boxes = self.deforming.find_corners([round(frame) for frame in frames])
        spare = next((box for box in boxes if box is not None), np.zeros((8, 3)))
        corners = np.stack([spare if box is None else box for box in boxes])
        return np.broadcast_to(corners, (len(frames), 8, 3))


class SceneGround:
    """Ground made of meshes; implements `core.ground.Ground`.

    Parameters
    ----------
    surfaces
        Everything that can be walked on; hits name surfaces by their index here.
    scene
        Whose clock the times are of: seconds are frames over frame rate.
    """

    def __init__(self, surfaces: Sequence[Surface], scene: bpy.types.Scene) -> None:
        self.surfaces = tuple(surfaces)
        self._scene = scene
        self._rate = get_frame_rate(scene)
        carriers = {s.carrier.name_full: s.carrier for s in surfaces if s.carrier is not None}
        self._carriers = list(carriers.values())
        self._rows = {name: row for row, name in enumerate(carriers)}
        self._samples: dict[int, FloatArray] = {}

    def __len__(self) -> int:
        """Number of surfaces; 0 means that a plane has to stand in."""
        return len(self.surfaces)

    def cast_down(self, points: FloatArray, times: FloatArray) -> GroundHits:
        """First surface at or below each point.

        Parameters
        ----------
        points
            World, metres, shape (n, 3).
        times
            Seconds of the scene's clock, shape (n,).

        Returns
        -------
        GroundHits
            The highest hit among all surfaces.
        """
        points = np.asarray(points, dtype=np.float64)
        times = np.broadcast_to(np.asarray(times, dtype=np.float64), points.shape[:1])
        found = points.copy()
        normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
        surfaces = np.full(len(points), -1, dtype=np.intp)
        heights = np.full(len(points), -np.inf)
        for index in range(len(self.surfaces)):
            rays, hits, turned = self._cast_on(index, points, times, heights)
            higher = hits[:, 2] > heights[rays]
            rays = rays[higher]
            found[rays], normals[rays] = hits[higher], turned[higher]
            heights[rays] = hits[higher, 2]
            surfaces[rays] = index
        return GroundHits(found, normals, surfaces, surfaces >= 0)

    def cast_all(self, points: FloatArray, times: FloatArray) -> GroundLayers:
        """All surfaces on the vertical line through each point.

        Parameters
        ----------
        points
            World, metres, shape (n, 3); only x and y count.
        times
            Seconds of the scene's clock, shape (n,).
        """
        points = np.asarray(points, dtype=np.float64) * [1.0, 1.0, 0.0] + [0.0, 0.0, np.inf]
        times = np.broadcast_to(np.asarray(times, dtype=np.float64), points.shape[:1])
        heights = np.full(len(points), -np.inf)
        nothing = np.empty(0, dtype=np.intp)
        parts = [(nothing, np.empty(0), nothing, np.empty(0, dtype=bool))]
        for index in range(len(self.surfaces)):
            rays, hits, normals = self._cast_on(index, points, times, heights, through=True)
            upwards = normals[:, 2] > 0
            parts.append((rays, hits[:, 2], np.full(len(rays), index), upwards))
        rays, found, surfaces, upwards = (np.concatenate(p) for p in zip(*parts, strict=True))
        return sort_layers(rays, found, surfaces, upwards)

    def surface_frames(self, surface: int, times: FloatArray) -> FloatArray:
        """World matrices of the object that carries a surface.

        Parameters
        ----------
        surface
            Index of the surface.
        times
            Seconds of the scene's clock, shape (n,).

        Returns
        -------
        array, shape (n, 4, 4)
            Of ground that stands still always the same one.
        """
        times = np.asarray(times, dtype=np.float64)
        chosen = self.surfaces[surface]
        if chosen.carrier is None:
            return np.broadcast_to(chosen.placement, (len(times), 4, 4))
        return self._carrier_matrices(chosen.carrier, times)

    def height_limits(self) -> tuple[float, float]:
        """Lowest and highest world z that any surface reaches, metres; 0, 0 without surfaces.

        Moving surfaces are looked at over the scene's frame range, and the largest move between two
        looks is added on both sides.
        """
        scene = self._scene
        count = min(scene.frame_end - scene.frame_start + 1, SCENE_GROUND.most_looks)
        frames = np.round(np.linspace(scene.frame_start, scene.frame_end, max(count, 2)))
        low, high = [], []
        for surface in self.surfaces:
            placements = np.broadcast_to(surface.placement, (len(frames), 4, 4))
            if surface.carrier is not None:
                matrices = self._carrier_matrices(surface.carrier, frames / self._rate)
                placements = matrices @ placements
            corners = surface.list_corners(frames)
            heights = np.einsum("nj,ncj->nc", placements[:, 2, :3], corners) + placements[:, 2, 3:]
            move = np.abs(np.diff(heights, axis=0)).max(initial=0.0)
            low.append(heights.min() - move)
            high.append(heights.max() + move)
        return (float(min(low)), float(max(high))) if low else (0.0, 0.0)

    def moving_surfaces(self) -> frozenset[int]:
        """Surfaces whose frames may change over time."""
        return frozenset(i for i, s in enumerate(self.surfaces) if s.carrier is not None)

    def _cast_on(
        self,
        index: int,
        points: FloatArray,
        times: FloatArray,
        heights: FloatArray,
        *,
        through: bool = False,
    ) -> tuple[np.ndarray, FloatArray, FloatArray]:
        """Indices of the rays that hit one surface, the hits and the normals.

        Rays go on through what they hit by choice; then normals are as the faces have them.
        """
        surface = self.surfaces[index]
        if surface.deforming is None:
            aim = self._aim(surface, points, times, heights, surface.list_corners(np.zeros(1))[0])
            tree = None if surface.mesh is None else surface.mesh.tree
            return cast_rays(aim, tree, points, through=through)
        frames = np.round(times * self._rate).astype(int)
        unique = np.unique(frames).tolist()
        aims, boxes, rows = {}, {}, {}
        for frame, corners in zip(unique, surface.deforming.find_corners(unique), strict=True):
            if corners is None:
                continue
            rows[frame] = chosen = np.flatnonzero(frames == frame)
            aim = self._aim(surface, points[chosen], times[chosen], heights[chosen], corners)
            if len(aim.rays):
                aims[frame], boxes[frame] = aim, aim.find_box(corners)
        trees = surface.deforming.find_trees(boxes)
        found = [(np.empty(0, dtype=np.intp), np.empty((0, 3)), np.empty((0, 3)))]
        for frame, aim in aims.items():
            rays, hits, normals = cast_rays(aim, trees[frame], points[rows[frame]], through=through)
            found.append((rows[frame][rays], hits, normals))
        rays, hits, normals = (np.concatenate(part) for part in zip(*found, strict=True))
        return rays, hits, normals

    def _aim(
        self,
        surface: Surface,
        points: FloatArray,
        times: FloatArray,
        heights: FloatArray,
        corners: FloatArray,
    ) -> Aim:
        """The rays that pass over a surface whose bounding box has corners (8, 3)."""
        placements = surface.placement[None]
        if surface.carrier is not None:
            placements = self._carrier_matrices(surface.carrier, times) @ placements
        return aim_rays(points, heights, placements, corners)

    def _carrier_matrices(self, carrier: bpy.types.Object, times: FloatArray) -> FloatArray:
        """World matrices (n, 4, 4) of a moving object, sampled once per half frame."""
        steps = times * (self._rate * SCENE_GROUND.samples_per_frame)
        before = np.floor(np.round(steps, 6)).astype(int)
        unique, place = np.unique(np.concatenate([before, before + 1]), return_inverse=True)
        missing = [int(step) for step in unique if int(step) not in self._samples]
        if missing:
            frames = np.array(missing) / SCENE_GROUND.samples_per_frame
            sampled = sample_world_matrices(self._carriers, frames, self._scene)
            for column, step in enumerate(missing):
                self._samples[step] = sampled[:, column]
        row = self._rows[carrier.name_full]
        table = np.array([self._samples[int(step)][row] for step in unique])
        share = np.clip(steps - before, 0.0, 1.0)[:, None, None]
        return table[place[: len(times)]] * (1 - share) + table[place[len(times) :]] * share


def build_ground(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object | bpy.types.Collection] | None = None,
    exclude: Iterable[bpy.types.Object] = (),
    *,
    rendered_only: bool = False,
) -> SceneGround:
    """The ground of the current scene.

    Parameters
    ----------
    context
        Its scene and view layer are used, at the current frame.
    objects
        Objects and collections to walk on; None takes all visible meshes but those displayed as
        bounds or wire, which are helpers such as collision cages. Objects that make instances stand
        for them.
    exclude
        Further objects that are no ground. An armature stands for its whole character.
    rendered_only
        Leave out what is hidden in renders.

    Returns
    -------
    SceneGround
        Without any set-up character, its meshes and its footsteps; maybe empty. An instance moves
        with the object that makes it.
    """
    depsgraph = context.evaluated_depsgraph_get()
    excluded: set[bpy.types.Object] = set()
    for item in (*exclude, *find_set_up_characters(context.scene)):
        excluded |= collect_character(item) if item.type == "ARMATURE" else {item}
    wanted = None if objects is None else _expand(objects)
    surfaces = []
    moving: dict[str, bool] = {}
    shapes: dict[str, DeformingMesh | None] = {}
    for instance in depsgraph.object_instances:
        shown, source = instance.object, instance.object.original
        owner = instance.parent.original if instance.is_instance else source
        if shown.type != "MESH" or not instance.show_self or {source, owner} & excluded:
            continue
        if is_footstep(source):
            continue
        if wanted is None and source.display_type in _HELPER_DISPLAYS:
            continue
        if wanted is not None and not {source, owner} & wanted:
            continue
        if rendered_only and (owner.hide_render or source.hide_render):
            continue
        if not len(shown.data.polygons):
            continue
        placement = np.array(instance.matrix_world, dtype=np.float64)
        if owner.name_full not in moving:
            moving[owner.name_full] = is_animated(owner)
        carrier = owner if moving[owner.name_full] else None
        if carrier is not None:
            world = np.array(carrier.evaluated_get(depsgraph).matrix_world, dtype=np.float64)
            placement = np.linalg.pinv(world) @ placement
        if source.name_full not in shapes:
            # Meshes that geometry nodes make out of another object have no shapes of their own.
            own = source.type == "MESH" and not (instance.is_instance and source == owner)
            shapes[source.name_full] = find_deforming(source, context.scene) if own else None
        deforming = shapes[source.name_full]
        mesh = get_mesh_tree(shown.data) if deforming is None else None
        surfaces.append(Surface(owner.name, carrier, mesh, placement, deforming))
    return SceneGround(surfaces, context.scene)


def _expand(
    chosen: Iterable[bpy.types.Object | bpy.types.Collection],
) -> set[bpy.types.Object]:
    """Objects, and those of collections."""
    found: set[bpy.types.Object] = set()
    for item in chosen:
        found |= set(item.all_objects) if isinstance(item, bpy.types.Collection) else {item}
    return found
