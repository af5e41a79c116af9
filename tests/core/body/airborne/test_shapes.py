# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of jumps, against what they are by hand."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.airborne.shapes import (
    arch,
    descend,
    find_easiest_flight,
    find_give_span,
    fly,
    give_way,
)


@pytest.mark.parametrize("power", [3, 5])
def test_what_gives_way_begins_with_slope_one_and_ends_flat(power):
    span, step = 0.9, 1e-5
    times = np.array([-0.1, 0.0, step, span - step, span, 2.0])
    curve = give_way(times, span, power)
    assert curve[[0, 1, 4, 5]] == pytest.approx(0.0, abs=1e-12)
    assert curve[2] / step == pytest.approx(1.0, abs=1e-4)
    assert curve[3] < step**2
    inside = np.linspace(0.0, span, 9001)
    tops = give_way(inside, span, power)
    assert inside[np.argmax(tops)] == pytest.approx(span / (power + 1), abs=1e-3)
    assert find_give_span(float(tops.max()), power) == pytest.approx(span, rel=1e-6)


def test_what_flies_has_the_acceleration_of_gravity_and_meets_both_ends():
    times = np.linspace(0.0, 0.5, 101)
    heights = fly(times, 0.5, -0.4, 9.81)
    assert heights[[0, -1]] == pytest.approx([0.0, -0.4])
    assert np.diff(heights, 2) / 0.005**2 == pytest.approx(-9.81)


@pytest.mark.parametrize(("distance", "rise"), [(1.0, 0.0), (1.5, 0.6), (0.8, -0.5), (3.0, -1.0)])
def test_the_easiest_flight_needs_the_least_speed(distance, rise):
    def find_speed(flight):
        return np.hypot(distance / flight, rise / flight + 0.5 * 9.81 * flight)

    flight = find_easiest_flight(distance, rise, 9.81)
    assert find_speed(flight) < min(find_speed(0.97 * flight), find_speed(1.03 * flight))


def test_nobody_is_pushed_down_and_a_fall_takes_its_time():
    assert find_easiest_flight(0.0, -1.0, 9.81) == pytest.approx(np.sqrt(2.0 / 9.81))


def test_arches_have_their_top_at_one_and_flat_ends_where_asked():
    share = np.linspace(0.0, 1.0, 1001)
    for begins, ends in ((1.0, 1.0), (2.0, 1.0), (1.0, 2.0)):
        curve = arch(share, np.full(1001, begins), np.full(1001, ends))
        assert curve.max() == pytest.approx(1.0, abs=1e-5)
        assert (curve[1] < 1e-4) == (begins > 1.0)
        assert (curve[-2] < 1e-4) == (ends > 1.0)


def test_what_descends_has_the_slopes_that_it_is_given():
    share = np.array([0.0, 1e-6, 0.4, 1.0 - 1e-6, 1.0])
    ones = np.ones(5)
    assert descend(share, ones, ones) == pytest.approx(share)
    mixed = descend(share, 0.0 * ones, ones)
    assert mixed[[0, -1]] == pytest.approx([0.0, 1.0])
    assert mixed[1] < 1e-10
    assert (1.0 - mixed[3]) / 1e-6 == pytest.approx(1.0, rel=1e-3)
