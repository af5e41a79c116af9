# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for skeletons."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import LegChoice, build_rig, find_rig
from semi_procedural_locomotion.core.rig.standing import find_up, name_axis, note_standing
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    BodyMaker,
    make_biped,
    make_centipede,
    make_quadruped,
    make_spider,
    turn_about_origin,
    turn_evidence,
    walk,
)

# Hips, two legs of two bones, a spine with two arms that hang, a short pair of ears.
PARENTS = [-1, 0, 1, 0, 3, 0, 5, 5, 5, 5]
OFFSETS = np.array(
    [
        [0, 0, 4],
        [1, 0, 0],
        [0, 0, -4],
        [-1, 0, 0],
        [0, 0, -4],
        [0, 0, 3],
        [1, 0, -3],
        [-1, 0, -3],
        [0.2, 0, 0.3],
        [-0.2, 0, 0.3],
    ],
    dtype=np.float64,
)


def pose(offsets):
    positions = np.zeros((1, len(PARENTS), 3))
    for joint, parent in enumerate(PARENTS):
        positions[0, joint] = offsets[joint] + (positions[0, parent] if parent >= 0 else 0.0)
    return positions


@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("shift", [0, 1, 2])
def test_legs_hang_from_the_joint_nearest_to_the_root(size, shift):
    offsets = np.roll(size * OFFSETS, shift, axis=1)
    up = find_up(PARENTS, offsets, pose(offsets))
    assert name_axis(up) == "ZXY"[shift]


def test_limbs_above_other_joints_are_no_legs():
    offsets = OFFSETS.copy()
    offsets[5] = [0, -9, -9]  # a tail that is lower than the feet
    assert find_up(PARENTS, offsets, pose(offsets)) is None


def test_a_body_without_pairs_tells_nothing():
    offsets = OFFSETS[:3]
    assert find_up(PARENTS[:3], offsets, pose(OFFSETS)[:, :3]) is None


def test_directions_between_axes_have_no_name():
    assert name_axis(np.array([0.0, 0.7, 0.7])) is None
    assert name_axis(np.array([0.0, -1.0, 0.1])) == "-Y"


def says_that_it_lies(evidence):
    """Whether a body is told to lie."""
    found = find_rig(evidence)
    notes = note_standing(evidence, () if found.rig is None else found.rig.legs, found)
    return NoteKind.BODY_LIES in [note.kind for note in notes]


BODIES = {
    "biped": make_biped,
    "quadruped": make_quadruped,
    "spider": make_spider,
    "centipede": lambda: make_centipede(3),
}


@pytest.mark.parametrize(("mesh", "moving"), [(True, True), (True, False), (False, False)])
@pytest.mark.parametrize("body", BODIES)
def test_bodies_that_were_laid_down_are_told_and_standing_ones_never(body, mesh, moving):
    maker, legs = BODIES[body]()
    evidence = maker.evidence([walk(maker, legs)] if moving else [], mesh)
    assert find_rig(evidence).rig is not None
    assert not says_that_it_lies(evidence)
    for axis in np.eye(3)[:2]:
        for degrees in (90.0, -90.0):
            turn = rot.quaternions_from_axis_angles(axis, np.radians(degrees))
            assert says_that_it_lies(turn_about_origin(evidence, turn))


@pytest.mark.parametrize("yaw", [0.0, 1.9])
def test_legs_that_are_spread_to_all_sides_do_not_lie(yaw):
    """An insect whose ankles are a little higher than its hips, and whose feet hang from them."""
    maker = BodyMaker()
    maker.bone("body", None, (0, 0, 0.2))
    maker.box("body", (-0.1, -0.4, 0.15), (0.1, 0.4, 0.3), steps=8)
    choices = []
    for side, sign in ((".L", 1.0), (".R", -1.0)):
        for number, y in enumerate((-0.3, 0.0, 0.3)):
            coxa = maker.bone(f"coxa{number}{side}", "body", (0.1 * sign, y, 0.2))
            femur = maker.bone(f"femur{number}{side}", coxa, (0.3 * sign, y, 0.42))
            tibia = maker.bone(f"tibia{number}{side}", femur, (0.5 * sign, 1.1 * y, 0.21))
            foot = maker.bone(f"tarsus{number}{side}", tibia, (0.56 * sign, 1.1 * y, 0.06))
            for first, second in ((coxa, femur), (femur, tibia), (tibia, foot)):
                maker.tube(first, second, 0.015)
            centre = maker.heads[foot]
            maker.box(foot, centre - [0.02, 0.02, 0.06], centre + np.array([0.06, 0.02, 0.0]))
            choices.append(LegChoice((coxa, femur, tibia), foot))
    evidence = turn_evidence(maker.evidence(), yaw=yaw)
    legs = build_rig(evidence, choices).legs
    assert not note_standing(evidence, legs)


@pytest.mark.parametrize(("ahead", "degrees"), [(-1.0, 90.0), (1.0, -90.0)])
def test_a_body_that_lies_on_its_poles_is_told(ahead, degrees):
    maker, _ = make_biped()
    for side, x in ((".L", 0.1), (".R", -0.1)):
        head, tail = (x, ahead, 0.5), (x, ahead - 0.1, 0.5)
        maker.bone(f"PoleTarget{side}", f"foot{side}", head, tail)
    evidence = maker.evidence([], mesh=False)
    assert not says_that_it_lies(evidence)
    turn = rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), np.radians(degrees))
    assert says_that_it_lies(turn_about_origin(evidence, turn))
