# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways that turn back: how walks slow down, turn and go on; gentle ways stay as they are."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.travel.limits import WAY
from semi_procedural_locomotion.core.travel.speeds import SpeedCurve, TurnPace, pace_turns
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points

PACE = TurnPace(rate=np.radians(100.0), window=0.5, ramp=1.25)
CHOICES = {"facing": 0.0, "corner_radius": 0.75, "ramp_time": 1.25}


def bend(degrees, leg=3.0):
    angle = np.radians(degrees)
    return np.array([[0.0, 0.0], [leg, 0.0], [leg + leg * np.cos(angle), leg * np.sin(angle)]])


def speeds_of(travel):
    return np.hypot(*np.gradient(travel.positions[:, :2], travel.times, axis=0).T)


@pytest.mark.parametrize("degrees", [135.0, 150.0, 171.0, 176.0, 180.0, -171.0])
def test_sharp_corners_are_turned_no_faster_than_feet_do(degrees):
    travel = travel_from_points(bend(degrees), 1.0, WayChoices(turns=PACE, **CHOICES))
    rates = np.gradient(travel.yaws, travel.times)
    assert np.degrees(np.abs(rates)).max() < 103.0
    assert travel.yaws[-1] - travel.yaws[0] == pytest.approx(np.radians(degrees), abs=1e-9)
    speeds = speeds_of(travel)
    inner = (travel.times > 1.3) & (travel.times < travel.end - 1.3)
    assert speeds[inner].min() < 0.75
    assert speeds.max() == pytest.approx(1.0, rel=1e-3)
    assert np.allclose(travel.positions[-1, :2], bend(degrees)[-1], atol=1e-9)


def test_who_turns_back_does_so_at_the_corner():
    passed = []
    for degrees in (120.0, 140.0, 160.0, 174.0, 180.0):
        travel = travel_from_points(bend(degrees), 1.0, WayChoices(turns=PACE, **CHOICES))
        passed.append(np.hypot(*(travel.positions[:, :2] - [3.0, 0.0]).T).min())
    assert np.all(np.diff(passed) < 0.0)
    assert passed[-1] < 1e-3


@pytest.mark.parametrize("degrees", [15.0, 45.0, 90.0, 110.0])
def test_corners_that_feet_follow_are_walked_as_ever(degrees):
    plain = travel_from_points(bend(degrees), 1.0, WayChoices(**CHOICES))
    paced = travel_from_points(bend(degrees), 1.0, WayChoices(turns=PACE, **CHOICES))
    assert np.array_equal(plain.times, paced.times)
    assert np.array_equal(plain.positions, paced.positions)
    assert np.array_equal(plain.yaws, paced.yaws)


def test_hairpins_in_a_row_with_short_legs_are_walked_smoothly_to_their_end():
    points = np.array(
        [[0, 0], [3, 0], [0.1, 0.4], [3, 0.8], [2.9, 1.0], [3.1, 1.1], [2.9, 1.2], [6, 1.2]], float
    )
    travel = travel_from_points(points, 1.0, WayChoices(turns=PACE, **CHOICES))
    assert np.degrees(np.abs(np.gradient(travel.yaws, travel.times))).max() < 108.0
    speeds = speeds_of(travel)
    assert np.all(np.isfinite(speeds))
    assert speeds.max() < 1.01
    # Where the way turns back it is walked at a crawl, so that no velocity jumps.
    velocities = np.gradient(travel.positions[:, :2], travel.times, axis=0)
    assert np.hypot(*np.diff(velocities, axis=0).T).max() < 0.2
    assert np.allclose(travel.positions[-1, :2], [6.0, 1.2], atol=1e-9)


def test_slowing_down_begins_before_the_turn_and_ends_after_it():
    travel = travel_from_points(bend(180.0), 1.0, WayChoices(turns=PACE, **CHOICES))
    speeds, rates = speeds_of(travel), np.abs(np.gradient(travel.yaws, travel.times))
    turning = np.flatnonzero(rates > 0.05)
    slow = np.flatnonzero(
        (speeds < 0.97) & (travel.times > 1.3) & (travel.times < travel.end - 1.3)
    )
    assert slow[0] < turning[0] - 0.3 * 240.0
    assert slow[-1] > turning[-1] + 0.3 * 240.0


def test_turning_back_mirrors_left_and_right():
    left = travel_from_points(bend(160.0), 1.0, WayChoices(turns=PACE, **CHOICES))
    right = travel_from_points(bend(-160.0), 1.0, WayChoices(turns=PACE, **CHOICES))
    assert np.allclose(left.positions * [1, -1, 1], right.positions, atol=1e-9)
    assert np.allclose(left.yaws, -right.yaws, atol=1e-9)


def test_shakes_of_a_drawn_line_slow_nothing():
    places = np.linspace(0.0, 6.0, 301)
    shaken = np.stack([places, 0.004 * np.sin(np.arange(301) * 2.1)], axis=1)
    choices = {**CHOICES, "bend": WAY.bend}
    plain = travel_from_points(shaken, 1.0, WayChoices(**choices))
    paced = travel_from_points(shaken, 1.0, WayChoices(turns=PACE, **choices))
    assert plain.end == paced.end


def test_keyed_speeds_slow_down_too_and_slow_ones_less():
    quick = SpeedCurve(np.array([0.0]), np.array([1.0]))
    slow = SpeedCurve(np.array([0.0]), np.array([0.2]))
    for curve, share in ((quick, 1.1), (slow, 1.0)):
        plain = travel_from_points(bend(140.0), curve, WayChoices(**CHOICES))
        paced = travel_from_points(bend(140.0), curve, WayChoices(turns=PACE, **CHOICES))
        assert paced.end >= share * plain.end
        assert np.degrees(np.abs(np.gradient(paced.yaws, paced.times))).max() < 103.0
    assert paced.end == pytest.approx(plain.end)


def test_a_way_without_a_pace_of_turns_has_the_effort_of_its_length():
    line, headings = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), np.array([0.0, 1.0, 1.5])
    paced = pace_turns(line, headings, 1.0, None)
    assert np.array_equal(paced.efforts, [0.0, 1.0, 2.0])
    assert np.array_equal(paced.line, line)
