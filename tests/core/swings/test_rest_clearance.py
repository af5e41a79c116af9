# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that leave in a rest are lifted clear of the ground."""

import numpy as np

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.walkers import facing_of, make_walker, native_walk


def test_the_first_foot_of_a_start_keeps_more_clearance_than_those_of_the_walk():
    rig, motions = make_walker()
    walk = native_walk(motions)
    choices = WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.25 * walk.period)
    travel = travel_from_points(np.array([[0.0, 0.0], [8.0, 0.0]]), walk.speed, choices)
    plan = make_plan(rig, motions, travel, FlatGround())
    own = plan.settings.toe_clearance * rig.leg_length
    most = [leg.clearances.max() for leg in plan.swings]
    assert 1.1 * own < max(most) <= 1.6 * own
    middle = [leg.clearances[len(leg.clearances) // 2] for leg in plan.swings]
    np.testing.assert_allclose(middle, own, rtol=0.02)
