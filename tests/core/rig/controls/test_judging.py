# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What joints do when a control is moved tells what it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.controls import judging
from semi_procedural_locomotion.core.rig.controls.limits import PROBE
from semi_procedural_locomotion.core.rig.controls.records import Found, LimbJoints
from semi_procedural_locomotion.core.rig.controls.responses import (
    BACK,
    DROP,
    LIFT,
    TURN,
    compute_responses,
)

STEP = 0.05
# Body, hip, knee, ankle, toe, and the ankle of the other leg; the knee is bent ahead (-y).
HEADS = np.array(
    [
        (0.0, 0.0, 1.1),
        (0.1, 0.0, 1.0),
        (0.1, -0.2, 0.5),
        (0.1, 0.0, 0.1),
        (0.1, -0.15, 0.0),
        (-0.1, 0.0, 0.1),
    ]
)
BODY, HIP, KNEE, ANKLE, TOE, OTHER = range(6)
LEG = LimbJoints((HIP, KNEE, ANKLE), TOE, (OTHER,), BODY, 1.0)
AXIS = rot.normalize(np.array([0.58, 0.52, 0.63]))


def displace(angle=0.0, axis=AXIS, about=(0, 0, 0), way=(0, 0, 0)):
    """A matrix that turns about a point, then shifts."""
    matrix = np.eye(4)
    matrix[:3, :3] = rot.matrices_from_quaternions(
        rot.quaternions_from_axis_angles(np.array(axis, dtype=float), angle)
    )
    matrix[:3, 3] = np.array(about) - matrix[:3, :3] @ np.array(about) + np.array(way)
    return matrix


@dataclass
class Control:
    """A control at a place, and what a move of it does to joints: displacements by move and joint."""

    name: str
    place: tuple[float, float, float]
    effects: dict[int, dict[int, np.ndarray]]
    shifts: bool = True

    def find_own(self, move):
        """How the control itself is displaced."""
        if move in (LIFT, DROP):
            return displace(way=find_way(move)) if self.shifts else np.eye(4)
        return displace(find_angle(move), about=self.place)


def find_way(move):
    sign = 1.0 if move == LIFT else -1.0
    return sign * STEP * rot.normalize(np.array([0.45, -0.4, 0.8]))


def find_angle(move):
    return PROBE.turn if move == TURN else -PROBE.turn


def carry(joints, place):
    """Effects of a control that takes joints along as one piece."""
    return {
        LIFT: {joint: displace(way=find_way(LIFT)) for joint in joints},
        DROP: {joint: displace(way=find_way(DROP)) for joint in joints},
        TURN: {joint: displace(find_angle(TURN), about=place) for joint in joints},
        BACK: {joint: displace(find_angle(BACK), about=place) for joint in joints},
    }


def bend(effects, move):
    """The knee goes half the way of the foot, as where a leg bends."""
    effects[move][KNEE] = displace(0.03, (1, 0, 0), HEADS[HIP], 0.5 * find_way(move))
    return effects


def measure(*controls):
    """Responses to some controls."""
    bones = np.tile(np.eye(4), (len(HEADS), 1, 1))
    bones[:, :3, 3] = HEADS
    own = np.tile(np.eye(4), (len(controls), 1, 1))
    own[:, :3, 3] = [control.place for control in controls]
    after = np.tile(bones, (len(controls), 4, 1, 1, 1))
    own_after = np.tile(own[:, None], (1, 4, 1, 1))
    for number, control in enumerate(controls):
        for move in (LIFT, DROP, TURN, BACK):
            own_after[number, move] = control.find_own(move) @ own[number]
            for joint, matrix in control.effects.get(move, {}).items():
                after[number, move, joint] = matrix @ bones[joint]
    names = tuple(control.name for control in controls)
    return compute_responses(names, STEP, own, own_after, bones, after)


def rank(number):
    return (number,)


def make_foot(name="foot"):
    place = tuple(HEADS[ANKLE])
    effects = carry([ANKLE, TOE], place)
    for move in (LIFT, DROP):
        bend(effects, move)
    return Control(name, place, effects)


def make_root():
    return Control("root", (0, 0, 0), carry(range(6), (0, 0, 0)))


def make_body():
    effects = carry([BODY, HIP], (0, 0, 1))
    for move in effects:
        effects[move][KNEE] = displace(0.02, (1, 0, 0), HEADS[ANKLE])
    return Control("body", (0, 0, 1), effects)


def make_tweak():
    """Pulls the ankle out of the leg."""
    return Control("tweak", tuple(HEADS[ANKLE]), carry([ANKLE, TOE], tuple(HEADS[ANKLE])))


def make_roll():
    """Turns the foot about its toe, and is not shifted."""
    place = tuple(HEADS[TOE])
    effects = {move: carry([ANKLE], place)[move] for move in (TURN, BACK)}
    for move in effects:
        effects[move][KNEE] = displace(0.01, (1, 0, 0), HEADS[HIP])
    return Control("roll", place, effects, shifts=False)


def make_pole(*, is_turned=False):
    """Swings knee and thigh about the line from hip to ankle."""
    line = rot.normalize(HEADS[ANKLE] - HEADS[HIP])
    moves = (TURN, BACK) if is_turned else (LIFT, DROP)
    swing = {moves[0]: 0.04, moves[1]: -0.04}
    effects = {
        move: {joint: displace(angle, line, HEADS[HIP]) for joint in (HIP, KNEE)}
        for move, angle in swing.items()
    }
    return Control("pole", (0.1, -0.8, 0.5), effects)


def make_chain():
    """One control for each joint and the toe, which cannot be shifted."""
    return [
        Control(
            name,
            tuple(HEADS[joint]),
            {move: carry(below, tuple(HEADS[joint]))[move] for move in (TURN, BACK)},
            shifts=False,
        )
        for name, joint, below in (
            ("thigh", HIP, [HIP, KNEE, ANKLE, TOE]),
            ("shin", KNEE, [KNEE, ANKLE, TOE]),
            ("ankle", ANKLE, [ANKLE, TOE]),
            ("toe", TOE, [TOE]),
        )
    ]


def test_foot_is_what_bends_the_leg():
    responses = measure(make_root(), make_body(), make_tweak(), make_foot())
    found = judging.find_foot(responses, LEG, HEADS, rank)
    assert found == Found(3, pytest.approx(1.0))


def test_foot_that_follows_half_has_half_the_share():
    foot = make_foot()
    for move in (LIFT, DROP):
        way = 0.6 * find_way(move)
        for joint in (ANKLE, TOE):
            foot.effects[move][joint] = displace(way=way)
        foot.effects[move][KNEE] = displace(0.02, (1, 0, 0), HEADS[HIP], 0.3 * find_way(move))
    found = judging.find_foot(measure(foot), LEG, HEADS, rank)
    assert found.share == pytest.approx(0.6)


def test_straight_leg_that_shrinks_before_it_bends_still_has_its_foot():
    foot = make_foot()
    foot.effects[LIFT][KNEE] = displace(way=0.45 * find_way(LIFT))
    assert judging.find_foot(measure(make_tweak(), foot), LEG, HEADS, rank).control == 1


def test_rolls_turn_the_foot_about_its_sole():
    responses = measure(make_foot(), make_roll(), make_root(), make_tweak(), make_pole())
    assert judging.find_rolls(responses, LEG, HEADS, 0, set()) == [1]


@pytest.mark.parametrize("is_turned", [False, True])
def test_pole_swings_the_knee(is_turned):
    responses = measure(make_foot(), make_roll(), make_body(), make_pole(is_turned=is_turned))
    found, turns = judging.find_pole(responses, LEG, HEADS, rank, [0])
    assert (found.control, turns) == (3, is_turned)


def test_chain_has_one_control_for_each_joint():
    responses = measure(make_body(), *reversed(make_chain()), make_root())
    found = judging.find_chain(responses, LEG, rank, with_toe=True)
    names = [responses.controls[one.control] for one in found]
    assert names == ["thigh", "shin", "ankle", "toe"]
    assert min(one.share for one in found) == pytest.approx(1.0)
    assert len(judging.find_chain(responses, LEG, rank, with_toe=False)) == 3


def test_chain_ends_where_a_joint_has_no_control():
    thigh, _, ankle, toe = make_chain()
    found = judging.find_chain(measure(thigh, ankle, toe), LEG, rank, with_toe=True)
    assert [one.control for one in found] == [0]


def test_half_of_a_limb_that_is_not_twisted_follows_its_control():
    """The upper half of a thigh leaves out the turn about its own length."""
    thigh = make_chain()[0]
    for move in (TURN, BACK):
        along = np.array([0.0, 1.0, 0.0])  # bones lie along their y axis
        across = AXIS - (AXIS @ along) * along
        angle = find_angle(move) * float(np.linalg.norm(across))
        thigh.effects[move][HIP] = displace(angle, rot.normalize(across), HEADS[HIP])
    responses = measure(thigh)
    assert responses.share_turns()[0, HIP] < 0.6
    assert responses.share_swings()[0, HIP] > 0.97


def test_body_leaves_planted_feet_and_root_takes_them():
    responses = measure(make_root(), make_foot(), make_body())
    body = judging.find_body(responses, (LEG,), [], rank)
    assert responses.controls[body.control] == "body"
    root = judging.find_root(responses, (LEG,), body.control, rank)
    assert responses.controls[root.control] == "root"


def test_toe_is_turned_and_leaves_the_ankle():
    responses = measure(make_foot(), *make_chain())
    found = judging.find_toe(responses, LEG, rank, [0])
    assert responses.controls[found.control] == "toe"


def test_turned_is_by_the_control_that_turns_the_fewest():
    responses = measure(make_root(), *make_chain())
    found = judging.find_turned(responses, [HIP, KNEE, ANKLE, TOE], [0], rank)
    names = {joint: responses.controls[one.control] for joint, one in found.items()}
    assert names == {HIP: "thigh", KNEE: "shin", ANKLE: "ankle", TOE: "toe"}


def test_hock_turns_the_segment_above_a_paw():
    heads = HEADS.copy()
    # Hip, knee, hock and paw: what was the ankle is the hock.
    leg = LimbJoints((HIP, KNEE, ANKLE, TOE), None, (OTHER,), BODY, 1.0)
    place = tuple(HEADS[TOE])
    effects = {move: carry([ANKLE], place)[move] for move in (TURN, BACK)}
    for move in effects:
        effects[move][KNEE] = displace(0.02, (1, 0, 0), HEADS[HIP])
    hock = Control("hock", place, effects, shifts=False)
    responses = measure(make_root(), hock)
    assert judging.find_hock(responses, leg, heads, rank) == Found(1, pytest.approx(1.0))
    assert not judging.find_hock(responses, LEG, heads, rank)


def test_control_that_is_locked_follows_nothing():
    still = Control("still", (0, 0, 0), {}, shifts=False)
    assert judging.find_foot(measure(still), LEG, HEADS, rank) == Found()


def test_leg_that_stands_on_its_toe_has_it_for_an_ankle():
    paw = LEG.stand_on_toe()
    assert (paw.joints, paw.ankle, paw.toe) == ((HIP, KNEE, ANKLE, TOE), TOE, None)


def test_shift_across_a_segment_that_leaves_the_knee_is_no_foot():
    """Its length hardly changes, but nothing bends."""
    heads = HEADS.copy()
    heads[ANKLE] = heads[KNEE] + 0.4 * np.array([0.0, -0.9, -0.4])
    assert not judging.find_foot(measure(make_tweak()), LEG, heads, rank)
