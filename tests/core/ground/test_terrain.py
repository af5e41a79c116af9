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

MAKERS = [
    terrain_shapes.make_flat,
    terrain_shapes.make_ramp,
    terrain_shapes.make_stairs,
    terrain_shapes.make_side_slope,
    terrain_shapes.make_bumps,
    terrain_shapes.make_blocks,
    terrain_shapes.make_gap,
    terrain_shapes.make_platform,
    terrain_shapes.make_stepping_stones,
    terrain_shapes.make_bridge,
]


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


def test_all_triangles_on_a_line_are_told_from_the_top_down():
    random = np.random.default_rng(6)
    vertices, triangles = make_soup(random, 80)
    points = random.uniform(-4, 4, size=(200, 3))
    caster = VerticalCaster(vertices, triangles)
    rays, heights, found = caster.cast_all(points)
    assert np.all((np.diff(rays) > 0) | ((np.diff(rays) == 0) & (np.diff(heights) <= 0)))
    remaining = np.full((len(points), 3), 9.0) * [0, 0, 1] + points * [1, 1, 0]
    for ray in range(len(points)):
        expected = []
        while not np.isnan(z := cast_by_brute_force(vertices, triangles, remaining[[ray]])[0]):
            expected.append(z)
            remaining[ray, 2] = z - 1e-9
        np.testing.assert_allclose(heights[rays == ray], expected, atol=1e-8)
    sides = np.cross(
        vertices[triangles[:, 1]] - vertices[triangles[:, 0]],
        vertices[triangles[:, 2]] - vertices[triangles[:, 0]],
    )
    np.testing.assert_array_equal(caster.upwards[found], sides[found, 2] > 0)


def test_a_line_through_an_edge_meets_one_face_on_each_side_of_a_slab():
    points = np.array([[x, y, z] for z in (0.0, 0.001) for y in (-1, 1) for x in (-1, 1)])
    faces = np.array([[4, 5, 7], [4, 7, 6], [0, 3, 1], [0, 2, 3]])
    layers = MeshGround(points, faces).cast_all(np.array([[0.5, 0.5, 0.0]]), np.zeros(1))
    np.testing.assert_allclose(layers.heights, [0.001, 0.0])
    np.testing.assert_array_equal(layers.upwards, [True, False])
    np.testing.assert_array_equal(layers.rays, [0, 0])


def test_caster_finds_hits_on_shared_edges_and_corners():
    random = np.random.default_rng(1)
    mesh = terrain_shapes.make_height_grid(random.normal(size=(12, 9)), 0.25)
    corners = mesh.vertices
    ends = corners[mesh.triangles]
    middles = 0.5 * (ends[:, 0] + ends[:, 1])
    for points in (corners, middles):
        above = points + np.array([0.0, 0.0, 10.0])
        hits = VerticalCaster(*mesh).cast_down(above)
        np.testing.assert_allclose(hits.heights, points[:, 2], atol=1e-6)


def test_rays_never_slip_through_a_closed_sheet():
    random = np.random.default_rng(2)
    spacing = 0.1
    mesh = terrain_shapes.make_height_grid(0.1 * random.normal(size=(40, 40)), spacing)
    turned = rot.rotate(rot.quaternions_from_yaws(0.7), mesh.vertices)
    along = np.linspace(0.01, 3.89, 4001)
    diagonal = rot.rotate(rot.quaternions_from_yaws(0.7), rot.pack(along, along, 5.0))
    hits = VerticalCaster(turned, mesh.triangles).cast_down(diagonal)
    assert np.all(hits.triangles >= 0)


def test_overhang_gives_the_surface_below_the_start():
    ground = MeshGround(*terrain_shapes.make_bridge(1.0, 1.5))
    y = 1.6 * 1.5 + 3.0
    points = np.array([[0.0, y, 9.0], [0.0, y, 1.0], [0.0, y, 0.0], [0.0, y, -0.01], [0, y, -9]])
    hits = ground.cast_down(points, np.zeros(5))
    np.testing.assert_allclose(hits.points[:, 2], [2.8, 0.0, 0.0, -3.0, -9.0], atol=1e-12)
    np.testing.assert_array_equal(hits.hit, [True, True, True, True, False])
    np.testing.assert_array_equal(hits.surfaces, [0, 0, 0, 0, -1])


@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_casting_scales(scale):
    random = np.random.default_rng(3)
    vertices, triangles = make_soup(random, 200)
    points = random.uniform(-4, 4, size=(500, 3))
    plain = VerticalCaster(vertices, triangles).cast_down(points)
    scaled = VerticalCaster(scale * vertices, triangles).cast_down(scale * points)
    np.testing.assert_array_equal(plain.triangles, scaled.triangles)
    np.testing.assert_allclose(scaled.heights / scale, plain.heights, atol=1e-9)


def test_one_far_triangle_does_not_change_the_rest():
    random = np.random.default_rng(4)
    mesh = terrain_shapes.make_height_grid(random.normal(size=(30, 30)), 0.1)
    far = terrain_shapes.TerrainMesh(np.eye(3) * 50 + 1e5, np.array([[0, 1, 2]]))
    points = random.uniform(0.1, 2.8, size=(200, 3)) + np.array([0.0, 0.0, 9.0])
    both = VerticalCaster(*terrain_shapes.join_meshes([mesh, far])).cast_down(points)
    alone = VerticalCaster(*mesh).cast_down(points)
    np.testing.assert_array_equal(both.triangles, alone.triangles)
    np.testing.assert_allclose(both.heights, alone.heights, atol=1e-8)


def test_a_wall_is_never_hit():
    wall = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1]])
    hits = VerticalCaster(wall, np.array([[0, 1, 2]])).cast_down(np.array([[0.2, 0.0, 5.0]]))
    assert hits.triangles[0] == -1
    assert np.isnan(hits.heights[0])


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


@pytest.mark.parametrize("make", MAKERS)
def test_every_shape_starts_level_and_scales_and_turns(make):
    mesh = make(0.9, 1.4)
    ground = MeshGround(*mesh)
    start = ground.cast_down(np.array([[0.0, 0.0, 1.0]]), np.zeros(1))
    assert start.hit[0]
    # The bumps are drawn by facets, so their height at the origin is not exact.
    assert abs(start.points[0, 2]) < 0.02
    large = make(90.0, 140.0)
    np.testing.assert_allclose(large.vertices, 100 * mesh.vertices, atol=1e-9)
    turned = make(0.9, 1.4, np.pi / 2)
    x, y, z = mesh.vertices.T
    np.testing.assert_allclose(turned.vertices, np.stack([-y, x, z], 1), atol=1e-12)


def test_profiles_have_the_asked_slopes_and_heights():
    along = np.arange(0.0, 12.0, 0.01)
    above = rot.pack(0.0 * along, along, 2.5)

    def heights(mesh):
        return MeshGround(*mesh).cast_down(above, along).points[:, 2]

    ramp = heights(terrain_shapes.make_ramp(1.0, 1.5, slope=np.radians(20.0)))
    assert np.diff(ramp).max() / 0.01 == pytest.approx(np.tan(np.radians(20.0)), rel=1e-6)
    assert np.diff(ramp).min() / 0.01 == pytest.approx(-np.tan(np.radians(20.0)), rel=1e-6)
    stairs = heights(terrain_shapes.make_stairs(1.0, 1.5, rise=0.2, run=0.3, steps=5))
    jumps = np.diff(stairs)
    assert np.sum(jumps > 0.1) == 5
    assert np.sum(jumps < -0.1) == 5
    np.testing.assert_allclose(np.abs(jumps[np.abs(jumps) > 0.1]), 0.2, atol=1e-12)
    assert stairs.max() == pytest.approx(1.0)
    risers = along[1:][jumps > 0.1]
    np.testing.assert_allclose(np.diff(risers), 0.3, atol=0.011)
    gap = heights(terrain_shapes.make_gap(1.0, 1.5))
    assert gap.min() == pytest.approx(-3.4)
    assert np.sum(gap < -1) * 0.01 == pytest.approx(0.5, abs=0.02)
    bumps = heights(terrain_shapes.make_bumps(1.0, 1.5))
    assert 0.05 < bumps.std() < 0.2


def test_side_slope_rises_to_the_right():
    ground = MeshGround(*terrain_shapes.make_side_slope(1.0, 1.5, slope=0.2))
    hits = ground.cast_down(np.array([[1.0, 3.0, 5.0], [-1.0, 3.0, 5.0]]), np.zeros(2))
    np.testing.assert_allclose(hits.points[:, 2], [np.tan(0.2), -np.tan(0.2)], atol=1e-12)
    np.testing.assert_allclose(hits.normals[0], [-np.sin(0.2), 0.0, np.cos(0.2)], atol=1e-12)


def test_normals_are_unit_and_upwards():
    random = np.random.default_rng(5)
    vertices, triangles = make_soup(random, 100)
    ground = MeshGround(vertices, triangles)
    hits = ground.cast_down(random.uniform(-3, 3, size=(300, 3)), np.zeros(300))
    np.testing.assert_allclose(rot.lengths(hits.normals), 1.0, atol=1e-12)
    assert np.all(hits.normals[:, 2] > 0)


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
