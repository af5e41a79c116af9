# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips against the poses that Blender shows when it plays the action."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.blender.reading.sampling import find_actions, sample_action
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curves import build_bone_path, evaluate_curve
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.errors import AnalysisError, RigError
from tests.blender.rigs import (
    cycle_rotation_modes,
    make_armature,
    placed,
    pose_randomly,
    read_world_poses,
)


def key_everything(armature, frames, seed=0, scale_spread=0.0):
    """Key random poses; returns the action."""
    for index, frame in enumerate(frames):
        pose_randomly(armature, seed + index, scale_spread=scale_spread)
        for bone in armature.pose.bones:
            for name in ("location", "scale"):
                bone.keyframe_insert(name, frame=frame)
            mode = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
            bone.keyframe_insert(mode.get(bone.rotation_mode, "rotation_euler"), frame=frame)
    return armature.animation_data.action


def show(armature, action, frame, rate=24.0):
    """World poses while the action plays."""
    versions.assign_action(armature, action, versions.find_slot(action, armature))
    whole = int(frame // 1)
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    return read_world_poses(armature)


def compare(armature, action, clip, skeleton, first_frame, rate, tolerance=1e-5):
    """Heads and Y axes of the clip against Blender, the object's location left out."""
    turns, heads = compute_global_poses(skeleton, clip.rotations, clip.translations, clip.scales)
    for sample in range(0, len(clip.times), max(1, len(clip.times) // 5)):
        world = show(armature, action, first_frame + clip.times[sample] * rate)
        origin = np.array(armature.matrix_world.translation)
        for bone, name in enumerate(skeleton.names):
            assert np.allclose(heads[sample, bone] + origin, world[name][:3, 3], atol=tolerance)
            along = rot.rotate(turns[sample, bone], np.array([0.0, 1.0, 0.0]))
            assert np.allclose(along, rot.normalize(world[name][:3, 1]), atol=tolerance)


def test_curves_of_all_rotation_modes_are_read_as_blender_plays_them():
    armature = make_armature(chains=2, length=4)
    armature.matrix_world = placed((4, 5, 6), (0.6, 0, 0.8, 0), 0.5)
    cycle_rotation_modes(armature)
    action = key_everything(armature, [3, 7, 9, 13])
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature)
    clip = sample_action(armature, action, skeleton)
    assert clip.duration == pytest.approx(10 / 24)
    assert clip.key_interval == pytest.approx(4 / 24)
    assert len(clip.times) == 11
    compare(armature, action, clip, skeleton, 3, 24)


@pytest.mark.parametrize("kind", ["LINEAR", "CONSTANT", "BEZIER", "BOUNCE", "CYCLES"])
def test_single_curves_are_evaluated_as_blender_does(kind):
    armature = make_armature(length=1)
    for frame, value in ((1, 0.0), (4, 2.0), (9, -1.0)):
        armature.location.x = value
        armature.keyframe_insert("location", index=0, frame=frame)
    (curve,) = versions.get_curves(*versions.get_assigned_action(armature))
    for point in curve.keyframe_points:
        point.interpolation = "LINEAR" if kind == "CYCLES" else kind
    if kind == "CYCLES":
        curve.modifiers.new("CYCLES")
    frames = np.arange(-3, 14, 0.37)
    expected = [curve.evaluate(frame) for frame in frames]
    assert np.allclose(evaluate_curve(curve, frames), expected, atol=1e-5)


def test_the_users_scene_is_not_touched_and_unkeyed_channels_are_at_rest():
    armature = make_armature(chains=2, length=2)
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    armature.pose.bones[0].keyframe_insert("location", frame=5)
    action = armature.animation_data.action
    pose_randomly(armature)
    bpy.context.scene.frame_set(3)
    before = [np.array(b.matrix_basis) for b in armature.pose.bones]
    skeleton = read_skeleton(armature)
    clip = sample_action(armature, action, skeleton)
    assert np.allclose(clip.rotations, skeleton.rest_rotations, atol=1e-7)
    assert bpy.context.scene.frame_current == 3
    assert np.array_equal(before, [np.array(b.matrix_basis) for b in armature.pose.bones])


def make_constrained_armature():
    """An arm of three bones with an inverse kinematics target among its own bones."""
    armature = make_armature(chains=2, length=3, seed=8)
    constraint = armature.pose.bones["Rig.0.2"].constraints.new("IK")
    constraint.target, constraint.subtarget = armature, "Rig.1.0"
    constraint.chain_count = 3
    return armature


def test_constrained_rigs_are_evaluated_on_a_copy():
    armature = make_constrained_armature()
    armature.matrix_world = placed((1, 0, 2), (0.8, 0.6, 0, 0), 3.0)
    target = armature.pose.bones["Rig.1.0"]
    for frame in (1, 6):
        target.location.x = frame * 0.1
        target.keyframe_insert("location", frame=frame)
    action = armature.animation_data.action
    other = bpy.data.actions.new("Other")
    versions.assign_action(armature, other, versions.ensure_channelbag(other, armature)[0])
    bpy.context.scene.frame_set(40)
    target.location.x = 9.0
    bpy.context.view_layer.update()
    counts = [len(c) for c in (bpy.data.scenes, bpy.data.objects, bpy.data.armatures)]
    skeleton = read_skeleton(armature)
    clip = sample_action(armature, action, skeleton)
    assert bpy.context.scene.frame_current == 40
    assert armature.animation_data.action == other
    assert target.location.x == 9.0
    assert counts == [len(c) for c in (bpy.data.scenes, bpy.data.objects, bpy.data.armatures)]
    compare(armature, action, clip, skeleton, 1, 24, tolerance=1e-4)


def test_drivers_on_the_armature_data_follow_the_copy():
    armature = make_armature(chains=1, length=2)
    armature.data["lift"] = 0.0
    bone = armature.pose.bones[1]
    curve = bone.driver_add("location", 0)
    variable = curve.driver.variables.new()
    variable.targets[0].id = armature
    variable.targets[0].data_path = 'pose.bones["Rig.0.0"].location.y'
    curve.driver.expression = variable.name
    lead = armature.pose.bones[0]
    for frame in (1, 3):
        lead.location.y = frame
        lead.keyframe_insert("location", frame=frame)
    lead.location.y = -4
    bpy.context.scene.frame_set(50)
    skeleton = read_skeleton(armature)
    clip = sample_action(armature, armature.animation_data.action, skeleton)
    shift = clip.translations[:, 1] - skeleton.rest_translations[1]
    assert np.allclose(np.linalg.norm(shift, axis=-1), [1, 2, 3], atol=1e-5)


def test_a_failing_evaluation_leaves_nothing_behind(monkeypatch):
    armature = make_constrained_armature()
    armature.pose.bones[0].keyframe_insert("location", frame=1)
    skeleton = read_skeleton(armature)

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("semi_procedural_locomotion.blender.values.evaluation.set_frame", fail)
    counts = [len(c) for c in (bpy.data.scenes, bpy.data.objects)]
    with pytest.raises(KeyboardInterrupt):
        sample_action(armature, armature.animation_data.action, skeleton)
    assert counts == [len(c) for c in (bpy.data.scenes, bpy.data.objects)]


def test_object_motion_is_folded_into_parentless_bones():
    armature = make_armature(chains=2, length=2)
    armature.rotation_euler = (np.pi / 2, 0, 0)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature)
    for frame, place, yaw in ((1, 2.0, 1.0), (5, 4.0, 1.5)):
        armature.location = (place, 0, 0)
        armature.rotation_euler = (np.pi / 2, 0, yaw)
        armature.keyframe_insert("location", frame=frame)
        armature.keyframe_insert("rotation_euler", frame=frame)
        armature.pose.bones[0].keyframe_insert("location", frame=frame)
    clip = sample_action(armature, armature.animation_data.action, skeleton)
    _, heads = compute_global_poses(skeleton, clip.rotations, clip.translations)
    rest = rot.rotate(skeleton.object_rotation, np.array(armature.data.bones[0].head_local))
    assert np.allclose(heads[0, 0], rest, atol=1e-5)
    half = rot.rotate(rot.quaternions_from_yaws(0.5), rest)
    # the clip faces as the skeleton does, so its travel is turned back by the first heading
    travel = rot.rotate(rot.quaternions_from_yaws(-1.0), np.array([2.0, 0, 0]))
    assert np.allclose(heads[-1, 0], half + travel, atol=1e-5)


def test_manual_ranges_narrow_the_keys_but_never_stand_for_them():
    armature = make_armature(length=2)
    action = key_everything(armature, range(1, 21))
    action.use_frame_range = True
    skeleton = read_skeleton(armature)
    for span, seconds in (((5, 10), 5 / 24), ((-50, 200), 19 / 24), ((100, 200), 19 / 24)):
        action.frame_start, action.frame_end = span
        assert sample_action(armature, action, skeleton).duration == pytest.approx(seconds)


def test_ranges_that_end_between_keys_are_read_as_they_are():
    armature = make_armature(length=2)
    action = key_everything(armature, range(-20, 41, 10))
    action.use_frame_range = True
    skeleton = read_skeleton(armature)
    for span, first, last in (((-14, 11), -14, 11), ((1, 25), 1, 25), ((-90, 3), -20, 3)):
        action.frame_start, action.frame_end = span
        clip = sample_action(armature, action, skeleton)
        assert clip.duration == pytest.approx((last - first) / 24)
        compare(armature, action, clip, skeleton, first, 24.0)


def test_one_key_gives_one_sample():
    armature = make_armature(length=2)
    action = key_everything(armature, [7])
    clip = sample_action(armature, action, read_skeleton(armature))
    assert len(clip.times) == 1


def test_actions_of_other_rigs_are_left_out_and_refused():
    one, two = make_armature("One"), make_armature("Two")
    walk = key_everything(one, [1, 2])
    jump = key_everything(two, [1, 2])
    assert find_actions(one) == [walk]
    with pytest.raises(AnalysisError, match="has no keys for armature 'One'"):
        sample_action(one, jump, read_skeleton(one))
    with pytest.raises(RigError, match="has no bone"):
        sample_action(one, walk, read_skeleton(two))


def test_an_action_serves_another_rig_with_the_same_bones():
    armature = make_armature()
    action = key_everything(armature, [1, 2])
    twin = armature.copy()
    twin.animation_data_clear()
    bpy.context.scene.collection.objects.link(twin)
    bpy.context.view_layer.update()
    assert find_actions(twin) == [action]
    clip = sample_action(twin, action, read_skeleton(twin))
    same = sample_action(armature, action, read_skeleton(armature))
    assert np.array_equal(clip.rotations, same.rotations)


def test_muted_curves_do_not_count():
    armature = make_armature(length=1)
    action = key_everything(armature, [1, 2])
    path = build_bone_path("Rig.0.0", "location")
    for curve in versions.get_curves(action, versions.find_slot(action, armature)):
        curve.mute = curve.data_path == path
    skeleton = read_skeleton(armature)
    clip = sample_action(armature, action, skeleton)
    assert np.allclose(clip.translations, skeleton.rest_translations)


@pytest.mark.parametrize("name", ["kaykit/Med_MovementBasic.glb", "spider/Spider.glb"])
def test_real_clips_agree_with_playback(data_folder, name):
    (armature,) = import_file(data_folder / name).armatures
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature)
    walk = next(action for action in find_actions(armature) if "Walk" in action.name)
    clip = sample_action(armature, walk, skeleton)
    compare(armature, walk, clip, skeleton, walk.curve_frame_range[0], 24, tolerance=1e-4)


def test_a_real_constrained_rig_agrees_with_playback(data_folder):
    bpy.ops.wm.open_mainfile(filepath=str(data_folder / "horse" / "Horse.blend"))
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    skeleton = read_skeleton(armature)
    walk = bpy.data.actions["Walk"]
    clip = sample_action(armature, walk, skeleton)
    for bone in armature.pose.bones:  # channels that the action does not key hold leftovers
        bone.matrix_basis.identity()
    compare(armature, walk, clip, skeleton, 0, 24, tolerance=1e-4)
