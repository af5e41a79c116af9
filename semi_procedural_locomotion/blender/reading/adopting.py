# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of one armature made those of another one that has the same bones, by renaming their curves.

The method: docs/method/transfer.md, Names and Same rest.
"""

from __future__ import annotations

from typing import NamedTuple

import bpy
import numpy as np

from ...core.maths import rotations as rot
from ...core.maths.rotations import FloatArray
from ...core.motions.transfer.likeness import (
    RestChange,
    RestLikeness,
    compare_rests,
    find_rest_change,
)
from ...core.motions.transfer.limits import LIKENESS
from .. import versions
from ..limits import VALUE
from ..values.armature import matrix_array, split_object_axes
from ..values.curves import (
    TRANSFORM_PROPERTIES,
    build_bone_path,
    group_transform_curves,
    read_keys,
    split_bone_path,
)


def list_keyed_bones(source: bpy.types.Object, action: bpy.types.Action) -> list[str]:
    """Names of the bones that an action keys, in the order of an armature's; others behind."""
    slot = versions.find_slot(action, source)
    curves = [] if slot is None else versions.get_curves(action, slot)
    keyed = {split_bone_path(curve.data_path)[0] for curve in curves} - {""}
    known = [bone.name for bone in source.data.bones if bone.name in keyed]
    return [*known, *sorted(keyed - set(known))]


class _PairedRests(NamedTuple):
    """Rest poses of two armatures, bone by bone.

    Attributes
    ----------
    pairs
        Names of the bones of both.
    change
        What keys of the first become on the second.
    """

    pairs: dict[str, str]
    likeness: RestLikeness
    change: RestChange

    @property
    def is_same(self) -> bool:
        """Whether keys of the one mean the same on the other."""
        return self.likeness.turn <= LIKENESS.most_turned and self.is_posed

    @property
    def is_posed(self) -> bool:
        """Whether the one is the other in another pose, if their axes go by one rule."""
        return self.likeness.unlike <= LIKENESS.most_unlike


def pair_rests(
    source: bpy.types.Object, target: bpy.types.Object, pairs: dict[str, str]
) -> _PairedRests:
    """Rest poses of two armatures side by side.

    Parameters
    ----------
    pairs
        From bones of the source to those of the target.
    """
    known = [
        (one, other)
        for one, other in pairs.items()
        if one in source.data.bones and other in target.data.bones
    ]
    places = {one: number for number, (one, _) in enumerate(known)}
    parents = []
    for one, _ in known:
        above = source.data.bones[one].parent
        while above is not None and above.name not in places:
            above = above.parent
        parents.append(-1 if above is None else places[above.name])
    turned, placed = [], []
    for armature, names in (
        (source, [one for one, _ in known]),
        (target, [other for _, other in known]),
    ):
        turn, _ = split_object_axes(armature, matrix_array(armature.matrix_world))
        rests = np.array([armature.data.bones[name].matrix_local for name in names])
        rests = rests.reshape(-1, 4, 4)
        axes = rot.quaternions_from_matrices(rot.orthonormalize_axes(rests[:, :3, :3]))
        turned.append(rot.multiply(turn, axes))
        placed.append(rot.rotate(turn, rests[:, :3, 3]))
    rotations, heads = (turned[0], turned[1]), (placed[0], placed[1])
    return _PairedRests(
        dict(known),
        compare_rests(rotations, heads, parents),
        find_rest_change(rotations, heads, parents),
    )


def moves_object(source: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an action moves an armature object itself, and does not only keep it where it is."""
    slot = versions.find_slot(action, source)
    for curve in () if slot is None else versions.get_curves(action, slot):
        if curve.data_path in TRANSFORM_PROPERTIES:
            values = read_keys(curve)[:, 1]
            if len(values) and np.ptp(values) > VALUE.still + VALUE.uniform * np.abs(values).max():
                return True
    return False


def keys_quaternions(source: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an action keys rotations of bones as quaternions alone, four curves for each."""
    slot = versions.find_slot(action, source)
    channels = group_transform_curves([] if slot is None else versions.get_curves(action, slot))
    kinds = {"rotation_euler", "rotation_axis_angle"}
    return all(
        name not in kinds and (name != "rotation_quaternion" or len(curves) == 4)
        for (bone, name), curves in channels.items()
        if bone
    )


def adopt_action(
    source: bpy.types.Object,
    target: bpy.types.Object,
    action: bpy.types.Action,
    pairs: dict[str, str],
    rests: _PairedRests,
) -> None:
    """Make an action of one armature that of another one with the same bones.

    Parameters
    ----------
    action
        An action of the source, of our own; its curves are renamed, and those of bones that the target
        does not have and of the object are taken out.
    pairs
        From bones that the action keys to those of the target.
    rests
        The rest poses; where they are not the same, rotations are keyed as quaternions alone.
    """
    slot = versions.find_slot(action, source)
    bag = None if slot is None else versions.get_channelbag(action, slot)
    if slot is None or bag is None:
        return
    for curve in list(bag.fcurves):
        bone, name = split_bone_path(curve.data_path)
        if bone not in pairs:
            bag.fcurves.remove(curve)
        elif pairs[bone] != bone:
            curve.data_path = build_bone_path(pairs[bone], name)
    for group in bag.groups:
        group.name = pairs.get(group.name, group.name)
    if rests.is_same:
        if abs(rests.change.scale - 1.0) > LIKENESS.same_size:
            for curve in bag.fcurves:
                if curve.data_path.endswith(".location"):
                    _map_values([curve], np.array([[rests.change.scale]]), np.zeros(1))
    else:
        _change_rests(bag, rests)
    versions.keep_only_slot(action, slot, target.name)
    action.use_fake_user = True


def _change_rests(bag: bpy.types.ActionChannelbag, rests: _PairedRests) -> None:
    """Turn and shift keys, and key bones that rested elsewhere, so that poses stay as they were."""
    channels = group_transform_curves(bag.fcurves)
    first = min((key.co.x for curve in bag.fcurves for key in curve.keyframe_points), default=1.0)
    change = rests.change
    for number, bone in enumerate(rests.pairs.values()):
        turn = change.turns[number]
        rotations = channels.get((bone, "rotation_quaternion"))
        if rotations is not None:
            curves = [rotations[index] for index in range(4)]
            _map_values(curves, rot.multiply(turn, np.eye(4)).T, np.zeros(4))
        elif rot.angles_between(turn, rot.IDENTITY) > LIKENESS.most_turned:
            path = build_bone_path(bone, "rotation_quaternion")
            for index in range(4):
                curve = versions.add_curve(bag, path, index, bone)
                curve.keyframe_points.insert(first, float(turn[index]))
        moved = channels.get((bone, "location"), {})
        if len(moved) == 3:
            curves = [moved[index] for index in range(3)]
            matrix = change.scale * rot.matrices_from_quaternions(turn)
            # A bone that its clip only keeps in place stays in place here.
            goes = any(np.ptp(read_keys(curve)[:, 1]) > VALUE.still for curve in curves)
            _map_values(curves, matrix, change.shifts[number] if goes else np.zeros(3))


def _map_values(curves: list[bpy.types.FCurve], matrix: FloatArray, shift: FloatArray) -> None:
    """Give the C curves of a channel the values ``matrix @ values + shift``, handles too.

    Keys of curves that are not keyed together are made so first.
    """
    frames = sorted({key.co.x for curve in curves for key in curve.keyframe_points})
    for curve in curves:
        if len(curve.keyframe_points) != len(frames):
            values = [curve.evaluate(frame) for frame in frames]
            for frame, value in zip(frames, values, strict=True):
                curve.keyframe_points.insert(frame, value)
    for name in ("co", "handle_left", "handle_right"):
        flat = np.empty((len(curves), 2 * len(frames)), dtype=np.float32)
        for row, curve in zip(flat, curves, strict=True):
            curve.keyframe_points.foreach_get(name, row)
        flat[:, 1::2] = matrix @ flat[:, 1::2] + shift[:, None]
        for row, curve in zip(flat, curves, strict=True):
            curve.keyframe_points.foreach_set(name, row)
    for curve in curves:
        curve.update()
