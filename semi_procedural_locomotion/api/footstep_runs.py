# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps of the user's own: placed one by one, or generated in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import bpy
import numpy as np

from ..blender.footsteps.objects import (
    StepPlacement,
    create_footsteps,
    is_set_by_hand,
    list_footsteps,
    read_kept_steps,
    remove_footsteps,
    step_matrix,
)
from ..blender.ground.casting import SceneGround
from ..blender.travel.reading import read_curve_points, read_standing
from ..blender.values.scene_state import get_frame_rate
from ..core.footsteps.layout import LaidStep, StepGait, StepPattern, lay_out_steps, measure_gait
from ..core.footsteps.placing import StoodStep, stand_run, stand_sole
from ..core.footsteps.travel import StepWalkChoices, travel_from_steps
from ..core.ground.interface import Ground
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.plainness import find_plain_walk
from ..core.motions.records import Motion, MotionSet
from ..core.rig.structure import Rig
from ..core.times.durations import CyclePace, measure_pace
from ..core.travel.way import check_speed
from ..errors import TravelError
from ..requests.plans import PlanSettings
from ..requests.travels import Paced
from .characters import Character, make_motion_set
from .footstep_travels import lay_kept_steps
from .footsteps import find_step_ground
from .limits import FOOTSTEP_WALK
from .progress import Steps, run_steps
from .set_up_work import find_ticked_motions, read_character
from .setups import make_request


@dataclass(frozen=True)
class StepMaker:
    """What footsteps of one character are made with.

    Attributes
    ----------
    character
        Whose.
    gait
        How its walk sets the feet.
    settings
        Limits of slopes.
    start
        Where the character stands, world, metres, shape (3,).
    direction
        Where it faces there, radians from +X.
    slow_stride
        Stride of the slowest walk ahead, metres.
    pace
        How long cycles take along footsteps.
    """

    character: Character
    gait: StepGait
    settings: PlanSettings
    start: FloatArray
    direction: float
    slow_stride: float
    pace: CyclePace


def find_step_maker(
    armature: bpy.types.Object, scene: bpy.types.Scene, fastest: bool = False
) -> Steps[StepMaker]:
    """What is needed to make footsteps of a set-up character; nothing in the file changes.

    Parameters
    ----------
    armature
        The character.
    scene
        Where it is, at the current frame and without its bake.
    fastest
        Step as in the fastest motion that goes ahead, not the slowest.

    Raises
    ------
    LocomotionError
        It is not set up or none of its motions walks.
    """
    character = read_character(armature)
    findings = yield from find_ticked_motions(character)
    motions = make_motion_set(character, findings)
    slowest = find_plain_walk(motions.motions, character.rig)
    walk = motions.motions[slowest]
    slow_stride = walk.stride
    if fastest:
        walk = _find_fastest(motions, walk)
    place, _ = read_standing(armature, float(scene.frame_current), scene, character.rig.skeleton)
    gait = measure_gait(character.rig, walk)
    request = make_request(armature).plan
    asked = request.travel.speed if isinstance(request.travel, Paced) else None
    speed = asked if isinstance(asked, float) else None
    if speed is not None:
        check_speed(speed)
    return StepMaker(
        character=character,
        gait=gait,
        settings=request.settings,
        start=place,
        direction=gait.facing,
        slow_stride=slow_stride,
        pace=measure_pace(motions, slowest, request.settings.slowdown_exponent, speed),
    )


def _find_fastest(motions: MotionSet, walk: Motion) -> Motion:
    """The fastest walk that goes the way of another, which may be that itself."""
    ahead = [
        motion
        for motion in motions.motions
        if motion.is_cycle
        and motion.velocity @ walk.velocity > FOOTSTEP_WALK.same_way * motion.speed * walk.speed
    ]
    return max(ahead, key=lambda motion: motion.speed)


def read_laid_steps(armature: bpy.types.Object, rig: Rig, scene: bpy.types.Scene) -> list[LaidStep]:
    """All footsteps of a character in their order, seen from above."""
    return lay_kept_steps(read_kept_steps(armature, rig, scene, list_footsteps(armature)), rig)


def stand_step(
    maker: StepMaker, ground: Ground | None, step: LaidStep, scene: bpy.types.Scene
) -> tuple[FloatArray, FloatArray]:
    """Heel end (3,) and frame (4,) of a step on the ground, level where there is no ground."""
    rig = maker.character.rig
    if ground is not None:
        time = scene.frame_current / get_frame_rate(scene)
        placed = stand_sole(ground, rig, step.leg, step.middle, step.heading, time, maker.settings)
        if placed is not None:
            return placed
    frame = rot.quaternions_from_yaws(np.array(step.heading))
    half = np.array([0.5 * float(rig.foot_lengths[step.leg]), 0.0, 0.0])
    return step.middle - rot.rotate(frame, half), frame


def add_steps(
    maker: StepMaker, ground: Ground | None, steps: Sequence[LaidStep], scene: bpy.types.Scene
) -> list[bpy.types.Object]:
    """Make footstep objects of the user's own, on the ground where one is given."""
    placements = [_place_step(maker, step, ground, scene) for step in steps]
    created = create_footsteps(maker.character.armature, maker.character.rig, placements, scene)
    for item, step in zip(created, steps, strict=True):
        if step.jump:
            item.locomotion_footstep.is_jump = True
    return created


def _place_step(
    maker: StepMaker, step: LaidStep, ground: Ground | None, scene: bpy.types.Scene
) -> StepPlacement:
    """A footstep where its step lies, on the ground where one is given."""
    placed = stand_step(maker, ground, step, scene)
    matrix = step_matrix(*placed, float(maker.character.rig.foot_lengths[step.leg]))
    carrier = None
    if isinstance(ground, SceneGround):
        carrier, matrix = tie_to_carrier(ground, matrix, scene)
    return StepPlacement(step.leg, matrix, carrier=carrier)


def tie_to_carrier(
    ground: SceneGround, matrix: FloatArray, scene: bpy.types.Scene
) -> tuple[bpy.types.Object | None, FloatArray]:
    """The moving object under a step, and the step's matrix in its axes; None and the same else."""
    time = np.array([scene.frame_current / get_frame_rate(scene)])
    hits = ground.cast_down(matrix[None, :3, 3] + np.array([0.0, 0.0, FOOTSTEP_WALK.above]), time)
    return _bring_along(ground, int(hits.surfaces[0]), matrix, time)


def _bring_along(
    ground: SceneGround, surface: int, matrix: FloatArray, time: FloatArray
) -> tuple[bpy.types.Object | None, FloatArray]:
    """The moving object that a surface is of, and a matrix in its axes; None and the same else."""
    carrier = None if surface < 0 else ground.surfaces[surface].carrier
    if carrier is None:
        return None, matrix
    (frame,) = ground.surface_frames(surface, time)
    return carrier, np.linalg.inv(frame) @ matrix


def remove_last_step(armature: bpy.types.Object) -> bool:
    """Remove the last footstep of a character; False where it has none."""
    steps = list_footsteps(armature)
    remove_footsteps(steps[-1:])
    return bool(steps)


@dataclass(frozen=True)
class RunRequest:
    """A run of footsteps to be generated.

    Attributes
    ----------
    pattern
        Numbers of the run. Without a count it has as many steps as its line is long, and straight ahead
        as many as `FOOTSTEP_WALK.count`.
    run
        Whether the steps are those of the fastest motion.
    first_side
        ``"L"``, ``"R"``, or empty for the leg whose turn it is.
    curve
        Name of the curve object to go along.
    use_points
        Whether to go along the points of the character's travel; where neither, the run goes straight
        ahead from the last step or the character.
    start_over
        Whether the footsteps that are there go away.
    remove_own
        Whether those among them that were set by hand go away too.
    """

    pattern: StepPattern = field(default_factory=lambda: StepPattern(None))
    run: bool = False
    first_side: str = ""
    curve: str | None = None
    use_points: bool = False
    start_over: bool = True
    remove_own: bool = False


@dataclass(frozen=True)
class FoundRun:
    """A run of footsteps, not made yet.

    Attributes
    ----------
    maker
        What they are made with.
    placements
        Where its footsteps go.
    start_over
        Whether the footsteps that are there go away.
    """

    maker: StepMaker
    placements: tuple[StepPlacement, ...]
    start_over: bool


def find_run(
    armature: bpy.types.Object, request: RunRequest, scene: bpy.types.Scene
) -> Steps[FoundRun]:
    """Lay out a run of footsteps; nothing in the file changes.

    Raises
    ------
    LocomotionError
        Something cannot be used, the way is shorter than a step, or footsteps would be removed that
        were set by hand.
    """
    if request.start_over and not request.remove_own:
        _refuse_removal(list_own_steps(armature), armature.name)
    maker = yield from find_step_maker(armature, scene, request.run)
    gait, rig = maker.gait, maker.character.rig
    start, direction, first = maker.start, maker.direction, gait.order[0]
    before = [] if request.start_over else read_laid_steps(armature, rig, scene)
    if before:
        last = before[-1]
        place, direction = gait.place_body(last.leg, last.middle, last.heading)
        start, first = np.append(place, last.middle[2]), gait.follow(last.leg)
    if request.first_side:
        legs = [leg for leg in gait.order if rig.legs[leg].side == request.first_side]
        if not legs:
            raise TravelError(f"{armature.name!r} has no leg on that side: choose the other side")
        first = legs[0]
    line = _find_line(armature, request, scene, float(start[2]))
    pattern = replace(request.pattern, first=first, standing_stride=maker.slow_stride)
    if line is None and pattern.count is None:
        pattern = replace(pattern, count=FOOTSTEP_WALK.count)
    steps = lay_out_steps(gait, pattern, start, direction, line)
    if pattern.rise:
        level = [_place_step(maker, step, None, scene) for step in steps]
        placements = [replace(step, is_generated=True) for step in level]
    else:
        placements = _place_on_ground(maker, before, steps, scene)
    return FoundRun(maker, tuple(placements), request.start_over)


def list_own_steps(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Footsteps of a character that were set by hand, so that no plan and no run brings them back."""
    return [item for item in list_footsteps(armature) if is_set_by_hand(item)]


def _refuse_removal(own: Sequence[bpy.types.Object], name: str) -> None:
    """Raise a `TravelError` where there are footsteps that were set by hand."""
    if own:
        was = "footstep that was" if len(own) == 1 else "footsteps that were"
        raise TravelError(
            f"{name!r} has {len(own)} {was} set by hand, such as {own[0].name!r}: go on from the last "
            "one with Start Over off, or let them be removed with Remove Yours"
        )


def _find_line(
    armature: bpy.types.Object, request: RunRequest, scene: bpy.types.Scene, height: float
) -> FloatArray | None:
    """Points (P, 3) of the line that a run goes along; None for straight ahead."""
    if request.curve is not None:
        curve = scene.objects.get(request.curve)
        if curve is None:
            raise TravelError(f"no curve object {request.curve!r} in the scene: choose a curve")
        return read_curve_points(curve, scene)
    if not request.use_points:
        return None
    points = [(*point.location[:2], height) for point in armature.locomotion.travel.points]
    if len(points) < 2:
        raise TravelError(
            f"{armature.name!r} has no points to go along: choose the travel Points and add some"
        )
    return np.array(points, dtype=np.float64)


def _place_on_ground(
    maker: StepMaker, before: Sequence[LaidStep], steps: Sequence[LaidStep], scene: bpy.types.Scene
) -> list[StepPlacement]:
    """Footsteps of a run on footholds, with all that were there before it.

    Steps on what carries them stand there as the scene is now, and ride along. Others stand where the
    ground is when the walk comes by.
    """
    rig, rate = maker.character.rig, get_frame_rate(scene)
    ground = find_step_ground(maker.character, scene)
    now = np.array([scene.frame_current / rate])
    choices = StepWalkChoices(
        start=(maker.start, maker.direction),
        start_time=scene.frame_start / rate,
        max_turn=maker.settings.max_turn_per_cycle,
    )
    walked = travel_from_steps(maker.gait, [*before, *steps], maker.pace, choices)
    times = walked.instants[len(before) :]

    def stand(when: FloatArray) -> list[StoodStep]:
        """The run on the ground as it is then."""
        return stand_run(ground, rig, maker.gait, steps, when, maker.settings)

    placements = []
    for step, first, later in zip(
        steps, stand(np.repeat(now, len(steps))), stand(times), strict=True
    ):
        length = float(rig.foot_lengths[step.leg])
        matrix, carrier = step_matrix(first.position, first.frame, length), None
        if isinstance(ground, SceneGround):
            carrier, matrix = _bring_along(ground, first.surface, matrix, now)
        if carrier is None:
            matrix = step_matrix(later.position, later.frame, length)
        placements.append(StepPlacement(step.leg, matrix, carrier=carrier, is_generated=True))
    return placements


def write_run(found: FoundRun, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Make the footsteps of a run."""
    armature, rig = found.maker.character.armature, found.maker.character.rig
    if found.start_over:
        remove_footsteps(list_footsteps(armature))
    return create_footsteps(armature, rig, found.placements, scene)


def generate_footsteps(
    armature: bpy.types.Object, request: RunRequest, scene: bpy.types.Scene
) -> list[bpy.types.Object]:
    """Make a run of footsteps; see `find_run` and `write_run`."""
    return write_run(run_steps(find_run(armature, request, scene)), scene)
