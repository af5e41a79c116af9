# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet with a width and a toe cap over steps at any angle, measured without the plan's contacts."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MeshGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.shown import PosedBones
from semi_procedural_locomotion.core.report.shown_measures import measure_shown
from semi_procedural_locomotion.core.report.shown_recording import record_shown
from semi_procedural_locomotion.core.rig.hulls import SOLE
from semi_procedural_locomotion.core.swings import outlines
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.walkers import facing_of, make_walker, native_walk

RATE = 30


def make_steps(rise, tread, angle, count=8, first=1.2, breadth=12.0):
    """Steps across +X turned by an angle about the origin; rise and tread in metres."""
    edges = first + tread * np.arange(count)
    heights = rise * np.arange(count + 1)
    profile = [(-6.0, 0.0)]
    for edge, low, high in zip(edges, heights[:-1], heights[1:], strict=True):
        profile += [(edge, low), (edge + 1e-4, high)]
    profile.append((edges[-1] + 8.0, heights[-1]))
    rows = np.array([[x, y, z] for x, z in profile for y in (-breadth, breadth)])
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = rows @ np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    first_corners = 2 * np.arange(len(profile) - 1)
    triangles = [
        corners for k in first_corners for corners in ((k, k + 2, k + 1), (k + 1, k + 2, k + 3))
    ]
    return MeshGround(turned, np.array(triangles))


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


@pytest.mark.parametrize("width", [0.35, 0.6])
@pytest.mark.parametrize("angle", [0.0, 15.0, 30.0, 45.0, 60.0, -30.0])
@pytest.mark.parametrize(("rise", "tread"), [(0.15, 0.32), (-0.15, 0.32), (0.08, 0.45)])
def test_no_part_of_a_foot_is_in_a_step_at_any_angle(rise, tread, angle, width):
    _, report = walk_over(make_steps(rise, tread, np.radians(angle)), width)
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
    rig, _ = wide_walker(0.4)
    ground = make_steps(0.1, 1.0, np.radians(90.0), count=1, first=beside)
    plan, report = walk_over(ground)
    assert report.shown_sink_worst < 0.006
    assert report.shown_swing_depth_worst < 0.01
    hulls = plan.tables.rig.hulls
    assert all(np.ptp(hull.places[hull.parts == SOLE, 1]) > 0.05 for hull in hulls)
    assert rig.legs[0].sole_width > 0.05


def test_on_the_flat_nothing_is_cleared(monkeypatch):
    _, with_outlines = walk_over(FlatGround())
    plans = []
    monkeypatch.setattr(outlines, "clear_outlines", lambda flights, lifts: plans.append(1) or lifts)
    _, without = walk_over(FlatGround())
    assert not plans
    assert with_outlines.as_dict() == pytest.approx(without.as_dict(), abs=1e-9)


def test_wide_feet_are_lifted_more_than_their_middle_lines_ask_for(monkeypatch):
    ground = make_steps(0.15, 0.32, np.radians(60.0))
    plan, report = walk_over(ground, 0.6)
    monkeypatch.setattr(outlines, "clear_outlines", lambda flights, lifts: lifts)
    before, old = walk_over(ground, 0.6)
    assert old.shown_swing_depth_worst > 0.012
    assert report.shown_swing_depth_worst < 0.5 * old.shown_swing_depth_worst
    raised = [
        (new.lifts.amplitudes - was.lifts.amplitudes).max()
        for new, was in zip(plan.swings, before.swings, strict=True)
    ]
    assert max(raised) > 0.01
