# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes whose shape changes with time, such as water, trampolines and bending planks.

Their shapes are sampled at whole frames in a scene of their own; simulations, which cannot be
evaluated at any frame on its own, keep the shape of the present frame.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from .matrices import is_animated
from .meshes import MeshTree, get_mesh_tree
from .nla import has_animation
from .scene_state import set_frame, temporary_scene

# Modifiers that change a mesh with time by themselves.
_TIMED = {"BUILD", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "OCEAN", "WAVE"}
# Simulations depend on the frames before.
_SIMULATED = {"CLOTH", "DYNAMIC_PAINT", "EXPLODE", "FLUID", "PARTICLE_SYSTEM", "SOFT_BODY"}
# Frames at which shapes are compared, to tell whether they change at all.
_LOOKS = 5


class DeformingMesh:
    """The shapes of one mesh object over time.

    Parameters
    ----------
    item
        The mesh object.
    scene
        Whose frames are meant; it is neither stepped nor changed.
    """

    def __init__(self, item: bpy.types.Object, scene: bpy.types.Scene) -> None:
        self._item = item
        self._scene = scene
        self._trees: dict[int, MeshTree | None] = {}

    def sample(self, frames: Sequence[int]) -> list[MeshTree | None]:
        """Trees of the mesh at whole frames; None where it has no faces."""
        missing = sorted({int(frame) for frame in frames} - self._trees.keys())
        if missing:
            with temporary_scene(self._scene) as stage:
                stage.collection.objects.link(self._item)
                for frame in missing:
                    set_frame(stage, frame)
                    shown = self._item.evaluated_get(stage.view_layers[0].depsgraph)
                    self._trees[frame] = get_mesh_tree(shown.data)
        return [self._trees[int(frame)] for frame in frames]


def find_deforming(item: bpy.types.Object, scene: bpy.types.Scene) -> DeformingMesh | None:
    """The shapes of a mesh object over time, None where its shape stays within the scene's range."""
    if not _may_deform(item):
        return None
    mesh = DeformingMesh(item, scene)
    looks = np.linspace(scene.frame_start, scene.frame_end, _LOOKS)
    first, *others = mesh.sample([round(frame) for frame in looks])
    # Equal shapes share one tree.
    return mesh if any(other is not first for other in others) else None


def _may_deform(item: bpy.types.Object) -> bool:
    """Whether the shape of a mesh object may change with time, without a look at it."""
    modifiers = [m for m in item.modifiers if m.show_viewport]
    if any(m.type in _SIMULATED for m in modifiers):
        return False
    keys = item.data.shape_keys
    if has_animation(item.data.animation_data) or (
        keys is not None and has_animation(keys.animation_data)
    ):
        return True
    return bool(modifiers) and (
        has_animation(item.animation_data) or any(map(_follows_time, modifiers))
    )


def _follows_time(modifier: bpy.types.Modifier) -> bool:
    """Whether a modifier may do something else at another frame."""
    if modifier.type in _TIMED:
        return True
    if modifier.type == "NODES":
        group = modifier.node_group
        return group is not None and (
            has_animation(group.animation_data)
            or any(n.bl_idname.endswith("SceneTime") for n in group.nodes)
        )
    pointers = (p.identifier for p in modifier.bl_rna.properties if p.type == "POINTER")
    targets = (getattr(modifier, name) for name in pointers)
    return any(isinstance(t, bpy.types.Object) and is_animated(t) for t in targets)
