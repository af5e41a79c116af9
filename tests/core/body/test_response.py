# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The upper body answers to longer steps and to nothing else; swings on simple arcs."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.body.response import MADE_RESPONSE
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.records import KeptStep
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.swings.flight import shape_arc
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk

FULL = {"lean_back": 1.0, "shoulder_turn": 1.0, "arm_spread": 1.0}


def walk(ahead=0.0, legs=2, **settings):
    """A walk at native speed, one print of each leg moved ahead by a share of L.

    Gives plan, solved walk, and rotations and positions of all bones in character space, over the
    time of the longer steps.
    """
    rig, motions = make_walker(legs=legs)
    travel = make_straight_travel(np.zeros(3), 0.0, native_walk(motions).velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, FlatGround(), PlanSettings(**settings))
    steps = []
    for leg, row in enumerate(plan.prints.rows if ahead else ()):
        index = int(np.searchsorted(row.times, 2.0))
        place = row.positions[index] + ahead * rig.leg_length * np.array([0.0, 1.0, 0.0])
        steps.append(KeptStep(f"{leg}", leg, place, row.frames[index], float(row.times[index])))
    plan = make_plan(rig, motions, travel, FlatGround(), PlanSettings(**settings), steps)
    solved = solve_poses(plan, 1.5 + np.arange(30) / 30)
    poses = solved.poses
    rotations, positions = compute_global_poses(rig.skeleton, poses.rotations, poses.translations)
    return plan, solved, rotations, positions


def find(plan, name):
    return plan.tables.rig.skeleton.find_index(name)


def measure_pitch(plan, rotations, positions):
    """Forward lean of the line from hips to neck, radians."""
    line = positions[:, find(plan, "neck")] - positions[:, find(plan, "hips")]
    return np.arctan2(line[:, 1], line[:, 2])


def measure_span(plan, positions):
    """Distance of the hands aside."""
    return np.abs(positions[:, find(plan, "hand.L"), 0] - positions[:, find(plan, "hand.R"), 0])


def test_at_native_speed_the_body_moves_as_the_motion_has_it():
    _, plain, _, _ = walk()
    _, answered, _, _ = walk(**FULL)
    turned = rot.angles_between(plain.poses.rotations, answered.poses.rotations)
    assert turned.max() < np.radians(1.5)


def test_longer_steps_lean_the_spine_back_and_spread_the_arms():
    plan, _, rotations, positions = walk(0.5)
    plain = measure_pitch(plan, rotations, positions), measure_span(plan, positions)
    plan, _, rotations, positions = walk(0.5, lean_back=1.0)
    leaned = measure_pitch(plan, rotations, positions) - plain[0]
    assert leaned.max() < 1e-6
    assert leaned.min() < np.radians(-2.0)
    plan, _, rotations, positions = walk(0.5, arm_spread=1.0)
    spread = measure_span(plan, positions) - plain[1]
    assert spread.min() > -1e-6
    assert spread.max() > 0.04


def test_shoulders_turn_against_feet_that_are_farther_apart():
    def turn_of_chest(**settings):
        plan, _, rotations, positions = walk(0.5, **settings)
        chest = find(plan, "chest")
        rest = compute_global_poses(
            plan.tables.rig.skeleton,
            plan.tables.rig.skeleton.rest_rotations[None],
            plan.tables.rig.skeleton.rest_translations[None],
        )[0][0, chest]
        turn = rot.multiply(rotations[:, chest], rot.conjugate(rest))
        lead = positions[:, find(plan, "foot.L"), 1] - positions[:, find(plan, "foot.R"), 1]
        ahead = rot.rotate(turn, np.array([*plan.tables.rig.forward, 0.0]))
        return np.arctan2(ahead[:, 1], ahead[:, 0]), lead

    plain, lead = turn_of_chest()
    answered, _ = turn_of_chest(shoulder_turn=1.0)
    assert np.corrcoef(answered - plain, lead)[0, 1] > 0.8
    assert np.ptp(answered) > np.ptp(plain)


def test_feet_are_where_they_were_and_the_head_looks_ahead():
    plan, plain, _, _ = walk(0.5)
    _, answered, rotations, _ = walk(0.5, **FULL)
    np.testing.assert_allclose(answered.positions, plain.positions, atol=1e-12)
    head, chest = find(plan, "head"), find(plan, "chest")
    _, _, own, _ = walk(0.5)
    turned = [rot.angles_between(rotations[:, b], own[:, b]).max() for b in (head, chest)]
    assert turned[0] < 0.5 * turned[1]


def test_frames_do_not_depend_on_each_other():
    plan, solved, _, _ = walk(0.5, **FULL)
    single = solve_poses(plan, np.array([2.0]))
    np.testing.assert_allclose(single.poses.rotations[0], solved.poses.rotations[15], atol=1e-9)


def test_beasts_keep_their_motions_bodies():
    plan, _, _, _ = walk(legs=4, **FULL)
    assert plan.response is None
    assert set(MADE_RESPONSE) <= set(PlanSettings.__dataclass_fields__)


def test_an_arc_is_straight_and_as_high_as_asked():
    flight = np.linspace(0.0, 1.0, 101)
    behind, ahead = np.array([0.0, 0.0, 0.0]), np.array([1.0, 0.5, 0.3])
    ends = [np.broadcast_to(p, (101, 3)) for p in (behind, ahead)]
    way = shape_arc(*ends, flight, np.full(101, 0.1))
    height = way.progress * 0.3 + way.height
    assert height[50] == pytest.approx(0.4)
    assert (way.progress[0], way.progress[-1]) == (0.0, 1.0)
    assert np.all(np.diff(way.progress) > 0.0)
    assert not np.any(way.deviation)
    assert not np.any(shape_arc(*ends, flight, np.zeros(101)).height)


def test_feet_on_simple_arcs_are_planted_as_well():
    plan, solved, _, _ = walk(simple_arc=True, arc_height=0.2)
    report = measure_walk(plan.tables.small_rig, record_walk(plan, solved), plan.ground)
    assert report.slide_worst < 0.004
    assert report.sink_worst < 0.004
    assert report.targets_missed == 0
    heights = solved.targets.heights / plan.tables.rig.leg_length
    assert heights.max() == pytest.approx(0.2, rel=0.1)
    lower = walk(simple_arc=True, arc_height=0.08)[1].targets.heights
    assert lower.max() < 0.5 * solved.targets.heights.max()
