# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that lean into starts, stops and curves: which way, how far, and what stays still."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.airborne.gravity import find_gravity
from semi_procedural_locomotion.core.body.leaning import bound_leans, track_leans
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from tests.core.walkers import facing_of, make_walker, native_walk, scale_walker


def plan_on(rig, motions, travel, share=1.0):
    return make_plan(rig, motions, travel, FlatGround(), PlanSettings(lean_accelerated=share))


def start_and_stop(motions, length=9.0):
    walk = native_walk(motions)
    facing = facing_of(walk)
    end = length * walk.stride * 0.7 * np.array([np.cos(facing), np.sin(facing)])
    choices = WayChoices(facing=facing, corner_radius=0.5, ramp_time=1.25 * walk.period)
    return travel_from_points(np.array([[0.0, 0.0], end]), walk.speed, choices)


def circle(motions, radius, seconds=6.0, sign=1.0):
    walk = native_walk(motions)
    times = np.linspace(0.0, seconds, int(seconds * 120) + 1)
    yaws = sign * walk.speed / radius * times
    heading = facing_of(walk) + yaws - sign * np.pi / 2
    places = radius * np.stack([np.cos(heading), np.sin(heading), 0.0 * times], axis=1)
    return Travel(times, places, yaws)


def accelerations_of(plan):
    grid = plan.times.grid
    velocities = np.gradient(plan.times.positions[:, :2], grid.interval, axis=0)
    return np.gradient(velocities, grid.interval, axis=0)


def trunk_lean(plan, times, share):
    """Turn of the body's bone against the same walk without a lean, as a vector, radians, (N, 3)."""
    upright = make_plan(
        plan.tables.rig,
        plan.tables.motion_set,
        plan.travel,
        plan.ground,
        PlanSettings(lean_accelerated=0.0),
    )
    body = plan.tables.small_rig.body
    leaned, still = (solve_poses(p, times) for p in (plan, upright))
    turn = rot.multiply(leaned.rotations[:, body], rot.conjugate(still.rotations[:, body]))
    turn = turn * np.where(turn[:, :1] < 0.0, -1.0, 1.0)
    return 2.0 * np.arcsin(turn[:, 1:]), leaned, still


def test_a_constant_straight_walk_leans_nowhere():
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.3, walk.velocity, 0.0, 4.0)
    assert plan_on(rig, motions, travel).body.leans is None


def test_no_share_no_lock_and_no_motion_have_no_lean():
    rig, motions = make_walker()
    travel = start_and_stop(motions)
    plan = plan_on(rig, motions, travel, share=0.0)
    assert plan.body.leans is None
    free = PlanSettings(lock_feet=False)
    assert track_leans(plan.tables, plan.times, free) is None


def test_a_start_leans_ahead_a_stop_back_by_the_angle_of_the_acceleration():
    rig, motions = make_walker()
    plan = plan_on(rig, motions, start_and_stop(motions))
    gravity = find_gravity(plan.tables)
    assert gravity == pytest.approx(9.81 * rig.leg_length / 0.8, rel=0.35)
    times = np.arange(0.0, plan.travel.end, 1.0 / 30.0)
    turn, leaned, still = trunk_lean(plan, times, 1.0)
    facing = facing_of(native_walk(motions))
    ahead = np.array([np.cos(facing), np.sin(facing)])
    # A turn about the left axis takes what is above ahead.
    pitch = turn[:, :2] @ np.array([-ahead[1], ahead[0]])
    wanted = np.arctan(plan.times.grid.sample(accelerations_of(plan) @ ahead, times) / gravity)
    assert np.degrees(np.abs(pitch - wanted)).max() < 4.0
    assert np.degrees(pitch.max()) > 5.0
    assert np.degrees(pitch.min()) < -5.0
    assert np.argmax(pitch) < np.argmin(pitch)
    assert np.abs(turn[:, 2]).max() < 1e-6
    # Hips and the root stay where they are; the feet stand off, see `test_balance`.
    hips = [leg.joints[0] for leg in plan.tables.small_rig.legs]
    middles = [walk.positions[:, hips].mean(axis=1) for walk in (leaned, still)]
    assert np.abs(middles[0] - middles[1])[:, :2].max() < 0.02 * rig.leg_length
    assert np.array_equal(leaned.poses.positions[:, :2], still.poses.positions[:, :2])
    assert np.array_equal(leaned.poses.orientations, still.poses.orientations)
    # While it goes evenly it is the same walk, but for what the legs ask of it around.
    even = np.abs(times - 0.5 * plan.travel.end) < 0.3
    assert np.allclose(leaned.poses.rotations[even], still.poses.rotations[even], atol=1e-3)


def start_at_once(motions, acceleration):
    """A way that begins at rest and gains speed evenly until it is that of the walk."""
    walk = native_walk(motions)
    facing = facing_of(walk)
    lasting = walk.speed / acceleration
    times = np.linspace(0.0, 2.0 + lasting + 2.0, 1201)
    gone = np.clip(times - 2.0, 0.0, lasting)
    way = 0.5 * acceleration * gone**2 + walk.speed * np.maximum(times - 2.0 - lasting, 0.0)
    places = way[:, None] * np.array([np.cos(facing), np.sin(facing), 0.0])
    return Travel(times, places, np.full(len(times), 0.0)), 2.0, lasting


def test_a_sudden_start_is_leaned_into_at_once_and_no_quicker_than_people_turn():
    rig, motions = make_walker()
    gravity = find_gravity(pack_motions(rig, motions))
    # As far as a body leans without a bound, and a little more slowly than it may turn.
    travel, begins, lasting = start_at_once(motions, gravity * np.tan(np.radians(13.0)))
    plan = plan_on(rig, motions, travel)
    times, interval = plan.times.grid.times, plan.times.grid.interval
    leans = np.degrees(np.hypot(*plan.body.leans.T))
    asked = np.where((times > begins) & (times < begins + lasting), 13.0, 0.0)
    period = native_walk(motions).period
    # Only about the two instants at which the acceleration sets in and ends is it otherwise.
    off = np.abs(leans - asked) > 4.0
    edges = np.minimum(np.abs(times - begins), np.abs(times - begins - lasting))
    assert np.any(off)
    assert edges[off].max() < 0.07 * period
    assert np.abs(np.gradient(leans, interval)).max() * period < np.degrees(2.1)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_curve_is_leaned_into(sign):
    rig, motions = make_walker()
    radius = 2.5 * rig.leg_length
    plan = plan_on(rig, motions, circle(motions, radius, sign=sign))
    times = np.linspace(2.0, 4.0, 31)
    turn, _, _ = trunk_lean(plan, times, 1.0)
    inward = -plan.times.grid.sample(plan.times.positions, times)[:, :2] / radius
    lean = turn[:, 1] * inward[:, 0] - turn[:, 0] * inward[:, 1]
    across = turn[:, 0] * inward[:, 0] + turn[:, 1] * inward[:, 1]
    wanted = np.arctan(native_walk(motions).speed ** 2 / radius / find_gravity(plan.tables))
    assert wanted > np.radians(3.0)
    assert np.degrees(np.abs(lean - wanted)).max() < 1.0
    assert np.degrees(np.abs(across)).max() < 0.3


def test_beasts_bank_but_do_not_pitch_and_insects_do_neither():
    rig, motions = make_walker(legs=4)
    assert plan_on(rig, motions, start_and_stop(motions)).leans is None
    radius = 2.0 * rig.leg_length
    plan = plan_on(rig, motions, circle(motions, radius))
    middle = plan.times.grid.count // 2
    lean = np.hypot(*plan.leans[middle])
    whole = native_walk(motions).speed ** 2 / radius / find_gravity(plan.tables)
    assert lean == pytest.approx(np.arctan(0.5 * whole), abs=np.radians(0.2))
    assert lean > np.radians(1.0)
    # Outer legs reach no farther than they do: they take a part of it back.
    assert np.hypot(*plan.body.leans[middle]) > 0.25 * lean
    rig, motions = make_walker(legs=6)
    assert plan_on(rig, motions, circle(motions, 2.0 * rig.leg_length)).leans is None


def test_motions_that_turn_lean_by_themselves():
    rig, motions = make_walker()
    radius, walk = 2.5 * rig.leg_length, native_walk(motions)
    travel = circle(motions, radius)
    middle = plan_on(rig, motions, travel).times.grid.count // 2
    for share, left in ((0.0, 1.0), (0.5, 0.5), (1.0, 0.0), (1.5, 0.0)):
        turning = replace(walk, turn_rate=share * walk.speed / radius)
        own = tuple(turning if motion is walk else motion for motion in motions.motions)
        leans = plan_on(rig, replace(motions, motions=own), travel).body.leans
        wanted = np.arctan(left * walk.speed**2 / radius / find_gravity(pack_motions(rig, motions)))
        found = 0.0 if leans is None else np.hypot(*leans[middle])
        assert np.degrees(found) == pytest.approx(np.degrees(wanted), abs=0.4)


def test_a_giant_leans_as_a_dwarf_does():
    rig, motions = make_walker()
    small = plan_on(rig, motions, start_and_stop(motions))
    large_rig, large_motions = scale_walker(rig, motions, 100.0)
    travel = small.travel
    scaled = Travel(travel.times, 100.0 * travel.positions, travel.yaws)
    large = plan_on(large_rig, large_motions, scaled)
    assert np.allclose(small.body.leans, large.body.leans, atol=1e-9)


def test_shakes_of_a_hand_keyed_travel_ask_for_nothing():
    rig, motions = make_walker()
    walk = native_walk(motions)
    straight = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    times = np.linspace(0.0, 4.0, 121)
    places, yaws = straight.evaluate(times)
    places[:, 0] += 2e-4 * rig.leg_length * np.sin(times * 25.0)
    assert plan_on(rig, motions, Travel(times, places, yaws)).body.leans is None


@pytest.mark.parametrize("seconds", [0.05, 0.4, 1.0])
@pytest.mark.parametrize("share", [1.0, 2.0])
def test_a_jerk_flips_no_body(seconds, share):
    rig, motions = make_walker()
    walk = native_walk(motions)
    still = plan_on(rig, motions, make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 4.0))
    # As what carries the body jerks: the travel in the world does, that over the carrier does not.
    places = still.times.positions.copy()
    gone = rot.step_cubic((still.times.grid.times - 2.0) / seconds)
    places[:, 0] += 15.0 * rig.leg_length * gone
    times = replace(still.times, positions=places)
    leans = track_leans(still.tables, times, PlanSettings(lean_accelerated=share))
    rates = np.hypot(*np.diff(leans, axis=0).T) / times.grid.interval
    assert 4.0 < np.degrees(leans.max()) < 24.1
    assert 4.0 < -np.degrees(leans.min()) < 24.1
    assert np.degrees(rates.max()) * walk.period < 121.0


def test_leans_are_as_asked_up_to_a_hard_stop_and_bounded_beyond():
    asked = np.radians([0.0, 10.0, 14.0, 22.2, 40.0, 80.0])
    leans = np.degrees(bound_leans(asked))
    assert leans[:3] == pytest.approx([0.0, 10.0, 14.0], abs=1e-9)
    # Who stops at 4 m/s^2 leans within 4 degrees of what that asks for.
    assert 22.2 - 2.0 < leans[3] < 22.2
    assert np.all(np.diff(leans) > 0.0)
    assert leans[-1] < np.degrees(0.42)
