# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long bodies on stairs."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk


def walk(legs, ground=None, first=1.5):
    """The plan of a slow walk, over stairs if nothing else is said."""
    rig, motions = make_walker(legs=legs)
    own, length = native_walk(motions), rig.leg_length
    facing = facing_of(own)
    velocity = 0.6 * own.speed * np.array([np.cos(facing), np.sin(facing)])
    travel = make_straight_travel(np.zeros(3), -facing, velocity, 0.0, 8.0)
    stairs = make_steps(0.19 * length, 0.42 * length, 0.0, first=first * own.stride)
    return make_plan(rig, motions, travel, ground or stairs)


@pytest.mark.parametrize("legs", [4, 6])
def test_long_bodies_reach_all_their_prints_on_stairs(legs):
    plan = walk(legs)
    shown = solve_poses(plan, np.linspace(0.5, 7.5, 300))
    assert shown.legs.missed.max() < 1e-6 * plan.tables.rig.leg_length


@pytest.mark.parametrize("legs", [2, 4, 6])
def test_on_the_level_nobody_leans(legs):
    assert walk(legs, FlatGround()).body.leans is None
