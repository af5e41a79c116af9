# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, poses and points that are no numbers: Bake names them and writes nothing."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from tests.scenes import add_person

NAN, INFINITE = float("nan"), float("inf")


@pytest.fixture
def walker():
    """The project's person, set up, in a short scene."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    return armature


def refuse_bake():
    """The message of a bake that fails."""
    actions = {action.name for action in bpy.data.actions}
    with pytest.raises(RuntimeError) as caught:
        bpy.ops.anim.locomotion_bake()
    assert "Traceback" not in str(caught.value)
    assert {action.name for action in bpy.data.actions} == actions
    return str(caught.value)


def find_curve(action, walker, text, index):
    """A curve of an action whose path holds a text."""
    curves = versions.get_curves(action, versions.find_slot(action, walker))
    return next(c for c in curves if text in c.data_path and c.array_index == index)


def choose_walk(walker):
    """The walk that is ticked, and no other."""
    entry = next(m for m in walker.locomotion.motions if m.found_kind == "cycle")
    entry.enabled = True
    return entry.action


@pytest.mark.parametrize("value", [NAN, INFINITE])
@pytest.mark.parametrize("bone", ["thigh.L", "spine"])
def test_a_key_of_a_clip_is_named_with_curve_and_frame(walker, value, bone):
    action = choose_walk(walker)
    curve = find_curve(action, walker, f'"{bone}"', 1)
    key = curve.keyframe_points[3 % len(curve.keyframe_points)]
    key.co.y = value
    message = refuse_bake()
    assert repr(action.name) in message
    assert f"frame {key.co.x:g} of {bone!r} rotation" in message


def test_the_frame_of_a_key_is_named_by_its_number(walker):
    curve = find_curve(choose_walk(walker), walker, "thigh.L", 1)
    curve.keyframe_points[-1].co.x = NAN
    assert f"key, number {len(curve.keyframe_points)}, of 'thigh.L'" in refuse_bake()


def test_a_modifier_that_shows_no_number_is_named_by_curve_and_frame(walker):
    curve = find_curve(choose_walk(walker), walker, "thigh.L", 1)
    curve.modifiers.new("GENERATOR").coefficients[0] = NAN
    message = refuse_bake()
    assert "'thigh.L' rotation" in message
    assert "at frame" in message
    assert "modifiers" in message


def test_a_key_by_hand_in_the_bake_is_named_and_stays(walker):
    bpy.ops.anim.locomotion_bake()
    action, slot = versions.get_assigned_action(walker)
    curve = find_curve(action, walker, "thigh.L", 1)
    curve.keyframe_points[12].co.y = NAN
    before = fingerprint_curves(versions.get_curves(action, slot))
    assert "frame 13 of 'thigh.L'" in refuse_bake()
    assert fingerprint_curves(versions.get_curves(action, slot)) == before
    curve.keyframe_points[12].co.y = 0.0
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}


@pytest.mark.parametrize("in_strip", [False, True])
@pytest.mark.parametrize("blend", [0, 8])
def test_a_key_of_the_animation_before_is_named(walker, in_strip, blend):
    mine = bpy.data.actions.new("Mine")
    walker.animation_data_create().action = mine
    spine = walker.pose.bones["spine"]
    for frame in (2, 22):
        spine.keyframe_insert("location", frame=frame)
    find_curve(mine, walker, "location", 2).keyframe_points[1].co.y = NAN
    if in_strip:
        slot = versions.get_assigned_action(walker)[1]
        walker.animation_data.action = None
        strip = walker.animation_data.nla_tracks.new().strips.new("Mine", 1, mine)
        versions.assign_strip_slot(strip, slot)
    spine.location = (0.0, 0.0, 0.0)
    walker.locomotion.settings.blend_in = blend
    message = refuse_bake()
    assert "'Mine'" in message
    assert "frame 22 of 'spine' location Z" in message


def test_a_pose_is_named_by_its_bone(walker):
    walker.pose.bones["spine"].location.x = NAN
    assert "the bone 'spine'" in refuse_bake()


def test_a_key_of_the_travel_is_named(walker):
    walker.locomotion.travel.source = "OBJECT"
    for frame, place in ((1, 0.0), (15, -1.0), (30, -2.0)):
        walker.location.y = place
        walker.keyframe_insert("location", frame=frame)
    find_curve(walker.animation_data.action, walker, "location", 1).keyframe_points[1].co.y = NAN
    assert "frame 15 of the object's location Y" in refuse_bake()


def test_a_point_of_a_path_is_named_by_its_curve(walker):
    data = bpy.data.curves.new("Path", "CURVE")
    data.dimensions = "3D"
    line = data.splines.new("POLY")
    line.points.add(2)
    for point, place in zip(line.points, (0.0, NAN, -4.0), strict=True):
        point.co = (0.0, place, 0.0, 1.0)
    path = bpy.data.objects.new("Path", data)
    bpy.context.scene.collection.objects.link(path)
    walker.locomotion.travel.source, walker.locomotion.travel.curve = "CURVE", path
    assert "the curve 'Path' has a point" in refuse_bake()
