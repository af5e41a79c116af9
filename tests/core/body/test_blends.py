# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that go over from a standing pose and to one: bodies that follow their feet."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.hand_over import BesideWalk
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.hand_overs import measure_blend_feet, note_hand_overs
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk

SPAN, RATE = (0.0, 3.0), 24
FRAMES = np.arange(int(SPAN[0] * RATE), int(SPAN[1] * RATE) + 1)


@pytest.fixture(scope="module")
def walked():
    """A walk, and its poses in its first and its last frame as what stands still beside it."""
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, *SPAN)
    parts = (rig, motions, travel, FlatGround())
    plan = make_plan(*parts)
    return parts, solve_poses(plan, FRAMES / RATE).poses


def plan_from(walked, blend, frame=0):
    """The walk with Blend In from one of its own poses, placed at its start."""
    parts, poses = walked
    row = np.full(len(FRAMES), frame)
    back = poses.positions[0] - poses.positions[frame]
    beside = BesideWalk(
        times=FRAMES / RATE,
        positions=poses.positions[row] + back,
        orientations=poses.orientations[row],
        rotations=poses.rotations[row],
        translations=poses.translations[row],
        scales=poses.scales[row],
        span=SPAN,
        blends=(blend, 0.0),
    )
    return make_plan(*parts, beside=beside)


@pytest.mark.parametrize("frame", [5, 6, 7])
def test_a_body_is_not_held_back_from_its_feet_by_a_long_blend(walked, frame):
    plan = plan_from(walked, 1.5, frame)
    assert 0.1 < plan.body_blends[0] < 1.0
    walk = solve_poses(plan, FRAMES / RATE)
    length = plan.tables.rig.leg_length
    assert walk.missed.max() < 0.005 * length
    feet = measure_blend_feet(plan, walk, FRAMES)
    assert feet.steps.max() < 0.005
    assert feet.depths.max() < 0.004
    assert note_hand_overs(NotedSpan(plan, *walk.times[[0, -1]], RATE), walk) == []
    # What carries no leg takes all of the blend.
    head = plan.tables.rig.skeleton.names.index("head")
    assert head not in plan.tables.bones.indices
    at = int(0.9 * 1.5 * RATE)
    assert plan.beside.weigh(FRAMES / RATE)[at] < 1.0


def test_feet_that_slide_and_sink_in_a_blend_are_measured_and_told(walked):
    plan = plan_from(walked, 1.5)
    walk = solve_poses(plan, FRAMES / RATE)
    length, row = plan.tables.rig.leg_length, 10
    leg = int(np.argmax(walk.states.in_contact[row]))
    moved = np.zeros((len(FRAMES), 1, 3))
    moved[row:] = [0.0, 0.1 * length, -0.02 * length]
    legs = replace(walk.legs, positions=walk.legs.positions + moved)
    wrong = replace(walk, legs=legs)
    feet = measure_blend_feet(plan, wrong, FRAMES)
    assert feet.steps[row, leg] == pytest.approx(0.1, abs=0.01)
    assert feet.depths[row, leg] == pytest.approx(0.02, abs=0.005)
    assert not feet.steps[int(1.5 * RATE) + 1 :].any()
    notes = note_hand_overs(NotedSpan(plan, *walk.times[[0, -1]], RATE), wrong)
    told = {(note.values["case"], note.leg) for note in notes}
    name = plan.tables.rig.legs[leg].name
    assert {("slides", name), ("sinks", name)} <= told
    assert {note.values["ends"] for note in notes} == {0}


def test_a_pose_that_lasts_as_long_as_the_walk_is_mixed_in_every_frame(walked):
    plan = plan_from(walked, SPAN[1])
    poses = solve_poses(plan, FRAMES / RATE).poses
    assert np.all(np.isfinite(poses.positions))
    between = solve_poses(plan_from(walked, 0.5), np.array([2.0, 2.1])).poses
    assert np.all(np.isfinite(between.positions))
