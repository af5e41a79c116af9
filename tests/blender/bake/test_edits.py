# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of a bake that were changed by hand: offsets on every further walk, never a frozen curve."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.edits import find_edited_curves, name_edit
from semi_procedural_locomotion.blender.bake.writing import BakeOptions, commit_bake, find_bake
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.bake_record import read_record, write_record
from semi_procedural_locomotion.blender.values.curves import build_bone_path
from semi_procedural_locomotion.blender.values.custom_keys import WRITTEN_KEY
from semi_procedural_locomotion.core.keys.limits import KEY_EDIT
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.errors import BakeError
from tests.blender.bake.test_writing import FRAMES, get_curve, make_poses
from tests.blender.rigs import cycle_rotation_modes, make_armature

KEEP = BakeOptions(keep_edits=True)
AT = 16
BONES = [f"Hero.{chain}.{index}" for chain in range(3) for index in range(3)]


@pytest.fixture
def hero():
    armature = make_armature("Hero", chains=3, length=3)
    cycle_rotation_modes(armature)
    return armature


def bake(armature, seed=0, options=KEEP, rows=slice(None)):
    skeleton = read_skeleton(armature)
    poses = make_poses(skeleton, seed)
    timed = ("times", "positions", "orientations", "rotations", "translations", "scales")
    poses = replace(poses, **{name: getattr(poses, name)[rows] for name in timed})
    return commit_bake(armature, poses, skeleton, FRAMES[rows], options)


def sample_basis(armature):
    """Basis matrices of all bones in the frames of the walk, shape (N, B, 4, 4)."""
    found = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame))
        found.append([np.array(bone.matrix_basis) for bone in armature.pose.bones])
    return np.array(found)


def nudge(armature, bone, angle=0.1, frame=AT):
    """Turn a bone a little about its own X, and key that."""
    owner = armature.pose.bones[bone]
    bpy.context.scene.frame_set(frame)
    turn = owner.matrix_basis.to_quaternion() @ bpy_turn(angle)
    if owner.rotation_mode == "QUATERNION":
        owner.rotation_quaternion = turn
        name = "rotation_quaternion"
    elif owner.rotation_mode == "AXIS_ANGLE":
        axis, size = turn.to_axis_angle()
        owner.rotation_axis_angle = (size, *axis)
        name = "rotation_axis_angle"
    else:
        owner.rotation_euler = turn.to_euler(owner.rotation_mode, owner.rotation_euler)
        name = "rotation_euler"
    owner.keyframe_insert(name, frame=frame)
    return build_bone_path(bone, name)


def bpy_turn(angle):
    from mathutils import Quaternion

    return Quaternion((1.0, 0.0, 0.0), angle)


def find_turns(shown, plain):
    """Angles by which bones are turned against a plain walk, radians, shape (N, B)."""
    turns = np.swapaxes(plain[..., :3, :3], -1, -2) @ shown[..., :3, :3]
    return rot.angles_between(rot.IDENTITY, rot.quaternions_from_matrices(turns))


@pytest.mark.parametrize("bone", BONES[:8])
def test_a_turned_key_is_an_offset_on_every_further_walk(hero, bone):
    bake(hero, 3)
    other = sample_basis(hero)
    bake(hero)
    plain = sample_basis(hero)
    path = nudge(hero, bone)
    at, index = AT - int(FRAMES[0]), BONES.index(bone)
    for seed, walk in ((0, plain), (3, other), *((3, other),) * 3, (0, plain)):
        (edit,) = bake(hero, seed).edits
        assert edit.key == (path, AT)
        assert name_edit(edit) == f"{bone} Rotation"
        assert find_edited_curves(hero) == []
        turns = find_turns(sample_basis(hero), walk)
        assert turns[at, index] == pytest.approx(0.1, abs=1e-4)
        near = turns[at - KEY_EDIT.ease : at + KEY_EDIT.ease + 1, index]
        assert np.all(np.diff(near[: KEY_EDIT.ease + 1]) > 0)
        assert np.all(np.diff(near[KEY_EDIT.ease :]) < 0)
        turns[at - KEY_EDIT.ease : at + KEY_EDIT.ease + 1, index] = 0.0
        assert turns.max() < 1e-4
    assert bake(hero, options=replace(KEEP, dropped_edits=[edit.key])).edits == ()
    assert find_turns(sample_basis(hero), plain).max() < 1e-4


def test_moved_keys_and_others_are_added(hero):
    bake(hero, 3)
    other = sample_basis(hero)
    bake(hero)
    path = build_bone_path("Hero.1.1", "location")
    for frame, height in ((15, 0.5), (16, 0.7)):
        points = get_curve(hero, path, 2).keyframe_points
        next(p for p in points if p.co.x == frame).co.y += height
    bake(hero, 3)
    moved = sample_basis(hero)[:, 4, :3, 3] - other[:, 4, :3, 3]
    at = 15 - int(FRAMES[0])
    assert np.allclose(moved[at : at + 2, 2], [0.5, 0.7], atol=1e-5)
    assert np.allclose(moved[:, :2], 0.0, atol=1e-5)
    assert np.all(moved[[at - 1, at + 2], 2] > [0.2, 0.3])
    assert np.allclose(moved[[0, -1], 2], 0.0, atol=1e-5)
    # A later change of the same keys joins it.
    points = get_curve(hero, path, 2).keyframe_points
    next(p for p in points if p.co.x == 16.0).co.y -= 0.7
    (edit,) = bake(hero, 3).edits
    assert (edit.first, edit.last) == (15, 16)
    moved = sample_basis(hero)[:, 4, :3, 3] - other[:, 4, :3, 3]
    assert moved[at + 1, 2] == pytest.approx(0.0, abs=1e-5)


def test_the_object_is_offset_along_its_own_axes(hero):
    """Moved to its right it is so on a walk that faces elsewhere."""
    hero.rotation_mode = "XYZ"
    bake(hero)
    bpy.context.scene.frame_set(AT)
    right = hero.matrix_basis.to_3x3() @ bpy_vector(0.3)
    hero.location += right
    hero.keyframe_insert("location", frame=AT)
    skeleton = read_skeleton(hero)
    poses = make_poses(skeleton)
    turn = rot.quaternions_from_yaws(np.array(1.0))
    turned = replace(poses, orientations=rot.multiply(turn, poses.orientations))
    commit_bake(hero, turned, skeleton, FRAMES, replace(KEEP, keep_edits=False))
    bpy.context.scene.frame_set(AT)
    place, facing = hero.location.copy(), hero.matrix_basis.to_3x3()
    bake(hero)
    bpy.context.scene.frame_set(AT)
    hero.location += hero.matrix_basis.to_3x3() @ bpy_vector(0.3)
    hero.keyframe_insert("location", frame=AT)
    (edit,) = commit_bake(hero, turned, skeleton, FRAMES, KEEP).edits
    assert edit.is_own
    bpy.context.scene.frame_set(AT)
    assert np.allclose(hero.location - place, facing @ bpy_vector(0.3), atol=1e-5)


def bpy_vector(x):
    from mathutils import Vector

    return Vector((x, 0.0, 0.0))


def test_edits_outlive_shorter_walks_sessions_and_deleted_keys(hero, tmp_path):
    bake(hero)
    path = nudge(hero, "Hero.0.0")
    # The walk is shorter meanwhile, and does not reach the frame.
    assert bake(hero, rows=slice(None, 2)).edits == ()
    assert [edit.key for edit in read_record(find_bake(hero)).edits] == [(path, AT)]
    file = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    bpy.ops.wm.open_mainfile(filepath=file)
    hero = bpy.data.objects["Hero"]
    assert [edit.key for edit in bake(hero).edits] == [(path, AT)]
    # A curve that was deleted is written again.
    gone = get_curve(hero, build_bone_path("Hero.2.2", "location"), 1)
    gone.id_data.fcurves.remove(gone) if hasattr(gone.id_data, "fcurves") else None
    assert [edit.key for edit in bake(hero).edits] == [(path, AT)]
    assert bake(hero, options=BakeOptions()).edits == ()
    assert read_record(find_bake(hero)).edits == ()


def test_what_was_changed_on_bakes_of_earlier_versions_is_kept(hero):
    """They do not tell what they wrote; it is held against the new walk."""
    bake(hero)
    action = find_bake(hero)
    del action[WRITTEN_KEY]
    write_record(action, replace(read_record(action), owner=None))
    plain = sample_basis(hero)
    path = nudge(hero, "Hero.0.0")
    assert [edit.key for edit in bake(hero).edits] == [(path, AT)]
    turns = find_turns(sample_basis(hero), plain)
    assert turns[AT - int(FRAMES[0]), 0] == pytest.approx(0.1, abs=1e-4)
    assert np.count_nonzero(turns > 1e-4) == 1 + 2 * KEY_EDIT.ease


def test_edits_in_a_section_stay_when_another_one_is_baked(hero):
    around = replace(KEEP, keep_around=True)
    bake(hero, options=around, rows=slice(None, 5))
    bake(hero, options=around, rows=slice(7, None))
    path = nudge(hero, "Hero.0.0", frame=12)
    shown = sample_basis(hero)
    bake(hero, options=around, rows=slice(7, None))
    assert np.allclose(sample_basis(hero)[:5], shown[:5], atol=1e-6)
    assert {key[0] for key in find_edited_curves(hero)} == {path}
    (edit,) = bake(hero, options=around, rows=slice(None, 5)).edits
    assert edit.key == (path, 12)
    turns = find_turns(sample_basis(hero), shown)
    assert turns[2, 0] < 1e-4
    assert turns[1, 0] > 0.01


def list_curves(armature):
    """Curves of what an object plays."""
    return versions.get_curves(*versions.get_assigned_action(armature))


def list_keys(armature, path, index=0):
    """Frame, value and kind of the keys of a curve."""
    points = get_curve(armature, path, index).keyframe_points
    return [(key.co.x, key.co.y, key.interpolation) for key in points]


def test_keys_between_frames_stay_as_offsets(hero):
    bake(hero)
    path = build_bone_path("Hero.1.1", "location")
    curve = get_curve(hero, path, 2)
    curve.keyframe_points.insert(16.5, curve.evaluate(16.5) + 0.5)
    curve.update()
    shown = [curve.evaluate(frame) for frame in (16.0, 16.5, 17.0)]
    for seed in (3, 3, 0):
        (edit,) = bake(hero, seed).edits
        assert edit.key == (path, 16)
        (row,) = [key for key in list_keys(hero, path, 2) if key[0] == 16.5]
        around = [get_curve(hero, path, 2).evaluate(frame) for frame in (16.0, 17.0)]
        assert row[1] - np.mean(around) == pytest.approx(0.5, abs=1e-5)
    assert [get_curve(hero, path, 2).evaluate(f) for f in (16.0, 16.5, 17.0)] == pytest.approx(
        shown
    )
    # A key that is taken away is an edit no more.
    points = get_curve(hero, path, 2).keyframe_points
    points.remove(next(key for key in points if key.co.x == 16.5))
    assert bake(hero, 3).edits == ()
    assert all(frame.is_integer() for frame, *_ in list_keys(hero, path, 2))


def test_how_keys_are_joined_and_what_changes_curves_stays(hero):
    bake(hero)
    path = build_bone_path("Hero.0.1", "location")
    curve = get_curve(hero, path)
    keys = {key.co.x: key for key in curve.keyframe_points}
    keys[14.0].interpolation = "CONSTANT"
    keys[16.0].interpolation, keys[17.0].interpolation = "BEZIER", "ELASTIC"
    keys[16.0].handle_right_type = "FREE"
    keys[16.0].handle_right = (16.3, keys[16.0].co.y + 1.0)
    curve.update()
    curve.modifiers.new("NOISE").strength = 0.2
    curve.lock, curve.extrapolation = True, "LINEAR"
    shown = [curve.evaluate(frame) for frame in np.arange(13.0, 20.0, 0.25)]
    for seed in (0, 3, 0):
        assert bake(hero, seed).edits == ()
        kinds = {frame: kind for frame, _, kind in list_keys(hero, path)}
        changed = {14.0: "CONSTANT", 16.0: "BEZIER", 17.0: "ELASTIC"}
        assert kinds == dict.fromkeys(FRAMES, "LINEAR") | changed
        curve = get_curve(hero, path)
        key = next(key for key in curve.keyframe_points if key.co.x == 16.0)
        assert np.allclose(np.subtract(key.handle_right, key.co), (0.3, 1.0), atol=1e-5)
        assert [modifier.type for modifier in curve.modifiers] == ["NOISE"]
        assert (curve.lock, curve.extrapolation) == (True, "LINEAR")
    assert [curve.evaluate(f) for f in np.arange(13.0, 20.0, 0.25)] == pytest.approx(
        shown, abs=1e-4
    )
    next(key for key in curve.keyframe_points if key.co.x == 14.0).interpolation = "LINEAR"
    bake(hero)
    assert dict(key[::2] for key in list_keys(hero, path))[14.0] == "LINEAR"
    bake(hero, options=BakeOptions())
    curve = get_curve(hero, path)
    assert not curve.modifiers
    assert not curve.lock
    assert {key[2] for key in list_keys(hero, path)} == {"LINEAR"}


def test_edits_follow_bones_that_are_turned_in_another_mode(hero):
    bake(hero)
    bone = next(b for b in hero.pose.bones if b.rotation_mode == "QUATERNION")
    nudge(hero, bone.name)
    shown = sample_basis(hero)
    bone.rotation_mode = "ZXY"
    (edit,) = bake(hero).edits
    assert edit.path == build_bone_path(bone.name, "rotation_euler")
    at = AT - int(FRAMES[0])
    assert find_turns(sample_basis(hero), shown)[at].max() < 1e-4
    # What is keyed in the new mode before the next bake is an edit as well.
    bone.rotation_mode = "QUATERNION"
    wanted = bpy_turn(0.7)
    bone.rotation_quaternion = wanted
    bone.keyframe_insert("rotation_quaternion", frame=AT)
    bake(hero)
    index = list(hero.pose.bones).index(bone)
    turn = rot.quaternions_from_matrices(sample_basis(hero)[at, index, :3, :3])
    assert abs(rot.dot(turn, np.array(wanted))) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    "names", [{"Hero.0.1": "Arm"}, {"Hero.1.1": "Old", "Hero.0.1": "Hero.1.1"}]
)
def test_bones_that_are_renamed_are_followed(hero, names):
    """Also one that gets the name which another one had."""
    bake(hero, 3)
    other = sample_basis(hero)
    bake(hero)
    nudge(hero, "Hero.0.1")
    for name, new in names.items():
        hero.data.bones[name].name = new
    (edit,) = bake(hero, 3).edits
    assert name_edit(edit) == f"{names['Hero.0.1']} Rotation"
    turns = find_turns(sample_basis(hero), other)
    assert turns[AT - int(FRAMES[0]), BONES.index("Hero.0.1")] == pytest.approx(0.1, abs=1e-4)
    assert find_turns(sample_basis(hero), other)[:, BONES.index("Hero.1.1")].max() < 1e-4


def test_a_bone_that_cannot_be_followed_is_named(hero):
    bake(hero)
    for curve in list_curves(hero):
        if '"Hero.0.1"' not in curve.data_path:
            continue
        for key in curve.keyframe_points:
            key.co.y += 0.1
    hero.data.bones["Hero.0.1"].name = "Arm"
    with pytest.raises(BakeError, match=r"'Hero.0.1'.*is gone, and none of 'Arm' has its keys"):
        bake(hero)
    hero.data.bones["Arm"].name = "Hero.0.1"
    assert bake(hero).edits
