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
from ...core.keys.laying import find_alike
from ...core.keys.tables import (
    NO_KEYS,
    KeyTable,
    find_plain,
    is_as_hashed,
    is_in_spans,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
)
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from .. import versions
from ..limits import VALUE
from ..values.bake_record import (
    INFLUENCE,
    BakeRecord,
    ChannelKey,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.components import is_whole, read_component
from ..values.curve_records import decode_keys
from ..values.curves import (
    TRANSFORM_PROPERTIES,
    build_bone_path,
    evaluate_curve,
    find_mode,
    read_key_frames,
    read_keys,
    split_bone_path,
)
from ..values.key_tables import read_points_inside
from ..values.matrices import get_rotation_property
from .channels import ChannelValues
from .composing import Composition, is_own_curve

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
        if not is_as_hashed(read_points_inside(curves.get(key), *record.sections), kept)
    )


def find_new_edits(
    composition: Composition, frames: FloatArray, channels: Sequence[ChannelValues]
) -> list[KeyEdit]:
    """What was changed by hand since the last bake where the next one writes.

    Parameters
    ----------
    composition
        What is played.
    frames
        Those of the next walk, shape (N,).
    channels
        What it would write without edits. Bakes of earlier versions do not tell what they wrote, and are
        held against it.
    """
    looked, curves, written = composition.looked, composition.curves, composition.written
    record = composition.record
    if record is None or not len(looked):
        return []
    anew = {channel.path: channel.values for channel in channels}
    places = _list_places(composition)
    found: list[KeyEdit] = []
    for path in dict.fromkeys(path for path, _ in find_edited_curves(composition.armature)):
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
            rows, now = written.get(key, np.stack([looked, column], axis=1)), read_keys(curve)
            rest = now[~np.isin(now[:, 0], [*places.get(path, ())])]
            if not len(rest):
                continue
            where = find_changed(rows, rest, looked)
            # Modifiers stay on the curve, and keys between frames are edits of their own.
            is_plain = len(rest) == len(now) and not len(curve.modifiers)
            there = looked[where]
            shown = evaluate_curve(curve, there) if is_plain else np.interp(there, *rest.T)
            after[where, key[1]] = shown
        found += _compare(composition, path, looked, before, after)
    return found + _find_turned_otherwise(composition)


def find_between(composition: Composition) -> list[KeyEdit]:
    """Keys between two frames of a walk, as they are now where another walk will be."""
    record, curves = composition.record, composition.curves
    if record is None:
        return []
    known = {(edit.path, edit.first): edit for edit in record.edits if edit.is_between}
    found = []
    for path, at in _list_places(composition).items():
        for place in sorted(at):
            before = np.zeros((1, _count(path, record)))
            after, is_fresh = before.copy(), (path, place) not in known
            for key in [key for key in record.written if key[0] == path and key in curves]:
                rows = read_keys(curves[key])
                rest = rows[~np.isin(rows[:, 0], [*at])]
                if not len(rest):
                    continue
                before[0, key[1]] = np.interp(place, *rest.T)
                after[0, key[1]] = np.interp(place, *rows.T)
                own, was = (r[r[:, 0] == place] for r in (rows, composition.written[key]))
                is_fresh |= own.tolist() != was.tolist()
            if is_fresh:
                found += _compare(composition, path, np.array([place]), before, after)
            else:
                found.append(known[path, place])
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


def key_between(
    armature: bpy.types.Object,
    channels: Sequence[ChannelValues],
    frames: FloatArray,
    edits: Sequence[KeyEdit],
) -> dict[ChannelKey, KeyTable]:
    """Keys that edits set between the frames (N,) of channels, by curve."""
    inside = [e for e in edits if e.is_between and frames[0] < e.first < frames[-1]]
    bones = {split_bone_path(edit.path)[0] for edit in inside}
    places = np.unique([edit.first for edit in inside])
    near = [
        replace(c, values=np.stack([np.interp(places, frames, v) for v in c.values.T], axis=1))
        for c in channels
        if c.bone in bones and len(places)
    ]
    tables = {}
    for channel in apply_edits(armature, near, places, inside):
        rows = np.isin(places, [edit.first for edit in inside if edit.path == channel.path])
        for index, values in enumerate(channel.values.T):
            if rows.any():
                tables[channel.path, index] = make_key_table(places[rows], values[rows])
    return tables


def find_styles(composition: Composition, *, keeps: bool) -> dict[ChannelKey, KeyTable]:
    """Keys of walks that hands have joined otherwise, with handles from where the keys are.

    What is kept of other walks stays; ``keeps`` tells whether those in the next one's place do as well.
    """
    record, looked = composition.record, composition.looked
    if record is None:
        return {}
    span = (float(looked[0]), float(looked[-1])) if len(looked) else (0.0, -1.0)
    found = {}
    for key in record.written:
        kept = decode_keys(record.styles[key]) if key in record.styles else NO_KEYS
        table = composition.read_table(key)
        table = table.select(~find_plain(table))
        if not keeps:
            kept = keep_outside(kept, span)
        elif len(table) or len(kept):
            table = keep_inside(keep_inside(table, *record.sections), span)
            # Keys at the ends of walks go on as the curves under them do.
            laid = composition.find_laid_inside(key)
            given = laid.select(~np.isin(laid.frames, kept.frames))
            own = table.select(~find_alike(table, given))
            handles = {n: getattr(own, n) - own.co for n in ("handle_left", "handle_right")}
            kept = keep_outside(kept, span) if key in composition.curves else kept
            kept = join_key_tables(kept, replace(own, **handles))
        if len(kept):
            found[key] = kept
    return found


def name_edit(edit: KeyEdit) -> str:
    """An edit in words: what is changed."""
    return name_property(edit.path)


def name_property(path: str) -> str:
    """A property that a walk keys in words."""
    bone, name = split_bone_path(path)
    is_turn = name.startswith("rotation")
    label = "Rotation" if is_turn else _LABELS.get(name, name.strip('[]"'))
    return f"{bone} {label}" if bone else label


def _list_places(composition: Composition) -> dict[str, set[float]]:
    """Where keys lie between two frames that have keys as well, by data path."""
    places: dict[str, set[float]] = {}
    record, looked = composition.record, composition.looked
    known = set() if record is None else composition.written.keys() & record.written.keys()
    for key in known & composition.curves.keys():
        frames = read_keys(composition.curves[key])[:, 0]
        for place in frames[np.abs(frames - np.round(frames)) > VALUE.same_frame].tolist():
            around = [np.floor(place), np.ceil(place)]
            # Where keys are far apart, one more of them changes what is shown at frames.
            if np.isin(around, looked).all() and np.isin(around, frames).all():
                places.setdefault(key[0], set()).add(place)
    return places


def _find_turned_otherwise(composition: Composition) -> list[KeyEdit]:
    """Edits by keys of bones that are turned in another mode since the walk was written."""
    armature, record, looked = composition.armature, composition.record, composition.looked
    if record is None:
        return []
    found = []
    for path in sorted(composition.turned):
        bone, name = split_bone_path(path)
        owner = armature.pose.bones.get(bone) if bone else armature
        if owner is None:
            continue
        now = get_rotation_property(owner.rotation_mode)
        curves = [composition.curves.get((build_bone_path(bone, now), i)) for i in range(4)]
        own = [curve for curve in curves if curve is not None and is_own_curve(curve, record)]
        if now == name or not own:
            continue
        keyed = read_key_frames(own)
        frames = looked[np.isin(looked, np.round(keyed))]
        values = [np.zeros((len(frames), 3 if n == "rotation_euler" else 4)) for n in (name, now)]
        for index, column in enumerate(values[0].T):
            rows = composition.written.get((path, index))
            if rows is not None and len(rows):
                column[:] = np.interp(frames, *rows.T)
        for curve in own:
            values[1][:, curve.array_index] = evaluate_curve(curve, frames)
        modes = (_find_written_mode(composition, bone, name), owner.rotation_mode)
        was, is_now = (quaternions_from_channels(v, m) for v, m in zip(values, modes, strict=True))
        offsets = rot.multiply(rot.conjugate(was), is_now)
        found += find_edits(path, frames, offsets, is_turn=True) if len(frames) else []
    return found


def _find_written_mode(composition: Composition, bone: str, name: str) -> str:
    """Rotation mode in which a bake has written a rotation."""
    modes = {} if composition.record is None else composition.record.modes
    kept = modes.get(bone) if name == "rotation_euler" else None
    return kept or find_mode(composition.armature, bone, name)


def follow_modes(armature: bpy.types.Object, edits: Iterable[KeyEdit]) -> list[KeyEdit]:
    """Edits whose turns are on the channels in which their bones turn now."""
    found = []
    for edit in edits:
        bone, _ = split_bone_path(edit.path)
        owner = armature.pose.bones.get(bone) if bone else armature
        if edit.is_turn and owner is not None:
            name = get_rotation_property(owner.rotation_mode)
            edit = replace(edit, path=build_bone_path(bone, name))
        found.append(edit)
    return found


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
    composition: Composition, path: str, frames: FloatArray, before: FloatArray, after: FloatArray
) -> list[KeyEdit]:
    """Edits of one property by its values (N, C) as they were written and as they are now."""
    armature, turned = composition.armature, composition.turned
    bone, name = split_bone_path(path)
    if name.startswith("rotation"):
        mode = _find_written_mode(composition, bone, name)
        was, now = (quaternions_from_channels(values, mode) for values in (before, after))
        offsets = rot.multiply(rot.conjugate(was), now)
        return find_edits(path, frames, offsets, is_turn=True)
    offsets = after - before
    rotation = next((p for p in turned if split_bone_path(p)[0] == bone), None)
    is_own = name == "location" and rotation is not None and not _is_turned(armature, bone, turned)
    if is_own and rotation is not None:
        turns = _read_turns(armature, rotation, frames, composition.curves)
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
    return is_in_spans(frames, [edit.reach for edit in edits])
