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
    list_footsteps,
    read_kept_steps,
    remove_footsteps,
    step_matrix,
)
from ..blender.ground.casting import SceneGround
from ..blender.travel.reading import read_curve_points, read_standing
from ..blender.values.scene_state import get_frame_rate
from ..core.footsteps.layout import LaidStep, StepGait, StepPattern, lay_out_steps, measure_gait
from ..core.footsteps.placing import stand_sole
from ..core.ground.interface import Ground
from ..core.maths import rotations as rot
from ..core.maths.rotations import FloatArray
from ..core.motions.records import Motion, MotionSet
from ..core.rig.structure import Rig
from ..errors import TravelError
from ..requests.plans import PlanSettings
from .characters import Character, make_motion_set
from .footstep_travels import lay_kept_steps
from .footsteps import find_step_ground
from .limits import FOOTSTEP_WALK
from .planning import find_forward_walk
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
    """

    character: Character
    gait: StepGait
    settings: PlanSettings
    start: FloatArray
    direction: float
    slow_stride: float


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
    walk = motions.motions[find_forward_walk(motions, character.rig)]
    slow_stride = walk.stride
    if fastest:
        walk = _find_fastest(motions, walk)
    place, _ = read_standing(armature, float(scene.frame_current), scene, character.rig.skeleton)
    gait = measure_gait(character.rig, walk)
    return StepMaker(
        character=character,
        gait=gait,
        settings=make_request(armature).plan.settings,
        start=place,
        direction=gait.facing,
        slow_stride=slow_stride,
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
    rig = maker.character.rig
    placements = []
    for step in steps:
        placed = stand_step(maker, ground, step, scene)
        matrix = step_matrix(*placed, float(rig.foot_lengths[step.leg]))
        carrier = None
        if isinstance(ground, SceneGround):
            carrier, matrix = tie_to_carrier(ground, matrix, scene)
        placements.append(StepPlacement(step.leg, matrix, carrier=carrier))
    return create_footsteps(maker.character.armature, rig, placements, scene)


def tie_to_carrier(
    ground: SceneGround, matrix: FloatArray, scene: bpy.types.Scene
) -> tuple[bpy.types.Object | None, FloatArray]:
    """The moving object under a step, and the step's matrix in its axes; None and the same else."""
    time = np.array([scene.frame_current / get_frame_rate(scene)])
    hits = ground.cast_down(matrix[None, :3, 3] + np.array([0.0, 0.0, FOOTSTEP_WALK.above]), time)
    surface = int(hits.surfaces[0])
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
        Numbers of the run.
    run
        Whether the steps are those of the fastest motion.
    first_side
        ``"L"``, ``"R"``, or empty for the leg whose turn it is.
    curve
        Name of the curve object to go along, None for straight ahead from the last step or the character.
    start_over
        Whether the footsteps that are there go away.
    """

    pattern: StepPattern = field(default_factory=lambda: StepPattern(10))
    run: bool = False
    first_side: str = ""
    curve: str | None = None
    start_over: bool = True


@dataclass(frozen=True)
class FoundRun:
    """A run of footsteps, not made yet.

    Attributes
    ----------
    maker
        What they are made with.
    ground
        What they stand on, None where they keep their own heights.
    steps
        The steps.
    start_over
        Whether the footsteps that are there go away.
    """

    maker: StepMaker
    ground: Ground | None
    steps: tuple[LaidStep, ...]
    start_over: bool


def find_run(
    armature: bpy.types.Object, request: RunRequest, scene: bpy.types.Scene
) -> Steps[FoundRun]:
    """Lay out a run of footsteps; nothing in the file changes.

    Raises
    ------
    LocomotionError
        Something cannot be used, or the way is shorter than a step.
    """
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
    line = None
    if request.curve is not None:
        curve = scene.objects.get(request.curve)
        if curve is None:
            raise TravelError(f"no curve object {request.curve!r} in the scene: choose a curve")
        line = read_curve_points(curve, scene)
    pattern = replace(request.pattern, first=first, standing_stride=maker.slow_stride)
    steps = lay_out_steps(gait, pattern, start, direction, line)
    ground = None if pattern.rise else find_step_ground(maker.character, scene)
    return FoundRun(maker, ground, tuple(steps), request.start_over)


def write_run(found: FoundRun, scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """Make the footsteps of a run; steps that rise keep their heights, others stand on the ground."""
    if found.start_over:
        remove_footsteps(list_footsteps(found.maker.character.armature))
    return add_steps(found.maker, found.ground, found.steps, scene)


def generate_footsteps(
    armature: bpy.types.Object, request: RunRequest, scene: bpy.types.Scene
) -> list[bpy.types.Object]:
    """Make a run of footsteps; see `find_run` and `write_run`."""
    return write_run(run_steps(find_run(armature, request, scene)), scene)
