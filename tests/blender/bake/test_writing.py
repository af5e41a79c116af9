# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes: what is shown afterwards, what is kept, what comes back."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.channels import find_locked_bones
from semi_procedural_locomotion.blender.bake.edits import find_edited_curves
from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.writing import (
    BakeOptions,
    commit_bake,
    find_bake,
)
from semi_procedural_locomotion.blender.reading.sampling import find_actions
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curves import build_bone_path, read_keys
from semi_procedural_locomotion.core.keys.tables import hash_keys, is_as_hashed, make_key_table
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.pose import PoseArray
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.errors import BakeError, SettingError
from tests.blender.rigs import cycle_rotation_modes, make_armature, placed, read_world_poses

FRAMES = np.arange(10.0, 22.0)


def make_poses(skeleton, seed=0):
    """Smooth arbitrary poses and travel."""
    random = np.random.default_rng(seed)
    count, bones = len(FRAMES), len(skeleton)
    share = np.linspace(0, 1, count)[:, None, None]
    axes = rot.normalize(random.normal(size=(1, bones, 3)))
    turns = rot.quaternions_from_axis_angles(axes, 5.0 * share[..., 0] + random.uniform(size=bones))
    waves = np.sin(3 * share + np.arange(3)) * 0.3 * skeleton.object_scale
    travel = np.concatenate([4 * share[:, 0], share[:, 0] ** 2, 0.2 * share[:, 0]], axis=1)
    tilt = rot.quaternions_from_axis_angles(np.array([1.0, 0, 0]), 0.2 * share[:, 0, 0])
    return PoseArray(
        times=FRAMES / 24,
        positions=travel + np.array([1, 2, 3]),
        orientations=rot.multiply(rot.quaternions_from_yaws(3.0 * share[:, 0, 0]), tilt),
        rotations=rot.multiply(skeleton.rest_rotations, turns),
        translations=skeleton.rest_translations + np.broadcast_to(waves, (count, bones, 3)),
        scales=1 + 0.1 * np.broadcast_to(share, (count, bones, 3)) * 0,
        rotated=np.ones(bones, bool),
        moved=np.ones(bones, bool),
        scaled=np.zeros(bones, bool),
        owned=np.zeros(bones, bool),
    )


def assert_shown(armature, skeleton, poses, frames=FRAMES, tolerance=2e-5, bones=None):
    """The evaluated pose is position + orientation * character space."""
    turns, heads = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    for row in range(0, len(frames), 3):
        bpy.context.scene.frame_set(int(frames[row]), subframe=frames[row] % 1)
        world = read_world_poses(armature)
        for bone in range(len(skeleton)) if bones is None else bones:
            matrix = world[skeleton.names[bone]]
            head = poses.positions[row] + rot.rotate(poses.orientations[row], heads[row, bone])
            assert np.allclose(matrix[:3, 3], head, atol=tolerance), (row, bone)
            turn = rot.multiply(poses.orientations[row], turns[row, bone])
            along = rot.rotate(turn, np.array([0.0, 1, 0]))
            assert np.allclose(rot.normalize(matrix[:3, 1]), along, atol=tolerance), (row, bone)


def get_curve(armature, path, index=0):
    action, slot = versions.get_assigned_action(armature)
    for curve in versions.get_curves(action, slot):
        if (curve.data_path, curve.array_index) == (path, index):
            return curve
    return None


@pytest.fixture
def hero():
    armature = make_armature("Hero", chains=3, length=3)
    cycle_rotation_modes(armature)
    return armature


def test_only_curves_with_other_keys_are_written(hero):
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    first = commit_bake(hero, poses, skeleton, FRAMES)
    assert first.changed_count == first.curve_count
    assert commit_bake(hero, poses, skeleton, FRAMES).changed_count == 0
    shifted = replace(poses, positions=poses.positions + np.array([0.5, 0.0, 0.0]))
    again = commit_bake(hero, shifted, skeleton, FRAMES)
    assert again.changed_count == 1
    assert_shown(hero, skeleton, shifted)


@pytest.mark.parametrize("output_to", ["object", "none"])
@pytest.mark.parametrize(
    ("rotation", "scale"), [((1, 0, 0, 0), 1.0), ((0.7071068, 0.7071068, 0, 0), 0.01)]
)
def test_all_rotation_modes_show_the_poses(hero, output_to, rotation, scale):
    hero.matrix_world = placed((5, 5, 5), rotation, scale)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    baked = commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(output_to=output_to))
    assert find_bake(hero) == baked.action
    assert baked.slot in ("", "OBHero")
    assert_shown(hero, skeleton, poses)
    for curve in versions.get_curves(baked.action, baked.slot):
        keys = read_keys(curve)
        if "rotation" in curve.data_path and "axis" not in curve.data_path and len(keys) > 1:
            assert np.abs(np.diff(keys[:, 1])).max() < 1.6, curve.data_path


@pytest.mark.parametrize("mode", ["QUATERNION", "YZX", "AXIS_ANGLE"])
def test_parents_deltas_and_modes_of_the_object_are_honoured(hero, mode):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = placed((1, 2, 0), (0.6, 0, 0, 0.8), 2.0)
    hero.parent = parent
    hero.matrix_parent_inverse = placed((0, 1, 0), (0.8, 0, 0.6, 0), 0.5)
    hero.delta_location = (0.1, 0.2, 0.3)
    hero.delta_rotation_euler = hero.delta_rotation_euler.__class__((0.2, 0.1, 0), "XYZ")
    hero.delta_rotation_quaternion = (0.8, 0.6, 0, 0)
    hero.rotation_mode = mode
    bpy.context.view_layer.update()
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES)
    assert_shown(hero, skeleton, poses, tolerance=5e-5)


def test_moving_parents_are_followed(hero):
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    hero.parent = parent
    for frame, place in ((10, 0.0), (21, 5.0)):
        parent.location.x = place
        parent.rotation_euler.z = place / 5
        parent.keyframe_insert("location", frame=frame)
        parent.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES)
    assert_shown(hero, skeleton, poses, tolerance=5e-5)


@pytest.mark.parametrize("root", ["Hero.0.0", "Hero.0.1"])
def test_a_root_bone_carries_the_travel(hero, root):
    hero.location = (7, 7, 0)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(output_to="bone", root_bone=root))
    above = skeleton.find_ancestors(skeleton.find_index(root))[1:]
    assert_shown(hero, skeleton, poses, bones=[b for b in range(len(skeleton)) if b not in above])
    assert tuple(hero.location) == (7, 7, 0)
    assert get_curve(hero, "location") is None


def test_bones_make_up_for_a_moving_object(hero):
    for frame, place in ((1, 0.0), (30, 3.0)):
        hero.location.x = place
        hero.rotation_euler.z = place
        hero.rotation_mode = "XYZ"
        hero.keyframe_insert("location", frame=frame)
        hero.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(12)
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(output_to="none"))
    assert_shown(hero, skeleton, poses, tolerance=5e-5)
    assert len(get_curve(hero, "location").keyframe_points) == 2


def test_keys_are_linear_generated_unselected_and_few_where_nothing_changes(hero):
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    poses = replace(poses, translations=np.tile(skeleton.rest_translations, (len(FRAMES), 1, 1)))
    commit_bake(hero, poses, skeleton, FRAMES)
    curve = get_curve(hero, build_bone_path("Hero.0.1", "rotation_euler"), 1)
    assert len(curve.keyframe_points) == len(FRAMES)
    for point in curve.keyframe_points:
        assert (point.interpolation, point.type) == ("LINEAR", "GENERATED")
        assert not point.select_control_point
        assert not point.select_left_handle
        assert point.handle_left.x < point.co.x < point.handle_right.x
    assert curve.group.name == "Hero.0.1"
    assert get_curve(hero, "location").group.name == "Object Transforms"
    still = get_curve(hero, build_bone_path("Hero.0.1", "location"))
    assert len(still.keyframe_points) == 1
    assert_shown(hero, skeleton, poses)


def test_only_touched_channels_are_keyed_and_locks_bind_the_hand_alone(hero):
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    rotated, moved = np.zeros(9, bool), np.zeros(9, bool)
    rotated[[1, 4]] = moved[2] = True
    hero.pose.bones[skeleton.names[1]].rotation_mode = "XYZ"
    hero.pose.bones[skeleton.names[1]].lock_rotation = (False, True, False)
    hero.pose.bones[skeleton.names[2]].lock_location = (True, False, True)
    hero.pose.bones[skeleton.names[3]].lock_rotation = (True, True, True)
    hero.pose.bones[skeleton.names[4]].rotation_mode = "QUATERNION"
    hero.pose.bones[skeleton.names[4]].lock_rotations_4d = True
    hero.pose.bones[skeleton.names[4]].lock_rotation_w = True
    poses = replace(poses, rotated=rotated, moved=moved)
    baked = commit_bake(hero, poses, skeleton, FRAMES)
    keyed = {(c.data_path, c.array_index) for c in versions.get_curves(baked.action, baked.slot)}
    one = build_bone_path(skeleton.names[1], "rotation_euler")
    two = build_bone_path(skeleton.names[2], "location")
    four = build_bone_path(skeleton.names[4], "rotation_quaternion")
    bones = {*((one, i) for i in range(3)), *((two, i) for i in range(3))}
    bones |= {(four, i) for i in range(4)}
    assert {key for key in keyed if key[0].startswith("pose")} == bones
    assert baked.curve_count == len(keyed)
    assert find_locked_bones(hero, skeleton, poses) == [skeleton.names[i] for i in (1, 2, 4)]


def key_shot(armature, frames=(1, 15, 40)):
    """A shot keyed by hand on a bone, on the object and on a custom property."""
    bone = armature.pose.bones["Hero.0.0"]
    armature["switch"] = 0.0
    for frame in frames:
        bone.location.x = frame / 10
        armature["switch"] = float(frame)
        bone.keyframe_insert("location", frame=frame)
        armature.keyframe_insert('["switch"]', frame=frame)
    return armature.animation_data.action


def test_a_section_of_a_shot_is_replaced_and_the_rest_stays(hero):
    shot = key_shot(hero)
    before = {(c.data_path, c.array_index): read_keys(c) for c in all_curves(shot, hero)}
    skeleton = read_skeleton(hero)
    baked = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    assert baked.action != shot
    keys = read_keys(get_curve(hero, build_bone_path("Hero.0.0", "location")))
    # Those beside the walk keep the way of the shot there.
    sides = [FRAMES[0] - 1, FRAMES[-1] + 1]
    assert np.allclose(keys[:, 0], [1, sides[0], *FRAMES, sides[1], 40])
    assert np.allclose(keys[[0, -1], 1], [0.1, 4.0])
    (there,) = [
        c for c in all_curves(shot, hero) if c.data_path != '["switch"]' and not c.array_index
    ]
    assert np.allclose(keys[[1, -2], 1], [there.evaluate(side) for side in sides], atol=1e-5)
    assert np.allclose(read_keys(get_curve(hero, '["switch"]'))[:, 1], [1, 15, 40])
    after = {(c.data_path, c.array_index): read_keys(c) for c in all_curves(shot, hero)}
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert find_actions(hero) == [shot]


def all_curves(action, armature):
    return versions.get_curves(action, versions.find_slot(action, armature))


def test_blends_begin_and_end_in_the_existing_pose(hero):
    key_shot(hero, frames=(1, 40))
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(blend_in=4, blend_out=3))
    keys = read_keys(get_curve(hero, build_bone_path("Hero.0.0", "location")))[1:-1, 1]
    shot = 0.1 + 3.9 * step((FRAMES - 1) / 39)
    assert np.isclose(keys[0], shot[0], atol=0.02)
    assert np.isclose(keys[-1], shot[-1], atol=0.02)
    middle = slice(4, -3)
    assert_shown(hero, skeleton, slice_poses(poses, middle), FRAMES[middle])


def step(x):
    return x * x * (3 - 2 * x)


def slice_poses(poses, rows):
    names = ("times", "positions", "orientations", "rotations", "translations", "scales")
    return replace(poses, **{name: getattr(poses, name)[rows] for name in names})


def test_euler_keys_follow_on_from_the_existing_turns(hero):
    bone = hero.pose.bones["Hero.0.1"]
    bone.rotation_mode = "XYZ"
    bone.rotation_euler = (0, 0, 6 * np.pi)
    bone.keyframe_insert("rotation_euler", frame=1)
    skeleton = read_skeleton(hero)
    commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    keys = read_keys(get_curve(hero, build_bone_path("Hero.0.1", "rotation_euler"), 2))
    walked = keys[keys[:, 0] <= FRAMES[-1]]
    assert np.abs(np.diff(walked[:, 1])).max() < 3.2


def test_baking_again_replaces_the_bake_and_gives_freed_frames_back(hero):
    shot = key_shot(hero)
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    first = commit_bake(hero, poses, skeleton, FRAMES)
    few = replace(slice_poses(poses, slice(8, None)), rotated=np.zeros(9, bool))
    again = commit_bake(hero, few, skeleton, FRAMES[8:])
    assert again.action == first.action
    keys = read_keys(get_curve(hero, build_bone_path("Hero.0.0", "location")))
    assert np.allclose(keys[:, 0], [1, 15, FRAMES[8] - 1, *FRAMES[8:], FRAMES[-1] + 1, 40])
    assert get_curve(hero, build_bone_path("Hero.0.0", "rotation_quaternion")) is None
    assert remove_bake(hero) == shot


def test_hand_edits_are_found_and_kept_on_request(hero):
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES)
    assert find_edited_curves(hero) == []
    path = build_bone_path("Hero.0.0", "location")
    get_curve(hero, path, 2).keyframe_points[3].co.y += 0.5
    assert find_edited_curves(hero) == [(path, 2)]
    baked = commit_bake(hero, poses, skeleton, FRAMES, BakeOptions(keep_edits=True))
    assert [edit.key for edit in baked.edits] == [(path, 13)]
    assert find_edited_curves(hero) == []
    commit_bake(hero, poses, skeleton, FRAMES)
    assert find_edited_curves(hero) == []
    assert_shown(hero, skeleton, poses)


@pytest.mark.parametrize("keep_around", [False, True])
def test_zeros_that_change_their_sign_are_no_hand_edits(hero, keep_around):
    """A body that turns about up alone keeps zeros whose sign goes by the side that it turns to."""
    hero.rotation_mode = "XYZ"
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    options = BakeOptions(keep_edits=True, keep_around=keep_around)
    # Shorter and longer ones, too.
    for side, rows in ((1, FRAMES), (-1, FRAMES), (1, FRAMES[4:]), (-1, FRAMES[4:]), (1, FRAMES)):
        part = slice_poses(poses, slice(len(FRAMES) - len(rows), None))
        turns = rot.quaternions_from_yaws(side * np.linspace(0.1, 1.0, len(rows)))
        turned = replace(part, orientations=turns)
        baked = commit_bake(hero, turned, skeleton, rows, options)
        assert baked.edits == ()
        assert find_edited_curves(hero) == []
    curve = get_curve(hero, "rotation_euler", 1)
    assert set(read_keys(curve)[:, 1]) == {0.0}
    curve.keyframe_points[0].co.y = -1e-3
    assert find_edited_curves(hero) == [("rotation_euler", 1)]
    (edit,) = commit_bake(hero, poses, skeleton, FRAMES, options).edits
    assert edit.key == ("rotation_euler", 10)


def test_keys_that_count_as_the_same_have_the_same_hash():
    frames = np.array([1.0, 2.0])
    plus, minus = (make_key_table(frames, np.array([zero, 1.0])) for zero in (0.0, -0.0))
    assert hash_keys(plus) == hash_keys(minus)
    # As bakes of version 0.1.0 wrote and noted them.
    signed = replace(plus, co=np.copysign(plus.co, np.float32([[1, -1], [1, 1]])))
    assert np.array_equal(signed.co, plus.co)
    assert hash_keys(signed) != hash_keys(plus)
    assert is_as_hashed(plus.co, hash_keys(signed))
    assert is_as_hashed(signed.co, hash_keys(plus))
    other = replace(plus, co=plus.co + np.float32([[0, 1e-6], [0, 0]]))
    assert not is_as_hashed(other.co, hash_keys(plus))
    assert not is_as_hashed(plus.co, hash_keys(other))


def test_bakes_survive_saving(hero, tmp_path):
    shot = key_shot(hero)
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    commit_bake(hero, poses, skeleton, FRAMES)
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    name = shot.name
    bpy.ops.wm.open_mainfile(filepath=path)
    again = bpy.data.objects["Hero"]
    assert find_edited_curves(again) == []
    assert remove_bake(again).name == name


def test_removing_gives_back_action_pose_and_edited_copies(hero):
    shot = key_shot(hero)
    hero.location = (1, 2, 3)
    hero.pose.bones["Hero.1.1"].location = (4, 5, 6)
    skeleton = read_skeleton(hero)
    baked = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    name = baked.action.name
    bpy.context.scene.frame_set(15)
    get_curve(hero, '["switch"]').keyframe_points[1].co.y = 99
    assert remove_bake(hero) == shot
    assert versions.get_assigned_action(hero)[0] == shot
    assert name not in bpy.data.actions
    bpy.context.scene.frame_set(15)
    assert hero["switch"] == 99
    assert hero.pose.bones["Hero.0.0"].location.x == pytest.approx(1.5)
    assert np.allclose(hero.pose.bones["Hero.1.1"].location, (4, 5, 6))
    assert np.allclose(hero.location, (1, 2, 3))


def test_removing_without_an_action_before_leaves_none(hero):
    skeleton = read_skeleton(hero)
    commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    assert remove_bake(hero) is None
    assert len(bpy.data.actions) == 0
    assert np.allclose(hero.location, 0)
    with pytest.raises(BakeError, match="'Hero' has no baked walk to remove"):
        remove_bake(hero)


def test_source_motions_are_neither_changed_nor_copied_nor_edited(hero):
    cycle = key_shot(hero)
    skeleton = read_skeleton(hero)
    options = BakeOptions(source_actions=[cycle])
    baked = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES, options)
    keys = read_keys(get_curve(hero, build_bone_path("Hero.0.0", "location")))
    assert np.allclose(keys[:, 0], FRAMES)
    switch = get_curve(hero, '["switch"]')
    assert len(switch.keyframe_points) == 3
    switch.keyframe_points[0].co.y = 7
    back = remove_bake(hero)
    assert back not in (cycle, baked.action)
    assert {c.data_path for c in all_curves(back, hero)} == {
        c.data_path for c in all_curves(cycle, hero)
    }
    assert read_keys(next(c for c in all_curves(cycle, hero) if "switch" in c.data_path))[0, 1] == 1


def test_other_slots_stay_in_the_source_and_out_of_the_bake(hero):
    if versions.list_slots(bpy.data.actions.new("Empty")):
        pytest.skip("actions have no slots in this version")
    shot = key_shot(hero)
    other = make_armature("Other")
    slot, bag = versions.ensure_channelbag(shot, other)
    versions.add_curve(bag, "location", 0, "Object Transforms").keyframe_points.insert(1, 5)
    skeleton = read_skeleton(hero)
    baked = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    assert versions.list_slots(baked.action) == ["OBHero"]
    assert set(versions.list_slots(shot)) == {"OBHero", slot}


def test_impossible_bakes_are_refused_and_change_nothing(hero):
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    hero.constraints.new("COPY_LOCATION").target = make_armature("Lead")
    with pytest.raises(BakeError, match="constraint 'Copy Location' moves 'Hero'"):
        commit_bake(hero, poses, skeleton, FRAMES)
    with pytest.raises(BakeError, match="has no bone 'Nowhere'"):
        commit_bake(
            hero, poses, skeleton, FRAMES, BakeOptions(output_to="bone", root_bone="Nowhere")
        )
    with pytest.raises(BakeError, match="no root bone"):
        BakeOptions(output_to="bone")
    with pytest.raises(SettingError, match='output_to must be "object" or'):
        BakeOptions(output_to="sky")
    with pytest.raises(ValueError, match="increasing"):
        commit_bake(hero, poses, skeleton, FRAMES[::-1])
    assert versions.get_assigned_action(hero)[0] is None
    assert len(bpy.data.actions) == 0


def test_a_bake_is_one_step_of_undo(hero):
    skeleton = read_skeleton(hero)
    bpy.ops.ed.undo_push(message="before")
    commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    bpy.ops.ed.undo_push(message="bake")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Hero"].animation_data is None
    assert len(bpy.data.actions) == 0


def test_the_bake_never_takes_the_name_of_a_clip_or_looks_like_its_copy(hero):
    clips = [bpy.data.actions.new(name) for name in ("Hero Walk", "Hero Baked Walk")]
    skeleton = read_skeleton(hero)
    baked = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    assert baked.action.name == "Hero Baked Walk 2"
    assert [clip.name for clip in clips] == ["Hero Walk", "Hero Baked Walk"]
    again = commit_bake(hero, make_poses(skeleton), skeleton, FRAMES)
    assert again.action == baked.action
