# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that an importer connected to their parents although clips move them."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from ...notes import Note, NoteKind, make_note
from .. import versions
from ..limits import SAMPLING
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
    for armature in armatures:
        bones = [bone.name for bone in armature.data.bones if bone.use_connect and bone.parent]
        moved = [name for name in bones if _moves(armature.data.bones[name], actions)]
        if not moved:
            continue
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for name in moved:
            armature.data.edit_bones[name].use_connect = False
        bpy.ops.object.mode_set(mode="OBJECT")


def _moves(bone: bpy.types.Bone, actions: Sequence[bpy.types.Action]) -> bool:
    """Whether some action keys a bone away from its place at rest."""
    path = f'pose.bones["{bone.name}"].location'
    for action in actions:
        for slot in versions.list_slots(action):
            for curve in versions.get_curves(action, slot):
                if curve.data_path != path:
                    continue
                values = np.empty(2 * len(curve.keyframe_points))
                curve.keyframe_points.foreach_get("co", values)
                if np.abs(values[1::2]).max(initial=0.0) > SAMPLING.moved * bone.length:
                    return True
    return False


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
