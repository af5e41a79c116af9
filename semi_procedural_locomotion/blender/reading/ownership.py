# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which actions were made for a character of other proportions whose bones have the same names.

The method: docs/method/legs.md, Evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from .. import versions
from ..limits import SAMPLING
from ..values.curves import group_transform_curves, read_keys


def find_foreign(
    armature: bpy.types.Object, actions: Sequence[bpy.types.Action]
) -> list[bpy.types.Action]:
    """Actions that were made for another character of the file.

    Parameters
    ----------
    armature
        The armature object.
    actions
        Actions that key bones of its names.

    Returns
    -------
    list of bpy.types.Action
        Those that armatures of other proportions play, or that name these as theirs, or that lift the
        body out of its own reach. What the armature plays, or one of its proportions does, is its own.
    """
    others, alike = _split_armatures(armature)
    if not others:
        return []
    own = {action for item in alike for action in list_played(item)}
    theirs = {action for item in others for action in list_played(item)}
    own_slots = {f"OB{item.name}" for item in alike}
    their_slots = {f"OB{item.name}" for item in others}
    found = []
    for action in actions:
        slots = set(versions.list_slots(action))
        named = bool(slots & their_slots) and not slots & own_slots
        if action not in own and (action in theirs or named or _is_out_of_reach(armature, action)):
            found.append(action)
    return found


def list_played(item: bpy.types.Object) -> set[bpy.types.Action]:
    """Actions that an object plays, by itself or in strips of its NLA."""
    data = item.animation_data
    if data is None:
        return set()
    strips = [strip.action for track in data.nla_tracks for strip in track.strips]
    return {action for action in (data.action, *strips) if action is not None}


def _split_armatures(
    armature: bpy.types.Object,
) -> tuple[list[bpy.types.Object], list[bpy.types.Object]]:
    """Armatures with the same bones but other proportions, and those of the same, it among them."""
    others: list[bpy.types.Object] = []
    alike = [armature]
    for item in bpy.data.objects:
        if item.type != "ARMATURE" or item == armature:
            continue
        unlike = 0.0 if item.data == armature.data else _measure_unlike(armature, item)
        if unlike is not None:
            (others if unlike > SAMPLING.most_unlike else alike).append(item)
    return others, alike


def _measure_unlike(one: bpy.types.Object, other: bpy.types.Object) -> float | None:
    """How far joints lie apart in the axes of their parents, as a share of all bones' lengths.

    None where few bones have the same names.
    """
    pairs = []
    for bone in one.data.bones:
        twin = other.data.bones.get(bone.name)
        if twin is None or bone.parent is None or twin.parent is None:
            continue
        pairs.append((_place_in_parent(bone), _place_in_parent(twin)))
    if len(pairs) < max(1.0, SAMPLING.least_match * (len(one.data.bones) - 1)):
        return None
    first, second = np.swapaxes(np.array(pairs), 0, 1)
    size = max(np.linalg.norm(p, axis=1).sum() for p in (first, second))
    return float(np.linalg.norm(first - second, axis=1).sum() / size) if size > 0 else 0.0


def _place_in_parent(bone: bpy.types.Bone) -> tuple[float, float, float]:
    """Head of a bone in the rest axes of its parent."""
    place = (bone.parent.matrix_local.inverted_safe() @ bone.matrix_local).translation
    return (place.x, place.y, place.z)


def _is_out_of_reach(armature: bpy.types.Object, action: bpy.types.Action) -> bool:
    """Whether an action usually holds a bone higher or lower than its place by the whole body."""
    slot = versions.find_slot(action, armature)
    bones = armature.data.bones
    if slot is None or not len(bones):
        return False
    heads = np.array([bone.head_local for bone in bones])
    size = float(np.ptp(heads, axis=0).max())
    up = np.array(armature.matrix_world.inverted_safe().to_3x3().col[2])
    up /= max(float(np.linalg.norm(up)), SAMPLING.no_turn)
    for (name, channel), curves in group_transform_curves(
        versions.get_curves(action, slot)
    ).items():
        if channel != "location" or name not in bones:
            continue
        usual = np.zeros(3)
        for index, curve in curves.items():
            keys = read_keys(curve)
            usual[index] = float(np.median(keys[:, 1])) if len(keys) else 0.0
        moved = np.array(bones[name].matrix_local.to_3x3()) @ usual
        if abs(float(moved @ up)) > SAMPLING.out_of_reach * size:
            return True
    return False
