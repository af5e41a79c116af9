# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the surfaces that lie over each other can be stood on (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .interface import GroundLayers
from .limits import ROOM


@dataclass(frozen=True)
class Storeys:
    """Surfaces of one vertical line, from the top down.

    Attributes
    ----------
    heights
        World z, metres, shape (h,).
    surfaces
        Which surface each is, shape (h,).
    rooms
        Free height over each, up to the next surface, metres, infinite for the topmost, shape (h,).
    insides
        Whether each is the underside of a body of some height, so that who stands there is in the body,
        shape (h,) of bool.
    """

    heights: FloatArray
    surfaces: np.ndarray
    rooms: FloatArray
    insides: np.ndarray

    def find_nearest(self, origin: float, sole: float, reach: float) -> int:
        """Index of the surface on which a character stands, of one or more.

        Parameters
        ----------
        origin
            World z of the character's origin, metres.
        sole
            Height of its soles over that, metres; the surface may be near to either.
        reach
            How far up and down it steps, metres: the soles count, unless the origin is much nearer to
            some surface.
        """
        away = np.abs(self.heights - np.array([[origin + sole], [origin]]))
        away[1] += ROOM.origin * reach
        return int(np.argmin(away) % len(self.heights))

    def find_below(self, height: float, stand: float) -> int | None:
        """Index of the next surface below a height, one with room to stand where there is any."""
        below = np.flatnonzero(self.heights < height)
        roomy = below[(self.rooms[below] >= stand) & ~self.insides[below]]
        chosen = roomy if len(roomy) else below
        return int(chosen[0]) if len(chosen) else None

    def find_reachable(self, height: float, reach: float, stand: float, inside: bool) -> int | None:
        """Index of the surface to go on to from a height; None where none is within reach.

        It is the highest that leaves room to stand; where none does, the one with the most room,
        and of equals the nearest.

        Parameters
        ----------
        height
            World z, metres.
        reach
            How far above or below it the surface may lie, metres.
        stand
            Room that is needed to stand, metres.
        inside
            Whether the underside of a body, as the floor of a closed box, may be one.
        """
        away = np.abs(self.heights - height)
        near = np.flatnonzero(away <= reach)
        if len(near) == 0:
            return None
        rooms = np.minimum(self.rooms[near], stand)
        if not inside:
            rooms = np.where(self.insides[near], 0.0, rooms)
        if rooms.max() >= stand:
            return int(near[np.argmax(rooms >= stand)])
        roomy = near[rooms >= rooms.max() - ROOM.equal * reach]
        return int(roomy[np.argmin(away[roomy])])

    def find_under_roof(self, height: float, level: float, roof: float) -> int | None:
        """Index of the surface below a point under a roof; None where the point is under none.

        Parameters
        ----------
        height
            Of the point, world z, metres; it lies below some surface.
        level
            Of the floor that it belongs to, world z, metres.
        roof
            World z above which a surface over the point may be a roof: it is one where the next below
            the point is nearer to the level. The underside of a body is one at any height.
        """
        below = np.flatnonzero(self.heights <= height)
        if len(below) == 0 or below[0] == 0:
            return None
        first = int(below[0])
        if self.insides[first - 1]:
            return first
        same = self.surfaces == self.surfaces[first - 1]
        next_same = np.flatnonzero(same[first:])
        if len(next_same) and self.insides[first + next_same[0]]:
            # The point is in the body whose top is above it, unless its underside is the floor.
            away = np.abs(self.heights - level)
            margin = ROOM.floor * float(self.heights[first - 1] - self.heights[first])
            if away[~same].min(initial=np.inf) <= away[first + next_same[0]] + margin:
                return None
        over, under = float(self.heights[first - 1]), float(self.heights[first])
        return first if over > roof and abs(under - level) < abs(over - level) else None

    def join(self, other: Storeys) -> Storeys:
        """These surfaces and those of another line."""
        heights = np.concatenate([self.heights, other.heights])
        order = np.argsort(-heights, kind="stable")
        return Storeys(
            heights[order],
            np.concatenate([self.surfaces, other.surfaces])[order],
            np.concatenate([self.rooms, other.rooms])[order],
            np.concatenate([self.insides, other.insides])[order],
        )


def split_layers(
    layers: GroundLayers, count: int, chosen: np.ndarray | None = None
) -> list[Storeys]:
    """The surfaces of each of so many lines, or of the chosen ones (c,) of them."""
    rooms, insides = _measure_rooms(layers), find_insides(layers)
    ends = np.searchsorted(layers.rays, np.arange(count + 1))
    chosen = np.arange(count) if chosen is None else chosen
    return [
        Storeys(layers.heights[a:b], layers.surfaces[a:b], rooms[a:b], insides[a:b])
        for a, b in zip(ends[chosen].tolist(), ends[chosen + 1].tolist(), strict=True)
    ]


def pick_clear(
    layers: GroundLayers, floors: FloatArray, tops: FloatArray
) -> tuple[FloatArray, np.ndarray]:
    """Surface of each line that feet on a floor meet below a top.

    What hangs over the floor and cannot be stepped on is no ground: what is under it is.

    Parameters
    ----------
    floors, tops
        World z, metres, shape (n,).

    Returns
    -------
    heights, surfaces
        World z, metres, and which surface, shape (n,); minus infinity and -1 where there is none.
    """
    count, reach = len(floors), tops - floors
    firsts = np.searchsorted(layers.rays, np.arange(count))
    ranks = np.arange(len(layers.rays)) - firsts[layers.rays]
    shape = (count, int(ranks.max(initial=0)) + 1)
    heights, rooms = np.full(shape, np.nan), np.zeros(shape)
    insides, surfaces = np.zeros(shape, dtype=bool), np.full(shape, -1)
    place = (layers.rays, ranks)
    heights[place], rooms[place] = layers.heights, _measure_rooms(layers)
    insides[place], surfaces[place] = find_insides(layers), layers.surfaces
    rows, stand = np.arange(count), ROOM.over_reach * reach
    away = np.abs(heights - floors[:, None])
    near = away <= reach[:, None]
    free = np.where(insides, 0.0, np.minimum(rooms, stand[:, None]))
    most = np.where(near, free, -np.inf).max(axis=1)
    roomy = near & (free >= (most - ROOM.equal * reach)[:, None])
    nearest = np.argmin(np.where(roomy, away, np.inf), axis=1)
    highest = np.argmax(near & (free >= stand[:, None]), axis=1)
    chosen = np.where(most >= stand, highest, nearest)
    reached, found = near.any(axis=1), heights[rows, chosen]
    below = np.where(reached, found, floors)
    # Who would stand inside a body stands on what is under it.
    hidden = ~reached | (insides[rows, chosen] & (found > floors))
    lower = heights < below[:, None]
    fair = lower & (rooms >= stand[:, None]) & ~insides
    lower = np.where(fair.any(axis=1, keepdims=True), fair, lower)
    chosen = np.where(hidden, np.argmax(lower, axis=1), chosen)
    met = ~hidden | lower.any(axis=1)
    return (
        np.where(met, heights[rows, chosen], -np.inf),
        np.where(met, surfaces[rows, chosen], -1),
    )


def find_covered(layers: GroundLayers, heights: FloatArray) -> np.ndarray:
    """Lines (c,) on which surfaces lie both over and under a height, of heights (n,), one a line."""
    under = layers.heights <= heights[layers.rays]
    return np.intersect1d(layers.rays[under], layers.rays[~under])


def _measure_rooms(layers: GroundLayers) -> FloatArray:
    """Free height over each surface, up to the next one on its line, metres, shape (h,)."""
    rooms = np.full(len(layers.rays), np.inf)
    same = np.flatnonzero(np.diff(layers.rays) == 0)
    rooms[same + 1] = layers.heights[same] - layers.heights[same + 1]
    return rooms


def find_insides(layers: GroundLayers) -> np.ndarray:
    """Find which surfaces look down while the next face of the same mesh above looks up, shape (h,)."""
    insides = np.zeros(len(layers.rays), dtype=bool)
    insides[_find_bodies(layers)[1]] = True
    return insides


def _find_bodies(layers: GroundLayers) -> tuple[np.ndarray, np.ndarray]:
    """Find which surfaces are the top and the underside of closed bodies, indices (b,) each."""
    order = np.lexsort((-layers.heights, layers.surfaces, layers.rays))
    rays, surfaces = layers.rays[order], layers.surfaces[order]
    upwards = layers.upwards[order]
    same = (np.diff(rays) == 0) & (np.diff(surfaces) == 0)
    closed = same & upwards[:-1] & ~upwards[1:]
    return order[:-1][closed], order[1:][closed]


def find_buried(layers: GroundLayers, heights: FloatArray, room: float) -> np.ndarray:
    """Find which points are in a body, one on each line, shape (n,) of bool.

    A point is in a closed body, or less than so much room below a face that looks up.

    Parameters
    ----------
    heights
        Of the points, world z, metres, shape (n,).
    room
        Metres.
    """
    buried = np.zeros(len(heights), dtype=bool)
    above = layers.heights - heights[layers.rays]
    last = np.append(np.diff(layers.rays) != 0, True) | np.append(above[1:] <= 0.0, True)
    low = (above > 0.0) & last & layers.upwards & (above < room)
    buried[layers.rays[low]] = True
    tops, undersides = _find_bodies(layers)
    within = (above[tops] > 0.0) & (above[undersides] <= 0.0)
    buried[layers.rays[tops[within]]] = True
    return buried
