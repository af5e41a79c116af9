# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses written as keys, and taken away again.

A bake writes to an action of its own that starts as a copy of the active one. Everything is
computed into arrays first and written in one go, so a failure before that changes nothing. What
the bake owns is known by a hash of the keys it wrote: keys changed by hand since then are found
whatever their type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core.pose import PoseArray
from ..core.rotations import FloatArray, step_cubic
from ..core.skeleton import Skeleton
from ..errors import BakeError
from . import versions
from .armature import require_armature
from .bake_channels import ChannelValues, compute_channels
from .bake_options import BakeOptions
from .bake_record import BakeRecord, ChannelKey, is_bake, read_record, write_record
from .curves import TRANSFORM_PROPERTIES, group_transform_curves
from .key_tables import (
    KeyTable,
    copy_keys,
    hash_keys,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
    read_key_table,
    write_key_table,
)

__all__ = [
    "BakeOptions",
    "BakedAction",
    "commit_bake",
    "find_bake",
    "find_edited_curves",
    "remove_bake",
]

# Values that differ less than this are one: float32 keys of metres and radians hold 1e-7.
_CONSTANT = 1e-7


@dataclass(frozen=True)
class BakedAction:
    """What a bake wrote.

    Attributes
    ----------
    action
        The bake's action, now active on the object.
    slot
        Identifier of its slot.
    curve_count, key_count
        How much was written.
    kept
        Data path and index of curves left alone because they were edited.
    """

    action: bpy.types.Action
    slot: str
    curve_count: int
    key_count: int
    kept: tuple[ChannelKey, ...]


def commit_bake(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    options: BakeOptions | None = None,
) -> BakedAction:
    """Write poses as keys of the object's bake action.

    Parameters
    ----------
    armature
        The character's object.
    poses
        Solved poses, N of them.
    skeleton
        Their bones, as read from the armature.
    frames
        Scene frames of the poses, increasing, shape (N,).
    options
        How to write them; None for the defaults.

    Returns
    -------
    BakedAction

    Raises
    ------
    BakeError
        Where the object cannot take the keys; nothing is changed then.
    """
    options = BakeOptions() if options is None else options
    frames = np.asarray(frames, dtype=np.float64)
    if frames.shape != (len(poses),) or not len(poses) or np.any(np.diff(frames) <= 0):
        raise ValueError(f"frames must be {len(poses)} increasing numbers, got {frames.shape}")
    check_target(armature, options)
    active, active_slot = versions.get_assigned_action(armature)
    old = read_record(active) if active is not None and is_bake(active) else None
    record = _start_record(active, active_slot, old, frames, options)
    under = [] if record.previous is None else list(_curves_under(record))
    channels = compute_channels(
        armature,
        poses,
        skeleton,
        frames,
        group_transform_curves(under),
        output_to=options.output_to,
        root_bone=options.root_bone or "" if options.output_to == "bone" else "",
        weights=_compute_weights(frames, options),
    )
    edited = set(find_edited_curves(armature)) if options.keep_edits else set()
    wanted = _collect_curves(channels, edited)
    tables = _build_tables(wanted, frames, active, active_slot, old, under, record)
    values = _read_values(armature, wanted)
    # Everything is known; from here on the file changes.
    action = _prepare_action(armature, active, active_slot, old, record, options)
    slot, bag = versions.ensure_channelbag(action, armature)
    curves = {(c.data_path, c.array_index): c for c in bag.fcurves}
    if old is not None:
        _restore_curves(bag, curves, set(old.written) - set(wanted) - edited, under)
    for key, table in tables.items():
        curve = curves.get(key) or versions.add_curve(bag, *key, wanted[key][0].group)
        curve.mute = curve.lock = False
        curve.extrapolation = "CONSTANT"
        while len(curve.modifiers):
            curve.modifiers.remove(curve.modifiers[0])
        write_key_table(curve, table)
    versions.deselect_keys(action)
    written = {key: hash_keys(keep_inside(table, record.span)) for key, table in tables.items()}
    if old is not None:
        written |= {key: old.written[key] for key in edited if key in old.written}
    copied = {
        (c.data_path, c.array_index): hash_keys(read_key_table(c))
        for c in bag.fcurves
        if (c.data_path, c.array_index) not in written
    }
    if old is not None:
        copied |= {key: value for key, value in old.copied.items() if key in copied}
        values |= old.values
    write_record(action, replace(record, written=written, copied=copied, values=values))
    versions.assign_action(armature, action, slot)
    keys = sum(len(keep_inside(table, record.span)) for table in tables.values())
    return BakedAction(action, slot, len(tables), keys, tuple(sorted(edited)))


def check_target(armature: bpy.types.Object, options: BakeOptions) -> None:
    """Check that an object can take a bake and would show it.

    Raises
    ------
    BakeError
        It is linked, in the tweak mode of its strips, moved by a constraint, or has no such root
        bone.
    """
    require_armature(armature)
    name = armature.name
    if armature.library is not None:
        raise BakeError(
            f"{name!r} is linked from another file: make a library override of it first"
        )
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise BakeError(f"{name!r} is in the tweak mode of its NLA strips: leave it (Tab) first")
    acting = [c.name for c in armature.constraints if not c.mute and c.influence > 0]
    if options.output_to == "object" and acting:
        raise BakeError(
            f"the constraint {acting[0]!r} moves {name!r}, so its own keys would add to it: "
            "write the travel to the body or the root bone, or apply the constraint"
        )
    if options.output_to == "bone" and options.root_bone not in armature.pose.bones:
        raise BakeError(
            f"{name!r} has no bone {options.root_bone!r} to carry the travel: choose another"
        )


def find_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The bake action that is active on an object, or None."""
    action, _ = versions.get_assigned_action(armature)
    return action if is_bake(action) else None


def find_edited_curves(armature: bpy.types.Object) -> list[ChannelKey]:
    """Data path and index of written curves whose keys were changed by hand since the bake.

    Empty where no bake is active.
    """
    action, slot = versions.get_assigned_action(armature)
    if action is None or not is_bake(action):
        return []
    record = read_record(action)
    curves = {(c.data_path, c.array_index): c for c in versions.get_curves(action, slot)}
    return sorted(
        key
        for key, kept in record.written.items()
        if hash_keys(keep_inside(read_key_table(curves.get(key)), record.span)) != kept
    )


def remove_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Take a bake away and give back what was there before.

    Curves that the bake did not write but that were edited in its action since are handed back to
    the action before, or to a copy of it where that is one of the walk's motions or linked.

    Returns
    -------
    Action or None
        The action that is active now.

    Raises
    ------
    BakeError
        Where no bake is active on the object.
    """
    action, slot = versions.get_assigned_action(armature)
    if action is None or not is_bake(action):
        raise BakeError(f"{armature.name!r} has no baked walk to remove: select a baked character")
    record = read_record(action)
    previous, previous_slot = record.previous, record.previous_slot
    changed = [
        curve
        for curve in versions.get_curves(action, slot)
        if (key := (curve.data_path, curve.array_index)) not in record.written
        and record.copied.get(key) != hash_keys(read_key_table(curve))
    ]
    if changed:
        if previous is None:
            previous = bpy.data.actions.new(f"{armature.name} Action")
        elif record.previous_is_source or previous.library is not None:
            previous = previous.copy()
            previous_slot = versions.keep_only_slot(previous, previous_slot, armature.name)
        if not previous_slot:
            previous_slot, bag = versions.ensure_channelbag(previous, armature)
        else:
            bag = versions.get_channelbag(previous, previous_slot)
        existing = {(c.data_path, c.array_index): c for c in bag.fcurves}
        for curve in changed:
            _copy_curve(curve, bag, existing.get((curve.data_path, curve.array_index)))
    versions.assign_action(armature, previous, previous_slot)
    bpy.data.actions.remove(action)
    for (path, index), value in record.values.items():
        _write_value(armature, path, index, value)
    armature.update_tag()
    return previous


def _start_record(
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    frames: FloatArray,
    options: BakeOptions,
) -> BakeRecord:
    """What is known of the bake before anything is written."""
    span = (float(frames[0]), float(frames[-1]))
    if old is not None:
        return replace(old, span=span, output_to=options.output_to)
    is_source = active is not None and active in options.source_actions
    return BakeRecord(span, options.output_to, active, active_slot, is_source)


def _curves_under(record: BakeRecord) -> Sequence[bpy.types.FCurve]:
    """Curves of the animation under the bake; a walk's own motion is none."""
    if record.previous is None or record.previous_is_source:
        return ()
    return versions.get_curves(record.previous, record.previous_slot)


def _compute_weights(frames: FloatArray, options: BakeOptions) -> FloatArray:
    """Share of the walk at each frame, shape (N,)."""
    weights = np.ones(len(frames))
    if options.blend_in:
        weights *= step_cubic((frames - frames[0]) / options.blend_in)
    if options.blend_out:
        weights *= step_cubic((frames[-1] - frames) / options.blend_out)
    return weights


def _collect_curves(
    channels: Sequence[ChannelValues], edited: set[ChannelKey]
) -> dict[ChannelKey, tuple[ChannelValues, int]]:
    """Channel and column of each curve to write."""
    return {
        (channel.path, int(index)): (channel, int(index))
        for channel in channels
        for index in np.flatnonzero(channel.written)
        if (channel.path, int(index)) not in edited
    }


def _build_tables(
    wanted: dict[ChannelKey, tuple[ChannelValues, int]],
    frames: FloatArray,
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    under: Sequence[bpy.types.FCurve],
    record: BakeRecord,
) -> dict[ChannelKey, KeyTable]:
    """Keys of each curve: ours in the range, the others' outside of it."""
    below = {(c.data_path, c.array_index): c for c in under}
    shown = below
    if old is not None and active is not None:
        curves = versions.get_curves(active, active_slot)
        shown = {(c.data_path, c.array_index): c for c in curves}
    tables = {}
    for key, (channel, column) in wanted.items():
        outside = keep_outside(read_key_table(shown.get(key)), record.span)
        if old is not None:
            freed = keep_outside(read_key_table(below.get(key)), record.span)
            outside = join_key_tables(keep_outside(outside, old.span), keep_inside(freed, old.span))
        values = channel.values[:, column]
        if not len(outside) and np.ptp(values) <= _CONSTANT:
            tables[key] = make_key_table(frames[:1], values[:1])
        else:
            ours = make_key_table(frames, values)
            tables[key] = join_key_tables(outside, ours) if len(outside) else ours
    return tables


def _prepare_action(
    armature: bpy.types.Object,
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    record: BakeRecord,
    options: BakeOptions,
) -> bpy.types.Action:
    """The action to write to: the bake's own, or a new one with the active one's curves."""
    if old is not None and active is not None:
        versions.keep_only_slot(active, active_slot, armature.name)
        return active
    name = options.action_name or f"{armature.name} Walk"
    if active is None or versions.get_channelbag(active, active_slot) is None:
        return bpy.data.actions.new(name)
    action = active.copy()
    action.name = name
    versions.keep_only_slot(action, active_slot, armature.name)
    if record.previous_is_source:
        _, bag = versions.ensure_channelbag(action, armature)
        for curve in list(bag.fcurves):
            if curve.data_path.rpartition(".")[2] in TRANSFORM_PROPERTIES:
                bag.fcurves.remove(curve)
    return action


def _restore_curves(
    bag: bpy.types.ActionChannelbag,
    curves: dict[ChannelKey, bpy.types.FCurve],
    keys: set[ChannelKey],
    under: Sequence[bpy.types.FCurve],
) -> None:
    """Give curves back that an earlier bake wrote and this one does not."""
    below = {(c.data_path, c.array_index): c for c in under}
    for key in keys:
        if key in below:
            _copy_curve(below[key], bag, curves.get(key))
        elif key in curves:
            bag.fcurves.remove(curves.pop(key))


def _copy_curve(
    source: bpy.types.FCurve,
    bag: bpy.types.ActionChannelbag,
    target: bpy.types.FCurve | None,
) -> None:
    """Put the keys of one curve on another, made where missing."""
    if target is None:
        group = source.group.name if source.group is not None else ""
        target = versions.add_curve(bag, source.data_path, source.array_index, group)
    copy_keys(source, target)


def _read_values(
    armature: bpy.types.Object, wanted: dict[ChannelKey, tuple[ChannelValues, int]]
) -> dict[ChannelKey, float]:
    """What the properties to write are now."""
    values: dict[ChannelKey, float] = {}
    for key, (channel, index) in wanted.items():
        owner = armature.pose.bones[channel.bone] if channel.bone else armature
        values[key] = float(getattr(owner, channel.name)[index])
    return values


def _write_value(armature: bpy.types.Object, path: str, index: int, value: float) -> None:
    """Set one component of a property, if it still exists."""
    owner_path, _, name = path.rpartition(".")
    try:
        owner = armature.path_resolve(owner_path) if owner_path else armature
    except ValueError:  # the bone is gone
        return
    getattr(owner, name)[index] = value
