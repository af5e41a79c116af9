# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves under walks as keys alone, which can be cut where walks begin and end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import bpy
import numpy as np

from .. import versions
from ..values.bake_record import BakeRecord, ChannelKey, find_key_spans
from ..values.curve_records import CurveRecord, decode_keys
from ..values.curves import evaluate_curve
from ..values.key_tables import (
    BEZIER,
    LINEAR,
    NO_KEYS,
    KeyTable,
    join_key_tables,
    make_key_table,
    read_key_table,
    read_shown_table,
    shows_more,
)
from .changed import lay_beside
from .laying import Run, find_cuts, lay_runs, list_runs, take_changes


def find_holding(record: BakeRecord, sections: Sequence[tuple[float, float]]) -> list[bool]:
    """Which sections are whole walks, whose ends hold."""
    start = record.start
    return [start is not None and first <= start <= last for first, last in sections]


def list_walks(
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    record: BakeRecord,
    sections: Sequence[tuple[float, float]],
) -> list[Run]:
    """The walks of some sections on a curve of their bake."""
    table = read_key_table(curve)
    return list_runs(table, find_key_spans(key, sections), find_holding(record, sections))


def is_simple(record: CurveRecord) -> bool:
    """Whether a curve shows its keys, and holds the first and the last one."""
    return not record.modifiers and record.choices["extrapolation"] == "CONSTANT"


def read_base(
    armature: bpy.types.Object,
    record: CurveRecord | None,
    span: tuple[float, float],
    spans: Sequence[tuple[float, float]],
) -> KeyTable:
    """Keys that show alone what a curve shows in a range of frames, and that can be cut for walks.

    Parameters
    ----------
    armature
        The character's object.
    record
        The curve without walks; None where there is none.
    span
        Frames on which modifiers and extrapolation are kept.
    spans
        First and last frame of each walk.
    """
    if record is None or record.choices["mute"]:
        # What is muted shows what the property is, and its keys are the animator's still.
        return NO_KEYS
    if not is_simple(record):
        with _open_curve(armature, record) as curve:
            if shows_more(curve, span):
                return read_shown_table(curve, span)
    return _fill_eased(armature, record, spans)


def keep_shown(
    armature: bpy.types.Object,
    base: KeyTable,
    curve: bpy.types.FCurve,
    gone: Sequence[tuple[float, float]],
    spans: Sequence[tuple[float, float]],
    own: float | None,
    *,
    is_bare: bool,
) -> KeyTable:
    """Keys that show beside the walks of a bake what its curve shows there by now.

    Parameters
    ----------
    armature
        The character's object.
    base
        Keys of the curve without walks, as it was before the last change by hand.
    curve
        The bake's curve.
    gone
        First and last frame of each walk that is on it.
    spans
        The same of all walks that will be cut out of it.
    own
        What the property is where nothing animates it.
    is_bare
        Whether walks hold their ends on it, see `lay_runs`.
    """
    record = CurveRecord.read(curve)
    found = _fill_eased(armature, record, spans)
    base = _fill_eased(armature, replace(record, keys=base, modifiers=()), spans)
    return lay_beside(base, found, gone, own, is_bare=is_bare)


def take_hand_changes(
    armature: bpy.types.Object,
    key: ChannelKey,
    record: CurveRecord,
    curve: bpy.types.FCurve,
    bake: BakeRecord,
) -> KeyTable:
    """Keys of a curve without walks, with what was changed of them in the action of their bake."""
    if record.choices["mute"] or not is_simple(record):
        return record.keys
    if key in bake.beside:
        # Walks lie over these, in which earlier changes are.
        base = decode_keys(bake.beside[key])
    else:
        base = _fill_eased(armature, record, find_key_spans(key, bake.sections))
    laid = lay_runs(base, list_walks(key, curve, bake, bake.sections), None)
    return take_changes(record.keys, laid, read_key_table(curve))


def _fill_eased(
    armature: bpy.types.Object, record: CurveRecord, spans: Sequence[tuple[float, float]]
) -> KeyTable:
    """Keys of a curve with one on every frame where it has to be cut and no formula tells its parts."""
    table, cuts = record.keys, find_cuts(spans)
    if not len(cuts) or len(table) < 2:
        return table
    is_eased = table.interpolation[:-1] > BEZIER
    is_cut = (table.frames[:-1, None] < cuts) & (cuts < table.frames[1:, None])
    rows = np.flatnonzero(is_eased & is_cut.any(axis=1))
    if not len(rows):
        return table
    ranges = [np.arange(np.floor(table.frames[r]) + 1.0, table.frames[r + 1]) for r in rows]
    frames = np.concatenate(ranges)
    with _open_curve(armature, record) as curve:
        values = evaluate_curve(curve, frames)
    interpolation = table.interpolation.copy()
    interpolation[rows] = LINEAR
    columns = {**vars(table), "interpolation": interpolation}
    return join_key_tables(KeyTable(**columns), make_key_table(frames, values))


@contextmanager
def _open_curve(armature: bpy.types.Object, record: CurveRecord) -> Iterator[bpy.types.FCurve]:
    """A curve as it was noted, in an action of its own, while it is evaluated."""
    action = bpy.data.actions.new("Curve")
    try:
        _, bag = versions.ensure_channelbag(action, armature)
        yield record.write(bag, "location", 0)
    finally:
        bpy.data.actions.remove(action)
