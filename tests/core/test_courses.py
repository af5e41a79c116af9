# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Start, walk, arcs, side steps, run, stop, turns, rest: every section in the study's column."""

from dataclasses import dataclass

import numpy as np
import pytest

from benchmarks.courses_core import list_pieces, make_course, measure_sections
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.changes import reverse_motion
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from tests.core.walkers import make_set, make_walker, native_walk

# Knees of steps that no motion is made for have no source to be compared with; the study reaches 3.3
# on side steps and stands between moves tell of a first step only.
NATIVE = {
    "start", "walk", "arc", "S-curve right", "S-curve left", "straight", "to run", "run", "run arc",
    "brake", "stop", "second start", "second stop",
}  # fmt: skip
# Hips that are drawn down in time for the next sharp turn, or stop.
SHARPER = {
    ("four legs", "run arc"): 1.4,
    ("six legs", "S-curve right"): 1.15,
    ("six legs", "S-curve left"): 1.15,
}
STANDING = {"stand", "stand long", "turn left", "turn right", "halt"}


@dataclass(frozen=True)
class Course:
    """A character with its motions."""

    names: tuple[str, ...]
    legs: int = 2
    reverse: bool = False


COURSES = {
    "one walk": Course(("walk",)),
    "a walk and its reverse": Course(("walk",), reverse=True),
    "every direction": Course(("walk", "run", "sidestep", "backward", "turn")),
    "four legs": Course(("walk", "trot", "gallop"), 4),
    "six legs": Course(("tripod",), 6),
}


def plan_course(course, yaw=0.0, start=0.0):
    rig, motions = make_walker(course.names, course.legs)
    walk = motions.motions[1]
    if course.reverse:
        motions = make_set([*motions.motions, reverse_motion(walk)])
    fastest = max(motion.speed for motion in motions.motions)
    run = fastest if fastest > 1.2 * walk.speed else 1.6 * walk.speed
    facing = float(np.arctan2(rig.forward[1], rig.forward[0]))
    pieces = list_pieces(walk.speed, run)
    travel, sections = make_course(pieces, walk.period, facing + yaw, start)
    if yaw:
        travel = type(travel)(travel.times, travel.positions, travel.yaws + yaw)
    return make_plan(rig, motions, travel, FlatGround()), sections


@pytest.fixture(scope="module")
def measured():
    found = {}

    def measure(name):
        if name not in found:
            plan, sections = plan_course(COURSES[name])
            found[name] = plan, measure_sections(plan, sections)
        return found[name]

    return measure


@pytest.mark.parametrize("name", COURSES)
def test_every_section_is_in_the_study_column(measured, name):
    plan, sections = measured(name)
    for entry in sections:
        section, report = entry.section.name, entry.report
        # The study's 10 degrees are of a turn of 90 degrees a second; small legs turn faster here.
        inside = np.linspace(entry.section.start, entry.section.end, 100)
        turn = np.abs(np.gradient(plan.travel.evaluate(inside)[1], inside)).max()
        assert (report.slide_worst or 0.0) < 0.004, section
        assert report.sink_worst < 0.004, section
        assert report.float_p99 < 0.0015, section
        assert report.swing_depth_worst < 0.018, section
        assert report.swing_deep_share < 0.012, section
        assert report.foot_turn_excess < 10.2 * max(turn / np.radians(90.0), 1.0), section
        assert report.reach_worst < 0.994, section
        assert report.targets_missed == 0, section
        if report.hip_jerk_ratio is not None:
            calm = 1.07 if section in NATIVE else 1.25
            assert report.hip_jerk_ratio < SHARPER.get((name, section), calm), section
        if report.fidelity_rms is not None:
            # The last swing of the run goes to a print of the arc.
            assert report.fidelity_rms < 0.009, section
        if report.knee_speed_ratio is not None and section not in STANDING:
            assert report.knee_speed_ratio < (1.25 if section in NATIVE else 3.3), section
        # At a stop the root is slow, and a single frame of a foot that leaves or strikes is the 95th
        # percentile of the few that count.
        if section in NATIVE - {"stop", "second stop", "second start"}:
            assert report.near_ground_speed_p95 < 0.2, section


@pytest.mark.parametrize("name", COURSES)
def test_no_section_has_crossed_legs_or_feet_on_one_another(measured, name):
    plan, sections = measured(name)
    for entry in sections:
        assert not entry.gaps.crossed.any(), entry.section.name
        own = entry.source_gaps.soles.min() / plan.tables.rig.leg_length
        least = entry.gaps.soles.min() / plan.tables.rig.leg_length
        # How near they come in turns on the spot goes with the phase in which these begin.
        assert least > min(0.01, own - 0.005), entry.section.name
        assert entry.gaps.ankles.min() > 0.0, entry.section.name


@pytest.mark.parametrize("name", ["one walk", "four legs"])
def test_a_turned_and_shifted_course_is_the_same_course(measured, name):
    plan, sections = measured(name)
    yaw, shift = 1.3, 2.7183
    other, _ = plan_course(COURSES[name], yaw, shift)
    times = np.linspace(0.0, sections[-1].section.end, 60)
    one, two = solve_poses(plan, times), solve_poses(other, times + shift)
    turned = rot.rotate(rot.quaternions_from_yaws(yaw), one.positions)
    assert np.abs(two.positions - turned).max() < 1e-6 * plan.tables.rig.leg_length


def test_weights_sum_to_one_and_each_section_plays_its_motion(measured):
    plan, sections = measured("every direction")
    assert np.abs(plan.times.weights.sum(axis=1) - 1.0).max() < 1e-12
    names = [motion.name for motion in plan.tables.motion_set.motions]
    played = {}
    for entry in sections:
        late = entry.section.start + 0.75 * (entry.section.end - entry.section.start)
        weights = plan.times.grid.sample(plan.times.weights, np.array([late]))[0]
        played[entry.section.name] = names[int(np.argmax(weights))]
    assert played["walk"] == "walk"
    assert played["run"] == "run"
    assert played["side left"] == "sidestep"
    assert played["backward"] == "backward"
    assert played["stand long"] == "rest"


def test_standing_long_between_moves_is_standing(measured):
    plan, sections = measured("one walk")
    (long,) = [e.section for e in sections if e.section.name == "stand long"]
    calm = 1.3 * native_walk(plan.tables.motion_set).period
    walk = solve_poses(plan, np.linspace(long.start + 0.2, long.end - calm, 30))
    assert np.ptp(walk.positions, axis=0).max() < 2e-4 * plan.tables.rig.leg_length
