# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles laid on the ground, and what each place costs by itself (numpy only).

See docs/method/ground.md, Footholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import SoleHits, cast_soles, start_over_body
from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.rims import FootRims
from ..rig.structure import Rig
from ..settings import PlanSettings
from ..times.stride_limits import find_left
from .limits import COSTS, REACH, SOLES, STATIONS
from .planes import fit_planes
from .records import StoodSoles


@dataclass(frozen=True)
class SoleShape:
    """The foot of one leg as prints see it.

    Attributes
    ----------
    length, width
        Of the sole, metres.
    leg_length
        Of the leg, metres.
    side
        1 for a leg to the left of the body, -1 for one to the right. Of two ways that cost as much a
        foot goes to its own side.
    outline
        Points of the flat foot from the heel end of its sole, along, across and above it, metres, shape
        (P, 3); empty where nothing but the sole counts.
    rims
        Outermost places of the foot and its leg from strike to foot-off, seen as ``outline``, or None.
    """

    length: float
    width: float
    leg_length: float
    side: float
    outline: FloatArray
    rims: FootRims | None


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
    most_way, most_rise
        Farthest that it may be moved, and its middle be above or below the body's level then, metres.
    """

    reach: float
    tolerance: float
    max_rise: float
    search: bool
    most_way: float
    most_rise: float


@dataclass(frozen=True)
class SolePlaces(Columns):
    """Where n soles stand.

    Attributes
    ----------
    heels
        Heel ends, world x and y, metres, shape (n, 2).
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
    def ahead(self) -> FloatArray:
        """Unit vectors along the soles, shape (n, 2)."""
        return np.stack([np.cos(self.headings), np.sin(self.headings)], axis=1)

    def turn_to_world(self, ways: FloatArray) -> FloatArray:
        """Ways (n, ..., 2) along the soles and to their left as world x and y."""
        return rot.turn_flat(ways, self.headings.reshape(-1, *[1] * (ways.ndim - 2)))

    def move(self, ways: FloatArray) -> SolePlaces:
        """The same moved by ways (n, 2) along the soles and to their left, metres."""
        return replace(self, heels=self.heels + self.turn_to_world(ways))


@dataclass(frozen=True)
class FootSoles(Columns):
    """Soles of several feet over a ground, n of them.

    Attributes
    ----------
    ground, rules
        What to stand on, and what counts as ground.
    shapes
        Of the feet.
    feet
        Which of these each is, shape (n,).
    places
        Where they stand.
    """

    ground: Ground
    rules: FootholdRules
    shapes: Sequence[SoleShape]
    feet: np.ndarray
    places: SolePlaces

    @property
    def sizes(self) -> FloatArray:
        """Length and width of each, metres, shape (n, 2)."""
        return np.array([[shape.length, shape.width] for shape in self.shapes])[self.feet]

    @property
    def leg_length(self) -> float:
        """Of the character, metres."""
        return self.shapes[0].leg_length

    def move(self, ways: FloatArray) -> FootSoles:
        """The same moved by ways (n, 2) along themselves and to their left, metres."""
        return replace(self, places=self.places.move(ways))

    def cast(self, owners: np.ndarray, local: FloatArray) -> SoleHits:
        """Ground under points (q, 2) along and across some soles (q,), within reach of the body."""
        reach, places = self.rules.reach, self.places.select(owners)
        heels, level = places.move(local).heels, places.levels
        tops = start_over_body(level, reach)
        return cast_soles(self.ground, heels, tops, places.times, level - reach, floors=level)


@dataclass(frozen=True)
class SoleFits(Columns):
    """Soles laid on the ground, n of them.

    Attributes
    ----------
    planes
        Height at the middle of the sole, world, metres, and its rise along and across, shape (n, 3).
    supports
        Share of the sole that has ground under it, shape (n,).
    costs
        What speaks against each place, shape (n,).
    surfaces
        Surface under the middle of the sole, -1 for none, shape (n,).
    found
        Whether there is any ground, shape (n,).
    uneven
        Whether any station is off the plane, shape (n,).
    """

    planes: FloatArray
    supports: FloatArray
    costs: FloatArray
    surfaces: np.ndarray
    found: np.ndarray
    uneven: np.ndarray


def make_foothold_rules(rig: Rig, settings: PlanSettings) -> FootholdRules:
    """What the soles of a character may stand on."""
    length, longest = rig.leg_length, float(rig.foot_lengths.max())
    return FootholdRules(
        reach=settings.step_limit * length,
        tolerance=settings.sole_tolerance * max(length, longest / SOLES.human_foot),
        max_rise=float(np.tan(settings.max_slope)),
        search=settings.search_footholds,
        most_way=np.inf,
        most_rise=np.inf,
    )


def make_sole_shape(rig: Rig, leg: int, rims: FootRims | None = None) -> SoleShape:
    """The foot of a leg as prints see it; rims where the motions are known that roll it."""
    return SoleShape(
        length=float(rig.foot_lengths[leg]),
        width=rig.legs[leg].sole_width,
        leg_length=rig.leg_length,
        side=1.0 if rig.rest_hips[leg, :2] @ find_left(rig) >= 0.0 else -1.0,
        outline=rig.hulls[leg].places,
        rims=rims,
    )


def limit_way(shape: SoleShape, swept: float) -> float:
    """How far a print may be moved so that the leg still reaches it, but at least a sole, metres.

    The foot is before or behind the body by ``swept`` metres at most while it bears.
    """
    return max(REACH.measure_across() * shape.leg_length - swept, shape.length)


def lay_soles(soles: FootSoles, rows: np.ndarray, ways: FloatArray) -> SoleFits:
    """Lay soles on the ground, flat on all that is under them or on one of their halves.

    Parameters
    ----------
    soles
        The soles, n of them.
    rows, ways
        Which of them, and how far each is moved along itself and to its left, metres, shapes (m,) and
        (m, 2): one may be tried at several places.

    Returns
    -------
    SoleFits
        Of the m places.
    """
    shares = list_pairs(STATIONS.along, STATIONS.across)
    local = (ways[:, None] + shares * soles.sizes[rows, None]).reshape(-1, 2)
    owners = np.repeat(rows, len(shares))
    # Stations of places of one sole that are the same point ask the ground once.
    first, spread = _find_distinct(owners, np.rint(local / (SOLES.same * soles.leg_length)))
    hits, spread = soles.cast(owners[first], local[first]), spread.reshape(len(rows), -1)
    hits = SoleHits(hits.heights[spread], hits.surfaces[spread])
    fits = _lay_on(soles, rows, shares, hits, np.ones(len(shares), dtype=bool))
    # A tread shorter than the foot bears its ball or its heel alone.
    poor = np.flatnonzero(fits.supports < 1.0)
    hits = SoleHits(hits.heights[poor], hits.surfaces[poor])
    for half in (shares[:, 0] >= 0.5, shares[:, 0] <= 0.5) if len(poor) else ():
        tried = _lay_on(soles, rows[poor], shares, hits, half)
        better = tried.costs < fits.costs[poor] - rot.TINY
        fits = fits.put(poor[better], tried.select(better))
    return fits


def _lay_on(
    soles: FootSoles, rows: np.ndarray, shares: FloatArray, hits: SoleHits, bearing: np.ndarray
) -> SoleFits:
    """Some soles (m,) over ground under stations (P, 2), (m, P), on those that bear (P,)."""
    sizes, rules, same = soles.sizes[rows], soles.rules, SOLES.same * soles.leg_length
    heights, met = hits.heights, hits.met
    found, planes = met.any(axis=1), np.zeros((len(rows), 3))
    planes[:, 0] = np.where(found, heights.max(axis=1), soles.places.levels[rows])
    uneven = np.flatnonzero(found & (heights.min(axis=1) < planes[:, 0] - same))
    planes[uneven] = fit_planes(
        heights[uneven], shares, sizes[uneven], rules.tolerance, rules.max_rise, bearing
    )
    tops = planes[:, :1] + planes[:, 1:] * sizes @ (shares - [0.5, 0.0]).T
    gaps = heights - tops
    supported = gaps > -rules.tolerance
    inside = (shares[:, 0] >= 0.0) & (shares[:, 0] <= 1.0)
    supports = supported[:, inside].mean(axis=1)
    fourth = (planes[:, 1] ** 2 + planes[:, 2] ** 2) ** 2
    costs = COSTS.support * (1.0 - supports)
    costs += COSTS.void * (~met[:, inside]).mean(axis=1)
    costs += COSTS.margin * (~supported[:, ~inside]).mean(axis=1)
    costs += COSTS.slope * fourth / (1.0 + fourth)
    # The surface under the supported station nearest to the middle.
    order = np.argsort(np.abs(shares[:, 0] - 0.5), kind="stable")
    first = order[np.argmax(supported[:, order], axis=1)]
    surfaces = np.where(supported.any(axis=1), hits.surfaces[np.arange(len(rows)), first], -1)
    return SoleFits(planes, supports, costs, surfaces, found, gaps.min(axis=1) < -same)


def weigh_walls(
    soles: FootSoles, rows: np.ndarray, ways: FloatArray, planes: FloatArray
) -> FloatArray:
    """What soles cost whose foot or shin is in what stands up beside them, shape (m,).

    Parameters
    ----------
    soles, rows, ways
        As of `lay_soles`.
    planes
        Of the soles there, see `SoleFits`, shape (m, 3).
    """
    margin = SOLES.margin * soles.leg_length
    outlines = [_list_outlines(shape, margin) for shape in soles.shapes]
    places, points = _list_points(outlines, soles.feet[rows])
    heights = soles.cast(rows[places], ways[places] + points[:, :2]).heights
    tops = _find_tops(soles.sizes[rows[places], 0], planes[places], points)
    depths = (heights - tops) / soles.leg_length
    own, rim = (
        _find_most(np.where(points[:, 3] == part, depths, 0.0), places, len(rows))
        for part in (1.0, 0.0)
    )
    return COSTS.hull * own + COSTS.rim * rim


def _list_outlines(shape: SoleShape, margin: float) -> FloatArray:
    """Points of a foot, widened, and of what it rolls through, and whether they are its own, (P, 4)."""
    own, rim = shape.outline, shape.outline[:0]
    if shape.rims is not None and len(own):
        rim = shape.rims.foot if shape.rims.leg is None else shape.rims.leg
    points = np.concatenate([own, rim])
    # What the motions have below the ground is no wall: no place would be better.
    heights = np.maximum(points[:, 2:], 0.0)
    is_own = np.arange(len(points))[:, None] < len(own)
    return np.concatenate([_widen(points[:, :2], margin), heights, is_own], axis=1)


def _list_points(outlines: Sequence[FloatArray], feet: np.ndarray) -> tuple[np.ndarray, FloatArray]:
    """The points (P, ...) of the foot of each of m soles: of which sole each is, (q,), and what it is."""
    counts = np.array([len(points) for points in outlines])
    own = counts[feet]
    soles = np.repeat(np.arange(len(feet)), own)
    starts = (np.cumsum(counts) - counts)[feet] - (np.cumsum(own) - own)
    return soles, np.concatenate(outlines)[np.arange(len(soles)) + np.repeat(starts, own)]


def _find_tops(lengths: FloatArray, planes: FloatArray, points: FloatArray) -> FloatArray:
    """World z of points (q, 3) from the heel ends of soles with such lengths and planes, metres, (q,)."""
    along = points[:, 0] - 0.5 * lengths
    return np.asarray(
        planes[:, 0] + planes[:, 1] * along + planes[:, 2] * points[:, 1] + points[:, 2]
    )


def _find_most(values: FloatArray, owners: np.ndarray, count: int) -> FloatArray:
    """The largest of the values (q,) of each owner, which are in order, but at least 0, (count,)."""
    most = np.zeros(count)
    if len(values):
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        most[owners[first]] = np.maximum(np.maximum.reduceat(values, first), 0.0)
    return most


def stand_soles(soles: FootSoles, fits: SoleFits) -> StoodSoles:
    """Soles as they lie by fits, n of both, raised until no ground sticks through them."""
    places, half = soles.places, 0.5 * soles.sizes[:, :1]
    frames, normals = frames_from_slopes(places.headings, fits.planes[:, 1:])
    middles = places.heels + half * places.ahead
    heights = fits.planes[:, 0] + _measure_intrusions(soles, fits)
    positions = np.concatenate([middles, heights[:, None]], axis=1)
    positions -= half * rot.rotate(frames, np.array([1.0, 0.0, 0.0]))
    return StoodSoles(positions, frames, normals, fits.supports, fits.surfaces, fits.found)


def _measure_intrusions(soles: FootSoles, fits: SoleFits) -> FloatArray:
    """How far ground between the stations, or under the outline, sticks through soles, metres, (n,)."""
    shares = list_pairs(STATIONS.close_along, STATIONS.close_across)
    close = [np.pad(shares * (s.length, s.width), ((0, 0), (0, 1))) for s in soles.shapes]
    uneven = np.flatnonzero(fits.uneven)
    between, inner = _list_points(close, soles.feet[uneven])
    under, outer = _list_points([s.outline for s in soles.shapes], soles.feet)
    owners, points = np.append(uneven[between], under), np.concatenate([inner, outer])
    gaps = soles.cast(owners, points[:, :2]).heights
    gaps = gaps - _find_tops(soles.sizes[owners, 0], fits.planes[owners], points)
    # Under the outline what is higher than this is a wall, which raising a foot does not help.
    gaps[len(between) :][gaps[len(between) :] > soles.rules.tolerance] = 0.0
    order = np.argsort(owners, kind="stable")
    return _find_most(gaps[order], owners[order], len(soles.feet))


def _find_distinct(owners: np.ndarray, cells: FloatArray) -> tuple[np.ndarray, np.ndarray]:
    """First point (d,) in each cell (q, 2) of each owner, and which of these each point (q,) has."""
    cells = (cells - cells.min(axis=0)).astype(np.int64)
    sizes = cells.max(axis=0) + 1
    keys = (owners * sizes[0] + cells[:, 0]) * sizes[1] + cells[:, 1]
    _, first, spread = np.unique(keys, True, True)
    return first, spread


def list_pairs(along: FloatArray, across: FloatArray) -> FloatArray:
    """All pairs of values along and across, shape (P, 2)."""
    return np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1).reshape(-1, 2)


def _widen(outline: FloatArray, margin: float) -> FloatArray:
    """Points (P, 2) moved away from their middle, metres."""
    if len(outline) == 0:
        return outline
    away = outline - 0.5 * (outline.min(axis=0) + outline.max(axis=0))
    return np.asarray(outline + margin * away / np.maximum(np.hypot(*away.T), rot.TINY)[:, None])


def frames_from_slopes(headings: FloatArray, slopes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames (n, 4) and normals (n, 3) of soles with a heading and a rise along and across."""
    rises = rot.turn_flat(slopes, headings)
    normals = rot.normalize(rot.pack(-rises[:, 0], -rises[:, 1], np.ones(len(rises))))
    yaws = rot.quaternions_from_yaws(headings)
    return rot.multiply(rot.quaternions_from_arcs(rot.UP, normals), yaws), normals
