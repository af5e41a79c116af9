# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that feet take up as they roll."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.limits import RIMS
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import facing_of, make_walker, native_walk


def walk_on_the_level(legs):
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    facing = facing_of(walk)
    velocity = walk.speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), 0.0, velocity, 0.0, 4.0)
    return make_plan(rig, motions, travel, FlatGround())


@pytest.mark.parametrize("legs", [2, 4])
def test_a_rim_holds_all_that_a_foot_shows_over_its_print(legs):
    plan = walk_on_the_level(legs)
    rig = plan.tables.small_rig
    walk = solve_poses(plan, np.linspace(1.0, 3.0, 400))
    turns = 2.0 * np.pi * np.arange(24) / 24
    ways = np.array([np.cos(turns), np.sin(turns)])
    for leg, hull in enumerate(rig.hulls):
        points = hull_points_from_poses(hull, walk.legs.rotations, walk.legs.positions)
        states = walk.states.pick(leg)
        bears = states.in_contact
        prints = np.where((states.flight >= 1.0)[:, None], states.ahead, states.behind)
        back = rot.conjugate(walk.targets.frames[:, leg])[:, None]
        shown = rot.rotate(back, points - prints[:, None])[bears].reshape(-1, 3)
        rim = plan.tables.rims[leg]
        for level in RIMS.levels:
            low = shown[shown[:, 2] <= 0.98 * level * rig.leg_length]
            kept = rim[rim[:, 2] <= level * rig.leg_length]
            # Between two of its directions a rim may be a corner short.
            missing = (low[:, :2] @ ways).max(axis=0) - (kept[:, :2] @ ways).max(axis=0)
            assert missing.max() < 0.015 * rig.leg_length


def test_rims_reach_farther_ahead_than_flat_feet_and_are_few():
    plan = walk_on_the_level(2)
    for hull, rim in zip(plan.tables.small_rig.hulls, plan.tables.rims, strict=True):
        flat = hull.places[:, 0].max()
        high = rim[rim[:, 2] > 0.02 * plan.tables.rig.leg_length]
        assert high[:, 0].max() > flat
        assert len(rim) <= RIMS.directions * len(RIMS.levels)
