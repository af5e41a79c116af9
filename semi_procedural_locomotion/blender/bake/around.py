# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys around those of a walk: the animator's own, and those of a walk of which it is a section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import bpy
import numpy as np

from .. import versions
from ..values.bake_record import BakeRecord, ChannelKey, find_key_span, find_key_spans
from ..values.curves import evaluate_curve
from ..values.key_tables import (
    KeyTable,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
    read_key_table,
)

# Blender's number of handles that stay as they are, and frames beside a key at which a slope is read.
_FREE, _NEAR = 0, 0.125


def list_keys_outside(
    wanted: Iterable[ChannelKey],
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    under: Sequence[bpy.types.FCurve],
    section: tuple[float, float],
) -> dict[ChannelKey, KeyTable]:
    """Keys outside of a walk's frames that are not those of an earlier bake.

    Parameters
    ----------
    wanted
        Data path and index of the curves that the walk keys.
    active, active_slot
        The bake's action, else the one that the object plays, and its slot.
    old
        What an earlier bake remembers; None where none is active.
    under
        Curves of the animation under the bake.
    section
        First and last frame of the walk.
    """
    below = {(c.data_path, c.array_index): c for c in under}
    shown = below
    if old is not None and active is not None:
        curves = versions.get_curves(active, active_slot)
        shown = {(c.data_path, c.array_index): c for c in curves}
    tables = {}
    for key in wanted:
        span = find_key_span(key, section)
        outside = keep_outside(read_key_table(shown.get(key)), span)
        if old is not None:
            freed = keep_outside(read_key_table(below.get(key)), span)
            before = find_key_spans(key, old.sections)
            outside = join_key_tables(keep_outside(outside, *before), keep_inside(freed, *before))
        tables[key] = outside
    return tables


def keep_walk_around(
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    below: bpy.types.FCurve | None,
    own: float,
    section: tuple[float, float],
    old: BakeRecord,
) -> KeyTable:
    """Keys of an earlier walk around a section of it, or of sections beside another one.

    Parameters
    ----------
    key
        Data path and index of the curve.
    curve
        The walk's curve, None where it has none.
    below
        The curve of the animation under the walk, None where it has none.
    own
        What the property is without them.
    section
        First and last frame that get new keys.
    old
        What the earlier walk remembers.

    Returns
    -------
    KeyTable
        With a key on either side of the section: where keys are far apart, the walk would change
        beside it else.
    """
    table = read_key_table(curve)
    gone = find_key_spans(key, old.find_replaced(section))
    if gone:
        free = keep_inside(read_key_table(below), *gone)
        kept = keep_outside(join_key_tables(keep_outside(table, *gone), free), section)
    else:
        kept = keep_outside(table, section)
    staying = find_key_spans(key, old.find_staying(section))
    sides = np.array([section[0] - 1.0, section[1] + 1.0])
    walked = [any(first <= side <= last for first, last in staying) for side in sides]
    is_held = np.array(walked) | [
        np.any(kept.frames < section[0]),
        np.any(kept.frames > section[1]),
    ]
    is_gone = [any(first <= side <= last for first, last in gone) for side in sides]
    sides = sides[is_held & ~np.array(is_gone, dtype=bool)]
    sides = sides[[not len(keep_inside(kept, (side, side))) for side in sides]]
    values = np.full(len(sides), own)
    if curve is not None and len(table):
        values = evaluate_curve(curve, sides)
    return join_key_tables(kept, make_key_table(sides, values))


def keep_shape_beside(
    table: KeyTable, below: bpy.types.FCurve, section: tuple[float, float]
) -> KeyTable:
    """Keys whose curve goes on beside a section as it does without it.

    The keys at the ends of a section that goes over from other animation lie on its curves. Their outer
    handles are those that the curve has there, so that what was keyed beside them keeps its shape.

    Parameters
    ----------
    table
        All keys of a curve.
    below
        The curve without the section.
    section
        First and last frame of the section.
    """
    own = read_key_table(below)
    if not len(own) or len(table) < 2:
        return table
    handles = {-1: table.handle_left.copy(), 1: table.handle_right.copy()}
    types = {-1: table.handle_left_type.copy(), 1: table.handle_right_type.copy()}
    interpolation = table.interpolation.copy()
    for side, frame in ((-1, section[0]), (1, section[1])):
        index = int(np.argmin(np.abs(table.frames - frame)))
        if not 0 <= index + side < len(table) or table.frames[index] != np.float32(frame):
            continue
        apart = abs(float(table.frames[index + side]) - frame)
        if apart <= 1.0:
            continue
        near = np.array([frame - _NEAR, frame + _NEAR])
        at, beside = evaluate_curve(below, np.array([frame, near[(side + 1) // 2]]))
        slope = (beside - at) / _NEAR
        reach = apart / 3.0
        co = table.co[index].astype(np.float64)
        handles[side][index] = co + np.array([side * reach, slope * reach])
        types[side][index] = _FREE
        if side > 0:
            before = np.flatnonzero(own.frames <= frame)
            interpolation[index] = (
                own.interpolation[before[-1]] if len(before) else interpolation[index]
            )
    return replace(
        table,
        handle_left=handles[-1],
        handle_right=handles[1],
        handle_left_type=types[-1],
        handle_right_type=types[1],
        interpolation=interpolation,
    )
