# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What drives the shape of a mesh: its modifiers, shape keys and drivers, and what these go by.

Nothing is evaluated, so that no short dip between two looks is missed.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from .. import versions
from ..limits import SCENE_GROUND
from ..values.curves import evaluate_curve
from ..values.matrices import find_mover
from ..values.nla import has_animation, list_playing

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
    item
        The object.
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
