# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps whose body and feet are one problem: bodies fall, and what is added to them goes straight."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.airborne.bodies import fly_straight
from semi_procedural_locomotion.core.body.airborne.gravity import find_gravity
from semi_procedural_locomotion.core.body.airborne.records import Jump
from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.core.footsteps.test_jumps import find_hips, make_course, solve


@pytest.mark.parametrize("rise", [0.0, -0.8])
def test_a_body_falls_in_its_flight(rise):
    plan, jump, walk = solve(make_course(True, rise))
    assert np.any(plan.trajectory.heights)
    inside = (walk.times > jump.off + 0.01) & (walk.times < jump.strike - 0.01)
    accelerations = np.diff(find_hips(plan, walk), 2, axis=0)[inside[1:-1]] * 120.0**2
    gravity = find_gravity(plan.tables)
    assert np.median(accelerations, axis=0) == pytest.approx([0.0, 0.0, -gravity], abs=0.02)
    assert walk.missed[walk.states.in_contact].max() < 1e-3 * plan.tables.rig.leg_length


def test_what_is_added_goes_straight_through_a_flight_alone():
    grid = TimeGrid(0.0, 0.1, 21)
    values = np.column_stack([grid.times**2, np.ones(21)])
    straight = fly_straight(values, grid, [Jump(0.5, 1.5)])
    middle = (grid.times > 0.45) & (grid.times < 1.55)
    np.testing.assert_array_equal(straight[~middle], values[~middle])
    # From 0.25 at 0.5 s to 2.25 at 1.5 s.
    np.testing.assert_allclose(
        straight[middle, 0], 0.25 + 2.0 * (grid.times[middle] - 0.5), atol=1e-9
    )
    np.testing.assert_allclose(straight[:, 1], 1.0, atol=1e-12)


def test_a_trunk_leans_over_its_feet_as_it_lands_from_high():
    plan, jump, _ = solve(make_course(True, -0.8))
    walk = solve_poses(plan, np.array([jump.off - 0.7, jump.strike + 0.16]))
    rig = plan.tables.rig
    _, heads = compute_global_poses(rig.skeleton, walk.poses.rotations, walk.poses.translations)
    hips = heads[:, [leg.joints[0] for leg in rig.legs]].mean(axis=1)
    trunks = heads[:, rig.skeleton.names.index("head")] - hips
    leans = np.degrees(np.arctan2(trunks[:, :2] @ rig.forward, trunks[:, 2]))
    assert leans[0] < 5.0
    assert 15.0 < leans[1] < 40.0
