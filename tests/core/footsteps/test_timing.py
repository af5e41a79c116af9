# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps whose times were set by hand: met exactly, or told to the frame."""

import numpy as np
import pytest

from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.footsteps.timing import StepTiming, find_rest
from semi_procedural_locomotion.core.footsteps.travel import StepWalkChoices, travel_from_steps
from semi_procedural_locomotion.core.plan import solve_poses
from tests.core.footsteps.test_travel import Course


class TimedCourse(Course):
    """A run of ten footsteps, walked with times set by hand."""

    def walk_with(self, timings=None, skipped=()):
        """Starts (N,) and ends (N,) of the steps as planned, and the travel's misses."""
        origin, facing = np.zeros(3), self.gait.facing
        count = len(self.steps)
        self.result = travel_from_steps(
            self.gait,
            self.steps,
            self.pace,
            StepWalkChoices(
                start=(origin, facing),
                start_time=1.0,
                phase_offset=float(self.motions.offsets[self.motions.slowest]),
                timings=[(timings or {}).get(i, StepTiming()) for i in range(count)],
                skipped=[i in skipped for i in range(count)],
            ),
        )
        self.travel = self.result.travel
        self.planned = self.plan()
        assert not self.planned.claims.lost
        steps = self.planned.steps
        return np.array([steps.measure_contacts(leg)[i] for leg, i in self.planned.claims.prints]).T

    def measure(self):
        """The numbers of the walk."""
        walk = solve_poses(self.planned, np.arange(self.travel.start, self.travel.end, 1 / 30))
        record = record_walk(self.planned, walk)
        return measure_walk(self.planned.tables.small_rig, record, self.planned.ground)


@pytest.fixture(scope="module")
def course():
    return TimedCourse(pattern=StepPattern(10))


def test_steps_last_as_long_as_the_motion_s_contacts(course):
    starts, ends = course.walk_with()
    own = course.gait.contacts[0]
    share = 1.0 - float(own[2] - own[1])
    assert (ends - starts)[3:7] == pytest.approx(np.full(4, share * course.walk.period), rel=0.02)
    assert np.diff(starts) == pytest.approx(np.full(9, 0.5 * course.walk.period), rel=0.06)


@pytest.mark.parametrize("later", [-0.2, 0.05, 0.3, 2.5])
def test_a_start_is_met_and_later_steps_move_along(course, later):
    starts, _ = course.walk_with()
    again, _ = course.walk_with({5: StepTiming(start=starts[5] + later)})
    assert not course.result.misses
    assert again[5] == pytest.approx(starts[5] + later, abs=5e-3)
    assert again[6:] - starts[6:] == pytest.approx(np.full(4, later), abs=0.02)
    assert again[:3] == pytest.approx(starts[:3], abs=5e-3)
    report = course.measure()
    assert report.slide_worst < 0.004
    assert report.targets_missed == 0
    assert report.hip_jerk_ratio < 1.1


def test_a_longer_stay_waits_on_both_feet(course):
    starts, ends = course.walk_with()
    held = StepTiming(duration=ends[4] - starts[4] + 3.0)
    again, left = course.walk_with({4: held})
    assert left[4] - again[4] == pytest.approx(held.duration, abs=5e-3)
    assert again[:5] == pytest.approx(starts[:5], abs=5e-3)
    # The other foot has come down as before, more or less, and the body does not move.
    assert again[5] - starts[5] < 1.0
    middle = left[4] - 1.5
    assert again[5] < middle - 0.5
    near = np.abs(course.travel.times - middle) < 0.5
    speeds = np.hypot(*np.gradient(course.travel.positions[near, :2], 1.0, axis=0).T)
    assert np.ptp(course.travel.positions[near, :2], axis=0).max() < 0.05
    assert speeds.max() < 0.02
    assert course.measure().slide_worst < 0.004


def test_the_first_step_waits_where_the_character_stands(course):
    starts, _ = course.walk_with()
    again, _ = course.walk_with({0: StepTiming(start=starts[0] + 2.0)})
    assert again - starts == pytest.approx(np.full(10, 2.0), abs=0.02)


def test_the_first_step_may_come_as_soon_as_the_swing_allows(course):
    starts, _ = course.walk_with()
    again, _ = course.walk_with({0: StepTiming(start=starts[0] - 0.4)})
    assert not course.result.misses
    assert again - starts == pytest.approx(np.full(10, -0.4), abs=0.03)
    report = course.measure()
    assert report.slide_worst < 0.004
    assert report.hip_jerk_ratio < 1.1


def test_a_first_step_that_comes_far_too_early_is_told(course):
    starts, _ = course.walk_with()
    again, _ = course.walk_with({0: StepTiming(start=0.5)})
    (miss,) = course.result.misses
    assert again[0] == pytest.approx(miss.reached, abs=5e-3)
    # The swing itself takes as long as half a cycle.
    assert 1.0 < again[0] < min(1.0 + 0.65 * course.walk.period, starts[0] - 0.4)
    assert np.all(np.diff(course.travel.times) > 0.0)


def test_several_times_are_met_together(course):
    starts, ends = course.walk_with()
    timings = {
        3: StepTiming(duration=ends[3] - starts[3] + 0.5),
        5: StepTiming(start=starts[5] + 1.0, duration=2.0),
        7: StepTiming(start=starts[7] + 3.0),
    }
    again, left = course.walk_with(timings)
    assert not course.result.misses
    assert (left - again)[[3, 5]] == pytest.approx([timings[3].duration, 2.0], abs=5e-3)
    assert again[[5, 7]] == pytest.approx([timings[5].start, timings[7].start], abs=5e-3)
    assert np.all(np.diff(again) > 0.0)


def test_what_is_too_fast_is_clamped_and_told(course):
    starts, _ = course.walk_with()
    again, _ = course.walk_with({5: StepTiming(start=starts[5] - 3.0)})
    (miss,) = course.result.misses
    assert (miss.step, miss.is_start) == (5, True)
    assert miss.wanted == pytest.approx(starts[5] - 3.0)
    assert again[5] == pytest.approx(miss.reached, abs=5e-3)
    assert np.diff(again).min() > 0.5 * np.diff(starts).min()


def test_a_step_in_between_two_held_times_cannot_wait_in_the_air(course):
    starts, ends = course.walk_with()
    timings = {3: StepTiming(duration=ends[3] - starts[3]), 5: StepTiming(start=starts[5] + 2.0)}
    again, _ = course.walk_with(timings)
    (miss,) = course.result.misses
    assert miss.step == 5
    assert miss.reached < miss.wanted
    assert again[5] == pytest.approx(miss.reached, abs=5e-3)


def test_a_skipped_step_lets_the_foot_stay_and_its_turn_pass(course):
    starts, _ = course.walk_with()
    again, _ = course.walk_with(skipped=[5])
    taken = [i for i in range(10) if i != 5]
    assert again[taken] == pytest.approx(starts[taken], abs=0.3)


def test_gaits_with_a_foot_in_the_air_have_no_rest():
    walk, run = Course(pattern=StepPattern(4)), Course(pattern=StepPattern(4), names=("run",))
    rest = find_rest(walk.gait, 0)
    assert rest is not None
    assert 0.0 < rest.place < walk.gait.contacts[0, 1]
    assert find_rest(run.gait, 0) is None
