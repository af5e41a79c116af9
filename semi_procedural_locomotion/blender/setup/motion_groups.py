# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The groups of a character's motions, with their weights over time."""

from __future__ import annotations

from collections.abc import Sequence

import bpy

from ...core.motions.records import GroupWeight
from ...requests.settings.kinds import check_values
from ...requests.settings.motions import GROUP
from .weights import key_weight, read_weights


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
    weights: dict[str, GroupWeight] = {}
    read = read_weights(armature, "groups", scene)
    for group, (times, values) in zip(armature.locomotion.groups, read, strict=True):
        weights.setdefault(group.name, GroupWeight(times, values, group.overrides))
    return weights


def list_used_groups(armature: bpy.types.Object) -> list[str]:
    """Names of the groups that the ticked motions are in, each once."""
    entries = [e for e in armature.locomotion.motions if e.enabled]
    return list(dict.fromkeys(entry.group for entry in entries))


def key_group_weight(
    armature: bpy.types.Object,
    name: str,
    keys: Sequence[tuple[float, float]],
    *,
    overrides: bool = False,
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
    overrides
        Whether its weight is taken from all groups that do not override.

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
    groups[number].overrides = overrides
    key_weight(armature, "groups", number, keys)
