# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clips on controls are made and read alone, whatever else plays on the character."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.cycles import CycleChoice, make_cycles
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.setup.controls import write_controls
from tests.blender.controls.people import make_person_on_controls, map_person

pytestmark = pytest.mark.newest


def push_down_a_spin(armature):
    """A strip at the frames of a made clip in which root and torso rise and turn."""
    action = bpy.data.actions.new("Spin")
    _, bag = versions.ensure_channelbag(action, armature)
    for name in ("root", "torso"):
        for path, component, value in (("location", 2, 0.4), ("rotation_quaternion", 2, 1.0)):
            curve = versions.add_curve(bag, f'pose.bones["{name}"].{path}', component, "")
            for frame, share in ((1, 0.0), (20, 1.0)):
                curve.keyframe_points.insert(frame, share * value)
    data = armature.animation_data
    data.action = None
    strip = data.nla_tracks.new().strips.new("Spin", 1, action)
    versions.assign_strip_slot(strip, versions.find_slot(action, armature))


def find_keys(action, armature):
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    return {(c.data_path, c.array_index): [tuple(p.co) for p in c.keyframe_points] for c in curves}


def get_speed(armature, action):
    return next(e.speed for e in armature.locomotion.motions if e.action == action)


def test_strips_and_the_present_pose_leave_a_made_walk_alone():
    armature = make_person_on_controls()
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    write_controls(armature, map_person(armature, ("Left", "Right")))
    character = read_character(armature)
    assert {leg.name for leg in character.rig.legs} == {"Left", "Right"}
    choices = [CycleChoice("walk")]
    made = make_cycles(armature, choices)
    alone, speed = find_keys(made.actions[0], armature), get_speed(armature, made.actions[0])
    push_down_a_spin(armature)
    armature.pose.bones["ik.foot.L"].location = (0.2, 0.5, 0.1)
    bpy.context.scene.frame_set(12)
    again = make_cycles(armature, choices)
    assert get_speed(armature, again.actions[0]) == pytest.approx(speed, rel=1e-4)
    keys = find_keys(again.actions[0], armature)
    assert set(alone) <= set(keys)
    for key, points in alone.items():
        for (_, value), (_, other) in zip(points, keys[key], strict=True):
            assert other == pytest.approx(value, abs=1e-4), key
