# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps of the user in a plan: claimed, landed on, carried, or told as lost."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.records import KeptStep
from semi_procedural_locomotion.core.report.footstep_notes import (
    note_lost_steps,
    note_steps_in_walls,
    note_steps_off_ground,
)
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from semi_procedural_locomotion.notes import NoteKind
from tests.core.grounds import GroundStack
from tests.core.times.test_levels import make_box
from tests.core.walkers import facing_of, make_walker, native_walk


def make_course(rig, motions, corners=((0.0, 0.0), (0.0, -9.0))):
    walk = native_walk(motions)
    return travel_from_points(
        np.array(corners) * rig.leg_length,
        walk.speed,
        WayChoices(
            facing=facing_of(walk), corner_radius=0.5 * walk.stride, ramp_time=1.25 * walk.period
        ),
    )


def move_print(plan, leg, index, offset, turn=0.0):
    """A planned print as a user would leave it after moving and turning it."""
    row = plan.prints.rows[leg]
    return KeptStep(
        name="moved",
        leg=leg,
        position=row.positions[index] + np.asarray(offset),
        frame=rot.multiply(rot.quaternions_from_yaws(turn), row.frames[index]),
        time=float(row.times[index]),
    )


def read_soles(plan, leg, index):
    """Heel end of a foot in the middle of a print's stance."""
    row = plan.prints.rows[leg]
    walk = solve_poses(plan, row.times[index : index + 1])
    bone = plan.tables.small_rig.legs[leg].ankle
    heel = plan.tables.small_rig.legs[leg].heel.offset
    return walk.positions[0, bone] + rot.rotate(walk.rotations[0, bone], heel)


@cache
def plan_course():
    """The walk of all tests before any step is moved."""
    rig, motions = make_walker()
    return make_plan(rig, motions, make_course(rig, motions), FlatGround())


@pytest.mark.parametrize("offset", [(0.2, 0.0, 0.0), (0.0, 0.2, 0.0), (-0.1, -0.17, 0.0)])
def test_a_moved_step_is_landed_on_and_no_other_moves(offset):
    rig, motions = make_walker()
    plan = plan_course()
    kept = move_print(plan, 0, 4, offset)
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    assert again.claims.prints == ((0, 4),)
    for leg, (old, new) in enumerate(zip(plan.prints.rows, again.prints.rows, strict=True)):
        moved = np.abs(new.positions - old.positions).max(axis=1) > 0
        assert list(np.flatnonzero(moved)) == ([4] if leg == 0 else [])
    assert np.allclose(again.prints.rows[0].positions[4], kept.position, atol=1e-12)
    before, after = read_soles(plan, 0, 4), read_soles(again, 0, 4)
    assert np.abs(after - before - offset).max() < 1e-3 * rig.leg_length
    assert np.abs(read_soles(again, 0, 6) - read_soles(plan, 0, 6)).max() < 1e-9


def test_a_turned_step_turns_the_foot_without_a_jump_of_its_heading():
    rig, motions = make_walker()
    plan = plan_course()
    kept = move_print(plan, 1, 5, (0.0, 0.0, 0.0), turn=0.3)
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    change = again.prints.rows[1].headings - plan.prints.rows[1].headings
    assert change[5] == pytest.approx(0.3)
    assert np.abs(np.delete(change, 5)).max() == 0


def test_a_step_on_no_leg_s_way_is_lost_and_named():
    rig, motions = make_walker()
    plan = plan_course()
    kept = replace(move_print(plan, 0, 4, (30.0, 0.0, 0.0)), name="Far", time=None)
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    assert again.claims.prints == (None,)
    (note,) = note_lost_steps(again)
    assert note.kind is NoteKind.FOOTSTEPS_BESIDE
    assert (note.values["footsteps"], note.values["count"]) == (("Far",), 1)
    assert np.array_equal(again.prints.rows[0].positions, plan.prints.rows[0].positions)


def test_no_print_is_claimed_twice_and_the_nearer_step_wins():
    rig, motions = make_walker()
    plan = plan_course()
    near = replace(move_print(plan, 0, 4, (0.02, 0.0, 0.0)), name="near")
    far = replace(move_print(plan, 0, 4, (0.1, 0.03, 0.0)), name="far")
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[far, near])
    assert again.claims.find_step(0, 4).name == "near"
    claimed = [place for place in again.claims.prints if place is not None]
    assert len(set(claimed)) == len(claimed)


def test_where_the_travel_passes_twice_the_step_keeps_its_own_round():
    rig, motions = make_walker()
    there_and_back = make_course(
        rig, motions, ((0, 0), (0, -7), (1.5, -7), (1.5, 0), (0, 0), (0, -7))
    )
    plan = make_plan(rig, motions, there_and_back, FlatGround())
    row = plan.prints.rows[0]
    first = 3
    apart = np.hypot(*(row.positions[:, :2] - row.positions[first, :2]).T)
    again = [i for i in np.flatnonzero(apart < 0.6) if i != first]
    assert again, "the travel has to pass the same place twice"
    for index in (first, *again):
        kept = move_print(plan, 0, index, (0.05, 0.0, 0.0))
        assert (0, index) in make_plan(
            rig, motions, there_and_back, FlatGround(), kept_steps=[kept]
        ).claims.prints


def test_the_step_of_a_foot_that_stays_moves_all_its_stances():
    rig, motions = make_walker()
    plan = plan_course()
    row = plan.prints.rows[0]
    last = int(np.flatnonzero(~row.parked)[-1])
    assert row.parked[last + 1 :].any()
    kept = move_print(plan, 0, last, (0.05, -0.04, 0.0))
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    assert np.allclose(again.prints.rows[0].positions[last:], kept.position)


def test_a_step_on_moving_ground_is_carried_to_its_stance():
    rig, motions = make_walker()

    def drift(times):
        return times[:, None] * np.array([0.1, 0.0, 0.0]), np.zeros(len(times))

    ground = MovingGround(FlatGround(), drift)
    plan = make_plan(rig, motions, make_course(rig, motions), ground)
    row = plan.prints.rows[0]
    kept = replace(move_print(plan, 0, 4, (0.1, 0.0, 0.0)), time=float(row.times[4]) - 0.5)
    again = make_plan(rig, motions, plan.travel, ground, kept_steps=[kept])
    assert again.claims.prints == ((0, 4),)
    shift = again.prints.rows[0].positions[4] - kept.position
    assert shift == pytest.approx((0.05, 0.0, 0.0), abs=1e-9)


def test_a_step_left_out_keeps_the_foot_where_it_stood():
    rig, motions = make_walker()
    plan = plan_course()
    kept = replace(move_print(plan, 0, 4, (0.0, 0.0, 0.0)), left_out=True)
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    old, new = plan.prints.rows[0], again.prints.rows[0]
    assert np.array_equal(new.positions[4], old.positions[3])
    assert new.parked[4]
    assert np.array_equal(np.delete(new.positions, 4, 0), np.delete(old.positions, 4, 0))
    assert np.array_equal(again.prints.rows[1].positions, plan.prints.rows[1].positions)


def test_a_step_whose_print_another_one_claims_is_told_that():
    rig, motions = make_walker()
    plan = plan_course()
    near = replace(move_print(plan, 0, 4, (0.02, 0.0, 0.0)), name="near", time=None)
    far = replace(move_print(plan, 0, 4, (0.1, 0.0, 0.0)), name="far", time=None)
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[far, near])
    (note,) = note_lost_steps(again)
    assert (note.kind, note.leg) == (NoteKind.FOOTSTEP_TAKEN, "L")
    assert note.values == {"footstep": "far", "rival": "near"}
    assert note.place == tuple(far.position)


@pytest.mark.parametrize(("height", "told"), [(-0.4, True), (0.3, True), (0.05, False)])
def test_a_step_far_from_the_ground_is_told(height, told):
    rig, motions = make_walker()
    plan = plan_course()
    kept = move_print(plan, 0, 4, (0.0, 0.0, height * rig.leg_length))
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=[kept])
    notes = note_steps_off_ground(again)
    assert len(notes) == told
    if not told:
        return
    assert notes[0].kind is NoteKind.FOOTSTEP_OFF_GROUND
    assert notes[0].values["footstep"] == "moved"
    assert notes[0].values["height"] == pytest.approx(height * rig.leg_length)
    assert notes[0].values["more"] == 0
    left_out = make_plan(
        rig, motions, plan.travel, FlatGround(), kept_steps=[replace(kept, left_out=True)]
    )
    assert note_steps_off_ground(left_out) == []


def test_several_steps_off_the_ground_are_one_note():
    rig, motions = make_walker()
    plan = plan_course()
    kept = [
        replace(move_print(plan, leg, 4, (0.0, 0.0, height * rig.leg_length)), name=name)
        for leg, height, name in ((0, 0.2, "near"), (1, 0.3, "far"))
    ]
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=kept)
    (note,) = note_steps_off_ground(again)
    assert note.values["footstep"] == "far"
    assert note.values["more"] == 1


def test_steps_of_another_travel_beside_this_one_are_left_out_and_told_together():
    rig, motions = make_walker()
    plan = plan_course()
    # A stride is longer than what a leg reaches aside.
    aside = (0.9 * rig.leg_length, 0.0, 0.0)
    assert aside[0] < motions.motions[motions.slowest].stride
    kept = [replace(move_print(plan, 0, n, aside), name=f"Old {n}", time=None) for n in range(2, 7)]
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=kept)
    assert again.claims.prints == (None,) * 5
    assert np.array_equal(again.prints.rows[0].positions, plan.prints.rows[0].positions)
    (note,) = note_lost_steps(again)
    assert note.kind is NoteKind.FOOTSTEPS_BESIDE
    assert note.values["footsteps"] == ("Old 2", "Old 3", "Old 4")
    assert (note.values["count"], note.values["more"]) == (5, 2)
    near = [replace(step, position=step.position - 0.7 * np.array(aside)) for step in kept]
    again = make_plan(rig, motions, plan.travel, FlatGround(), kept_steps=near)
    assert None not in again.claims.prints


@pytest.mark.parametrize(
    ("high", "low", "away", "told"),
    [
        (2.0, 0.0, -0.5, True),
        (2.0, -0.5, -0.1, True),
        (0.3, 0.0, -0.1, True),
        (2.0, 0.0, 0.3, False),
        (0.3, 0.0, 0.3, False),
    ],
)
def test_a_step_in_a_wall_is_told(high, low, away, told):
    rig, motions = make_walker()
    plan = plan_course()
    kept = move_print(plan, 0, 4, (0.0, 0.0, 0.0))
    toe = kept.position + rot.rotate(kept.frame, rig.foot_lengths[0] * np.array([1.0, 0.0, 0.0]))
    # To the left of the sole, which points along -Y, so many widths of it away from its edge.
    face = kept.position[0] + (0.5 + away) * rig.legs[0].sole_width
    wall = make_box((face, toe[1] - 0.1, low), (face + 1.0, kept.position[1] + 0.1, high))
    ground = GroundStack([FlatGround(), wall])
    again = make_plan(rig, motions, plan.travel, ground, kept_steps=[kept])
    notes = note_steps_in_walls(again)
    assert len(notes) == told
    if told:
        assert notes[0].kind is NoteKind.FOOTSTEP_IN_WALL
        assert notes[0].values == {"footstep": "moved", "more": 0}
