# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A biped whose limbs stretch, built like the rigs that animators of games and films use.

Deforming bones (``foot.l``) only follow and are locked; controls begin with ``c_``. A leg follows its
foot control through an IK that stretches, or its chain of FK controls, as ``ik_fk_switch`` on the foot
control says; thigh and shin deform in two halves, the upper one of the thigh without the leg's twist. A
cursor at the foot rolls it over heel and ball by drivers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .control_rigs import ControlRig, Limb, add_box_body

if TYPE_CHECKING:
    import bpy

_HIP, _KNEE, _ANKLE, _BALL = (0.95, 0.0), (0.52, -0.03), (0.09, 0.01), (0.02, -0.11)
_TIP, _HEEL = (0.02, -0.19), (0.0, 0.07)

# Bones of the trunk: name, parent, heights of head and tail.
_TRUNK = (
    ("c_root.x", "c_root_master.x", 0.98, 1.10),
    ("c_spine_01.x", "c_root_master.x", 1.10, 1.28),
    ("c_spine_02.x", "c_spine_01.x", 1.28, 1.50),
    ("c_neck.x", "c_spine_02.x", 1.50, 1.60),
    ("c_head.x", "c_neck.x", 1.60, 1.80),
)
_FOLLOWERS = (
    ("root.x", "c_root.x", "c_root_master.x"),
    ("spine_01.x", "c_spine_01.x", "root.x"),
    ("spine_02.x", "c_spine_02.x", "spine_01.x"),
    ("neck.x", "c_neck.x", "spine_02.x"),
    ("head.x", "c_head.x", "neck.x"),
)
_ARMS = (
    ("c_arm_fk", "c_spine_02.x", (0.18, 1.46), (0.24, 1.18), "arm_stretch"),
    ("c_forearm_fk", "c_arm_fk", (0.24, 1.18), (0.28, 0.92), "forearm_stretch"),
    ("c_hand_fk", "c_forearm_fk", (0.28, 0.92), (0.29, 0.84), "hand"),
)


def build_stretchy_rig() -> ControlRig:
    """The character in the scene, at rest, with its body of boxes."""
    import bpy

    data = bpy.data.armatures.new("Stretchy")
    armature = bpy.data.objects.new("Stretchy", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    _draw_trunk(data)
    for side, x in (("l", 0.1), ("r", -0.1)):
        _draw_leg(data, side, x)
        _draw_arm(data, side, math.copysign(1.0, x))
    bpy.ops.object.mode_set(mode="OBJECT")
    for name, leader, _ in _FOLLOWERS:
        _follow(armature, name, leader, "COPY_TRANSFORMS")
    for side in "lr":
        for control, _, _, _, name in _ARMS:
            _follow(armature, f"{name}.{side}", f"{control}.{side}", "COPY_TRANSFORMS")
        _rig_leg(armature, side)
    for bone in armature.pose.bones:
        if not bone.name.startswith("c_"):
            bone.lock_location = bone.lock_rotation = bone.lock_scale = (True, True, True)
            bone.lock_rotation_w = True
    limbs = tuple(_describe_leg(side, phase) for side, phase in (("l", 0.0), ("r", 0.5)))
    body = add_box_body(armature, limbs)
    bpy.context.view_layer.update()
    return ControlRig(armature, body, limbs, "c_root_master.x")


def _describe_leg(side: str, phase: float) -> Limb:
    return Limb(
        joints=(f"thigh_twist.{side}", f"leg_stretch.{side}", f"foot.{side}", f"toes_01.{side}"),
        foot=(f"foot.{side}", f"toes_01.{side}"),
        foot_control=f"c_foot_ik.{side}",
        chain=(f"c_thigh_fk.{side}", f"c_leg_fk.{side}", f"c_foot_fk.{side}"),
        switch=(f"c_foot_ik.{side}", "ik_fk_switch"),
        phase=phase,
        roll=(f"c_foot_roll_cursor.{side}", "location", 1, 0.04),
    )


def _draw(
    data: bpy.types.Armature,
    name: str,
    ends: tuple[tuple[float, float, float], tuple[float, float, float]],
    parent: str,
    is_deforming: bool = False,
) -> None:
    """An edit bone whose x axis goes across the body."""
    bone = data.edit_bones.new(name)
    bone.head, bone.tail = ends
    bone.align_roll((0.0, 1.0, 0.0) if abs(bone.vector.z) > abs(bone.vector.y) else (0.0, 0.0, 1.0))
    bone.parent = data.edit_bones[parent] if parent else None
    bone.use_deform = is_deforming


def _draw_trunk(data: bpy.types.Armature) -> None:
    _draw(data, "c_pos", ((0.0, 0.0, 0.0), (0.0, 0.4, 0.0)), "")
    _draw(data, "c_traj", ((0.0, 0.0, 0.0), (0.0, 0.3, 0.0)), "c_pos")
    _draw(data, "c_root_master.x", ((0.0, 0.0, 0.98), (0.0, 0.0, 1.18)), "c_traj")
    for name, parent, low, high in _TRUNK:
        _draw(data, name, ((0.0, 0.0, low), (0.0, 0.0, high)), parent)
    for name, leader, parent in _FOLLOWERS:
        own = data.edit_bones[leader]
        _draw(data, name, (tuple(own.head), tuple(own.tail)), parent, is_deforming=True)


def _draw_arm(data: bpy.types.Armature, side: str, sign: float) -> None:
    for control, parent, head, tail, name in _ARMS:
        ends = ((sign * head[0], 0.0, head[1]), (sign * tail[0], 0.0, tail[1]))
        above = parent if parent.endswith(".x") else f"{parent}.{side}"
        _draw(data, f"{control}.{side}", ends, above)
        _draw(data, f"{name}.{side}", ends, "spine_02.x", is_deforming=True)


def _draw_leg(data: bpy.types.Armature, side: str, x: float) -> None:
    def at(place: tuple[float, float]) -> tuple[float, float, float]:
        return (x, place[1], place[0])

    def halve(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
        return (0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]))

    def draw(
        name: str,
        head: tuple[float, float],
        tail: tuple[float, float],
        parent: str,
        is_deforming: bool = False,
    ) -> None:
        above = parent if parent.endswith((".x", "c_traj")) else f"{parent}.{side}"
        _draw(data, f"{name}.{side}", (at(head), at(tail)), above, is_deforming)

    draw("c_thigh_b", (1.0, 0.0), _HIP, "c_root.x")
    for kind in ("c_{}_fk", "{}_ik", "{}"):
        thigh, leg = kind.format("thigh"), kind.format("leg")
        draw(thigh, _HIP, _KNEE, "c_thigh_b")
        draw(leg, _KNEE, _ANKLE, thigh)
    draw("c_foot_fk", _ANKLE, _BALL, "c_leg_fk")
    draw("c_toes_fk", _BALL, _TIP, "c_foot_fk")

    draw("c_foot_ik", _ANKLE, (_ANKLE[0], _ANKLE[1] - 0.2), "c_traj")
    draw("c_foot_roll_cursor", (0.02, 0.14), (0.02, 0.10), "c_foot_ik")
    draw("foot_heel", _HEEL, (0.0, _HEEL[1] - 0.06), "c_foot_ik")
    draw("foot_tip", _TIP, (_TIP[0], _TIP[1] - 0.06), "foot_heel")
    draw("c_toes_ik", _BALL, _TIP, "foot_tip")
    draw("foot_ball", _BALL, (_BALL[0], _BALL[1] - 0.06), "foot_tip")
    draw("foot_ik", _ANKLE, _BALL, "foot_ball")
    draw("c_leg_pole", (_KNEE[0], -0.55), (_KNEE[0], -0.62), "c_traj")
    data.edit_bones[f"c_leg_pole.{side}"].parent = None

    half_thigh, half_leg = halve(_HIP, _KNEE), halve(_KNEE, _ANKLE)
    draw("thigh_twist", _HIP, half_thigh, "c_thigh_b", is_deforming=True)
    draw("c_stretch_leg", _KNEE, (_KNEE[0], _KNEE[1] - 0.06), "leg")
    draw("thigh_stretch", half_thigh, _KNEE, "thigh", is_deforming=True)
    draw("leg_stretch", _KNEE, half_leg, "leg", is_deforming=True)
    draw("leg_twist", half_leg, _ANKLE, "leg_stretch", is_deforming=True)
    draw("foot", _ANKLE, _BALL, "leg", is_deforming=True)
    draw("toes_01", _BALL, _TIP, "foot", is_deforming=True)
    data.edit_bones[f"foot.{side}"].inherit_scale = "NONE"
    data.edit_bones[f"leg_twist.{side}"].inherit_scale = "NONE"


def _rig_leg(armature: bpy.types.Object, side: str) -> None:
    bones = armature.pose.bones
    foot = bones[f"c_foot_ik.{side}"]
    foot["ik_fk_switch"], foot["pole_parent"] = 0.0, 1.0
    for name in ("thigh", "leg"):
        bones[f"{name}_ik.{side}"].ik_stretch = 0.1
        _follow(armature, f"{name}.{side}", f"{name}_ik.{side}", "COPY_TRANSFORMS")
        _follow_switched(armature, f"{name}.{side}", f"c_{name}_fk.{side}", "COPY_TRANSFORMS")
    chain = bones[f"leg_ik.{side}"].constraints.new("IK")
    chain.target, chain.subtarget = armature, f"foot_ik.{side}"
    chain.pole_target, chain.pole_subtarget = armature, f"c_leg_pole.{side}"
    chain.pole_angle, chain.chain_count = math.radians(-90.0), 2
    chain.use_stretch = True
    for name, leaders in (
        ("foot", ("foot_ik", "c_foot_fk")),
        ("toes_01", ("c_toes_ik", "c_toes_fk")),
    ):
        _follow(armature, f"{name}.{side}", f"{leaders[0]}.{side}", "COPY_ROTATION")
        _follow_switched(armature, f"{name}.{side}", f"{leaders[1]}.{side}", "COPY_ROTATION")

    _follow(armature, f"thigh_twist.{side}", f"thigh.{side}", "COPY_LOCATION")
    _follow(armature, f"thigh_twist.{side}", f"leg.{side}", "DAMPED_TRACK")
    for name, aim, rest in (
        ("thigh_stretch", "c_stretch_leg", "thigh_stretch"),
        ("leg_stretch", "foot", "leg"),
        ("leg_twist", "foot", "leg_twist"),
    ):
        stretch = _follow(armature, f"{name}.{side}", f"{aim}.{side}", "STRETCH_TO")
        stretch.rest_length = armature.data.bones[f"{rest}.{side}"].length
        stretch.volume = "NO_VOLUME"

    pole = bones[f"c_leg_pole.{side}"].constraints.new("ARMATURE")
    for name, expression in ((f"c_foot_ik.{side}", "value"), ("c_traj", "1 - value")):
        target = pole.targets.new()
        target.target, target.subtarget = armature, name
        _drive(armature, target, "weight", expression, f'["{foot.name}"]["pole_parent"]')
    cursor = f'["c_foot_roll_cursor.{side}"].location[1]'
    for name, expression in (
        ("foot_heel", "-8 * min(0, value)"),
        ("foot_ball", "-8 * max(0, value)"),
    ):
        bones[f"{name}.{side}"].rotation_mode = "XYZ"
        _drive(armature, bones[f"{name}.{side}"], "rotation_euler", expression, cursor, 0)


def _follow(armature: bpy.types.Object, name: str, leader: str, kind: str) -> bpy.types.Constraint:
    constraint = armature.pose.bones[name].constraints.new(kind)
    constraint.target, constraint.subtarget = armature, leader
    return constraint


def _follow_switched(armature: bpy.types.Object, name: str, leader: str, kind: str) -> None:
    """A bone follows another as far as the switch of its leg says."""
    constraint = _follow(armature, name, leader, kind)
    side = name.rpartition(".")[2]
    _drive(armature, constraint, "influence", "value", f'["c_foot_ik.{side}"]["ik_fk_switch"]')


def _drive(
    armature: bpy.types.Object,
    owner: bpy.types.bpy_struct,
    name: str,
    expression: str,
    source: str,
    index: int = -1,
) -> None:
    """Drive a property by another of a bone, which the end of a data path names."""
    driver = owner.driver_add(name, index).driver
    driver.type, driver.expression = "SCRIPTED", expression
    variable = driver.variables.new()
    variable.name = "value"
    variable.targets[0].id = armature
    variable.targets[0].data_path = f"pose.bones{source}"
