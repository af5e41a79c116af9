# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks along footsteps: every step is taken, in its order, by its own foot."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.footsteps.layout import (
    LaidStep,
    StepPattern,
    lay_out_steps,
    measure_gait,
)
from semi_procedural_locomotion.core.footsteps.travel import (
    StepWalkChoices,
    note_long_steps,
    travel_from_steps,
)
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.prints.records import KeptStep
from semi_procedural_locomotion.core.times.durations import measure_pace
from semi_procedural_locomotion.errors import TravelError
from semi_procedural_locomotion.notes import NoteKind
from tests.core.grounds import GroundStack
from tests.core.walkers import make_walker, native_walk


class Course:
    """A character and a run of footsteps."""

    def __init__(self, steps=None, pattern=None, speed=None, names=("walk",), legs=2, timings=()):
        self.rig, self.motions = make_walker(names, legs)
        self.walk = native_walk(self.motions)
        self.gait = measure_gait(self.rig, self.walk)
        self.pace = measure_pace(self.motions, self.motions.slowest, 0.5, speed)
        origin, facing = np.zeros(3), self.gait.facing
        self.steps = steps or lay_out_steps(self.gait, pattern, origin, facing)
        self.result = travel_from_steps(
            self.gait,
            self.steps,
            self.pace,
            StepWalkChoices(
                start=(origin, facing),
                start_time=1.0,
                phase_offset=float(self.motions.offsets[self.motions.slowest]),
                timings=timings,
            ),
        )
        self.travel = self.result.travel

    def plan(self):
        kept = [
            KeptStep(
                f"step {number}",
                step.leg,
                step.middle - self.heel(step),
                rot.quaternions_from_yaws(np.array(step.heading)),
                float(time),
            )
            for number, (step, time) in enumerate(
                zip(self.steps, self.result.instants, strict=True)
            )
        ]
        return make_plan(self.rig, self.motions, self.travel, FlatGround(), kept_steps=kept)

    def heel(self, step):
        half = 0.5 * self.rig.foot_lengths[step.leg]
        return np.array([half * np.cos(step.heading), half * np.sin(step.heading), 0.0])


def check_all_steps_are_taken(course):
    plan = course.plan()
    assert not plan.claims.lost
    for step, place, time in zip(
        course.steps, plan.claims.prints, course.result.instants, strict=True
    ):
        leg, index = place
        row = plan.prints.rows[leg]
        assert leg == step.leg
        assert row.positions[index] + course.heel(step) == pytest.approx(step.middle, abs=1e-9)
        assert row.times[index] == pytest.approx(time, abs=0.04 * course.walk.period)
    return plan


def test_steps_of_the_walk_s_own_length_are_walked_at_its_own_speed():
    course = Course(pattern=StepPattern(12))
    plan = check_all_steps_are_taken(course)
    middle = course.result.instants[4:9]
    assert np.diff(middle) == pytest.approx(np.full(4, 0.5 * course.walk.period), rel=0.03)
    walk = solve_poses(plan, np.arange(course.travel.start, course.travel.end, 1 / 30))
    report = measure_walk(plan.tables.small_rig, record_walk(plan, walk), plan.ground)
    assert report.slide_worst < 0.004
    assert report.targets_missed == 0
    assert report.fidelity_rms < 0.05


@pytest.mark.parametrize("behind", [0.12, -0.05])
def test_the_last_foot_stays_on_its_step_whatever_the_walk_s_stance(behind):
    course = Course(pattern=StepPattern(8))
    gait = course.gait
    middles = gait.middles - [behind, 0.0]
    gait = replace(gait, middles=middles, settle=-behind)
    choices = StepWalkChoices(start=(np.zeros(3), gait.facing), start_time=1.0)
    travel = travel_from_steps(gait, course.steps, course.pace, choices).travel
    ahead = np.array([np.cos(gait.facing), np.sin(gait.facing)])
    ends = course.travel.positions[-1, :2], travel.positions[-1, :2]
    assert ends[1] == pytest.approx(ends[0], abs=2e-3)
    # It goes beyond its end and back by no more than the smoothing of any way.
    beyond = [
        float(np.max((walk.positions[:, :2] - walk.positions[-1, :2]) @ ahead))
        for walk in (course.travel, travel)
    ]
    assert beyond[1] < beyond[0] + 0.005
    # Amid its steps it walks as its stance has it.
    amid = [
        np.interp(walk.instants[3], walk.travel.times, walk.travel.positions[:, :2] @ ahead)
        for walk in (course.result, travel_from_steps(gait, course.steps, course.pace, choices))
    ]
    assert amid[1] - amid[0] == pytest.approx(behind, abs=0.01)


@pytest.mark.parametrize(
    "pattern",
    [
        StepPattern(9, stride=0.7, width=1.4, first=1),
        StepPattern(9, stride=1.7),
        StepPattern(14, turn=np.radians(12.0)),
        StepPattern(1),
        StepPattern(2, first=1),
    ],
)
def test_all_steps_are_taken(pattern):
    check_all_steps_are_taken(Course(pattern=pattern))


def test_shorter_strides_are_slower_and_longer_ones_run():
    def speed(course):
        moves = np.hypot(*np.diff(course.travel.positions[:, :2], axis=0).T)
        return (moves / np.diff(course.travel.times)).max()

    native = Course(pattern=StepPattern(12))
    short = Course(pattern=StepPattern(12, stride=0.5 * native.gait.stride))
    assert speed(short) < 0.5 * speed(native)
    both = Course(pattern=StepPattern(14, stride=1.0), names=("walk", "run"))
    run = both.motions.motions[int(np.argmax([m.speed for m in both.motions.motions]))]
    long = Course(pattern=StepPattern(14, stride=run.stride), names=("walk", "run"))
    assert speed(long) == pytest.approx(run.speed, rel=0.1)
    assert np.hypot(*long.plan().times.velocities.T).max() > 1.5 * long.walk.speed


def test_steps_that_climb_lead_the_body_past_other_floors():
    course = Course(pattern=StepPattern(count=12, rise=0.25))
    last = course.steps[-1].middle
    heights = np.array([step.middle[2] for step in course.steps])
    told = np.interp(course.result.instants, course.travel.times, course.travel.positions[:, 2])
    assert np.abs(told - heights).max() < 0.15
    assert last[2] > 2.5
    # Floors at the bottom and at the top, and a flight of stairs between that is as steep as the steps.
    along = np.array([step.middle[:2] for step in course.steps]) @ last[:2] / np.hypot(*last[:2])
    way = np.array([[-9.0, 0.0], *np.stack([along, heights], 1), [along[-1] + 9.0, last[2]]])
    side = np.array([-last[1], last[0]]) / np.hypot(*last[:2])
    ahead = last[:2] / np.hypot(*last[:2])
    rims = [np.column_stack([way[:, :1] * ahead + w * side, way[:, 1]]) for w in (-3.0, 3.0)]
    first, count = np.arange(len(way) - 1), len(way)
    corners = np.stack([first, first + count, first + count + 1, first + 1], 1)
    stairs = MeshGround(
        np.concatenate(rims), np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    )
    plan = make_plan(course.rig, course.motions, course.travel, GroundStack([FlatGround(), stairs]))
    reached = plan.grid.sample(plan.levels, course.result.instants)
    assert np.abs(reached - heights).max() < 0.2


def test_a_speed_asked_for_is_gone():
    slow = Course(pattern=StepPattern(12), speed=0.8)
    fast = Course(pattern=StepPattern(12), speed=1.6)
    assert slow.travel.end - 1.0 == pytest.approx(2.0 * (fast.travel.end - 1.0))


def test_it_begins_where_it_stands_if_that_is_near_and_ends_over_the_last_step():
    course = Course(pattern=StepPattern(6))
    assert course.travel.positions[0, :2] == pytest.approx((0.0, 0.0), abs=2e-3)
    last = course.steps[-1]
    place, _ = course.gait.place_body(last.leg, last.middle, last.heading)
    assert course.travel.positions[-1, :2] == pytest.approx(place, abs=2e-3)
    away = np.array([50.0, 0.0, 0.0])
    far = [LaidStep(s.leg, s.middle + away, s.heading) for s in course.steps]
    moved = Course(steps=far)
    first, _ = course.gait.place_body(far[0].leg, far[0].middle, far[0].heading)
    assert moved.travel.positions[0, :2] == pytest.approx(first, abs=2e-3)


@pytest.mark.parametrize("legs", [2, 4])
def test_no_foot_steps_before_the_first_footstep(legs):
    course = Course(pattern=StepPattern(8), legs=legs)
    plan = course.plan()
    first = course.result.instants.min() - 0.15 * course.walk.period
    for row in plan.prints.rows:
        fresh = row.times[~row.parked]
        assert not np.any((fresh > course.travel.start - 1.0) & (fresh < first))
        assert np.all(row.positions[row.parked & (row.times < first)] == row.positions[0])


def test_the_way_keeps_to_its_limits_where_steps_jump_aside():
    course = Course(pattern=StepPattern(10))
    steps = [
        LaidStep(s.leg, s.middle + np.array([0.25 * (-1) ** (i // 2), 0.0, 0.0]), s.heading)
        for i, s in enumerate(course.steps)
    ]
    plain, wild = course.travel, Course(steps=steps).travel

    def peak(travel):
        velocity = np.gradient(travel.positions[:, :2], travel.times, axis=0)
        return np.hypot(*np.gradient(velocity, travel.times, axis=0).T).max()

    assert peak(wild) < 3.5 * peak(plain)


def test_legs_may_step_out_of_turn():
    course = Course(pattern=StepPattern(8))
    steps = [s for i, s in enumerate(course.steps) if i != 4]
    left_out = check_all_steps_are_taken(Course(steps=steps))
    assert len(left_out.claims.steps) == 7


def test_four_legs_take_all_their_steps():
    check_all_steps_are_taken(Course(pattern=StepPattern(16), legs=4))


def test_strides_longer_than_the_motions_are_told():
    course = Course(pattern=StepPattern(8))
    assert not note_long_steps(course.gait, course.steps, list("abcdefgh"), course.pace)
    steps = list(course.steps)
    ahead = 1.0 * np.array([np.cos(course.gait.facing), np.sin(course.gait.facing), 0.0])
    steps[6:] = [LaidStep(s.leg, s.middle + ahead, s.heading) for s in steps[6:]]
    notes = note_long_steps(course.gait, steps, list("abcdefgh"), course.pace)
    assert [note.values["footstep"] for note in notes] == ["g", "h"]
    assert notes[0].kind is NoteKind.FOOTSTEP_FAR
    assert notes[0].values["before"] == "e"
    assert notes[0].values["distance"] > notes[0].values["reach"]


def test_no_steps_are_an_error():
    course = Course(pattern=StepPattern(1))
    with pytest.raises(TravelError, match="no footsteps"):
        travel_from_steps(
            course.gait, [], course.pace, StepWalkChoices(start=(np.zeros(3), 0.0), start_time=0.0)
        )
