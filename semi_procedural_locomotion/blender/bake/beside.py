# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The animation beside a walk, as the scene shows it without it: keys, strips, constraints, drivers.

A section of a shot goes over from it and to it. Where other walks of the same bake stay around a section,
they are part of that animation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import bpy
import numpy as np

from ...core.body.hand_over import BesideWalk
from ...core.keys.channels import poses_from_matrices
from ...core.keys.tables import make_key_table
from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.rig.skeleton import Skeleton
from .. import versions
from ..travel.reading import copy_before_bake
from ..values.armature import split_object_axes
from ..values.bake_record import (
    BakeRecord,
    ChannelKey,
    find_bake_strip,
    find_base_action,
    find_played_record,
    find_playing_action,
    is_bake_of,
)
from ..values.bake_strips import restore_blending
from ..values.components import read_component
from ..values.curves import write_straight_keys
from ..values.evaluation import copy_unbaked, sample_matrices
from ..values.key_tables import write_key_table
from ..values.nla import list_playing
from ..values.scene_state import get_frame_rate, set_frame, temporary_scene
from .composing import Composition, find_shown_span, index_curves, plays_beside


def sample_beside(
    armature: bpy.types.Object,
    skeleton: Skeleton,
    section: tuple[int, int],
    blends: tuple[int, int],
    scene: bpy.types.Scene,
    *,
    keeps_around: bool,
) -> BesideWalk | None:
    """The animation from which a walk goes over, and to which.

    Parameters
    ----------
    armature
        The character's object; not changed.
    skeleton
        Its bones, B of them.
    section
        First and last frame of the walk.
    blends
        Frames over which it goes over at its start and its end, 0 for not at all.
    scene
        Gives the clock; neither stepped nor changed.
    keeps_around
        Whether walks of an earlier bake stay around the section.

    Returns
    -------
    BesideWalk or None
        None where nothing is asked for.
    """
    first, last = section
    frames = np.arange(first, last + 1, dtype=np.float64)
    wanted = (frames - first <= blends[0]) & (blends[0] > 0)
    wanted |= (last - frames <= blends[1]) & (blends[1] > 0)
    frames = frames[wanted]
    if not len(frames):
        return None
    with _copy_beside(armature, section, keeps_around) as double, temporary_scene(scene) as stage:
        stage.collection.objects.link(double)
        matrices, objects = sample_matrices(double, skeleton.names, frames, stage)
        turns, _ = split_object_axes(armature, objects)
    rotations, translations, scales = poses_from_matrices(skeleton, matrices)
    rate = get_frame_rate(scene)
    return BesideWalk(
        times=frames / rate,
        positions=skeleton.place_character(turns, objects[:, :3, 3]),
        orientations=rot.multiply(turns, rot.conjugate(skeleton.object_rotation)),
        rotations=rotations,
        translations=translations,
        scales=scales,
        span=(first / rate, last / rate),
        blends=(blends[0] / rate, blends[1] / rate),
    )


def is_moved_beside(armature: bpy.types.Object, sources: Sequence[bpy.types.Action]) -> bool:
    """Whether keys or strips beside its walks move a character about.

    Parameters
    ----------
    armature
        The character's object.
    sources
        The walk's own motions, which do not play beside it.
    """
    action, slot = find_base_action(armature)
    curves = [curve for strip in _list_strips(armature) for curve in _list_curves(strip)]
    if action is not None and action not in sources:
        curves += versions.get_curves(action, slot)
    return plays_beside(armature, curves)


@contextmanager
def open_under(
    armature: bpy.types.Object, record: BakeRecord, section: tuple[float, float]
) -> Iterator[Sequence[bpy.types.FCurve]]:
    """Curves of the animation under a bake, while they are read.

    What strips show beside sections is among them as a key on each frame: an action plays on top of
    strips, and what it keys must show them. A whole walk plays in their place.

    Parameters
    ----------
    armature
        The character's object.
    record
        What the bake remembers, or will.
    section
        First and last frame of a walk.
    """
    under: list[bpy.types.FCurve] = []
    if record.previous is not None and not record.previous_is_source:
        under += versions.get_curves(record.previous, record.previous_slot)
    strips = _list_strips(armature) if record.start is None else []
    played = {key for strip in strips for key in index_curves(_list_curves(strip))}
    keys = sorted(
        key
        for key in played - index_curves(under).keys()
        if read_component(armature, key) is not None
    )
    if not keys:
        yield under
        return
    scene = bpy.context.scene
    first, last = find_shown_span(under, section, scene)
    first = min(first, *(strip.frame_start for strip in strips))
    last = max(last, *(strip.frame_end for strip in strips))
    frames = np.arange(np.floor(first), np.ceil(last) + 1.0)
    with copy_before_bake(armature) as double, temporary_scene(scene) as stage:
        stage.collection.objects.link(double)
        values = _sample_components(double, keys, frames, stage)
    action = bpy.data.actions.new("Strips")
    try:
        _, bag = versions.ensure_channelbag(action, armature)
        for key, column in zip(keys, values.T, strict=True):
            write_straight_keys(versions.add_curve(bag, *key, ""), frames, column)
        yield [*under, *bag.fcurves]
    finally:
        bpy.data.actions.remove(action)


def _list_strips(armature: bpy.types.Object) -> list[bpy.types.NlaStrip]:
    """The strips that an object plays besides that of its bake."""
    playing = list_playing(armature.animation_data)
    return [s for s in playing if s.action is not None and not is_bake_of(armature, s.action)]


def _list_curves(strip: bpy.types.NlaStrip) -> Sequence[bpy.types.FCurve]:
    """Curves that a strip plays."""
    return versions.get_curves(strip.action, versions.get_strip_slot(strip))


def _sample_components(
    armature: bpy.types.Object,
    keys: Sequence[ChannelKey],
    frames: FloatArray,
    stage: bpy.types.Scene,
) -> FloatArray:
    """Components of properties as a scene evaluates them at frames (N,), shape (N, K)."""
    values = np.empty((len(frames), len(keys)))
    for row, frame in zip(values, frames, strict=True):
        set_frame(stage, float(frame))
        shown = armature.evaluated_get(stage.view_layers[0].depsgraph)
        owned: dict[str, Sequence[float]] = {}
        for column, (path, index) in enumerate(keys):
            if path not in owned:
                found = shown.path_resolve(path)
                owned[path] = [found] if isinstance(found, int | float) else list(found)
            row[column] = owned[path][index]
    return values


@contextmanager
def open_curves_beside(
    armature: bpy.types.Object,
    around: BakeRecord | None,
    section: tuple[float, float],
    under: Sequence[bpy.types.FCurve],
) -> Iterator[Sequence[bpy.types.FCurve]]:
    """Curves of the animation beside a walk, while they are read.

    Parameters
    ----------
    armature
        The character's object.
    around
        What the bake remembers of which walks stay around the section; None where none does.
    section
        First and last frame of the walk.
    under
        Curves of the animation under the bake.

    Yields
    ------
    sequence of FCurve
        Those under the bake, else those of the walks around the section. What the section replaces is
        not among them: a walk that is baked again would be mixed with itself.
    """
    action, slot = find_playing_action(armature)
    if around is None or action is None:
        yield under
    elif not around.find_replaced(section):
        yield versions.get_curves(action, slot)
    else:
        with _copy_without(action, slot, around, section, armature) as (own, own_slot):
            yield versions.get_curves(own, own_slot)


@contextmanager
def _copy_beside(
    armature: bpy.types.Object, section: tuple[int, int], keeps_around: bool
) -> Iterator[bpy.types.Object]:
    """A copy of an object that plays what is beside a walk."""
    action, slot = find_playing_action(armature)
    span = (float(section[0]), float(section[1]))
    record = find_played_record(armature)
    stays = keeps_around and record is not None and record.written and record.find_staying(span)
    if action is None or record is None or not stays:
        with copy_before_bake(armature) as double:
            yield double
        return
    with (
        _copy_without(action, slot, record, span, armature) as (own, slot),
        copy_unbaked(armature) as double,
    ):
        found = find_bake_strip(double)
        if found is None:
            versions.assign_action(double, own, slot)
        else:
            found[1].action = own
            versions.assign_strip_slot(found[1], slot)
        restore_blending(double, armature)
        yield double


@contextmanager
def _copy_without(
    action: bpy.types.Action,
    slot: str,
    record: BakeRecord,
    section: tuple[float, float],
    armature: bpy.types.Object,
) -> Iterator[tuple[bpy.types.Action, str]]:
    """A bake's action without the walks that a section replaces, its curves unmuted, and its slot."""
    gone, staying = record.find_replaced(section), record.find_staying(section)
    own = action.copy()
    with open_under(armature, record, section) as under:
        playing = (action, slot)
        composition = Composition(armature, playing, record, under, section, record.values)
        slot = versions.keep_only_slot(own, slot, armature.name)
        for curve in versions.get_curves(own, slot):
            key = (curve.data_path, curve.array_index)
            if key not in record.written:
                continue
            curve.mute = False
            if gone:
                table = composition.compose(key, staying)
                if not len(table) and key in record.values:
                    table = make_key_table(np.array([section[0]]), np.array([record.values[key]]))
                write_key_table(curve, table)
    try:
        yield own, slot
    finally:
        bpy.data.actions.remove(own)
