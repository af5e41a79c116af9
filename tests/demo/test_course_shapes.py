# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Grounds of the demo: closed blocks whose tops have the heights that were asked for."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.demo.course_shapes import (
    make_blocks,
    make_box,
    make_bump_heights,
    make_height_block,
    make_profile_block,
    make_ramp_profile,
    make_stair_profile,
    make_tilt_heights,
)

SLOPE = float(np.radians(15.0))
RAMP = make_ramp_profile(2.0, 2.5, SLOPE, 1.0, 2.0)
STAIRS = make_stair_profile(2.0, 0.16, 0.3, 5, 1.5, 2.0)


def cast(mesh, places):
    """Heights of a mesh under x, y places."""
    points = np.column_stack([np.asarray(places, dtype=float), np.full(len(places), 9.0)])
    hits = MeshGround(mesh.vertices, mesh.triangles).cast_down(points, np.zeros(len(points)))
    assert hits.hit.all()
    return hits.points[:, 2]


@pytest.mark.parametrize(
    "mesh",
    [
        make_profile_block(RAMP, 1.5, -0.3),
        make_height_block(make_tilt_heights(0.2, 1.0, 6.0), 6.0, 1.0, -0.3),
        make_box(np.array([1.0, 2.0]), (0.5, 0.7), -0.3, 0.2),
    ],
    ids=["profile", "heights", "box"],
)
def test_blocks_are_closed(mesh):
    edges = Counter(
        tuple(sorted((int(t[a]), int(t[(a + 1) % 3])))) for t in mesh.triangles for a in range(3)
    )
    assert set(edges.values()) == {2}


def test_a_ramp_rises_and_falls_back():
    heights = cast(make_profile_block(RAMP, 1.5, -0.3), [(0, -1), (0.7, -3), (0, -5), (0, -9)])
    assert np.allclose(heights, [0.0, np.tan(SLOPE), 2.5 * np.tan(SLOPE), 0.0])


def test_stairs_have_their_treads():
    way = [1.9, 2.1, 2.4, 3.3, 4.6, 4.8, 7.5]
    mesh = make_profile_block(STAIRS, 1.5, -0.3)
    heights = cast(mesh, [(0.0, -w) for w in way])
    assert np.allclose(heights / 0.16, [0, 1, 2, 5, 5, 4, 0])


def test_a_side_slope_is_level_at_its_ends_and_in_its_middle_line():
    mesh = make_height_block(make_tilt_heights(SLOPE, 1.0, 8.0), 8.0, 1.4, -0.3)
    places = [(0.5, -0.2), (0.5, -4.0), (-0.5, -4.0), (0.0, -4.0), (0.5, -7.8)]
    rise = 0.5 * np.tan(SLOPE)
    assert np.allclose(cast(mesh, places), [0.0, rise, -rise, 0.0, 0.0], atol=1e-9)


def test_bumps_are_as_high_as_asked_for_and_the_same_every_time():
    way = np.linspace(3.0, 40.0, 400)
    x = np.linspace(-3.0, 3.0, 60)[:, None]
    heights = make_bump_heights(0.1, 1.0, 43.0)(x, way)
    assert np.sqrt(np.mean(heights**2)) == pytest.approx(0.1, rel=0.15)
    assert np.array_equal(heights, make_bump_heights(0.1, 1.0, 43.0)(x, way))
    assert not np.allclose(heights, make_bump_heights(0.1, 1.0, 43.0, seed=2)(x, way))


def test_blocks_are_uneven_between_level_ends():
    mesh = make_blocks(4.0, 1.2, -0.3, 0.4, 0.1, 1.0, seed=3)
    middles = [(x, -(row + 0.5) * 0.4) for row in range(10) for x in (-0.4, 0.0, 0.4)]
    heights = cast(mesh, middles).reshape(10, 3)
    assert np.allclose(heights[[0, 1, 8, 9]], 0.0)
    assert heights[2:8].min() > 0.0
    assert heights.max() <= 0.1
    assert len(np.unique(heights[2:8].round(6))) == 18
