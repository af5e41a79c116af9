# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body passes through on its way, how the way keeps clear of it, and what is furniture.

Faces of obstacles are sliced at several heights into segments on the ground plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from ..ground.interface import Ground, GroundLayers
from ..ground.layers import find_insides
from ..maths import rotations as rot
from ..maths.constants import SAMPLE_RATE
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from .carried import CarriedTravel, carry_travel
from .limits import CLEARING, FURNITURE, PASSAGE
from .way import Travel


@dataclass(frozen=True)
class _Sheets:
    """Four-sided pieces of the sheets of a passage, Q of them.

    Attributes
    ----------
    corners
        Indices of the corners among the flattened points of the passage, shape (Q, 4).
    cells
        Station, level and column of the first corner, shape (Q, 3).
    level, upright
        Which lie level, and which stand along the way; the others stand across it. (Q,) of bool.
    """

    corners: np.ndarray
    cells: np.ndarray
    level: np.ndarray
    upright: np.ndarray


@dataclass(frozen=True)
class Passage:
    """The room that a body takes up: S stations, H levels from low to high, O columns.

    Attributes
    ----------
    times
        Seconds of the scene's clock, not falling, shape (S,).
    points
        World, metres, columns from right to left, shape (S, H, O, 3).
    step_level
        First level that is above what the body steps on; what is ground counts from there.
    solid
        Whether there are sheets across the way at every station, not only at both ends.
    """

    times: FloatArray
    points: FloatArray
    step_level: int = 1
    solid: bool = False

    @cached_property
    def sheets(self) -> _Sheets:
        """All pieces."""
        stations, levels, columns = self.points.shape[:3]
        index = np.arange(stations * levels * columns).reshape(stations, levels, columns)
        places = np.stack(np.meshgrid(*map(np.arange, index.shape), indexing="ij"), axis=-1)
        parts = [
            (index[:-1, :, :-1], index[1:, :, :-1], index[1:, :, 1:], index[:-1, :, 1:]),
            (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]),
        ]
        starts = [places[:-1, :, :-1], places[:-1, :-1]]
        rows = np.arange(stations) if self.solid else np.unique([0, stations - 1])
        cut = index[rows]
        parts.append((cut[:, :-1, :-1], cut[:, 1:, :-1], cut[:, 1:, 1:], cut[:, :-1, 1:]))
        starts.append(places[rows, :-1, :-1])
        kinds = np.repeat(np.arange(3), [part[0].size for part in parts])
        return _Sheets(
            np.concatenate([np.stack(part, axis=-1).reshape(-1, 4) for part in parts]),
            np.concatenate([start.reshape(-1, 3) for start in starts]),
            kinds == 0,
            kinds == 1,
        )


@dataclass(frozen=True)
class Crossing:
    """One thing that stands in the room of a passage.

    Attributes
    ----------
    pieces
        Indices of the pieces of the passage's sheets that it crosses, shape (n,), n >= 1.
    """

    name: str
    pieces: np.ndarray


class Walls(Protocol):
    """Anything that can stand in a body's way."""

    def find_crossings(self, passage: Passage) -> list[Crossing]:
        """Find what crosses the sheets of a passage, each thing once.

        What is ground counts only from the passage's ``step_level`` on.
        """
        ...


@dataclass(frozen=True)
class BodyRoom:
    """Record of what a passage is laid out from: S stations of a walk.

    Attributes
    ----------
    times
        Seconds of the scene's clock, shape (S,).
    centres
        Middle of the body, world x, y, metres, shape (S, 2).
    directions
        Unit vectors along the way, shape (S, 2).
    grounds
        Height of the ground that the body walks on, world z, metres, shape (S,).
    levels
        Heights above it, from low to high, metres, shape (S, H).
    widths
        Half the body's width at these, its margin not taken off, metres, shape (S, H).
    reaches
        How far the body reaches at these behind and before its middle, metres, shape (S, H, 2).
    climbs
        Rise of the ground along the way, shape (S,).
    """

    times: FloatArray
    centres: FloatArray
    directions: FloatArray
    grounds: FloatArray
    levels: FloatArray
    widths: FloatArray
    reaches: FloatArray
    climbs: FloatArray

    @property
    def sides(self) -> FloatArray:
        """Unit vectors to the left of the way, shape (S, 2)."""
        return np.stack([-self.directions[:, 1], self.directions[:, 0]], axis=1)

    @property
    def width(self) -> float:
        """Half the width of the body, metres."""
        return float(np.median(self.widths.max(axis=1)))


def choose_stations(places: FloatArray, times: FloatArray, spacing: float) -> np.ndarray:
    """Indices of samples of a way that lie about a spacing apart, with the first and the last.

    Parameters
    ----------
    places
        World x, y, metres, shape (N, 2).
    times
        Seconds, shape (N,).
    spacing
        Metres.
    """
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
    chosen, count = [0], len(times)
    while chosen[-1] < count - 1:
        last = chosen[-1]
        far = np.searchsorted(way, way[last] + spacing)
        late = np.searchsorted(times, times[last] + PASSAGE.pause)
        chosen.append(min(max(int(min(far, late)), last + 1), count - 1))
    return np.array(chosen)


def find_directions(places: FloatArray, facing: FloatArray) -> FloatArray:
    """Unit vectors along a way (S, 2); where it rests, those before.

    Parameters
    ----------
    places
        World x, y, metres, shape (S, 2).
    facing
        Unit vector for a way that rests from its start on, shape (2,).
    """
    steps = np.gradient(places, axis=0) if len(places) > 1 else np.zeros((1, 2))
    sizes = np.hypot(steps[:, 0], steps[:, 1])
    moves = sizes > 1e-3 * max(float(sizes.max()), 1e-9)
    if not moves.any():
        return np.tile(np.asarray(facing, dtype=np.float64), (len(places), 1))
    last = np.maximum.accumulate(np.where(moves, np.arange(len(places)), int(np.argmax(moves))))
    return np.asarray(steps[last] / sizes[last][:, None])


def find_centres(places: FloatArray, directions: FloatArray, bodies: FloatArray) -> FloatArray:
    """Middle of a body on its way without its sway, world x, y, metres, shape (S, 2).

    Parameters
    ----------
    places, directions
        The way and unit vectors along it, world, metres, shape (S, 2).
    bodies
        Where the body's bone is, shape (S, 2).
    """
    away, sides = bodies - places, np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    along, across = (np.einsum("si,si->s", away, axes).mean() for axes in (directions, sides))
    return np.asarray(places + along * directions + across * sides)


def measure_room(
    times: FloatArray,
    centres: FloatArray,
    grounds: FloatArray,
    points: FloatArray,
    directions: FloatArray,
    length: float,
    step_limit: float,
) -> BodyRoom:
    """The room of a body from places all over it.

    Parameters
    ----------
    times, centres, grounds, directions
        As of `BodyRoom`.
    points
        Places on the body, world, metres, shape (S, P, 3).
    length
        Of the leg, metres.
    step_limit
        How high the body steps, metres.
    """
    away = points[..., :2] - centres[:, None]
    along = np.einsum("spi,si->sp", away, directions)
    across = np.abs(away[..., 1] * directions[:, None, 0] - away[..., 0] * directions[:, None, 1])
    span = max(0.5 * float(np.median(np.ptp(along, axis=1))), PASSAGE.climb_span * length)
    climbs = _measure_climbs(centres, grounds, span)
    heights = points[..., 2] - grounds[:, None] - climbs[:, None] * along
    crowns = heights.max(axis=1) - PASSAGE.margin * length
    steps = np.minimum(step_limit, PASSAGE.crown * crowns)
    knees = np.minimum(steps, PASSAGE.knee * length)
    shares = np.linspace(0.0, 1.0, PASSAGE.levels)
    levels = np.concatenate(
        [knees[:, None], steps[:, None] + (crowns - steps)[:, None] * shares], axis=1
    )
    window = (crowns - steps)[:, None] / (PASSAGE.levels - 1)
    shape = levels.shape
    widths, reaches = np.zeros(shape), np.zeros((*shape, 2))
    for level in range(shape[1]):
        near = np.abs(heights - levels[:, level, None]) <= window
        widths[:, level] = np.where(near, across, 0.0).max(axis=1)
        reaches[:, level, 0] = np.where(near, -along, 0.0).max(axis=1)
        reaches[:, level, 1] = np.where(near, along, 0.0).max(axis=1)
    least = PASSAGE.narrowest * widths.max(axis=1, keepdims=True)
    return BodyRoom(
        times, centres, directions, grounds, levels, np.maximum(widths, least), reaches, climbs
    )


def lay_passage(room: BodyRoom, ground: Ground, length: float, steepest: float) -> Passage:
    """The passage of a body, from behind it at the start to before it at the end.

    Parameters
    ----------
    room
        What it takes up.
    ground
        What it walks on.
    length
        Of the leg, metres.
    steepest
        Rise of the steepest ground that counts as such.
    """
    margin = PASSAGE.margin * length
    widths = np.maximum(room.widths - margin, PASSAGE.narrowest * room.widths)
    shares = np.linspace(-1.0, 1.0, PASSAGE.columns)
    offsets = widths.max(axis=1)[:, None] * shares
    bases = _cast_bases(room, ground, offsets, steepest)
    spread = widths[:, :, None] * shares
    points = _lay_points(room, bases, spread)
    ends = []
    for station, side, sign in ((0, 0, -1.0), (-1, 1, 1.0)):
        reach = sign * np.maximum(room.reaches[station, :, side] - margin, 0.0)
        moved = np.zeros((len(reach), 3))
        moved[:, :2] = reach[:, None] * room.directions[station]
        moved[:, 2] = reach * np.clip(room.climbs[station], -steepest, steepest)
        ends.append(points[station] + moved[:, None])
    times = np.concatenate([room.times[:1], room.times, room.times[-1:]])
    return Passage(times, np.concatenate([ends[0][None], points, ends[1][None]]))


def _cast_bases(room: BodyRoom, ground: Ground, offsets: FloatArray, steepest: float) -> FloatArray:
    """Height of the ground beside the way, world z; that of the way where it is none to walk on."""
    reach = steepest * (np.abs(offsets) + np.abs(offsets).max(axis=1, keepdims=True))
    places = room.centres[:, None] + offsets[..., None] * room.sides[:, None]
    starts = np.concatenate([places, (room.grounds[:, None] + reach)[..., None]], axis=2)
    times = np.broadcast_to(room.times[:, None], offsets.shape)
    hits = ground.cast_down(starts.reshape(-1, 3), times.ravel())
    heights = np.where(hits.hit, hits.points[:, 2], -np.inf).reshape(offsets.shape)
    level = np.broadcast_to(room.grounds[:, None], offsets.shape)
    bases = np.where(heights >= level - reach, heights, level)
    return find_sliding_maximum(bases, min(PASSAGE.edge, len(bases) - 1))


def _lay_points(room: BodyRoom, bases: FloatArray, spread: FloatArray) -> FloatArray:
    """World places of levels and columns, shape (S, H, O, 3)."""
    share = np.linspace(0.0, 1.0, spread.shape[1])[None, :, None]
    middle = room.grounds[:, None, None]
    heights = bases[:, None] * (1.0 - share) + middle * share + room.levels[:, :, None]
    flat = room.centres[:, None, None] + spread[..., None] * room.sides[:, None, None]
    return np.concatenate([flat, heights[..., None]], axis=3)


def split_runs(stations: np.ndarray) -> Sequence[tuple[int, int]]:
    """First and last of each run of station numbers (n,), short gaps bridged, in their order."""
    ordered = np.unique(stations)
    parts = np.split(ordered, np.flatnonzero(np.diff(ordered) > PASSAGE.gap) + 1)
    return [(int(part[0]), int(part[-1])) for part in parts]


def _measure_climbs(centres: FloatArray, grounds: FloatArray, span: float) -> FloatArray:
    """Rise of the ground along a way over a span to both sides, shape (S,)."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(centres, axis=0).T))])
    before, behind = np.maximum(way - span, 0.0), np.minimum(way + span, way[-1])
    rise = np.interp(behind, way, grounds) - np.interp(before, way, grounds)
    return np.where(behind > before, rise / np.maximum(behind - before, 1e-9), 0.0)


@dataclass(frozen=True)
class _Aisle:
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
        _Sheets across all of it.
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
) -> list[_Aisle]:
    """The room beside a way around what it crosses.

    Parameters
    ----------
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
        bases = _cast_bases(part, ground, spread, steepest)
        points = _lay_points(
            part, bases, np.broadcast_to(offsets, (*part.levels.shape, len(offsets)))
        )
        passage = Passage(part.times, points, solid=True)
        stands = _find_stands(part, ground, spread, step_limit)
        open_ends = (bool(rows[0] == 0), bool(rows[-1] == len(way) - 1))
        aisles.append(_Aisle(part, rows, offsets, passage, stands, open_ends))
    return aisles


def find_shifts(aisle: _Aisle, crossings: Sequence[Crossing], length: float) -> FloatArray:
    """Find how far the way gives way at each station of an aisle, metres to the left, shape (S,).

    Parameters
    ----------
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
    count = max(int(np.ceil((travel.end - travel.start) * SAMPLE_RATE)) + 1, 2)
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
    aisle: _Aisle, crossings: Sequence[Crossing], length: float
) -> tuple[FloatArray, FloatArray]:
    """Measure how deep walls would be in the body at each station and shift, and the shifts.

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


def _fill_cells(aisle: _Aisle, crossings: Sequence[Crossing]) -> np.ndarray:
    """Find which cells between stations, levels and columns have something in them.

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
    """Measure what it costs to move the ends of an aisle aside, shape (S, K).

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


@dataclass(frozen=True)
class _TroddenWay:
    """A way over ground, as densely as things on it are looked for: N places.

    Attributes
    ----------
    times
        Seconds, shape (N,).
    places, sides
        World x, y, metres, and unit vectors to the left of the way, shape (N, 2).
    levels
        Height of the ground that the body walks on, world z, metres, shape (N,).
    spacing
        Metres between two places.
    """

    times: FloatArray
    places: FloatArray
    sides: FloatArray
    levels: FloatArray
    spacing: float


@dataclass(frozen=True)
class Furniture:
    """A thing that is climbed.

    Attributes
    ----------
    surface
        Index of the surface.
    time
        Seconds at which the way comes to it.
    place
        World, metres, shape (3,): where it is highest.
    height
        Metres of that above the ground around it.
    too_high
        Whether that is more than one step.
    """

    surface: int
    time: float
    place: FloatArray
    height: float
    too_high: bool


def trace_way(
    times: FloatArray, places: FloatArray, levels: FloatArray, length: float
) -> _TroddenWay | None:
    """A way at even distances; None for one that goes hardly anywhere.

    Parameters
    ----------
    times
        Seconds, increasing, shape (n,).
    places
        World x, y, metres, shape (n, 2).
    levels
        Height of the ground that the body walks on, world z, metres, shape (n,).
    length
        Of the leg, metres.
    """
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(places, axis=0).T))])
    if way[-1] < FURNITURE.span * length:
        return None
    count = min(int(np.ceil(way[-1] / (FURNITURE.spacing * length))) + 1, FURNITURE.most)
    even = np.linspace(0.0, way[-1], count)
    at = np.interp(even, way, times)
    flat = np.stack([np.interp(at, times, places[:, axis]) for axis in (0, 1)], axis=1)
    steps = np.gradient(flat, axis=0)
    sizes = np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-9)
    sides = np.stack([-steps[:, 1], steps[:, 0]], axis=1) / sizes[:, None]
    return _TroddenWay(at, flat, sides, np.interp(at, times, levels), float(even[1]))


def find_furniture(
    way: _TroddenWay, ground: Ground, offsets: FloatArray, length: float, step_limit: float
) -> list[Furniture]:
    """Find what a body would climb and leave at once, in the order of the way, each surface once.

    Parameters
    ----------
    way
        Where it goes.
    ground
        What it walks on.
    offsets
        Lines beside the way that are looked along, metres to the left, shape (O,).
    length
        Of the leg, metres.
    step_limit
        How high the body steps, metres.
    """
    count, lines = len(way.times), len(offsets)
    points = np.zeros((count, lines, 3))
    points[..., :2] = way.places[:, None] + offsets[:, None] * way.sides[:, None]
    layers = ground.cast_all(points.reshape(-1, 3), np.repeat(way.times, lines))
    levels = np.repeat(way.levels, lines)
    heights, surfaces = _find_tops(layers, levels, step_limit)
    heights, surfaces = heights.reshape(count, lines), surfaces.reshape(count, lines)
    rises = heights - _level_out(heights, 0.5 * length / way.spacing)
    high = (rises > PASSAGE.knee * length) & (surfaces >= 0)
    found, moving = [], ground.moving_surfaces()
    for surface in np.unique(surfaces[high]).tolist():
        mine = surfaces == surface
        # What is walked on beside such places as well is the ground itself.
        if surface in moving or 2 * np.count_nonzero(mine & high) < np.count_nonzero(mine):
            continue
        row, line = np.unravel_index(np.argmax(np.where(mine, rises, -np.inf)), rises.shape)
        first = int(np.argmax((mine & high).any(axis=1)))
        place = np.array([*points[row, line, :2], heights[row, line]])
        height = float(rises[row, line])
        found.append(
            Furniture(surface, float(way.times[first]), place, height, height > step_limit)
        )
    return sorted(found, key=lambda thing: thing.time)


def _find_tops(
    layers: GroundLayers, levels: FloatArray, reach: float
) -> tuple[FloatArray, np.ndarray]:
    """Height and surface of the highest on each line that is no farther than a reach above its level.

    Both have the shape (n,). A body that has climbed something is still above the floor beside it.

    Where there is none, the height is a reach below the level and the surface -1.
    """
    heights, surfaces = levels - reach, np.full(len(levels), -1, dtype=np.intp)
    near = (layers.heights <= levels[layers.rays] + reach) & ~find_insides(layers)
    rays, first = np.unique(layers.rays[near], return_index=True)
    heights[rays], surfaces[rays] = layers.heights[near][first], layers.surfaces[near][first]
    return heights, surfaces


def _level_out(heights: FloatArray, half: float) -> FloatArray:
    """A profile (N, O) without its gaps and short rises, by samples in half a leg.

    It goes on beyond its ends as it ends: what it ends on is no short rise.
    """
    radii = [max(int(half * share), 1) for share in (FURNITURE.gap, FURNITURE.span)]
    beyond = sum(radii)
    padded = np.pad(heights, ((beyond, beyond), (0, 0)), mode="edge")
    filled = _erode(find_sliding_maximum(padded, radii[0]), radii[0])
    return find_sliding_maximum(_erode(filled, radii[1]), radii[1])[beyond:-beyond]


def _erode(values: FloatArray, radius: int) -> FloatArray:
    """Lowest value within a radius of samples, along the first axis."""
    return -find_sliding_maximum(-values, radius)
