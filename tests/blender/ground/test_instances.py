# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scattered things: the same answers as of all their triangles in one mesh."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.blender.ground import surfaces
from semi_procedural_locomotion.blender.values.mesh_trees import clear_mesh_trees
from tests.blender.ground.test_casting import animate, build, make_hills, make_mesh

COUNT = 150


@pytest.fixture(autouse=True)
def no_trees():
    clear_mesh_trees()


def make_blade():
    points = [(-0.1, 0, 0), (0.1, 0, 0.02), (0, 0.15, 0.1), (0, 0, 0.2)]
    return make_mesh("Blade", points, [(0, 1, 2), (0, 1, 3), (1, 2, 3)])


def scatter(make, parent):
    random = np.random.default_rng(4)
    for _ in range(COUNT):
        item = make()
        bpy.context.scene.collection.objects.link(item)
        item.location = random.uniform(-3, 3, size=3) * [1, 1, 0.1]
        item.rotation_euler = random.uniform(-1, 1, size=3)
        item.scale = random.uniform(0.5, 3, size=3)
        item.parent = parent


def make_collection(name, item):
    collection = bpy.data.collections.new(name)
    collection.objects.link(item)
    return collection


def make_instance(collection):
    item = bpy.data.objects.new(collection.name, None)
    item.instance_type, item.instance_collection = "COLLECTION", collection
    return item


def scatter_linked(parent):
    blade = make_blade()
    scatter(lambda: bpy.data.objects.new("Copy", blade.data), parent)


def scatter_collections(parent):
    grass = make_collection("Grass", make_blade())
    scatter(lambda: make_instance(grass), parent)


def scatter_nested(parent):
    inner = make_instance(make_collection("Inner", make_blade()))
    inner.scale = (2, 1, 1)
    outer = make_collection("Outer", inner)
    scatter(lambda: make_instance(outer), parent)


def scatter_on_points(parent):
    random = np.random.default_rng(4)
    places = random.uniform(-3, 3, size=(COUNT, 3)) * [1, 1, 0.1]
    points = make_mesh("Points", places.tolist(), [])
    points.instance_type = "VERTS"
    make_blade().parent = points
    points.parent = parent


def scatter_particles(_):
    hills = bpy.data.objects["Hills"]
    hills.modifiers.new("Hair", "PARTICLE_SYSTEM")
    settings = hills.particle_systems[0].settings
    settings.type, settings.render_type, settings.count = "HAIR", "OBJECT", COUNT
    settings.instance_object, settings.particle_size = make_blade(), 1.0


def gather_triangles():
    """All that is shown, in the world, and how many meshes that is."""
    points, triangles, count, size = [], [], 0, 0
    for instance in bpy.context.evaluated_depsgraph_get().object_instances:
        if instance.object.type != "MESH" or not instance.show_self:
            continue
        mesh = instance.object.data
        mesh.calc_loop_triangles()
        world = np.array(instance.matrix_world, dtype=float)
        if len(mesh.polygons):
            own = np.array([v.co[:] for v in mesh.vertices]) @ world[:3, :3].T + world[:3, 3]
            triangles.append(np.array([t.vertices[:] for t in mesh.loop_triangles]) + size)
            points.append(own)
            size, count = size + len(own), count + 1
    return np.concatenate(points), np.concatenate(triangles), count


@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize(
    "scatter_things",
    [scatter_linked, scatter_collections, scatter_nested, scatter_on_points, scatter_particles],
)
def test_scattered_things_are_met_as_in_one_mesh(scatter_things, moves):
    make_hills()
    parent = bpy.data.objects.new("Deck", None)
    bpy.context.scene.collection.objects.link(parent)
    if moves:
        animate(parent, "location", ((-1, 0, 0), (1, 0, 0)))
        animate(parent, "rotation_euler", ((0, 0, 0), (0.1, 0, 0.6)))
    scatter_things(parent)
    bpy.context.scene.frame_set(9)
    ground = build()
    points, triangles, count = gather_triangles()
    assert count == len(ground) > COUNT
    whole = MeshGround(points, triangles)
    asked = np.random.default_rng(2).uniform(-3, 3, size=(400, 3)) * [1, 1, 0.3]
    times = np.full(400, 9 / 24)
    found, expected = ground.cast_down(asked, times), whole.cast_down(asked, times)
    assert np.array_equal(found.hit, expected.hit)
    assert np.abs(found.points - expected.points).max() < 2e-5
    assert np.count_nonzero(found.surfaces > 0) > 3
    all_found, all_expected = ground.cast_all(asked, times), whole.cast_all(asked, times)
    assert np.array_equal(all_found.rays, all_expected.rays)
    assert np.abs(all_found.heights - all_expected.heights).max() < 2e-5
    low, high = ground.height_limits()
    assert low <= points[np.unique(triangles), 2].min() + 1e-5
    assert high >= points[np.unique(triangles), 2].max() - 1e-5
    carried = moves and scatter_things is not scatter_particles
    assert len(ground.moving_surfaces()) >= (COUNT if carried else 0)
    assert carried or not ground.moving_surfaces()


def test_many_things_that_move_each_for_itself_are_met_where_they_are():
    random = np.random.default_rng(8)
    leaf = make_mesh("First", [(0, 0, 0), (0.2, 0, 0.1), (0, 0.2, 0.2)], [(0, 1, 2)]).data
    for x in range(12):
        item = bpy.data.objects.new("Leaf", leaf)
        bpy.context.scene.collection.objects.link(item)
        item.location = (0.3 * x, 0, 0)
        item.scale = (1, 3, 1)
        end = (0.3 * x, random.uniform(1, 2), 0)
        animate(item, "location", ((0.3 * x, 0, 0), end))
    ground = build()
    for frame in (1, 8, 25):
        bpy.context.scene.frame_set(frame)
        points, triangles, _ = gather_triangles()
        asked = points[triangles].mean(axis=1) + np.array([0.0, 0.0, 1.0])
        times = np.full(len(asked), frame / 24)
        expected = MeshGround(points, triangles).cast_down(asked, times)
        found = ground.cast_down(asked, times)
        assert found.hit.all()
        assert np.abs(found.points - expected.points).max() < 2e-5


def test_copies_of_a_mesh_share_one_tree(monkeypatch):
    read = []
    get_tree = surfaces.get_mesh_tree
    monkeypatch.setattr(
        surfaces, "get_mesh_tree", lambda mesh: read.append(mesh.name) or get_tree(mesh)
    )
    scatter_linked(None)
    scatter_collections(None)
    ground = build()
    assert len(ground) > 2 * COUNT
    assert len(read) == 2
    assert len({id(entry.mesh) for entry in ground.surfaces}) == 1
