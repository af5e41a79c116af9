# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks of characters that stand right only in a pose which no clip keys, as Blender shows them."""

from __future__ import annotations

import json
from math import radians

import pytest

bpy = pytest.importorskip("bpy")

import numpy as np
from mathutils import Matrix, Quaternion

from semi_procedural_locomotion.api.clips import PreparedClip, write_prepared
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.setups import bake_set_up, remove_set_up_bake, set_up
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.importing import import_file
from semi_procedural_locomotion.blender.reading.sampling import sample_action
from tests.held_rigs import build_away
from tests.scenes import add_person

pytestmark = pytest.mark.newest
_AWAY = Matrix.Translation((0.2, 0.5, 0.1)) @ Matrix.Rotation(radians(105), 4, "X")


def _bake(armature, output_to="object"):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    scene.frame_set(1)
    armature.locomotion.travel.output_to = output_to.upper()
    bake_set_up(armature, scene)
    return json.loads(armature.locomotion.report.values)


def _sample_heads(armature, frames=(1, 20, 40, 60)):
    """World places of all feet as Blender shows them, shape (F, K, 3)."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        names = [leg.bones[-1].name for leg in armature.locomotion.legs]
        found.append([list(shown.matrix_world @ shown.pose.bones[n].head) for n in names])
    return np.array(found)


def _read_set_up(armature):
    """What a set-up keeps of held bones, legs and front."""
    data = armature.locomotion
    held = [(b.name, tuple(b.location), tuple(b.rotation), tuple(b.scale)) for b in data.held]
    legs = [(leg.name, leg.length, tuple(leg.heel.offset)) for leg in data.legs]
    return held, legs, tuple(data.forward)


@pytest.mark.parametrize("output_to", ["object", "bone"])
def test_a_held_root_is_baked_as_it_is_read(output_to):
    armature = add_person()
    set_up(armature)
    _bake(armature)
    usual = _sample_heads(armature)
    remove_set_up_bake(armature)
    build_away(armature, _AWAY)
    set_up(armature)
    report = _bake(armature, output_to)
    assert report["shown_off_plan"] < 1e-4
    assert report["feet_slide_worst"] < 2e-3
    assert _sample_heads(armature) == pytest.approx(usual, abs=5e-3)


def test_a_reading_stays_the_same_after_bakes_undone_poses_and_reloading(tmp_path):
    armature = add_person()
    build_away(armature, _AWAY)
    set_up(armature)
    before = _read_set_up(armature)
    assert [bone[0] for bone in before[0]] == ["Carrier0"]
    _bake(armature, "bone")
    bpy.context.scene.frame_set(33)
    set_up(armature)
    assert _read_set_up(armature) == before
    remove_set_up_bake(armature)
    # What a user or another action does to it afterwards does not count until it is set up again.
    armature.pose.bones["Carrier0"].matrix_basis = Matrix.Rotation(1.0, 4, "Y")
    assert _bake(armature)["shown_off_plan"] < 1e-4
    remove_set_up_bake(armature)
    path = str(tmp_path / "held.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    loaded = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    assert _read_set_up(loaded) == before
    assert _bake(loaded)["shown_off_plan"] < 1e-4


def test_a_held_bone_that_is_renamed_is_held_still():
    armature = add_person()
    build_away(armature, _AWAY)
    set_up(armature)
    _bake(armature)
    usual = _sample_heads(armature)
    armature.data.bones["Carrier0"].name = "Crane"
    assert _bake(armature)["shown_off_plan"] < 1e-4
    assert _sample_heads(armature) == pytest.approx(usual, abs=1e-4)


def test_a_written_clip_holds_what_was_held():
    armature = add_person()
    build_away(armature, _AWAY)
    set_up(armature)
    character = read_character(armature)
    walk = next(a for a in bpy.data.actions if a.name.endswith("Walk"))
    clip = sample_action(armature, walk, character.rig.skeleton)
    copied = write_prepared(character, PreparedClip(clip), "Copied")
    armature.pose.bones["Carrier0"].matrix_basis = Matrix()
    shown = []
    for action in (walk, copied):
        if action is walk:
            armature.pose.bones["Carrier0"].matrix_basis = _held_basis(armature)
        versions.assign_action(armature, action, versions.find_slot(action, armature))
        shown.append(_sample_heads(armature, (1, 9)))
        armature.pose.bones["Carrier0"].matrix_basis = Matrix()
    assert shown[1] == pytest.approx(shown[0], abs=1e-4)
    # The clip keys the bone; set up again it is held all the same.
    before = _held_basis(armature)
    set_up(armature)
    assert [bone.name for bone in armature.locomotion.held] == ["Carrier0"]
    assert np.array(_held_basis(armature)) == pytest.approx(np.array(before), abs=1e-5)


def _held_basis(armature):
    entry = armature.locomotion.held[0]
    return Matrix.LocRotScale(entry.location, Quaternion(entry.rotation), entry.scale)


@pytest.mark.parametrize("suffix", [".glb", ".fbx"])
def test_exported_poses_come_back_as_they_were_read(tmp_path, suffix):
    armature = add_person()
    build_away(armature, Matrix.Rotation(radians(105), 4, "X"))
    set_up(armature)
    names = [[bone.name for bone in leg.bones] for leg in armature.locomotion.legs]
    for action in bpy.data.actions:
        track = armature.animation_data_create().nla_tracks.new()
        track.strips.new(action.name, 1, action)
        track.mute = True
    path = tmp_path / f"held{suffix}"
    if suffix == ".glb":
        bpy.ops.export_scene.gltf(
            filepath=str(path),
            export_force_sampling=False,
            export_rest_position_armature=False,
            export_reset_pose_bones=False,
        )
    else:
        bpy.ops.export_scene.fbx(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    import_file(path)
    loaded = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    set_up(loaded)
    assert [[bone.name for bone in leg.bones] for leg in loaded.locomotion.legs] == names
    assert _bake(loaded)["shown_off_plan"] < 1e-4
    assert np.ptp(_sample_heads(loaded)[..., 1]) > 0.5
