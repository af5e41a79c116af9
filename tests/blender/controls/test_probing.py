# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Controls are found by moving them."""

from __future__ import annotations

import bpy
import pytest

from semi_procedural_locomotion.api.characters import find_character
from semi_procedural_locomotion.blender.controls.probing import probe_controls
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_character


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


def add_driver(constraint, armature, path):
    """Let a property of the armature be the influence of a constraint."""
    driver = constraint.driver_add("influence").driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = armature, path
    driver.type = "SUM"


@pytest.fixture
def person(empty_scene):
    """The project's person without controls."""
    armature = create_character(make_biped_shape(), bpy.context.scene.collection)
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def rigged(person):
    """The person with feet on IK, poles, and a switch for both legs; and its rig as found before."""
    rig = find_character(person).rig
    bones = []
    for side, x in (("L", 0.1), ("R", -0.1)):
        bones.append((f"ik_foot.{side}", f"foot.{side}", "root"))
        bones.append((f"knee.{side}", ((x, -0.7, 0.5), (x, -0.7, 0.6)), f"ik_foot.{side}"))
    add_bones(person, bones)
    person["legs"] = 1.0
    for side in "LR":
        reach = add_constraint(person, f"shin.{side}", "IK", f"ik_foot.{side}", chain_count=2)
        reach.pole_target, reach.pole_subtarget = person, f"knee.{side}"
        turn = add_constraint(person, f"foot.{side}", "COPY_ROTATION", f"ik_foot.{side}")
        for constraint in (reach, turn):
            add_driver(constraint, person, '["legs"]')
    return person, rig


def test_plain_skeleton_has_no_map(person):
    found = probe_controls(person, find_character(person).rig)
    assert not found.is_verified
    assert not found.bones


def test_feet_poles_chain_and_switch(rigged):
    armature, rig = rigged
    found = probe_controls(armature, rig)
    assert found.is_verified
    assert found.body == "hips"
    assert found.root == "root"
    for leg, side in zip(found.legs, "LR", strict=True):
        assert leg.foot == f"ik_foot.{side}"
        assert leg.pole == f"knee.{side}"
        assert not leg.pole_turns
        assert leg.toe == f"toe.{side}"
        assert leg.chain == tuple(f"{name}.{side}" for name in ("thigh", "shin", "foot", "toe"))
        assert [(s.key, s.ik, s.fk) for s in leg.switches] == [(('["legs"]', 0), 1.0, 0.0)]
        assert leg.confidence > 0.95
    assert armature["legs"] == 1.0
