# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of bodies that turn faster than they do."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.planned.body_measures import measure_foot_turns
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.tables import OFF, STRIKE
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.pace_notes import note_turns
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import Travel
from semi_procedural_locomotion.notes import NoteKind
from tests.core.walkers import facing_of, make_walker, native_walk

RATE = 120.0


def travel_on(motions, degrees, seconds, legs_of=3.0):
    """Straight on, a turn on the spot within some seconds, and straight on again."""
    walk = native_walk(motions)
    times = np.arange(0.0, 2.0 * legs_of + seconds + 1e-9, 1.0 / RATE)
    yaws = np.radians(degrees) * np.clip((times - legs_of) / seconds, 0.0, 1.0)
    moving = (times < legs_of) | (times > legs_of + seconds)
    heading = facing_of(walk) + yaws
    steps = walk.speed / RATE * moving[:, None] * np.stack([np.cos(heading), np.sin(heading)], 1)
    places = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)[:-1]])
    return Travel(times, np.column_stack([places, np.zeros(len(times))]), yaws)


@pytest.fixture(scope="module")
def tables():
    return pack_motions(*make_walker())


@pytest.mark.parametrize("degrees", [90.0, -135.0, 171.0, 180.0])
def test_no_foot_whirls_round_where_a_body_turns_suddenly(degrees):
    rig, motions = make_walker()
    travel = travel_on(motions, degrees, 0.25)
    plan = make_plan(rig, motions, travel, FlatGround(), PlanSettings())
    times = np.arange(0.0, travel.end, 1.0 / 30.0)
    walk = solve_poses(plan, times)
    turns = measure_foot_turns(plan.tables.small_rig, walk.rotations, 1.0 / 30.0)
    own = measure_foot_turns(plan.tables.small_rig, walk.source_rotations, 1.0 / 30.0)
    calm = (times[1:] > 0.5) & (times[1:] < 2.0)
    assert np.degrees(turns.max() - own[calm].max()) / 30.0 < 10.0
    prints = plan.prints.rows[0].headings
    assert np.degrees(np.abs(np.diff(prints))).max() < 130.0
    assert rot.wrap_angles(prints[-1] - prints[0] - travel.yaws[-1]) == pytest.approx(0.0, abs=1e-6)


def notes_of(degrees, seconds, *, without_swings=False):
    rig, motions = make_walker()
    travel = travel_on(motions, degrees, seconds)
    plan = make_plan(rig, motions, travel, FlatGround(), PlanSettings())
    if without_swings:
        for keys in plan.step_keys:
            keys[:, OFF] = keys[:, STRIKE]
    walk = solve_poses(plan, np.arange(int(travel.end * 30.0)) / 30.0)
    return note_turns(NotedSpan(plan, *walk.times[[0, -1]], 30.0), walk)


def test_turns_that_no_foot_can_follow_are_told_with_their_frames():
    notes = notes_of(2160.0, 3.0)
    assert [note.leg for note in notes[:2]] == ["L", "R"]
    for note in notes[:2]:
        assert note.kind is NoteKind.FEET_TURN_FAST
        assert 60 < note.frame < note.values["last"] < 210
        assert note.values["turn"] > 20.0
    (note,) = notes_of(150.0, 0.05)
    assert note.kind is NoteKind.TRAVEL_TURNS_FAST
    assert note.frame in (89, 90, 91)
    assert note.values["turn"] > 60.0
    assert notes_of(90.0, 1.5) == []


def test_a_step_without_any_swing_turns_by_no_more_than_it_turns_in_all():
    notes = notes_of(900.0, 3.0, without_swings=True)
    turns = [note.values["turn"] for note in notes if note.kind is NoteKind.FEET_TURN_FAST]
    assert len(turns) == 2
    assert all(20.0 < turn <= 180.0 for turn in turns)


def test_a_thigh_that_flips_within_a_frame_is_told():
    rig, motions = make_walker()
    plan = make_plan(rig, motions, travel_on(motions, 10.0, 1.5), FlatGround(), PlanSettings())
    walk = solve_poses(plan, np.arange(60) / 30.0)
    assert note_turns(NotedSpan(plan, *walk.times[[0, -1]], 30.0), walk) == []
    leg = plan.tables.small_rig.legs[1]
    flipped = walk.rotations.copy()
    about = rot.quaternions_from_axis_angles([0.0, 1.0, 0.0], np.radians(172.0))
    flipped[40:, leg.joints[0]] = rot.multiply(flipped[40:, leg.joints[0]], about)
    (note,) = note_turns(
        NotedSpan(plan, *walk.times[[0, -1]], 30.0),
        replace(walk, legs=replace(walk.legs, rotations=flipped)),
    )
    assert (note.kind, note.leg, note.frame) == (NoteKind.LEG_WHIRLS, "R", 40)
    assert note.values["bone"] == plan.tables.small_rig.skeleton.names[leg.joints[0]]
    assert note.values["turn"] > 160.0
