# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles of characters whose rest pose stands on tiptoe, in heels, mid-step or with a leg lifted."""

from __future__ import annotations

import json
from math import radians

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Quaternion

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from tests.api.test_shown_agreement import list_feet, make_ground, set_up
from tests.meters import find_stands, measure_float, measure_sink, mesh_heights, see_feet
from tools.compatibility.relatives import _apply_skin, _key_pose, find_meshes

pytestmark = pytest.mark.newest

LAST = 44
# Degrees by which bones are bent about their own x in each rest pose.
TIPTOE = {"foot": -40.0, "toe": 35.0}
RESTS = {
    "tiptoe": {f"{bone}.{side}": angle for side in "LR" for bone, angle in TIPTOE.items()},
    "one tiptoe": {f"{bone}.L": angle for bone, angle in TIPTOE.items()},
    "lifted": {"thigh.L": -75.0, "shin.L": 85.0, "foot.L": -20.0},
    "mid-step": None,
}


def rest_in(name, heels=False):
    """The project's person, its rest pose another and its walk the same; with heels under its shoes."""
    armature = create_biped(bpy.context.scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    scene, walk = bpy.context.scene, bpy.data.actions[0]
    armature.animation_data_create()
    versions.assign_action(armature, walk, versions.find_slot(walk, armature) or "")
    first, last = (round(frame) for frame in walk.frame_range)
    bones, poses = armature.pose.bones, []
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        poses.append({bone.name: bone.matrix.copy() for bone in bones})
    scene.frame_set(first + (last - first) // 4)
    if RESTS[name] is not None:
        armature.animation_data.action = None
        for bone in bones:
            bone.matrix_basis.identity()
        for bone, angle in RESTS[name].items():
            bones[bone].rotation_mode = "QUATERNION"
            bones[bone].rotation_quaternion = Quaternion((1.0, 0.0, 0.0), radians(angle))
    bpy.context.view_layer.update()
    flat = {bone.name: bone.bone.matrix_local.copy() for bone in bones}
    bent = {bone.name: flat[bone.name].inverted() @ bone.matrix for bone in bones}
    for item in find_meshes(armature):
        _apply_skin(item)
        if heels:
            add_heels(item)
    armature.animation_data.action = None
    bpy.ops.object.mode_set(mode="POSE")
    bpy.ops.pose.armature_apply(selected=False)
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.animation_data.action = bpy.data.actions.new("New Walk")
    for frame, pose in enumerate(poses, start=first):
        for side in "LR" if heels else "":
            # Feet walk as steeply as their heels are high, and the toes as flat as before.
            foot, toe = f"foot.{side}", f"toe.{side}"
            pose[foot] = pose[foot] @ bent[foot].to_3x3().to_4x4()
            pose[toe].translation = (pose[foot] @ flat[foot].inverted() @ flat[toe]).translation
        _key_pose(armature, pose, frame)
    bpy.data.actions.remove(walk)
    return armature


def add_heels(item):
    """Draw what is under the rear of a foot on tiptoe down to where its toes are."""
    names = {group.index: group.name for group in item.vertex_groups}
    held = [{names[g.group][:-2]: g.weight for g in v.groups} for v in item.data.vertices]
    points = np.array([vertex.co for vertex in item.data.vertices])
    floor = points[[own.get("toe", 0.0) > 0.5 for own in held], 2].min()
    for vertex, own, place in zip(item.data.vertices, held, points, strict=True):
        if own.get("foot", 0.0) > 0.9 and place[1] > 0.03:
            beside = (np.abs(points[:, :2] - place[:2]) < (0.05, 0.02)).all(axis=1)
            if place[2] < points[beside, 2].min() + 0.02:
                vertex.co.z = floor


@pytest.mark.parametrize(
    ("name", "heels", "ground", "size", "heading"),
    [
        ("tiptoe", False, "flat", 1.0, 0.0),
        ("one tiptoe", False, "stairs", 0.01, 90.0),
        ("lifted", False, "flat", 10.0, 33.0),
        ("mid-step", False, "stairs", 1.0, 200.0),
        ("tiptoe", True, "flat", 100.0, -60.0),
        ("tiptoe", True, "stairs", 1.0, 0.0),
    ],
)
def test_feet_stand_on_their_meshes_however_they_rest(name, heels, ground, size, heading):
    armature = rest_in(name, heels)
    armature.scale = (size,) * 3
    armature.rotation_mode = "XYZ"
    armature.rotation_euler = (0.0, 0.0, radians(heading))
    bpy.context.view_layer.update()
    set_up(armature)
    data = armature.locomotion
    length = size * float(np.mean([leg.length for leg in data.legs]))
    item = make_ground(ground, armature, length, tuple(data.forward)[:2])
    data.ground.source = "OBJECTS"
    data.ground.objects.add().object = item
    bpy.context.scene.frame_end = LAST
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    length = json.loads(data.report.values)["leg_length"]
    feet = see_feet(armature, list_feet(armature), range(1, LAST + 1), mesh_heights(item))
    stands = find_stands(feet, length, bpy.context.scene.render.fps)
    assert all(own.any() for own in stands)
    assert measure_sink(feet) < 0.004 * length
    assert measure_float(feet, stands) < 0.003 * length
