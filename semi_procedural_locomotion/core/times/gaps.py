# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaps in the ground along a way, and travels that jump over them (numpy only)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np

from ..body.airborne.gravity import find_gravity
from ..body.airborne.limits import JUMPS
from ..body.airborne.records import Jump
from ..body.airborne.shapes import find_flight
from ..ground.interface import Ground
from ..maths.constants import MOST_STATIONS, SAMPLE_RATE
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..travel.way import Travel, lay_flights, lay_stations, measure_travel
from .levels import find_levels
from .limits import GAPS


class Hindrance(Enum):
    """Why a gap is not jumped."""

    TIMED = auto()
    """The way keeps the time that somebody gave it."""
    RIDES = auto()
    """The ground along the way moves, or the way does."""
    WIDE = auto()
    """No ground is within the longest jump."""
    PIT = auto()
    """From the bottom no step leads on."""
    RUN_UP = auto()
    """It begins too near to the start or to the jump before."""
    END = auto()
    """The way ends before the landing."""


@dataclass(frozen=True)
class Gap:
    """A stretch of a way without ground to step on.

    Attributes
    ----------
    first, last
        Metres along the way at which ground ends, and at which it begins again.
    rise
        From the one to the other, metres.
    hindrance
        Why it cannot be jumped; None where it can.
    """

    first: float
    last: float
    rise: float
    hindrance: Hindrance | None = None


@dataclass(frozen=True)
class GapRules:
    """Record of what gaps are, and which are jumped, metres.

    Attributes
    ----------
    depth
        By which ground is lower than where it ends to be none.
    narrow, widest
        Between which gaps are jumped over; edges are jumped down from as far as the latter.
    over
        Above an edge up to which surfaces are what lies ahead of it.
    ahead
        Beyond a landing in which there is to be no wall.
    """

    depth: float
    narrow: float
    widest: float
    over: float = 0.0
    step: float = np.inf
    ahead: float = np.inf


def find_gaps(
    tables: MotionTables, travel: Travel, ground: Ground, settings: PlanSettings, widest: float
) -> list[Gap]:
    """Gaps along a travel that are wider than a step of its slowest walk, and edges to jump down from.

    Parameters
    ----------
    travel
        Where it goes.
    ground
        What it walks on; it stands still.
    widest
        Metres that are jumped over or down at most.
    """
    length = tables.rig.leg_length
    stations = lay_stations(travel, GAPS.spacing * length, MOST_STATIONS)
    if stations is None:
        return []
    distances, times = stations
    levels = find_levels(tables, travel, ground, settings, times)
    layers = ground.cast_all(travel.evaluate(times)[0], times)
    narrow = 0.5 * tables.cycles.strides[tables.cycles.slowest] - tables.rig.foot_lengths.max()
    rules = GapRules(
        depth=GAPS.depth * length,
        narrow=max(float(narrow), 0.0),
        widest=widest,
        over=GAPS.over * length,
        step=settings.step_limit * length,
        ahead=GAPS.ahead * length,
    )

    def find_tops(limits: FloatArray) -> FloatArray:
        below = layers.heights <= limits[layers.rays]
        heights = np.full(len(times), -np.inf)
        np.maximum.at(heights, layers.rays[below], layers.heights[below])
        return np.where(np.isfinite(heights), heights, np.nan)

    gaps = list_gaps(distances, find_tops(levels + rules.over), rules, find_tops)
    moving = np.isin(layers.surfaces, list(ground.moving_surfaces()))
    if gaps and np.any(moving & (layers.heights <= levels[layers.rays] + rules.over)):
        return [replace(gap, hindrance=Hindrance.RIDES) for gap in gaps]
    return gaps


def list_gaps(
    distances: FloatArray,
    heights: FloatArray,
    rules: GapRules,
    find_tops: Callable[[FloatArray], FloatArray] | None = None,
) -> list[Gap]:
    """Gaps in a profile.

    Parameters
    ----------
    distances, heights
        Of its stations, metres, nan where there is no ground, shape (n,).
    rules
        What a gap is.
    find_tops
        Heights (n,) of the highest surfaces below limits (n,), nan for none: a walk that went down
        into a trench does not know what its far side is. None for the profile alone.
    """
    found = []
    falls = np.isnan(heights[1:]) | (heights[1:] < heights[:-1] - rules.depth)
    edges = np.flatnonzero(falls & ~np.isnan(heights[:-1]))
    begin = -np.inf
    for edge in edges.tolist():
        first, height = float(distances[edge]), float(heights[edge])
        if first < begin:
            continue
        limits = np.full(len(distances), height + rules.over)
        tops = heights if find_tops is None else np.fmax(heights, find_tops(limits))
        reached = (distances > first) & (distances <= first + rules.widest)
        sides = np.flatnonzero(reached & (tops >= height - rules.depth))
        floor = np.flatnonzero(reached & (heights >= height - rules.widest))
        if len(sides):
            last = int(sides[0])
            begin = float(distances[last])
            if begin - first <= rules.narrow:
                continue
            found.append(Gap(first, begin, float(tops[last]) - height))
        elif len(floor):
            last = int(floor[0])
            begin = float(distances[last])
            beyond = np.flatnonzero((distances > begin) & (distances <= begin + rules.ahead))
            out = beyond[heights[beyond] >= height - rules.depth]
            beyond = beyond[beyond < out[0]] if len(out) else beyond
            walled = bool(np.any(tops[beyond] > heights[beyond] + rules.step))
            reason = Hindrance.PIT if walled else None
            found.append(Gap(first, begin, float(heights[last]) - height, reason))
        else:
            found.append(Gap(first, first, 0.0, Hindrance.WIDE))
    return found


def lead_on(travel: Travel, distance: float, speed: float) -> Travel:
    """A travel that leads straight on for so many metres at a speed, metres a second."""
    steps = np.diff(travel.positions[:, :2], axis=0)
    moved = np.flatnonzero(np.hypot(*steps.T) > 0.0)
    if not len(moved):
        return travel
    ahead = steps[moved[-1]] / float(np.hypot(*steps[moved[-1]]))
    place = travel.positions[-1] + np.append(distance * ahead, 0.0)
    return replace(
        travel,
        times=np.append(travel.times, travel.end + distance / speed),
        positions=np.vstack([travel.positions, place]),
        yaws=np.append(travel.yaws, travel.yaws[-1]),
        turns=None,
    )


def jump_gaps(
    tables: MotionTables, travel: Travel, gaps: Sequence[Gap]
) -> tuple[Travel, list[Gap]]:
    """A travel that jumps over gaps, in its own time, and the gaps that it cannot jump.

    It is the same one where it can jump over none.

    Parameters
    ----------
    travel
        Where it goes.
    gaps
        In their order.
    """
    along, clock = measure_travel(travel)
    stride = float(tables.cycles.strides[tables.cycles.slowest])
    gravity, shift = find_gravity(tables), 0.0
    ahead = _measure_soles(tables)
    jumps: list[tuple[Jump, float, float]] = []
    free, left = GAPS.run_up * stride, list[Gap]()
    for gap in gaps:
        if gap.hindrance is not None:
            left.append(gap)
            continue
        reach = JUMPS.bears * 0.5 * stride
        margin = GAPS.margin * tables.rig.leg_length
        off = gap.first - margin - float(ahead[:, 1].max()) + reach
        strike = gap.last + margin - float(ahead[:, 0].min()) - reach
        # Down from an edge feet land clear of it.
        strike = max(strike, off + GAPS.least * stride)
        if off < free or strike > along[-1]:
            reason = Hindrance.RUN_UP if off < free else Hindrance.END
            left.append(replace(gap, hindrance=reason))
            continue
        ends = np.interp([off - GAPS.look * stride, off, strike], along, clock)
        speed = GAPS.look * stride / max(float(ends[1] - ends[0]), 1e-9)
        span = find_flight(strike - off, gap.rise, speed, JUMPS.hop * stride, gravity)
        begin = float(ends[1]) + shift
        jumps.append((Jump(begin, begin + span, rise=gap.rise), float(ends[1]), float(ends[2])))
        shift += span - float(ends[2] - ends[1])
        free = strike + GAPS.run_up * stride
    if not jumps:
        return travel, left
    return _retime(travel, jumps, stride, GAPS.depth * tables.rig.leg_length), left


def _measure_soles(tables: MotionTables) -> FloatArray:
    """How far heels and toes of the slowest walk are ahead of its body at stance, metres, (L, 2)."""
    slowest = tables.cycles.slowest
    velocity = tables.cycles.velocities[slowest]
    heels = tables.leg_cycles.stance_positions[slowest][:, :2] @ velocity
    heels = heels / max(float(np.hypot(*velocity)), 1e-9)
    return np.stack([heels, heels + tables.rig.foot_lengths], axis=1)


def _retime(
    travel: Travel, jumps: Sequence[tuple[Jump, float, float]], stride: float, depth: float
) -> Travel:
    """A travel with jumps, whose flights begin and end at two times of its own clock each."""
    times = travel.times
    for _, off, strike in jumps:
        around = np.arange(off - GAPS.around, strike + GAPS.around, 1.0 / SAMPLE_RATE)
        around = around[(around > travel.start) & (around < travel.end)]
        times = np.union1d(times, around)
    for _, off, strike in jumps:
        inside = np.linspace(off, strike, JUMPS.samples + 1)
        outside = (times < off - GAPS.same) | (times > strike + GAPS.same)
        times = np.sort(np.concatenate([times[outside], inside]))
    positions, yaws = travel.evaluate(times)
    way, clock = np.column_stack([positions[:, :2], yaws, positions[:, 2]]), times.copy()
    for jump, off, strike in jumps:
        share = np.clip((times - off) / (strike - off), 0.0, 1.0)
        clock += share * (jump.flight - (strike - off))
        climbed = float(np.interp(strike, times, way[:, 3]) - np.interp(off, times, way[:, 3]))
        if abs(jump.rise) > depth:
            way[:, 3] += share * (jump.rise - climbed)
    flights = tuple(jump for jump, _, _ in jumps)
    way = lay_flights(clock, way, flights, stride)
    return replace(
        travel,
        times=clock,
        positions=way[:, [0, 1, 3]],
        yaws=way[:, 2],
        turns=None,
        jumps=flights,
    )


def fit_jumps(
    phases: FloatArray, times: FloatArray, jumps: Sequence[Jump], tables: MotionTables
) -> FloatArray:
    """Phases (G,) of a walk that jumps between two of its stances.

    Parameters
    ----------
    phases
        As without jumps, cycles.
    times
        Of the grid, seconds, shape (G,).
    jumps
        In their order.
    """
    stances = np.sort(tables.leg_cycles.stances[tables.cycles.slowest] % 1.0)
    pauses = np.diff(np.append(stances, stances[0] + 1.0))
    begins, pauses = stances[pauses > GAPS.pause], pauses[pauses > GAPS.pause]
    offs, spans = begins + JUMPS.bears * pauses, (1.0 - 2.0 * JUMPS.bears) * pauses
    period = tables.cycles.slowest_period
    for jump in jumps:
        left, met = np.interp([jump.off, jump.strike], times, phases)
        shifts = (offs - left + 0.5) % 1.0 - 0.5
        chosen = int(np.argmin(np.abs(shifts)))
        since = np.clip((times - jump.off) / (GAPS.settle * period) + 1.0, 0.0, 1.0)
        before = phases + shifts[chosen] * since * since * (3.0 - 2.0 * since)
        begin = left + shifts[chosen]
        inside = begin + spans[chosen] * np.clip((times - jump.off) / jump.flight, 0.0, 1.0)
        after = phases - met + begin + spans[chosen]
        phases = np.where(times < jump.off, before, np.where(times < jump.strike, inside, after))
    return np.maximum.accumulate(phases)
