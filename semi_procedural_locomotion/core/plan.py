# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ties the stages together; the one module that knows their order (numpy only).

`STAGES` is that order. A stage may decide something once for the whole walk, and it may change the
poses at any times; `make_plan` runs it on the times of the plan's grid, `solve_poses` on those that
are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from .body.airborne.bodies import find_own_flights, fly_straight
from .body.airborne.records import Flights
from .body.airborne.steps import fly_steps
from .body.assembly import assemble_poses
from .body.blends import fit_blends
from .body.carriage import BodyTrack, track_ripples, track_support
from .body.hand_over import BesideWalk, mix_poses, read_foot_poses
from .body.heads import track_head, turn_head
from .body.hips import fly_hips
from .body.layers.laying import keep_ankles, lay_over_body, lay_over_poses
from .body.leaning import add_leans, lean_over_crouches, track_leans
from .body.legs import lift_hips, place_legs, read_hips
from .body.orienting import leave_turned, turn_back
from .body.response import answer_steps, track_response
from .body.rolling import plan_rolls
from .body.settling import settle_legs
from .footsteps.source import StepSource
from .ground.interface import Ground
from .maths import rotations as rot
from .maths.rotations import FloatArray
from .motions.packing import pack_motions
from .motions.posing import pose_body
from .motions.records import MotionSet
from .prints.drops import measure_drops
from .prints.planning import plan_prints
from .prints.records import KeptStep
from .prints.steps import find_step_keys
from .rig.structure import Rig
from .settings import PlanSettings
from .swings.crossing import lead_aside, plan_asides
from .swings.feet import FootTargets, solve_feet
from .swings.hand_over import find_free, hand_over_feet, let_go_of_changes, plan_foot_holds
from .swings.planning import plan_swings
from .times.levels import plan_levels
from .times.orienting import turn_to_way
from .times.planning import check_speed, make_plan_grid, plan_times
from .times.rides import find_rides, ride_travel, ride_world
from .trajectory.planning import WalkedGrid, measure_leans, measure_spans, plan_trajectory
from .travel.way import Travel
from .walk import SolvedWalk, Stage, WalkPlan


def make_plan(
    rig: Rig,
    motions: MotionSet,
    travel: Travel,
    ground: Ground,
    settings: PlanSettings | None = None,
    kept_steps: Sequence[KeptStep] = (),
    beside: BesideWalk | None = None,
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
    beside
        The animation from which the walk goes over, and to which; None for none.

    Raises
    ------
    TravelError
        Where no motion walks, or the travel is far from what the motions do.
    """
    settings = settings or PlanSettings()
    tables = pack_motions(rig, motions)
    grid = make_plan_grid(tables.cycles, travel, settings, len(rig.legs))
    source = StepSource(travel, tuple(kept_steps))
    plan = WalkPlan(tables, travel, ground, settings, source, grid, beside=beside)
    walk = SolvedWalk(grid.times)
    # Poses on the grid are made only as far as a later stage plans from them.
    waiting: list[Callable[[WalkPlan, SolvedWalk], SolvedWalk]] = []
    for stage in list_stages(settings):
        if stage.plan is not None:
            for pose in waiting:
                walk = pose(plan, walk)
            waiting.clear()
            plan = stage.plan(plan, walk)
        if stage.pose is not None:
            waiting.append(stage.pose)
    return plan


def solve_poses(plan: WalkPlan, times: FloatArray) -> SolvedWalk:
    """Poses of the character at any times; each is independent of all others.

    Parameters
    ----------
    plan
        The walk.
    times
        Seconds of the scene's clock, shape (N,).
    """
    walk = SolvedWalk(np.asarray(times, dtype=np.float64))
    for stage in list_stages(plan.settings):
        if stage.pose is not None:
            walk = stage.pose(plan, walk)
    return walk


def list_stages(settings: PlanSettings) -> tuple[Stage, ...]:
    """The stages that these settings ask for, in their order."""
    return tuple(stage for stage in STAGES if settings.lock_feet or not stage.locks)


def _plan_turns(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    if plan.ground.moving_surfaces():
        return plan
    travel, turns = turn_to_way(plan.tables, plan.grid, plan.travel, plan.settings)
    return replace(plan, travel=travel, body_turns=turns)


def _plan_rides(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    rides, travel = ride_world(plan.grid, plan.travel), plan.travel
    if plan.ground.moving_surfaces():
        levels = plan_levels(plan.tables, plan.grid, travel, plan.ground, plan.settings)
        rides = find_rides(plan.tables, plan.grid, travel, plan.ground, levels)
        travel = ride_travel(travel, rides)
    check_speed(plan.tables, travel, rides)
    return replace(plan, rides=rides, travel=travel)


def _plan_levels(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    levels = plan_levels(plan.tables, plan.grid, plan.travel, plan.ground, plan.settings)
    levels = plan.source.set_levels(plan.tables.rig, plan.grid, levels, plan.ground)
    return replace(plan, levels=levels)


def _plan_times(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    times = plan_times(
        plan.tables, plan.travel, plan.settings, plan.levels, plan.source, plan.rides
    )
    return replace(plan, times=times)


def _plan_prints(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    tables, times, settings, travel = plan.tables, plan.times, plan.settings, plan.travel
    leans = track_leans(tables, times, settings, travel.jumps)
    # Footsteps stand where they are, about the middle of which the way was laid.
    off = None if travel.phases is not None else leans
    ground, levels = plan.ground, plan.levels
    flights = [(jump.off, jump.strike) for jump in travel.jumps]
    prints = plan_prints(tables, times, ground, settings, levels, plan.source, off, flights)
    return replace(plan, prints=prints, leans=leans)


def _plan_keys(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    times, keys, jumps = plan.times, find_step_keys(plan.times, plan.prints.rows), plan.travel.jumps
    times, keys = fly_steps(times, [row.first for row in plan.prints.rows], keys, jumps)
    drops = measure_drops(plan.tables, plan.prints, plan.ground)
    return replace(plan, times=times, step_keys=keys, drops=drops)


def _plan_swings(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    return replace(plan, swings=plan_swings(plan.steps, plan.settings, plan.travel.jumps))


def _blend_motions(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    return replace(walk, source=plan.steps.read_source(walk.times))


def _read_states(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    return replace(walk, states=plan.steps.read_states(walk.times))


def _plan_body(plan: WalkPlan, walk: SolvedWalk) -> WalkPlan:
    grid, jumps, length = plan.grid, plan.travel.jumps, plan.tables.rig.leg_length
    flights = Flights(jumps, find_own_flights(walk.states, grid, jumps, length))
    supports, pitches = track_support(
        plan.tables, walk.source, walk.states, plan.rides, plan.settings, flights.whole
    )
    still = np.zeros(grid.count), np.zeros((grid.count, 2))
    track = BodyTrack(grid, supports, pitches, *still, plan.leans)
    return replace(plan, body=track, flights=flights)


def _place_body(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    carriage = plan.body.place(plan.tables, walk.source, walk.times)
    laid = lay_over_body(plan.tables, walk.source, walk.times)
    walk = replace(walk, carriage=carriage, laid=laid)
    return walk.place(place_legs(plan.tables, walk.hung, carriage))


def _place_feet(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    targets = solve_feet(plan.tables, walk.source, walk.states, plan.swings)
    return replace(walk, targets=lead_aside(walk.states, plan.asides, targets))


def _plan_holds(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    if plan.beside is None:
        return plan

    def read_feet(times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        walk = _read_states(plan, _blend_motions(plan, SolvedWalk(times)))
        walk = _place_feet(plan, _place_body(plan, walk))
        local = pose_body(plan.tables, walk.source.weights, walk.source.phases)[0]
        local[:, plan.tables.bones.indices] = walk.source.legs.locals
        return walk.targets.ankles, walk.targets.rotations, local

    poses = read_foot_poses(plan.tables, plan.beside, plan.ground)
    return replace(plan, holds=plan_foot_holds(plan.steps, poses, plan.beside.span, read_feet))


def _hold_feet(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    steps = [hold for hold in plan.holds if hold.is_step]
    return replace(walk, targets=hand_over_feet(steps, walk.times, walk.targets))


def _plan_blends(plan: WalkPlan, walk: SolvedWalk) -> WalkPlan:
    if plan.beside is None:
        return plan
    ankles = _let_go_of_changes(plan, walk).ankles
    hips = read_hips(plan.tables.small_rig, walk.legs.positions)
    blends, holds = fit_blends(plan.tables, plan.beside, plan.holds, walk.times, hips, ankles)
    return replace(plan, body_blends=blends, holds=holds)


def _let_go_of_changes(plan: WalkPlan, walk: SolvedWalk) -> FootTargets:
    # Feet that slide go with the mixed body alone, and changes are for the body before the mix.
    placed = _place_feet(plan, walk).targets
    return let_go_of_changes(plan.holds, walk.times, walk.targets, placed)


def _hand_over(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    if plan.beside is None:
        return walk
    targets = _let_go_of_changes(plan, walk)
    beside = replace(plan.beside, body_blends=plan.body_blends)
    legs, poses = mix_poses(plan.tables, beside, plan.holds, targets, walk.legs, walk.poses)
    return replace(walk, targets=targets, legs=legs, poses=poses)


def _plan_asides(plan: WalkPlan, _: SolvedWalk) -> WalkPlan:
    return replace(plan, asides=plan_asides(plan.steps, plan.swings))


def _lift_hips(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    leans, before = plan.body.read_leans(walk.times), walk.carriage.leans
    if leans is not None and (before is None or not np.array_equal(leans, before)):
        # On the plan's grid the body was placed before its hips were planned.
        walk = _place_body(plan, walk)
    offsets = plan.body.read_hip_offsets(walk.times)
    lifted = lift_hips(plan.tables, walk.source_positions, offsets)
    carriage = replace(walk.carriage, hip_offsets=offsets)
    return replace(walk, carriage=carriage, legs=replace(walk.legs, positions=lifted))


def _plan_trajectory(plan: WalkPlan, walk: SolvedWalk) -> WalkPlan:
    ripples = track_ripples(plan.tables, walk.source, plan.times)
    hips = read_hips(plan.tables.small_rig, walk.source_positions)
    hips[..., :2] += ripples[:, None]
    source = keep_ankles(plan.tables, walk.source, walk.laid)
    margin = plan.settings.swing_margin * plan.tables.rig.leg_length
    flown, crouches = fly_hips(plan.tables, hips, plan.grid, plan.body.supports, plan.flights)
    walked = WalkedGrid(
        steps=plan.steps,
        grid=plan.grid,
        source=source,
        states=walk.states,
        targets=walk.targets,
        hips=hips + flown[:, None, None] * rot.UP,
        laid=measure_spans(plan.tables, source)
        - measure_spans(plan.tables, walk.source)
        + measure_leans(plan.tables, walk.hung, walk.carriage),
        crouches=crouches,
        free=find_free(plan.holds, plan.grid.times, len(plan.tables.rig.legs)),
        turns=walk.carriage.orientations,
        margin=margin,
        start=plan.travel.start,
        drops=plan.drops,
        has_arcs=plan.settings.simple_arc,
        jumps=plan.flights.jumps,
        flights=plan.flights.whole,
    )
    trajectory = plan_trajectory(walked)
    # What is added to a fall and goes evenly leaves it one.
    heights = fly_straight(trajectory.heights[:, None], plan.grid, plan.flights.whole)[:, 0]
    leans = lean_over_crouches(plan.tables, plan.times, plan.body.leans, crouches)
    leans = add_leans(leans, trajectory.leans)
    body = replace(plan.body, ripples=ripples, hip_offsets=flown + heights, leans=leans)
    return replace(plan, body=body, trajectory=trajectory)


def _lead_walk(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    source = keep_ankles(plan.tables, walk.source, walk.laid)
    targets = plan.trajectory.lead(plan.tables, source, walk.states, walk.times, walk.targets)
    return replace(_lift_hips(plan, walk), targets=targets)


def _plan_response(plan: WalkPlan, walk: SolvedWalk) -> WalkPlan:
    response = track_response(plan.tables, walk.source, walk.states, plan.grid, plan.settings)
    head = track_head(plan.tables, plan.times, plan.body_turns, plan.body.leans, plan.settings)
    return replace(plan, response=response, head=head)


def _plan_rolls(plan: WalkPlan, walk: SolvedWalk) -> WalkPlan:
    span, walked = (plan.travel.start, plan.travel.end), (walk.hung, walk.states, walk.targets)
    placed, method = (walk.legs.rotations, walk.legs.positions), plan.settings.ik_method
    rolls = plan_rolls(plan.tables, plan.grid, span, walked, placed, plan.holds, method)
    return replace(plan, rolls=rolls)


def _lead_rolls(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    if plan.rolls is None:
        return walk
    return replace(walk, targets=plan.rolls.lead(walk.times, walk.targets))


def _solve_legs(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    placed, method = (walk.legs.rotations, walk.legs.positions), plan.settings.ik_method
    targets, legs = settle_legs(plan.tables, walk.hung, walk.targets, *placed, method)
    return replace(walk, targets=targets, legs=legs)


def _assemble_poses(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    turns = plan.read_body_turns(walk.times)
    carriage, legs = leave_turned(plan.tables, walk.carriage, walk.legs, turns)
    poses = assemble_poses(plan.tables, walk.source, walk.times, carriage, legs)
    return replace(walk, poses=poses, legs=legs)


def _answer_steps(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    posed = walk.legs, walk.carriage, walk.poses
    poses = answer_steps(plan.tables, walk.source, plan.response, plan.settings, *posed)
    poses = turn_back(plan.tables, plan.read_body_turns(walk.times), poses)
    return replace(walk, poses=turn_head(plan.tables, plan.head, poses))


def _lay_over(plan: WalkPlan, walk: SolvedWalk) -> SolvedWalk:
    return replace(walk, poses=lay_over_poses(plan.tables, walk.source, walk.poses))


STAGES: tuple[Stage, ...] = (
    Stage("turns", "how far the lower body turns to a way without a motion", _plan_turns),
    Stage("rides", "what carries the body, and how it goes over that", _plan_rides),
    Stage("levels", "the level of the ground that the body walks on", _plan_levels),
    Stage("times", "which motions play, how fast, and when each foot stands", _plan_times),
    Stage("prints", "where each foot stands, the user's footsteps among them", _plan_prints),
    Stage("keys", "when each step lifts, leaves, strikes and lands", _plan_keys),
    Stage("source", "the blended motions", pose=_blend_motions),
    Stage("states", "which step each leg is in, and between which prints", pose=_read_states),
    Stage("body", "how high the body is carried, and how it tilts", _plan_body, _place_body),
    Stage("swings", "the motions' swings from print to print", _plan_swings),
    Stage("asides", "how swings are led around the partner's foot", _plan_asides, locks=True),
    Stage("feet", "where each foot is on its print or its way", pose=_place_feet),
    Stage("holds", "feet of the poses that it begins and ends in", _plan_holds, _hold_feet, True),
    Stage("trajectory", "body and feet changed least", _plan_trajectory, _lead_walk, locks=True),
    Stage("blends", "how long the body goes over from the poses", _plan_blends, locks=True),
    Stage("response", "what the upper body has to answer to", _plan_response),
    Stage("rolls", "feet whose skin would slip as they roll", _plan_rolls, _lead_rolls, locks=True),
    Stage("legs", "joints of the legs between hips and feet", pose=_solve_legs, locks=True),
    Stage("poses", "local poses of all bones", pose=_assemble_poses),
    Stage("upper body", "spine and arms that answer to the steps", pose=_answer_steps),
    Stage("layers", "other motion over the bones that carry no leg", pose=_lay_over),
    Stage("hand-over", "from the animation beside it, and to it", pose=_hand_over, locks=True),
)
