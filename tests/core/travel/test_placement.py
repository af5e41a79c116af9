# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses under a root bone that was placed are the same ones in the world."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.pose import PoseArray
from semi_procedural_locomotion.core.rig.skeleton import Skeleton, compute_global_poses
from semi_procedural_locomotion.core.travel.way import Placement, find_placement

SKELETON = Skeleton(
    ("root", "hips", "pole"),
    np.array([-1, 0, -1]),
    np.tile(rot.IDENTITY, (3, 1)),
    np.array([[0.0, 0.0, 0.0], [0.0, 0.1, 1.0], [0.0, -1.0, 0.5]]),
)
PLACEMENT = Placement(0.7, np.array([3.0, 2.0, 0.4]))


def make_poses(count=5):
    """Random poses along a random way."""
    random = np.random.default_rng(3)
    turns = rot.normalize_quaternions(random.normal(size=(count, 3, 4)))
    headings = rot.normalize_quaternions(random.normal(size=(count, 4)))
    none = np.zeros(3, dtype=bool)
    return PoseArray(
        times=np.arange(count, dtype=np.float64),
        positions=random.normal(size=(count, 3)),
        orientations=headings,
        rotations=turns,
        translations=random.normal(size=(count, 3, 3)),
        scales=np.ones((count, 3, 3)),
        rotated=none,
        moved=none,
        scaled=none,
        owned=none,
    )


def find_world(poses):
    turns, places = compute_global_poses(SKELETON, poses.rotations, poses.translations)
    along = poses.orientations[:, None]
    return rot.multiply(along, turns), poses.positions[:, None] + rot.rotate(along, places)


def test_world_poses_stay_and_the_character_goes_before_its_root():
    poses = make_poses()
    placed = poses.place_by_root(SKELETON, 1, PLACEMENT)
    (turns, places), (own_turns, own_places) = find_world(placed), find_world(poses)
    np.testing.assert_allclose(places, own_places, atol=1e-12)
    assert rot.angles_between(turns, own_turns).max() < 1e-6
    moved, _ = PLACEMENT.move(placed.positions[0], 0.0)
    assert not np.allclose(placed.positions, poses.positions)
    np.testing.assert_allclose(moved - placed.positions[0], PLACEMENT.shift)
    assert poses.place_by_root(SKELETON, 1, None) is poses


def test_a_placement_leads_from_one_pose_to_the_other_but_for_tilt():
    own = rot.normalize_quaternions(np.array([1.0, 0.2, 0.0, 0.0])), np.array([0.1, 0.2, 0.0])
    turn = rot.quaternions_from_yaws(np.array(PLACEMENT.yaw))
    shown = rot.multiply(turn, own[0]), rot.rotate(turn, own[1]) + PLACEMENT.shift
    found = find_placement(own, shown)
    np.testing.assert_allclose([found.yaw, *found.shift], [PLACEMENT.yaw, *PLACEMENT.shift])
