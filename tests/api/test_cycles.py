# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles made for characters that have none, from the operator to the baked walk."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from benchmarks.planned.recording import measure_span
from semi_procedural_locomotion.api import bake_job, bake_set_up
from semi_procedural_locomotion.api.cycles import (
    CycleChoice,
    list_all_ways,
    list_gaits,
    make_cycles,
    play_cycle,
)
from semi_procedural_locomotion.api.footstep_runs import RunRequest, generate_footsteps
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.reading.sampling import sample_action
from semi_procedural_locomotion.blender.setup.cycle_properties import is_made
from semi_procedural_locomotion.blender.values.armature import read_skeleton
from semi_procedural_locomotion.blender.values.curves import fingerprint_curves
from semi_procedural_locomotion.core.footsteps.layout import StepPattern
from semi_procedural_locomotion.core.gaits.fitting import GaitStyle
from semi_procedural_locomotion.demo.characters import (
    CHARACTER_SHAPES,
    create_character,
    write_gaits,
)
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.jobs.reading import read_job
from semi_procedural_locomotion.notes import NoteKind

pytestmark = pytest.mark.newest

RIGS = ("kaykit/Rogue.glb", "fox/Fox.glb", "spider/Spider.glb", "cmu/cmu_12_01_walk.bvh")


def build(name="biped"):
    """A character without any action, selected and active."""
    armature = create_character(CHARACTER_SHAPES[name](), bpy.context.scene.collection)
    bpy.context.scene.render.fps = 30
    return choose(armature)


def choose(armature):
    """Make an armature the only selected and the active object."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    bpy.context.view_layer.update()
    return armature


def import_rig(data_folder, name):
    """A character of a real file, without its actions."""
    versions.list_importers(data_folder / name)[0]()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    armature.animation_data_clear()
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    return choose(armature)


def get_motions(armature):
    return {entry.action.name: entry for entry in armature.locomotion.motions}


def read_state(action):
    slot = versions.list_slots(action)[0]
    return fingerprint_curves(versions.get_curves(action, slot))


@pytest.mark.parametrize("name", list(CHARACTER_SHAPES))
def test_walk_and_stance_are_made_analysed_and_ticked(name):
    armature = build(name)
    assert bpy.ops.anim.locomotion_make_cycle() == {"FINISHED"}
    walk, rest = armature.locomotion.motions
    assert (walk.found_kind, rest.found_kind) == ("cycle", "rest")
    assert walk.enabled
    assert rest.enabled
    assert walk.quality > 0.95
    assert not walk.warnings
    assert abs(walk.direction) < 0.01
    assert armature.animation_data.action == walk.action
    assert walk.action.name == f"{armature.name} Walk"
    # Once more writes the same action again and makes no second stance.
    assert bpy.ops.anim.locomotion_make_cycle(stride=0.8) == {"FINISHED"}
    assert len(armature.locomotion.motions) == 2
    assert len(bpy.data.actions) == 2


@pytest.mark.parametrize("name", list(CHARACTER_SHAPES))
def test_all_ways_lead_where_they_say(name):
    armature = build(name)
    assert bpy.ops.anim.locomotion_make_cycle(gait="ALL") == {"FINISHED"}
    motions = {key.removeprefix(armature.name)[1:]: m for key, m in get_motions(armature).items()}
    assert len(motions) == len(list_all_ways(len(armature.locomotion.legs)))
    for way, degrees in (("Walk", 0), ("Sidestep Left", 90), ("Sidestep Right", -90)):
        assert np.degrees(motions[way].direction) == pytest.approx(degrees, abs=1.0)
    assert abs(np.degrees(motions["Backward"].direction)) == pytest.approx(180.0, abs=1.0)
    assert motions["Turn Left"].turn_rate > 0.1
    assert motions["Turn Right"].turn_rate == pytest.approx(
        -motions["Turn Left"].turn_rate, abs=0.01
    )
    assert {m.found_kind for m in motions.values()} == {"cycle", "rest"}


@pytest.mark.parametrize("rig", RIGS)
def test_rigs_of_others_walk(data_folder, rig):
    armature = import_rig(data_folder, rig)
    made = make_cycles(armature, [CycleChoice("walk"), CycleChoice("rest")])
    walk, rest = (finding.motion for finding in made.findings)
    assert walk is not None
    assert rest is not None
    assert walk.is_cycle
    assert NoteKind.SPEED_UNCERTAIN not in [note.kind for note in walk.notes]
    # Skin of Rogue's heels goes with the shins by a sixth.
    assert np.mean([leg.skate for leg in walk.legs]) < 0.06


def test_rotations_are_keyed_in_the_mode_of_each_bone():
    first, second = build(), build()
    for number, bone in enumerate(second.pose.bones):
        bone.rotation_mode = ("XYZ", "AXIS_ANGLE", "ZYX", "QUATERNION")[number % 4]
    clips = []
    for armature in (first, second):
        (action,) = make_cycles(armature, [CycleChoice("run")]).actions
        clips.append(sample_action(armature, action, read_skeleton(armature)))
    paths = {
        c.data_path.rpartition(".")[2]
        for c in versions.get_curves(action, versions.find_slot(action, second))
    }
    assert {"rotation_euler", "rotation_axis_angle", "rotation_quaternion"} <= paths
    np.testing.assert_allclose(
        np.abs(np.sum(clips[0].rotations * clips[1].rotations, axis=-1)), 1.0, atol=1e-6
    )


def test_changed_numbers_make_the_cycle_again_at_once():
    armature = build()
    bpy.ops.anim.locomotion_make_cycle()
    walk = armature.locomotion.motions[0]
    cycle = walk.action.locomotion_cycle
    cycle.stride = 1.0
    before, speed = read_state(walk.action), walk.speed
    cycle.stride = 0.7
    assert read_state(walk.action) != before
    assert walk.speed == pytest.approx(0.7 * speed, rel=0.02)
    cycle.pace = 2.0
    assert walk.speed == pytest.approx(1.4 * speed, rel=0.04)
    cycle.stride = 4.0
    assert "stride is shortened" in cycle.message
    cycle.stride, cycle.pace = 1.0, 1.0
    assert not cycle.message
    assert read_state(walk.action) == before


def test_edited_cycles_are_kept_and_a_new_one_is_made():
    armature = build()
    (action,) = make_cycles(armature, [CycleChoice("walk")]).actions
    curve = versions.get_curves(action, versions.find_slot(action, armature))[0]
    curve.keyframe_points[3].co[1] += 0.1
    kept = read_state(action)
    (other,) = make_cycles(armature, [CycleChoice("walk")]).actions
    assert other != action
    assert read_state(action) == kept
    assert {entry.action for entry in armature.locomotion.motions} == {action, other}


def test_an_action_of_the_users_own_keeps_playing():
    armature = build()
    own = bpy.data.actions.new("Own")
    armature.animation_data_create().action = own
    assert bpy.ops.anim.locomotion_make_cycle() == {"FINISHED"}
    assert armature.animation_data.action == own
    made = get_motions(armature)["Walker Walk"].action
    assert is_made(made)
    assert not is_made(own)
    assert not play_cycle(armature, made)


def test_a_baked_walk_keeps_playing_and_gives_the_cycle_back():
    armature = build()
    bpy.ops.anim.locomotion_make_cycle()
    walk = armature.animation_data.action
    bpy.context.scene.frame_end = 40
    bpy.ops.anim.locomotion_bake()
    baked = armature.animation_data.action
    assert baked != walk
    assert not is_made(baked)
    walk.locomotion_cycle.stride = 0.8
    bpy.ops.anim.locomotion_make_cycle(stride=0.9)
    assert armature.animation_data.action == baked
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake_remove()
    assert armature.animation_data.action == walk
    assert set(bpy.data.actions) == {entry.action for entry in armature.locomotion.motions}


def test_set_up_later_finds_made_cycles():
    armature = build()
    make_cycles(armature, [CycleChoice("walk"), CycleChoice("rest")])
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert [(m.found_kind, m.enabled) for m in armature.locomotion.motions] == [
        ("cycle", True),
        ("rest", True),
    ]


def test_a_gait_for_other_legs_is_refused_in_words_and_changes_nothing():
    armature = build()
    with pytest.raises(RigError, match="choose one of: walk, run"):
        make_cycles(armature, [CycleChoice("walk"), CycleChoice("trot")])
    assert not len(bpy.data.actions)
    assert not len(armature.locomotion.legs)
    assert "trot" in list_gaits(4)
    assert list_gaits(3) == ()


def test_hips_that_cannot_move_are_told():
    armature = build()
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    bones["root"].tail = bones["hips"].head
    bones["hips"].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="'hips' of 'Walker' is connected to its parent"):
        make_cycles(armature, [CycleChoice("walk")])


@pytest.mark.parametrize("degrees", [0.0, 15.0])
def test_a_biped_without_any_action_walks_as_well_as_with_one(degrees):
    armature = build()
    bpy.ops.anim.locomotion_make_cycle()
    rise = np.tan(np.radians(degrees))
    mesh = bpy.data.meshes.new("Ramp")
    corners = [(-3, 2), (3, 2), (3, -1), (-3, -1), (3, -12), (-3, -12)]
    heights = [max(0.0, -1.0 - y) * rise for _, y in corners]
    mesh.from_pydata(
        [(x, y, z) for (x, y), z in zip(corners, heights, strict=True)],
        [],
        [(3, 2, 1, 0), (5, 4, 2, 3)],
    )
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Ramp", mesh))
    result = bake_set_up(armature, bpy.context.scene, (1, 150))
    report = measure_span(result.plan, result.frames, bpy.context.scene.render.fps)
    assert report.slide_worst < 0.004
    assert report.sink_worst < 0.004
    assert report.knee_speed_ratio < (1.15 if degrees == 0.0 else 2.5)
    assert report.hip_jerk_ratio < (1.1 if degrees == 0.0 else 1.15)
    assert report.reach_worst < 0.9998
    assert report.targets_missed == 0


@pytest.mark.parametrize("stretch", [1.0, 1.3])
def test_a_biped_without_any_action_walks_on_ten_footsteps(stretch):
    armature = build()
    bpy.ops.anim.locomotion_make_cycle()
    walk = armature.locomotion.motions[0]
    pattern = StepPattern(count=10, stride=stretch * walk.speed * walk.period)
    assert len(generate_footsteps(armature, RunRequest(pattern), bpy.context.scene)) == 10
    armature.locomotion.travel.source = "FOOTSTEPS"
    result = bake_set_up(armature, bpy.context.scene)
    report = measure_span(result.plan, result.frames, bpy.context.scene.render.fps)
    assert report.slide_worst < 0.004
    assert report.sink_worst < 0.004
    assert report.hip_jerk_ratio < 1.1
    assert report.knee_speed_ratio < (1.15 if stretch == 1.0 else 1.8)
    assert report.targets_missed == 0
    longest = result.plan.response.stretches.max()
    assert (longest > 0.1) == (stretch > 1.0)


def test_the_body_answers_where_all_motions_are_made():
    armature = build()
    assert armature.locomotion.settings.shoulder_turn == 0.0
    make_cycles(armature, [CycleChoice("walk")])
    assert armature.locomotion.settings.shoulder_turn > 0.0
    other = build()
    write_gaits(other, CHARACTER_SHAPES["biped"](), ["walk"])
    choose(other)
    bpy.ops.anim.locomotion_setup()
    make_cycles(other, [CycleChoice("run")])
    assert other.locomotion.settings.shoulder_turn == 0.0


def test_styles_are_kept_with_the_action():
    armature = build()
    style = GaitStyle(stride=0.9, lean=0.1, mirrored=True)
    (action,) = make_cycles(armature, [CycleChoice("sidestep", style)]).actions
    assert action.name == "Walker Sidestep Right"
    cycle = action.locomotion_cycle
    assert (cycle.gait, cycle.mirrored) == ("sidestep", True)
    assert cycle.stride == pytest.approx(0.9)


def test_a_job_bakes_made_cycles(data_folder, tmp_path):
    job = tmp_path / "walk.toml"
    job.write_text(
        f"""
output = "walk.blend"
fps = 30
frames = [1, 60]
[[character]]
file = "{(data_folder / "fox" / "Fox.glb").as_posix()}"
motions = [{{make = "walk", lift = 1.2}}, {{make = "rest"}}]
""",
        encoding="utf-8",
    )
    report = bake_job(read_job(job), tmp_path / "walk.blend")
    (entry,) = report["characters"]
    assert entry["feet_slide_worst"] < 0.005
    (armature,) = (o for o in bpy.data.objects if o.type == "ARMATURE")
    assert [m.action.name for m in armature.locomotion.motions] == ["root Walk", "root Rest"]
