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
from ..ground.soles import SoleHits, cast_soles, start_over_body
from ..maths.rotations import FloatArray
from .limits import COSTS, FOOTHOLDS, OUTLINES, STATIONS, TRIES
from .planes import fit_planes, list_plane_terms, measure_supports


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


@dataclass(frozen=True)
class SoleRequest:
    """Where soles shall stand.

    Attributes
    ----------
    heels
        Heel end of the sole, world x and y, metres, shape (n, 2).
    headings
        Direction from heel to toe, radians from +X, shape (n,).
    times
        Seconds at which they stand, shape (n,).
    levels
        Height of the ground that the body walks on at that time, metres, shape (n,).
    length, width
        Of the sole, metres.
    most_shifts
        Farthest that each sole may be moved, which is as far as its leg reaches, metres, shape (n,);
        None for any distance.
    outline
        Points of the foot from the heel end of its sole, along, across and above it, metres, shape
        (P, 3), or None: soles are moved until they are clear of what stands up beside them.
    rim
        Outermost places of the foot from its strike to its foot-off, as ``outline``, shape (Q, 3), or
        None: soles are moved on until these are clear as well where they can.
    """

    heels: FloatArray
    headings: FloatArray
    times: FloatArray
    levels: FloatArray
    length: float
    width: float
    most_shifts: FloatArray | None = None
    outline: FloatArray | None = None
    rim: FloatArray | None = None


@dataclass(frozen=True)
class FootholdRules:
    """What a sole may stand on, lengths in metres.

    Attributes
    ----------
    reach
        How far above and below the body's level ground counts.
    tolerance
        How far below the plane ground still supports.
    max_rise
        Steepest slope, rise over run.
    search
        Whether a sole without support may be moved.
    shift_unit
        A move along the foot by this much costs as much as a quarter of the support; None stands for
        the length of the sole.
    """

    reach: float
    tolerance: float
    max_rise: float
    search: bool
    shift_unit: float | None = None


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
    tried = _try_soles(ground, request, rules, np.arange(count), shifts[:, None])
    chosen = _Fits(*(getattr(tried, entry.name)[:, 0].copy() for entry in fields(_Fits)))
    if rules.search:
        _search(ground, request, rules, chosen, shifts)
    if rules.search:
        for rim in (request.outline, request.rim):
            if rim is not None:
                _clear_outlines(ground, request, rules, rim, chosen, shifts)
    raises = _measure_intrusions(ground, request, rules, chosen, shifts)
    if request.outline is not None:
        raises = _raise_outlines(ground, request, rules, request.outline, chosen, shifts, raises)
    return SolePlacements(
        heights=chosen.planes[:, 0] + raises,
        slopes=chosen.planes[:, 1:],
        shifts=shifts,
        supports=chosen.supports,
        surfaces=chosen.surfaces.astype(np.intp),
        found=chosen.found,
    )


@dataclass(frozen=True)
class _Fits:
    """Soles laid on the ground, of shape (...): at (n, K) places, or the n that are taken.

    ``planes`` (..., 3) are height at the middle and rise along and across, ``uneven`` tells where the
    ground lies well below them.
    """

    planes: FloatArray
    supports: FloatArray
    costs: FloatArray
    surfaces: np.ndarray
    found: np.ndarray
    uneven: np.ndarray


def _search(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: _Fits,
    shifts: FloatArray,
) -> None:
    """Move soles without support to where they have it, in place."""
    steep = np.hypot(chosen.planes[:, 1], chosen.planes[:, 2]) > FOOTHOLDS.steep
    poor = np.flatnonzero((chosen.supports < FOOTHOLDS.least_support) | steep)
    offsets = _list_pairs(TRIES.along, TRIES.across)
    _improve(ground, request, rules, chosen, shifts, poor, offsets)
    unit = rules.shift_unit or request.length
    far = poor[chosen.supports[poor] < FOOTHOLDS.far_support]
    size = np.array([request.length, request.width])
    offsets = _list_pairs(TRIES.far_along, TRIES.far_across) * unit
    _improve(ground, request, rules, chosen, shifts, far, offsets / size)
    poor = poor[chosen.supports[poor] < 1.0]
    offsets = _list_pairs(TRIES.refined, np.zeros(1))
    _improve(ground, request, rules, chosen, shifts, poor, offsets)


def _list_pairs(along: FloatArray, across: FloatArray) -> FloatArray:
    """All pairs of values along and across, shape (P, 2)."""
    grid = np.meshgrid(along, across, indexing="ij")
    return np.stack([grid[0].ravel(), grid[1].ravel()], axis=1)


def _measure_intrusions(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: _Fits,
    shifts: FloatArray,
) -> FloatArray:
    """How far ground between the stations sticks through soles that do not lie flat, (n,)."""
    raises = np.zeros(len(shifts))
    uneven = np.flatnonzero(chosen.uneven)
    if len(uneven) == 0:
        return raises
    stations = _list_pairs(
        STATIONS.close_along * request.length, STATIONS.close_across * request.width
    )
    places = shifts[uneven, None, None] + stations
    hits = _cast_stations(ground, request, rules, uneven, places)
    plane = chosen.planes[uneven]
    gaps = hits.heights[:, 0] - plane @ list_plane_terms(stations, request.length).T
    raises[uneven] = np.where(hits.met[:, 0], gaps, 0.0).max(axis=-1).clip(0.0)
    return raises


def _improve(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: _Fits,
    shifts: FloatArray,
    poor: np.ndarray,
    offsets: FloatArray,
) -> None:
    """Move poor soles by the best of K offsets from where they are, in place."""
    if len(poor) == 0:
        return
    size = np.array([request.length, request.width])
    places = shifts[poor, None] / size + offsets
    tried = _try_soles(ground, request, rules, poor, places)
    costs = tried.costs
    if request.most_shifts is not None:
        moved = places * size
        beyond = np.hypot(moved[..., 0], moved[..., 1]) > request.most_shifts[poor, None]
        costs = np.where(beyond, np.inf, costs)
    best = np.argmin(costs, axis=1)
    rows = np.arange(len(poor))
    better = costs[rows, best] < chosen.costs[poor] - FOOTHOLDS.clear_gain
    target, rows, best = poor[better], rows[better], best[better]
    for entry in fields(_Fits):
        getattr(chosen, entry.name)[target] = getattr(tried, entry.name)[rows, best]
    shifts[target] += offsets[best] * size


def _raise_outlines(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    outline: FloatArray,
    chosen: _Fits,
    shifts: FloatArray,
    raises: FloatArray,
) -> FloatArray:
    """Raises (n,) of soles, more where the rim of an uneven ground sticks through their outline."""
    flat = outline[:, :2]
    hits = _cast_stations(
        ground, request, rules, np.arange(len(shifts)), shifts[:, None, None] + flat
    )
    planes = chosen.planes @ list_plane_terms(flat, request.length).T + raises[:, None]
    planes += outline[:, 2]
    gaps = (hits.fill(-np.inf)[:, 0] - planes).max(axis=1)
    least = OUTLINES.touching * (rules.shift_unit or request.length)
    # What stands up further is a wall, which raising a foot does not help.
    return raises + np.where((gaps > least) & (gaps <= rules.tolerance), gaps, 0.0)


def _clear_outlines(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    outline: FloatArray,
    chosen: _Fits,
    shifts: FloatArray,
) -> None:
    """Move soles whose outline is in a wall by the least that clears it, in place."""
    size = np.array([request.length, request.width])
    unit = rules.shift_unit or request.length
    flat = outline[:, :2]
    middle = 0.5 * (flat.min(axis=0) + flat.max(axis=0))
    away = flat - middle
    wide = flat + OUTLINES.margin * unit * away / np.maximum(np.hypot(*away.T), 1e-12)[:, None]

    def find_walls(rows: np.ndarray, places: FloatArray) -> np.ndarray:
        """Whether something stands in the outline of soles (n,) moved to places (n, K, 2), (n, K)."""
        hits = _cast_stations(ground, request, rules, rows, places[:, :, None] + wide)
        planes = chosen.planes[rows][:, None] @ list_plane_terms(wide, request.length).T
        planes = planes + outline[:, 2]
        return (hits.fill(-np.inf) - planes).max(axis=-1) > rules.tolerance

    everyone = np.arange(len(shifts))
    poor = everyone[find_walls(everyone, shifts[:, None])[:, 0]]
    if len(poor) == 0:
        return
    turns = 2.0 * np.pi * np.arange(OUTLINES.directions) / OUTLINES.directions
    # Ahead and back before aside, of ways that are as long.
    turns = turns[np.argsort(np.abs(np.sin(turns)).round(6), kind="stable")]
    ways = np.array(OUTLINES.ways) * unit
    moves = (ways[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)).reshape(-1, 2)
    places = shifts[poor, None] + moves
    free = ~find_walls(poor, places)
    if request.most_shifts is not None:
        free &= np.hypot(places[..., 0], places[..., 1]) <= request.most_shifts[poor, None]
    # The shortest moves come first.
    first = np.argsort(~free, axis=1, kind="stable")[:, : OUTLINES.tried]
    rows = np.arange(len(poor))[:, None]
    tried = _try_soles(ground, request, rules, poor, places[rows, first] / size)
    same = np.abs(tried.planes[..., 0] - chosen.planes[poor, None, 0]) < rules.tolerance
    fair = tried.supports > chosen.supports[poor, None] - OUTLINES.less_support
    good = free[rows, first] & same & fair
    best = np.argmax(good, axis=1)
    better = good.any(axis=1)
    target, best, rows = poor[better], best[better], np.flatnonzero(better)
    for entry in fields(_Fits):
        getattr(chosen, entry.name)[target] = getattr(tried, entry.name)[rows, best]
    shifts[target] = places[rows, first[rows, best]]


def _try_soles(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: np.ndarray,
    offsets: FloatArray,
) -> _Fits:
    """Fit chosen soles (n,) at offsets (n, K, 2), shares of length and width."""
    length, width = request.length, request.width
    stations = _list_pairs(STATIONS.along * length, STATIONS.across * width)
    local = stations + (offsets * np.array([length, width]))[..., None, :]
    level = request.levels[chosen][:, None]
    hits = _cast_stations(ground, request, rules, chosen, local)
    heights = hits.fill(level[..., None] - FOOTHOLDS.void * rules.reach)
    planes = fit_planes(heights, stations, (length, width), rules.tolerance, rules.max_rise)
    gaps = np.where(hits.met, heights - planes @ list_plane_terms(stations, length).T, -np.inf)
    supported = gaps > -rules.tolerance
    inside = (stations[:, 0] > -1e-9) & (stations[:, 0] < length + 1e-9)
    supports = measure_supports(gaps, stations, inside, length, rules.tolerance)
    rise = np.hypot(planes[..., 1], planes[..., 2])
    unit = 1.0 if rules.shift_unit is None else length / rules.shift_unit
    moves = unit * np.abs(offsets[..., 0]) + COSTS.aside * np.abs(offsets[..., 1])
    costs = (
        COSTS.support * (1.0 - supports)
        + COSTS.shift * moves
        + COSTS.slope * np.maximum(rise - COSTS.free_slope, 0.0)
        + COSTS.level * np.abs(planes[..., 0] - level) / rules.reach
        + COSTS.margin * (~supported[..., ~inside]).mean(axis=-1)
        + COSTS.no_ground * ((~hits.met).mean(axis=-1) > COSTS.most)
    )
    central = int(np.argmin(np.abs(stations[:, 0] - 0.5 * length)))
    return _Fits(
        planes=planes,
        supports=supports,
        costs=costs,
        surfaces=_pick_surfaces(hits.surfaces, supported, central),
        found=hits.met.any(axis=-1),
        uneven=gaps.min(axis=-1) < -FOOTHOLDS.uneven * rules.tolerance,
    )


def _cast_stations(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: np.ndarray,
    local: FloatArray,
) -> SoleHits:
    """Ground under points (n, K, P, 2) along and across chosen soles, within reach of the body."""
    heading = request.headings[chosen]
    forward = np.stack([np.cos(heading), np.sin(heading)], axis=1)[:, None, None]
    left = np.stack([-np.sin(heading), np.cos(heading)], axis=1)[:, None, None]
    places = request.heels[chosen][:, None, None] + forward * local[..., :1] + left * local[..., 1:]
    level = request.levels[chosen][:, None, None]
    return cast_soles(
        ground,
        places,
        start_over_body(level, rules.reach),
        request.times[chosen][:, None, None],
        bottoms=level - rules.reach,
        floors=level,
    )


def _pick_surfaces(surfaces: np.ndarray, supported: np.ndarray, central: int) -> np.ndarray:
    """Surface under the middle of the sole, else under the first supported station."""
    first = np.argmax(supported, axis=-1)
    fallback = np.take_along_axis(surfaces, first[..., None], axis=-1)[..., 0]
    middle = surfaces[..., central]
    chosen = np.where(supported[..., central], middle, fallback)
    return np.where(supported.any(axis=-1), chosen, -1)
