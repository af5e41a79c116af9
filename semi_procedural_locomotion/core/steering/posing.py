# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of a steered walk (numpy only).

Swings, feet, hips and legs are those of the plan, at one time; what a plan smooths over the time to
come is followed here (docs/method/steering.md, Poses).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..body.assembly import assemble_poses
from ..body.carriage import Carriage, place_character, track_support
from ..body.hips import find_hip_changes
from ..body.legs import lift_hips, place_legs, read_hips, solve_legs
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.posing import pose_legs
from ..motions.tables import OFF, STRIKE
from ..pose import PoseArray
from ..prints.records import PrintRow
from ..prints.states import StepStates, read_leg_steps, stack_legs
from ..swings.evaluation import SwingInstants
from ..swings.feet import FootTargets, solve_foot
from ..swings.flight import tie_to_prints
from ..swings.heights import share_lifts
from ..swings.records import LegSwings
from ..times.rides import ride_world
from ..times.source import SourcePoses, place_footbases
from ..times.weights import normalize_cycles
from ..travel.way import Travel
from .limits import CARRIAGE
from .motor import foresee
from .soles import make_row
from .state import Steering, SteeringState, follow_share, swing_to


@dataclass(frozen=True)
class FollowedBody:
    """Record of what is followed from pose to pose.

    Attributes
    ----------
    time
        Seconds.
    support, rise
        Height of the ground that supports the body, metres, and its rate, metres a second.
    pitch
        Nose-up tilt, radians.
    hips, sinking
        Change of the hips' height, metres, and its rate, metres a second.
    bumps
        How much each swing is lifted over what is in its way, metres, shape (L,).
    """

    time: float
    support: float
    rise: float
    pitch: float
    hips: float
    sinking: float
    bumps: FloatArray


def pose_steered(
    steering: Steering, state: SteeringState, before: FollowedBody | None
) -> tuple[PoseArray, FollowedBody]:
    """The pose of a steered character.

    Parameters
    ----------
    steering, state
        The character, and where it is.
    before
        How it was carried at the pose before; None for the first.

    Returns
    -------
    poses
        One pose.
    carried
        How it is carried there, for the next one.
    """
    tables = steering.tables
    seconds = np.inf if before is None else max(state.body.time - before.time, 0.0)
    whole = _blend_sources(steering, state)
    source = whole.select(np.zeros(1, dtype=np.intp))
    rows = [
        make_row(leg, int(number), state.behind, state.ahead)
        for leg, number in enumerate(state.legs.numbers)
    ]
    times = np.array([state.body.time])
    steps = [
        read_leg_steps(
            row,
            state.legs.keys[None, leg],
            np.zeros(1, dtype=np.intp),
            state.legs.own[None, leg],
            times,
            steering.ground,
        )
        for leg, row in enumerate(rows)
    ]
    states = stack_legs(steps)
    carried = _carry(steering, state, source, states, before, seconds)
    feet = [
        _solve_foot(steering, whole, leg, row, step, float(carried.bumps[leg]))
        for leg, (row, step) in enumerate(zip(rows, steps, strict=True))
    ]
    targets = stack_legs(feet)
    support, pitch = np.array([carried.support]), np.array([carried.pitch])
    place, turn = place_character(tables, source, support, pitch)
    carriage = Carriage(place, turn, np.zeros((1, 3)))
    legs = place_legs(tables, source, carriage)
    hips, sinking = _follow_hips(steering, source, states, targets, legs.positions, before, seconds)
    offsets = np.array([[0.0, 0.0, hips]])
    carriage = replace(carriage, hip_offsets=offsets)
    lifted = lift_hips(tables, legs.positions, offsets)
    method = steering.settings.ik_method
    # Feet are not set down on skin that the solved legs bend: that takes as long as all else.
    solved = solve_legs(tables, source.legs, targets, legs.rotations, lifted, method)
    poses = assemble_poses(tables, source, times, carriage, solved)
    return poses, replace(carried, hips=hips, sinking=sinking)


def _blend_sources(steering: Steering, state: SteeringState) -> SourcePoses:
    """Blended poses now, as each of L legs leaves, and as each strikes: 1 + 2 L rows."""
    tables, legs, count = steering.tables, state.legs, len(state.legs.own)
    left = np.maximum(legs.keys[:, STRIKE] - legs.passed, 0.0)
    places, yaws, _, _ = foresee(state.body, state.wish, left * state.period)
    taken = state.takeoffs
    all_places = np.concatenate([state.body.position[None], taken.places, places])
    all_yaws = np.concatenate([[state.body.yaw], taken.yaws, yaws])
    phases = np.concatenate([[state.phase], taken.phases, state.phase + left])
    numbers = legs.numbers
    now = numbers + legs.own
    ends = [np.repeat(now[None], count, 0) for _ in range(2)]
    for rows, key in zip(ends, (OFF, STRIKE), strict=True):
        np.fill_diagonal(rows, numbers + legs.keys[:, key])
    leg_times = np.concatenate([now[None], *ends])
    amount = len(phases)
    weights = np.repeat(state.weights[None], amount, 0)
    cycle_weights, walk_share = normalize_cycles(weights, tables.cycles)
    keys = np.repeat(legs.keys[None], amount, 0)
    return SourcePoses(
        weights=weights,
        cycle_weights=cycle_weights,
        walk_share=walk_share,
        positions=np.concatenate([all_places, np.zeros((amount, 1))], axis=1),
        yaws=all_yaws,
        foot_yaws=all_yaws,
        phases=phases,
        leg_times=leg_times,
        legs=pose_legs(tables, weights, phases, leg_times, keys),
    )


def _solve_foot(
    steering: Steering,
    whole: SourcePoses,
    leg: int,
    row: PrintRow,
    step: StepStates,
    bump: float,
) -> FootTargets:
    """Find where a foot is, and how, between the two prints of its step."""
    tables, settings = steering.tables, steering.settings
    count, length = len(tables.small_rig.legs), tables.small_rig.legs[leg].length
    source = whole.select(np.array([0, 1 + leg, 1 + count + leg]))
    feet = place_footbases(tables, source, leg)
    strides = source.cycle_weights[:1] @ tables.cycles.strides
    foot = float(tables.rig.foot_lengths[leg])
    least = share_lifts(row, strides, foot, steering.ground)
    swing = LegSwings(
        lifted=tie_to_prints(feet.placed[1:2], row.positions[:1], row.headings[:1]),
        struck=tie_to_prints(feet.placed[2:], row.positions[1:], row.headings[1:]),
        twists=feet.twists[None, 1:],
        least_lifts=least,
        clearances=settings.toe_clearance * length * least,
        evenness=np.zeros(1),
        arcs=settings.arc_height * length * least if settings.simple_arc else None,
        bumps=np.array([bump]),
    )
    now = np.zeros(1, dtype=np.intp)
    instants = SwingInstants(tables, leg, step, source.select(now), feet.select(now))
    return solve_foot(instants, swing)


def _carry(
    steering: Steering,
    state: SteeringState,
    source: SourcePoses,
    states: StepStates,
    before: FollowedBody | None,
    seconds: float,
) -> FollowedBody:
    """Find how the body is carried now; the hips are not known yet."""
    # The plan's own support height, on a grid of one time that stands still.
    grid = TimeGrid(state.body.time, 1.0, 2)
    place = np.array([[*state.body.position, state.level]])
    rides = ride_world(grid, Travel(grid.times[:1], place, np.array([state.body.yaw])))
    twice = np.zeros(2, dtype=np.intp)
    still, paired = source.select(twice), states.select(twice)
    supports, pitches = track_support(steering.tables, still, paired, rides, steering.settings)
    support, pitch = float(supports[0]), float(pitches[0])
    bumps = _find_bumps(steering, state)
    if before is None or not seconds > 0.0:
        kept = before or FollowedBody(state.body.time, support, 0.0, pitch, 0.0, 0.0, bumps)
        return replace(kept, time=state.body.time)
    foreseen = before.support + before.rise * seconds
    followed = foreseen + follow_share(CARRIAGE.support, seconds) * (support - foreseen)
    rise = before.rise + follow_share(CARRIAGE.support_rate, seconds) * (
        (followed - before.support) / seconds - before.rise
    )
    share = follow_share(CARRIAGE.support, seconds)
    quickly = follow_share(CARRIAGE.bump, seconds)
    return FollowedBody(
        time=state.body.time,
        support=followed,
        rise=rise,
        pitch=before.pitch + share * (pitch - before.pitch),
        hips=before.hips,
        sinking=before.sinking,
        bumps=np.where(state.legs.lifting, before.bumps + quickly * (bumps - before.bumps), bumps),
    )


def _find_bumps(steering: Steering, state: SteeringState) -> FloatArray:
    """How far the ground comes up through the way of each flying foot, with its margin, metres, (L,)."""
    tables, legs = steering.tables, np.flatnonzero(state.legs.lifting)
    bumps = np.zeros(len(state.legs.own))
    if len(legs) == 0:
        return bumps
    shares = np.linspace(0.0, 1.0, CARRIAGE.stations)[:, None, None]
    feet = np.array([tables.rig.foot_lengths[leg] for leg in legs])
    ways = []
    for side in (0.0, 1.0):
        ends = [
            soles.positions[legs]
            + rot.rotate(soles.frames[legs], np.array([1.0, 0.0, 0.0])) * (side * feet)[:, None]
            for soles in (state.behind, state.ahead)
        ]
        ways.append(ends[0] + shares * (ends[1] - ends[0]))
    lines = np.stack(ways)
    reach = steering.rules.reach
    points = lines.reshape(-1, 3) + np.array([0.0, 0.0, reach])
    hits = steering.ground.cast_down(points, np.full(len(points), state.body.time))
    over = np.where(hits.hit, hits.points[:, 2] - points[:, 2] + reach, -np.inf)
    over = over.reshape(lines.shape[:3]).max(axis=(0, 1))
    margin = steering.settings.swing_margin * tables.rig.leg_length
    # What is on the level of the prints at either end is in no way.
    bumps[legs] = np.where(over > 0.25 * margin, over + margin, 0.0)
    return bumps


def _follow_hips(
    steering: Steering,
    source: SourcePoses,
    states: StepStates,
    targets: FootTargets,
    positions: FloatArray,
    before: FollowedBody | None,
    seconds: float,
) -> tuple[float, float]:
    """Change of the hips' height, metres, towards what the legs reach, and its rate."""
    tables = steering.tables
    hips = read_hips(tables.small_rig, positions)
    goal = float(find_hip_changes(tables, source, states, targets, hips)[0])
    if before is None:
        return goal, 0.0
    return swing_to(before.hips, before.sinking, goal, CARRIAGE.hips, seconds)
