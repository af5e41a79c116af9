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
from ..values.curves import evaluate_curve, read_key_frames
from ..values.key_tables import (
    NO_KEYS,
    KeyTable,
    join_key_tables,
    keep_inside,
    keep_outside,
    lies_inside,
    make_key_table,
    read_key_table,
    read_shown_table,
    shows_more,
)

# Blender's number of handles that stay as they are, and frames beside a key at which a slope is read.
_FREE, _NEAR = 0, 0.125


def find_shown_span(
    under: Sequence[bpy.types.FCurve], section: tuple[float, float], scene: bpy.types.Scene
) -> tuple[float, float]:
    """Frames on which the animation beside a walk is kept as it is shown, modifiers and all.

    Those of the scene, of the action under the bake and of the walk, whichever are first and last.

    Parameters
    ----------
    under
        Curves of the animation under the bake.
    section
        First and last frame of the walk.
    scene
        Gives its frames.
    """
    spans = [section, (float(scene.frame_start), float(scene.frame_end))]
    keys = read_key_frames(under)
    if len(keys):
        spans.append((float(keys[0]), float(keys[-1])))
    if under and under[0].id_data.use_frame_range:
        spans.append(tuple(under[0].id_data.frame_range))
    return min(first for first, _ in spans), max(last for _, last in spans)


def read_table_around(
    curve: bpy.types.FCurve | None, below: bpy.types.FCurve | None, span: tuple[float, float]
) -> KeyTable:
    """Keys of a bake's curve around a section, and where it has none yet those under it.

    Where the scene became longer since the bake, modifiers and extrapolation under it go on.

    Parameters
    ----------
    curve
        The bake's curve, None where it has none.
    below
        The curve of the animation under the bake, None where it has none.
    span
        Frames on which the animation under the bake is kept, see `find_shown_span`.
    """
    table = read_shown_table(curve, span)
    if not len(table) or not shows_more(below, span):
        return table
    own = (float(table.frames[0]), float(table.frames[-1]))
    return join_key_tables(table, keep_outside(read_shown_table(below, span), own))


def list_keys_outside(
    wanted: Iterable[ChannelKey],
    active: bpy.types.Action | None,
    active_slot: str,
    old: BakeRecord | None,
    under: Sequence[bpy.types.FCurve],
    section: tuple[float, float],
    kept: tuple[float, float],
    *,
    fills: bool,
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
    kept
        Frames on which what is under the bake is kept, see `find_shown_span`.
    fills
        Whether keys tell all frames between the walk and those next to it, see `keep_way_beside`.
    """
    below = {(c.data_path, c.array_index): c for c in under}
    shown = below
    if old is not None and active is not None:
        curves = versions.get_curves(active, active_slot)
        shown = {(c.data_path, c.array_index): c for c in curves}
    # As a rule a walk covers the one before it, of which nothing is left then.
    sections = () if old is None else old.sections
    covers_all = all(section[0] <= first and last <= section[1] for first, last in sections)
    tables = {}
    for key in wanted:
        span = find_key_span(key, section)
        if covers_all and _is_inside(shown.get(key), below.get(key), kept, span):
            tables[key] = NO_KEYS
            continue
        outside = keep_outside(read_table_around(shown.get(key), below.get(key), kept), span)
        if old is not None and not covers_all:
            before = find_key_spans(key, old.sections)
            freed = keep_outside(_read_freed(below.get(key), before, kept, fills=fills), span)
            outside = join_key_tables(keep_outside(outside, *before), freed)
        tables[key] = keep_way_beside(outside, below.get(key), span) if fills else outside
    return tables


def _is_inside(
    curve: bpy.types.FCurve | None,
    below: bpy.types.FCurve | None,
    kept: tuple[float, float],
    span: tuple[float, float],
) -> bool:
    """Whether a curve and the one under it show nothing out of a range but their first and last keys."""
    return not (shows_more(curve, kept) or shows_more(below, kept)) and lies_inside(curve, span)


def _read_freed(
    below: bpy.types.FCurve | None,
    gone: Sequence[tuple[float, float]],
    span: tuple[float, float],
    *,
    fills: bool,
) -> KeyTable:
    """Keys under a bake in sections that are given back; ``fills`` asks for one on every frame."""
    if below is None:
        return NO_KEYS
    if not fills or shows_more(below, span) or not len(below.keyframe_points):
        return keep_inside(read_shown_table(below, span), *gone)
    frames = np.unique(np.concatenate([np.arange(np.ceil(a), b + 1.0) for a, b in gone]))
    return make_key_table(frames, evaluate_curve(below, frames))


def keep_way_beside(
    table: KeyTable, below: bpy.types.FCurve | None, section: tuple[float, float]
) -> KeyTable:
    """Keys beside a section with one on every frame between it and those next to it.

    Parameters
    ----------
    table
        Keys of a curve outside of the section.
    below
        The curve of the animation under the bake, None where it has none.
    section
        First and last frame of the section.
    """
    if below is None or not len(table):
        return table
    before = np.flatnonzero(table.frames < section[0])[-1:]
    after = np.flatnonzero(table.frames > section[1])[:1]
    first = [np.arange(np.floor(table.frames[i]) + 1.0, section[0]) for i in before]
    last = [np.arange(section[1] + 1.0, table.frames[i]) for i in after]
    frames = np.concatenate([*first, *last, []])
    if not len(frames):
        return table
    left, right = table.handle_left_type.copy(), table.handle_right_type.copy()
    # Those that follow their neighbours would change the way on the other side.
    nearest = np.concatenate([before, after])
    left[nearest] = right[nearest] = _FREE
    table = replace(table, handle_left_type=left, handle_right_type=right)
    return join_key_tables(table, make_key_table(frames, evaluate_curve(below, frames)))


def keep_walk_around(
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    below: bpy.types.FCurve | None,
    own: float,
    section: tuple[float, float],
    old: BakeRecord,
    span: tuple[float, float],
    *,
    fills: bool,
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
    span
        Frames on which what is under the bake is kept, see `find_shown_span`.
    fills
        Whether keys tell all frames of the sections that are replaced.

    Returns
    -------
    KeyTable
        With a key on either side of the section: where keys are far apart, the walk would change
        beside it else.
    """
    table = read_table_around(curve, below, span)
    gone = find_key_spans(key, old.find_replaced(section))
    if gone:
        free = _read_freed(below, gone, span, fills=fills)
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
    # Beside an end that a section had already all is as that has left it.
    replaced = old.find_replaced(section)
    for number in (0, 1):
        is_gone[number] |= any(span[number] == section[number] for span in replaced)
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
