# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The new action of a conversion, its range and who plays it; the action it was made from stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.keys.eulers import channels_from_quaternions
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...errors import BakeError
from .. import versions
from ..bake.actions import find_free_name
from ..limits import VALUE, WRITING
from ..values.curves import evaluate_curve, read_key_frames, read_keys
from ..values.custom_keys import (
    ANALYSIS_KEY,
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    CORRECTION_KEY,
    EXPECTATION_KEY,
    LIVE_KEY,
    WRITTEN_KEY,
)
from ..values.matrices import get_rotation_property, read_delta_rotation
from .trials import Channel, PlayedAction, write_channels


@dataclass(frozen=True)
class KeyRange:
    """Record of where an action is known, and how it goes on.

    Attributes
    ----------
    frames
        Whole frames and those of the action's keys, shape (N,).
    repeat
        How Cycles modifiers go on, ``"REPEAT"`` or ``"REPEAT_OFFSET"``; empty where none do.
    is_wide
        Whether the scene's frames are in the range besides those of the keys.
    """

    frames: FloatArray
    repeat: str
    is_wide: bool

    def widen(self, scene: bpy.types.Scene) -> KeyRange:
        """The range with the scene's frames, in which it does not repeat."""
        first = min(self.frames[0], float(scene.frame_start))
        last = max(self.frames[-1], float(scene.frame_end))
        return KeyRange(_list_frames(first, last, self.frames), "", is_wide=True)


def find_range(
    action: bpy.types.Action, curves: Iterable[bpy.types.FCurve], scene: bpy.types.Scene
) -> KeyRange:
    """The frames of some curves, and how they repeat.

    Raises BakeError: there is no motion between keys.

    Parameters
    ----------
    curves
        Those that move the armature.
    scene
        Its frames are taken in where curves go on otherwise than by even cycles.
    """
    keyed = [curve for curve in curves if len(curve.keyframe_points)]
    keys = read_key_frames(keyed)
    if len(keys) < 2:
        raise BakeError(f"action {action.name!r} has no keys at two frames: choose one that moves")
    found = KeyRange(_list_frames(float(keys[0]), float(keys[-1]), keys), "", is_wide=False)
    if not go_on(keyed):
        return found
    moving = [curve for curve in keyed if _is_moving(curve)]
    repeat = _find_repeat(moving, float(keys[0]), float(keys[-1]))
    return replace(found, repeat=repeat) if repeat else found.widen(scene)


def go_on(curves: Iterable[bpy.types.FCurve]) -> bool:
    """Whether any of some curves changes beyond its keys."""
    keyed = (curve for curve in curves if len(curve.keyframe_points))
    return any(_goes_on(curve) and _is_moving(curve) for curve in keyed)


def _list_frames(first: float, last: float, keys: FloatArray) -> FloatArray:
    """Whole frames of a range, both its ends, and the frames of keys (K,) between them."""
    whole = np.arange(np.ceil(first), np.floor(last) + 1.0)
    between = np.abs(keys - np.round(keys)) > VALUE.same_frame
    frames = np.sort(np.concatenate([[first, last], whole, keys[between]]))
    inside = (frames > first + VALUE.same_frame) & (frames < last - VALUE.same_frame)
    frames = frames[inside]
    apart = np.diff(frames, prepend=-np.inf) > VALUE.same_frame
    return np.concatenate([[first], frames[apart], [last]])


def _repeat_curves(curves: Iterable[bpy.types.FCurve], repeat: str) -> None:
    """Let curves of our own go on in cycles."""
    for curve in curves:
        if len(curve.keyframe_points) > 1:
            modifier = curve.modifiers.new("CYCLES")
            modifier.mode_before = modifier.mode_after = repeat


def _is_moving(curve: bpy.types.FCurve) -> bool:
    """Whether a curve changes with time."""
    values = read_keys(curve)[:, 1]
    return bool(np.ptp(values) > WRITING.constant) or any(
        not m.mute and m.type != "CYCLES" for m in curve.modifiers
    )


def _goes_on(curve: bpy.types.FCurve) -> bool:
    """Whether a curve changes beyond its keys."""
    return curve.extrapolation == "LINEAR" or any(not m.mute for m in curve.modifiers)


def _find_repeat(curves: list[bpy.types.FCurve], first: float, last: float) -> str:
    """Find how curves repeat if all do over the same frames and in the same way, else empty."""
    modes = set()
    for curve in curves:
        acting = [m for m in curve.modifiers if not m.mute]
        if len(acting) != 1 or acting[0].type != "CYCLES":
            return ""
        cycles, keys = acting[0], read_keys(curve)[:, 0]
        if cycles.cycles_before or cycles.cycles_after or cycles.use_restricted_range:
            return ""
        if cycles.use_influence and cycles.influence < 1.0:
            return ""
        if max(abs(keys[0] - first), abs(keys[-1] - last)) > VALUE.same_frame:
            return ""
        values = evaluate_curve(curve, np.array([first, last]))
        if np.ptp(values) > WRITING.constant:
            modes |= {cycles.mode_before, cycles.mode_after}
    if len(modes) > 1 or not modes <= {"REPEAT", "REPEAT_OFFSET"}:
        return ""
    return modes.pop() if modes else "REPEAT"


_OWN_KEYS = (
    ANALYSIS_KEY,
    BAKE_KEY,
    BAKE_SOURCE_KEY,
    CORRECTION_KEY,
    EXPECTATION_KEY,
    LIVE_KEY,
    WRITTEN_KEY,
)


def write_converted(
    played: PlayedAction,
    name: str,
    key_range: KeyRange,
    changes: Mapping[Channel, FloatArray],
) -> tuple[bpy.types.Action, str]:
    """A copy of an action with other keys on some channels.

    Parameters
    ----------
    played
        The action and whose it is.
    name
        Name of the copy; a number is added where it is taken.
    key_range
        Frames of the keys, N of them, and how they repeat.
    changes
        Values (N, C) by channel.

    Returns
    -------
    action, slot
        The new action and the identifier of its slot, which is named after the armature.
    """
    action = played.action.copy()
    action.name = find_free_name(name)
    slot = versions.keep_only_slot(action, played.slot, played.armature.name)
    for key in _OWN_KEYS:
        if key in action:
            del action[key]
    # It is no made cycle any more: that would be made again over the new keys.
    action.locomotion_cycle.gait = ""
    curves = write_channels(action, slot, played.armature, key_range.frames, changes)
    if key_range.repeat:
        _repeat_curves(curves, key_range.repeat)
    versions.deselect_keys(action)
    return action, slot


def play_instead(
    armature: bpy.types.Object, old: PlayedAction, action: bpy.types.Action, slot: str
) -> bool:
    """Let an armature play an action wherever it plays another.

    Parameters
    ----------
    armature
        The armature object; other users of the old action keep that.
    old
        What it plays.
    action, slot
        What it shall play.

    Returns
    -------
    bool
        Whether it played the old one anywhere.
    """
    data = armature.animation_data
    if data is None:
        return False
    found = False
    if versions.get_assigned_action(armature) == (old.action, old.slot):
        versions.assign_action(armature, action, slot)
        found = True
    for strip in (strip for track in data.nla_tracks for strip in track.strips):
        if strip.action == old.action and versions.get_strip_slot(strip) == old.slot:
            ends = (strip.action_frame_start, strip.action_frame_end)
            strip.action = action
            versions.assign_strip_slot(strip, slot)
            strip.action_frame_start, strip.action_frame_end = ends
            found = True
    if found:
        armature.update_tag()
    return found


def compute_object_channels(
    armature: bpy.types.Object, matrices: FloatArray
) -> dict[str, FloatArray]:
    """Location and rotation by which an object's own transform is as given.

    Parameters
    ----------
    matrices
        Its own transform, delta transforms in, by which its parent's is followed, shape (N, 4, 4).

    Returns
    -------
    dict
        By the name of the property, shape (N, 3) or (N, 4).
    """
    mode = armature.rotation_mode
    name = get_rotation_property(mode)
    turns = rot.quaternions_from_matrices(rot.orthonormalize_axes(matrices[:, :3, :3]))
    turns = rot.multiply(rot.conjugate(read_delta_rotation(armature)), turns)
    return {
        "location": matrices[:, :3, 3] - np.array(armature.delta_location),
        name: channels_from_quaternions(turns, mode, list(getattr(armature, name))),
    }


def measure_bones(armature: bpy.types.Object) -> float:
    """The longest side of the box around all bones at rest, armature units."""
    heads = np.array([bone.head_local for bone in armature.data.bones])
    tails = np.array([bone.tail_local for bone in armature.data.bones])
    return float(np.ptp(np.concatenate([heads, tails]), axis=0).max())
