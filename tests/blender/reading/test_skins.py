# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin as it is posed by the program beside that which Blender shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Euler, Matrix

from semi_procedural_locomotion.blender.reading.meshes import find_body_meshes
from semi_procedural_locomotion.blender.reading.skins import read_skin
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.hulls import FootHull, hull_points_from_axes
from semi_procedural_locomotion.core.rig.legs.skin import bind_points, pose_points
from semi_procedural_locomotion.core.rig.skeleton import compute_rest_poses

COUNT = 20


def make_leg(keeps_volume):
    """A shin, a foot and a toe in a turned and scaled object, and points on all three of them."""
    data = bpy.data.armatures.new("Leg")
    armature = bpy.data.objects.new("Leg", data)
    armature.matrix_world = Matrix.LocRotScale((1, 2, 3), Euler((0.2, -0.3, 1.0)), (0.7,) * 3)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    places = [(0, 0, 1), (0, 0.1, 0.1), (0.05, -0.3, 0.02), (0, -0.5, 0)]
    above = None
    for name, head, tail in zip(("Shin", "Foot", "Toe"), places, places[1:], strict=False):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail, bone.roll, bone.parent = head, tail, 0.4, above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    generator = np.random.default_rng(7)
    mesh = bpy.data.meshes.new("Shoe")
    mesh.from_pydata(generator.uniform(-0.4, 0.4, size=(COUNT, 3)).tolist(), [], [])
    shoe = bpy.data.objects.new("Shoe", mesh)
    bpy.context.scene.collection.objects.link(shoe)
    shoe.matrix_world = armature.matrix_world
    for name, weights in zip(
        ("Shin", "Foot", "Toe"), generator.dirichlet([1.0, 2.0, 1.0], size=COUNT).T, strict=True
    ):
        group = shoe.vertex_groups.new(name=name)
        for vertex, weight in enumerate(weights.tolist()):
            group.add([vertex], weight, "REPLACE")
    modifier = shoe.modifiers.new("Armature", "ARMATURE")
    modifier.object, modifier.use_deform_preserve_volume = armature, keeps_volume
    bpy.context.view_layer.update()
    return armature, shoe


@pytest.mark.parametrize("sizes", [(1.0, 1.0, 1.0), (1.3, 0.8, 1.1)])
@pytest.mark.parametrize("keeps_volume", [False, True])
def test_points_lie_where_blender_shows_them(keeps_volume, sizes):
    armature, shoe = make_leg(keeps_volume)
    skeleton = read_skeleton(armature)
    rests, heads = compute_rest_poses(skeleton)
    index = {name: bone for bone, name in enumerate(skeleton.names)}
    (mesh,) = find_body_meshes(armature, skeleton)
    read = read_skin(mesh, index)
    assert read.keeps_volume.all() == keeps_volume
    rest_axes = rot.matrices_from_quaternions(rests)
    skin = bind_points(read.points, read.bones, read.weights, rest_axes, heads)
    if keeps_volume:
        skin = replace(skin, keeps_volume=read.keeps_volume, binds=rests)
    for name, angles in (("Shin", (0.5, 0.2, 0)), ("Foot", (-1.4, 0.5, 0.3)), ("Toe", (1.1, 0, 0))):
        bone = armature.pose.bones[name]
        bone.rotation_mode, bone.rotation_euler, bone.scale = "XYZ", angles, sizes
    bpy.context.view_layer.update()
    posed = [armature.matrix_world @ armature.pose.bones[name].matrix for name in skeleton.names]
    matrices = np.array([np.array(matrix) for matrix in posed])
    axes, places = matrices[None, :, :3, :3] / skeleton.object_scale, matrices[None, :, :3, 3]
    evaluated = shoe.evaluated_get(bpy.context.evaluated_depsgraph_get())
    shown = np.array([shoe.matrix_world @ vertex.co for vertex in evaluated.to_mesh().vertices])
    evaluated.to_mesh_clear()
    np.testing.assert_allclose(pose_points(skin, axes, places)[0], shown, atol=2e-6)
    order = np.argsort(-skin.weights, axis=1)[:, :3]
    bones = np.take_along_axis(skin.bones, order, axis=1)
    hull = FootHull(
        bones=bones,
        weights=np.take_along_axis(skin.weights, order, axis=1),
        offsets=np.take_along_axis(skin.offsets, order[..., None], axis=1),
        places=np.zeros((COUNT, 3)),
        parts=np.zeros(COUNT, dtype=np.intp),
        frame=rot.IDENTITY,
        keeps_volume=skin.keeps_volume,
        binds=rests[bones] if keeps_volume else None,
    )
    np.testing.assert_allclose(hull_points_from_axes(hull, axes, places)[0], shown, atol=2e-6)
