# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that a bake would write, computed without changing anything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ..core.key_reduction import choose_keys
from ..core.pose import PoseArray
from ..core.rotations import FloatArray, step_cubic
from ..core.skeleton import Skeleton
from ..errors import BakeError
from . import versions
from .armature import require_armature
from .bake_channels import ChannelValues, compute_channels
from .bake_influences import compute_influences
from .bake_options import BakeOptions
from .bake_record import (
    BakeRecord,
    ChannelKey,
    find_key_span,
    find_playing_action,
    is_bake,
    read_record,
)
from .components import read_component
from .curves import group_transform_curves
from .key_tables import (
    KeyTable,
    hash_keys,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
    read_key_table,
)

# Values that differ less than this are one: float32 keys of metres and radians hold 1e-7.
_CONSTANT = 1e-7
# An error of one component of a quaternion turns by twice as much; all four together by no more
# than twice that again.
_COMPONENT_SHARE = 0.25


@dataclass(frozen=True)
class BakeKeys:
    """Keys of a walk, ready to be written or shown.

    Attributes
    ----------
    active, active_slot
        The bake's action, else the one that the object plays, and its slot.
    old
        What an earlier bake remembers; None where none is active.
    record
        What is known of this bake before its keys are written.
    under
        Curves of the animation under the bake.
    edited
        Written curves that were changed by hand and are left alone.
    wanted
        Channel and column of each curve to write.
    tables
        Keys of each curve to write.
    values
        What the properties to write are now.
    """

    active: bpy.types.Action | None
    active_slot: str
    old: BakeRecord | None
    record: BakeRecord
    under: Sequence[bpy.types.FCurve]
    edited: set[ChannelKey]
    wanted: dict[ChannelKey, tuple[ChannelValues, int]]
    tables: dict[ChannelKey, KeyTable]
    values: dict[ChannelKey, float]


def compute_keys(
    armature: bpy.types.Object,
    poses: PoseArray,
    skeleton: Skeleton,
    frames: FloatArray,
    options: BakeOptions,
) -> BakeKeys:
    """Keys of solved poses; nothing in the file changes.

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
        How to write them.

    Raises
    ------
    BakeError
        Where the object cannot take the keys.
    """
    frames = np.asarray(frames, dtype=np.float64)
    if frames.shape != (len(poses),) or not len(poses) or np.any(np.diff(frames) <= 0):
        raise ValueError(f"frames must be {len(poses)} increasing numbers, got {frames.shape}")
    check_target(armature, options)
    active, active_slot = find_playing_action(armature)
    old = read_record(active) if active is not None and is_bake(active) else None
    record = _start_record(active, active_slot, old, frames, options)
    under = [] if record.previous is None else list(_curves_under(record))
    weights = _compute_weights(frames, options)
    channels = compute_channels(
        armature,
        poses,
        skeleton,
        frames,
        group_transform_curves(under),
        output_to=options.output_to,
        root_bone=options.root_bone or "" if options.output_to == "bone" else "",
        weights=weights,
    )
    keyed = {channel.bone for channel in channels}
    influences = compute_influences(
        armature, options.leg_bones, options.body, keyed, frames, under, old, weights
    )
    channels += [influence.channel for influence in influences]
    beside = {(influence.channel.path, 0): influence.beside for influence in influences}
    edited = set(find_edited_curves(armature)) if options.keep_edits else set()
    wanted = _collect_curves(channels, edited)
    kept = _choose_kept(wanted, frames, skeleton.object_scale, options.key_tolerance)
    tables = _build_tables(wanted, frames, kept, beside, active, active_slot, old, under, record)
    values = _read_values(armature, wanted)
    return BakeKeys(active, active_slot, old, record, under, edited, wanted, tables, values)


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
            f"{name!r} is linked from another file: make a library override of it first "
            "(Object > Library Override > Make)"
        )
    data = armature.animation_data
    if data is not None and data.use_tweak_mode:
        raise BakeError(f"{name!r} is in the tweak mode of its NLA strips: leave it (Tab) first")
    acting = [c.name for c in armature.constraints if not c.mute and c.influence > 0]
    if options.output_to == "object" and acting:
        raise BakeError(
            f"the constraint {acting[0]!r} moves {name!r}, so its own keys would add to it: "
            "set Write To to Body or Root Bone, or apply the constraint"
        )
    if options.output_to == "bone" and options.root_bone not in armature.pose.bones:
        raise BakeError(
            f"{name!r} has no bone {options.root_bone!r} to carry the travel: choose another"
        )


def find_edited_curves(armature: bpy.types.Object) -> list[ChannelKey]:
    """Data path and index of written curves whose keys were changed by hand since the bake.

    Empty where no bake is active.
    """
    action, slot = find_playing_action(armature)
    if action is None or not is_bake(action):
        return []
    record = read_record(action)
    curves = {(c.data_path, c.array_index): c for c in versions.get_curves(action, slot)}
    return sorted(
        key
        for key, kept in record.written.items()
        if kept
        != hash_keys(keep_inside(read_key_table(curves.get(key)), find_key_span(key, record.span)))
    )


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
        start = old.start if options.start is None else float(options.start)
        return replace(old, span=span, output_to=options.output_to, start=start)
    is_source = active is not None and active in options.source_actions
    return BakeRecord(span, options.output_to, active, active_slot, is_source, start=options.start)


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


def _choose_kept(
    wanted: dict[ChannelKey, tuple[ChannelValues, int]],
    frames: FloatArray,
    scale: float,
    tolerance: float,
) -> dict[ChannelKey, np.ndarray]:
    """Which keys of each curve to write, masks (N,); empty where all are."""
    if not tolerance or not wanted:
        return {}
    values = np.stack([channel.values[:, column] for channel, column in wanted.values()])
    tolerances = np.array([_convert_tolerance(c, scale, tolerance) for c, _ in wanted.values()])
    return dict(zip(wanted, choose_keys(frames, values, tolerances), strict=True))


def _convert_tolerance(channel: ChannelValues, scale: float, tolerance: float) -> float:
    """A tolerance in metres and radians in the unit of a channel."""
    if channel.name == "location" and channel.bone:
        return tolerance / scale
    if channel.name in ("rotation_quaternion", "rotation_axis_angle"):
        return _COMPONENT_SHARE * tolerance
    return tolerance


def _build_tables(
    wanted: dict[ChannelKey, tuple[ChannelValues, int]],
    frames: FloatArray,
    kept: dict[ChannelKey, np.ndarray],
    beside: dict[ChannelKey, KeyTable],
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
        span = find_key_span(key, record.span)
        outside = keep_outside(read_key_table(shown.get(key)), span)
        if old is not None:
            freed = keep_outside(read_key_table(below.get(key)), span)
            before = find_key_span(key, old.span)
            outside = join_key_tables(keep_outside(outside, before), keep_inside(freed, before))
        if key in beside:
            outside = join_key_tables(outside, beside[key])
        values = channel.values[:, column]
        if not len(outside) and np.ptp(values) <= _CONSTANT:
            tables[key] = make_key_table(frames[:1], values[:1])
        else:
            chosen = kept.get(key, slice(None))
            ours = make_key_table(frames[chosen], values[chosen])
            tables[key] = join_key_tables(outside, ours) if len(outside) else ours
    return tables


def _read_values(
    armature: bpy.types.Object, wanted: Iterable[ChannelKey]
) -> dict[ChannelKey, float]:
    """What the properties to write are now."""
    values = {key: read_component(armature, key) for key in wanted}
    return {key: value for key, value in values.items() if value is not None}
