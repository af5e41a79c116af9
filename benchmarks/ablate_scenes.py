# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds, ways and shots that every stage of the planner was once made for, sized for a character.

Places are in the axes of a course: x along the way, y to its left, z up, metres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Vector

from semi_procedural_locomotion.api import footsteps, setups
from semi_procedural_locomotion.api.layers import add_layer
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.setup.values import clear_entries
from semi_procedural_locomotion.requests.travels import (
    AlongPoints,
    AsObject,
    StraightAhead,
    TravelSource,
)
from tools.compatibility.courses import Course

from .stages import SLOWED, Actor, count_frames, find_way, make_ground

_FAR = 60.0
# Lengths of the leg.
_KERB, _KERB_WAY = 0.14, 2.0
_DITCH, _DITCH_DEPTH = 0.3, 0.25
_PIT, _PIT_DEPTH, _LEAP = 0.9, 3.0, 1.6
_NARROW_RISE, _NARROW_TREAD, _NARROW_TREADS = 0.14, 0.24, 5
_STEEP = ((0.0, 0.0), (1.4, 2.4))
_ROOF, _CROUCH = 2.6, 0.1
# A turn of a quarter radian about a bone's own sideways axis.
_NODDED = (float(np.cos(0.125)), float(np.sin(0.125)), 0.0, 0.0)
_RIDE = (0.4, 0.8, 0.3)
_STEP = (0.12, 0.06)
_SIDE = float(np.tan(np.radians(12.0)))
_ARC, _ARC_POINTS = 2.0, 13
_ANSWERS = ("lean", "lean_back", "shoulder_turn", "arm_spread")
# Cycles, strides that it drifted and that it went, radians.
_ANIMATED = (
    (0.0, 0.0, 0.0, 0.0),
    (1.0, 0.0, 0.0, 0.0),
    (1.6, 0.0, 0.0, 2.4),
    (3.0, 0.0, 0.0, 2.4),
    (11.0, 1.0, 0.0, 2.4),
    (12.0, 1.0, 0.0, 2.4),
    (15.0, 1.0, 2.5, 2.4),
)
# Seconds over which a hand-over goes, and that are kept before it and after.
_BLEND = 0.5
# Cycles of ways that turn, and of starts and stops.
_TURNED, _STOPPED = 6.5, 5.0


@dataclass(frozen=True)
class SideSlope(Course):
    """A plane that rises to the left."""

    def find_heights(self, ways: np.ndarray, sides: np.ndarray) -> np.ndarray:
        """Height of the ground, metres."""
        return _SIDE * sides + 0.0 * ways

    def measure_clearances(self, points: np.ndarray) -> np.ndarray:
        """Distance of points (N, 3) from the plane, negative below it, (N,)."""
        above = points[:, 2] - self.find_heights(points[:, 0], points[:, 1])
        return above / np.hypot(1.0, _SIDE)


@dataclass(frozen=True)
class Roofed(Course):
    """A ground with a roof above it, which no foot shall be put on."""

    def make_mesh(self) -> tuple[np.ndarray, np.ndarray]:
        """Corners and faces of ground and roof."""
        points, faces = super().make_mesh()
        side = _FAR * self.length
        corners = [(x, y, _ROOF * self.length) for x in (-side, side) for y in (-side, side)]
        roof = len(points) + np.array([[0, 1, 3, 2]])
        return np.concatenate([points, corners]), np.concatenate([faces, roof])


@dataclass(frozen=True)
class Scene:
    """What a character walks over, and how.

    Attributes
    ----------
    course
        The ground.
    travel
        The way.
    frames
        Of the scene.
    span
        First and last frame that are baked and looked at; None for all.
    ride
        How far the ground is carried until the last frame, metres; None for nowhere.
    shot
        What besides is in the scene for the time of a walk; it is told the character.
    is_even
        Whether the walk goes straight on at one speed.
    """

    course: Course
    travel: TravelSource
    frames: int
    span: tuple[int, int] | None = None
    ride: np.ndarray | None = None
    shot: Callable[[Actor], AbstractContextManager[None]] = lambda _: nullcontext()
    is_even: bool = True

    def find_ride(self, frames: np.ndarray) -> np.ndarray:
        """How far the ground is carried in frames (F,), metres, (F, 3)."""
        if self.ride is None:
            return np.zeros((len(frames), 3))
        return np.clip((frames - 1.0) / (self.frames - 1.0), 0.0, 1.0)[:, None] * self.ride


def make_scene(name: str, actor: Actor) -> Scene:
    """The scene of that name for a character.

    Raises
    ------
    KeyError
        There is no such scene.
    """
    return SCENES[name](actor)


def _go_over(course: Course, actor: Actor, **values: object) -> Scene:
    """Straight on at native speed over a ground."""
    return Scene(course, StraightAhead(slow_climbs=False, **values), count_frames(actor, course))


def _profile(name: str, actor: Actor, corners: Sequence[tuple[float, float]]) -> Course:
    """A ground with corners in lengths of the leg from where it is no longer level."""
    length, start = actor.length, 1.6 * actor.stride
    ways = [(start + x * length, z * length) for x, z in corners]
    return Course(name, np.array([(-_FAR * length, 0.0), *ways, (_FAR * length, 0.0)]), length)


def _stairs(approach: int) -> Callable[[Actor], Scene]:
    return lambda actor: _go_over(make_ground("stairs", actor, approach / 5.0), actor)


def _make_kerb(actor: Actor) -> Scene:
    way = _KERB_WAY
    return _go_over(_profile("kerb", actor, [(0, 0), (0, _KERB), (way, _KERB), (way, 0)]), actor)


def _make_ditch(actor: Actor) -> Scene:
    bottom = -_DITCH_DEPTH
    corners = [(0, 0), (0, bottom), (_DITCH, bottom), (_DITCH, 0)]
    return _go_over(_profile("ditch", actor, corners), actor)


def _make_jump(actor: Actor) -> Scene:
    corners = [(0, 0), (0, -_PIT_DEPTH), (_PIT, -_PIT_DEPTH), (_PIT, 0)]
    scene = _go_over(
        _profile("jump", actor, corners),
        actor,
        jump_gaps=True,
        longest_jump=_LEAP * actor.length,
    )
    return replace(scene, is_even=False)


def _make_narrow(actor: Actor) -> Scene:
    corners, way, height = [], 0.0, 0.0
    for turn in (1.0, -1.0):
        for _ in range(_NARROW_TREADS):
            corners += [(way, height), (way, height + turn * _NARROW_RISE)]
            height += turn * _NARROW_RISE
            way += _NARROW_TREAD
        way += 2.0
    return _go_over(_profile("narrow", actor, corners), actor)


def _walk_along(points: np.ndarray, cycles: float, actor: Actor, **values: object) -> Scene:
    """Along points (P, 2) in strides, over flat ground."""
    axes, course = find_way(actor), make_ground("flat", actor)
    places = points * actor.stride @ axes[:2, :2].T + axes[:2, 3]
    way = AlongPoints(points=tuple(map(tuple, places.tolist())), **values)
    frames = int(cycles * actor.found["walk"]["period"] * actor.found["fps"])
    return Scene(course, way, frames, is_even=False)


def _make_arc(actor: Actor) -> Scene:
    turns = np.linspace(0.0, np.pi, _ARC_POINTS)
    bend = _ARC * np.stack([np.sin(turns), 1.0 - np.cos(turns)], axis=1)
    return _walk_along(np.concatenate([[[0.0, 0.0]], bend + np.array([0.5, 0.0])]), _TURNED, actor)


def _make_stand(actor: Actor) -> Scene:
    scene = _go_over(make_ground("flat", actor), actor)
    frames = int(_STOPPED * actor.found["walk"]["period"] * actor.found["fps"])
    travel = StraightAhead(start="stand", stop="stand", slow_climbs=False)
    return replace(scene, travel=travel, frames=frames, is_even=False)


def _slow_for(course: Course, actor: Actor) -> Scene:
    """Straight on over a ground, slowly where it climbs."""
    frames = int(SLOWED * count_frames(actor, course))
    return Scene(course, StraightAhead(), frames, is_even=False)


def _make_carrier(actor: Actor) -> Scene:
    scene = _go_over(make_ground("flat", actor), actor)
    ride = np.array(_RIDE) * actor.length
    return replace(scene, ride=ride, shot=lambda own: _carry(own, ride), is_even=False)


@contextmanager
def _carry(actor: Actor, ride: np.ndarray) -> Iterator[None]:
    """An empty that carries the ground and the character along until the last frame."""
    scene, axes, top = bpy.context.scene, find_way(actor), actor.armature
    ground = scene.objects["Course"]
    while top.parent is not None:
        top = top.parent
    carrier = bpy.data.objects.new("Carrier", None)
    scene.collection.objects.link(carrier)
    for frame, place in ((1, Vector()), (scene.frame_end, Vector(axes[:3, :3] @ ride))):
        carrier.location = place
        carrier.keyframe_insert("location", frame=frame)
    for curve in versions.get_curves(*versions.get_assigned_action(carrier)):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    scene.frame_set(1)
    ground.parent = top.parent = carrier
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        ground.parent = top.parent = None
        bpy.data.objects.remove(carrier)


def _make_ceiling(actor: Actor) -> Scene:
    scene = _make_kerb(actor)
    return replace(scene, course=Roofed("ceiling", scene.course.profile, actor.length))


def _make_layer(actor: Actor) -> Scene:
    return replace(_go_over(make_ground("bumps", actor), actor), shot=_crouch)


@contextmanager
def _crouch(actor: Actor) -> Iterator[None]:
    """A layer in which the body sinks all along, and the end of a chain that is no leg turns."""
    armature, rig = actor.armature, read_character(actor.armature).rig
    body, feet = rig.skeleton.names[rig.body], {bone for own in actor.feet.values() for bone in own}
    ends = [b.name for n, b in enumerate(armature.data.bones) if not b.children and n not in feet]
    action = bpy.data.actions.new("Crouch")
    _, bag = versions.ensure_channelbag(action, armature)
    turn = (armature.matrix_world @ armature.data.bones[body].matrix_local).to_3x3().inverted()
    down = turn @ Vector((0.0, 0.0, -_CROUCH * actor.length))
    path = f'pose.bones["{body}"].location'
    for axis in range(3):
        curve = versions.add_curve(bag, path, axis, body)
        for frame, value in ((1, 0.0), (2, down[axis]), (1000, down[axis])):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    for axis, value in enumerate(_NODDED):
        path = f'pose.bones["{ends[-1]}"].rotation_quaternion'
        curve = versions.add_curve(bag, path, axis, ends[-1])
        for frame, at in ((1, float(axis == 0)), (2, value), (1000, value)):
            curve.keyframe_points.insert(frame, at).interpolation = "LINEAR"
    add_layer(armature, action, mask="whole_body", soft=0, mode="add", repeats=False)
    try:
        yield
    finally:
        clear_entries(armature.locomotion, "layers")
        bpy.data.actions.remove(action)


def _make_answering(actor: Actor) -> Scene:
    return replace(_go_over(make_ground("stairs", actor), actor), shot=_answer)


@contextmanager
def _answer(actor: Actor) -> Iterator[None]:
    """The settings by which an upper body answers to steps and slopes are on; they come switched off."""
    settings = actor.armature.locomotion.settings
    before = {name: getattr(settings, name) for name in _ANSWERS}
    for name in _ANSWERS:
        setattr(settings, name, 1.0)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(settings, name, value)


def _make_user_step(actor: Actor) -> Scene:
    scene = _go_over(make_ground("bumps", actor), actor)
    return replace(scene, shot=_move_step)


@contextmanager
def _move_step(actor: Actor) -> Iterator[None]:
    """A footstep in the middle of the walk is moved ahead and to its own side."""
    scene, axes = bpy.context.scene, find_way(actor)
    items = footsteps.show_footsteps(actor.armature, scene)
    moved = items[len(items) // 2]
    place = np.linalg.inv(axes) @ [*moved.matrix_world.translation, 1.0]
    way = np.array([_STEP[0], np.copysign(_STEP[1], place[1]), 0.0]) * actor.length
    moved.location += Vector(axes[:3, :3] @ way)
    bpy.context.view_layer.update()
    try:
        yield
    finally:
        footsteps.clear_footsteps(actor.armature)


def _make_object(actor: Actor, drift: tuple[float, float]) -> Scene:
    """The object is animated, and drifts by strides ahead and aside between a turn and a walk."""
    seconds = _ANIMATED[-1][0]
    frames = 1 + int(seconds * actor.found["walk"]["period"] * actor.found["fps"])
    course = make_ground("flat", actor)
    way = np.array([*drift, 0.0])
    return Scene(course, AsObject(), frames, shot=lambda own: _animate(own, way), is_even=False)


@contextmanager
def _animate(actor: Actor, drift: np.ndarray) -> Iterator[None]:
    """The object stands, turns on the spot, stands, drifts slowly, stands and walks on."""
    armature, axes, cycle = actor.armature, find_way(actor), actor.found["walk"]["period"]
    before = versions.get_assigned_action(armature)
    start, turn = armature.location.copy(), armature.rotation_euler.copy()
    own = bpy.data.actions.new("Object")
    versions.assign_action(armature, own, "")
    for cycles, drifted, gone, turned in _ANIMATED:
        frame = 1 + cycles * cycle * actor.found["fps"]
        way = (drifted * drift + gone * np.array([0.0, 1.0, 0.0])) * actor.stride
        armature.location = start + Vector(axes[:3, :3] @ way)
        armature.rotation_euler.z = turn.z + turned
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)
    try:
        yield
    finally:
        versions.assign_action(armature, before[0], before[1])
        bpy.data.actions.remove(own)
        armature.location, armature.rotation_euler = start, turn
        bpy.context.view_layer.update()


def _make_hand_over(actor: Actor) -> Scene:
    scene = _make_stand(actor)
    blend = int(_BLEND * actor.found["fps"])
    span = (1 + blend, scene.frames - blend)
    return replace(scene, span=span, shot=_act)


@contextmanager
def _act(actor: Actor) -> Iterator[None]:
    """The character's rest as its own animation, here before the walk and where that ends behind it."""
    armature, scene = actor.armature, bpy.context.scene
    settings, blend = armature.locomotion.settings, int(_BLEND * actor.found["fps"])
    span = (1 + blend, scene.frame_end - blend)
    setups.bake_set_up(armature, scene, span)
    scene.frame_set(span[1])
    place = armature.matrix_world.translation.copy()
    setups.remove_set_up_bake(armature)
    scene.frame_set(1)
    start, before = armature.location.copy(), versions.get_assigned_action(armature)
    rest = next(m.action for m in armature.locomotion.motions if m.action != actor.action)
    own = rest.copy()
    versions.assign_action(armature, own, versions.find_slot(own, armature) or "")
    for frame, where in (
        (span[0], start),
        (span[1], start + place - armature.matrix_world.translation),
    ):
        armature.location = where
        armature.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    kept = settings.blend_in, settings.blend_out
    settings.blend_in = settings.blend_out = blend
    try:
        yield
    finally:
        settings.blend_in, settings.blend_out = kept
        versions.assign_action(armature, before[0], before[1])
        bpy.data.actions.remove(own)
        armature.location = start


SCENES: dict[str, Callable[[Actor], Scene]] = {
    "flat": lambda actor: _go_over(make_ground("flat", actor), actor),
    "ramp": lambda actor: _go_over(make_ground("ramp", actor), actor),
    **{f"stairs{approach}": _stairs(approach) for approach in range(5)},
    "bumps": lambda actor: _go_over(make_ground("bumps", actor), actor),
    "arc": _make_arc,
    "corner": lambda actor: _walk_along(
        np.array([(0.0, 0.0), (2.5, 0.0), (2.5, 3.0)]), _TURNED, actor
    ),
    "sideways": lambda actor: _walk_along(
        np.array([(0.0, 0.0), (2.5, 0.0), (4.5, 1.5)]), _TURNED, actor, heading="kept"
    ),
    "side": lambda actor: _go_over(SideSlope("side", None, actor.length), actor),
    "kerb": _make_kerb,
    "ditch": _make_ditch,
    "narrow": _make_narrow,
    "steep": lambda actor: _slow_for(_profile("steep", actor, _STEEP), actor),
    "jump": _make_jump,
    "stand": _make_stand,
    "paced": lambda actor: _slow_for(make_ground("stairs", actor), actor),
    "carrier": _make_carrier,
    "ceiling": _make_ceiling,
    "layer": _make_layer,
    "object": lambda actor: _make_object(actor, (0.05, 0.1)),
    "drift": lambda actor: _make_object(actor, (0.03, 0.06)),
    "answering": _make_answering,
    "hand-over": _make_hand_over,
    "user-step": _make_user_step,
}
"""How each scene is made, by its name."""
