# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether keys mean the same on two skeletons."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.motions.transfer.likeness import (
    compare_rests,
    find_rest_change,
)

PARENTS = (-1, 0, 1, 0)
PLACES = np.array([[0, 0, 1.0], [0, 0, 1.5], [0.3, 0, 1.5], [0, 0, 0.5]])
TURNS = rot.quaternions_from_axis_angles(
    rot.normalize(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0.0]])), [0.1, 0.5, -1.0, 2.0]
)


def test_size_alone_is_told_apart():
    likeness = compare_rests((TURNS, TURNS), (PLACES, 100.0 * PLACES + 3.0), PARENTS)
    assert likeness == pytest.approx((0.0, 100.0, 0.0), abs=1e-7)


def test_axes_that_differ_are_measured_from_their_parents():
    other = TURNS.copy()
    other[1] = rot.multiply(TURNS[1], rot.quaternions_from_axis_angles([0, 1, 0], 0.2))
    # The bone is turned against its parent, and its child against it, as far back.
    likeness = compare_rests((TURNS, other), (PLACES, PLACES), PARENTS)
    assert likeness.turn == pytest.approx(0.2)
    assert likeness.unlike > 0.0


def test_a_root_that_faces_elsewhere_is_turned():
    yaw = rot.quaternions_from_yaws(0.4)
    likeness = compare_rests(
        (TURNS, rot.multiply(yaw, TURNS)), (PLACES, rot.rotate(yaw, PLACES)), PARENTS
    )
    assert likeness == pytest.approx((0.4, 1.0, 0.0), abs=1e-9)


def test_a_bone_that_went_away_does_not_change_the_size():
    other = 2.0 * PLACES
    other[3] = (0, 0, 0.7)
    assert compare_rests((TURNS, TURNS), (PLACES, other), PARENTS).scale == pytest.approx(2.0)


def test_other_proportions_are_unlike():
    other = PLACES.copy()
    other[2] = (0.6, 0, 1.5)
    likeness = compare_rests((TURNS, TURNS), (PLACES, other), PARENTS)
    assert likeness.scale == 1.0
    assert likeness.unlike == pytest.approx(0.3 / 1.3)


def test_bones_without_parents_have_no_size():
    none = np.empty((0, 4)), np.empty((0, 3))
    assert compare_rests((none[0],) * 2, (none[1],) * 2, ()) == (0.0, 1.0, 0.0)
    assert compare_rests((TURNS,) * 2, (PLACES, 2 * PLACES), (-1,) * 4).scale == 1.0


def test_keys_of_another_rest_pose_keep_the_poses():
    """Poses of a skeleton of half the size that rests bent, from keys against the straight one."""
    random = np.random.default_rng(5)
    bent = rot.normalize_quaternions(random.normal(size=(4, 4)))
    offsets = np.array([PLACES[b] - (PLACES[p] if p >= 0 else 0) for b, p in enumerate(PARENTS)])

    def pose(turns, shifts, size):
        axes, heads = np.empty((4, 4)), np.empty((4, 3))
        for bone, parent in enumerate(PARENTS):
            above = (rot.IDENTITY, np.zeros(3)) if parent < 0 else (axes[parent], heads[parent])
            axes[bone] = rot.multiply(above[0], turns[bone])
            heads[bone] = above[1] + rot.rotate(above[0], size * offsets[bone] + shifts[bone])
        return axes, heads

    plain = np.tile(rot.IDENTITY, (4, 1))
    root = np.array([[0.1, 0.2, -0.3], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    first, second = pose(plain, np.zeros((4, 3)), 1.0), pose(bent, 0.5 * root, 0.5)
    rotations, places = zip(first, second, strict=True)
    assert compare_rests(rotations, places, PARENTS)[1:] == pytest.approx((0.5, 0.0), abs=1e-12)
    change = find_rest_change(rotations, places, PARENTS)
    keys = rot.normalize_quaternions(random.normal(size=(4, 4)))
    moves = np.array([[0.5, 0.1, 0.2], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    wanted = pose(keys, moves, 1.0)
    turned = rot.multiply(bent, rot.multiply(change.turns, keys))
    moved = change.scale * rot.rotate(change.turns, moves) + change.shifts
    shown = pose(turned, 0.5 * root + rot.rotate(bent, moved), 0.5)
    assert rot.angles_between(shown[0], wanted[0]) == pytest.approx(np.zeros(4), abs=1e-6)
    assert shown[1] == pytest.approx(0.5 * wanted[1], abs=1e-12)
