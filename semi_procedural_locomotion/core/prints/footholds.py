# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footholds: the plane under each sole, moved to where the sole has support (numpy only).

A sole is tried as a whole, not by two rays: a plane is fitted robustly to a grid of points under it
and raised until nothing sticks through (docs/method/ground.md, Soles on the ground and Footholds).
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from .fits import FootholdRules, SoleFits, SoleRequest, cast_stations, list_pairs, try_soles
from .limits import FOOTHOLDS, STATIONS, TRIES
from .planes import list_plane_terms
from .walls import clear_outlines, raise_outlines


@dataclass(frozen=True)
class SolePlacements:
    """Soles placed on the ground, n of them.

    Attributes
    ----------
    heights
        Height of the sole's centre, world, metres, shape (n,).
    slopes
        Rise of the sole along and across the foot, metres a metre, shape (n, 2).
    shifts
        Where the sole was moved to from where it was asked for, metres along and across the foot,
        shape (n, 2).
    supports
        Share of the sole that has ground under it, 0 to 1, shape (n,).
    surfaces
        Surface under the middle of the sole, -1 for none, shape (n,).
    found
        False where there is no ground at all, shape (n,).
    """

    heights: FloatArray
    slopes: FloatArray
    shifts: FloatArray
    supports: FloatArray
    surfaces: np.ndarray
    found: np.ndarray


def place_soles(ground: Ground, request: SoleRequest, rules: FootholdRules) -> SolePlacements:
    """Put soles on the ground, moved to where they have support if allowed.

    Parameters
    ----------
    ground
        What to stand on.
    request
        Where the soles shall stand.
    rules
        What counts as ground.
    """
    count = len(request.headings)
    shifts = np.zeros((count, 2))
    tried = try_soles(ground, request, rules, np.arange(count), shifts[:, None])
    chosen = SoleFits(*(getattr(tried, entry.name)[:, 0].copy() for entry in fields(SoleFits)))
    if rules.search:
        _search(ground, request, rules, chosen, shifts)
    if rules.search and request.outline is not None:
        clear_outlines(ground, request, rules, request.outline, chosen, shifts)
        if request.rims is not None:
            foot, leg = request.rims.foot, request.rims.leg
            clear_outlines(ground, request, rules, foot, chosen, shifts)
            if leg is not None:
                clear_outlines(ground, request, rules, leg, chosen, shifts, kept=foot)
    raises = _measure_intrusions(ground, request, rules, chosen, shifts)
    if request.outline is not None:
        raises = raise_outlines(ground, request, rules, request.outline, chosen, shifts, raises)
    return SolePlacements(
        heights=chosen.planes[:, 0] + raises,
        slopes=chosen.planes[:, 1:],
        shifts=shifts,
        supports=chosen.supports,
        surfaces=chosen.surfaces.astype(np.intp),
        found=chosen.found,
    )


def _search(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: SoleFits,
    shifts: FloatArray,
) -> None:
    """Move soles without support to where they have it, in place."""
    poor = _find_poor(chosen, np.arange(len(shifts)))
    # To the side only where no place ahead or behind serves: steps would be led around each other.
    straight = np.zeros(1)
    _improve(ground, request, rules, chosen, shifts, poor, list_pairs(TRIES.along, straight))
    partly = poor[chosen.supports[poor] < 1.0]
    _improve(ground, request, rules, chosen, shifts, partly, list_pairs(TRIES.refined, straight))
    poor = _find_poor(chosen, poor)
    offsets = list_pairs(TRIES.along, TRIES.across)
    _improve(ground, request, rules, chosen, shifts, poor, offsets)
    unit = rules.shift_unit or request.length
    far = poor[chosen.supports[poor] < FOOTHOLDS.far_support]
    size = np.array([request.length, request.width])
    offsets = list_pairs(TRIES.far_along, TRIES.far_across) * unit
    _improve(ground, request, rules, chosen, shifts, far, offsets / size)
    poor = poor[chosen.supports[poor] < 1.0]
    _improve(ground, request, rules, chosen, shifts, poor, list_pairs(TRIES.refined, straight))


def _find_poor(chosen: SoleFits, rows: np.ndarray) -> np.ndarray:
    """Those of soles (n,) that lack support, or stand too steep."""
    steep = np.hypot(chosen.planes[rows, 1], chosen.planes[rows, 2]) > FOOTHOLDS.steep
    return rows[(chosen.supports[rows] < FOOTHOLDS.least_support) | steep]


def _measure_intrusions(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: SoleFits,
    shifts: FloatArray,
) -> FloatArray:
    """How far ground between the stations sticks through soles that do not lie flat, (n,)."""
    raises = np.zeros(len(shifts))
    uneven = np.flatnonzero(chosen.uneven)
    if len(uneven) == 0:
        return raises
    stations = list_pairs(
        STATIONS.close_along * request.length, STATIONS.close_across * request.width
    )
    places = shifts[uneven, None, None] + stations
    hits = cast_stations(ground, request, rules, uneven, places)
    plane = chosen.planes[uneven]
    gaps = hits.heights[:, 0] - plane @ list_plane_terms(stations, request.length).T
    raises[uneven] = np.where(hits.met[:, 0], gaps, 0.0).max(axis=-1).clip(0.0)
    return raises


def _improve(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: SoleFits,
    shifts: FloatArray,
    poor: np.ndarray,
    offsets: FloatArray,
) -> None:
    """Move poor soles by the best of K offsets from where they are, in place."""
    if len(poor) == 0:
        return
    size = np.array([request.length, request.width])
    places = shifts[poor, None] / size + offsets
    tried = try_soles(ground, request, rules, poor, places)
    costs = tried.costs
    if request.most_shifts is not None:
        moved = places * size
        beyond = np.hypot(moved[..., 0], moved[..., 1]) > request.most_shifts[poor, None]
        costs = np.where(beyond, np.inf, costs)
    best = np.argmin(costs, axis=1)
    rows = np.arange(len(poor))
    better = costs[rows, best] < chosen.costs[poor] - FOOTHOLDS.clear_gain
    target, rows, best = poor[better], rows[better], best[better]
    chosen.take_over(target, tried, rows, best)
    shifts[target] += offsets[best] * size
