# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rays on the scene's meshes against closed forms and against Blender's own ray casts."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.blender.ground.casting import build_ground
from semi_procedural_locomotion.blender.ground.surfaces import Leaving
from semi_procedural_locomotion.blender.setup.characters import collect_character
from semi_procedural_locomotion.blender.values.mesh_trees import clear_mesh_trees, get_mesh_tree
from tests.blender.rigs import make_armature
from tests.core.grounds import GroundStack


@pytest.fixture(autouse=True)
def no_trees():
    clear_mesh_trees()


def make_mesh(name, points, faces):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def make_plane(name="Plane", size=2.0, z=0.0):
    s = size
    points = [(-s, -s, z), (s, -s, z), (s, s, z), (-s, s, z)]
    return make_mesh(name, points, [(0, 1, 2, 3)])


def make_hills(name="Hills", count=24, seed=0):
    random = np.random.default_rng(seed)
    axis = np.linspace(-3, 3, count)
    x, y = np.meshgrid(axis, axis)
    z = 0.4 * np.sin(1.3 * x) * np.cos(1.7 * y) + random.normal(size=x.shape) * 0.02
    points = np.stack([x, y, z], -1).reshape(-1, 3)
    first = (np.arange(count - 1)[:, None] * count + np.arange(count - 1)).ravel()
    faces = np.stack([first, first + 1, first + count + 1, first + count], 1)
    return make_mesh(name, points.tolist(), faces.tolist())


def cast(ground, points, time=0.0):
    points = np.atleast_2d(np.asarray(points, dtype=float))
    return ground.cast_down(points, np.full(len(points), time))


def build(**kwargs):
    bpy.context.view_layer.update()
    return build_ground(bpy.context, **kwargs)


def test_tilted_scaled_planes_follow_their_equation():
    plane = make_plane()
    plane.matrix_world = Matrix.LocRotScale((1, 2, 3), Euler((0.4, -0.3, 1.0)), (5, 0.5, 80))
    ground = build()
    normal = np.array(plane.matrix_world.to_3x3().inverted().transposed().col[2].normalized())
    xy = np.array([[1.0, 2.0], [1.2, 2.1], [0.9, 1.95]])
    expected = 3 - ((xy - [1, 2]) @ normal[:2]) / normal[2]
    hits = cast(ground, np.column_stack([xy, np.full(3, 50.0)]))
    assert hits.hit.all()
    assert np.allclose(hits.points[:, 2], expected, atol=1e-5)
    assert np.array_equal(hits.points[:, :2], xy)
    assert np.allclose(hits.normals, normal, atol=1e-5)


def test_the_highest_surface_at_or_below_the_point_is_hit():
    make_plane("Low", z=0.0)
    make_plane("High", z=2.0)
    make_plane("Top", z=5.0)
    ground = build()
    hits = cast(
        ground, [[0, 0, 9], [0, 0, 4.999], [0, 0, 2.0], [0, 0, 1.99], [0, 0, -0.1], [3, 0, 9]]
    )
    assert np.allclose(hits.points[:, 2], [5, 2, 2, 0, -0.1, 9])
    names = [ground.surfaces[i].name if i >= 0 else "" for i in hits.surfaces]
    assert names == ["Top", "High", "High", "Low", "", ""]
    assert hits.hit.tolist() == [True, True, True, True, False, False]
    assert np.allclose(hits.normals, [0, 0, 1])


def make_soup(name, count=60, seed=5):
    random = np.random.default_rng(seed)
    centres = random.uniform(-3, 3, size=(count, 1, 3))
    sizes = 10 ** random.uniform(-1, 0.5, size=(count, 1, 1))
    points = (centres + sizes * random.normal(size=(count, 3, 3))).reshape(-1, 3)
    return make_mesh(name, points.tolist(), np.arange(3 * count).reshape(-1, 3).tolist())


def gather_world_triangles(item):
    world = np.array(item.matrix_world, dtype=float)
    points = np.array([v.co[:] for v in item.data.vertices]) @ world[:3, :3].T + world[:3, 3]
    item.data.calc_loop_triangles()
    triangles = np.array([t.vertices[:] for t in item.data.loop_triangles])
    # A mirror turns the order of the corners, but not what is outside.
    return points, triangles if np.linalg.det(world[:3, :3]) > 0 else triangles[:, ::-1]


@pytest.mark.parametrize("far", [0.0, 1e3, 1e5])
@pytest.mark.parametrize("scale", [1.0, -0.02])
def test_all_surfaces_agree_with_the_ground_of_the_core(far, scale):
    items = [make_hills(), make_soup("Soup"), make_plane()]
    for item in items:
        item.location = (far, 0, 0.4 * far)
        item.rotation_euler = (0.1, 0.2, 0.3)
        item.scale = (scale, 1.2 * scale, scale)
    ground = build()
    core = GroundStack([MeshGround(*gather_world_triangles(item)) for item in items])
    size = abs(scale)
    points = np.random.default_rng(1).uniform(-3, 3, size=(200, 3)) * size + [far, 0, 0]
    found = ground.cast_all(points, np.zeros(200))
    expected = core.cast_all(points, np.zeros(200))
    assert np.array_equal(found.rays, expected.rays)
    assert np.abs(found.heights - expected.heights).max() < 2e-5 * size
    order = [ground.surfaces[i].name for i in range(3)]
    names = np.array(["Hills", "Soup", "Plane"])[expected.surfaces % 3]
    assert np.array_equal(np.array(order)[found.surfaces], names)
    assert np.array_equal(found.upwards, expected.upwards)
    assert np.bincount(found.rays).max() > 4


def test_a_line_through_edges_of_a_thin_slab_meets_top_and_underside_once():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=8)
    slab = bpy.context.object
    slab.modifiers.new("Solid", "SOLIDIFY").thickness = 0.01
    axis = np.arange(-3.0, 4.0)
    x, y = (a.ravel() for a in np.meshgrid(axis, axis))
    layers = build().cast_all(np.stack([x, y, 0 * x], 1), np.zeros(len(x)))
    assert np.array_equal(layers.rays, np.repeat(np.arange(len(x)), 2))
    assert np.allclose(layers.heights.reshape(-1, 2), [0, -0.01], atol=1e-6)
    assert np.array_equal(layers.upwards.reshape(-1, 2), np.tile([True, False], (len(x), 1)))


@pytest.mark.parametrize("far", [0.0, 1e5])
def test_a_ray_meets_nothing_that_is_over_its_start(far):
    low, high = make_plane("Low", z=0.0), make_plane("High", z=0.2)
    low.location = high.location = (far, -far, 0)
    hits = cast(build(), [[far, -far, z] for z in (0.0, 0.1, 0.15)])
    assert np.allclose(hits.points[:, 2], 0.0)


def test_faces_seen_from_behind_have_normals_turned_up():
    plane = make_plane()
    plane.rotation_euler.x = np.pi
    assert np.allclose(cast(build(), [0.1, 0, 1]).normals, [[0, 0, 1]], atol=1e-6)


def test_hits_agree_with_blenders_own_ray_cast():
    hills = make_hills()
    shear = Matrix(((1, 0.3, 0, 0), (0, 1, 0, 0), (0.2, 0, 1, 0), (0, 0, 0, 1)))
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = Matrix.LocRotScale((0, 0, 1), Euler((0.2, 0, 0.7)), (2, 0.7, 1))
    hills.parent = parent
    hills.matrix_parent_inverse = shear
    other = make_hills("Other", seed=1)
    other.location = (1, 0, 0.1)
    other.scale = (0.6, 0.6, -0.6)
    ground = build()
    points = np.random.default_rng(3).uniform(-4, 4, size=(200, 3)) + np.array([0, 0, 2])
    hits = cast(ground, points)
    graph = bpy.context.evaluated_depsgraph_get()
    for row, point in enumerate(points):
        hit, place, _, _, item, _ = bpy.context.scene.ray_cast(graph, point, (0, 0, -1))
        assert hit == hits.hit[row]
        if hit:
            assert np.allclose(place, hits.points[row], atol=2e-5)
            assert ground.surfaces[hits.surfaces[row]].name == item.name


def test_normals_of_sheared_meshes_stand_on_the_surface():
    hills = make_hills()
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.scale = (2, 0.7, -3)
    hills.parent = parent
    hills.rotation_euler = (0.3, 0.5, 1)
    ground = build()
    points = np.random.default_rng(4).uniform(-1, 1, size=(40, 3)) + np.array([0, 0, 9])
    hits = cast(ground, points)
    for step in ([1e-3, 0, 0], [0, 1e-3, 0]):
        slope = (cast(ground, points + step).points - hits.points) / 1e-3
        same_face = np.abs(np.sum(slope * hits.normals, axis=1)) < 0.01
        assert same_face.mean() > 0.8  # the others crossed an edge


def test_modifiers_count():
    plane = make_plane()
    modifier = plane.modifiers.new("Thick", "SOLIDIFY")
    modifier.thickness, modifier.offset = 1.0, 1.0
    assert np.allclose(cast(build(), [0.1, 0, 9]).points[0, 2], 1.0, atol=1e-6)


def test_collection_instances_and_duplicates_share_one_tree():
    source = bpy.data.collections.new("Source")
    plane = make_plane()
    bpy.context.scene.collection.objects.unlink(plane)
    source.objects.link(plane)
    for x in (0, 10):
        empty = bpy.data.objects.new("Instance", None)
        empty.instance_type, empty.instance_collection = "COLLECTION", source
        empty.location, empty.scale = (x, 0, x / 10), (1, 1, 1)
        bpy.context.scene.collection.objects.link(empty)
    ground = build()
    assert len(ground) == 2
    assert ground.surfaces[0].mesh is ground.surfaces[1].mesh
    assert np.allclose(cast(ground, [[0, 0, 5], [10, 0, 5]]).points[:, 2], [0, 1])
    chosen = build(objects=[bpy.data.objects["Instance.001"]])
    assert [s.name for s in chosen.surfaces] == ["Instance.001"]


def test_hidden_objects_are_left_out():
    for name in ("Hidden", "Disabled", "Unrendered"):
        make_plane(name)
    bpy.data.objects["Hidden"].hide_set(True)
    bpy.data.objects["Disabled"].hide_viewport = True
    bpy.data.objects["Unrendered"].hide_render = True
    assert [s.name for s in build().surfaces] == ["Unrendered"]
    assert len(build(leaving=Leaving(unrendered=True))) == 0
    assert not cast(build(leaving=Leaving(unrendered=True)), [0, 0, 1]).hit.any()


@pytest.mark.parametrize("display", ["BOUNDS", "WIRE"])
def test_helpers_are_ground_only_where_they_are_chosen(display):
    cage, floor = make_plane("Cage", z=0.5), make_plane("Floor")
    cage.display_type, floor.display_type = display, "SOLID"
    assert [s.name for s in build().surfaces] == ["Floor"]
    assert {s.name for s in build(objects=[cage, floor]).surfaces} == {"Cage", "Floor"}
    wanted = bpy.data.collections.new("Set")
    wanted.objects.link(cage)
    place = bpy.data.objects.new("Place", None)
    bpy.context.scene.collection.objects.link(place)
    place.instance_type, place.instance_collection = "COLLECTION", wanted
    assert [s.name for s in build().surfaces] == ["Floor"]
    assert [s.name for s in build(objects=[place]).surfaces] == ["Place"]


def constrain(item, kind, target, **values):
    constraint = item.constraints.new(kind)
    if kind == "ARMATURE":
        constraint.targets.new().target = target
    else:
        constraint.target = target
    for name, value in values.items():
        setattr(constraint, name, value)


def test_what_hangs_on_a_character_by_a_constraint_belongs_to_it():
    armature = make_armature("Hero")
    bone = armature.data.bones[0].name
    names = ("Pack", "Shoe", "Hat", "Ball", "Lace")
    pack, shoe, hat, ball, lace = (make_plane(name) for name in names)
    constrain(pack, "CHILD_OF", armature, subtarget=bone)
    constrain(shoe, "ARMATURE", armature)
    constrain(hat, "COPY_TRANSFORMS", pack)
    constrain(ball, "COPY_LOCATION", hat)
    lace.parent = shoe
    for name in ("Floor", "Follower", "Mat", "Target", "Turner", "Dropped"):
        make_plane(name)
    constrain(bpy.data.objects["Follower"], "COPY_LOCATION", armature, use_z=False)
    constrain(bpy.data.objects["Mat"], "CHILD_OF", armature, use_location_z=False)
    constrain(bpy.data.objects["Target"], "DAMPED_TRACK", armature)
    constrain(bpy.data.objects["Turner"], "COPY_ROTATION", armature)
    constrain(bpy.data.objects["Dropped"], "CHILD_OF", armature, mute=True)
    # What carries the character is not its own.
    constrain(armature, "CHILD_OF", bpy.data.objects["Floor"])
    assert collect_character(armature) == {armature, pack, shoe, hat, ball, lace}
    kept = ["Dropped", "Floor", "Follower", "Mat", "Target", "Turner"]
    assert sorted(s.name for s in build(exclude=[armature]).surfaces) == kept


def test_characters_and_exclusions_are_never_ground():
    armature = make_armature("Hero")
    body, prop, shoe = make_plane("Body"), make_plane("Prop"), make_plane("Shoe")
    body.modifiers.new("Armature", "ARMATURE").object = armature
    prop.parent, shoe.parent = armature, prop
    print_collection = bpy.data.collections.new("Prints")
    print_object = make_plane("Print")
    print_collection.objects.link(print_object)
    armature.locomotion.footsteps = print_collection
    make_plane("Floor")
    everything = {"Body", "Prop", "Shoe", "Print", "Floor"}
    assert collect_character(armature) == {armature, body, prop, shoe, print_object}
    assert {s.name for s in build().surfaces} == everything
    assert [s.name for s in build(exclude=[armature]).surfaces] == ["Floor"]
    assert {s.name for s in build(exclude=[body]).surfaces} == everything - {"Body"}
    armature.locomotion.legs.add()
    assert [s.name for s in build().surfaces] == ["Floor"]
    assert len(build(objects=[body, print_collection])) == 0


def test_chosen_collections_alone_are_ground():
    make_plane("A")
    wanted = bpy.data.collections.new("Ground")
    bpy.context.scene.collection.children.link(wanted)
    inner = bpy.data.collections.new("Inner")
    wanted.children.link(inner)
    inner.objects.link(make_plane("B"))
    assert [s.name for s in build(objects=[wanted]).surfaces] == ["B"]


def animate(item, path, values, index=-1, frames=(1, 25)):
    for frame, value in zip(frames, values, strict=True):
        setattr(item, path, value)
        item.keyframe_insert(path, index=index, frame=frame)


def test_moving_ground_is_met_where_it_is_at_that_time():
    plane = make_plane()
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    plane.parent = parent
    animate(parent, "location", [(0, 0, 0), (0, 0, 3)])
    animate(parent, "rotation_euler", [(0, 0, 0), (0.3, 0, 2)])
    scene = bpy.context.scene
    scene.frame_set(7)
    ground = build()
    frames = np.array([1.0, 5.0, 12.5, 25.0, 40.0])
    found = ground.surface_frames(0, frames / 24)
    hits = ground.cast_down(np.tile([0.2, 0.1, 9.0], (5, 1)), frames / 24)
    assert scene.frame_current == 7
    for frame, matrix, point, normal in zip(frames, found, hits.points, hits.normals, strict=True):
        scene.frame_set(int(frame), subframe=frame % 1)
        expected = np.array(plane.matrix_world)
        assert np.allclose(matrix, expected, atol=1e-5)
        up = expected[:3, 2]
        assert np.allclose(normal, up, atol=1e-5)
        assert np.isclose(np.dot(point - expected[:3, 3], up), 0, atol=1e-5)


def test_heights_and_moving_surfaces_are_told():
    make_plane("Still", z=-2.0)
    plane = make_plane("Lift", z=1.0)
    animate(plane, "location", [(0, 0, 0), (0, 0, 4)])
    ground = build()
    low, high = ground.height_limits()
    assert low == pytest.approx(-2, abs=1e-6)
    assert 5.0 <= high < 6.0
    assert [ground.surfaces[i].name for i in ground.moving_surfaces()] == ["Lift"]
    bpy.data.objects.remove(plane)
    bpy.data.objects.remove(bpy.data.objects["Still"])
    assert build().height_limits() == (0.0, 0.0)


def test_times_follow_the_scenes_frame_rate():
    plane = make_plane()
    animate(plane, "location", [(0, 0, 0), (0, 0, 24)])
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 30000, 1001
    matrix = build().surface_frames(0, np.array([13 * 1001 / 30000]))[0]
    scene.frame_set(13)
    assert np.allclose(matrix, np.array(plane.matrix_world), atol=1e-4)


def test_still_ground_has_one_frame():
    plane = make_plane()
    plane.location = (1, 2, 3)
    frames = build().surface_frames(0, np.array([0.0, 5.0]))
    assert np.allclose(frames, np.array(plane.matrix_world))


def test_trees_are_made_again_only_for_changed_meshes():
    plane = make_plane()
    first = build().surfaces[0].mesh
    plane.location.x = 1
    assert build().surfaces[0].mesh is first
    plane.data.vertices[0].co.z = 1
    plane.data.update()
    assert build().surfaces[0].mesh is not first


def test_meshes_without_faces_and_flattened_ones_are_passed_over():
    make_mesh("Edges", [(0, 0, 0), (1, 0, 0)], [])
    assert get_mesh_tree(bpy.data.meshes["Edges"]) is None
    make_plane("Flat").scale = (0, 1, 1)
    ground = build()
    assert not cast(ground, [0, 0, 1]).hit.any()


def test_no_rays_give_no_hits():
    make_plane()
    hits = build().cast_down(np.empty((0, 3)), np.empty(0))
    assert hits.points.shape == (0, 3)


def test_rays_on_edges_and_corners_of_faces_hit():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=8)
    axis = np.arange(-3.0, 4.0)
    x, y = (a.ravel() for a in np.meshgrid(axis, axis))
    assert cast(build(), np.stack([x, y, np.ones_like(x)], 1)).hit.all()


def test_real_stairs_agree_with_blenders_own_ray_cast(data_folder):
    bpy.ops.import_scene.gltf(filepath=str(data_folder / "terrain" / "Stairs_Small.glb"))
    ground = build()
    low = np.min(
        [(s.placement @ np.c_[s.mesh.corners, np.ones(8)].T)[:3].min(1) for s in ground.surfaces],
        axis=0,
    )
    high = np.max(
        [(s.placement @ np.c_[s.mesh.corners, np.ones(8)].T)[:3].max(1) for s in ground.surfaces],
        axis=0,
    )
    points = np.random.default_rng(0).uniform(low, high + np.array([0, 0, 1]), size=(100, 3))
    hits = cast(ground, points)
    graph = bpy.context.evaluated_depsgraph_get()
    assert hits.hit.any()
    for row, point in enumerate(points):
        hit, place, *_ = bpy.context.scene.ray_cast(graph, point, (0, 0, -1))
        assert hit == hits.hit[row]
        if hit:
            assert np.allclose(place, hits.points[row], atol=1e-4)
