# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks along the footsteps of a plan: the plan's own way and times, bent where steps were moved."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import LaidStep, StepPattern
from semi_procedural_locomotion.core.footsteps.planned import (
    PlannedStep,
    PlannedWay,
    goes_as_planned,
    travel_as_planned,
)
from semi_procedural_locomotion.core.footsteps.timing import StepTiming
from semi_procedural_locomotion.core.footsteps.travel import StepWalkChoices
from semi_procedural_locomotion.core.maths import rotations as rot
from tests.core.footsteps.test_travel import Course


class PlannedCourse(Course):
    """A walk along footsteps, as if another travel had planned it."""

    def __init__(self):
        super().__init__(pattern=StepPattern(10))
        grid = np.arange(self.travel.start, self.travel.end, 1 / 120)
        positions, yaws = self.travel.evaluate(grid)
        phases = np.interp(grid, self.travel.times, self.travel.phases)
        shown = (float(grid[0]), float(grid[-1]))
        self.way = PlannedWay(grid, positions, yaws, phases, shown, self.pace.factor)
        times = self.result.instants
        self.planned = [PlannedStep(s, float(t)) for s, t in zip(self.steps, times, strict=True)]

    def follow(self, steps, pace=None, **choices):
        """The travel along these steps."""
        start = (np.zeros(3), self.gait.facing)
        asked = StepWalkChoices(start=start, start_time=1.0, **choices)
        return travel_as_planned(self.gait, steps, self.planned, self.way, pace or self.pace, asked)


@pytest.fixture(scope="module")
def course():
    return PlannedCourse()


def test_steps_where_they_were_planned_change_nothing(course):
    assert goes_as_planned(course.steps, course.planned)
    result = course.follow(course.steps)
    assert result.travel.times == pytest.approx(course.way.times, abs=1e-9)
    assert result.travel.positions[:, :2] == pytest.approx(course.way.positions[:, :2], abs=1e-12)
    assert result.travel.shown == pytest.approx(course.way.shown)
    assert result.instants == pytest.approx(course.result.instants, abs=1e-9)


def move(step, aside):
    """A step that was moved."""
    return LaidStep(step.leg, step.middle + aside, step.heading)


def test_a_moved_step_bends_the_way_beside_it_and_nowhere_else(course):
    aside = np.array([0.2, 0.0, 0.0])
    steps = [move(s, aside) if n == 5 else s for n, s in enumerate(course.steps)]
    travel = course.follow(steps).travel
    away = np.abs(travel.positions - course.way.positions)[:, 0]
    times = course.result.instants
    at = np.interp(times, course.way.times, away)
    assert 0.08 < at[5] < 0.2
    assert at[:3].max() < 1e-4
    assert at[8:].max() < 1e-4
    assert travel.end - travel.start == pytest.approx(np.ptp(course.way.times), abs=0.1)


def test_steps_that_turn_with_their_set_take_the_way_with_them_to_its_ends(course):
    turn, shift = 0.6, np.array([9.8, 1.0, 0.0])
    turned = rot.quaternions_from_yaws(turn)
    steps = [
        LaidStep(s.leg, rot.rotate(turned, s.middle) + shift, s.heading + turn)
        for s in course.steps
    ]
    travel = course.follow(steps).travel
    carried = rot.rotate(turned, course.way.positions) + shift
    assert travel.positions[:, :2] == pytest.approx(carried[:, :2], abs=1e-9)
    assert travel.yaws == pytest.approx(course.way.yaws + turn, abs=1e-9)
    assert travel.times == pytest.approx(course.way.times, abs=1e-9)


def test_all_steps_moved_take_the_way_with_them(course):
    aside = np.array([3.0, -2.0, 0.0])
    travel = course.follow([move(step, aside) for step in course.steps]).travel
    assert travel.positions[:, :2] == pytest.approx((course.way.positions + aside)[:, :2], abs=1e-9)
    assert travel.times == pytest.approx(course.way.times, abs=1e-9)


def test_closer_steps_take_more_time_and_other_speeds_scale_all(course):
    near = [replace(step, middle=0.6 * step.middle) for step in course.steps]
    slower = course.follow(near)
    middle = slice(3, 7)
    before, after = np.diff(course.result.instants)[middle], np.diff(slower.instants)[middle]
    assert after.mean() > 1.1 * before.mean()
    half = course.follow(course.steps, pace=replace(course.pace, factor=2.0))
    assert np.diff(half.instants) == pytest.approx(2.0 * np.diff(course.result.instants), rel=1e-6)
    assert half.travel.times[0] == pytest.approx(course.way.times[0])


def test_times_by_hand_are_met_there_too(course):
    stays = StepTiming(start=float(course.result.instants[5]) + 0.5)
    timings = [stays if n == 5 else StepTiming() for n in range(10)]
    result = course.follow(course.steps, timings=timings)
    assert not result.misses
    later = result.instants - course.result.instants
    assert later[:3] == pytest.approx(np.zeros(3), abs=1e-3)
    assert later[6:].min() > 0.3
    assert np.all(np.diff(result.travel.times) > 0.0)


def test_steps_of_one_s_own_or_out_of_order_are_not_those_of_a_plan(course):
    assert not goes_as_planned(course.steps, [*course.planned[:-1], None])
    swapped = [0, 1, 3, 2, *range(4, 10)]
    assert not goes_as_planned(
        [course.steps[n] for n in swapped], [course.planned[n] for n in swapped]
    )
    # Without some of them it is still that plan.
    assert goes_as_planned(course.steps[::3], course.planned[::3])
