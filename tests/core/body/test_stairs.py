# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies on four legs over stairs: no leg is missed, and knees keep their calm."""

import numpy as np
import pytest

from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.ik_chain import measure_bends
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.planes import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk

RATE = 30


@pytest.mark.parametrize(("rise", "tread", "calm"), [(0.2, 0.35, 1.75), (-0.2, 0.65, 2.15)])
def test_four_legs_go_over_stairs_with_calm_knees(rise, tread, calm):
    # Where on the stairs each foot stands differs with where they begin.
    reports = [report_stairs(rise, tread, first) for first in (1.5, 1.67, 1.84, 2.01)]
    assert all(report.targets_missed == 0 for report in reports)
    assert np.mean([report.knee_speed_ratio for report in reports]) < calm
    assert max(report.swing_depth_worst for report in reports) < 0.01


def report_stairs(rise, tread, first):
    """Numbers of a slow walk over stairs that begin after so many strides, lengths of the leg."""
    rig, motions = make_walker(legs=4)
    walk, length = native_walk(motions), rig.leg_length
    travel = travel_from_points(
        np.array([[0.0, 0.0], [5.0 * walk.stride, 0.0]]),
        0.65 * walk.speed,
        WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0),
    )
    ground = make_steps(rise * length, tread * length, 0.0, first=first * walk.stride)
    plan = make_plan(rig, motions, travel, ground)
    frames = np.arange(int(travel.end * RATE))
    record = record_walk(plan, solve_poses(plan, frames / RATE), frames)
    return measure_walk(plan.tables.small_rig, record, ground)


def walk_steps(legs, rise, tread):
    """The plan of a walk over steps that rise and are wide so many lengths of the leg, and its frames."""
    rig, motions = make_walker(legs=legs)
    walk, length = native_walk(motions), rig.leg_length
    travel = travel_from_points(
        np.array([[0.0, 0.0], [5.0 * walk.stride, 0.0]]),
        0.6 * walk.speed,
        WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0),
    )
    ground = make_steps(rise * length, tread * length, 0.0, first=1.5 * walk.stride)
    plan = make_plan(rig, motions, travel, ground)
    return plan, np.arange(int(travel.end * RATE))


@pytest.mark.parametrize(("legs", "rise"), [(2, -0.19), (4, 0.19), (4, -0.19)])
def test_no_joint_is_bent_much_further_than_in_the_motions(legs, rise):
    plan, frames = walk_steps(legs, rise, 0.42)
    rig, solved = plan.tables.small_rig, solve_poses(plan, frames / RATE)
    assert np.all(solved.missed < 1e-3 * rig.leg_length)
    for leg, most in zip(rig.legs, plan.tables.leg_rows.most_bends, strict=True):
        bends = measure_bends(solved.positions[:, list(leg.joints)])
        assert np.degrees((bends - most).max()) < 25.0


def test_down_steep_stairs_feet_stay_out_of_them_and_slide_nowhere():
    plan, frames = walk_steps(2, -0.25, 0.42)
    record = record_walk(plan, solve_poses(plan, frames / RATE), frames)
    report = measure_walk(plan.tables.small_rig, record, plan.ground)
    assert report.swing_depth_worst < 0.01
    assert report.slide_worst < 0.004
