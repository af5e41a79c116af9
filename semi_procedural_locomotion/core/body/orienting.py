# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies whose hips and legs are turned to their way, and whose spines turn back (numpy only).

(docs/method/times.md, Ways without a motion)
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..pose import PoseArray
from ..rig.upper_body import find_body_parts
from .carriage import Carriage
from .legs import SolvedLegs
from .response import turn_bones


def leave_turned(
    tables: MotionTables, carriage: Carriage, legs: SolvedLegs, turns: FloatArray | None
) -> tuple[Carriage, SolvedLegs]:
    """A character that faces as it does, of which hips and legs alone are turned.

    Parameters
    ----------
    tables
        The motions.
    carriage, legs
        As if all of it was turned.
    turns
        How far it was, radians, shape (N,); None for nowhere.

    Returns
    -------
    carriage, legs
        What does not hang from the body is turned back about the character's origin.
    """
    if turns is None:
        return carriage, legs
    back = rot.quaternions_from_yaws(-turns)
    origins, carried = carriage.positions[:, None], tables.bones.carried[:, None]
    rotations = rot.multiply(back[:, None], legs.rotations)
    positions = origins + rot.rotate(back[:, None], legs.positions - origins)
    kept = replace(
        legs,
        rotations=np.where(carried, legs.rotations, rotations),
        positions=np.where(carried, legs.positions, positions),
    )
    orientations = rot.multiply(back, carriage.orientations)
    return replace(carriage, orientations=orientations, turns=turns), kept


def turn_back(tables: MotionTables, turns: FloatArray | None, poses: PoseArray) -> PoseArray:
    """Poses whose spines turn back as far as their hips are turned, each bone by the same share.

    Parameters
    ----------
    tables
        The motions.
    turns
        As of `leave_turned`.
    poses
        As they are without.
    """
    if turns is None:
        return poses
    spine = find_body_parts(tables.rig).spine
    back = rot.quaternions_from_yaws(-turns / len(spine))
    return turn_bones(tables.rig, dict.fromkeys(spine, back), poses)
