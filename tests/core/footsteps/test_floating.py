# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps in the air carry the body and the feet that close up beside them."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.footsteps.source import find_floating
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.prints.records import KeptStep
from tests.core.footsteps.test_travel import Course


@pytest.mark.parametrize(("legs", "rise"), [(2, 0.12), (2, 0.04), (4, 0.04)])
def test_the_body_climbs_with_rising_steps_and_stays_up_there(legs, rise):
    course = Course(pattern=StepPattern(8, rise=rise), legs=legs)
    plan = course.plan()
    end = course.steps[-1].middle[2]
    assert plan.levels[-1] == pytest.approx(end, abs=1e-6)
    assert plan.body.supports[0] == pytest.approx(0.0, abs=1e-6)
    # A body on two legs closes its feet, one on four stands on its last four steps.
    assert plan.body.supports[-1] == pytest.approx(end, abs=0.01 if legs == 2 else 2.0 * rise)
    # All feet stand up there at last.
    for row in plan.prints.rows:
        assert row.positions[-1, 2] > end - 2.0 * rise * (legs - 1)
    walk = solve_poses(plan, np.arange(course.travel.start, course.travel.end, 1 / 30))
    record = record_walk(plan, walk)
    report = measure_walk(plan.tables.small_rig, record, plan.ground)
    assert report.targets_missed == 0
    assert report.float_p99 < 0.01


def test_steps_on_the_ground_or_in_it_do_not_float():
    course = Course(pattern=StepPattern(3))
    steps = [
        KeptStep(str(z), step.leg, np.append(step.middle[:2], z), rot.IDENTITY, 1.0)
        for step, z in zip(course.steps, (0.0, 0.3, -0.3), strict=True)
    ]
    assert find_floating(course.rig, steps, FlatGround()).tolist() == [False, True, False]
    out = [replace(step, left_out=True) for step in steps]
    assert not find_floating(course.rig, out, FlatGround()).any()


def test_a_sole_that_lies_over_an_edge_does_not_float():
    course = Course(pattern=StepPattern(1))
    (laid,) = course.steps
    tilt = rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), np.array(-0.5))
    step = KeptStep("over an edge", laid.leg, np.zeros(3), tilt, 1.0)
    ahead = rot.rotate(tilt, np.array([course.rig.foot_lengths[laid.leg], 0.0, 0.0]))
    assert ahead[2] > 0.1 * course.rig.leg_length
    assert find_floating(course.rig, [step], FlatGround()).tolist() == [False]
    raised = replace(step, position=0.2 * rot.UP)
    assert find_floating(course.rig, [raised], FlatGround()).tolist() == [True]
