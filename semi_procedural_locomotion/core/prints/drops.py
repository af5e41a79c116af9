# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far steps lead up and down, and whether people meet that on heel or ball (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..rig.crossing import list_partners
from .limits import STRIKES
from .records import PrintPlan
from .states import carry_row


def measure_drops(
    tables: MotionTables, prints: PrintPlan, ground: Ground
) -> tuple[FloatArray, ...]:
    """How far each step leads down below the foot that bears it, above 0, or up, below 0.

    That is the partner's, on its print nearest in time to the middle of the step; the foot's own last
    print where it has no partner. Along a slope no step leads up or down.

    Parameters
    ----------
    tables, prints, ground
        The motions, and where feet stand, K prints of a leg, on ground that may move.

    Returns
    -------
    tuple of arrays, shape (K - 1,)
        For each leg, shares of its length.
    """
    pairs = list_partners(tables.rig)
    partners = {leg: other for pair in pairs for leg, other in (pair, pair[::-1])}
    drops = []
    for index, (leg, row) in enumerate(zip(tables.small_rig.legs, prints.rows, strict=True)):
        other = prints.rows[partners.get(index, index)]
        middles = 0.5 * (row.times[1:] + row.times[:-1])
        bearing = np.searchsorted(0.5 * (other.times[1:] + other.times[:-1]), middles)
        borne, _, _ = carry_row(other, bearing, row.times[1:], ground)
        away = borne - row.positions[1:]
        over, high = np.sum(away * row.normals[1:], axis=1), away[:, 2]
        least = np.where(np.abs(over) < np.abs(high), over, high)
        drops.append(np.where(over * high > 0.0, least, 0.0) / leg.length)
    return tuple(drops)


def share_balls(drops: FloatArray) -> FloatArray:
    """How far people come down on the ball for steps that lead down by drops (N,), 0 to 1, (N,)."""
    return rot.step_cubic((drops - STRIKES.heel) / (STRIKES.ball - STRIKES.heel))
