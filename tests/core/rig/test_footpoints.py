# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Twists of feet that bear on a line of their sole."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.rig.footpoints import correct_twists

LENGTH = 0.25


def make_soles(yaw, heights):
    """One foot with its heel at the origin, turned by a yaw, its three points at some heights."""
    along = LENGTH * np.array([0.0, 0.7, 1.0])
    return np.stack([along * np.cos(yaw), along * np.sin(yaw), np.asarray(heights)], axis=1)[None]


@pytest.mark.parametrize("heights", [(0.0, 0.0, 0.0), (0.0, 0.0, 0.1), (0.1, 0.0, 0.0)])
def test_the_line_that_bears_tells_the_twist(heights):
    bone, angle, yaw = np.array([0.03]), np.array([1.0]), 1.05
    twist = correct_twists(make_soles(yaw, heights), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.05, abs=0.005)


@pytest.mark.parametrize("heights", [(0.0, 0.1, 0.2), (0.2, 0.1, 0.0)])
def test_a_foot_on_one_point_keeps_the_twist_of_its_bone(heights):
    bone, angle = np.array([0.03]), np.array([1.0])
    twist = correct_twists(make_soles(2.5, heights), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.03, abs=1e-6)


def test_turns_across_half_a_circle_are_short():
    angle, bone = np.array([np.pi - 0.02]), np.array([0.03])
    twist = correct_twists(make_soles(-np.pi + 0.03, (0.0, 0.0, 0.0)), angle, bone, LENGTH)
    assert twist[0] == pytest.approx(0.05, abs=0.005)
