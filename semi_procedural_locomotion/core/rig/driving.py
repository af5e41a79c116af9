# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of a skeleton of which some bones are told where to be (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .skeleton import Skeleton


@dataclass(frozen=True)
class DrivenPose:
    """Poses of all bones at S times.

    Attributes
    ----------
    rotations, translations
        Relative to the parent, shapes (S, B, 4) and (S, B, 3).
    global_rotations, positions
        In character space, metres, shapes (S, B, 4) and (S, B, 3).
    """

    rotations: FloatArray
    translations: FloatArray
    global_rotations: FloatArray
    positions: FloatArray


def drive_bones(
    skeleton: Skeleton,
    turned: Mapping[int, FloatArray],
    placed: Mapping[int, FloatArray],
    count: int,
) -> DrivenPose:
    """Bones with given rotations and positions; all others rest on their parents.

    Parameters
    ----------
    skeleton
        The bones.
    turned, placed
        Rotations (S, 4) and positions (S, 3) in character space, metres, by bone.
    count
        Number S of times.
    """
    shape = (count, len(skeleton))
    local = np.broadcast_to(skeleton.rest_rotations, (*shape, 4)).copy()
    moves = np.broadcast_to(skeleton.rest_translations, (*shape, 3)).copy()
    rotations, positions = np.empty((*shape, 4)), np.empty((*shape, 3))
    for bone, parent in enumerate(skeleton.parents):
        above = rotations[:, parent] if parent >= 0 else np.tile(rot.IDENTITY, (count, 1))
        origin = positions[:, parent] if parent >= 0 else np.zeros((count, 3))
        if bone in turned:
            local[:, bone] = rot.multiply(rot.conjugate(above), turned[bone])
        if bone in placed:
            moves[:, bone] = rot.rotate(rot.conjugate(above), placed[bone] - origin)
        rotations[:, bone] = rot.multiply(above, local[:, bone])
        positions[:, bone] = origin + rot.rotate(above, moves[:, bone])
    return DrivenPose(local, moves, rotations, positions)
