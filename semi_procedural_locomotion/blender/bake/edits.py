# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of a bake that were changed by hand: found, and put on the channels of the next walk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ...core.keys.edits import KeyEdit, find_changed, find_edits, shift_values, turn_values
from ...core.keys.eulers import channels_from_quaternions, quaternions_from_channels
from ...core.keys.limits import KEY_EDIT
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from .. import versions
from ..values.bake_record import (
    INFLUENCE,
    BakeRecord,
    ChannelKey,
    find_key_spans,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.components import is_whole, read_component
from ..values.curves import (
    TRANSFORM_PROPERTIES,
    evaluate_curve,
    find_mode,
    read_keys,
    split_bone_path,
)
from ..values.key_tables import is_as_hashed, is_in_spans, read_points_inside
from ..values.written_keys import read_written
from .channels import ChannelValues

_LABELS = {"location": "Location", "scale": "Scale"}


def find_edited_curves(armature: bpy.types.Object) -> list[ChannelKey]:
    """Data path and index of written curves whose keys were changed by hand since the bake.

    Empty where no bake is active.
    """
    action, slot = find_playing_action(armature)
    if action is None or not is_bake_of(armature, action):
        return []
    record = read_record(action)
    curves = {(c.data_path, c.array_index): c for c in versions.get_curves(action, slot)}
    return sorted(
        key
        for key, kept in record.written.items()
        if not is_as_hashed(
            read_points_inside(curves.get(key), *find_key_spans(key, record.sections)), kept
        )
    )


def find_new_edits(
    armature: bpy.types.Object,
    record: BakeRecord,
    section: tuple[float, float],
    frames: FloatArray,
    channels: Sequence[ChannelValues],
) -> list[KeyEdit]:
    """What was changed by hand since the last bake where the next one writes.

    Parameters
    ----------
    armature
        The character's object, which plays the bake.
    record
        What that remembers.
    section
        First and last frame of the next walk.
    frames
        Its frames, shape (N,).
    channels
        What it would write without edits. Bakes of earlier versions do not tell what they wrote, and are
        held against it.
    """
    action, slot = find_playing_action(armature)
    looked = _list_frames(record, section)
    if action is None or not len(looked):
        return []
    curves = {(c.data_path, c.array_index): c for c in versions.get_curves(action, slot)}
    changed = dict.fromkeys(path for path, _ in find_edited_curves(armature))
    changed |= {key[0]: None for key in record.written if _is_modified(curves.get(key))}
    written = read_written(action)
    anew = {channel.path: channel.values for channel in channels}
    turned = {path for path, _ in record.written if "rotation" in path.rpartition(".")[2]}
    found: list[KeyEdit] = []
    for path in changed:
        before = np.zeros((len(looked), _count(path, record)))
        after = before.copy()
        for key in [key for key in record.written if key[0] == path]:
            column = _read_written(key, written, looked, frames, anew)
            if column is None:
                continue
            before[:, key[1]] = after[:, key[1]] = column
            curve = curves.get(key)
            if curve is None or not len(curve.keyframe_points):
                continue
            rows = written.get(key, np.stack([looked, column], axis=1))
            where = find_changed(rows, read_keys(curve), looked) | _is_modified(curve)
            after[where, key[1]] = evaluate_curve(curve, looked[where])
        found += _compare(armature, path, looked, before, after, turned, curves)
    return found


def apply_edits(
    armature: bpy.types.Object,
    channels: Sequence[ChannelValues],
    frames: FloatArray,
    edits: Sequence[KeyEdit],
) -> list[ChannelValues]:
    """Channels of a walk at frames (N,) with edits on top."""
    own: dict[str, list[KeyEdit]] = {}
    for edit in edits:
        if edit.overlaps(frames[0], frames[-1]):
            own.setdefault(edit.path, []).append(edit)
    if not own:
        return list(channels)
    turned = {
        channel.path: _turn(armature, channel, frames, own.get(channel.path, ()))
        for channel in channels
        if channel.name.startswith("rotation")
    }
    turns = {
        channel.bone: quaternions_from_channels(
            channel.values, find_mode(armature, channel.bone, channel.name)
        )
        for channel in turned.values()
    }
    return [
        turned.get(channel.path)
        or _shift(armature, channel, frames, turns.get(channel.bone), own.get(channel.path, ()))
        for channel in channels
    ]


def name_edit(edit: KeyEdit) -> str:
    """An edit in words: what is changed."""
    return name_property(edit.path)


def name_property(path: str) -> str:
    """A property that a walk keys in words."""
    bone, name = split_bone_path(path)
    is_turn = name.startswith("rotation")
    label = "Rotation" if is_turn else _LABELS.get(name, name.strip('[]"'))
    return f"{bone} {label}" if bone else label


def _list_frames(record: BakeRecord, section: tuple[float, float]) -> FloatArray:
    """Whole frames of a bake whose keys another one replaces, increasing."""
    spans = list(record.find_replaced(section))
    spans += [
        (max(first, section[0]), min(last, section[1]))
        for first, last in record.find_staying(section)
    ]
    whole = [np.arange(np.ceil(first), np.floor(last) + 1.0) for first, last in spans]
    return np.unique(np.concatenate([*whole, np.empty(0)]))


def _is_modified(curve: bpy.types.FCurve | None) -> bool:
    """Whether modifiers change what a curve shows."""
    if curve is None or curve.mute:
        return False
    return any(not modifier.mute for modifier in curve.modifiers)


def _count(path: str, record: BakeRecord) -> int:
    """Number of components of a property."""
    name = path.rpartition(".")[2]
    if name in TRANSFORM_PROPERTIES:
        return 4 if name in ("rotation_quaternion", "rotation_axis_angle") else 3
    return 1 + max(index for other, index in record.written if other == path)


def _read_written(
    key: ChannelKey,
    written: Mapping[ChannelKey, np.ndarray],
    looked: FloatArray,
    frames: FloatArray,
    anew: Mapping[str, FloatArray],
) -> FloatArray | None:
    """What a bake has written on a curve, or would write, at frames; None where it is not known."""
    if key in written and len(written[key]):
        rows = written[key].astype(np.float64)
        return np.interp(looked, rows[:, 0], rows[:, 1])
    path, index = key
    values = anew.get(path)
    if key in written or values is None or index >= values.shape[1]:
        return None
    return np.interp(looked, frames, values[:, index])


def _compare(
    armature: bpy.types.Object,
    path: str,
    frames: FloatArray,
    before: FloatArray,
    after: FloatArray,
    turned: set[str],
    curves: Mapping[ChannelKey, bpy.types.FCurve],
) -> list[KeyEdit]:
    """Edits of one property by its values (N, C) as they were written and as they are now."""
    bone, name = split_bone_path(path)
    if name.startswith("rotation"):
        mode = find_mode(armature, bone, name)
        was, now = (quaternions_from_channels(values, mode) for values in (before, after))
        offsets = rot.multiply(rot.conjugate(was), now)
        return find_edits(path, frames, offsets, is_turn=True)
    offsets = after - before
    rotation = next((p for p in turned if split_bone_path(p)[0] == bone), None)
    is_own = name == "location" and rotation is not None and not _is_turned(armature, bone, turned)
    if is_own and rotation is not None:
        turns = _read_turns(armature, rotation, frames, curves)
        offsets = rot.rotate(rot.conjugate(turns), offsets)
    return find_edits(path, frames, offsets, is_turn=False, is_own=is_own)


def _read_turns(
    armature: bpy.types.Object,
    path: str,
    frames: FloatArray,
    curves: Mapping[ChannelKey, bpy.types.FCurve],
) -> FloatArray:
    """Turns (N, 4) of a rotation as it is shown; what has no curve by now stays as it is."""
    bone, name = split_bone_path(path)
    values = np.empty((len(frames), 3 if name == "rotation_euler" else 4))
    for index in range(values.shape[1]):
        curve = curves.get((path, index))
        still = read_component(armature, (path, index))
        values[:, index] = still if curve is None else evaluate_curve(curve, frames)
    return quaternions_from_channels(values, find_mode(armature, bone, name))


def _is_turned(armature: bpy.types.Object, bone: str, turned: Iterable[str]) -> bool:
    """Whether a walk turns what carries a bone: bones above it or the object."""
    if not bone:
        return False
    owners = {split_bone_path(path)[0] for path in turned}
    above = armature.pose.bones[bone].parent_recursive if bone in armature.pose.bones else ()
    return "" in owners or any(other.name in owners for other in above)


def _turn(
    armature: bpy.types.Object,
    channel: ChannelValues,
    frames: FloatArray,
    edits: Sequence[KeyEdit],
) -> ChannelValues:
    """A rotation with edits on top; frames that they do not reach stay to the last digit."""
    if not edits:
        return channel
    mode = find_mode(armature, channel.bone, channel.name)
    turns = turn_values(quaternions_from_channels(channel.values, mode), frames, edits)
    values = channels_from_quaternions(turns, mode, channel.values[0])
    reached = _list_reached(frames, edits)
    return replace(channel, values=np.where(reached[:, None], values, channel.values))


def _shift(
    armature: bpy.types.Object,
    channel: ChannelValues,
    frames: FloatArray,
    turns: FloatArray | None,
    edits: Sequence[KeyEdit],
) -> ChannelValues:
    """A place, a scale or another property with edits on top."""
    edits = [edit for edit in edits if edit.offsets.shape[1] == channel.values.shape[1]]
    if not edits:
        return channel
    values = shift_values(channel.values, frames, turns, edits)
    if channel.path.endswith(INFLUENCE):
        values = np.clip(values, 0.0, 1.0)
    elif is_whole(armature, channel.path):
        values = np.round(values)
    return replace(channel, values=values)


def _list_reached(frames: FloatArray, edits: Sequence[KeyEdit]) -> np.ndarray:
    """Which frames (N,) any of some edits reaches."""
    spans = [(edit.first - KEY_EDIT.ease, edit.last + KEY_EDIT.ease) for edit in edits]
    return is_in_spans(frames, spans)
