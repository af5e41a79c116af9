# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Motions on flat prints of their own: what walks are compared with (numpy only).

Feet of a clip slide and sink a little. Planted, they stand on one print in each stance, and swing from
that to the next; the hips are the clip's own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.airborne.gravity import find_gravity
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import (
    LegPoses,
    blend_constants,
    compute_leg_footbases,
    pose_legs,
    read_ripples,
)
from ..motions.tables import OFF, STRIKE, MotionTables
from .knees import bend_knees
from .limits import BOUNDS

STRIKING = 0.15
"""Share of a flight, at its end, in which a foot comes down to strike."""


@dataclass(frozen=True)
class PlantedClips:
    """All motions planted, L legs.

    Attributes
    ----------
    reaches
        From hip to ankle in all rows of the motions, metres, shape (1, L, R).
    least
        Least of them while it walks, metres, shape (L,).
    knee_rates
        Fastest turn of each knee while it walks, radians a second, shape (L,).
    knee_snaps
        Largest second difference of each knee's bend in a time of `find_lag`, radians, shape (L,).
    rise_rates
        Fastest way of each ankle up or down, metres a second, shape (L,).
    strike_rates
        How fast each footbase comes down as it strikes, metres a second, shape (L,).
    """

    reaches: FloatArray
    least: FloatArray
    knee_rates: FloatArray
    knee_snaps: FloatArray
    rise_rates: FloatArray
    strike_rates: FloatArray


def measure_bones(tables: MotionTables) -> tuple[FloatArray, FloatArray]:
    """Lengths of thigh and shin of each leg, metres, (L,); of longer chains two halves of the whole."""
    legs = tables.small_rig.legs
    places = tables.small_rig.skeleton.rest_poses[1]
    lengths = np.array([leg.length for leg in legs])
    thighs = np.array(
        [
            np.linalg.norm(places[leg.joints[1]] - places[leg.joints[0]])
            if len(leg.joints) == 3
            else 0.5 * leg.length
            for leg in legs
        ]
    )
    return thighs, lengths - thighs


def plant_clips(tables: MotionTables) -> PlantedClips:
    """Plant all motions of a character on level ground at their own speeds."""
    legs, spans = len(tables.small_rig.legs), tables.spans
    count = int(spans.starts[-1] + spans.counts[-1])
    reaches = np.zeros((1, legs, count))
    least, knees = np.full(legs, np.inf), np.zeros(legs)
    rises, strikes, snaps = np.zeros(legs), np.zeros(legs), np.zeros(legs)
    thighs, shins = measure_bones(tables)
    for motion, (start, rows) in enumerate(zip(spans.starts, spans.counts, strict=True)):
        distances, heights, strike = _plant_clip(tables, motion, int(rows))
        reaches[0, :, start : start + rows] = distances.T
        if not tables.cycles.is_cycle[motion]:
            continue
        rate = rows / tables.cycles.periods[motion]
        bends, _ = bend_knees(distances, thighs, shins)
        least = np.minimum(least, distances.min(axis=0))
        knees = np.maximum(knees, rate * _find_fastest(bends))
        snaps = np.maximum(snaps, _find_snaps(bends, rate * find_lag(tables)))
        rises = np.maximum(rises, rate * _find_fastest(heights))
        strikes = np.maximum(strikes, strike)
    return PlantedClips(reaches, least, knees, snaps, rises, strikes)


def find_lag(tables: MotionTables) -> float:
    """Seconds between the values of which second differences of bends are taken."""
    return BOUNDS.lag * float(np.sqrt(tables.rig.leg_length / find_gravity(tables)))


def _find_snaps(values: FloatArray, lag: float) -> FloatArray:
    """Largest second difference in a cycle (R, L) of values that are so many rows apart, (L,)."""
    rows = np.arange(len(values))
    ends = [
        np.stack(
            [np.interp(rows + shift, rows, column, period=len(rows)) for column in values.T], 1
        )
        for shift in (-lag, lag)
    ]
    return np.asarray(np.abs(ends[0] + ends[1] - 2.0 * values).max(axis=0))


def _find_fastest(values: FloatArray) -> FloatArray:
    """Largest change from one row to the next of a cycle (R, L), (L,)."""
    return np.abs(values - np.roll(values, 1, axis=0)).max(axis=0)


def _plant_clip(
    tables: MotionTables, motion: int, rows: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distances from hips to ankles (R, L), heights of ankles (R, L), speeds of strikes (L,)."""
    rig, cycles, own = tables.small_rig, tables.cycles, tables.leg_cycles
    phases = np.arange(rows) / rows + tables.spans.offsets[motion]
    weights = np.zeros((rows, len(tables.spans.starts)))
    weights[:, motion] = 1.0
    leg_times = np.arange(rows)[:, None] / rows - own.own_stances[motion]
    keys = np.broadcast_to(own.key_times[motion], (rows, len(rig.legs), 4))
    poses = pose_legs(tables, weights, phases, leg_times, keys)
    ripples = read_ripples(tables, weights, phases)
    period, velocity = float(cycles.periods[motion]), cycles.velocities[motion]
    distances, heights = np.zeros((rows, len(rig.legs))), np.zeros((rows, len(rig.legs)))
    strikes = np.zeros(len(rig.legs))
    for index, leg in enumerate(rig.legs):
        shares = leg_times[:, index] - np.floor(leg_times[:, index])
        off, strike = own.key_times[motion, index, [OFF, STRIKE]]
        slips = _measure_slips(tables, index, poses, weights)
        slips[:, :2] += (shares - (shares >= 0.5 * (off + strike)))[:, None] * period * velocity
        slips = _hold_slips(slips, shares, float(off), float(strike))
        hips, ankles = (poses.positions[:, leg.joints[end]] for end in (0, -1))
        planted = ankles - slips
        shifted = hips + rot.pack(ripples[:, 0], ripples[:, 1], np.zeros(rows))
        distances[:, index] = rot.lengths(planted - shifted)
        heights[:, index] = planted[:, 2]
        if cycles.is_cycle[motion]:
            bases, _, _ = compute_leg_footbases(tables, index, poses, weights)
            falling = (np.roll(bases[:, 2], 1) - bases[:, 2]) * rows / period
            last = (shares > strike - STRIKING * (strike - off)) & (shares <= strike + 1.0 / rows)
            strikes[index] = falling[last].max(initial=0.0)
    return distances, heights, strikes


def _measure_slips(
    tables: MotionTables,
    leg: int,
    poses: LegPoses,
    weights: FloatArray,
) -> FloatArray:
    """How far footbases are from where they stand, character space, metres, (R, 3)."""
    bases, _, _ = compute_leg_footbases(tables, leg, poses, weights)
    stands = blend_constants(weights, tables.leg_cycles.stance_positions[:, leg])
    ground = blend_constants(weights, tables.leg_cycles.sole_heights[:, leg])
    away = bases - stands
    away[:, 2] = bases[:, 2] - ground
    return away


def _hold_slips(slips: FloatArray, shares: FloatArray, off: float, strike: float) -> FloatArray:
    """Slips (R, 3) in stance, and in flight what leads from the last to the first of them."""
    order = np.argsort(shares, kind="stable")

    def read(at: float) -> FloatArray:
        return np.array(
            [np.interp(at, shares[order], column[order], period=1.0) for column in slips.T]
        )

    flight = np.clip((shares - off) / max(strike - off, 1e-9), 0.0, 1.0)
    led = rot.step_quintic(flight)[:, None]
    between = read(off - 1e-6) * (1.0 - led) + read(strike + 1e-6) * led
    flying = (shares > off) & (shares < strike)
    return np.where(flying[:, None], between, slips)
