# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heels of long bodies that are raised where a leg is too short as it pushes off on a climb."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core import plan as planning
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.tables import OFF
from semi_procedural_locomotion.core.plan import solve_poses
from semi_procedural_locomotion.core.prints import pushes
from semi_procedural_locomotion.core.prints.limits import PUSHES
from semi_procedural_locomotion.core.prints.pushes import plan_pushes
from tests.core.prints.test_choice import TREAD, climb


@pytest.fixture
def long_legs(monkeypatch):
    """Walkers whose legs count as stretched where their walk has them: made ones keep theirs bent."""
    monkeypatch.setattr(pushes, "PUSHES", replace(PUSHES, stretched=0.0))


def go_up(first):
    """A slow walk of a body on four legs up stairs that begin after so many strides."""
    return climb(4, first, pace=0.7)


def list_raised(plan):
    """Leg and step of each heel that is raised by more than a degree."""
    found = [np.flatnonzero(heels.rises > np.radians(1.0)) for heels in plan_pushes(plan.steps)]
    return [(leg, int(step)) for leg, steps in enumerate(found) for step in steps]


def measure_nearest(plan, index, time):
    """How near the ankle of a leg comes to its hip within half a second, share of the leg."""
    leg, times = plan.tables.small_rig.legs[index], time + np.linspace(-0.5, 0.5, 61)
    ends = solve_poses(plan, times).legs.positions[:, (leg.joints[0], leg.joints[-1])]
    return rot.lengths(ends[:, 1] - ends[:, 0]).min() / leg.length


@pytest.mark.usefixtures("long_legs")
def test_a_fore_leg_folds_less_where_the_other_pushes_off(monkeypatch):
    plan = go_up(1.2)
    ((leg, step),) = list_raised(plan)
    rises = plan.heels[leg].rises
    assert leg in (0, 1)
    assert rises.min() >= 0.0
    assert np.radians(5.0) < rises[step] < PUSHES.highest
    other = 1 - leg
    off = plan.steps.find_key_times(leg, OFF)[step]
    nearest = measure_nearest(plan, other, off)
    monkeypatch.setattr(planning, "plan_pushes", lambda steps: ())
    assert nearest > measure_nearest(go_up(1.2), other, off) + 0.003


@pytest.mark.usefixtures("long_legs")
def test_none_on_the_level_and_none_of_a_body_on_two_legs():
    assert plan_pushes(climb(4, 1.2, ground=FlatGround()).steps) == ()
    assert plan_pushes(climb(2, 1.2, pace=0.7).steps) == ()


def test_none_of_a_leg_that_has_length_left():
    assert len(list_raised(go_up(2.2))) == 0


@pytest.mark.usefixtures("long_legs")
def test_nothing_stands_right_ahead_of_a_foot_whose_heel_is_raised(monkeypatch):
    plan = go_up(1.2)
    length, stride = plan.tables.rig.leg_length, plan.tables.cycles.strides.max()
    edges = 1.2 * stride + TREAD * length * np.arange(8)
    seen = []
    for row, foot in zip(plan.prints.rows, plan.tables.small_rig.foot_lengths, strict=True):
        ahead = foot + 0.1 * length
        heels = row.positions[:, :1]
        passed = ((edges > heels) & (edges < heels + ahead)).any(axis=1)
        meets = pushes._meet_walls(plan.steps, row, np.arange(len(heels)), ahead)
        np.testing.assert_array_equal(meets, passed)
        seen += meets.tolist()
    assert 0 < sum(seen) < len(seen)
    monkeypatch.setattr(pushes, "_meet_walls", lambda steps, row, chosen, ahead: chosen >= 0)
    assert plan_pushes(plan.steps) == ()


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5])
def test_a_lever_is_what_a_small_turn_about_the_ball_takes_off_the_leg(angle):
    facing = rot.quaternions_from_yaws(angle)
    ankle = rot.rotate(facing, np.array([[-0.2, 0.0, 0.13]]))
    leg = rot.rotate(facing, np.array([[0.25, 0.1, 0.8]]))
    small = 1e-6
    left = rot.rotate(facing, np.array([0.0, 1.0, 0.0]))
    turn = rot.quaternions_from_axis_angles(left, np.array(small))
    moved = rot.rotate(turn, ankle) - ankle
    shorter = rot.lengths(leg) - rot.lengths(leg - moved)
    np.testing.assert_allclose(pushes._measure_levers(ankle, leg), shorter / small, rtol=1e-4)
