# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What carries the body: walks on trains, lifts, turntables, ships and belts, in numpy."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.ground.interface import GroundHits, GroundLayers
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.pace_notes import note_turns
from semi_procedural_locomotion.core.report.shown import PosedBones
from semi_procedural_locomotion.core.report.shown_measures import measure_shown
from semi_procedural_locomotion.core.report.shown_recording import record_shown
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.carried import carry_travel, make_carrier, move_points
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from tests.core.grounds import GroundStack
from tests.core.walkers import make_walker

RIG, MOTIONS = make_walker()
L = RIG.leg_length
PACE = MOTIONS.motions[1].velocity
TIMES = np.linspace(0.0, 4.0, 97)


class Deck(FlatGround):
    """A plane that goes with a carrier, tilted however it is."""

    def __init__(self, find_matrices):
        super().__init__()
        self.find_matrices = find_matrices

    def cast_down(self, points, times):
        frames = self.surface_frames(0, times)
        normals = frames[:, :3, 2]
        away = points - frames[:, :3, 3]
        heights = points[:, 2] - np.sum(away * normals, axis=1) / normals[:, 2]
        hit = heights <= points[:, 2] + 1e-9
        found = rot.pack(points[:, 0], points[:, 1], np.where(hit, heights, points[:, 2]))
        return GroundHits(found, normals, np.where(hit, 0, -1), hit)

    def cast_all(self, points, times):
        high = points + np.array([0.0, 0.0, 100.0])
        heights, index = self.cast_down(high, times).points[:, 2], np.arange(len(points))
        return GroundLayers(index, heights, 0 * index, np.ones(len(points), dtype=bool))

    def surface_frames(self, surface, times):
        return self.find_matrices(np.asarray(times, dtype=float))

    def height_limits(self):
        return -20.0, 20.0

    def name_surface(self, surface):
        return f"Surface {surface}"

    def moving_surfaces(self):
        return frozenset({0})


def place(positions, turns=rot.IDENTITY):
    matrices = np.tile(np.eye(4), (len(positions), 1, 1))
    matrices[:, :3, :3] = rot.matrices_from_quaternions(np.broadcast_to(turns, (len(positions), 4)))
    matrices[:, :3, 3] = positions
    return matrices


def train(times):
    """8 m/s after it has sped up in 2 s."""
    share = np.clip(times / 2.0, 0.0, 1.0)
    way = 16.0 * (share**3 - 0.5 * share**4) + 8.0 * np.maximum(times - 2.0, 0.0)
    return place(rot.pack(0.3 * way, way, 0.0 * times))


def lift(times):
    return place(rot.pack(0.0 * times, 0.0 * times, 1.5 * np.maximum(times - 1.0, 0.0)))


def turntable(times):
    centre = np.array([3.0, 1.0, 0.0])
    turns = rot.quaternions_from_yaws(0.9 * times)
    return place(centre - rot.rotate(turns, centre), turns)


def ship(times):
    """Rolls, pitches and heaves about a place 10 m away."""
    pivot = np.array([10.0, 0.0, -2.0])
    turns = rot.multiply(
        rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), 0.12 * np.sin(1.3 * times)),
        rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.08 * np.sin(0.9 * times)),
    )
    heave = rot.pack(0.0 * times, 0.0 * times, 0.5 * np.sin(times))
    return place(pivot + heave - rot.rotate(turns, pivot), turns)


def see_from(find_matrices, points, times):
    """World points (N, ..., 3) from the carrier as it is at time 0."""
    back = find_matrices(np.zeros(1)) @ np.linalg.inv(find_matrices(times))
    flat = points.reshape(len(times), -1, 3)
    moved = np.stack([move_points(back, flat[:, i]) for i in range(flat.shape[1])], axis=1)
    return moved.reshape(points.shape)


def ride(find_matrices, local, **settings):
    carrier = make_carrier(find_matrices, 0.0, np.linspace(-4.0, 9.0, 2000))
    travel, ground = carry_travel(local, carrier), Deck(find_matrices)
    return make_plan(RIG, MOTIONS, travel, ground, PlanSettings(**settings))


CARRIERS = [train, lift, turntable, ship]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_passengers_who_stand_lift_no_foot(carrier):
    plan = ride(carrier, make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 4.0))
    walk = solve_poses(plan, TIMES)
    assert np.all(walk.states.standing)
    assert np.abs(plan.times.velocities).max() < 1e-9
    feet = see_from(carrier, walk.targets.footbases, TIMES)
    assert np.ptp(feet, axis=0).max() < 1e-6 * L
    assert walk.missed.max() < 1e-3 * L
    toes = walk.targets.footbases + 0.25 * L * rot.rotate(walk.targets.frames, [1.0, 0.0, 0.0])
    assert np.ptp(see_from(carrier, toes, TIMES), axis=0).max() < 1e-6 * L


@pytest.mark.parametrize("carrier", CARRIERS)
def test_passengers_who_walk_go_as_over_still_ground(carrier):
    local = make_straight_travel(np.zeros(3), 0.0, PACE, 0.0, 4.0)
    still = make_plan(RIG, MOTIONS, local, FlatGround())
    plan = ride(carrier, local)
    assert np.abs(plan.times.phases - still.times.phases).max() < 1e-9
    walk, own = solve_poses(plan, TIMES), solve_poses(still, TIMES)
    feet = see_from(carrier, walk.targets.footbases, TIMES)
    # Over a deck that rocks the body stays upright, and prints lie on slopes.
    rocks = carrier is ship
    apart = np.abs(feet - own.targets.footbases).max(axis=-1)
    assert apart[own.states.in_contact].max() < (0.03 if rocks else 1e-7) * L
    # Feet on their way give for hips that lean against the carrier's acceleration.
    assert apart.max() < (0.03 if rocks else 2e-3) * L
    if not rocks:
        body = see_from(carrier, walk.carriage.positions, TIMES)
        assert np.abs(body - own.carriage.positions).max() < 1e-3 * L


@pytest.mark.parametrize("carrier", [lift, ship])
def test_a_body_goes_up_with_what_carries_it(carrier):
    plan = ride(carrier, make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 4.0))
    walk = solve_poses(plan, TIMES)
    over = walk.carriage.positions - walk.targets.footbases.mean(axis=1)
    # What is left is the tilt under feet that stand beside the body.
    assert np.ptp(over[:, 2]) < 0.01 * L


@pytest.mark.parametrize("carrier", [train, turntable])
def test_sampled_matrices_carry_without_a_tremble(carrier):
    """As a scene gives them: the travel at whole frames, the ground straight between half frames."""
    frames = np.arange(0, 97) / 24.0
    halves = np.arange(-200, 400) / 48.0

    def find_matrices(times):
        where = np.interp(times, halves, np.arange(len(halves)))
        before = np.clip(where.astype(int), 0, len(halves) - 2)
        share = (where - before)[:, None, None]
        known = carrier(halves)
        return known[before] * (1 - share) + known[before + 1] * share

    turns = rot.quaternions_from_matrices(carrier(frames)[:, :3, :3])
    places = move_points(carrier(frames), np.tile([0.4, 0.2, 0.0], (97, 1)))
    yaws = np.unwrap(2.0 * np.arctan2(turns[:, 3], turns[:, 0]))
    plan = make_plan(RIG, MOTIONS, Travel(frames, places, yaws, turns=turns), Deck(find_matrices))
    assert np.abs(plan.times.velocities).max() < 1e-6
    walk = solve_poses(plan, frames)
    assert np.all(walk.states.standing)


def test_a_belt_under_a_standing_body_is_walked_on():
    ground = MovingGround(FlatGround(), lambda t: (np.outer(t, [*-PACE, 0.0]), 0.0 * t))
    stand = Travel(np.array([0.0, 4.0]), np.zeros((2, 3)), np.zeros(2))
    plan = make_plan(RIG, MOTIONS, stand, ground)
    ahead = make_plan(
        RIG, MOTIONS, make_straight_travel(np.zeros(3), 0.0, PACE, 0.0, 4.0), FlatGround()
    )
    assert np.abs(plan.times.velocities - PACE).max() < 1e-9
    assert np.abs(np.diff(plan.times.phases) - np.diff(ahead.times.phases)).max() < 1e-9
    walk = solve_poses(plan, TIMES)
    assert np.abs(walk.carriage.positions[:, :2]).max() < 1e-9
    assert walk.missed.max() < 1e-3 * L


def test_feet_stay_where_they_are_on_both_sides_of_a_walkways_edge():
    """Onto a moving walkway, along it, and off again."""
    direction = PACE / np.hypot(*PACE)
    across = np.array([-direction[1], direction[0]])

    def slab(start, end):
        corners = [
            np.append(direction * along + across * side, 0.0)
            for along in (start, end)
            for side in (-2.0, 2.0)
        ]
        return np.array(corners), np.array([[0, 2, 3], [0, 3, 1]])

    speed = 0.5 * np.hypot(*PACE)
    belt = MovingGround(
        MeshGround(*slab(-30.0, 3.0)), lambda t: (np.outer(t, [*direction * speed, 0.0]), 0.0 * t)
    )
    before, after = MeshGround(*slab(-8.0, 1.5)), MeshGround(*slab(4.5, 20.0))
    # Platforms lie a hair over the belt, so that they cover its ends.
    raised = [
        MovingGround(g, lambda t: (np.tile([0.0, 0.0, 1e-3], (len(t), 1)), 0.0 * t), surfaces=())
        for g in (before, after)
    ]
    way = make_straight_travel(np.zeros(3), 0.0, PACE, 0.0, 6.0)
    plan = make_plan(RIG, MOTIONS, way, GroundStack([*raised, belt]))
    times = np.linspace(0.0, 6.0, 289)
    walk = solve_poses(plan, times)
    places, _ = way.evaluate(times)
    along = places[:, :2] @ direction
    inner = (along > 2.2) & (along < 3.8)
    speeds = plan.times.grid.sample(np.hypot(*plan.times.velocities.T), times)
    assert speeds[along < 1.0] == pytest.approx(np.hypot(*PACE), rel=1e-6)
    assert speeds[inner] == pytest.approx(0.5 * np.hypot(*PACE), rel=1e-2)
    assert speeds[along > 5.0] == pytest.approx(np.hypot(*PACE), rel=1e-2)
    contact = walk.states.in_contact
    feet = walk.targets.footbases[..., :2]
    moved = np.hypot(*np.moveaxis(np.diff(feet, axis=0), -1, 0))
    carried = np.hypot(*np.moveaxis(np.diff(feet, axis=0) - direction * speed / 48.0, -1, 0))
    stays = contact[1:] & contact[:-1] & (walk.states.steps[1:] == walk.states.steps[:-1])
    assert np.minimum(moved, carried)[stays].max() < 1e-5 * L


@pytest.mark.parametrize("carrier", [train, lift, turntable])
def test_a_passenger_is_judged_as_over_still_ground(carrier):
    local = make_straight_travel(np.zeros(3), 0.0, PACE, 0.0, 4.0)
    reports, shown = [], []
    still = make_plan(RIG, MOTIONS, local, FlatGround())
    # The carrier's own accelerations are leaned into, which is another matter.
    for plan in (still, ride(carrier, local, lean_accelerated=0.0)):
        walk = solve_poses(plan, TIMES)
        names = plan.tables.small_rig.skeleton.names
        bones = PosedBones.from_poses(names, walk.rotations, walk.positions)
        seen = record_shown(plan, walk, np.arange(len(TIMES)), bones)
        shown.append(measure_shown(RIG, seen, plan.ground))
        reports.append(measure_walk(plan.tables.small_rig, record_walk(plan, walk), plan.ground))
    assert shown[1].unknown == shown[0].unknown
    for name, value in shown[0].list_numbers().items():
        assert shown[1].list_numbers()[name] == pytest.approx(value, abs=1e-4), name
    for name in ("slide_worst", "near_ground_speed_p95", "fidelity_rms", "sink_worst"):
        own, other = (getattr(report, name) for report in reports)
        assert other == pytest.approx(own, abs=1e-4), name


def test_turns_of_what_carries_are_none_of_the_body():
    """A table that goes round in less than two seconds."""

    def whirl(times):
        centre = np.array([1.0, 1.0, 0.0])
        turns = rot.quaternions_from_yaws(4.0 * times)
        return place(centre - rot.rotate(turns, centre), turns)

    plan = ride(whirl, make_straight_travel(np.zeros(3), 0.0, PACE, 0.0, 4.0))
    walk = solve_poses(plan, np.arange(49.0) / 12.0)
    assert note_turns(NotedSpan(plan, 0.0, 4.0, 12.0), walk) == []
    assert np.abs(np.diff(plan.times.yaws)).max() > 0.03


def test_passengers_lean_into_the_accelerations_of_what_carries_them():
    local = make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 4.0)
    plan = ride(train, local)
    ahead = np.array([0.3, 1.0]) / np.hypot(0.3, 1.0)
    leans = plan.times.grid.sample(plan.body.leans, TIMES) @ ahead
    assert np.argmax(leans) == pytest.approx(np.searchsorted(TIMES, 1.0), abs=5)
    assert np.degrees(leans.max()) > 15.0
    assert np.abs(leans[TIMES > 3.0]).max() == 0.0
    assert ride(lift, local).body.leans is None
