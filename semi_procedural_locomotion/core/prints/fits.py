# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles laid on the ground: a plane fitted to what lies under each (numpy only).

See docs/method/ground.md, Soles on the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import SoleHits, cast_soles, start_over_body
from ..maths.rotations import FloatArray
from ..motions.rims import FootRims
from .limits import COSTS, FOOTHOLDS, STATIONS
from .planes import fit_planes, list_plane_terms, measure_supports


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
    rims
        Outermost places of the foot and its leg from strike to foot-off, seen as ``outline``, or None:
        soles are moved on until these are clear as well where they can, the leg as far as it can.
    """

    heels: FloatArray
    headings: FloatArray
    times: FloatArray
    levels: FloatArray
    length: float
    width: float
    most_shifts: FloatArray | None = None
    outline: FloatArray | None = None
    rims: FootRims | None = None


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
    leg_unit
        The same for moves that clear a leg, which may be far longer than its foot; None likewise.
    """

    reach: float
    tolerance: float
    max_rise: float
    search: bool
    shift_unit: float | None = None
    leg_unit: float | None = None


@dataclass(frozen=True)
class SoleFits:
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

    def take_over(
        self, target: np.ndarray, tried: SoleFits, rows: np.ndarray, columns: np.ndarray
    ) -> None:
        """Put some of what was tried, (n, K), by rows and columns, in the place of soles, all (m,)."""
        for entry in fields(SoleFits):
            getattr(self, entry.name)[target] = getattr(tried, entry.name)[rows, columns]


def list_pairs(along: FloatArray, across: FloatArray) -> FloatArray:
    """All pairs of values along and across, shape (P, 2)."""
    grid = np.meshgrid(along, across, indexing="ij")
    return np.stack([grid[0].ravel(), grid[1].ravel()], axis=1)


def try_soles(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    chosen: np.ndarray,
    offsets: FloatArray,
) -> SoleFits:
    """Fit chosen soles (n,) at offsets (n, K, 2), shares of length and width."""
    length, width = request.length, request.width
    stations = list_pairs(STATIONS.along * length, STATIONS.across * width)
    local = stations + (offsets * np.array([length, width]))[..., None, :]
    level = request.levels[chosen][:, None]
    hits = cast_stations(ground, request, rules, chosen, local)
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
    return SoleFits(
        planes=planes,
        supports=supports,
        costs=costs,
        surfaces=_pick_surfaces(hits.surfaces, supported, central),
        found=hits.met.any(axis=-1),
        uneven=gaps.min(axis=-1) < -FOOTHOLDS.uneven * rules.tolerance,
    )


def cast_stations(
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
