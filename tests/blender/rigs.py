# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures and poses for tests of the blender layer."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.core.keys.eulers import ROTATION_MODES
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character, write_gaits

# About X, radians: knees that are bent forward, from which the IK goes on.
_BENDS = {"thigh": -0.3, "shin": 0.6}
INHERIT_SCALES = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")


def make_armature(name="Rig", chains=1, length=4, seed=0):
    """Chains of bones with arbitrary rolls, not connected; the first bone of each has no parent."""
    random = np.random.default_rng(seed)
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for chain in range(chains):
        parent = None
        for index in range(length):
            bone = data.edit_bones.new(f"{name}.{chain}.{index}")
            bone.head = random.normal(size=3)
            bone.tail = np.array(bone.head) + rot.normalize(random.normal(size=3))
            bone.roll = random.uniform(-3, 3)
            bone.parent = parent
            parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return armature


def cycle_rotation_modes(armature):
    """Give the bones all rotation modes in turn."""
    for index, bone in enumerate(armature.pose.bones):
        bone.rotation_mode = ROTATION_MODES[index % len(ROTATION_MODES)]


def pose_randomly(armature, seed=1, spread=0.4, scale_spread=0.3):
    """Write arbitrary values on all bone channels."""
    random = np.random.default_rng(seed)
    for bone in armature.pose.bones:
        bone.location = random.normal(size=3) * spread
        bone.scale = 1 + random.uniform(-1, 1, size=3) * scale_spread
        bone.rotation_quaternion = random.normal(size=4)
        bone.rotation_euler = random.uniform(-3, 3, size=3)
        bone.rotation_axis_angle = random.normal(size=4)
    bpy.context.view_layer.update()


def read_world_poses(armature):
    """World matrices of all pose bones by name, as Blender evaluates them."""
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = evaluated.matrix_world
    return {bone.name: np.array(world @ bone.matrix) for bone in evaluated.pose.bones}


def placed(location=(0, 0, 0), rotation=(1, 0, 0, 0), scale=1.0):
    """A world matrix."""
    return Matrix.LocRotScale(location, Quaternion(rotation), (scale,) * 3)


def make_walker_under_ik(scene):
    """The project's person with feet that hang from the root and draw the legs by IK.

    Its walk keys the feet; thighs and shins have one bent pose, so that nothing but the constraints
    tells where they are.
    """
    shape = make_biped_shape()
    armature = create_character(shape, scene.collection)
    armature.name = "Walker"
    bpy.context.view_layer.update()
    walk = write_gaits(armature, shape, ["walk"])[0]
    slot = versions.find_slot(walk, armature)
    versions.assign_action(armature, walk, slot)
    feet = ("foot.L", "foot.R")
    bends = {f"{name}.{side}": angle for name, angle in _BENDS.items() for side in "LR"}
    frames = range(int(walk.frame_range[0]), int(walk.frame_range[1]) + 1)
    poses = []
    for frame in frames:
        scene.frame_set(frame)
        poses.append([armature.pose.bones[name].matrix.copy() for name in feet])
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name in feet:
        bone = armature.data.edit_bones[name]
        bone.use_connect, bone.parent = False, armature.data.edit_bones["root"]
    bpy.ops.object.mode_set(mode="OBJECT")
    bag = versions.get_channelbag(walk, slot)
    for curve in list(bag.fcurves):
        if any(f'"{name}"' in curve.data_path for name in bends):
            bag.fcurves.remove(curve)
    for name, angle in bends.items():
        bone = armature.pose.bones[name]
        bone.rotation_quaternion = Quaternion((1, 0, 0), angle)
        bone.keyframe_insert("rotation_quaternion", frame=frames[0])
    for frame, matrices in zip(frames, poses, strict=True):
        scene.frame_set(frame)
        for name, matrix in zip(feet, matrices, strict=True):
            bone = armature.pose.bones[name]
            bone.matrix = matrix
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    versions.assign_action(armature, None, "")
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    for side in "LR":
        constraint = armature.pose.bones[f"shin.{side}"].constraints.new("IK")
        constraint.name = "Reach.001"
        constraint.target, constraint.subtarget = armature, f"foot.{side}"
        constraint.chain_count = 2
    scene.frame_set(scene.frame_start)
    return armature


def add_controls(armature, action):
    """Bones that all bones of an armature copy, and that its action keys instead of them."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    names = [bone.name for bone in bones]
    for name in names:
        control, bone = bones.new(f"control.{name}"), bones[name]
        control.head, control.tail, control.roll = bone.head, bone.tail, bone.roll
        control.use_deform = False
        if bone.parent is not None:
            control.parent = bones[f"control.{bone.parent.name}"]
    bpy.ops.object.mode_set(mode="OBJECT")
    for name in names:
        constraint = armature.pose.bones[name].constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = armature, f"control.{name}"
    for curve in versions.get_curves(action, versions.find_slot(action, armature)):
        curve.data_path = curve.data_path.replace('bones["', 'bones["control.')
