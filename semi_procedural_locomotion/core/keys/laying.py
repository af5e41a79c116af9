# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of walks laid over those of other animation, which goes on beside them to the last digit.

Curves are cut where a walk begins and ends: what was one curve between two keys is a part of the same
curve up to a key at the cut, by de Casteljau's rule (docs/method/keys.md, Sections).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise

import numpy as np

from .limits import KEY_TABLES
from .tables import (
    BEZIER,
    CONSTANT,
    LINEAR,
    KeyTable,
    cut_off,
    join_key_tables,
    keep_inside,
    make_key_table,
)

# Blender's numbers of handles that stay where they were put: free and aligned ones.
_FREE, _HELD = 0, (0, 3)
_ROW = make_key_table(np.zeros(1), np.zeros(1))
# Halvings of a range in which a frame is found on a curve: as far as doubles go.
_HALVINGS = 60


@dataclass(frozen=True)
class Run:
    """Keys of a walk on one curve.

    Attributes
    ----------
    span
        First and last frame in which there are no other keys.
    keys
        Those of the walk, at least one.
    holds
        Whether its start and its end hold where no key of other animation is beyond them, as of whole
        walks.
    """

    span: tuple[float, float]
    keys: KeyTable
    holds: tuple[bool, bool] = (False, False)


def lay_runs(
    base: KeyTable, runs: Sequence[Run], own: float | None, *, is_bare: bool = False
) -> KeyTable:
    """Lay walks over the keys of a curve, which shows beside them what it showed.

    Where a walk begins with another value than the curve has, it goes over within the frame before;
    where it begins with the same, at its first key. So it is at its end.

    Parameters
    ----------
    base
        Keys without the walks. None of them has to be cut that is neither straight, stepped nor Bézier.
    runs
        The walks; the last one takes the place of what it overlaps.
    own
        What the property is where nothing animates it; None for a walk that holds its ends then.
    is_bare
        Whether all walks hold their ends, since the keys were set beside them on what else nothing moves.
    """
    if is_bare:
        runs = [replace(run, holds=_find_bare_ends(run, runs)) for run in runs]
    ordered = sorted(runs[:-1], key=lambda run: run.span)
    for run in runs[-1:]:
        over = [i for i, other in enumerate(ordered) if _overlap(run.span, other.span)]
        before = [i for i, other in enumerate(ordered) if other.span < run.span]
        ordered.insert(max(over or before, default=-1) + 1, run)
    table = base
    for run in ordered:
        table = _lay(table, run, own)
    return table


def _find_bare_ends(run: Run, runs: Sequence[Run]) -> tuple[bool, bool]:
    """Find which ends of a walk hold where walks alone move a curve: those that are in no other walk."""
    before, after = (
        any(other.span[0] < end < other.span[1] for other in runs if other is not run)
        for end in run.span
    )
    return run.holds[0] or not before, run.holds[1] or not after


def _overlap(span: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two ranges of frames share any."""
    return span[0] <= other[1] and other[0] <= span[1]


def _lay(table: KeyTable, run: Run, own: float | None) -> KeyTable:
    """Lay one walk over keys."""
    left, right = cut_off(
        table, run.span[0] - KEY_TABLES.range_end, run.span[1] + KEY_TABLES.range_end
    )
    if not len(table):
        if own is None or all(run.holds):
            return run.keys
        # A single key shows the same everywhere.
        table = make_key_table(np.array([run.span[0] - 1.0]), np.array([own]))
    keys = run.keys
    if not run.holds[0] or len(left):
        left, keys = _lay_side(table, left, keys, run.span, -1)
    if not run.holds[1] or len(right):
        right, keys = _lay_side(table, right, keys, run.span, 1)
    return join_key_tables(left, keys, right)


def _lay_side(
    table: KeyTable, beside: KeyTable, keys: KeyTable, span: tuple[float, float], side: int
) -> tuple[KeyTable, KeyTable]:
    """Keys beside one end of a walk, -1 for its start and 1 for its end, and its own, as they meet."""
    number, end = (0, span[0]) if side < 0 else (len(keys) - 1, span[1])
    outer = beside.frames[-1 if side < 0 else 0] if len(beside) else None
    is_end = abs(float(keys.frames[number]) - end) <= KEY_TABLES.range_end
    value = float(keys.co[number, 1])
    # Most walks begin elsewhere than the curve is there, which is seen without a key for it.
    if is_end and abs(value - _read_value(table, end)) <= KEY_TABLES.joined * max(1.0, abs(value)):
        keys = _take_handle(keys, number, _cut_table(table, end), side)
        return _shorten(beside, table, end, side), keys
    place = end + side
    if outer is not None and abs(float(outer) - end) <= 1.0 + KEY_TABLES.range_end:
        return beside, keys
    # What is beyond the cut is another walk's, or straight to this one.
    cut = _cut_table(table, place)
    if side < 0:
        cut = replace(cut, interpolation=np.full(1, LINEAR, np.uint8))
    return join_key_tables(_shorten(beside, table, place, side), cut), keys


def _cut_table(table: KeyTable, frame: float) -> KeyTable:
    """The key at a frame that leaves a curve as it is.

    Parameters
    ----------
    table
        Its keys, at least one.
    frame
        Where.
    """
    index = int(np.searchsorted(table.frames, frame + KEY_TABLES.range_end)) - 1
    if index < 0:
        return _make_row(frame, table.co[0, 1], LINEAR)
    kind, at = table.interpolation[index], table.co[index].astype(np.float64)
    free = np.full(1, _FREE, np.uint8)
    if abs(at[0] - frame) <= KEY_TABLES.range_end:
        kept = table.select(slice(index, index + 1))
        return replace(kept, handle_left_type=free, handle_right_type=free)
    if index == len(table) - 1:
        return _make_row(frame, at[1], LINEAR)
    if kind == CONSTANT:
        return _make_row(frame, at[1], CONSTANT)
    if kind != BEZIER:
        after = table.co[index + 1].astype(np.float64)
        share = (frame - at[0]) / (after[0] - at[0])
        return _make_row(frame, at[1] + share * (after[1] - at[1]), LINEAR)
    parts = _split(table, index, frame)
    return replace(
        _make_row(frame, parts[3, 1], BEZIER),
        handle_left=parts[None, 2].astype(np.float32),
        handle_right=parts[None, 4].astype(np.float32),
        handle_left_type=free,
        handle_right_type=free,
    )


def _read_value(table: KeyTable, frame: float) -> float:
    """Read what a curve of some keys, at least one, shows at a frame."""
    index = int(np.searchsorted(table.frames, frame + KEY_TABLES.range_end)) - 1
    if index < 0:
        return float(table.co[0, 1])
    start, value = table.co[index].tolist()
    kind = table.interpolation[index]
    if abs(start - frame) <= KEY_TABLES.range_end or index == len(table) - 1 or kind == CONSTANT:
        return value
    if kind == BEZIER:
        return float(_split(table, index, frame)[3, 1])
    end, after = table.co[index + 1].tolist()
    return value + (frame - start) / (end - start) * (after - value)


def _make_row(frame: float, value: float, kind: int) -> KeyTable:
    """One generated key."""
    return replace(
        _ROW,
        # A zero has no sign in keys.
        co=np.array([[frame, value + 0.0]], np.float32),
        handle_left=np.array([[frame, value + 0.0]], np.float32),
        handle_right=np.array([[frame, value + 0.0]], np.float32),
        interpolation=np.full(1, kind, np.uint8),
    )


def _shorten(beside: KeyTable, table: KeyTable, frame: float, side: int) -> KeyTable:
    """Keys beside a cut, of which the nearest has the handle that its part of the curve asks for."""
    if not len(beside):
        return beside
    number = len(beside) - 1 if side < 0 else 0
    index = int(np.searchsorted(table.frames, frame + KEY_TABLES.range_end)) - 1
    near = index if side < 0 else index + 1
    if side < 0 and index == len(table) - 1 and table.frames[near] == beside.frames[number]:
        # The last key holds, however it would go over to another.
        interpolation = beside.interpolation.copy()
        interpolation[number] = CONSTANT
        return replace(beside, interpolation=interpolation)
    is_cut = 0 <= index < len(table) - 1 and table.interpolation[index] == BEZIER
    if not is_cut or table.frames[near] != beside.frames[number] or table.frames[near] == frame:
        return beside
    if abs(float(table.frames[index]) - frame) <= KEY_TABLES.range_end:
        return beside
    parts = _split(table, index, frame)
    name = "handle_right" if side < 0 else "handle_left"
    handles = getattr(beside, name).copy()
    handles[number] = parts[1 if side < 0 else 5]
    return _free_types(replace(beside, **{name: handles}), number)


def _take_handle(keys: KeyTable, number: int, cut: KeyTable, side: int) -> KeyTable:
    """The keys of a walk whose first or last one goes on as the curve that it lies on."""
    co = keys.co.copy()
    co[number, 1] = cut.co[0, 1]
    keys = replace(keys, co=co)
    if side > 0:
        interpolation = keys.interpolation.copy()
        interpolation[number] = cut.interpolation[0]
        keys = replace(keys, interpolation=interpolation)
    if cut.handle_left_type[0] != _FREE:
        return keys
    name = "handle_left" if side < 0 else "handle_right"
    handles = getattr(keys, name).copy()
    handles[number] = getattr(cut, name)[0]
    return _free_types(replace(keys, **{name: handles}), number)


def _free_types(table: KeyTable, number: int) -> KeyTable:
    """A key whose handles stay as they are: one that follows its neighbours would change both sides."""
    left, right = table.handle_left_type.copy(), table.handle_right_type.copy()
    left[number] = right[number] = _FREE
    return replace(table, handle_left_type=left, handle_right_type=right)


def _split(table: KeyTable, index: int, frame: float) -> np.ndarray:
    """Points of the two Bézier curves into which one after a key is split at a frame, shape (7, 2)."""
    points = np.stack(
        [
            table.co[index],
            table.handle_right[index],
            table.handle_left[index + 1],
            table.co[index + 1],
        ]
    ).astype(np.float64)
    # As Blender draws them, handles reach no farther than the next key.
    length = points[3, 0] - points[0, 0]
    for end, handle in ((0, 1), (3, 2)):
        reach = abs(points[end, 0] - points[handle, 0])
        if reach > length:
            points[handle] = points[end] + (points[handle] - points[end]) * (length / reach)
    # Plain numbers are many times quicker than arrays of four.
    places = points[:, 0].tolist()
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if _find_place(places, middle) < frame:
            low = middle
        else:
            high = middle
    return _divide(points, 0.5 * (low + high))


def _find_place(places: Sequence[float], share: float) -> float:
    """Find where a cubic curve of four places is at a share, as `_divide` has it to the last digit."""
    while len(places) > 1:
        places = [a + share * (b - a) for a, b in pairwise(places)]
    return places[0]


def _divide(points: np.ndarray, share: float) -> np.ndarray:
    """Points of both parts of a cubic curve (4, 2) that is divided at a share, shape (7, 2)."""
    first = points[:-1] + share * np.diff(points, axis=0)
    second = first[:-1] + share * np.diff(first, axis=0)
    third = second[:1] + share * np.diff(second, axis=0)
    return np.concatenate(
        [points[:1], first[:1], second[:1], third, second[1:], first[2:], points[3:]]
    )


def list_runs(
    table: KeyTable, spans: Sequence[tuple[float, float]], holding: Sequence[bool]
) -> list[Run]:
    """The walks on a curve.

    Parameters
    ----------
    table
        All of its keys.
    spans
        Where the walks are.
    holding
        Which of them hold, see `Run`.
    """
    found = [
        Run(span, keep_inside(table, span), (holds, holds))
        for span, holds in zip(spans, holding, strict=True)
    ]
    return [run for run in found if len(run.keys)]


def find_cuts(runs: Sequence[tuple[float, float]]) -> np.ndarray:
    """Frames at which walks over spans may cut the curve under them, shape (4 R,)."""
    ends = np.array([[first - 1.0, first, last, last + 1.0] for first, last in runs])
    return ends.ravel()


def is_same(table: KeyTable, other: KeyTable) -> bool:
    """Whether two tables have the same keys, but for rounding of their handles."""
    if not np.array_equal(table.co, other.co):
        return False
    return not (len(table) and _find_differing(table, other).any())


def take_changes(base: KeyTable, laid: KeyTable, found: KeyTable) -> KeyTable:
    """Keys without walks with what was changed of them where the walks lie over them.

    Parameters
    ----------
    base
        Keys without the walks.
    laid
        Those beside the walks as they were written.
    found
        The same as they are by now.
    """
    # Keys that were taken away stay so.
    is_gone = _is_in(base.co, laid.co) & ~np.isin(base.frames, found.frames)
    base = base.select(~is_gone)
    rows = np.flatnonzero(_is_in(base.co, found.co) & _is_in(base.co, laid.co))
    written = laid.select(np.searchsorted(laid.frames, base.frames[rows]))
    now = found.select(np.searchsorted(found.frames, base.frames[rows]))
    is_changed = _find_differing(written, now)
    if not is_changed.any():
        return base
    rows, written, now = rows[is_changed], written.select(is_changed), now.select(is_changed)
    columns, handles = {}, ("handle_left", "handle_right")
    is_dragged = np.any(
        [(getattr(now, name) != getattr(written, name)).any(axis=1) for name in handles], axis=0
    )
    for field in fields(KeyTable):
        column, new = getattr(base, field.name).copy(), getattr(now, field.name)
        # A handle that a walk has cut off is no change by hand; one that was dragged stays where it is.
        is_new = (new != getattr(written, field.name)).reshape(len(rows), -1).any(axis=1)
        if field.name.startswith("handle") and field.name.endswith("type"):
            is_new |= is_dragged
        column[rows[is_new]] = new[is_new]
        columns[field.name] = column
    return KeyTable(**columns)


def _find_differing(table: KeyTable, other: KeyTable) -> np.ndarray:
    """Find which of the keys of two tables of the same length (K,) differ in more than rounding, (K,)."""
    differs = np.zeros(len(table), dtype=bool)
    for field in fields(KeyTable):
        mine, there = getattr(table, field.name), getattr(other, field.name)
        apart = np.abs(mine.astype(np.float64) - there)
        limit = KEY_TABLES.joined * np.maximum(1.0, np.abs(mine)) * 10.0
        differs |= (apart > limit) if apart.ndim == 1 else (apart > limit).any(axis=1)
    return differs


def _is_in(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Find which frames and values (K, 2) are among others (J, 2), (K,) of bool."""
    places = np.minimum(np.searchsorted(others[:, 0], points[:, 0]), len(others) - 1)
    return (others[places] == points).all(axis=1) if len(others) else np.zeros(len(points), bool)


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
    kept = table.select(beyond > -1.0 + KEY_TABLES.range_end)
    near = kept.frames[-1 if side < 0 else 0] if len(kept) else None
    if near is not None and side * (float(near) - frame) <= KEY_TABLES.range_end:
        return kept
    if not len(table) or (is_bare and near is None):
        return kept
    cut = _cut_table(table, frame)
    if side < 0:
        cut = replace(cut, interpolation=np.full(1, LINEAR, np.uint8))
    return join_key_tables(_shorten(kept, table, frame, side), cut)


def _cut_out(table: KeyTable, span: tuple[float, float]) -> KeyTable:
    """The part of a curve in a range of frames."""
    first = _cut_table(table, span[0])
    after = table.select(table.frames > span[0] + KEY_TABLES.range_end)
    table = join_key_tables(first, _shorten(after, table, span[0], 1))
    last = _cut_table(table, span[1])
    before = table.select(table.frames < span[1] - KEY_TABLES.range_end)
    return join_key_tables(_shorten(before, table, span[1], -1), last)


def style_keys(run: KeyTable, whole: KeyTable, style: KeyTable) -> KeyTable:
    """Keys of a walk joined as hands have them.

    Parameters
    ----------
    run
        The keys that are written.
    whole
        The walk with a key on each frame.
    style
        See `find_styles`.
    """
    frames = style.frames[np.isin(style.frames, np.concatenate([run.frames, whole.frames]))]
    missing = np.isin(whole.frames, frames) & ~np.isin(whole.frames, run.frames)
    run = join_key_tables(run, whole.select(missing))
    rows, there = (np.searchsorted(table.frames, frames) for table in (run, style))
    columns = {}
    for field in fields(KeyTable)[1:]:
        column = getattr(run, field.name).copy()
        own = getattr(style, field.name)[there]
        column[rows] = own + run.co[rows] if field.name in ("handle_left", "handle_right") else own
        columns[field.name] = column
    return replace(run, **columns)


def find_alike(table: KeyTable, others: KeyTable) -> np.ndarray:
    """Find which keys (K,) are joined as others at their frames, (K,) of bool."""
    alike = np.isin(table.frames, others.frames)
    mine = table.select(alike)
    there = others.select(np.searchsorted(others.frames, mine.frames))
    differs = np.zeros(len(mine), bool)
    for field in fields(KeyTable)[1:]:
        a, b = getattr(mine, field.name), getattr(there, field.name)
        if field.name in ("handle_left", "handle_right"):
            # Blender moves all other handles along by itself.
            is_held = np.isin(getattr(mine, f"{field.name}_type"), _HELD)
            apart = np.abs((a - mine.co) - (b - there.co)).max(axis=1, initial=0.0)
            differs |= is_held & (
                apart > KEY_TABLES.joined * 10.0 * np.maximum(1.0, np.abs(a[:, 1]))
            )
        else:
            differs |= a != b
    alike[alike] = ~differs
    return alike
