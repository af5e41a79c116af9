# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways without a motion: hips and legs turn to them, and the spine turns back."""

import numpy as np
import pytest

from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.orienting import bound_turns, measure_angles
from semi_procedural_locomotion.core.travel.way import Travel
from tests.core.walkers import make_walker, native_walk

TIMES = np.arange(0.0, 5.0, 1.0 / 24.0)


def plan_aside(angle, share=1.0, names=("walk",), legs=2):
    """Five seconds from standing on a way that lies aside of where the character faces."""
    rig, motions = make_walker(names, legs)
    velocity = np.array([*native_walk(motions).velocity, 0.0])
    way = rot.rotate(rot.quaternions_from_yaws(np.radians(angle)), velocity)
    times = np.linspace(0.0, 5.0, 301)
    travelled = np.cumsum(np.clip(times, 0.0, 1.0)) / 60.0
    travel = Travel(times, travelled[:, None] * way, np.zeros(301))
    return make_plan(rig, motions, travel, FlatGround(), PlanSettings(turn_to_way=share))


def measure_turns(plan, names, walk):
    """Turn of bones about up against rest at the times of a walk, radians, (N,) each."""
    rig, poses = plan.tables.rig, walk.poses
    turns, _ = compute_global_poses(rig.skeleton, poses.rotations, poses.translations)
    turns = rot.multiply(poses.orientations[:, None], turns)
    forward, found = np.array([*rig.forward, 0.0]), []
    for name in names:
        bone = rig.skeleton.names.index(name)
        rest = rot.conjugate(rig.skeleton.rest_poses[0][bone])
        ahead = rot.rotate(turns[:, bone], rot.rotate(rest, forward))
        found.append(np.arctan2(ahead[:, 1], ahead[:, 0]) - np.arctan2(*rig.forward[::-1]))
    return [rot.wrap_angles(angles) for angles in found]


@pytest.mark.parametrize("angle", [45.0, -58.0])
def test_hips_turn_to_the_way_and_the_chest_faces_as_it_did(angle):
    plan = plan_aside(angle)
    walk = solve_poses(plan, TIMES)
    steady = TIMES > 2.0
    hips, chest, head = measure_turns(plan, ("hips", "chest", "head"), walk)
    assert np.degrees(hips[steady].mean()) == pytest.approx(angle, abs=2.0)
    assert np.degrees(chest[steady].mean()) == pytest.approx(0.0, abs=2.0)
    assert np.degrees(head[steady].mean()) == pytest.approx(0.0, abs=2.0)
    # The character itself faces as its travel says, and feet are where the legs were solved to.
    assert walk.poses.orientations == pytest.approx(
        np.tile(rot.IDENTITY, (len(TIMES), 1)), abs=1e-12
    )
    rig, poses = plan.tables.rig, walk.poses
    _, places = compute_global_poses(rig.skeleton, poses.rotations, poses.translations)
    places = poses.positions[:, None] + rot.rotate(poses.orientations[:, None], places)
    ankles = places[:, [leg.ankle for leg in rig.legs]]
    solved = walk.positions[:, [leg.ankle for leg in plan.tables.small_rig.legs]]
    assert ankles == pytest.approx(solved, abs=1e-9)
    assert np.linalg.norm(solved - walk.targets.ankles, axis=-1).max() < 1e-3 * rig.leg_length


def test_feet_do_not_skate_sideways():
    skated = {}
    for share in (0.0, 1.0):
        plan = plan_aside(-58.0, share)
        record = record_walk(plan, solve_poses(plan, TIMES), np.arange(len(TIMES)))
        report = measure_walk(plan.tables.small_rig, record, FlatGround())
        skated[share] = report.near_ground_speed_p95
        assert report.slide_worst < 0.005
        assert report.targets_missed == 0
    assert skated[1.0] < 0.06
    assert skated[0.0] > 2.0 * skated[1.0]


def test_a_share_turns_less_and_none_walks_sideways():
    half, none = plan_aside(45.0, 0.5), plan_aside(45.0, 0.0)
    assert np.degrees(half.body_turns.max()) == pytest.approx(22.5, abs=0.5)
    assert none.body_turns is None
    assert none.travel.yaws is not half.travel.yaws


def test_ways_that_motions_go_need_no_turn():
    assert plan_aside(0.0).body_turns is None
    assert plan_aside(121.0).body_turns is None
    assert plan_aside(180.0).body_turns is None
    assert plan_aside(45.0, legs=4).body_turns is None


def test_ways_between_two_motions_are_blends_of_both():
    ways = np.radians([0.0, 45.0, 90.0, 170.0, 225.0, 269.0, 271.0, 315.0])
    angles, rooms = measure_angles(ways, np.radians([0.0, 90.0, 180.0]))
    assert np.degrees(angles) == pytest.approx([0.0, 0.0, 0.0, 0.0, 45.0, 89.0, -89.0, -45.0])
    assert np.degrees(rooms[4:]) == pytest.approx(90.0)
    alone, rooms = measure_angles(ways, np.zeros(1))
    assert np.degrees(alone[[1, 2, 5]]) == pytest.approx([45.0, 90.0, -91.0])
    assert np.degrees(rooms) == pytest.approx(180.0)
    # Midway between two nothing jumps from one side to the other.
    round_about = np.radians(np.linspace(0.0, 360.0, 3601))
    turns = bound_turns(*measure_angles(round_about, np.radians([0.0, 150.0])))
    assert np.abs(np.diff(turns)).max() < np.radians(0.45)
    assert np.degrees(turns.max()) > 30.0


def test_turns_are_bounded_odd_and_smooth():
    angles = np.radians(np.linspace(-180.0, 180.0, 3601))
    turns = bound_turns(angles, np.full(3601, np.pi))
    assert turns == pytest.approx(-turns[::-1], abs=1e-12)
    assert np.abs(turns).max() <= np.radians(60.0) + 1e-12
    assert turns[np.abs(angles) >= np.radians(120.0)] == pytest.approx(0.0)
    # To the side it turns as far as it can, and feet strafe the rest.
    aside = (np.abs(angles) >= np.radians(60.0)) & (np.abs(angles) <= np.radians(90.0))
    assert np.abs(turns[aside]) == pytest.approx(np.radians(60.0))
    inside = (np.abs(angles) > np.radians(20.0)) & (np.abs(angles) < np.radians(60.0))
    assert turns[inside] == pytest.approx(angles[inside])
    assert np.abs(np.diff(turns)).max() < np.radians(0.45)


@pytest.mark.parametrize(("angle", "turn"), [(80.0, 60.0), (-80.0, -60.0), (130.0, 0.0)])
def test_hips_turn_no_farther_than_spines_bear_and_not_to_ways_that_lead_back(angle, turn):
    turns = plan_aside(angle).body_turns
    assert np.degrees(turns[np.abs(turns).argmax()] if turns is not None else 0.0) == (
        pytest.approx(turn, abs=0.5)
    )
