# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that no clip moves stand as the clips need them; stray poses are passed over."""

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from semi_procedural_locomotion.api.characters import find_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.sampling import sample_action
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from tests.held_rigs import build_away
from tests.scenes import add_person


def _add_bones():
    """The person without its mesh, which makes reading quick."""
    armature = add_person()
    for item in list(armature.children_recursive):
        bpy.data.objects.remove(item)
    return armature


def _read(armature):
    """Names of the legs' bones, forward, soles at rest and in the walk, metres, and the rig."""
    rig = find_character(armature).rig
    walk = next(a for a in bpy.data.actions if a.name.endswith("Walk"))
    clip = sample_action(armature, walk, rig.skeleton)
    posed = compute_global_poses(rig.skeleton, clip.rotations, clip.translations, clip.scales)
    rest = tuple(values[None] for values in rig.skeleton.rest_poses)
    names = [[rig.skeleton.names[bone] for bone in leg.joints] for leg in rig.legs]
    soles = [np.stack([compute_sole_points(leg, *p) for leg in rig.legs]) for p in (rest, posed)]
    return names, rig.forward, soles, rig


def _is_alike(one, other, size=1.0):
    """Whether two readings show the same character, places in sizes."""
    assert one[0] == other[0]
    assert one[1] == pytest.approx(other[1], abs=1e-3)
    for a, b in zip(one[2], other[2], strict=True):
        assert np.abs(a - b).max() < 2e-3 * size
    return True


pytestmark = pytest.mark.newest

_AWAY = {
    "x90": Matrix.Rotation(radians(90), 4, "X"),
    "x-90": Matrix.Rotation(radians(-90), 4, "X"),
    "x105": Matrix.Rotation(radians(105), 4, "X") @ Matrix.Rotation(radians(20), 4, "Y"),
    "upside": Matrix.Rotation(radians(180), 4, "Y"),
    "place": Matrix.Translation((0.4, -2.0, 1.5)),
    "size": Matrix.Scale(40.0, 4),
    "all": Matrix.LocRotScale((0.3, 1.0, 2.0), Quaternion((1, 0, 0), radians(80)), (0.02,) * 3),
}


@pytest.mark.parametrize("name", _AWAY)
def test_a_root_that_no_clip_keys_stands_as_it_is_posed(name):
    armature = _add_bones()
    before = _read(armature)
    build_away(armature, _AWAY[name])
    assert _is_alike(_read(armature), before)


def test_a_chain_of_unkeyed_bones_stands_as_it_is_posed():
    armature = add_person()
    before = _read(armature)
    build_away(armature, Matrix.Rotation(radians(-105), 4, "X"), bones=3)
    assert _is_alike(_read(armature), before)


@pytest.mark.parametrize("size", [0.01, 100.0])
def test_held_roots_are_read_under_scaled_and_turned_objects(size):
    armature = _add_bones()
    placed = Matrix.LocRotScale((3.0, 2.0, 0.0), Quaternion((0, 0, 1), 0.7), (size,) * 3)
    armature.matrix_world = placed
    bpy.context.view_layer.update()
    before = _read(armature)
    build_away(armature, Matrix.Rotation(radians(90), 4, "X"))
    assert _is_alike(_read(armature), before, size)


def test_the_reading_depends_on_no_frame_and_no_active_action():
    armature = _add_bones()
    build_away(armature, Matrix.Rotation(radians(90), 4, "X"))
    before = _read(armature)
    for action in list(bpy.data.actions):
        versions.assign_action(armature, action, versions.find_slot(action, armature))
        bpy.context.scene.frame_set(7)
        assert _is_alike(_read(armature), before)


def _turn_by_hand(armature, name, angle, axis=(1, 0, 0)):
    bone = armature.pose.bones[name]
    bone.matrix_basis = Matrix.Rotation(angle, 4, axis) @ bone.matrix_basis
    bpy.context.view_layer.update()


def _drop_curves(armature, keep):
    """Leave curves of some bones only in all actions."""
    for action in bpy.data.actions:
        bag = versions.get_channelbag(action, versions.find_slot(action, armature))
        for curve in list(bag.fcurves):
            if not any(f'"{name}' in curve.data_path for name in keep):
                bag.fcurves.remove(curve)


def _key_all(armature):
    """Key all bones in all actions, at rest where nothing is keyed."""
    for action in bpy.data.actions:
        bag = versions.get_channelbag(action, versions.find_slot(action, armature))
        keyed = {curve.data_path for curve in bag.fcurves}
        for bone in armature.pose.bones:
            for name, rest in (("location", (0, 0, 0)), ("rotation_quaternion", (1, 0, 0, 0))):
                path = bone.path_from_id(name)
                for index, value in enumerate(rest) if path not in keyed else ():
                    curve = versions.add_curve(bag, path, index, bone.name)
                    curve.keyframe_points.insert(1.0, value)


def test_stray_poses_of_bones_that_clips_key_do_not_count():
    armature = _add_bones()
    before = _read(armature)
    _key_all(armature)
    for bone in armature.pose.bones:
        _turn_by_hand(armature, bone.name, 0.3)
    assert _is_alike(_read(armature), before)
    assert not find_character(armature).rig.skeleton.held


def test_a_body_that_was_laid_down_by_hand_stands_up_in_clips_that_key_legs_alone():
    armature = _add_bones()
    names = build_away(armature, Matrix.Identity(4))
    before = _read(armature)
    _turn_by_hand(armature, names[0], radians(90))
    reading = _read(armature)
    assert _is_alike(reading, before)
    assert not reading[3].skeleton.held


def test_an_upper_body_that_no_clip_keys_is_as_it_is_shown():
    armature = _add_bones()
    rig = find_character(armature).rig
    legs = {rig.skeleton.names[bone] for leg in rig.legs for bone in leg.bones}
    hips = rig.skeleton.names[rig.body]
    _drop_curves(armature, [*legs, hips])
    before = _read(armature)
    arm = next(b.name for b in armature.pose.bones if "arm" in b.name.lower())
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix()
    _turn_by_hand(armature, arm, 0.8)
    reading = _read(armature)
    assert [bone.name for bone in reading[3].skeleton.held] == [arm]
    assert _is_alike(reading, before)


def test_a_clip_that_leaves_out_what_all_others_hold_gets_it_where_it_stands_only_so():
    armature = _add_bones()
    before = _read(armature)
    name = build_away(armature, Matrix.Rotation(radians(90), 4, "X"))[0]
    bone = armature.pose.bones[name]
    turn = bone.matrix_basis.to_quaternion()
    rest = next(a for a in bpy.data.actions if a.name.endswith("Rest"))
    bag = versions.get_channelbag(rest, versions.find_slot(rest, armature))
    for index in range(4):
        curve = versions.add_curve(bag, bone.path_from_id("rotation_quaternion"), index, "")
        curve.keyframe_points.insert(1.0, turn[index])
    bone.matrix_basis = Matrix()
    bpy.context.view_layer.update()
    assert _is_alike(_read(armature), before)


def test_without_clips_a_pose_counts_only_where_the_bind_pose_does_not_stand():
    armature = _add_bones()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    shin = next(b.name for b in armature.pose.bones if "shin" in b.name.lower())
    _turn_by_hand(armature, shin, 1.0)
    assert not find_character(armature).rig.skeleton.held
    armature.pose.bones[shin].matrix_basis = Matrix()
    build_away(armature, Matrix.Rotation(radians(90), 4, "X"))
    assert [bone.name for bone in find_character(armature).rig.skeleton.held] == ["Carrier0"]
