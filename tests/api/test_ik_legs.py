# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain IK legs, whose feet copy controls that have no weights, are read and walk as they are shown."""

from __future__ import annotations

import math

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from semi_procedural_locomotion.api.controls import find_controls
from semi_procedural_locomotion.api.set_up_work import read_character
from semi_procedural_locomotion.api.setups import bake_set_up, set_up
from tests.api.test_shown_agreement import make_ground
from tests.meters import (
    find_stands,
    measure_float,
    measure_sink,
    measure_slip,
    mesh_heights,
    see_feet,
)

pytestmark = [pytest.mark.newest, pytest.mark.usefixtures("empty_scene")]

CYCLE = 24
TRUNK = (
    ("root", (0, 0, 0), (0, 0.2, 0), None),
    ("hips", (0, 0, 1.0), (0, 0, 1.2), "root"),
    ("spine", (0, 0, 1.2), (0, 0, 1.5), "hips"),
    ("head", (0, 0, 1.5), (0, 0, 1.75), "spine"),
)
LEG = (
    ("thigh", (0, 0, 0.98), (0, -0.03, 0.55), "hips"),
    ("shin", (0, -0.03, 0.55), (0, 0, 0.08), "thigh"),
    ("foot", (0, 0, 0.08), (0, -0.13, 0.03), "shin"),
    ("toe", (0, -0.13, 0.03), (0, -0.2, 0.03), "foot"),
)
PLACES = {"ankle": (0, 0, 0), "heel": (0, 0.07, -0.07), "toe": (0, -0.13, -0.05)}


def _build(parent="", place="ankle", rolls=False, copying="COPY_ROTATION", loose=False, stride=0.7):
    """A biped whose thick feet are led by ``ik.L`` and ``ik.R``, with a walk keyed on these."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 24, 1, 61
    armature = bpy.data.objects.new("Plain", bpy.data.armatures.new("Plain"))
    scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones

    def add(name, head, tail, above, deforms=True):
        bone = bones.new(name)
        bone.head, bone.tail, bone.use_deform = head, tail, deforms
        bone.parent = bones[above] if above else None

    parts = list(TRUNK)
    for side, x in ((".L", 0.1), (".R", -0.1)):
        for name, head, tail, above in LEG:
            own = above if above == "hips" else above + side
            at = [Vector(point) + Vector((x, 0, 0)) for point in (head, tail)]
            parts.append((name + side, *at, "root" if loose and name == "foot" else own))
    for part in parts:
        add(*part)
    if parent == "master":
        add("master", (0, 0, 0), (0, 0.3, 0), "root", False)
    for side, x in ((".L", 0.1), (".R", -0.1)):
        ankle = Vector((x, 0, 0.08))
        led = f"ik{side}"
        add(
            led,
            ankle + Vector(PLACES[place]),
            ankle + Vector(PLACES[place]) + Vector((0, 0.1, 0)),
            parent,
            False,
        )
        for name, point in PLACES.items() if rolls else ():
            add(
                f"{name}_roll{side}",
                ankle + Vector(point),
                ankle + Vector(point) + Vector((0, 0.1, 0)),
                led,
                False,
            )
            led = f"{name}_roll{side}"
        # What the shin reaches for and the foot copies lies at the ankle.
        add(f"hold{side}", ankle, ankle + Vector((0, -0.13, -0.05)), led, False)
        add(f"pole{side}", (x, -1.0, 0.55), (x, -1.0, 0.65), "", False)
    bpy.ops.object.mode_set(mode="OBJECT")
    _add_boxes(armature, parts)
    for side in (".L", ".R"):
        reach = armature.pose.bones["shin" + side].constraints.new("IK")
        reach.target = reach.pole_target = armature
        reach.subtarget, reach.pole_subtarget, reach.chain_count = f"hold{side}", f"pole{side}", 2
        reach.pole_angle = -math.pi / 2
        if copying:
            copy = armature.pose.bones["foot" + side].constraints.new(copying)
            copy.target, copy.subtarget = armature, f"hold{side}"
    _key_walk(armature, stride)
    return armature


def _add_boxes(armature, parts):
    """A box about every bone, 0.08 wide, on its own group."""
    points, groups = [], []
    for name, head, tail, _ in parts:
        low = np.minimum(head, tail) - 0.03
        high = np.maximum(head, tail) + 0.03
        corners = np.array(np.meshgrid(*zip(low, high, strict=True))).reshape(3, -1).T
        points.extend(corners.tolist())
        groups.append(name)
    mesh = bpy.data.meshes.new("Boxes")
    mesh.from_pydata(points, [], [])
    item = bpy.data.objects.new("Boxes", mesh)
    bpy.context.scene.collection.objects.link(item)
    item.parent = armature
    for number, name in enumerate(groups):
        item.vertex_groups.new(name=name).add(
            list(range(8 * number, 8 * number + 8)), 1.0, "REPLACE"
        )
    item.modifiers.new("Armature", "ARMATURE").object = armature


def _key_walk(armature, stride):
    """Level feet that stand for 0.6 of the cycle, under hips that are 0.05 lower than at rest."""
    armature.animation_data_create().action = bpy.data.actions.new("Walk")
    for frame in range(1, CYCLE + 2):
        for side, phase in ((".L", 0.0), (".R", 0.5)):
            share = ((frame - 1) / CYCLE + phase) % 1.0
            swing = max(0.0, (share - 0.6) / 0.4)
            along = 0.5 - share / 0.6 if swing == 0.0 else swing * swing * (3 - 2 * swing) - 0.5
            way = Vector((0, -0.6 * stride * along, 0.1 * math.sin(math.pi * swing)))
            bone = armature.pose.bones["ik" + side]
            rest = bone.bone.matrix_local
            bone.matrix_basis = rest.inverted() @ Matrix.Translation(way) @ rest
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
        hips = armature.pose.bones["hips"]
        hips.location = hips.bone.matrix_local.to_3x3().inverted() @ Vector((0, 0, -0.05))
        hips.keyframe_insert("location", frame=frame)


RELATIVES = {
    "plain": {},
    "rolls": {"parent": "master", "place": "heel", "rolls": True},
    "follows_shin": {"parent": "root", "place": "toe", "copying": ""},
    "loose": {"copying": "COPY_TRANSFORMS", "loose": True},
}


@pytest.mark.parametrize(
    ("relative", "ground"), [("plain", "flat"), *((name, "stairs") for name in RELATIVES)]
)
def test_ik_legs_stand_on_flat_ground_and_stairs(relative, ground):
    """Bars as shares of the leg, of boxes as Blender shows them; joints are where they are planned."""
    armature = _build(**RELATIVES[relative])
    scene = bpy.context.scene
    character, _ = set_up(armature)
    names = character.rig.skeleton.names
    for leg, side in zip(character.rig.legs, (".L", ".R"), strict=True):
        assert [names[bone] for bone in leg.joints] == [
            f"{n}{side}" for n in ("thigh", "shin", "foot")
        ]
        assert leg.toe is not None
        assert names[leg.toe] == f"toe{side}"
        assert not leg.doubts
    length = character.rig.leg_length
    make_ground(ground, armature, length, (0.0, -1.0))
    result = bake_set_up(armature, scene)
    assert result.verification is not None
    assert result.verification.is_clean
    heights = mesh_heights(scene.objects["Ground"])
    feet = see_feet(armature, [["foot.L", "toe.L"], ["foot.R", "toe.R"]], range(1, 62), heights)
    stands = find_stands(feet, length, scene.render.fps)
    bar = 0.006 if ground == "flat" else 0.015
    assert min(own.mean() for own in stands) > 0.2
    assert measure_sink(feet) < bar * length
    assert measure_float(feet, stands) < bar * length
    assert measure_slip(feet, stands, 0.004 * length) < bar * length


def test_feet_that_do_not_reach_their_controls_at_first_have_them():
    """The left leg is too short for the first pose of its stride, and the right one for the middle."""
    armature = _build(stride=1.25)
    character, _ = set_up(armature)
    controls = find_controls(character)
    assert [leg.foot for leg in controls.legs] == ["ik.L", "ik.R"]
    assert controls.confidence > 0.9


@pytest.mark.parametrize("mute", [False, True])
def test_legs_are_aimed_as_long_as_the_rig_aims_them(mute):
    armature = _build(copying="COPY_TRANSFORMS", loose=True)
    set_up(armature)
    for side in (".L", ".R"):
        armature.pose.bones["shin" + side].constraints[0].mute = mute
    assert [leg.aimed for leg in read_character(armature).rig.legs] == 2 * [not mute]
