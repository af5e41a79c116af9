# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Baked walks held against what Blender shows: every way to spoil one is found and named."""

from __future__ import annotations

import json

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.api.notes import tell_notes
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.api.verifying import OFF_PLAN, note_verification, verify_baked
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.showing.expectations import read_expectation
from semi_procedural_locomotion.blender.values.curves import build_bone_path
from semi_procedural_locomotion.errors import BakeError
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.scenes import add_person, recall, select_only

pytestmark = pytest.mark.newest

LAST = 40


@pytest.fixture
def walker():
    """The project's person, set up, selected and active; not baked."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    return armature


@pytest.fixture
def baked():
    """The same with a walk that is shown as it was planned."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    armature = recall("person with a baked walk", bake_person)
    select_only(armature)
    clean = verify_baked(armature, scene)
    assert clean.is_clean
    assert clean.cause is None
    assert clean.share < 1e-4
    return armature


def bake_person():
    """The person with a walk over the range of the scene."""
    armature = add_person(is_set_up=True)
    bake()
    return armature


def bake(**choices):
    """Bake the active character."""
    assert bpy.ops.anim.locomotion_bake(**choices) == {"FINISHED"}


def verify(armature):
    """What is said of a character that was spoiled; it must be off."""
    bpy.context.view_layer.update()
    found = verify_baked(armature, bpy.context.scene)
    assert not found.is_clean
    assert found.share is None or found.share > OFF_PLAN
    (note,) = note_verification(found)
    (words,) = tell_notes([note])
    assert found.cause.name in words or found.cause.owner in words or not found.cause.name
    return found


def leg(armature, place=0):
    """Pose bone of the left leg, from the hip down."""
    return armature.pose.bones[armature.locomotion.legs[0].bones[place].name]


def list_curves(armature, bone, name="rotation_quaternion"):
    """Curves of the active action on a bone."""
    action, slot = versions.get_assigned_action(armature)
    path = build_bone_path(bone.name, name)
    return [c for c in versions.get_curves(action, slot) if c.data_path == path]


def test_a_locked_bone_is_keyed_all_the_same(walker):
    thigh = leg(walker)
    thigh.lock_rotation = (True, True, True)
    thigh.lock_rotations_4d = thigh.lock_rotation_w = True
    bake()
    assert verify_baked(walker, bpy.context.scene).is_clean
    assert len(list_curves(walker, thigh)) == 4
    walker.data.bones.active = thigh.bone
    assert thigh.lock_rotation[0]


def test_a_constraint_that_is_added_later(baked):
    shin = leg(baked, 1)
    constraint = shin.constraints.new("LIMIT_ROTATION")
    constraint.name = "Stiff Knee"
    constraint.use_limit_x = True
    constraint.owner_space = "LOCAL"
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("constraint", shin.name)
    assert found.cause.name == "Stiff Knee"
    assert found.leg == baked.locomotion.legs[0].name
    constraint.mute = True
    assert verify_baked(baked, bpy.context.scene).is_clean


def test_an_ik_constraint_is_named_for_the_bones_that_it_moves(baked):
    target = bpy.data.objects.new("Target", None)
    bpy.context.scene.collection.objects.link(target)
    target.location = (0.3, 0.3, 0.6)
    constraint = leg(baked, 1).constraints.new("IK")
    constraint.target, constraint.chain_count = target, 2
    found = verify(baked)
    assert (found.cause.kind, found.cause.name) == ("constraint", constraint.name)
    assert found.cause.owner == leg(baked, 0).name


def test_a_driver(baked):
    thigh = leg(baked)
    thigh.driver_add("rotation_quaternion", 1).driver.expression = "0.2"
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("driver", thigh.name)


def test_a_muted_curve(baked):
    for curve in list_curves(baked, leg(baked)):
        curve.mute = True
    bpy.context.scene.frame_set(1)
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("muted", leg(baked).name)


def test_a_deleted_curve(baked):
    action, slot = versions.get_assigned_action(baked)
    bag = versions.get_channelbag(action, slot)
    for curve in list_curves(baked, leg(baked)):
        bag.fcurves.remove(curve)
    leg(baked).rotation_quaternion = (1.0, 0.0, 0.0, 0.0)
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("deleted", leg(baked).name)


def test_another_action(baked):
    bake_action, slot = versions.get_assigned_action(baked)
    other = next(a for a in bpy.data.actions if a != bake_action)
    versions.assign_action(baked, other, versions.find_slot(other, baked))
    found = verify(baked)
    assert found.share is None
    assert (found.cause.kind, found.cause.name) == ("action", other.name)
    versions.assign_action(baked, bake_action, slot)
    assert verify_baked(baked, bpy.context.scene).is_clean


def test_a_strip_on_top(walker):
    walker.locomotion.settings.use_strip = True
    bake()
    assert verify_baked(walker, bpy.context.scene).is_clean
    thigh = leg(walker)
    over = bpy.data.actions.new("Kick")
    slot, bag = versions.ensure_channelbag(over, walker)
    for index, value in enumerate((0.9, 0.4, 0.0, 0.0)):
        path = build_bone_path(thigh.name, "rotation_quaternion")
        curve = versions.add_curve(bag, path, index, "")
        curve.keyframe_points.insert(1, value)
        curve.keyframe_points.insert(LAST, value)
    tracks = walker.animation_data.nla_tracks
    track = tracks.new(prev=tracks[-1])
    strip = track.strips.new("Kick", 1, over)
    versions.assign_strip_slot(strip, slot)
    found = verify(walker)
    assert (found.cause.kind, found.cause.owner) == ("strip", thigh.name)
    assert found.cause.name == "Kick"
    track.mute = True
    assert verify_baked(walker, bpy.context.scene).is_clean


def test_a_scaled_parent(walker):
    parent = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(parent)
    walker.parent = parent
    bake()
    parent.scale = (1.2, 1.2, 1.2)
    found = verify(walker)
    assert (found.cause.kind, found.cause.name) == ("parent", "Carrier")


def test_edited_keys(baked):
    for curve in list_curves(baked, leg(baked)):
        if curve.array_index == 1:
            for point in curve.keyframe_points:
                point.co.y += 0.2
            curve.update()
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("edited", leg(baked).name)


def test_a_removed_bone(baked):
    name = leg(baked, -1).name
    bpy.ops.object.mode_set(mode="EDIT")
    bones = baked.data.edit_bones
    bones.remove(bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    found = verify(baked)
    assert (found.cause.kind, found.cause.name) == ("bone", name)


def test_a_changed_rest_pose(baked):
    name = leg(baked).name
    bpy.ops.object.mode_set(mode="EDIT")
    baked.data.edit_bones[name].tail.x += 0.1
    bpy.ops.object.mode_set(mode="OBJECT")
    found = verify(baked)
    assert (found.cause.kind, found.cause.name) == ("rest", name)


def test_an_unkeyed_pose(baked):
    root = baked.pose.bones[0]
    assert not list_curves(baked, root)
    root.rotation_quaternion = (0.97, 0.24, 0.0, 0.0)
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("pose", root.name)
    # The next bake keys what stands in its way.
    bake()
    assert verify_baked(baked, bpy.context.scene).is_clean
    assert list_curves(baked, root)


def test_a_scaled_bone(baked):
    root = baked.pose.bones[0]
    root.scale = (1.1, 1.1, 1.1)
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("scale", root.name)


def test_a_scene_that_is_stretched_in_time(baked):
    bpy.context.scene.render.frame_map_new = 200
    found = verify(baked)
    assert (found.cause.kind, found.cause.name) == ("stretch", "100:200")


def test_a_delta_transform(baked):
    baked.delta_location.z = 0.3
    assert verify(baked).cause.kind == "delta"


def test_a_strip_that_was_moved(walker):
    bake(use_strip=True)
    strip = walker.animation_data.nla_tracks[-1].strips[0]
    strip.frame_start += 7
    found = verify(walker)
    assert (found.cause.kind, found.cause.name) == ("retimed", strip.name)


def test_another_rotation_mode(baked):
    thigh = leg(baked)
    thigh.rotation_mode = "XYZ"
    found = verify(baked)
    assert (found.cause.kind, found.cause.owner) == ("mode", thigh.name)


def test_a_hidden_armature_is_shown_by_its_meshes(baked):
    baked.hide_viewport = True
    bpy.context.view_layer.update()
    assert verify_baked(baked, bpy.context.scene).is_clean
    assert baked.hide_viewport


def test_edit_mode_and_tweak_mode_are_left_first(walker):
    bake(use_strip=True)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(BakeError, match="Edit Mode"):
        measure_baked(walker, bpy.context.scene)
    bpy.ops.object.mode_set(mode="OBJECT")
    track = walker.animation_data.nla_tracks[-1]
    track.select = track.strips[0].select = True
    walker.animation_data.use_tweak_mode = True
    for attempt in (
        lambda: measure_baked(walker, bpy.context.scene),
        lambda: bake(use_strip=True),
    ):
        with pytest.raises((BakeError, RuntimeError), match="tweak mode"):
            attempt()


def test_a_report_looks_at_all_frames(baked):
    names = [bone.name for bone in baked.pose.bones]
    kept = set(read_expectation(baked.animation_data.action)[0].frames.tolist())
    frame = next(f for f in range(5, LAST) if f not in kept)
    hips = baked.pose.bones[next(n for n in names if "hips" in n.lower())]
    constraint = hips.constraints.new("LIMIT_LOCATION")
    constraint.name = "Low Ceiling"
    constraint.use_max_y = constraint.use_max_z = True
    constraint.max_y = constraint.max_z = -0.3
    constraint.owner_space = "LOCAL"
    path = f'{build_bone_path(hips.name, "constraints")}["{constraint.name}"].influence'
    for at, value in ((frame - 0.4, 0.0), (frame, 1.0), (frame + 0.4, 0.0)):
        constraint.influence = value
        baked.keyframe_insert(path, frame=at)
    assert verify_baked(baked, bpy.context.scene).is_clean
    walk = measure_baked(baked, bpy.context.scene)
    assert walk.verification.frame == frame
    assert (walk.verification.cause.kind, walk.verification.cause.name) == (
        "constraint",
        constraint.name,
    )
    assert walk.as_dict()["shown_off_plan"] > OFF_PLAN


def test_an_armature_at_rest(baked):
    baked.data.pose_position = "REST"
    assert verify(baked).cause.kind == "position"


def test_a_correction_layer_is_no_fault_of_the_walk(baked):
    assert bpy.ops.anim.locomotion_correction_layer() == {"FINISHED"}
    assert verify_baked(baked, bpy.context.scene).is_clean
    thigh = leg(baked)
    thigh.rotation_quaternion = (0.97, 0.24, 0.0, 0.0)
    thigh.keyframe_insert("rotation_quaternion", frame=10)
    assert verify(baked).cause.kind == "correction"


def test_a_character_without_bake(walker):
    with pytest.raises(BakeError, match="no baked walk"):
        verify_baked(walker, bpy.context.scene)


def test_a_bake_that_is_not_looked_at_says_so(walker):
    bake(verify=False)
    report = walker.locomotion.report
    assert "not looked at" in report.warnings
    assert json.loads(report.values).get("shown_off_plan") is None
    assert verify_baked(walker, bpy.context.scene).is_clean
    bake(verify=True)
    assert "not looked at" not in walker.locomotion.report.warnings
    assert json.loads(walker.locomotion.report.values)["shown_off_plan"] < 1e-4


def test_a_spoiled_bake_says_so_first_and_tells_what_is_shown(walker):
    thigh = leg(walker)
    # Nothing that a bake keys can switch this off.
    thigh.driver_add("rotation_quaternion", 1).driver.expression = "0.3"
    # The clips play under the driver, too, and no longer look like what they are.
    for entry in walker.locomotion.motions:
        entry.kind = entry.found_kind.upper()
    bake()
    report = walker.locomotion.report
    values = json.loads(report.values)
    assert f"a driver moves '{thigh.name}'" in report.warnings.split("\n")[0]
    assert values["shown_off_plan"] > 0.05
    keys = ("shown_swing_depth_worst", "shown_sink_worst", "shown_airborne_share")
    assert max(values[key] for key in keys) > 0.02
    before = {key: values[key] for key in keys}
    again = measure_baked(walker, bpy.context.scene).as_dict()
    assert before == pytest.approx({key: again[key] for key in before}, abs=1e-3)
    assert again["shown_off_plan"] == pytest.approx(values["shown_off_plan"], abs=1e-3)


@pytest.fixture
def live(walker):
    """The same, shown live; the watch of it."""
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    yield watching.find_watch(walker)
    watching.put_back_all(forget=True)
    live_handlers.install()


def test_live_is_looked_at_when_it_is_switched_on(live):
    assert live.seen.is_clean
    assert live.seen.share < 1e-4
    assert live.seen.frames > 5


def test_live_under_a_constraint_that_it_cannot_switch_off(walker):
    shin = leg(walker, 1)
    constraint = shin.constraints.new("LIMIT_ROTATION")
    constraint.use_limit_x = True
    constraint.owner_space = "LOCAL"
    constraint.driver_add("influence").driver.expression = "1"
    # Otherwise the walk would keep the limit.
    walker.locomotion.settings.ik_method = "HINGE"
    before = [tuple(bone.rotation_quaternion) for bone in walker.pose.bones]
    try:
        assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
        seen = watching.find_watch(walker).seen
        assert not seen.is_clean
        assert (seen.cause.kind, seen.cause.name) == ("constraint", constraint.name)
        bpy.ops.anim.locomotion_live(action="OFF")
        assert [tuple(bone.rotation_quaternion) for bone in walker.pose.bones] == before
    finally:
        watching.put_back_all(forget=True)
        live_handlers.install()
