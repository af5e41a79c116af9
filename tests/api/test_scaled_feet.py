# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are scaled in the pose stand without a false word; those that clips scale are told first."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.notes import NoteKind, notes_from_text
from tests.scenes import add_mesh, add_person, select_only

LAST = 49


@pytest.fixture
def person():
    """The person, not set up, on a floor."""
    scene = bpy.context.scene
    armature = add_person()
    scene.frame_start, scene.frame_end = 1, LAST
    points = [(x, y, 0) for y in (-20, 20) for x in (-20, 20)]
    add_mesh("Floor", points, [(0, 1, 3, 2)])
    select_only(armature)
    return armature


def list_feet(armature):
    """Pose bones of the feet."""
    return [bone for bone in armature.pose.bones if bone.name.lower().startswith("foot")]


def bake(armature):
    """Set up and bake, and give what is told."""
    select_only(armature)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    report = armature.locomotion.report
    return notes_from_text(report.notes, report.warnings)


def measure_depth(armature):
    """How deep shown soles are in the floor at worst, share of the leg."""
    scene, low = bpy.context.scene, np.inf
    (body,) = [item for item in armature.children if item.type == "MESH"]
    for frame in range(1, LAST + 1):
        scene.frame_set(frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        low = min(low, *((shown.matrix_world @ v.co).z for v in mesh.vertices))
        shown.to_mesh_clear()
    scene.frame_set(1)
    return -low / armature.locomotion.legs[0].length


@pytest.mark.parametrize("size", [0.8, 1.5])
def test_feet_scaled_in_the_pose_stand_without_a_word(person, size):
    for bone in list_feet(person):
        bone.scale = (size,) * 3
    assert not [note.kind for note in bake(person)]
    assert measure_depth(person) < 0.006
    measured = measure_baked(person, bpy.context.scene)
    assert measured.verification.is_clean
    assert measured.report.shown_sink_worst < 0.006


def test_feet_that_a_clip_scales_are_told_first_and_measured(person):
    walk = bpy.data.actions["Walker Walk"]
    data = person.animation_data_create()
    data.action = walk
    if hasattr(data, "action_slot"):
        data.action_slot = data.action_suitable_slots[0]
    for bone in list_feet(person):
        bone.scale = (1.5,) * 3
        bone.keyframe_insert("scale", frame=1)
        bone.scale = (1.0,) * 3
    data.action = None
    notes = bake(person)
    assert notes[0].kind is NoteKind.SOLE_SCALED
    assert notes[0].values["size"] == pytest.approx(1.5, abs=1e-3)
    told = measure_baked(person, bpy.context.scene).report.shown_sink_worst
    assert told == pytest.approx(max(measure_depth(person), 0.0), abs=2e-3)
