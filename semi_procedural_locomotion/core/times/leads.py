# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where along a way the feet of long bodies stand, ahead of their middle and behind it (numpy only).

The forefeet of a horse are on the first tread while its middle is a whole leg before it.
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from .limits import RATES


def find_leads(tables: MotionTables, directions: FloatArray) -> FloatArray:
    """How far ahead of a body's origin each of its feet stands, metres, shape (L, n).

    Bodies on two legs stand under themselves: none of theirs does.

    Parameters
    ----------
    tables
        The motions.
    directions
        Horizontal unit vectors in character space in which the body goes, shape (n, 2).
    """
    stances, slowest = tables.leg_cycles.stance_positions, tables.cycles.slowest
    soles = tables.rig.foot_lengths[:, None] * tables.leg_cycles.foot_directions[slowest]
    middles = stances[slowest] + 0.5 * soles
    if tables.rig.is_upright:
        return np.zeros((len(middles), len(directions)))
    return np.asarray(middles[:, :2] @ directions.T)


def spread_over_feet(values: FloatArray, way: FloatArray, leads: FloatArray) -> FloatArray:
    """The highest of what a body's hindmost foot, its middle and its foremost foot meet.

    Parameters
    ----------
    values
        What is met along a way, shape (n,).
    way
        How far along it that is, and where the body's origin comes, metres, not falling, shape (n,).
    leads
        How far ahead each foot stands then, metres, shape (L, n).
    """
    if not np.any(leads):
        return values
    shares = np.linspace(0.0, 1.0, RATES.along_body)[:, None]
    along = leads.min(axis=0) + shares * np.ptp(leads, axis=0)
    return np.asarray(np.interp(way + along, way, values).max(axis=0))
