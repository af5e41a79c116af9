# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When feet lift, leave, strike and land in blends of motions (docs/method/times.md, Leg times)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..rig.structure import Rig
from .durations import Pace
from .limits import CONTACTS, RATES


def weigh_key_times(
    tables: MotionTables, cycle_weights: FloatArray, alignment: FloatArray
) -> FloatArray:
    """Weights with which key times are blended, sum 1, shape (G, M).

    Weighted by the strides, the blended contact is as long as the way that the blended pose's foot
    goes in it, so that a planted foot has to be corrected as little as that of a single motion.
    """
    strides = tables.cycles.strides + 1e-6 * tables.rig.leg_length
    shares = cycle_weights * strides * np.maximum(alignment, CONTACTS.least_alignment)
    return shares / shares.sum(axis=1, keepdims=True)


def fit_contacts(
    rig: Rig,
    key_times: FloatArray,
    walk_share: FloatArray,
    pace: Pace,
    rates: FloatArray,
) -> FloatArray:
    """Key times where the travel is not what the motions were made for.

    Where the rest motion has a share, the travel is slower than any motion that goes that way: a run
    that is only slowed down would float between its short contacts, so its feet stand as those of a
    walk do, as long as the leg reaches while the body passes over them. Turns on the spot need no
    double support: their feet take longer for the turn.

    Parameters
    ----------
    rig
        The character.
    key_times
        Blended lift, off, strike, land, shape (G, L, 4).
    walk_share
        Sum of the walks' weights, shape (G,).
    pace
        What the travel does.
    rates
        Cycles a second, shape (G,).

    Returns
    -------
    array, shape (G, L, 4)
        Unchanged where motions play in full.
    """
    slow = rot.step_cubic((1.0 - walk_share) / CONTACTS.standing_share)[:, None]
    swept = RATES.turn_radius * rig.leg_length * np.abs(pace.turn_rates)
    turning = np.clip(1.0 - pace.speeds / np.maximum(swept, 1e-9), 0.0, 1.0)[:, None]
    lift, off, strike, land = np.moveaxis(key_times, -1, 0)
    later, sooner = CONTACTS.half_stance - off, strike - (1.0 - CONTACTS.half_stance)
    reached = CONTACTS.stance_reach * rig.leg_length * rates / np.maximum(pace.speeds, 1e-9)
    half = np.minimum(reached, CONTACTS.half_stance)[:, None]
    longer, earlier = np.maximum(half - off, 0.0), np.maximum(strike - (1.0 - half), 0.0)
    new_off = off + slow * longer + slow * turning * np.minimum(later, 0.0)
    new_strike = strike - slow * earlier - slow * turning * np.minimum(sooner, 0.0)
    new_lift = lift * new_off / np.maximum(off, 1e-9)
    rolled = (1.0 - new_strike) / np.maximum(1.0 - strike, 1e-9)
    return np.stack([new_lift, new_off, new_strike, 1.0 - (1.0 - land) * rolled], axis=-1)
