# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles laid on the ground, and what each place costs by itself (numpy only).

Arrays are of n prints with K places each (docs/method/ground.md, Footholds).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import SoleHits, cast_soles, start_over_body
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.rims import FootRims
from ..rig.structure import Rig
from ..settings import PlanSettings
from .limits import COSTS, REACH, SOLES, STATIONS
from .planes import fit_planes, list_plane_terms


@dataclass(frozen=True)
class SoleShape:
    """The foot of one leg as prints see it.

    Attributes
    ----------
    length, width
        Of the sole, metres.
    leg_length
        Of the leg, metres.
    outline
        Points of the flat foot from the heel end of its sole, along, across and above it, metres, shape
        (P, 3); None where nothing but the sole counts.
    rims
        Outermost places of the foot and its leg from strike to foot-off, seen as ``outline``, or None.
    """

    length: float
    width: float
    leg_length: float
    outline: FloatArray | None = None
    rims: FootRims | None = None


@dataclass(frozen=True)
class FootholdRules:
    """What a sole may stand on.

    Attributes
    ----------
    reach
        How far above and below the body's level ground counts, metres.
    tolerance
        How far below the plane ground still supports, metres.
    max_rise
        Steepest slope, rise over run.
    search
        Whether a sole may be moved to a better foothold.
    """

    reach: float
    tolerance: float
    max_rise: float
    search: bool


@dataclass(frozen=True)
class SolePlaces:
    """Places at which soles are tried.

    Attributes
    ----------
    heels
        Heel ends, world x and y, metres, shape (n, K, 2).
    headings
        From heel to toe, radians from +X, shape (n,).
    times
        Seconds at which they stand, shape (n,).
    levels
        Height of the ground that the body walks on at that time, metres, shape (n,).
    """

    heels: FloatArray
    headings: FloatArray
    times: FloatArray
    levels: FloatArray

    @property
    def axes(self) -> tuple[FloatArray, FloatArray]:
        """Unit vectors along the soles and to their left, shapes (n, 2)."""
        ahead = np.stack([np.cos(self.headings), np.sin(self.headings)], axis=1)
        return ahead, np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)

    def select(self, rows: np.ndarray) -> SolePlaces:
        """The places of some prints."""
        return SolePlaces(*(getattr(self, entry.name)[rows] for entry in fields(self)))

    def move(self, ways: FloatArray) -> SolePlaces:
        """Each first place moved by ways (n, K, 2) along the sole and to its left, metres."""
        ahead, left = self.axes
        moved = ways[..., :1] * ahead[:, None] + ways[..., 1:] * left[:, None]
        return replace(self, heels=self.heels[:, :1] + moved)


@dataclass(frozen=True)
class SoleFits:
    """Soles laid on the ground.

    Attributes
    ----------
    planes
        Height at the middle of the sole, world, metres, and its rise along and across, shape (n, K, 3).
    supports
        Share of the sole that has ground under it, shape (n, K).
    costs
        What speaks against each place, shape (n, K).
    surfaces
        Surface under the middle of the sole, -1 for none, shape (n, K).
    found
        Whether there is any ground, shape (n, K).
    uneven
        Whether any station is off the plane, shape (n, K).
    """

    planes: FloatArray
    supports: FloatArray
    costs: FloatArray
    surfaces: np.ndarray
    found: np.ndarray
    uneven: np.ndarray

    def pick(self, at: np.ndarray | tuple[np.ndarray | slice | int, ...]) -> SoleFits:
        """Those of an index of prints, or of prints and places."""
        return SoleFits(*(getattr(self, entry.name)[at] for entry in fields(self)))

    def put(self, rows: np.ndarray, others: SoleFits) -> None:
        """Put others in the place of some, in place."""
        for entry in fields(self):
            getattr(self, entry.name)[rows] = getattr(others, entry.name)

    def reshape(self, size: tuple[int, ...]) -> SoleFits:
        """The same in the shape (n, K)."""
        columns = (getattr(self, entry.name) for entry in fields(self))
        return SoleFits(*(column.reshape(*size, *column.shape[1:]) for column in columns))


@dataclass(frozen=True)
class StoodSoles:
    """Soles on the ground, n of them.

    Attributes
    ----------
    positions
        Heel ends, world, metres, shape (n, 3); on the level that was asked for where there is no ground.
    frames
        See `Footprint.frame`, shape (n, 4).
    normals
        Unit normals, shape (n, 3).
    supports, surfaces, found
        See `SoleFits`, shapes (n,).
    """

    positions: FloatArray
    frames: FloatArray
    normals: FloatArray
    supports: FloatArray
    surfaces: np.ndarray
    found: np.ndarray


def make_foothold_rules(rig: Rig, settings: PlanSettings) -> FootholdRules:
    """What the soles of a character may stand on.

    Parameters
    ----------
    rig
        The character.
    settings
        Limits of steps and slopes, and whether footholds are looked for.
    """
    length, longest = rig.leg_length, float(rig.foot_lengths.max())
    return FootholdRules(
        reach=settings.step_limit * length,
        tolerance=settings.sole_tolerance * max(length, longest / SOLES.human_foot),
        max_rise=float(np.tan(settings.max_slope)),
        search=settings.search_footholds,
    )


def make_sole_shape(rig: Rig, leg: int, rims: FootRims | None = None) -> SoleShape:
    """The foot of a leg as prints see it; rims where the motions are known that roll it."""
    return SoleShape(
        length=float(rig.foot_lengths[leg]),
        width=rig.legs[leg].sole_width,
        leg_length=rig.leg_length,
        outline=rig.hulls[leg].places,
        rims=rims,
    )


def limit_ways(shape: SoleShape, swept: FloatArray) -> FloatArray:
    """How far prints may be moved so that the leg still reaches them, but at least a sole, metres, (n,).

    Parameters
    ----------
    shape
        Of the foot.
    swept
        How far the foot is before or behind the body at most while it bears, metres, shape (n,).
    """
    across = np.sqrt(REACH.stretched**2 - REACH.lowered_hip**2) * shape.leg_length
    return np.maximum(across - swept, shape.length)


def lay_soles(
    ground: Ground, rules: FootholdRules, feet: Sequence[tuple[SoleShape, SolePlaces]]
) -> list[SoleFits]:
    """Lay soles on the ground, flat on all that is under them or on one of their halves.

    Parameters
    ----------
    ground, rules
        What to stand on, and what counts as ground.
    feet
        Of each leg, and where its soles stand.
    """
    locals_ = [_list_stations(shape) for shape, _ in feet]
    asked = [(places, local) for (_, places), local in zip(feet, locals_, strict=True)]
    hits = _cast_stations(ground, rules, asked)
    return [
        _lay(shape, rules, places, local, met)
        for (shape, places), local, met in zip(feet, locals_, hits, strict=True)
    ]


def _list_stations(shape: SoleShape) -> FloatArray:
    """Where soles of a foot are tried, along and across, metres, (P, 2)."""
    return _list_pairs(STATIONS.along * shape.length, STATIONS.across * shape.width)


def _lay(
    shape: SoleShape,
    rules: FootholdRules,
    places: SolePlaces,
    stations: FloatArray,
    hits: SoleHits,
) -> SoleFits:
    """Soles of one foot on the ground under their stations."""
    size, levels = hits.heights.shape[:2], np.repeat(places.levels, places.heels.shape[1])
    under = _UnderSoles(shape, rules, stations, hits.flatten(), levels)
    every = np.arange(len(levels))
    fits = under.lay(every, np.ones(len(stations), dtype=bool))
    # A tread shorter than the foot bears its ball or its heel alone.
    middle, poor = 0.5 * shape.length, np.flatnonzero(fits.supports < 1.0)
    for half in (stations[:, 0] >= middle, stations[:, 0] <= middle) if len(poor) else ():
        tried = under.lay(poor, half)
        better = tried.costs < fits.costs[poor] - SOLES.equal
        fits.put(poor[better], tried.pick(better))
    return fits.reshape(size)


@dataclass(frozen=True)
class _UnderSoles:
    """Ground under the stations (P, 2) of m soles, and the levels (m,) that they are looked for about."""

    shape: SoleShape
    rules: FootholdRules
    stations: FloatArray
    hits: SoleHits
    levels: FloatArray

    def lay(self, rows: np.ndarray, bearing: np.ndarray) -> SoleFits:
        """Some of the soles on those stations that bear (P,), shapes (r, ...)."""
        stations, length, rules = self.stations, self.shape.length, self.rules
        levels, met = self.levels[rows], self.hits.met[rows]
        heights = self.hits.heights[rows]
        heights = np.where(met, heights, (levels - SOLES.void * rules.reach)[:, None])
        planes = np.zeros((len(rows), 3))
        planes[:, 0] = heights.max(axis=1)
        uneven = np.flatnonzero(heights.min(axis=1) < planes[:, 0])
        size = (length, self.shape.width)
        planes[uneven] = fit_planes(
            heights[uneven, None], stations, size, rules.tolerance, rules.max_rise, bearing
        )[:, 0]
        gaps = np.where(met, heights - planes @ list_plane_terms(stations, length).T, -np.inf)
        supported = gaps > -rules.tolerance
        inside = (stations[:, 0] > -1e-9) & (stations[:, 0] < length + 1e-9)
        supports = supported[:, inside].mean(axis=1)
        costs = COSTS.support * (1.0 - supports)
        costs += COSTS.void * (~met[:, inside]).mean(axis=1)
        costs += COSTS.margin * (~supported[:, ~inside]).mean(axis=1)
        # The surface under the supported station nearest to the middle.
        order = np.argsort(np.abs(stations[:, 0] - 0.5 * length), kind="stable")
        first = order[np.argmax(supported[:, order], axis=1)]
        surfaces = np.where(supported.any(axis=1), self.hits.surfaces[rows, first], -1)
        uneven = gaps.min(axis=1) < -SOLES.equal * length
        return SoleFits(planes, supports, costs, surfaces, met.any(axis=1), uneven)


def weigh_walls(
    ground: Ground,
    rules: FootholdRules,
    feet: Sequence[tuple[SoleShape, SolePlaces, FloatArray]],
) -> list[FloatArray]:
    """What soles cost whose foot or shin is in what stands up beside them, arrays (n, K).

    Parameters
    ----------
    ground, rules
        As of `lay_soles`.
    feet
        Of each leg, where its soles stand, and their planes, see `SoleFits`, shape (n, K, 3).
    """
    outlines = [_list_outlines(shape) for shape, _, _ in feet]
    asked = [
        (places, _widen(points[:, :2], SOLES.margin * shape.leg_length))
        for (shape, places, _), (points, _) in zip(feet, outlines, strict=True)
    ]
    costs = []
    for foot, (points, hull), (_, wide), hits in zip(
        feet, outlines, asked, _cast_stations(ground, rules, asked), strict=True
    ):
        shape, _, planes = foot
        depths = hits.fill(-np.inf) - planes @ list_plane_terms(wide, shape.length).T
        depths -= points[:, 2]
        depths = depths / shape.leg_length
        own, rim = (np.max(depths[..., part], axis=-1, initial=0.0) for part in (hull, ~hull))
        costs.append(np.asarray(COSTS.hull * own + COSTS.rim * rim))
    return costs


def _list_outlines(shape: SoleShape) -> tuple[FloatArray, np.ndarray]:
    """Points of a foot and of what it rolls through with its leg, (P, 3), and which are its own, (P,)."""
    own = np.zeros((0, 3)) if shape.outline is None else shape.outline
    rim = own[:0]
    if shape.rims is not None and len(own):
        rim = shape.rims.foot if shape.rims.leg is None else shape.rims.leg
    return np.concatenate([own, rim]), np.arange(len(own) + len(rim)) < len(own)


def stand_soles(
    ground: Ground,
    rules: FootholdRules,
    feet: Sequence[tuple[SoleShape, SolePlaces, SoleFits]],
) -> list[StoodSoles]:
    """Raise soles until no ground sticks through them.

    Parameters
    ----------
    ground, rules
        As of `lay_soles`.
    feet
        Of each leg, one place for each print, K = 1, and fits of the soles there, shapes (n, ...).
    """
    raises = _measure_intrusions(ground, rules, feet)
    return [_stand(*foot, own) for foot, own in zip(feet, raises, strict=True)]


def _stand(shape: SoleShape, places: SolePlaces, fits: SoleFits, raises: FloatArray) -> StoodSoles:
    """Soles (n,) of a foot raised by metres (n,)."""
    headings, slopes = places.headings, fits.planes[:, 1:]
    frames, normals = frames_from_slopes(headings, slopes)
    ahead, _ = places.axes
    middle = places.heels[:, 0] + 0.5 * shape.length * ahead
    centres = np.concatenate([middle, (fits.planes[:, 0] + raises)[:, None]], axis=1)
    positions = centres - rot.rotate(frames, np.array([0.5 * shape.length, 0.0, 0.0]))
    lost = ~fits.found
    positions[lost, :2], positions[lost, 2] = places.heels[lost, 0], places.levels[lost]
    frames[lost] = rot.quaternions_from_yaws(headings[lost])
    normals[lost] = rot.UP
    surfaces = fits.surfaces.astype(np.intp)
    return StoodSoles(positions, frames, normals, fits.supports, surfaces, fits.found)


def _measure_intrusions(
    ground: Ground,
    rules: FootholdRules,
    feet: Sequence[tuple[SoleShape, SolePlaces, SoleFits]],
) -> list[FloatArray]:
    """How far ground between the stations, or under the outline, sticks through soles, metres, (n,)."""
    parts: list[tuple[int, np.ndarray, FloatArray, float]] = []
    for foot, (shape, places, fits) in enumerate(feet):
        close = _list_pairs(
            STATIONS.close_along * shape.length, STATIONS.close_across * shape.width
        )
        close = np.concatenate([close, np.zeros((len(close), 1))], axis=1)
        parts.append((foot, np.flatnonzero(fits.uneven), close, np.inf))
        if shape.outline is not None:
            # What is higher is a wall, which raising a foot does not help.
            every = np.arange(len(places.times))
            parts.append((foot, every, shape.outline, rules.tolerance))
    asked = [(feet[foot][1].select(rows), points[:, :2]) for foot, rows, points, _ in parts]
    raises = [np.zeros(len(places.times)) for _, places, _ in feet]
    for (foot, rows, points, most), hits in zip(
        parts, _cast_stations(ground, rules, asked), strict=True
    ):
        shape, _, fits = feet[foot]
        tops = fits.planes[rows] @ list_plane_terms(points[:, :2], shape.length).T + points[:, 2]
        gaps = hits.fill(-np.inf)[:, 0] - tops
        gaps = np.where(gaps <= most, gaps, 0.0)
        raises[foot][rows] = np.maximum(raises[foot][rows], gaps.max(axis=1, initial=0.0))
    return raises


def _cast_stations(
    ground: Ground, rules: FootholdRules, asked: Sequence[tuple[SolePlaces, FloatArray]]
) -> list[SoleHits]:
    """Ground under points (P, 2) along and across soles, within reach of the body, (n, K, P) each.

    All rays are cast at once, and one for all points of a print that are the same place.
    """
    points: list[FloatArray] = []
    levels: list[FloatArray] = []
    times: list[FloatArray] = []
    spreads: list[np.ndarray] = []
    for places, local in asked:
        away = places.heels - places.heels[:, :1]
        ahead, left = places.axes
        own = np.stack([np.einsum("nkc,nc->nk", away, axis) for axis in (ahead, left)], axis=-1)
        own = own[:, :, None] + local
        first, spread = _find_distinct(own)
        spreads.append(spread.reshape(own.shape[:-1]) + sum(len(part) for part in points))
        rows = first // int(np.prod(own.shape[1:-1]))
        own = own.reshape(-1, 2)[first]
        points.append(places.heels[rows, 0] + own[:, :1] * ahead[rows] + own[:, 1:] * left[rows])
        levels.append(places.levels[rows])
        times.append(places.times[rows])
    level = np.concatenate(levels)
    hits = cast_soles(
        ground,
        np.concatenate(points),
        start_over_body(level, rules.reach),
        np.concatenate(times),
        bottoms=level - rules.reach,
        floors=level,
    )
    return [SoleHits(hits.heights[spread], hits.surfaces[spread]) for spread in spreads]


def _find_distinct(points: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct ones of the points (n, K, P, 2) of each print, and which of these each point is.

    Points that rounding alone tells apart are one.
    """
    count = points[..., 0].size
    if count == 0 or points.shape[1] < 2:
        return np.arange(count), np.arange(count)
    cells = np.rint((points - points.min(axis=(0, 1, 2))) / SOLES.same_point).astype(np.int64)
    sizes = cells.max(axis=(0, 1, 2)) + 1
    keys = (np.arange(len(points))[:, None, None] * sizes[0] + cells[..., 0]) * sizes[1]
    _, first, spread = np.unique((keys + cells[..., 1]).ravel(), True, True)
    return first, spread


def _list_pairs(along: FloatArray, across: FloatArray) -> FloatArray:
    """All pairs of values along and across, shape (P, 2)."""
    grid = np.meshgrid(along, across, indexing="ij")
    return np.stack([grid[0].ravel(), grid[1].ravel()], axis=1)


def _widen(outline: FloatArray, margin: float) -> FloatArray:
    """Points (P, 2) moved away from their middle, metres."""
    if len(outline) == 0:
        return outline
    away = outline - 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    return np.asarray(outline + margin * away / np.maximum(np.hypot(*away.T), rot.TINY)[:, None])


def planes_from_frames(
    shape: SoleShape, positions: FloatArray, frames: FloatArray, headings: FloatArray
) -> FloatArray:
    """Planes (n, 3) of `SoleFits` for soles with heel ends (n, 3), frames (n, 4) and headings (n,)."""
    middles = positions + rot.rotate(frames, np.array([0.5 * shape.length, 0.0, 0.0]))
    normals, upright = rot.rotate(frames, rot.UP), np.zeros(len(headings))
    ahead = rot.pack(np.cos(headings), np.sin(headings), upright)
    left = rot.pack(-np.sin(headings), np.cos(headings), upright)
    rises = [-rot.dot(normals, axis) / normals[:, 2] for axis in (ahead, left)]
    return np.stack([middles[:, 2], *rises], axis=1)


def frames_from_slopes(headings: FloatArray, slopes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames (n, 4) and normals (n, 3) of soles with a heading and a rise along and across."""
    cosine, sine = np.cos(headings), np.sin(headings)
    normals = rot.normalize(
        rot.pack(
            -(slopes[:, 0] * cosine - slopes[:, 1] * sine),
            -(slopes[:, 0] * sine + slopes[:, 1] * cosine),
            np.ones_like(cosine),
        )
    )
    yaws = rot.quaternions_from_yaws(headings)
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normals), yaws), normals
