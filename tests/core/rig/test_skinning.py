# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin that keeps its volume, by itself and in hulls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.hulls import (
    FootHull,
    carry_hull,
    hull_points_from_axes,
    hull_points_from_ground,
    hull_points_from_poses,
)
from semi_procedural_locomotion.core.rig.skeleton import Skeleton
from semi_procedural_locomotion.core.rig.skinning import blend_dual_quaternions

# Turned about x, so that a point on y goes round.
X = np.array([1.0, 0.0, 0.0])
AWAY = np.array([0.0, 0.2, 0.0])


def make_hull(weights, bones):
    """Points at AWAY from heads at the origin, on bones that were bound unturned."""
    weights = np.atleast_2d(weights)
    count, size = weights.shape
    return FootHull(
        bones=np.tile(bones, (count, 1)),
        weights=weights,
        offsets=np.tile(AWAY, (count, size, 1)),
        places=np.zeros((count, 3)),
        parts=np.zeros(count, dtype=np.intp),
        frame=rot.IDENTITY,
        keeps_volume=np.ones(count, dtype=bool),
        binds=np.tile(rot.IDENTITY, (count, size, 1)),
    )


def test_a_point_between_two_turns_goes_round_and_keeps_its_distance():
    hull = make_hull([0.5, 0.5], [0, 1])
    turns = rot.quaternions_from_axis_angles(X, np.array([0.0, 2.0]))
    points = hull_points_from_poses(hull, turns[None], np.zeros((1, 2, 3)))[0, 0]
    np.testing.assert_allclose(points, 0.2 * np.array([0.0, np.cos(1.0), np.sin(1.0)]), atol=1e-12)
    linear = replace(hull, keeps_volume=np.zeros(1, dtype=bool))
    sunk = hull_points_from_poses(linear, turns[None], np.zeros((1, 2, 3)))[0, 0]
    np.testing.assert_allclose(sunk, np.cos(1.0) * points, atol=1e-12)


def test_bones_that_move_as_one_take_the_point_along():
    generator = np.random.default_rng(3)
    turn = rot.normalize_quaternions(generator.normal(size=4))
    point, heads = generator.normal(size=3), generator.normal(size=(2, 3))
    hull = replace(make_hull([0.6, 0.4], [0, 1]), offsets=(point - heads)[None])
    places = rot.rotate(turn, heads) + AWAY
    moved = hull_points_from_poses(hull, np.tile(turn, (1, 2, 1)), places[None])[0, 0]
    np.testing.assert_allclose(moved, rot.rotate(turn, point) + AWAY, atol=1e-12)


@pytest.mark.parametrize("signs", [(1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)])
def test_the_signs_of_quaternions_do_not_matter(signs):
    generator = np.random.default_rng(4)
    turns = rot.quaternions_from_axis_angles(X, generator.uniform(0.0, 1.5, size=(5, 3, 2)))
    places, weights = generator.normal(size=(5, 3, 2, 3)), np.array([[0.7, 0.3]] * 3)
    blended = blend_dual_quaternions(places, turns, weights)
    signed = blend_dual_quaternions(places, turns * np.array(signs)[:, None], weights)
    np.testing.assert_allclose(signed, blended, atol=1e-12)


def test_scaled_axes_and_poses_give_the_same_points():
    generator = np.random.default_rng(5)
    hull = make_hull(generator.dirichlet([2.0, 1.0, 1.0], size=4), [0, 1, 2])
    turns = rot.quaternions_from_axis_angles(X, generator.uniform(-0.6, 0.6, size=(3, 3)))
    heads, sizes = generator.normal(size=(3, 3, 3)), generator.uniform(0.5, 2.0, size=(3, 3, 3))
    axes = rot.matrices_from_quaternions(turns) * sizes[..., None, :]
    one = hull_points_from_axes(hull, axes, heads)
    np.testing.assert_allclose(hull_points_from_poses(hull, turns, heads, sizes), one, atol=1e-12)


@pytest.mark.parametrize("keeps_volume", [False, True])
def test_points_seen_from_the_ground_are_those_of_the_world(keeps_volume):
    generator = np.random.default_rng(6)
    # Bone 1 carries nothing, and places without a share name it.
    hull = make_hull([[0.7, 0.3], [1.0, 0.0]], [0, 2])
    hull = replace(
        hull,
        bones=np.array([[0, 2], [2, 1]]),
        offsets=generator.normal(size=(2, 2, 3)),
        keeps_volume=np.full(2, keeps_volume),
    )
    turns = rot.normalize_quaternions(generator.normal(size=(5, 3, 4)))
    heads, origins = generator.normal(size=(5, 3, 3)), generator.normal(size=(5, 3))
    frames = rot.normalize_quaternions(generator.normal(size=(5, 4)))
    points = hull_points_from_poses(hull, turns, heads)
    back = rot.rotate(rot.conjugate(frames)[:, None], points - origins[:, None])
    seen = hull_points_from_ground(hull, turns, heads, frames, origins)
    np.testing.assert_allclose(seen, back, atol=1e-12)
    alone = heads[:, 2] + rot.rotate(turns[:, 2], hull.offsets[1, 0])
    np.testing.assert_allclose(points[:, 1], alone, atol=1e-12)


def test_what_rides_on_a_bone_that_is_left_out_turns_as_the_one_above_it():
    tilted = rot.quaternions_from_axis_angles(np.array([0.0, 0.6, 0.8]), 0.9)
    skeleton = Skeleton(
        names=("shin", "foot", "toe"),
        parents=np.array([-1, 0, 1]),
        rest_rotations=np.stack([rot.IDENTITY, tilted, rot.conjugate(tilted)]),
        rest_translations=np.array([[0.0, 0.0, 1.0], [0.0, 0.1, -0.9], [0.0, 0.3, 0.0]]),
    )
    rests, heads = skeleton.rest_poses
    point, bones = np.array([0.02, 0.2, 0.1]), [2, 0]
    hull = replace(
        make_hull([0.6, 0.4], bones),
        offsets=rot.rotate(rot.conjugate(rests[bones]), point - heads[bones])[None],
        binds=rests[bones][None],
    )
    # The foot bends at the ankle, and the toe is stiff on it.
    bend = rot.quaternions_from_axis_angles(X, -0.8)
    rotations, places = rests.copy(), heads.copy()
    rotations[1:] = rot.multiply(bend, rests[1:])
    places[1:] = heads[1] + rot.rotate(bend, heads[1:] - heads[1])
    whole = hull_points_from_poses(hull, rotations[None], places[None])
    carried = carry_hull(hull, skeleton, {0: 0, 1: 1})
    less = hull_points_from_poses(carried, rotations[None, :2], places[None, :2])
    np.testing.assert_allclose(less, whole, atol=1e-12)
    assert np.linalg.norm(whole[0, 0] - point) > 0.04


def test_points_that_keep_their_volume_need_binds():
    with pytest.raises(ValueError, match="rotations of their bones"):
        replace(make_hull([0.5, 0.5], [0, 1]), binds=None)
    with pytest.raises(ValueError, match="keeps_volume must have shape"):
        replace(make_hull([0.5, 0.5], [0, 1]), keeps_volume=np.ones(2, dtype=bool))
