# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions that a steered character crouches with (numpy only).

They are a group that overrides, as an animator keys it (docs/method/motions.md, Groups).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..motions.tables import MotionTables

_NAMES = re.compile(r"crouch|sneak|creep|duck|stealth", re.IGNORECASE)


def find_crouch(motions: MotionSet) -> int | None:
    """Index of the group to crouch with: the overriding one that is called so, or the only one."""
    over = [i for i, group in enumerate(motions.groups) if group.overrides]
    named = [i for i in over if _NAMES.search(motions.groups[i].name)]
    if named:
        return named[0]
    return over[0] if len(over) == 1 else None


def weigh_crouch(tables: MotionTables, crouch: int | None, share: float) -> MotionTables:
    """Tables whose crouching group has a share, 0 to 1; as they are where there is none."""
    if crouch is None:
        return tables
    groups = list(tables.motion_set.groups)
    groups[crouch] = replace(
        groups[crouch], weight_times=np.zeros(1), weights=np.array([share], dtype=np.float64)
    )
    return replace(tables, motion_set=replace(tables.motion_set, groups=tuple(groups)))


def find_corners(
    frames: Sequence[int] | np.ndarray, shares: FloatArray
) -> list[tuple[float, float]]:
    """Frames and shares between which shares (N,) at frames (N,) go straight."""
    slopes = np.diff(shares) / np.diff(np.asarray(frames, dtype=np.float64))
    turns = np.abs(np.diff(slopes)) > 1e-6
    kept = [0, *(np.flatnonzero(turns) + 1).tolist(), len(shares) - 1]
    return [(float(frames[i]), float(shares[i])) for i in dict.fromkeys(kept)]
