# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that were placed by their root bone walk on from where they stand."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Quaternion, Vector

from semi_procedural_locomotion.api import remove_bake
from semi_procedural_locomotion.blender.bake.writing import find_bake
from tests.scenes import add_person

pytestmark = pytest.mark.newest

PLACE, TURN = (3.0, 2.0, 0.0), 1.2
# The person faces along -Y at rest.
AHEAD = np.array([np.sin(TURN), -np.cos(TURN)])


def place_root(armature, turn=TURN):
    """Put the root bone, which lies level at the origin, to its place; turned about up."""
    root = armature.pose.bones["root"]
    rest = armature.data.bones["root"].matrix_local.to_3x3()
    root.rotation_mode = "QUATERNION"
    root.location = rest.inverted() @ (armature.matrix_world.inverted().to_3x3() @ Vector(PLACE))
    around = rest.to_quaternion()
    root.rotation_quaternion = around.inverted() @ Quaternion((0, 0, 1), turn) @ around
    return root


@pytest.fixture
def person():
    armature = add_person()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 20
    scene.frame_set(1)
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature
    armature.animation_data_create().action = None
    return armature


def see(armature, frame):
    """World places of hips and root, level, and of the object."""
    bpy.context.scene.frame_set(frame)
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    hips, root = (
        np.array(shown.matrix_world @ shown.pose.bones[name].head)[:2] for name in ("hips", "root")
    )
    return hips, root, np.array(shown.matrix_world.translation)[:2]


def check_walk(armature):
    """The walk begins at the place, and goes ahead from there with the root below the hips."""
    hips, root, _ = see(armature, 1)
    np.testing.assert_allclose(root, PLACE[:2], atol=0.02)
    np.testing.assert_allclose(hips, PLACE[:2], atol=0.1)
    late, below, _ = see(armature, 20)
    way = late - hips
    assert np.linalg.norm(way) > 0.5
    assert way @ AHEAD > 0.999 * np.linalg.norm(way)
    assert np.linalg.norm(late - below) < 0.1


def test_a_root_posed_by_hand_stays_and_the_walk_goes_on_from_it(person):
    place_root(person)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    check_walk(person)
    np.testing.assert_allclose(see(person, 1)[2], 0.0, atol=1e-4)
    bpy.ops.anim.locomotion_bake()
    check_walk(person)
    remove_bake(person)
    assert find_bake(person) is None
    np.testing.assert_allclose(see(person, 1)[1], PLACE[:2], atol=1e-5)


def test_a_root_that_carries_the_walk_begins_where_it_was_put(person):
    place_root(person)
    bpy.ops.anim.locomotion_setup()
    person.locomotion.root_bone = "root"
    bpy.ops.anim.locomotion_bake(output_to="BONE")
    check_walk(person)
    np.testing.assert_allclose(see(person, 20)[2], 0.0, atol=1e-6)


def test_a_root_keyed_at_one_place_in_the_clip_is_a_place(person):
    walk = bpy.data.actions["Walker Walk"]
    person.animation_data.action = walk
    root = place_root(person)
    root.keyframe_insert("location", frame=1)
    root.keyframe_insert("rotation_quaternion", frame=1)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    check_walk(person)


def test_a_root_keyed_under_the_walk_is_keyed_where_it_stands(person):
    action = bpy.data.actions.new("By Hand")
    person.animation_data.action = action
    root = place_root(person)
    root.keyframe_insert("location", frame=1)
    root.keyframe_insert("rotation_quaternion", frame=1)
    root.location, root.rotation_quaternion = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    root.keyframe_insert("location", frame=12)
    root.keyframe_insert("rotation_quaternion", frame=12)
    bpy.context.scene.frame_set(1)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    check_walk(person)


def test_live_walks_begin_there_too(person):
    place_root(person)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    person.locomotion.live = True
    check_walk(person)
    person.locomotion.live = False
    check_walk(person)
