# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaps along a way, and walks that jump over them."""

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.body.airborne.records import Jump
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.gaps import (
    Gap,
    GapRules,
    Hindrance,
    find_gaps,
    fit_jumps,
    jump_gaps,
    list_gaps,
)
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.demo.course_shapes import make_box
from tests.core.walkers import make_walker, native_walk

DISTANCES = np.linspace(0.0, 10.0, 101)


def list_spans(heights, widest=2.0):
    """First and last of the gaps that a profile has."""
    gaps = list_gaps(DISTANCES, heights, GapRules(0.4, 0.5, widest))
    assert all(gap.hindrance is Hindrance.WIDE for gap in gaps if gap.last == gap.first)
    return [
        (round(gap.first, 3), round(gap.last, 3), round(gap.rise, 3))
        for gap in gaps
        if gap.hindrance is None
    ]


def test_what_is_missing_or_deep_and_wide_is_a_gap():
    level = np.zeros(101)
    assert list_spans(level) == []
    hole = np.where((DISTANCES > 3.05) & (DISTANCES < 3.95), np.nan, 0.1)
    assert list_spans(hole) == [(3.0, 4.0, 0.0)]
    trench = np.where((DISTANCES > 3.05) & (DISTANCES < 3.95), -0.5, 0.3 * (DISTANCES > 3.5))
    assert list_spans(trench) == [(3.0, 4.0, 0.3)]
    shallow = np.where((DISTANCES > 3.05) & (DISTANCES < 3.95), -0.3, 0.0)
    assert list_spans(shallow) == []
    narrow = np.where((DISTANCES > 3.05) & (DISTANCES < 3.35), np.nan, 0.0)
    assert list_spans(narrow) == []
    assert list_spans(hole, widest=0.8) == []


def test_edges_are_jumped_down_from_and_no_deeper_than_allowed():
    assert list_spans(np.where(DISTANCES > 5.05, -1.0, 0.0)) == [(5.0, 5.1, -1.0)]
    assert list_spans(np.where(DISTANCES > 5.05, -3.0, 0.0)) == []
    assert list_spans(np.where(DISTANCES > 5.05, 1.0, 0.0)) == []
    assert list_spans(np.where(DISTANCES > 5.05, np.nan, 0.0)) == []


def test_a_trench_is_flown_over_whose_far_side_a_walk_in_it_does_not_see():
    """A walk that went down takes the bottom to go on below the far block; from above it is seen."""
    floor = np.where(DISTANCES > 3.05, -0.5, 0.0)
    for wide, jumped in ((1.2, True), (2.4, False)):
        block = np.where(DISTANCES - wide > 3.05, 0.0, np.nan)
        rules = GapRules(0.4, 0.5, 2.0, over=0.2, step=0.45, ahead=5.0)
        (gap,) = list_gaps(DISTANCES, floor, rules, lambda limits, tops=block: tops)
        assert gap.first == pytest.approx(3.0)
        if jumped:
            assert (gap.last, gap.rise, gap.hindrance) == (pytest.approx(4.3), 0.0, None)
        else:
            assert gap.hindrance is Hindrance.PIT
    # Where steps lead out, or far from a wall, it jumps down.
    stairs = np.where(DISTANCES > 6.05, 0.0, floor)
    (gap,) = list_gaps(DISTANCES, stairs, rules, lambda limits: stairs)
    assert gap.hindrance is None
    far = np.where(DISTANCES > 9.0, 0.0, np.nan)
    (gap,) = list_gaps(DISTANCES, floor, rules, lambda limits: far)
    assert gap.hindrance is None


@pytest.mark.parametrize("drop", [0.0, 1.0])
def test_a_walk_jumps_over_a_trench_and_keeps_its_line(drop):
    rig, motions = make_walker()
    walk = native_walk(motions)
    ahead = walk.velocity / walk.speed
    near = make_box(0.0 * ahead, (8.0, 8.0), -2.0, 0.0)
    far = make_box((4.0 + 1.2 * (drop == 0.0) + 5.0) * ahead, (10.0, 10.0), -2.0, -drop)
    ground = MeshGround(
        np.concatenate([near.vertices, far.vertices]),
        np.concatenate([near.triangles, far.triangles + len(near.vertices)]),
    )
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 6.0)
    tables, settings = pack_motions(rig, motions), PlanSettings()
    gaps = find_gaps(tables, travel, ground, settings, 2.0)
    (gap,) = gaps
    assert gap.first == pytest.approx(4.0, abs=0.05)
    assert gap.rise == pytest.approx(-drop)
    jumping, left = jump_gaps(tables, travel, gaps)
    assert not left
    (jump,) = jumping.jumps
    plan = make_plan(rig, motions, jumping, ground)
    walked = solve_poses(plan, np.arange(0.5, jumping.end, 1.0 / 60.0))
    inside = (walked.times > jump.off + 0.01) & (walked.times < jump.strike - 0.01)
    contacts = walked.states.in_contact
    assert not contacts[inside].any()
    assert contacts[~inside].any(axis=1).mean() > 0.95
    assert walked.missed[contacts].max() < 2e-3 * rig.leg_length
    # All prints are on ground, and nobody leaves the line.
    for row in plan.prints.rows:
        met = (row.times > 1.0) & (row.times < jumping.end)
        assert row.found[met].all()
        along = row.positions[met, :2] @ ahead
        assert not ((along > 4.0 - rig.foot_lengths[0]) & (along < gap.last)).any()
    places, _ = jumping.evaluate(walked.times)
    assert np.abs(places[:, :2] @ [ahead[1], -ahead[0]]).max() < 1e-6


def test_the_phase_is_that_of_a_pause_between_two_stances():
    rig, motions = make_walker()
    tables = pack_motions(rig, motions)
    times = np.linspace(0.0, 6.0, 721)
    stances = np.sort(tables.leg_cycles.stances[tables.cycles.slowest] % 1.0)
    for off in (2.0, 2.2, 2.43):
        jump = Jump(off, off + 0.5)
        phases = fit_jumps(times.copy(), times, [jump], tables)
        left, met = np.interp([jump.off, jump.strike], times, phases)
        since = (left - stances) % 0.5
        assert since == pytest.approx(0.18, abs=0.02)
        assert met - left == pytest.approx(0.14, abs=0.02)
        assert np.diff(phases).min() >= 0.0
        assert abs(left - off) < 0.26
        assert phases[0] == 0.0


def test_gaps_without_run_up_or_landing_are_left():
    rig, motions = make_walker()
    walk = native_walk(motions)
    tables = pack_motions(rig, motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    length = 4.0 * walk.speed
    near, late = Gap(0.4, 1.0, 0.0), Gap(length - 0.3, length + 0.5, 0.0)
    jumping, left = jump_gaps(tables, travel, [near, late])
    assert jumping is travel
    assert [gap.hindrance for gap in left] == [Hindrance.RUN_UP, Hindrance.END]


def test_without_gaps_a_travel_is_the_same():
    rig, motions = make_walker()
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    tables = pack_motions(rig, motions)
    assert find_gaps(tables, travel, FlatGround(), PlanSettings(), 2.0) == []
    assert jump_gaps(tables, travel, [])[0] is travel
