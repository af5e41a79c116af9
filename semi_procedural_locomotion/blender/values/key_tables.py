# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All keys of a curve as arrays, read and written in bulk (docs/method/keys.md, Keys in bulk)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import bpy
import numpy as np

from .. import versions
from ..limits import VALUE
from .curve_modifiers import read_modifiers, write_modifiers
from .curves import evaluate_curve

# Blender's numbers of these choices, the same in all versions.
LINEAR = 1
GENERATED = 5
_AUTO_CLAMPED = 4
# What new keys have already and need not be given.
_NEW_KEY = {"handle_left_type": _AUTO_CLAMPED, "handle_right_type": _AUTO_CLAMPED, "easing": 0}
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
    """

    co: np.ndarray
    handle_left: np.ndarray
    handle_right: np.ndarray
    interpolation: np.ndarray
    handle_left_type: np.ndarray
    handle_right_type: np.ndarray
    type: np.ndarray
    easing: np.ndarray

    def __len__(self) -> int:
        return len(self.co)

    @property
    def frames(self) -> np.ndarray:
        """Frames of the keys, shape (K,)."""
        return self.co[:, 0]

    def is_same(self, other: KeyTable) -> bool:
        """Whether curves with these and the other keys are the same; straight keys need no handles.

        To the sign of a zero, as for `hash_keys`: keys that count as the same have the same hash.
        """
        names = [field.name for field in fields(self)]
        if np.all(self.interpolation == LINEAR):
            names = ["co", "interpolation", "type", "easing"]
        return all(getattr(self, n).tobytes() == getattr(other, n).tobytes() for n in names)

    def select(self, chosen: np.ndarray) -> KeyTable:
        """The keys that a mask (K,) or indices choose."""
        return KeyTable(*(getattr(self, field.name)[chosen] for field in fields(self)))


def read_key_table(curve: bpy.types.FCurve | None) -> KeyTable:
    """All keys of a curve; an empty table for None."""
    count = 0 if curve is None else len(curve.keyframe_points)
    columns = []
    for field in fields(KeyTable):
        is_point = field.name in ("co", "handle_left", "handle_right")
        values = np.empty(2 * count if is_point else count, np.float32 if is_point else np.uint8)
        if curve is not None and count:
            curve.keyframe_points.foreach_get(field.name, values)
        columns.append(values.reshape(-1, 2) if is_point else values)
    return KeyTable(*columns)


def shows_more(curve: bpy.types.FCurve | None, span: tuple[float, float]) -> bool:
    """Whether a curve shows more in a range of frames than its keys: by modifiers or extrapolation."""
    if curve is None or curve.mute:
        return False
    if any(not modifier.mute for modifier in curve.modifiers):
        return True
    points = curve.keyframe_points
    if curve.extrapolation == "CONSTANT" or not len(points):
        return False
    return points[0].co[0] > span[0] or points[-1].co[0] < span[1]


def read_shown_table(curve: bpy.types.FCurve | None, span: tuple[float, float]) -> KeyTable:
    """Keys that show alone what a curve shows in a range of frames.

    Its own where it `shows_more` than they tell not; else one on every frame of the range.
    """
    if curve is None or not shows_more(curve, span):
        return read_key_table(curve)
    frames = np.arange(np.floor(span[0]), np.ceil(span[1]) + 1.0)
    return make_key_table(frames, evaluate_curve(curve, frames))


def make_key_table(frames: np.ndarray, values: np.ndarray) -> KeyTable:
    """Straight generated keys at frames (N,) with values (N,)."""
    count = len(frames)
    # A zero has no sign in keys: it would change from bake to bake where nothing else does.
    co = np.stack([frames, values], axis=1).astype(np.float32) + np.float32(0.0)
    left, right = co.copy(), co.copy()
    if count > 1:
        thirds = (_HANDLE_SHARE * np.diff(co, axis=0)).astype(np.float32)
        left[1:] -= thirds
        right[:-1] += thirds
        left[0] -= thirds[0]
        right[-1] += thirds[-1]
    kinds = [np.full(count, n, np.uint8) for n in (LINEAR, _AUTO_CLAMPED, GENERATED, 0)]
    return KeyTable(co, left, right, kinds[0], kinds[1], kinds[1], kinds[2], kinds[3])


def join_key_tables(*tables: KeyTable) -> KeyTable:
    """Keys of several tables, sorted by frame."""
    tables = tuple(table for table in tables if len(table)) or tables[:1]
    if len(tables) == 1:
        return tables[0]
    joined = KeyTable(
        *(np.concatenate([getattr(t, field.name) for t in tables]) for field in fields(KeyTable))
    )
    return joined.select(np.argsort(joined.frames, kind="stable"))


def write_key_table(curve: bpy.types.FCurve, table: KeyTable) -> None:
    """Replace all keys of a curve; new keys are selected, see `versions.deselect_keys`."""
    points = curve.keyframe_points
    is_new = len(points) != len(table)
    if is_new:
        points.clear()
        points.add(len(table))
    for field in fields(KeyTable):
        values = np.ascontiguousarray(getattr(table, field.name)).ravel()
        known = _NEW_KEY.get(field.name) if is_new else None
        if known is None or np.any(values != known):
            points.foreach_set(field.name, values)


def copy_curve(
    source: bpy.types.FCurve,
    bag: bpy.types.ActionChannelbag,
    target: bpy.types.FCurve | None,
) -> None:
    """Put the keys and modifiers of one curve on another, made where missing."""
    if target is None:
        group = source.group.name if source.group is not None else ""
        target = versions.add_curve(bag, source.data_path, source.array_index, group)
    target.extrapolation = source.extrapolation
    write_modifiers(target, read_modifiers(source))
    # Last, for other changes make Blender compute handles anew.
    write_key_table(target, read_key_table(source))


def keep_inside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys in any of some ranges of frames, ends included."""
    inside = _is_inside(table, spans)
    return table if inside.all() else table.select(inside)


def keep_outside(table: KeyTable, *spans: tuple[float, float]) -> KeyTable:
    """Keys out of all of some ranges of frames."""
    return table.select(~_is_inside(table, spans))


def _is_inside(table: KeyTable, spans: Sequence[tuple[float, float]]) -> np.ndarray:
    """Which keys lie in any of some ranges of frames, shape (K,) of bool."""
    inside = np.zeros(len(table), dtype=bool)
    for first, last in spans:
        after = table.frames >= first - VALUE.range_end
        inside |= after & (table.frames <= last + VALUE.range_end)
    return inside


def hash_keys(table: KeyTable) -> str:
    """A short text that changes when a frame or value of a key does."""
    return hashlib.blake2b(table.co.tobytes(), digest_size=8).hexdigest()


def is_as_hashed(table: KeyTable, kept: str) -> bool:
    """Whether keys are those that a hash was made of.

    The sign of zeros does not count where all zeros have the same: bakes of version 0.1.0 noted one that
    a curve, which was zero already, did not get.
    """
    if kept == hash_keys(table):
        return True
    zeros = (table.co == 0.0) & np.array([False, True])
    signed = (replace(table, co=np.where(zeros, np.float32(z), table.co)) for z in (0.0, -0.0))
    return bool(zeros.any()) and any(kept == hash_keys(other) for other in signed)
