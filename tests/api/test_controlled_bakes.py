# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks baked on the controls of a rig, as the scene shows them."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.api.baking import remove_bake
from semi_procedural_locomotion.api.layers import add_layer
from semi_procedural_locomotion.api.live_recording import start_recording, stop_recording
from semi_procedural_locomotion.api.verifying import verify_baked
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.setup.controls import write_controls
from semi_procedural_locomotion.blender.values.curves import split_bone_path
from semi_procedural_locomotion.core.rig.controls import targets
from tests.blender.controls.people import DEFORMING, make_person_on_controls, map_person
from tests.scenes import recall, select_only

LAST = 40
ON_CONTROLS = {"torso", "ik.foot.L", "ik.foot.R"}


@pytest.fixture
def person():
    """A person on controls, set up with them."""
    armature = recall("person on controls that is set up", set_up_person)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    select_only(armature)
    yield armature
    watching.put_back_all(forget=True)


def set_up_person():
    """A person on controls, set up with them."""
    armature = make_person_on_controls()
    select_only(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    legs = tuple(leg.name for leg in armature.locomotion.legs)
    write_controls(armature, map_person(armature, legs), keeps_edits=False)
    armature.locomotion.settings.output = "CONTROLS"
    bpy.context.scene.frame_set(1)
    return armature


def list_keyed(armature):
    """Names of the bones, and paths of the object, that the playing action keys."""
    action, slot = versions.get_assigned_action(armature)
    curves = versions.get_curves(action, slot)
    return {split_bone_path(curve.data_path)[0] or curve.data_path for curve in curves}


def see_heads(armature, frames, names=("foot.L", "foot.R")):
    """World places of bones as the scene shows them, shape (N, K, 3)."""
    scene, found = bpy.context.scene, []
    for frame in frames:
        scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([shown.matrix_world @ shown.pose.bones[name].head for name in names])
    return np.array(found)


def test_a_bake_keys_controls_and_is_taken_back(person):
    armature = person
    armature["fk"] = 1.0
    before = see_heads(armature, (20, 1))
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    keyed = list_keyed(armature)
    assert keyed >= ON_CONTROLS
    assert keyed.isdisjoint({*DEFORMING, "hips"})
    assert not any("influence" in name or "constraints" in name for name in keyed)
    values = json.loads(armature.locomotion.report.values)
    assert values["shown_off_plan"] < 0.005
    assert values["feet_slide_worst"] < 0.004
    assert not armature.locomotion.report.warnings
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert list_keyed(armature) == keyed
    remove_bake(armature)
    assert armature["fk"] == 1.0
    assert np.abs(see_heads(armature, (20, 1)) - before).max() < 1e-6


def test_a_layer_that_turns_a_control_goes_with_the_walk(person):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    frames = (10, 20, 30)
    plain = see_heads(person, frames, ("foot.L", "foot.R", "hips", "head"))
    torso = person.pose.bones["torso"]
    action = bpy.data.actions.new("Sink")
    _, bag = versions.ensure_channelbag(action, person)
    down = torso.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, 0.0, -0.08))
    for axis in range(3):
        curve = versions.add_curve(bag, 'pose.bones["torso"].location', axis, "torso")
        for frame, value in ((1, 0.0), (2, down[axis]), (90, down[axis])):
            curve.keyframe_points.insert(frame, value).interpolation = "LINEAR"
    add_layer(person, action, mask="whole_body", mode="add", soft=0, start=-10, repeats=False)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    lower = plain - see_heads(person, frames, ("foot.L", "foot.R", "hips", "head"))
    np.testing.assert_allclose(lower[:, 2:, 2], 0.08, atol=0.012)
    assert np.abs(lower[:, :2]).max() < 0.004
    assert "hips" not in list_keyed(person)
    assert json.loads(person.locomotion.report.values)["shown_off_plan"] < 0.005


@pytest.mark.newest
def test_what_is_muted_on_a_control_is_found(person):
    armature = person
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    action, slot = versions.get_assigned_action(armature)
    for curve in versions.get_curves(action, slot):
        if "ik.foot.L" in curve.data_path and curve.data_path.endswith("location"):
            curve.mute = True
    found = verify_baked(armature, bpy.context.scene)
    assert not found.is_clean
    assert (found.cause.kind, found.cause.owner) == ("muted", "ik.foot.L")


@pytest.mark.newest
def test_where_knees_would_flip_the_walk_is_on_the_deforming_bones(person, monkeypatch):
    armature = person
    # No knee moves so little from one frame to the next, and so every one counts as flipped.
    monkeypatch.setattr(targets, "SOLVING", replace(targets.SOLVING, flipped=0.0))
    armature.locomotion.settings.output = "AUTOMATIC"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert list_keyed(armature) >= set(DEFORMING)
    assert "so the walk is on the deforming bones" in armature.locomotion.report.warnings
    remove_bake(armature)
    armature.locomotion.settings.output = "CONTROLS"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert list_keyed(armature).isdisjoint(DEFORMING)
    assert "lets the knee jump" in armature.locomotion.report.warnings.splitlines()[0]


@pytest.mark.newest
def test_a_stretched_out_leg_is_told(person):
    armature = person
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    armature.pose.bones["shin.L"].constraints["IK"].influence = 0.0
    armature.animation_data.drivers.remove(
        next(
            c
            for c in armature.animation_data.drivers
            if '"shin.L"].constraints["IK"' in c.data_path
        )
    )
    armature.pose.bones["shin.L"].constraints["IK"].influence = 0.0
    found = verify_baked(armature, bpy.context.scene)
    assert (found.cause.kind, found.leg) == ("controls", armature.locomotion.legs[0].name)


@pytest.mark.newest
def test_live_and_a_recording_show_the_bake(person):
    armature, scene = person, bpy.context.scene
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    baked = see_heads(armature, range(5, 15))
    remove_bake(armature)
    scene.frame_set(1)
    watching.start_live(armature, scene)
    start_recording(armature)
    shown = []
    for frame in range(5, 15):
        watching.show_frame(scene, frame)
        scene.frame_set(frame)
        watching.show_frame(scene, frame)
        bpy.context.view_layer.update()
        evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown.append(
            [evaluated.matrix_world @ evaluated.pose.bones[n].head for n in ("foot.L", "foot.R")]
        )
    assert np.abs(np.array(shown) - baked).max() < 0.004
    assert stop_recording(armature) == (5, 14)
    watching.stop_live(armature)
    assert list_keyed(armature) >= ON_CONTROLS
    assert list_keyed(armature).isdisjoint(DEFORMING)
    assert np.abs(see_heads(armature, range(5, 15)) - baked).max() < 0.004


@pytest.mark.newest
@pytest.mark.parametrize("output_to", ["bone", "none"])
def test_travel_is_carried_by_bones(person, output_to):
    armature = person
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    baked = see_heads(armature, (1, 20, LAST))
    armature.locomotion.travel.output_to = output_to.upper()
    bpy.context.scene.frame_set(1)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    keyed = list_keyed(armature)
    assert "location" not in keyed
    assert ("root" in keyed) == (output_to == "bone")
    assert keyed.isdisjoint({*DEFORMING, "mch.hips"})
    assert np.abs(see_heads(armature, (1, 20, LAST)) - baked).max() < 0.004


@pytest.mark.newest
def test_strips_below_move_no_control_that_rests(person):
    armature = person
    other = bpy.data.actions.new("Elsewhere")
    other.use_fake_user = True
    armature.animation_data_create().action = other
    foot = armature.pose.bones["ik.foot.L"]
    foot.keyframe_insert("scale", frame=1)
    foot.scale = (2.0, 2.0, 2.0)
    foot.keyframe_insert("scale", frame=20)
    foot.scale = (1.0, 1.0, 1.0)
    armature.animation_data.action = None
    armature.animation_data.nla_tracks.new().strips.new("Elsewhere", 1, other)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert json.loads(armature.locomotion.report.values)["shown_off_plan"] < 0.005


@pytest.mark.newest
def test_the_deforming_bones_on_request(person):
    armature = person
    armature.locomotion.settings.output = "BOTH"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    shown = see_heads(armature, range(1, LAST, 6))
    assert list_keyed(armature) >= {*ON_CONTROLS, *DEFORMING}
    for curve in list(armature.animation_data.drivers):
        armature.animation_data.drivers.remove(curve)
    for bone in armature.pose.bones:
        for constraint in list(bone.constraints):
            bone.constraints.remove(constraint)
    assert np.abs(see_heads(armature, range(1, LAST, 6)) - shown).max() < 1e-4
