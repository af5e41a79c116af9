# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a rig shows with an action, and with other keys in it, evaluated by Blender on a copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np

from ...core.keys.tables import make_key_table
from ...core.maths.rotations import FloatArray
from .. import versions
from ..bake.channels import OBJECT_GROUP
from ..limits import WRITING
from ..values.armature import matrix_array
from ..values.curves import build_bone_path
from ..values.evaluation import clear_pose, copy_unbaked
from ..values.held import pose_held, read_held
from ..values.key_tables import write_key_table
from ..values.scene_state import set_frame, temporary_scene

# Bone (empty for the object) and property.
Channel = tuple[str, str]


@dataclass(frozen=True)
class TriedPoses:
    """Record of what is shown at N frames.

    Attributes
    ----------
    bones
        Final matrices of all bones in Blender's order, armature space, shape (N, B, 4, 4).
    objects
        The object's own transform, by which its parent's is followed, shape (N, 4, 4).
    parent
        By which the object's own transform was brought to the world at the first frame, (4, 4).
    """

    bones: FloatArray
    objects: FloatArray
    parent: FloatArray


@dataclass(frozen=True)
class PlayedAction:
    """An action as an armature plays it.

    Attributes
    ----------
    armature, action, slot
        The armature object, the action and the identifier of its slot.
    keeps_pose
        Whether channels without keys have the values that they have now; else they are at rest.
    """

    armature: bpy.types.Object
    action: bpy.types.Action
    slot: str
    keeps_pose: bool


def show_poses(
    played: PlayedAction,
    frames: FloatArray,
    keyed: FloatArray,
    changes: Mapping[Channel, FloatArray],
) -> TriedPoses:
    """Matrices of an armature under an action with some channels keyed otherwise.

    Parameters
    ----------
    played
        Whose action; nothing of it is changed.
    frames
        At which frames, shape (N,).
    keyed
        Frames of the changed channels' keys, shape (K,).
    changes
        Values (K, C) by channel; empty for the action as it is.
    """
    armature = played.armature
    count = len(armature.pose.bones)
    flat = np.empty(16 * count, dtype=np.float32)
    bones, objects = np.empty((len(frames), count, 4, 4)), np.empty((len(frames), 4, 4))
    parent = np.eye(4)
    with temporary_scene(bpy.context.scene) as stage, _play_copy(played, keyed, changes) as double:
        stage.collection.objects.link(double)
        for index, frame in enumerate(frames):
            set_frame(stage, float(frame))
            shown = double.evaluated_get(stage.view_layers[0].depsgraph)
            shown.pose.bones.foreach_get("matrix", flat)
            # Blender stores matrices by columns.
            bones[index] = flat.reshape(-1, 4, 4).swapaxes(-1, -2)
            objects[index] = shown.matrix_basis
            if index == 0:
                parent = matrix_array(shown.matrix_world) @ np.linalg.pinv(objects[0])
    return TriedPoses(bones, objects, parent)


@contextmanager
def _play_copy(
    played: PlayedAction, keyed: FloatArray, changes: Mapping[Channel, FloatArray]
) -> Iterator[bpy.types.Object]:
    """A copy of an armature that plays the action, or a copy of it with changes."""
    action = played.action
    with copy_unbaked(played.armature) as double:
        # What is hidden is not evaluated.
        double.hide_viewport = False
        for constraint in double.constraints:
            constraint.mute = True
        if double.animation_data is not None:
            double.animation_data.use_nla = False
        if not played.keeps_pose:
            clear_pose(double)
            pose_held(double, read_held(double))
        if changes:
            action = action.copy()
        try:
            if changes:
                write_channels(action, played.slot, double, keyed, changes)
            versions.assign_action(double, action, played.slot)
            yield double
        finally:
            if action != played.action:
                bpy.data.actions.remove(action)


def write_channels(
    action: bpy.types.Action,
    slot: str,
    animated: bpy.types.Object,
    frames: FloatArray,
    changes: Mapping[Channel, FloatArray],
) -> list[bpy.types.FCurve]:
    """Put straight keys on channels of an action in place of any there.

    Parameters
    ----------
    action, slot
        An action of our own, and its slot.
    frames
        Shape (K,).
    changes
        Values (K, C) by channel.
    """
    _, bag = versions.ensure_channelbag(action, animated, slot)
    there = {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
    written = []
    for (bone, name), values in changes.items():
        path = build_bone_path(bone, name)
        for index, column in enumerate(values.T):
            curve = there.get((path, index))
            if curve is None:
                curve = versions.add_curve(bag, path, index, bone or OBJECT_GROUP)
            while len(curve.modifiers):
                curve.modifiers.remove(curve.modifiers[0])
            _unmute(curve)
            curve.extrapolation = "CONSTANT"
            still = np.ptp(column) <= WRITING.constant
            kept = slice(1) if still else slice(None)
            write_key_table(curve, make_key_table(frames[kept], column[kept]))
            written.append(curve)
    return written


def _unmute(curve: bpy.types.FCurve) -> None:
    """Let a curve act, and no other of its group that did not."""
    if curve.group is not None and curve.group.mute:
        for other in curve.group.channels:
            other.mute = True
        curve.group.mute = False
    curve.mute = curve.lock = False
