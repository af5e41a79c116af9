# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""From what a user asks for to a plan: travel, ground, settings."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np

from ..blender.bake.live_action import has_live_action
from ..blender.footsteps.objects import read_kept_steps
from ..blender.travel.reading import make_rest_error
from ..blender.values.bake_record import find_section_start, find_walk_start
from ..blender.values.scene_state import get_frame_rate
from ..core.ground.interface import Ground
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import MotionSet
from ..core.prints.records import KeptStep
from ..core.settings import PlanSettings
from ..core.travel.carried import CarriedTravel
from ..core.travel.speeds import SpeedCurve
from ..core.travel.way import Travel
from ..core.walk import WalkPlan
from ..errors import TravelError
from ..requests.plans import PlanRequest
from ..requests.travels import (
    AlongFootsteps,
    AsBone,
    AsObject,
    StraightAhead,
    TravelSource,
    Way,
)
from .characters import Character
from .climbs import slow_on_climbs
from .footstep_contacts import find_timing_errors
from .footstep_travels import make_footstep_travel, read_step_timings
from .gaps import jump_over_gaps
from .hand_overs import continue_travel, find_beside
from .kept_walks import recall_plan
from .layers import WalkWeights, read_walk_weights, weigh_motions
from .limits import FOOTSTEP_WALK, WALK
from .travels import find_speed, make_travel
from .walk_grounds import find_ground
from .walls import bar_furniture, keep_clear


def plan_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    weights: WalkWeights | None = None,
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
        Of motion groups and layers; None for those that are set and keyed on the character.

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
        rate = get_frame_rate(scene)
        frame = round(error.time * rate)
        last = frame if error.last is None else round(error.last * rate)
        told = f"frame {frame}" if frame == last else f"frames {frame} to {last}"
        raise TravelError(f"{told}: {error.case}", error.cure, error.job_cure) from error


def _plan_walk(
    character: Character,
    motions: MotionSet,
    request: PlanRequest,
    scene: bpy.types.Scene,
    weights: WalkWeights | None,
) -> tuple[WalkPlan, tuple[int, int]]:
    """See `plan_walk`; errors tell their time in seconds."""
    first = _default_first(character, scene, request)
    if request.frames is not None:
        first = find_section_start(character.armature, request.frames[0])
    last = scene.frame_end
    if isinstance(request.travel, AlongFootsteps):
        travel, kept = _travel_along_footsteps(character, motions, request, scene, first)
    else:
        if request.frames is not None and request.frames[0] == first:
            last = request.frames[1]
        travel = make_travel(character, motions, request.travel, scene, first, last)
        kept = []
        if request.keep_footsteps:
            kept = read_kept_steps(character.armature, character.rig, scene)
    travel, ground = slow_on_climbs(character, motions, request, travel, scene, (first, last))
    travel, ground = jump_over_gaps(character, motions, request, travel, ground, scene)
    frames = _choose_frames(request, travel, scene, first)
    travel = _cut_after(travel, frames[1] / get_frame_rate(scene), motions, request.settings)
    beside = find_beside(character, request, frames, scene)
    if not ground.moving_surfaces():
        _refuse_rest(character.armature, request.travel, travel)
    if weights is None:
        weights = read_walk_weights(character.armature, scene)
    weighed = weigh_motions(character, motions, weights, scene)

    def plan_again(way: Travel, on: Ground) -> WalkPlan:
        return recall_plan(character.rig, weighed, way, on, request.settings, kept, beside)

    if beside is not None and isinstance(request.travel, StraightAhead) and first == frames[0]:
        alone = recall_plan(character.rig, weighed, travel, ground, request.settings, (), None)
        is_standing = request.travel.start == "stand"
        travel = continue_travel(travel, alone, beside, is_standing=is_standing)
        ground = find_ground(character, request, travel)
    plan = plan_again(travel, ground)
    if not kept:
        plan = bar_furniture(request, plan, plan_again)
    if plan.rides.in_world:
        _refuse_rest(character.armature, request.travel, travel)
    plan = keep_clear(character, request, plan, travel, scene, plan_again)
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
            plan = plan_again(travel, ground)
        frames = _choose_frames(request, travel, scene, first)
    return plan, frames


def _cut_after(travel: Travel, last: float, motions: MotionSet, settings: PlanSettings) -> Travel:
    """A travel without what comes so long after the last time that counts that it changes nothing.

    What goes with a carrier or by footsteps stays as it is.
    """
    if isinstance(travel, CarriedTravel) or travel.phases is not None:
        return travel
    cycles = WALK.cut_cycles + WALK.cut_steps * settings.max_cycle
    cycles += WALK.cut_smoothing * settings.support_smoothing
    return travel.cut_after(last + cycles * motions.motions[motions.slowest].period)


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
    elif travel.shown is not None:
        frames = (round(travel.shown[0] * rate), int(np.ceil(travel.shown[1] * rate - 1e-3)))
    elif isinstance(request.travel, Way | AlongFootsteps):
        frames = (first, int(np.ceil(travel.end * rate - 1e-6)))
        if frames[1] <= frames[0]:
            raise TravelError(
                "the way is walked in less than a frame: make it longer, or walk slower"
            )
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
    speed = find_speed(character, asked, scene) if isinstance(asked, AlongFootsteps) else None
    return make_footstep_travel(
        character,
        motions,
        find_plain_walk(motions.motions, character.rig),
        float(speed.find_speeds(np.array([start]))[0]) if isinstance(speed, SpeedCurve) else speed,
        request.settings,
        scene,
        first_frame,
        shifts,
    )


def _default_first(character: Character, scene: bpy.types.Scene, request: PlanRequest) -> int:
    """First frame where none is asked for: the scene's, whatever frame is shown.

    A walk straight on that is under way by now begins where it began before, or earlier where the scene
    does; one that is shown live begins where it is seen to. A range that was asked for once is no
    beginning.
    """
    if not isinstance(request.travel, StraightAhead):
        return int(scene.frame_start)
    if request.start is not None:
        return request.start
    began = find_walk_start(character.armature)
    if began is None:
        return int(scene.frame_start)
    return began if has_live_action(character.armature) else min(scene.frame_start, began)
