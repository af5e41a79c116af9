# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys around those of a walk: the animator's own, and those of a walk of which it is a section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from .. import versions
from ..values.bake_record import BakeRecord, ChannelKey, find_key_spans
from ..values.bake_strips import plays_others
from ..values.curve_records import CurveRecord
from ..values.curves import group_transform_curves, read_key_frames
from ..values.key_tables import NO_KEYS, KeyTable
from ..values.written_keys import read_written
from .bases import list_walks, read_base
from .laying import Run
from .own_keys import find_free_curve, find_own_keys


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


def plays_beside(armature: bpy.types.Object, under: Iterable[bpy.types.FCurve]) -> bool:
    """Whether a character is moved by more than its walks: what they leave goes on as it was then.

    Strips are played beside a section by Blender itself.

    Parameters
    ----------
    armature
        The character's object.
    under
        Curves of the animation under its bake.
    """
    return bool(group_transform_curves(under)) and not plays_others(armature)


@dataclass(frozen=True)
class Beside:
    """What is beside a walk, curve by curve.

    Attributes
    ----------
    bases
        Keys without walks.
    walks
        Walks that stay.
    own
        What properties are that nothing but walks moves; None where these hold their ends.
    span
        Frames on which modifiers and extrapolation are kept, see `find_shown_span`.
    """

    bases: Mapping[ChannelKey, KeyTable]
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
    written: Mapping[ChannelKey, np.ndarray] = {}
    staying: Sequence[tuple[float, float]] = ()
    if old is not None and active is not None:
        found = versions.get_curves(active, active_slot)
        curves = {(c.data_path, c.array_index): c for c in found}
        written = read_written(active)
        staying = old.find_staying(section) if is_around else ()
    moved = plays_beside(armature, under)
    bases, walks, own = {}, {}, {}
    for key in wanted:
        curve = curves.get(key)
        hand, record = NO_KEYS, None
        if old is None or key not in old.written:
            source = below.get(key) if old is None else curve
            record = None if source is None else CurveRecord.read(source)
        else:
            hand = find_own_keys(key, curve, old, written)
            record = find_free_curve(armature, key, curve, below.get(key), old, written)
            walks[key] = list_walks(key, curve, old, staying) if old is not None else []
        spans = find_key_spans(key, [*staying, section])
        bases[key] = read_base(armature, record, hand, span, spans) if record else NO_KEYS
        own[key] = values.get(key) if moved else None
    return Beside(bases, walks, own, span)
