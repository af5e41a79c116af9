# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All keys of a curve as arrays (docs/method/keys.md, Keys in bulk)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np

from .limits import KEY_TABLES

# Blender's numbers of these choices, the same in all versions.
CONSTANT, LINEAR, BEZIER = 0, 1, 2
GENERATED = 5
_AUTO_CLAMPED = 4
# What new keys have already and need not be given.
NEW_KEY = {"handle_left_type": _AUTO_CLAMPED, "handle_right_type": _AUTO_CLAMPED, "easing": 0}
NEW_KEY |= dict.fromkeys(("back", "amplitude", "period"), 0)
# Handles of straight keys: a third of the way to the next key, as Blender draws them.
_HANDLE_SHARE = 1.0 / 3.0


@dataclass(frozen=True)
class KeyTable:
    """Keys of one curve in the order of their frames, K of them.

    Attributes
    ----------
    co, handle_left, handle_right
        Frame and value, float32, shape (K, 2).
    interpolation, handle_left_type, handle_right_type, type, easing
        Blender's numbers, uint8, shape (K,).
    back, amplitude, period
        How far eased keys swing, float32, shape (K,).
    """

    co: np.ndarray
    handle_left: np.ndarray
    handle_right: np.ndarray
    interpolation: np.ndarray
    handle_left_type: np.ndarray
    handle_right_type: np.ndarray
    type: np.ndarray
    easing: np.ndarray
    back: np.ndarray
    amplitude: np.ndarray
    period: np.ndarray

    def __len__(self) -> int:
        return len(self.co)

    @property
    def frames(self) -> np.ndarray:
        """Frames of the keys, shape (K,)."""
        return self.co[:, 0]

    def select(self, chosen: np.ndarray | slice) -> KeyTable:
        """The keys that a mask (K,), indices or a slice choose."""
        return KeyTable(*[getattr(self, name)[chosen] for name in FIELDS])

    def count_inside(self, span: tuple[float, float]) -> int:
        """How many keys lie in a range of frames, ends included."""
        return int(is_in_spans(self.frames, (span,)).sum())


FIELDS = tuple(field.name for field in fields(KeyTable))
POINTS = frozenset({"co", "handle_left", "handle_right"})
_SWINGS = ("back", "amplitude", "period")
# Name of each property, what its numbers are and how many each key has.
COLUMNS = tuple(
    (name, np.float32 if name in (*POINTS, *_SWINGS) else np.uint8, 2 if name in POINTS else 1)
    for name in FIELDS
)


def make_column(name: str, values: np.ndarray) -> np.ndarray:
    """Values of a property of keys as a column of a `KeyTable`, from a flat array."""
    if name in POINTS:
        return np.asarray(values, np.float32).reshape(-1, 2)
    return np.asarray(values, np.float32 if name in _SWINGS else np.uint8)


NO_KEYS = KeyTable(*(make_column(name, np.empty(0)) for name in FIELDS))
"""The table of a curve without keys, read only."""


def make_key_table(frames: np.ndarray, values: np.ndarray) -> KeyTable:
    """Straight generated keys at frames (N,) with values (N,)."""
    return make_key_tables(frames, np.asarray(values)[None])[0]


def make_key_tables(frames: np.ndarray, values: np.ndarray) -> list[KeyTable]:
    """Straight generated keys of several curves at frames (N,) with values (T, N)."""
    count = len(frames)
    co = np.empty((*values.shape, 2), dtype=np.float32)
    co[..., 0] = frames
    # A zero has no sign in keys: it would change from bake to bake where nothing else does.
    co[..., 1] = values.astype(np.float32) + np.float32(0.0)
    left, right = co.copy(), co.copy()
    if count > 1:
        thirds = (_HANDLE_SHARE * np.diff(co, axis=1)).astype(np.float32)
        left[:, 1:] -= thirds
        right[:, :-1] += thirds
        left[:, 0] -= thirds[:, 0]
        right[:, -1] += thirds[:, -1]
    kinds = [np.full(count, n, np.uint8) for n in (LINEAR, _AUTO_CLAMPED, GENERATED, 0)]
    swing = np.zeros(count, np.float32)
    shared = (kinds[0], kinds[1], kinds[1], kinds[2], kinds[3], swing, swing, swing)
    return [KeyTable(*points, *shared) for points in zip(co, left, right, strict=True)]


def join_key_tables(*tables: KeyTable) -> KeyTable:
    """Keys of several tables, sorted by frame."""
    tables = tuple(table for table in tables if len(table)) or tables[:1]
    if len(tables) == 1:
        return tables[0]
    if len(tables) == 2 and (place := _find_gap(*tables)) is not None:
        first, second = tables
        columns = [(getattr(first, name), getattr(second, name)) for name in FIELDS]
        return KeyTable(*(np.concatenate([a[:place], b, a[place:]]) for a, b in columns))
    joined = KeyTable(*(np.concatenate([getattr(t, name) for t in tables]) for name in FIELDS))
    if all(a.frames[-1] <= b.frames[0] for a, b in pairwise(tables)):
        return joined
    return joined.select(np.argsort(joined.frames, kind="stable"))


def _find_gap(table: KeyTable, other: KeyTable) -> int | None:
    """After how many keys of a table all of another come; None where the two alternate."""
    place = int(np.searchsorted(table.frames, other.frames[0], side="right"))
    fits = place == len(table) or table.frames[place] > other.frames[-1]
    return place if fits else None


def find_plain(table: KeyTable) -> np.ndarray:
    """Which keys (K,) are generated straight ones, as those of walks, (K,) of bool."""
    kinds = [getattr(table, name) != value for name, value in NEW_KEY.items()]
    return ~np.any([table.interpolation != LINEAR, table.type != GENERATED, *kinds], axis=0)


def cut_off(table: KeyTable, first: float, last: float) -> tuple[KeyTable, KeyTable]:
    """Keys before a frame and those after another one, not copied."""
    before = int(np.searchsorted(table.frames, np.float32(first), side="left"))
    after = int(np.searchsorted(table.frames, np.float32(last), side="right"))
    return table.select(slice(0, before)), table.select(slice(after, None))


def keep_inside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys in any of some ranges of frames, ends included."""
    inside = is_in_spans(table.frames, spans)
    return table if inside.all() else _select_runs(table, inside)


def keep_outside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys out of all of some ranges of frames."""
    inside = is_in_spans(table.frames, spans)
    if inside.all():
        return NO_KEYS
    return _select_runs(table, ~inside) if inside.any() else table


def _select_runs(table: KeyTable, chosen: np.ndarray) -> KeyTable:
    """The keys that a mask (K,) chooses; those that follow one another are not copied."""
    rows = np.flatnonzero(chosen)
    if not len(rows):
        return NO_KEYS
    first, last = int(rows[0]), int(rows[-1])
    return table.select(slice(first, last + 1) if last - first < len(rows) else rows)


def is_in_spans(frames: np.ndarray, spans: Sequence[tuple[float, float]]) -> np.ndarray:
    """Which frames (K,) lie in any of some ranges, ends included, shape (K,) of bool."""
    inside = np.zeros(len(frames), dtype=bool)
    for first, last in spans:
        if len(frames) and frames[0] >= first and frames[-1] <= last:
            return np.ones(len(frames), dtype=bool)
        inside |= (frames >= first - KEY_TABLES.range_end) & (frames <= last + KEY_TABLES.range_end)
    return inside


def hash_keys(table: KeyTable) -> str:
    """A short text that changes when a frame or value of a key does."""
    return hash_co(table.co)


def hash_co(keys: np.ndarray) -> str:
    """The same of frames and values, float32, shape (K, 2)."""
    return hashlib.blake2b(np.ascontiguousarray(keys).tobytes(), digest_size=8).hexdigest()


def is_as_hashed(points: np.ndarray, kept: str) -> bool:
    """Whether frames and values of keys (K, 2) are those that a hash was made of.

    The sign of zeros does not count where all zeros have the same: bakes of version 0.1.0 noted one that
    a curve, which was zero already, did not get.
    """
    if kept == hash_co(points):
        return True
    zeros = (points == 0.0) & np.array([False, True])
    signed = (np.where(zeros, np.float32(z), points) for z in (0.0, -0.0))
    return bool(zeros.any()) and any(kept == hash_co(other) for other in signed)
