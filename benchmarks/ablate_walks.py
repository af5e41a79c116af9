# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks of one character with and without the entries of `ablate_entries`, by what the scene shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.kept_walks import forget_walks
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from semi_procedural_locomotion.errors import LocomotionError
from tools.compatibility.placing import add_ground
from tools.compatibility.seeing import Sight

from .ablate_scenes import Scene, make_scene
from .ablate_switches import Entry, switched_off
from .ordinary import move_clip
from .planned.recording import count_missed
from .seen import Pace, list_stands, measure_pace
from .seen_motion import (
    RATE,
    find_pitches,
    measure_beside,
    measure_cut,
    measure_least_gap,
)
from .stages import (
    Actor,
    Part,
    Shown,
    at_rate,
    count_frames,
    feet_alone,
    find_way,
    look,
    make_ground,
    measure,
    measure_motion,
    open_actor,
)

Numbers = dict[str, float | None]


@dataclass(frozen=True)
class Outcome:
    """A walk.

    Attributes
    ----------
    numbers
        Its rows; those of the walk with everything where it is the same.
    is_same
        Whether each of its keys is that of the walk with everything.
    error
        Why there is none.
    """

    numbers: Numbers
    is_same: bool = False
    error: str = ""


@dataclass(frozen=True)
class _Reference:
    """What the clip shows by itself on flat ground at `RATE`; bones None where it cannot be moved.

    ``gap`` is how near its feet come to each other, metres.
    """

    pace: Pace
    gap: float
    pitch: float | None
    bones: np.ndarray | None


def run_character(
    part: Part, data: Path, tries: Mapping[str, Sequence[Entry]]
) -> Iterator[tuple[str, str, Outcome]]:
    """Scene, entry and outcome of each try of a character; nothing where its file is absent.

    Parameters
    ----------
    part
        Whom.
    data
        Folder of the files.
    tries
        By scene the entries that are tried; the walk with everything comes first, with no name.
    """
    actor = open_actor(part, data)
    if actor is None:
        return
    with at_rate(actor, RATE), feet_alone(actor) as alone:
        found = {**alone.found, "fps": float(RATE)}
        alone = replace(alone, found=found)
        reference = _refer(alone, part)
        for name, entries in tries.items():
            scene = make_scene(name, alone)
            whole, keys = _try(alone, scene, reference, None, None)
            yield name, "", whole
            if whole.error:
                continue
            for entry in entries:
                outcome, _ = _try(alone, scene, reference, entry, keys)
                same = outcome.numbers or (whole.numbers if outcome.is_same else {})
                yield name, entry.name, replace(outcome, numbers=same)


def _refer(actor: Actor, part: Part) -> _Reference:
    """The clip as it is, or the walk on flat ground of one that goes along by itself."""
    level = make_ground("flat", actor)
    if part.is_in_place:
        flat = move_clip(actor, level, count_frames(actor, level))
    else:
        flat = _walk(actor, make_scene("flat", actor), None)[0]
    bones = flat.sight.bones
    pitches = find_pitches(bones, actor.joints)
    pitch = None if pitches is None else float(pitches.mean())
    pace = measure_pace(flat.feet, bones, actor.joints)
    return _Reference(
        pace, measure_least_gap(flat.feet), pitch, bones if part.is_in_place else None
    )


def _try(
    actor: Actor, scene: Scene, reference: _Reference, entry: Entry | None, keys: str | None
) -> tuple[Outcome, str]:
    """A walk without an entry, and the fingerprint of its keys."""
    try:
        with switched_off(entry.offs if entry is not None else ()):
            shown, found = _walk(actor, scene, keys)
    except (LocomotionError, ArithmeticError, ValueError, TypeError, LookupError) as error:
        return Outcome({}, error=f"{type(error).__name__}: {error}".split("\n")[0]), ""
    if shown is None:
        return Outcome({}, is_same=True), found
    return Outcome(_measure(actor, scene, shown, reference)), found


def _walk(actor: Actor, scene: Scene, keys: str | None) -> tuple[Any, str]:
    """What is shown of a walk, and its keys' fingerprint; None where that is the given one."""
    armature, shown = actor.armature, None
    # What is kept of other walks was made with other functions.
    forget_walks()
    axes, stage = find_way(actor), bpy.context.scene
    stage.frame_end = scene.frames
    stage.frame_set(1)
    item = add_ground(scene.course, axes)
    item.name = "Course"
    try:
        setups.write_travel(armature, scene.travel, "object")
        with scene.shot(actor):
            result = setups.bake_set_up(armature, stage, scene.span)
            action, slot = versions.get_assigned_action(armature)
            found = fingerprint_curves(versions.get_curves(action, slot))
            if found != keys:
                missed = count_missed(result.plan, result.frames)
                first, last = (1, scene.frames) if scene.span else result.frames
                shown = look(actor, axes, range(first, last + 1), missed)
            stage.frame_set(1)
            setups.remove_set_up_bake(armature)
    finally:
        if setups.is_baked(armature):
            setups.remove_set_up_bake(armature)
        stage.frame_set(1)
        bpy.data.objects.remove(item)
    return shown, found


def _measure(actor: Actor, scene: Scene, shown: Shown, reference: _Reference) -> Numbers:
    """The rows of a walk."""
    rides = scene.find_ride(np.array(shown.frames))
    sight = Sight(shown.sight.points, shown.sight.bones - rides[:, None, None])
    feet = {name: points - rides[:, None] for name, points in shown.feet.items()}
    shown = replace(shown, sight=sight, feet=feet)
    numbers: Numbers = dict(measure(actor, shown, scene.course, reference.pace))
    numbers |= measure_motion(actor, shown, scene.course, reference.pitch)
    nearer = reference.gap - measure_least_gap(feet)
    numbers["crowd"] = max(nearer, 0.0) / actor.length
    bones = [bone for own in actor.feet.values() for bone in own]
    others = sight.points[:, ~np.isin(actor.cast.owners, bones)]
    numbers["cut"] = measure_cut(others, scene.course.measure_clearances) / actor.length
    if not scene.is_even:
        numbers["surge"] = None
    elif scene.course.name == "flat" and reference.bones is not None:
        clear, fps = scene.course.measure_clearances, actor.found["fps"]
        given = feet, sight.bones, actor.joints
        stands = list_stands(*given, clear, actor.length, fps)
        standing = np.stack([stands[leg["name"]] for leg in actor.found["legs"]], axis=1)
        period = actor.found["walk"]["period"] * fps
        numbers |= measure_beside(
            sight.bones, reference.bones, actor.joints, standing, period, actor.length
        )
    return numbers
