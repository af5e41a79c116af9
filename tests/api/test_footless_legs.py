# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs without foot bones are set up and walk on the ends of their shins, seen in the evaluated scene."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api import inspection, leg_editing, remove_bake
from semi_procedural_locomotion.api.controls import find_controls
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.values.ends import read_ends
from tests.api.test_odd_legs import build_body
from tests.api.test_shown_agreement import make_ground
from tests.core.legged_bodies import make_stilts, walk
from tests.meters import (
    find_stands,
    measure_float,
    measure_sink,
    measure_slip,
    mesh_heights,
    see_feet,
)

pytestmark = [pytest.mark.newest, pytest.mark.usefixtures("empty_scene")]


def _build(pairs, wide):
    """A body on stilts with its walk; its armature."""
    maker, legs = make_stilts(pairs, wide)
    armature, _ = build_body(maker, walk(maker, legs, stride=0.3))
    bpy.context.scene.frame_end = 61
    return armature


def _see_ends(armature, length):
    """The lower half of each shin as its mesh is shown."""
    heights = mesh_heights(bpy.context.scene.objects["Ground"])
    shins = [[leg.bones[-1].name] for leg in armature.locomotion.legs]
    return see_feet(armature, shins, range(1, bpy.context.scene.frame_end + 1), heights)


@pytest.mark.parametrize(
    ("pairs", "wide", "ground"),
    [(1, False, "flat"), (1, False, "stairs"), (2, False, "bumps"), (3, True, "bumps")],
)
def test_stilts_stand_on_the_ground(pairs, wide, ground):
    armature = _build(pairs, wide)
    character, _ = set_up(armature)
    length = character.rig.leg_length
    make_ground(ground, armature, length, (0.0, -1.0))
    result = bake_set_up(armature, bpy.context.scene)
    assert not any("too short" in text for text in result.warnings)
    feet = _see_ends(armature, length)
    stands = find_stands(feet, length, bpy.context.scene.render.fps)
    assert min(own.mean() for own in stands) > 0.2
    assert measure_sink(feet) < 0.004 * length
    assert measure_float(feet, stands) < 0.003 * length
    assert measure_slip(feet, stands, 0.004 * length) < 0.003 * length


def test_ends_are_kept_and_are_no_bones():
    armature = _build(1, False)
    character, findings = set_up(armature)
    ends = character.rig.skeleton.ends
    kept = read_ends(armature)
    assert [(end.name, end.bone) for end in kept] == [(end.name, end.bone) for end in ends]
    assert [end.offset for end in kept] == [pytest.approx(end.offset, abs=1e-6) for end in ends]
    told = inspection.describe_character(character, findings)
    assert [leg["bones"] for leg in told["legs"]] == [
        ["thigh0.L", "shin0.L"],
        ["thigh0.R", "shin0.R"],
    ]
    make_ground("flat", armature, character.rig.leg_length, (0.0, -1.0))
    bake_set_up(armature, bpy.context.scene)
    action = armature.animation_data.action
    curves = versions.get_curves(action, versions.find_slot(action, armature))
    assert not [c.data_path for c in curves if any(end.name in c.data_path for end in ends)]
    assert read_character(armature).rig.skeleton.names == character.rig.skeleton.names
    remove_bake(armature)
    measured = leg_editing.measure_legs(armature, leg_editing.list_leg_choices(armature))
    for leg, kept in zip(measured.rig.legs, character.rig.legs, strict=True):
        assert leg.length == pytest.approx(kept.length, rel=1e-4)
        assert measured.rig.name_joints(leg) == character.rig.name_joints(kept)


def test_an_end_stays_where_its_bone_is_when_the_object_is_larger():
    armature = _build(1, False)
    character, _ = set_up(armature)
    armature.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    larger = read_character(armature)
    assert larger.rig.leg_length == pytest.approx(2.0 * character.rig.leg_length)
    _, heads = larger.rig.skeleton.rest_poses
    _, before = character.rig.skeleton.rest_poses
    np.testing.assert_allclose(
        np.diff(heads[[leg.ankle for leg in larger.rig.legs]], axis=0),
        2.0 * np.diff(before[[leg.ankle for leg in character.rig.legs]], axis=0),
        atol=1e-5,
    )


def _add_controls(armature):
    """A control for every bone, with its keys; the bones copy them."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    names = [bone.name for bone in bones]
    for name in names:
        control = bones.new(f"c_{name}")
        control.head, control.tail, control.roll = (
            bones[name].head,
            bones[name].tail,
            bones[name].roll,
        )
        control.use_deform = False
    for name in names:
        above = bones[name].parent
        bones[f"c_{name}"].parent = None if above is None else bones[f"c_{above.name}"]
    bpy.ops.object.mode_set(mode="OBJECT")
    action = armature.animation_data.action
    for curve in list(versions.get_curves(action, versions.find_slot(action, armature))):
        curve.data_path = curve.data_path.replace('pose.bones["', 'pose.bones["c_')
    for name in names:
        armature.pose.bones[name].matrix_basis.identity()
        copying = armature.pose.bones[name].constraints.new("COPY_TRANSFORMS")
        copying.target, copying.subtarget = armature, f"c_{name}"


def test_controls_of_stilts_are_found_and_walk():
    armature = _build(1, False)
    _add_controls(armature)
    character, _ = set_up(armature)
    assert [character.rig.name_joints(leg) for leg in character.rig.legs] == [
        ("thigh0.L", "shin0.L"),
        ("thigh0.R", "shin0.R"),
    ]
    controls = find_controls(character)
    assert [leg.chain for leg in controls.legs] == [
        ("c_thigh0.L", "c_shin0.L"),
        ("c_thigh0.R", "c_shin0.R"),
    ]
    length = character.rig.leg_length
    make_ground("bumps", armature, length, (0.0, -1.0))
    bake_set_up(armature, bpy.context.scene)
    assert measure_sink(_see_ends(armature, length)) < 0.006 * length
