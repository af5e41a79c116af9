# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys that a bake would write, computed without changing anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import bpy
import numpy as np

from ...core.keys.edits import KeyEdit, add_edits
from ...core.keys.laying import Run, style_keys
from ...core.keys.tables import (
    NO_KEYS,
    KeyTable,
    choose_keys,
    join_key_tables,
    make_key_tables,
    set_root_upright,
)
from ...core.maths.rotations import FloatArray, step_cubic
from ...core.pose import PoseArray
from ...core.rig.skeleton import Skeleton
from ...errors import BakeError
from .. import versions
from ..limits import WRITING
from ..reading.leg_motions import list_playing_on
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    find_played_record,
    find_playing_action,
    join_sections,
    read_values_before,
)
from ..values.components import read_component
from ..values.curve_records import CurveRecord, encode_keys
from ..values.curves import group_transform_curves, split_bone_path
from ..values.key_tables import shows_more
from .beside import open_curves_beside, open_under
from .channels import ChannelValues, UnderWalk, compute_channels
from .checking import check_target
from .composing import Composition, find_holding, is_own_curve
from .edits import (
    apply_edits,
    find_between,
    find_new_edits,
    find_styles,
    follow_modes,
    key_between,
)
from .influences import compute_influences, compute_switches
from .options import BakeOptions


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
    freed
        Curves that are not written any more as they are without the walk; None where they are none.
    rows, laid
        What is remembered of the keys by curve, see `Composition.remember`.
    deleted
        Curves that an earlier bake wrote and that were deleted by hand, which are not written.
    plays_on
        Bones and properties of one of the walk's own motions that go on as it has them.
    """

    active: bpy.types.Action | None
    active_slot: str
    old: BakeRecord | None
    record: BakeRecord
    edits: tuple[KeyEdit, ...]
    wanted: dict[ChannelKey, tuple[ChannelValues, int]]
    tables: dict[ChannelKey, KeyTable]
    values: dict[ChannelKey, float]
    known: Mapping[ChannelKey, float]
    section: tuple[float, float]
    is_around: bool
    shown_span: tuple[float, float] | None
    freed: Mapping[ChannelKey, CurveRecord | None]
    rows: Mapping[ChannelKey, np.ndarray]
    laid: Mapping[ChannelKey, KeyTable]
    deleted: frozenset[ChannelKey] = frozenset()
    plays_on: Set[tuple[str, str]] = frozenset()


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
        The object cannot take the keys, or a bone was renamed and its keys changed.
    """
    frames = np.asarray(frames, dtype=np.float64)
    if frames.shape != (len(poses),) or not len(poses) or np.any(np.diff(frames) <= 0):
        raise ValueError(f"frames must be {len(poses)} increasing numbers, got {frames.shape}")
    check_target(armature, options)
    if options.upright_root and options.output_to == "bone" and poses.basis is None:
        poses = set_root_upright(poses, skeleton, skeleton.find_index(options.carrier))
    active, active_slot = find_playing_action(armature)
    old = find_played_record(armature)
    section = (float(frames[0]), float(frames[-1]))
    if old is not None and options.start is not None and not options.keep_around:
        old = old.open_whole()
    is_around = old is not None and _goes_on_around(old, section, options)
    known = read_values_before(armature)
    record = _start_record(active, active_slot, old, section, options, is_around=is_around)
    with open_under(armature, record, section) as under:
        composition = Composition(armature, (active, active_slot), old, under, section, known)
        around = old if is_around else None
        with open_curves_beside(armature, around, section, under) as beside_curves:
            channels = compute_channels(
                armature,
                poses,
                skeleton,
                frames,
                UnderWalk(
                    group_transform_curves(beside_curves),
                    known,
                    _compute_weights(frames, options),
                    _list_own(composition, old),
                ),
                carrier=None if options.output_to == "object" else options.carrier,
            )
        channels += _compute_switched(armature, poses, frames, channels, around, under, options)
        between: Mapping[ChannelKey, KeyTable] = {}
        styles: Mapping[ChannelKey, KeyTable] = {}
        if old is not None:
            edits = _collect_edits(composition, old, frames, channels, options)
            channels = apply_edits(armature, channels, frames, edits)
            between = key_between(armature, channels, frames, edits)
            styles = find_styles(composition, keeps=options.keep_edits)
            kept_styles = {key: encode_keys(table) for key, table in styles.items()}
            record = replace(record, edits=tuple(edits), styles=kept_styles)
            _check_followed(armature, composition, old, options.source_actions)
        deleted = _list_deleted(composition, old, options)
        wanted = {k: v for k, v in _collect_curves(channels).items() if k not in deleted}
        plays_on = _find_playing_on(armature, record, options)
        wanted = {k: v for k, v in wanted.items() if (v[0].bone, v[0].name) not in plays_on}
        staying = old.find_staying(section) if old is not None and is_around else ()
        # What is baked in a whole walk, or makes it longer, is a part of it.
        joined = next(s for s in record.sections if s[0] <= section[0] <= s[1])
        (is_whole,) = find_holding(record, [joined])
        holds = is_whole and section[0] == joined[0], is_whole and section[1] == joined[1]
        tables = {}
        for key, (run, whole) in _list_runs(wanted, frames, skeleton, options).items():
            run = join_key_tables(run, between.get(key, NO_KEYS))
            if key in styles:
                run = style_keys(run, whole, styles[key])
            walk = Run(section, run, holds)
            table = composition.compose(key, staying, walk)
            is_alone = len(table) == len(run) <= len(whole) and composition.get_own(key) is None
            is_still = is_alone and np.ptp(table.co[:, 1]) <= WRITING.constant
            tables[key] = table.select(slice(0, 1)) if is_still else table
        rows, laid = _remember(composition, tables, staying, section, old, deleted)
        gone = set() if old is None or is_around else set(old.written) - set(wanted) - deleted
        freed = {key: composition.read_free(key) for key in sorted(gone)}
        changed = {key: one.encode() for key, one in composition.list_changed().items()}
        below = {key: c for c in under if (key := (c.data_path, c.array_index)) in wanted}
        goes_on = any(
            curve.id_data != record.previous or shows_more(curve, composition.span)
            for curve in below.values()
        )
    paths = {path for path, _ in wanted}
    return BakeKeys(
        active,
        active_slot,
        old,
        replace(record, bases={**record.bases, **changed}),
        tuple(e for e in record.edits if e.overlaps(*section) and e.path in paths),
        wanted,
        tables,
        _read_values(armature, wanted),
        known,
        section,
        is_around,
        composition.span if goes_on and composition.span != section else None,
        freed,
        rows,
        laid,
        deleted,
        plays_on,
    )


def _compute_switched(
    armature: bpy.types.Object,
    poses: PoseArray,
    frames: FloatArray,
    channels: Sequence[ChannelValues],
    around: BakeRecord | None,
    under: Sequence[bpy.types.FCurve],
    options: BakeOptions,
) -> list[ChannelValues]:
    """Influences and switches that a walk keys."""
    section, known = (float(frames[0]), float(frames[-1])), read_values_before(armature)
    weights = _compute_weights(frames, options)
    # The walk around a section needs them switched off as well.
    for first, last in () if around is None else around.find_staying(section):
        weights = np.where((frames >= first) & (frames <= last), 1.0, weights)
    keyed = {channel.bone for channel in channels}
    found = compute_influences(
        armature, options.leg_bones, options.body, keyed, frames, under, known, weights
    )
    taken = {influence.path for influence in found}
    return found + compute_switches(armature, poses, frames, under, known, weights, taken)


def _remember(
    composition: Composition,
    tables: Mapping[ChannelKey, KeyTable],
    staying: Sequence[tuple[float, float]],
    section: tuple[float, float],
    old: BakeRecord | None,
    deleted: Set[ChannelKey],
) -> tuple[dict[ChannelKey, np.ndarray], dict[ChannelKey, KeyTable]]:
    """What tells later of each curve which keys hands have changed."""
    kept = {k: composition.remember(k, table, staying, section) for k, table in tables.items()}
    # So that the next bake knows that they were deleted.
    kept |= dict.fromkeys(deleted, (NO_KEYS.co, NO_KEYS))
    # The section has no keys for these; what the walk around it has there stays.
    for key in old.written if old is not None and staying else ():
        if key not in kept:
            kept[key] = composition.remember_as_found(key)
    rows = {key: written for key, (written, _) in kept.items()}
    return rows, {key: laid for key, (_, laid) in kept.items()}


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


def _find_playing_on(
    armature: bpy.types.Object, record: BakeRecord, options: BakeOptions
) -> Set[tuple[str, str]]:
    """Bones and properties of the action before, where it is a motion of the walk, that go on."""
    if record.previous is None or not record.previous_is_source or options.cleans:
        return frozenset()
    sources = options.source_actions
    return list_playing_on(armature, record.previous, record.previous_slot, sources)


def _check_followed(
    armature: bpy.types.Object,
    composition: Composition,
    old: BakeRecord,
    sources: Sequence[bpy.types.Action],
) -> None:
    """Check that bones which were renamed since a walk was baked are followed in all of its parts.

    Raises
    ------
    BakeError
        One is gone with its curves, and another one has come; or a motion has its old name still.
    """
    bones, data = armature.pose.bones, armature.animation_data
    keyed = {split_bone_path(path)[0] for path, _ in composition.curves}
    gone = {split_bone_path(path)[0] for path, _ in old.written} - keyed - {*bones.keys(), ""}
    known = {split_bone_path(path)[0] for path, _ in (*old.written, *old.copied)}
    come = sorted(keyed & set(bones.keys()) - known)
    if gone and come:
        raise BakeError(
            f"the bone {min(gone)!r}, which the walk of {armature.name!r} keys, is gone, and none of "
            f"{', '.join(map(repr, come))} has its keys",
            "give it its old name again, or use Remove Bake first",
            "give it its old name again",
        )
    strips = [] if data is None else [s for track in data.nla_tracks for s in track.strips]
    played = {strip.action for strip in strips}
    for action in sources:
        slot = versions.find_slot(action, armature)
        curves = () if slot is None else versions.get_curves(action, slot)
        named = {split_bone_path(curve.data_path)[0] for curve in curves}
        for name, new in composition.renamed.items():
            if name in named and (new not in named or action not in played):
                raise BakeError(
                    f"the bone {new!r} of {armature.name!r} was {name!r} when its walk was baked, and is "
                    f"so still in the action {action.name!r}: Blender renames bones in actions alone "
                    "that play",
                    "give it its old name, put the action into a muted NLA track, and rename it again",
                    "rename it in the action as well",
                )


def _list_own(composition: Composition, old: BakeRecord | None) -> set[tuple[str, str]]:
    """Bones, empty for the object, and properties that the animator has keyed beside an earlier walk."""
    curves = composition.curves.values()
    return {split_bone_path(c.data_path) for c in curves if old and is_own_curve(c, old)}


def _list_deleted(
    composition: Composition, old: BakeRecord | None, options: BakeOptions
) -> frozenset[ChannelKey]:
    """Curves of an earlier bake that were deleted by hand; none where all were, to have a walk anew."""
    if old is None or not options.keep_edits:
        return frozenset()
    present = composition.curves.keys() & old.written.keys()
    return frozenset(old.written.keys() - present) if present else frozenset()


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
    composition: Composition,
    old: BakeRecord,
    frames: FloatArray,
    channels: Sequence[ChannelValues],
    options: BakeOptions,
) -> list[KeyEdit]:
    """What was changed by hand on this bake and those before, without what is dropped."""
    if not options.keep_edits:
        return [edit for edit in old.edits if not edit.overlaps(*composition.section)]
    found = find_new_edits(composition, frames, channels)
    # Keys between frames are taken as they are, and not added to what they were.
    looked, dropped = composition.looked, set(options.dropped_edits)
    known = [
        edit
        for edit in old.edits
        if edit.key not in dropped
        and not (edit.is_between and np.any(np.abs(looked - edit.first) < 1.0))
    ]
    found += [edit for edit in find_between(composition) if edit.key not in dropped]
    return follow_modes(composition.armature, add_edits(known, found))


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


def _list_runs(
    wanted: Mapping[ChannelKey, tuple[ChannelValues, int]],
    frames: FloatArray,
    skeleton: Skeleton,
    options: BakeOptions,
) -> dict[ChannelKey, tuple[KeyTable, KeyTable]]:
    """Keys of the walk on each curve: those to write, and all of them."""
    if not wanted:
        return {}
    values = np.stack([channel.values[:, column] for channel, column in wanted.values()])
    tables = dict(zip(wanted, make_key_tables(frames, values), strict=True))
    if not options.key_tolerance:
        return {key: (table, table) for key, table in tables.items()}
    scale, tolerance = skeleton.object_scale, options.key_tolerance
    limits = np.array([_convert_tolerance(c, scale, tolerance) for c, _ in wanted.values()])
    kept = choose_keys(frames, values, limits)
    return {
        key: (table.select(rows), table)
        for (key, table), rows in zip(tables.items(), kept, strict=True)
    }


def _convert_tolerance(channel: ChannelValues, scale: float, tolerance: float) -> float:
    """A tolerance in metres and radians in the unit of a channel."""
    if channel.name == "location" and channel.bone:
        return tolerance / scale
    if channel.name in ("rotation_quaternion", "rotation_axis_angle"):
        return WRITING.component * tolerance
    return tolerance


def _read_values(
    armature: bpy.types.Object, wanted: Iterable[ChannelKey]
) -> dict[ChannelKey, float]:
    """What the properties to write are now."""
    values = {key: read_component(armature, key) for key in wanted}
    return {key: value for key, value in values.items() if value is not None}
