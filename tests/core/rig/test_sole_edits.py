# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that the user sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.rig.legs import find_rig
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses
from semi_procedural_locomotion.core.rig.sole_edits import SoleEdit, edit_soles, mirror_sole_edit
from semi_procedural_locomotion.core.rig.structure import SolePoint
from semi_procedural_locomotion.errors import RigError
from tests.core.legged_bodies import make_biped, walk
from tests.core.walkers import make_walker


@pytest.fixture
def rig():
    """A person."""
    return make_walker()[0]


def read_points(rig, leg=0):
    """Heel, ball and toe tip at rest, shape (3, 3)."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    return np.stack(
        [positions[p.bone] + rot.rotate(rotations[p.bone], p.offset) for p in rig.legs[leg].soles]
    )


def move_point(rig, name, shift, leg=0):
    """A point of a sole moved in character space."""
    rotations, _ = compute_rest_poses(rig.skeleton)
    point = getattr(rig.legs[leg], name)
    local = rot.rotate(rot.conjugate(rotations[point.bone]), shift)
    return SolePoint(point.bone, point.offset + local)


def test_lengths_follow_the_points(rig):
    heel, ball, tip = read_points(rig)
    along = (tip - heel) / np.linalg.norm(tip - heel)
    longer = move_point(rig, "heel", -0.05 * along)
    edited = edit_soles(rig, {0: SoleEdit({"heel": longer}, width=0.2)})
    length = np.linalg.norm(tip - heel)
    assert edited.foot_lengths[0] == pytest.approx(rig.foot_lengths[0] * (length + 0.05) / length)
    shares = [(ball - heel) @ along / length, ((ball - heel) @ along + 0.05) / (length + 0.05)]
    assert edited.ball_shares[0] - rig.ball_shares[0] == pytest.approx(shares[1] - shares[0])
    assert edited.legs[0].sole_width == 0.2
    np.testing.assert_allclose(read_points(edited)[0], heel - 0.05 * along, atol=1e-12)
    np.testing.assert_array_equal(read_points(edited)[1:], read_points(rig)[1:])
    assert edited.foot_lengths[1] == rig.foot_lengths[1]
    assert edited.legs[1] is rig.legs[1]


def test_a_width_alone_changes_nothing_else(rig):
    edited = edit_soles(rig, {1: SoleEdit(width=0.3)})
    np.testing.assert_allclose(edited.foot_lengths, rig.foot_lengths, rtol=1e-12)
    np.testing.assert_allclose(edited.ball_shares, rig.ball_shares, rtol=1e-12)
    assert [leg.sole_width for leg in edited.legs] == [rig.legs[0].sole_width, 0.3]
    assert replace(edited.legs[1], sole_width=rig.legs[1].sole_width) == rig.legs[1]


def test_a_sole_without_length_is_refused(rig):
    heel, _, tip = read_points(rig)
    with pytest.raises(RigError, match="has no length: move its heel and toe tip apart"):
        edit_soles(rig, {0: SoleEdit({"toe_tip": move_point(rig, "toe_tip", heel - tip)})})


def test_mirrored_edits_lie_on_the_other_side(rig):
    names = rig.skeleton.names
    own, other = rig.legs
    bones = dict(zip((*own.joints, own.toe), (*other.joints, other.toe), strict=True))
    shift = np.array([0.02, -0.05, 0.01])
    edit = SoleEdit(
        {
            "heel": move_point(rig, "heel", shift),
            "toe_tip": move_point(rig, "toe_tip", 2.0 * shift),
        },
        width=0.2,
    )
    mirrored = mirror_sole_edit(rig, edit, 0, 1, bones)
    assert mirrored.width == 0.2
    assert set(mirrored.points) == {"heel", "toe_tip"}
    assert names[mirrored.points["toe_tip"].bone] == names[other.toe]
    edited = edit_soles(rig, {0: edit, 1: mirrored})
    side = np.array([-rig.forward[1], rig.forward[0], 0.0])
    _, positions = compute_rest_poses(rig.skeleton)
    away = read_points(edited, 0) - positions[own.ankle]
    expected = away - 2.0 * np.outer(away @ side, side) + positions[other.ankle]
    np.testing.assert_allclose(read_points(edited, 1)[[0, 2]], expected[[0, 2]], atol=1e-9)
    np.testing.assert_array_equal(read_points(edited, 1)[1], read_points(rig, 1)[1])
    there_and_back = mirror_sole_edit(rig, mirrored, 1, 0, {v: k for k, v in bones.items()})
    np.testing.assert_allclose(
        there_and_back.points["heel"].offset, edit.points["heel"].offset, atol=1e-12
    )
    # Without a counterpart of its bone, a point rides on the ankle's and lies at the same place.
    alone = mirror_sole_edit(rig, edit, 0, 1, {})
    assert alone.points["toe_tip"].bone == other.ankle
    lone = edit_soles(rig, {1: alone})
    np.testing.assert_allclose(read_points(lone, 1)[2], expected[2], atol=1e-9)


def body_with_hulls():
    """A person with a mesh, whose feet are boxes."""
    maker, legs = make_biped()
    return find_rig(maker.evidence([walk(maker, legs)])).rig


def read_hull(rig, leg=0):
    """Points of a hull at rest, shape (P, 3)."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    return hull_points_from_poses(rig.legs[leg].hull, rotations[None], positions[None])[0]


def test_hulls_go_along_with_soles_that_are_moved_whole():
    rig = body_with_hulls()
    shift = np.array([0.01, -0.02, 0.03])
    points = {name: move_point(rig, name, shift) for name in ("heel", "ball", "toe_tip")}
    edited = edit_soles(rig, {0: SoleEdit(points)})
    np.testing.assert_allclose(read_hull(edited), read_hull(rig) + shift, atol=1e-12)
    np.testing.assert_allclose(edited.legs[0].hull.places, rig.legs[0].hull.places, atol=1e-12)
    assert edited.legs[1].hull is rig.legs[1].hull


def test_hulls_become_longer_and_wider_with_their_soles():
    rig = body_with_hulls()
    edit = SoleEdit({"toe_tip": move_point(rig, "toe_tip", [0.0, -0.04, 0.0])}, width=0.12)
    before, after = read_hull(rig), read_hull(edit_soles(rig, {0: edit}))
    assert after[:, 1].min() == pytest.approx(before[:, 1].min() - 0.04)
    assert after[:, 1].max() == pytest.approx(before[:, 1].max())
    assert np.ptp(after[:, 0]) == pytest.approx(0.12 / 0.08 * np.ptp(before[:, 0]))
    rear = before[:, 1] > -0.11
    np.testing.assert_allclose(after[rear, 1:], before[rear, 1:], atol=1e-12)
