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
from mathutils.bvhtree import BVHTree

from ...core.ground.interface import GroundHits, GroundLayers, sort_layers
from ...core.ground.single_casting import BoxCells, SingleCaster
from ...core.maths.fingerprints import NoFingerprintError
from ...core.maths.rotations import FloatArray, invert_matrices
from ...errors import GroundError
from ...notes import Note
from ..limits import SCENE_GROUND, VALUE
from ..values.matrices import sample_world_matrices
from ..values.mesh_trees import MeshTree
from ..values.meshes import MeshShape, make_box_corners
from ..values.scene_state import get_frame_rate
from ..values.visibility import Showing
from .deforming import find_span
from .rays import (
    Aim,
    CasterMeeting,
    Meeting,
    TreeMeeting,
    aim_rays,
    find_slacks,
    find_world_boxes,
    is_flat,
    passes_over,
)
from .surfaces import Leaving, Surface, find_surfaces


class _CarrierPlaces:
    """World matrices of moving objects, sampled once per half frame and kept.

    Parameters
    ----------
    scene
        Whose clock the times are of; it is neither stepped nor changed.
    """

    def __init__(self, carriers: Iterable[bpy.types.Object], scene: bpy.types.Scene) -> None:
        self._scene = scene
        self._rate = get_frame_rate(scene)
        known = {carrier.name_full: carrier for carrier in carriers}
        self._carriers = list(known.values())
        self._rows = {name: row for row, name in enumerate(known)}
        self._samples: dict[int, FloatArray] = {}

    def find_matrices(self, carrier: bpy.types.Object, times: FloatArray) -> FloatArray:
        """World matrices (n, 4, 4) of one of the objects at times (n,), seconds."""
        before, share = self._find_steps(times)
        unique, place = np.unique(np.concatenate([before, before + 1]), return_inverse=True)
        row = self._rows[carrier.name_full]
        table = self._get_samples(unique)[:, row]
        share = share[:, None, None]
        return table[place[: len(times)]] * (1 - share) + table[place[len(times) :]] * share

    def find_rays(
        self,
        carriers: Sequence[bpy.types.Object],
        boxes: FloatArray,
        points: FloatArray,
        times: FloatArray,
    ) -> list[np.ndarray]:
        """Find the rays that may pass over what carriers carry.

        Parameters
        ----------
        boxes
            Lowest and highest corner of what each carries, in its own space, shape (K, 2, 3).
        points
            Where vertical rays start, world, metres, shape (n, 3).
        times
            Of the rays, seconds, shape (n,).

        Returns
        -------
        list of K arrays
            Indices of the rays, all that do among them.
        """
        before, _ = self._find_steps(times)
        rows = [self._rows[carrier.name_full] for carrier in carriers]
        middles, halves = boxes.mean(axis=1), np.ptp(boxes, axis=1) / 2.0
        slack = 2.0 * find_slacks(points)[:, None]
        rays, owners = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
        for step in np.unique(before):
            # Straight between two samples, what is carried stays between its boxes at both.
            axes = self._get_samples(np.array([step, step + 1]))[:, rows, :2]
            middle = np.einsum("skij,kj->ski", axes[..., :3], middles) + axes[..., 3]
            half = np.einsum("skij,kj->ski", np.abs(axes[..., :3]), halves)
            low, high = (middle - half).min(axis=0), (middle + half).max(axis=0)
            at = np.flatnonzero(before == step)
            place, side = points[at, None, :2], slack[at, None]
            over = np.all((place >= low - side) & (place <= high + side), axis=2)
            ray, owner = np.nonzero(over)
            rays.append(at[ray])
            owners.append(owner)
        ray, owner = np.concatenate(rays), np.concatenate(owners)
        order = np.lexsort((ray, owner))
        ends = np.searchsorted(owner[order], np.arange(1, len(carriers)))
        return np.split(ray[order], ends)

    def _find_steps(self, times: FloatArray) -> tuple[np.ndarray, FloatArray]:
        """The sample before each time (n,), and the share of the way to the next."""
        steps = times * (self._rate * SCENE_GROUND.samples_per_frame)
        before = np.floor(np.round(steps, 6)).astype(int)
        return before, np.clip(steps - before, 0.0, 1.0)

    def _get_samples(self, steps: np.ndarray) -> FloatArray:
        """World matrices (s, K, 4, 4) of all K objects at samples (s,)."""
        missing = [int(step) for step in steps if int(step) not in self._samples]
        if missing:
            frames = np.array(missing) / SCENE_GROUND.samples_per_frame
            sampled = sample_world_matrices(self._carriers, frames, self._scene)
            self._check_places(sampled, frames)
            for column, step in enumerate(missing):
                self._samples[step] = sampled[:, column]
        shape = (-1, len(self._carriers), 4, 4)
        return np.array([self._samples[int(step)] for step in steps]).reshape(shape)

    def _check_places(self, matrices: FloatArray, frames: FloatArray) -> None:
        """Raise GroundError where one of the objects has no place by its matrices (K, s, 4, 4)."""
        lost = np.argwhere(~np.all(np.abs(matrices) <= VALUE.farthest, axis=(2, 3)))
        if len(lost):
            item, column = lost[0]
            raise GroundError(
                f"{self._carriers[item].name!r} has no place at frame {frames[column]:g}, where its "
                "transform holds what is no number or too far off",
                "delete the key there, or check its drivers, or leave it out of the ground",
            )


class _Flock:
    """Meshes that one carrier moves, or that all stand still.

    Parameters
    ----------
    surfaces
        Index of each among all surfaces, shape (s,), s >= 1.
    placements
        From each mesh to the carrier, or to the world where they stand still, shape (s, 4, 4).
    """

    def __init__(
        self,
        surfaces: np.ndarray,
        meshes: Sequence[MeshTree],
        placements: FloatArray,
    ) -> None:
        self._surfaces = surfaces
        self._meshes = list(meshes)
        self._placements = placements
        self._corners = np.stack([mesh.corners for mesh in meshes])
        self._extents = np.abs(self._corners).max(axis=(1, 2))
        self._low, self._high = find_world_boxes(placements, self._corners)
        self._solid = ~is_flat(placements)
        self._cells: dict[float, BoxCells] = {}
        still = np.where(self._solid[:, None, None], placements, np.eye(4))
        self._inverses = invert_matrices(still)

    @property
    def box(self) -> FloatArray:
        """Lowest and highest corner of all, in the carrier's space, shape (2, 3)."""
        return np.stack([self._low.min(axis=0), self._high.max(axis=0)])

    def list_aims(
        self,
        rays: np.ndarray,
        points: FloatArray,
        frames: FloatArray | None,
        heights: FloatArray,
    ) -> Iterator[tuple[Aim, np.ndarray, Meeting]]:
        """The rays that pass over the meshes, part by part.

        Parameters
        ----------
        rays
            Indices of the rays that are looked at, shape (c,).
        points
            Where vertical rays start, world, metres, shape (n, 3); their height may be infinite.
        frames
            World matrices of the carrier at the times of these rays, shape (c, 4, 4); None for one
            that stands still.
        heights
            World z of what the rays have met already, shape (n,); read anew for each part.

        Yields
        ------
        aim, surfaces, meeting
            With the surface (r,) of each entry, and what the entries are held against.
        """
        if not self._solid.any():
            return
        for which, members in self._list_pairs(points[rays], frames):
            ray = rays[which]
            if frames is None:
                placements, inverses = self._placements, self._inverses
                low, high = self._low[members], self._high[members]
                over = self._solid[members]
            else:
                placements = frames[which] @ self._placements[members]
                low, high = find_world_boxes(placements, self._corners[members])
                over = ~is_flat(placements)
            over = over & passes_over(points[ray], heights[ray], low, high)
            if not over.any():
                continue
            chosen = members[over]
            if frames is None:
                placements, inverses = placements[chosen], inverses[chosen]
            else:
                placements = placements[over]
                inverses = invert_matrices(placements)
            aim = aim_rays(
                ray[over], points, placements, inverses, high[over, 2], self._extents[chosen]
            )
            stands = frames is None
            yield aim, self._surfaces[chosen], self._meet(aim, chosen, points, stands=stands)

    def _meet(self, aim: Aim, members: np.ndarray, points: FloatArray, *, stands: bool) -> Meeting:
        """Find what entries of members (r,) are held against."""
        order = np.argsort(members, kind="stable")
        first = np.flatnonzero(np.diff(members[order], prepend=-1))
        groups = np.split(order, first[1:])
        if stands and len(groups) <= SCENE_GROUND.most_casters:
            casters = [
                (rows, self._find_caster(members[rows[0]], points[aim.rays[rows], :2]))
                for rows in groups
            ]
            return CasterMeeting([(rows, found) for rows, found in casters if found is not None])
        trees: list[BVHTree | None] = [None] * len(members)
        for rows in groups:
            mesh = self._meshes[members[rows[0]]]
            low, high = mesh.corners[0], mesh.corners[-1]
            if not mesh.is_small:
                low, high = aim.select(rows).find_box(mesh.corners)
            tree = mesh.find_tree(low, high)
            for row in rows.tolist():
                trees[row] = tree
        return TreeMeeting(trees)

    def _find_caster(self, member: int, places: FloatArray) -> SingleCaster | None:
        """The caster of a mesh that stands still for rays at places (n, 2); None without any face."""
        mesh, placement = self._meshes[member], self._placements[member]
        inverse, extent = self._inverses[member], self._extents[member]
        corners = make_box_corners(
            np.append(places.min(axis=0), self._low[member, 2]),
            np.append(places.max(axis=0), self._high[member, 2]),
        )
        box = corners @ inverse[:3, :3].T + inverse[:3, 3]

        def make(shape: MeshShape) -> SingleCaster:
            across = shape.vertices.astype(np.float64) @ placement[:2, :3].T + placement[:2, 3]
            far = float(np.abs(across).max())
            size = extent * float(np.abs(placement[:3, :3]).max())
            slack = SCENE_GROUND.beside * (SCENE_GROUND.lift * size + SCENE_GROUND.single * far)
            return SingleCaster(shape.vertices, shape.triangles, -inverse[:3, 2], across, slack)

        name = ("caster", placement.tobytes())
        found: SingleCaster | None = mesh.find_part(name, box.min(axis=0), box.max(axis=0), make)
        return found

    def find_heights(self, frames: FloatArray | None) -> tuple[float, float]:
        """Lowest and highest world z of all at the carrier's places (f, 4, 4), f >= 2.

        The largest move of each from one place to the next is added on both sides.
        """
        if frames is None:
            return float(self._low[:, 2].min()), float(self._high[:, 2].max())
        low, high = np.inf, -np.inf
        for placement, corners in zip(self._placements, self._corners, strict=True):
            place = corners @ placement[:3, :3].T + placement[:3, 3]
            heights = frames[:, 2, :3] @ place.T + frames[:, 2, 3:]
            move = np.abs(np.diff(heights, axis=0)).max(initial=0.0)
            low, high = min(low, heights.min() - move), max(high, heights.max() + move)
        return float(low), float(high)

    def _list_pairs(
        self, points: FloatArray, frames: FloatArray | None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Rays and members that may meet, all that do among them, in parts of bounded size."""
        places, reach = points[:, :2], 0.0
        rays = np.arange(len(points))
        if frames is not None:
            rays = np.flatnonzero(~is_flat(frames))
            places, reach = self._find_ways(points[rays], frames[rays])
        if len(self._meshes) <= SCENE_GROUND.few_surfaces or not np.isfinite(reach):
            size = max(SCENE_GROUND.most_pairs // len(self._meshes), 1)
            for first in range(0, len(rays), size):
                part = rays[first : first + size]
                members = np.tile(np.arange(len(self._meshes)), len(part))
                yield np.repeat(part, len(self._meshes)), members
            return
        cells = self._get_cells(reach)
        counts = np.cumsum(cells.count_pairs(places))
        part_of = counts // SCENE_GROUND.most_pairs
        for part in np.unique(part_of):
            chosen = np.flatnonzero(part_of == part)
            which, members = cells.find_pairs(places[chosen])
            order = np.lexsort((members, which))
            yield rays[chosen[which[order]]], members[order]

    def _find_ways(self, points: FloatArray, frames: FloatArray) -> tuple[FloatArray, float]:
        """Middles (n, 2) of the ways of rays through the members' heights, in the carrier's xy.

        And how far the longest goes to each side; infinite where one hardly goes down.
        """
        inverses = invert_matrices(frames)
        start = np.where(np.isfinite(points), points, 0.0)
        origins = np.einsum("nij,nj->ni", inverses[:, :3, :3], start) + inverses[:, :3, 3]
        ahead = -inverses[:, :3, 2]
        ends = np.array([self._low[:, 2].min(), self._high[:, 2].max()])
        size = float(np.ptp(self._high[:, :2], axis=0).max(initial=0.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (ends - origins[:, 2:]) / ahead[:, 2:]
            ways = origins[:, None, :2] + shares[:, :, None] * ahead[:, None, :2]
        if not np.isfinite(ways).all():
            return origins[:, :2], np.inf
        reach = float(np.abs(np.diff(ways, axis=1)).max(initial=0.0)) / 2.0
        return ways.mean(axis=1), np.inf if reach > size else reach

    def _get_cells(self, reach: float) -> BoxCells:
        """Cells of the members' boxes, each widened by a reach or up to twice that."""
        # Widened in powers of two, the same cells serve many questions.
        wide = 0.0 if reach == 0.0 else 2.0 ** np.ceil(np.log2(reach))
        if wide not in self._cells:
            sizes = np.maximum(np.abs(self._low), np.abs(self._high)).max(axis=1)
            margin = (wide + 2.0 * SCENE_GROUND.start * (1.0 + sizes))[:, None]
            self._cells[wide] = BoxCells(self._low[:, :2] - margin, self._high[:, :2] + margin)
        return self._cells[wide]


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
        self._places = _CarrierPlaces((s.mover for s in surfaces if s.mover is not None), scene)
        self._flocks = _gather_flocks(self.surfaces)
        self._moving = frozenset(i for i, s in enumerate(surfaces) if s.carrier is not None)
        self.met = np.zeros(len(surfaces), dtype=bool)
        self._deforming = [i for i, s in enumerate(surfaces) if s.deforming is not None]

    def __len__(self) -> int:
        """Number of surfaces; 0 means that a plane has to stand in."""
        return len(self.surfaces)

    def as_fingerprint(self) -> list[object]:
        """Find what tells it from other grounds, see `core.maths.fingerprints`.

        Raises NoFingerprintError: something of it moves, changes its shape, appears or goes.
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
    ) -> Iterator[tuple[bpy.types.Object | None, _Flock, np.ndarray]]:
        """List what moves together, with the rays (c,) that may pass over it while it is shown."""
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
) -> list[tuple[bpy.types.Object | None, Showing | None, _Flock]]:
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
        flock = _Flock(np.array(members), meshes, placements)
        found.append((mover, surfaces[members[0]].showing, flock))
    return found
