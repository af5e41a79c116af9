# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls corrected by what the bones that they carry are off, held against plain forward kinematics."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.keys.channels import (
    BasisPoses,
    ChannelLayout,
    poses_from_basis,
)
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.pose import PoseArray
from semi_procedural_locomotion.core.rig.controls.correcting import (
    ControlTask,
    LegTask,
    correct_controls,
    find_swivels,
)
from semi_procedural_locomotion.core.rig.controls.fitting import solve_moves
from semi_procedural_locomotion.core.rig.controls.rigid import make_matrices
from semi_procedural_locomotion.core.rig.controls.targets import find_targets
from semi_procedural_locomotion.core.rig.skeleton import Skeleton

COUNT = 7
# A body that carries a hip, and a foot control that carries ankle and toe control; each deforming bone
# hangs from its control at another place and turn.
NAMES = ("body", "hips", "foot", "ankle", "toe control", "toe")
PARENTS = (-1, 0, -1, 2, 2, 4)


def make_turns(rng, *shape):
    """Random rotations."""
    return rot.normalize_quaternions(rng.normal(size=(*shape, 4)))


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def make_layout(rng, scale, inherit="FULL"):
    """A rig whose object is turned and scaled."""
    skeleton = Skeleton(
        NAMES,
        np.array(PARENTS),
        make_turns(rng, len(NAMES)),
        scale * rng.normal(size=(len(NAMES), 3)),
        make_turns(rng),
        scale,
    )
    count = len(NAMES)
    return ChannelLayout(
        skeleton,
        ("QUATERNION",) * count,
        np.ones(count, dtype=bool),
        (inherit,) * count,
        np.array([True, True, False, True, True, True]),
    )


def make_basis(rng, spread=1.0):
    """Channels of all bones; those of bones that hang rigidly at rest."""
    rotations = make_turns(rng, COUNT, len(NAMES))
    locations = spread * rng.normal(size=(COUNT, len(NAMES), 3))
    for bone in (1, 3, 5):
        rotations[:, bone], locations[:, bone] = rot.IDENTITY, 0.0
    locations[:, 4] = 0.0
    return BasisPoses(rotations, locations, np.ones((COUNT, len(NAMES), 3)))


def show(layout, basis):
    """Matrices of all bones in armature space."""
    rotations, translations, scales = poses_from_basis(layout, basis)
    everything = np.zeros(len(NAMES), dtype=bool)
    poses = PoseArray(
        np.arange(float(COUNT)),
        np.zeros((COUNT, 3)),
        np.tile(rot.IDENTITY, (COUNT, 1)),
        rotations,
        translations,
        scales,
        everything,
        everything,
        everything,
        everything,
    )
    return find_targets(layout.skeleton, poses, range(len(NAMES)))


@pytest.mark.parametrize("inherit", ["FULL", "AVERAGE", "NONE"])
@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
def test_one_correction_brings_rigid_bones_to_their_places(rng, scale, inherit):
    layout = make_layout(rng, scale, inherit)
    wanted = show(layout, make_basis(rng))
    basis = make_basis(rng)
    targets = {bone: wanted[:, bone] for bone in (1, 3, 5)}
    leg = LegTask(joints=(1, 3), toe=5, length=1.0, foot=2, toe_control=4)
    task = ControlTask(layout, targets, (0, 1), (leg,))
    shown = show(layout, correct_controls(task, show(layout, basis), basis))
    assert np.abs(shown[:, [1, 3]] - wanted[:, [1, 3]]).max() < 1e-9
    assert np.abs(shown[:, 5, :3, :3] - wanted[:, 5, :3, :3]).max() < 1e-9


def test_controls_that_are_where_they_belong_stay(rng):
    layout, basis = make_layout(rng, 1.0), make_basis(rng)
    shown = show(layout, basis)
    leg = LegTask(joints=(1, 3), toe=5, length=1.0, foot=2, toe_control=4)
    task = ControlTask(layout, {bone: shown[:, bone] for bone in (1, 3, 5)}, (0, 1), (leg,))
    again = correct_controls(task, shown, basis)
    assert np.abs(again.locations - basis.locations).max() < 1e-9
    assert rot.angles_between(again.rotations, basis.rotations).max() < 1e-7


@pytest.mark.parametrize("angle", [-1.0, 0.0, 0.5, 2.0])
def test_swivels_are_angles_about_the_leg(angle):
    leg = LegTask(joints=(0, 1, 2), toe=None, length=1.0)
    places = np.array([[0.0, 0.0, 1.0], [0.3, 0.0, 0.5], [0.0, 0.0, 0.0]])
    shown = make_matrices(np.tile(rot.IDENTITY, (1, 3, 1)), places[None])
    turn = rot.quaternions_from_axis_angles([0.0, 0.0, -1.0], angle)
    targets = {
        i: make_matrices(rot.IDENTITY[None], rot.rotate(turn, places[i])[None]) for i in range(3)
    }
    assert find_swivels(leg, targets, shown) == pytest.approx([angle])


def test_straight_and_overstretched_legs_are_not_turned_about():
    leg = LegTask(joints=(0, 1, 2), toe=None, length=1.0)
    for wanted, expected in ((-0.3, 0.0), (0.001, 0.0), (-0.001, 0.0)):
        heads = [np.array([[0.0, 0.0, 1.0], [x, 0.0, 0.5], [0.0, 0.0, 0.0]]) for x in (0.3, wanted)]
        shown, there = (make_matrices(np.tile(rot.IDENTITY, (1, 3, 1)), h[None]) for h in heads)
        targets = {i: there[:, i] for i in range(3)}
        assert find_swivels(leg, targets, shown) == pytest.approx([expected], abs=1e-9)


def test_the_least_moves_take_away_what_is_missing(rng):
    effects = rng.normal(size=(COUNT, 9, 6))
    moves = rng.normal(size=(COUNT, 9))
    missing = np.einsum("npr,np->nr", effects, moves)
    found = solve_moves(effects, missing)
    left = missing - np.einsum("npr,np->nr", effects, found)
    assert np.abs(left).max() < 0.05 * np.abs(missing).max()
    assert np.linalg.norm(found) < np.linalg.norm(moves)


def test_controls_that_turn_about_one_axis_leave_the_others_at_rest(rng):
    layout, basis = make_layout(rng, 1.0), make_basis(rng)
    basis.rotations[:, 2] = rot.IDENTITY
    shown = show(layout, basis)
    turn = np.eye(4)
    turn[:3, :3] = rot.matrices_from_quaternions(
        rot.quaternions_from_axis_angles([0.6, 0.0, 0.8], 0.5)
    )
    wanted = {bone: turn @ shown[:, bone] for bone in (1, 3, 5)}
    for axes in ((1,), (0, 1, 2)):
        leg = LegTask((1, 3, 5), None, 1.0, pole=2, pole_turns=True, pole_axes=axes)
        task = ControlTask(layout, wanted, (0, 1), (leg,))
        turned = correct_controls(task, shown, basis).rotations[:, 2]
        assert np.abs(turned[:, 1:]).max() > 1e-3
        assert (np.abs(turned[:, [1, 3]]).max() < 1e-12) == (axes == (1,))


def test_controls_without_effect_are_not_moved():
    moves = solve_moves(np.zeros((3, 2, 6)), np.ones((3, 6)))
    assert moves.shape == (3, 2)
    assert not moves.any()
