# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that an importer connected to their parents although clips move them."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...core.rig.skeleton import Skeleton
from ...notes import Note, NoteKind, make_note
from .. import versions
from ..limits import SAMPLING
from ..values.curves import parse_bone_name
from ..values.evaluation import needs_evaluation


def free_moved_bones(
    armatures: Sequence[bpy.types.Object], actions: Sequence[bpy.types.Action]
) -> None:
    """Let bones go from their parents that new actions move, since connected ones cannot move.

    The importer of FBX connects an only child whose head is at its parent's tail: hips then lose the
    rise and fall of the walk, and the walk could not lower them.

    Parameters
    ----------
    armatures
        New armature objects; their view layer is in object mode.
    actions
        New actions.
    """
    ways = _measure_ways(actions)
    for armature in armatures:
        moved = [
            bone.name
            for bone in armature.data.bones
            if bone.use_connect
            and bone.parent
            and ways.get(bone.name, 0.0) > SAMPLING.moved * bone.length
        ]
        if not moved:
            continue
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for name in moved:
            armature.data.edit_bones[name].use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")


def _measure_ways(actions: Sequence[bpy.types.Action]) -> dict[str, float]:
    """How far the actions key each bone that they move from its place at rest, along one axis."""
    ways: dict[str, float] = {}
    for action in actions:
        for slot in versions.list_slots(action):
            for curve in versions.get_curves(action, slot):
                owner, _, channel = curve.data_path.rpartition(".")
                name = parse_bone_name(owner) if channel == "location" else None
                if name is None:
                    continue
                values = np.empty(2 * len(curve.keyframe_points))
                curve.keyframe_points.foreach_get("co", values)
                way = float(np.abs(values[1::2]).max(initial=0.0))
                ways[name] = max(ways.get(name, 0.0), way)
    return ways


def note_connected(armature: bpy.types.Object, body: str) -> tuple[Note, ...]:
    """A note where the bone that carries the hips is connected, so that its keys of location do nothing.

    Parameters
    ----------
    armature
        The armature object. Where constraints move its bones, the controls take the hips along.
    body
        Name of the bone.
    """
    bone = armature.data.bones[body]
    if bone.parent is None or not bone.use_connect or needs_evaluation(armature):
        return ()
    return (make_note(NoteKind.BODY_CONNECTED, bone=body),)


def find_connected(armature: bpy.types.Object, skeleton: Skeleton) -> set[int]:
    """Indices of the bones of a skeleton that are connected to their parents, and cannot be moved."""
    bones = armature.data.bones
    return {
        index
        for index, name in enumerate(skeleton.names)
        if skeleton.is_own[index] and bones[name].use_connect and bones[name].parent is not None
    }
