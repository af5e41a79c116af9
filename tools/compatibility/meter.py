# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A judgement of walks by what is seen alone (numpy only): it knows nothing of plans and reports.

Places are in the axes of a course: x along the way, y to its left, z up, metres. Results are shares of
the leg.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Clearances = Callable[[np.ndarray], np.ndarray]

# Shares of the leg: how near to its ground a foot is that stands; what bears more by a factor of e.
_NEAR, _BEARING = 0.02, 0.004
# Share of the way up of a foot's middle under which it is planted in a clip by itself.
_LOW = 0.15
# Share of the pace of the feet under which a foot is quiet.
_QUIET = 0.35
# Share of the leg by which the distance of a part from the foot that it belongs to changes.
_BESIDE = 0.2
# Share of a clip in which a part goes like the planted feet, and how nearly, before it is a foot.
_CARRYING, _ALIKE = 0.18, 0.45


@dataclass(frozen=True)
class SourceSight:
    """What a clip shows when it plays by itself.

    Attributes
    ----------
    speed
        Of the body over its planted feet, metres a second; None where no foot is planted.
    direction
        Where the body goes over its planted feet, unit vector (2,); None likewise.
    carrying
        Names of parts that are no feet but go like them, and in which share of the clip.
    way
        Fastest way of a foot against the body in one frame, metres.
    standing
        Share of the clip in which the foot that is low for the shortest time is low.
    """

    speed: float | None
    direction: np.ndarray | None
    carrying: dict[str, float]
    way: float
    standing: float = 0.0


def measure_source(
    parts: dict[str, np.ndarray], feet: Sequence[str], body: np.ndarray, length: float, fps: float
) -> SourceSight:
    """Read speed and direction off a clip.

    Parameters
    ----------
    parts
        Points of each part by its name, world, metres, each of shape (F, V, 3).
    feet
        Which of them are feet.
    body
        Places of what carries the hips, shape (F, 3).
    length
        Of the leg, metres.
    fps
        Frames a second.
    """
    ground = min((float(parts[f][:, :, 2].min()) for f in feet), default=0.0)
    planted, shares, way = [], [], 0.0
    going = (body[-1, :2] - body[0, :2]) / max(len(body) - 1, 1)
    for foot in feet:
        steps = _list_planted_steps(parts[foot])
        planted += [np.median(steps, axis=0)] if len(steps) else []
        shares.append(len(steps) / max(len(body) - 1, 1))
        centre = parts[foot].mean(axis=1) - body
        way = max(way, float(np.linalg.norm(np.diff(centre, axis=0), axis=1).max(initial=0.0)))
    if not planted:
        return SourceSight(None, None, {}, way)
    back = np.median(planted, axis=0)
    gone = going - back
    speed = float(np.hypot(*gone)) * fps
    carrying = {}
    for name, points in parts.items():
        if name in feet or not speed:
            continue
        lows, steps = _find_low_moves(points)
        near = (lows < ground + 2.0 * _NEAR * length)[:-1]
        alike = np.linalg.norm(steps[:, :2] - back, axis=1) < _ALIKE * np.hypot(*gone)
        share = float(np.mean(near & alike)) if len(near) else 0.0
        if share > _CARRYING and not _belongs(points, [parts[f] for f in feet], length):
            carrying[name] = round(share, 3)
    direction = gone * fps / speed if speed else None
    return SourceSight(speed, direction, carrying, way, min(shares))


def _belongs(points: np.ndarray, feet: Sequence[np.ndarray], length: float) -> bool:
    """Whether the lowest point of a part keeps its distance from one and the same foot."""
    rows = np.arange(len(points))
    lowest = points[rows, points[:, :, 2].argmin(axis=1)]
    gaps = [np.linalg.norm(foot - lowest[:, None], axis=-1).min(axis=1) for foot in feet]
    return any(float(np.ptp(np.quantile(gap, [0.05, 0.95]))) < _BESIDE * length for gap in gaps)


def _list_planted_steps(points: np.ndarray) -> np.ndarray:
    """Horizontal ways to the next frame of a foot's lowest point while the whole foot is low, (K, 2).

    Toe tips that droop in the swing hang on feet that are raised.
    """
    centres = points[:, :, 2].mean(axis=1)
    limit = centres.min() + _LOW * float(np.ptp(centres))
    low = (centres[:-1] <= limit) & (centres[1:] <= limit)
    return _find_low_moves(points)[1][low, :2]


def _find_low_moves(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Height of the lowest point in each frame (F,), and its way to the next frame (F - 1, 3)."""
    heights = points[:, :, 2]
    pairs = (heights[:-1] + heights[1:]).argmin(axis=1)
    rows = np.arange(len(pairs))
    steps = points[rows + 1, pairs] - points[rows, pairs]
    return heights.min(axis=1), steps.astype(np.float64)


def measure_walk(
    feet: dict[str, np.ndarray],
    clearances: Clearances,
    source: SourceSight,
    length: float,
    fps: float,
) -> dict[str, float | str | None]:
    """Judge the feet of a baked walk.

    Parameters
    ----------
    feet
        Points of each foot, each of shape (F, V, 3).
    clearances
        Height of points (N, 3) over the ground, negative inside it.
    source
        What the clip shows by itself.
    length
        Of the leg, metres.
    fps
        Frames a second.

    Returns
    -------
    dict
        slip: longest way of what bears in one contact; depth: of the deepest point; float: of the
        lowest point of a standing foot, 99 %; jump: largest way of a foot in a frame over that of the
        clip; standing: share of the frames in which a foot stands; and whose each of the first is.
    """
    above = {n: clearances(p.reshape(-1, 3)).reshape(p.shape[:2]) for n, p in feet.items()}
    middles = {name: points.mean(axis=1) for name, points in feet.items()}
    ways = [np.linalg.norm(m[-1, :2] - m[0, :2]) / max(len(m) - 1, 1) for m in middles.values()]
    pace = max(float(np.mean(ways)), 0.3 * length / fps)
    stands = {n: find_stands(feet[n], above[n], pace, length) for n in feet}
    result: dict[str, float | str | None] = {}

    def keep(key: str, values: dict[str, float | None]) -> None:
        known = {name: value for name, value in values.items() if value is not None}
        worst = max(known, key=lambda n: known[n], default=None)
        result[key] = None if worst is None else round(known[worst] / length, 5)
        result[f"{key}_of"] = worst

    keep("depth", {n: max(0.0, -float(a.min())) for n, a in above.items()})
    keep("float", {n: measure_float(above[n], stands[n]) for n in feet})
    keep("slip", {n: measure_slip(feet[n], above[n], stands[n], length) for n in feet})
    # Per frame a foot may go as far as in the clip, and with the body.
    most = source.way + (source.speed or 0.0) / fps
    steps = {
        n: float(np.linalg.norm(np.diff(m, axis=0), axis=1).max(initial=0.0))
        for n, m in middles.items()
    }
    keep("jump", {n: step / max(most, 1e-9) * length for n, step in steps.items()})
    result["standing"] = round(float(np.mean(np.any(list(stands.values()), axis=0))), 4)
    lazy = min((float(np.mean(s)) for s in stands.values()), default=0.0)
    result["least_standing"] = round(lazy, 4)
    return result


def find_stands(points: np.ndarray, above: np.ndarray, pace: float, length: float) -> np.ndarray:
    """Frames in which a foot stands: its lowest point is near the ground and slow, shape (F,)."""
    lowest = (above[:-1] + above[1:]).argmin(axis=1)
    rows = np.arange(len(lowest))
    steps = points[rows + 1, lowest] - points[rows, lowest]
    quiet = np.linalg.norm(steps, axis=1) < _QUIET * pace
    near = above.min(axis=1) < _NEAR * length
    return near & (np.append(quiet, False) | np.append(False, quiet))


def measure_float(above: np.ndarray, stands: np.ndarray) -> float | None:
    """Height of the lowest point inside of contacts, 99th percentile, metres."""
    inner = shrink(stands)
    if not inner.any():
        return None
    return float(np.quantile(np.maximum(above.min(axis=1)[inner], 0.0), 0.99))


def measure_slip(
    points: np.ndarray, above: np.ndarray, stands: np.ndarray, length: float
) -> float | None:
    """Longest way of what bears the front or the rear of a foot in one contact, metres."""
    loads = np.exp((above.min(axis=1, keepdims=True) - above) / (_BEARING * length))
    middle = points[0, :, :2] - points[0, :, :2].mean(axis=0)
    if len(middle) > 2:
        front = middle @ np.linalg.svd(middle, full_matrices=False)[2][0] > 0.0
    else:
        front = np.array([True] * len(middle))
    worst: float | None = None
    for half in (front, ~front):
        if not half.any():
            continue
        for first, last in find_runs(shrink(stands)):
            for path in _list_paths(points[first:last], loads[first:last] * half):
                apart = np.linalg.norm(path[:, None] - path[None, :], axis=-1)
                worst = max(worst or 0.0, float(apart.max()))
    return worst


def _list_paths(points: np.ndarray, loads: np.ndarray) -> list[np.ndarray]:
    """Ways of the bearing points through one contact, cut where nothing bears; each (K, 2)."""
    way, paths = [np.zeros(2)], []
    for frame in range(len(points) - 1):
        shared = np.sqrt(loads[frame] * loads[frame + 1])
        if shared.max() < 0.5:
            paths.append(np.array(way))
            way = [np.zeros(2)]
            continue
        step = points[frame + 1, :, :2] - points[frame, :, :2]
        way.append(way[-1] + (shared[:, None] * step).sum(axis=0) / shared.sum())
    return [*paths, np.array(way)]


def shrink(flags: np.ndarray) -> np.ndarray:
    """Each row of true flags without its first and last one, but for those at the ends of all."""
    before = np.concatenate([flags[:1], flags[:-1]])
    after = np.concatenate([flags[1:], flags[-1:]])
    return flags & before & after


def find_runs(flags: np.ndarray) -> list[tuple[int, int]]:
    """First index and the one after the last of each row of true flags."""
    edges = np.diff(np.concatenate([[0], flags.astype(int), [0]]))
    return list(zip(np.flatnonzero(edges > 0), np.flatnonzero(edges < 0), strict=True))
