# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles kept clear of what stands up beside them (docs/method/ground.md, Outlines; numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from .fits import FootholdRules, SoleFits, SoleRequest, cast_stations, try_soles
from .limits import OUTLINES
from .planes import list_plane_terms


def raise_outlines(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    outline: FloatArray,
    chosen: SoleFits,
    shifts: FloatArray,
    raises: FloatArray,
) -> FloatArray:
    """Raises (n,) of soles, more where the rim of an uneven ground sticks through their outline."""
    flat = outline[:, :2]
    hits = cast_stations(
        ground, request, rules, np.arange(len(shifts)), shifts[:, None, None] + flat
    )
    planes = chosen.planes @ list_plane_terms(flat, request.length).T + raises[:, None]
    planes += outline[:, 2]
    gaps = (hits.fill(-np.inf)[:, 0] - planes).max(axis=1)
    least = OUTLINES.touching * (rules.shift_unit or request.length)
    # What stands up further is a wall, which raising a foot does not help.
    return raises + np.where((gaps > least) & (gaps <= rules.tolerance), gaps, 0.0)


def clear_outlines(
    ground: Ground,
    request: SoleRequest,
    rules: FootholdRules,
    outline: FloatArray,
    chosen: SoleFits,
    shifts: FloatArray,
    kept: FloatArray | None = None,
) -> None:
    """Move soles whose outline is in a wall by the least that clears it, in place.

    With an outline that is ``kept`` clear soles may be moved to where they are only less deep.
    """
    size = np.array([request.length, request.width])
    unit = (rules.shift_unit if kept is None else rules.leg_unit) or request.length

    def measure_depths(outline: FloatArray, rows: np.ndarray, places: FloatArray) -> FloatArray:
        """How deep outlines of soles (n,) moved to places (n, K, 2) are in walls, metres, (n, K)."""
        wide = _widen(outline[:, :2], OUTLINES.margin * unit)
        hits = cast_stations(ground, request, rules, rows, places[:, :, None] + wide)
        planes = chosen.planes[rows][:, None] @ list_plane_terms(wide, request.length).T
        planes = planes + outline[:, 2]
        depths = (hits.fill(-np.inf) - planes).max(axis=-1)
        return np.asarray(np.where(depths > rules.tolerance, depths, 0.0))

    everyone = np.arange(len(shifts))
    depths = measure_depths(outline, everyone, shifts[:, None])[:, 0]
    poor = np.flatnonzero(depths > 0.0)
    if len(poor) == 0:
        return
    turns = 2.0 * np.pi * np.arange(OUTLINES.directions) / OUTLINES.directions
    # Ahead and back before aside, of ways that are as long.
    turns = turns[np.argsort(np.abs(np.sin(turns)).round(6), kind="stable")]
    ways = np.array(OUTLINES.ways) * unit
    moves = (ways[:, None, None] * np.stack([np.cos(turns), np.sin(turns)], axis=1)).reshape(-1, 2)
    places = shifts[poor, None] + moves
    tried = measure_depths(outline, poor, places)
    # The shortest moves come first.
    scores = OUTLINES.depth * tried + np.repeat(ways, len(turns))
    if kept is None:
        open_to = tried == 0.0
    else:
        open_to = scores < OUTLINES.depth * depths[poor, None]
        open_to &= measure_depths(kept, poor, places) == 0.0
    if request.most_shifts is not None:
        open_to &= np.hypot(places[..., 0], places[..., 1]) <= request.most_shifts[poor, None]
    order = np.argsort(np.where(open_to, scores, np.inf), axis=1, kind="stable")
    first = order[:, : OUTLINES.tried]
    rows = np.arange(len(poor))[:, None]
    laid = try_soles(ground, request, rules, poor, places[rows, first] / size)
    same = np.abs(laid.planes[..., 0] - chosen.planes[poor, None, 0]) < rules.tolerance
    fair = laid.supports > chosen.supports[poor, None] - OUTLINES.less_support
    good = open_to[rows, first] & same & fair
    best = np.argmax(good, axis=1)
    better = good.any(axis=1)
    target, best, rows = poor[better], best[better], np.flatnonzero(better)
    chosen.take_over(target, laid, rows, best)
    shifts[target] = places[rows, first[rows, best]]


def _widen(outline: FloatArray, margin: float) -> FloatArray:
    """Points (P, 2) moved away from their middle, metres."""
    away = outline - 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    return np.asarray(outline + margin * away / np.maximum(np.hypot(*away.T), 1e-12)[:, None])
