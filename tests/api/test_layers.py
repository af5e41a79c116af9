# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers over a walk, as the evaluated scene shows them."""

from __future__ import annotations

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector

from benchmarks.terrain_shapes import make_bumps
from semi_procedural_locomotion.api.layers import add_layer
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs
from semi_procedural_locomotion.blender.setup.weights import key_weight
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from semi_procedural_locomotion.errors import SettingError
from tests.scenes import add_mesh, add_person, select_only

ARM = "upper_arm.R"


def make_wave(armature, bones=(ARM,), interpolation="LINEAR"):
    """An action in which bones turn half a radian about X in 20 frames and back again."""
    action = bpy.data.actions.new("Wave")
    _slot, bag = versions.ensure_channelbag(action, armature)
    for bone in bones:
        armature.pose.bones[bone].rotation_mode = "XYZ"
        for axis in range(3):
            path = armature.pose.bones[bone].path_from_id("rotation_euler")
            curve = versions.add_curve(bag, path, axis, bone)
            for frame, value in ((1, 0.0), (21, 0.5 * (axis == 0)), (41, 0.0)):
                key = curve.keyframe_points.insert(frame, value)
                key.interpolation = interpolation
    return action


@pytest.fixture
def ready():
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 60
    return armature


def read_bases(armature, bones, frames):
    """Rotations against rest of bones as the scene shows them, (N, K, 3, 3), and their heads."""
    turns, places = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        turns.append([np.array(shown.pose.bones[b].matrix_basis.to_3x3()) for b in bones])
        places.append([np.array(shown.matrix_world @ shown.pose.bones[b].head) for b in bones])
    return np.array(turns), np.array(places)


def list_feet(armature):
    return [leg.bones[-1].name for leg in armature.locomotion.legs]


def add_bumps(armature):
    character = read_character(armature)
    length = character.rig.leg_length
    shape = make_bumps(length, 1.5 * length, heading=np.pi, height=0.05)
    add_mesh("Bumps", shape.vertices, shape.triangles.tolist())


def see_hips(armature):
    """Height of the hips in the frames of the scene, metres."""
    scene = bpy.context.scene
    frames = range(scene.frame_start, scene.frame_end + 1)
    return read_bases(armature, ["hips"], frames)[1][:, 0, 2]


def find_layer_curves(armature):
    action, slot = versions.get_assigned_action(armature)
    curves = versions.get_curves(action, slot)
    return [curve for curve in curves if curve.data_path.startswith("locomotion.layers")]


def turn_x(angles):
    c, s = np.cos(angles), np.sin(angles)
    turns = np.zeros((len(angles), 3, 3))
    turns[:, 0, 0], turns[:, 1, 1], turns[:, 2, 2] = 1.0, c, c
    turns[:, 1, 2], turns[:, 2, 1] = -s, s
    return turns


def make_crouch(armature, drop):
    """An action in which the hips sink by a height in metres from its second frame on."""
    action = bpy.data.actions.new("Crouch")
    _, bag = versions.ensure_channelbag(action, armature)
    down = armature.data.bones["hips"].matrix_local.to_3x3().inverted() @ Vector((0, 0, -drop))
    for axis in range(3):
        curve = versions.add_curve(bag, 'pose.bones["hips"].location', axis, "hips")
        for frame, value in ((1, 0.0), (2, down[axis]), (100, down[axis])):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    return action


def test_an_arm_waves_over_the_walk(ready):
    frames = [1, 11, 21, 31, 45]
    bpy.ops.anim.locomotion_bake()
    _, feet = read_bases(ready, list_feet(ready), frames)
    add_layer(ready, make_wave(ready), mask="whole_body", soft=0)
    bpy.ops.anim.locomotion_bake()
    turns, _ = read_bases(ready, [ARM], frames)
    wanted = turn_x(np.array([0.0, 0.25, 0.5, 0.25, 0.1]))
    np.testing.assert_allclose(turns[:, 0], wanted, atol=1e-4)
    np.testing.assert_allclose(read_bases(ready, list_feet(ready), frames)[1], feet, atol=1e-5)
    report = measure_baked(ready, bpy.context.scene).as_dict()
    assert report["shown_off_plan"] < 1e-4
    bpy.ops.anim.locomotion_bake_remove()
    assert len(ready.locomotion.layers) == 1


def test_stepped_keys_step_and_weights_that_are_keyed_step_too(ready):
    add_layer(ready, make_wave(ready, interpolation="CONSTANT"), bone=ARM, soft=0, start=1)
    key_weight(ready, "layers", 0, [(1.0, 0.0), (30.0, 1.0)])
    for curve in find_layer_curves(ready):
        for key in curve.keyframe_points:
            key.interpolation = "CONSTANT"
    bpy.ops.anim.locomotion_bake()
    turns, _ = read_bases(ready, [ARM], [29, 30, 40, 41, 60])
    plain = turns[0, 0]
    np.testing.assert_allclose(turns[1:3, 0], turn_x(np.full(2, 0.5)), atol=1e-4)
    np.testing.assert_allclose(turns[3:, 0], turn_x(np.zeros(2)), atol=1e-4)
    assert np.abs(plain - np.eye(3)).max() > 0.02


def test_a_crouch_that_is_keyed_keeps_feet_on_bumps(ready):
    scene = bpy.context.scene
    add_bumps(ready)
    bpy.ops.anim.locomotion_bake()
    plain = see_hips(ready)
    add_layer(ready, make_crouch(ready, 0.12), mask="whole_body", soft=0, mode="add")
    ready.locomotion.layers[0].repeats = False
    ready.locomotion.layers[0].start = -20
    ready.locomotion.layers[0].rate = 0.5
    key_weight(ready, "layers", 0, [(1.0, 0.0), (20.0, 0.0), (32.0, 1.0), (48.0, 1.0), (60.0, 0.0)])
    bpy.ops.anim.locomotion_bake()
    hips = see_hips(ready)
    np.testing.assert_allclose(hips[:12], plain[:12], atol=0.01)
    # Over bumps a crouched body rises for legs that would fold flat.
    lower = (plain - hips)[35:44]
    assert lower.min() > 0.01
    assert lower.max() > 0.05
    report = measure_baked(ready, scene).as_dict()
    assert report["feet_slide_worst"] < 0.005
    assert report["feet_sink_worst"] < 0.006
    assert report["shown_off_plan"] < 1e-3


def test_keys_of_layers_follow_where_the_list_changes_and_are_noticed(ready):
    action = make_wave(ready)
    for name in ("low", "high"):
        add_layer(ready, action, name, keys=[(1.0, 0.0), (40.0, 1.0)], bone=ARM)
    data, scene = ready.locomotion, bpy.context.scene
    fingerprint = fingerprint_inputs(ready, scene)
    scene.frame_set(25)
    assert fingerprint_inputs(ready, scene) == fingerprint
    data.active_layer = 1
    bpy.ops.anim.locomotion_list(target="LAYERS", change="UP")
    assert [entry.name for entry in data.layers] == ["high", "low"]
    bpy.ops.anim.locomotion_list(target="LAYERS", change="REMOVE")
    assert [curve.data_path for curve in find_layer_curves(ready)] == [
        "locomotion.layers[0].weight"
    ]
    assert fingerprint_inputs(ready, scene) != fingerprint
    before = fingerprint_inputs(ready, scene)
    data.layers[0].soft = 3
    assert fingerprint_inputs(ready, scene) != before


def test_layers_that_cannot_be_are_refused_in_words(ready):
    action = make_wave(ready)
    with pytest.raises(SettingError, match="no bone 'Tail'"):
        add_layer(ready, action, bone="Tail")
    assert not len(ready.locomotion.layers)
    with pytest.raises(SettingError, match="weight must be a number from 0 to 1"):
        add_layer(ready, action, keys=[(1, 2.0)])
    add_layer(ready, action, bone="upper_arm.L")
    with pytest.raises(RuntimeError, match="'Wave' keys none of its bones"):
        bpy.ops.anim.locomotion_bake()
    assert versions.get_assigned_action(ready)[0] is None
    ready.locomotion.layers[0].weight = 0.0
    bpy.ops.anim.locomotion_bake()
    with pytest.raises(SettingError, match="no bone collection 'Arms'"):
        add_layer(ready, action, collection="Arms")


def test_a_collection_of_bones_is_a_mask(ready):
    arms = ready.data.collections.new("Arms")
    arms.assign(ready.data.bones[ARM])
    add_layer(ready, make_wave(ready, (ARM, "head")), collection="Arms", soft=0)
    bpy.ops.anim.locomotion_bake()
    turns, _ = read_bases(ready, [ARM, "head"], [21])
    np.testing.assert_allclose(turns[0, 0], turn_x(np.array([0.5]))[0], atol=1e-4)
    assert np.abs(turns[0, 1] - turn_x(np.array([0.5]))[0]).max() > 0.1


def list_kinds(armature):
    return [note["kind"] for note in json.loads(armature.locomotion.report.notes or "[]")]


def test_layers_that_change_nothing_are_told(ready):
    action = make_wave(ready)
    add_layer(ready, action, "late", bone=ARM, start=500, repeats=False)
    bpy.ops.anim.locomotion_bake()
    assert "layer_idle" in list_kinds(ready)
    ready.locomotion.layers[0].start = 1
    bpy.ops.anim.locomotion_bake()
    assert "layer_idle" not in list_kinds(ready)
    still = make_crouch(ready, 0.1)
    still.use_frame_range, still.frame_start, still.frame_end = True, 50, 60
    add_layer(ready, still, "still", mask="whole_body", mode="add")
    bpy.ops.anim.locomotion_bake()
    assert "layer_idle" in list_kinds(ready)


def test_hips_that_legs_cannot_follow_are_told_and_feet_stand(ready):
    """Sat down to the ankles, and lifted off the ground."""
    for drop in (0.55, -0.5):
        while len(ready.locomotion.layers):
            bpy.ops.anim.locomotion_list(target="LAYERS", change="REMOVE")
        action = make_crouch(ready, drop)
        add_layer(ready, action, mask="whole_body", mode="add", soft=0, start=-20, repeats=False)
        bpy.ops.anim.locomotion_bake()
        report = json.loads(ready.locomotion.report.values)
        assert report["feet_slide_worst"] < 0.005
        assert report["shown_sink_worst"] < 0.006
        assert report["shown_airborne_share"] == 0.0
        kinds = list_kinds(ready)
        assert "walk_off_motion" not in kinds
        if drop < 0:
            assert "layer_strains" in kinds
        else:
            assert see_hips(ready).max() < 0.5


def test_keys_of_weights_count_where_the_bake_plays_in_a_strip(ready):
    add_layer(ready, make_wave(ready), bone=ARM, soft=0)
    bpy.ops.anim.locomotion_bake(use_strip=True)
    layer = ready.locomotion.layers[0]
    for frame, weight in ((10, 0.0), (30, 1.0)):
        layer.weight = weight
        ready.keyframe_insert("locomotion.layers[0].weight", frame=frame)
    bpy.ops.anim.locomotion_bake(use_strip=True)
    turns, _ = read_bases(ready, [ARM], [5, 41])
    bpy.ops.anim.locomotion_bake_remove()
    assert np.abs(turns[0, 0] - turn_x(np.array([0.1]))[0]).max() > 0.02
    np.testing.assert_allclose(turns[1, 0], np.eye(3), atol=1e-4)


def test_a_driven_weight_is_told(ready):
    add_layer(ready, make_wave(ready), bone=ARM)
    driver = ready.driver_add("locomotion.layers[0].weight").driver
    driver.expression = "0.5"
    bpy.ops.anim.locomotion_bake()
    assert "weight_driven" in list_kinds(ready)


@pytest.mark.parametrize("mask", ["upper_body", "whole_body"])
def test_beasts_keep_their_legs(mask):
    """Bones between hips and shoulders carry legs, which are planted anew where these move."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    shape = make_quadruped_shape()
    armature = create_character(shape, scene.collection)
    for action in write_gaits(armature, shape, ["walk", "rest"]):
        action.use_fake_user = True
    select_only(armature)
    bpy.ops.anim.locomotion_setup()
    frames = [4, 12, 20, 28, 36]
    bpy.ops.anim.locomotion_bake()
    _, before = read_bases(armature, list_feet(armature), frames)
    bones = [bone.name for bone in armature.data.bones if bone.use_deform]
    add_layer(armature, make_wave(armature, bones), mask=mask, soft=0, mode="add", weight=0.1)
    bpy.ops.anim.locomotion_bake()
    _, after = read_bases(armature, list_feet(armature), frames)
    report = measure_baked(armature, scene).as_dict()
    assert report["shown_off_plan"] < 1e-3
    # Hips that rise and fall with the spine bring front legs near to straight: some hundredths of 1 %.
    assert report["shown_slip_worst"] < 0.005
    assert report["shown_sink_worst"] < 0.006
    if mask == "upper_body":
        np.testing.assert_allclose(after, before, atol=1e-4)
