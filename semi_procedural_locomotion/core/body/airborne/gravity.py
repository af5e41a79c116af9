# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity of the world to which a character's size belongs (numpy only)."""

from __future__ import annotations

import numpy as np

from ...maths import rotations as rot
from ...maths.constants import STANDARD_GRAVITY
from ...motions.tables import OFF, STRIKE, MotionTables
from ...rig.skeleton import compute_rest_poses
from ...rig.upper_body import find_body_parts
from .limits import GRAVITY


def find_gravity(tables: MotionTables) -> float:
    """Gravity of the world to which a character's size belongs, metres a second squared.

    Two-legged bodies are taken for people of another scale. Beasts come in all sizes, and tell theirs
    by how quickly they walk.
    """
    length, rig = tables.rig.leg_length, tables.rig
    if rig.is_upright:
        head = find_body_parts(rig).head
        if head is None:
            return STANDARD_GRAVITY * length / GRAVITY.leg
        places = compute_rest_poses(rig.skeleton)[1]
        hips = np.mean([places[leg.joints[0]] for leg in rig.legs], axis=0)
        return (
            STANDARD_GRAVITY * (float(rot.lengths(places[head] - hips)) + length) / GRAVITY.stature
        )
    keys = tables.leg_cycles.key_times[tables.cycles.slowest]
    stands = float(np.mean(keys[:, OFF] + 1.0 - keys[:, STRIKE]))
    pace = GRAVITY.walk_pace if stands > GRAVITY.walking else GRAVITY.run_pace
    return pace * length / tables.cycles.slowest_period**2
