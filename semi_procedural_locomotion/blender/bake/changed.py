# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves on which hands changed something beside walks: what they show there goes on as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..limits import VALUE
from ..values.key_tables import (
    LINEAR,
    KeyTable,
    join_key_tables,
    keep_inside,
    keep_outside,
    make_key_table,
)
from .laying import cut_table, find_differing, shorten


def differs_beside(laid: KeyTable, found: KeyTable, spans: Sequence[tuple[float, float]]) -> bool:
    """Whether keys beside walks are those that were written, and look otherwise by now.

    Where they are others at all, an earlier version may have written them.

    Parameters
    ----------
    laid
        The keys of a curve as they were written.
    found
        What it has by now.
    spans
        Where the walks are.
    """
    laid, found = keep_outside(laid, *spans), keep_outside(found, *spans)
    return np.array_equal(laid.co, found.co) and bool(find_differing(laid, found).any())


def lay_beside(
    base: KeyTable,
    found: KeyTable,
    spans: Sequence[tuple[float, float]],
    own: float | None,
    *,
    is_bare: bool,
) -> KeyTable:
    """Keys that show beside walks what a curve shows there by now, and in them what it shows without.

    So what was changed by hand between walks changes no frame farther off when they are laid again.

    Parameters
    ----------
    base
        Keys of the curve without walks, as it was before the last change by hand.
    found
        The keys that it has by now.
    spans
        Where the walks are.
    own
        What the property is where nothing animates it.
    is_bare
        See `lay_runs`.
    """
    if not len(base) and own is not None:
        # A single key shows the same everywhere.
        base = make_key_table(np.array([spans[0][0]]), np.array([own]))
    table = found
    for span in sorted(spans):
        left = _cut_off(table, span[0] - 1.0, -1, is_bare=is_bare)
        right = _cut_off(table, span[1] + 1.0, 1, is_bare=is_bare)
        covers = len(base) and base.frames[0] <= span[0] and base.frames[-1] >= span[1]
        inside = _cut_out(base, span) if covers or not is_bare else keep_inside(base, span)
        table = join_key_tables(left, inside, right)
    return table


def _cut_off(table: KeyTable, frame: float, side: int, *, is_bare: bool) -> KeyTable:
    """Keys up to a frame before a walk (-1), or from one after it on (1), which show what they did."""
    beyond = side * (table.frames - np.float32(frame))
    # A walk ends a frame before, where keys beside it may lie at parts of a frame.
    kept = table.select(beyond > -1.0 + VALUE.range_end)
    near = kept.frames[-1 if side < 0 else 0] if len(kept) else None
    if near is not None and side * (float(near) - frame) <= VALUE.range_end:
        return kept
    if not len(table) or (is_bare and near is None):
        return kept
    cut = cut_table(table, frame)
    if side < 0:
        cut = replace(cut, interpolation=np.full(1, LINEAR, np.uint8))
    return join_key_tables(shorten(kept, table, frame, side), cut)


def _cut_out(table: KeyTable, span: tuple[float, float]) -> KeyTable:
    """The part of a curve in a range of frames."""
    first = cut_table(table, span[0])
    after = table.select(table.frames > span[0] + VALUE.range_end)
    table = join_key_tables(first, shorten(after, table, span[0], 1))
    last = cut_table(table, span[1])
    before = table.select(table.frames < span[1] - VALUE.range_end)
    return join_key_tables(shorten(before, table, span[1], -1), last)
