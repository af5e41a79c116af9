# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters with controls: those that Rigify generates, and walks keyed on controls.

One whose limbs stretch is in `stretchy_rigs`.

Each has a body of boxes, whose feet stand on the plane z = 0. All
face -Y. bpy is imported by the functions, since the process that starts a Blender imports tests too.
"""

from __future__ import annotations

import hashlib
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from .scenes import add_mesh

if TYPE_CHECKING:
    import bpy
    from mathutils import Vector

KINDS = ("human", "basic_human", "basic_quadruped", "horse", "wolf", "bird")

CYCLE = 24
"""Frames of one cycle of the keyed walks, which start at frame 1."""

STANCE = 0.6
"""Share of the cycle in which a foot of the keyed walks stands."""


@dataclass(frozen=True)
class Limb:
    """A leg of a character with controls; names of bones throughout.

    Attributes
    ----------
    joints
        Deforming bones that begin at hip, knee, ankle, and at the ball or the paw.
    foot
        Deforming bones that bear on the ground; the first one begins where the foot control holds it.
    foot_control
        What is moved where IK acts.
    chain
        What is turned where FK acts, at hip, knee and ankle.
    switch
        Bone and its property: 0 for IK and 1 for FK.
    phase
        Share of a cycle by which its strike comes later than that of the first leg.
    roll
        Control that rolls the foot over its ball: bone, channel, index, and its value at foot-off.
    """

    joints: tuple[str, str, str, str]
    foot: tuple[str, ...]
    foot_control: str
    chain: tuple[str, str, str]
    switch: tuple[str, str]
    phase: float
    roll: tuple[str, str, int, float] | None = None


@dataclass(frozen=True)
class ControlRig:
    """A character with controls.

    Attributes
    ----------
    armature
        Its object; nothing keys it at first.
    body
        Mesh object of boxes.
    limbs
        Its legs.
    torso
        Control that moves hips and upper body.
    """

    armature: bpy.types.Object
    body: bpy.types.Object
    limbs: tuple[Limb, ...]
    torso: str

    @property
    def feet(self) -> list[tuple[str, ...]]:
        """Deforming bones of each foot, as `meters.see_feet` takes them."""
        return [limb.foot for limb in self.limbs]

    @property
    def leg_length(self) -> float:
        """Of the first leg from hip to ankle along its bones, metres."""
        return measure_leg(self.armature, self.limbs[0])

    @property
    def speed(self) -> float:
        """Of the keyed walks at 24 frames a second, metres a second."""
        return _find_stride(self) * 24.0 / CYCLE


def generate_rigify(kind: str, has_face: bool = False) -> ControlRig:
    """Append a rig that Rigify generated from its own metarig to the scene.

    It is generated once and kept as a file for this Blender. The add-on is off afterwards, as it is for
    those who were handed a file.

    Parameters
    ----------
    kind
        One of `KINDS`.
    has_face
        Whether bones of a face are made where the metarig has them: hundreds, in tens of seconds.
    """
    import bpy

    path = _find_cache() / f"{kind}{'_with_face' if has_face else ''}.blend"
    if not path.is_file():
        _write_rigify(kind, path, has_face)
    with bpy.data.libraries.load(str(path), link=False) as (_, wanted):
        wanted.objects = ["rig", "Body"]
    armature, body = wanted.objects
    for item in (armature, body):
        bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    return ControlRig(armature, body, tuple(_list_rigify_limbs(kind)), "torso")


def key_ik_walk(rig: ControlRig, name: str = "Walk", rolls: bool = False) -> bpy.types.Action:
    """A walk in place whose keys lie on the foot controls and the torso.

    Parameters
    ----------
    rig
        The character, at rest.
    name
        Of the action.
    rolls
        Whether feet leave over their balls, by keys on the roll controls, where a rig has them.
    """
    return _key_walk(rig, name, _key_rolling_foot if rolls else _key_foot_control)


def key_fk_walk(rig: ControlRig, name: str = "Walk") -> bpy.types.Action:
    """The same walk with keys on the controls of hips, knees and ankles; it keys its switches to FK."""
    return _key_walk(rig, name, _key_chain)


def find_curves(armature: bpy.types.Object) -> list[bpy.types.FCurve]:
    """Curves of the action that an armature object plays."""
    animation = armature.animation_data
    if animation is None or animation.action is None:
        return []
    action = animation.action
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    bags = [
        strip.channelbag(animation.action_slot)
        for layer in action.layers
        for strip in layer.strips
        if animation.action_slot is not None
    ]
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]


def measure_leg(armature: bpy.types.Object, limb: Limb) -> float:
    """Length of a leg from hip to ankle along its bones, metres."""
    places = [armature.data.bones[name].head_local for name in limb.joints[:3]]
    return sum((places[i + 1] - places[i]).length for i in range(2))


def _find_cache() -> Path:
    """Folder of rigs generated by this Blender and as this module says."""
    import bpy

    version = bpy.app.version_string.replace(" ", "-")
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"locomotion-control-rigs-{version}-{own}"
    folder.mkdir(exist_ok=True)
    return folder


def _write_rigify(kind: str, path: Path, has_face: bool) -> None:
    """Generate a rig in a scene of its own, which is taken away, and keep it as a file."""
    import bpy

    _enable_rigify()
    before = set(bpy.data.user_map())
    window, scene = bpy.context.window, bpy.context.scene
    window.scene = bpy.data.scenes.new("Generating")
    try:
        getattr(bpy.ops.object, f"armature_{kind}_metarig_add")()
        if not has_face:
            _remove_face(bpy.context.object)
        bpy.ops.pose.rigify_generate()
        armature = bpy.context.object
        armature.name = "rig"
        body = add_box_body(armature, list(_list_rigify_limbs(kind)))
        draft = path.with_suffix(f".{os.getpid()}.part")
        bpy.data.libraries.write(str(draft), {armature, body}, fake_user=True)
        draft.replace(path)
    finally:
        window.scene = scene
        bpy.data.batch_remove(set(bpy.data.user_map()) - before)
        bpy.ops.preferences.addon_disable(module="rigify")


def _remove_face(metarig: bpy.types.Object) -> None:
    """Take the face out of a metarig."""
    import bpy

    tops = [bone for bone in metarig.pose.bones if bone.rigify_type == "faces.super_face"]
    names = {bone.name for top in tops for bone in (top, *top.children_recursive)}
    bpy.ops.object.mode_set(mode="EDIT")
    for name in names:
        metarig.data.edit_bones.remove(metarig.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")


def _enable_rigify() -> None:
    import addon_utils
    import bpy

    if not any(module.__name__ == "rigify" for module in addon_utils.modules()):
        pytest.skip(f"Blender {bpy.app.version_string} comes without the add-on Rigify")
    bpy.ops.preferences.addon_enable(module="rigify")


def _list_rigify_limbs(kind: str) -> Iterator[Limb]:
    """Legs of a kind, left before right, hind before front, struck in the order of a walk."""
    chains: list[tuple[str, ...]]
    if kind == "horse":
        chains = [
            ("thigh", "lower_leg", "hind_foot", "r_toe", "r_hoof"),
            ("upper_arm", "forearm", "forefoot", "f_toe", "f_hoof"),
        ]
    elif kind in ("basic_quadruped", "wolf"):
        chains = [
            ("thigh", "shin", "foot", "toe"),
            ("front_thigh", "front_shin", "front_foot", "front_toe"),
        ]
    else:
        chains = [("thigh", "shin", "foot", "toe")]
    for place, chain in enumerate(chains):
        for side, phase in (("L", 0.0), ("R", 0.5)):
            deforming = tuple(f"DEF-{base}.{side}" for base in chain)
            is_plantigrade = kind.endswith("human")
            yield Limb(
                joints=(deforming[0], deforming[1], deforming[2], deforming[3]),
                foot=deforming[2:] if is_plantigrade else deforming[-1:],
                foot_control=f"{chain[2]}_ik.{side}",
                chain=(f"{chain[0]}_fk.{side}", f"{chain[1]}_fk.{side}", f"{chain[2]}_fk.{side}"),
                switch=(f"{chain[0]}_parent.{side}", "IK_FK"),
                phase=(phase + 0.25 * place) % 1.0,
                roll=(f"foot_heel_ik.{side}", "rotation_euler", 0, 0.4) if is_plantigrade else None,
            )


def add_box_body(armature: bpy.types.Object, limbs: Sequence[Limb]) -> bpy.types.Object:
    """A mesh of one box for each deforming bone that is long or low, which that bone moves alone.

    Boxes of feet reach down to the plane z = 0, and behind an ankle as far as a heel does.
    """
    from mathutils import Vector

    bones = [bone for bone in armature.data.bones if bone.use_deform]
    tall = max(max(bone.head_local.z, bone.tail_local.z) for bone in bones)
    feet = {name for limb in limbs for name in limb.foot}
    heels = {limb.joints[2] for limb in limbs} & feet
    sides = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    points: list[Vector] = []
    faces: list[list[int]] = []
    groups: dict[str, range] = {}
    for bone in bones:
        is_low = max(bone.head_local.z, bone.tail_local.z) < 0.06 * tall
        if bone.length < 0.04 * tall and bone.name not in feet and not is_low:
            continue
        ends = (bone.head_local, bone.tail_local)
        margin = 0.15 * bone.length
        low = Vector([min(end[axis] for end in ends) - margin for axis in range(3)])
        high = Vector([max(end[axis] for end in ends) + margin for axis in range(3)])
        if bone.name in feet:
            low.z, high.z = 0.0, max(end.z for end in ends) + 0.1 * margin
            middle = 0.5 * (ends[0].x + ends[1].x)
            low.x, high.x = middle - 0.4 * bone.length, middle + 0.4 * bone.length
            low.y, high.y = min(end.y for end in ends), max(end.y for end in ends)
        if bone.name in heels:
            high.y += 0.45 * bone.length
        low.z = max(low.z, 0.0)
        start = len(points)
        corners = (
            (x, y, z) for z in (low.z, high.z) for y in (low.y, high.y) for x in (low.x, high.x)
        )
        points.extend(map(Vector, corners))
        faces.extend([start + corner for corner in side] for side in sides)
        groups[bone.name] = range(start, start + 8)
    body = add_mesh("Body", points, faces)
    for name, members in groups.items():
        body.vertex_groups.new(name=name).add(list(members), 1.0, "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return body


def _find_stride(rig: ControlRig) -> float:
    """Way of one cycle of the keyed walks, metres."""
    return (0.9 if len(rig.limbs) == 2 else 0.5) * rig.leg_length


def _key_walk(
    rig: ControlRig,
    name: str,
    key_leg: Callable[[ControlRig, Limb, Vector, Vector, int], None],
) -> bpy.types.Action:
    """An action of one cycle in place: the feet are where a steady walk has them, the torso bobs."""
    import bpy
    from mathutils import Vector

    armature = rig.armature
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    armature.animation_data_create().action = action
    stride, length = _find_stride(rig), rig.leg_length
    sink, swing = (0.08, 0.015) if len(rig.limbs) == 2 else (0.015, 0.008)
    for step in range(CYCLE + 1):
        share, frame = step / CYCLE, 1 + step
        bob = swing * length * math.cos(4.0 * math.pi * (share - 0.3))
        raised = Vector((0.0, 0.0, bob - sink * length))
        _key_offset(armature, rig.torso, raised, frame)
        for limb in rig.limbs:
            way = _place_foot((share - limb.phase) % 1.0, stride, 0.09 * length)
            key_leg(rig, limb, way, raised, frame)
    for curve in find_curves(armature):
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    armature.animation_data.action = None
    # Mechanism bones have poses of their own, which are a part of the rig.
    armature.pose.bones[rig.torso].matrix_basis.identity()
    for limb in rig.limbs:
        rolls = () if limb.roll is None else limb.roll[:1]
        for control in (limb.foot_control, *limb.chain, *rolls):
            armature.pose.bones[control].matrix_basis.identity()
        bone, switch = limb.switch
        armature.pose.bones[bone][switch] = 0.0
    armature.update_tag()
    bpy.context.view_layer.update()
    return action


def _place_foot(phase: float, stride: float, height: float) -> Vector:
    """Where a foot is at a phase after its strike, from where it stands at rest, metres."""
    from mathutils import Vector

    reach = 0.5 * STANCE * stride
    if phase < STANCE:
        return Vector((0.0, stride * phase - reach, 0.0))
    share = (phase - STANCE) / (1.0 - STANCE)
    eased = share * share * (3.0 - 2.0 * share)
    return Vector((0.0, reach - 2.0 * reach * eased, height * math.sin(math.pi * share)))


def _key_offset(armature: bpy.types.Object, name: str, offset: Vector, frame: int) -> None:
    """Key a bone at an offset from rest in the axes of the armature, metres."""
    bone = armature.pose.bones[name]
    bone.location = bone.bone.matrix_local.to_quaternion().inverted() @ offset
    bone.keyframe_insert("location", frame=frame)


def _key_foot_control(rig: ControlRig, limb: Limb, way: Vector, raised: Vector, frame: int) -> None:
    _key_offset(rig.armature, limb.foot_control, way, frame)


def _key_rolling_foot(rig: ControlRig, limb: Limb, way: Vector, raised: Vector, frame: int) -> None:
    _key_offset(rig.armature, limb.foot_control, way, frame)
    if limb.roll is None:
        return
    name, channel, index, most = limb.roll
    phase = ((frame - 1) / CYCLE - limb.phase) % 1.0
    rise, fall = (phase - 0.6 * STANCE) / (0.4 * STANCE), (1.0 - phase) / (1.0 - STANCE)
    bone = rig.armature.pose.bones[name]
    getattr(bone, channel)[index] = most * max(0.0, min(rise, fall, 1.0)) ** 2
    bone.keyframe_insert(channel, index=index, frame=frame)


def _key_chain(rig: ControlRig, limb: Limb, way: Vector, raised: Vector, frame: int) -> None:
    """Turn hip and knee sideways to bring the ankle where it should be; the foot stays level."""
    bones = rig.armature.data.bones
    hip, knee, ankle = (bones[name].head_local for name in limb.joints[:3])
    wanted = ankle + way - (hip + raised)
    thigh, shin = math.hypot(*(knee - hip).yz), math.hypot(*(ankle - knee).yz)
    apart = min(math.hypot(*wanted.yz), 0.9995 * (thigh + shin))
    inner = math.acos((thigh**2 + apart**2 - shin**2) / (2.0 * thigh * apart))
    # Signed bend of the knee at rest: which way it folds.
    side = math.copysign(1.0, (knee - hip).yz.cross((ankle - knee).yz))
    upper = math.atan2(wanted.z, wanted.y) - side * inner
    corner = (thigh * math.cos(upper), thigh * math.sin(upper))
    reached = (apart * wanted.yz.normalized()) if apart else wanted.yz
    lower = math.atan2(reached[1] - corner[1], reached[0] - corner[0])
    turns = [
        upper - math.atan2((knee - hip).z, (knee - hip).y),
        lower - math.atan2((ankle - knee).z, (ankle - knee).y),
        0.0,
    ]
    before = 0.0
    for name, turn in zip(limb.chain, turns, strict=True):
        _key_turn(rig.armature, name, turn - before, frame)
        before = turn
    bone, switch = limb.switch
    if frame == 1:
        rig.armature.pose.bones[bone][switch] = 1.0
        rig.armature.pose.bones[bone].keyframe_insert(f'["{switch}"]', frame=frame)


def _key_turn(armature: bpy.types.Object, name: str, turn: float, frame: int) -> None:
    """Key a bone turned against its parent about the axis across the character, radians."""
    from mathutils import Quaternion

    bone = armature.pose.bones[name]
    rest = bone.bone.matrix_local.to_quaternion()
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = rest.inverted() @ Quaternion((1.0, 0.0, 0.0), turn) @ rest
    bone.keyframe_insert("rotation_quaternion", frame=frame)
