# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys around those of a walk: the animator's own, and those of a walk of which it is a section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import bpy

from .. import versions
from ..reading.leg_motions import goes_its_way
from ..values.bake_record import BakeRecord, ChannelKey, find_key_spans
from ..values.bake_strips import plays_others
from ..values.curve_records import CurveRecord, decode_keys
from ..values.curves import group_transform_curves, read_key_frames
from ..values.key_tables import NO_KEYS, KeyTable, lies_inside, read_key_table
from ..values.written_keys import has_left_keys, read_written
from .bases import keep_shown, list_walks, read_base
from .changed import differs_beside
from .laying import Run, lay_runs
from .own_keys import (
    Written,
    find_curve_before,
    find_free_curve,
    find_own_keys,
    is_keyed_beside,
)


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


def plays_beside(armature: bpy.types.Object, under: Sequence[bpy.types.FCurve]) -> bool:
    """Whether more than its walks moves a character about: what they leave goes on as it was then.

    Keys that move neither its legs, its hips nor the object do not: it stays where its walk has left it.
    Strips are played beside a section by Blender itself.

    Parameters
    ----------
    armature
        The character's object.
    under
        Curves of the animation under its bake.
    """
    is_keyed = bool(group_transform_curves(under)) and not plays_others(armature)
    return is_keyed and goes_its_way(armature, under)


def find_base(
    armature: bpy.types.Object,
    key: ChannelKey,
    curve: bpy.types.FCurve | None,
    below: bpy.types.FCurve | None,
    bake: tuple[BakeRecord, Written],
    shown: tuple[float, float],
    sections: Sequence[tuple[float, float]],
    own: float | None,
) -> Base:
    """Keys of a curve that a bake has written, without its walks.

    What was keyed beside them by hand shows there what it showed, and nothing else changes by it.

    Parameters
    ----------
    armature
        The character's object.
    key
        Data path and index of the curve.
    curve
        The bake's curve.
    below
        The curve of the animation under the bake, None where it has none.
    bake
        What the bake remembers, and the frames and values that it wrote, by curve.
    shown
        Frames on which modifiers and extrapolation are kept, see `find_shown_span`.
    sections
        Walks that will be laid over it.
    own
        What the property is where nothing but walks moves it; None where these hold their ends.
    """
    record, written = bake
    if curve is not None and key not in record.beside and has_left_keys(curve, record.sections):
        # As nearly always: all that is beside walks is what the last of them left there.
        free = find_curve_before(key, below, record, NO_KEYS)
        spans = find_key_spans(key, sections)
        keys = read_base(armature, free, shown, spans)
        return Base(keys, own is None and not len(keys))
    spans, gone = find_key_spans(key, sections), find_key_spans(key, record.sections)
    hand = find_own_keys(key, curve, record, written)
    before = find_curve_before(key, below, record, hand)
    base = read_base(armature, before, shown, [*gone, *spans])
    is_bare = own is None and not len(base)
    is_changed = key in record.beside or (
        curve is not None and is_keyed_beside(key, curve, record, written, hand)
    )
    if not is_changed and curve is not None and not lies_inside(curve, gone[0]):
        as_written = read_base(armature, before, shown, gone)
        runs = list_walks(key, curve, record, record.sections)
        laid = lay_runs(as_written, runs, own)
        is_changed = differs_beside(laid, read_key_table(curve), gone)
    if curve is None or not is_changed:
        free = find_free_curve(armature, key, curve, below, record, written)
        keys = read_base(armature, free, shown, spans)
        return Base(keys, own is None and not len(keys))
    if key in record.beside:
        base = decode_keys(record.beside[key])
    keys = keep_shown(armature, base, curve, gone, [*gone, *spans], own, is_bare=is_bare)
    return Base(keys, is_bare, is_changed=True)


@dataclass(frozen=True)
class Base:
    """What walks are laid over.

    Attributes
    ----------
    keys
        Keys without walks.
    is_bare
        Whether walks hold their ends on it, see `lay_runs`.
    is_changed
        Whether something was changed by hand beside walks, so that the next bake has to know the keys.
    """

    keys: KeyTable
    is_bare: bool
    is_changed: bool = False


@dataclass(frozen=True)
class Beside:
    """What is beside a walk, curve by curve.

    Attributes
    ----------
    bases
        What walks are laid over.
    walks
        Walks that stay.
    own
        What properties are that nothing but walks moves; None where these hold their ends.
    span
        Frames on which modifiers and extrapolation are kept, see `find_shown_span`.
    """

    bases: Mapping[ChannelKey, Base]
    walks: Mapping[ChannelKey, Sequence[Run]]
    own: Mapping[ChannelKey, float | None]
    span: tuple[float, float]


def find_beside(
    armature: bpy.types.Object,
    wanted: Iterable[ChannelKey],
    playing: tuple[bpy.types.Action | None, str],
    old: BakeRecord | None,
    under: Sequence[bpy.types.FCurve],
    section: tuple[float, float],
    values: Mapping[ChannelKey, float],
    *,
    is_around: bool,
) -> Beside:
    """Keys beside a walk that are not its own.

    Parameters
    ----------
    armature
        The character's object.
    wanted
        Data path and index of the curves that the walk keys.
    playing
        The bake's action, else the one that the object plays, and its slot.
    old
        What an earlier bake remembers; None where none is active.
    under
        Curves of the animation under the bake.
    section
        First and last frame of the walk.
    values
        What properties were before all bakes.
    is_around
        Whether walks of the earlier bake stay around the section.
    """
    active, active_slot = playing
    span = find_shown_span(under, section, bpy.context.scene)
    below = {(c.data_path, c.array_index): c for c in under}
    curves: dict[ChannelKey, bpy.types.FCurve] = {}
    written: Written = {}
    staying: Sequence[tuple[float, float]] = ()
    if old is not None and active is not None:
        found = versions.get_curves(active, active_slot)
        curves = {(c.data_path, c.array_index): c for c in found}
        written = read_written(active)
        staying = old.find_staying(section) if is_around else ()
    moved = plays_beside(armature, under)
    bases, walks, own = {}, {}, {}
    for key in wanted:
        curve, own[key] = curves.get(key), values.get(key) if moved else None
        sections = [*staying, section]
        if old is None or key not in old.written:
            source = below.get(key) if old is None else curve
            free = None if source is None else CurveRecord.read(source)
            spans = find_key_spans(key, sections)
            bases[key] = Base(read_base(armature, free, span, spans), False)
            continue
        bases[key] = find_base(
            armature, key, curve, below.get(key), (old, written), span, sections, own[key]
        )
        walks[key] = list_walks(key, curve, old, staying) if staying else []
    return Beside(bases, walks, own, span)
