# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature objects that were moved, turned or scaled by hand though their actions key that."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

from ...notes import Note, NoteKind, make_note
from .. import versions
from ..values.bake_record import find_playing_action, is_bake_of

# By how much a channel may be beyond what its keys have, of its size: importers round.
_SAME = 1e-3


def note_keyed_object(
    armature: bpy.types.Object, own: Iterable[bpy.types.Action]
) -> tuple[Note, ...]:
    """A note of the first action that undoes the place, turn or scale of an armature object.

    Parameters
    ----------
    armature
        The object, as it is now. Where its keys have put it there is nothing to tell.
    own
        Its actions.
    """
    mode = armature.rotation_mode
    turn = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    turned = turn.get(mode, "rotation_euler")
    paths = {"location": "location", turned: "rotation", "scale": "scale"}
    settled = _list_settled(armature, set(paths))
    playing, _ = find_playing_action(armature)
    for action in own:
        # Where no action plays that keys it, a walk begins where the object stands.
        meant = set(paths) - ({"location"} if action != playing else set())
        slot = versions.find_slot(action, armature)
        curves = [] if slot is None else versions.get_curves(action, slot)
        undone = {
            paths[curve.data_path]
            for curve in curves
            if curve.data_path in meant
            and (curve.data_path, curve.array_index) not in settled
            and _is_undone(armature, curve)
        }
        if undone:
            told = " and ".join(sorted(undone))
            return (make_note(NoteKind.OBJECT_KEYED, action=action.name, channels=told),)
    return ()


def _list_settled(armature: bpy.types.Object, paths: set[str]) -> set[tuple[str, int]]:
    """Channels of an object that its playing bake has put where they are: path and index of each."""
    action, slot = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        return set()
    curves = versions.get_curves(action, slot)
    own = [curve for curve in curves if curve.data_path in paths]
    return {(c.data_path, c.array_index) for c in own if not _is_undone(armature, c)}


def _is_undone(armature: bpy.types.Object, curve: bpy.types.FCurve) -> bool:
    """Whether an object's channel is beyond what its curve has anywhere."""
    own = float(getattr(armature, curve.data_path)[curve.array_index])
    keyed = np.array([key.co[1] for key in curve.keyframe_points])
    if not len(keyed) or curve.mute:
        return False
    room = _SAME * max(1.0, abs(own)) if curve.data_path != "scale" else _SAME * abs(own)
    return bool(own < keyed.min() - room or own > keyed.max() + room)
