# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights over time of the entries of a set-up's lists, as set and keyed on a character.

Keys are those of a set-up's properties, see `keys`. Their data paths hold the number of the entry in its
list, and follow where the list changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import bpy
import numpy as np

from ...core.maths.rotations import FloatArray
from .. import versions
from ..values.bake_record import find_base_action, find_playing_action
from ..values.curves import fingerprint_curves
from .keys import key_setup_property, list_setup_curves, sample_setup_curve
from .values import move_entry, remove_entry

_WEIGHT_PATH = re.compile(r"^locomotion\.(\w+)\[(\d+)\]\.weight$")


def find_weight_curves(armature: bpy.types.Object, name: str) -> dict[int, bpy.types.FCurve]:
    """Curves of the weights that are keyed, by the number of their entry in the list of this name."""
    found = {}
    for curve in list_setup_curves(armature):
        match = _WEIGHT_PATH.match(curve.data_path)
        if match and match[1] == name:
            found[int(match[2])] = curve
    return found


def read_weights(
    armature: bpy.types.Object, name: str, scene: bpy.types.Scene
) -> list[tuple[FloatArray, FloatArray]]:
    """Times in seconds (K,) and weights (K,) of every entry of the list of this name.

    Parameters
    ----------
    armature
        A set-up character.
    name
        Name of a list of the set-up.
    scene
        Gives the clock and the least range of frames over which keys are read.
    """
    curves = find_weight_curves(armature, name)
    found = []
    for number, entry in enumerate(getattr(armature.locomotion, name)):
        curve = curves.get(number)
        if curve is None:
            found.append((np.zeros(1), np.array([entry.weight], dtype=np.float64)))
        else:
            found.append(sample_setup_curve(curve, scene))
    return found


def fingerprint_weights(armature: bpy.types.Object, name: str) -> str:
    """A text that changes when a weight or a key of one does, but not with the frame."""
    curves = find_weight_curves(armature, name)
    parts = []
    for number, entry in enumerate(getattr(armature.locomotion, name)):
        curve = curves.get(number)
        weight = repr(entry.weight) if curve is None else fingerprint_curves([curve])
        parts.append(f"{entry.name}={weight}")
    return ";".join(parts)


def find_driven_weights(armature: bpy.types.Object) -> list[str]:
    """Names of the groups and layers whose weights have drivers."""
    found = []
    drivers = () if armature.animation_data is None else armature.animation_data.drivers
    for curve in drivers:
        match = _WEIGHT_PATH.match(curve.data_path)
        entries = None if match is None else getattr(armature.locomotion, match[1], None)
        if match is not None and entries is not None and int(match[2]) < len(entries):
            found.append(entries[int(match[2])].name)
    return found


def key_weight(
    armature: bpy.types.Object, name: str, number: int, keys: Sequence[tuple[float, float]]
) -> None:
    """Set the weight of an entry, with straight keys at frames where there are several.

    Parameters
    ----------
    armature
        A set-up character.
    name
        Name of the list.
    number
        Number of the entry.
    keys
        Frame and weight of each key; one stands for a constant.
    """
    entry = getattr(armature.locomotion, name)[number]
    entry.weight = keys[0][1]
    if len(keys) > 1:
        key_setup_property(armature, entry.path_from_id("weight"), keys)


def remove_weighted(armature: bpy.types.Object, name: str, number: int) -> None:
    """Take an entry off the list of this name, with the keys of its weight."""
    remove_entry(armature.locomotion, name, number)
    _renumber(armature, name, lambda old: None if old == number else old - (old > number))


def move_weighted(armature: bpy.types.Object, name: str, number: int, place: int) -> None:
    """Change places of two neighbours in the list; the keys of their weights follow."""
    move_entry(armature.locomotion, name, number, place)
    swapped = {number: place, place: number}
    _renumber(armature, name, lambda old: swapped.get(old, old))


def _renumber(armature: bpy.types.Object, name: str, find_new: Callable[[int], int | None]) -> None:
    """Give the curves and drivers of all weights of a list their new numbers; None removes."""
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
            if match is None or match[1] != name:
                continue
            new = find_new(int(match[2]))
            if new is None:
                curves.remove(curve)
            else:
                curve.data_path = f"locomotion.{name}[{new}].weight"
