# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumps whose body and feet are one problem: bodies fall."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.airborne.gravity import find_gravity
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
