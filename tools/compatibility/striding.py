# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Strangers in the open file, and their walk: feet that go back on the ground and swing (needs Blender).

Legs are bent by fitting their joints between hip and foot: nothing of the program's own is in the clip.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from .strangers import Limb, Part, Stranger

_FPS = 24
# Shares of the leg: rise of the body, and how much lower it is than at rest.
_RISE, _CROUCH = 0.012, 0.04
# Radians: turn of a raised foot by its lift in shares of the leg, so that toes stay clear; arms.
_PITCH, _SWING = 3.0, 0.35
_STEPS = 80


def make_stranger(stranger: Stranger) -> bpy.types.Object:
    """Bring a stranger with its walk and a rest into the open file."""
    armature = _make_armature(stranger)
    _make_boxes(armature, stranger)
    _add_ik(armature, stranger)
    bpy.context.scene.render.fps = _FPS
    _write_clip(armature, replace(stranger, clip="Idle", yaw=0.0), 0.0)
    for name, changes in stranger.more.items():
        _write_clip(armature, replace(stranger, clip=name, **changes), 1.0)
    _write_clip(armature, stranger, 1.0)
    return armature


def _write_clip(armature: bpy.types.Object, stranger: Stranger, size: float) -> None:
    """Key one clip of a stranger; of no size it stands."""
    frames = round(stranger.period * _FPS)
    action = bpy.data.actions.new(stranger.clip)
    action.use_fake_user = True
    armature.animation_data_create().action = action
    for bone in armature.pose.bones:
        bone.matrix_basis.identity()
    for frame in range(stranger.lead):
        still = {part.name: Matrix.Identity(4) for part in stranger.parts}
        _key_frame(armature, stranger, still, 1 + frame)
    for frame in range(round(frames * stranger.cycles) + 1):
        pose = _pose(stranger, frame / frames, size)
        _key_frame(armature, stranger, pose, 1 + stranger.lead + frame)


def _add_ik(armature: bpy.types.Object, stranger: Stranger) -> None:
    """Let shins follow feet that hang elsewhere."""
    for limb in stranger.limbs if stranger.has_ik else ():
        *chain, foot = limb.bones
        aim = armature.pose.bones[chain[-1]].constraints.new("IK")
        aim.target, aim.subtarget, aim.chain_count = armature, foot, len(chain)


def _find_space(stranger: Stranger) -> Matrix:
    """From metres with Z up to the space of the armature's bones."""
    if stranger.factor == 1.0:
        return Matrix.Identity(4)
    return Matrix.Rotation(-np.pi / 2, 4, "X") @ Matrix.Scale(1.0 / stranger.factor, 4)


def _make_armature(stranger: Stranger) -> bpy.types.Object:
    data = bpy.data.armatures.new(stranger.name)
    armature = bpy.data.objects.new("Armature", data)
    bpy.context.scene.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    space = _find_space(stranger)
    bpy.ops.object.mode_set(mode="EDIT")
    for part in stranger.parts:
        bone = data.edit_bones.new(part.name)
        bone.head, bone.tail = space @ Vector(part.head), space @ Vector(part.tail)
        if part.parent:
            bone.parent = data.edit_bones[part.parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.matrix_world = space.inverted()
    bpy.context.view_layer.update()
    return armature


def _make_boxes(armature: bpy.types.Object, stranger: Stranger) -> None:
    """A box for each bone that moves some skin: one mesh, or an object each on its bone."""
    corners, faces, owners = [], [], []
    for part in stranger.parts:
        if part.girth <= 0.0:
            continue
        own, quads = _make_box(part)
        if stranger.is_rigid:
            item = _make_mesh(f"{part.name}_mesh", own, quads)
            item.parent, item.parent_type, item.parent_bone = armature, "BONE", part.name
            bone = armature.data.bones[part.name]
            stand = (
                armature.matrix_world
                @ bone.matrix_local
                @ Matrix.Translation((0.0, bone.length, 0.0))
            )
            item.matrix_parent_inverse = stand.inverted()
            continue
        faces += [[len(corners) + n for n in face] for face in quads]
        corners += own
        owners += [part.name] * len(own)
    if stranger.is_rigid:
        return
    space = _find_space(stranger)
    item = _make_mesh("Body", [space @ Vector(corner) for corner in corners], faces)
    for part in stranger.parts:
        own = [n for n, name in enumerate(owners) if stranger.skin.get(name, name) == part.name]
        if own:
            item.vertex_groups.new(name=part.name).add(own, 1.0, "REPLACE")
    item.parent = armature
    item.modifiers.new("Armature", "ARMATURE").object = armature


def _make_mesh(name: str, corners: list, faces: list) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    item = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(item)
    return item


def _make_box(part: Part) -> tuple[list, list]:
    """Corners of a box along a bone in five rings; that of a foot is flat on the ground."""
    head, tail = np.array(part.head), np.array(part.tail)
    along = (tail - head) / max(float(np.linalg.norm(tail - head)), 1e-9)
    aside = np.cross(along, [0.0, 0.0, 1.0])
    if np.linalg.norm(aside) < 0.1:
        aside = np.array([1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside)
    up = np.cross(aside, along)
    corners = []
    for share in np.linspace(-0.4 if part.sole else 0.0, 1.0, 5):
        middle = head + share * (tail - head)
        ring = [
            middle + part.girth * (a * aside + b * up)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        if part.sole:
            for number, corner in enumerate(ring):
                corner[2] = 0.0 if number < 2 else max(middle[2] + part.girth, 0.02)
        corners += ring
    faces = [
        [4 * r + c, 4 * r + (c + 1) % 4, 4 * r + 4 + (c + 1) % 4, 4 * r + 4 + c]
        for r in range(4)
        for c in range(4)
    ]
    return [c.tolist() for c in corners], [*faces, [3, 2, 1, 0], [16, 17, 18, 19]]


def _pose(stranger: Stranger, time: float, size: float) -> dict[str, Matrix]:
    """How each bone has moved from rest at a share of the cycle, world, by its name."""
    parts = {part.name: part for part in stranger.parts}
    length = _measure_leg(parts, stranger.limbs)
    moved: dict[str, Matrix] = {}
    height = length * (_RISE * np.cos(4.0 * np.pi * time) * size - _CROUCH)
    height += length * stranger.hang
    bob = Matrix.Translation((0.0, 0.0, height)) if stranger.limbs else Matrix.Identity(4)
    if stranger.pitch:
        bow = np.radians(stranger.pitch) * size * np.sin(np.pi * time) ** 2
        place = parts[stranger.body].head
        bob = bob @ _turn_about(place, Matrix.Rotation(bow, 4, "X"))
    gone = -stranger.speed * stranger.period * time * size if stranger.travels else 0.0
    travel = Matrix.Translation((0.0, gone, 0.0))
    bent = {}
    for limb in stranger.limbs:
        bent.update(_bend(stranger, parts, limb, time, size, travel, bob, length))
    for part in stranger.parts:
        own = moved.get(part.carrier or part.parent, Matrix.Identity(4))
        if part.name == stranger.travels or (not part.parent and stranger.travels == stranger.body):
            own = travel @ own
        if part.name == stranger.body:
            own = bob @ own if stranger.travels != stranger.body else travel @ bob
        if part.name in stranger.swings:
            angle = size * _SWING * np.sin(2.0 * np.pi * (time + stranger.swings[part.name]))
            axis = "X" if stranger.limbs else "Z"
            own = own @ _turn_about(part.head, Matrix.Rotation(angle, 4, axis))
        if part.name in bent:
            own = bent[part.name]
        if part.follows:
            own = moved[part.follows]
        moved[part.name] = own
    turned = Matrix.Rotation(np.radians(stranger.yaw), 4, "Z")
    return {name: turned @ own for name, own in moved.items()}


def _measure_leg(parts: dict[str, Part], limbs: tuple[Limb, ...]) -> float:
    if not limbs:
        return 1.0
    places = _list_joints(parts, limbs[0])
    return float(sum(np.linalg.norm(np.subtract(b, a)) for a, b in pairwise(places)))


def _list_joints(parts: dict[str, Part], limb: Limb) -> list[tuple[float, float, float]]:
    """Places of the joints of a leg at rest, from its hip to its ankle or to what stands."""
    places = [parts[name].head for name in limb.bones]
    return [*places, parts[limb.bones[-1]].tail] if limb.is_footless else places


def _bend(
    stranger: Stranger,
    parts: dict[str, Part],
    limb: Limb,
    time: float,
    size: float,
    travel: Matrix,
    bob: Matrix,
    length: float,
) -> dict[str, Matrix]:
    """Where the bones of a leg are so that its foot is where it should be."""
    phase = (time + limb.phase) % 1.0
    stride = stranger.speed * stranger.period
    span = stride * stranger.duty
    if phase < stranger.duty:
        along, lift = phase / stranger.duty - 0.5, 0.0
        way = span * (along + stranger.ripple / (4.0 * np.pi) * np.sin(4.0 * np.pi * along))
    else:
        share = (phase - stranger.duty) / (1.0 - stranger.duty)
        # Leaves and meets the ground at its speed.
        out = -stride * (1.0 - stranger.duty)
        way = _hermite(share, -0.5 * span, 0.5 * span, out) * -1.0
        lift = np.sin(np.pi * share) ** 2
    bones = [parts[name] for name in limb.bones]
    hips = np.array(travel @ bob @ Vector(bones[0].head))
    if len(bones) == 1 or stranger.is_stiff:
        # It is the sole that goes on the ground at the speed, which lies lower than the ankle.
        angle = size * np.arcsin(np.clip(way / bones[0].head[2], -0.9, 0.9))
        swung = travel @ bob @ _turn_about(bones[0].head, Matrix.Rotation(angle, 4, "X"))
        return {bone.name: swung for bone in bones}
    if stranger.pitch:
        # Who is hit moves no leg against its body.
        return {bone.name: travel @ bob for bone in bones}
    turn = np.radians(stranger.way)
    aside, back = -size * way * np.sin(turn), size * way * np.cos(turn)
    raised = (size * lift * stranger.lift + stranger.hang) * length
    shift = travel @ Matrix.Translation((aside, back, raised))
    rest = np.array(_list_joints(parts, limb))
    target = np.array(shift @ Vector(rest[-1]))
    joints = _fit(rest, hips, target)
    moved = {}
    for number, bone in enumerate(bones[: len(rest) - 1]):
        before = Vector(rest[number + 1] - rest[number])
        now = Vector(joints[number + 1] - joints[number])
        turn: Quaternion = before.rotation_difference(now)
        moved[bone.name] = (
            Matrix.Translation(Vector(joints[number]))
            @ turn.to_matrix().to_4x4()
            @ Matrix.Translation(-Vector(bone.head))
        )
    if limb.is_footless:
        return moved
    pitch = Matrix.Rotation(size * _PITCH * stranger.lift * lift, 4, "X")
    foot = bones[-1]
    moved[foot.name] = (
        Matrix.Translation(Vector(joints[-1])) @ pitch @ Matrix.Translation(-Vector(foot.head))
    )
    return moved


def _hermite(share: float, first: float, last: float, slope: float) -> float:
    """From one value to another with the same slope at both ends."""
    square, cube = share * share, share**3
    return (
        (2 * cube - 3 * square + 1) * first
        + (cube - 2 * square + share) * slope
        + (3 * square - 2 * cube) * last
        + (cube - square) * slope
    )


def _fit(rest: np.ndarray, hips: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Joints of a chain with its lengths kept, from hips to a target, like those at rest (J, 3)."""
    lengths = np.linalg.norm(np.diff(rest, axis=0), axis=1)
    before, now = Vector(rest[-1] - rest[0]), Vector(target - hips)
    turn = np.array(before.rotation_difference(now).to_matrix())
    joints = (rest - rest[0]) @ turn.T + hips
    for _ in range(_STEPS):
        joints[-1] = target
        for n in range(len(joints) - 2, -1, -1):
            way = joints[n] - joints[n + 1]
            joints[n] = joints[n + 1] + way * lengths[n] / max(np.linalg.norm(way), 1e-12)
        joints[0] = hips
        for n in range(len(lengths)):
            way = joints[n + 1] - joints[n]
            joints[n + 1] = joints[n] + way * lengths[n] / max(np.linalg.norm(way), 1e-12)
    return joints


def _turn_about(place: tuple[float, float, float], turn: Matrix) -> Matrix:
    return Matrix.Translation(place) @ turn @ Matrix.Translation(-Vector(place))


def _key_frame(
    armature: bpy.types.Object, stranger: Stranger, moved: dict[str, Matrix], frame: int
) -> None:
    """Key the bones that moved against their parents."""
    space = _find_space(stranger)
    back = space.inverted()
    chained = {name for limb in stranger.limbs for name in limb.bones[:-1]}
    places = {name for limb in stranger.limbs for name in limb.bones}
    for part in stranger.parts:
        if stranger.has_ik and part.name in chained:
            continue
        bone = armature.pose.bones[part.name]
        own = moved[part.name]
        above = moved.get(part.parent, Matrix.Identity(4))
        rest = bone.bone.matrix_local
        local = space @ above.inverted() @ own @ back
        bone.matrix_basis = rest.inverted() @ local @ rest
        bone.rotation_mode = "QUATERNION"
        bone.keyframe_insert("rotation_quaternion", frame=frame)
        is_loose = part.name in places and part.parent not in places
        if (
            part.follows
            or part.carrier
            or not part.parent
            or is_loose
            or part.name in (stranger.body, stranger.travels)
        ):
            bone.keyframe_insert("location", frame=frame)
