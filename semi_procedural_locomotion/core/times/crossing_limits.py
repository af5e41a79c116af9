# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far beside each other neighbouring feet have to stand (numpy only).

A pair of legs is asked for no more than its motions have: a motion that crosses its legs, such as a
strafe, may do so where it plays in full, but standing, turning and walking do not cross them.
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import MotionTables
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from .limits import PARTING
from .stride_limits import find_left


def measure_stance_widths(
    tables: MotionTables, pair: tuple[int, int], weights: FloatArray
) -> FloatArray:
    """How far the first sole's middle is to the left of the second's in the motions, metres, (N,)."""
    middles = _find_middles(tables, pair)
    return np.asarray(weights @ ((middles[:, 0] - middles[:, 1]) @ find_left(tables.rig)))


def _find_middles(tables: MotionTables, pair: tuple[int, int]) -> FloatArray:
    """Middles of two soles at their stances in each motion, metres, shape (M, 2, 2)."""
    half = 0.5 * tables.rig.foot_lengths[list(pair), None]
    cycles = tables.leg_cycles
    return (cycles.stance_positions[:, pair] + half * cycles.foot_directions[:, pair])[..., :2]


def measure_own_drift(tables: MotionTables, weights: FloatArray) -> FloatArray:
    """Measure how far to the left a cycle of the blended motions goes, metres, shape (N,).

    It counts the less the more of the blend stands: a strafe at a fifth of its weight is no reason
    to cross the legs.
    """
    speeds = np.maximum(np.hypot(*tables.cycles.velocities.T), 1e-12)
    drift = tables.cycles.strides * (tables.cycles.velocities @ find_left(tables.rig)) / speeds
    return (weights @ drift) * (weights @ tables.cycles.is_cycle)


def find_least_widths(
    tables: MotionTables, pair: tuple[int, int], weights: FloatArray, lags: FloatArray
) -> FloatArray:
    """Find how far to the left of the second the first foot of a pair has to stand at least.

    Parameters
    ----------
    pair
        Two partner legs, the left one first.
    weights
        Shares of the motions, shape (N, M).
    lags
        Cycles from the stance of the second leg to that of the first, signed, shape (N,).

    Returns
    -------
    array, shape (N,)
        Metres.
    """
    own = measure_stance_widths(tables, pair, weights)
    spare = _measure_own_gaps(tables, pair, weights) - PARTING.sole_gap * tables.rig.leg_length
    crossing = own + measure_own_drift(tables, weights) * lags
    return np.minimum(own - np.maximum(spare, 0.0), crossing)


def find_least_gaps(tables: MotionTables, pair: tuple[int, int], weights: FloatArray) -> FloatArray:
    """Least distance that the soles of a pair keep: no more than beside each other, metres, (N,)."""
    own = _measure_own_gaps(tables, pair, weights)
    return np.minimum(own, PARTING.sole_gap * tables.rig.leg_length)


def _measure_own_gaps(
    tables: MotionTables, pair: tuple[int, int], weights: FloatArray
) -> FloatArray:
    """Distance between the soles of a pair at their stances in the motions, metres, (N,)."""
    outlines = []
    for leg in pair:
        direction = blend_constants(weights, tables.leg_cycles.foot_directions[:, leg])[:, :2]
        direction = direction / np.maximum(np.hypot(*direction.T), 1e-12)[:, None]
        places = blend_constants(weights, tables.leg_cycles.stance_positions[:, leg])[:, :2]
        length, width = float(tables.rig.foot_lengths[leg]), tables.small_rig.legs[leg].sole_width
        outlines.append(outline_rectangles(places, direction, np.array(length), width))
    return measure_rectangle_gaps(outlines[0], outlines[1])


def find_parting_rates(
    tables: MotionTables, weights: FloatArray, velocities: FloatArray, turn_rates: FloatArray
) -> FloatArray:
    """Least step rates with which no pair of legs crosses.

    In a sideways walk the foot that follows comes nearer to the one that leads by the way of the
    time between their stances. Legs far ahead of or behind the middle go sideways in turns.

    Parameters
    ----------
    weights
        Shares of the motions, shape (G, M).
    velocities
        Of the travel in character space, metres a second, shape (G, 2).
    turn_rates
        Radians a second, shape (G,).

    Returns
    -------
    array, shape (G,)
        Cycles a second.
    """
    rates = np.zeros(len(weights))
    for pair in list_partners(tables.rig):
        lag = _find_lag(tables, pair)
        middles = _find_middles(tables, pair).mean(axis=1)
        ahead = weights @ (middles @ np.asarray(tables.rig.forward))
        sideways = np.abs(velocities @ find_left(tables.rig) + turn_rates * ahead)
        own = measure_stance_widths(tables, pair, weights)
        drift = np.abs(measure_own_drift(tables, weights))
        least = find_least_widths(tables, pair, weights, np.zeros(len(weights)))
        least = np.minimum(least, own - drift * lag)
        room = own - least + 2.0 * PARTING.counted_on * PARTING.most * tables.rig.leg_length
        rates = np.maximum(rates, sideways * lag / room)
    return rates


def _find_lag(tables: MotionTables, pair: tuple[int, int]) -> float:
    """Longer of the times between the stances of two legs in the slowest walk, cycles."""
    stances = tables.leg_cycles.stances[tables.cycles.slowest]
    lag = float((stances[pair[0]] - stances[pair[1]]) % 1.0)
    return max(lag, 1.0 - lag)
