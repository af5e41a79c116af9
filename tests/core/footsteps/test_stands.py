# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that cannot wait in their gait stand for a cycle, every foot on its footstep."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.footsteps.timing import StepTiming
from tests.core.footsteps.test_timing import TimedCourse


@pytest.mark.parametrize(
    ("names", "legs"), [(("walk",), 4), (("trot",), 4), (("walk",), 6), (("walk",), 8)]
)
def test_a_held_step_is_met_with_all_feet_on_their_steps(names, legs):
    course = TimedCourse(pattern=StepPattern(6 * legs), names=names, legs=legs)
    held = 3 * legs
    starts, ends = course.walk_with()
    wanted = ends[held] - starts[held] + 3.0
    again, left = course.walk_with({held: StepTiming(duration=wanted)})
    assert not course.result.misses
    assert left[held] - again[held] == pytest.approx(wanted, abs=0.04)
    assert again[: held - legs] == pytest.approx(starts[: held - legs], abs=5e-3, nan_ok=True)
    # In the middle of the wait every foot is on a footstep.
    middle = left[held] - 1.5
    on = {course.steps[i].leg for i in np.flatnonzero((again < middle) & (left > middle))}
    assert on == set(range(legs))
    report = course.measure()
    assert report.slide_worst < 0.004
    assert report.sink_worst < 0.004
    assert report.targets_missed == 0


def test_steps_after_two_waits_are_met_as_after_none():
    course = TimedCourse(pattern=StepPattern(24), names=("walk",), legs=4)
    starts, ends = course.walk_with()
    timings = {i: StepTiming(duration=ends[i] - starts[i] + 3.0) for i in (6, 14)}
    again, left = course.walk_with(timings)
    assert not course.result.misses
    assert (left - again)[[6, 14]] == pytest.approx((ends - starts)[[6, 14]] + 3.0, abs=0.04)
    assert np.diff(again[20:]) == pytest.approx(np.diff(starts[20:]), abs=0.02)
    report = course.measure()
    assert report.slide_worst < 0.004
    assert report.targets_missed == 0


def test_a_runner_stands_before_a_step_that_comes_late():
    course = TimedCourse(pattern=StepPattern(12), names=("run",))
    starts, _ = course.walk_with()
    again, _ = course.walk_with({6: StepTiming(start=starts[6] + 3.0)})
    assert not course.result.misses
    assert again[6] == pytest.approx(starts[6] + 3.0, abs=0.02)
    assert np.all(np.diff(again) > 0.0)
    assert course.measure().slide_worst < 0.004


def test_a_wait_shorter_than_a_stand_slows_the_steps_and_is_told():
    course = TimedCourse(pattern=StepPattern(12), names=("run",))
    starts, ends = course.walk_with()
    again, left = course.walk_with({5: StepTiming(duration=ends[5] - starts[5] + 0.3)})
    (miss,) = course.result.misses
    assert miss.reached < miss.wanted
    assert ends[5] - starts[5] + 0.1 < left[5] - again[5] < ends[5] - starts[5] + 0.3
