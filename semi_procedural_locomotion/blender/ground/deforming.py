# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose shape changes with time, such as water, trampolines and bending planks.

Their shapes are sampled at whole frames in a scene of their own; simulations, which cannot be
evaluated at any frame on its own, keep the shape of the present frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from ...core.maths.rotations import FloatArray
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..limits import SCENE_GROUND
from ..values.curves import evaluate_curve
from ..values.matrices import find_mover
from ..values.meshes import MeshShape, ShapeReader
from ..values.nla import has_animation, list_playing
from ..values.rendering import open_rendered
from ..values.scene_state import set_frame, temporary_scene

# Modifiers that change a mesh with time by themselves.
_TIMED = {"BUILD", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "OCEAN", "WAVE"}
# Simulations depend on the frames before.
_SIMULATED = {"CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "PARTICLE_SYSTEM", "SOFT_BODY"}
_SCENE_TIME, _SIMULATION = "GeometryNodeInputSceneTime", "GeometryNodeSimulationOutput"


def find_span(scene: bpy.types.Scene, span: tuple[float, float] | None) -> tuple[float, float]:
    """First and last frame of what is walked; of the scene where that is not known."""
    if span is None:
        return float(scene.frame_start), float(scene.frame_end)
    return span


def may_deform(
    item: bpy.types.Object, scene: bpy.types.Scene, span: tuple[float, float] | None = None
) -> bool:
    """Whether the shape of a mesh object may be another at some frame of a walk than now.

    Parameters
    ----------
    scene
        Whose present frame is now.
    span
        First and last frame of the walk; None for those of the scene.
    """
    first, last = find_span(scene, span)
    count = int(min(max(last - first + 1, 1), SCENE_GROUND.most_frames))
    frames = np.append(np.round(np.linspace(first, last, count)), float(scene.frame_current))
    return _Search(frames).deforms(item)


class _Search:
    """A search for what drives a shape.

    Parameters
    ----------
    frames
        Scene frames that count, shape (N,).
    """

    def __init__(self, frames: FloatArray) -> None:
        self._frames = frames
        self._seen: set[bpy.types.ID] = set()

    def deforms(self, item: bpy.types.Object) -> bool:
        """Whether an object's own shape changes; of simulations the present one is taken."""
        if item in self._seen:
            return False
        self._seen.add(item)
        shown = [modifier for modifier in item.modifiers if modifier.show_viewport]
        if any(_is_simulated(modifier) for modifier in shown):
            return False
        keys = getattr(item.data, "shape_keys", None)
        return (
            self._varies(item.data)
            or self._varies(keys)
            or self._varies(item, "modifiers[")
            or any(self._follows(item, modifier) for modifier in shown)
        )

    def _varies(self, block: bpy.types.ID | None, beginning: str = "") -> bool:
        """Whether properties of a data-block change whose paths begin so."""
        data = None if block is None else block.animation_data
        if data is None:
            return False
        if any(driver.data_path.startswith(beginning) for driver in data.drivers):
            return True
        for strip in list_playing(data):
            if strip.action is not None:
                slot = versions.get_strip_slot(strip)
                curves = versions.get_curves(strip.action, slot)
                if any(curve.data_path.startswith(beginning) for curve in curves):
                    return True
        if data.action is None:
            return False
        curves = versions.get_curves(*versions.get_assigned_action(block))
        chosen = [curve for curve in curves if curve.data_path.startswith(beginning)]
        return any(np.ptp(evaluate_curve(curve, self._frames)) != 0.0 for curve in chosen)

    def _follows(self, item: bpy.types.Object, modifier: bpy.types.Modifier) -> bool:
        """Whether a modifier goes by time, or by something that changes."""
        if modifier.type in _TIMED:
            return True
        return any(self._leads(item, block) for block in _list_blocks(modifier))

    def _leads(self, item: bpy.types.Object, block: bpy.types.ID) -> bool:
        """Whether a data-block that a modifier of an object goes by changes."""
        if isinstance(block, bpy.types.Object):
            return self._moves_against(item, block)
        if isinstance(block, bpy.types.Collection):
            return any(self._moves_against(item, each) for each in block.all_objects)
        if isinstance(block, bpy.types.NodeTree):
            return self._flows(item, block)
        return self._varies(block)

    def _moves_against(self, item: bpy.types.Object, other: bpy.types.Object) -> bool:
        """Whether another object moves against an object, or changes its shape or pose."""
        if other == item:
            return False
        if find_mover(other) != find_mover(item):
            return True
        if other.type == "ARMATURE":
            posed = other.pose is not None and any(bone.constraints for bone in other.pose.bones)
            return posed or has_animation(other.animation_data)
        return self.deforms(other)

    def _flows(self, item: bpy.types.Object, tree: bpy.types.NodeTree) -> bool:
        """Whether nodes make another shape with time."""
        if tree in self._seen:
            return False
        self._seen.add(tree)
        if self._varies(tree):
            return True
        for node in tree.nodes:
            if node.bl_idname == _SCENE_TIME:
                return True
            group = getattr(node, "node_tree", None)
            if group is not None and self._flows(item, group):
                return True
            values = (getattr(socket, "default_value", None) for socket in node.inputs)
            blocks = (value for value in values if isinstance(value, bpy.types.ID))
            if any(self._leads(item, block) for block in blocks):
                return True
        return False


def _is_simulated(modifier: bpy.types.Modifier) -> bool:
    """Whether a modifier's result depends on the frames before."""
    if modifier.type == "NODES":
        return modifier.node_group is not None and _simulates(modifier.node_group)
    return modifier.type in _SIMULATED


def _simulates(tree: bpy.types.NodeTree) -> bool:
    """Whether there is a simulation zone among nodes."""
    groups = (getattr(node, "node_tree", None) for node in tree.nodes)
    return any(node.bl_idname == _SIMULATION for node in tree.nodes) or any(
        group is not None and _simulates(group) for group in groups
    )


def _list_blocks(modifier: bpy.types.Modifier) -> Iterator[bpy.types.ID]:
    """Data-blocks that a modifier goes by: its own, and inputs of its nodes."""
    values = [
        getattr(modifier, entry.identifier)
        for entry in modifier.bl_rna.properties
        if entry.type == "POINTER"
    ]
    if modifier.type == "NODES":
        values += [modifier[name] for name in modifier.keys()]  # noqa: SIM118 - no dict
    yield from (value for value in values if isinstance(value, bpy.types.ID))


class _Part(NamedTuple):
    """Triangles of one shape that lie in a box of the mesh's space."""

    low: FloatArray
    high: FloatArray
    tree: BVHTree | None


class DeformingMesh:
    """The shapes of one mesh object over time.

    Frames at which the shape is the same as at the last one that was read share it, and its tree.
    Shapes are kept as far as they take little memory, and evaluated again beyond that. Trees are
    built only of what lies around the rays asked for: a walk is at one place at a time.

    Parameters
    ----------
    scene
        Whose frames are meant; it is neither stepped nor changed.
    as_rendered
        Whether it is meant as renders show it, in place of the view.
    """

    def __init__(
        self, item: bpy.types.Object, scene: bpy.types.Scene, *, as_rendered: bool = False
    ) -> None:
        self._item, self._scene, self._as_rendered = item, scene, as_rendered
        self._shapes: dict[int, MeshShape | None] = {}
        self._size = 0
        self._reader = ShapeReader()
        self._triangle_count = 0
        self._corners: dict[int, FloatArray | None] = {}
        self._parts: dict[int, _Part] = {}
        self._latest: MeshShape | None = None
        self._built: tuple[MeshShape, _Part] | None = None
        self._shape_count = 0
        self._lost = 0

    @property
    def cost(self) -> tuple[int, int]:
        """Triangles of the shape that was read last, and shapes that were read one after the other."""
        return self._triangle_count, self._shape_count

    @property
    def lost(self) -> int:
        """Vertices without a place in the worst of the shapes that were read."""
        return self._lost

    def find_corners(self, frames: Sequence[int]) -> list[FloatArray | None]:
        """Corners (8, 3) of the bounding boxes at whole frames, mesh space; None without faces."""
        self._read([frame for frame in frames if frame not in self._corners], lambda *_: None)
        return [self._corners[frame] for frame in frames]

    def list_corners(self, frames: FloatArray) -> FloatArray:
        """Corners of the bounding boxes at frames (N,), which are rounded, mesh space, (N, 8, 3).

        Where the mesh has no faces, it is the box of another frame.
        """
        boxes = self.find_corners([round(frame) for frame in frames.tolist()])
        spare = next((box for box in boxes if box is not None), np.zeros((8, 3)))
        return np.stack([spare if box is None else box for box in boxes])

    def find_trees(
        self, boxes: Mapping[int, tuple[FloatArray, FloatArray]]
    ) -> dict[int, BVHTree | None]:
        """Trees of the shapes at whole frames.

        Parameters
        ----------
        boxes
            By frame the lowest and highest corner (3,) of what is asked for, mesh space.

        Returns
        -------
        dict
            By frame a tree with all triangles that touch its box, and maybe others; None where
            there are none.
        """

        def build(frame: int, shape: MeshShape | None) -> None:
            self._parts[frame] = self._build_part(frame, shape, *boxes[frame])

        missing = [f for f, box in boxes.items() if not _covers(self._parts.get(f), *box)]
        self._read(missing, build)
        return {frame: self._parts[frame].tree for frame in boxes}

    def _build_part(
        self, frame: int, shape: MeshShape | None, low: FloatArray, high: FloatArray
    ) -> _Part:
        """The part of a frame's shape in a box and around it, and in the box of the part before."""
        corners = self._corners[frame]
        if shape is None or corners is None:
            return _Part(np.full(3, -np.inf), np.full(3, np.inf), None)
        if (
            self._built is not None
            and self._built[0] is shape
            and _covers(self._built[1], low, high)
        ):
            return self._built[1]
        if len(shape.triangles) <= SCENE_GROUND.few_triangles:
            part = _Part(np.full(3, -np.inf), np.full(3, np.inf), shape.build_tree())
            self._built = shape, part
            return part
        before = self._parts.get(frame)
        if before is not None:
            low, high = np.minimum(low, before.low), np.maximum(high, before.high)
        margin = max(
            SCENE_GROUND.around_mesh * np.ptp(corners, axis=0).max(),
            SCENE_GROUND.around_rays * (high - low).max(),
        )
        low, high = low - margin, high + margin
        chosen = shape.select(low, high)
        part = _Part(low, high, None if chosen is None else chosen.build_tree())
        self._built = shape, part
        return part

    def _read(self, frames: Sequence[int], use: Callable[[int, MeshShape | None], object]) -> None:
        """Have shapes used one by one, those that are not kept evaluated in a scene of their own."""
        unknown = []
        for frame in sorted(set(frames)):
            if frame in self._shapes:
                use(frame, self._shapes[frame])
            else:
                unknown.append(frame)
        if not unknown:
            return
        with self._open() as (stage, item):
            for frame in unknown:
                set_frame(stage, frame)
                shown = item.evaluated_get(stage.view_layers[0].depsgraph)
                shape = self._keep(frame, self._reader.read(shown.data))
                use(frame, shape)

    @contextmanager
    def _open(self) -> Iterator[tuple[bpy.types.Scene, bpy.types.Object]]:
        """A scene of its own that shows the mesh, and the object that it shows."""
        if self._as_rendered:
            with open_rendered(self._item, self._scene) as opened:
                yield opened
            return
        with temporary_scene(self._scene) as stage:
            stage.collection.objects.link(self._item)
            yield stage, self._item

    def _keep(self, frame: int, shape: MeshShape | None) -> MeshShape | None:
        """Keep a shape while there is room, in any case its bounding box; the same shape."""
        if shape is not None:
            self._triangle_count = len(shape.triangles)
            self._lost = max(self._lost, shape.lost)
        size = 0 if shape is None else shape.vertices.nbytes
        if _is_same(self._latest, shape):
            shape, size = self._latest, 0
        else:
            self._latest = shape
            self._shape_count += 1
        self._corners[frame] = None if shape is None else shape.find_corners()
        if self._size + size <= SCENE_GROUND.most_bytes:
            self._size += size
            self._shapes[frame] = shape
        return shape


def find_deforming(
    item: bpy.types.Object,
    scene: bpy.types.Scene,
    span: tuple[float, float] | None = None,
    *,
    as_rendered: bool = False,
) -> DeformingMesh | None:
    """The shapes of a mesh object over time, None where nothing drives its shape within a walk.

    Parameters
    ----------
    scene
        Whose frames are meant.
    span
        First and last frame of the walk; None for those of the scene.
    as_rendered
        As of `DeformingMesh`.
    """
    if not may_deform(item, scene, span):
        return None
    return DeformingMesh(item, scene, as_rendered=as_rendered)


def note_heavy_shapes(meshes: Iterable[tuple[str, DeformingMesh]]) -> list[Note]:
    """A note of every mesh, by its name, whose shapes take long to read."""
    notes = {}
    for name, mesh in meshes:
        triangles, frames = mesh.cost
        if triangles * frames > SCENE_GROUND.heavy:
            notes[name] = make_note(
                NoteKind.GROUND_HEAVY, ground=name, triangles=triangles, frames=frames
            )
    return list(notes.values())


def note_broken_shapes(meshes: Iterable[tuple[str, DeformingMesh]]) -> list[Note]:
    """A note of every mesh, by its name, some of whose vertices had no place in a shape."""
    lost = {name: mesh.lost for name, mesh in meshes if mesh.lost}
    return [
        make_note(NoteKind.GROUND_BROKEN, ground=name, vertices=count)
        for name, count in lost.items()
    ]


def _covers(part: _Part | None, low: FloatArray, high: FloatArray) -> bool:
    """Whether a part that is kept has all of a box."""
    return part is not None and bool((part.low <= low).all() and (high <= part.high).all())


def _is_same(first: MeshShape | None, second: MeshShape | None) -> bool:
    """Whether two shapes have the same vertices and triangles."""
    if first is None or second is None:
        return first is second
    return np.array_equal(first.vertices, second.vertices) and np.array_equal(
        first.triangles, second.triangles
    )
