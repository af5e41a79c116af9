# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake remembers of its writing: for the next one, and for its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import bpy
import numpy as np

from ..values.bake_record import BakeRecord, ChannelKey, Marker, find_key_spans
from ..values.curve_records import encode_keys, hash_curve
from ..values.key_tables import NO_KEYS, KeyTable, hash_co, is_in_spans
from .computing import BakeKeys
from .own_keys import FoundBake, leave_own_out


def list_written(keys: BakeKeys, found: FoundBake | None) -> dict[ChannelKey, np.ndarray]:
    """Frames and values of what is a bake's once its keys are written, float32 arrays (K, 2) by curve.

    Parameters
    ----------
    keys
        What is written.
    found
        The earlier bake; None where there is none.
    """
    if found is None:
        return {key: table.co for key, table in keys.tables.items()}
    written = {key: _join_written(keys, key, table, found) for key, table in keys.tables.items()}
    # So that the next bake knows that they were deleted.
    written |= dict.fromkeys(keys.deleted, NO_KEYS.co)
    if keys.is_around:
        # The section has no keys for these; what the walk around it has there stays.
        for key in [key for key in found.record.written if key not in written]:
            written[key] = found.written.get(key, found.curves[key].co)
    return written


def _join_written(keys: BakeKeys, key: ChannelKey, table: KeyTable, found: FoundBake) -> np.ndarray:
    """What is the bake's of the keys of one curve."""
    own = found.own.get(key)
    rows = leave_own_out(table, own) if own is not None and len(own) else table.co
    if not keys.is_around or key not in found.written:
        return rows
    (span,) = find_key_spans(key, [keys.section])
    staying = find_key_spans(key, found.record.find_staying(keys.section))
    # Where other sections stay, hands may have changed keys: they are compared with what was written.
    before = found.written[key]
    kept = before[is_in_spans(before[:, 0], staying) & ~is_in_spans(before[:, 0], [span])]
    is_new = ~np.isin(rows[:, 0], found.curves[key].frames)
    is_apart = ~is_in_spans(rows[:, 0], staying) | is_in_spans(rows[:, 0], [span]) | is_new
    joined = np.concatenate([rows[is_apart], kept])
    return joined[np.argsort(joined[:, 0], kind="stable")]


def hash_written(
    written: Mapping[ChannelKey, np.ndarray], sections: Sequence[tuple[float, float]]
) -> dict[ChannelKey, str]:
    """Hashes of the keys that belong to the walk in its sections."""
    return {
        key: hash_co(rows[is_in_spans(rows[:, 0], find_key_spans(key, sections))])
        for key, rows in written.items()
    }


def complete_record(
    armature: bpy.types.Object,
    keys: BakeKeys,
    found: FoundBake | None,
    written: Mapping[ChannelKey, np.ndarray],
    curves: Iterable[bpy.types.FCurve],
    markers: tuple[Marker, ...],
) -> BakeRecord:
    """The record of a bake whose keys are written.

    Parameters
    ----------
    armature
        The character's object.
    keys
        What is written.
    found
        The earlier bake; None where there is none.
    written
        See `list_written`.
    curves
        All curves of its action.
    markers
        Those of the walk on the action.
    """
    others = {(c.data_path, c.array_index): c for c in curves}
    others = {key: curve for key, curve in others.items() if key not in written}
    values = dict(keys.values)
    if found is None:
        copied = {key: hash_curve(curve) for key, curve in others.items()}
    else:
        old = found.record
        # What was keyed since the first bake is the animator's.
        given = [k for k, free in found.freed.items() if free is not None and k not in old.taken]
        copied = {k: hash_curve(others[k]) for k in given if k in others and not len(found.own[k])}
        copied |= {k: h for k, h in old.copied.items() if k in others and k not in found.freed}
        values |= old.values
    values |= {key: value for key, value in keys.known.items() if key in values}
    taken = {} if found is None else found.taken
    beside = {} if found is None else found.record.beside
    beside = {**beside, **{key: encode_keys(table) for key, table in keys.beside.items()}}
    return replace(
        keys.record,
        written=hash_written(written, keys.record.sections),
        copied=copied,
        values=values,
        markers=markers,
        owner=armature.name,
        taken={key: text for key, text in taken.items() if key in written},
        beside={key: text for key, text in beside.items() if key in written},
    )
