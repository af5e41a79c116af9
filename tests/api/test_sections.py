# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sections of a shot: walks between poses that were keyed by hand, several of them in one shot."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Matrix

from semi_procedural_locomotion.api.sections import list_sections, remove_section
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.edits import find_edited_curves
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.bake_record import read_record
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.ik_chain import solve_leg
from tests.meters import level_heights, see_feet
from tests.scenes import add_person

pytestmark = pytest.mark.newest

LAST = 90


@pytest.fixture
def shot():
    """The project's person, set up, standing 1 m aside in a shot that is keyed by hand."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    armature.animation_data_create().action = bpy.data.actions.new("By Hand")
    armature.location.x = 1.0
    for frame in (1, LAST):
        armature.keyframe_insert("location", frame=frame)
        for bone in armature.pose.bones:
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            bone.keyframe_insert("location", frame=frame)
    return armature


def sample_heads(armature, last=LAST):
    """World places of all bones' heads in all frames, shape (N, B, 3)."""
    places = []
    for frame in range(1, last + 1):
        bpy.context.scene.frame_set(frame)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        places.append([shown.matrix_world @ bone.head for bone in shown.pose.bones])
    return np.array(places)


def test_a_second_section_leaves_the_first_and_what_is_between(shot):
    by_hand = sample_heads(shot)
    bpy.ops.anim.locomotion_bake(frame_start=10, frame_end=30)
    first = sample_heads(shot)
    bpy.ops.anim.locomotion_bake(frame_start=50, frame_end=70)
    both = sample_heads(shot)
    assert read_record(find_bake(shot)).sections == ((10, 30), (50, 70))
    assert np.allclose(both[:49], first[:49], atol=1e-5)
    assert np.abs(both[49:70] - first[49:70]).max() > 0.1
    assert np.allclose(both[70:], first[70:], atol=1e-5)
    # Keys of the animator between two sections are none of the walk's.
    bpy.context.scene.frame_set(40)
    shot.keyframe_insert("location")
    assert find_edited_curves(shot) == []
    bpy.ops.anim.locomotion_bake(frame_start=55, frame_end=75)
    assert read_record(find_bake(shot)).sections == ((10, 30), (55, 75))
    moved = sample_heads(shot)
    assert np.allclose(moved[9:30], first[9:30], atol=1e-5)
    assert np.allclose(moved[30:39], first[30:39], atol=1e-5)
    # Carried otherwise the first one would be left behind.
    with pytest.raises(RuntimeError, match="frames 10 to 30 of 'Walker' are walked on the object"):
        bpy.ops.anim.locomotion_bake(frame_start=55, frame_end=75, output_to="BONE")
    assert np.array_equal(sample_heads(shot), moved)
    bpy.ops.anim.locomotion_bake_remove()
    bare = sample_heads(shot)
    assert np.array_equal(bare[[0, LAST - 1]], by_hand[[0, LAST - 1]])
    # The key of the animator is the shot's.
    assert np.allclose(bare[39, 0], moved[39, 0], atol=1e-5)


def key_stand(armature, frames, place, apart):
    """Key a pose that stands at a place (x, y) with flat feet, one so far before the other, at frames.

    Its body is moved, and the object stays where it is.
    """
    rig = read_character(armature).rig
    skeleton = rig.skeleton
    turns, heads = (part.copy() for part in skeleton.rest_poses)
    heads += np.array([*place, 0.0])
    heads[skeleton.find_descendants(rig.body)] -= np.array([0.0, 0.0, 0.03])
    for leg, ahead in zip(rig.legs, (apart / 2, -apart / 2), strict=True):
        joints = list(leg.joints)
        ankle = heads[leg.ankle] + np.array([*(ahead * rig.forward), 0.03])
        hinge = rot.rotate(turns[joints[0]], leg.hinge)
        bent = solve_leg(heads[None, joints], turns[None, joints[:-1]], ankle[None], hinge)
        turns[joints[:-1]], heads[joints] = bent.rotations[0], bent.positions[0]
        for bone in skeleton.find_descendants(leg.ankle)[1:]:
            parent = skeleton.parents[bone]
            heads[bone] = heads[parent] + rot.rotate(
                turns[parent], skeleton.rest_translations[bone]
            )
    bpy.context.view_layer.update()
    back = np.linalg.inv(np.array(armature.matrix_world))
    for index, name in enumerate(skeleton.names):
        bone, matrix = armature.pose.bones[name], np.eye(4)
        matrix[:3, :3] = rot.matrices_from_quaternions(turns[index])
        matrix[:3, 3] = heads[index]
        bone.matrix = Matrix((back @ matrix).tolist())
        bpy.context.view_layer.update()
        for frame in frames:
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)


def measure_slips(armature, frames):
    """Largest way of a vertex on the ground in a frame, for each foot, metres."""
    ankles = [leg.bones[-1].name for leg in armature.locomotion.legs]
    bones = armature.pose.bones
    feet = [[name, *(b.name for b in bones[name].children_recursive)] for name in ankles]
    slips = []
    for foot in see_feet(armature, feet, frames, level_heights):
        low = foot.depths > -0.004
        ways = np.linalg.norm(np.diff(foot.points[..., :2], axis=0), axis=-1)
        slips.append(float(np.where(low[1:] & low[:-1], ways, 0.0).max()))
    return slips


@pytest.fixture
def acted():
    """The person standing by hand 2 m beside its object until frame 20, and farther on from 66."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 80
    armature.animation_data_create().action = bpy.data.actions.new("By Hand")
    key_stand(armature, (1, 20), (2.0, 0.0), 0.2)
    # As far and as late as its walk has its left foot down again.
    key_stand(armature, (66, 80), (2.0, -2.45), 0.2)
    return armature


def test_a_walk_between_two_poses_begins_and_ends_on_their_feet(acted):
    by_hand = sample_heads(acted, 80)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=66, blend_in=10, blend_out=10)
    walked = sample_heads(acted, 80)
    outside = [*range(20), *range(65, 80)]
    assert np.allclose(walked[outside], by_hand[outside], atol=2e-4)
    # It goes on where the body is, not from where its object is.
    hips = acted.pose.bones.find("hips")
    assert np.abs(walked[:, hips, 0] - 2.0).max() < 0.1
    assert np.diff(walked[19:66, hips, 1]).max() < 0.005
    leg = 0.8
    assert max(measure_slips(acted, range(15, 72))) < 0.005 * leg
    assert "slides over" not in acted.locomotion.report.warnings


@pytest.mark.parametrize("frame", [1, 13])
def test_feet_that_stand_on_a_heel_in_the_pose_come_down_and_stay_until_their_step(shot, frame):
    by_hand, walk = versions.get_assigned_action(shot), shot.locomotion.motions[0].action
    versions.assign_action(shot, walk, versions.find_slot(walk, shot))
    bpy.context.scene.frame_set(frame)
    walking = {bone.name: bone.matrix_basis.copy() for bone in shot.pose.bones}
    versions.assign_action(shot, *by_hand)
    for bone in shot.pose.bones:
        bone.matrix_basis = walking[bone.name]
        for key in (1, LAST):
            bone.keyframe_insert("rotation_quaternion", frame=key)
            bone.keyframe_insert("location", frame=key)
    shot.locomotion.travel.straight_start = "STAND"
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=70, blend_in=8)
    for foot in see_soles(shot, range(20, 60)):
        toe = np.argmin(foot.points[0, :, 1])
        gone = np.linalg.norm(foot.points[:, toe, :2] - foot.points[0, toe, :2], axis=1)
        stays = np.maximum.accumulate(gone) < 0.05
        if foot.lows[0] < 0.005:
            assert foot.lows[stays].max() < 0.02


def see_soles(armature, frames):
    """Both feet of a character in these frames."""
    ankles = [leg.bones[-1].name for leg in armature.locomotion.legs]
    bones = armature.pose.bones
    feet = [[name, *(b.name for b in bones[name].children_recursive)] for name in ankles]
    return see_feet(armature, feet, frames, level_heights)


@pytest.mark.parametrize("degrees", [8.0, 20.0])
def test_feet_that_stand_on_their_heels_lie_down_as_a_walk_that_moves_begins(acted, degrees):
    turn = Matrix.Rotation(np.radians(-degrees), 4, "X")
    for leg in acted.locomotion.legs:
        bone = acted.pose.bones[leg.bones[-1].name]
        place = Matrix.Translation(bone.matrix.translation)
        bone.matrix = place @ turn @ place.inverted() @ bone.matrix
        bpy.context.view_layer.update()
        for frame in (1, 20):
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=66, blend_in=10)
    lows = np.stack([foot.lows for foot in see_soles(acted, range(20, 50))])
    assert lows.min(axis=0).max() < 0.008


def test_a_pose_that_no_step_leads_to_is_told(acted):
    key_stand(acted, (66, 80), (2.0, 1.0), 0.0)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=66, blend_in=10, blend_out=10)
    assert "no step leads to the pose" in acted.locomotion.report.warnings
    walked = sample_heads(acted, 80)
    hips = acted.pose.bones.find("hips")
    assert abs(walked[65, hips, 1] - walked[79, hips, 1]) < 1e-4


@pytest.mark.parametrize("use_strip", [False, True])
def test_strips_play_on_beside_a_section(acted, use_strip):
    data = acted.animation_data
    action, slot = versions.get_assigned_action(acted)
    data.action = None
    strip = data.nla_tracks.new().strips.new("By Hand", 1, action)
    versions.assign_strip_slot(strip, slot)
    strip.scale = 1.1
    # No strip plays the object, which stays where it is.
    acted.location = (3.0, 1.0, 0.0)
    by_hand = sample_heads(acted, 80)
    bpy.ops.anim.locomotion_bake(
        frame_start=30, frame_end=50, blend_in=8, blend_out=8, use_strip=use_strip
    )
    walked = sample_heads(acted, 80)
    assert np.allclose(walked[:30], by_hand[:30], atol=2e-4)
    assert np.allclose(walked[49:], by_hand[49:], atol=2e-4)
    assert np.abs(walked[35:45] - by_hand[35:45]).max() > 0.05
    bpy.ops.anim.locomotion_bake_remove()
    assert np.array_equal(sample_heads(acted, 80), by_hand)
    assert data.action_extrapolation == "HOLD"


def test_feet_that_are_not_locked_are_mixed_with_what_is_under_the_bake(acted):
    acted.locomotion.settings.lock_feet = False
    asked = {"frame_start": 20, "frame_end": 60, "blend_in": 10, "blend_out": 10}
    bpy.ops.anim.locomotion_bake(**asked)
    walked = sample_heads(acted, 80)
    # The object shows the bake there, and not where it stands without it.
    bpy.context.scene.frame_set(40)
    bpy.ops.anim.locomotion_bake(**asked)
    assert np.allclose(sample_heads(acted, 80), walked, atol=1e-6)


def test_a_strip_of_sections_ends_with_those_that_are_left(acted):
    data = acted.animation_data
    action, slot = versions.get_assigned_action(acted)
    data.action = None
    strip = data.nla_tracks.new().strips.new("By Hand", 1, action)
    versions.assign_strip_slot(strip, slot)
    by_hand = sample_heads(acted, 80)
    bpy.ops.anim.locomotion_bake(frame_start=10, frame_end=25, use_strip=True)
    bpy.ops.anim.locomotion_bake(frame_start=40, frame_end=55, use_strip=True)
    walked = sample_heads(acted, 80)
    outside = [*range(9), *range(55, 80)]
    assert np.allclose(walked[outside], by_hand[outside], atol=1e-5)
    remove_section(acted, list_sections(acted)[0])
    walked = sample_heads(acted, 80)
    outside = [*range(39), *range(55, 80)]
    assert np.allclose(walked[outside], by_hand[outside], atol=1e-5)


def key_bone(armature, name, frames, property_name="rotation_quaternion"):
    """Key a bone in other poses at frames, in what the object plays; elsewhere it is as it was."""
    bone = armature.pose.bones[name]
    before = getattr(bone, property_name).copy()
    for number, frame in enumerate(frames):
        if property_name == "location":
            bone.location = (0.0, 0.0, 0.05 * number)
        else:
            bone.rotation_quaternion = (1.0, 0.2 * number, 0.0, 0.0)
        bone.keyframe_insert(property_name, frame=frame)
    setattr(bone, property_name, before)


@pytest.mark.parametrize("output_to", ["OBJECT", "BONE"])
@pytest.mark.parametrize("bone", ["chest", "hand.L"])
def test_a_key_that_moves_no_leg_lets_a_walk_hold_where_it_ends(bone, output_to):
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    limit = armature.pose.bones["shin.L"].constraints.new("LIMIT_ROTATION")
    asked = {"output_to": output_to, "frame_start": 20, "frame_end": 40}
    bpy.ops.anim.locomotion_bake(**asked)
    without = sample_heads(armature)
    bpy.ops.anim.locomotion_bake_remove()
    data = armature.animation_data
    data.action = bpy.data.actions.new("By Hand")
    key_bone(armature, bone, (1, 10, 60, 70))
    if bone == "hand.L":
        action, slot = versions.get_assigned_action(armature)
        data.action = None
        versions.assign_strip_slot(data.nla_tracks.new().strips.new("By Hand", 1, action), slot)
    by_hand = sample_heads(armature)
    names = [b.name for b in armature.pose.bones]
    legs = [i for i, name in enumerate(names) if name.startswith(("root", "hips", "thigh", "foot"))]
    for _ in range(2):
        bpy.ops.anim.locomotion_bake(**asked)
        walked = sample_heads(armature)
        assert np.allclose(walked[:, legs], without[:, legs], atol=1e-5)
        # What is keyed goes on, carried along.
        tip = names.index("head" if bone == "chest" else "index_1.L")
        moves = [heads[:, tip] - heads[:, names.index(bone)] for heads in (walked, by_hand)]
        assert np.linalg.norm(np.ptp(moves[0][41:], axis=0)) > 0.01
        scene.frame_set(60)
        assert limit.influence == 0.0
    # Another section goes on from there, and comes off again.
    bpy.ops.anim.locomotion_bake(**{**asked, "frame_start": 60, "frame_end": 80})
    both = sample_heads(armature)
    assert np.allclose(both[:59, legs], walked[:59, legs], atol=1e-5)
    assert np.allclose(both[79:, legs], both[79, legs], atol=1e-5)
    remove_section(armature, list_sections(armature)[1])
    assert np.allclose(sample_heads(armature)[:, legs], walked[:, legs], atol=1e-5)
    bpy.ops.anim.locomotion_bake_remove()
    assert np.allclose(sample_heads(armature), by_hand, atol=1e-5)


@pytest.mark.parametrize("bone", ["hips", "foot.R", "root"])
def test_a_key_that_moves_a_leg_goes_on_where_it_was(bone):
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    armature.animation_data_create().action = bpy.data.actions.new("By Hand")
    key_bone(armature, bone, (1, 10, 60, 70))
    by_hand = sample_heads(armature)
    bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=40)
    walked = sample_heads(armature)
    outside = [*range(19), *range(40, LAST)]
    assert np.allclose(walked[outside], by_hand[outside], atol=1e-5)


@pytest.mark.parametrize("where", ["hips", "strip", "muted strip", "chest"])
def test_a_jump_from_a_section_to_what_plays_beside_it_is_told(where):
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    data = armature.animation_data_create()
    data.action = bpy.data.actions.new("By Hand")
    key_bone(armature, "hips" if where in ("hips", "strip") else "chest", (1, 10, 60, 70))
    if "strip" in where:
        action, slot = versions.get_assigned_action(armature)
        data.action = None
        track = data.nla_tracks.new()
        versions.assign_strip_slot(track.strips.new("By Hand", 1, action), slot)
        track.mute = "muted" in where
    # The second one finds the first one's keys.
    for _ in range(2):
        bpy.ops.anim.locomotion_bake(frame_start=20, frame_end=60)
        heads = sample_heads(armature)[59:61, 0]
        jump = np.linalg.norm(np.diff(heads, axis=0))
        told = "frame 61: the character jumps" in armature.locomotion.report.warnings
        assert told == (jump > 1.0) == (where in ("hips", "strip"))
    # A whole walk has no such end.
    bpy.ops.anim.locomotion_bake_remove()
    bpy.ops.anim.locomotion_bake()
    assert "jumps" not in armature.locomotion.report.warnings


@pytest.mark.parametrize("blends", [(10, 10), (0, 10), (0, 0)])
def test_poses_near_the_ends_of_a_section_are_no_jump(acted, blends):
    bpy.ops.anim.locomotion_bake(
        frame_start=20, frame_end=66, blend_in=blends[0], blend_out=blends[1]
    )
    assert "jumps" not in acted.locomotion.report.warnings
    walked = sample_heads(acted, 80)[:, [b.name for b in acted.pose.bones].index("hips")]
    assert np.linalg.norm(np.diff(walked[:, :2], axis=0), axis=1).max() < 0.5
