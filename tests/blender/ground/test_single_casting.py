# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays in numpy held against Blender's search trees, to the last digit."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils.bvhtree import BVHTree

from semi_procedural_locomotion.core.ground.single_casting import SingleCaster

SIDE = 24


def make_bumps(rng):
    """Vertices (V, 3) and triangles (T, 3) of an uneven sheet."""
    line = np.linspace(-5.0, 5.0, SIDE)
    x, y = np.meshgrid(line, line, indexing="ij")
    z = 0.5 * np.sin(1.3 * x) * np.cos(0.9 * y) + rng.uniform(-0.1, 0.1, x.shape)
    first = (SIDE * np.arange(SIDE - 1)[:, None] + np.arange(SIDE - 1)).reshape(-1, 1)
    quads = first + np.array([0, SIDE, SIDE + 1, 1])
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    return points, np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


@pytest.mark.parametrize("seed", range(4))
def test_first_hits_are_those_of_search_trees(seed):
    """Meshes level, scaled, turned and far away; rays beside them too."""
    rng = np.random.default_rng(seed)
    world, triangles = make_bumps(rng)
    axes = np.eye(3) if seed < 2 else np.linalg.qr(rng.standard_normal((3, 3)))[0]
    axes = axes * (rng.uniform(0.1, 50.0) if seed % 2 else 1.0)
    origin, back = rng.uniform(-20.0, 20.0, 3), np.linalg.inv(axes)
    vertices = ((world - origin) @ back.T).astype(np.float32)
    points = np.column_stack([rng.uniform(-5.3, 5.3, (600, 2)), rng.uniform(-1.0, 3.0, 600)])
    starts, direction = (points - origin) @ back.T, back @ np.array([0.0, 0.0, -1.0])
    across = (vertices.astype(np.float64) @ axes.T + origin)[:, :2]
    caster = SingleCaster(vertices, triangles, direction, across, 1e-4)
    hits = caster.cast(points[:, :2], starts.astype(np.float32))
    away = np.where(hits.triangles < 0, np.float32(0.0), hits.distances)
    places = starts.astype(np.float32) + caster.direction * away[:, None]
    tree = BVHTree.FromPolygons(vertices.tolist(), triangles.tolist(), all_triangles=True)
    met = 0
    for ray, start in enumerate(starts.tolist()):
        place, normal, face, _ = tree.ray_cast(start, direction.tolist())
        assert (face is None) == (hits.triangles[ray] < 0)
        if face is not None:
            met += 1
            assert face == hits.triangles[ray]
            assert place.to_tuple() == tuple(places[ray].tolist())
            assert normal.to_tuple() == tuple(caster.normals[face].tolist())
    assert 300 < met < 600


@pytest.mark.parametrize("direction", [(0.0, 0.0, -1.0), (-0.0, -0.0, -1.0)])
def test_rays_on_edges_and_borders_meet_what_search_trees_meet(direction):
    rng = np.random.default_rng(5)
    vertices, triangles = make_bumps(rng)
    vertices = vertices.astype(np.float32)
    line = np.unique(vertices[:, 0])
    points = np.column_stack([*line[rng.integers(0, SIDE, (2, 800))], rng.uniform(-1.0, 3.0, 800)])
    points = points.astype(np.float64)
    points[:300, 0] += 0.1
    points[300:600, 1] += 0.1
    caster = SingleCaster(
        vertices, triangles, np.array(direction), vertices[:, :2].astype(np.float64), 1e-5
    )
    hits = caster.cast(points[:, :2], points.astype(np.float32))
    tree = BVHTree.FromPolygons(vertices.tolist(), triangles.tolist(), all_triangles=True)
    for ray, point in enumerate(points.tolist()):
        _, _, face, distance = tree.ray_cast(point, direction)
        assert (face is None) == (hits.triangles[ray] < 0)
        if face is not None:
            # Where several faces meet in a corner, a tree may have passed over the nearest by a rounding.
            assert distance == pytest.approx(float(hits.distances[ray]), abs=1e-6)
    assert 100 < np.sum(hits.triangles < 0) < 700


def test_all_layers_come_from_one_question():
    """Floors over each other: every one once, though rays run along the edge that two faces share."""
    square = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], dtype=np.float32)
    vertices = np.concatenate([square + np.float32([0, 0, z]) for z in (0.0, 1.0, 2.5)])
    quads = np.arange(12).reshape(3, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    caster = SingleCaster(
        vertices, triangles, np.array([0.0, 0, -1]), vertices[:, :2].astype(np.float64), 1e-5
    )
    points = np.array([(0.3, 0.2, 4.0), (0.5, 0.5, 4.0), (3.0, 0.0, 4.0)])
    found = caster.cast_through(points[:, :2], points.astype(np.float32))
    assert np.unique(found.rays).tolist() == [0, 1]
    assert sorted(set(found.distances[found.rays == 1].tolist())) == [1.5, 3.0, 4.0]
    assert found.distances[found.rays == 0].tolist() == [1.5, 3.0, 4.0]
