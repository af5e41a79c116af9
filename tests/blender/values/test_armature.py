# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skeletons and channel conversion against Blender's own evaluation."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Euler, Quaternion

from semi_procedural_locomotion.blender.values.armature import read_channel_layout, read_skeleton
from semi_procedural_locomotion.core.keys.channels import (
    BasisPoses,
    ChannelLayout,
    basis_from_poses,
    build_parent_transform,
    poses_from_basis,
)
from semi_procedural_locomotion.core.keys.eulers import (
    EULER_ORDERS,
    eulers_from_quaternions,
    quaternions_from_channels,
    quaternions_from_eulers,
)
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses, compute_rest_poses
from semi_procedural_locomotion.errors import RigError
from tests.blender.rigs import (
    INHERIT_SCALES,
    cycle_rotation_modes,
    make_armature,
    placed,
    pose_randomly,
    read_world_poses,
)


def read_basis(armature, skeleton):
    """Basis of all pose bones, from their properties."""
    bones = [armature.pose.bones[name] for name in skeleton.names]
    values = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
    rotations = [
        quaternions_from_channels(
            np.array(getattr(b, values.get(b.rotation_mode, "rotation_euler"))), b.rotation_mode
        )
        for b in bones
    ]
    return BasisPoses(
        np.array(rotations)[None],
        np.array([b.location for b in bones], dtype=float)[None],
        np.array([b.scale for b in bones], dtype=float)[None],
    )


def compare_with_blender(armature, tolerance=1e-5):
    """Largest distance of heads and largest angle of Y axes from the evaluated pose."""
    skeleton = read_skeleton(armature)
    layout = read_channel_layout(armature, skeleton)
    poses = poses_from_basis(layout, read_basis(armature, skeleton))
    turns, heads = compute_global_poses(skeleton, *poses)
    world = read_world_poses(armature)
    origin = np.array(armature.matrix_world.translation)
    for bone, name in enumerate(skeleton.names):
        expected = world[name]
        assert np.allclose(heads[0, bone] + origin, expected[:3, 3], atol=tolerance), name
        along = rot.rotate(turns[0, bone], np.array([0.0, 1.0, 0.0]))
        assert np.allclose(along, rot.normalize(expected[:3, 1]), atol=tolerance), name
    return layout, poses


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_eulers_agree_with_mathutils(order):
    angles = np.random.default_rng(2).uniform(-3, 3, size=(50, 3))
    q = quaternions_from_eulers(angles, order)
    expected = np.array([Euler(a, order).to_quaternion() for a in angles])
    assert rot.angles_between(q, expected).max() < 2e-6
    back = eulers_from_quaternions(q, order, reference=np.zeros(3))
    first = np.array(Quaternion(q[0]).to_euler(order, Euler((0, 0, 0), order)))
    assert np.allclose(rot.wrap_angles(back[0] - first), 0, atol=2e-6)


@pytest.mark.parametrize(
    ("location", "rotation", "scale"),
    [
        ((0, 0, 0), (1, 0, 0, 0), 1.0),
        ((3, -2, 5), (0.7071068, 0.7071068, 0, 0), 0.01),
        ((1, 1, 1), (0.5, -0.5, 0.5, 0.5), 100.0),
    ],
)
def test_rest_poses_lie_where_blender_shows_them(location, rotation, scale):
    armature = make_armature(chains=2)
    armature.matrix_world = placed(location, rotation, scale)
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature)
    assert skeleton.object_scale == pytest.approx(scale, rel=1e-5)
    turns, heads = compute_rest_poses(skeleton)
    for name, matrix in read_world_poses(armature).items():
        bone = skeleton.find_index(name)
        head = heads[bone] + np.array(location)
        assert np.allclose(head, matrix[:3, 3], atol=1e-5 * max(1, scale))
        expected = matrix[:3, :3] / scale
        assert np.allclose(rot.matrices_from_quaternions(turns[bone]), expected, atol=1e-5)


def test_parents_of_the_object_contribute_their_rotation_and_scale():
    armature = make_armature()
    parent = bpy.data.objects.new("Parent", None)
    bpy.context.scene.collection.objects.link(parent)
    parent.matrix_world = placed((0, 0, 2), (0.7071068, 0.7071068, 0, 0), 2.0)
    armature.parent = parent
    armature.scale = (0.5,) * 3
    bpy.context.view_layer.update()
    skeleton = read_skeleton(armature)
    assert skeleton.object_scale == pytest.approx(1.0, abs=1e-6)
    assert np.allclose(skeleton.object_rotation, [0.7071068, 0.7071068, 0, 0], atol=1e-6)


def test_all_rotation_modes_agree_with_the_evaluated_pose():
    armature = make_armature(chains=3, length=4)
    armature.matrix_world = placed((1, 2, 3), (0.8, 0.6, 0, 0), 0.5)
    cycle_rotation_modes(armature)
    pose_randomly(armature, scale_spread=0.0)
    layout, poses = compare_with_blender(armature)
    back = basis_from_poses(layout, *poses)
    expected = read_basis(armature, layout.skeleton)
    assert rot.angles_between(back.rotations, expected.rotations).max() < 1e-6
    assert np.allclose(back.locations, expected.locations, atol=1e-9)


@pytest.mark.parametrize("mode", INHERIT_SCALES)
@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("local", [True, False])
def test_inheritance_settings_agree_with_the_evaluated_pose(mode, turns, local):
    armature = make_armature(chains=2, length=3, seed=3)
    armature.matrix_world = placed((1, 2, 3), (0.8, 0.6, 0, 0), 2.0)
    for bone in armature.data.bones:
        bone.inherit_scale = mode
        bone.use_inherit_rotation = turns
        bone.use_local_location = local
    pose_randomly(armature, scale_spread=0.3)
    skeleton = read_skeleton(armature)
    layout = read_channel_layout(armature, skeleton)
    basis = read_basis(armature, skeleton)
    poses = poses_from_basis(layout, basis)
    world = read_world_poses(armature)
    check_heads_of_chain(skeleton, poses, world, np.array(armature.matrix_world.translation))
    for index, name in enumerate(skeleton.names):
        parent = int(skeleton.parents[index])
        if parent >= 0:
            above = np.array(armature.pose.bones[skeleton.names[parent]].matrix)[None]
            frames = {parent: (above[:, :3, :3], above[:, :3, 3])}
            space = build_parent_transform(layout, index, frames)
            turn = rot.matrices_from_quaternions(basis.rotations[:, index])
            axes = space.turn @ (turn * basis.scales[:, index, None]) * space.post_scale[:, None]
            expected = np.array(armature.pose.bones[name].matrix)[:3, :3]
            assert np.allclose(axes[0], expected, atol=1e-5), name


def check_heads_of_chain(skeleton, poses, world, origin):
    """First and second bones of each chain are exact whatever the scales; later ones may shear."""
    _, heads = compute_global_poses(skeleton, *poses)
    for bone, name in enumerate(skeleton.names):
        if len(skeleton.find_ancestors(bone)) <= 2:
            assert np.allclose(heads[0, bone] + origin, world[name][:3, 3], atol=2e-5), name


@pytest.mark.parametrize("mode", INHERIT_SCALES)
@pytest.mark.parametrize("turns", [True, False])
@pytest.mark.parametrize("local", [True, False])
def test_channels_come_back_under_any_inheritance_with_even_scales(mode, turns, local):
    armature = make_armature(chains=2, length=4, seed=4)
    armature.matrix_world = placed((1, 2, 3), (0.8, 0.6, 0, 0), 2.0)
    for bone in list(armature.data.bones)[1::2]:
        bone.inherit_scale = mode
        bone.use_inherit_rotation = turns
        bone.use_local_location = local
    pose_randomly(armature, scale_spread=0.0)
    for index, bone in enumerate(armature.pose.bones):
        bone.scale = (0.6 + 0.2 * index,) * 3
    bpy.context.view_layer.update()
    layout, poses = compare_with_blender(armature, tolerance=2e-5)
    back = basis_from_poses(layout, *poses)
    expected = read_basis(armature, layout.skeleton)
    assert rot.angles_between(back.rotations, expected.rotations).max() < 1e-6
    assert np.allclose(back.locations, expected.locations, atol=1e-9)
    assert np.allclose(back.scales, expected.scales, atol=1e-9)


@pytest.mark.parametrize("scale", [(0, 0, 0), (1, 1, 0)])
def test_objects_that_are_scaled_to_nothing_are_refused_with_the_cure(scale):
    armature = make_armature("Hero")
    armature.scale = scale
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match=r"'Hero' is scaled to nothing: set its scale"):
        read_skeleton(armature)


@pytest.mark.parametrize("scale", [(1, 2, 1), (-1, 1, 1), (-1, -1, -1)])
def test_uneven_and_mirrored_objects_are_refused_with_the_cure(scale):
    armature = make_armature("Hero")
    armature.scale = scale
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match=r"'Hero'.*apply the scale"):
        read_skeleton(armature)


def test_things_that_are_no_armature_are_refused():
    empty = bpy.data.objects.new("Empty", None)
    with pytest.raises(RigError, match="'Empty' is not an armature"):
        read_skeleton(empty)
    bare = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    with pytest.raises(RigError, match="has no bones"):
        read_skeleton(bare)


def test_a_layout_of_another_rig_is_refused():
    skeleton = read_skeleton(make_armature("One"))
    with pytest.raises(RigError, match=r"'Two' has no bone 'One\.0\.0'"):
        read_channel_layout(make_armature("Two"), skeleton)


def test_layouts_check_their_fields():
    skeleton = read_skeleton(make_armature(length=1))
    with pytest.raises(ValueError, match="rotation modes"):
        ChannelLayout(skeleton, ("XXX",), np.ones(1, bool), ("FULL",), np.ones(1, bool))
    with pytest.raises(ValueError, match="inherit_scale must be of"):
        ChannelLayout(skeleton, ("XYZ",), np.ones(1, bool), ("SOME",), np.ones(1, bool))
    with pytest.raises(ValueError, match="must have 1 items"):
        ChannelLayout(skeleton, (), np.ones(1, bool), ("FULL",), np.ones(1, bool))
