# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks whose keys were changed by hand, measured as they are shown."""

from __future__ import annotations

import json

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Quaternion

from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.bake_record import read_record
from semi_procedural_locomotion.core.keys.limits import KEY_EDIT
from tests.api.test_sections import sample_heads
from tests.meters import level_heights, measure_sink, see_feet
from tests.scenes import add_person

pytestmark = pytest.mark.newest

LAST, AT = 60, 31


@pytest.fixture
def walker():
    """The project's person, set up, on a plane."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST
    armature.locomotion.travel.use_native_speed = False
    armature.locomotion.travel.speed = 1.2
    return armature


def list_feet(armature):
    """Names of the bones of each foot."""
    bones = armature.pose.bones
    ankles = [leg.bones[-1].name for leg in armature.locomotion.legs]
    return [[name, *(b.name for b in bones[name].children_recursive)] for name in ankles]


def find_sink(armature):
    """How deep the deepest vertex of a foot is, metres."""
    feet = see_feet(armature, list_feet(armature), range(1, LAST + 1), level_heights)
    return measure_sink(feet)


def tip_foot(armature, degrees, frame=AT):
    """Turn a foot about the sideways axis of its bone, and key that."""
    foot = armature.pose.bones[list_feet(armature)[0][0]]
    bpy.context.scene.frame_set(frame)
    turn = foot.matrix_basis.to_quaternion() @ Quaternion((1.0, 0.0, 0.0), np.radians(degrees))
    foot.rotation_mode = "QUATERNION"
    foot.rotation_quaternion = turn
    foot.keyframe_insert("rotation_quaternion", frame=frame)


def test_a_tipped_foot_is_tipped_on_another_walk_and_nothing_else_is(walker):
    bpy.ops.anim.locomotion_bake(speed=0.9)
    slower = sample_heads(walker, LAST)
    bpy.ops.anim.locomotion_bake()
    plain_sink = find_sink(walker)
    tip_foot(walker, 20.0)
    bpy.ops.anim.locomotion_bake(speed=0.9)
    shown = sample_heads(walker, LAST)
    off = np.abs(shown - slower).max(axis=(1, 2)) > 1e-4
    wrong = np.flatnonzero(off) + 1
    assert AT in wrong
    assert wrong.min() >= AT - KEY_EDIT.ease
    assert wrong.max() <= AT + KEY_EDIT.ease
    assert "1 edit by hand is on the walk" in walker.locomotion.report.warnings
    # The numbers are those of the result: as deep as the mesh is seen.
    sink = find_sink(walker)
    values = json.loads(walker.locomotion.report.values)
    assert sink > plain_sink + 0.01
    told = values["shown_sink_worst"] * values["leg_length"]
    assert told == pytest.approx(sink, abs=0.005)
    walk = measure_baked(walker, bpy.context.scene)
    assert walk.as_dict()["shown_sink_worst"] == pytest.approx(values["shown_sink_worst"], abs=2e-3)


def test_an_edit_is_removed_alone(walker):
    bpy.ops.anim.locomotion_bake()
    plain = sample_heads(walker, LAST)
    tip_foot(walker, 20.0)
    tip_foot(walker, 10.0, frame=10)
    bpy.ops.anim.locomotion_bake()
    first, second = read_record(find_bake(walker)).edits
    assert (first.first, second.first) == (10, AT)
    assert bpy.ops.anim.locomotion_edit_remove(path=second.path, frame=AT) == {"FINISHED"}
    assert [edit.key for edit in read_record(find_bake(walker)).edits] == [first.key]
    shown = sample_heads(walker, LAST)
    assert np.allclose(shown[AT - 2 : AT + 2], plain[AT - 2 : AT + 2], atol=1e-5)
    assert np.abs(shown[9] - plain[9]).max() > 0.01
    with pytest.raises(RuntimeError, match="has no such edit"):
        bpy.ops.anim.locomotion_edit_remove(path=second.path, frame=AT)


def test_numbers_of_fewer_keys_are_those_of_the_keys(walker):
    """What keys that were left out miss is told, and with its cause."""
    bpy.ops.anim.locomotion_bake()
    assert json.loads(walker.locomotion.report.values)["feet_sink_worst"] < 0.001
    bpy.ops.anim.locomotion_bake(key_tolerance=0.01)
    values = json.loads(walker.locomotion.report.values)
    sink = find_sink(walker)
    assert sink > 0.003
    assert values["feet_sink_worst"] * values["leg_length"] == pytest.approx(sink, abs=0.002)
    assert values["feet_slide_worst"] > 0.005
    assert "were left out that miss by so much" in walker.locomotion.report.warnings
    # Also where nobody looks at the walk for what is off its plan.
    bpy.ops.anim.locomotion_bake(key_tolerance=0.01, verify=False)
    again = json.loads(walker.locomotion.report.values)
    assert again["feet_sink_worst"] == pytest.approx(values["feet_sink_worst"], rel=1e-3)
