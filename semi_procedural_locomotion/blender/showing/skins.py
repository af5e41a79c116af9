# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet as Blender shows their meshes, with every modifier, shape key, constraint and driver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.report.shown import FootPoints, PosedBones
from ...core.rig.hulls import list_directions
from ...core.rig.structure import Rig
from ..limits import SHOWN_SKINS
from ..reading.foot_skins import find_foot_meshes
from ..reading.meshes import read_positions
from ..values.scene_state import set_frame, temporary_scene
from ..values.visibility import Showing, find_showings


class _SkinPart:
    """A mesh object, or one that shows a collection, that may have places of feet.

    Parameters
    ----------
    item
        The object.
    bone
        The bone that it goes after as a whole; None where its vertices are weighted.
    showing
        When it is shown.
    legs
        Count of the legs.
    """

    def __init__(
        self, item: bpy.types.Object, bone: str | None, showing: Showing, legs: int
    ) -> None:
        self.item, self.bone, self.showing = item, bone, showing
        held = item.instance_collection
        shown = [] if held is None else [other.name for other in held.all_objects]
        self.name = next(iter(shown), item.name)
        self.chosen = [np.zeros(0, dtype=np.intp) for _ in range(legs)]
        self._owners: list[str] | None = None

    def read(self, stage: bpy.types.Scene, frame: float) -> FloatArray | None:
        """Its vertices as they are shown, world, shape (V, 3); None where it is hidden."""
        if not self.showing.is_viewed(np.array([frame]))[0]:
            return None
        clouds = [
            read_positions(mesh) @ matrix[:3, :3].T + matrix[:3, 3]
            for mesh, matrix in self._list_shown(stage)
        ]
        return np.concatenate(clouds) if clouds else None

    def list_owners(self, stage: bpy.types.Scene) -> list[str]:
        """Name of the group that has most of each vertex, empty for none."""
        if self._owners is None:
            names = [group.name for group in self.item.vertex_groups]
            self._owners = [
                names[max(v.groups, key=lambda g: g.weight).group] if v.groups else ""
                for mesh, _ in self._list_shown(stage)
                for v in mesh.vertices
            ]
        return self._owners

    def _list_shown(self, stage: bpy.types.Scene) -> Iterator[tuple[bpy.types.Mesh, FloatArray]]:
        """Meshes of the object and of what it shows, with their world matrices (4, 4)."""
        graph = stage.view_layers[0].depsgraph
        if self.item.type == "MESH":
            seen = self.item.evaluated_get(graph)
            yield seen.data, np.array(seen.matrix_world)
            return
        for shown in graph.object_instances:
            owner = shown.parent.original if shown.is_instance and shown.parent else None
            if owner == self.item and shown.object.type == "MESH":
                yield shown.object.data, np.array(shown.matrix_world)


def sample_shown_feet(
    armature: bpy.types.Object,
    rig: Rig,
    bones: PosedBones,
    frames: FloatArray,
    scene: bpy.types.Scene,
) -> tuple[FootPoints | None, ...]:
    """Places of each foot that touch first, as its meshes are shown.

    Of each mesh those vertices are looked at that are the furthest of all in some direction towards the
    ground, in any of some frames.

    Parameters
    ----------
    armature, rig
        The character.
    bones
        What is shown of its bones at N frames.
    frames
        Scene frames, shape (N,).
    scene
        Gives the clock and what is shown; it is neither stepped nor changed.

    Returns
    -------
    tuple of FootPoints or None
        One of each leg; None where it shows no mesh.
    """
    feet = list_foot_bones(rig)
    found = find_foot_meshes(armature, rig.skeleton, feet)
    span = (float(frames[0]), float(frames[-1]))
    showings = find_showings([item for item, _ in found], bpy.context, span)
    parts = [
        _SkinPart(item, bone, showings[item], len(feet))
        for item, bone in found
        if showings[item].viewed.any()
    ]
    with _open_stage(armature, [part.item for part in parts], scene) as stage:
        count = min(SHOWN_SKINS.chosen_at, len(frames))
        hulls = [bones.place_hull(rig, leg) for leg in range(len(feet))]
        read: dict[int, list[FloatArray | None]] = {}
        for row in np.unique(np.linspace(0, len(frames) - 1, count).astype(np.intp)).tolist():
            set_frame(stage, float(frames[row]))
            read[row] = [part.read(stage, float(frames[row])) for part in parts]
            for part, points in zip(parts, read[row], strict=True):
                _choose(part, points, feet, [hull[row] for hull in hulls], rig, stage)
        used = [number for number, part in enumerate(parts) if any(map(len, part.chosen))]
        clouds = []
        for row, frame in enumerate(frames.tolist() if used else ()):
            if row in read:
                clouds.append([read[row][number] for number in used])
                continue
            set_frame(stage, frame)
            clouds.append([parts[number].read(stage, frame) for number in used])
        parts = [parts[number] for number in used]
    return tuple(_join(parts, clouds, leg, rig, bones) for leg in range(len(feet)))


def list_foot_bones(rig: Rig) -> list[frozenset[str]]:
    """Names of the bones of each foot: the ankle and all below it."""
    skeleton, found = rig.skeleton, []
    for leg in rig.legs:
        bones: set[int] = set()
        for bone in (leg.ankle, leg.ankle if leg.toe is None else leg.toe):
            bones |= {bone, *skeleton.find_descendants(bone)}
        found.append(frozenset(skeleton.names[bone] for bone in bones))
    return found


def list_shown_feet(armature: bpy.types.Object, rig: Rig) -> list[str]:
    """Names of the objects that show the feet of a character, in order."""
    found = find_foot_meshes(armature, rig.skeleton, list_foot_bones(rig))
    return sorted(item.name for item, _ in found)


@contextmanager
def _open_stage(
    armature: bpy.types.Object, items: Sequence[bpy.types.Object], scene: bpy.types.Scene
) -> Iterator[bpy.types.Scene]:
    """A scene in which a character and meshes are evaluated as in another, hidden there or not."""
    with temporary_scene(scene) as stage, ExitStack() as closing:
        for name in ("frame_map_old", "frame_map_new", "use_simplify", "simplify_subdivision"):
            setattr(stage.render, name, getattr(scene.render, name))
        for item in (armature, *items):
            stage.collection.objects.link(item)
            if item.hide_viewport:
                item.hide_viewport = False
                closing.callback(setattr, item, "hide_viewport", True)
        yield stage


def _choose(
    part: _SkinPart,
    points: FloatArray | None,
    feet: Sequence[frozenset[str]],
    hulls: Sequence[FloatArray],
    rig: Rig,
    stage: bpy.types.Scene,
) -> None:
    """Add the vertices of a part that touch first in a frame, where its points (V, 3) are shown."""
    if points is None or not len(points):
        return
    owners = [part.bone] * len(points) if part.bone else part.list_owners(stage)
    if len(owners) != len(points):
        return
    # What no bone of a foot moves, but of a leg or none, is part of it where it lies under its hull.
    loose = np.array([owner not in rig.skeleton.names for owner in owners])
    for leg, (bones, hull) in enumerate(zip(feet, hulls, strict=True)):
        ridden = {rig.skeleton.names[bone] for bone in rig.hulls[leg].ridden}
        beside = loose | np.array([owner in ridden for owner in owners])
        low, high = hull.min(axis=0), hull.max(axis=0)
        under = (points[:, :2] >= low[:2]).all(axis=1) & (points <= high).all(axis=1)
        own = np.array([owner in bones for owner in owners])
        ids = np.flatnonzero(own | (beside & under))
        if len(ids):
            lowest = ids[(points[ids] @ _DIRECTIONS.T).argmax(axis=0)]
            part.chosen[leg] = np.union1d(part.chosen[leg], lowest)


def _join(
    parts: Sequence[_SkinPart],
    clouds: Sequence[Sequence[FloatArray | None]],
    leg: int,
    rig: Rig,
    bones: PosedBones,
) -> FootPoints | None:
    """What was chosen of a foot in all parts, whose vertices are known at each frame."""
    total = sum(len(part.chosen[leg]) for part in parts)
    points, shown = np.zeros((len(clouds), total, 3)), np.zeros((len(clouds), total), dtype=bool)
    first, names = 0, np.repeat([p.name for p in parts], [len(p.chosen[leg]) for p in parts])
    for number, part in enumerate(parts):
        ids = part.chosen[leg]
        columns = slice(first, first + len(ids))
        first += len(ids)
        for row, seen in enumerate(clouds):
            cloud = seen[number]
            if cloud is not None and len(ids) and ids[-1] < len(cloud):
                points[row, columns], shown[row, columns] = cloud[ids], True
    rows = shown.any(axis=0)
    if not rows.any():
        return None
    points, shown = points[:, rows], shown[:, rows]
    along = _lay_along(rig, leg, bones, points, shown)
    return FootPoints(points, shown, along, tuple(names[rows].tolist()))


def _lay_along(
    rig: Rig, leg: int, bones: PosedBones, points: FloatArray, shown: np.ndarray
) -> FloatArray:
    """Where points (N, P, 3) lie on a foot from heel to toe, metres, when they are shown first, (P,)."""
    (ankle,) = bones.find_columns([rig.skeleton.names[rig.legs[leg].ankle]])
    rows, columns = shown.argmax(axis=0), np.arange(points.shape[1])
    x = rot.matrices_from_quaternions(rig.hulls[leg].frame)[:, 0]
    ways = bones.axes[rows, ankle] @ x
    return np.sum((points[rows, columns] - bones.positions[rows, ankle]) * ways, axis=1)


# Towards the ground, all about, and level.
_DIRECTIONS = list_directions([-slope for slope in SHOWN_SKINS.slopes], SHOWN_SKINS.about)
