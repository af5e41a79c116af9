# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys by hand that are none of the walk's outlive every bake, and Remove Bake."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from tests.scenes import add_person, bake_again, select_only


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    armature.locomotion.travel.use_native_speed = False
    armature.locomotion.travel.speed = 1.2
    return armature


def read_keys(armature, path):
    """Frames and values of all curves of a path, by index."""
    action, slot = versions.get_assigned_action(armature)
    return {
        curve.array_index: [tuple(key.co) for key in curve.keyframe_points]
        for curve in versions.get_curves(action, slot)
        if curve.data_path == path
    }


def test_scales_and_places_keyed_by_hand_stay_through_bakes_and_removal(walker):
    bpy.ops.anim.locomotion_bake()
    action, slot = versions.get_assigned_action(walker)
    walked = {curve.data_path for curve in versions.get_curves(action, slot)}
    keyed, muted = {}, set()
    ways = itertools.cycle(itertools.product([(20,), (10, 20, 30), (5, 60)], [False, True]))
    for bone in walker.pose.bones:
        for name, step in (("scale", 0.3), ("location", 0.05)):
            path = f'pose.bones["{bone.name}"].{name}'
            if path in walked:
                continue
            frames, is_muted = next(ways)
            muted |= {path} if is_muted else set()
            for frame in frames:
                setattr(bone, name, np.array(getattr(bone, name)) + step * frame / 20.0)
                bone.keyframe_insert(name, frame=frame)
            keyed[path] = read_keys(walker, path)
    assert len(keyed) >= 6
    for curve in versions.get_curves(action, slot):
        curve.mute = curve.data_path in muted
    for _ in range(2):
        bake_again(walker)
        assert {path: read_keys(walker, path) for path in keyed} == keyed
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    assert {path: read_keys(walker, path) for path in keyed} == keyed


@pytest.mark.parametrize(("count", "is_motion"), [(0, False), (1, True), (2, False)])
def test_a_property_of_the_action_before_keyed_again_in_the_bake_comes_back(count, is_motion):
    armature = add_person()
    select_only(armature)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    mine = bpy.data.actions.new("Mine")
    armature.animation_data_create().action = mine
    if is_motion:
        armature.pose.bones["hips"].keyframe_insert("rotation_quaternion", frame=10)
    for frame, value in ((5, 0.3), (80, 0.6)):
        armature["mood"] = value
        armature.keyframe_insert('["mood"]', frame=frame)
    before = read_keys(armature, '["mood"]')
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    for entry in armature.locomotion.motions:
        if entry.action == mine:
            entry.enabled = is_motion
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    for frame, value in ((5, 0.9), (25, 0.1), (60, 0.7)):
        armature["mood"] = value
        armature.keyframe_insert('["mood"]', frame=frame)
    for _ in range(count):
        assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    keys = dict(read_keys(armature, '["mood"]')[0])
    for frame, value in ((5, 0.9), (25, 0.1), (60, 0.7), (80, 0.6)):
        assert keys[frame] == pytest.approx(value)
    if is_motion:
        assert armature.animation_data.action != mine
        versions.assign_action(armature, mine, versions.find_slot(mine, armature))
        assert read_keys(armature, '["mood"]') == before
