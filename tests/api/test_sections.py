# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of a shot: walks between poses that were keyed by hand, several of them in one shot."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.bake.writing import find_bake, find_edited_curves
from semi_procedural_locomotion.blender.values.bake_record import read_record
from tests.scenes import add_person

pytestmark = pytest.mark.newest

LAST = 90


@pytest.fixture
def shot():
    """The project's person, set up, standing 1 m aside in a shot that is keyed by hand."""
    armature = add_person()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    armature.animation_data_create().action = bpy.data.actions.new("By Hand")
    armature.location.x = 1.0
    for frame in (1, LAST):
        armature.keyframe_insert("location", frame=frame)
        for bone in armature.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("location", frame=frame)
    return armature


def sample_heads(armature):
    """World places of all bones' heads in all frames, shape (N, B, 3)."""
    places = []
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append([shown.matrix_world @ bone.head for bone in shown.pose.bones])
    return np.array(places)


def test_a_second_section_leaves_the_first_and_what_is_between(shot):
    by_hand = sample_heads(shot)
    bpy.ops.anim.locomotion_bake(frame_start=10, frame_end=30)
    first = sample_heads(shot)
    bpy.ops.anim.locomotion_bake(frame_start=50, frame_end=70)
    both = sample_heads(shot)
    assert read_record(find_bake(shot)).sections == ((10, 30), (50, 70))
    assert np.allclose(both[:49], first[:49], atol=1e-5)
    assert np.abs(both[49:70] - first[49:70]).max() > 0.1
    assert np.allclose(both[70:], first[70:], atol=1e-5)
    # Keys of the animator between two sections are none of the walk's.
    bpy.context.scene.frame_set(40)
    shot.keyframe_insert("location")
    assert find_edited_curves(shot) == []
    bpy.ops.anim.locomotion_bake(frame_start=55, frame_end=75)
    assert read_record(find_bake(shot)).sections == ((10, 30), (55, 75))
    moved = sample_heads(shot)
    assert np.allclose(moved[9:30], first[9:30], atol=1e-5)
    assert np.allclose(moved[30:39], first[30:39], atol=1e-5)
    bpy.ops.anim.locomotion_bake(frame_start=55, frame_end=75, output_to="BONE")
    assert "outside of frames 55 to 75 was taken away" in shot.locomotion.report.warnings
    bpy.ops.anim.locomotion_bake_remove()
    assert np.array_equal(sample_heads(shot), by_hand)
