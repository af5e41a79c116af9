# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that an animator may move."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ..values.bake_record import INFLUENCE, ChannelKey, read_influence, read_values_before
from .levers import build_influence_path
from .names import is_helper_name

# With full influence these leave nothing of what their bone is given.
_OVERRULING = frozenset({"COPY_TRANSFORMS"})


@dataclass(frozen=True)
class Candidate:
    """A bone that may be a control.

    Attributes
    ----------
    name
        Its name.
    depth
        How many bones are above it.
    moves, turns
        Local axes along and about which it is free, 1 or 0, shape (3,).
    rank
        How little it looks like a control: 0 for a bone with a shape of its own that is shown.
    """

    name: str
    depth: int
    moves: np.ndarray
    turns: np.ndarray
    rank: int


def list_candidates(
    armature: bpy.types.Object, bones: Iterable[str], keyed: Container[str]
) -> list[Candidate]:
    """Those of some bones that can be controls, the likelier first, and of these the nearer.

    Parameters
    ----------
    armature
        The armature object.
    bones
        Names of bones that something goes after, the nearest first.
    keyed
        Data paths of influences that clips key: those constraints do not act for good.

    Returns
    -------
    list of Candidate
        Without helpers, bones with all channels locked, and those whose own channels a constraint
        overrules for good.
    """
    pose = armature.pose.bones
    has_shapes = any(bone.custom_shape is not None for bone in pose)
    driven, before = _list_driven_influences(armature), read_values_before(armature)
    found = []
    for bone in (pose[name] for name in bones if name in pose):
        moves = 1.0 - np.array(bone.lock_location, dtype=np.float64)
        if bone.bone.use_connect and bone.parent is not None:
            moves = np.zeros(3)
        turns = 1.0 - np.array(bone.lock_rotation, dtype=np.float64)
        if not (moves.any() or turns.any()) or is_helper_name(bone.name):
            continue
        if any(_overrules(bone, c, driven, keyed, before) for c in bone.constraints):
            continue
        rank = _rank_bone(bone, has_shapes)
        found.append(Candidate(bone.name, len(bone.parent_recursive), moves, turns, rank))
    return sorted(found, key=lambda one: one.rank)


def _rank_bone(bone: bpy.types.PoseBone, has_shapes: bool) -> int:
    """How little a bone looks like a control."""
    collections = bone.bone.collections
    shown = not bone.bone.hide and (
        not len(collections) or any(one.is_visible_effectively for one in collections)
    )
    rank = 0 if shown else 1
    if has_shapes and bone.custom_shape is None:
        rank += 4 if shown else 6
    if has_shapes and bone.bone.use_deform:
        rank += 1
    return rank


def _overrules(
    bone: bpy.types.PoseBone,
    constraint: bpy.types.Constraint,
    driven: Container[str],
    keyed: Container[str],
    before: Mapping[ChannelKey, float],
) -> bool:
    """Whether a constraint leaves nothing of its bone's own channels, whatever a switch says."""
    if constraint.type not in _OVERRULING or constraint.mute:
        return False
    if read_influence(constraint, before) < 1.0:
        return False
    if getattr(constraint, "mix_mode", "REPLACE") != "REPLACE" or constraint.target is None:
        return False
    path = build_influence_path(bone, constraint)
    return path not in keyed and path.removesuffix(INFLUENCE) not in driven


def _list_driven_influences(armature: bpy.types.Object) -> set[str]:
    """Paths of constraints whose influence or muting is driven."""
    if armature.animation_data is None:
        return set()
    return {curve.data_path.rpartition(".")[0] for curve in armature.animation_data.drivers}
