# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that a bake would write, computed without changing anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ...core.keys.edits import KeyEdit, add_edits
from ...core.keys.reduction import choose_keys
from ...core.keys.roots import set_root_upright
from ...core.maths.rotations import FloatArray, step_cubic
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton
from .. import versions
from ..limits import WRITING
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    find_key_span,
    find_key_spans,
    find_playing_action,
    is_bake_of,
    join_sections,
    read_record,
    read_values_before,
)
from ..values.components import read_component
from ..values.curves import group_transform_curves, split_bone_path
from ..values.key_tables import (
    KeyTable,
    join_key_tables,
    keep_outside,
    make_key_tables,
    shows_more,
)
from .around import Beside, find_beside
from .bases import find_holding
from .beside import open_curves_beside
from .channels import ChannelValues, UnderWalk, compute_channels
from .checking import check_target
from .edits import apply_edits, find_new_edits
from .influences import compute_influences
from .laying import Run, lay_runs
from .options import BakeOptions
from .own_keys import is_own_curve
from .switches import compute_switches


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
    edits
        What was changed by hand, and is on the keys, in the frames of the walk.
    wanted
        Channel and column of each curve to write.
    tables
        Keys of each curve to write.
    values
        What the properties to write are now.
    known
        What properties were that an earlier bake keys, also one that is not played any more.
    section
        First and last frame of the walk that the keys are of.
    is_around
        Whether an earlier walk goes on around them.
    shown_span
        First and last frame on which modifiers and extrapolation of curves under the bake are kept as
        keys; None where no curve that is written has any.
    beside
        Keys under the walk of curves on which something was changed by hand beside walks.
    deleted
        Curves that an earlier bake wrote and that were deleted by hand, which are not written.
    """

    active: bpy.types.Action | None
    active_slot: str
    old: BakeRecord | None
    record: BakeRecord
    under: Sequence[bpy.types.FCurve]
    edits: tuple[KeyEdit, ...]
    wanted: dict[ChannelKey, tuple[ChannelValues, int]]
    tables: dict[ChannelKey, KeyTable]
    values: dict[ChannelKey, float]
    known: Mapping[ChannelKey, float]
    section: tuple[float, float]
    is_around: bool
    shown_span: tuple[float, float] | None = None
    beside: Mapping[ChannelKey, KeyTable] = field(default_factory=dict)
    deleted: frozenset[ChannelKey] = frozenset()


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
    if options.upright_root and options.output_to == "bone" and poses.basis is None:
        poses = set_root_upright(poses, skeleton, skeleton.find_index(options.carrier))
    active, active_slot = find_playing_action(armature)
    old = read_record(active) if active is not None and is_bake_of(armature, active) else None
    section = (float(frames[0]), float(frames[-1]))
    if old is not None and options.start is not None and not options.keep_around:
        old = old.open_whole()
    is_around = old is not None and _goes_on_around(old, section, options)
    known = read_values_before(armature)
    record = _start_record(active, active_slot, old, section, options, is_around=is_around)
    under = [] if record.previous is None else list(_curves_under(record))
    weights = _compute_weights(frames, options)
    own = _list_own(active, active_slot, old)
    with open_curves_beside(armature, old if is_around else None, section, under) as beside_curves:
        channels = compute_channels(
            armature,
            poses,
            skeleton,
            frames,
            UnderWalk(group_transform_curves(beside_curves), known, weights, own),
            carrier=None if options.output_to == "object" else options.carrier,
        )
    keyed = {channel.bone for channel in channels}
    if old is not None and is_around:
        # The walk around a section needs them switched off as well.
        staying = old.find_staying(section)
        for first, last in staying:
            weights = np.where((frames >= first) & (frames <= last), 1.0, weights)
    influences = compute_influences(
        armature, options.leg_bones, options.body, keyed, frames, under, known, weights
    )
    taken = {influence.channel.path for influence in influences}
    influences += compute_switches(armature, poses, frames, under, known, weights, taken)
    channels += [influence.channel for influence in influences]
    beside = {
        (influence.channel.path, influence.channel.values.shape[1] - 1): influence.beside
        for influence in influences
    }
    if old is not None:
        edits = _collect_edits(armature, old, section, frames, channels, options)
        channels = apply_edits(armature, channels, frames, edits)
        record = replace(record, edits=tuple(edits))
    deleted = _list_deleted(active, active_slot, old, options)
    wanted = {k: v for k, v in _collect_curves(channels).items() if k not in deleted}
    kept = _choose_kept(wanted, frames, skeleton.object_scale, options.key_tolerance)
    values = _read_values(armature, wanted)
    around = find_beside(
        armature,
        wanted,
        (active, active_slot),
        old,
        under,
        section,
        {**values, **known},
        is_around=is_around,
    )
    span = around.span
    free = {(c.data_path, c.array_index): c for c in under}
    goes_on = any(shows_more(free.get(key), span) for key in wanted)
    if old is not None and is_around:
        beside = {
            key: keep_outside(table, *find_key_spans(key, old.find_staying(section)))
            for key, table in beside.items()
        }
    # What is baked in a whole walk, or makes it longer, is a part of it.
    joined = next(s for s in record.sections if s[0] <= section[0] <= s[1])
    (is_whole,) = find_holding(record, [joined])
    holds = is_whole and section[0] == joined[0], is_whole and section[1] == joined[1]
    tables = _build_tables(wanted, frames, kept, beside, around, holds)
    return BakeKeys(
        active,
        active_slot,
        old,
        record,
        under,
        tuple(edit for edit in record.edits if edit.overlaps(*section)),
        wanted,
        tables,
        values,
        known,
        section,
        is_around,
        span if goes_on and span != section else None,
        {key: base.keys for key, base in around.bases.items() if base.is_changed},
        deleted,
    )


def _goes_on_around(old: BakeRecord, section: tuple[float, float], options: BakeOptions) -> bool:
    """Whether the walk of an earlier bake, or sections of it, stay around the frames of a new one."""
    carrier = (options.output_to, options.carrier)
    stays = bool(old.written and old.find_staying(section)) and not options.cleans
    is_walk = options.keep_around or options.start is not None
    return is_walk and stays and carrier == (old.output_to, old.root_bone)


def _start_record(
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    span: tuple[float, float],
    options: BakeOptions,
    *,
    is_around: bool,
) -> BakeRecord:
    """What is known of the bake before anything is written."""
    root = options.carrier
    if old is not None:
        start = old.start if options.start is None else float(options.start)
        sections = join_sections([*old.find_staying(span), span]) if is_around else (span,)
        return replace(
            old,
            dropped=(),
            span=(sections[0][0], max(last for _, last in sections)),
            sections=sections,
            output_to=options.output_to,
            start=start,
            root_bone=root,
            cleans=options.cleans,
            tolerance=options.key_tolerance,
        )
    is_source = active is not None and active in options.source_actions
    return BakeRecord(
        span,
        options.output_to,
        active,
        active_slot,
        is_source,
        start=options.start,
        root_bone=root,
        cleans=options.cleans,
        tolerance=options.key_tolerance,
    )


def _list_own(
    active: bpy.types.Action | None, slot: str, old: BakeRecord | None
) -> set[tuple[str, str]]:
    """Bones, empty for the object, and properties that the animator has keyed beside an earlier walk."""
    if active is None or old is None:
        return set()
    curves = versions.get_curves(active, slot)
    return {split_bone_path(curve.data_path) for curve in curves if is_own_curve(curve, old)}


def _list_deleted(
    active: bpy.types.Action | None, slot: str, old: BakeRecord | None, options: BakeOptions
) -> frozenset[ChannelKey]:
    """Curves of an earlier bake that were deleted by hand; none where all were, to have a walk anew."""
    if active is None or old is None or not options.keep_edits:
        return frozenset()
    present = {(c.data_path, c.array_index) for c in versions.get_curves(active, slot)}
    return frozenset(old.written.keys() - present) if present & old.written.keys() else frozenset()


def _curves_under(record: BakeRecord) -> Sequence[bpy.types.FCurve]:
    """Curves of the animation under the bake; a walk's own motion is none."""
    if record.previous is None or record.previous_is_source:
        return ()
    return versions.get_curves(record.previous, record.previous_slot)


def _compute_weights(frames: FloatArray, options: BakeOptions) -> FloatArray:
    """Share of the walk at each frame, shape (N,)."""
    weights = np.ones(len(frames))
    if options.is_mixed:
        return weights
    if options.blend_in:
        weights *= step_cubic((frames - frames[0]) / options.blend_in)
    if options.blend_out:
        weights *= step_cubic((frames[-1] - frames) / options.blend_out)
    return weights


def _collect_edits(
    armature: bpy.types.Object,
    old: BakeRecord,
    section: tuple[float, float],
    frames: FloatArray,
    channels: Sequence[ChannelValues],
    options: BakeOptions,
) -> list[KeyEdit]:
    """What was changed by hand on this bake and those before, without what is dropped."""
    if not options.keep_edits:
        return [edit for edit in old.edits if not edit.overlaps(*section)]
    found = find_new_edits(armature, old, section, frames, channels)
    dropped = set(options.dropped_edits)
    return add_edits([edit for edit in old.edits if edit.key not in dropped], found)


def _collect_curves(
    channels: Sequence[ChannelValues],
) -> dict[ChannelKey, tuple[ChannelValues, int]]:
    """Channel and column of each curve to write."""
    return {
        (channel.path, index): (channel, index)
        for channel in channels
        for index in range(channel.values.shape[1])
        if not np.isnan(channel.values[0, index])
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
        return WRITING.component * tolerance
    return tolerance


def _build_tables(
    wanted: dict[ChannelKey, tuple[ChannelValues, int]],
    frames: FloatArray,
    kept: dict[ChannelKey, np.ndarray],
    given: dict[ChannelKey, KeyTable],
    beside: Beside,
    holds: tuple[bool, bool],
) -> dict[ChannelKey, KeyTable]:
    """Keys of each curve: ours in the range, the others' outside of it."""
    if not wanted:
        return {}
    columns = np.stack([channel.values[:, column] for channel, column in wanted.values()])
    whole = make_key_tables(frames, columns)
    is_still = np.ptp(columns, axis=1) <= WRITING.constant
    section = (float(frames[0]), float(frames[-1]))
    tables = {}
    for key, ours, still in zip(wanted, whole, is_still.tolist(), strict=True):
        base, own, walks = beside.bases[key], beside.own[key], beside.walks.get(key, ())
        run = ours.select(kept[key]) if key in kept else ours
        if key in given:
            run = join_key_tables(given[key].select(~np.isin(given[key].frames, run.frames)), run)
        is_alone = own is None and not (len(base.keys) or walks or len(run) > len(ours))
        if still and is_alone:
            tables[key] = ours.select(slice(0, 1))
            continue
        laid = Run(find_key_span(key, section), run, holds)
        tables[key] = lay_runs(base.keys, [*walks, laid], own, is_bare=base.is_bare)
    return tables


def _read_values(
    armature: bpy.types.Object, wanted: Iterable[ChannelKey]
) -> dict[ChannelKey, float]:
    """What the properties to write are now."""
    values = {key: read_component(armature, key) for key in wanted}
    return {key: value for key, value in values.items() if value is not None}
