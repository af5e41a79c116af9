# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that cannot wait in their gait stand for a cycle, every foot on its footstep."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.footsteps.layout import StepPattern, measure_gait
from semi_procedural_locomotion.core.footsteps.timing import StepTiming
from semi_procedural_locomotion.core.footsteps.travel import Stands, find_cut, place_stands
from tests.core.footsteps.test_timing import TimedCourse
from tests.core.walkers import make_walker, native_walk

OFFS = np.full(12, 0.3)


def test_steps_behind_a_cut_come_a_cycle_later_and_those_under_way_do_not():
    stands = Stands(np.array([3.2]))
    phases = 0.5 * np.arange(12.0)
    shifted = stands.shift_phases(phases, OFFS)
    # A foot whose lift-off, 0.7 cycles before its stance, lies before the cut is under way.
    assert np.array_equal(shifted - phases, (phases - 0.7 >= 3.2).astype(float))
    longer = stands.lengthen(phases, OFFS)
    assert np.flatnonzero(longer).tolist() == [6, 7]
    assert longer.max() == 1.0


def test_the_body_stands_for_a_cycle_and_goes_on_as_it_was():
    stands = Stands(np.array([3.2, 6.0]))
    phases = np.linspace(0.0, 12.0, 1201)
    natural = stands.find_natural(phases)
    assert np.all(np.diff(natural) >= 0.0)
    assert natural[-1] == pytest.approx(10.0)
    assert np.ptp(natural[(phases > 3.41) & (phases < 4.39)]) < 1e-9
    assert natural[phases == stands.find_rest(0)] == pytest.approx(3.4)


def test_cuts_that_are_near_are_one():
    stands, chosen = place_stands([5.0, 2.0, 5.4])
    assert stands.cuts.tolist() == [2.0, 5.0]
    assert chosen == [1, 0, 1]


@pytest.mark.parametrize(
    ("names", "legs"), [(("walk",), 4), (("trot",), 4), (("run",), 2), (("walk",), 8)]
)
def test_no_leg_leaves_near_a_cut(names, legs):
    rig, motions = make_walker(names, legs)
    gait = measure_gait(rig, native_walk(motions))
    lifts = gait.phases + gait.contacts[:, 1]
    for leg in range(legs):
        cut = find_cut(gait, leg, float(gait.phases[leg]))
        apart = (lifts - cut + 0.5) % 1.0 - 0.5
        assert np.abs(apart).min() > 0.03
        assert 0.0 < float(lifts[leg]) - cut < 0.5


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
