# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When steered legs step and stay, worked out by hand for one leg."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.steering.state import (
    LegTimes,
    begin_legs,
    find_start,
    move_legs,
    park_legs,
)

KEYS = np.array([[0.2, 0.3, 0.7, 0.8]])
YES, NO = np.array([True]), np.array([False])


def stand(own, designated=None, parked=NO):
    at = own if designated is None else designated
    return LegTimes(np.array([at]), np.array([own]), parked, KEYS)


def test_foot_goes_with_the_common_phase():
    times, is_new = move_legs(stand(3.4, 3.4), np.array([3.5]), KEYS, 1.0, 0.1)
    assert not is_new[0]
    assert times.numbers[0] == 3
    # Its own time is a share of the step.
    late = replace(stand(0.4, 3.4))
    times, _ = move_legs(late, np.array([3.5]), KEYS, 1.0, 0.1)
    assert times.own[0] == pytest.approx(0.5)


def test_late_foot_is_in_time_to_strike():
    times = stand(0.0, 0.3)
    seen = []
    for number in range(1, 9):
        times, _ = move_legs(times, np.array([0.3 + 0.05 * number]), KEYS, 1.0, 0.05)
        seen.append(float(times.own[0]))
    # It goes the way of 0.7 in the time of 0.4, evenly, and with the phase from there.
    np.testing.assert_allclose(np.diff([0.0, *seen])[:7], 0.7 / 8, atol=1e-9)
    assert seen[-1] == pytest.approx(0.7)
    times, _ = move_legs(times, np.array([0.75]), KEYS, 1.0, 0.05)
    assert times.own[0] == pytest.approx(0.75)


def test_stance_that_is_set_back_makes_no_second_step():
    first, is_new = move_legs(stand(0.98, 1.98), np.array([2.01]), KEYS, 1.0, 0.03)
    assert is_new[0]
    back, again = move_legs(first, np.array([1.97]), KEYS, 1.0, 0.03)
    assert not again[0]
    assert back.designated[0] == 2.01


def test_feet_on_their_way_keep_their_key_times():
    later = KEYS + 0.1
    flying, _ = move_legs(stand(0.25, 0.25), np.array([0.3]), later, 1.0, 0.05)
    standing, _ = move_legs(stand(0.1, 0.1), np.array([0.15]), later, 1.0, 0.05)
    np.testing.assert_array_equal(flying.keys, KEYS)
    np.testing.assert_array_equal(standing.keys, later)


def test_foot_is_parked_where_its_next_print_is_where_it_stands():
    new, is_new = move_legs(stand(0.99, 1.99), np.array([2.01]), KEYS, 1.0, 0.02)
    parked = park_legs(new, is_new, NO)
    assert parked.parked[0]
    assert parked.own[0] == 0.0
    assert not parked.lifting[0]
    assert not park_legs(new, is_new, YES).parked[0]


@pytest.mark.parametrize(("at", "starts"), [(2.1, True), (2.45, True), (2.55, False), (2.9, False)])
def test_parked_foot_starts_while_there_is_time_for_its_flight(at, starts):
    times = park_legs(stand(0.0, at, parked=YES), NO, YES)
    assert times.parked[0] is not np.bool_(starts)
    assert times.own[0] == 0.0


def test_walk_starts_with_a_foot_a_tenth_of_a_cycle_after_it_would_have_left():
    stances = np.array([0.1, 0.6])
    legs = begin_legs(2.35, stances, np.repeat(KEYS, 2, axis=0))
    phase = find_start(legs, 2.35, stances, 1)
    assert phase == pytest.approx(0.6 + 0.3 + 0.1 + 2.0)
    assert np.all(legs.parked)
