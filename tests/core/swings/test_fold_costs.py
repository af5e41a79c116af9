# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What swings cost that fold their legs, and bumps that are no higher than what they clear."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.swings.clearance import cover_heights
from semi_procedural_locomotion.core.swings.evaluation import SwingInstants
from semi_procedural_locomotion.core.swings.feet import solve_foot
from semi_procedural_locomotion.core.swings.fold_costs import SwingHips
from semi_procedural_locomotion.core.swings.limits import CLEARANCE
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.planes import SlopedPlane
from tests.core.walkers import make_walker, native_walk

COUNT = len(CLEARANCE.flight)


def test_a_leg_lacks_what_its_ankle_is_nearer_to_the_hip_than_in_the_motions():
    hips = SwingHips(np.full((2, COUNT, 3), [0.1, 0.2, 1.0]), 0.5)
    places = np.zeros((2, COUNT, 3))
    places[1, 7] = [0.1, 0.2, 0.6]
    folds = hips.measure_folds(places)
    none, bumps = np.zeros((2, COUNT)), np.zeros((2, COUNT))
    bumps[0, 3] = 0.8
    np.testing.assert_allclose(folds.measure_shortage(none), [0.0, 0.1])
    lacking = 0.5 - np.sqrt(0.1**2 + 0.2**2 + 0.2**2)
    np.testing.assert_allclose(folds.measure_shortage(bumps), [lacking, 0.1])
    np.testing.assert_allclose(
        hips.take(np.array([1])).measure_folds(places[1:]).heights[0, 7], -0.4
    )


@pytest.mark.parametrize("leg", [0, 1])
def test_hips_are_where_the_body_carries_them(leg):
    rig, motions = make_walker()
    walk = native_walk(motions)
    ground = SlopedPlane(0.2 * walk.velocity / walk.speed)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 5.0)
    plan = make_plan(rig, motions, travel, ground)
    steps = np.full(COUNT, 3)
    times = plan.steps.find_flight_times(leg, steps, CLEARANCE.flight)
    at = SwingInstants.read_flights(plan.steps, leg, steps, CLEARANCE.flight, times)
    own = SwingHips.read(at, plan.swings[leg], plan.body, times)
    solved = solve_poses(plan, times)
    foot = solve_foot(at, plan.swings[leg])
    joint = plan.tables.small_rig.legs[leg].joints[0]
    assert own.least == pytest.approx(plan.tables.leg_cycles.least_reaches[:, leg].min())
    seen = own.measure_folds(foot.footbases[None])
    true = rot.lengths(foot.ankles - solved.source_positions[:, joint])
    np.testing.assert_allclose(np.sqrt(seen.level_squares + seen.heights**2)[0], true, atol=1e-6)


@pytest.mark.parametrize("reach", [0, 3, 5])
def test_a_cover_is_nowhere_below_and_no_higher_than_the_highest(reach):
    heights = np.random.default_rng(reach).uniform(0.0, 0.3, (5, COUNT)) ** 3
    cover = cover_heights(heights, reach)
    assert np.all(cover >= heights - 1e-12)
    assert cover.max() <= heights.max() + 1e-12
    spike = np.zeros((1, COUNT))
    spike[0, 16] = 0.2
    around = cover_heights(spike, reach)[0]
    assert around[16] == pytest.approx(0.2)
    assert (around[0] < 1e-12) == (reach > 0)
