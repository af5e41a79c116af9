# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of points seen from above: corners, rounds, headings (numpy only).

Points may have a height as third column, which goes along and counts for no distance or turn.
"""

from __future__ import annotations

import numpy as np

from ...errors import TravelError
from .limits import LINE
from .rotations import FloatArray


def check_points(points: FloatArray) -> FloatArray:
    """Points (P, 2 or 3) without those that coincide with the one before."""
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] not in (2, 3) or not np.all(np.isfinite(points)):
        raise TravelError("the travel's path must be a list of [x, y] points in metres")
    if len(points):
        apart = np.hypot(*np.diff(points[:, :2], axis=0).T) > LINE.apart
        points = points[np.concatenate([[True], apart])]
    if len(points) < 2:
        raise TravelError("the travel's path needs two different points or more: add points")
    return points


def is_closed(points: FloatArray) -> bool:
    """Whether a line (P, 2 or 3) ends where it begins, and on the same height."""
    return len(points) > 2 and bool(np.linalg.norm(points[-1] - points[0]) < LINE.closed)


def repeat_line(points: FloatArray, count: int) -> FloatArray:
    """A closed line (P, 2 or 3) walked several times."""
    return np.concatenate([np.tile(points[:-1], (count, 1)), points[-1:]])


def measure_line(line: FloatArray) -> FloatArray:
    """Distance along a line (V, 2 or 3) at each vertex, metres, shape (V,)."""
    return np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line[:, :2], axis=0).T))])


def lay_rounds(
    points: FloatArray, rounds: float, radius: float, bend: float
) -> tuple[FloatArray, FloatArray]:
    """Vertices (V, 2 or 3) and headings (V,) of a line that is walked so many times, if it is closed."""
    if not is_closed(points) or rounds <= 0.0:
        return round_corners(points, radius, bend)
    count = max(int(np.ceil(rounds - 1e-9)), 1)
    line, headings = round_corners(repeat_line(points, count), radius, bend)
    distance = measure_line(line)
    end = distance[-1] * min(rounds / count, 1.0)
    kept = distance < end - LINE.apart
    last = np.array([[np.interp(end, distance, column) for column in line.T]])
    return (
        np.concatenate([line[kept], last]),
        np.append(headings[kept], np.interp(end, distance, headings)),
    )


def round_corners(
    points: FloatArray, radius: float, bend: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Line with corners replaced by arcs.

    Parameters
    ----------
    points
        World x, y and maybe z, metres, neighbours different, shape (P, 2 or 3).
    radius
        Of the arcs, metres; less where the legs of a corner are short.
    bend
        Turns of less than this are no corners, radians.

    Returns
    -------
    line, headings
        Vertices (V, 2 or 3) and the heading at each, radians, without jumps, (V,).
    """
    steps = np.diff(points[:, :2], axis=0)
    sizes = np.hypot(*steps.T)
    directions = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    line: list[FloatArray] = [points[:1]]
    headings: list[FloatArray] = [directions[:1]]
    for corner in range(1, len(points) - 1):
        turn = directions[corner] - directions[corner - 1]
        if abs(turn) < bend:
            line.append(points[corner : corner + 1])
            headings.append(directions[corner - 1 : corner] + 0.5 * turn)
            continue
        if abs(turn) < LINE.straight:
            continue
        room = LINE.room * 0.5 * min(sizes[corner - 1], sizes[corner])
        reach = min(_measure_reach(radius, abs(turn)), room)
        count = max(int(np.ceil(abs(turn) / LINE.arc_step)), 2)
        share = np.linspace(0.0, 1.0, count + 1)
        before = points[corner, :2] - reach * steps[corner - 1] / sizes[corner - 1]
        after = points[corner, :2] + reach * steps[corner] / sizes[corner]
        arc_headings = directions[corner - 1] + turn * share
        if abs(turn) > LINE.sharpest:
            arc = _walk_back(before, points[corner, :2], after, share)
        else:
            arc = _walk_around(before, after, arc_headings)
        # Steps along the line from the corner: back to where the arc begins, on to where it ends.
        ends = [-reach / sizes[corner - 1], 0.0, reach / sizes[corner]]
        places = np.interp(share, [0.0, 0.5, 1.0], ends)
        heights = [
            np.interp(places, [-1.0, 0.0, 1.0], column[corner - 1 : corner + 2])
            for column in points[:, 2:].T
        ]
        line.append(np.column_stack([arc, *heights]))
        headings.append(arc_headings)
    line.append(points[-1:])
    headings.append(directions[-1:])
    return _drop_doubles(np.concatenate(line), np.concatenate(headings))


def _measure_reach(radius: float, turn: float) -> float:
    """Measure how far from a corner with a turn in radians its arc begins, metres."""
    if turn > LINE.sharpest:
        return LINE.sharp_reach * radius
    half = 0.5 * turn
    whole = radius * float(np.tan(half))
    if turn <= LINE.near:
        return whole
    # The arc passes the corner at a distance that falls to nothing for who turns back.
    passed = radius * (np.pi - turn) / (np.pi - LINE.near)
    return min(whole, float(passed * np.sin(half) / (1.0 - np.cos(half))))


def _walk_around(before: FloatArray, after: FloatArray, headings: FloatArray) -> FloatArray:
    """Places (K, 2) of an arc between two places with headings (K,), radians."""
    chord = np.stack([np.cos(headings), np.sin(headings)], axis=1)
    moves = 0.5 * (chord[1:] + chord[:-1])
    walked = np.concatenate([np.zeros((1, 2)), np.cumsum(moves, axis=0)])
    span = float(np.hypot(*walked[-1]))
    scale = float(np.hypot(*(after - before))) / span if span > 1e-9 else 0.0
    return np.asarray(before + walked * scale)


def _walk_back(
    before: FloatArray, corner: FloatArray, after: FloatArray, share: FloatArray
) -> FloatArray:
    """Places (K, 2) at shares (K,) of the way to a corner and back."""
    inward = np.clip(2.0 * share, 0.0, 1.0)[:, None]
    outward = np.clip(2.0 * share - 1.0, 0.0, 1.0)[:, None]
    return np.asarray(before + inward * (corner - before) + outward * (after - corner))


def _drop_doubles(line: FloatArray, headings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Drop vertices that coincide so that distance along the line increases."""
    apart = np.hypot(*np.diff(line[:, :2], axis=0).T) > LINE.apart
    keep = np.concatenate([[True], apart])
    return line[keep], headings[keep]
