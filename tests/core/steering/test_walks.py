# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steered walks: feet that stay where they stand, starts, stops, turns, grounds."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.records import MotionGroup
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.steering import state as steering_state
from semi_procedural_locomotion.core.steering.motor import Controls
from semi_procedural_locomotion.core.steering.posing import pose_steered
from semi_procedural_locomotion.core.steering.recording import Recording, sample_frames
from semi_procedural_locomotion.core.steering.soles import ground_soles
from semi_procedural_locomotion.core.steering.state import find_corners, find_crouch
from tests.core.planes import make_steps
from tests.core.steering.walks import RATE, go_ahead, make_steering, steer


def list_steps(states, leg):
    """Prints of a leg, each once."""
    places = np.array([state.behind.positions[leg] for state in states])
    return places[np.flatnonzero(np.any(np.diff(places, axis=0) != 0.0, axis=1)) + 1]


def test_character_stands_where_it_is_until_it_is_steered():
    states = steer(make_steering(), go_ahead(9.0, 9.0), 1.0)
    assert all(np.all(state.legs.parked) for state in states)
    assert states[-1].phase == states[0].phase
    np.testing.assert_array_equal(states[-1].behind.positions, states[0].behind.positions)


def test_walk_starts_goes_on_and_stops_with_all_feet_under_it():
    steering = make_steering()
    states = steer(steering, go_ahead(0.2, 5.0), 8.0)
    walk = steering.pace.walk
    assert states[120].body.velocity[1] == pytest.approx(walk, rel=1e-6)
    # A foot is on its way within a quarter of a second after the key.
    lifted = next(i for i, state in enumerate(states) if np.any(state.legs.lifting))
    assert 0.2 < lifted / RATE < 0.5
    end = states[-1]
    assert np.all(end.legs.parked)
    assert np.linalg.norm(end.body.velocity) == 0.0
    own = steering.begin(np.array([*end.body.position, 0.0]), end.body.yaw, 0.0)
    away = end.behind.positions - own.behind.positions
    limit = steering.settings.park_distance * steering.tables.rig.leg_length
    assert np.linalg.norm(away, axis=1).max() <= limit


def test_steps_are_as_long_as_the_motions_at_their_speed():
    steering = make_steering()
    states = steer(steering, go_ahead(0.0, 9.0), 6.0)
    strides = np.diff(list_steps(states, 0)[:, 1])[2:]
    stride = steering.tables.cycles.strides[steering.tables.cycles.slowest]
    np.testing.assert_allclose(strides, stride, rtol=0.02)


def test_feet_stay_where_they_stand():
    """What is drawn: the lowest sole points of feet that bear move less than 4 mm."""
    steering = make_steering(names=("walk",))

    def controls(time):
        return Controls(ahead=1.0, turn=float(1.2 < time < 2.5))

    states, shown = steer(steering, controls, 3.3, poses_from=1.0)
    rig, worst = steering.tables.rig, 0.0
    before = {}
    for state, (pose, _) in zip(states[-len(shown) :], shown, strict=True):
        turns, heads = compute_global_poses(
            rig.skeleton, pose.rotations, pose.translations, pose.scales
        )
        for number, leg in enumerate(rig.legs):
            points = compute_sole_points(leg, turns, heads)[0]
            places = np.array([_to_world(pose, point) for point in points])
            middle = state.legs.own[number] > 0.02 and state.legs.own[number] < 0.1
            if middle and number in before:
                worst = max(worst, np.abs(places - before[number])[:, :2].max())
            before[number] = places if middle else before.pop(number, None)
            if not middle:
                before.pop(number, None)
    assert 0.0 < worst < 0.004


def _to_world(pose, point):
    return rot.rotate(pose.orientations[0], point) + pose.positions[0]


def test_left_and_right_are_mirror_images():
    """Turns and side steps to one side are those to the other: the original predicted but one."""
    steering = make_steering(names=("walk",))
    ways = []
    for side in (1.0, -1.0):
        states = steer(
            steering,
            lambda time, side=side: Controls(ahead=1.0, turn=side * float(time > 0.8)),
            2.5,
        )
        ways.append(states[-1])
    left, right = ways
    np.testing.assert_allclose(left.body.position * [-1, 1], right.body.position, atol=1e-9)
    assert left.body.yaw == pytest.approx(-right.body.yaw)
    mirrored = right.tracker.turn_rate
    assert left.tracker.turn_rate == pytest.approx(-mirrored)


def test_prints_that_were_foreseen_are_those_that_are_taken():
    """At constant speed, straight and on a circle, a print does not move from lift to strike."""
    steering = make_steering(names=("walk",))
    for turn in (0.0, -0.4):
        controls = Controls(ahead=1.0, turn=turn)
        states = steer(steering, lambda _, c=controls: c, 4.5)
        moved = 0.0
        for before, after in itertools.pairwise(states[90:]):
            same = before.legs.lifting & after.legs.lifting
            away = np.linalg.norm(after.ahead.positions - before.ahead.positions, axis=1)
            moved = max(moved, float(away[same].max(initial=0.0)))
        assert moved < 0.01 * steering.tables.rig.leg_length, turn


def move(soles, way):
    """The same prints elsewhere."""
    return replace(soles, positions=soles.positions + way)


def test_ground_is_looked_for_anew_only_where_a_foreseen_print_moves(monkeypatch):
    looked = []

    def count(tables, ground, rules, soles, legs, level):
        looked.append(len(legs))
        return ground_soles(tables, ground, rules, soles, legs, level)

    monkeypatch.setattr(steering_state, "ground_soles", count)
    steering = make_steering(names=("walk",))
    states = steer(steering, go_ahead(0.0, 9.0), 6.0)
    lifting = np.array([np.sum(state.legs.lifting) for state in states])
    # All legs once where it begins; then once for each step while it goes steadily on.
    steps = sum(len(list_steps(states, leg)) for leg in range(2))
    assert looked[0] == 2
    assert steps <= sum(looked[1:]) < 0.2 * lifting.sum()
    length = steering.tables.rig.leg_length
    goals, none = states[-1].goals, np.zeros(2, dtype=bool)
    level = float(goals.levels[0])
    asked = move(goals.asked, np.array([0.01 * length, 0.0, 0.0]))
    assert not np.any(goals.choose_stale(asked, level, none, length))
    assert np.all(goals.choose_stale(asked, level + 0.1 * length, none, length))
    asked = move(goals.asked, np.array([0.0, 0.03 * length, 0.0]))
    assert np.all(goals.choose_stale(asked, level, none, length))
    asked = replace(goals.asked, headings=goals.asked.headings + np.array([0.0, 0.05]))
    assert goals.choose_stale(asked, level, none, length).tolist() == [False, True]
    lost = replace(goals, stood=replace(goals.stood, found=np.array([False, True])))
    assert lost.choose_stale(goals.asked, level, none, length).tolist() == [True, False]


def test_advance_is_a_pure_function():
    steering = make_steering(names=("walk",))
    state = steer(steering, go_ahead(0.0, 2.0), 1.0)[-1]
    first = steering.advance(state, Controls(ahead=1.0), 0.04)
    again = steering.advance(state, Controls(ahead=1.0), 0.04)
    np.testing.assert_array_equal(first.ahead.positions, again.ahead.positions)
    assert first.phase == again.phase
    assert steering.advance(state, Controls(ahead=1.0), 0.0) is state


def test_feet_stand_on_treads_and_the_body_goes_up_with_them():
    stairs = make_steps(0.15, 0.45, 0.0, first=1.0)
    steering = make_steering(stairs, names=("walk",))
    states, shown = steer(steering, go_ahead(0.0, 9.0), 4.2, yaw=-np.pi / 2, poses_from=3.7)
    end = states[-1]
    assert end.level > 0.6
    assert shown[-1][1].support == pytest.approx(end.level, abs=0.25)
    for leg in range(2):
        heights = list_steps(states, leg)[:, 2] / 0.15
        assert heights.max() > 3
        np.testing.assert_allclose(heights, np.round(heights), atol=1e-6)


def test_walk_off_the_ground_goes_on_at_its_height():
    class Ledge(FlatGround):
        def cast_down(self, points, times):
            hits = super().cast_down(points, times)
            hits.hit[points[:, 1] > 1.0] = False
            return hits

    states = steer(make_steering(Ledge(0.3)), go_ahead(0.0, 9.0), 2.5, place=(0.0, 0.0, 0.3))
    assert states[0].has_ground
    assert not states[-1].has_ground
    assert states[-1].level == pytest.approx(0.3)
    assert np.all(np.isfinite(states[-1].ahead.positions))


def test_many_legs_are_steered_too():
    steering = make_steering(names=("walk",), legs=4)
    states = steer(steering, go_ahead(0.0, 2.0, turn=0.3), 2.0)
    pose, carried = pose_steered(steering, states[-1], None)
    assert np.all(np.isfinite(pose.rotations))
    assert abs(carried.support) < 1e-9
    assert all(len(list_steps(states, leg)) >= 1 for leg in range(4))


def test_recorded_way_is_that_of_the_body():
    states = steer(make_steering(names=("walk",)), go_ahead(0.0, 2.0, turn=0.5), 3.0)
    recording = Recording()
    for state in states:
        recording.note(state)
    travel = recording.make_travel()
    places, yaws = sample_frames(travel, np.array([0, 24, 999]), 24.0)
    np.testing.assert_allclose(places[1, :2], states[30].body.position, atol=1e-6)
    assert yaws[1] == pytest.approx(states[30].body.yaw, abs=1e-6)
    np.testing.assert_allclose(places[2, :2], states[-1].body.position, atol=1e-9)
    steps = sum(len(list_steps(states, leg)) for leg in range(2))
    assert len(recording.prints) == steps + 2


def test_crouch_takes_the_weight_of_its_group_and_gives_it_back():
    """A run stands in for the crouched walk: what counts is whose the weight is."""
    steering = make_steering(names=("walk", "run"))
    motions = steering.tables.motion_set
    groups = (
        MotionGroup("walk", (0, 1)),
        MotionGroup("idle", (), overrides=True, weights=np.zeros(1)),
        MotionGroup("Sneaking", (2,), overrides=True, weights=np.zeros(1)),
    )
    tables = replace(steering.tables, motion_set=replace(motions, groups=groups))
    assert find_crouch(motions) is None
    crouch = find_crouch(tables.motion_set)
    assert crouch == 2
    steering = replace(steering, tables=tables, crouch=crouch)
    states = steer(steering, lambda time: Controls(ahead=1.0, crouch=1.0 < time < 2.5), 4.0)
    shares = np.array([state.weights for state in states])
    assert shares[30, 2] == 0.0
    assert shares[75, 1] < 0.02
    assert shares[75, 2] > 0.2
    assert shares[-1, 1] > 0.95
    crouching = np.array([state.crouching for state in states])
    assert crouching.max() == 1.0
    corners = find_corners(np.arange(6), np.array([0.0, 0.0, 0.5, 1.0, 1.0, 0.0]))
    assert corners == [(0.0, 0.0), (1.0, 0.0), (3.0, 1.0), (4.0, 1.0), (5.0, 0.0)]
