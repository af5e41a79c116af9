# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks read back: what the keys really show, and what the character was before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...errors import BakeError
from .. import versions
from ..values.bake_record import BakeRecord, find_playing_action, is_bake, read_record
from ..values.bake_strips import strip_lifted
from ..values.components import read_component, write_component
from ..values.scene_state import set_frame, temporary_scene


def read_bake(armature: bpy.types.Object) -> BakeRecord:
    """What the bake that an armature plays remembers.

    Raises
    ------
    BakeError
        It plays none.
    """
    action, _ = find_playing_action(armature)
    if action is None or not is_bake(action):
        raise BakeError(f"{armature.name!r} plays no baked walk: bake one first")
    return read_record(action)


def sample_world_poses(
    armature: bpy.types.Object, names: Sequence[str], frames: FloatArray, scene: bpy.types.Scene
) -> tuple[FloatArray, FloatArray]:
    """World poses of bones as Blender shows them: keys, strips, constraints, parents and all.

    Parameters
    ----------
    armature
        The armature object.
    names
        Names of the K bones to read.
    frames
        Scene frames, shape (N,).
    scene
        Gives the clock; it is neither stepped nor changed.

    Returns
    -------
    rotations, positions
        World, metres, shapes (N, K, 4) and (N, K, 3). Rotations are those of the axes freed of
        scale, Y kept.
    """
    bones = armature.pose.bones
    order = np.array([bones.find(name) for name in names], dtype=np.intp)
    flat = np.empty(16 * len(bones), dtype=np.float32)
    matrices = np.empty((len(frames), len(order), 4, 4))
    with temporary_scene(scene) as stage:
        stage.collection.objects.link(armature)
        for index, frame in enumerate(frames):
            set_frame(stage, float(frame))
            shown = armature.evaluated_get(stage.view_layers[0].depsgraph)
            shown.pose.bones.foreach_get("matrix", flat)
            # Blender stores matrices by columns.
            local = flat.reshape(-1, 4, 4)[order].swapaxes(-1, -2)
            matrices[index] = np.array(shown.matrix_world, dtype=np.float64) @ local
    axes = matrices[..., :3, :3]
    y = rot.normalize(axes[..., 1])
    x = rot.normalize(axes[..., 0] - rot.dot(axes[..., 0], y)[..., None] * y)
    rotations = rot.quaternions_from_matrices(np.stack([x, y, rot.cross(x, y)], axis=-1))
    return rotations, matrices[..., :3, 3]


@contextmanager
def bake_lifted(armature: bpy.types.Object) -> Iterator[BakeRecord]:
    """The armature as it was before its bake; the bake is back after.

    Within, the action before the bake is the active one, and all properties that the bake keys have
    the values from before it. So a plan made here starts from where the bake's own plan started.

    Raises
    ------
    BakeError
        No bake is active on the armature.
    """
    record = read_bake(armature)
    action, slot = versions.get_assigned_action(armature)
    shown = {key: read_component(armature, key) for key in record.values}
    try:
        with strip_lifted(armature):
            versions.assign_action(armature, record.previous, record.previous_slot)
            bpy.context.view_layer.update()
            # Only now, since the update has applied the animation before the bake.
            for key, value in record.values.items():
                write_component(armature, key, value)
            bpy.context.view_layer.update()
            yield record
    finally:
        versions.assign_action(armature, action, slot)
        bpy.context.view_layer.update()
        for key, kept in shown.items():
            if kept is not None:
                write_component(armature, key, kept)
        bpy.context.view_layer.update()
