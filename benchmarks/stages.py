# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters on grounds in a scene, for the commands that look at what is shown.

Places are in the axes of a course: x along the way, y to its left, z up, metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import inspection, opening, setups
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.requests.travels import StraightAhead, TravelSource
from tools.compatibility.courses import Course, make_course
from tools.compatibility.placing import add_ground, cut_feet, find_axes, list_feet, turn_sight
from tools.compatibility.seeing import Cast, Sight, hide_scenery, make_cast, see_frames

from .planned.recording import count_missed
from .seen import Pace, measure_shown
from .seen_motion import measure_pitch, measure_speeds

# Cycles of a walk, and of the level before ramps and stairs.
CYCLES = 7.0
_APPROACH = 1.6
# Lengths of the leg: ramps of 15 degrees, stairs as people build them.
_SLOPE, _RAMP = float(np.tan(np.radians(15.0))), 2.5
_RISE, _TREAD, _TREADS, _LANDING = 0.19, 0.42, 5, 2.0
_FAR = 60.0
SLOWED = 2.2
"""Times as many frames get walks that slow down for climbs."""
# How far bumps reach, less than the length of a body.
_BUMPS = 11.5


@dataclass(frozen=True)
class Part:
    """A character that can be opened: file below the data folder or shape of the demo, and its clips.

    One that is not ``is_in_place`` goes along in its clip by itself.
    """

    name: str
    file: str | None
    walk: str
    rest: str | None = None
    is_in_place: bool = True


PARTS = (
    Part("Rogue", "kaykit/Rogue.glb", "Walking_A", "Idle"),
    Part("KayKit", "kaykit/Med_MovementBasic.glb", "Walking_A"),
    Part("Fox", "fox/Fox.glb", "Walk", "Survey"),
    Part("Horse", "horse/Horse.blend", "Walk", "Idle"),
    Part("Wolf", "quaternius/Wolf.glb", "Walk", "Idle"),
    Part("Dog", "quaternius/Dog.fbx", "Walking", "Idle"),
    Part("Spider", "spider/Spider.glb", "Spider_Walk", "Spider_Idle"),
    Part("biped", None, "walk", "rest"),
    Part("quadruped", None, "walk", "rest"),
    Part("hexapod", None, "walk", "rest"),
)

CAPTURE = Part("CMU", "cmu/cmu_12_01_walk.bvh", "cmu_12_01_walk", is_in_place=False)
"""A captured walk, which goes along by itself: no clip can be moved beside it."""


@dataclass(frozen=True)
class Actor:
    """A character in the open file, set up with one walk.

    Attributes
    ----------
    name
        Of the character.
    armature
        Its object.
    found
        What was found, as `inspect --json` has it; ``walk`` and ``fps`` beside.
    cast, feet
        What of it is looked at, and the numbers of the bones of each foot.
    action
        The walk.
    """

    name: str
    armature: bpy.types.Object
    found: dict[str, Any]
    cast: Cast
    feet: dict[str, list[int]]
    action: bpy.types.Action

    @property
    def length(self) -> float:
        """Of the leg, metres."""
        return self.found["leg_length"]

    @property
    def stride(self) -> float:
        """Way of a cycle, metres."""
        return self.found["walk"]["speed"] * self.found["walk"]["period"]

    @property
    def joints(self) -> list[np.ndarray]:
        """Numbers of the bones of each leg from hip to ankle."""
        legs = self.found["legs"]
        return [np.array([self.cast.names.index(b) for b in leg["bones"]]) for leg in legs]


@dataclass(frozen=True)
class Shown:
    """A walk as the scene showed it, in the axes of its course.

    Attributes
    ----------
    sight
        All points and bones.
    feet
        Points of each foot by its name, shape (F, V, 3).
    frames
        Scene frames.
    missed
        Times, over frames and feet, that an ankle is off where it was asked to be; None where nobody
        asked.
    """

    sight: Sight
    feet: dict[str, np.ndarray]
    frames: range
    missed: int | None = None


def open_actor(part: Part, data: Path) -> Actor | None:
    """Open a character and set it up with its walk; None where its file is absent."""
    if part.file is None:
        opening.open_empty()
        shape = CHARACTER_SHAPES[part.name]()
        armature = create_character(shape, bpy.context.scene.collection)
        for action in write_gaits(armature, shape, [part.walk, part.rest]):
            action.use_fake_user = True
    elif not (data / part.file).is_file():
        return None
    else:
        opening.open_file(data / part.file)
        armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
        hide_scenery(armature)
    scene = bpy.context.scene
    scene.frame_start = 1
    scene.frame_set(1)
    walk = _find_action(part.walk)
    choices = [api.MotionChoice(walk)]
    if part.rest is not None:
        choices.append(api.MotionChoice(_find_action(part.rest), rest=True))
    character, findings = api.set_up(armature, choices)
    found = inspection.describe_character(character, findings)
    found["fps"] = scene.render.fps / scene.render.fps_base
    found["walk"] = next(m for m in found["motions"] if m["action"] == walk.name)
    cast = make_cast(armature)
    return Actor(part.name, armature, found, cast, list_feet(armature, found, True), walk)


def _find_action(name: str) -> bpy.types.Action:
    """The action of that name; importers and the demo put others before it."""
    return next(
        a
        for a in bpy.data.actions
        if a.name.replace(" ", "|").split("|")[-1] in (name, name.title())
    )


def make_ground(name: str, actor: Actor, later: float = 0.0) -> Course:
    """Flat ground, a ramp or stairs with the way down behind them, or bumps, sized for a character.

    What is not flat begins ``later`` by so many treads.
    """
    length = actor.length
    start = _APPROACH * actor.stride + later * _TREAD * length
    if name == "bumps":
        return make_course("bumps", length)
    corners: list[tuple[float, float]] = []
    if name == "ramp":
        way, top = _RAMP * length, _SLOPE * _RAMP * length
        corners = [(0.0, 0.0), (way, top), (way + _LANDING * length, top)]
        corners.append((2.0 * way + _LANDING * length, 0.0))
    elif name == "stairs":
        way = height = 0.0
        for turn in (1.0, -1.0):
            for tread in range(_TREADS):
                corners += [(way, height), (way, height + turn * _RISE * length)]
                height += turn * _RISE * length
                is_landing = turn > 0.0 and tread == _TREADS - 1
                way += (_LANDING if is_landing else _TREAD) * length
    elif name != "flat":
        raise KeyError(name)
    ends = [(-_FAR * length, 0.0), *((start + x, z) for x, z in corners), (_FAR * length, 0.0)]
    return Course(name, np.array(ends), length)


GROUNDS = ("flat", "ramp", "stairs", "bumps")
"""Names of all grounds."""


def count_frames(actor: Actor, course: Course) -> int:
    """Frames in which a walk at native speed goes over a ground."""
    way = CYCLES * actor.stride
    if course.profile is None:
        way = min(way, _BUMPS * actor.length)
    if course.profile is not None and len(course.profile) > 2:
        way = max(way, course.profile[-2, 0] + actor.stride)
    return int(np.ceil(way / actor.found["walk"]["speed"] * actor.found["fps"]))


def find_way(actor: Actor) -> np.ndarray:
    """Matrix (4, 4) from the axes of a course to the world; the way goes where the walk does."""
    bpy.context.view_layer.update()
    return find_axes(actor.armature, actor.found["walk"]["direction"])


def look(actor: Actor, axes: np.ndarray, frames: range, missed: int | None = None) -> Shown:
    """Let the scene show frames."""
    sight = turn_sight(see_frames(actor.cast, frames), axes)
    return Shown(
        sight, cut_feet(sight, actor.cast, actor.feet, actor.found["leg_length"]), frames, missed
    )


def bake(
    actor: Actor,
    course: Course,
    change: Callable[[bpy.types.Object], None] | None = None,
    travel: TravelSource | None = None,
    count: int | None = None,
    rate: int | None = None,
) -> tuple[Shown, dict[str, Any]]:
    """Bake a walk over a ground, look at it and take it away again; with its report.

    Parameters
    ----------
    actor
        Who.
    course
        Where.
    change
        Sets settings of the character before, and is told the armature; they stay.
    travel
        The way, None for straight ahead at native speed all along.
    count
        Frames; None for as many as the ground takes.
    rate
        Frames a second in which the same seconds are baked, and of what is shown then; None for the
        scene's own. Meshes without feet are not looked at there.
    """
    count = count or count_frames(actor, course)
    if rate is not None:
        count = int(count * rate / actor.found["fps"])
        with at_rate(actor, rate), feet_alone(actor) as alone:
            return bake(alone, course, change, travel, count)
    armature, scene = actor.armature, bpy.context.scene
    axes = find_way(actor)
    item = add_ground(course, axes)
    scene.frame_end = count
    scene.frame_set(1)
    setups.write_travel(armature, travel or StraightAhead(slow_climbs=False), "object")
    if change is not None:
        change(armature)
    try:
        result = setups.bake_set_up(armature, scene)
        report = result.as_dict(armature.name)
        first, last = result.frames
        shown = look(actor, axes, range(first, last + 1), count_missed(result.plan, result.frames))
        setups.remove_set_up_bake(armature)
    finally:
        bpy.data.objects.remove(item)
    return shown, report


@contextmanager
def at_rate(actor: Actor, rate: int) -> Iterator[None]:
    """The scene at another frame rate; actions keep the seconds that they had."""
    render = bpy.context.scene.render
    before, untold = (render.fps, render.fps_base), []
    for action in bpy.data.actions:
        if "locomotion_frame_rate" not in action:
            action["locomotion_frame_rate"] = actor.found["fps"]
            untold.append(action)
    render.fps, render.fps_base = rate, 1.0
    try:
        yield
    finally:
        render.fps, render.fps_base = before
        for action in untold:
            del action["locomotion_frame_rate"]


@contextmanager
def feet_alone(actor: Actor) -> Iterator[Actor]:
    """The character with nothing but its bones and the meshes that have feet; others are hidden."""
    bones = [bone for own in actor.feet.values() for bone in own]
    kept = tuple(skin for skin in actor.cast.skins if np.isin(skin.owners, bones).any())
    hidden = [skin.item for skin in actor.cast.skins if skin not in kept]
    for item in hidden:
        item.hide_viewport = True
    try:
        yield replace(actor, cast=replace(actor.cast, skins=kept))
    finally:
        for item in hidden:
            item.hide_viewport = False


def measure_motion(
    actor: Actor, shown: Shown, course: Course, pitch: float | None
) -> dict[str, float | None]:
    """Numbers of a walk at `seen_motion.RATE`; ``pitch`` is the clip's mean on flat ground, degrees."""
    bones, heights = shown.sight.bones, course.find_heights
    speeds = measure_speeds(shown.feet, bones, actor.joints, heights, actor.length)
    tilt = None if pitch is None else measure_pitch(bones, actor.joints, heights, pitch)
    return {**speeds, "pitch": tilt}


def measure(
    actor: Actor, shown: Shown, course: Course, clip: Pace
) -> dict[str, float | int | None]:
    """Numbers of a walk as `seen.measure_shown` has them, and how often it missed."""
    numbers = measure_shown(
        shown.feet,
        shown.sight.bones,
        actor.joints,
        course.measure_clearances,
        clip,
        actor.length,
        actor.found["fps"],
    )
    return {**numbers, "missed": shown.missed}


def choose_parts(names: Sequence[str] | None) -> list[Part]:
    """Characters by name, None for all."""
    return [part for part in PARTS if names is None or part.name in names]
