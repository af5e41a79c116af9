# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is told where something is not chosen, gone, far away or carried in a hand."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.ground.casting import build_ground
from semi_procedural_locomotion.blender.values.bake_record import find_walk_start
from semi_procedural_locomotion.core.rig.legs import LegChoice
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from semi_procedural_locomotion.ui.targets import find_armature
from tests.scenes import add_person


@pytest.fixture
def ready():
    """The project's person with a walk and a rest, set up, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 60
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def add_plate(name, height, size=50.0):
    """A level mesh."""
    mesh = bpy.data.meshes.new(name)
    corners = [(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    plate = bpy.data.objects.new(name, mesh)
    plate.location.z = height
    bpy.context.scene.collection.objects.link(plate)
    bpy.context.view_layer.update()
    return plate


def read_span(armature):
    """First and last frame of the keys of the object's way."""
    action, slot = versions.get_assigned_action(armature)
    curves = versions.get_curves(action, slot)
    curve = next(c for c in curves if (c.data_path, c.array_index) == ("location", 1))
    frames = [key.co.x for key in curve.keyframe_points]
    return min(frames), max(frames)


def read_warnings(armature):
    """Warnings of a bake."""
    bpy.ops.anim.locomotion_bake()
    return armature.locomotion.report.warnings


def test_a_travel_by_a_bone_that_is_not_chosen(ready):
    ready.locomotion.travel.source = "BONE"
    with pytest.raises(RuntimeError, match="by a root bone and none is chosen: choose the bone"):
        bpy.ops.anim.locomotion_bake()


def test_bones_of_legs_that_are_not_chosen_or_unknown(ready):
    with pytest.raises(RuntimeError, match=r"has no bone 'thigh\.LL': did you mean 'thigh\.L'\?"):
        bpy.ops.anim.locomotion_leg_add(bones=[{"name": "thigh.LL"}, {"name": "shin.L"}])
    with pytest.raises(RuntimeError, match="has no bone 'zzz': choose one of its bones"):
        bpy.ops.anim.locomotion_leg_add(bones=[{"name": "zzz"}, {"name": "shin.L"}])
    with pytest.raises(RigError, match="a bone is not chosen"):
        api.find_character(ready, legs=[LegChoice(("thigh.L", ""))])
    ready.locomotion.legs[0].bones[1].name = ""
    with pytest.raises(RuntimeError, match="leg 'Left' of 'Walker' has no bone chosen"):
        bpy.ops.anim.locomotion_bake()
    with pytest.raises(RuntimeError, match="a bone is not chosen"):
        bpy.ops.anim.locomotion_legs_measure()


def test_a_motion_whose_action_is_gone_is_told_and_dropped(ready):
    copy = bpy.data.actions["Walker Walk"].copy()
    copy.name = "Copy"
    bpy.ops.anim.locomotion_analyze(actions=[{"name": "Copy"}])
    data = ready.locomotion
    data.motions.add()
    data.active_motion = 3
    assert "gone" not in read_warnings(ready)
    bpy.data.actions.remove(copy)
    warnings = read_warnings(ready)
    assert "the action of a motion is gone from the file: choose another" in warnings
    assert len(data.motions) == 4
    bpy.ops.anim.locomotion_analyze()
    names = [entry.action and entry.action.name for entry in data.motions]
    assert sorted(names, key=str) == [None, "Walker Rest", "Walker Walk"]
    assert data.active_motion == 2
    assert "gone" not in read_warnings(ready)


def test_only_gone_actions_are_no_walk(ready):
    for entry in ready.locomotion.motions:
        bpy.data.actions.remove(entry.action)
    with pytest.raises(RuntimeError, match="no action of it; use Make Walk Cycle"):
        bpy.ops.anim.locomotion_bake()


def test_without_a_ticked_motion_the_likeliest_action_is_named(ready):
    motions = ready.locomotion.motions
    for entry in motions:
        entry.enabled = False
    with pytest.raises(RuntimeError, match="tick an action that walks, such as 'Walker Walk'"):
        bpy.ops.anim.locomotion_bake()
    for entry in motions:
        bpy.data.actions.remove(entry.action)
    hips = ready.pose.bones[0]
    for frame, place in ((1, (0, 0, 0)), (20, (0, 0, 0.8)), (50, (0.6, 0.5, 0))):
        hips.location = place
        hips.keyframe_insert("location", frame=frame)
    name = ready.animation_data.action.name
    bpy.ops.anim.locomotion_setup()
    for entry in motions:
        entry.enabled = False
    with pytest.raises(RuntimeError, match=f"no ticked motion: '{name}' is no .*; "):
        bpy.ops.anim.locomotion_bake()


def test_a_rest_alone_is_refused_by_why_the_likeliest_action_does_not_walk(ready):
    motions = ready.locomotion.motions
    bpy.data.actions.remove(bpy.data.actions["Walker Walk"])
    ready.animation_data_create().action = bpy.data.actions.new("Walk")
    hips = ready.pose.bones[0]
    for frame, place in ((1, (0, 0, 0)), (20, (0, 0, 0.8)), (50, (0.6, 0.5, 0))):
        hips.location = place
        hips.keyframe_insert("location", frame=frame)
    bpy.ops.anim.locomotion_setup()
    assert {e.action.name for e in motions if e.enabled} == {"Walker Rest"}
    with pytest.raises(RuntimeError, match=r"no walk among its ticked motions: 'Walk' is no .*; "):
        bpy.ops.anim.locomotion_bake()


@pytest.mark.parametrize("source", ["ALL", "OBJECTS"])
def test_what_is_carried_in_a_hand_is_no_ground(ready, source):
    crossbow = add_plate("Crossbow", 0.2, size=3.0)
    crossbow.parent, crossbow.parent_type = ready, "BONE"
    crossbow.parent_bone = "hand.L"
    bolt = add_plate("Bolt", 0.3, size=3.0)
    bolt.parent = crossbow
    bpy.context.view_layer.update()
    floor = add_plate("Floor", 0.0)
    ready.locomotion.ground.source = source
    for item in (crossbow, bolt, floor):
        ready.locomotion.ground.objects.add().object = item
    ground = build_ground(bpy.context, None, (ready,))
    assert [surface.name for surface in ground.surfaces] == ["Floor"]
    bpy.ops.anim.locomotion_bake()
    bpy.context.scene.frame_set(30)
    assert abs(ready.location.z) < 0.05
    assert find_armature(crossbow) == ready
    assert find_armature(bolt) == ready
    assert find_armature(floor) is None
    ready.select_set(False)
    bpy.context.view_layer.objects.active = bolt
    bolt.select_set(True)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert len(ready.locomotion.legs) == 2


@pytest.mark.parametrize(("height", "word"), [(-20.0, "below"), (-0.5, ""), (20.0, "above")])
def test_ground_far_from_the_start_is_told(ready, height, word):
    add_plate("Floor", height)
    warnings = read_warnings(ready)
    assert (f"20 m {word} the character" in warnings) == bool(word)
    assert ("the ground at the start" in warnings) == bool(word)


def test_a_walk_straight_ahead_begins_with_the_scene_whatever_frame_is_shown(ready):
    scene = bpy.context.scene
    scene.frame_set(42)
    bpy.ops.anim.locomotion_bake()
    assert read_span(ready) == (1.0, 60.0)
    shown = []
    for frame in range(1, 61):
        scene.frame_set(frame)
        shown.append(ready.matrix_world.translation.y)
    assert min(shown) < -1.0
    bpy.ops.anim.locomotion_bake_remove()
    scene.frame_set(59)
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    assert read_span(ready) == (1.0, 60.0)
    for frame, place in enumerate(shown, 1):
        scene.frame_set(frame)
        assert ready.matrix_world.translation.y == pytest.approx(place, abs=1e-5)
    bpy.ops.anim.locomotion_auto_bake(action="OFF")
    # A scene that begins earlier has the walk begin there as well.
    scene.frame_start = 0
    bpy.ops.anim.locomotion_bake()
    assert read_span(ready) == (0.0, 60.0)


def test_a_walk_that_starts_at_the_end_of_the_scene_is_told(ready):
    scene = bpy.context.scene
    scene.frame_start = 60
    words = "the walk starts at frame 60, and the scene ends at 60"
    assert words in read_warnings(ready)
    scene.frame_start = 1
    assert "within its first cycle" not in read_warnings(ready)
    bpy.ops.anim.locomotion_bake_remove()
    ready.locomotion.settings.use_range = True
    ready.locomotion.settings.frame_start, ready.locomotion.settings.frame_end = 10, 14
    assert "within its first cycle" not in read_warnings(ready)


def test_a_range_asked_for_once_is_no_start_of_later_walks(ready):
    scene = bpy.context.scene
    scene.frame_start = 10
    bpy.ops.anim.locomotion_bake(frame_start=2, frame_end=30)
    assert find_walk_start(ready) is None
    scene.frame_start = 10
    bpy.ops.anim.locomotion_bake()
    assert find_walk_start(ready) == 10
    scene.frame_start = 40
    bpy.ops.anim.locomotion_bake(frame_start=30, frame_end=50)
    assert find_walk_start(ready) == 10
    scene.frame_start = 40
    bpy.ops.anim.locomotion_bake()
    assert find_walk_start(ready) == 10
    bpy.ops.anim.locomotion_bake_remove()
    scene.frame_start = 40
    bpy.ops.anim.locomotion_bake()
    assert read_span(ready) == (40.0, 60.0)


def test_auto_bake_begins_where_the_walk_did_before_a_range(ready):
    scene = bpy.context.scene
    scene.frame_start = 5
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake(frame_start=30, frame_end=50)
    scene.frame_set(40)
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    assert find_walk_start(ready) == 5
    assert watching.find_watch(ready).prepared.frames == (5, 60)


def test_a_recorded_part_keeps_the_start_of_its_walk(ready):
    scene = bpy.context.scene
    scene.frame_start = 3
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.ops.anim.locomotion_record(action="ON")
    for frame in range(20, 31):
        scene.frame_set(frame)
    bpy.ops.anim.locomotion_record(action="OFF")
    bpy.ops.anim.locomotion_live(action="OFF")
    assert find_walk_start(ready) == 3
