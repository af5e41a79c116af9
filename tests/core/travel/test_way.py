# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels: continuation, points, corners, speed ramps."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.travel.limits import WAY
from semi_procedural_locomotion.core.travel.speeds import Ease, SpeedCurve
from semi_procedural_locomotion.core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    straight_travel_at_speeds,
    travel_from_points,
)
from semi_procedural_locomotion.errors import SettingError, TravelError
from semi_procedural_locomotion.notes import NoteKind


def make_circle(radius=2.0, speed=1.5, count=61):
    times = np.linspace(0.0, 2.0, count)
    angle = speed / radius * times
    positions = np.stack([radius * np.sin(angle), radius * (1 - np.cos(angle)), 0 * angle], 1)
    return Travel(times, positions, angle)


def test_samples_are_met_exactly():
    travel = make_circle()
    positions, yaws = travel.evaluate(travel.times)
    assert np.allclose(positions, travel.positions, atol=1e-12)
    assert np.allclose(yaws, travel.yaws, atol=1e-12)


def test_between_samples_a_circle_is_followed():
    travel = make_circle()
    times = np.linspace(0.1, 1.9, 77)
    positions, _ = travel.evaluate(times)
    distance = np.hypot(positions[:, 0], positions[:, 1] - 2.0)
    assert np.abs(distance - 2.0).max() < 1e-5


@pytest.mark.parametrize("time", [-1.0, -0.25, 2.5, 4.0])
def test_beyond_the_ends_the_circle_goes_on(time):
    positions, yaws = make_circle().evaluate(np.array([time]))
    angle = 0.75 * time
    expected = [2.0 * np.sin(angle), 2.0 * (1 - np.cos(angle))]
    assert np.allclose(positions[0, :2], expected, atol=2e-3)
    assert yaws[0] == pytest.approx(angle, abs=1e-6)


def test_a_single_sample_stands():
    travel = Travel(np.zeros(1), np.array([[1.0, 2.0, 3.0]]), np.array([0.5]))
    positions, yaws = travel.evaluate(np.array([-1.0, 5.0]))
    assert np.allclose(positions, [[1, 2, 3], [1, 2, 3]])
    assert np.allclose(yaws, 0.5)


def test_straight_travel_runs_at_its_velocity_in_the_turned_frame():
    travel = make_straight_travel(np.zeros(3), np.pi / 2, np.array([0.0, 2.0]), 1.0, 3.0)
    positions, _ = travel.evaluate(np.array([1.0, 2.0, 5.0]))
    assert np.allclose(positions[:, :2], [[0, 0], [-2, 0], [-8, 0]], atol=1e-9)


def test_points_start_and_stop_standing_and_cover_the_whole_line():
    travel = travel_from_points(
        np.array([[0.0, 0.0], [0.0, 6.0]]),
        1.5,
        WayChoices(facing=np.pi / 2, corner_radius=0.5, ramp_time=1.0, start_time=2.0),
    )
    assert travel.start == 2.0
    # Cruise of 6 m - 1.5 m in the two ramps at 1.5 m/s, and the ramps themselves.
    assert travel.end - travel.start == pytest.approx(4.5 / 1.5 + 2.0)
    speed = np.gradient(travel.positions[:, 1], travel.times)
    assert speed[0] < 0.01
    assert speed[-1] < 0.01
    assert speed.max() == pytest.approx(1.5, rel=1e-3)
    assert np.allclose(travel.positions[-1], [0, 6, 0], atol=1e-9)
    assert np.allclose(travel.yaws, 0.0)
    assert np.allclose(travel.evaluate(np.array([100.0]))[0], [[0, 6, 0]], atol=0.05)


def test_a_line_too_short_for_full_speed_is_still_walked_from_rest_to_rest():
    travel = travel_from_points(
        np.array([[0.0, 0.0], [0.3, 0.0]]),
        1.5,
        WayChoices(facing=0.0, corner_radius=0.5, ramp_time=1.0),
    )
    speed = np.gradient(travel.positions[:, 0], travel.times)
    assert 0.2 < speed.max() < 1.5
    assert travel.positions[-1, 0] == pytest.approx(0.3)


def test_corners_become_arcs_and_the_heading_turns_with_them():
    travel = travel_from_points(
        np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]),
        1.0,
        WayChoices(
            facing=0.0, corner_radius=1.0, ramp_time=0.5, start_standing=False, stop_standing=False
        ),
    )
    assert travel.yaws[0] == pytest.approx(0.0)
    assert travel.yaws[-1] == pytest.approx(np.pi / 2)
    assert np.abs(np.diff(travel.yaws)).max() < 0.05
    corner = np.hypot(*(travel.positions[:, :2] - [3.0, 1.0]).T)
    turning = (travel.yaws > 0.01) & (travel.yaws < np.pi / 2 - 0.01)
    assert np.abs(corner[turning] - 1.0).max() < 0.01


def test_a_shift_and_a_turn_of_the_points_shift_and_turn_the_travel():
    points = np.array([[0.0, 0.0], [3.0, 0.0], [4.0, 2.0]])
    options = {"corner_radius": 0.5, "ramp_time": 0.7}
    plain = travel_from_points(points, 1.2, WayChoices(facing=0.3, **options))
    cosine, sine = np.cos(0.9), np.sin(0.9)
    turned = points @ np.array([[cosine, sine], [-sine, cosine]]) + [5.0, -2.0]
    other = travel_from_points(turned, 1.2, WayChoices(facing=0.3, **options))
    expected = plain.positions[:, :2] @ np.array([[cosine, sine], [-sine, cosine]]) + [5.0, -2.0]
    assert np.allclose(other.positions[:, :2], expected, atol=1e-9)
    assert np.allclose(np.exp(1j * other.yaws), np.exp(1j * (plain.yaws + 0.9)), atol=1e-9)


@pytest.mark.parametrize(
    ("points", "speed", "words"),
    [
        ([[0, 0]], 1.0, "two different points"),
        ([[0, 0], [0, 0]], 1.0, "two different points"),
        ([[0, 0], [1, 0]], 0.0, "speed must be above 0"),
        ([[0, 0], [1, np.nan]], 1.0, "list of"),
        ([0, 1, 2], 1.0, "list of"),
    ],
)
def test_bad_points_are_refused_in_words(points, speed, words):
    with pytest.raises(TravelError, match=words):
        travel_from_points(
            np.array(points, dtype=float),
            speed,
            WayChoices(facing=0.0, corner_radius=0.5, ramp_time=1.0),
        )


def test_bad_samples_are_refused():
    with pytest.raises(TravelError, match="no samples"):
        Travel(np.zeros(0), np.zeros((0, 3)), np.zeros(0))
    with pytest.raises(ValueError, match="must increase"):
        Travel(np.zeros(2), np.zeros((2, 3)), np.zeros(2))
    with pytest.raises(TravelError, match="not finite"):
        Travel(np.arange(2.0), np.full((2, 3), np.nan), np.zeros(2))


def test_a_way_without_end_is_refused_with_its_time():
    with pytest.raises(TravelError, match=r"takes longer than an hour at 0\.001 m/s") as refusal:
        travel_from_points(
            np.array([[0.0, 0.0], [10.0, 0.0]]),
            0.001,
            WayChoices(facing=0.0, corner_radius=0.0, ramp_time=1.0),
        )
    assert "walk faster" in str(refusal.value)


CIRCLE = np.stack(
    [2.0 * np.cos(np.linspace(0, 2 * np.pi, 97)), 2.0 * np.sin(np.linspace(0, 2 * np.pi, 97))], 1
)
ROUND = {"facing": 0.0, "corner_radius": 0.5, "ramp_time": 1.0, "bend": WAY.bend}


@pytest.mark.parametrize("rounds", [0.5, 1.0, 2.0, 2.25])
def test_a_closed_line_is_walked_so_many_times(rounds):
    travel = travel_from_points(CIRCLE, 1.5, WayChoices(rounds=rounds, **ROUND))
    angle = 2 * np.pi * rounds
    assert travel.yaws[-1] - travel.yaws[0] == pytest.approx(angle, abs=0.07)
    assert np.allclose(travel.positions[-1, :2], [2 * np.cos(angle), 2 * np.sin(angle)], atol=2e-3)
    assert np.allclose(np.hypot(*travel.positions[:, :2].T), 2.0, atol=2e-3)
    # Where the rounds meet, the walk goes on as elsewhere.
    speeds = np.hypot(*np.gradient(travel.positions[:, :2], travel.times, axis=0).T)
    inner = (travel.times > 1.01) & (travel.times < travel.end - 1.01)
    assert np.ptp(speeds[inner]) < 0.01
    turns = np.gradient(travel.yaws, travel.times)
    assert np.allclose(turns[inner], 1.5 / 2.0, atol=0.4)


def test_an_open_line_is_walked_once():
    points = np.array([[0.0, 0.0], [3.0, 0.0]])
    assert travel_from_points(points, 1.0, WayChoices(rounds=3.0, **ROUND)).positions[
        -1, 0
    ] == pytest.approx(3)


def test_a_closed_line_of_no_rounds_is_walked_until_its_time_ends():
    travel = travel_from_points(
        CIRCLE, 1.5, WayChoices(rounds=0.0, start_time=1.0, end_time=31.0, **ROUND)
    )
    assert (travel.start, travel.end) == (1.0, 31.0)
    walked = np.hypot(*np.diff(travel.positions[:, :2], axis=0).T).sum()
    assert walked == pytest.approx(1.5 * 29.0, rel=2e-3)


def test_a_round_has_no_straight_corner_where_it_closes():
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0], [0.0, 0.0]])
    options = {**ROUND, "bend": 0.0}
    travel = travel_from_points(square, 1.0, WayChoices(rounds=2.0, **options))
    second = travel.times > 0.5 * (travel.start + travel.end) - 3.0
    away = np.hypot(*travel.positions[second, :2].T)
    seam = away[: len(away) // 2].min()
    assert 0.1 < seam < 0.3


def test_a_kept_heading_stays_while_the_way_turns():
    travel = travel_from_points(CIRCLE, 1.5, WayChoices(keep_heading=True, **ROUND))
    assert np.all(travel.yaws == 0.0)
    assert np.ptp(travel.positions[:, 0]) == pytest.approx(4.0, abs=1e-2)


def test_bends_turn_evenly_and_corners_within_their_radius():
    travel = travel_from_points(CIRCLE, 1.5, WayChoices(**{**ROUND, "ramp_time": 0.1}))
    inner = slice(60, -60)
    assert np.gradient(travel.yaws, travel.times)[inner] == pytest.approx(0.75, rel=0.02)
    corner = travel_from_points(
        np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]), 1.0, WayChoices(**ROUND)
    )
    turning = (corner.yaws > 0.01) & (corner.yaws < 1.56)
    assert np.hypot(*(corner.positions[turning, :2] - [4.0, 0.0]).T).max() < 0.6


def test_a_keyed_speed_goes_the_line_and_says_where_it_ends():
    curve = SpeedCurve(np.array([0.0, 2.0, 3.0]), np.array([1.0, 1.0, 0.0]))
    points = np.array([[0.0, 0.0], [10.0, 0.0]])
    travel = travel_from_points(points, curve, WayChoices(start_standing=False, **ROUND))
    assert travel.positions[-1, 0] == pytest.approx(2.5, abs=1e-2)
    (note,) = travel.notes
    assert note.kind is NoteKind.SPEED_ENDS
    assert note.values == pytest.approx({"distance": 2.5, "length": 10.0}, abs=1e-2)
    faster = SpeedCurve(np.array([0.0, 2.0]), np.array([1.0, 3.0]))
    assert not travel_from_points(points, faster, WayChoices(**ROUND)).notes


def test_straight_on_at_keyed_speeds():
    curve = SpeedCurve(np.array([1.0, 3.0]), np.array([0.0, 2.0]))
    moving = Ease(0.0, start_standing=False, stop_standing=False)
    place = np.array([1.0, 0.0, 0.5])
    travel = straight_travel_at_speeds(place, 0.0, np.pi / 2, curve, moving, (1.0, 4.0))
    assert np.allclose(travel.positions[-1], [1.0, 4.0, 0.5], atol=1e-3)
    assert (travel.start, travel.end) == (1.0, 4.0)
    eased = straight_travel_at_speeds(place, 0.0, np.pi / 2, 2.0, Ease(0.5), (1.0, 4.0))
    assert np.allclose(eased.positions[-1], [1.0, 5.0, 0.5], atol=1e-3)
    speeds = np.diff(eased.positions[:, 1]) / np.diff(eased.times)
    assert max(speeds[0], speeds[-1]) < 0.01
    assert speeds[len(speeds) // 2] == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"rounds": -1.0}, "rounds must be"), ({"ramp_time": -1.0}, "ease must be")],
)
def test_bad_rounds_and_eases_are_refused_in_words(changed, words):
    with pytest.raises(SettingError, match=words):
        travel_from_points(CIRCLE, 1.0, WayChoices(**{**ROUND, **changed}))
