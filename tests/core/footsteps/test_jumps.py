# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks along footsteps that jump: feet leave, the body falls, feet land where they are asked to."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.airborne.gravity import find_gravity
from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.footsteps.source import note_far_jumps
from semi_procedural_locomotion.core.footsteps.timing import StepTiming
from semi_procedural_locomotion.core.motions.tables import OFF, STRIKE
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.report.pace_notes import note_crossings, note_pace
from semi_procedural_locomotion.core.report.spans import NotedSpan
from semi_procedural_locomotion.notes import NoteKind
from tests.core.footsteps.test_travel import Course

GAP = 1.9


def make_course(together, rise=0.0, legs=2, start=None, gap=GAP):
    """Steps straight ahead, the fifth of which is some leg lengths ahead, and on another height."""
    plain = Course(pattern=StepPattern(count=9), legs=legs)
    facing, stride = plain.gait.facing, plain.gait.stride
    ahead = np.array([np.cos(facing), np.sin(facing), 0.0])
    steps, half = list(plain.steps), 0.5 * stride * ahead
    jump = gap * plain.rig.leg_length * ahead - half + np.array([0.0, 0.0, rise])
    moves = np.zeros((9, 3))
    moves[4:] += jump
    if together:
        moves[3:] -= half
        moves[5:] -= half
    steps = [
        replace(step, middle=step.middle + move, jump=number == 4 or (together and number == 5))
        for number, (step, move) in enumerate(zip(steps, moves, strict=True))
    ]
    timings = [StepTiming()] * 9
    if start is not None:
        timings[4] = StepTiming(start=start)
    return Course(steps=steps, legs=legs, timings=timings if start is not None else ())


def solve(course, rate=120.0):
    """Plan, jump and poses of the flight and of half a second about it."""
    plan = course.plan()
    (jump,) = course.travel.jumps
    times = np.arange(jump.off - 0.5, jump.strike + 0.5, 1.0 / rate)
    return plan, jump, solve_poses(plan, times)


def find_hips(plan, walk):
    """Mean of the hips, (N, 3)."""
    joints = [leg.joints[0] for leg in plan.tables.small_rig.legs]
    return walk.positions[:, joints].mean(axis=1)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("rise", [0.0, -0.8])
def test_no_foot_is_on_the_ground_and_the_body_falls(together, rise):
    course = make_course(together, rise)
    plan, jump, walk = solve(course)
    inside = (walk.times > jump.off + 0.01) & (walk.times < jump.strike - 0.01)
    contacts = walk.states.in_contact
    assert not contacts[inside].any()
    assert contacts[walk.times < jump.off].any(axis=1).all()
    assert contacts[walk.times > jump.strike].any(axis=1).all()
    accelerations = np.diff(find_hips(plan, walk), 2, axis=0)[inside[1:-1]] * 120.0**2
    gravity = find_gravity(plan.tables)
    assert np.median(accelerations, axis=0) == pytest.approx([0.0, 0.0, -gravity], abs=0.02)
    assert accelerations[2:-2, 2] == pytest.approx(-gravity, abs=1.5)
    assert walk.missed[contacts].max() < 1e-3 * plan.tables.rig.leg_length


@pytest.mark.parametrize("together", [False, True])
def test_feet_leave_and_land_together_or_one_after_the_other(together):
    course = make_course(together)
    plan, jump, walk = solve(course)
    assert jump.landing == ((0, 1) if together else (0,))
    assert jump.leaving == ((0, 1) if together else (1,))
    landed = walk.times > jump.strike + 0.01
    assert walk.states.in_contact[landed][0].all() == together
    left = walk.times < jump.off - 0.01
    assert walk.states.in_contact[left][-1].all() == together
    assert not plan.claims.lost
    for step, place in zip(plan.claims.steps, plan.claims.prints, strict=True):
        leg, index = place
        row = plan.prints.rows[leg]
        assert row.positions[index] == pytest.approx(step.position, abs=1e-6)


def test_knees_give_way_where_it_lands_and_bend_before():
    plan, jump, walk = solve(make_course(True, rise=-0.8))
    hips = find_hips(plan, walk)
    lengths = np.linalg.norm(walk.targets.ankles.mean(axis=1) - hips, axis=1)
    lengths /= plan.tables.rig.leg_length
    met = lengths[np.searchsorted(walk.times, jump.strike)]
    after = lengths[walk.times > jump.strike]
    assert met > 0.88
    assert 0.45 < after.min() < 0.7
    assert np.argmin(after) / 120.0 == pytest.approx(0.18, abs=0.06)
    flat = solve(make_course(True))
    before = np.linalg.norm(
        flat[2].targets.ankles.mean(axis=1) - find_hips(flat[0], flat[2]), axis=1
    )
    assert before[flat[2].times < flat[1].off].min() < 0.85 * before[0]


def test_the_flight_is_the_easiest_or_what_its_start_asks_for():
    course = make_course(True)
    (jump,) = course.travel.jumps
    body = [course.travel.evaluate(np.array([time]))[0][0] for time in (jump.off, jump.strike)]
    distance = np.hypot(*(body[1] - body[0])[:2])
    assert jump.flight == pytest.approx(np.sqrt(2.0 * distance / 9.81), rel=1e-3)
    assert find_gravity(course.plan().tables) == pytest.approx(9.81, rel=0.1)
    later = make_course(True, start=jump.strike + 0.7)
    assert later.travel.jumps[0].strike == pytest.approx(jump.strike + 0.7, abs=0.01)
    assert later.travel.jumps[0].flight == pytest.approx(jump.flight, rel=0.01)


def test_a_character_that_stands_jumps_with_both_feet():
    course = make_course(True)
    first = course.steps[4:6]
    back = first[0].middle - np.array([0.9 * np.cos(course.gait.facing), 0.9, 0.0])
    steps = [replace(step, middle=step.middle - back) for step in first]
    jumping = Course(steps=steps)
    (jump,) = jumping.travel.jumps
    assert jump.leaving == (0, 1)
    plan, _, walk = solve(jumping)
    assert walk.states.in_contact[walk.times < jump.off].all()
    assert not plan.claims.lost


def test_four_legs_land_on_jump_steps_together():
    plain = Course(pattern=StepPattern(count=12), legs=4)
    ahead = np.array([np.cos(plain.gait.facing), np.sin(plain.gait.facing), 0.0])
    bodies = [plain.gait.place_body(s.leg, s.middle, s.heading)[0] for s in plain.steps]
    steps = []
    for number, step in enumerate(plain.steps):
        move = np.zeros(3)
        if number >= 4:
            move = 1.2 * plain.rig.leg_length * ahead
        if 4 <= number < 8:
            move[:2] += bodies[4] - bodies[number]
        steps.append(replace(step, middle=step.middle + move, jump=4 <= number < 8))
    jumping = Course(steps=steps, legs=4)
    (jump,) = jumping.travel.jumps
    assert jump.landing == (0, 1, 2, 3)
    walk = solve(jumping)[2]
    inside = (walk.times > jump.off + 0.01) & (walk.times < jump.strike - 0.01)
    assert not walk.states.in_contact[inside].any()
    assert walk.states.in_contact[walk.times > jump.strike + 0.01][0].all()


def test_a_jump_is_no_walk_that_is_too_fast():
    course = make_course(True)
    plan = course.plan()
    assert not note_pace(NotedSpan(plan, course.travel.start, course.travel.end, 24.0))


def test_jumps_that_cannot_be_are_steps():
    """To a first step on which the walk begins, and several of many legs at the same time."""
    plain = Course(pattern=StepPattern(count=4))
    far = np.array([9.0, 9.0, 0.0])
    steps = [replace(step, middle=step.middle + far) for step in plain.steps]
    away = Course(steps=[replace(steps[0], jump=True), *steps[1:]])
    assert away.travel.begins_on_step
    assert away.travel.jumps == ()
    six = Course(pattern=StepPattern(count=12), names=("tripod",), legs=6)
    ahead = np.array([np.cos(six.gait.facing), np.sin(six.gait.facing), 0.0])
    jumping = Course(
        steps=[
            replace(step, middle=step.middle + 0.4 * number * ahead, jump=number % 2 == 1)
            for number, step in enumerate(six.steps)
        ],
        names=("tripod",),
        legs=6,
    )
    times = np.arange(jumping.travel.start, jumping.travel.end, 0.05)
    assert np.isfinite(solve_poses(jumping.plan(), times).positions).all()


def test_a_step_before_a_jump_may_be_held():
    course = make_course(True)
    (jump,) = course.travel.jumps
    held = [StepTiming()] * 9
    held[3] = StepTiming(duration=1.5)
    later = Course(steps=course.steps, timings=held)
    assert later.travel.jumps[0].off > jump.off + 0.4


def hop_on_one_foot(count=3):
    """Steps to a stand on the left foot, hops on it, and a step of the right one after them."""
    plain = Course(pattern=StepPattern(count=4))
    facing = plain.gait.facing
    ahead = 0.5 * plain.gait.stride * np.array([np.cos(facing), np.sin(facing), 0.0])
    steps = list(plain.steps)
    last, other = steps[2], steps[3]
    hops = [replace(last, middle=last.middle + 0.8 * (n + 1) * ahead) for n in range(count)]
    steps = [*steps[:3], *(replace(hop, jump=True) for hop in hops)]
    steps.append(replace(other, middle=other.middle + 0.8 * count * ahead))
    return Course(steps=steps)


def test_the_other_foot_stays_up_through_hops_on_one():
    course = hop_on_one_foot()
    plan, jumps = course.plan(), course.travel.jumps
    assert len(jumps) == 3
    times = np.arange(jumps[0].off, jumps[-1].strike, 1.0 / 120.0)
    walk = solve_poses(plan, times)
    up, length = course.steps[1].leg, plan.tables.rig.leg_length
    assert not walk.states.in_contact[:, up].any()
    ankles = walk.targets.ankles[:, up]
    stood = solve_poses(plan, np.array([jumps[0].off - 1.0])).targets.ankles[0, :, 2].min()
    assert ankles[:, 2].min() > stood + 0.05 * length
    # It goes along with the body, without a jerk and within reach.
    assert np.abs(np.diff(ankles, 2, axis=0)).max() * 120.0**2 < 60.0 * length
    assert walk.missed[:, up].max() < 0.01 * length
    assert not plan.claims.lost


def test_no_step_is_filled_in_before_a_jump():
    """Where the step before a jump is missing its foot leaves from where it stands."""
    whole = make_course(False)
    gone = whole.steps[2]
    course = Course(steps=[step for n, step in enumerate(whole.steps) if n != 3])
    plan, jump, walk = solve(course)
    leg = whole.steps[3].leg
    row = plan.prints.rows[leg]
    stands = row.times[~row.parked]
    before = course.result.instants[2]
    assert course.steps[2] is gone
    assert not np.any((stands > before + 1e-6) & (stands < jump.strike))
    inside = (walk.times > jump.off + 0.01) & (walk.times < jump.strike - 0.01)
    assert not walk.states.in_contact[inside].any()


def test_a_foot_in_the_air_through_two_leaps_rises_in_both():
    plain = Course(pattern=StepPattern(count=7))
    ahead = np.array([np.cos(plain.gait.facing), np.sin(plain.gait.facing), 0.0])
    leap = 0.5 * plain.rig.leg_length * ahead
    steps = [
        replace(step, middle=step.middle + max(n - 1, 0) * leap, jump=n > 1)
        for n, step in enumerate(plain.steps)
    ]
    course = Course(steps=steps)
    plan, length = course.plan(), plain.rig.leg_length
    for jump in course.travel.jumps[1:-1]:
        walk = solve_poses(plan, np.array([jump.middle]))
        assert walk.targets.ankles[0, :, 2].min() > 0.33 * length


def leap_far(gap):
    """A leap from the foot of the third step, with the other one in the air already."""
    steps = [step for n, step in enumerate(make_course(True, gap=gap).steps) if n != 3]
    return Course(steps=steps)


def test_a_foot_in_the_air_rises_with_the_body_and_not_before():
    course = leap_far(6.2)
    plan, (jump,) = course.plan(), course.travel.jumps
    length = plan.tables.rig.leg_length
    walk = solve_poses(plan, np.linspace(jump.off - 0.3, jump.off, 40))
    ankles = walk.targets.ankles[..., 2]
    assert walk.states.in_contact[:, 0].all()
    assert not walk.states.in_contact[:, 1].any()
    assert ankles[:, 1].max() < 0.47 * length
    # Both are as high as ever amid the flight.
    amid = solve_poses(plan, np.array([jump.middle])).targets.ankles[0, :, 2]
    assert amid == pytest.approx(amid.mean(), abs=0.1 * length)
    assert amid.min() > 1.4 * length


def test_jumps_that_no_body_takes_off_to_are_noted():
    for gap, told in ((3.0, 0), (6.2, 1)):
        course = leap_far(gap)
        plan = course.plan()
        rig, gravity = plan.tables.rig, find_gravity(plan.tables)
        notes = note_far_jumps(course.travel, plan.claims.steps, gravity, rig.leg_length)
        assert [note.kind for note in notes] == [NoteKind.JUMP_FAR] * told
        assert all(note.values["footstep"] == "step 3" for note in notes)


def test_feet_pass_their_swings_evenly_through_a_jump():
    """None is through with its swing before the body flies, to wait in the air."""
    course = leap_far(6.2)
    plan, (jump,) = course.plan(), course.travel.jumps
    for leg in range(2):
        off = max(t for t in plan.steps.find_key_times(leg, OFF) if t < jump.middle)
        strike = min(t for t in plan.steps.find_key_times(leg, STRIKE) if t > jump.middle)
        states = plan.steps.read_states(np.linspace(off, strike, 41)[1:-1])
        flight = states.flight[:, leg]
        assert flight[len(flight) // 2] == pytest.approx(0.55, abs=0.15)
        assert 0.0 < np.diff(flight).min() < np.diff(flight).max() < 2.1 / 40.0


def test_jumps_to_the_side_are_no_steps_that_keep_clear_of_the_other_foot():
    course = make_course(True)
    aside = np.array([-np.sin(course.gait.facing), np.cos(course.gait.facing), 0.0])
    steps = [
        replace(step, middle=step.middle + 0.8 * aside * (number >= 4))
        for number, step in enumerate(course.steps)
    ]
    course = Course(steps=steps)
    plan = course.plan()
    start, end = course.travel.start, course.travel.end
    assert plan.times.quickened.max() > 1.5
    notes = note_crossings(NotedSpan(plan, start, end, 24.0))
    assert [note.kind for note in notes] == []
    assert not note_pace(NotedSpan(plan, start, end, 24.0))
