# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key times of whole steps where the blend changes within them, and what poses make of them."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.tables import LAND, LIFT, OFF, STRIKE
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.planning import TimePlan, plan_times
from semi_procedural_locomotion.core.times.rides import ride_world
from semi_procedural_locomotion.core.times.source import pose_source
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from tests.core.walkers import make_walker, native_walk

COUNT = 2001
GRID = TimeGrid(0.0, 3.0 / (COUNT - 1), COUNT)


def make_time_plan(key_times):
    """A plan of one leg whose time is the scene's, with blended key times (G, 4)."""
    ones = np.ones((COUNT, 1))
    return TimePlan(
        grid=GRID,
        positions=np.zeros((COUNT, 3)),
        yaws=np.zeros(COUNT),
        foot_yaws=np.zeros(COUNT),
        velocities=np.zeros((COUNT, 2)),
        rides=ride_world(GRID, make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 3.0)),
        weights=ones,
        cycle_weights=ones,
        walk_share=np.ones(COUNT),
        phases=GRID.times,
        leg_times=GRID.times[:, None],
        key_times=key_times[:, None],
        quickened=np.ones(COUNT),
        moves=(),
    )


def test_steady_key_times_are_those_of_every_step():
    keys = np.array([0.1, 0.3, 0.7, 0.9])
    plan = make_time_plan(np.tile(keys, (COUNT, 1)))
    np.testing.assert_allclose(plan.step_key_times(0, np.arange(3)), np.tile(keys, (3, 1)))


@pytest.mark.parametrize("key", [LIFT, OFF, STRIKE, LAND])
def test_a_foot_leaves_when_its_time_is_first_come_and_strikes_when_it_is_last(key):
    low, high = {LIFT: (0.1, 0.2), OFF: (0.25, 0.35), STRIKE: (0.6, 0.75), LAND: (0.8, 0.95)}[key]
    keys = np.tile([0.05, 0.22, 0.78, 0.97], (COUNT, 1))
    # Within the step from 1 to 2 the blend goes over to motions that have the key time later, after
    # it was reached once: the leg's time comes to it twice.
    switch = 1.0 + 0.5 * (low + high)
    keys[:, key] = np.where(GRID.times < switch, low, high)
    found = make_time_plan(keys).step_key_times(0, np.array([1]))[0, key]
    assert found == pytest.approx(low if key in (LIFT, OFF) else high, abs=2e-3)


def test_as_many_cycles_are_walked_as_their_stride_goes_into_the_way():
    rig, motions = make_walker(rest=False)
    walk, tables = native_walk(motions), pack_motions(rig, motions)
    # Evenly faster from native speed to half again as fast; the stride stays.
    times = np.linspace(0.0, 8.0, 2001)
    way = walk.speed * (times + 0.5 * 0.5 * times**2 / 8.0)
    ahead = np.array([*(walk.velocity / walk.speed), 0.0])
    travel = Travel(times, way[:, None] * ahead, np.zeros(len(times)))
    plan = plan_times(tables, travel, PlanSettings(grid_rate=48.0))
    grid = plan.grid
    first, last = np.searchsorted(grid.times, [2.0, 6.0])
    walked = np.interp(grid.times[[first, last]], times, way)
    cycles = plan.phases[last] - plan.phases[first]
    assert cycles == pytest.approx(np.diff(walked)[0] / walk.stride, abs=2e-4)


def test_key_times_of_a_step_pose_the_foot_in_that_step_alone():
    rig, motions = make_walker(rest=False)
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 6.0)
    plan = make_plan(rig, motions, travel, FlatGround())
    changed = [keys.copy() for keys in plan.step_keys]
    step = 3
    changed[0][step] = [0.2, 0.45, 0.6, 0.7]
    times = np.linspace(0.5, 5.5, 400)
    first = plan.steps.first_steps

    def pose(keys):
        return pose_source(plan.tables, plan.times, keys, first, times)

    before, after = pose(plan.step_keys), pose(tuple(changed))
    joint = plan.tables.small_rig.legs[0].joints[0]
    turned = rot.angles_between(before.legs.rotations[:, joint], after.legs.rotations[:, joint])
    within = np.floor(before.leg_times[:, 0]) == first[0] + step
    assert turned[within].max() > 0.02
    assert turned[~within].max() < 1e-9


def test_a_body_turned_to_the_left_goes_to_its_right():
    rig, motions = make_walker(rest=False)
    walk, tables = native_walk(motions), pack_motions(rig, motions)
    times = np.linspace(0.0, 6.0, 601)
    x, y = walk.velocity
    way = times[:, None] * np.array([x, y, 0.0])
    plan = plan_times(tables, Travel(times, way, np.full(601, np.pi / 2)), PlanSettings())
    inside = (plan.grid.times > 1.0) & (plan.grid.times < 5.0)
    np.testing.assert_allclose(
        plan.velocities[inside], np.tile([y, -x], (inside.sum(), 1)), atol=1e-4
    )
