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
from ...core.maths import rotations as rot
from ...core.rig.skeleton import Skeleton
from .. import versions
from ..travel.reading import copy_before_bake
from ..values.armature import split_object_axes
from ..values.bake_record import (
    BakeRecord,
    find_bake_strip,
    find_base_action,
    find_playing_action,
    is_bake_of,
    read_record,
)
from ..values.bake_strips import plays_others, restore_blending
from ..values.evaluation import copy_unbaked, sample_matrices
from ..values.key_tables import (
    make_key_table,
    write_key_table,
)
from ..values.scene_state import get_frame_rate, temporary_scene
from ..values.written_keys import read_written
from .around import find_base, find_shown_span, plays_beside
from .bases import list_walks
from .laying import lay_runs


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
    if plays_others(armature):
        return True
    action, slot = find_base_action(armature)
    if action is None or action in sources:
        return False
    return plays_beside(armature, list(versions.get_curves(action, slot)))


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
    record = read_record(action) if action is not None and is_bake_of(armature, action) else None
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
    gone = record.find_replaced(section)
    own = action.copy()
    below = {}
    if record.previous is not None and not record.previous_is_source:
        curves = versions.get_curves(record.previous, record.previous_slot)
        below = {(c.data_path, c.array_index): c for c in curves}
    slot = versions.keep_only_slot(own, slot, armature.name)
    staying, written = record.find_staying(section), read_written(action)
    shown = find_shown_span(list(below.values()), section, bpy.context.scene)
    moved = plays_beside(armature, list(below.values()))
    for curve in versions.get_curves(own, slot):
        key = (curve.data_path, curve.array_index)
        if key not in record.written:
            continue
        curve.mute = False
        if gone:
            value = record.values.get(key) if moved else None
            base = find_base(
                armature, key, curve, below.get(key), (record, written), shown, staying, value
            )
            walks = list_walks(key, curve, record, staying)
            table = lay_runs(base.keys, walks, value, is_bare=base.is_bare)
            if not len(table) and key in record.values:
                table = make_key_table(np.array([section[0]]), np.array([record.values[key]]))
            write_key_table(curve, table)
    try:
        yield own, slot
    finally:
        bpy.data.actions.remove(own)
