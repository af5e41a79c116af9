# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses written as keys, and taken away again.

A bake writes to an action of its own that starts as a copy of the active one. Everything is
computed into arrays first and written in one go, so a failure before that changes nothing; curves
that have these keys already are left as they are. What
the bake owns is known by a hash of the keys it wrote: keys changed by hand since then are found
whatever their type.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import bpy

from ...core.maths.rotations import FloatArray
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton
from ...errors import BakeError
from .. import versions
from ..values.bake_record import (
    ChannelKey,
    Marker,
    find_key_span,
    find_playing_action,
    is_bake,
    read_record,
    write_record,
)
from ..values.bake_strips import lift_bake, place_bake
from ..values.components import write_component
from ..values.curves import TRANSFORM_PROPERTIES
from ..values.key_tables import copy_keys, hash_keys, keep_inside, read_key_table, write_key_table
from .computing import BakeKeys, check_target, compute_keys, find_edited_curves
from .options import BakeOptions

__all__ = [
    "BakeOptions",
    "BakedAction",
    "check_target",
    "commit_bake",
    "find_bake",
    "find_edited_curves",
    "prepare_action",
    "remove_bake",
]


@dataclass(frozen=True)
class BakedAction:
    """What a bake wrote.

    Attributes
    ----------
    action
        The bake's action, which the object plays now.
    slot
        Identifier of its slot.
    curve_count, key_count
        Of the walk.
    changed_count
        How many of its curves did not have these keys before.
    kept
        Data path and index of curves left alone because they were edited.
    """

    action: bpy.types.Action
    slot: str
    curve_count: int
    key_count: int
    changed_count: int
    kept: tuple[ChannelKey, ...]


def commit_bake(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    options: BakeOptions | None = None,
    markers: Sequence[Marker] = (),
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
    markers
        Name and frame of the markers to put on the action, in place of those of an earlier bake.

    Returns
    -------
    BakedAction

    Raises
    ------
    BakeError
        Where the object cannot take the keys; nothing is changed then.
    """
    options = BakeOptions() if options is None else options
    keys = compute_keys(armature, poses, skeleton, frames, options)
    old, edited, under = keys.old, keys.edited, keys.under
    record, values = keys.record, dict(keys.values)
    # Everything is known; from here on the file changes.
    action = prepare_action(armature, keys, options)
    if options.action_name and action.name != options.action_name:
        action.name = options.action_name
    slot, bag = versions.ensure_channelbag(action, armature)
    curves = {(c.data_path, c.array_index): c for c in bag.fcurves}
    if old is not None:
        freed = set() if keys.is_around else set(old.written) - set(keys.wanted) - edited
        _restore_curves(bag, curves, freed, under)
        for key in freed & set(old.values):
            write_component(armature, key, old.values[key])
    changed = 0
    for key, table in keys.tables.items():
        curve = curves.get(key) or versions.add_curve(bag, *key, keys.wanted[key][0].group)
        curve.mute = curve.lock = False
        curve.extrapolation = "CONSTANT"
        while len(curve.modifiers):
            curve.modifiers.remove(curve.modifiers[0])
        if not table.is_same(read_key_table(curve)):
            write_key_table(curve, table)
            changed += 1
    if changed:
        versions.deselect_keys(action)
    written = {
        key: hash_keys(keep_inside(table, find_key_span(key, record.span)))
        for key, table in keys.tables.items()
    }
    if old is not None:
        written |= {key: old.written[key] for key in edited if key in old.written}
    if old is not None and keys.is_around:
        # The section has no keys for these; what the walk around it has there stays.
        written |= {
            key: hash_keys(
                keep_inside(read_key_table(curves.get(key)), find_key_span(key, record.span))
            )
            for key in old.written
            if key not in written
        }
    copied = {
        (c.data_path, c.array_index): hash_keys(read_key_table(c))
        for c in bag.fcurves
        if (c.data_path, c.array_index) not in written
    }
    if old is not None:
        copied |= {key: value for key, value in old.copied.items() if key in copied}
        values |= old.values
    before = () if old is None else old.markers
    first, last = keys.section
    stay = tuple(m for m in before if keys.is_around and not first <= m[1] <= last)
    _replace_markers(action, [marker for marker in before if marker not in stay], markers)
    record = replace(record, markers=(*stay, *markers))
    write_record(action, replace(record, written=written, copied=copied, values=values))
    place_bake(armature, action, slot, in_strip=options.use_strip)
    count = sum(len(keep_inside(table, keys.section)) for table in keys.tables.values())
    return BakedAction(action, slot, len(keys.tables), count, changed, tuple(sorted(edited)))


def find_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """The bake action that an object plays, active or in a strip, or None."""
    action, _ = find_playing_action(armature)
    return action if is_bake(action) else None


def remove_bake(armature: bpy.types.Object) -> bpy.types.Action | None:
    """Take a bake away and give back what was there before.

    Curves that the bake did not write but that were edited in its action since are handed back to
    the action before, or to a copy of it where that is one of the walk's motions or linked.

    Returns
    -------
    Action or None
        The action from before the bake.

    Raises
    ------
    BakeError
        Where the object plays no bake.
    """
    action, slot = find_playing_action(armature)
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
    lift_bake(armature, previous, previous_slot)
    bpy.data.actions.remove(action)
    for key, value in record.values.items():
        write_component(armature, key, value)
    armature.update_tag()
    return previous


def prepare_action(
    armature: bpy.types.Object, keys: BakeKeys, options: BakeOptions
) -> bpy.types.Action:
    """The action to write to: the bake's own, or a new one with the active one's curves."""
    active, active_slot = keys.active, keys.active_slot
    if keys.old is not None and active is not None:
        versions.keep_only_slot(active, active_slot, armature.name)
        return active
    name = options.action_name or _find_free_name(f"{armature.name} Baked Walk")
    if active is None or versions.get_channelbag(active, active_slot) is None:
        return bpy.data.actions.new(name)
    action = active.copy()
    action.name = name
    versions.keep_only_slot(action, active_slot, armature.name)
    if keys.record.previous_is_source:
        _, bag = versions.ensure_channelbag(action, armature)
        for curve in list(bag.fcurves):
            if curve.data_path.rpartition(".")[2] in TRANSFORM_PROPERTIES:
                bag.fcurves.remove(curve)
    return action


def _find_free_name(stem: str) -> str:
    """A name that no action has, in words: a ``.001`` would look like the copy of a clip."""
    name, number = stem, 1
    while name in bpy.data.actions:
        number += 1
        name = f"{stem} {number}"
    return name


def _replace_markers(
    action: bpy.types.Action, old: Sequence[Marker], new: Sequence[Marker]
) -> None:
    """Take the markers of an earlier bake off an action, where they still are, and put new ones."""
    written = set(old)
    for marker in [m for m in action.pose_markers if (m.name, m.frame) in written]:
        action.pose_markers.remove(marker)
    for name, frame in new:
        action.pose_markers.new(name).frame = frame


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
