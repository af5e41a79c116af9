# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene's meshes as ground.

Vertical rays are taken into each mesh's own space and their hits back to the world, so one tree
serves all copies of a mesh however they are scaled, sheared or moved. Placements are those of the
times asked for, and so are the shapes of meshes that deform; other shapes are those of the frame at
which the ground was built.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence

import bpy
import numpy as np

from ...core.ground.interface import GroundHits, GroundLayers, sort_layers
from ...core.maths.fingerprints import NoFingerprintError
from ...core.maths.matrices import invert_matrices
from ...core.maths.rotations import FloatArray
from ...notes import Note
from ..limits import SCENE_GROUND
from ..values.scene_state import get_frame_rate
from ..values.visibility import Showing
from .carriers import CarrierPlaces
from .driving import find_span
from .flocks import Flock
from .leaving import Leaving
from .rays import (
    Aim,
    Meeting,
    TreeMeeting,
    aim_rays,
    find_world_boxes,
    is_flat,
    passes_over,
)
from .surfaces import Surface, find_surfaces


class SceneGround:
    """Ground made of meshes; implements `core.ground.Ground`.

    Parameters
    ----------
    surfaces
        Everything that can be walked on; hits name surfaces by their index here.
    scene
        Whose clock the times are of: seconds are frames over frame rate.
    span
        First and last frame of what is walked; None for those of the scene.
    faults
        What is told of objects that cannot be walked on.

    Attributes
    ----------
    surfaces, faults
        As given.
    whole
        The ground before surfaces were left out of it that are no ground to walk on; mostly itself.
    met
        Which surfaces were hit from above, shape (s,) of bool.
    """

    def __init__(
        self,
        surfaces: Sequence[Surface],
        scene: bpy.types.Scene,
        span: tuple[float, float] | None = None,
        faults: tuple[Note, ...] = (),
    ) -> None:
        self.surfaces = tuple(surfaces)
        self.faults = faults
        self.whole = self
        self._scene = scene
        self._span = span
        self._rate = get_frame_rate(scene)
        self._places = CarrierPlaces((s.mover for s in surfaces if s.mover is not None), scene)
        self._flocks = _gather_flocks(self.surfaces)
        self._moving = frozenset(i for i, s in enumerate(surfaces) if s.carrier is not None)
        self.met = np.zeros(len(surfaces), dtype=bool)
        self._deforming = [i for i, s in enumerate(surfaces) if s.deforming is not None]

    def __len__(self) -> int:
        """Number of surfaces; 0 means that a plane has to stand in."""
        return len(self.surfaces)

    def as_fingerprint(self) -> list[object]:
        """What tells it from other grounds, see `core.maths.fingerprints`.

        Raises
        ------
        NoFingerprintError
            Something of it moves, changes its shape, appears or goes.
        """
        appears = any(surface.showing is not None for surface in self.surfaces)
        if self._moving or self._deforming or appears:
            raise NoFingerprintError("ground that moves or appears is more than its shape")
        found: list[object] = [] if self.whole is self else [self.whole]
        placements = np.stack([surface.placement for surface in self.surfaces] or [np.eye(4)])
        names = [(s.name, s.source, "" if s.mesh is None else s.mesh.key) for s in self.surfaces]
        return [*found, self._rate, names, placements]

    def mark_met(self) -> dict[str, str]:
        """A mark of the shape, place and showing of each surface that was hit, by its name."""
        found: dict[str, str] = {}
        for index in np.flatnonzero(self.met).tolist():
            surface = self.surfaces[index]
            digest = hashlib.blake2b(np.round(surface.placement, 6).tobytes(), digest_size=6)
            shape = "" if surface.mesh is None else surface.mesh.key
            digest.update(f"{found.get(surface.name)} {shape}".encode())
            if surface.showing is not None:
                digest.update(surface.showing.viewed.tobytes())
            found[surface.name] = digest.hexdigest()
        return found

    def leave_out(self, indices: Iterable[int]) -> SceneGround:
        """The same ground without some surfaces; its ``whole`` is the one that has them all."""
        gone = set(indices)
        kept = [surface for index, surface in enumerate(self.surfaces) if index not in gone]
        ground = SceneGround(kept, self._scene, self._span, self.faults)
        ground.whole = self.whole
        return ground

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
            The highest hit among all surfaces; of equal ones the first surface's.
        """
        points = np.asarray(points, dtype=np.float64)
        times = np.broadcast_to(np.asarray(times, dtype=np.float64), points.shape[:1])
        found = points.copy()
        normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
        surfaces = np.full(len(points), -1, dtype=np.intp)
        heights = np.full(len(points), -np.inf)
        for aim, owners, meeting in self._list_aims(points, times, heights):
            hits = meeting.cast_first(aim, points, heights)
            rays, owner = aim.rays[hits.entries], owners[hits.entries]
            height = hits.points[:, 2]
            higher = (height > heights[rays]) | (
                (height == heights[rays]) & (owner < surfaces[rays])
            )
            rays = rays[higher]
            found[rays], normals[rays] = hits.points[higher], hits.normals[higher]
            heights[rays], surfaces[rays] = height[higher], owner[higher]
        self.met[surfaces[surfaces >= 0]] = True
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
        for aim, owners, meeting in self._list_aims(points, times, heights):
            hits = meeting.cast_through(aim, points)
            rays, owner = aim.rays[hits.entries], owners[hits.entries]
            parts.append((rays, hits.points[:, 2], owner, hits.normals[:, 2] > 0))
        rays, found, surfaces, upwards = (np.concatenate(p) for p in zip(*parts, strict=True))
        order = np.argsort(surfaces, kind="stable")
        return sort_layers(rays[order], found[order], surfaces[order], upwards[order])

    def find_distance(self, places: FloatArray, time: float) -> float:
        """Metres, seen from above, from places (n, 3) to the box of the nearest surface at a time.

        What changes its shape counts as near.
        """
        if not self.surfaces or self._deforming:
            return 0.0
        times, distance = np.array([time]), np.inf
        for surface in self.surfaces:
            if surface.mesh is not None:
                placements = self.find_placements(surface, times)
                low, high = find_world_boxes(placements, surface.mesh.corners)
                apart = np.maximum(low[:, :2] - places[:, :2], places[:, :2] - high[:, :2])
                apart = np.maximum(apart, 0.0)
                distance = min(distance, float(np.hypot(apart[:, 0], apart[:, 1]).min()))
        return distance

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
        frames = self.find_frames(chosen.mover, times)
        if frames is None:
            return np.broadcast_to(chosen.placement, (len(times), 4, 4))
        return frames if chosen.carrier == chosen.mover else frames @ chosen.seat

    def find_frames(self, mover: bpy.types.Object | None, times: FloatArray) -> FloatArray | None:
        """World matrices (n, 4, 4) of what moves a surface at times (n,); None where nothing does."""
        return None if mover is None else self._places.find_matrices(mover, times)

    def find_placements(self, surface: Surface, times: FloatArray) -> FloatArray:
        """Matrices (n, 4, 4) from the mesh of a surface to the world at times (n,)."""
        frames = self.find_frames(surface.mover, times)
        if frames is None:
            return np.broadcast_to(surface.placement, (len(times), 4, 4))
        return frames @ surface.placement

    def height_limits(self) -> tuple[float, float]:
        """Lowest and highest world z that any surface reaches, metres; 0, 0 without surfaces.

        Moving surfaces are looked at over the frames that are walked, and the largest move between two
        looks is added on both sides.
        """
        first, last = find_span(self._scene, self._span)
        count = int(min(last - first + 1, SCENE_GROUND.most_looks))
        frames = np.round(np.linspace(first, last, max(count, 2)))
        limits = []
        for mover, _, flock in self._flocks:
            limits.append(flock.find_heights(self.find_frames(mover, frames / self._rate)))
        for index in self._deforming:
            surface = self.surfaces[index]
            shapes = surface.deforming
            if shapes is None:
                continue
            placements = self.find_placements(surface, frames / self._rate)
            corners = shapes.list_corners(frames)
            heights = np.einsum("nj,ncj->nc", placements[:, 2, :3], corners) + placements[:, 2, 3:]
            move = np.abs(np.diff(heights, axis=0)).max(initial=0.0)
            limits.append((float(heights.min() - move), float(heights.max() + move)))
        if not limits:
            return 0.0, 0.0
        return min(low for low, _ in limits), max(high for _, high in limits)

    def name_surface(self, surface: int) -> str:
        """Name of the object that shows a surface."""
        return self.surfaces[surface].name

    def moving_surfaces(self) -> frozenset[int]:
        """Surfaces whose frames may change over time."""
        return self._moving

    def list_small(self, size: float) -> list[Surface]:
        """Surfaces that were hit from above and that extend less than a size to every side.

        Sizes are metres as seen from above at the scene's present frame. What changes its shape does
        not count.
        """
        now = np.array([self._scene.frame_current / self._rate])
        found = []
        for index in np.flatnonzero(self.met).tolist():
            surface = self.surfaces[index]
            if surface.mesh is not None:
                placements = self.find_placements(surface, now)
                low, high = find_world_boxes(placements, surface.mesh.corners)
                if (high - low)[0, :2].max() < size:
                    found.append(surface)
        return found

    def _list_aims(
        self, points: FloatArray, times: FloatArray, heights: FloatArray
    ) -> Iterator[tuple[Aim, np.ndarray, Meeting]]:
        """Rays at surfaces whose boxes they pass, with the surface of each entry and what it meets.

        What the rays have met already, world z (n,), is read anew for each part.
        """
        for mover, flock, rays in self._list_flocks(points, times):
            frames = self.find_frames(mover, times[rays])
            yield from flock.list_aims(rays, points, frames, heights)
        for index in self._deforming:
            yield from self._aim_at_shapes(index, points, times, heights)

    def _list_flocks(
        self, points: FloatArray, times: FloatArray
    ) -> Iterator[tuple[bpy.types.Object | None, Flock, np.ndarray]]:
        """What moves together, with the rays (c,) that may pass over it while it is shown."""
        moving = [row for row in self._flocks if row[0] is not None]
        few = len(moving) <= SCENE_GROUND.few_surfaces
        everything = np.arange(len(points))
        passing = [(row, everything) for row in self._flocks if row[0] is None or few]
        if not few:
            boxes = np.stack([flock.box for _, _, flock in moving])
            movers = [mover for mover, _, _ in moving if mover is not None]
            found = self._places.find_rays(movers, boxes, points, times)
            passing += zip(moving, found, strict=True)
        for (mover, showing, flock), rays in passing:
            if showing is not None:
                rays = rays[showing.is_viewed(times[rays] * self._rate)]
            if len(rays):
                yield mover, flock, rays

    def _aim_at_shapes(
        self, index: int, points: FloatArray, times: FloatArray, heights: FloatArray
    ) -> Iterator[tuple[Aim, np.ndarray, Meeting]]:
        """Rays at a mesh that deforms, frame by frame."""
        surface = self.surfaces[index]
        shapes = surface.deforming
        if shapes is None:
            return
        frames = np.round(times * self._rate).astype(int)
        unique = np.unique(frames).tolist()
        placements = self.find_placements(surface, times)
        shown = surface.find_shown(times * self._rate)
        aims, boxes = {}, {}
        for frame, corners in zip(unique, shapes.find_corners(unique), strict=True):
            if corners is None:
                continue
            rays = np.flatnonzero((frames == frame) & shown & ~is_flat(placements))
            low, high = find_world_boxes(placements[rays], corners)
            over = passes_over(points[rays], heights[rays], low, high)
            if not over.any():
                continue
            rays, tops = rays[over], high[over, 2]
            extents = np.full(len(rays), np.abs(corners).max())
            inverses = invert_matrices(placements[rays])
            aims[frame] = aim_rays(rays, points, placements[rays], inverses, tops, extents)
            boxes[frame] = aims[frame].find_box(corners)
        trees = shapes.find_trees(boxes)
        for frame, aim in aims.items():
            tree = trees[frame]
            if tree is not None:
                count = len(aim.rays)
                yield aim, np.full(count, index), TreeMeeting([tree] * count)


def build_ground(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object | bpy.types.Collection] | None = None,
    exclude: Iterable[bpy.types.Object | bpy.types.Collection] = (),
    leaving: Leaving | None = None,
    span: tuple[float, float] | None = None,
    *,
    as_rendered: bool = False,
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
        Further objects and collections that are no ground. An armature stands for its whole character.
    leaving
        What is left out besides; None for nothing.
    span
        First and last frame of what is walked; None for those of the scene.
    as_rendered
        Whether it is the ground of renders, in place of that of the view.

    Returns
    -------
    SceneGround
        Without any set-up character, its meshes and its footsteps, and without custom shapes of bones;
        maybe empty. An instance moves with the object that makes it.
    """
    surfaces, faults = find_surfaces(
        context, objects, exclude, leaving or Leaving(), span, as_rendered=as_rendered
    )
    return SceneGround(surfaces, context.scene, span, faults)


def _gather_flocks(
    surfaces: Sequence[Surface],
) -> list[tuple[bpy.types.Object | None, Showing | None, Flock]]:
    """Surfaces that keep their shape, by what moves them and when they are shown."""
    groups: dict[tuple[bpy.types.Object | None, bytes], list[int]] = {}
    for index, surface in enumerate(surfaces):
        if surface.mesh is not None:
            shown = b"" if surface.showing is None else surface.showing.viewed.tobytes()
            groups.setdefault((surface.mover, shown), []).append(index)
    found = []
    for (mover, _), members in groups.items():
        meshes = [mesh for i in members if (mesh := surfaces[i].mesh) is not None]
        placements = np.stack([surfaces[i].placement for i in members])
        flock = Flock(np.array(members), meshes, placements)
        found.append((mover, surfaces[members[0]].showing, flock))
    return found
