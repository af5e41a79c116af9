# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that were renamed since a bake: found by the keys that their curves have still.

Blender renames bones in the paths of curves, and not in what a bake remembers of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

import bpy

from .. import versions
from .curves import build_bone_path, split_bone_path
from .key_tables import is_as_hashed, read_points_inside

_Key = tuple[str, int]


def match_renamed(
    action: bpy.types.Action,
    written: Mapping[_Key, str],
    copied: Mapping[_Key, str],
    find_spans: Callable[[_Key], Sequence[tuple[float, float]]],
) -> dict[str, str]:
    """Old and new names of the bones of an action that were renamed since it was written.

    Parameters
    ----------
    action
        The action of a bake.
    written
        Hash of the keys that it has written, by data path and index under the names from then.
    copied
        The same of curves that it found there.
    find_spans
        Gives the frames in which the keys of a curve are the bake's.
    """
    curves = {
        (curve.data_path, curve.array_index): curve
        for slot in versions.list_slots(action)
        for curve in versions.get_curves(action, slot)
    }
    lost = written.keys() - curves.keys()
    new = curves.keys() - written.keys() - copied.keys()
    if not lost or not new:
        return {}
    present = {"", *_name_bones(curves.keys() - new)}
    found: dict[str, str] = {}
    for bone in sorted(_name_bones(lost) - present):
        own = {(split_bone_path(key[0])[1], key[1]): key for key in lost if _is_of(key, bone)}
        counts: dict[str, int] = {}
        for key in new:
            other, name = split_bone_path(key[0])
            before = own.get((name, key[1]))
            if before is None or other in present or other in found.values():
                continue
            points = read_points_inside(curves[key], *find_spans(key))
            if is_as_hashed(points, written[before]):
                counts[other] = counts.get(other, 0) + 1
        if counts:
            found[bone] = max(sorted(counts), key=lambda other: counts[other])
    return found


def rename_keys(table: Mapping[_Key, Any], renamed: Mapping[str, str]) -> dict[_Key, Any]:
    """What is kept by curve under the names that bones have now."""
    return {(rename_path(path, renamed), index): kept for (path, index), kept in table.items()}


def rename_path(path: str, renamed: Mapping[str, str]) -> str:
    """A data path under the name that its bone has now."""
    bone, name = split_bone_path(path)
    return build_bone_path(renamed[bone], name) if bone in renamed else path


def _name_bones(keys: Set[_Key]) -> set[str]:
    """Names of the bones that curves are of, empty for the object's own."""
    return {split_bone_path(path)[0] for path, _ in keys}


def _is_of(key: _Key, bone: str) -> bool:
    """Whether a curve is of a bone."""
    return split_bone_path(key[0])[0] == bone
