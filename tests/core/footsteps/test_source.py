# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as a source of a walk's clock and of its prints."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.footsteps.source import StepSource
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.prints.planning import plan_prints
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.planning import plan_times
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.footsteps.test_travel import Course
from tests.core.walkers import make_walker, native_walk


@pytest.fixture(scope="module")
def course():
    return Course(pattern=StepPattern(6))


def test_a_travel_without_footsteps_leaves_clock_and_prints_to_the_motions():
    rig, motions = make_walker()
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 2.0)
    plan = make_plan(rig, motions, travel, FlatGround())
    source = StepSource(travel)
    phases, leg_times = plan.times.phases, plan.times.leg_times
    assert source.set_clock(plan.grid, phases, leg_times)[0] is phases
    assert source.set_clock(plan.grid, phases, leg_times)[1] is leg_times
    own = plan_prints(
        plan.tables, plan.times, plan.ground, plan.settings, plan.levels, None, None, ()
    )
    assert source.claim_prints(plan.tables, plan.times, own, plan.ground).rows == own.rows
    assert plan.claims.steps == ()


def test_the_clock_is_the_footsteps_and_goes_on_evenly_beyond_them(course):
    plan = course.plan()
    settings = PlanSettings()
    told = plan_times(plan.tables, course.travel, settings, plan.levels, StepSource(course.travel))
    own = plan_times(plan.tables, course.travel, settings, plan.levels)
    grid, travel = told.grid, course.travel
    inside = (grid.times >= travel.start) & (grid.times <= travel.end)
    wanted = np.interp(grid.times[inside], travel.times, travel.phases)
    assert np.allclose(told.phases[inside], wanted, atol=1e-9)
    assert not np.allclose(own.phases[inside], wanted, atol=1e-2)
    assert np.allclose(
        np.diff(told.phases[grid.times > travel.end + grid.interval], 2), 0.0, atol=1e-9
    )
    assert np.all(np.diff(told.leg_times, axis=0) > 0.0)


def test_prints_keep_to_the_footsteps_that_claim_them(course):
    plan = course.plan()
    assert plan.prints.claims is plan.claims
    assert len(plan.claims.steps) == len(course.steps)
    for step, (leg, index) in zip(plan.claims.steps, plan.claims.prints, strict=True):
        assert np.allclose(plan.prints.rows[leg].positions[index], step.position)


def test_a_row_that_holds_a_print_has_it_until_the_next():
    rig, motions = make_walker()
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    row = make_plan(rig, motions, travel, FlatGround()).prints.rows[0]
    held = row.hold(2, 5)
    assert np.array_equal(held.positions[3:5], np.repeat(row.positions[2:3], 2, axis=0))
    assert held.parked[3:5].all()
    assert np.array_equal(held.times[[0, 1, 2, 5]], row.times[[0, 1, 2, 5]])
    assert row.times[3] != row.times[2]
