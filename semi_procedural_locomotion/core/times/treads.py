# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a step climbs on stairs: whole treads (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from .limits import TREADS


def fit_treads(
    distances: FloatArray, levels: FloatArray, highest: float, leg_length: float
) -> tuple[FloatArray, FloatArray]:
    """Largest climb of a step along a way, where stairs are taken by whole treads.

    A step of a quarter of the leg on treads of a fifth would now and then take two of them. On stairs it
    climbs as many whole treads as there are in the largest climb; where each is higher than that, some
    steps stay on a tread.

    Parameters
    ----------
    distances
        Metres along the way, not falling, shape (n,).
    levels
        Height of the ground there, metres, shape (n,).
    highest
        Largest climb of a step on ground without treads, metres.
    leg_length
        Of the character, metres.

    Returns
    -------
    climbs
        Metres, shape (n,).
    risers
        Height of a riser, metres, shape (n,); 0 where there are no stairs.
    """
    most = np.full(len(distances), highest)
    count = int(np.ceil(distances[-1] / (TREADS.spacing * leg_length))) + 1
    if not 3 <= count <= TREADS.most_stations:
        return most, np.zeros(len(distances))
    places = np.linspace(distances[0], distances[-1], count)
    step = places[1] - places[0]
    heights = np.interp(places, distances, levels)
    edges, rises = _find_risers(heights, TREADS.least_rise * leg_length)
    apart = np.diff(edges) * step
    # Two risers after each other that go the same way are a flight of stairs.
    together = (apart < TREADS.longest * leg_length) & (rises[1:] * rises[:-1] > 0.0)
    wide = max(round(TREADS.margin * leg_length / step), 1)
    treads = np.zeros(count)
    for index in np.flatnonzero(together):
        tread = slice(max(edges[index] - wide, 0), edges[index + 1] + wide)
        rise = 0.5 * (abs(rises[index]) + abs(rises[index + 1]))
        treads[tread] = np.maximum(treads[tread], rise)
    at = np.interp(distances, places, np.arange(count)).round().astype(int)
    risers = treads[at]
    rise = np.maximum(risers, 1e-9)
    whole = np.floor(highest / rise * (1.0 + TREADS.digits)) * rise
    return np.where((risers > 0.0) & (whole > 0.0), whole, most), risers


def _find_risers(heights: FloatArray, least: float) -> tuple[np.ndarray, FloatArray]:
    """Stations at which the ground rises or falls at once, and by how much, metres, shapes (k,)."""
    steps = np.diff(heights)
    steep = np.abs(steps) > TREADS.steep * least
    # What rises from station to station in the same sense is one riser.
    same = steep[1:] & steep[:-1] & (steps[1:] * steps[:-1] > 0.0)
    starts = steep & ~np.concatenate([[False], same])
    groups = np.cumsum(starts) - 1
    rises = np.bincount(groups[steep], weights=steps[steep], minlength=int(starts.sum()))
    edges = np.flatnonzero(starts)
    # A riser has level ground on both sides; a slope goes on and on.
    lengths = np.bincount(groups[steep], minlength=len(edges))
    fits = (np.abs(rises) >= least) & (lengths <= TREADS.thickest)
    return edges[fits], np.asarray(rises[fits], dtype=np.float64)
