# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of steps laid out from numbers."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import (
    StepPattern,
    lay_out_steps,
    measure_gait,
)
from semi_procedural_locomotion.errors import TravelError
from tests.core.walkers import make_walker, native_walk

ORIGIN = np.zeros(3)


@pytest.fixture
def gait():
    rig, motions = make_walker()
    return measure_gait(rig, native_walk(motions))


def test_a_gait_has_its_legs_half_a_cycle_apart_on_both_sides(gait):
    first, second = gait.order
    assert gait.follow(first) == second
    assert gait.follow(second) == first
    assert gait.advance(first, second) == pytest.approx(0.5, abs=0.03)
    assert gait.advance(first, first) == 1.0
    assert gait.middles[0, 1] * gait.middles[1, 1] < 0


def test_body_and_step_belong_to_each_other(gait):
    middle, heading = gait.place_step(1, np.array([1.0, 2.0]), 0.7)
    place, direction = gait.place_body(1, middle, heading)
    assert place == pytest.approx((1.0, 2.0))
    assert direction == pytest.approx(0.7)


def test_straight_steps_are_a_stride_apart_and_rise(gait):
    steps = lay_out_steps(gait, StepPattern(6, stride=1.0, rise=0.1, first=1), ORIGIN, 0.0)
    assert [s.leg for s in steps] == [1, 0] * 3
    middles = np.array([s.middle for s in steps])
    assert np.allclose(middles[2:, 0] - middles[:-2, 0], 1.0)
    assert np.allclose(middles[2:, 1], middles[:-2, 1])
    assert np.allclose(middles[:, 2], 0.1 * np.arange(1, 7))


def test_long_strides_grow_from_those_of_a_start(gait):
    steps = lay_out_steps(gait, StepPattern(16, stride=3.0, standing_stride=1.0), ORIGIN, 0.0)
    ahead = np.diff([s.middle[0] for s in steps])
    assert ahead[0] < 1.0
    assert ahead[6:9] == pytest.approx(np.full(3, 1.5), abs=0.05)
    assert np.all(np.diff(ahead[:4]) > 0)
    assert np.all(np.diff(ahead[-4:]) < 0)
    same = lay_out_steps(gait, StepPattern(16, stride=0.5, standing_stride=1.0), ORIGIN, 0.0)
    assert np.diff([s.middle[0] for s in same]) == pytest.approx(np.full(15, 0.25), abs=0.02)


def test_width_is_a_share_of_the_walk_s_own(gait):
    narrow = lay_out_steps(gait, StepPattern(2, width=0.0), ORIGIN, 0.0)
    assert all(abs(s.middle[1]) < 1e-12 for s in narrow)


def test_turning_steps_lie_on_a_circle(gait):
    turn = np.radians(15.0)
    steps = lay_out_steps(gait, StepPattern(24, stride=1.0, turn=turn), ORIGIN, 0.0)
    bodies = np.array([gait.place_body(s.leg, s.middle, s.heading)[0] for s in steps])
    sizes = np.hypot(*(bodies - bodies.mean(axis=0)).T)
    assert np.ptp(sizes) < 0.03 * sizes.mean()
    assert steps[-1].heading - steps[1].heading == pytest.approx(22 * turn)


def test_along_a_line_steps_follow_it_and_end_with_it(gait):
    line = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 1.0], [3.0, 3.0, 1.0]])
    steps = lay_out_steps(gait, StepPattern(100, stride=1.0), ORIGIN, 0.0, line)
    assert len(steps) == 12
    assert steps[0].heading == pytest.approx(gait.turns[0], abs=0.05)
    assert steps[-1].heading == pytest.approx(np.pi / 2 + gait.turns[steps[-1].leg])
    assert steps[-1].middle[2] == pytest.approx(1.0)
    with pytest.raises(TravelError, match="shorter than one step"):
        lay_out_steps(gait, StepPattern(2, stride=9.0), ORIGIN, 0.0, line[:2] * 0.1)


def test_the_first_leg_follows_the_longest_pause():
    rig, motions = make_walker(legs=4)
    walk = native_walk(motions)
    stances = (0.95, 0.5, 0.05, 0.55)
    legs = tuple(replace(leg, stance=s) for leg, s in zip(walk.legs, stances, strict=True))
    assert measure_gait(rig, replace(walk, legs=legs)).order == (1, 3, 0, 2)


def test_four_legs_step_in_the_order_of_their_walk():
    rig, motions = make_walker(legs=4)
    gait = measure_gait(rig, native_walk(motions))
    steps = lay_out_steps(gait, StepPattern(8, first=gait.order[0]), ORIGIN, 0.0)
    assert [s.leg for s in steps] == [*gait.order, *gait.order]
    cycle = np.array([b.middle - a.middle for a, b in zip(steps[:4], steps[4:], strict=True)])
    assert np.allclose(cycle, (gait.stride, 0.0, 0.0))


@pytest.mark.parametrize("standing", [None, 0.5])
def test_a_run_without_a_count_is_as_long_as_its_line(gait, standing):
    line = np.array([[0.0, 0.0, 0.0], [20.0, 0.0, 0.0]])
    long = 1.6 * gait.stride
    pattern = StepPattern(None, stride=long, standing_stride=standing and standing * long)
    steps = lay_out_steps(gait, pattern, ORIGIN, 0.0, line)
    last, _ = gait.place_body(steps[-1].leg, steps[-1].middle, steps[-1].heading)
    assert 20.0 - 0.6 * long < last[0] <= 20.0 + 1e-6
    with pytest.raises(TravelError, match="needs a number of steps"):
        lay_out_steps(gait, pattern, ORIGIN, 0.0)
