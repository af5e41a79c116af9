# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of the animator in the action of a bake: whatever they are on, they come back."""

from __future__ import annotations

from dataclasses import replace

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.removal import remove_bake
from semi_procedural_locomotion.blender.bake.writing import BakeOptions, commit_bake, find_bake
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curve_records import CurveRecord
from semi_procedural_locomotion.blender.values.curves import build_bone_path, read_keys
from tests.blender.bake.test_writing import FRAMES, key_shot, make_poses
from tests.blender.rigs import cycle_rotation_modes, make_armature

HEAD = "Hero.2.2"
LIMIT = build_bone_path(HEAD, 'constraints["Limit Rotation"].influence')
SMILE = build_bone_path(HEAD, '["smile"]')


@pytest.fixture
def hero():
    """A body whose head has a constraint and the input of a shape key, and is not walked."""
    armature = make_armature("Hero", chains=3, length=3)
    cycle_rotation_modes(armature)
    head = armature.pose.bones[HEAD]
    head.constraints.new("LIMIT_ROTATION")
    head["smile"] = 0.0
    armature["mood"] = 1.0
    return armature


def bake(armature, seed=0, written=(0, 1, 2), **options):
    """A walk that moves and turns some bones, none of the head."""
    skeleton = read_skeleton(armature)
    chosen = np.zeros(len(skeleton), bool)
    chosen[list(written)] = True
    poses = replace(make_poses(skeleton, seed), rotated=chosen, moved=chosen)
    return commit_bake(armature, poses, skeleton, FRAMES, BakeOptions(**options))


def find_curve(armature, path, index=0):
    action, slot = versions.get_assigned_action(armature)
    found = (c for c in versions.get_curves(action, slot) if c.data_path == path)
    return next((c for c in found if c.array_index == index), None)


def key_all(armature):
    """Key what no walk writes, in every way; paths and indices of the curves."""
    head = armature.pose.bones[HEAD]
    for frame, value in ((3.0, 0.2), (15.5, 0.9), (40.0, 0.4)):
        armature["mood"] = head["smile"] = head.constraints[0].influence = value
        armature.keyframe_insert('["mood"]', frame=frame)
        head.keyframe_insert('["smile"]', frame=frame, group="Face")
        head.constraints[0].keyframe_insert("influence", frame=frame)
        head.location.z = value
        head.keyframe_insert("location", index=2, frame=frame)
    mood = find_curve(armature, '["mood"]')
    mood.modifiers.new("NOISE").strength = 0.3
    mood.mute = True
    smile = find_curve(armature, SMILE)
    smile.extrapolation = "LINEAR"
    smile.keyframe_points[0].interpolation = "ELASTIC"
    limit = find_curve(armature, LIMIT)
    limit.keyframe_points[1].handle_left_type = "FREE"
    limit.keyframe_points[1].handle_left = (12.0, 0.1)
    limit.lock = True
    return [('["mood"]', 0), (SMILE, 0), (LIMIT, 0), (build_bone_path(HEAD, "location"), 2)]


def read_all(armature, keys):
    return {key: CurveRecord.read(find_curve(armature, *key)).encode() for key in keys}


@pytest.mark.parametrize("begin", ["bare", "shot", "source"])
def test_what_was_keyed_after_a_bake_comes_back_after_ten_more(hero, begin):
    shot = None if begin == "bare" else key_shot(hero)
    options = {"source_actions": [shot]} if begin == "source" else {}
    bake(hero, **options)
    meant = read_all(hero, key_all(hero))
    for seed in range(10):
        bake(hero, seed, **options)
    assert read_all(hero, meant) == meant
    back = remove_bake(hero)
    assert read_all(hero, meant) == meant
    assert back == versions.get_assigned_action(hero)[0]
    if begin == "shot":
        assert back == shot
    elif begin == "source":
        assert back not in (None, shot)
        assert len(read_keys(find_curve(hero, '["switch"]'))) == 3


def test_changes_without_another_key_come_back(hero):
    """A copied curve gets a modifier, another mute, handles, a group; its keys stay as they are."""
    hero["mood"] = 0.5
    for frame in (1, 20, 40):
        hero.keyframe_insert('["mood"]', frame=frame)
    for name, change in {
        "modifier": lambda c: c.modifiers.new("CYCLES"),
        "mute": lambda c: setattr(c, "mute", True),
        "handles": lambda c: setattr(c.keyframe_points[1], "handle_right_type", "VECTOR"),
        "extrapolation": lambda c: setattr(c, "extrapolation", "LINEAR"),
    }.items():
        bake(hero)
        change(find_curve(hero, '["mood"]'))
        meant = read_all(hero, [('["mood"]', 0)])
        bake(hero, 1)
        remove_bake(hero)
        assert read_all(hero, meant) == meant, name


def test_keys_on_a_channel_that_the_next_walk_writes_come_back(hero):
    bake(hero)
    (*_, key) = key_all(hero)
    meant = read_all(hero, [key])
    bake(hero, written=range(9))
    assert len(read_keys(find_curve(hero, *key))) > 3
    bake(hero, 1, written=range(9))
    # Another that leaves the channel gives them back, and so does the end of the bake.
    bake(hero, 2)
    assert read_all(hero, [key]) == meant
    bake(hero, 3, written=range(9))
    remove_bake(hero)
    assert read_all(hero, [key]) == meant


def test_keys_beside_a_walk_on_its_own_channels_come_back(hero):
    shot = key_shot(hero)
    path = build_bone_path("Hero.0.0", "location")
    bake(hero)
    curve = find_curve(hero, path)
    curve.keyframe_points.insert(30.0, 7.0)
    bake(hero, 1)
    find_curve(hero, path).keyframe_points.insert(33.0, 8.0)
    find_curve(hero, build_bone_path("Hero.0.1", "location"), 1).keyframe_points.insert(35.0, 9.0)
    assert remove_bake(hero) == shot
    keys = read_keys(find_curve(hero, path))
    assert np.allclose(keys[:, 0], [1, 15, 30, 33, 40])
    assert np.allclose(keys[2:4, 1], [7, 8])
    keys = read_keys(find_curve(hero, build_bone_path("Hero.0.1", "location"), 1))
    assert np.allclose(keys, [[35.0, 9.0]])


def test_keys_come_back_after_undo_and_another_session(hero, tmp_path):
    bpy.ops.ed.undo_push(message="made")
    bake(hero)
    meant = read_all(hero, key_all(hero))
    bpy.ops.ed.undo_push(message="keyed")
    bake(hero, 1)
    bpy.ops.ed.undo_push(message="baked again")
    remove_bake(hero)
    bpy.ops.ed.undo_push(message="removed")
    bpy.ops.ed.undo()
    hero = bpy.data.objects["Hero"]
    assert read_all(hero, meant) == meant
    path = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    hero = bpy.data.objects["Hero"]
    bake(hero, 2)
    remove_bake(hero)
    assert read_all(hero, meant) == meant


def test_own_markers_and_slots_of_others_stay(hero):
    shot = key_shot(hero)
    action = bake(hero).action
    action.pose_markers.new("Mine").frame = 30
    other = None
    if versions.NO_SLOT not in versions.list_slots(action):
        other, bag = versions.ensure_channelbag(action, make_armature("Other"))
        versions.add_curve(bag, "location", 0, "Object Transforms").keyframe_points.insert(1, 5)
    bake(hero, 1)
    if other is not None:
        assert len(versions.get_curves(action, other)) == 1
    assert remove_bake(hero) == shot
    assert [(m.name, m.frame) for m in shot.pose_markers] == [("Mine", 30)]
    if other is not None:
        assert len(versions.get_curves(action, other)) == 1
        assert versions.list_slots(action) == [other]


def duplicate(armature, *, with_action):
    bpy.context.preferences.edit.use_duplicate_action = with_action
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.duplicate()
    bpy.context.preferences.edit.use_duplicate_action = True
    return bpy.context.view_layer.objects.active


@pytest.mark.parametrize("with_action", [False, True])
@pytest.mark.parametrize("use_strip", [False, True])
def test_a_duplicated_object_gets_a_bake_of_its_own(hero, with_action, use_strip):
    key_shot(hero)
    bake(hero, use_strip=use_strip)
    twin = duplicate(hero, with_action=with_action)
    before = read_keys_of(hero)
    bake(twin, 5, use_strip=use_strip)
    assert find_bake(twin) != find_bake(hero)
    assert read_keys_of(hero) == before
    assert read_keys_of(twin) != before
    bake(hero, 6, use_strip=use_strip)
    shown = read_keys_of(twin)
    remove_bake(hero)
    assert read_keys_of(twin) == shown
    remove_bake(twin)
    assert find_bake(twin) is None


@pytest.mark.parametrize("first", ["Hero", "twin"])
def test_one_of_two_objects_that_share_a_bake_gives_up_its_own_alone(hero, first):
    bake(hero)
    twin = duplicate(hero, with_action=False)
    gone, staying = (hero, twin) if first == "Hero" else (twin, hero)
    before = read_keys_of(staying)
    remove_bake(gone)
    assert read_keys_of(staying) == before
    bake(staying, 3)
    remove_bake(staying)
    assert not bpy.data.actions


def read_keys_of(armature):
    action = find_bake(armature)
    slots = versions.list_slots(action)
    return {
        (c.data_path, c.array_index): read_keys(c).tolist()
        for slot in slots
        for c in versions.get_curves(action, slot)
    }


def test_a_copy_of_a_bake_action_is_nobodys_bake(hero):
    baked = bake(hero).action
    copy = baked.copy()
    kept = [read_keys(c).tolist() for c in versions.get_curves(copy, versions.list_slots(copy)[0])]
    versions.assign_action(hero, copy, versions.list_slots(copy)[0])
    assert find_bake(hero) is None
    assert bake(hero, 4).action != copy
    now = [read_keys(c).tolist() for c in versions.get_curves(copy, versions.list_slots(copy)[0])]
    assert now == kept
    assert remove_bake(hero) == copy
