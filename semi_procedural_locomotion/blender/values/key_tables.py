# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of curves as arrays, read and written in bulk (docs/method/keys.md, Keys in bulk)."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.keys.tables import (
    COLUMNS,
    FIELDS,
    LINEAR,
    NEW_KEY,
    NO_KEYS,
    POINTS,
    KeyTable,
    is_in_spans,
    make_key_table,
)
from .curves import evaluate_curve


def has_keys(curve: bpy.types.FCurve, table: KeyTable) -> bool:
    """Whether a curve has some keys; straight ones need no handles.

    To the sign of a zero, as for `hash_keys`: keys that count as the same have the same hash.
    """
    points = curve.keyframe_points
    if len(points) != len(table):
        return False
    is_straight = bool(np.all(table.interpolation == LINEAR))
    for name in ("co", "interpolation", "type", "easing") if is_straight else FIELDS:
        wanted = getattr(table, name)
        values = np.empty(wanted.size, dtype=wanted.dtype)
        if len(points):
            points.foreach_get(name, values)
        if values.tobytes() != wanted.tobytes():
            return False
    return True


def read_key_table(curve: bpy.types.FCurve | None) -> KeyTable:
    """All keys of a curve; an empty table for None."""
    count = 0 if curve is None else len(curve.keyframe_points)
    if curve is None or not count:
        return NO_KEYS
    columns, points = [], curve.keyframe_points
    for name, kind, size in COLUMNS:
        column = np.empty(size * count, kind)
        points.foreach_get(name, column)
        columns.append(column if size == 1 else column.reshape(-1, size))
    return KeyTable(*columns)


def read_points_inside(curve: bpy.types.FCurve | None, *spans: tuple[float, float]) -> np.ndarray:
    """Frames and values of a curve's keys in any of some ranges of frames, float32, shape (K, 2)."""
    points = _read_points(curve)
    if not len(points) or any(a <= points[0, 0] and points[-1, 0] <= b for a, b in spans):
        return points
    inside = is_in_spans(points[:, 0], spans)
    return points if inside.all() else points[inside]


def _read_points(curve: bpy.types.FCurve | None) -> np.ndarray:
    """Frames and values of all keys of a curve, float32, shape (K, 2)."""
    count = 0 if curve is None else len(curve.keyframe_points)
    flat = np.empty(2 * count, dtype=np.float32)
    if curve is not None and count:
        curve.keyframe_points.foreach_get("co", flat)
    return flat.reshape(-1, 2)


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


def write_key_table(
    curve: bpy.types.FCurve, table: KeyTable, found: KeyTable | None = None
) -> None:
    """Replace all keys of a curve; new keys are selected, see `versions.deselect_keys`.

    Parameters
    ----------
    curve
        The curve.
    table
        What it gets.
    found
        What it has, where that is known: what stays the same is not written.
    """
    points = curve.keyframe_points
    is_new = len(points) != len(table)
    if is_new:
        points.clear()
        points.add(len(table))
    for name in FIELDS:
        values = np.ascontiguousarray(getattr(table, name)).ravel()
        # Frames and values come first, and make Blender move handles along.
        stays = found is not None and not is_new and name not in POINTS
        if stays and np.array_equal(getattr(found, name), getattr(table, name)):
            continue
        known = NEW_KEY.get(name) if is_new else None
        if known is None or np.any(values != known):
            points.foreach_set(name, values)
