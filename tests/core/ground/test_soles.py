# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rays of soles: where they start, and what a miss is."""

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.soles import (
    STARTS,
    cast_soles,
    start_over_body,
    start_over_plane,
    start_over_prints,
)
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from tests.core.grounds import GroundStack


def make_plate(height, half=1.0):
    """A square about the origin."""
    corners = [[-half, -half], [half, -half], [half, half], [-half, half]]
    vertices = np.array([[x, y, height] for x, y in corners])
    return MeshGround(vertices, np.array([[0, 1, 2], [0, 2, 3]]))


def test_a_miss_is_minus_infinity_and_no_surface_until_it_is_filled():
    points = np.array([[[0.0, 0.0], [5.0, 0.0]]])
    hits = cast_soles(make_plate(0.3), points, np.array(1.0), np.array(0.0))
    assert hits.met.tolist() == [[True, False]]
    assert hits.heights[0, 0] == pytest.approx(0.3)
    assert hits.heights[0, 1] == -np.inf
    assert hits.surfaces.tolist() == [[0, -1]]
    assert hits.fill(-7.0).tolist() == [[pytest.approx(0.3), -7.0]]


def test_ground_below_the_bottom_does_not_count():
    points = np.zeros((3, 3))
    bottoms = np.array([-0.5, -0.4, -0.3])
    hits = cast_soles(FlatGround(-0.4), points, np.zeros(3), np.zeros(3), bottoms)
    assert hits.met.tolist() == [True, True, False]
    assert hits.surfaces[2] == -1


def test_only_what_lies_below_the_start_is_met():
    ground = GroundStack([make_plate(0.0), make_plate(2.0)])
    points, times = np.zeros((2, 2)), np.zeros(2)
    assert cast_soles(ground, points, np.array([1.0, 3.0]), times).heights.tolist() == [0.0, 2.0]


def test_the_starts_lie_over_what_they_are_named_after():
    behind, ahead = np.array([[0.0, 0.0, 0.2]]), np.array([[1.0, 0.0, -0.1]])
    assert start_over_body(np.array([0.5]), 0.6) == pytest.approx([1.1])
    assert start_over_prints(behind, ahead, 2.0) == pytest.approx([0.2 + 2.0 * STARTS.over_prints])
    assert start_over_plane(behind, 2.0) == pytest.approx([0.2 + 2.0 * STARTS.over_plane])
