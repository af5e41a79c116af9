# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains with limits: kinematics by hand, all methods on the same targets, legs within their limits."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.ik_solvers import make_cases
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.ik_chain import solve_leg
from semi_procedural_locomotion.core.rig.solvers.chains import (
    Chain,
    find_axes,
    find_jacobian,
    make_limits,
    pose_chain,
    read_chain,
)
from semi_procedural_locomotion.core.rig.solvers.legs import LegJoints, keep_limits
from semi_procedural_locomotion.core.rig.solvers.solving import Ending, solve_limited
from semi_procedural_locomotion.core.rig.solvers.steps import METHODS

from .test_ik import make_leg, make_targets


def make_arm(count=1):
    """Two bones of 1 m along y, each in the axes of the one before."""
    offsets = np.zeros((count, 2, 3))
    offsets[..., 1] = 1.0
    identity = np.tile(rot.IDENTITY, (count, 1))
    return Chain(np.zeros((count, 3)), identity, np.tile(rot.IDENTITY, (2, 1)), offsets)


def test_a_chain_is_posed_joint_after_joint():
    coordinates = np.zeros((1, 2, 6))
    coordinates[0, 0, 2] = coordinates[0, 1, 2] = np.pi / 2
    coordinates[0, 1, 4] = 0.5
    # Turned about z the first bone goes to -x; the second slides on along it, and turns back to -y.
    pose = pose_chain(make_arm(), coordinates)
    assert pose.positions[0] == pytest.approx(
        np.array([[0, 0, 0], [-1.5, 0, 0], [-1.5, -1, 0]]), abs=1e-12
    )


def test_angles_are_those_of_euler_xyz_and_come_back():
    random = np.random.default_rng(2)
    coordinates = np.zeros((50, 2, 6))
    coordinates[..., :3] = random.uniform(-1.4, 1.4, (50, 2, 3))
    chain = make_arm(50)
    pose = pose_chain(chain, coordinates)
    x, y, z = (
        rot.quaternions_from_axis_angles(axis, coordinates[:, 0, i])
        for i, axis in enumerate(np.eye(3))
    )
    turned = rot.multiply(z, rot.multiply(y, x))
    assert np.max(rot.angles_between(pose.rotations[:, 0], turned)) < 1e-7
    back, found = read_chain(pose.positions, pose.rotations, chain.parents, chain.rests)
    assert found == pytest.approx(coordinates, abs=1e-9)
    assert back.offsets == pytest.approx(chain.offsets, abs=1e-12)


def test_the_jacobian_is_the_change_of_the_end():
    random = np.random.default_rng(4)
    coordinates = random.uniform(-1.0, 1.0, (1, 2, 6))
    chain = make_arm()
    pose = pose_chain(chain, coordinates)
    jacobian = find_jacobian(pose, coordinates, find_axes(pose, coordinates))[0]
    step = 1e-6
    for column in range(12):
        moved = coordinates.copy()
        moved.reshape(-1)[column] += step
        change = pose_chain(chain, moved).positions[0, -1] - pose.positions[0, -1]
        assert change / step == pytest.approx(jacobian[:, column], abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_all_methods_reach_and_keep_limits(method):
    for case in (make_cases(30)[place] for place in (0, 1, 4)):
        solved = solve_limited(case.chain, case.limits, case.start, case.targets, method, most=12)
        assert case.limits.measure_excess(solved.coordinates).max() < 1e-12
        locked = ~case.limits.free
        assert solved.coordinates[:, locked] == pytest.approx(case.start[:, locked], abs=1e-12)
        posed = pose_chain(case.chain, solved.coordinates)
        missed = rot.lengths(posed.positions[:, -1] - case.targets)
        assert solved.missed == pytest.approx(missed, abs=1e-12)
        before = rot.lengths(pose_chain(case.chain, case.start).positions[:, -1] - case.targets)
        assert np.all(missed <= before + 1e-12)
        if method in ("damped", "pseudo_inverse"):
            assert np.mean(missed < 1e-4 * case.chain.lengths) > 0.8, case.name
        else:
            assert np.median(missed) < 0.1 * np.median(before), case.name


def test_rows_do_not_depend_on_those_beside_them():
    case = make_cases(40)[1]
    whole = solve_limited(case.chain, case.limits, case.start, case.targets)
    rows = np.array([3, 17, 25])
    part = solve_limited(case.chain.select(rows), case.limits, case.start[rows], case.targets[rows])
    assert part.coordinates == pytest.approx(whole.coordinates[rows], abs=1e-12)


def test_rows_end_for_a_reason():
    chain = make_arm(3)
    start = np.zeros((3, 2, 6))
    start[:, :, 2] = 0.3
    targets = np.array(
        [pose_chain(chain, start).positions[0, -1], [0.0, 5.0, 0.0], [1.2, 0.8, 0.0]]
    )
    solved = solve_limited(chain, make_limits(2), start, targets)
    assert list(solved.endings) == [Ending.REACHED, Ending.STUCK, Ending.REACHED]
    assert solved.iterations[0] == 0
    # As near as an arm of 2 m comes to a target at 5 m.
    assert solved.missed[1] == pytest.approx(3.0, abs=1e-3)
    short = solve_limited(chain, make_limits(2), start, targets, most=1)
    assert short.endings[2] == Ending.OUT_OF_STEPS


def read_joints(points, rotations, limits):
    """A random leg's joints, with its first row's pose as rest."""
    rests = [rotations[0, 0]]
    for bone in range(1, rotations.shape[1]):
        rests.append(rot.multiply(rot.conjugate(rotations[0, bone - 1]), rotations[0, bone]))
    # No axis of these bones is their hinge, so their joints are balls.
    hinge = np.full(3, np.sqrt(1.0 / 3.0))
    for bone in range(rotations.shape[1] - 1, 0, -1):
        hinge = rot.rotate(rests[bone], hinge)
    return LegJoints(np.tile(rot.IDENTITY, (len(points), 1)), np.array(rests), limits, hinge)


def test_knees_are_hinges_where_their_hinge_is_an_axis_of_the_bone():
    rests = np.array([rot.IDENTITY, rot.quaternions_from_yaws(np.pi / 2), rot.IDENTITY])
    joints = LegJoints(np.tile(rot.IDENTITY, (1, 1)), rests, None, np.array([1.0, 0.1, 0.0]))
    # A quarter turn about z makes the hip bone's x the y of the next one, backwards.
    assert joints.find_limits().free[:, :3].tolist() == [
        [True, True, True],
        [False, True, False],
        [False, True, False],
    ]


@pytest.mark.parametrize("joints", [3, 4])
def test_a_leg_is_left_alone_where_it_keeps_its_limits(joints):
    points, rotations, hinge, random = make_leg(30, joints)
    targets = make_targets(points, random, 0.6, 0.95)
    solution = solve_leg(points, rotations, targets, hinge)
    for limits in (None, make_limits(joints - 1)):
        kept = keep_limits(points, rotations, solution, read_joints(points, rotations, limits))
        assert kept is solution


@pytest.mark.parametrize("joints", [3])
def test_a_leg_keeps_its_limits_and_its_clips_own_pose(joints):
    points, rotations, hinge, random = make_leg(1, joints)
    points, rotations = (np.repeat(values, 60, axis=0) for values in (points, rotations))
    hinge = np.repeat(hinge, 60, axis=0)
    limits = make_limits(joints - 1)
    limits.lower[:, :3], limits.upper[:, :3] = -0.5, 0.5
    read = read_joints(points, rotations, limits)
    # Its own pose is the rest pose here, and a target at its own ankle asks for nothing else.
    own = solve_leg(points, rotations, points[:, -1], hinge)
    assert keep_limits(points, rotations, own, read) is own
    length = rot.lengths(np.diff(points[:1], axis=1)).sum()
    chain, begun = read_chain(points, rotations, read.parents, read.rests)
    begun[..., :3] = random.uniform(-0.5, 0.5, (60, joints - 1, 3))
    targets = pose_chain(chain, begun).positions[:, -1]
    solution = solve_leg(points, rotations, targets, hinge)
    kept = keep_limits(points, rotations, solution, read)
    _, before = read_chain(solution.positions, solution.rotations, read.parents, read.rests)
    _, after = read_chain(kept.positions, kept.rotations, read.parents, read.rests)
    assert limits.measure_excess(before).max() > 0.2
    assert limits.measure_excess(after).max() < 1.1e-3
    missed = rot.lengths(kept.positions[:, -1] - targets)
    assert kept.unreached == pytest.approx(missed, abs=0.02 * length)
    # All can be reached, but that legs are not pulled straight.
    assert np.mean(missed < 0.02 * length) > 0.9
