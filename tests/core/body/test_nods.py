# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Long bodies whose ends go up and down by themselves."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.swings.test_outlines import make_steps
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


def measure_ends(plan, times):
    """Height of the fore hips over the hind ones that the slope under the feet does not explain, m."""
    walk = solve_poses(plan, times)
    legs = plan.tables.small_rig.legs
    hips = np.stack([walk.legs.positions[:, leg.joints[0]] for leg in legs], axis=1)
    along = hips[:, :, 0] - hips[:, :, 0].mean(axis=1, keepdims=True)
    slope = np.sum(along * hips[..., 2], axis=1) / np.sum(along**2, axis=1)
    pitch = plan.grid.sample_smooth(plan.body.pitches, times)
    return slope - np.tan(pitch), walk


@pytest.mark.parametrize("legs", [4, 6])
def test_long_bodies_nod_on_stairs_and_reach_all_their_prints(legs):
    plan = walk(legs)
    nods, shown = measure_ends(plan, np.linspace(0.5, 7.5, 300))
    assert np.abs(nods).max() > 0.02
    assert shown.legs.missed.max() < 1e-6 * plan.tables.rig.leg_length


@pytest.mark.parametrize("legs", [2, 4, 6])
def test_on_the_level_nobody_nods(legs):
    assert walk(legs, FlatGround()).body.leans is None


def test_two_legs_do_not_nod():
    plan = walk(2)
    assert plan.body.leans is None or np.abs(plan.body.leans).max() < np.radians(2.0)
