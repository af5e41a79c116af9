# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles on the ground: the plane under each foot (numpy only).

Plan study 3. A sole is tried as a whole, not by two rays: a plane is fitted robustly to a grid of
points under it and raised until nothing sticks through.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .interface import Ground

# Stations along and across the sole, shares of its length and width (plan study 3.1). The outermost
# lie a little beyond it, else a heel lands on the next riser: nothing may stick through there, but
# only the sole itself has to be supported.
_STATIONS_ALONG = np.array([-0.05, 0.0, 0.25, 0.5, 0.75, 1.0, 1.05])
_STATIONS_ACROSS = np.array([-0.35, 0.35])
# Offsets tried when the sole lacks support (plan study 3.3).
_SEARCH_ALONG = np.array([-0.9, -0.65, -0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.65, 0.9])
_SEARCH_ACROSS = np.array([-0.6, 0.0, 0.6])
# Where even that finds too little, as between stepping stones: shares of the unit of moves.
_FAR_ALONG = np.linspace(-1.8, 1.8, 13)
_FAR_ACROSS = np.linspace(-0.9, 0.9, 7)
_FAR_SUPPORT = 0.75
# Then a closer look around the best, which fits a sole exactly onto a tread hardly longer than it.
_REFINE_ALONG = np.linspace(-0.225, 0.225, 19)
_LEAST_SUPPORT = 0.95
_STEEP = 0.5
_CLEAR_GAIN = 0.02
_MARGIN_COST = 0.15
# A sole that rests on both its ends, as over the foot of a ramp, is as good as supported where the
# hollow under it is no deeper than this many tolerances.
_BRIDGED, _BRIDGED_DEPTH = 0.95, 3.0
_FIT_ROUNDS = 4
# What stands between the stations raises the sole in the end, looked for where the ground under it
# deviates from a plane by more than this share of the tolerance.
_CLOSE_ALONG = np.linspace(0.0, 1.0, 25)
_CLOSE_ACROSS = np.array([-0.35, 0.0, 0.35])
_UNEVEN = 0.1
# Depth that stands for "no ground" in plane fits, step limits below the body.
_VOID = 4.0


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
    """

    heels: FloatArray
    headings: FloatArray
    times: FloatArray
    levels: FloatArray
    length: float
    width: float
    most_shifts: FloatArray | None = None


@dataclass(frozen=True)
class SoleLimits:
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


def place_soles(ground: Ground, request: SoleRequest, limits: SoleLimits) -> SolePlacements:
    """Put soles on the ground, moved to where they have support if allowed.

    Parameters
    ----------
    ground
        What to stand on.
    request
        Where the soles shall stand.
    limits
        What counts as ground.
    """
    count = len(request.headings)
    everyone = np.arange(count)
    first = _try_soles(ground, request, limits, everyone, np.zeros((count, 1, 2)))
    chosen = {key: value[:, 0].copy() for key, value in first.items()}
    shifts = np.zeros((count, 2))
    if limits.search:
        steep = np.hypot(chosen["slopes"][:, 0], chosen["slopes"][:, 1]) > _STEEP
        poor = np.flatnonzero((chosen["supports"] < _LEAST_SUPPORT) | steep)
        along, across = np.meshgrid(_SEARCH_ALONG, _SEARCH_ACROSS, indexing="ij")
        offsets = np.stack([along.ravel(), across.ravel()], axis=1)
        _improve(ground, request, limits, chosen, shifts, poor, offsets)
        unit = limits.shift_unit or request.length
        along, across = np.meshgrid(_FAR_ALONG, _FAR_ACROSS, indexing="ij")
        offsets = np.stack([along.ravel(), across.ravel()], axis=1) * unit
        far = poor[chosen["supports"][poor] < _FAR_SUPPORT]
        size = np.array([request.length, request.width])
        _improve(ground, request, limits, chosen, shifts, far, offsets / size)
        poor = poor[chosen["supports"][poor] < 1.0]
        offsets = np.stack([_REFINE_ALONG, np.zeros_like(_REFINE_ALONG)], axis=1)
        _improve(ground, request, limits, chosen, shifts, poor, offsets)
    chosen["heights"] += _measure_intrusions(ground, request, limits, chosen, shifts)
    return SolePlacements(
        heights=chosen["heights"],
        slopes=chosen["slopes"],
        shifts=shifts,
        supports=chosen["supports"],
        surfaces=chosen["surfaces"].astype(np.intp),
        found=chosen["found"].astype(bool),
    )


def _measure_intrusions(
    ground: Ground,
    request: SoleRequest,
    limits: SoleLimits,
    chosen: dict[str, np.ndarray],
    shifts: FloatArray,
) -> FloatArray:
    """How far ground between the stations sticks through soles that do not lie flat, (n,)."""
    raises = np.zeros(len(shifts))
    uneven = np.flatnonzero(chosen["uneven"].astype(bool))
    if len(uneven) == 0:
        return raises
    along, across = np.meshgrid(_CLOSE_ALONG, _CLOSE_ACROSS, indexing="ij")
    stations = np.stack([along.ravel() * request.length, across.ravel() * request.width], axis=1)
    heights, present, _ = _cast_stations(
        ground, request, limits, uneven, shifts[uneven, None, None] + stations
    )
    plane = np.concatenate([chosen["heights"][uneven, None], chosen["slopes"][uneven]], axis=1)
    gaps = heights[:, 0] - plane @ _plane_basis(stations, request.length).T
    raises[uneven] = np.where(present[:, 0], gaps, 0.0).max(axis=-1).clip(0.0)
    return raises


def _improve(
    ground: Ground,
    request: SoleRequest,
    limits: SoleLimits,
    chosen: dict[str, np.ndarray],
    shifts: FloatArray,
    poor: np.ndarray,
    offsets: FloatArray,
) -> None:
    """Move poor soles by the best of K offsets from where they are, in place."""
    if len(poor) == 0:
        return
    size = np.array([request.length, request.width])
    tried = _try_soles(ground, request, limits, poor, shifts[poor, None] / size + offsets)
    if request.most_shifts is not None:
        moved = (shifts[poor, None] / size + offsets) * size
        beyond = np.hypot(moved[..., 0], moved[..., 1]) > request.most_shifts[poor, None]
        tried["costs"] = np.where(beyond, np.inf, tried["costs"])
    best = np.argmin(tried["costs"], axis=1)
    rows = np.arange(len(poor))
    better = tried["costs"][rows, best] < chosen["costs"][poor] - _CLEAR_GAIN
    target, rows, best = poor[better], rows[better], best[better]
    for key, value in tried.items():
        chosen[key][target] = value[rows, best]
    shifts[target] += offsets[best] * size


def _try_soles(
    ground: Ground,
    request: SoleRequest,
    limits: SoleLimits,
    chosen: np.ndarray,
    offsets: FloatArray,
) -> dict[str, np.ndarray]:
    """Fit soles at offsets (n, K, 2), shares of length and width; arrays (n, K, ...)."""
    length, width = request.length, request.width
    along, across = np.meshgrid(_STATIONS_ALONG, _STATIONS_ACROSS, indexing="ij")
    stations = np.stack([along.ravel() * length, across.ravel() * width], axis=1)
    local = stations + (offsets * np.array([length, width]))[..., None, :]
    level = request.levels[chosen][:, None, None]
    heights, present, surfaces = _cast_stations(ground, request, limits, chosen, local)
    plane = _fit_planes(heights, stations, length, width, limits)
    gaps = np.where(present, heights - plane @ _plane_basis(stations, length).T, -np.inf)
    supported = gaps > -limits.tolerance
    inside = (stations[:, 0] > -1e-9) & (stations[:, 0] < length + 1e-9)
    supports = supported[..., inside].mean(axis=-1)
    middle = np.abs(stations[:, 0] - 0.5 * length) < 0.4 * length
    supports = supports * np.where(supported[..., middle].any(axis=-1), 1.0, 0.5)
    heel, toe = np.abs(stations[:, 0]) < 1e-9, np.abs(stations[:, 0] - length) < 1e-9
    bridged = supported[..., heel].any(axis=-1) & supported[..., toe].any(axis=-1)
    bridged &= gaps[..., inside].min(axis=-1) > -_BRIDGED_DEPTH * limits.tolerance
    supports = np.where(bridged, np.maximum(supports, _BRIDGED), supports)
    rise = np.hypot(plane[..., 1], plane[..., 2])
    unit = 1.0 if limits.shift_unit is None else length / limits.shift_unit
    costs = (
        2.5 * (1.0 - supports)
        + 0.6 * (unit * np.abs(offsets[..., 0]) + 1.2 * np.abs(offsets[..., 1]))
        + 0.8 * np.maximum(rise - 0.36, 0.0)
        + 0.6 * np.abs(plane[..., 0] - level[..., 0]) / limits.reach
        + _MARGIN_COST * (~supported[..., ~inside]).mean(axis=-1)
        + 9.0 * ((~present).mean(axis=-1) > 0.6)
    )
    central = int(np.argmin(np.abs(stations[:, 0] - 0.5 * length)))
    return {
        "heights": plane[..., 0],
        "slopes": plane[..., 1:],
        "supports": supports,
        "costs": costs,
        "surfaces": _pick_surfaces(surfaces, supported, central),
        "found": present.any(axis=-1),
        "uneven": gaps.min(axis=-1) < -_UNEVEN * limits.tolerance,
    }


def _cast_stations(
    ground: Ground,
    request: SoleRequest,
    limits: SoleLimits,
    chosen: np.ndarray,
    local: FloatArray,
) -> tuple[FloatArray, np.ndarray, np.ndarray]:
    """Ground under points (n, K, P, 2) along and across soles: heights, whether any, surfaces."""
    heading = request.headings[chosen]
    forward = np.stack([np.cos(heading), np.sin(heading)], axis=1)[:, None, None]
    left = np.stack([-np.sin(heading), np.cos(heading)], axis=1)[:, None, None]
    xy = request.heels[chosen][:, None, None] + forward * local[..., :1] + left * local[..., 1:]
    level = request.levels[chosen][:, None, None]
    shape = xy.shape[:3]
    top = np.broadcast_to(level + limits.reach, shape)
    points = np.concatenate([xy, top[..., None]], axis=-1).reshape(-1, 3)
    times = np.broadcast_to(request.times[chosen][:, None, None], shape).ravel()
    hits = ground.cast_down(points, times)
    heights = hits.points[:, 2].reshape(shape)
    present = hits.hit.reshape(shape) & (heights >= level - limits.reach)
    heights = np.where(present, heights, level - _VOID * limits.reach)
    return heights, present, hits.surfaces.reshape(shape)


def _pick_surfaces(surfaces: np.ndarray, supported: np.ndarray, central: int) -> np.ndarray:
    """Surface under the middle of the sole, else under the first supported station."""
    first = np.argmax(supported, axis=-1)
    fallback = np.take_along_axis(surfaces, first[..., None], axis=-1)[..., 0]
    middle = surfaces[..., central]
    chosen = np.where(supported[..., central], middle, fallback)
    return np.where(supported.any(axis=-1), chosen, -1)


def _plane_basis(stations: FloatArray, length: float) -> FloatArray:
    """Rows (1, distance from the middle along, distance across) of the stations, shape (P, 3)."""
    return np.stack([np.ones(len(stations)), stations[:, 0] - 0.5 * length, stations[:, 1]], axis=1)


def _fit_planes(
    heights: FloatArray,
    stations: FloatArray,
    length: float,
    width: float,
    limits: SoleLimits,
) -> FloatArray:
    """Planes (height at the middle, rise along, rise across) that touch from above, (n, K, 3)."""
    basis = _plane_basis(stations, length)
    top = heights.max(axis=-1, keepdims=True)
    # A point lower than any other by more than the steepest slope between them is under no plane that
    # touches from above: beyond an edge, or a hole. It has no say, else a sole leans over the drop.
    apart = np.hypot(*(stations[:, None] - stations[None]).transpose(2, 0, 1))
    least = (heights[..., None, :] - limits.max_rise * apart).max(axis=-1)
    touchable = heights > least - limits.tolerance
    # The highest points lead: a sole rests on what sticks out.
    weights = np.exp(-4.0 * np.minimum((top - heights) / (0.5 * length), 20.0) ** 2) * touchable
    regular = 1e-9 * np.diag([1.0, length * length, width * width])
    plane = np.zeros((*heights.shape[:2], 3))
    for _ in range(_FIT_ROUNDS):
        weighted = weights[..., None] * basis
        normal = np.einsum("nkpi,pj->nkij", weighted, basis) + regular
        right = np.einsum("nkpi,nkp->nki", weighted, heights)
        plane = np.linalg.solve(normal, right[..., None])[..., 0]
        rest = heights - plane @ basis.T
        weights = np.where(rest > 0, 1.0, 1.0 / (1.0 + (2.0 * rest / limits.tolerance) ** 2))
        weights = weights * touchable
    rise = np.hypot(plane[..., 1], plane[..., 2])
    plane[..., 1:] *= np.minimum(1.0, limits.max_rise / np.maximum(rise, 1e-9))[..., None]
    plane[..., 0] += (heights - plane @ basis.T).max(axis=-1)
    return plane
