# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The meter of joints' speeds and of how bodies are held, on motions with answers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import seen_motion
from tools.compatibility.courses import Course

_LEG = [np.array([0, 1, 2])]


def _flat(x, y):
    return 0.0 * x


def _make_leg(bends, hips=None):
    """A leg of two bones of half a metre, bent at the knee by degrees (F,), below hips (F, 3)."""
    turns = np.radians(bends)
    hips = np.tile([0.0, 0.0, 1.0], (len(turns), 1)) if hips is None else hips
    knees = hips - [0.0, 0.0, 0.5]
    shins = 0.5 * np.stack([-np.sin(turns), 0.0 * turns, -np.cos(turns)], axis=1)
    bones = np.zeros((len(turns), 3, 2, 3))
    bones[:, :, 0] = np.stack([hips, knees, knees + shins], axis=1)
    return bones


def _measure(bones, feet=None, length=0.9, heights=_flat):
    return seen_motion.measure_speeds(feet or {}, bones, _LEG, heights, length)


def test_ankles_are_told_up_and_down_in_metres_a_second():
    bones = _make_leg(np.full(5, 40.0))
    bones[:, 2, 0, 2] += [0.0, 0.02, 0.03, 0.0, 0.0]
    speeds = _measure(bones)
    # 2 cm and 3 cm in a sixtieth of a second.
    assert speeds["up"] == pytest.approx(1.2)
    assert speeds["down"] == pytest.approx(1.8)


def test_a_leg_four_times_as_long_may_go_twice_as_fast():
    bones = _make_leg(np.full(4, 40.0))
    bones[:, 2, 0, 2] += [0.0, 0.02, 0.0, 0.0]
    speeds = _measure(bones, length=4.0 * seen_motion.PEOPLE)
    assert speeds["up"] == pytest.approx(0.6)
    assert speeds["down"] == pytest.approx(0.6)


def test_joints_turn_in_degrees_a_second_whatever_the_leg():
    bones = _make_leg(np.array([30.0, 30.0, 35.0, 33.0]))
    for length in (0.3, 0.9, 3.0):
        assert _measure(bones, length=length)["turn"] == pytest.approx(5.0 * 60.0)


def test_second_differences_are_those_of_24_frames():
    seconds = np.arange(61) / 60.0
    # 576 degrees a second squared are one degree a frame squared at 24 frames a second.
    whip = _measure(_make_leg(10.0 + 0.5 * 576.0 * 0.3 * seconds**2))["whip"]
    # Every other frame of 24 lies between two samples of 60, on the straight line between them.
    assert whip == pytest.approx(0.3, rel=0.05)
    assert _measure(_make_leg(10.0 + 60.0 * seconds))["whip"] == pytest.approx(0.0, abs=1e-9)


def _drop(heights):
    """A foot of two points, one 5 cm higher, at heights (F,)."""
    lower = np.stack([0.0 * heights, 0.0 * heights, heights], axis=1)
    return np.stack([lower, lower + np.array([0.1, 0.0, 0.05])], axis=1)


def test_touch_down_is_the_way_of_the_last_two_samples_off_the_ground():
    # 4 cm, then 1 cm a sample in the air; the way into contact itself may be cut short by it.
    points = _drop(np.array([0.08, 0.04, 0.03, 0.0, 0.0]))
    assert seen_motion.measure_touch(points, _flat, 1.0) == pytest.approx(0.01 * 60.0)


def test_the_fastest_of_several_contacts_counts():
    points = _drop(np.array([0.06, 0.04, 0.0, 0.0, 0.07, 0.04, 0.0, 0.0]))
    assert seen_motion.measure_touch(points, _flat, 1.0) == pytest.approx(0.03 * 60.0)


def test_feet_that_never_come_down_touch_nothing():
    assert seen_motion.measure_touch(_drop(np.array([0.0, 0.0, 0.1, 0.2])), _flat, 1.0) == 0.0


def test_a_foot_that_passes_an_edge_closely_touches_nothing():
    assert seen_motion.measure_touch(_drop(np.array([0.1, 0.05, 0.0, 0.05])), _flat, 1.0) == 0.0


def test_on_a_slope_the_way_along_the_normal_counts():
    # Straight down onto 45 degrees.
    points = _drop(np.array([0.10, 0.06, 0.0, 0.0]))
    points[:, 1, 2] += 0.2
    touch = seen_motion.measure_touch(points, lambda x, y: x, 1.0)
    assert touch == pytest.approx(0.04 * 60.0 / np.sqrt(2.0))


def test_a_foot_that_comes_level_over_a_riser_does_not_touch_down_fast():
    """What the ground does below a foot is no way of the foot."""
    stairs = Course("stairs", np.array([[-9.0, 0.0], [0.0, 0.0], [0.0, 0.2], [9.0, 0.2]]), 1.0)
    ways = np.array([-0.3, -0.2, -0.05, 0.05, 0.15])
    points = np.stack([ways, 0.0 * ways, np.full(5, 0.205)], axis=1)[:, None]
    assert seen_motion.measure_touch(points, stairs.find_heights, 1.0) == 0.0


def test_normals_beside_an_edge_are_those_of_the_flatter_side():
    stairs = Course("stairs", np.array([[-9.0, 0.0], [0.0, 0.0], [0.0, 0.2], [9.0, 0.2]]), 1.0)
    places = np.array([[-0.001, 0.0, 0.5], [0.001, 0.0, 0.5]])
    normals = seen_motion.find_normals(places, stairs.find_heights, 1.0)
    np.testing.assert_allclose(normals, [[0.0, 0.0, 1.0]] * 2)


def test_the_least_gap_is_that_of_any_two_feet_in_any_frame():
    still = np.zeros((3, 2, 3))
    passing = still + np.array([0.0, 1.0, 0.0])
    passing[1, 1] = [0.3, 0.4, 0.0]
    feet = {"a": still, "b": still + np.array([0.0, 9.0, 0.0]), "c": passing}
    assert seen_motion.measure_least_gap(feet) == pytest.approx(0.5)


def test_the_deepest_point_in_the_ground_is_told():
    points = np.array([[[0.0, 0.0, 0.2], [0.0, 0.0, -0.03]], [[0.0, 0.0, -0.01], [0.0, 0.0, 1.0]]])
    assert seen_motion.measure_cut(points, lambda p: p[:, 2]) == pytest.approx(0.03)
    assert seen_motion.measure_cut(points + 1.0, lambda p: p[:, 2]) == 0.0
    assert seen_motion.measure_cut(points[:, :0], lambda p: p[:, 2]) == 0.0


_PERIOD = 20.5


def _bend(samples):
    """A knee's bend over cycles, degrees; told apart from itself at all other phases."""
    turns = 2.0 * np.pi * np.asarray(samples) / _PERIOD
    return 40.0 + 25.0 * np.sin(turns) + 8.0 * np.cos(2.0 * turns)


def _hold(lower, more, stands):
    """Numbers of a walk ahead of its clip by 7.25 samples, lower, and with knees bent while it stands."""
    samples = np.arange(60)
    hips = np.stack([0.1 * samples, 0.0 * samples, np.full(60, 1.0) - lower], axis=1)
    walk = _make_leg(_bend(samples + 7.25) + np.where(stands, more, 0.0), hips)
    clip = _make_leg(_bend(np.arange(23)))
    return seen_motion.measure_beside(walk, clip, _LEG, stands[:, None], _PERIOD, 2.0)


def test_a_walk_as_its_clip_is_held_as_it():
    numbers = _hold(0.0, 0.0, np.full(60, True))
    # Bends between two samples of the clip are on a straight line.
    assert numbers["crouch_worst"] == pytest.approx(0.0, abs=1e-9)
    assert numbers["squat_worst"] < 1.0


def test_lower_hips_are_told_as_shares_of_the_leg():
    lower = np.where(np.arange(60) < 15, 0.08, 0.04)
    numbers = _hold(lower, 0.0, np.full(60, True))
    assert numbers["crouch"] == pytest.approx(0.5 * (0.25 * 0.08 + 0.75 * 0.04))
    assert numbers["crouch_worst"] == pytest.approx(0.04)


def test_knees_are_told_of_legs_that_stand():
    stands = np.arange(60) % 20 < 4
    numbers = _hold(0.0, 12.0, stands)
    assert numbers["squat"] == pytest.approx(12.0, abs=0.5)
    assert _hold(0.0, 0.0, stands)["squat"] < 0.5
    assert _hold(0.0, 12.0, np.full(60, False))["squat"] == 0.0


def _make_body(pitch, ways, heights, width=0.4):
    """Four hips, fore and hind a metre apart, pitched by degrees, over places (F,) at heights (F,)."""
    along = 0.5 * np.array([np.cos(np.radians(pitch)), 0.0, np.sin(np.radians(pitch))])
    middles = np.stack([ways, 0.0 * ways, heights], axis=1)
    bones = np.zeros((len(ways), 4, 2, 3))
    for bone, (end, side) in enumerate(((1, 1), (1, -1), (-1, 1), (-1, -1))):
        bones[:, bone, 0] = middles + end * along + [0.0, 0.5 * side * width, 0.0]
    return bones, [np.array([bone]) for bone in range(4)]


def test_a_body_along_the_slope_is_not_pitched_against_it():
    ways = np.linspace(0.0, 3.0, 30)
    slope = np.tan(np.radians(20.0))

    def climb(x, y):
        return slope * x

    bones, joints = _make_body(20.0, ways, 1.0 + slope * ways)
    assert seen_motion.find_pitches(bones, joints) == pytest.approx(20.0)
    # Twice half a metre along the slope is a body of .94 m along the way.
    assert seen_motion.measure_pitch(bones, joints, climb, 0.0) == pytest.approx(0.0, abs=1e-6)
    level, _ = _make_body(0.0, ways, 1.0 + slope * ways)
    assert seen_motion.measure_pitch(level, joints, climb, 0.0) == pytest.approx(20.0)
    # The clip's own pitch is kept.
    assert seen_motion.measure_pitch(level, joints, climb, -5.0) == pytest.approx(15.0)


def test_stairs_are_as_steep_as_their_edges_under_a_body_of_whole_treads():
    ways = np.linspace(0.0, 3.0, 30)
    bones, joints = _make_body(0.0, ways, np.full(30, 1.0))

    def stairs(x, y):
        return 0.125 * np.floor(x / 0.25 + 1e-9)

    told = seen_motion.measure_pitch(bones, joints, stairs, 0.0)
    assert told == pytest.approx(np.degrees(np.arctan(0.5)), abs=1e-6)


def test_bodies_as_wide_as_long_have_no_pitch():
    bones, joints = _make_body(0.0, np.zeros(3), np.ones(3), width=1.2)
    assert seen_motion.find_pitches(bones, joints) is None
    assert seen_motion.measure_pitch(bones, joints, _flat, 0.0) is None
    two, legs = bones[:, :2], joints[:2]
    assert seen_motion.find_pitches(two, legs) is None
