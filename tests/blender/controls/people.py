# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The project's person on controls of its own: IK feet with a switch to FK, toes, poles and a torso."""

from __future__ import annotations

import bpy
from mathutils import Euler, Matrix

from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.core.rig.controls.mapping import (
    ControlMap,
    LegControls,
    SwitchValue,
)
from tests.scenes import add_person

DEFORMING = tuple(f"{name}.{side}" for name in ("thigh", "shin", "foot", "toe") for side in "LR")


def make_person_on_controls(*, fk: bool = False) -> bpy.types.Object:
    """The person under constraints; its walk keys the controls and none of the bones of its legs.

    Parameters
    ----------
    fk
        Whether the walk turns the legs by their chains of controls, with the switch at FK.
    """
    armature = add_person()
    scene = bpy.context.scene
    action = next(a for a in bpy.data.actions if a.name.endswith("Walk"))
    slot = versions.find_slot(action, armature)
    versions.assign_action(armature, action, slot)
    frames = range(int(action.frame_range[0]), int(action.frame_range[1]) + 1)
    seen = {}
    for frame in frames:
        scene.frame_set(frame)
        seen[frame] = {b.name: b.matrix.copy() for b in armature.pose.bones}
    versions.assign_action(armature, None, "")
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    offsets = _add_bones(armature)
    _add_constraints(armature)
    bag = versions.get_channelbag(action, slot)
    for curve in list(bag.fcurves):
        if any(f'"{name}"' in curve.data_path for name in (*DEFORMING, "hips")):
            bag.fcurves.remove(curve)
    keyed = ["torso"]
    for side in "LR":
        chain = [f"fk.{n}.{side}" for n in ("thigh", "shin", "foot", "toe")]
        keyed += chain if fk else [f"ik.foot.{side}", f"ik.toe.{side}"]
    versions.assign_action(armature, action, slot)
    armature["fk"] = float(fk)
    armature.keyframe_insert('["fk"]', frame=frames[0])
    for frame in frames:
        placed = {name: seen[frame][like] @ offset for name, (like, offset) in offsets.items()}
        for name in keyed:
            bone = armature.pose.bones[name]
            above = bone.parent.name
            bone.matrix_basis = bone.bone.convert_local_to_pose(
                placed[name],
                bone.bone.matrix_local,
                parent_matrix=placed.get(above, seen[frame].get(above)),
                parent_matrix_local=bone.parent.bone.matrix_local,
                invert=True,
            )
            bone.keyframe_insert("location", frame=frame)
            bone.keyframe_insert("rotation_quaternion", frame=frame)
    versions.assign_action(armature, None, "")
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    armature["fk"] = 0.0
    scene.frame_set(scene.frame_start)
    return armature


def map_person(armature: bpy.types.Object, legs: tuple[str, ...]) -> ControlMap:
    """The controls of the person; legs by their names, left and right."""
    switch = SwitchValue(('["fk"]', 0), 0.0, 1.0)
    return ControlMap(
        body="torso",
        root="root",
        legs=tuple(
            LegControls(
                leg,
                foot=f"ik.foot.{side}",
                toe=f"ik.toe.{side}",
                pole=f"pole.{side}",
                chain=tuple(f"fk.{n}.{side}" for n in ("thigh", "shin", "foot", "toe")),
                switches=(switch,),
                confidence=1.0,
            )
            for leg, side in zip(legs, "LR", strict=True)
        ),
        confidence=1.0,
    )


def _add_bones(armature: bpy.types.Object) -> dict[str, tuple[str, Matrix]]:
    """Add the controls; the bone that each goes with, and where it is in that bone's axes at rest."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    partners = {"torso": "hips"}

    def add(name: str, like: str, parent: str, *, turned: bool = False) -> None:
        control = bones.new(name)
        control.head, control.tail = bones[like].head, bones[like].tail
        control.roll = bones[like].roll
        if turned:
            # Controls lie as they are handy, not as the bones that they move.
            turn = Euler((0.7, 0.2, -0.4)).to_matrix().to_4x4()
            control.matrix = Matrix.Translation((0.0, 0.03, 0.02)) @ control.matrix @ turn
        control.use_deform = False
        control.parent = bones[parent]

    add("torso", "hips", "root", turned=True)
    add("mch.hips", "hips", "torso")
    for side in "LR":
        add(f"ik.foot.{side}", f"foot.{side}", "root", turned=True)
        add(f"mch.foot.{side}", f"foot.{side}", f"ik.foot.{side}")
        add(f"ik.toe.{side}", f"toe.{side}", f"ik.foot.{side}")
        add(f"pole.{side}", f"shin.{side}", "root")
        pole = bones[f"pole.{side}"]
        pole.matrix = Matrix.Translation((0.0, -0.5, 0.0)) @ pole.matrix
        above = "torso"
        for name in ("thigh", "shin", "foot", "toe"):
            add(f"fk.{name}.{side}", f"{name}.{side}", above)
            partners[f"fk.{name}.{side}"] = f"{name}.{side}"
            above = f"fk.{name}.{side}"
        partners |= {f"ik.{name}.{side}": f"{name}.{side}" for name in ("foot", "toe")}
    offsets = {
        control: (bone, bones[bone].matrix.inverted() @ bones[control].matrix)
        for control, bone in partners.items()
    }
    bpy.ops.object.mode_set(mode="OBJECT")
    return offsets


def _add_constraints(armature: bpy.types.Object) -> None:
    """Let the bones go after the controls; the switch is at 0 for IK and at 1 for FK."""
    bones = armature.pose.bones
    armature["fk"] = 0.0

    def follow(bone: str, control: str, kind: str) -> bpy.types.Constraint:
        constraint = bones[bone].constraints.new(kind)
        constraint.target, constraint.subtarget = armature, control
        return constraint

    follow("hips", "mch.hips", "COPY_TRANSFORMS")
    for side in "LR":
        for name in ("thigh", "shin", "foot", "toe"):
            _drive(armature, follow(f"{name}.{side}", f"fk.{name}.{side}", "COPY_ROTATION"), "fk")
        reach = follow(f"shin.{side}", f"mch.foot.{side}", "IK")
        reach.pole_target, reach.pole_subtarget = armature, f"pole.{side}"
        reach.chain_count = 2
        _drive(armature, reach, "1 - fk")
        for name, control in (("foot", "mch.foot"), ("toe", "ik.toe")):
            _drive(
                armature, follow(f"{name}.{side}", f"{control}.{side}", "COPY_ROTATION"), "1 - fk"
            )


def _drive(armature: bpy.types.Object, constraint: bpy.types.Constraint, text: str) -> None:
    """Let the influence of a constraint follow the switch."""
    driver = constraint.driver_add("influence").driver
    driver.expression = text
    variable = driver.variables.new()
    variable.name = "fk"
    variable.targets[0].id = armature
    variable.targets[0].data_path = '["fk"]'
