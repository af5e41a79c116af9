# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels of bones that other objects move, and bodies far from their objects, as they are shown."""

from __future__ import annotations

import itertools

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from semi_procedural_locomotion.api.setups import (
    bake_set_up,
    remove_set_up_bake,
    set_up,
    write_travel,
)
from semi_procedural_locomotion.blender.footsteps.objects import list_footsteps
from semi_procedural_locomotion.blender.travel.reading import put_points_in_space
from semi_procedural_locomotion.blender.values.matrices import follows
from semi_procedural_locomotion.blender.versions import get_assigned_action
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.errors import BakeError, TravelError
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import (
    AlongCurve,
    AlongFootsteps,
    AlongPoints,
    AsBone,
    StraightAhead,
)
from tests.scenes import add_person

FRAMES = (8, 24, 40)
# Nothing in these differs between the versions; one is enough.
once = pytest.mark.skipif(bpy.app.version < (5, 0, 0), reason="is tried in a later version")


@pytest.fixture
def person():
    """A person that is not set up, on the plane."""
    scene = bpy.context.scene
    armature = add_person()
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


@pytest.mark.parametrize("output", ["object", pytest.param("bone", marks=once)])
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
    person.locomotion.settings.use_strip = True
    for _ in range(2):
        bake_set_up(person, scene)
    assert np.abs(see_roots(person) - walked).max() < 1e-4
    remove_set_up_bake(person)
    assert person.animation_data.action == action
    assert np.abs(see_roots(person) - before).max() < 1e-5


@once
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
    arc = [(3.0 * np.cos(a), -3.0 * np.sin(a), 0.0) for a in np.linspace(0.0, 1.0, 30)]
    create_line("Arc", arc, bpy.context.scene.collection)
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


@once
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
    scene.use_preview_range = True
    scene.frame_preview_start, scene.frame_preview_end = 10, scene.frame_end
    result = bake_set_up(person, scene)
    assert scene.frame_end == scene.frame_preview_end == result.frames[1]
    assert NoteKind.SCENE_EXTENDED in {note.kind for note in result.notes}


@once
def test_points_and_footsteps_in_the_space_of_a_set_go_with_it(person):
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=60.0)
    stage = bpy.context.object
    set_up(person)
    write_travel(person, AlongPoints(((0.0, 0.0), (0.0, -2.0)), space=stage.name), "object")
    bake_set_up(person, scene)
    before = see_roots(person)
    bpy.context.view_layer.objects.active = person
    bpy.ops.object.footsteps_from_plan()
    bpy.ops.object.footsteps_parent(space=stage.name)
    move = Matrix.Translation((9.8, 1.0, 0.0)) @ Matrix.Rotation(0.6, 4, "Z")
    stage.matrix_world = move
    scene.frame_set(1)
    bake_set_up(person, scene)
    carried = np.array([(move @ Vector((x, y, 0.0)))[:2] for x, y in before])
    assert np.abs(see_roots(person) - carried).max() < 0.01
    for step in list_footsteps(person):
        place = move.inverted() @ step.matrix_world.translation
        assert abs(place.x) < 0.4
        assert -2.6 < place.y < 0.4
    write_travel(person, AlongFootsteps(), "object")
    scene.frame_set(1)
    bake_set_up(person, scene)
    scene.frame_set(1)
    assert (person.matrix_world.translation - move.translation).length < 0.05


def test_points_stay_where_they_are_when_their_space_changes(person):
    scene = bpy.context.scene
    stage = bpy.data.objects.new("Stage", None)
    scene.collection.objects.link(stage)
    stage.location, stage.rotation_euler.z, stage.scale = (3.0, 1.0, 0.0), 0.5, (2.0, 2.0, 2.0)
    travel = person.locomotion.travel
    write_travel(person, AlongPoints(((0.0, 0.0), (0.0, -2.0))), "object")
    bpy.context.view_layer.update()
    put_points_in_space(travel, stage, scene)
    places = [(stage.matrix_world @ Vector((*point.location, 0.0)))[:2] for point in travel.points]
    assert np.allclose(places, [(0.0, 0.0), (0.0, -2.0)], atol=1e-6)
    put_points_in_space(travel, None, scene)
    assert np.allclose([point.location for point in travel.points], places, atol=1e-6)
    assert travel.space is None
    stage.parent = person
    with pytest.raises(TravelError, match="'Stage' goes with"):
        put_points_in_space(travel, stage, scene)


def list_followings(armature, item):
    """Ways in which an object may go after a character: how each begins, and whether after a bone."""
    bone = armature.data.bones[0].name

    def copy_location(subtarget="", target=armature):
        constraint = item.constraints.new("COPY_LOCATION")
        constraint.target, constraint.subtarget = target, subtarget
        return constraint

    def follow_by_another():
        between = bpy.data.objects.new("Between", None)
        bpy.context.scene.collection.objects.link(between)
        between.parent = armature
        copy_location(target=between)

    def hang_on_bone():
        hold = item.constraints.new("ARMATURE").targets.new()
        hold.target, hold.subtarget = armature, bone

    def drive():
        variable = item.driver_add("location", 0).driver.variables.new()
        variable.type = "TRANSFORMS"
        variable.targets[0].id = armature

    def be_child():
        item.parent = armature

    return {
        "constraint": (copy_location, False),
        "bone": (lambda: copy_location(bone), True),
        "another": (follow_by_another, False),
        "armature": (hang_on_bone, True),
        "driver": (drive, False),
        "parent": (be_child, False),
    }


@once
@pytest.mark.parametrize("kind", ["points", "curve"])
def test_a_way_that_goes_after_the_character_is_refused_by_name(person, kind):
    scene = bpy.context.scene
    set_up(person)
    data = bpy.data.curves.new("Way", "CURVE")
    data.splines.new("POLY").points.add(1)
    data.splines[0].points[1].co = (0.0, -2.0, 0.0, 1.0)
    for name in list_followings(person, person):
        item = bpy.data.objects.new("Stage", data if kind == "curve" else None)
        scene.collection.objects.link(item)
        begin, by_bone = list_followings(person, item)[name]
        begin()
        travel = AlongCurve("Stage")
        if kind == "points":
            travel = AlongPoints(((0.0, 0.0), (0.0, -2.0)), space="Stage")
        write_travel(person, travel, "object")
        with pytest.raises(TravelError, match="'Stage' goes with"):
            bake_set_up(person, scene)
        assert get_assigned_action(person)[0] is None
        # Where bones carry the travel, the object stays, and so does what goes with it alone.
        assert follows(item, person, bones_alone=True) == by_bone, name
        bpy.data.objects.remove(item)


def test_what_does_not_act_or_acts_the_other_way_is_no_following(person):
    stage = bpy.data.objects.new("Stage", None)
    bpy.context.scene.collection.objects.link(stage)
    for strength, mute in ((1.0, True), (0.0, False)):
        constraint = stage.constraints.new("COPY_LOCATION")
        constraint.target, constraint.influence, constraint.mute = person, strength, mute
    assert not follows(stage, person)
    # What the character itself goes after is no loop.
    person.constraints.new("COPY_LOCATION").target = stage
    assert not follows(stage, person)
    assert follows(person, stage)
