# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choices of how a walk is written: markers, fewer keys, strips and layers of corrections."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Vector

from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.bake_strips import is_correction
from semi_procedural_locomotion.core.report.graphs import read_motion_graph
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from semi_procedural_locomotion.demo.stage import create_line
from tests.scenes import add_mesh, add_person, select_only


@pytest.fixture
def ready():
    """The project's person with a walk and a rest, set up, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 60
    return armature


def list_markers(armature):
    """Names and frames of the markers on the bake's action, in the order of frames."""
    markers = find_bake(armature).pose_markers
    return sorted((marker.frame, marker.name) for marker in markers)


def count_keys(armature):
    """Number of keys of the bake's action."""
    action, slot = versions.get_assigned_action(armature)
    return sum(len(curve.keyframe_points) for curve in versions.get_curves(action, slot))


def sample_heads(armature, frames):
    """World places of all bones' heads, shape (N, B, 3)."""
    places = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append([shown.matrix_world @ bone.head for bone in shown.pose.bones])
    bpy.context.scene.frame_set(1)
    return np.array(places)


def test_markers_stand_where_feet_strike_and_leave(ready):
    bpy.ops.anim.locomotion_bake()
    assert list_markers(ready) == []
    ready.locomotion.settings.use_markers = True
    bpy.ops.anim.locomotion_bake()
    legs = {leg.name for leg in ready.locomotion.legs}
    found = list_markers(ready)
    assert {name.rpartition(" ")[0] for _, name in found} == legs
    assert {name.rpartition(" ")[2] for _, name in found} == {"Strike", "Off"}
    assert all(1 <= frame <= 60 for frame, _ in found)
    for leg in legs:
        kinds = [name.rpartition(" ")[2] for _, name in found if name.startswith(leg)]
        assert all(a != b for a, b in itertools.pairwise(kinds))
    walk = measure_baked(ready, bpy.context.scene)
    graph = read_motion_graph(walk.plan, np.arange(1, 61) / bpy.context.scene.render.fps)
    for number, leg in enumerate(graph.legs):
        held = graph.contacts[:, number]
        strikes = [frame for frame, name in found if name == f"{leg} Strike"]
        # A frame after the strike the foot is held, and two before it was in the air.
        assert strikes
        assert all(held[min(frame, 59)] for frame in strikes)
        assert not any(held[frame - 3] for frame in strikes if frame > 3)


def test_another_bake_replaces_its_markers_and_leaves_those_of_the_user(ready):
    bpy.ops.anim.locomotion_bake(use_markers=True)
    own = find_bake(ready).pose_markers.new("Mine")
    own.frame = 7
    first = [row for row in list_markers(ready) if row[1] != "Mine"]
    bpy.ops.anim.locomotion_bake(use_markers=True, speed=0.8)
    assert (7, "Mine") in list_markers(ready)
    assert {row for row in list_markers(ready) if row[1] != "Mine"} != set(first)
    bpy.ops.anim.locomotion_bake(use_markers=False)
    assert list_markers(ready) == [(7, "Mine")]


def test_fewer_keys_show_the_same_walk_within_the_tolerance(ready):
    bpy.ops.anim.locomotion_bake()
    frames = range(1, 61)
    full, every = sample_heads(ready, frames), count_keys(ready)
    bpy.ops.anim.locomotion_bake(key_tolerance=0.002)
    few = count_keys(ready)
    assert few < 0.7 * every
    # Errors of a chain add up: none is longer than six bones.
    assert np.abs(sample_heads(ready, frames) - full).max() < 6 * 0.002
    ready.locomotion.settings.key_tolerance = 0.002
    bpy.ops.anim.locomotion_bake()
    assert count_keys(ready) == few
    bpy.ops.anim.locomotion_bake(key_tolerance=0.0)
    assert count_keys(ready) == every
    assert np.abs(sample_heads(ready, frames) - full).max() < 1e-5


def test_edited_keys_are_known_among_fewer(ready):
    ready.locomotion.settings.key_tolerance = 0.002
    bpy.ops.anim.locomotion_bake()
    action, slot = versions.get_assigned_action(ready)
    # A place: one of the numbers of a quaternion that is 1 alone turns nothing where it is 2.
    places = [c for c in versions.get_curves(action, slot) if c.data_path.endswith("location")]
    curve = next(c for c in places if len(c.keyframe_points) > 9)
    curve.keyframe_points[4].co.y += 1.0
    frame, edited = curve.keyframe_points[4].co
    bpy.ops.anim.locomotion_bake()
    assert curve.evaluate(frame) == pytest.approx(edited, abs=0.002)


def read_layers(armature):
    """Actions of the strips from below, the active action, and how it is blended."""
    data = armature.animation_data
    strips = [s.action.name for track in data.nla_tracks for s in track.strips]
    return strips, data.action and data.action.name, data.action_blend_type


def test_a_walk_in_a_strip_is_the_same_and_bakes_again_in_place(ready):
    before = versions.get_assigned_action(ready)
    bpy.ops.anim.locomotion_bake(action_name="Shot")
    frames = range(1, 61)
    full = sample_heads(ready, frames)
    ready.locomotion.settings.use_strip = True
    bpy.ops.anim.locomotion_bake()
    assert read_layers(ready) == (["Shot"], None, "REPLACE")
    assert np.abs(sample_heads(ready, frames) - full).max() < 1e-5
    bpy.ops.anim.locomotion_bake(frame_end=80)
    (track,) = ready.animation_data.nla_tracks
    strip = track.strips[0]
    assert (strip.frame_start, strip.frame_end, strip.scale) == (1.0, 80.0, 1.0)
    # Hips are smoothed over 0.3 cycles: at the end of a walk is felt a little how it goes on.
    assert np.abs(sample_heads(ready, frames) - full).max() < 5e-5
    assert measure_baked(ready, bpy.context.scene).as_dict()["shown_off_plan"] < 1e-4
    assert read_layers(ready) == (["Shot"], None, "REPLACE")
    bpy.ops.anim.locomotion_bake(use_strip=False, frame_end=60)
    assert read_layers(ready) == ([], "Shot", "REPLACE")
    assert np.abs(sample_heads(ready, frames) - full).max() < 1e-5
    bpy.ops.anim.locomotion_bake(use_strip=True)
    bpy.ops.anim.locomotion_bake_remove()
    assert not len(ready.animation_data.nla_tracks)
    assert versions.get_assigned_action(ready)[0] == before[0]
    assert "Shot" not in bpy.data.actions


def test_a_walk_along_the_objects_own_keys_goes_to_a_strip_and_comes_back(ready):
    for frame, y in ((1, 0.0), (60, -2.5)):
        ready.location.y = y
        ready.keyframe_insert("location", frame=frame)
    own = ready.animation_data.action
    ready.locomotion.travel.source = "OBJECT"
    bpy.ops.anim.locomotion_bake(action_name="Shot")
    full = sample_heads(ready, range(1, 61))
    for _ in range(2):
        bpy.ops.anim.locomotion_bake(use_strip=True)
        assert np.abs(sample_heads(ready, range(1, 61)) - full).max() < 1e-5
    assert measure_baked(ready, bpy.context.scene).as_dict()["shown_off_plan"] < 1e-4
    bpy.ops.anim.locomotion_bake_remove()
    assert ready.animation_data.action == own


def test_corrections_are_added_to_the_walk_and_outlive_another_bake(ready):
    bpy.ops.anim.locomotion_bake(action_name="Shot")
    frames = range(1, 61)
    full = sample_heads(ready, frames)
    assert bpy.ops.anim.locomotion_correction_layer() == {"FINISHED"}
    assert read_layers(ready) == (["Shot"], "Walker Corrections", "COMBINE")
    assert np.abs(sample_heads(ready, frames) - full).max() < 1e-5
    layer = ready.animation_data.action
    assert is_correction(layer)
    _, bag = versions.ensure_channelbag(layer, ready)
    curve = versions.add_curve(bag, "location", 2, "Object Transforms")
    curve.keyframe_points.insert(1, 0.25)
    lifted = sample_heads(ready, frames)
    assert np.allclose(lifted - full, (0.0, 0.0, 0.25), atol=1e-5)
    bpy.ops.anim.locomotion_bake(use_strip=False)
    assert read_layers(ready) == (["Shot"], "Walker Corrections", "COMBINE")
    assert np.abs(sample_heads(ready, frames) - lifted).max() < 1e-5
    assert not bpy.ops.anim.locomotion_correction_layer.poll()
    bpy.ops.anim.locomotion_setup()
    assert layer not in [entry.action for entry in ready.locomotion.motions]
    bpy.ops.anim.locomotion_bake_remove()
    assert read_layers(ready)[0] == []
    assert ready.animation_data.action_blend_type == "REPLACE"
    assert layer.use_fake_user


def test_a_layer_needs_a_baked_walk(ready):
    assert not bpy.ops.anim.locomotion_correction_layer.poll()
    bpy.ops.anim.locomotion_bake(use_strip=True)
    bpy.ops.anim.locomotion_correction_layer()
    assert read_layers(ready)[2] == "COMBINE"


def test_edits_in_a_strip_are_kept(ready):
    bpy.ops.anim.locomotion_bake(use_strip=True)
    action = find_bake(ready)
    slot = versions.find_slot(action, ready)
    curve = next(c for c in versions.get_curves(action, slot) if len(c.keyframe_points) > 9)
    curve.keyframe_points[4].co.y += 1.0
    frame, edited = curve.keyframe_points[4].co
    bpy.ops.anim.locomotion_bake()
    assert curve.evaluate(frame) == pytest.approx(edited, abs=0.002)
    assert find_bake(ready) == action


def test_live_and_auto_bake_over_a_strip(ready):
    ready.locomotion.settings.use_strip = True
    bpy.ops.anim.locomotion_bake()
    layers = read_layers(ready)
    for switch in (bpy.ops.anim.locomotion_live, bpy.ops.anim.locomotion_auto_bake):
        switch(action="ON")
        assert read_layers(ready) == layers
        switch(action="OFF")
        assert read_layers(ready) == layers


def test_live_is_refused_under_corrections(ready):
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_correction_layer()
    layers = read_layers(ready)
    with pytest.raises(RuntimeError, match="Corrections' over its walk"):
        bpy.ops.anim.locomotion_live(action="ON")
    assert read_layers(ready) == layers


def test_a_layer_is_one_step_of_undo(ready):
    bpy.ops.anim.locomotion_bake(action_name="Shot")
    bpy.ops.ed.undo_push(message="Bake")
    bpy.ops.anim.locomotion_correction_layer("EXEC_DEFAULT", True)
    assert read_layers(ready) == (["Shot"], "Walker Corrections", "COMBINE")
    bpy.ops.ed.undo()
    ready = bpy.data.objects["Walker"]
    assert read_layers(ready) == ([], "Shot", "REPLACE")
    bpy.ops.ed.redo()
    ready = bpy.data.objects["Walker"]
    assert read_layers(ready) == (["Shot"], "Walker Corrections", "COMBINE")


def walk_along(armature, *corners):
    """Have a character walk along straight lines through corners (x, y)."""
    points = [(x, y, 0.0) for x, y in corners]
    path = create_line("Path", points, bpy.context.scene.collection)
    armature.locomotion.travel.source, armature.locomotion.travel.curve = "CURVE", path


@pytest.mark.parametrize(
    ("travel", "change"),
    list(
        zip(
            itertools.cycle(["STRAIGHT", "CURVE", "CURVE"]),
            itertools.permutations(("OBJECT", "BONE", "NONE"), 2),
            strict=False,
        )
    ),
)
def test_another_output_shows_what_a_first_bake_with_it_shows(ready, travel, change):
    ready.location = (1.0, 2.0, 0.0)
    if travel == "CURVE":
        walk_along(ready, (5.0, 3.0), (7.0, 3.0))
    bpy.ops.anim.locomotion_bake(output_to=change[0])
    # The object stands elsewhere in the middle of the walk.
    bpy.context.scene.frame_set(40)
    bpy.ops.anim.locomotion_bake(output_to=change[1])
    if change[1] != "OBJECT":
        assert ready.location[:] == (1.0, 2.0, 0.0)
    frames = (1, 20, 40, 60)
    shown = sample_heads(ready, frames)
    bpy.ops.anim.locomotion_bake_remove()
    bpy.ops.anim.locomotion_bake(output_to=change[1])
    assert np.abs(sample_heads(ready, frames) - shown).max() < 1e-5


@pytest.mark.parametrize(
    ("output", "tolerance"), [("OBJECT", 0.0), ("BONE", 0.002), ("NONE", 0.0), ("OBJECT", 0.002)]
)
def test_a_section_of_a_baked_walk_leaves_the_walk_around_it(ready, output, tolerance):
    ready.location = (1.0, 2.0, 0.0)
    settings = ready.locomotion.settings
    settings.key_tolerance, ready.locomotion.travel.output_to = tolerance, output
    bpy.ops.anim.locomotion_bake(use_markers=True)
    frames = np.arange(1, 61)
    whole, markers = sample_heads(ready, frames), list_markers(ready)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=40, use_markers=True)
    assert np.abs(sample_heads(ready, frames) - whole).max() < max(6 * tolerance, 1e-5)
    assert list_markers(ready) == markers
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=40, speed=0.8)
    slower = sample_heads(ready, frames)
    outside = (frames < 20) | (frames > 40)
    assert np.abs((slower - whole)[outside]).max() < max(6 * tolerance, 1e-5)
    assert np.abs((slower - whole)[~outside]).max(axis=(1, 2)).min() > 0.01
    # All of it is the bake's: a whole bake replaces it, and removing takes it away.
    bpy.ops.anim.locomotion_bake()
    assert np.abs(sample_heads(ready, frames) - whole).max() < max(6 * tolerance, 1e-5)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=40)
    bpy.ops.anim.locomotion_bake_remove()
    assert find_bake(ready) is None
    assert np.allclose(ready.location, (1.0, 2.0, 0.0))


def test_a_section_is_blended_into_the_walk_around_it(ready):
    bpy.ops.anim.locomotion_bake()
    frames = np.arange(1, 61)
    whole = sample_heads(ready, frames)
    section = {"frame_start": 20, "frame_end": 40, "speed": 0.8}
    bpy.ops.anim.locomotion_bake(**section)
    hard = sample_heads(ready, frames)
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake(**section, blend_in=6, blend_out=6)
    soft = sample_heads(ready, frames)
    ends = np.abs(np.stack([soft, hard]) - whole)[:, [19, 39]].max(axis=(2, 3))
    assert ends[0].max() < 1e-4 < 0.01 < ends[1].min()
    # Between the blends the body is the section's own, but for what feet on their way ask of it.
    hips = ready.pose.bones.find("hips")
    assert np.allclose(soft[25:34, hips, :2], hard[25:34, hips, :2], atol=0.01)


def test_a_section_with_another_output_is_refused_beside_the_walk_around_it(ready):
    ready.location = (1.0, 2.0, 0.0)
    bpy.ops.anim.locomotion_bake()
    shown = sample_heads(ready, range(1, 61))
    with pytest.raises(RuntimeError, match="are walked on the object, and another carrier"):
        bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=40, output_to="BONE")
    assert np.array_equal(sample_heads(ready, range(1, 61)), shown)
    # One that covers the whole walk comes in its place.
    bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=60, output_to="BONE")
    assert ready.location[:] == (1.0, 2.0, 0.0)


def test_the_report_tells_what_is_shown_between_frames(ready):
    """Keys are straight between frames: at few of them feet sink and slip there, and are seen to."""
    scene = bpy.context.scene
    scene.render.fps = 8
    bpy.ops.anim.locomotion_bake(frame_start=1, frame_end=20)
    told = measure_baked(ready, scene).as_dict()
    for key in ("slip_worst", "sink_worst", "swing_depth_worst", "float_p99"):
        assert told[f"between_{key}"] is not None
    halves = [frame / 2 for frame in range(2, 41)]
    depths = []
    for frame in halves:
        scene.frame_set(int(frame), subframe=frame % 1)
        graph = bpy.context.evaluated_depsgraph_get()
        mesh = next(item for item in ready.children if item.type == "MESH").evaluated_get(graph)
        depths.append(-min((mesh.matrix_world @ v.co).z for v in mesh.data.vertices))
    length = told["leg_length"]
    shown = max(told["between_sink_worst"], told["between_swing_depth_worst"])
    assert shown == pytest.approx(max(depths) / length, abs=0.001)
    assert shown > max(told["shown_sink_worst"], told["shown_swing_depth_worst"]) + 0.001


def add_ramp(slope=0.26):
    """Ground that rises ahead of a character from half a metre on, by so many metres a metre."""
    rows = [(1.0, 0.0), (-0.5, 0.0), (-12.0, 11.5 * slope)]
    points = [(x, y, z) for y, z in rows for x in (-4.0, 4.0)]
    return add_mesh("Ramp", points, [(0, 1, 3, 2), (2, 3, 5, 4)])


def let_lean(armature):
    """Ask for a walk over 60 frames in which the body leans with the slope and the object travels."""
    data = armature.locomotion
    data.settings.lean = 0.8
    data.travel.output_to = "OBJECT"
    data.travel.use_native_speed, data.travel.speed = False, 1.5
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 60


def find_tilts(armature, frames):
    """How far the object is from upright at frames, degrees."""
    tilts = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        up = armature.matrix_world.to_3x3() @ Vector((0.0, 0.0, 1.0))
        tilts.append(np.degrees(up.angle((0.0, 0.0, 1.0))))
    return np.array(tilts)


def make_walker(kind):
    """A character that is set up: with a bone that bears the hips, without one, or on four legs."""
    scene = bpy.context.scene
    if kind == "quadruped":
        armature = create_character(make_quadruped_shape(), scene.collection)
        write_gaits(armature, make_quadruped_shape(), ["walk", "rest"])
    else:
        armature = add_person()
    select_only(armature)
    if kind == "hips first":
        bpy.ops.object.mode_set(mode="EDIT")
        bones = armature.data.edit_bones
        for bone in bones["root"].children:
            bone.parent = None
        bpy.ops.object.mode_set(mode="OBJECT")
    if kind == "scaled and turned":
        armature.scale = (1.3, 1.3, 1.3)
        armature.rotation_euler.z = 0.2
        armature.location = (0.3, -0.1, 0.0)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return armature


@pytest.mark.parametrize("kind", ["person", "hips first", "quadruped", "scaled and turned"])
def test_an_object_that_carries_a_walk_stays_upright_on_a_ramp(kind):
    add_ramp()
    armature = make_walker(kind)
    scene, frames = bpy.context.scene, range(1, 61)
    let_lean(armature)
    bpy.ops.anim.locomotion_bake()
    assert find_tilts(armature, frames).max() < 0.01
    walked = sample_heads(armature, frames)
    body = armature.data.bones[armature.locomotion.body]
    turns = []
    for frame in frames:
        scene.frame_set(frame)
        bone = armature.pose.bones[body.name]
        turn = (bone.matrix @ body.matrix_local.inverted()).to_3x3()
        turns.append(np.degrees((turn @ Vector((0, 0, 1))).angle((0, 0, 1))))
    # The body leans into the slope instead.
    assert max(turns[45:]) > max(turns[:5]) + 2.0
    assert measure_baked(armature, scene).as_dict()["shown_off_plan"] < 1e-4
    scene.frame_set(1)
    bpy.ops.anim.locomotion_bake_remove()
    scene.frame_set(1)
    # All that the walk poses is where bones alone carry it.
    armature.locomotion.travel.output_to = "NONE"
    bpy.ops.anim.locomotion_bake()
    names = [bone.name for bone in armature.pose.bones]
    below = [names.index(b.name) for b in (body, *body.children_recursive)]
    assert np.allclose(sample_heads(armature, frames)[:, below], walked[:, below], atol=1e-4)


def test_a_prop_beside_the_body_keeps_its_keys_on_a_ramp():
    add_ramp()
    armature = add_person()
    select_only(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones.new("prop")
    bone.head, bone.tail = (1.0, 0.0, 0.0), (1.0, 0.0, 0.2)
    bpy.ops.object.mode_set(mode="OBJECT")
    prop = armature.pose.bones["prop"]
    armature.animation_data_create().action = bpy.data.actions.new("Shot")
    for frame, x in ((1, 0.0), (60, 0.5)):
        prop.location.x = x
        prop.keyframe_insert("location", frame=frame)
    scene = bpy.context.scene
    bpy.ops.anim.locomotion_setup()
    let_lean(armature)
    bpy.ops.anim.locomotion_bake()
    for frame, x in ((1, 0.0), (60, 0.5)):
        scene.frame_set(frame)
        assert prop.location.x == pytest.approx(x, abs=1e-5)


def test_bones_that_cannot_be_moved_leave_the_tilt_to_the_object():
    add_ramp()
    armature = add_person()
    select_only(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    # The spine hangs beside the hips, connected to their carrier.
    bones["root"].tail = bones["spine"].head
    bones["spine"].parent, bones["spine"].use_connect = bones["root"], True
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.anim.locomotion_setup()
    scene = bpy.context.scene
    armature.locomotion.body = "hips"
    let_lean(armature)
    bpy.ops.anim.locomotion_bake()
    assert find_tilts(armature, range(1, 61)).max() > 1.0
    assert measure_baked(armature, scene).as_dict()["shown_off_plan"] < 1e-4
