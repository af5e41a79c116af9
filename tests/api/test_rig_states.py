# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs as productions have them: rotation modes, two armatures of one character, scripts that are off."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.verifying import verify_baked
from semi_procedural_locomotion.blender.values import scripted
from tests.scenes import add_person

pytestmark = pytest.mark.newest

MODES = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "AXIS_ANGLE", "QUATERNION"]


@pytest.fixture
def person():
    """The project's person, selected and active; not set up."""
    armature = add_person()
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


def is_shown_as_planned(armature):
    return verify_baked(armature, bpy.context.scene).share < 1e-4


@pytest.mark.parametrize("has_constraint", [False, True])
def test_modes_that_were_changed_since_the_clip_was_made(person, has_constraint):
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    if has_constraint:
        limit = person.pose.bones["chest"].constraints.new("LIMIT_ROTATION")
        limit.owner_space = "LOCAL"
    for number, bone in enumerate(person.pose.bones):
        bone.rotation_mode = MODES[number % len(MODES)]
    assert verify_baked(person, bpy.context.scene).cause.kind == "mode"
    bpy.ops.anim.locomotion_bake()
    assert is_shown_as_planned(person)


def sample_heads(armature, frames):
    """World places of all bones' heads at frames, shape (N, B, 3)."""
    places = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append([shown.matrix_world @ bone.head for bone in shown.pose.bones])
    return np.array(places)


def test_an_armature_that_deforms_after_another_one(person):
    scene = bpy.context.scene
    deforming = person.copy()
    deforming.data = person.data.copy()
    deforming.name = "Deforming"
    deforming.animation_data_clear()
    scene.collection.objects.link(deforming)
    deforming.select_set(False)
    for mesh in [item for item in scene.objects if item.type == "MESH"]:
        mesh.parent = deforming
        for modifier in mesh.modifiers:
            modifier.object = deforming
    for bone in deforming.pose.bones:
        constraint = bone.constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = person, bone.name
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    assert is_shown_as_planned(person)
    frames = (1, 15, 30)
    both = [sample_heads(item, frames) for item in (person, deforming)]
    assert np.allclose(*both, atol=1e-5)
    assert np.ptp(both[0][:, 1, 2]) < 0.1  # its own mesh is no ground
    person.select_set(False)
    deforming.select_set(True)
    bpy.context.view_layer.objects.active = deforming
    bpy.ops.anim.locomotion_setup()
    with pytest.raises(RuntimeError, match="its bones copy those of 'Walker', set that up"):
        bpy.ops.anim.locomotion_bake()


def test_python_drivers_of_legs_are_told_where_scripts_are_off(person, monkeypatch):
    # Blender as a module runs them whatever the preferences say.
    monkeypatch.setattr(scripted, "are_scripts_off", lambda: True)
    constraint = person.pose.bones["shin.L"].constraints.new("LIMIT_ROTATION")
    constraint.owner_space = "LOCAL"
    driver = constraint.driver_add("influence").driver
    driver.expression = "frame * 0.0"
    assert scripted.note_blocked_drivers(person, {"shin.L"}) == []
    driver.expression = "[0.0, 1.0][int(frame) % 2]"
    assert scripted.note_blocked_drivers(person, {"chest"}) == []
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    told = person.locomotion.report.warnings
    assert "1 driver of the legs' bones" in told
    assert "scripts are off for this file" in told
