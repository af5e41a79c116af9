# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swings lifted over what lies between two prints, step by step, all steps at once (numpy only).

Plan study 4.4: a smooth bump over the flight plus a re-timed progress, chosen from a small table so
that the sole passes over the ground under its own path with the least lift and the calmest curve.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .flight import measure_slope_rises, retime_progress, shape_bump

# Quick test: this many stations on the straight line between the prints, and points of the sole.
_QUICK_STATIONS = np.linspace(0.0, 1.0, 9)
_QUICK_SOLE = np.array([0.0, 0.5, 1.0])
_QUICK_HEIGHT = 0.008
# Density of the real test (plan study 4.4: 32/32/6 against 16/14/4 for 6 % more time). Where what is
# needed jumps by more than this share of the leg, as at an edge, it is looked at more closely.
_ENDS, _COUNT, _CLOSER = (-0.3, 1.3), 44, 4
_CLOSE_STATIONS = np.linspace(*_ENDS, _CLOSER * (_COUNT - 1) + 1)
_JUMP = 0.02
_FLIGHT = (np.arange(32) + 0.5) / 32
_SOLE = np.linspace(0.0, 1.0, 6)
# Rise and fall shares of the bump and re-timings (exponent, kind) that are tried.
_SHARES = (0.2, 0.35, 0.6)
_RETIMINGS = ((1.0, 1), (1.4, 1), (1.9, 1), (1.4, -1), (1.9, -1), (1.35, 0), (1.7, 0))
_BUMP_FLOOR = 0.15
_MOST_LIFT = 0.5
# Costs: of sharp bumps, of what stays unmet, of re-timing.
_SHARP_COST, _UNMET_COST, _RETIME_COST = 0.35, 10.0, 0.1
# Re-timing takes a foot at most this far from its own timing, leg lengths; beyond, at this cost.
_MOST_STRAY, _STRAY_COST = 0.35, 10.0
_NEGLIGIBLE = 0.001
# Many motions draw a foot back before it leaves its print, and let it overshoot the next. It does not
# go beyond ground that stands so much higher than the print, leg lengths.
_WALL = 0.02
# A swing that the leg cannot fold for stays this far above what it clears, leg lengths.
_ROOM_MARGIN = 0.009
# Room of a swing with nothing in its way, metres.
_FREE = 1e12
# Depth that stands for "no ground", leg lengths.
_VOID = 100.0


@dataclass(frozen=True)
class SwingLifts:
    """What is added to the swing of each step, K of them.

    Attributes
    ----------
    amplitudes
        Height of the bump, metres, shape (K,).
    rises, falls
        Shares of the flight over which it rises and falls, shape (K,).
    exponents, kinds
        Re-timing of the progress, see `retime_progress`, shape (K,).
    floors, ceilings
        Limits of the progress before that, at 0 and 1 or beyond, shape (K,).
    rooms
        Height at `flight_samples` that the swing can do without, metres, shape (K, F).
    """

    amplitudes: FloatArray
    rises: FloatArray
    falls: FloatArray
    exponents: FloatArray
    kinds: FloatArray
    floors: FloatArray
    ceilings: FloatArray
    rooms: FloatArray

    @classmethod
    def none(cls, count: int) -> SwingLifts:
        """Nothing added to ``count`` steps."""
        half, one = np.full(count, 0.5), np.ones(count)
        rooms = np.full((count, len(_FLIGHT)), _FREE)
        free = np.full(count, np.inf)
        return cls(np.zeros(count), half, half.copy(), one, one.copy(), -free, free, rooms)

    def retime(self, steps: np.ndarray, progress: FloatArray) -> FloatArray:
        """Progress (N,) of steps (N,) within its limits and re-timed, (N,)."""
        inside = np.clip(progress, self.floors[steps], self.ceilings[steps])
        return retime_progress(inside, self.exponents[steps], self.kinds[steps])

    def read_rooms(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Heights that steps (N,) can do without at shares of their flight (N,), metres, (N,)."""
        place = np.clip(flight * len(_FLIGHT) - 0.5, 0.0, len(_FLIGHT) - 1.0)
        index = np.minimum(place.astype(np.intp), len(_FLIGHT) - 2)
        share = place - index
        return self.rooms[steps, index] * (1.0 - share) + self.rooms[steps, index + 1] * share


@dataclass(frozen=True)
class PlannedSwings:
    """Swings of K steps of one leg, before any lift.

    Attributes
    ----------
    behind, ahead
        Prints at the ends, world, metres, shape (K, 3).
    frames_behind, frames_ahead
        Their frames, shape (K, 4).
    progress
        At `flight_samples`, shape (K, F).
    deviations
        Offsets from the line there, metres, shape (K, F, 2).
    heights
        Lift over the line there, metres, shape (K, F).
    times
        Seconds of those samples, shape (K, F).
    """

    behind: FloatArray
    ahead: FloatArray
    frames_behind: FloatArray
    frames_ahead: FloatArray
    progress: FloatArray
    deviations: FloatArray
    heights: FloatArray
    times: FloatArray


def flight_samples() -> FloatArray:
    """Shares of the flight at which swings are tested, shape (F,)."""
    return _FLIGHT


def find_blocked_steps(
    swings: PlannedSwings, ground: Ground, foot_length: float, leg_length: float
) -> np.ndarray:
    """Quick test: whether anything stands above the line between two prints, shape (K,) of bool.

    The arrays of ``swings`` over flight samples are not read but for the time in the middle of each.
    """
    points = _place_soles(swings, _QUICK_STATIONS, _QUICK_SOLE, foot_length)
    heights = _cast(ground, swings, points, leg_length)
    above = (heights - points[..., 2]).max(axis=(1, 2)) > _QUICK_HEIGHT * leg_length
    moved = np.hypot(*(swings.ahead - swings.behind)[:, :2].T) > 1e-6
    return above & moved


def plan_lifts(
    swings: PlannedSwings,
    ground: Ground,
    foot_length: float,
    leg_length: float,
    margin: float,
) -> SwingLifts:
    """Choose bump and re-timing for each step.

    Parameters
    ----------
    swings
        The blocked steps.
    ground
        What to clear.
    foot_length, leg_length
        Metres.
    margin
        Clearance over obstacles, metres; never more than the swing's own lift, so that flat ground
        stays untouched.
    """
    count = len(swings.behind)
    needed = _required_heights(swings, ground, foot_length, leg_length)
    result = SwingLifts.none(count)
    result.floors[:], result.ceilings[:] = _find_walls(swings, needed, leg_length)
    held = np.clip(swings.progress, result.floors[:, None], result.ceilings[:, None])
    swings = replace(swings, progress=held)
    best = np.full(count, np.inf)
    line = swings.ahead[:, 2] - swings.behind[:, 2]
    edge = np.minimum(1.0, 4.0 * np.minimum(_FLIGHT, 1.0 - _FLIGHT))
    spare = np.minimum(margin * edge, swings.heights)
    own = swings.heights + _measure_rises(swings)
    length = np.hypot(*(swings.ahead - swings.behind)[:, :2].T)
    for exponent, kind in _RETIMINGS:
        progress = retime_progress(swings.progress, np.array(exponent), np.array(kind))
        asked = _read_rows(needed, progress)
        # A foot that is taken far from where the body expects it is out of the leg's reach.
        moved = np.abs(progress - swings.progress).max(axis=1) * length
        strayed = _STRAY_COST * np.maximum(moved - _MOST_STRAY * leg_length, 0.0)
        inside = np.clip(progress, 0.0, 1.0)
        have = swings.behind[:, 2:3] + line[:, None] * inside + own
        need = asked - have + spare
        need = np.where(need < _NEGLIGIBLE * leg_length, 0.0, need)
        for rise in _SHARES:
            for fall in _SHARES:
                shape = shape_bump(_FLIGHT, np.array(rise), np.array(fall))
                peak = shape.max()
                shape = shape / peak
                amplitude = np.max(need / np.maximum(shape, _BUMP_FLOOR), axis=1)
                amplitude = np.clip(amplitude, 0.0, _MOST_LIFT * leg_length)
                unmet = np.max(need - amplitude[:, None] * shape, axis=1).clip(0.0)
                cost = (
                    amplitude * (1.0 + _SHARP_COST * (1.0 / rise + 1.0 / fall))
                    + _UNMET_COST * unmet
                    + _RETIME_COST * leg_length * (exponent - 1.0)
                    + strayed
                )
                better = cost < best - 1e-9
                best[better] = cost[better]
                result.amplitudes[better] = amplitude[better] / peak
                result.rises[better], result.falls[better] = rise, fall
                result.exponents[better], result.kinds[better] = exponent, kind
    result.rooms[:] = _measure_rooms(swings, result, needed, leg_length)
    return result


def _find_walls(
    swings: PlannedSwings, needed: FloatArray, leg_length: float
) -> tuple[FloatArray, FloatArray]:
    """Progress (K,) and (K,) at which ground behind and ahead of the prints stands in the way."""
    wall = _WALL * leg_length
    spacing = _CLOSE_STATIONS[1] - _CLOSE_STATIONS[0]
    before, beyond = _CLOSE_STATIONS < -1e-9, _CLOSE_STATIONS > 1.0 + 1e-9
    back = (needed > swings.behind[:, 2:3] + wall) & before
    front = (needed > swings.ahead[:, 2:3] + wall) & beyond
    floors = np.where(back, _CLOSE_STATIONS + spacing, -np.inf).max(axis=1)
    ceilings = np.where(front, _CLOSE_STATIONS - spacing, np.inf).min(axis=1)
    return np.minimum(floors, 0.0), np.maximum(ceilings, 1.0)


def _measure_rises(swings: PlannedSwings) -> FloatArray:
    """Rise of the prints' slopes under the swings, metres, shape (K, F)."""
    inside = np.clip(swings.progress, 0.0, 1.0)
    frames = rot.nlerp(swings.frames_behind[:, None], swings.frames_ahead[:, None], inside)
    steps = (swings.ahead - swings.behind)[:, None]
    return measure_slope_rises(frames, swings.progress, steps, swings.deviations)


def _measure_rooms(
    swings: PlannedSwings, lifts: SwingLifts, needed: FloatArray, leg_length: float
) -> FloatArray:
    """How far each swing is above what it has to clear, metres, shape (K, F)."""
    progress = retime_progress(swings.progress, lifts.exponents[:, None], lifts.kinds[:, None])
    line = (swings.ahead[:, 2] - swings.behind[:, 2])[:, None] * np.clip(progress, 0.0, 1.0)
    bump = shape_bump(_FLIGHT, lifts.rises[:, None], lifts.falls[:, None])
    own = swings.heights + _measure_rises(swings) + lifts.amplitudes[:, None] * bump
    have = swings.behind[:, 2:3] + line + own
    rooms = np.maximum(have - _read_rows(needed, progress) - _ROOM_MARGIN * leg_length, 0.0)
    # The least near each instant: read between them, no sole ends up in an edge.
    padded = np.pad(rooms, ((0, 0), (1, 1)), mode="edge")
    return np.minimum(np.minimum(padded[:, :-2], padded[:, 2:]), rooms)


def _place_soles(
    swings: PlannedSwings,
    stations: FloatArray,
    sole: FloatArray,
    foot_length: float,
    deviations: FloatArray | None = None,
) -> FloatArray:
    """Points of the sole at stations of progress on the line, (S,) for all or (K, S), world.

    The result has the shape (K, S, points of the sole, 3).
    """
    stations = np.broadcast_to(stations, (len(swings.behind), np.shape(stations)[-1]))
    away = swings.ahead - swings.behind
    line = swings.behind[:, None] + away[:, None] * stations[..., None]
    if deviations is not None:
        line[..., :2] += deviations
    frames = rot.nlerp(
        swings.frames_behind[:, None], swings.frames_ahead[:, None], np.clip(stations, 0.0, 1.0)
    )
    vectors = rot.rotate(frames, np.array([foot_length, 0.0, 0.0]))
    points: FloatArray = line[:, :, None] + vectors[:, :, None] * sole[:, None]
    return points


def _cast(
    ground: Ground, swings: PlannedSwings, points: FloatArray, leg_length: float
) -> FloatArray:
    """Ground heights under points (K, S, P, 3) of swings, metres; very low where there is none."""
    tops = start_over_prints(swings.behind, swings.ahead, leg_length)
    times = swings.times[:, swings.times.shape[1] // 2]
    hits = cast_soles(ground, points, tops[:, None, None], times[:, None, None])
    return hits.fill(-_VOID * leg_length)


def _required_heights(
    swings: PlannedSwings, ground: Ground, foot_length: float, leg_length: float
) -> FloatArray:
    """Height that the heel end needs at `_CLOSE_STATIONS` of progress, (K, stations)."""
    count = len(swings.behind)
    increasing = np.maximum.accumulate(swings.progress, axis=1)
    deviations = np.stack(
        [
            np.stack(
                [
                    np.interp(_CLOSE_STATIONS, increasing[k], swings.deviations[k, :, c])
                    for c in (0, 1)
                ],
                -1,
            )
            for k in range(count)
        ]
    )
    everyone = np.arange(count)
    far = np.tile(np.arange(0, len(_CLOSE_STATIONS), _CLOSER), (count, 1))
    coarse = _need_at(swings, everyone, far, deviations, ground, foot_length, leg_length)
    share = np.arange(_CLOSER) / _CLOSER
    between = coarse[:, :-1, None] * (1.0 - share) + coarse[:, 1:, None] * share
    needed = np.concatenate([between.reshape(count, -1), coarse[:, -1:]], axis=1)
    row, start = np.nonzero(np.abs(np.diff(coarse, axis=1)) > _JUMP * leg_length)
    if len(row):
        inner = _CLOSER * start[:, None] + np.arange(1, _CLOSER)
        needed[row[:, None], inner] = _need_at(
            swings, row, inner, deviations, ground, foot_length, leg_length
        )
    # The most near each station: read between stations, no sole ends up in an edge.
    padded = np.pad(needed, ((0, 0), (1, 1)), mode="edge")
    return np.maximum(np.maximum(padded[:, :-2], padded[:, 2:]), needed)


def _need_at(
    swings: PlannedSwings,
    rows: np.ndarray,
    stations: np.ndarray,
    deviations: FloatArray,
    ground: Ground,
    foot_length: float,
    leg_length: float,
) -> FloatArray:
    """Height that the heel end of swings (n,) needs at some of `_CLOSE_STATIONS` (n, S), (n, S)."""
    chosen = replace(
        swings, **{entry.name: getattr(swings, entry.name)[rows] for entry in fields(swings)}
    )
    aside = deviations[rows[:, None], stations]
    points = _place_soles(chosen, _CLOSE_STATIONS[stations], _SOLE, foot_length, aside)
    heights = _cast(ground, chosen, points, leg_length)
    rise = points[..., 2] - points[:, :, :1, 2]
    return (heights - rise).max(axis=-1)


def _read_rows(values: FloatArray, progress: FloatArray) -> FloatArray:
    """Each row of (K, stations) read linearly at its own progress (K, F)."""
    place = (progress - _CLOSE_STATIONS[0]) / (_CLOSE_STATIONS[1] - _CLOSE_STATIONS[0])
    index = np.clip(np.floor(place).astype(np.intp), 0, len(_CLOSE_STATIONS) - 2)
    share = np.clip(place - index, 0.0, 1.0)
    low = np.take_along_axis(values, index, axis=1)
    high = np.take_along_axis(values, index + 1, axis=1)
    return low * (1.0 - share) + high * share
