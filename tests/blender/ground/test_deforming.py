# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground whose shape changes with time."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.blender.ground import deforming
from semi_procedural_locomotion.blender.limits import SCENE_GROUND
from semi_procedural_locomotion.blender.values.meshes import MeshShape
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.notes import NoteKind
from tests.blender.ground.test_casting import build, make_plane

pytestmark = pytest.mark.newest


@pytest.fixture(autouse=True)
def scene():
    """The scene's range, away from its middle."""
    scene = bpy.context.scene
    scene.render.fps = 24
    scene.frame_start, scene.frame_end = 1, 97
    scene.frame_set(30)
    return scene


def make_rising_plane(rise=0.5, size=5.0):
    """A plane that a shape key lifts from frame 1 to 97."""
    plane = make_plane(size=size)
    plane.shape_key_add(name="Basis")
    key = plane.shape_key_add(name="Up")
    for point in key.data:
        point.co.z = rise
    for frame, value in ((1, 0.0), (97, 1.0)):
        key.value = value
        key.keyframe_insert("value", frame=frame)
    action = plane.data.shape_keys.animation_data.action
    curves = getattr(action, "fcurves", None)
    bags = [curves] if curves else [b.fcurves for b in action.layers[0].strips[0].channelbags]
    for curve in (c for bag in bags for c in bag):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return plane


def cast_at(ground, frames, place=(0.1, 0.2, 9.0)):
    """Heights under a place at frames, nan for none."""
    hits = ground.cast_down(np.tile(place, (len(frames), 1)), np.array(frames) / 24)
    return np.where(hits.hit, hits.points[:, 2], np.nan)


def test_shapes_are_those_of_the_times_asked_for(scene):
    make_rising_plane()
    ground = build()
    assert ground.surfaces[0].deforming is not None
    assert np.allclose(cast_at(ground, [1, 25, 49, 97, 49]), [0, 0.125, 0.25, 0.5, 0.25], atol=1e-5)
    assert scene.frame_current == 30
    assert len(bpy.data.scenes) == 1
    low, high = ground.height_limits()
    assert low <= 0.0
    assert 0.5 <= high < 0.6


def test_moving_and_deforming_go_together():
    plane = make_rising_plane()
    for frame, height in ((1, 0.0), (97, 2.0)):
        plane.location.z = height
        plane.keyframe_insert("location", frame=frame)
    heights = cast_at(build(), [1, 49, 97])
    assert np.allclose(heights, [0, 1.25, 2.5], atol=1e-4)


def test_a_bone_that_bends_a_mesh_bends_the_ground():
    data = bpy.data.armatures.new("Lift")
    armature = bpy.data.objects.new("Lift", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = data.edit_bones.new("Bone")
    bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    plane = make_plane()
    plane.vertex_groups.new(name="Bone").add(range(4), 1.0, "REPLACE")
    plane.modifiers.new("Armature", "ARMATURE").object = armature
    pose = armature.pose.bones["Bone"]
    for frame, height in ((1, 0.0), (97, 0.4)):
        pose.location.y = height
        pose.keyframe_insert("location", frame=frame)
    heights = cast_at(build(), [1, 97])
    assert np.allclose(heights, [0, 0.4], atol=1e-5)


def test_shapes_that_stay_are_taken_once():
    make_plane("Still").modifiers.new("Thick", "SOLIDIFY")
    keyed = make_plane("Keyed", z=-1.0)
    keyed.modifiers.new("Thick", "SOLIDIFY")
    for frame in (1, 97):
        keyed.keyframe_insert("location", frame=frame)
    cloth = make_plane("Cloth", z=-2.0)
    cloth.modifiers.new("Cloth", "CLOTH")
    surfaces = build().surfaces
    assert len(surfaces) == 3
    assert all(surface.deforming is None for surface in surfaces)


def test_feet_stand_where_the_ground_is_at_their_time(scene):
    armature = create_biped(scene.collection)
    walk, rest = write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    ground = make_rising_plane(rise=0.4, size=8.0)
    setups.set_up(armature, [api.MotionChoice(walk), api.MotionChoice(rest, rest=True)])
    path = api.AlongPoints(((0.0, 0.0), (0.0, -3.0)))
    setups.write_travel(armature, path, "object")
    setups.write_ground(armature, [ground])
    plan = setups.bake_set_up(armature, scene).plan
    checked = 0
    for row in plan.prints.rows:
        frames = row.times * 24
        inside = (frames >= 2) & (frames <= 96)
        expected = 0.4 * (np.round(frames[inside]) - 1) / 96
        assert np.allclose(row.positions[inside, 2], expected, atol=1e-3)
        checked += int(inside.sum())
    assert checked >= 4


def test_instances_change_their_shape_too():
    plane = make_rising_plane()
    source = bpy.data.collections.new("Source")
    bpy.context.scene.collection.objects.unlink(plane)
    source.objects.link(plane)
    empty = bpy.data.objects.new("Instance", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", source
    empty.location, empty.scale = (20.0, 0.0, 1.0), (1.0, 1.0, 2.0)
    bpy.context.scene.collection.objects.link(empty)
    heights = cast_at(build(), [1, 97], (20.0, 0.0, 9.0))
    assert np.allclose(heights, [1.0, 2.0], atol=1e-5)
    assert plane.name not in bpy.context.scene.objects


def make_waves(count=60, size=6.0):
    """A fine grid that waves."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=count, y_subdivisions=count, size=size)
    grid = bpy.context.object
    wave = grid.modifiers.new("Wave", "WAVE")
    wave.height, wave.width, wave.narrowness, wave.lifetime = 0.3, 1.0, 2.0, 0.0
    return grid


def read_height(grid, frame, place):
    """Height of a waving grid by Blender's own ray cast."""
    bpy.context.scene.frame_set(frame)
    shown = grid.evaluated_get(bpy.context.evaluated_depsgraph_get())
    hit, point, _, _ = shown.ray_cast((*place, 9.0), (0.0, 0.0, -1.0))
    assert hit
    return point.z


@pytest.mark.parametrize("room", [2**20, 0])
def test_only_what_lies_around_the_rays_is_searched(scene, monkeypatch, room):
    monkeypatch.setattr(deforming, "SCENE_GROUND", replace(SCENE_GROUND, most_bytes=room))
    grid = make_waves()
    ground = build()
    triangles = []
    build_tree = MeshShape.build_tree
    monkeypatch.setattr(
        MeshShape,
        "build_tree",
        lambda shape: (triangles.append(len(shape.triangles)), build_tree(shape))[1],
    )
    places = [(0.31, 0.42), (0.33, 0.47), (-2.6, 2.1)]
    found = [cast_at(ground, [20, 45], (*place, 9.0)) for place in places]
    # The second place lies beside the first, the third far away.
    assert len(triangles) == 4
    assert max(triangles[:2]) < 300
    expected = [[read_height(grid, frame, place) for frame in (20, 45)] for place in places]
    assert np.allclose(found, expected, atol=1e-4)
    assert np.ptp(found) > 0.01
    assert len(bpy.data.scenes) == 1


def test_tilted_shapes_are_searched_along_the_rays():
    grid = make_waves()
    grid.rotation_euler, grid.location = (0.5, 0.3, 1.0), (0.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    ground = build()
    bpy.context.scene.frame_set(45)
    shown = grid.evaluated_get(bpy.context.evaluated_depsgraph_get())
    inverse = grid.matrix_world.inverted()
    for place in ((0.3, 0.4), (-1.7, 1.2)):
        origin = inverse @ Vector((*place, 9.0))
        hit, point, _, _ = shown.ray_cast(origin, inverse.to_3x3() @ Vector((0.0, 0.0, -1.0)))
        assert hit
        height = (grid.matrix_world @ point).z
        assert np.allclose(cast_at(ground, [45], (*place, 9.0)), [height], atol=1e-4)


def test_shapes_that_take_long_are_told(monkeypatch):
    make_waves(count=10)
    ground = build()
    (surface,) = ground.surfaces
    cast_at(ground, [1, 2, 3])
    assert deforming.note_heavy_shapes([("Sea", surface.deforming)]) == []
    monkeypatch.setattr(deforming, "SCENE_GROUND", replace(SCENE_GROUND, heavy=100))
    (note,) = deforming.note_heavy_shapes([("Sea", surface.deforming)])
    assert note.kind is NoteKind.GROUND_HEAVY
    assert note.values["ground"] == "Sea"
    assert note.values["triangles"] * note.values["frames"] > 100


def key_dip(block, path, frames, low=0.0, high=1.0):
    """A property that is high in some frames and low in all others."""
    first, last = frames[0], frames[-1]
    for frame, value in ((first - 1, low), (first, high), (last, high), (last + 1, low)):
        place, _, name = path.rpartition(".")
        setattr(block.path_resolve(place) if place else block, name, value)
        block.keyframe_insert(path, frame=frame)


def add_raised(name="Trampoline"):
    """A plane with a shape key that raises it by a metre."""
    plane = make_plane(name, size=5.0)
    plane.shape_key_add(name="Basis")
    for point in plane.shape_key_add(name="Up").data:
        point.co.z = 1.0
    return plane


@pytest.mark.parametrize("span", [(1.0, 97.0), (1000.0, 1100.0)])
def test_a_dip_between_any_two_looks_is_seen(span):
    plane = add_raised()
    frames = [round(span[0]) + 17, round(span[0]) + 19]
    key_dip(plane.data.shape_keys, 'key_blocks["Up"].value', frames)
    ground = build(span=span)
    assert np.allclose(cast_at(ground, [frames[0] - 5, *frames, frames[1] + 5]), [0, 1, 1, 0])
    assert ground.height_limits()[1] >= 1.0 - 1e-6


def test_a_dip_outside_of_the_walk_does_not_count_but_the_present_frame_does(scene):
    plane = add_raised()
    key_dip(plane.data.shape_keys, 'key_blocks["Up"].value', [50, 60])
    assert build(span=(1.0, 40.0)).surfaces[0].deforming is None
    scene.frame_set(55)
    ground = build(span=(1.0, 40.0))
    assert np.allclose(cast_at(ground, [2, 30]), 0.0)


def drive_by_key(plane):
    driver = plane.data.shape_keys.driver_add('key_blocks["Up"].value').driver
    driver.expression = "frame == 33"


def drive_by_modifier(plane):
    plane.shape_key_clear()
    modifier = plane.modifiers.new("Displace", "DISPLACE")
    modifier.mid_level, modifier.direction = 0.0, "Z"
    modifier.strength = 0.0
    key_dip(plane, 'modifiers["Displace"].strength', [33, 33])


def drive_by_lattice(plane):
    plane.shape_key_clear()
    data = bpy.data.lattices.new("Cage")
    cage = bpy.data.objects.new("Cage", data)
    bpy.context.scene.collection.objects.link(cage)
    cage.scale = (20, 20, 20)
    cage.shape_key_add(name="Basis")
    for point in cage.shape_key_add(name="Up").data:
        point.co.z += 1.0 / 20.0
    plane.modifiers.new("Lattice", "LATTICE").object = cage
    key_dip(data.shape_keys, 'key_blocks["Up"].value', [33, 33])


def drive_by_nodes(plane):
    plane.shape_key_clear()
    tree = bpy.data.node_groups.new("Lift", "GeometryNodeTree")
    for in_out in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=in_out, socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    move = tree.nodes.new("GeometryNodeTransform")
    time, is_now, place = (
        tree.nodes.new(kind)
        for kind in ("GeometryNodeInputSceneTime", "ShaderNodeMath", "ShaderNodeCombineXYZ")
    )
    is_now.operation = "COMPARE"
    is_now.inputs[1].default_value, is_now.inputs[2].default_value = 33.0, 0.4
    tree.links.new(start.outputs[0], move.inputs[0])
    tree.links.new(time.outputs["Frame"], is_now.inputs[0])
    tree.links.new(is_now.outputs[0], place.inputs[2])
    tree.links.new(place.outputs[0], move.inputs["Translation"])
    tree.links.new(move.outputs[0], end.inputs[0])
    plane.modifiers.new("Nodes", "NODES").node_group = tree


def drive_by_target(plane):
    plane.shape_key_clear()
    table = make_plane("Table", size=9.0)
    plane.modifiers.new("Wrap", "SHRINKWRAP").target = table
    key_dip(table, "location", [33, 33], low=(0.0, 0.0, 0.0), high=(0.0, 0.0, 1.0))
    table.display_type = "WIRE"


@pytest.mark.parametrize(
    "drive", [drive_by_key, drive_by_modifier, drive_by_lattice, drive_by_nodes, drive_by_target]
)
def test_all_that_drives_a_shape_is_found(drive):
    drive(add_raised())
    assert np.allclose(cast_at(build(), [20, 33, 40]), [0.0, 1.0, 0.0], atol=1e-5)


def test_what_rides_along_as_a_whole_keeps_its_shape():
    raft, plank = make_plane("Raft"), make_plane("Plank", z=-1.0)
    plank.parent = raft
    plank.modifiers.new("Wrap", "SHRINKWRAP").target = raft
    key_dip(raft, "location", [33, 33], low=(0.0, 0.0, 0.0), high=(0.0, 0.0, 1.0))
    assert all(surface.deforming is None for surface in build().surfaces)


def test_the_same_shape_at_many_frames_is_searched_in_one_tree(scene, monkeypatch):
    grid = make_waves(count=10)
    grid.modifiers["Wave"].height = 0.0
    built = []
    build_tree = MeshShape.build_tree
    monkeypatch.setattr(
        MeshShape, "build_tree", lambda shape: (built.append(1), build_tree(shape))[1]
    )
    ground = build()
    cast_at(ground, list(range(1, 40)))
    assert len(built) == 1
    assert deforming.note_heavy_shapes([("Sea", ground.surfaces[0].deforming)]) == []
