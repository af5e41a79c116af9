# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of the curves in a bake's action is the animator's, told by what bakes have written."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import bpy
import numpy as np

from .. import versions
from ..values.bake_record import BakeRecord, ChannelKey, find_key_spans
from ..values.curve_records import CurveRecord, is_curve_as_hashed
from ..values.curves import TRANSFORM_PROPERTIES
from ..values.key_tables import (
    NO_KEYS,
    KeyTable,
    is_in_spans,
    keep_outside,
    lies_inside,
    read_key_table,
    read_points_outside,
)
from ..values.written_keys import read_written
from .bases import take_hand_changes

if TYPE_CHECKING:
    from .computing import BakeKeys

Written = Mapping[ChannelKey, np.ndarray]


@dataclass(frozen=True)
class FoundBake:
    """An earlier bake as the next one finds it.

    Attributes
    ----------
    record
        What it remembers.
    written
        Frames and values that it wrote, by curve.
    curves
        Keys that the curves have now, where other sections stay beside the next one.
    own
        Keys of the animator beside the walk on curves that it wrote.
    freed
        Curves that are not written any more as they are without the walk; None where they are none.
    taken
        Curves of the animator in whose place walks write, as text.
    """

    record: BakeRecord
    written: Written
    curves: Mapping[ChannelKey, KeyTable]
    own: Mapping[ChannelKey, KeyTable]
    freed: Mapping[ChannelKey, CurveRecord | None]
    taken: Mapping[ChannelKey, str]


def find_bake_keys(armature: bpy.types.Object, keys: BakeKeys) -> FoundBake | None:
    """What the next bake of some keys finds of an earlier one; None where there is none."""
    old = keys.old
    if old is None or keys.active is None:
        return None
    written = read_written(keys.active)
    found = versions.get_curves(keys.active, keys.active_slot)
    curves = {(c.data_path, c.array_index): c for c in found}
    under = {(c.data_path, c.array_index): c for c in keys.under}
    own = {key: find_own_keys(key, curves.get(key), old, written) for key in old.written}
    gone = set() if keys.is_around else set(old.written) - set(keys.wanted) - keys.deleted
    freed = {
        key: find_free_curve(armature, key, curves.get(key), under.get(key), old, written)
        for key in sorted(gone)
    }
    taken = list_taken(armature, curves, under, list(keys.wanted), old, written, keys.beside)
    before = read_curves_before(old)
    for key in keys.wanted:
        inside = find_keys_inside(key, curves.get(key), before.get(key), old, written)
        if not len(inside):
            continue
        kept = taken.get(key)
        free = CurveRecord.read(before[key]) if kept is None else CurveRecord.decode(kept)
        taken[key] = free.add_keys(inside).encode()
    return FoundBake(
        record=old,
        written=written,
        curves={k: read_key_table(curves.get(k)) for k in old.written if keys.is_around},
        own=own,
        freed=freed,
        taken={**old.taken, **taken},
    )


def is_own_curve(curve: bpy.types.FCurve, record: BakeRecord) -> bool:
    """Whether a curve that a bake has not written was keyed or changed since its first bake."""
    key = (curve.data_path, curve.array_index)
    if key in record.written:
        return False
    kept = record.copied.get(key)
    return kept is None or not is_curve_as_hashed(curve, kept)


def find_own_keys(
    key: ChannelKey, curve: bpy.types.FCurve | None, record: BakeRecord, written: Written
) -> KeyTable:
    """Keys beside the walk, on a curve that it has written, which it did not write.

    Parameters
    ----------
    key
        Data path and index of the curve.
    curve
        The curve, None where it is gone.
    record
        What the bake remembers.
    written
        Frames and values that it wrote, by curve.
    """
    spans = find_key_spans(key, record.sections)
    # Most curves have no keys there at all, which is seen without reading them.
    if key not in written or any(lies_inside(curve, span) for span in spans):
        return NO_KEYS
    points = read_points_outside(curve, *spans)
    if _is_all_among(points, written[key]):
        return NO_KEYS
    beside = keep_outside(read_key_table(curve), *spans)
    return beside.select(~_is_among(beside.co, written[key]))


def is_property(key: ChannelKey) -> bool:
    """Whether a curve keys what is no transform."""
    return key[0].rpartition(".")[2] not in TRANSFORM_PROPERTIES


def read_curves_before(record: BakeRecord) -> dict[ChannelKey, bpy.types.FCurve]:
    """Curves of the action that was played before a bake, also where it is one of its motions."""
    if record.previous is None:
        return {}
    curves = versions.get_curves(record.previous, record.previous_slot)
    return {(curve.data_path, curve.array_index): curve for curve in curves}


def find_keys_inside(
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    before: bpy.types.FCurve | None,
    record: BakeRecord,
    written: Written,
) -> KeyTable:
    """Keys that were set in the walk by hand on what the animation before keys, and is no transform.

    Poses are the walk's own, and changes of theirs lie on it. A property that an animator has keyed
    before, as a mood, is the animator's still, also where the walk's motions key it.

    Parameters
    ----------
    key
        Data path and index of the curve.
    curve, before
        The bake's curve and that of the action before; None where there is none.
    record, written
        What the bake remembers, and what it wrote.
    """
    if curve is None or before is None or not is_property(key) or key not in written:
        return NO_KEYS
    table = read_key_table(curve)
    # A frame beside them the walk itself gives the property back.
    inside = is_in_spans(table.frames, record.sections)
    return table.select(inside & ~_is_among(table.co, written[key]))


def leave_own_out(table: KeyTable, own: KeyTable) -> np.ndarray:
    """Frames and values (K, 2) of the keys of a table that are not the animator's ``own``."""
    return table.co[~_is_among(table.co, own.co)]


def find_free_curve(
    armature: bpy.types.Object,
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    below: bpy.types.FCurve | None,
    record: BakeRecord,
    written: Written,
) -> CurveRecord | None:
    """A curve as it is without the walk, with what was keyed beside that; None where it is none.

    Parameters
    ----------
    armature
        The character's object.
    key
        Its data path and index.
    curve
        The bake's curve.
    below
        The curve of the animation under the bake, None where it has none.
    record
        What the bake remembers.
    written
        Frames and values that it wrote, by curve.
    """
    free = CurveRecord.decode(record.taken[key]) if key in record.taken else None
    if free is None and below is not None:
        free = CurveRecord.read(below)
    if curve is None:
        return free
    own = find_own_keys(key, curve, record, written)
    if free is None:
        if not len(own):
            return None
        group = "" if curve.group is None else curve.group.name
        return CurveRecord(group, own, CurveRecord.read(curve).choices, ())
    if len(own):
        # Those that were found before have their handles still, of which walks have cut some.
        free = free.add_keys(own.select(~_is_among(own.co, free.keys.co)))
    if key not in written:
        return free
    return replace(free, keys=take_hand_changes(armature, key, free, curve, record))


def find_curve_before(
    key: ChannelKey, below: bpy.types.FCurve | None, record: BakeRecord, own: KeyTable
) -> CurveRecord | None:
    """A curve as it is without the walk, and without its keys ``own``; None where it is none."""
    if below is not None:
        return CurveRecord.read(below)
    if key not in record.taken:
        return None
    taken = CurveRecord.decode(record.taken[key])
    keys = taken.keys.select(~_is_among(taken.keys.co, own.co))
    return replace(taken, keys=keys) if len(keys) else None


def is_keyed_beside(
    key: ChannelKey, curve: bpy.types.FCurve, record: BakeRecord, written: Written, own: KeyTable
) -> bool:
    """Whether keys beside the walk, on a curve that it has written, were set or taken away by hand.

    Parameters
    ----------
    key
        Data path and index of the curve.
    curve
        The curve.
    record, written
        What the bake remembers, and what it wrote.
    own
        Keys of the animator beside it.
    """
    if len(own):
        return True
    spans = find_key_spans(key, record.sections)
    rows = written.get(key, NO_KEYS.co)
    rows = rows[~is_in_spans(rows[:, 0], spans)]
    return not _is_all_among(rows, read_points_outside(curve, *spans))


def list_taken(
    armature: bpy.types.Object,
    curves: Mapping[ChannelKey, bpy.types.FCurve],
    under: Mapping[ChannelKey, bpy.types.FCurve],
    wanted: Sequence[ChannelKey],
    record: BakeRecord,
    written: Written,
    changed: Container[ChannelKey],
) -> dict[ChannelKey, str]:
    """Curves of the animator in whose place a walk writes, as text.

    Parameters
    ----------
    armature
        The character's object.
    curves, under
        Curves of the bake's action, and of the animation under it.
    wanted
        Curves that the walk writes.
    record, written
        What the bake remembers, and what it wrote.
    changed
        Curves on which something was changed by hand beside it.
    """
    taken = {}
    for key in wanted:
        curve = curves.get(key)
        if curve is None:
            continue
        if key not in record.written:
            if is_own_curve(curve, record):
                taken[key] = CurveRecord.read(curve).encode()
            continue
        if key in changed or key in record.taken:
            free = find_free_curve(armature, key, curve, under.get(key), record, written)
            if free is not None:
                taken[key] = free.encode()
    return taken


def _is_all_among(keys: np.ndarray, others: np.ndarray) -> bool:
    """Whether keys (K, 2) are found among others (J, 2) at one look; False tells nothing.

    Both are in the order of their frames as a rule, and then it is seen without sorting them.
    """
    if not len(keys) or not len(others):
        return not len(keys)
    places = np.searchsorted(others[:, 0], keys[:, 0])
    return np.array_equal(others.take(places, axis=0, mode="clip"), keys)


def _is_among(keys: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Which keys (K, 2) are among others (J, 2), to the last digit but the sign of zeros, (K,)."""
    # Two single numbers are looked up as one double one.
    pairs = [np.ascontiguousarray(k + np.float32(0.0), dtype=np.float32) for k in (keys, others)]
    first, second = (p.view(np.uint64).ravel() for p in pairs)
    return np.isin(first, second)
