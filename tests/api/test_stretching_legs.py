# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips whose legs stretch: feet stand on the ground all the same, as the meshes show."""

from __future__ import annotations

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.curves import build_bone_path
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from tests.blender.rigs import make_walker_under_ik
from tests.meters import (
    find_stands,
    level_heights,
    measure_hover,
    measure_sink,
    measure_slip,
    see_feet,
)

pytestmark = pytest.mark.newest

LAST = 60
FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))


def bake(armature):
    """Set up and bake on level ground; the length of its legs."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    return json.loads(armature.locomotion.report.values)["leg_length"]


def see(armature):
    """Its feet over the whole walk."""
    return see_feet(armature, FEET, range(1, LAST + 1), level_heights)


def stretch(action, slot, bone, sizes):
    """Key the size of a bone over a clip."""
    bag = versions.get_channelbag(action, slot)
    first, last = action.frame_range
    for axis in range(3):
        curve = versions.add_curve(bag, build_bone_path(bone, "scale"), axis, bone)
        for frame, size in zip(np.linspace(first, last, len(sizes)), sizes, strict=True):
            point = curve.keyframe_points.insert(float(frame), size)
            point.interpolation = "LINEAR"


@pytest.mark.parametrize("amount", [0.02, 0.05])
def test_legs_that_a_clip_scales(amount):
    armature = create_biped(bpy.context.scene.collection)
    walk = write_gaits(armature, make_biped_shape(), ["walk"])[0]
    slot = versions.find_slot(walk, armature)
    phases = np.linspace(0.0, 2.0 * np.pi, 25)
    for side, shift in (("L", 0.0), ("R", np.pi)):
        stretch(walk, slot, f"thigh.{side}", 1.0 + 0.5 * amount * np.sin(phases + shift))
        stretch(walk, slot, f"shin.{side}", 1.0 + 0.5 * amount * np.sin(phases + shift))
    length = bake(armature)
    feet = see(armature)
    assert measure_sink(feet) < 0.004 * length
    assert measure_hover(feet) < 0.004 * length
    stands = find_stands(feet, length, bpy.context.scene.render.fps)
    assert measure_slip(feet, stands, 0.001 * length) < 0.005 * length
    keyed = {c.data_path for c in versions.get_curves(*versions.get_assigned_action(armature))}
    assert build_bone_path("thigh.L", "scale") in keyed


@pytest.mark.parametrize("lift", [0.02, 0.05])
def test_legs_that_ik_stretches(lift):
    armature = make_walker_under_ik(bpy.context.scene)
    for bone in armature.pose.bones:
        bone.ik_stretch = 0.2 if bone.name[:5] in ("thigh", "shin.") else 0.0
    walk = next(a for a in bpy.data.actions if versions.find_slot(a, armature) is not None)
    curves = versions.get_curves(walk, versions.find_slot(walk, armature))
    body = next(c for c in curves if "hips" in c.data_path and "location" in c.data_path)
    along = {c.array_index: c for c in curves if c.data_path == body.data_path}
    rest = np.array(armature.data.bones["hips"].matrix_local)[:3, :3]
    for axis, curve in along.items():
        for point in curve.keyframe_points:
            point.co.y += lift * rest[2, axis]
        curve.update()
    length = bake(armature)
    feet = see(armature)
    assert measure_sink(feet) < 0.004 * length
    assert measure_hover(feet) < 0.004 * length


def test_a_switch_that_the_clip_keys_goes_with_the_walk_and_comes_back():
    armature = make_walker_under_ik(bpy.context.scene)
    walk = next(a for a in bpy.data.actions if versions.find_slot(a, armature) is not None)
    foot = armature.pose.bones["foot.L"]
    armature["reach"], foot["mode"] = 0.25, 2
    versions.assign_action(armature, walk, versions.find_slot(walk, armature))
    armature["reach"], foot["mode"] = 1.0, 1
    armature.keyframe_insert('["reach"]', frame=1)
    foot.keyframe_insert('["mode"]', frame=1)
    versions.assign_action(armature, None, "")
    armature["reach"], foot["mode"] = 0.25, 2
    for side in "LR":
        constraint = armature.pose.bones[f"shin.{side}"].constraints["Reach.001"]
        driver = constraint.driver_add("influence").driver
        variable = driver.variables.new()
        variable.name = "reach"
        variable.targets[0].id = armature
        variable.targets[0].data_path = '["reach"]'
        driver.expression = "1 - reach"
    length = bake(armature)
    assert measure_sink(see(armature)) < 0.004 * length
    assert armature.locomotion.report.warnings.count("driven") == 0
    bpy.context.scene.frame_set(20)
    assert armature["reach"] == pytest.approx(1.0)
    assert foot["mode"] == 1
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert armature["reach"] == pytest.approx(0.25)
    assert (foot["mode"], type(foot["mode"])) == (2, int)
