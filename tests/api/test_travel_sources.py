# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels of bones that other objects move, and bodies far from their objects, as they are shown."""

from __future__ import annotations

import itertools

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from semi_procedural_locomotion.api.setups import (
    bake_set_up,
    remove_set_up_bake,
    set_up,
    write_travel,
)
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.errors import BakeError
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import (
    AlongCurve,
    AlongPoints,
    AsBone,
    StraightAhead,
)

FRAMES = (8, 24, 40)


@pytest.fixture
def person():
    """A person that is not set up, on the plane."""
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    for action in write_gaits(armature, make_biped_shape(), ["walk", "rest"]):
        action.use_fake_user = True
    scene.frame_start, scene.frame_end = 1, 48
    return armature


def follow_target(armature):
    """Let an object that moves on an arc carry the root bone; the constraint."""
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    for frame in range(1, 49, 4):
        angle = frame / 40.0
        target.location = (2.0 - 2.0 * np.cos(angle), -2.0 * np.sin(angle), 0.0)
        target.rotation_euler.z = angle
        target.keyframe_insert("location", frame=frame)
        target.keyframe_insert("rotation_euler", frame=frame)
    constraint = armature.pose.bones["root"].constraints.new("CHILD_OF")
    constraint.target = target
    return constraint


def see_roots(armature):
    """World places (N, 2) of the hips, which the scene shows over the root bone."""
    places = []
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append((shown.matrix_world @ shown.pose.bones["hips"].matrix).translation[:2])
    return np.array(places)


@pytest.mark.parametrize("output", ["object", "bone"])
def test_a_bone_that_a_constraint_carries_is_walked_once_and_given_back(person, output):
    follow_target(person)
    scene = bpy.context.scene
    scene.frame_set(30)
    set_up(person)
    write_travel(person, AsBone("root"), output)
    before = see_roots(person)
    action = person.animation_data.action if person.animation_data else None
    bake_set_up(person, scene)
    walked = see_roots(person)
    # The walk sways beside its travel, by less than the hips are wide.
    assert np.abs(walked - before).max() < 0.05
    scene.frame_set(40)
    bake_set_up(person, scene)
    assert np.abs(see_roots(person) - walked).max() < 1e-4
    remove_set_up_bake(person)
    assert person.animation_data.action == action
    assert np.abs(see_roots(person) - before).max() < 1e-5


def test_what_would_move_the_body_twice_is_refused_by_name(person):
    constraint = follow_target(person)
    set_up(person)
    write_travel(person, AsBone("root"), "object")
    constraint.driver_add("influence").driver.expression = "1.0"
    with pytest.raises(BakeError, match="the constraint 'Child Of' of the bone 'root'"):
        bake_set_up(person, bpy.context.scene)
    constraint.driver_remove("influence")
    person.pose.bones["root"].constraints.remove(constraint)
    person.pose.bones["root"].driver_add("location", 1).driver.expression = "0.02 * frame"
    with pytest.raises(BakeError, match="a driver moves"):
        bake_set_up(person, bpy.context.scene)


def test_a_body_far_from_its_origin_keeps_to_its_way(person):
    shift = Matrix.Translation((3.0, 1.0, 0.0))
    person.data.transform(shift)
    for child in person.children:
        child.data.transform(shift)
    data = bpy.data.curves.new("Arc", "CURVE")
    data.dimensions = "3D"
    line = data.splines.new("POLY")
    line.points.add(29)
    for point, angle in zip(line.points, np.linspace(0.0, 1.0, 30), strict=True):
        point.co = (3.0 * np.cos(angle), -3.0 * np.sin(angle), 0.0, 1.0)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Arc", data))
    set_up(person)
    write_travel(person, AlongCurve("Arc", start="moving"), "object")
    bake_set_up(person, bpy.context.scene)
    assert np.abs(np.hypot(*see_roots(person).T) - 3.0).max() < 0.05
    write_travel(person, StraightAhead(), "object")
    bpy.context.scene.frame_set(1)
    bake_set_up(person, bpy.context.scene)
    ahead = see_roots(person)
    assert np.abs(ahead[:, 0] - 3.0).max() < 0.05
    assert np.all(np.diff(ahead[:, 1]) < -0.3)


def test_straight_walks_begin_and_end_standing_and_scenes_end_with_walks(person):
    scene = bpy.context.scene
    set_up(person)
    write_travel(person, StraightAhead(start="stand", stop="stand", ease=0.5), "object")
    scene.frame_set(1)
    bake_set_up(person, scene)
    places = []
    for frame in range(1, 49):
        scene.frame_set(frame)
        places.append(person.matrix_world.translation.copy())
    ways = [(b - a).length for a, b in itertools.pairwise(places)]
    assert max(ways[0], ways[-1]) < 0.1 * max(ways)
    assert scene.frame_end == 48
    write_travel(person, AlongPoints(((0.0, 0.0), (0.0, -3.0))), "object")
    result = bake_set_up(person, scene)
    (note,) = [note for note in result.notes if note.kind is NoteKind.WALK_OUTLASTS_SCENE]
    assert note.values["last"] == result.frames[1] > scene.frame_end
    person.locomotion.settings.extend_scene = True
    result = bake_set_up(person, scene)
    assert scene.frame_end == result.frames[1]
    assert NoteKind.SCENE_EXTENDED in {note.kind for note in result.notes}
