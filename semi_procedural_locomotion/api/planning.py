# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a user asks for to a plan: travel, ground, settings."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ..blender.bake.live_action import has_live_action
from ..blender.footsteps.objects import read_kept_steps
from ..blender.setup.motion_groups import read_group_weights
from ..blender.travel.reading import (
    make_rest_error,
    read_curve_points,
    read_standing,
    sample_bone_travel,
    sample_object_travel,
)
from ..blender.travel.speed import read_speed_curve
from ..blender.values.bake_record import find_section_start, find_walk_start
from ..blender.values.scene_state import get_frame_rate
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.limits import CHOICE
from ..core.motions.records import GroupWeight, Motion, MotionSet
from ..core.plan import WalkPlan, make_plan
from ..core.prints.claims import KeptStep
from ..core.rig.structure import Rig
from ..core.travel.limits import TURNS, WAY
from ..core.travel.speeds import Ease, SpeedCurve
from ..core.travel.turns import TurnPace
from ..core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    straight_travel_at_speeds,
    travel_from_points,
)
from ..errors import TravelError
from ..requests.plans import PlanRequest
from ..requests.travels import (
    AlongCurve,
    AlongFootsteps,
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
from .footstep_contacts import find_timing_errors
from .footstep_travels import make_footstep_travel, read_step_timings
from .limits import FOOTSTEP_WALK, WALK
from .walk_grounds import find_ground


def find_forward_walk(motions: MotionSet, rig: Rig) -> int:
    """Index of the slowest walk that goes forward; of the slowest walk where none does."""
    facing = np.arctan2(rig.forward[1], rig.forward[0])
    best, slowest = None, np.inf
    for index, motion in enumerate(motions.motions):
        if not motion.is_cycle or motion.turns or motion.speed >= slowest:
            continue
        heading = np.arctan2(motion.velocity[1], motion.velocity[0])
        if abs(rot.wrap_angles(heading - facing)) < CHOICE.forward:
            best, slowest = index, motion.speed
    return motions.slowest if best is None else best


def plan_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    weights: Mapping[str, GroupWeight] | None = None,
) -> tuple[WalkPlan, tuple[int, int]]:
    """Plan the walk of a character in a scene.

    Parameters
    ----------
    character
        The character, as it stands in the scene.
    motions
        Its motions.
    request
        What is asked for.
    scene
        Gives the frame rate, the frame range and the ground.
    weights
        Of the motion groups by name; None for those that are set and keyed on the character.

    Returns
    -------
    plan
        The walk; its clock runs in seconds from frame 0.
    frames
        First and last frame to bake.

    Raises
    ------
    TravelError, GroundError
        Where travel or ground cannot be used.
    """
    try:
        return _plan_walk(character, motions, request, scene, weights)
    except TravelError as error:
        if error.time is None:
            raise
        frame = round(error.time * get_frame_rate(scene))
        raise TravelError(f"frame {frame}: {error}") from error


def _plan_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    weights: Mapping[str, GroupWeight] | None,
) -> tuple[WalkPlan, tuple[int, int]]:
    """See `plan_walk`; errors tell their time in seconds."""
    first = _default_first(character, scene, request)
    if request.frames is not None:
        first = find_section_start(character.armature, request.frames[0])
    if isinstance(request.travel, AlongFootsteps):
        travel, kept = _travel_along_footsteps(character, motions, request, scene, first)
    else:
        last = scene.frame_end
        if request.frames is not None and request.frames[0] == first:
            last = request.frames[1]
        travel = make_travel(character, motions, request.travel, scene, first, last)
        kept = []
        if request.keep_footsteps:
            kept = read_kept_steps(character.armature, character.rig, scene)
    frames = _choose_frames(request, travel, scene, first)
    ground = find_ground(character, request, travel)
    if not ground.moving_surfaces():
        _refuse_rest(character.armature, request.travel, travel)
    if weights is None:
        weights = read_group_weights(character.armature, scene)
    weighed = motions.weigh_groups(weights)
    plan = make_plan(character.rig, weighed, travel, ground, request.settings, kept)
    if plan.rides.in_world:
        _refuse_rest(character.armature, request.travel, travel)
    if isinstance(request.travel, AlongFootsteps):
        timings, shifts = read_step_timings(character.armature), dict[str, tuple[float, float]]()
        # Blended motions stand a little longer or shorter than the one that the steps are timed by.
        for _ in range(FOOTSTEP_WALK.timing_rounds):
            errors = find_timing_errors(plan, timings)
            if not errors:
                break
            for name, (start, duration) in errors.items():
                before = shifts.get(name, (0.0, 0.0))
                shifts[name] = (before[0] - start, before[1] - duration)
            travel, kept = _travel_along_footsteps(
                character, motions, request, scene, first, shifts
            )
            plan = make_plan(character.rig, weighed, travel, ground, request.settings, kept)
        frames = _choose_frames(request, travel, scene, first)
    return plan, frames


def _refuse_rest(armature: bpy.types.Object, request: TravelSource, travel: Travel) -> None:
    """Refuse animated travels that rest all the time; on ground that moves they are none.

    Raises
    ------
    TravelError
        The travel is one.
    """
    if isinstance(request, AsObject | AsBone) and travel.rests:
        bone = request.bone if isinstance(request, AsBone) else None
        raise make_rest_error(armature, bone or "")


def _choose_frames(
    request: PlanRequest, travel: Travel, scene: bpy.types.Scene, first: int
) -> tuple[int, int]:
    """First and last frame of a walk.

    Raises
    ------
    TravelError
        It is too short or too long.
    """
    rate = get_frame_rate(scene)
    if request.frames is not None:
        frames = request.frames
        if frames[1] <= frames[0]:
            raise TravelError(
                f"the range from frame {frames[0]} to {frames[1]} has no length: end it after its start"
            )
    elif isinstance(request.travel, Way | AlongFootsteps):
        frames = (first, int(np.ceil(travel.end * rate - 1e-6)))
    else:
        frames = (first, max(scene.frame_end, first + 1))
    if frames[1] - frames[0] > WALK.most_frames:
        raise TravelError(
            f"the walk would be {frames[1] - frames[0]} frames long: choose a range of at most "
            f"{WALK.most_frames} frames, a shorter way or a higher speed"
        )
    return frames


def _travel_along_footsteps(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    first_frame: int,
    shifts: Mapping[str, tuple[float, float]] | None = None,
) -> tuple[Travel, list[KeptStep]]:
    """The travel along the character's footsteps, and these with the times at which they bear."""
    start = first_frame / get_frame_rate(scene)
    asked = request.travel
    speed = _find_speed(character, asked, scene) if isinstance(asked, AlongFootsteps) else None
    return make_footstep_travel(
        character,
        motions,
        find_forward_walk(motions, character.rig),
        float(speed.find_speeds(np.array([start]))[0]) if isinstance(speed, SpeedCurve) else speed,
        request.settings,
        scene,
        first_frame,
        shifts,
    )


def _default_first(character: Character, scene: bpy.types.Scene, request: PlanRequest) -> int:
    """First frame where none is asked for.

    A walk straight on begins now, or where it began before if it is under way by now; one that is
    shown live begins where it is seen to. Others begin at the scene's first frame. A range that was
    asked for once is no beginning.
    """
    if not isinstance(request.travel, StraightAhead):
        return int(scene.frame_start)
    if request.start is not None:
        return request.start
    began = find_walk_start(character.armature)
    now = int(scene.frame_current)
    if began is None:
        return now
    return began if has_live_action(character.armature) else min(now, began)


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
    walk = motions.motions[find_forward_walk(motions, character.rig)]
    speed = _find_speed(character, request, scene)
    if speed is None:
        speed = walk.speed
    facing = _find_facing(character.rig, walk.velocity)
    place, turn = read_standing(character.armature, first_frame, scene, character.rig.skeleton)
    if isinstance(request, AlongPoints | AlongCurve):
        travel = _travel_along_line(request, walk, speed, place, facing, scene, start)
        if isinstance(request, AlongCurve):
            return carry_travel_with(travel, scene.objects[request.curve], motions, scene)
        return carry_travel_with_parent(travel, character.armature, motions, scene)
    if isinstance(request, StraightAhead):
        yaw = _find_carried_yaw(character, turn)
        span = (start, max(last_frame / get_frame_rate(scene), start + 1.0))
        travel = _travel_straight(request, walk, speed, (place, yaw, facing), span)
        return carry_travel_with_parent(travel, character.armature, motions, scene)
    raise TravelError("footsteps are no line to walk along: use plan_walk for them")


def _travel_straight(
    request: StraightAhead,
    walk: Motion,
    speed: float | SpeedCurve,
    stand: tuple[FloatArray, float, float],
    span: tuple[float, float],
) -> Travel:
    """The travel ahead from a place (3,), a yaw and an angle ahead, over a span of seconds."""
    place, yaw, facing = stand
    ramp = _find_ramp(request, walk)
    ease = Ease(ramp, request.start == "stand", request.stop == "stand")
    if isinstance(speed, SpeedCurve) or ease.standing_ends:
        return straight_travel_at_speeds(place, yaw, facing, speed, ease, span)
    ahead = np.array([np.cos(facing), np.sin(facing)]) * speed
    return make_straight_travel(place, yaw, ahead, *span)


def _find_ramp(request: Way | StraightAhead, walk: Motion) -> float:
    """Seconds from standing to full speed."""
    return WAY.ramp_cycles * walk.period if request.ease is None else request.ease


def _find_carried_yaw(character: Character, then: FloatArray) -> float:
    """Turn about up of a character's object (4,) against now, where it is carried; else 0."""
    if character.armature.parent is None:
        return 0.0
    turn = rot.multiply(then, rot.conjugate(character.rig.skeleton.object_rotation))
    return float(rot.wrap_angles(2.0 * np.arctan2(turn[3], turn[0])))


def _travel_along_line(
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
            ramp_time=_find_ramp(request, walk),
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


def _find_speed(
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
    if speed is not None and not isinstance(speed, SpeedCurve) and not speed > 0.0:
        raise TravelError(f"the travel's speed must be above 0 m/s, got {speed:g}")
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
