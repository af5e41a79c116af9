# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys around those of a walk: the animator's own, and those of a walk of which it is a section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
