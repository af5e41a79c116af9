# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects that were scaled or turned by hand though their actions key that."""

from __future__ import annotations

import bpy
import numpy as np

from ...notes import Note, NoteKind, make_note
from .. import versions
from .sampling import find_actions

# By how much a channel may be beyond what its keys have, of its size: importers round.
_SAME = 1e-3


def note_keyed_object(armature: bpy.types.Object) -> tuple[Note, ...]:
    """A note of the first action that undoes the scale or turn of an armature object.

    Parameters
    ----------
    armature
        The object, as it is now. Where its keys have put it there is nothing to tell.
    """
    mode = armature.rotation_mode
    turn = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    paths = {"scale": "scale", turn.get(mode, "rotation_euler"): "rotation"}
    for action in find_actions(armature):
        slot = versions.find_slot(action, armature)
        curves = [] if slot is None else versions.get_curves(action, slot)
        undone = {
            paths[curve.data_path]
            for curve in curves
            if curve.data_path in paths and _is_undone(armature, curve)
        }
        if undone:
            told = " and ".join(sorted(undone))
            return (make_note(NoteKind.OBJECT_KEYED, action=action.name, channels=told),)
    return ()


def _is_undone(armature: bpy.types.Object, curve: bpy.types.FCurve) -> bool:
    """Whether an object's channel is beyond what its curve has anywhere."""
    own = float(getattr(armature, curve.data_path)[curve.array_index])
    keyed = np.array([key.co[1] for key in curve.keyframe_points])
    if not len(keyed) or curve.mute:
        return False
    room = _SAME * max(1.0, abs(own)) if curve.data_path != "scale" else _SAME * abs(own)
    return bool(own < keyed.min() - room or own > keyed.max() + room)
