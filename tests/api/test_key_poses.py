# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses that are stored, blended, keyed and copied, seen in the evaluated scene."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.key_poses import copy_key_pose, show_key_pose, store_pose
from semi_procedural_locomotion.demo.characters import create_biped
from semi_procedural_locomotion.errors import RigError

from ..scenes import add_person


def turn(armature, **angles):
    for name, angle in angles.items():
        bone = armature.pose.bones[name.replace("_L", ".L").replace("_R", ".R")]
        bone.rotation_mode = "XYZ"
        bone.rotation_euler.x = angle


def rest(armature):
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
        bone.location, bone.rotation_euler = (0, 0, 0), (0, 0, 0)
        bone.rotation_quaternion = (1, 0, 0, 0)


def see(armature, *names):
    """World directions of bones as the scene shows them."""
    bpy.context.view_layer.update()
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    turns = shown.matrix_world.to_3x3().normalized()
    return np.array([turns @ (shown.pose.bones[n].vector.normalized()) for n in names])


def test_a_pose_comes_back_by_shares_and_as_keys():
    armature = add_person()
    turn(armature, thigh_L=0.8)
    assert store_pose(armature, "Kick") == "Kick"
    assert store_pose(armature, "Kick", ["thigh.L"]) == "Kick.001"
    kick = see(armature, "thigh.L", "foot.L")
    rest(armature)
    before = see(armature, "thigh.L")
    show_key_pose(armature, "Kick.001", 0.5)
    half = see(armature, "thigh.L")
    angles = np.degrees(np.arccos([float(before[0] @ half[0]), float(half[0] @ kick[0])]))
    assert angles == pytest.approx(np.degrees([0.4, 0.4]), abs=0.01)
    assert show_key_pose(armature, "Kick", keys_frame=7.0) == ()
    assert see(armature, "thigh.L", "foot.L") == pytest.approx(kick, abs=1e-5)
    rest(armature)
    bpy.context.scene.frame_set(7)
    assert see(armature, "thigh.L", "foot.L") == pytest.approx(kick, abs=1e-5)


def test_a_pose_is_copied_by_names_in_spite_of_size_and_prefix():
    source, target = add_person(), create_biped(bpy.context.scene.collection)
    for bone in target.data.bones:
        bone.name = f"rig:{bone.name}"
    target.scale = (3.0,) * 3
    turn(source, thigh_L=0.8, forearm_R=-1.0)
    store_pose(source, "Reach")
    assert copy_key_pose(source, target) == ("Reach", True)
    show_key_pose(target)
    assert see(target, "rig:thigh.L", "rig:forearm.R") == pytest.approx(
        see(source, "thigh.L", "forearm.R"), abs=1e-4
    )


def test_a_pose_is_copied_by_the_body_where_names_tell_nothing():
    source, target = add_person(), create_biped(bpy.context.scene.collection)
    names = {bone.name: f"b{number:02d}" for number, bone in enumerate(target.data.bones)}
    for bone in target.data.bones:
        bone.name = names[bone.name]
    turn(source, thigh_L=0.6, shin_L=-0.6, upper_arm_R=0.5, spine=0.2)
    store_pose(source, "Step")
    assert copy_key_pose(source, target) == ("Step", False)
    show_key_pose(target)
    asked = ("thigh.L", "upper_arm.R", "spine")
    shown = see(target, *(names[name] for name in asked))
    assert shown == pytest.approx(see(source, *asked), abs=0.05)


def test_what_is_not_there_is_named():
    armature = add_person()
    with pytest.raises(RigError, match="has no key pose: store one first"):
        show_key_pose(armature)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.pose.locomotion_store(name="Stand") == {"FINISHED"}
    assert bpy.ops.pose.locomotion_show(share=0.5, use_keys=True) == {"FINISHED"}
    assert not bpy.ops.pose.locomotion_copy.poll()
    assert bpy.ops.pose.locomotion_remove() == {"FINISHED"}
    assert not len(armature.locomotion.key_poses)
