# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a user asks for to a travel."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np

from ..blender.travel.reading import (
    place_points,
    read_curve_points,
    read_speed_curve,
    read_standing,
    sample_bone_travel,
    sample_object_travel,
)
from ..blender.values.scene_state import get_frame_rate
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.limits import CHOICE
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import Motion, MotionSet
from ..core.rig.structure import Rig
from ..core.travel.limits import TURNS, WAY
from ..core.travel.speeds import Ease, SpeedCurve, TurnPace
from ..core.travel.way import (
    Travel,
    WayChoices,
    check_speed,
    make_straight_travel,
    straight_travel_at_speeds,
    travel_from_points,
)
from ..errors import TravelError
from ..requests.travels import (
    AlongCurve,
    AlongPoints,
    AsBone,
    AsObject,
    Paced,
    SpeedKeys,
    StraightAhead,
    TravelSource,
    Way,
)
from .carried_travels import carry_travel_with, carry_travel_with_parent
from .characters import Character
from .limits import WALK
from .placements import read_placement


def make_travel(
    character: Character,
    motions: MotionSet,
    request: TravelSource,
    scene: bpy.types.Scene,
    first_frame: int,
    last_frame: int,
) -> Travel:
    """The travel that a request stands for, on the scene's clock in seconds from frame 0.

    A travel that has no end of its own ends with the last frame.

    Raises
    ------
    TravelError
        What it goes by is not chosen, not there or does not lead anywhere.
    """
    if isinstance(request, AsObject):
        return sample_object_travel(
            character.armature, scene, character.rig.skeleton, may_rest=True
        )
    if isinstance(request, AsBone):
        if not request.bone:
            raise TravelError(
                f"{character.armature.name!r} travels by a root bone and none is chosen: "
                "choose the bone, or another travel"
            )
        return sample_bone_travel(
            character.armature, request.bone, scene, character.rig.skeleton, may_rest=True
        )
    start = first_frame / get_frame_rate(scene)
    walk = motions.motions[find_plain_walk(motions.motions, character.rig)]
    speed = find_speed(character, request, scene)
    if speed is None:
        speed = walk.speed
    facing = _find_facing(character.rig, walk.velocity)
    place, turn = read_standing(character.armature, first_frame, scene, character.rig.skeleton)
    yaw = _find_carried_yaw(character, turn)
    placement = read_placement(character, motions, walk, first_frame, scene)
    if placement is not None:
        place, yaw = placement.move(place, yaw)
    if isinstance(request, AlongPoints | AlongCurve):
        travel = _travel_along_line(
            character.armature, request, walk, speed, place, facing, scene, start
        )
        carrier = scene.objects.get(_name_carrier(request))
        if carrier is not None:
            travel = carry_travel_with(travel, carrier, motions, scene)
        else:
            travel = carry_travel_with_parent(travel, character.armature, motions, scene)
        return replace(travel, placement=placement)
    if isinstance(request, StraightAhead):
        span = (start, max(last_frame / get_frame_rate(scene), start + 1.0))
        # Where no motion goes ahead, as of a crab, straight on is where the motion goes.
        heading = facing if walk.turns else float(np.arctan2(walk.velocity[1], walk.velocity[0]))
        travel = _travel_straight(request, walk, speed, (place, yaw, heading), span)
        travel = carry_travel_with_parent(travel, character.armature, motions, scene)
        return replace(travel, placement=placement)
    raise TravelError("footsteps are no line to walk along: use plan_walk for them")


def _name_carrier(request: AlongPoints | AlongCurve) -> str:
    """Name of the object with which a line goes; empty for the world."""
    name = request.curve if isinstance(request, AlongCurve) else request.space
    return name or ""


def _travel_straight(
    request: StraightAhead,
    walk: Motion,
    speed: float | SpeedCurve,
    stand: tuple[FloatArray, float, float],
    span: tuple[float, float],
) -> Travel:
    """The travel from a place (3,) with a yaw, by an angle to it, over a span of seconds."""
    place, yaw, heading = stand
    ramp = find_ramp(request, walk)
    ease = Ease(ramp, request.start == "stand", request.stop == "stand")
    # Speeds that are keyed tell themselves when it stops.
    if ease.stop_standing and not isinstance(speed, SpeedCurve):
        span = (span[0], span[1] - find_closing(walk, span[1] - span[0]))
    if isinstance(speed, SpeedCurve) or ease.standing_ends:
        return straight_travel_at_speeds(place, yaw, heading, speed, ease, span)
    ahead = np.array([np.cos(heading), np.sin(heading)]) * speed
    return make_straight_travel(place, yaw, ahead, *span)


def find_ramp(request: Way | StraightAhead, walk: Motion) -> float:
    """Seconds from standing to full speed."""
    return WAY.ramp_cycles * walk.period if request.ease is None else request.ease


def find_closing(walk: Motion, duration: float) -> float:
    """Seconds before the end of a walk at which its body stops, so that the last feet close within it."""
    return min(WAY.closing_cycles * walk.period, WAY.closing_share * duration)


def _find_carried_yaw(character: Character, then: FloatArray) -> float:
    """Turn about up of a character's object (4,) against now, where it is carried; else 0."""
    if character.armature.parent is None:
        return 0.0
    turn = rot.multiply(then, rot.conjugate(character.rig.skeleton.object_rotation))
    return float(rot.wrap_angles(2.0 * np.arctan2(turn[3], turn[0])))


def _travel_along_line(
    armature: bpy.types.Object,
    request: AlongPoints | AlongCurve,
    walk: Motion,
    speed: float | SpeedCurve,
    place: FloatArray,
    facing: float,
    scene: bpy.types.Scene,
    start: float,
) -> Travel:
    """The travel along points at the height of a place (3,), or along a curve."""
    bend = 0.0
    if isinstance(request, AlongCurve):
        curve = scene.objects.get(request.curve or "")
        if curve is None:
            named = f"curve object {request.curve!r}" if request.curve else "curve chosen"
            raise TravelError(f"no {named} in the scene: choose a curve to walk along")
        line = read_curve_points(curve, scene, start * get_frame_rate(scene))
        points, bend = line, WAY.bend
    else:
        points = np.array(request.points, dtype=np.float64).reshape(-1, 2)
        if request.space:
            frame = start * get_frame_rate(scene)
            points = place_points(armature, points, request.space, frame, scene)
    turns = None
    if request.slow_turns:
        turns = TurnPace(
            rate=TURNS.fastest / walk.period,
            window=TURNS.window * walk.stride,
            ramp=WAY.ramp_cycles * walk.period,
        )
    return travel_from_points(
        points,
        speed,
        WayChoices(
            facing=facing,
            corner_radius=WALK.corner_strides * walk.stride,
            ramp_time=find_ramp(request, walk),
            start_time=start,
            height=float(place[2]),
            start_standing=request.start == "stand",
            stop_standing=request.stop == "stand",
            bend=bend,
            rounds=request.rounds,
            end_time=scene.frame_end / get_frame_rate(scene),
            keep_heading=request.heading == "kept",
            turns=turns,
        ),
    )


def find_speed(
    character: Character, request: Paced, scene: bpy.types.Scene
) -> float | SpeedCurve | None:
    """The speed that is asked for or keyed; None for the walk's own."""
    speed: float | SpeedCurve | None
    if isinstance(request.speed, SpeedKeys):
        speed = SpeedCurve(np.array(request.speed.times), np.array(request.speed.speeds))
    else:
        speed = request.speed
    if request.use_speed_keys:
        speed = read_speed_curve(character.armature, scene) or speed
    if speed is not None and not isinstance(speed, SpeedCurve):
        check_speed(speed)
    return speed


def _find_facing(rig: Rig, velocity: np.ndarray) -> float:
    """Angle of the direction in which the character goes when it goes straight on.

    A walk that is a little askew against the rig's forward goes its own way straight on; else its
    feet would be dragged sideways at every step.
    """
    heading = float(np.arctan2(velocity[1], velocity[0]))
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    askew = abs(float(rot.wrap_angles(heading - facing)))
    return heading if askew < CHOICE.forward else facing
