# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a contact begins and ends, finer than the samples (numpy only).

Smoothing turns the corner between standing and moving into a rounded ramp, whose height at the corner
is a known share of its slope; the edges are where the slip crosses that height
(docs/method/contacts.md, Key times).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.periodic import find_best_segment
from ..maths.rotations import FloatArray
from .limits import EDGE


@dataclass(frozen=True)
class EdgeSettings:
    """Levels that decide where contacts end.

    Attributes
    ----------
    limit
        Slip at which a point is certainly moving, share of the speed.
    level
        Slip below which a point of this leg is certainly still.
    base
        The leg's own slip in the middle of its contact.
    blur
        Deviation of all smoothing in the chain from keys to samples, cycles.
    sharp
        True where edges are simply the crossings of the limit (branch E).
    """

    limit: float
    level: float
    base: float
    blur: float
    sharp: bool


@dataclass(frozen=True)
class KeyTimes:
    """First and last instants of one contact in samples, unwrapped: strike <= land <= lift <= off.

    Attributes
    ----------
    strike, land, lift, off
        First point arrives, last point arrives, first leaves, last leaves.
    points
        Which points made contact, shape (C,) of bool.
    """

    strike: float
    land: float
    lift: float
    off: float
    points: np.ndarray


def find_key_times(
    slips: FloatArray, start: int, length: int, score: float, settings: EdgeSettings
) -> KeyTimes:
    """Key times of one foot from the slips of its points.

    Parameters
    ----------
    slips
        Slip of heel, ball and toe tip, with what height adds, share of the speed, shape (N, 3).
    start, length
        The contact in samples.
    score
        Sum of the contact's scores.
    settings
        See `EdgeSettings`.

    Returns
    -------
    KeyTimes
        Ball and toe tip count as one end of the foot: the toe side arrives with its first point and
        leaves with its last.
    """
    count = len(slips)
    inside = (start + np.arange(length)) % count
    found: list[FloatArray | None] = []
    level = settings.limit if settings.sharp else settings.level
    for point in range(slips.shape[1]):
        scores = np.full(count, -1.0)
        scores[inside] = np.clip(1.0 - slips[inside, point] / level, -1.0, 1.0)
        own_start, own_length, own_score = find_best_segment(scores)
        edges = None
        if own_length > 0 and own_score >= EDGE.least_point_score * score:
            edges = _find_edges(slips[:, point], own_start, own_length, settings)
        found.append(None if edges is None else _unwrap_edges(edges, start, length, count))
    used = np.array([edges is not None for edges in found])
    sides = [edges for edges in (found[0], _join_points(found[1:])) if edges is not None]
    if not sides:
        lowest = np.min(slips, axis=1)
        best = int(inside[np.argmin(lowest[inside])])
        edges = _find_edges(lowest, best, 1, settings)
        if edges is None:
            edges = np.array([start, start + length - 1, start, start + length - 1], dtype=float)
        sides = [_unwrap_edges(edges, start, length, count)]
        used = np.ones(slips.shape[1], dtype=bool)
    strike = min(float(side[0]) for side in sides)
    off = max(float(side[1]) for side in sides)
    land, lift = strike, off
    if len(sides) == 2:
        land = max(strike, *(float(side[2]) for side in sides))
        lift = min(off, *(float(side[3]) for side in sides))
    if land > lift:
        middle = 0.5 * (strike + off)
        land = lift = min(max(middle, min(land, lift)), max(land, lift))
    return KeyTimes(strike, land, lift, off, used)


def extend_key_times(times: KeyTimes, carried: FloatArray) -> KeyTimes:
    """Key times with strike and off moved outwards while the foot is still carried on the ground.

    For clips whose planted feet move unevenly: a foot that slips on the ground must be held, so a
    longer contact is better than a slide (docs/method/contacts.md, Planting).

    Parameters
    ----------
    times
        Key times in samples.
    carried
        Positive where the foot is low and moves at least a little with the ground, shape (N,).
    """
    count = len(carried)
    reach = []
    for origin, direction in ((times.strike, -1), (times.off, 1)):
        first = int(np.floor(origin)) if direction > 0 else int(np.ceil(origin))
        free = -np.roll(carried[::direction], -(first if direction > 0 else count - 1 - first))
        if free[0] > 0:
            reach.append(origin)
            continue
        end = _cross_upwards(free, 0.0, 0)
        reach.append(origin if end is None else first + direction * end)
    strike, off = min(reach[0], times.strike), max(reach[1], times.off)
    if off - strike >= count:
        return times
    return KeyTimes(strike, times.land, times.lift, off, times.points)


def _join_points(points: list[FloatArray | None]) -> FloatArray | None:
    """Edges of several points as one: earliest begins, latest ends; None where none has any."""
    present = [edges for edges in points if edges is not None]
    if not present:
        return None
    begins, ends = np.min(present, axis=0), np.max(present, axis=0)
    return np.array([begins[0], ends[1], begins[2], ends[3]])


def _unwrap_edges(edges: FloatArray, start: int, length: int, count: int) -> FloatArray:
    """Begins and ends brought within half a cycle of the foot's own contact."""
    anchors = np.array([start, start + length - 1, start, start + length - 1], dtype=np.float64)
    return np.asarray(anchors + (edges - anchors + 0.5 * count) % count - 0.5 * count)


def _find_edges(
    slips: FloatArray, start: int, length: int, settings: EdgeSettings
) -> FloatArray | None:
    """Outer begin, outer end, inner begin, inner end in samples; None if the point never moves."""
    edges = []
    for gain in (EDGE.outer_gain, EDGE.inner_gain):
        for direction in (-1, 1):
            origin = start if direction < 0 else start + length - 1
            away = np.roll(slips, -origin)
            if direction < 0:
                away = np.roll(away[::-1], 1)
            distance = _find_corner(away, gain, settings)
            if distance is None:
                return None
            edges.append(origin + direction * distance)
    return np.array(edges)


def _find_corner(slips: FloatArray, gain: float, settings: EdgeSettings) -> float | None:
    """Samples from the first row to where a point starts to move; None if it never does."""
    count = len(slips)
    limit = settings.limit
    at_limit = _cross_upwards(slips, limit, 0)
    if at_limit is None or settings.sharp:
        return at_limit
    row = int(at_limit)
    at_top = _cross_upwards(slips, EDGE.ramp_top * limit, row)
    if at_top is None or at_top - at_limit > EDGE.ramp_reach * count:
        later = slips[round(at_limit + EDGE.ramp_step * count) % count]
        slope = (later - limit) / EDGE.ramp_step
    else:
        slope = (EDGE.ramp_top - 1.0) * limit / ((at_top - at_limit) / count + 1e-6)
    least = settings.base + EDGE.least_rise
    if settings.level > settings.base + EDGE.noise_margin + 1e-9:
        least = max(least, min(settings.level, limit))
    corner = settings.base + gain * max(float(slope), 0.0) * settings.blur
    corner = min(max(corner, least), limit)
    still = np.flatnonzero(slips[: row + 1] <= corner)
    if len(still) == 0:
        return 0.0
    last = int(still[-1])
    return last + _share_between(slips[last], slips[(last + 1) % count], corner)


def _cross_upwards(values: FloatArray, level: float, first: int) -> float | None:
    """Where ``values`` first pass ``level`` at or after row ``first``; None if they never do."""
    above = np.flatnonzero(values[first + 1 :] > level)
    if len(above) == 0:
        return None
    row = first + int(above[0])
    return row + min(_share_between(values[row], values[row + 1], level), 1.0 - 1e-9)


def _share_between(before: float, after: float, level: float) -> float:
    """Share of the way from ``before`` to ``after`` at which ``level`` is passed, in [0, 1]."""
    rise = after - before
    return float(np.clip((level - before) / rise, 0.0, 1.0)) if abs(rise) > 1e-12 else 0.0
