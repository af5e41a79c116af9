# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way is up for skeletons."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.standing import find_up, name_axis

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
