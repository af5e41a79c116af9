# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Root motion handed on, seen in the scene: all other bones stay where they were."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from semi_procedural_locomotion.api.root_motion import convert_root_motion
from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.demo.quadruped import make_quadruped_shape
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.requests.plans import RootMotionRequest
from tests.blender.rigs import make_walker_under_ik
from tests.control_rigs import generate_rigify, key_ik_walk
from tests.scenes import add_mesh, add_person

FRAMES = (1, 4, 7, 10, 13)
ROUND = (
    ("body", "root"),
    ("root", "object"),
    ("object", "body"),
    ("body", "object"),
    ("object", "root"),
    ("root", "body"),
)
once = pytest.mark.newest


def play(armature, action):
    versions.assign_action(armature, action, versions.find_slot(action, armature))


def get_curves(armature):
    return versions.get_curves(*versions.get_assigned_action(armature))


@pytest.fixture
def person():
    """A small figure whose hips travel on a curve, sway, turn and nod; it is not set up."""
    data = bpy.data.armatures.new("Figure")
    armature = bpy.data.objects.new("Figure", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for name, parent, head, tail in _BONES:
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = head, tail
        bone.parent = data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    hips = armature.pose.bones["hips"]
    for frame in range(1, 14, 4):
        # Along the bone's own axes, of which the second one goes up.
        hips.location = (0.02 * frame, 0.02 * np.sin(frame), 0.1 * frame)
        hips.rotation_quaternion = Quaternion((0, 1, 0), 0.04 * frame) @ Quaternion((1, 0, 0), 0.1)
        hips.keyframe_insert("location", frame=frame)
        hips.keyframe_insert("rotation_quaternion", frame=frame)
        for side, sign in (("L", 1), ("R", -1)):
            thigh = armature.pose.bones[f"thigh.{side}"]
            thigh.rotation_quaternion = Quaternion((1, 0, 0), 0.5 * sign * np.sin(frame / 2))
            thigh.keyframe_insert("rotation_quaternion", frame=frame)
    armature.animation_data.action.name = "Walk"
    return armature


_BONES = (
    ("root", "", (0, 0, 0), (0, 0.2, 0)),
    ("hips", "root", (0, 0, 0.9), (0, 0, 1.0)),
    ("spine", "hips", (0, 0, 1.0), (0, 0, 1.5)),
    ("head", "spine", (0, 0, 1.5), (0, 0, 1.8)),
    *(
        (f"{name}.{side}", f"{parent}{end}", (x, y, z), (x, y + ahead, below))
        for side, x in (("L", 0.1), ("R", -0.1))
        for name, parent, end, y, z, ahead, below in (
            ("thigh", "hips", "", 0, 0.9, 0, 0.5),
            ("shin", "thigh.", side, 0, 0.5, 0, 0.1),
            ("foot", "shin.", side, 0, 0.1, -0.2, 0.0),
        )
    ),
)


def see(armature, frames=FRAMES):
    """World matrices of all bones, and of the object under an empty name, by frame."""
    shown = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame - int(frame))
        item = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        world = {b.name: np.array(item.matrix_world @ b.matrix) for b in item.pose.bones}
        shown.append({"": np.array(item.matrix_world), **world})
    return shown


def measure_shift(before, after, but=("", "root")):
    """How far any bone is from where it was, as a share of the bodies' size, turns as sines."""
    names = [name for name in before[0] if name not in but]
    heights = [shown[name][2, 3] for shown in before for name in names]
    size = max(heights) - min(heights)
    found = 0.0
    for a, b in zip(before, after, strict=True):
        for name in names:
            off = np.abs(a[name] - b[name])[:3]
            found = max(
                found, off[:, 3].max() / size, off[:, :3].max() / np.abs(a[name][:3, :3]).max()
            )
    return found


def get_way(shown, name):
    """How far something goes in x, y and z."""
    return np.ptp([matrices[name][:3, 3] for matrices in shown], axis=0)


def convert(armature, source, target, **choices):
    return convert_root_motion(armature, RootMotionRequest(source=source, target=target, **choices))


def place(armature, how):
    """Put an armature, its root bone and the modes of rotation in an uncommon way."""
    bones = armature.pose.bones
    if how == "small and turned, with a root bone aslant":
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        root = armature.data.edit_bones["root"]
        root.tail, root.roll = (0.3, 0.2, 0.4), 0.7
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.scale = (0.01,) * 3
        armature.rotation_mode = "QUATERNION"
        armature.rotation_quaternion = Quaternion((1, 0, 0), 1.5) @ Quaternion((0, 1, 0), 0.4)
    elif how == "large, by other modes":
        armature.scale = (100.0,) * 3
        armature.rotation_euler = (np.pi / 2, 0.0, 0.3)
        bones["root"].rotation_mode = "YZX"
        armature.delta_location, armature.delta_rotation_euler = (1, 2, 3), (0.2, 0.3, 0.4)
    elif how == "under a moving parent":
        carrier = bpy.data.objects.new("Carrier", None)
        bpy.context.scene.collection.objects.link(carrier)
        carrier.rotation_euler, carrier.scale = (0.3, 0.2, 1.1), (2, 2, 2)
        for frame in (1, 25):
            carrier.location.x = 0.1 * frame
            carrier.keyframe_insert("location", frame=frame)
        armature.parent = carrier
        armature.matrix_parent_inverse = Matrix.Rotation(0.4, 4, "X")
        armature.rotation_mode = bones["root"].rotation_mode = "AXIS_ANGLE"


@pytest.mark.parametrize(
    "how",
    [
        "as it is",
        pytest.param("small and turned, with a root bone aslant", marks=once),
        pytest.param("large, by other modes", marks=once),
        pytest.param("under a moving parent", marks=once),
    ],
)
def test_all_ways_around_no_other_bone_moves(person, how):
    place(person, how)
    first = person.animation_data.action
    curves = len(versions.get_curves(first, versions.find_slot(first, person)))
    before = see(person)
    for source, target in ROUND:
        made = convert(person, source, target, use_even=target != "object")
        shown = see(person)
        assert measure_shift(before, shown) < 1e-5
        assert person.animation_data.action == made.action
        name = {"object": "", "root": "root", "body": "hips"}[target]
        assert get_way(shown, name)[:2].max() > 0.5 * get_way(before, "hips")[:2].max()
    assert len(versions.get_curves(first, versions.find_slot(first, person))) == curves
    assert person.animation_data.action.name == "Walk Body Motion 2"


def test_a_root_bone_is_on_the_ground_upright_and_the_hips_keep_the_sway(person):
    before = see(person)
    convert(person, "body", "root")
    shown = see(person)
    ways = np.array([m["root"][:3, 3] for m in shown])
    assert np.allclose(ways[:, 2], 0.0, atol=1e-6)
    up = np.array([m["root"][:3, 1] for m in shown])
    rest = np.array(person.data.bones["root"].matrix_local)[:3, 1]
    assert np.allclose(up[:, 2], rest[2], atol=1e-6)
    steps = np.linalg.norm(np.diff(ways, axis=0), axis=1) / np.diff(FRAMES)
    assert np.ptp(steps) < 1e-3 * steps.mean()
    assert measure_shift(before, shown) < 1e-5


def test_in_place_takes_the_travel_out_and_leaves_the_steps(person):
    convert(person, "body", "object")
    before = see(person)
    made = convert(person, "auto", "none")
    shown = see(person)
    assert made.found.source == "object"
    assert get_way(shown, "").max() < 1e-6
    inside = [[np.linalg.inv(m[""]) @ m[n] for m in run for n in m] for run in (before, shown)]
    assert np.allclose(*inside, atol=1e-5)


@pytest.mark.parametrize(
    "mode",
    ["REPEAT_OFFSET", pytest.param("REPEAT", marks=once), pytest.param("turning", marks=once)],
)
def test_cycles_go_on_beyond_their_keys(person, mode):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 30
    action, slot = versions.get_assigned_action(person)
    bag = versions.get_channelbag(action, slot)
    for curve in [c for c in bag.fcurves if '"hips"' in c.data_path]:
        bag.fcurves.remove(curve)
    person.pose.bones["hips"].matrix_basis.identity()
    for frame in (1, 13):
        person.location.y = -0.1 * (frame - 1)
        person.keyframe_insert("location", frame=frame)
        if mode == "turning":
            person.rotation_euler.z = 0.04 * (frame - 1)
            person.keyframe_insert("rotation_euler", frame=frame)
    for curve in bag.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
        modifier = curve.modifiers.new("CYCLES")
        modifier.mode_before = modifier.mode_after = (
            "REPEAT" if mode == "REPEAT" else "REPEAT_OFFSET"
        )
    frames = (1, 13, 14, 20, 25, 28)
    before = see(person, frames)
    made = convert(person, "object", "root")
    shown = see(person, frames)
    assert measure_shift(before, shown) < 1e-5
    assert made.found.key_range.is_wide == (mode == "turning")
    assert get_way(shown, "root")[1] > 0.9


def test_strips_play_the_new_action_and_others_keep_the_old(person):
    old, slot = versions.get_assigned_action(person)
    other = person.copy()
    bpy.context.scene.collection.objects.link(other)
    strip = person.animation_data.nla_tracks.new().strips.new("Walk", 31, old)
    versions.assign_strip_slot(strip, slot)
    person.animation_data.action = None
    frames, theirs = (31, 36, 42), see(other)
    before = see(person, frames)
    made = convert(person, "body", "root")
    assert made.is_played
    assert strip.action == made.action
    assert measure_shift(before, see(person, frames)) < 1e-5
    assert other.animation_data.action == old
    assert measure_shift(theirs, see(other)) == 0.0


@once
def test_legs_under_ik_stay_where_they_are():
    armature = make_walker_under_ik(bpy.context.scene)
    action = next(iter(bpy.data.actions))
    play(armature, action)
    root = armature.pose.bones["root"]
    for frame in (1, 25):
        root.location = (0.02 * frame, 0.05 * frame, 0.0)
        root.keyframe_insert("location", frame=frame)
    before = see(armature)
    made = convert(armature, "root", "body")
    assert {bone for bone, _ in made.found.changes} == {"root", "hips", "foot.L", "foot.R"}
    assert measure_shift(before, see(armature)) < 1e-5


@once
def test_of_a_control_rig_root_torso_and_feet_are_keyed():
    rig = generate_rigify("basic_quadruped")
    armature = rig.armature
    play(armature, key_ik_walk(rig))
    root = armature.pose.bones["root"]
    for frame in (1, 25):
        root.location = (0.02 * frame, 0.05 * frame, 0.0)
        root.keyframe_insert("location", frame=frame)
    frames = (1, 13)
    before = see(armature, frames)
    made = convert(armature, "root", "body")
    feet = {limb.foot_control for limb in rig.limbs}
    assert {bone for bone, _ in made.found.changes} == {"root", "torso", *feet}
    assert not made.found.missed
    helpers = {b.name for b in armature.data.bones if not b.use_deform}
    assert measure_shift(before, see(armature, frames), helpers | {""}) < 1e-5


@once
def test_a_root_control_that_is_keyed_is_a_travel():
    scene = bpy.context.scene
    armature = make_walker_under_ik(scene)
    next(iter(bpy.data.actions)).use_fake_user = True
    scene.frame_start, scene.frame_end = 1, 25
    armature.animation_data_create().action = bpy.data.actions.new("Way")
    root = armature.pose.bones["root"]
    for frame in (1, 25):
        root.location = (0.0, 0.05 * frame, 0.0)
        root.keyframe_insert("location", frame=frame)
    frames = (1, 13, 25)
    before = see(armature, frames)
    set_up(armature)
    travel = armature.locomotion.travel
    travel.source, travel.bone, travel.output_to = "BONE", "root", "BONE"
    bake_set_up(armature, scene)
    shown = see(armature, frames)
    for name in ("root", "hips"):
        ways = [[m[name][:2, 3] for m in run] for run in (before, shown)]
        assert np.abs(np.subtract(*ways)).max() < 0.05
    assert get_way(shown, "root").max() > 1.0
    assert get_way(shown, "").max() == 0.0


@once
def test_a_walk_that_was_baked_to_the_root_bone_goes_to_the_object():
    person = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 24
    person.locomotion.travel.output_to = "BONE"
    bake_set_up(person, scene)
    frames = (1, 11, 24)
    before = see(person, frames)
    convert(person, "root", "object", use_even=False)
    shown = see(person, frames)
    assert measure_shift(before, shown, ("",)) < 1e-5
    assert get_way(shown, "").max() > 1.0


@once
def test_an_upright_root_bone_under_a_body_that_pitches():
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 16
    shape = make_quadruped_shape()
    armature = create_character(shape, scene.collection)
    for action in write_gaits(armature, shape, ["walk"]):
        action.use_fake_user = True
    slope = [(-5, 5, -1.5), (5, 5, -1.5), (5, -8, 2.4), (-5, -8, 2.4)]
    add_mesh("Slope", slope, [(0, 1, 2, 3)])
    set_up(armature)
    armature.locomotion.travel.output_to = "BONE"
    frames, runs, tilts = (1, 16), [], []
    rest = np.array(armature.data.bones["root"].matrix_local.inverted())
    for upright in (False, True):
        armature.locomotion.settings.upright_root = upright
        bake_set_up(armature, scene)
        runs.append(see(armature, frames))
        tilts.append(max(np.arccos(min((m["root"] @ rest)[2, 2], 1.0)) for m in runs[-1]))
        assert "as planned" not in armature.locomotion.report.warnings
    assert tilts[0] > 0.1
    assert tilts[1] < 2e-3
    assert measure_shift(*runs) < 1e-5


def test_the_source_is_kept_when_the_file_is_saved(person):
    first = person.animation_data.action
    other = person.copy()
    bpy.context.scene.collection.objects.link(other)
    made = convert(person, "body", "root")
    assert not first.use_fake_user
    bpy.data.objects.remove(other)
    convert(person, "root", "object")
    assert made.action.use_fake_user
    versions.assign_action(person, first, versions.find_slot(first, person))
    convert(person, "body", "root")
    assert first.use_fake_user


@once
@pytest.mark.parametrize("scale", [1.0, 0.01])
def test_a_root_bone_far_from_the_origin_spreads_no_keys(person, scale):
    """Single precision is not more exact there; nothing else is wrong."""
    hips = person.pose.bones["hips"]
    for frame in (1, 13):
        hips.location.z = 40.0 * frame / scale**0.5
        hips.keyframe_insert("location", frame=frame)
    convert(person, "body", "object", use_even=False)
    person.scale = (scale,) * 3
    before = see(person)
    made = convert(person, "object", "root")
    assert {bone for bone, _ in made.found.changes} == {"", "root", "hips"}
    assert not made.found.missed
    assert (made.found.imprecise > 0.0) == (scale < 1.0)
    shown = see(person)
    far = max(np.abs(m["root"][:3, 3]).max() for m in shown)
    for a, b in zip(before, shown, strict=True):
        assert np.abs(a["foot.L"][:3, 3] - b["foot.L"][:3, 3]).max() < 1e-6 * far


@once
def test_a_hidden_armature_is_converted_and_keys_between_frames_count(person):
    for curve in get_curves(person):
        for key in curve.keyframe_points:
            for place in (key.co, key.handle_left, key.handle_right):
                place[0] += 0.4
            key.interpolation = "LINEAR"
    frames = (1.4, 5.4, 9.4, 21.4)
    before = see(person, frames)
    person.hide_viewport = True
    convert(person, "body", "root")
    person.hide_viewport = False
    assert measure_shift(before, see(person, frames)) < 1e-5


@once
def test_a_strip_that_travels_under_an_action_in_place_is_converted(person):
    old, slot = versions.get_assigned_action(person)
    strip = person.animation_data.nla_tracks.new().strips.new("Walk", 1, old)
    versions.assign_strip_slot(strip, slot)
    person.animation_data.action = bpy.data.actions.new("Nod")
    head = person.pose.bones["head"]
    for frame in (1, 25):
        head.rotation_quaternion = Quaternion((1, 0, 0), 0.01 * frame)
        head.keyframe_insert("rotation_quaternion", frame=frame)
    before = see(person)
    made = convert(person, "auto", "root")
    assert strip.action == made.action
    assert person.animation_data.action.name == "Nod"
    assert measure_shift(before, see(person)) < 1e-5


def test_what_cannot_be_done_is_told_with_its_cure(person):
    action = person.animation_data.action
    with pytest.raises(LocomotionError, match=r"does not travel in .* choose another From"):
        convert(person, "root", "object")
    with pytest.raises(LocomotionError, match="choose another Root Bone"):
        convert(person, "body", "root", root_bone="head")
    with pytest.raises(LocomotionError, match="has no bone 'hip': choose another Body"):
        convert(person, "body", "object", body_bone="hip")
    with pytest.raises(LocomotionError, match="add a root bone in Edit Mode"):
        convert(person, "body", "root", body_bone="root")
    hold = person.pose.bones["root"].constraints.new("LIMIT_LOCATION")
    with pytest.raises(LocomotionError, match=r"the constraint 'Limit Location'.* mute it"):
        convert(person, "body", "root")
    hold.mute = True
    person.constraints.new("LIMIT_LOCATION")
    with pytest.raises(LocomotionError, match=r"the constraint 'Limit Location'.* mute it"):
        convert(person, "body", "object")
    for scale in ((1, 2, 1), (-1, 1, 1)):
        person.scale = scale
        told = ", ".join(str(size) for size in scale)
        with pytest.raises(LocomotionError, match=rf"mirrored \({told}\): apply the scale"):
            convert(person, "body", "root")
    person.scale = (1, 1, 1)
    person.keyframe_insert("scale", frame=1)
    person.scale = (2, 2, 2)
    person.keyframe_insert("scale", frame=25)
    with pytest.raises(LocomotionError, match="take the keys of its scale away"):
        convert(person, "body", "root")
    for curve in [c for c in get_curves(person) if c.data_path == "scale"]:
        versions.get_channelbag(*versions.get_assigned_action(person)).fcurves.remove(curve)
    person.scale = (1, 1, 1)
    bpy.context.view_layer.objects.active = person
    bpy.ops.object.mode_set(mode="EDIT")
    bones = person.data.edit_bones
    bones["root"].tail = bones["hips"].head
    bones["hips"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    for frame in (1, 25):
        person.pose.bones["root"].location.x = 0.1 * frame
        person.pose.bones["root"].keyframe_insert("location", frame=frame)
    with pytest.raises(LocomotionError, match="disconnect it in Edit Mode"):
        convert(person, "root", "body")
    assert person.animation_data.action == action
    person.animation_data.action = None
    with pytest.raises(LocomotionError, match="plays no action: choose an action"):
        convert(person, "body", "root")


def test_the_operator_takes_what_is_kept_and_what_is_given(person):
    bpy.context.view_layer.objects.active = person
    person.select_set(True)
    kept = person.locomotion.root_motion
    kept.source, kept.target = "BODY", "ROOT"
    before = see(person)
    assert bpy.ops.anim.locomotion_root_motion() == {"FINISHED"}
    assert person.animation_data.action.name == "Walk Root Motion"
    assert measure_shift(before, see(person)) < 1e-5
    assert bpy.ops.anim.locomotion_root_motion(source="AUTO", target="OBJECT") == {"FINISHED"}
    assert get_way(see(person), "").max() > 0.5
    with pytest.raises(RuntimeError, match="choose another To"):
        bpy.ops.anim.locomotion_root_motion(source="ROOT", target="ROOT")
    still = person.copy()
    still.name = "Still"
    still.animation_data_clear()
    bpy.context.scene.collection.objects.link(still)
    still.select_set(True)
    played = person.animation_data.action
    with pytest.raises(RuntimeError, match=r"Still: .*; none was converted"):
        bpy.ops.anim.locomotion_root_motion(source="AUTO", target="ROOT")
    assert person.animation_data.action == played
