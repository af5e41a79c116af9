# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights of motion groups over time, as set and keyed on a character.

Keys are those of a set-up's properties, see `setup_keys`. Their data paths hold the number of the
group in the list, and follow where the list changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import bpy
import numpy as np

from ...core.motions.records import GroupWeight
from ...requests.settings.kinds import check_values
from ...requests.settings.motions import GROUP
from .. import versions
from ..values.bake_record import find_base_action, find_playing_action
from ..values.curves import fingerprint_curves
from .keys import key_setup_property, list_setup_curves, sample_setup_curve
from .values import move_entry, remove_entry

_WEIGHT_PATH = re.compile(r"^locomotion\.groups\[(\d+)\]\.weight$")


def find_weight_curves(armature: bpy.types.Object) -> dict[int, bpy.types.FCurve]:
    """Curves of the weights that are keyed, by the number of their group."""
    found = {}
    for curve in list_setup_curves(armature):
        match = _WEIGHT_PATH.match(curve.data_path)
        if match:
            found[int(match[1])] = curve
    return found


def read_group_weights(
    armature: bpy.types.Object, scene: bpy.types.Scene
) -> dict[str, GroupWeight]:
    """Weights of a character's motion groups by name; a group that is not listed weighs 1.

    Parameters
    ----------
    armature
        A set-up character.
    scene
        Gives the clock and the least range of frames over which keys are read.
    """
    curves = find_weight_curves(armature)
    weights: dict[str, GroupWeight] = {}
    for number, group in enumerate(armature.locomotion.groups):
        curve = curves.get(number)
        if curve is None:
            read = GroupWeight(np.zeros(1), np.array([group.weight], dtype=np.float64))
        else:
            read = GroupWeight(*sample_setup_curve(curve, scene))
        weights.setdefault(group.name, read)
    return weights


def fingerprint_groups(armature: bpy.types.Object) -> str:
    """A text that changes when a weight or a key of one does, but not with the frame."""
    curves = find_weight_curves(armature)
    parts = []
    for number, group in enumerate(armature.locomotion.groups):
        curve = curves.get(number)
        weight = repr(group.weight) if curve is None else fingerprint_curves([curve])
        parts.append(f"{group.name}={weight}")
    return ";".join(parts)


def list_used_groups(armature: bpy.types.Object) -> list[str]:
    """Names of the groups that the ticked motions are in, each once."""
    entries = [e for e in armature.locomotion.motions if e.enabled]
    return list(dict.fromkeys(entry.group for entry in entries))


def key_group_weight(
    armature: bpy.types.Object, name: str, keys: Sequence[tuple[float, float]]
) -> None:
    """List a motion group, with straight keys at frames where there are several.

    Parameters
    ----------
    armature
        A set-up character.
    name
        Name of the group.
    keys
        Frame and weight of each key; one stands for a constant.

    Raises
    ------
    SettingError
        A weight is no number or out of its range.
    """
    for _, weight in keys:
        check_values(GROUP, {"weight": weight})
    groups = armature.locomotion.groups
    number = groups.find(name)
    if number < 0:
        number = len(groups)
        groups.add().name = name
    groups[number].weight = keys[0][1]
    if len(keys) > 1:
        key_setup_property(armature, groups[number].path_from_id("weight"), keys)


def remove_group(armature: bpy.types.Object, number: int) -> None:
    """Take a group off the list, with the keys of its weight."""
    remove_entry(armature.locomotion, "groups", number)
    _renumber(armature, lambda old: None if old == number else old - (old > number))


def move_group(armature: bpy.types.Object, number: int, place: int) -> None:
    """Change places of two neighbours in the list; the keys of their weights follow."""
    move_entry(armature.locomotion, "groups", number, place)
    swapped = {number: place, place: number}
    _renumber(armature, lambda old: swapped.get(old, old))


def _renumber(armature: bpy.types.Object, find_new: Callable[[int], int | None]) -> None:
    """Give the curves and drivers of all weights the new numbers of their groups; None removes."""
    owners = []
    for action, slot in {
        find_playing_action(armature),
        versions.get_assigned_action(armature),
        find_base_action(armature),
    }:
        bag = None if action is None else versions.get_channelbag(action, slot)
        if bag is not None:
            owners.append(bag.fcurves)
    if armature.animation_data is not None:
        owners.append(armature.animation_data.drivers)
    for curves in owners:
        for curve in list(curves):
            match = _WEIGHT_PATH.match(curve.data_path)
            if match is None:
                continue
            new = find_new(int(match[1]))
            if new is None:
                curves.remove(curve)
            else:
                curve.data_path = f"locomotion.groups[{new}].weight"
