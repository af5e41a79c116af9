# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for skeletons."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.standing import find_up, name_axis, note_standing
from semi_procedural_locomotion.notes import NoteKind
from tests.core.legged_bodies import (
    make_biped,
    make_centipede,
    make_quadruped,
    make_spider,
    turn_about_origin,
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
