# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints that are kept, and frames of sloping soles."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.prints.soles import frames_from_slopes
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import make_steps
from tests.core.walkers import make_walker, native_walk


def test_creeping_feet_stay_until_a_step_is_worth_it():
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, 0.04 * walk.velocity, 0.0, 40.0)
    settings = PlanSettings(park_distance=0.3)
    plan = make_plan(rig, motions, travel, FlatGround(), settings)
    for row in plan.prints.rows:
        ways = np.hypot(*np.diff(row.positions[:, :2], axis=0).T)
        moved = ways > 1e-9
        assert np.sum(row.parked[1:]) > 3
        assert np.sum(moved) > 3
        assert ways[moved].min() >= 0.3 * rig.leg_length
        np.testing.assert_array_equal(moved, ~row.parked[1:])
        # A kept print is as old as the step that was taken to it, so that moving ground carries it.
        np.testing.assert_array_equal(np.diff(row.times) > 0.0, ~row.parked[1:])


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.5])
@pytest.mark.parametrize(("along", "across"), [(0.3, 0.0), (0.0, 0.2), (-0.2, 0.25)])
def test_a_sole_lies_in_the_plane_of_its_rise_along_and_to_the_left(heading, along, across):
    frames, normals = frames_from_slopes(np.array([heading]), np.array([[along, across]]))
    ahead = np.array([np.cos(heading), np.sin(heading)])
    left = np.array([-ahead[1], ahead[0]])
    for way, rise in ((ahead, along), (left, across)):
        assert np.array([*way, rise]) @ normals[0] == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(normals[0]) == pytest.approx(1.0)
    np.testing.assert_allclose(rot.rotate(frames, rot.UP)[0], normals[0], atol=1e-12)


def test_fore_feet_on_high_stairs_stand_on_treads_that_are_far_above_the_body():
    rig, motions = make_walker(legs=4)
    walk, length = native_walk(motions), rig.leg_length
    facing = np.arctan2(walk.velocity[1], walk.velocity[0])
    velocity = 0.5 * walk.speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), -facing, velocity, 0.0, 8.0)
    stairs = make_steps(0.42 * length, 0.55 * length, 0.0, first=1.5 * walk.stride)
    plan = make_plan(rig, motions, travel, stairs, PlanSettings(step_limit=0.45))
    for row in plan.prints.rows:
        inner = (row.times > 1.0) & (row.times < 7.0)
        assert row.supports[inner].min() > 0.9
