# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs of two and more segments: exact ends, clip's own pose, knees on their own side."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig import ik, ik_chain
from semi_procedural_locomotion.core.rig.limits import BENDS as LIMITS

SEGMENTS = {3: (0.45, 0.42), 4: (0.3, 0.35, 0.25), 5: (0.2, 0.3, 0.25, 0.2)}
BENDS = {3: (0.4,), 4: (0.5, -0.7), 5: (0.4, 0.5, 0.3)}


def make_leg(count, joints, bends=None, seed=0):
    """Random rotations and planar legs that hang down and bend about +X (thigh x shin)."""
    random = np.random.default_rng(seed)
    angles = np.concatenate([[0.0], np.cumsum(BENDS[joints] if bends is None else bends)])
    angles = angles - 0.3 * angles[-1]
    directions = np.stack([0 * angles, np.sin(angles), -np.cos(angles)], axis=-1)
    steps = directions * np.array(SEGMENTS[joints])[:, None]
    points = np.array([0.0, 0.0, 1.0]) + np.cumsum(np.insert(steps, 0, 0.0, axis=0), axis=0)
    turn = rot.normalize_quaternions(random.normal(size=(count, 4)))
    own = rot.normalize_quaternions(random.normal(size=(count, joints - 1, 4)))
    turned = rot.rotate(turn[:, None], np.broadcast_to(points, (count, joints, 3)))
    return turned, own, rot.rotate(turn, np.array([1.0, 0.0, 0.0])), random


def make_targets(points, random, low, high):
    """Targets in all directions at shares of the leg's length."""
    length = np.sum(rot.lengths(np.diff(points, axis=1)), axis=1)
    away = rot.normalize(random.normal(size=(len(points), 3)))
    return points[:, 0] + away * (random.uniform(low, high, len(points)) * length)[:, None]


def assert_rigid(points, rotations, solution):
    """The solved bones are the clip's segments, each turned by its own rotation."""
    before = np.diff(points, axis=1)
    local = rot.rotate(rot.conjugate(rotations), before)
    carried = rot.rotate(solution.rotations, local)
    np.testing.assert_allclose(carried, np.diff(solution.positions, axis=1), atol=1e-9)


@pytest.mark.parametrize("joints", [3, 4, 5])
def test_a_target_at_the_own_ankle_gives_the_own_pose(joints):
    points, rotations, hinge, _ = make_leg(50, joints)
    solution = ik_chain.solve_leg(points, rotations, points[:, -1], hinge)
    np.testing.assert_allclose(solution.positions, points, atol=1e-12)
    assert np.max(rot.angles_between(solution.rotations, rotations)) < 1e-10
    assert np.max(solution.unreached) < 1e-12


@pytest.mark.parametrize(("joints", "low"), [(3, 0.2), (4, 0.4), (5, 0.4)])
def test_random_targets_are_reached_by_rigid_bones(joints, low):
    points, rotations, hinge, random = make_leg(400, joints, seed=1)
    targets = make_targets(points, random, low, 0.979)
    solution = ik_chain.solve_leg(points, rotations, targets, hinge)
    assert np.max(solution.unreached) < 1e-9
    np.testing.assert_allclose(solution.positions[:, 0], points[:, 0], atol=0)
    assert_rigid(points, rotations, solution)


@pytest.mark.parametrize("joints", [3, 4, 5])
def test_a_rigidly_moved_target_turns_the_whole_leg(joints):
    points, rotations, hinge, random = make_leg(40, joints, seed=2)
    away = rot.normalize(random.normal(size=(40, 3)))
    distance = rot.lengths(points[:, -1] - points[:, 0])
    targets = points[:, 0] + away * distance[:, None]
    solution = ik_chain.solve_leg(points, rotations, targets, hinge)
    own = rot.normalize(points[:, -1] - points[:, 0])
    turn = rot.quaternions_from_arcs(own, away)
    expected = rot.multiply(turn[:, None], rotations)
    assert np.max(rot.angles_between(solution.rotations, expected)) < 1e-9


@pytest.mark.parametrize("bend", [0.0, 1e-4, -1e-4, 1e-9])
def test_a_straight_leg_bends_the_way_of_its_rest_hinge(bend):
    points, rotations, hinge, random = make_leg(500, 3, bends=(bend,), seed=3)
    targets = make_targets(points, random, 0.3, 0.979)
    solution = ik_chain.solve_leg(points, rotations, targets, hinge)
    thigh, shin = np.moveaxis(np.diff(solution.positions, axis=1), 1, 0)
    own = rot.normalize(points[:, 2] - points[:, 0])
    arc = rot.quaternions_from_arcs(own, rot.normalize(targets - points[:, 0]))
    forward = rot.dot(rot.cross(thigh, shin), rot.rotate(arc, hinge))
    assert np.all(forward > 0)
    assert np.max(solution.unreached) < 1e-9


def bend_aside(bend, aside, further):
    """How far aside knees are of legs bent by an angle in a plane turned so far from their hinge.

    Then they are bent further by so much; shares of the leg, (N,).
    """
    count = len(np.atleast_1d(bend))
    ahead, left = np.array([0.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    hinge = np.cos(aside) * left + np.sin(aside) * ahead
    turn = rot.quaternions_from_axis_angles(hinge, np.atleast_1d(bend))
    thigh = np.array([0.0, 0.0, -0.45])
    shin = rot.rotate(turn, np.array([0.0, 0.0, -0.42]))
    points = np.zeros((count, 3, 3))
    points[:, 1], points[:, 2] = thigh, thigh + shin
    bent = np.atleast_1d(bend) + further
    distance = np.sqrt(0.45**2 + 0.42**2 + 2.0 * 0.45 * 0.42 * np.cos(bent))
    targets = rot.normalize(points[:, 2]) * distance[:, None]
    still = np.broadcast_to(rot.IDENTITY, (count, 2, 4))
    return ik_chain.solve_leg(points, still, targets, left).positions[:, 1, 0] / 0.87


def test_a_nearly_straight_leg_is_bent_further_about_its_hinge():
    aside = np.radians(80.0)
    slight, clear = np.radians([6.0, 30.0])
    # Its own bend goes aside; of 35 degrees more hardly any does.
    own = np.abs(bend_aside(slight, aside, 0.0))
    assert np.all(np.abs(bend_aside(slight, aside, np.radians(35.0))) < 2.5 * own + 0.02)
    # One that is bent clearly knows its plane.
    assert np.all(np.abs(bend_aside(clear, aside, np.radians(35.0))) > 0.12)


def test_the_plane_in_which_a_leg_bends_turns_without_jumps():
    bends = np.radians(np.linspace(0.0, 40.0, 4001))
    for further in np.radians([0.0, 2.0, 35.0]):
        knees = bend_aside(bends, np.radians(80.0), further)
        assert np.abs(np.diff(knees)).max() < 1e-3


def test_an_exactly_straight_leg_keeps_its_pose_within_a_ten_thousandth():
    points, rotations, hinge, _ = make_leg(20, 3, bends=(0.0,), seed=4)
    solution = ik_chain.solve_leg(points, rotations, points[:, -1], hinge)
    assert np.max(solution.unreached) < 1e-4 * sum(SEGMENTS[3])


@pytest.mark.parametrize("joints", [4, 5])
def test_chains_fold_from_straight(joints):
    points, rotations, hinge, random = make_leg(200, joints, bends=[0.0] * (joints - 2), seed=5)
    targets = make_targets(points, random, 0.4, 0.979)
    solution = ik_chain.solve_leg(points, rotations, targets, hinge)
    assert np.max(solution.unreached) < 1e-9
    assert_rigid(points, rotations, solution)


@pytest.mark.parametrize("joints", [3, 4, 5])
def test_a_target_out_of_reach_leaves_the_leg_almost_straight(joints):
    points, rotations, hinge, random = make_leg(60, joints, seed=6)
    targets = make_targets(points, random, 1.5, 1.5)
    solution = ik_chain.solve_leg(points, rotations, targets, hinge)
    length = sum(SEGMENTS[joints])
    got = rot.lengths(solution.positions[:, -1] - points[:, 0])
    np.testing.assert_allclose(got, 0.9995 * length, rtol=1e-5)
    np.testing.assert_allclose(solution.unreached, 1.5 * length - got, atol=1e-9)


def test_a_target_on_the_hip_folds_the_leg_to_its_limit_and_says_so():
    points, rotations, hinge, _ = make_leg(5, 3, seed=7)
    solution = ik_chain.solve_leg(points, rotations, points[:, 0], hinge)
    assert np.all(np.isfinite(solution.rotations))
    thigh, shin = np.moveaxis(rot.normalize(np.diff(solution.positions, axis=1)), 1, 0)
    np.testing.assert_allclose(np.arccos(rot.dot(thigh, shin)), LIMITS.most, atol=1e-9)
    np.testing.assert_allclose(
        solution.unreached, rot.lengths(solution.positions[:, 2] - points[:, 0]), atol=1e-12
    )


@pytest.mark.parametrize("joints", [3, 4])
def test_swivel_turns_the_knee_about_the_line_to_the_ankle(joints):
    points, rotations, hinge, random = make_leg(30, joints, seed=8)
    targets = make_targets(points, random, 0.5, 0.95)
    plain = ik_chain.solve_leg(points, rotations, targets, hinge)
    turned = ik_chain.solve_leg(points, rotations, targets, hinge, np.full(30, 0.5))
    axis = rot.normalize(targets - points[:, 0])
    turn = rot.quaternions_from_axis_angles(axis, 0.5)
    expected = points[:, :1] + rot.rotate(turn[:, None], plain.positions - points[:, :1])
    np.testing.assert_allclose(turned.positions, expected, atol=1e-9)
    quaternions = rot.multiply(turn[:, None], plain.rotations)
    assert np.max(rot.angles_between(turned.rotations, quaternions)) < 1e-9


@pytest.mark.parametrize("joints", [3, 4, 5])
def test_scale_turn_and_mirror_carry_over(joints):
    points, rotations, hinge, random = make_leg(60, joints, seed=9)
    targets = make_targets(points, random, 0.45, 1.1)
    swivel = random.uniform(-0.4, 0.4, 60)
    plain = ik_chain.solve_leg(points, rotations, targets, hinge, swivel)
    for scale in (0.01, 100.0):
        scaled = ik_chain.solve_leg(scale * points, rotations, scale * targets, hinge, swivel)
        np.testing.assert_allclose(scaled.positions / scale, plain.positions, atol=1e-9)
    yaw = rot.quaternions_from_yaws(1.1)
    turned = ik_chain.solve_leg(
        rot.rotate(yaw, points),
        rot.multiply(yaw, rotations),
        rot.rotate(yaw, targets),
        rot.rotate(yaw, hinge),
        swivel,
    )
    np.testing.assert_allclose(turned.positions, rot.rotate(yaw, plain.positions), atol=1e-9)
    flip, flip_axis = np.array([-1.0, 1, 1]), np.array([1.0, -1, -1])
    flip_quaternion = np.array([1.0, 1, -1, -1])
    mirrored = ik_chain.solve_leg(
        points * flip, rotations * flip_quaternion, targets * flip, hinge * flip_axis, -swivel
    )
    np.testing.assert_allclose(mirrored.positions, plain.positions * flip, atol=1e-9)
    angles = rot.angles_between(mirrored.rotations, plain.rotations * flip_quaternion)
    assert np.max(angles) < 1e-8


def test_frames_do_not_depend_on_those_beside_them():
    points, rotations, hinge, random = make_leg(64, 5, seed=10)
    targets = make_targets(points, random, 0.3, 1.0)
    together = ik_chain.solve_leg(points, rotations, targets, hinge)
    for i in (0, 17, 63):
        one = slice(i, i + 1)
        alone = ik_chain.solve_leg(points[one], rotations[one], targets[one], hinge[one])
        np.testing.assert_allclose(alone.positions[0], together.positions[i], atol=1e-12)


def test_knees_move_without_jumps():
    points, rotations, hinge, _ = make_leg(1, 3, bends=(0.6,), seed=11)
    share = np.linspace(0.5, 1.3, 3000)
    own = rot.normalize(points[0, 2] - points[0, 0])
    length = sum(SEGMENTS[3])
    targets = points[0, 0] + own * (share * length)[:, None]
    many = [np.repeat(a, 3000, axis=0) for a in (points, rotations, hinge)]
    solution = ik_chain.solve_leg(many[0], many[1], targets, many[2])
    steps = rot.lengths(np.diff(solution.positions[:, 1], axis=0))
    assert steps.max() < 4 * 0.8 / 3000 * length


def test_a_clip_that_folds_further_than_legs_may_keeps_its_own_pose():
    points, rotations, hinge, _ = make_leg(5, 3, bends=(np.radians(172.0),), seed=3)
    solved = ik.solve_two_bone(points, rotations, points[:, -1], hinge)
    np.testing.assert_allclose(solved.positions, points, atol=1e-9)
    np.testing.assert_allclose(solved.unreached, 0.0, atol=1e-9)


def test_a_joint_that_hardly_bends_backwards_folds_on_backwards():
    points, rotations, hinge, _ = make_leg(4, 4, bends=(0.5, -0.01), seed=5)
    nearer = points[:, 0] + 0.6 * (points[:, -1] - points[:, 0])
    solved = ik_chain.solve_chain(points, rotations, nearer, hinge)
    np.testing.assert_allclose(solved.unreached, 0.0, atol=1e-9)

    def measure(positions):
        """Bends of both joints about the hinge that carries them, radians."""
        segments = rot.normalize(np.diff(positions, axis=1))
        first, second = segments[:, :-1], segments[:, 1:]
        sines = np.linalg.norm(rot.cross(first, second), axis=-1)
        ahead = rot.cross(first[:, 0], second[:, 0])
        same = rot.dot(rot.cross(first[:, 1], second[:, 1]), ahead)
        return np.arctan2(sines[:, 1] * np.sign(same), rot.dot(first[:, 1], second[:, 1]))

    np.testing.assert_allclose(measure(points), -0.01, atol=1e-9)
    assert measure(solved.positions).max() < -0.2


def test_beyond_what_their_own_motions_fold_joints_fold_alike():
    points, rotations, hinge, _ = make_leg(6, 4, bends=(0.6, -0.6))
    own = ik_chain.measure_bends(points)
    most = own.max(axis=0) + np.array([0.4, 0.2])
    targets = points[:, 0] + 0.6 * (points[:, -1] - points[:, 0])
    solved = ik_chain.solve_leg(points, rotations, targets, hinge, most_bends=most)
    assert np.abs(solved.positions[:, -1] - targets).max() < 1e-9
    beyond = ik_chain.measure_bends(solved.positions) - most
    assert beyond.min() > 0.1
    np.testing.assert_allclose(beyond[:, 0], beyond[:, 1], rtol=1e-6)


@pytest.mark.parametrize("nearer", [0.97, 0.9])
def test_chains_fold_as_their_own_motions_let_each_joint(nearer):
    points, rotations, hinge, _ = make_leg(6, 4, bends=(0.6, -0.6))
    own = ik_chain.measure_bends(points)
    room = np.array([0.9, 0.45])
    targets = points[:, 0] + nearer * (points[:, -1] - points[:, 0])
    bare = ik_chain.solve_leg(points, rotations, targets, hinge)
    solved = ik_chain.solve_leg(
        points, rotations, targets, hinge, most_bends=own.max(axis=0) + room
    )
    assert_rigid(points, rotations, solved)
    assert np.abs(solved.positions[:, -1] - targets).max() < 1e-9
    folded = ik_chain.measure_bends(solved.positions) - own
    np.testing.assert_allclose(folded[:, 0] / folded[:, 1], 2.0, rtol=1e-6)
    even = ik_chain.measure_bends(bare.positions) - own
    np.testing.assert_allclose(even[:, 0] / even[:, 1], 1.0, rtol=1e-6)


def test_one_segment_only_aims():
    points = np.array([[[0.0, 0, 1], [0.0, 0, 0.4]]])
    rotations = rot.IDENTITY[None, None]
    target = np.array([[0.9, 0.0, 1.0]])
    solution = ik_chain.solve_leg(points, rotations, target, np.array([1.0, 0, 0]))
    np.testing.assert_allclose(solution.positions[0, 1], [0.6, 0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(solution.unreached, 0.3, atol=1e-12)
    half = rot.IDENTITY * 0 + [np.sqrt(0.5), 0, -np.sqrt(0.5), 0]
    assert rot.angles_between(solution.rotations[0, 0], half) < 1e-9


def test_wrong_shapes_are_refused():
    points, rotations, hinge, _ = make_leg(3, 3)
    with pytest.raises(ValueError, match=r"rotations must have shape \(3, 2, 4\)"):
        ik.solve_two_bone(points, rotations[:, :1], points[:, 2], hinge)
    with pytest.raises(ValueError, match="targets must have shape"):
        ik.solve_two_bone(points, rotations, points[:2, 2], hinge)
    with pytest.raises(ValueError, match="K >= 3 points"):
        ik_chain.solve_chain(points[:, :2], rotations[:, :1], points[:, 2], hinge)
