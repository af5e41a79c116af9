# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertical caster against Blender's BVHTree."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("bpy")
bvhtree = pytest.importorskip("mathutils.bvhtree")

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import VerticalCaster


@pytest.mark.parametrize(
    "make",
    [
        terrain_shapes.make_stairs,
        terrain_shapes.make_ramp,
        terrain_shapes.make_bumps,
        terrain_shapes.make_blocks,
        terrain_shapes.make_bridge,
        terrain_shapes.make_stepping_stones,
    ],
)
def test_caster_equals_bvhtree(make):
    leg_length = 0.9
    mesh = make(leg_length, 1.4, 0.3)
    random = np.random.default_rng(0)
    along, across = random.uniform(-1.0, 11.0, 1500), random.uniform(-1.5, 1.5, 1500)
    points = np.stack(
        [
            across * np.cos(0.3) - along * np.sin(0.3),
            across * np.sin(0.3) + along * np.cos(0.3),
            random.uniform(-0.5, 4.0, 1500),
        ],
        axis=1,
    )
    tree = bvhtree.BVHTree.FromPolygons(mesh.vertices.tolist(), mesh.triangles.tolist())
    expected = np.full(1500, np.nan)
    normals = np.full((1500, 3), np.nan)
    for i, point in enumerate(points):
        place, normal, _, _ = tree.ray_cast(point, (0.0, 0.0, -1.0))
        if place is not None:
            expected[i] = place.z
            normals[i] = normal if normal.z > 0 else -normal
    caster = VerticalCaster(*mesh)
    hits = caster.cast_down(points)
    np.testing.assert_allclose(hits.heights, expected, atol=1e-5 * leg_length)
    known = hits.triangles >= 0
    assert known.sum() > 500
    np.testing.assert_allclose(caster.normals[hits.triangles[known]], normals[known], atol=1e-5)
