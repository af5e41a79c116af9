# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that the user sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core import rotations as rot
from semi_procedural_locomotion.core.rig import SolePoint
from semi_procedural_locomotion.core.skeleton import compute_rest_poses
from semi_procedural_locomotion.core.sole_edits import SoleEdit, edit_soles
from semi_procedural_locomotion.errors import RigError
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
