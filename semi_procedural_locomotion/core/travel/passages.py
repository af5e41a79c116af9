# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that a body takes up on its way, and what stands in it (numpy only).

The room is laid out in sheets: level ones at some heights, upright ones along the way. A post crosses
the first, a beam the second, a wall both (docs/method/travel.md, Walls).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
from .limits import PASSAGE


@dataclass(frozen=True)
class Sheets:
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
    def sheets(self) -> Sheets:
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
        return Sheets(
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
    name
        Of its object.
    pieces
        Indices of the pieces of the passage's sheets that it crosses, shape (n,), n >= 1.
    """

    name: str
    pieces: np.ndarray


class Walls(Protocol):
    """Anything that can stand in a body's way."""

    def find_crossings(self, passage: Passage) -> list[Crossing]:
        """What crosses the sheets of a passage, each thing once.

        What is ground counts only from the passage's ``step_level`` on.
        """
        ...


@dataclass(frozen=True)
class BodyRoom:
    """What a passage is laid out from: S stations of a walk.

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
    bases = cast_bases(room, ground, offsets, steepest)
    spread = widths[:, :, None] * shares
    points = lay_points(room, bases, spread)
    ends = []
    for station, side, sign in ((0, 0, -1.0), (-1, 1, 1.0)):
        reach = sign * np.maximum(room.reaches[station, :, side] - margin, 0.0)
        moved = np.zeros((len(reach), 3))
        moved[:, :2] = reach[:, None] * room.directions[station]
        moved[:, 2] = reach * np.clip(room.climbs[station], -steepest, steepest)
        ends.append(points[station] + moved[:, None])
    times = np.concatenate([room.times[:1], room.times, room.times[-1:]])
    return Passage(times, np.concatenate([ends[0][None], points, ends[1][None]]))


def cast_bases(room: BodyRoom, ground: Ground, offsets: FloatArray, steepest: float) -> FloatArray:
    """Height of the ground beside the way, world z; that of the way where it is none to walk on.

    Parameters
    ----------
    room, ground
        The body and its ground.
    offsets
        Metres to the left of the body's middle, shape (S, O).
    steepest
        Rise of the steepest ground to both sides.

    Returns
    -------
    array, shape (S, O)
    """
    reach = steepest * (np.abs(offsets) + np.abs(offsets).max(axis=1, keepdims=True))
    places = room.centres[:, None] + offsets[..., None] * room.sides[:, None]
    starts = np.concatenate([places, (room.grounds[:, None] + reach)[..., None]], axis=2)
    times = np.broadcast_to(room.times[:, None], offsets.shape)
    hits = ground.cast_down(starts.reshape(-1, 3), times.ravel())
    heights = np.where(hits.hit, hits.points[:, 2], -np.inf).reshape(offsets.shape)
    level = np.broadcast_to(room.grounds[:, None], offsets.shape)
    bases = np.where(heights >= level - reach, heights, level)
    return find_sliding_maximum(bases, min(PASSAGE.edge, len(bases) - 1))


def lay_points(room: BodyRoom, bases: FloatArray, spread: FloatArray) -> FloatArray:
    """World places of levels and columns, shape (S, H, O, 3).

    Parameters
    ----------
    room
        The body.
    bases
        Ground under the columns, world z, shape (S, O); a head is held upright over its slope.
    spread
        Metres to the left of the body's middle, shape (S, H, O).
    """
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
