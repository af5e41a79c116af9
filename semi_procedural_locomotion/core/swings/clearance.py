# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swings lifted over what lies between two prints, step by step, all steps at once (numpy only).

A smooth bump over the flight and a re-timed progress are chosen from a small table, so that the sole
passes over the ground under its own path with the least lift and the calmest curve
(docs/method/swings.md, Clearance).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from itertools import product

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..prints.steps import StepPlan
from .flight import measure_slope_rises, retime_progress, shape_bump
from .fold_costs import SwingFolds, SwingHips
from .limits import CLEARANCE, COSTS
from .paces import SwingPaces
from .records import SwingLifts


@dataclass(frozen=True)
class SwingLines:
    """Straight lines between the prints of K steps.

    Attributes
    ----------
    behind, ahead
        Prints at the ends, world, metres, shape (K, 3).
    frames_behind, frames_ahead
        Their frames, shape (K, 4).
    times
        Seconds at which the ground is looked at, shape (K,).
    """

    behind: FloatArray
    ahead: FloatArray
    frames_behind: FloatArray
    frames_ahead: FloatArray
    times: FloatArray

    @classmethod
    def read(cls, plan: StepPlan, leg: int, steps: np.ndarray) -> SwingLines:
        """Of steps (K,) of a leg; ground that moves is taken as in the middle of each flight."""
        half = np.full(len(steps), CLEARANCE.flight[len(CLEARANCE.flight) // 2])
        middles = plan.find_flight_times(leg, steps, half)
        states = plan.read_flights(leg, steps, half, middles)
        return cls(states.behind, states.ahead, states.frames_behind, states.frames_ahead, middles)

    def take(self, rows: np.ndarray) -> SwingLines:
        """Some of the lines, in any order and number."""
        return SwingLines(*(getattr(self, entry.name)[rows] for entry in fields(self)))


@dataclass(frozen=True)
class PlannedSwings:
    """Swings of K steps of one leg, before any lift.

    Attributes
    ----------
    lines
        Between their prints.
    progress
        At the shares of `CLEARANCE.flight`, shape (K, F).
    deviations
        Offsets from the lines there, metres, shape (K, F, 2).
    heights
        Lift over the lines there, metres, shape (K, F).
    fastest
        Way of each in its flight at the fastest pace of its motions, metres, shape (K,).
    hips
        Where their hips are.
    """

    lines: SwingLines
    progress: FloatArray
    deviations: FloatArray
    heights: FloatArray
    fastest: FloatArray
    hips: SwingHips


def find_blocked_steps(
    lines: SwingLines, ground: Ground, sole: tuple[float, float], leg_length: float
) -> np.ndarray:
    """Quick test: whether anything blocks the straight way between two prints, shape (K,) of bool.

    Motions draw feet back before they leave their prints, and let them overshoot the next: there the
    line goes on with the slopes of the prints.

    ``sole`` is its length and width, ``leg_length`` L, metres.
    """
    length, width = sole
    stations = CLEARANCE.quick_stations
    middle = _place_soles(lines, stations, CLEARANCE.quick_sole, length)
    inside = np.clip(stations, 0.0, 1.0)
    frames = rot.nlerp(lines.frames_behind[:, None], lines.frames_ahead[:, None], inside)
    steps = (lines.ahead - lines.behind)[:, None]
    rises = measure_slope_rises(frames, stations, steps, np.zeros(2))
    middle[..., 2] += (rises - steps[..., 2] * (stations - inside))[..., None]
    side = rot.rotate(
        frames, np.array([0.0, 0.5 * width + CLEARANCE.quick_beside * leg_length, 0.0])
    )
    points = np.concatenate(
        [middle + across * side[:, :, None] for across in (-1.0, 0.0, 1.0)], axis=2
    )
    heights = _cast(ground, lines, points, leg_length)
    above = (heights - points[..., 2]).max(axis=2)
    # What rises like a slope before and beyond the prints is no wall, and feet are high over it.
    outside = np.abs(stations - inside) * np.hypot(steps[..., 0], steps[..., 1])
    free = CLEARANCE.quick_height * leg_length + CLEARANCE.quick_slope * outside
    above = (above > free).any(axis=1)
    moved = np.hypot(*(lines.ahead - lines.behind)[:, :2].T) > 1e-6
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
    lines, count = swings.lines, len(swings.progress)
    needed = _required_heights(swings, ground, foot_length, leg_length)
    result = SwingLifts.none(count)
    result.floors[:], result.ceilings[:] = _find_walls(lines, needed, leg_length)
    held = np.clip(swings.progress, result.floors[:, None], result.ceilings[:, None])
    swings = replace(swings, progress=held)
    best, fastest = np.full(count, np.inf), swings.fastest
    flight = CLEARANCE.flight
    line = lines.ahead[:, 2] - lines.behind[:, 2]
    edge = np.minimum(1.0, CLEARANCE.edge * np.minimum(flight, 1.0 - flight))
    spare = np.minimum(margin * edge, swings.heights)
    own = swings.heights + _measure_rises(swings)
    length = np.hypot(*(lines.ahead - lines.behind)[:, :2].T)
    for exponent, kind in CLEARANCE.retimings:
        progress = retime_progress(swings.progress, np.array(exponent), np.array(kind))
        asked = _read_rows(needed, progress)
        # A foot that is taken far from where the body expects it is out of the leg's reach.
        moved = np.abs(progress - swings.progress).max(axis=1) * length
        strayed = COSTS.stray * np.maximum(moved - COSTS.most_stray * leg_length, 0.0)
        inside = np.clip(progress, 0.0, 1.0)
        have = lines.behind[:, 2:3] + line[:, None] * inside + own
        need = asked - have + spare
        need = np.where(need < CLEARANCE.negligible * leg_length, 0.0, need)
        fixed = COSTS.retime * leg_length * (exponent - 1.0)
        if exponent == 1.0:
            # What needs nothing goes as its motion does, however fast that is.
            fastest = np.where(need.any(axis=1), swings.fastest, np.inf)
        places = _place_swings(swings, progress, have)
        paces = SwingPaces.read(places, lines.behind, lines.ahead, fastest)
        folds = swings.hips.measure_folds(places)
        choose_bumps(
            result, best, need, (exponent, kind), (fixed, strayed), (paces, folds), leg_length
        )
    result.rooms[:] = _measure_rooms(swings, result, needed, leg_length)
    return result


def choose_bumps(
    result: SwingLifts,
    best: FloatArray,
    need: FloatArray,
    retiming: tuple[float, int],
    costs: tuple[float, FloatArray],
    ways: tuple[SwingPaces, SwingFolds],
    leg_length: float,
    ends: bool = True,
) -> None:
    """Take bumps for a re-timing where they are cheaper than the ``best`` (K,) so far, in place.

    ``need`` (K, F) is what they have to add, metres; ``costs`` are those of the re-timing itself, one
    for all steps and one for each, ``ways`` tell those of the ways that it makes. Without ``ends`` no
    bump is raised for what is needed so near to its ends that it hardly lifts there.
    """
    paces, folds = ways
    most = CLEARANCE.most_lift * leg_length
    for rise, fall in product(CLEARANCE.shares, CLEARANCE.shares):
        shape = shape_bump(CLEARANCE.flight, np.array(rise), np.array(fall))
        peak = shape.max()
        shape = shape / peak
        asked = need if ends else np.where(shape < CLEARANCE.bump_floor, 0.0, need)
        scaled = np.clip(asked / np.maximum(shape, CLEARANCE.bump_floor), 0.0, most)
        is_covered = rise in CLEARANCE.covered and fall in CLEARANCE.covered
        for reach in (0, CLEARANCE.cover) if is_covered else (0,):
            covers = cover_heights(scaled, reach)
            bumps = covers * shape
            unmet = np.max(need - bumps, axis=1).clip(0.0)
            cost = (
                bumps.max(axis=1)
                + COSTS.sharp * _measure_slopes(bumps)
                + COSTS.unmet * unmet
                + COSTS.fast * leg_length * paces.measure_excess(bumps)
                + COSTS.fold * folds.measure_shortage(bumps)
                + costs[0]
                + costs[1]
            )
            better = cost < best - COSTS.gain
            best[better] = cost[better]
            highest = covers[better].max(axis=1)
            result.amplitudes[better] = highest / peak
            shares = covers[better] / np.where(highest > 0.0, highest, 1.0)[:, None]
            result.covers[better] = np.where(highest[:, None] > 0.0, shares, 1.0)
            result.rises[better], result.falls[better] = rise, fall
            result.exponents[better], result.kinds[better] = retiming


def cover_heights(heights: FloatArray, reach: int) -> FloatArray:
    """Smooth curve over heights (K, F) that is nowhere below them; 0 for the highest all along."""
    if reach == 0:
        return np.broadcast_to(heights.max(axis=1, keepdims=True), heights.shape)
    return blur_hann(find_sliding_maximum(heights, reach, axis=1), reach, axis=1)


def _measure_slopes(bumps: FloatArray) -> FloatArray:
    """Steepest rise and fall of bumps (K, F), as heights over shares of a quintic rise and fall, (K,)."""
    slopes = np.diff(np.pad(bumps, ((0, 0), (1, 1))), axis=1) * len(CLEARANCE.flight)
    return np.asarray((slopes.max(axis=1) - slopes.min(axis=1)) / CLEARANCE.quintic_slope)


def _place_swings(swings: PlannedSwings, progress: FloatArray, heights: FloatArray) -> FloatArray:
    """World places of swings at a progress and heights, both (K, F), before any bump, (K, F, 3)."""
    lines = swings.lines
    level = (lines.ahead - lines.behind)[:, None, :2] * progress[..., None] + swings.deviations
    return np.concatenate([lines.behind[:, None, :2] + level, heights[..., None]], axis=-1)


def _find_walls(
    lines: SwingLines, needed: FloatArray, leg_length: float
) -> tuple[FloatArray, FloatArray]:
    """Progress (K,) and (K,) at which ground behind and ahead of the prints stands in the way."""
    wall = CLEARANCE.wall * leg_length
    spacing = CLEARANCE.stations[1] - CLEARANCE.stations[0]
    before, beyond = CLEARANCE.stations < -1e-9, CLEARANCE.stations > 1.0 + 1e-9
    back = (needed > lines.behind[:, 2:3] + wall) & before
    front = (needed > lines.ahead[:, 2:3] + wall) & beyond
    floors = np.where(back, CLEARANCE.stations + spacing, -np.inf).max(axis=1)
    ceilings = np.where(front, CLEARANCE.stations - spacing, np.inf).min(axis=1)
    return np.minimum(floors, 0.0), np.maximum(ceilings, 1.0)


def _measure_rises(swings: PlannedSwings) -> FloatArray:
    """Rise of the prints' slopes under the swings, metres, shape (K, F)."""
    lines, inside = swings.lines, np.clip(swings.progress, 0.0, 1.0)
    frames = rot.nlerp(lines.frames_behind[:, None], lines.frames_ahead[:, None], inside)
    steps = (lines.ahead - lines.behind)[:, None]
    return measure_slope_rises(frames, swings.progress, steps, swings.deviations)


def _measure_rooms(
    swings: PlannedSwings, lifts: SwingLifts, needed: FloatArray, leg_length: float
) -> FloatArray:
    """How far each swing is above what it has to clear, metres, shape (K, F)."""
    progress = retime_progress(swings.progress, lifts.exponents[:, None], lifts.kinds[:, None])
    behind, ahead = swings.lines.behind, swings.lines.ahead
    line = (ahead[:, 2] - behind[:, 2])[:, None] * np.clip(progress, 0.0, 1.0)
    steps, flight = np.indices(progress.shape)
    bumps = lifts.read_bumps(steps, CLEARANCE.flight[flight])
    own = swings.heights + _measure_rises(swings) + bumps
    have = behind[:, 2:3] + line + own
    rooms = np.maximum(
        have - _read_rows(needed, progress) - CLEARANCE.room_margin * leg_length, 0.0
    )
    # The least near each instant: read between them, no sole ends up in an edge.
    padded = np.pad(rooms, ((0, 0), (1, 1)), mode="edge")
    return np.minimum(np.minimum(padded[:, :-2], padded[:, 2:]), rooms)


def _place_soles(
    lines: SwingLines,
    stations: FloatArray,
    sole: FloatArray,
    foot_length: float,
    deviations: FloatArray | None = None,
) -> FloatArray:
    """Points of the sole at stations of progress on the line, (S,) for all or (K, S), world.

    The result has the shape (K, S, points of the sole, 3).
    """
    stations = np.broadcast_to(stations, (len(lines.behind), np.shape(stations)[-1]))
    away = lines.ahead - lines.behind
    line = lines.behind[:, None] + away[:, None] * stations[..., None]
    if deviations is not None:
        line[..., :2] += deviations
    frames = rot.nlerp(
        lines.frames_behind[:, None], lines.frames_ahead[:, None], np.clip(stations, 0.0, 1.0)
    )
    vectors = rot.rotate(frames, np.array([foot_length, 0.0, 0.0]))
    points: FloatArray = line[:, :, None] + vectors[:, :, None] * sole[:, None]
    return points


def _cast(ground: Ground, lines: SwingLines, points: FloatArray, leg_length: float) -> FloatArray:
    """Ground heights under points (K, S, P, 3) along lines, metres; very low where there is none."""
    tops = start_over_prints(lines.behind, lines.ahead, leg_length)[:, None, None]
    floors = tops - STARTS.over_prints * leg_length
    hits = cast_soles(ground, points, tops, lines.times[:, None, None], floors=floors)
    return hits.fill(-CLEARANCE.void * leg_length)


def _required_heights(
    swings: PlannedSwings, ground: Ground, foot_length: float, leg_length: float
) -> FloatArray:
    """Height that the heel end needs at `CLEARANCE.stations` of progress, (K, stations)."""
    count = len(swings.progress)
    increasing = np.maximum.accumulate(swings.progress, axis=1)
    deviations = np.stack(
        [
            np.stack(
                [
                    np.interp(CLEARANCE.stations, increasing[k], swings.deviations[k, :, c])
                    for c in (0, 1)
                ],
                -1,
            )
            for k in range(count)
        ]
    )
    everyone = np.arange(count)
    far = np.tile(np.arange(0, len(CLEARANCE.stations), CLEARANCE.closer), (count, 1))
    coarse = _need_at(swings.lines, everyone, far, deviations, ground, foot_length, leg_length)
    share = np.arange(CLEARANCE.closer) / CLEARANCE.closer
    between = coarse[:, :-1, None] * (1.0 - share) + coarse[:, 1:, None] * share
    needed = np.concatenate([between.reshape(count, -1), coarse[:, -1:]], axis=1)
    row, start = np.nonzero(np.abs(np.diff(coarse, axis=1)) > CLEARANCE.jump * leg_length)
    if len(row):
        inner = CLEARANCE.closer * start[:, None] + np.arange(1, CLEARANCE.closer)
        needed[row[:, None], inner] = _need_at(
            swings.lines, row, inner, deviations, ground, foot_length, leg_length
        )
    # The most near each station: read between stations, no sole ends up in an edge.
    padded = np.pad(needed, ((0, 0), (1, 1)), mode="edge")
    return np.maximum(np.maximum(padded[:, :-2], padded[:, 2:]), needed)


def _need_at(
    lines: SwingLines,
    rows: np.ndarray,
    stations: np.ndarray,
    deviations: FloatArray,
    ground: Ground,
    foot_length: float,
    leg_length: float,
) -> FloatArray:
    """Height that the heel end of swings (n,) needs at some of `CLEARANCE.stations` (n, S), (n, S)."""
    chosen = lines.take(rows)
    aside = deviations[rows[:, None], stations]
    points = _place_soles(chosen, CLEARANCE.stations[stations], CLEARANCE.sole, foot_length, aside)
    heights = _cast(ground, chosen, points, leg_length)
    rise = points[..., 2] - points[:, :, :1, 2]
    return (heights - rise).max(axis=-1)


def _read_rows(values: FloatArray, progress: FloatArray) -> FloatArray:
    """Each row of (K, stations) read linearly at its own progress (K, F)."""
    place = (progress - CLEARANCE.stations[0]) / (CLEARANCE.stations[1] - CLEARANCE.stations[0])
    index = np.clip(np.floor(place).astype(np.intp), 0, len(CLEARANCE.stations) - 2)
    share = np.clip(place - index, 0.0, 1.0)
    low = np.take_along_axis(values, index, axis=1)
    high = np.take_along_axis(values, index + 1, axis=1)
    return low * (1.0 - share) + high * share
