# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that become a character with the clips of others, seen in the evaluated scene."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")
from mathutils import Matrix

from semi_procedural_locomotion.api.importing import find_import, import_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.importing import list_data
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.errors import FileError, RigError

from ..scenes import add_person

SEEN = ("foot.L", "foot.R", "hand.L", "head")


def see(armature, action, names=SEEN):
    """World places of bones over the frames of an action, as Blender evaluates them."""
    versions.assign_action(armature, action, versions.find_slot(action, armature))
    first, last = (round(frame) for frame in action.frame_range)
    found = []
    for frame in range(first, last + 1, 4):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([(shown.matrix_world @ shown.pose.bones[n].matrix).translation for n in names])
    return np.array(found)


def export(path):
    if path.suffix in (".glb", ".vrm"):
        bpy.ops.export_scene.gltf(
            filepath=str(path.with_suffix(".glb")),
            export_format="GLB",
            export_animation_mode="ACTIVE_ACTIONS",
        )
        if path.suffix == ".vrm":
            shutil.move(path.with_suffix(".glb"), path)
    elif path.suffix == ".fbx":
        bpy.ops.export_scene.fbx(
            filepath=str(path),
            add_leaf_bones=False,
            bake_anim_use_nla_strips=False,
            bake_anim_use_all_actions=False,
            bake_anim=bool(bpy.data.actions),
        )
    else:
        armature = bpy.context.scene.objects[0].find_armature() or bpy.context.scene.objects[0]
        bpy.context.view_layer.objects.active = armature
        armature.data.transform(Matrix.Rotation(-np.pi / 2, 4, "X"))
        first, last = (round(frame) for frame in armature.animation_data.action.frame_range)
        bpy.ops.export_anim.bvh(filepath=str(path), frame_start=first, frame_end=last)


def write_clip(path, rename=lambda name: name, scale=1.0):
    """A file of the person without its mesh that walks; what Blender shows of it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    shape = make_biped_shape()
    armature = create_character(shape, bpy.context.scene.collection)
    (walk,) = write_gaits(armature, shape, ["walk"])
    for item in [item for item in bpy.data.objects if item.type == "MESH"]:
        bpy.data.objects.remove(item)
    versions.assign_action(armature, walk, versions.find_slot(walk, armature))
    seen = see(armature, walk)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = (round(frame) for frame in walk.frame_range)
    for bone in armature.data.bones:
        bone.name = rename(bone.name)
    if scale != 1.0:
        armature.data.transform(Matrix.Scale(scale, 4))
        slot = versions.find_slot(walk, armature)
        for curve in versions.get_curves(walk, slot):
            if curve.data_path.endswith("location"):
                for key in curve.keyframe_points:
                    key.co.y *= scale
                    key.handle_left.y *= scale
                    key.handle_right.y *= scale
    export(path)
    return seen


def write_person(path):
    """A file of the person with its mesh, at rest."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    create_character(make_biped_shape(), bpy.context.scene.collection)
    export(path)


def start():
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def shout(name):
    return f"mixamorig:{name.upper()}"


@pytest.mark.parametrize("kind", ["glb", "vrm", "fbx"])
def test_a_clip_with_other_prefix_and_case_becomes_the_characters(kind, tmp_path):
    seen = write_clip(tmp_path / f"walk.{kind}", shout, scale=100.0 if kind == "fbx" else 1.0)
    write_person(tmp_path / f"hero.{kind}")
    start()
    made = import_character([tmp_path / f"walk.{kind}", tmp_path / f"hero.{kind}"])
    armature = made.armature
    assert made.refusal is None
    assert made.remarks == ()
    (clip,) = made.clips
    assert not clip.is_transferred
    assert [item for item in bpy.data.objects if item.type == "ARMATURE"] == [armature]
    assert [(m.action, m.enabled) for m in armature.locomotion.motions] == [(clip.action, True)]
    size = np.ptp(seen, axis=(0, 1)).max()
    assert np.abs(see(armature, clip.action) - seen).max() < 2e-3 * size


def test_a_capture_is_carried_over_since_its_axes_are_others(tmp_path):
    seen = write_clip(tmp_path / "walk.bvh")
    write_person(tmp_path / "hero.glb")
    start()
    made = import_character([tmp_path / "hero.glb", tmp_path / "walk.bvh"])
    (clip,) = made.clips
    assert clip.is_transferred
    assert made.armature.locomotion.motions[0].action == clip.action
    # What the feet do is what they did; frames and places of captures are rounded.
    shown = see(made.armature, clip.action)
    heights = shown[:, :2, 2] - shown[:, :2, 2].min()
    before = seen[:, :2, 2] - seen[:, :2, 2].min()
    assert np.abs(heights - before).max() < 0.1 * np.ptp(before)


def test_bones_that_the_character_lacks_are_listed(tmp_path):
    write_clip(tmp_path / "walk.glb", lambda name: "wing" if name == "head" else name)
    write_person(tmp_path / "hero.glb")
    start()
    made = import_character([tmp_path / "hero.glb", tmp_path / "walk.glb"])
    (clip,) = made.clips
    assert clip.match.missing == ("wing",)
    (remark,) = made.remarks
    assert remark.startswith("walk.glb: 1 of its ")
    assert remark.endswith(" bones is not in Biped: wing") or "wing" in remark


def test_clips_are_given_to_the_active_character(tmp_path):
    write_clip(tmp_path / "stroll.glb", shout)
    start()
    armature = add_person(is_set_up=True)
    kept = [entry.action.name for entry in armature.locomotion.motions]
    made = import_character([tmp_path / "stroll.glb"], into=armature)
    assert made.armature == armature
    assert [item for item in bpy.data.objects if item.type == "ARMATURE"] == [armature]
    names = [entry.action.name for entry in armature.locomotion.motions]
    assert names == [*kept, made.clips[0].action.name]


def test_nothing_stays_of_what_fails_or_is_stopped(tmp_path):
    write_person(tmp_path / "hero.glb")
    start()
    before = list_data()
    with pytest.raises(FileError, match=r"nope\.fbx does not exist"):
        import_character([tmp_path / "nope.fbx"])
    assert list_data() == before
    steps = find_import([tmp_path / "hero.glb"])
    while next(steps)[1] != "finding legs":
        assert list_data() >= before
    assert list_data() > before
    steps.close()
    assert list_data() == before


def test_a_file_that_is_broken_does_not_take_the_others_along(tmp_path):
    write_person(tmp_path / "hero.glb")
    (tmp_path / "run.fbx").write_bytes(b"")
    start()
    made = import_character([tmp_path / "run.fbx", tmp_path / "hero.glb"])
    assert made.remarks == (
        f"run.fbx was left out: {tmp_path / 'run.fbx'} is empty: export it again from its program",
    )


def test_a_character_without_set_up_takes_no_clips(tmp_path):
    armature = add_person()
    with pytest.raises(RigError, match="is not set up"):
        import_character([tmp_path / "walk.glb"], into=armature)


def test_the_operator_takes_files_as_a_drop_names_them(tmp_path):
    write_clip(tmp_path / "walk.glb")
    write_person(tmp_path / "hero.glb")
    start()
    result = bpy.ops.import_scene.locomotion_character(
        "INVOKE_DEFAULT",
        filepath=str(tmp_path / "hero.glb"),
        directory=str(tmp_path),
        files=[{"name": "hero.glb"}, {"name": "walk.glb"}],
    )
    assert result == {"FINISHED"}
    active = bpy.context.view_layer.objects.active
    assert len(active.locomotion.legs) == 2
    assert [entry.enabled for entry in active.locomotion.motions] == [True]
    with pytest.raises(RuntimeError, match="no file is named"):
        bpy.ops.import_scene.locomotion_character()


def test_files_that_can_be_dropped_are_those_that_are_read():
    handler = bpy.types.FileHandler.bl_rna_get_subclass_py("IMPORT_SCENE_FH_locomotion_character")
    assert handler.bl_file_extensions == ".glb;.gltf;.vrm;.fbx;.bvh"
    assert handler.bl_import_operator == "import_scene.locomotion_character"
