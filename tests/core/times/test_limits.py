# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that are no walk are refused; those far from all motions are told of."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.terrain import FlatGround, MovingGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.report.ground_notes import note_leaving_ground
from semi_procedural_locomotion.core.report.pace_notes import note_pace
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.carried import carrier_from_samples, carry_travel
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from semi_procedural_locomotion.errors import TravelError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.grounds import GroundStack
from tests.core.walkers import facing_of, make_walker, native_walk


def plan_straight(speed_share, names=("walk",), away=0.0, settings=None):
    """Four seconds straight on at a share of the walk's speed, turned away from its direction."""
    rig, motions = make_walker(names)
    walk = native_walk(motions)
    heading = facing_of(walk) + away
    times = np.linspace(0.0, 4.0, 121)
    way = times[:, None] * speed_share * walk.speed
    positions = np.concatenate(
        [way * np.cos(heading), way * np.sin(heading), np.zeros((121, 1))], axis=1
    )
    travel = Travel(times, positions, np.zeros(121))
    return make_plan(rig, motions, travel, FlatGround(), settings)


@pytest.mark.parametrize("share", [0.3, 1.0, 1.5])
def test_paces_near_the_motions_need_no_note(share):
    assert note_pace(NotedSpan(plan_straight(share), 0.0, 4.0, 30.0)) == []


def test_a_travel_much_faster_than_all_motions_is_told_of():
    (note,) = note_pace(NotedSpan(plan_straight(4.0), 0.0, 4.0, 30.0))
    assert note.kind is NoteKind.TRAVEL_FAST
    assert note.values["factor"] == pytest.approx(4.0, abs=0.05)
    assert note.values["fastest"].startswith("walk")
    assert note_pace(NotedSpan(plan_straight(2.5, ("walk", "run")), 0.0, 4.0, 30.0)) == []


@pytest.mark.parametrize("away", [-180.0, -90.0, 75.0])
def test_a_travel_against_all_motions_is_told_of(away):
    strafing = plan_straight(1.0, away=np.radians(away), settings=PlanSettings(turn_to_way=0.0))
    (note,) = note_pace(NotedSpan(strafing, 0.0, 4.0, 30.0))
    assert note.kind is NoteKind.TRAVEL_AGAINST
    assert note.values["angle"] == pytest.approx(abs(away), abs=0.5)
    assert note.values["along"] == 0
    (note,) = note_pace(NotedSpan(strafing, 0.0, 4.0, 30.0), faces_way=True)
    assert note.values["along"] == 1


def test_a_travel_half_to_the_side_needs_no_note():
    assert note_pace(NotedSpan(plan_straight(1.0, away=np.radians(45.0)), 0.0, 4.0, 30.0)) == []


def test_a_travel_that_is_no_walk_is_refused_in_words():
    with pytest.raises(TravelError, match="200 times as fast as the fastest motion"):
        plan_straight(200.0)


def slide(speed):
    """A walk on the spot over a belt that goes by from second 1 to 2."""
    rig, motions = make_walker()

    def move(times):
        places = np.zeros((len(times), 3))
        places[:, 1] = speed * np.clip(times - 1.0, 0.0, 1.0)
        return places, np.zeros(len(times))

    belt = MovingGround(FlatGround(), move, travel=(0.0, 0.0))
    times = np.linspace(0.0, 4.0, 121)
    travel = Travel(times, np.zeros((121, 3)), np.zeros(121))
    return make_plan(rig, motions, travel, belt)


def test_ground_that_goes_by_below_the_walk_is_told_by_its_name():
    own = native_walk(make_walker()[1]).speed
    notes = {note.kind: note for note in note_pace(NotedSpan(slide(3.0 * own), 0.0, 4.0, 30.0))}
    assert NoteKind.TRAVEL_FAST not in notes
    note = notes[NoteKind.GROUND_FAST]
    assert note.values["ground"] == "ground"
    assert note.values["factor"] == pytest.approx(3.0, abs=0.4)
    assert abs(note.frame - 30) <= 2
    assert abs(note.values["last"] - 60) <= 2


@pytest.mark.parametrize("factor", [90.0, 300.0])
def test_ground_that_goes_by_too_fast_is_refused_by_its_name(factor):
    own = native_walk(make_walker()[1]).speed
    with pytest.raises(TravelError, match="'ground' goes by below the walk") as refusal:
        slide(factor * own)
    assert refusal.value.time == pytest.approx(1.0, abs=0.1)
    assert refusal.value.last == pytest.approx(2.0, abs=0.1)


def test_a_motion_on_the_spot_is_refused_by_its_stride():
    rig, motions = make_walker()
    walk = native_walk(motions)
    slow = replace(walk, velocity=1e-6 * walk.velocity)
    still = replace(motions, motions=tuple(slow if m is walk else m for m in motions.motions))
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    with pytest.raises(TravelError, match="has a stride of nearly nothing") as refusal:
        make_plan(rig, still, travel, FlatGround())
    assert "e+" not in str(refusal.value)


@pytest.mark.parametrize(
    ("distance", "words"),
    [(40.0, "jumps 40"), (1e9, "jumps more than 1000 times the length of a leg")],
)
def test_a_jump_is_refused_with_its_time(distance, words):
    rig, motions = make_walker()
    times = np.arange(97) / 24.0
    positions = np.zeros((97, 3))
    positions[:, 0] = times * native_walk(motions).speed + distance * (times > 2.0)
    with pytest.raises(TravelError, match=words) as refusal:
        make_plan(rig, motions, Travel(times, positions, np.zeros(97)), FlatGround())
    assert refusal.value.time == pytest.approx(2.0, abs=0.1)
    assert "e+" not in str(refusal.value)


def test_who_is_carried_off_over_standing_ground_is_told_by_what():
    rig, motions = make_walker()
    walk = native_walk(motions)
    local = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    times = np.linspace(-4.0, 8.0, 121)
    matrices = np.tile(np.eye(4), (121, 1, 1))
    for factor in (12.0, 300.0):
        matrices[:, 1, 3] = factor * walk.speed * np.maximum(times - 2.0, 0.0)
        train = replace(carrier_from_samples(times, matrices, 0.0), name="Train")
        settings = PlanSettings(max_stride=0.05)
        told = rf"'Train' carries the character at {factor * walk.speed:.3g} m/s over ground"
        with pytest.raises(TravelError, match=told) as refusal:
            make_plan(rig, motions, carry_travel(local, train), FlatGround(), settings)
        assert 2.0 <= refusal.value.time <= 4.0


def test_countless_steps_are_refused_in_words():
    with pytest.raises(TravelError, match=r"cycles a second: .*Longest Stride"):
        plan_straight(1.0, settings=PlanSettings(max_stride=1e-4))


@pytest.mark.parametrize(
    ("sway", "beam", "told"), [(0.0, True, 0), (0.6, True, 1), (0.6, False, 0)]
)
def test_ground_that_leaves_from_under_a_body_on_still_ground_is_told_of(sway, beam, told):
    """A body over a beam, its feet on a belt at both sides; without the beam it walks with the belt."""
    rig, motions = make_walker()

    def move(times):
        places = np.zeros((len(times), 3))
        places[:, 1] = sway * times
        return places, np.zeros(len(times))

    corners = np.array([[x, y, 1e-4] for y in (-9.0, 9.0) for x in (-0.01, 0.01)])
    belt = MovingGround(FlatGround(), move, travel=(-1.0, 1.0))
    still = MeshGround(corners, np.array([[0, 1, 3], [0, 3, 2]]))
    times = np.linspace(0.0, 2.0, 61)
    stand = Travel(times, np.zeros((61, 3)), np.zeros(61))
    plan = make_plan(rig, motions, stand, GroundStack([still, belt]) if beam else belt)
    notes = note_leaving_ground(NotedSpan(plan, 0.0, 2.0, 24.0))
    assert len(notes) == told
    if told:
        assert notes[0].kind is NoteKind.GROUND_LEAVES
        assert notes[0].leg in ("L", "R")
        assert 0 <= notes[0].frame < notes[0].values["last"] <= 48
        assert notes[0].values["distance"] > 0.35 * rig.leg_length


@pytest.mark.parametrize("speed", [-0.6, 0.6, 1.2])
def test_a_body_that_walks_over_a_belt_leaves_its_ground_by_itself(speed):
    """Floor, belt and floor, straight over: a foot on still ground is carried nowhere."""
    rig, motions = make_walker()

    def move(times):
        return times[:, None] * [0.0, speed, 0.0], np.zeros(len(times))

    def make_floor(near, far):
        corners = np.array([[x, y, 2e-3] for y in (near, far) for x in (-9.0, 9.0)])
        return MeshGround(corners, np.array([[0, 1, 3], [0, 3, 2]]))

    walk = native_walk(motions)
    way = 4.0 * float(walk.velocity[1])
    belt = MovingGround(FlatGround(), move, travel=(-1.0, 6.0))
    floors = [make_floor(-9.0, 0.3 * way), make_floor(0.3 * way + 1.5, 19.0)]
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity, 0.0, 4.0)
    plan = make_plan(rig, motions, travel, GroundStack([*floors, belt]))
    assert note_leaving_ground(NotedSpan(plan, 0.0, 4.0, 24.0)) == []
