# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Root bones that stay upright."""

from __future__ import annotations

import numpy as np

from semi_procedural_locomotion.core.keys.tables import set_root_upright
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.pose import PoseArray
from semi_procedural_locomotion.core.rig.skeleton import Skeleton, compute_global_poses


def test_only_the_root_bone_turns_otherwise():
    random = np.random.default_rng(2)
    count = 6
    rest = rot.normalize_quaternions(random.normal(size=(4, 4)))
    skeleton = Skeleton(
        ("top", "root", "hips", "prop"), np.array([-1, 0, 1, 1]), rest, random.normal(size=(4, 3))
    )
    angles = np.linspace(0.0, 5.0, count)
    heading = rot.quaternions_from_yaws(angles)
    pitch = rot.quaternions_from_axis_angles(np.tile([1.0, 0.0, 0.0], (count, 1)), 0.1 * angles)
    rotations = np.tile(rest, (count, 1, 1))
    rotations[:, 2:] = rot.normalize_quaternions(random.normal(size=(count, 2, 4)))
    poses = PoseArray(
        times=angles,
        positions=random.normal(size=(count, 3)),
        orientations=rot.multiply(heading, pitch),
        rotations=rotations,
        translations=random.normal(size=(count, 4, 3)),
        scales=np.ones((count, 4, 3)),
        rotated=np.zeros(4, dtype=bool),
        moved=np.zeros(4, dtype=bool),
        scaled=np.zeros(4, dtype=bool),
        owned=np.zeros(4, dtype=bool),
    )
    found = set_root_upright(poses, skeleton, 1)
    before, after = (
        compute_global_poses(skeleton, p.rotations, p.translations) for p in (poses, found)
    )
    assert np.allclose(before[1], after[1])
    same = rot.angles_between(before[0], after[0])
    assert np.allclose(same[:, [0, 2, 3]], 0.0, atol=1e-6)
    shown = rot.multiply(poses.orientations, after[0][:, 1])
    moved = rot.multiply(shown, rot.conjugate(skeleton.rest_poses[0][1]))
    assert np.allclose(rot.angles_between(moved, heading), 0.0, atol=1e-6)
    assert found.rotated.tolist() == [False, False, True, True]
