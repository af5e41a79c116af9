# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies that go as they are told, where they will be, and how they are seen to move."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.steering.motor import (
    AHEAD,
    RUN,
    SIDE_LEFT,
    SIDE_RIGHT,
    TURN_LEFT,
    Controls,
    KeyPress,
    MotorPace,
    MovingBody,
    Wish,
    foresee,
    hold_keys,
    move_body,
    read_controls,
    read_wish,
)
from semi_procedural_locomotion.core.steering.state import swing_to

PACE = MotorPace(
    forward=np.array([0.0, 1.0]),
    walk=1.0,
    run=3.0,
    back=0.7,
    side=0.5,
    acceleration=2.0,
    turn_rate=1.5,
)
STILL = MovingBody(0.0, np.zeros(2), 0.0, np.zeros(2), 0.0)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_body_that_turns_goes_round_a_circle_to_either_side(side):
    """A quarter turn about a centre at v / w: 2 m/s with 1 rad/s is a circle of 2 m."""
    turning = replace(STILL, velocity=np.array([0.0, 2.0]), turn_rate=side)
    wish = Wish(turning.velocity, side, 1.0, 1.0)
    places, yaws, _, _ = foresee(turning, wish, np.array([np.pi / 2]))
    np.testing.assert_allclose(places[0], [-2.0 * side, 2.0], atol=1e-12)
    assert yaws[0] == pytest.approx(side * np.pi / 2)


def test_slight_turns_are_nearly_straight_without_a_jump():
    for rate in (0.0, 0.9e-4, 1.1e-4, 2e-4):
        body = replace(STILL, velocity=np.array([0.0, 1.0]), turn_rate=rate)
        places, _, _, _ = foresee(body, Wish(body.velocity, rate, 1.0, 1.0), np.ones(1))
        assert places[0, 0] == pytest.approx(-0.5 * rate, abs=1e-11)


def test_body_is_where_it_was_foreseen_to_be():
    """Straight on, small moves and one look ahead are the same: 0.5 s to 1 m/s, then evenly on."""
    wish = read_wish(PACE, STILL, Controls(ahead=1.0))
    body = STILL
    for _ in range(60):
        body = move_body(body, wish, 1.0 / 40.0)
    places, _, velocities, _ = foresee(STILL, wish, np.array([1.5, 0.25]))
    np.testing.assert_allclose(places, [[0.0, 1.25], [0.0, 0.0625]], atol=1e-9)
    np.testing.assert_allclose(velocities, [[0.0, 1.0], [0.0, 0.5]], atol=1e-12)
    np.testing.assert_allclose(body.position, places[0], atol=1e-9)
    assert body.time == pytest.approx(1.5)


def test_body_stops_sooner_where_it_is_told_to():
    going = replace(STILL, velocity=np.array([0.0, 1.0]))
    ways = [
        foresee(going, read_wish(PACE, going, controls), np.array([5.0]))[0][0, 1]
        for controls in (Controls(), Controls(ahead=1.0, stop=True))
    ]
    # v squared over twice the slowing, which is 1.5 and 3 times the acceleration.
    np.testing.assert_allclose(ways, [1.0 / 6.0, 1.0 / 12.0], atol=1e-9)


def test_keys_say_what_is_asked_for():
    assert read_controls({AHEAD, SIDE_LEFT, RUN}) == Controls(ahead=1.0, left=1.0, run=True)
    assert read_controls({SIDE_LEFT, SIDE_RIGHT, TURN_LEFT}) == Controls(turn=1.0)
    run = read_wish(PACE, STILL, read_controls({AHEAD, RUN}))
    np.testing.assert_allclose(run.velocity, [0.0, 3.0])
    slanted = read_wish(PACE, STILL, read_controls({AHEAD, SIDE_RIGHT}))
    np.testing.assert_allclose(slanted.velocity, np.array([0.5, 1.0]) / np.sqrt(2.0))
    crouched = read_wish(PACE, STILL, Controls(ahead=1.0, crouch=True))
    assert 0.0 < np.linalg.norm(crouched.velocity) < 1.0


def test_keys_are_held_from_press_to_release():
    presses = [KeyPress(2.0, AHEAD, is_pressed=False), KeyPress(0.5, AHEAD), KeyPress(1.0, RUN)]
    assert [hold_keys(presses, t) for t in (0.0, 0.5, 1.5, 2.0)] == [
        frozenset(),
        {AHEAD},
        {AHEAD, RUN},
        {RUN},
    ]
    with pytest.raises(ValueError, match="jump"):
        KeyPress(0.0, "jump")


def test_spring_goes_to_its_goal_without_overshoot_at_any_rate():
    value, rate = swing_to(0.0, 0.0, 1.0, 10.0, 0.2)
    # 1 - (1 + k t) exp(-k t), and its derivative k k t exp(-k t), with k t = 2.
    assert value == pytest.approx(1.0 - 3.0 * np.exp(-2.0))
    assert rate == pytest.approx(20.0 * np.exp(-2.0))
    steps = (0.0, 0.0)
    for _ in range(20):
        steps = swing_to(*steps, 1.0, 10.0, 0.01)
        assert steps[0] < 1.0
    assert steps == pytest.approx((value, rate))
