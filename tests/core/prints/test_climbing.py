# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where feet stand about a body that climbs."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints import planning
from semi_procedural_locomotion.core.prints.climbing import (
    find_stance_lead,
    find_times_ahead,
    measure_leads,
)
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.swings.test_outlines import make_steps
from tests.core.walkers import make_walker, native_walk

# Of the way at which a leg is as long where it strikes as where it leaves.
UP, DOWN, MANY = 0.25 + 0.25, 0.2, 1.0


def plan_up(slope, legs=2, speed=1.0):
    """A walk of six seconds up a plane, or down, and the same on level ground, with short steps alike."""
    rig, motions = make_walker(legs=legs)
    velocity = speed * native_walk(motions).velocity
    travel = make_straight_travel(np.zeros(3), 0.0, velocity, 0.0, 6.0)
    ahead = velocity / np.linalg.norm(velocity)
    # By strides, steps would have another length on a slope.
    settings = PlanSettings(max_climb=20.0, search_footholds=False, cycle_time="accelerations")
    plans = [
        make_plan(rig, motions, travel, ground, settings)
        for ground in (SlopedPlane(slope * ahead), FlatGround())
    ]
    return rig, ahead, *plans


@pytest.mark.parametrize(
    ("slope", "legs", "share"), [(0.3, 2, UP), (-0.3, 2, DOWN), (0.2, 4, MANY), (-0.2, 4, MANY)]
)
def test_feet_stand_uphill_of_where_they_stand_on_the_flat(slope, legs, share):
    rig, ahead, plan, level = plan_up(slope, legs)
    shown = solve_poses(level, np.linspace(2.0, 4.0, 200)).legs.positions
    hips = np.mean([shown[:, leg.joints[0], 2] for leg in level.tables.small_rig.legs])
    way = share * hips * slope / (1.0 + slope**2)
    for leg, row, flat in zip(rig.legs, plan.prints.rows, level.prints.rows, strict=True):
        inner = (flat.times > 1.5) & (flat.times < 4.5)
        np.testing.assert_allclose(row.times, flat.times, atol=1e-9)
        middles = [
            r.positions[:, :2] + 0.5 * r.sole_share * leg.length * along(r) for r in (row, flat)
        ]
        moved = (middles[0] - middles[1])[inner]
        np.testing.assert_allclose(moved @ ahead, way, atol=0.002 * leg.length)
        np.testing.assert_allclose(moved @ [-ahead[1], ahead[0]], 0.0, atol=1e-6)


def along(row):
    """Horizontal way from heel to toe of each print for a sole of 1, (K, 2)."""
    # A sole on a slope is shorter as it is seen from above.
    rise = row.normals[:, :2] / row.normals[:, 2:]
    heading = np.stack([np.cos(row.headings), np.sin(row.headings)], axis=1)
    slope = np.sum(rise * heading, axis=1, keepdims=True)
    return heading / np.sqrt(1.0 + slope**2)


def test_on_stairs_feet_stand_no_farther_uphill_than_their_weight_allows():
    rig, motions = make_walker()
    velocity = 0.6 * native_walk(motions).velocity
    travel = make_straight_travel(np.zeros(3), 0.0, velocity, 0.0, 8.0)
    stairs = make_steps(0.12, 0.4, np.arctan2(velocity[1], velocity[0]))
    plan = make_plan(rig, motions, travel, stairs)
    leads = measure_leads(plan.tables, plan.times, plan.levels)
    # The mean slope of the stairs is all that counts.
    steepest = np.max(np.hypot(*leads.T))
    assert 0.1 * 0.25 < steepest < 0.35 * 0.25


def test_feet_of_one_who_stands_on_a_slope_stand_under_the_body():
    rig, ahead, plan, level = plan_up(0.3, speed=1e-3)
    for row, flat in zip(plan.prints.rows, level.prints.rows, strict=True):
        moved = (row.positions - flat.positions)[:, :2] @ ahead
        assert np.abs(moved).max() < 0.03 * rig.leg_length


@pytest.mark.parametrize("legs", [2, 4])
def test_long_bodies_are_ahead_of_themselves_by_the_time_of_the_way(legs):
    _, _, _, plan = plan_up(0.0, legs)
    speed = native_walk(make_walker(legs=legs)[1]).speed
    instants = np.array([2.0, 3.5])
    for ahead in (0.4, -0.3):
        there = find_times_ahead(plan.tables, plan.times, instants, ahead)
        expected = instants + (ahead / speed if legs > 2 else 0.0)
        np.testing.assert_allclose(there, expected, atol=1e-6)


def test_each_leg_is_led_by_the_slope_halfway_to_where_it_stands(monkeypatch):
    monkeypatch.setattr(planning, "measure_leads", lambda tables, times, levels: grow(times))
    _, _, _, led = plan_up(0.0, 4)
    monkeypatch.setattr(planning, "measure_leads", lambda tables, times, levels: 0.0 * grow(times))
    _, _, _, plain = plan_up(0.0, 4)
    speed = native_walk(make_walker(legs=4)[1]).speed
    seen = []
    for index, (row, bare) in enumerate(zip(led.prints.rows, plain.prints.rows, strict=True)):
        inner = (bare.times > 1.5) & (bare.times < 4.5)
        moved = (row.positions - bare.positions)[inner, 0]
        away = find_stance_lead(led.tables, index)
        np.testing.assert_allclose(
            moved, 0.01 * (bare.times[inner] + 0.5 * away / speed), atol=1e-6
        )
        seen.append(away)
    assert max(seen) > 0.2
    assert min(seen) < -0.2


def grow(times):
    """Leads along +X that grow by a centimetre a second, (G, 2)."""
    return np.outer(times.grid.times, [0.01, 0.0])
