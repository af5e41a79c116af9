# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the motions put feet about a body that climbs."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.ideal import find_times_ahead
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.walkers import make_walker, native_walk


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


@pytest.mark.parametrize(("slope", "legs"), [(0.3, 2), (-0.3, 2), (0.2, 4), (-0.2, 4)])
def test_feet_stand_uphill_as_far_as_their_bodies_pitch(slope, legs):
    rig, ahead, plan, level = plan_up(slope, legs)
    shown = solve_poses(level, np.linspace(2.0, 4.0, 200)).legs.positions
    hips = np.mean([shown[:, leg.joints[0], 2] for leg in level.tables.small_rig.legs])
    # Upright bodies take half of it where they climb.
    own = slope if legs > 2 else 0.5 * max(slope, 0.0)
    way = hips * own / (1.0 + own**2)
    rows = zip(rig.legs, rig.foot_lengths, plan.prints.rows, level.prints.rows, strict=True)
    for leg, sole, row, flat in rows:
        inner = (flat.times > 1.5) & (flat.times < 4.5)
        np.testing.assert_allclose(row.times[inner], flat.times[inner], atol=1e-9)
        middles = [r.positions[:, :2] + 0.5 * sole * along(r) for r in (row, flat)]
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


def test_feet_of_one_who_stands_on_a_slope_stand_under_the_body():
    rig, ahead, plan, level = plan_up(0.3, speed=1e-3)
    for row, flat in zip(plan.prints.rows, level.prints.rows, strict=True):
        moved = (row.positions - flat.positions)[:, :2] @ ahead
        assert np.abs(moved).max() < 0.03 * rig.leg_length


def test_a_body_is_ahead_of_itself_by_the_time_of_the_way():
    _, _, _, plan = plan_up(0.0)
    speed = native_walk(make_walker()[1]).speed
    instants = np.array([2.0, 3.5])
    for ahead in (0.4, -0.3):
        there = find_times_ahead(plan.tables, plan.times, instants, np.full(2, ahead))
        np.testing.assert_allclose(there, instants + ahead / speed, atol=1e-6)
