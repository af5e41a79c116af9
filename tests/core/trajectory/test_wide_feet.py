# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet with a width and a toe cap over steps at any angle, measured without the plan's contacts."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.shown import PosedBones
from semi_procedural_locomotion.core.report.shown_measures import measure_shown
from semi_procedural_locomotion.core.report.shown_recording import record_shown
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.planes import make_steps
from tests.core.walkers import facing_of, make_walker, native_walk

RATE = 30


@functools.cache
def wide_walker(width):
    """A person with soles so wide, as a share of their length."""
    rig, motions = make_walker()
    legs = tuple(
        replace(leg, sole_width=width * float(length))
        for leg, length in zip(rig.legs, rig.foot_lengths, strict=True)
    )
    return replace(rig, legs=legs), motions


def walk_over(ground, width=0.4, length=5.0, share=0.8):
    """The plan and the numbers of a walk straight ahead along +X."""
    rig, motions = wide_walker(width)
    walk = native_walk(motions)
    travel = travel_from_points(
        np.array([[0.0, 0.0], [length, 0.0]]),
        share * walk.speed,
        WayChoices(facing=facing_of(walk), corner_radius=0.1, ramp_time=1.0),
    )
    plan = make_plan(rig, motions, travel, ground)
    solved = solve_poses(plan, np.arange(int(travel.end * RATE)) / RATE)
    names = plan.tables.small_rig.skeleton.names
    bones = PosedBones.from_poses(names, solved.rotations, solved.positions)
    shown = record_shown(plan, solved, np.arange(len(solved.poses.times)), bones)
    return plan, measure_shown(plan.tables.rig, shown, ground)


@pytest.mark.parametrize(
    ("width", "angle"),
    [(0.6, 0.0), (0.35, 15.0), (0.6, 30.0), (0.35, 45.0), (0.6, 60.0), (0.35, -30.0)],
)
@pytest.mark.parametrize(("rise", "tread"), [(0.15, 0.32), (-0.15, 0.32), (0.08, 0.45)])
def test_no_part_of_a_foot_is_in_a_step_at_any_angle(rise, tread, width, angle):
    plan, report = walk_over(make_steps(rise, tread, np.radians(angle)), width)
    assert np.any(plan.trajectory.heights)
    assert report.shown_swing_depth_worst < 0.0105
    assert report.shown_sink_worst < 0.006


@pytest.mark.parametrize("share", [0.65, 0.8])
@pytest.mark.parametrize("rise", [0.17, -0.17])
def test_no_foot_is_thrown_over_a_riser_in_one_frame(rise, share):
    _, report = walk_over(make_steps(rise, 0.3, 0.0), length=4.0, share=share)
    assert report.shown_foot_way_ratio < 1.5
    assert report.shown_swing_depth_worst < 0.01


@pytest.mark.parametrize("beside", [0.02, 0.05, 0.1])
def test_feet_keep_out_of_a_curb_beside_them(beside):
    ground = make_steps(0.1, 1.0, np.radians(90.0), count=1, first=beside)
    _, report = walk_over(ground)
    assert report.shown_sink_worst < 0.006
    assert report.shown_swing_depth_worst < 0.01
