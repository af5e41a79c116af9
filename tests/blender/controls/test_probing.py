# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls are found by moving them."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from semi_procedural_locomotion.api.characters import find_character
from semi_procedural_locomotion.blender.controls.probing import probe_controls
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character
from semi_procedural_locomotion.notes import NoteKind
from tests.blender.rigs import read_world_poses
from tests.control_rigs import generate_rigify
from tests.stretchy_rigs import build_stretchy_rig


def add_bones(armature, bones):
    """Bones that deform nothing: name, copied bone or head and tail, parent."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    edit = armature.data.edit_bones
    for name, place, parent in bones:
        bone = edit.new(name)
        if isinstance(place, str):
            bone.head, bone.tail, bone.roll = edit[place].head, edit[place].tail, edit[place].roll
        else:
            bone.head, bone.tail = place
        bone.use_deform, bone.parent = False, edit[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")


def add_constraint(armature, bone, kind, target, **values):
    """A constraint of a bone that aims at another one of the same armature."""
    constraint = armature.pose.bones[bone].constraints.new(kind)
    constraint.target, constraint.subtarget = armature, target
    for name, value in values.items():
        setattr(constraint, name, value)
    return constraint


def add_driver(owner, armature, path, name="influence"):
    """Let a property of the armature be another one."""
    driver = owner.driver_add(name).driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = armature, path
    driver.type = "SUM"


def add_legs_on_ik(armature, *, parent="root", turns_feet=True):
    """Feet on IK and poles; the constraints of each leg."""
    bones = []
    for side, x in (("L", 0.1), ("R", -0.1)):
        bones.append((f"ik_foot.{side}", f"foot.{side}", parent))
        bones.append((f"knee.{side}", ((x, -0.7, 0.5), (x, -0.7, 0.6)), parent))
    add_bones(armature, bones)
    found = {}
    for side in "LR":
        reach = add_constraint(armature, f"shin.{side}", "IK", f"ik_foot.{side}", chain_count=2)
        reach.pole_target, reach.pole_subtarget = armature, f"knee.{side}"
        found[side] = [reach]
        if turns_feet:
            turn = add_constraint(armature, f"foot.{side}", "COPY_ROTATION", f"ik_foot.{side}")
            found[side].append(turn)
    return found


@pytest.fixture
def person(empty_scene):
    """The project's person without controls."""
    armature = create_character(make_biped_shape(), bpy.context.scene.collection)
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def rig(person):
    """Its legs, as they are without controls."""
    return find_character(person).rig


def test_plain_skeleton_has_no_map(person, rig):
    found = probe_controls(person, rig)
    assert not found.is_verified
    assert not found.bones


def test_feet_poles_chain_and_switch(person, rig):
    person["legs"] = 1.0
    for constraints in add_legs_on_ik(person).values():
        for constraint in constraints:
            add_driver(constraint, person, '["legs"]')
    found = probe_controls(person, rig)
    assert found.is_verified
    assert found.body == "hips"
    assert found.root == "root"
    for leg, side in zip(found.legs, "LR", strict=True):
        assert leg.foot == f"ik_foot.{side}"
        assert leg.pole == f"knee.{side}"
        assert not leg.pole_turns
        assert leg.toe == f"toe.{side}"
        assert leg.rolls == ()
        assert leg.chain == tuple(f"{name}.{side}" for name in ("thigh", "shin", "foot", "toe"))
        assert [(s.key, s.ik, s.fk) for s in leg.switches] == [(('["legs"]', 0), 1.0, 0.0)]
        assert leg.confidence > 0.95
        assert leg.doubts == ()
    turned = {entry.bone: entry.control for entry in found.turned}
    arms = {f"{name}.{side}" for name in ("upper_arm", "forearm", "hand") for side in "LR"}
    assert {"chest", "head"} | arms <= turned.keys()
    assert all(bone == control for bone, control in turned.items())


def test_state_in_which_chains_act_is_the_same_map(person, rig):
    for side, constraints in add_legs_on_ik(person).items():
        person.pose.bones[f"ik_foot.{side}"]["FK"] = True
        for constraint in constraints:
            add_driver(constraint, person, f'pose.bones["ik_foot.{side}"]["FK"]')
    curves = person.animation_data.drivers
    for curve in curves:
        curve.driver.type, curve.driver.expression = "SCRIPTED", "1 - var"
    found = probe_controls(person, rig)
    for leg, side in zip(found.legs, "LR", strict=True):
        assert (leg.foot, leg.pole) == (f"ik_foot.{side}", f"knee.{side}")
        assert len(leg.chain) == 4
        key = (f'pose.bones["ik_foot.{side}"]["FK"]', 0)
        assert [(s.key, s.ik, s.fk) for s in leg.switches] == [(key, 0.0, 1.0)]
        assert person.pose.bones[f"ik_foot.{side}"]["FK"]


def test_influence_that_a_clip_keys_is_a_switch(person, rig):
    action = bpy.data.actions.new("Walk")
    person.animation_data_create().action = action
    for constraints in add_legs_on_ik(person).values():
        for constraint in constraints:
            constraint.keyframe_insert("influence", frame=1)
    person.animation_data.action = None
    for leg, side in zip(probe_controls(person, rig).legs, "LR", strict=True):
        assert leg.foot == f"ik_foot.{side}"
        assert leg.chain[:2] == (f"thigh.{side}", f"shin.{side}")
        paths = {s.key[0] for s in leg.switches}
        assert len(paths) == 2
        assert all(f".{side}" in path and path.endswith(".influence") for path in paths)


@pytest.mark.parametrize(("scale", "turn"), [(0.01, 0.0), (100.0, 0.5 * math.pi)])
def test_objects_that_are_turned_and_scaled(person, scale, turn):
    add_legs_on_ik(person, parent=None, turns_feet=False)
    # As an importer leaves them: bones lie, and the object puts them up.
    person.data.transform(Matrix.Rotation(-turn, 4, "X"))
    person.matrix_world = Matrix.LocRotScale((3, -4, 1), Euler((turn, 0, 0.7)), (scale,) * 3)
    bpy.context.view_layer.update()
    found = probe_controls(person, find_character(person).rig)
    assert found.is_verified
    for leg, side in zip(found.legs, "LR", strict=True):
        # This foot control shifts the foot and does not turn it.
        assert (leg.foot, leg.ankle) == (f"ik_foot.{side}", f"foot.{side}")
        assert leg.pole == f"knee.{side}"
        assert leg.chain == ()
        assert leg.switches == ()


def test_switch_that_is_the_place_of_a_bone_is_told(person, rig):
    add_bones(person, [("slider", ((1, 0, 0), (1, 0, 0.1)), "root")])
    person.pose.bones["slider"].location.x = 1.0
    for constraints in add_legs_on_ik(person).values():
        for constraint in constraints:
            add_driver(constraint, person, 'pose.bones["slider"].location[0]')
    for leg, side in zip(probe_controls(person, rig).legs, "LR", strict=True):
        assert leg.foot == f"ik_foot.{side}"
        assert [(doubt.kind, doubt.values["bone"]) for doubt in leg.doubts] == [
            (NoteKind.SWITCHED_BY_BONE, "slider")
        ]


def test_foot_that_half_follows_is_doubtful(person, rig):
    for constraints in add_legs_on_ik(person).values():
        for constraint in constraints:
            constraint.influence = 0.6
    found = probe_controls(person, rig)
    assert not found.is_verified
    for leg in found.legs:
        assert [doubt.kind for doubt in leg.doubts] in (
            [NoteKind.NO_FOOT_CONTROL],
            [NoteKind.CONTROL_MOVES_PARTLY],
        )


def test_nothing_of_the_file_changes(person, rig):
    scene = bpy.context.scene
    person["legs"] = 1.0
    for constraints in add_legs_on_ik(person).values():
        for constraint in constraints:
            add_driver(constraint, person, '["legs"]')
    scene.frame_set(7)
    person.pose.bones["ik_foot.L"].location = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    before = read_world_poses(person)
    counts = [
        len(getattr(bpy.data, kind)) for kind in ("objects", "armatures", "scenes", "actions")
    ]
    assert probe_controls(person, rig).is_verified
    bpy.context.view_layer.update()
    assert scene.frame_current == 7
    assert person["legs"] == 1.0
    assert counts == [
        len(getattr(bpy.data, kind)) for kind in ("objects", "armatures", "scenes", "actions")
    ]
    after = read_world_poses(person)
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_controls_of_a_rig_that_stretches(empty_scene):
    made = build_stretchy_rig()
    found = probe_controls(made.armature, find_character(made.armature).rig)
    assert found.is_verified
    assert found.body == made.torso
    assert found.root == "c_traj"
    for leg, side in zip(found.legs, "lr", strict=True):
        assert leg.foot == f"c_foot_ik.{side}"
        assert leg.toe == f"c_toes_ik.{side}"
        assert leg.rolls == (f"c_foot_roll_cursor.{side}",)
        assert leg.pole == f"c_leg_pole.{side}"
        assert {f"c_{name}_fk.{side}" for name in ("thigh", "leg", "foot", "toes")} <= {*leg.chain}
        key = (f'pose.bones["c_foot_ik.{side}"]["ik_fk_switch"]', 0)
        assert [(s.key, s.ik, s.fk) for s in leg.switches] == [(key, 0.0, 1.0)]
    turned = {entry.bone: entry.control for entry in found.turned}
    assert turned["forearm_stretch.l"] == "c_forearm_fk.l"
    assert turned["spine_02.x"] == "c_spine_02.x"


@pytest.mark.newest
@pytest.mark.parametrize("kind", ["basic_human", "basic_quadruped"])
def test_controls_that_rigify_generates(empty_scene, kind):
    made = generate_rigify(kind)
    found = probe_controls(made.armature, find_character(made.armature).rig)
    assert found.is_verified
    assert (found.body, found.root) == ("torso", "root")
    limbs = {limb.foot_control: limb for limb in made.limbs}
    assert {leg.foot for leg in found.legs} == limbs.keys()
    for leg in found.legs:
        limb = limbs[leg.foot]
        assert set(limb.chain) <= {*leg.chain}
        bone, name = limb.switch
        key = (f'pose.bones["{bone}"]["{name}"]', 0)
        assert [(s.key, s.ik, s.fk) for s in leg.switches] == [(key, 0.0, 1.0)]
        # As generated, knees follow the turn of a bone at the hip.
        assert leg.pole.endswith(("thigh_ik.L", "thigh_ik.R", "arm_ik.L", "arm_ik.R"))
        assert leg.pole_turns
        if kind == "basic_quadruped":
            # Front legs are found with a wrist for an ankle; their controls hold the paws as well.
            assert leg.hock == f"{leg.foot.removesuffix(leg.foot[-5:])}_heel_ik{leg.foot[-2:]}"
            assert leg.toe == ""
        else:
            assert leg.toe.startswith("toe_ik")
            assert [name.partition("_ik")[0] for name in leg.rolls] == ["foot_spin", "foot_heel"]
    if kind == "basic_human":
        turned = {entry.bone: entry.control for entry in found.turned}
        assert turned["DEF-forearm.L"] == "forearm_fk.L"
        assert turned["DEF-hand.R"] == "hand_fk.R"
        assert turned["DEF-spine.006"] == "head"
        # Arms are on IK as generated; what turns their bones acts on FK.
        assert {s.key[0] for s in found.switches} == {
            f'pose.bones["upper_arm_parent.{side}"]["IK_FK"]' for side in "LR"
        }


def test_constraints_beside_the_point_make_no_map(person, rig):
    add_bones(person, [("bag", ((0, 0.4, 1), (0, 0.4, 1.1)), "root")])
    add_constraint(person, "bag", "COPY_ROTATION", "chest")
    assert not probe_controls(person, rig).bones


def test_two_properties_that_switch_together(person, rig):
    """One lets what follows IK act, the other a chain; they are told as one switch."""
    bones = [(f"ik_foot.{side}", f"foot.{side}", "root") for side in "LR"]
    for kind in ("ik", "fk"):
        for side in "LR":
            parent = "hips"
            for name in ("thigh", "shin", "foot"):
                bones.append((f"{kind}_{name}_line.{side}", f"{name}.{side}", parent))
                parent = bones[-1][0]
    add_bones(person, bones)
    for side in "LR":
        person[f"ik_{side}"], person[f"fk_{side}"] = 1.0, 0.0
        add_constraint(person, f"ik_shin_line.{side}", "IK", f"ik_foot.{side}", chain_count=2)
        add_constraint(person, f"ik_foot_line.{side}", "COPY_ROTATION", f"ik_foot.{side}")
        for name in ("thigh", "shin", "foot"):
            for kind in ("fk", "ik"):
                leader = f"{kind}_{name}_line.{side}"
                copy = add_constraint(person, f"{name}.{side}", "COPY_TRANSFORMS", leader)
                add_driver(copy, person, f'["{kind}_{side}"]')
    for leg, side in zip(probe_controls(person, rig).legs, "LR", strict=True):
        assert leg.foot == f"ik_foot.{side}"
        chain = tuple(f"fk_{name}_line.{side}" for name in ("thigh", "shin", "foot"))
        assert leg.chain == (*chain, f"toe.{side}")
        values = {s.key[0]: (s.ik, s.fk) for s in leg.switches}
        assert values == {f'["ik_{side}"]': (1.0, 0.0), f'["fk_{side}"]': (0.0, 1.0)}


def test_armature_that_is_hidden_and_held_at_rest(person, rig):
    add_legs_on_ik(person)
    person.hide_viewport = True
    person.data.pose_position = "REST"
    assert probe_controls(person, rig).is_verified
    assert person.data.pose_position == "REST"
    assert [data.name for data in bpy.data.armatures] == [person.data.name]
