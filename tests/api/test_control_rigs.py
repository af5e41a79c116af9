# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks over a small course land on the controls of production rigs, and are where the plan has them."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api.controls import find_controls
from semi_procedural_locomotion.api.progress import run_steps
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.setups import (
    prepare_set_up_bake,
    remove_set_up_bake,
    write_set_up_bake,
)
from tests.control_rigs import find_curves, generate_rigify, key_fk_walk, key_ik_walk
from tests.meters import find_stands, measure_sink, measure_slip, mesh_heights, see_feet
from tests.scenes import add_mesh
from tests.stretchy_rigs import build_stretchy_rig

LAST = 49
OFF_PLAN = 0.005  # of the leg, at every frame


def build(kind):
    return build_stretchy_rig() if kind == "stretchy" else generate_rigify(kind)


def add_course(armature, rig):
    """A ramp, two steps and bumps ahead of a character, in lengths of its leg."""
    profile = [(-8.0, 0.0), (0.3, 0.0), (1.0, 0.12), (1.3, 0.12), (1.3001, 0.2), (1.9, 0.2)]
    profile += [(1.9001, 0.28), (2.3, 0.28)]
    profile += [(2.4 + 0.1 * i, 0.28 + 0.03 * np.sin(0.25 * np.pi * i)) for i in range(40)]
    origin, ahead = np.array(armature.matrix_world.translation), np.array([*rig.forward, 0.0])
    aside, up = np.array([-ahead[1], ahead[0], 0.0]), np.array([0.0, 0.0, 1.0])
    length = rig.leg_length
    points = [
        origin + length * (way * ahead + side * aside + height * up)
        for way, height in profile
        for side in (-8.0, 8.0)
    ]
    faces = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(len(profile) - 1)]
    return add_mesh("Course", points, faces)


def set_up(armature):
    """The character as the operator sets it up, with its controls, in a scene of a few frames."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return read_character(armature)


def see_joints(armature, names, frame):
    """World places of the heads of bones as the scene shows them, by name."""
    bpy.context.scene.frame_set(frame)
    shown = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return {
        name: np.array(shown.matrix_world @ shown.pose.bones[name].matrix.translation)
        for name in names
    }


def bake(armature):
    """Write the walk; its plan, and the joints that the plan places, by frame."""
    prepared = run_steps(prepare_set_up_bake(armature, bpy.context.scene))
    write_set_up_bake(prepared)
    names = prepared.plan.tables.small_rig.skeleton.names
    return {
        frame: dict(zip(names, prepared.walk.positions[frame - 1], strict=True))
        for frame in range(1, LAST + 1)
    }


def measure_off_plan(armature, rig, planned):
    """Largest distance of an ankle from where it is planned at any frame, share of its leg."""
    names = rig.skeleton.names
    ankles = {names[leg.joints[-1]]: leg.length for leg in rig.legs}
    worst = 0.0
    for frame, places in planned.items():
        seen = see_joints(armature, ankles, frame)
        for name, length in ankles.items():
            worst = max(worst, float(np.linalg.norm(seen[name] - places[name])) / length)
    return worst


def check_curves(armature, controls, clips):
    """Nothing is keyed but controls, switches and what the clips key, and no influence."""
    paths = {curve.data_path for curve in find_curves(armature)}
    keyed = {path.split('"')[1] for path in paths if path.startswith("pose.bones")}
    switches = {s.key[0].split('"')[1] for leg in controls.legs for s in leg.switches}
    assert keyed <= {*controls.bones, *switches, *clips}
    assert not [path for path in paths if path.endswith("influence")]
    assert keyed & {leg.foot or leg.chain[0] for leg in controls.legs}


def list_keyed(action):
    if not hasattr(action, "layers"):
        curves = list(action.fcurves)
    else:
        strips = [strip for layer in action.layers for strip in layer.strips]
        curves = [c for strip in strips for bag in strip.channelbags for c in bag.fcurves]
    return {c.data_path.split('"')[1] for c in curves if c.data_path.startswith("pose.bones")}


def check_one_control_by_hand(armature, rig, controls):
    """A foot control raised at one frame raises its foot alone, by as much."""
    index = next(i for i, leg in enumerate(controls.legs) if leg.foot)
    leg, foot = rig.legs[index], controls.legs[index].foot
    names, frame = rig.skeleton.names, LAST // 2
    others = [names[j] for other in rig.legs if other is not leg for j in other.joints]
    ankle = names[leg.joints[-1]]
    watched = [ankle, names[rig.body], *others]
    before = see_joints(armature, watched, frame)
    bone = armature.pose.bones[foot]
    moved = bone.matrix.copy()
    by = 0.05 * rig.leg_length / armature.matrix_world.to_scale().z
    moved.translation.z += by
    bone.matrix = moved
    bone.keyframe_insert("location", frame=frame)
    after = see_joints(armature, watched, frame)
    step = np.linalg.norm(after[ankle] - before[ankle])
    assert step == pytest.approx(0.05 * rig.leg_length, rel=0.02)
    for name in watched[1:]:
        assert np.linalg.norm(after[name] - before[name]) < 1e-4 * rig.leg_length


def check_walk(armature, feet=()):
    """Set up, bake, look, move one control, and take all away again.

    ``feet`` are the deforming bones of each foot, where the meshes of feet are looked at too.
    """
    character = set_up(armature)
    rig, controls = character.rig, find_controls(character)
    assert controls is not None
    assert controls.is_verified
    course = add_course(armature, rig)
    names = [bone.name for bone in armature.data.bones if bone.use_deform]
    rest = see_joints(armature, names, 1)
    planned = bake(armature)
    assert measure_off_plan(armature, rig, planned) < OFF_PLAN
    used = [entry.action for entry in armature.locomotion.motions if entry.enabled]
    check_curves(armature, controls, set().union(*map(list_keyed, used)))
    if feet:
        check_planted(armature, feet, rig.leg_length, course)
    check_one_control_by_hand(armature, rig, controls)
    remove_set_up_bake(armature)
    for name, place in see_joints(armature, names, 1).items():
        assert np.linalg.norm(place - rest[name]) < 1e-4 * rig.leg_length


def check_planted(armature, feet, length, course):
    """The evaluated feet stand still on the course and do not sink."""
    seen = see_feet(armature, feet, range(1, LAST + 1), mesh_heights(course))
    stands = find_stands(seen, length, bpy.context.scene.render.fps)
    assert measure_slip(seen, stands, 0.02 * length) < 0.006 * length
    assert measure_sink(seen) < 0.006 * length


def test_a_generated_person_walks_on_its_controls():
    rig = build("basic_human")
    key_ik_walk(rig)
    check_walk(rig.armature, rig.feet)


@pytest.mark.newest
@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("basic_human", key_fk_walk),
        ("stretchy", key_ik_walk),
        ("horse", key_fk_walk),
        ("bird", key_ik_walk),
    ],
)
def test_rigs_of_other_kinds_walk_on_their_controls(kind, key):
    rig = build(kind)
    key(rig)
    check_walk(rig.armature, rig.feet)


@pytest.mark.newest
def test_a_runner_among_strips_of_its_other_actions_walks_on_its_controls(data_folder):
    path = str(data_folder / "rigify" / "Runner.blend")
    bpy.ops.wm.open_mainfile(filepath=path, use_scripts=False)
    check_walk(bpy.data.objects["rig"])


@pytest.mark.newest
def test_a_horse_walks_on_its_own_ik(data_folder):
    bpy.ops.wm.open_mainfile(filepath=str(data_folder / "horse" / "Horse.blend"))
    check_walk(next(o for o in bpy.context.scene.objects if o.type == "ARMATURE"))


def test_controls_bear_the_lean_on_a_slope_and_the_object_stands_upright():
    rig = generate_rigify("human")
    armature = rig.armature
    key_ik_walk(rig)
    armature.animation_data.action = None
    character = set_up(armature)
    length = character.rig.leg_length
    rows = [(8.0, 0.0), (-0.4, 0.0), (-12.0, 3.0)]
    points = [(side * length, way * length, z * length) for way, z in rows for side in (-8, 8)]
    add_mesh("Ramp", points, [(0, 1, 3, 2), (2, 3, 5, 4)])
    armature.locomotion.settings.lean = 0.8
    carrying = [leg.bones[0].name for leg in armature.locomotion.legs]
    names = ["DEF-spine", *carrying, *(leg.bones[-1].name for leg in armature.locomotion.legs)]
    found = {}
    for output in ("BONE", "OBJECT"):
        armature.locomotion.travel.output_to = output
        assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
        found[output] = [see_joints(armature, names, frame) for frame in range(1, LAST + 1)]
        tilts = []
        for frame in range(1, LAST + 1):
            bpy.context.scene.frame_set(frame)
            tilts.append(abs(armature.matrix_world.to_3x3()[2][2] - armature.scale.z))
        assert max(tilts) < 1e-6
        remove_set_up_bake(armature)
    for one, other in zip(found["BONE"], found["OBJECT"], strict=True):
        for name in names:
            assert np.linalg.norm(one[name] - other[name]) < 0.005 * length, name
