# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels read from objects, bones and curves."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.writing import BakeOptions, commit_bake
from semi_procedural_locomotion.blender.travel.reading import (
    read_curve_points,
    read_own_skeleton,
    read_still_place,
    sample_bone_travel,
    sample_object_travel,
)
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.matrices import is_animated
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.errors import TravelError
from tests.blender.bake.test_writing import FRAMES, make_poses
from tests.blender.rigs import make_armature


@pytest.fixture
def hero():
    armature = make_armature("Hero", chains=1, length=2)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 5, 30
    return armature


def animate(item, values, frames=(5, 30)):
    for frame, (place, turn) in zip(frames, values, strict=True):
        item.location = place
        item.rotation_euler.z = turn
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_euler", frame=frame)


def assert_follows(travel, item, frames=(5, 14, 30)):
    scene = bpy.context.scene
    scene.frame_set(frames[0])
    start = item.matrix_world.to_euler().z
    for frame in frames:
        scene.frame_set(frame)
        row = int(np.argmin(np.abs(travel.times - frame / 24)))
        assert travel.times[row] == pytest.approx(frame / 24)
        assert np.allclose(travel.positions[row], item.matrix_world.translation, atol=1e-5)
        turn = travel.yaws[row] - travel.yaws[0] - (item.matrix_world.to_euler().z - start)
        assert abs((turn + np.pi) % (2 * np.pi) - np.pi) < 1e-5


def test_keyed_objects_are_followed_without_stepping_the_scene(hero):
    animate(hero, [((0, 0, 1), 0.0), ((9, 3, 1), 7.0)])
    scene = bpy.context.scene
    scene.frame_set(8)
    travel = sample_object_travel(hero, scene, read_own_skeleton(hero, scene))
    assert scene.frame_current == 8
    assert np.ptp(travel.yaws) == pytest.approx(7.0, abs=1e-5)
    assert travel.yaws[3] == pytest.approx(0.0, abs=1e-6)
    assert_follows(travel, hero)


def test_paths_and_parents_are_followed(hero):
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions, curve.use_path, curve.path_duration = "3D", True, 25
    spline = curve.splines.new("POLY")
    spline.points.add(2)
    for point, place in zip(spline.points, [(0, 0, 0), (4, 0, 0), (4, 4, 0)], strict=True):
        point.co = (*place, 1)
    path = bpy.data.objects.new("Path", curve)
    bpy.context.scene.collection.objects.link(path)
    constraint = hero.constraints.new("FOLLOW_PATH")
    constraint.target, constraint.use_curve_follow = path, True
    for frame, share in ((5, 0.0), (30, 24.0)):
        curve.eval_time = share
        curve.keyframe_insert("eval_time", frame=frame)
    bpy.context.scene.frame_set(5)
    travel = sample_object_travel(
        hero, bpy.context.scene, read_own_skeleton(hero, bpy.context.scene)
    )
    assert np.linalg.norm(np.ptp(travel.positions, axis=0)) > 5
    assert_follows(travel, hero)


def hang(hero, name, turn, above=None, data=None):
    """Put what the hero hangs from under something else."""
    item = bpy.data.objects.new(name, data)
    item.rotation_euler = turn
    item.parent = above
    bpy.context.scene.collection.objects.link(item)
    hero.parent = item
    bpy.context.view_layer.update()
    return item


def read_up(hero):
    """The z axis of an object in its character's space."""
    turn = read_own_skeleton(hero, bpy.context.scene).object_rotation
    return rot.rotate(turn, np.array([0.0, 0.0, 1.0]))


def test_importers_tilt_characters_and_carriers_do_not(hero):
    ahead, right = (0.0, -1.0, 0.0), np.pi / 2
    leaning = (0.0, -np.sin(0.3), np.cos(0.3))
    hero.rotation_euler = (0.3, 0.0, 0.0)
    bpy.context.view_layer.update()
    assert read_up(hero) == pytest.approx(leaning, abs=1e-6), "its own"
    hero.rotation_euler = (0.0, 0.0, 0.0)
    empty = hang(hero, "Imported", (0.3, 0.0, 0.0))
    assert read_up(hero) == pytest.approx(leaning, abs=1e-6), "its importer's"
    empty.rotation_euler = (right, 0.0, 0.0)
    slope = hang(hero, "Slope", (0.0, 0.4, 0.0), data=bpy.data.meshes.new("Slope"))
    assert read_up(hero) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6), "a slope's"
    empty.parent, hero.parent = slope, empty
    bpy.context.view_layer.update()
    assert read_up(hero)[2] == pytest.approx(0.0, abs=1e-6), "an importer's on a slope"
    assert np.dot(read_up(hero), ahead) > 0.99
    hero.parent = hang(hero, "Ship", (0.0, 0.0, 0.0))
    animate(hero.parent, [((0, 0, 0), 0.0), ((9, 0, 0), 1.0)])
    hero.parent.rotation_euler.x = 0.3
    hero.parent.keyframe_insert("rotation_euler", frame=5)
    for frame in (5, 12, 30):
        bpy.context.scene.frame_set(frame)
        assert read_up(hero) == pytest.approx((0.0, 0.0, 1.0), abs=1e-6), "a ship's"


def test_a_bake_does_not_hide_the_animation_it_followed(hero):
    animate(hero, [((0, 0, 1), 0.0), ((9, 3, 1), 7.0)])
    bpy.context.scene.frame_set(5)
    skeleton = read_skeleton(hero)
    before = sample_object_travel(
        hero, bpy.context.scene, read_own_skeleton(hero, bpy.context.scene)
    )
    commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    bpy.context.scene.frame_set(5)
    after = sample_object_travel(
        hero, bpy.context.scene, read_own_skeleton(hero, bpy.context.scene)
    )
    assert np.allclose(before.positions, after.positions, atol=1e-6)
    assert np.allclose(before.yaws, after.yaws, atol=1e-6)


@pytest.mark.parametrize("strips", [False, True])
def test_switching_from_object_to_body_gives_the_object_back(hero, strips):
    animate(hero, [((0, 0, 1), 0.0), ((9, 3, 1), 7.0)])
    if strips:
        action, slot = versions.get_assigned_action(hero)
        strip = hero.animation_data.nla_tracks.new().strips.new("Walk", 5, action)
        if slot:
            strip.action_slot = next(s for s in action.slots if s.identifier == slot)
        versions.assign_action(hero, None, "")
    bpy.context.scene.frame_set(5)
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    before = sample_object_travel(
        hero, bpy.context.scene, read_own_skeleton(hero, bpy.context.scene)
    )
    commit_bake(hero, poses, skeleton, FRAMES)
    commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(output_to="none"))
    assert_follows(before, hero)


def test_bones_carry_a_travel(hero):
    bone = hero.pose.bones["Hero.0.0"]
    for frame, place in ((5, 0.0), (30, 6.0)):
        bone.location = (place, 0, 0)
        bone.keyframe_insert("location", frame=frame)
    hero.location = (1, 1, 0)
    bpy.context.scene.frame_set(5)
    travel = sample_bone_travel(
        hero, "Hero.0.0", bpy.context.scene, read_own_skeleton(hero, bpy.context.scene)
    )
    axis = np.array(hero.data.bones["Hero.0.0"].matrix_local)[:3, 0]
    assert np.allclose(travel.positions[0], [1, 1, 0], atol=1e-5)
    assert np.allclose(travel.positions[-1], np.array([1, 1, 0]) + 6 * axis, atol=1e-5)
    assert np.allclose(travel.yaws, 0, atol=1e-5)


def test_curves_give_their_points(hero):
    curve = bpy.data.curves.new("Path", "CURVE")
    curve.dimensions, curve.bevel_depth = "2D", 0.5
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(1)
    for point, place in zip(spline.bezier_points, [(0, 0, 0), (2, 0, 0)], strict=True):
        point.co = place
        point.handle_left_type = point.handle_right_type = "VECTOR"
    path = bpy.data.objects.new("Path", curve)
    bpy.context.scene.collection.objects.link(path)
    path.location, path.scale = (1, 2, 3), (2, 2, 2)
    bpy.context.view_layer.update()
    points = read_curve_points(path, bpy.context.scene)
    assert np.allclose(points[[0, -1]], [(1, 2, 3), (5, 2, 3)], atol=1e-5)
    assert (np.diff(points[:, 0]) >= 0).all()
    assert np.allclose(points[:, 1:], [2, 3], atol=1e-5)
    assert curve.bevel_depth == 0.5
    assert len(bpy.data.curves) == 1


def test_a_curve_straight_up_has_no_length(hero):
    path = create_line("Path", [(0, 0, 0), (0, -4, 0)], bpy.context.scene.collection)
    path.rotation_euler.x = np.pi / 2
    bpy.context.view_layer.update()
    with pytest.raises(TravelError, match="'Path' goes straight up"):
        read_curve_points(path, bpy.context.scene)
    path.rotation_euler.x = 0.98 * np.pi / 2
    bpy.context.view_layer.update()
    assert len(read_curve_points(path, bpy.context.scene)) == 2


def test_missing_travels_are_named(hero):
    scene = bpy.context.scene
    with pytest.raises(TravelError, match="'Hero' has no animation that moves it"):
        sample_object_travel(hero, scene, read_own_skeleton(hero, scene))
    with pytest.raises(TravelError, match="has no bone 'Gone'"):
        sample_bone_travel(hero, "Gone", scene, read_own_skeleton(hero, scene))
    with pytest.raises(TravelError, match=r"nothing moves the bone 'Hero\.0\.0'"):
        sample_bone_travel(hero, "Hero.0.0", scene, read_own_skeleton(hero, scene))
    with pytest.raises(TravelError, match="'Hero' is no curve"):
        read_curve_points(hero, scene)
    empty = bpy.data.objects.new("Dot", bpy.data.curves.new("Dot", "CURVE"))
    scene.collection.objects.link(empty)
    with pytest.raises(TravelError, match="'Dot' has no length"):
        read_curve_points(empty, scene)


@pytest.mark.parametrize("still", ["track", "strip", "stack"])
def test_strips_that_do_not_play_move_nothing(hero, still):
    animate(hero, [((0, 0, 1), 0.0), ((9, 3, 1), 7.0)])
    action, _ = versions.get_assigned_action(hero)
    data = hero.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("Idle", 5, action)
    versions.assign_action(hero, None, "")
    bpy.context.scene.frame_set(5)
    assert is_animated(hero)
    assert read_still_place(hero, bpy.context.scene) is None
    if still == "track":
        track.mute = True
    elif still == "strip":
        strip.mute = True
    else:
        data.use_nla = False
    assert not is_animated(hero)
    assert np.allclose(read_still_place(hero, bpy.context.scene), np.array(hero.matrix_world))


def test_a_muted_track_that_plays_alone_moves_its_object(hero):
    animate(hero, [((0, 0, 1), 0.0), ((9, 3, 1), 7.0)])
    action, _ = versions.get_assigned_action(hero)
    data = hero.animation_data
    track = data.nla_tracks.new()
    track.strips.new("Idle", 5, action)
    versions.assign_action(hero, None, "")
    track.is_solo = True
    assert is_animated(hero)
