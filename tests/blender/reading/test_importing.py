# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Import of real and of broken files."""

from __future__ import annotations

import json
import struct

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.blender.reading.sampling import find_actions, sample_action
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.custom_keys import FRAME_RATE_KEY
from semi_procedural_locomotion.errors import FileError
from tests.blender.rigs import make_armature

BVH = """HIERARCHY
ROOT Hips
{{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Leg
  {{
    OFFSET 0 -10 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {{
      OFFSET 0 -10 0
    }}
  }}
}}
MOTION
Frames: {frames}
Frame Time: {interval}
{lines}
"""


def write_bvh(path, frames=60, interval="0.0083333", named=None):
    lines = "\n".join(f"0 {20 + i} {i} 0 0 0 0 {i} 0" for i in range(frames))
    path.write_text(BVH.format(frames=named or frames, interval=interval, lines=lines))
    return path


def count_data():
    return {
        prop.identifier: len(getattr(bpy.data, prop.identifier))
        for prop in bpy.data.bl_rna.properties
        if prop.type == "COLLECTION"
    }


def test_bvh_samples_keep_their_own_rate(tmp_path):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = 24, 100
    imported = import_file(write_bvh(tmp_path / "walk.bvh"))
    assert (scene.render.fps, scene.frame_end) == (24, 100)
    (armature,) = imported.armatures
    (action,) = imported.actions
    assert action[FRAME_RATE_KEY] == pytest.approx(120, rel=1e-4)
    clip = sample_action(armature, action, read_skeleton(armature))
    assert clip.rotations.shape[0] == 60
    assert clip.duration == pytest.approx(59 / 120, rel=1e-4)
    assert clip.key_interval == pytest.approx(1 / 120, rel=1e-4)
    speed = np.ptp(clip.translations[:, 0], axis=0).max() / clip.duration
    assert speed == pytest.approx(120, rel=1e-3)


def test_bvh_at_the_rate_of_the_scene_needs_no_mark(tmp_path):
    bpy.context.scene.render.fps = 25
    imported = import_file(write_bvh(tmp_path / "walk.bvh", interval="0.04"))
    assert FRAME_RATE_KEY not in imported.actions[0]


def test_importing_keeps_mode_selection_and_frame(tmp_path):
    armature = make_armature()
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="POSE")
    bpy.context.scene.frame_set(7)
    imported = import_file(write_bvh(tmp_path / "walk.bvh"))
    assert armature.mode == "POSE"
    assert bpy.context.view_layer.objects.active == armature
    assert bpy.context.selected_objects == [armature]
    assert bpy.context.scene.frame_current == 7
    assert armature not in imported.objects


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.glb", b"", "is empty"),
        ("a.glb", b"no file of this kind", "broken or no binary glb file"),
        ("a.glb", b"glTF\x02\0\0\0\xff\xff\0\0", "broken or no binary glb file"),
        ("a.glb", b"glTF\x02\0\0\0\x14\0\0\0\x04\0\0\0JSON{{{{", "its JSON cannot be read"),
        ("a.gltf", b"{", "is broken"),
        ("a.gltf", b"[]", "JSON but no glTF"),
        ("a.fbx", b"FBX in name only", "broken or no FBX file"),
        ("a.fbx", b"; FBX 7.4.0 project file", "cannot be imported|is an FBX file of text"),
        ("a.fbx", b"Kaydara FBX Binary  \0\x1a\0 cut", "ends early"),
        ("a.bvh", b"HIERARCHY\nROOT Hips", "lacks HIERARCHY or MOTION"),
        ("a.bvh", b"HIERARCHY\nMOTION\nFrames: 3", "no valid Frames and Frame Time"),
        ("a.bvh", b"HIERARCHY\nMOTION\nFrames: 3\nFrame Time: 0\n", "no positive Frame Time"),
        ("a.obj", b"v 0 0 0", "of an unknown kind"),
    ],
)
def test_broken_files_are_named_and_leave_nothing_behind(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    before = count_data()
    with pytest.raises(FileError, match=message) as error:
        import_file(path)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)
    assert count_data() == before


def test_what_importers_write_of_their_breakdowns_is_told_once(tmp_path, capsys):
    path = tmp_path / "a.fbx"
    head = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400)
    # A section whose parts do not fill it.
    path.write_bytes(head + struct.pack("<IIIB", 60, 9, 9, 0) + bytes(20) + bytes(80))
    with pytest.raises(FileError, match=r"cannot be imported|holds no objects"):
        import_file(path)
    assert "Traceback" not in capsys.readouterr().err


def test_avatars_are_read_as_gltf(tmp_path):
    path = tmp_path / "a.vrm"
    data = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "scene": 0}
    path.write_text(json.dumps({**data, "nodes": [{"name": "Avatar"}]}))
    assert [item.name for item in import_file(path).objects] == ["Avatar"]


def test_a_cut_bvh_file_is_refused(tmp_path):
    with pytest.raises(
        FileError, match=r"ends early: 80 frames of 9 values named, 540 values found"
    ):
        import_file(write_bvh(tmp_path / "walk.bvh", named=80))


def test_missing_files_are_named():
    with pytest.raises(FileError, match=r"nowhere\.glb does not exist"):
        import_file("nowhere.glb")


def test_a_file_without_objects_is_refused(tmp_path):
    path = tmp_path / "empty.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}}))
    before = count_data()
    with pytest.raises(FileError, match=r"empty\.gltf"):
        import_file(path)
    assert count_data() == before


def test_real_gltf_and_its_fbx_export_give_the_same_motion(data_folder, tmp_path):
    imported = import_file(data_folder / "fox" / "Fox.glb")
    (armature,) = imported.armatures
    actions = {action.name: action for action in find_actions(armature)}
    assert {"Walk", "Run", "Survey"} <= set(actions)
    clip = sample_action(armature, actions["Walk"], read_skeleton(armature))
    assert clip.duration == pytest.approx(0.708, abs=2e-3)
    armature.animation_data.action = actions["Walk"]
    path = tmp_path / "fox.fbx"
    bpy.ops.export_scene.fbx(
        filepath=str(path), add_leaf_bones=False, bake_anim_use_nla_strips=False
    )
    again = import_file(path)
    assert len(again.armatures) == 1
    assert again.actions
    assert bpy.context.scene.render.fps == 24


def test_hips_that_an_importer_connects_still_rise_and_fall(tmp_path):
    armature = make_armature(length=1)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    root = bones[0]
    root.head, root.tail, root.name = (0, 0, 0), (0, 0, 1), "root"
    for name, above, end in (("hips", root, (0, 0, 1.5)), ("chest", None, (0, 0, 2))):
        bone = bones.new(name)
        bone.parent = above or bones["hips"]
        bone.head, bone.tail = bone.parent.tail, end
    bpy.ops.object.mode_set(mode="OBJECT")
    hips = armature.pose.bones["hips"]
    for frame, rise in ((1, 0.0), (10, 0.2), (20, 0.0)):
        hips.location = (0.0, rise, 0.0)
        hips.keyframe_insert("location", frame=frame)
    path = tmp_path / "a.fbx"
    bpy.ops.export_scene.fbx(
        filepath=str(path), add_leaf_bones=False, bake_anim_use_nla_strips=False
    )
    imported = import_file(path)
    (again,) = imported.armatures
    (action,) = [a for a in find_actions(again) if a in imported.actions]
    versions.assign_action(again, action, versions.find_slot(action, again) or "")
    heights = []
    for frame in (1, 10):
        bpy.context.scene.frame_set(frame)
        heights.append((again.matrix_world @ again.pose.bones["hips"].head).z)
    assert heights[1] - heights[0] == pytest.approx(0.2, abs=1e-3)
    # Bones that no clip moves stay as the importer left them.
    assert not again.data.bones["hips"].use_connect
    assert again.data.bones["chest"].use_connect


def test_captured_walk_is_read_at_its_own_rate(data_folder):
    imported = import_file(data_folder / "cmu" / "cmu_12_01_walk.bvh")
    (armature,) = imported.armatures
    (action,) = find_actions(armature)
    clip = sample_action(armature, action, read_skeleton(armature))
    assert clip.frame_rate == pytest.approx(120, rel=1e-3)
    hips = clip.translations[:, 0, :2]
    speed = np.linalg.norm(hips[-1] - hips[0]) / clip.duration
    assert speed == pytest.approx(15.7, rel=0.1)
