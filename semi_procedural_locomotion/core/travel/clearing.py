# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways shifted aside so that a body keeps clear of walls (numpy only).

Places beside the way are tried at every station; of all ways through them the cheapest is taken
(docs/method/travel.md, Keeping clear of walls).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from .carried import CarriedTravel, carry_travel
from .limits import CLEARING, PASSAGE
from .passages import BodyRoom, Crossing, Passage, cast_bases, lay_points
from .way import Travel


@dataclass(frozen=True)
class Aisle:
    """The room beside a way in which it may be shifted.

    Attributes
    ----------
    room
        The stations of the way that it has.
    rows
        Their numbers among all stations, shape (S,).
    offsets
        Places of the columns, metres to the left of the way, shape (O,).
    passage
        Sheets across all of it.
    stands
        Whether there is ground to walk on under each column, shape (S, O) of bool.
    open_ends
        Whether its start and its end are those of the whole way.
    """

    room: BodyRoom
    rows: np.ndarray
    offsets: FloatArray
    passage: Passage
    stands: np.ndarray
    open_ends: tuple[bool, bool]


def lay_aisles(
    room: BodyRoom,
    crossed: Sequence[tuple[int, int]],
    ground: Ground,
    length: float,
    limits: tuple[float, float],
) -> list[Aisle]:
    """The room beside a way around what it crosses.

    Parameters
    ----------
    room
        The body on its way.
    crossed
        First and last station of each stretch that is in a wall.
    ground
        What it walks on.
    length
        Of the leg, metres.
    limits
        Rise of the steepest ground, and highest step, metres.
    """
    steepest, step_limit = limits
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(room.centres, axis=0).T))])
    near = np.zeros(len(way), dtype=bool)
    for first, last in crossed:
        before, behind = way[first], way[last]
        span = CLEARING.before * length
        near |= (way >= before - span) & (way <= behind + span)
    spacing = room.width / CLEARING.columns
    steps = int(np.ceil((2.0 * CLEARING.widths * room.width + room.widths.max()) / spacing)) + 1
    offsets = spacing * np.arange(-steps, steps + 1)
    aisles = []
    for rows in np.split(
        np.flatnonzero(near), np.flatnonzero(np.diff(np.flatnonzero(near)) > 1) + 1
    ):
        part = _select(room, rows)
        spread = np.tile(offsets, (len(rows), 1))
        bases = cast_bases(part, ground, spread, steepest)
        points = lay_points(
            part, bases, np.broadcast_to(offsets, (*part.levels.shape, len(offsets)))
        )
        passage = Passage(part.times, points, solid=True)
        stands = _find_stands(part, ground, spread, step_limit)
        open_ends = (bool(rows[0] == 0), bool(rows[-1] == len(way) - 1))
        aisles.append(Aisle(part, rows, offsets, passage, stands, open_ends))
    return aisles


def find_shifts(aisle: Aisle, crossings: Sequence[Crossing], length: float) -> FloatArray:
    """How far the way gives way at each station of an aisle, metres to the left, shape (S,).

    Parameters
    ----------
    aisle
        The room.
    crossings
        What stands in it.
    length
        Of the leg, metres.
    """
    depths, candidates = _measure_depths(aisle, crossings, length)
    width = aisle.room.width
    cost = CLEARING.blocked * depths / width + CLEARING.aside * (candidates / width) ** 2
    moved = np.concatenate([[0.0], np.hypot(*np.diff(aisle.room.centres, axis=0).T)])
    walks = moved > CLEARING.moving * PASSAGE.spacing * length
    shares, every = candidates / width, np.arange(len(cost))
    chosen = _find_cheapest(cost + _measure_end_costs(depths, shares, (False, False)), walks)
    # What is deep for as long as stations look ahead is so where the wall itself is.
    span = min(CLEARING.smoothing, len(cost) - 1)
    deepest = -find_sliding_maximum(-depths[every, chosen], span).min()
    if deepest > CLEARING.scraped * length:
        open_cost = _measure_end_costs(depths, shares, aisle.open_ends)
        chosen = _find_cheapest(cost + open_cost, walks)
    return blur_hann(candidates[chosen], min(CLEARING.smoothing, len(chosen) - 1))


def shift_travel(
    travel: Travel, times: FloatArray, sides: FloatArray, shifts: FloatArray, *, turns: bool
) -> Travel:
    """A travel with its way shifted aside.

    Parameters
    ----------
    travel
        The travel.
    times
        Seconds, increasing, shape (S,).
    sides
        Unit vectors to the left of the way at these times, world, shape (S, 2).
    shifts
        Metres to the left at these times, shape (S,).
    turns
        Whether the character faces along the shifted way.
    """
    if isinstance(travel, CarriedTravel):
        axes = np.linalg.pinv(travel.carrier.find_motions(times)[:, :3, :3])
        own = np.einsum("sij,sj->si", axes[:, :2, :2], sides)
        return carry_travel(
            shift_travel(travel.local, times, own, shifts, turns=turns), travel.carrier
        )
    count = max(int(np.ceil((travel.end - travel.start) * CLEARING.rate)) + 1, 2)
    dense = np.linspace(travel.start, travel.end, count)
    interval = float(dense[1] - dense[0])
    places, yaws = travel.evaluate(dense)
    aside = np.interp(dense, times, shifts)
    aside = blur_hann(aside, min(round(CLEARING.blur / interval), count - 1))
    if turns:
        speed = np.hypot(*np.gradient(places[:, :2], interval, axis=0).T)
        slow = CLEARING.slow * max(float(speed.max()), rot.TINY)
        yaws = yaws + np.arctan(np.gradient(aside, interval) / np.maximum(speed, slow))
    left = np.stack([np.interp(dense, times, sides[:, axis]) for axis in (0, 1)], axis=1)
    places[:, :2] += aside[:, None] * left / np.hypot(left[:, 0], left[:, 1])[:, None]
    return replace(travel, times=dense, positions=places, yaws=yaws, turns=None)


def _select(room: BodyRoom, rows: np.ndarray) -> BodyRoom:
    """Some stations of a room."""
    return BodyRoom(**{name: value[rows] for name, value in vars(room).items()})


def _find_stands(
    room: BodyRoom, ground: Ground, offsets: FloatArray, step_limit: float
) -> np.ndarray:
    """Whether there is ground within a step's height under places beside the way, (S, O) of bool."""
    places = room.centres[:, None] + offsets[..., None] * room.sides[:, None]
    starts = np.concatenate(
        [places, np.broadcast_to(room.grounds[:, None, None] + step_limit, (*offsets.shape, 1))],
        axis=2,
    )
    times = np.broadcast_to(room.times[:, None], offsets.shape)
    hits = ground.cast_down(starts.reshape(-1, 3), times.ravel())
    heights = np.where(hits.hit, hits.points[:, 2], -np.inf).reshape(offsets.shape)
    return np.asarray(heights >= room.grounds[:, None] - step_limit)


def _measure_depths(
    aisle: Aisle, crossings: Sequence[Crossing], length: float
) -> tuple[FloatArray, FloatArray]:
    """How deep walls would be in the body at each station and shift, and the shifts.

    Returns
    -------
    depths
        From the body's side to the innermost wall, metres, 0 where it is clear, shape (S, K).
    shifts
        Metres to the left, shape (K,).
    """
    room, offsets = aisle.room, aisle.offsets
    spacing = float(offsets[1] - offsets[0])
    most = int(2.0 * CLEARING.widths * room.width / spacing + 1e-6)
    shifts = spacing * np.arange(-most, most + 1)
    filled = _fill_cells(aisle, crossings)
    widths = find_sliding_maximum(room.widths, min(CLEARING.smoothing, len(room.times) - 1))
    widths = widths + CLEARING.gap * length
    middles = 0.5 * (offsets[:-1] + offsets[1:])
    depths = np.zeros((len(room.times), len(shifts)))
    for number, shift in enumerate(shifts):
        # A cell counts from its inner edge on.
        inner = np.maximum(np.abs(middles - shift) - 0.5 * spacing, 0.0)
        deep = np.maximum(widths[..., None] - inner, 0.0)
        depths[:, number] = np.where(filled, deep, 0.0).max(axis=(1, 2))
    middle = np.argmin(np.abs(offsets[:, None] - shifts), axis=0)
    falls = ~aisle.stands[:, middle]
    depths = np.where(falls, np.maximum(depths, room.width), depths)
    return find_sliding_maximum(depths, min(CLEARING.smoothing, len(depths) - 1)), shifts


def _fill_cells(aisle: Aisle, crossings: Sequence[Crossing]) -> np.ndarray:
    """Which cells between stations, levels and columns have something in them.

    Returns
    -------
    array, shape (S, H, O - 1) of bool
        At stations and levels; a piece between two of them fills both.
    """
    sheets = aisle.passage.sheets
    stations, levels, columns = aisle.passage.points.shape[:3]
    filled = np.zeros((stations, levels, columns + 1), dtype=bool)
    pieces = np.concatenate([[], *(crossing.pieces for crossing in crossings)]).astype(int)
    station, level, column = sheets.cells[pieces].T
    lies, stands = sheets.level[pieces], sheets.upright[pieces]
    ahead = np.minimum(station + (lies | stands), stations - 1)
    above = np.minimum(level + ~lies, levels - 1)
    for at in (station, ahead):
        for height in (level, above):
            # An upright piece between two columns of cells fills both; cells are counted from 1.
            filled[at, height, column + 1] = True
            filled[at, height, np.where(stands, column, column + 1)] = True
    return filled[..., 1:-1]


def _measure_end_costs(
    depths: FloatArray, shares: FloatArray, open_ends: tuple[bool, bool]
) -> FloatArray:
    """What it costs to move the ends of an aisle aside, shape (S, K).

    Parameters
    ----------
    depths
        How deep walls are in the body at each station and shift, metres, shape (S, K). An end that is
        in a wall may be shifted for nothing.
    shares
        The shifts, half widths of the body, shape (K,).
    open_ends
        Whether there is no more of the way beyond. Where there is, no end is shifted.
    """
    costs, straight = np.zeros(depths.shape), shares == 0.0
    blocked = depths[:, straight].any(axis=1)
    span = min(CLEARING.smoothing, len(depths))
    for rows, is_open in zip((slice(span), slice(-span, None)), open_ends, strict=True):
        away = CLEARING.end * np.abs(shares) if is_open else np.where(straight, 0.0, np.inf)
        costs[rows] = np.where(blocked[rows, None], costs[rows], np.maximum(costs[rows], away))
    return costs


def _find_cheapest(cost: FloatArray, walks: np.ndarray) -> np.ndarray:
    """Shift of each station, by its number, on the cheapest way through all of them.

    Parameters
    ----------
    cost
        Of stations and shifts, shape (S, K).
    walks
        Whether the body moves on to each station, shape (S,).
    """
    count, places = cost.shape
    total, back = cost[0], np.zeros((count, places), dtype=int)
    for station in range(1, count):
        # From the left, from the same place, from the right.
        ways = np.full((3, places), np.inf)
        ways[1] = total
        if walks[station]:
            ways[0, 1:] = total[:-1] + CLEARING.turn
            ways[2, :-1] = total[1:] + CLEARING.turn
        best = np.argmin(ways, axis=0)
        back[station] = np.arange(places) + best - 1
        total = ways[best, np.arange(places)] + cost[station]
    chosen = np.empty(count, dtype=int)
    chosen[-1] = int(np.argmin(total))
    for station in range(count - 1, 0, -1):
        chosen[station - 1] = back[station, chosen[station]]
    return chosen
