# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions that travel already, with planted feet, measured on the evaluated meshes."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import setups
from semi_procedural_locomotion.api.fixed_files import fix_file
from semi_procedural_locomotion.api.fixed_sources import choose_frames, name_action
from semi_procedural_locomotion.api.fixing import FixRequest, fix_feet
from semi_procedural_locomotion.api.seen_motions import see_motion
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.key_tables import hash_keys, read_key_table
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.notes import NoteKind
from tests.control_rigs import generate_rigify, key_ik_walk
from tests.meters import (
    find_stands,
    level_heights,
    measure_float,
    measure_sink,
    measure_slip,
    mesh_heights,
    see_feet,
)
from tests.scenes import add_mesh, add_person

LAST = 56
FRAMES = np.arange(1, LAST + 1)


@pytest.fixture
def walker():
    """A person that walks by an ordinary action, which keys the object and the bones."""
    armature = add_person(is_set_up=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    setups.bake_set_up(armature, scene)
    action = armature.animation_data.action
    for key in list(action.keys()):
        del action[key]
    action.name = "Capture"
    armature.locomotion.report.values = ""
    return armature


def list_curves(armature):
    """Curves of the action that an armature plays."""
    action, slot = versions.get_assigned_action(armature)
    return list(versions.get_curves(action, slot))


def spoil(armature, *, turns=0.0, places=0.0, sway=0.0, drop=0.0):
    """Shake all bones and the object, let it sway along its way, and sink the body in."""
    rng = np.random.default_rng(5)
    for curve in list_curves(armature):
        count = len(curve.keyframe_points)
        keys = np.empty(2 * count)
        curve.keyframe_points.foreach_get("co", keys)
        keys = keys.reshape(count, 2)
        if curve.data_path == "location":
            keys[:, 1] += places * rng.standard_normal(count)
            if curve.array_index < 2:
                keys[:, 1] += sway * np.sin(0.18 * keys[:, 0])
            else:
                keys[:, 1] -= drop
        elif count > 1 and curve.data_path.endswith("rotation_quaternion"):
            keys[:, 1] += turns * rng.standard_normal(count)
        curve.keyframe_points.foreach_set("co", keys.ravel())
        curve.update()


def see_world(armature):
    """The rig and the poses that the scene shows."""
    character = read_character(armature)
    return character.rig, see_motion(character, FRAMES, bpy.context.scene).world


def measure_feet(armature, heights=level_heights):
    """Slip, sink and float of the evaluated feet, shares of the leg."""
    length = read_character(armature).rig.leg_length
    legs = armature.locomotion.legs
    bones = [[leg.bones[-1].name, leg.toe] for leg in legs]
    feet = see_feet(armature, bones, FRAMES.tolist(), heights)
    stands = find_stands(feet, length, 24.0)
    sunk = max(
        float(foot.depths[own].max(initial=0.0)) for foot, own in zip(feet, stands, strict=True)
    )
    slip = measure_slip(feet, stands, 0.001 * length)
    return np.array([slip, sunk, measure_float(feet, stands), measure_sink(feet)]) / length


def measure_joint_speeds(rig, world):
    """99th percentile of the speed of each joint of the legs between hip and ankle."""
    found = []
    for leg in rig.legs:
        for bone in leg.joints[:-1]:
            above = world.rotations[:, rig.skeleton.parents[bone]]
            turns = rot.multiply(rot.conjugate(above), world.rotations[:, bone])
            found.append(np.percentile(rot.angles_between(turns[1:], turns[:-1]), 99))
    return np.array(found)


@pytest.mark.newest
def test_a_spoilt_walk_is_planted(walker):
    spoil(walker, turns=0.0015, places=0.002, sway=0.02, drop=0.01)
    kept = {(c.data_path, c.array_index): hash_keys(read_key_table(c)) for c in list_curves(walker)}
    add_mesh("Floor", [(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [(0, 1, 2, 3)])
    rig, source = see_world(walker)
    result = fix_feet(walker, bpy.context.scene)
    assert result.before.shown_slip_worst > 0.04
    assert result.before.shown_sink_worst > 0.01
    slip, sunk, floats, deepest = measure_feet(walker)
    assert slip < 0.004
    assert sunk < 0.004
    assert floats < 0.003
    assert deepest < 0.006
    assert result.shown_off < 1e-4
    assert result.after.shown_slip_worst < 0.003
    _, fixed = see_world(walker)
    length = rig.leg_length
    hips = [leg.joints[0] for leg in rig.legs]
    moved = rot.lengths(fixed.positions[:, hips] - source.positions[:, hips]) / length
    assert np.sqrt(np.mean(moved**2)) < 0.02
    assert (measure_joint_speeds(rig, fixed) / measure_joint_speeds(rig, source)).max() < 1.15
    head = rig.skeleton.find_index("head")
    assert np.allclose(fixed.rotations[:, head], source.rotations[:, head], atol=1e-5)
    # The source is as it was, and comes back.
    assert walker.animation_data.action.name == "Capture Fixed"
    again = fix_feet(walker, bpy.context.scene)
    assert again.action == result.action
    assert again.before.shown_slip_worst == pytest.approx(result.before.shown_slip_worst)
    setups.remove_set_up_bake(walker)
    assert walker.animation_data.action.name == "Capture"
    curves = list_curves(walker)
    assert {(c.data_path, c.array_index): hash_keys(read_key_table(c)) for c in curves} == kept


def test_a_clean_walk_stays(walker):
    rig, truth = see_world(walker)
    fix_feet(walker, bpy.context.scene)
    _, fixed = see_world(walker)
    joints = [bone for leg in rig.legs for bone in leg.joints]
    away = rot.lengths(fixed.positions[:, joints] - truth.positions[:, joints]) / rig.leg_length
    ankles = [joints.index(leg.ankle) for leg in rig.legs]
    assert away[:, ankles].max() < 0.005
    knees = [joints.index(leg.joints[1]) for leg in rig.legs]
    others = np.delete(away, knees, axis=1)
    assert np.sqrt(np.mean(others**2)) < 0.002
    # Of a straight leg the knee moves by far more than the hip that comes down by a thousandth.
    assert np.sqrt(np.mean(away[:, knees] ** 2)) < 0.007


@pytest.mark.newest
def test_soles_that_changed_since_set_up_are_told(walker):
    body = next(item for item in walker.children if item.type == "MESH")
    for vertex in body.data.vertices:
        vertex.co.z -= 0.02 * (vertex.co.z < 0.03)
    kinds = [note.kind for note in fix_feet(walker, bpy.context.scene).notes]
    assert NoteKind.SOLES_RENEWED in kinds


def test_a_flat_walk_follows_a_bumpy_ground(walker):
    x, y = np.meshgrid(np.linspace(-3, 3, 40), np.linspace(-8, 2, 66), indexing="ij")
    z = 0.05 * np.sin(3.0 * x) * np.cos(2.3 * y)
    points = np.stack([x, y, z], axis=-1).reshape(-1, 3)
    corners = np.arange(39)[:, None] * 66 + np.arange(65)
    faces = np.stack([corners, corners + 66, corners + 67, corners + 1], axis=-1).reshape(-1, 4)
    ground = add_mesh("Bumps", points, faces.tolist())
    bpy.context.view_layer.update()
    heights = mesh_heights(ground)
    assert measure_feet(walker, heights)[1] > 0.015
    assert fix_feet(walker, bpy.context.scene).before.shown_sink_worst > 0.013
    slip, sunk, floats, _ = measure_feet(walker, heights)
    assert slip < 0.006
    assert sunk < 0.006
    assert floats < 0.006


@pytest.mark.newest
@pytest.mark.parametrize("scale", [0.01, 100.0])
def test_size_and_carriers_do_not_matter(walker, scale):
    spoil(walker, sway=0.02)
    carrier = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(carrier)
    carrier.scale = (scale, scale, scale)
    carrier.rotation_euler = (0.0, 0.0, 0.7)
    walker.parent = carrier
    bpy.context.view_layer.update()
    result = fix_feet(walker, bpy.context.scene)
    assert result.before.shown_slip_worst > 0.03
    assert result.after.shown_slip_worst < 0.003
    assert result.after.shown_sink_worst < 0.001


def test_strength_feet_and_markers(walker):
    spoil(walker, sway=0.02)
    whole = fix_feet(walker, bpy.context.scene)
    curve = next(c for c in list_curves(walker) if c.data_path.startswith('pose.bones["thigh'))
    for key in curve.keyframe_points:
        key.co.y += 0.01
    again = fix_feet(walker, bpy.context.scene)
    assert again.kept == 1
    assert again.after.shown_slip_worst > whole.after.shown_slip_worst + 0.001
    walker.locomotion.settings.keep_edits = False
    half = fix_feet(walker, bpy.context.scene, FixRequest(plant=0.5))
    assert half.after.shown_slip_worst == pytest.approx(0.5 * half.before.shown_slip_worst, rel=0.1)
    left = walker.locomotion.legs[0].name
    one = fix_feet(walker, bpy.context.scene, FixRequest(legs=(left,)))
    assert one.after.shown_slip_worst > 0.03
    assert list(one.stances) == [left]
    # The markers of the walk that was cleaned and those that are moved are none beside the new ones.
    moved = next(m for m in one.action.pose_markers if m.name == f"{left} Off")
    moved.frame -= 1
    marked = fix_feet(walker, bpy.context.scene, FixRequest(use_markers=True))
    assert marked.kept == 0
    assert marked.stances == whole.stances
    markers = marked.action.pose_markers
    places = [(m.name, m.frame) for m in markers]
    assert len(places) == len(set(places)) == 2 * sum(marked.stances.values())
    for what in ("Strike", "Off"):
        markers.remove(
            min((m for m in markers if m.name == f"{left} {what}"), key=lambda m: m.frame)
        )
    fewer = fix_feet(walker, bpy.context.scene, FixRequest(use_markers=True))
    assert fewer.stances[left] == whole.stances[left] - 1


@pytest.mark.newest
def test_frames_and_name_follow_what_plays(walker):
    scene, request = bpy.context.scene, FixRequest()
    scene.frame_end = LAST + 12
    assert choose_frames(walker, request, scene)[-1] == LAST
    for curve in list_curves(walker):
        repeat = curve.modifiers.new("CYCLES")
        repeat.mode_after = "REPEAT_OFFSET" if curve.data_path == "location" else "REPEAT"
    assert choose_frames(walker, request, scene).tolist() == list(range(1, LAST + 13))
    fix_feet(walker, scene)
    rig = read_character(walker).rig
    seen = see_motion(read_character(walker), np.arange(LAST + 1, LAST + 13), scene).world
    knees = [leg.joints[1] for leg in rig.legs]
    turned = rot.angles_between(seen.rotations[1:, knees], seen.rotations[:-1, knees])
    assert turned.max(axis=1).min() > 0.005
    setups.remove_set_up_bake(walker)
    data = walker.animation_data
    action, data.action = data.action, None
    data.nla_tracks.new().strips.new("Shot", 1, action)
    assert name_action(walker) == "Capture Fixed"
    data.nla_tracks[0].strips.new("Other", LAST + 20, bpy.data.actions.new("Second"))
    assert name_action(walker) == f"{walker.name} Fixed"


@pytest.mark.newest
def test_what_cannot_be_cleaned_is_refused_in_words(walker):
    with pytest.raises(LocomotionError, match="has no leg 'Tail'"):
        fix_feet(walker, bpy.context.scene, FixRequest(legs=("Tail",)))
    with pytest.raises(LocomotionError, match="4 to"):
        fix_feet(walker, bpy.context.scene, FixRequest(frames=(3, 4)))
    for wrong, words in (
        (FixRequest(plant=0.0), "raise Plant or Smooth Hips"),
        (FixRequest(legs=()), "no foot of .* is chosen"),
        (FixRequest(use_markers=True), "no cleaned action"),
        (FixRequest(frames=(500, 520)), "nothing of .* outside of the frames of 'Capture'"),
    ):
        with pytest.raises(LocomotionError, match=words):
            fix_feet(walker, bpy.context.scene, wrong)
    moving = next(c for c in list_curves(walker) if (c.data_path, c.array_index) == ("location", 1))
    moving.mute = True
    with pytest.raises(LocomotionError, match="does not travel in frames 1 to 56"):
        fix_feet(walker, bpy.context.scene)
    moving.mute = False
    data = walker.animation_data
    action, data.action = data.action, bpy.data.actions.new("Empty")
    with pytest.raises(LocomotionError, match="'Empty' has no keys for it"):
        fix_feet(walker, bpy.context.scene)
    data.action = action
    assert walker.animation_data.action.name == "Capture"
    setups.bake_set_up(walker, bpy.context.scene)
    with pytest.raises(LocomotionError, match="Remove Bake first"):
        fix_feet(walker, bpy.context.scene)


@pytest.mark.newest
def test_on_a_rig_with_controls_these_are_keyed():
    rig = generate_rigify("basic_human")
    action, armature = key_ik_walk(rig), rig.armature
    armature.animation_data.action = action
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 49
    # It walks 0.9 of its legs in a cycle, and is taken along by more.
    for frame in (1, 49):
        armature.location.y = -1.1 * 0.9 * rig.leg_length * (frame - 1) / 24
        armature.keyframe_insert("location", frame=frame)
    for curve in list_curves(armature):
        curve.modifiers.new("CYCLES")
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    setups.set_up(armature)
    result = fix_feet(armature, scene, FixRequest(frames=(1, 49)))
    assert result.before.shown_slip_worst > 0.03
    assert result.after.shown_slip_worst < 0.003
    assert result.after.shown_sink_worst < 0.004
    # Legs of this rig stretch, so that swinging feet are a little off; standing ones are not.
    assert result.shown_off < 0.01
    curves = list_curves(armature)
    assert not [c for c in curves if "DEF-" in c.data_path or c.data_path.endswith("influence")]
    assert [c for c in curves if c.data_path.startswith('pose.bones["foot_ik.L"]')]


@pytest.mark.newest
def test_a_capture_is_cleaned_from_its_file(data_folder, tmp_path):
    output = tmp_path / "fixed.blend"
    # Its first frame is a T-pose.
    report = fix_file(data_folder / "cmu" / "cmu_12_01_walk.bvh", output, frames=(2, 524))
    (entry,) = report["characters"]
    assert entry["stances"] == {"Left": 4, "Right": 4}
    assert entry["before"]["shown_slip_worst"] > 0.02
    assert entry["before"]["shown_float_p99"] > 0.05
    assert entry["shown_slip_worst"] < 0.004
    assert entry["shown_sink_worst"] < 0.004
    assert entry["shown_float_p99"] < 0.003
    assert output.exists()


@pytest.mark.newest
def test_feet_ride_on_a_deck_that_moves(walker):
    spoil(walker, sway=0.02)
    deck = add_mesh("Deck", [(-6, -12, 0), (6, -12, 0), (6, 4, 0), (-6, 4, 0)], [(0, 1, 2, 3)])
    for frame in (1, LAST + 1):
        deck.location = (0.02 * frame, 0.0, 0.002 * frame)
        deck.rotation_euler.z = 0.004 * frame
        deck.keyframe_insert("location", frame=frame)
        deck.keyframe_insert("rotation_euler", frame=frame)
    walker.parent = deck
    bpy.context.view_layer.update()
    result = fix_feet(walker, bpy.context.scene)
    assert result.before.shown_slip_worst > 0.03
    assert result.after.shown_slip_worst < 0.003
    assert result.after.shown_sink_worst < 0.002
    assert result.after.shown_float_p99 < 0.002
