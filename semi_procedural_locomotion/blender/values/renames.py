# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that were renamed since a bake: found by the keys that their curves have still.

Blender renames bones in the paths of curves, and not in what a bake remembers of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Set
from typing import Any

import bpy
import numpy as np

from .curves import build_bone_path, split_bone_path
from .key_tables import read_points_inside

_Key = tuple[str, int]
# Curves of bones by property and index.
_Bones = dict[str, dict[tuple[str, int], Any]]


def sign_order(curves: Iterable[bpy.types.FCurve]) -> str:
    """A short text that changes when curves are added, taken away, or called otherwise."""
    keys = [(curve.data_path, curve.array_index) for curve in curves]
    return hashlib.blake2b(repr(keys).encode(), digest_size=8).hexdigest()


def match_renamed(
    curves: Iterable[bpy.types.FCurve],
    written: Mapping[_Key, np.ndarray],
    copied: Iterable[_Key],
    present: Set[str],
) -> dict[str, str]:
    """Old and new names of the bones of an action that were renamed since it was written.

    A bone is the one that has most of its keys still, also where hands have edited others, and where it
    is called as another one was.

    Parameters
    ----------
    curves
        All curves of the action.
    written
        Frames and values that a bake has written, shape (K, 2), by data path and index under the names
        from then.
    copied
        Data paths and indices of what it found there and did not write.
    present
        Names of the bones that there are now.
    """
    before = _group(written)
    now = _group({(curve.data_path, curve.array_index): curve for curve in curves})
    rows = {
        bone: {name: read_points_inside(curve, (-np.inf, np.inf)) for name, curve in own.items()}
        for bone, own in now.items()
    }
    settled = {
        bone
        for bone in before.keys() & rows.keys()
        if _count_same(before[bone], rows[bone]) == sum(map(len, before[bone].values()))
    }
    others = {split_bone_path(path)[0] for path, _ in copied} - before.keys()
    found = []
    for old in before.keys() - settled:
        # Single keys are alike on many bones.
        is_told = old in present
        kept = {n: k for n, k in before[old].items() if len(k) > 1 or not is_told}
        for new in rows.keys() - settled - others:
            count = _count_same(kept, rows[new])
            if 2 * count > sum(map(len, kept.values())):
                found.append((-count, old != new, old, new))
    renamed: dict[str, str] = {}
    # Where two have as many, it is called as it was.
    for _, _, old, new in sorted(found):
        if old not in renamed and new not in renamed.values():
            renamed[old] = new
    return {old: new for old, new in renamed.items() if old != new}


def _group(table: Mapping[_Key, Any]) -> _Bones:
    """Curves of each bone; the object's own are none."""
    bones: _Bones = {}
    for (path, index), kept in table.items():
        bone, name = split_bone_path(path)
        if bone:
            bones.setdefault(bone, {})[name, index] = kept
    return bones


def _count_same(kept: Mapping[Any, np.ndarray], rows: Mapping[Any, np.ndarray]) -> int:
    """How many keys of the curves of a bone (K, 2) are those of another one's."""
    count = 0
    for name, own in kept.items():
        there = rows.get(name, own[:0])
        if len(own) and len(there):
            places = np.minimum(np.searchsorted(there[:, 0], own[:, 0]), len(there) - 1)
            count += int((there[places] == own).all(axis=1).sum())
    return count


def rename_keys(table: Mapping[_Key, Any], renamed: Mapping[str, str]) -> dict[_Key, Any]:
    """What is kept by curve under the names that bones have now."""
    return {(rename_path(path, renamed), index): kept for (path, index), kept in table.items()}


def rename_path(path: str, renamed: Mapping[str, str]) -> str:
    """A data path under the name that its bone has now."""
    bone, name = split_bone_path(path)
    return build_bone_path(renamed[bone], name) if bone in renamed else path
