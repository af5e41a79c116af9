# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints on legs are switched off where a walk plays, and given back untouched."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import setups, watching
from semi_procedural_locomotion.api.notes import tell_notes
from semi_procedural_locomotion.api.progress import run_steps
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.edits import find_edited_curves
from semi_procedural_locomotion.blender.reading.sampling import sample_action
from semi_procedural_locomotion.blender.showing.poses import sample_shown_poses
from semi_procedural_locomotion.blender.travel.reading import read_own_skeleton
from semi_procedural_locomotion.blender.values.curves import read_keys
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.rig.skeleton import compute_global_poses
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character, write_gaits
from semi_procedural_locomotion.errors import LocomotionError
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.ui.live import handlers as live_handlers
from tests.blender.rigs import add_controls, make_walker_under_ik
from tests.scenes import recall, select_only

LAST = 40
FRAMES = (1.0, 2.0, 7.5, 20.25, 39.0, 40.0, 55.0)


@pytest.fixture
def walker():
    """A person under IK on a slope, set up, selected and active."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    armature = recall("walker under IK that is set up", set_up_walker)
    add_slope(0.2)
    select_only(armature)
    legs = [[bone.name for bone in leg.bones] for leg in armature.locomotion.legs]
    assert [bones[:3] for bones in legs] == [
        [f"{b}.{s}" for b in ("thigh", "shin", "foot")] for s in "LR"
    ]
    armature.locomotion.settings.output = "DEFORMING"
    yield armature
    watching.put_back_all(forget=True)
    live_handlers.install()


def set_up_walker():
    """A person under IK, set up."""
    armature = make_walker_under_ik(bpy.context.scene)
    select_only(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return armature


def add_slope(rise):
    """A tilted plane under the character, rising along y."""
    mesh = bpy.data.meshes.new("Slope")
    corners = [(-9, -9, -9 * rise), (9, -9, -9 * rise), (9, 9, 9 * rise), (-9, 9, 9 * rise)]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Slope", mesh))
    bpy.context.view_layer.update()


def bake(armature):
    """Bake as the properties ask, from the first frame."""
    bpy.context.scene.frame_set(1)
    return api.bake_set_up(armature, bpy.context.scene)


def get_influences(armature):
    """Influences of all constraints now, by bone."""
    return {b.name: c.influence for b in armature.pose.bones for c in b.constraints}


def read_influences(armature, frames):
    """Evaluated influence of the left shin's constraint at frames."""
    values = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        values.append(armature.pose.bones["shin.L"].constraints[0].influence)
    return values


def read_curves(armature):
    """Keys of everything that the armature plays, by path and index."""
    action, slot = versions.get_assigned_action(armature)
    curves = () if action is None else versions.get_curves(action, slot)
    return {(c.data_path, c.array_index): read_keys(c).tolist() for c in curves}


def find_path(armature):
    """Data path of the influence of the left shin's constraint."""
    return armature.pose.bones["shin.L"].constraints[0].path_from_id("influence")


def read_poses(armature, frames=FRAMES):
    """World matrices of all bones at frames, as Blender shows them."""
    poses = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        poses.append([np.array(shown.matrix_world @ b.matrix) for b in shown.pose.bones])
    return np.array(poses)


def key_shot(armature, interpolation="BEZIER"):
    """A shot in which the animator goes over to FK and the body moves on."""
    constraint = armature.pose.bones["shin.L"].constraints[0]
    for frame, value in ((1, 1.0), (60, 0.25)):
        constraint.influence = value
        constraint.keyframe_insert("influence", frame=frame)
        armature.pose.bones["chest"].location.x = value
        armature.pose.bones["chest"].keyframe_insert("location", frame=frame)
    action, slot = versions.get_assigned_action(armature)
    for curve in versions.get_curves(action, slot):
        for point in curve.keyframe_points:
            point.interpolation = interpolation
    bpy.context.scene.frame_set(1)
    return action


def choose_range(armature, first, last, blend=0):
    """Bake a section of a shot."""
    settings = armature.locomotion.settings
    settings.use_range, settings.frame_start, settings.frame_end = True, first, last
    settings.blend_in = settings.blend_out = blend


def test_keys_show_the_plan_after_reload(walker, tmp_path):
    result = bake(walker)
    assert not any("constraint" in text for text in result.warnings)
    path = str(tmp_path / "walk.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Walker"]
    measured = measure_baked(armature, bpy.context.scene)
    assert measured.verification.share < 1e-4
    assert not measured.edited
    assert not any("off its plan" in text for text in measured.as_dict()["warnings"])
    for name in ("shown_knee_speed_ratio", "shown_slip_worst", "shown_sink_worst"):
        assert np.isclose(
            getattr(measured.report, name), getattr(result.report, name), atol=1e-3
        ), name
    # The feet hang from the root: the shins end at them all the same.
    for frame in (1, 13, 29, LAST):
        bpy.context.scene.frame_set(frame)
        for side in "LR":
            shin, foot = (armature.pose.bones[f"{name}.{side}"] for name in ("shin", "foot"))
            # A leg that is nearly straight is left a hair short of its foot.
            assert (shin.tail - foot.head).length < 1.5e-3


def test_influences_and_curves_come_back(walker):
    before = get_influences(walker)
    assert set(before.values()) == {1.0}
    walker.pose.bones["shin.R"].constraints[0].influence = 0.75
    bake(walker)
    assert read_influences(walker, (1, 20, LAST)) == [0.0, 0.0, 0.0]
    api.remove_bake(walker)
    bpy.context.scene.frame_set(20)
    assert get_influences(walker) == {"shin.L": 1.0, "shin.R": 0.75}
    assert read_curves(walker) == {}


def test_the_walk_is_the_same_when_it_is_baked_again(walker):
    bake(walker)
    first, shown = read_curves(walker), read_poses(walker)
    bpy.context.scene.frame_set(17)
    bake(walker)
    assert read_curves(walker) == first
    assert np.array_equal(read_poses(walker), shown)
    assert find_edited_curves(walker) == []
    api.remove_bake(walker)
    assert set(get_influences(walker).values()) == {1.0}


@pytest.mark.parametrize("live", [False, True])
def test_motions_are_sampled_as_without_the_bake(walker, live):
    motion = walker.locomotion.motions[0].action
    skeleton = read_own_skeleton(walker, bpy.context.scene)
    clip = sample_action(walker, motion, skeleton)
    if live:
        assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
        bpy.context.scene.frame_set(11)
    else:
        bake(walker)
        bpy.context.scene.frame_set(11)
    assert set(get_influences(walker).values()) == {0.0}
    again = sample_action(walker, motion, skeleton)
    assert np.array_equal(again.rotations, clip.rotations)
    assert np.array_equal(again.translations, clip.translations)


def test_live_and_auto_bake_are_equal_to_the_bake(walker):
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    length = watching.find_watch(walker).prepared.character.rig.leg_length
    shown = read_poses(walker)
    assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    assert set(get_influences(walker).values()) == {1.0}
    bake(walker)
    baked, keys = read_poses(walker), read_curves(walker)
    assert np.abs(shown - baked).max() < 1e-5 * length
    assert bpy.ops.anim.locomotion_live(action="ON") == {"FINISHED"}
    assert np.abs(read_poses(walker) - baked).max() < 1e-5 * length
    assert bpy.ops.anim.locomotion_live(action="OFF") == {"FINISHED"}
    api.remove_bake(walker)
    bpy.context.scene.frame_set(1)
    assert bpy.ops.anim.locomotion_auto_bake(action="ON") == {"FINISHED"}
    assert read_curves(walker) == keys
    assert not watching.refresh()
    assert bpy.ops.anim.locomotion_auto_bake(action="OFF") == {"FINISHED"}
    api.remove_bake(walker)
    assert set(get_influences(walker).values()) == {1.0}


def test_auto_bake_follows_constraints(walker):
    assert bpy.ops.anim.locomotion_auto_bake(action="ON") == {"FINISHED"}
    bpy.context.scene.frame_set(9)
    assert not watching.refresh()
    limit = walker.pose.bones["hips"].constraints.new("LIMIT_LOCATION")
    limit.use_min_z, limit.min_z = True, 5.0
    assert watching.refresh()
    bpy.context.scene.frame_set(10)
    assert limit.influence == 0.0
    limit.mute = True
    assert watching.refresh()
    assert limit.influence == 1.0
    assert len([key for key in read_curves(walker) if key[0].endswith(".influence")]) == 2


@pytest.mark.parametrize("interpolation", ["BEZIER", "LINEAR", "CONSTANT"])
def test_a_section_gives_the_animators_influence_back_beside_it(walker, interpolation):
    shot = key_shot(walker, interpolation)
    keys, own = read_curves(walker), read_influences(walker, range(1, 61))
    choose_range(walker, 20, 30)
    for _ in range(2):
        bake(walker)
        shown = read_influences(walker, range(1, 61))
        assert np.allclose(shown[19:30], 0.0)
        if interpolation != "BEZIER":
            assert np.allclose(shown[:19], own[:19])
            assert np.allclose(shown[30:], own[30:])
        assert np.isclose(shown[18], own[18])
        assert np.isclose(shown[30], own[30])
    choose_range(walker, 10, 15)
    bake(walker)
    # The first section stays beside the second.
    shown = read_influences(walker, range(1, 61))
    assert np.allclose(shown[9:15] + shown[19:30], 0.0)
    assert min(shown[:9] + shown[15:19] + shown[30:]) > 0.2
    assert np.isclose(shown[15], own[15])
    api.remove_bake(walker)
    assert walker.animation_data.action == shot
    assert read_curves(walker) == keys
    assert np.allclose(read_influences(walker, range(1, 61)), own)


def test_blends_begin_with_what_the_constraints_show(walker):
    key_shot(walker, "LINEAR")
    own = read_influences(walker, range(1, 61))
    ends = [read_joints(walker, frame) for frame in (20, 40)]
    choose_range(walker, 20, 40, blend=6)
    bake(walker)
    # The pose of the first frame is keyed as it is seen, so the constraint need not act on it again.
    shown = np.array(read_influences(walker, range(1, 61)))
    assert np.allclose(shown[19:40], 0.0)
    assert np.allclose(np.delete(shown, np.s_[19:40]), np.delete(own, np.s_[19:40]))
    for before, frame in zip(ends, (20, 40), strict=True):
        assert np.allclose(read_joints(walker, frame), before, atol=1e-4)


def read_joints(armature, frame):
    """World places of the joints of all legs in a frame."""
    bpy.context.scene.frame_set(frame)
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    names = [bone.name for leg in armature.locomotion.legs for bone in leg.bones]
    return np.array([shown.matrix_world @ shown.pose.bones[name].head for name in names])


def test_an_edited_influence_is_found_and_kept(walker):
    bake(walker)
    path = find_path(walker)
    action, slot = versions.get_assigned_action(walker)
    curve = next(c for c in versions.get_curves(action, slot) if c.data_path == path)
    curve.keyframe_points.insert(12, 0.5)
    assert find_edited_curves(walker) == [(path, 0)]
    walker.locomotion.settings.keep_edits = True
    bake(walker)
    assert read_influences(walker, (12,)) == [0.5]


@pytest.mark.parametrize("hold", ["driven", "locked"])
def test_influences_that_something_holds_are_left_alone_and_named(walker, hold):
    constraint = walker.pose.bones["shin.L"].constraints[0]
    if hold == "driven":
        constraint.driver_add("influence").driver.expression = "1.0"
    else:
        constraint.keyframe_insert("influence", frame=1)
        action, slot = versions.get_assigned_action(walker)
        versions.get_curves(action, slot)[0].lock = True
    bpy.context.view_layer.update()
    result = bake(walker)
    words = [text for text in result.warnings if "constraint" in text]
    assert len(words) == 1
    assert "'shin.L'" in words[0]
    assert "'Reach.001'" in words[0]
    assert hold in words[0]
    assert "mute" not in words[0]
    assert read_influences(walker, (20,)) == [1.0]
    assert walker.pose.bones["shin.R"].constraints[0].influence == 0.0


def test_a_solver_that_heeds_no_influence_is_named(walker):
    walker.pose.ik_solver = "ITASC"
    notes = [n for n in bake(walker).notes if n.kind is NoteKind.CONSTRAINT_ACTS]
    assert len(notes) == 2
    assert {note.values["bone"] for note in notes} == {"shin.L", "shin.R"}
    assert all("iTaSC" in text and "standard" in text for text in tell_notes(notes))
    assert set(get_influences(walker).values()) == {1.0}


def test_constraints_elsewhere_go_on_and_those_that_reach_legs_do_not(walker):
    bones = walker.pose.bones
    head = bones["head"].constraints.new("DAMPED_TRACK")
    reaching = bones["head"].constraints.new("IK")
    reaching.target, reaching.chain_count = bpy.data.objects["Slope"], 0
    short = bones["head"].constraints.new("IK")
    short.target, short.chain_count = bpy.data.objects["Slope"], 2
    off = bones["hips"].constraints.new("LIMIT_LOCATION")
    off.mute = True
    holding = bones["hips"].constraints.new("LIMIT_LOCATION")
    copying = bones["hand.L"].constraints.new("COPY_TRANSFORMS")
    copying.target, copying.subtarget = walker, "hand.R"
    holding_on = bones["hand.R"].constraints.new("COPY_LOCATION")
    holding_on.target = bpy.data.objects["Slope"]
    bake(walker)
    bpy.context.scene.frame_set(20)
    off_for_the_walk = (reaching, holding, copying)
    assert [c.influence for c in off_for_the_walk] == [0.0] * 3
    assert [c.influence for c in (head, short, off, holding_on)] == [1.0] * 4


def test_bones_that_copy_controls_stay_on_their_body():
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    shape = make_biped_shape()
    armature = create_character(shape, scene.collection)
    bpy.context.view_layer.update()
    add_controls(armature, write_gaits(armature, shape, ["walk"])[0])
    add_slope(0.2)
    api.set_up(armature)
    armature.locomotion.settings.output = "DEFORMING"
    prepared = run_steps(setups.prepare_set_up_bake(armature, scene))
    setups.write_set_up_bake(prepared)
    assert prepared.plan.body.hip_offsets.min() < -0.02
    poses, skeleton = prepared.walk.poses, prepared.character.rig.skeleton
    _, heads = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    places = poses.positions[:, None] + rot.rotate(poses.orientations[:, None], heads)
    frames = np.arange(prepared.frames[0], prepared.frames[1] + 1.0)
    shown = sample_shown_poses(armature, skeleton.names, frames, scene).positions
    own = [not name.startswith("control.") for name in skeleton.names]
    assert sum(own) > 30
    assert np.abs(shown - places)[:, own].max() < 1e-4
    bpy.context.scene.frame_set(5)
    assert {armature.pose.bones[n].constraints[0].influence for n in ("chest", "index_1.L")} == {
        0.0
    }
    api.remove_bake(armature)
    assert set(get_influences(armature).values()) == {1.0}


def test_a_constraint_that_is_gone_is_forgotten(walker):
    bake(walker)
    bones = walker.pose.bones
    path = find_path(walker)
    bones["shin.L"].constraints.remove(bones["shin.L"].constraints[0])
    bones["shin.R"].constraints[0].mute = True
    bake(walker)
    assert not any(key[0].endswith(".influence") for key in read_curves(walker)), path
    assert get_influences(walker) == {"shin.R": 1.0}
    api.remove_bake(walker)


def test_a_bake_that_fails_leaves_influences_alone(walker):
    walker.locomotion.ground.source = "COLLECTION"
    with pytest.raises(LocomotionError):
        bake(walker)
    assert set(get_influences(walker).values()) == {1.0}
    assert walker.animation_data is None or walker.animation_data.action is None


def test_undo_takes_the_bake_and_its_influences_back(walker):
    bpy.ops.ed.undo_push(message="Before")
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="Bake")
    assert read_influences(walker, (20,)) == [0.0]
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Walker"]
    assert armature.animation_data is None or armature.animation_data.action is None
    assert read_influences(armature, (20,)) == [1.0]
    bpy.ops.ed.redo()
    assert read_influences(bpy.data.objects["Walker"], (20,)) == [0.0]


@pytest.mark.newest
def test_a_horse_shows_its_plan(data_folder):
    bpy.ops.wm.open_mainfile(filepath=str(data_folder / "horse" / "Horse.blend"))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 60
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    add_slope(-0.36)
    setups.set_up(armature)
    armature.locomotion.settings.output = "DEFORMING"
    result = api.bake_set_up(armature, scene)
    assert not any("constraint" in text for text in result.warnings)
    measured = measure_baked(armature, scene)
    assert measured.verification.share < 1e-4
    assert measured.report.shown_slip_worst < 0.005
    lengths = [leg.length for leg in measured.plan.tables.rig.legs]
    assert np.allclose(lengths[::2], lengths[1::2], rtol=1e-3)
    assert np.isclose(
        measured.report.shown_knee_speed_ratio, result.report.shown_knee_speed_ratio, rtol=1e-2
    )
    api.remove_bake(armature)
    assert set(get_influences(armature).values()) == {1.0}
