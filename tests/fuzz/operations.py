# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of what animators do between bakes: renamed bones, spoiled curves, edited meshes, Live."""

from __future__ import annotations

import logging
from collections.abc import Callable

import bpy
import numpy as np

from semi_procedural_locomotion.api import watching
from semi_procedural_locomotion.blender import versions
from tests.fuzz.strategies import OPERATIONS, OperationsCase
from tests.scenes import add_person, select_only

SCHEMA_LOG = logging.getLogger("semi_procedural_locomotion.blender.values.schema")


class _Listener(logging.Handler):
    """Keeps what is told of records that do not fit: the extension's own always do."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage())


def check_operations(case: OperationsCase) -> None:
    """Operators refuse in words or do their work; all poses are numbers; nothing is left behind."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 30
    armature = add_person(is_set_up=True)
    select_only(armature)
    listener = _Listener()
    SCHEMA_LOG.addHandler(listener)
    try:
        for name, number in case.steps:
            try:
                _DOINGS[name](armature, number)
            except RuntimeError as error:
                if "Traceback" in str(error):
                    raise
            bpy.context.view_layer.update()
            require_poses(armature, name)
        for ending in ("live", "auto_bake"):
            getattr(bpy.ops.anim, f"locomotion_{ending}")(action="OFF")
        if _is_baked(armature):
            bpy.ops.anim.locomotion_bake_remove()
        require_poses(armature, "the end")
    finally:
        SCHEMA_LOG.removeHandler(listener)
        watching.put_back_all(forget=True)
    assert not listener.told, listener.told
    assert len(bpy.data.scenes) == 1
    left = [item.name for item in bpy.data.actions if item.name.startswith(("Curve", "Strips"))]
    assert not left, left


def require_poses(armature: bpy.types.Object, after: str) -> None:
    """All bones have places that are numbers."""
    matrices = [armature.matrix_world @ bone.matrix for bone in armature.pose.bones]
    assert np.isfinite(np.array(matrices)).all(), f"poses after {after}"


def _is_baked(armature: bpy.types.Object) -> bool:
    return armature.locomotion.bake is not None


def _bake(armature: bpy.types.Object, number: int) -> None:
    armature.locomotion.travel.use_native_speed = False
    armature.locomotion.travel.speed = (0.9, 1.1, 1.3)[number % 3]
    bpy.ops.anim.locomotion_bake()


def _bake_range(armature: bpy.types.Object, number: int) -> None:
    first = 1 + number % 20
    bpy.ops.anim.locomotion_bake(
        use_range=True, frame_start=first, frame_end=first + 12, blend_in=4, blend_out=3
    )


def _pick_curve(armature: bpy.types.Object, number: int) -> bpy.types.FCurve | None:
    action, slot = versions.get_assigned_action(armature)
    curves = [] if action is None else list(versions.get_curves(action, slot))
    return curves[number % len(curves)] if curves else None


def _on_curve(do: Callable[[bpy.types.FCurve, int], object]) -> Callable:
    """What is done to one curve of the action that plays, if there is any."""

    def doing(armature: bpy.types.Object, number: int) -> None:
        curve = _pick_curve(armature, number)
        if curve is not None:
            do(curve, number)

    return doing


def _delete(armature: bpy.types.Object, number: int) -> None:
    curve = _pick_curve(armature, number)
    action, slot = versions.get_assigned_action(armature)
    if curve is not None:
        versions.get_channelbag(action, slot).fcurves.remove(curve)


def _rename(armature: bpy.types.Object, number: int) -> None:
    bones = armature.data.bones
    bones[number % len(bones)].name = f"Renamed {number}"


def _swap(armature: bpy.types.Object, number: int) -> None:
    bones = armature.data.bones
    one, other = bones[number % len(bones)], bones[(number + 1) % len(bones)]
    names = one.name, other.name
    one.name = "Between"
    other.name, one.name = names


def _edit_mesh(armature: bpy.types.Object, number: int) -> None:
    (body,) = [item for item in armature.children if item.type == "MESH"]
    for vertex in body.data.vertices:
        if vertex.co.z < 0.1:
            vertex.co.z += (-0.02, 0.01, 0.03)[number % 3]


def _constrain(armature: bpy.types.Object, number: int) -> None:
    bones = armature.pose.bones
    bones[number % len(bones)].constraints.new(("LIMIT_ROTATION", "COPY_ROTATION")[number % 2])


def _pose(armature: bpy.types.Object, number: int) -> None:
    bones = armature.pose.bones
    bones[number % len(bones)].location.x += 0.1


def _turn_mode(armature: bpy.types.Object, number: int) -> None:
    bones = armature.pose.bones
    bones[number % len(bones)].rotation_mode = ("XYZ", "QUATERNION", "AXIS_ANGLE")[number % 3]


def _call(name: str, **choices: object) -> Callable:
    return lambda armature, number: getattr(bpy.ops.anim, f"locomotion_{name}")(**choices)


_DOINGS: dict[str, Callable[[bpy.types.Object, int], object]] = {
    "bake": _bake,
    "bake a range": _bake_range,
    "remove": _call("bake_remove"),
    "verify": _call("verify"),
    "set up again": _call("setup"),
    "live": _call("live", action="ON"),
    "no live": _call("live", action="OFF"),
    "auto bake": _call("auto_bake", action="ON"),
    "look": lambda armature, number: watching.refresh(),
    "frame": lambda armature, number: bpy.context.scene.frame_set(1 + number % 40),
    "mute": _on_curve(lambda curve, number: setattr(curve, "mute", not curve.mute)),
    "lock": _on_curve(lambda curve, number: setattr(curve, "lock", not curve.lock)),
    "delete": _delete,
    "key between": _on_curve(lambda c, n: c.keyframe_points.insert(1.5 + n % 28, 0.2)),
    "key far": _on_curve(lambda c, n: c.keyframe_points.insert((-4e6, 60.0, 2e6)[n % 3], 0.3)),
    "key": _on_curve(lambda c, n: c.keyframe_points.insert(1.0 + n % 30, 0.4)),
    "modify": _on_curve(lambda c, n: c.modifiers.new(("NOISE", "CYCLES")[n % 2])),
    "rename": _rename,
    "swap names": _swap,
    "edit mesh": _edit_mesh,
    "constrain": _constrain,
    "pose": _pose,
    "turn otherwise": _turn_mode,
}
assert set(_DOINGS) == set(OPERATIONS)
