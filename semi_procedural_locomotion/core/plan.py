# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties the stages together; the one module that knows their order (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .body.carriage import BodyTrack, track_hips, track_support
from .body.response import ResponseTrack, measure_leads, track_response, turn_upper_body
from .footsteps.kept import (
    KeptStep,
    StepClaims,
    claim_prints,
    keep_steps,
    stand_until,
    stay_between,
)
from .footsteps.travel import follow_phases
from .ground.interface import Ground
from .maths import rotations as rot
from .maths.rotations import FloatArray
from .motions.packing import pack_motions
from .motions.posing import find_rotated_bones, pose_body, read_local_positions
from .motions.records import MotionSet
from .motions.tables import MotionTables
from .pose import PoseArray
from .prints.planning import PrintPlan, plan_prints
from .prints.states import StepStates, read_steps
from .rig.ik_chain import solve_leg
from .rig.structure import Rig
from .settings import PlanSettings
from .swings.crossing import lead_aside, plan_asides
from .swings.feet import FootTargets, solve_feet
from .swings.folds import AnkleFlexes, flex_ankles, limit_folds, plan_flexes
from .swings.planning import LegSwings, plan_swings
from .times.levels import track_levels
from .times.limits import check_speed
from .times.planning import TimePlan, make_plan_grid, plan_times
from .times.source import SourcePoses, pose_source
from .travel.way import Travel

# A channel whose rows differ less than this from rest is not written.
_SAME_ROTATION = 1e-6


@dataclass(frozen=True)
class WalkPlan:
    """A whole walk, from which any frame can be posed on its own.

    Attributes
    ----------
    tables
        The packed motions.
    travel, ground, settings
        What was asked for.
    times
        Weights, phase and stance instants.
    prints
        Where the feet stand.
    step_keys
        Lift, off, strike, land of every step, L arrays of shape (K - 1, 4).
    swings
        What the steps need besides, one for each leg.
    body
        Support heights, pitches and hip offsets.
    asides
        How far each swing is led around the partner's foot, L arrays of shape (K - 1, 2).
    flexes
        How far each swinging foot is turned flat for a leg that cannot fold enough, one for each leg.
    claims
        Which prints are footsteps of the user.
    response
        What the upper body answers to; None where it moves as the motions have it.
    """

    tables: MotionTables
    travel: Travel
    ground: Ground
    settings: PlanSettings
    times: TimePlan
    prints: PrintPlan
    step_keys: tuple[FloatArray, ...]
    swings: tuple[LegSwings, ...]
    body: BodyTrack
    asides: tuple[FloatArray, ...]
    flexes: tuple[AnkleFlexes, ...]
    claims: StepClaims = field(default_factory=StepClaims)
    response: ResponseTrack | None = None

    @property
    def first_steps(self) -> tuple[int, ...]:
        """Step number of each leg's first print."""
        return tuple(row.first for row in self.prints.rows)

    def read_source(self, times: FloatArray) -> SourcePoses:
        """Blended poses at any times, shape (N,)."""
        return pose_source(self.tables, self.times, self.step_keys, self.first_steps, times)

    def read_states(self, times: FloatArray) -> StepStates:
        """Steps of all legs at any times, shape (N,)."""
        return read_steps(self.times, self.prints, self.step_keys, times, self.ground)


@dataclass(frozen=True)
class SolvedWalk:
    """Poses with everything that led to them, for measures and drawing.

    Attributes
    ----------
    poses
        The result.
    source, states, targets
        Blended poses, steps and foot targets at the same times.
    rotations, positions
        World poses of the bones that carry the legs, after solving, shapes (N, K, 4), (N, K, 3).
    source_rotations, source_positions
        The same before any correction, placed along the travel on the support height.
    missed
        Distance between ankle and target, metres, shape (N, L).
    """

    poses: PoseArray
    source: SourcePoses
    states: StepStates
    targets: FootTargets
    rotations: FloatArray
    positions: FloatArray
    source_rotations: FloatArray
    source_positions: FloatArray
    missed: FloatArray


def make_plan(
    rig: Rig,
    motions: MotionSet,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings | None = None,
    kept_steps: Sequence[KeptStep] = (),
) -> WalkPlan:
    """Plan a whole walk.

    Parameters
    ----------
    rig
        The character.
    motions
        Its analysed motions, at least one walk.
    travel
        Where it goes, in seconds of the scene's clock.
    ground
        What it walks on.
    settings
        Choices; defaults where None.
    kept_steps
        Footsteps of the user; each takes the place of the nearest planned one.

    Raises
    ------
    TravelError
        Where no motion walks, or the travel is far from what the motions do.
    """
    settings = settings or PlanSettings()
    tables = pack_motions(rig, motions)
    grid = make_plan_grid(tables, travel, settings)
    reach = settings.step_limit * rig.leg_length
    positions, yaws = travel.evaluate(grid.times)
    check_speed(tables, np.gradient(positions[:, :2], grid.interval, axis=0))
    levels = track_levels(tables, grid, positions, yaws, ground, reach)
    times = follow_phases(plan_times(tables, travel, settings, levels), travel)
    prints = plan_prints(tables, times, ground, settings, levels)
    prints = stand_until(tables, prints, travel.standing_until)
    prints = stay_between(prints, travel.stays)
    claims = claim_prints(tables, times, prints, kept_steps)
    prints = keep_steps(tables, prints, claims, ground)
    step_keys = tuple(
        times.step_key_times(leg, row.first + np.arange(len(row.times) - 1))
        for leg, row in enumerate(prints.rows)
    )
    swings = plan_swings(tables, times, prints, step_keys, ground, settings)
    first_steps = tuple(row.first for row in prints.rows)
    source = pose_source(tables, times, step_keys, first_steps, grid.times)
    states = read_steps(times, prints, step_keys, grid.times, ground)
    supports, pitches = track_support(tables, source, states, grid, settings)
    asides: tuple[FloatArray, ...] = ()
    if settings.lock_feet:
        asides = plan_asides(tables, times, prints, step_keys, swings, ground)
        targets = solve_feet(tables, source, states, swings, settings.toe_clearance)
        targets = lead_aside(states, asides, targets)
        hip_offsets = track_hips(tables, source, targets, supports, pitches, grid)
    else:
        hip_offsets = np.zeros(grid.count)
    body = BodyTrack(grid, supports, pitches, hip_offsets)
    flexes: tuple[AnkleFlexes, ...] = ()
    if settings.lock_feet:
        positions, orientations = body.place(tables, source, grid.times)
        legs = positions[:, None] + rot.rotate(orientations[:, None], source.legs.positions)
        _, hips = _lift_hips(tables, legs, hip_offsets)
        lowered = limit_folds(tables, states, swings, targets, hips)
        counts = [len(leg.lifted) for leg in swings]
        flexes = plan_flexes(tables, source, states, counts, lowered, hips)
    return WalkPlan(
        tables,
        travel,
        ground,
        settings,
        times,
        prints,
        step_keys,
        swings,
        body,
        asides,
        flexes,
        claims,
        response=track_response(tables, source, states, grid, settings),
    )


def solve_poses(plan: WalkPlan, times: FloatArray) -> SolvedWalk:
    """Poses of the character at any times; each is independent of all others.

    Parameters
    ----------
    plan
        The walk.
    times
        Seconds of the scene's clock, shape (N,).
    """
    times = np.asarray(times, dtype=np.float64)
    tables = plan.tables
    source, states = plan.read_source(times), plan.read_states(times)
    targets = solve_feet(tables, source, states, plan.swings, plan.settings.toe_clearance)
    positions, orientations = plan.body.place(tables, source, times)
    source_rotations = rot.multiply(orientations[:, None], source.legs.rotations)
    source_positions = positions[:, None] + rot.rotate(orientations[:, None], source.legs.positions)
    hip_offsets = plan.body.grid.sample_smooth(plan.body.hip_offsets, times)
    rotations, world, missed = source_rotations, source_positions, np.zeros_like(targets.swivels)
    if plan.settings.lock_feet:
        lifted, hips = _lift_hips(tables, source_positions, hip_offsets)
        targets = lead_aside(states, plan.asides, targets)
        targets = limit_folds(tables, states, plan.swings, targets, hips)
        targets = flex_ankles(tables, source, states, plan.flexes, targets)
        rotations, world, missed = _solve_legs(plan, source, targets, source_rotations, lifted)
    poses = _compose_poses(
        plan, times, source, positions, orientations, hip_offsets, rotations, world
    )
    return SolvedWalk(
        poses=poses,
        source=source,
        states=states,
        targets=targets,
        rotations=rotations,
        positions=world,
        source_rotations=source_rotations,
        source_positions=source_positions,
        missed=missed,
    )


def _lift_hips(
    tables: MotionTables, positions: FloatArray, hip_offsets: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """World positions (N, K, 3) with the hip offsets (N,) in them, and those of the hips (N, L, 3)."""
    lifted = positions + hip_offsets[:, None, None] * tables.bones.carried[:, None] * rot.UP
    return lifted, np.stack([lifted[:, leg.joints[0]] for leg in tables.small_rig.legs], axis=1)


def _solve_legs(
    plan: WalkPlan,
    source: SourcePoses,
    targets: FootTargets,
    rotations: FloatArray,
    positions: FloatArray,
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """World rotations (N, K, 4) and positions (N, K, 3) with all legs solved, and misses (N, L)."""
    tables = plan.tables
    solved_rotations: dict[int, FloatArray] = {}
    solved_positions: dict[int, FloatArray] = {}
    missed = []
    for index, leg in enumerate(tables.small_rig.legs):
        joints = np.array(leg.joints, dtype=np.intp)
        hip = joints[0]
        solution = solve_leg(
            positions[:, joints],
            rotations[:, joints[:-1]],
            targets.ankles[:, index],
            rot.rotate(rotations[:, hip], leg.hinge),
            0.5 * targets.swivels[:, index],
        )
        for place, joint in enumerate(joints[:-1]):
            solved_rotations[int(joint)] = solution.rotations[:, place]
        for place, joint in enumerate(joints):
            solved_positions[int(joint)] = solution.positions[:, place]
        solved_rotations[leg.ankle] = targets.rotations[:, index]
        missed.append(solution.unreached)
    new_rotations: list[FloatArray] = []
    new_positions: list[FloatArray] = []
    translations = read_local_positions(tables.small_rig.skeleton, source.legs)
    for bone, parent in enumerate(tables.small_rig.skeleton.parents):
        q, p = rotations[:, bone], positions[:, bone]
        if parent >= 0 and bone != tables.small_rig.body:
            q = rot.multiply(new_rotations[parent], source.legs.locals[:, bone])
            p = new_positions[parent] + rot.rotate(new_rotations[parent], translations[:, bone])
        new_rotations.append(solved_rotations.get(bone, q))
        new_positions.append(solved_positions.get(bone, p))
    return (
        np.stack(new_rotations, axis=1),
        np.stack(new_positions, axis=1),
        np.stack(missed, axis=1),
    )


def _compose_poses(
    plan: WalkPlan,
    times: FloatArray,
    source: SourcePoses,
    positions: FloatArray,
    orientations: FloatArray,
    hip_offsets: FloatArray,
    rotations: FloatArray,
    world: FloatArray,
) -> PoseArray:
    """Local poses of all bones with the solved legs and the moved body in place."""
    tables = plan.tables
    skeleton, indices = tables.small_rig.skeleton, tables.bones.indices
    local, translations, scales = pose_body(tables, source.weights, source.phases)
    local, translations = np.array(local), np.array(translations)
    moved = tables.body_rows.moving.copy()
    body_parent = int(skeleton.parents[tables.small_rig.body])
    parent_rotation = orientations
    if body_parent >= 0:
        parent_rotation = rot.multiply(orientations, source.legs.rotations[:, body_parent])
    offset = rot.rotate(rot.conjugate(parent_rotation), hip_offsets[:, None] * rot.UP)
    translations[:, tables.rig.body] += offset
    moved[tables.rig.body] = True
    for leg in tables.small_rig.legs:
        for bone in leg.bones:
            parent = int(skeleton.parents[bone])
            above = rotations[:, parent] if parent >= 0 else orientations
            local[:, indices[bone]] = rot.multiply(rot.conjugate(above), rotations[:, bone])
        if leg.detached:
            bone = leg.ankle
            parent = int(skeleton.parents[bone])
            above = rotations[:, parent] if parent >= 0 else orientations
            origin = world[:, parent] if parent >= 0 else positions
            translations[:, indices[bone]] = rot.rotate(
                rot.conjugate(above), world[:, bone] - origin
            )
            moved[indices[bone]] = True
    rotated = find_rotated_bones(tables, _SAME_ROTATION)
    if plan.response is not None:
        ankles = np.stack([world[:, leg.ankle] for leg in tables.small_rig.legs], axis=1)
        leads = measure_leads(tables, source, ankles - positions[:, None], orientations)
        turned = turn_upper_body(tables, plan.response, plan.settings, times, leads, local)
        rotated[turned] = True
    return PoseArray(
        times=times,
        positions=positions,
        orientations=orientations,
        rotations=local,
        translations=translations,
        scales=scales,
        rotated=rotated,
        moved=moved,
        scaled=tables.body_rows.scaling.copy(),
    )
