# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertical caster against brute force, and the grounds made in code."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import terrain_shapes
from benchmarks.mesh_grounds import MeshGround, VerticalCaster
from semi_procedural_locomotion.core.ground import terrain
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.errors import GroundError
from tests.core.grounds import GroundStack


def cast_by_brute_force(vertices, triangles, points):
    """Every ray against every triangle, by areas of sub-triangles."""
    heights = np.full(len(points), np.nan)
    for i, (x, y, z) in enumerate(points):
        for a, b, c in vertices[triangles]:
            area = [
                (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])
                for p, q in ((b, c), (c, a), (a, b))
            ]
            total = sum(area)
            if abs(total) < 1e-14 or min(np.array(area) / total) < -1e-9:
                continue
            height = np.dot(np.array(area) / total, [a[2], b[2], c[2]])
            if height <= z + 1e-12 and not heights[i] >= height:
                heights[i] = height
    return heights


def make_soup(random, count, spread=3.0):
    """Random triangles of very different sizes."""
    centres = random.uniform(-spread, spread, size=(count, 1, 3))
    sizes = 10 ** random.uniform(-2, 0.5, size=(count, 1, 1))
    vertices = (centres + sizes * random.normal(size=(count, 3, 3))).reshape(-1, 3)
    return vertices, np.arange(3 * count).reshape(-1, 3)


def test_caster_equals_brute_force_on_a_triangle_soup():
    random = np.random.default_rng(0)
    vertices, triangles = make_soup(random, 60)
    points = random.uniform(-4, 4, size=(300, 3))
    hits = VerticalCaster(vertices, triangles).cast_down(points)
    expected = cast_by_brute_force(vertices, triangles, points)
    np.testing.assert_allclose(hits.heights, expected, atol=1e-9)
    assert np.array_equal(hits.triangles >= 0, np.isfinite(expected))
    assert 30 < np.isfinite(expected).sum() < 270


def test_bad_meshes_are_refused():
    with pytest.raises(GroundError, match="no faces"):
        MeshGround(np.zeros((3, 3)), np.zeros((0, 3), dtype=int))
    with pytest.raises(GroundError, match="not numbers"):
        MeshGround(np.full((3, 3), np.nan), np.array([[0, 1, 2]]))
    with pytest.raises(ValueError, match="index 3 vertices"):
        MeshGround(np.zeros((3, 3)), np.array([[0, 1, 3]]))
    with pytest.raises(ValueError, match="vertices must have shape"):
        MeshGround(np.zeros((3, 2)), np.array([[0, 1, 2]]))
    with pytest.raises(ValueError, match="triangles must have shape"):
        MeshGround(np.zeros((3, 3)), np.array([[0, 1]]))
    with pytest.raises(ValueError, match="surfaces must have shape"):
        MeshGround(np.eye(3), np.array([[0, 1, 2]]), np.zeros(2))
    with pytest.raises(ValueError, match="must be positive"):
        terrain_shapes.make_flat(0.0, 1.0)
    with pytest.raises(ValueError, match="heights must have shape"):
        terrain_shapes.make_height_grid(np.zeros((1, 5)), 1.0)


def test_flat_ground():
    hits = terrain.FlatGround(0.5).cast_down(np.array([[1.0, 2, 3], [0, 0, 0.4]]), np.zeros(2))
    np.testing.assert_allclose(hits.points, [[1.0, 2.0, 0.5], [0.0, 0.0, 0.4]])
    np.testing.assert_array_equal(hits.hit, [True, False])
    np.testing.assert_array_equal(terrain.FlatGround().surface_frames(0, np.zeros(2))[1], np.eye(4))


def test_moving_ground_is_the_same_ground_seen_from_its_own_space():
    plate = MeshGround(*terrain_shapes.make_side_slope(1.0, 1.5, slope=0.3))

    def move(times):
        return rot.pack(0.5 * times, 0.0 * times, np.sin(times)), 0.4 * times

    ground = terrain.MovingGround(plate, move)
    times = np.linspace(0.0, 3.0, 20)
    frames = ground.surface_frames(0, times)
    on_plate = np.array([0.7, 1.1, 0.7 * np.tan(0.3)])
    world = frames[:, :3, :3] @ on_plate + frames[:, :3, 3]
    hits = ground.cast_down(world + np.array([0.0, 0.0, 1.0]), times)
    np.testing.assert_allclose(hits.points, world, atol=1e-12)
    normal = np.array([-np.sin(0.3), 0.0, np.cos(0.3)])
    np.testing.assert_allclose(hits.normals, frames[:, :3, :3] @ normal, atol=1e-12)


def test_a_stack_gives_the_highest_and_routes_its_surfaces():
    lift = terrain.MovingGround(
        MeshGround(*terrain_shapes.make_flat(0.1, 0.1)),
        lambda t: (rot.pack(0.0 * t, 0.0 * t, t), 0.0 * t),
    )
    stack = GroundStack([terrain.FlatGround(), lift])
    points = np.array([[0.0, 0.0, 5.0], [9.0, 0.0, 5.0], [0.0, 0.0, -1.0]])
    hits = stack.cast_down(points, np.full(3, 0.5))
    np.testing.assert_allclose(hits.points[:, 2], [0.5, 0.0, -1.0])
    np.testing.assert_array_equal(hits.surfaces, [1, 0, -1])
    layers = stack.cast_all(points[::-1], np.full(3, 0.5))
    np.testing.assert_array_equal(layers.rays, [0, 0, 1, 2, 2])
    np.testing.assert_allclose(layers.heights, [0.5, 0.0, 0.0, 0.5, 0.0])
    np.testing.assert_array_equal(layers.surfaces, [1, 0, 0, 1, 0])
    assert stack.surface_frames(1, np.array([0.5]))[0, 2, 3] == 0.5
    assert stack.surface_frames(0, np.array([0.5]))[0, 2, 3] == 0.0
