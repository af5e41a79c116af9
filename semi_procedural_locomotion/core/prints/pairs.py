# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What two prints that follow one another cost together (numpy only).

See docs/method/prints.md, Cost of pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants, compute_leg_footbases
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..rig.limits import REACH as LEGS
from ..times.crossing_limits import find_least_gaps, find_least_widths
from ..times.stride_limits import find_left
from .ideal import IdealPrints
from .limits import COSTS, REACH
from .steps import StepPlan


@dataclass(frozen=True)
class Hanging(Columns):
    """Hips over prints that stay where the motions put them, at E instants of each.

    Attributes
    ----------
    spans, drops
        From the ankle to the hip, world x and y, and down, metres, shapes (..., E, 2) and (..., E); NaN
        where the instant is.
    folds, reaches
        Shortest and longest way from hip to ankle, metres, shapes (..., E).
    """

    spans: FloatArray
    drops: FloatArray
    folds: FloatArray
    reaches: FloatArray


@dataclass(frozen=True)
class PrintLinks(Columns):
    """Prints of two partner legs that follow one another in time, Q of them.

    Attributes
    ----------
    prints
        Their numbers among all prints of the walk, those of left legs first, shape (Q, 2).
    axes
        To the left of the body between them, unit vectors in the space of its carrier, shape (Q, 2).
    widths, gaps
        How far to the left of the second the first has to stand, and how far apart their soles, metres,
        shape (Q,).
    hanging
        Hips over both prints at the first and the last instant on both feet, shapes (Q, 2, 2, ...).
    """

    prints: np.ndarray
    axes: FloatArray
    widths: FloatArray
    gaps: FloatArray
    hanging: Hanging


@dataclass(frozen=True)
class PlacedPrints(Columns):
    """Places of n prints, K for each.

    Attributes
    ----------
    ways
        By which they are moved, world x and y, metres, shape (n, K, 2).
    heights
        Of their heel ends, world z, metres, shape (n, K).
    middles
        Of the soles in the space of their carriers, x and y, metres, shape (n, K, 2).
    ahead
        From heel to toe there, unit vectors, shape (n, 2).
    sizes
        Length and width of the soles, metres, shape (n, 2).
    still
        Whether what each stands on stays where it is, shape (n,) of bool.
    """

    ways: FloatArray
    heights: FloatArray
    middles: FloatArray
    ahead: FloatArray
    sizes: FloatArray
    still: np.ndarray

    def pick(self, columns: np.ndarray) -> PlacedPrints:
        """One place of each print, K = 1."""
        at = np.arange(len(columns)), columns
        ways, heights, middles = (c[at][:, None] for c in (self.ways, self.heights, self.middles))
        return replace(self, ways=ways, heights=heights, middles=middles)

    def outline(self, rows: np.ndarray, columns: np.ndarray) -> FloatArray:
        """Corners (p, 4, 2) of soles at places (p,) of some prints (p,), metres."""
        sizes, ahead = self.sizes[rows], self.ahead[rows]
        heels = self.middles[rows, columns] - 0.5 * sizes[:, :1] * ahead
        return outline_rectangles(heels, ahead, sizes[:, 0], sizes[:, 1:])


NO_LINKS = PrintLinks(
    prints=np.zeros((0, 2), dtype=np.intp),
    axes=np.zeros((0, 2)),
    widths=np.zeros(0),
    gaps=np.zeros(0),
    hanging=Hanging(np.zeros((0, 2, 2, 2)), *[np.zeros((0, 2, 2))] * 3),
)
"""Links of prints that are tied to no others."""


@dataclass(frozen=True)
class Hangs:
    """Where hips are over the prints of a walk.

    Attributes
    ----------
    plan
        The steps between prints on the ground where the motions put them, some of them parked.
    ideal
        All these prints, N of them.
    contacts
        When the foot comes down on each print and leaves it, seconds, NaN for never, shape (N, 2).
    """

    plan: StepPlan
    ideal: IdealPrints
    contacts: FloatArray

    def measure(self, prints: np.ndarray, instants: FloatArray) -> Hanging:
        """Hips over prints (...,) at instants (..., E), seconds."""
        known = np.isfinite(instants)
        found = np.full((*instants.shape, 5), np.nan)
        if np.any(known):
            owners = np.broadcast_to(prints[..., None], instants.shape)[known]
            found[known] = self._measure(self.ideal.select(owners), instants[known])
        return Hanging(found[..., :2], *np.moveaxis(found[..., 2:], -1, 0))

    def _measure(self, ideal: IdealPrints, instants: FloatArray) -> FloatArray:
        """Columns of `Hanging` for prints at instants, n of both, shape (n, 5)."""
        tables, rides = self.plan.tables, self.plan.times.rides
        rig, source, legs = tables.small_rig, self.plan.read_source(instants), ideal.legs
        hips, feet = np.zeros((2, len(legs), 3))
        angles, drops, own = np.zeros((3, len(legs)))
        for leg in np.unique(legs).tolist():
            rows, joints = legs == leg, rig.legs[leg].joints
            poses = source.legs.select(rows)
            local, angles[rows], _ = compute_leg_footbases(tables, leg, poses, source.weights[rows])
            hips[rows], ankles = (poses.positions[:, joints[end]] for end in (0, -1))
            feet[rows], drops[rows] = ankles - local, (ankles - hips[rows])[:, 2]
            own[rows] = rot.lengths(ankles - hips[rows])
        # Seen from what carries both, the foot stands still while the body goes on, and turns.
        places, yaws = rides.read_local(ideal.carriers, instants)
        ankles = ideal.heels + rot.rotate(rot.quaternions_from_yaws(ideal.headings - angles), feet)
        hips = places + rot.rotate(rot.quaternions_from_yaws(yaws), hips)
        least = blend_constants(source.weights, tables.leg_cycles.least_reaches)
        folds = np.minimum(own, REACH.folded * least[np.arange(len(legs)), legs])
        lengths = np.array([leg.length for leg in rig.legs])[legs]
        reaches = np.maximum(own, LEGS.comfortable * lengths)
        spans = rot.turn_flat((hips - ankles)[:, :2], ideal.turns)
        return np.concatenate([spans, np.stack([drops, folds, reaches], axis=1)], axis=1)


def link_prints(hangs: Hangs, numbers: np.ndarray) -> PrintLinks:
    """Prints of partners that follow one another.

    Only prints that ride on the same are linked: those on others have moved on by then.

    Parameters
    ----------
    hangs
        The prints where the motions put them.
    numbers
        What number each has among those that are linked, -1 for none, shape (N,).
    """
    tables, times, ideal = hangs.plan.tables, hangs.plan.times, hangs.ideal
    columns, left = [], np.array([*find_left(tables.rig), 0.0])
    for pair in list_partners(tables.rig):
        one, two = (np.flatnonzero(ideal.legs == leg) for leg in pair)
        after = np.searchsorted(ideal.times[two], ideal.times[one], side="right")
        ends = np.stack([np.tile(one, 2), two[0] + np.append(after - 1, after)], axis=1)
        ends = ends[(ends[:, 1] >= two[0]) & (ends[:, 1] <= two[-1])]
        ends = ends[ideal.carriers[ends[:, 0]] == ideal.carriers[ends[:, 1]]]
        prints, chosen = np.unique(ideal.kept[ends], axis=0, return_index=True)
        ends = ends[chosen[np.all(numbers[prints] >= 0, axis=1)]]
        middles = ideal.times[ends].mean(axis=1)
        phases = times.grid.sample(times.phases, ideal.times[ends].ravel()).reshape(-1, 2)
        weights = times.grid.sample(times.weights, middles)
        yaws = times.rides.read_local(ideal.carriers[ends[:, 0]], middles)[1]
        columns.append(
            (
                ideal.kept[ends],
                rot.rotate(rot.quaternions_from_yaws(yaws), left)[:, :2],
                find_least_widths(tables, pair, weights, phases[:, 0] - phases[:, 1]),
                find_least_gaps(tables, pair, weights),
            )
        )
    if not columns:
        return NO_LINKS
    prints, axes, widths, gaps = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    contacts = hangs.contacts[prints]
    instants = np.stack([np.fmax(*contacts[..., 0].T), np.fmin(*contacts[..., 1].T)], axis=1)
    instants[~(instants[:, 0] < instants[:, 1])] = np.nan
    hanging = hangs.measure(prints, np.repeat(instants[:, None], 2, axis=1))
    return PrintLinks(numbers[prints], axes, widths, gaps, hanging)


def weigh_links(links: PrintLinks, placed: PlacedPrints, leg_length: float) -> FloatArray:
    """What the two prints of each link cost together but for touching, shape (Q, K, K).

    Parameters
    ----------
    links
        The links.
    placed
        K places of each print of the walk.
    leg_length
        Mean length of the legs, metres.
    """
    one, two = _list_ends(links, placed)
    crossed = np.maximum(_measure_crossing(links, one, two), 0.0)
    apart = two.ways[:, None] - one.ways[:, :, None]
    tense = COSTS.stride * np.sum(apart**2, axis=-1) / leg_length
    for instant in range(2):
        over = _measure_overlaps(links, instant, one, two)
        tense += COSTS.overlap * np.where(np.isnan(over), 0.0, over) ** 2 / leg_length
    # Heights and places of prints on what moves are not of one time.
    still = (one.still & two.still)[:, None, None]
    return np.asarray((COSTS.crossing * crossed + np.where(still, tense, 0.0)) / leg_length)


def weigh_touch(links: PrintLinks, placed: PlacedPrints, leg_length: float) -> FloatArray:
    """What the prints of each link cost more as their soles are too near, shape (Q, K, K).

    Parameters as of `weigh_links`.
    """
    one, two = _list_ends(links, placed)
    crossed = np.maximum(_measure_crossing(links, one, two), 0.0)
    touching = np.maximum(_measure_touching(links, one, two) - crossed, 0.0)
    return np.asarray(COSTS.crossing * touching / leg_length)


def measure_deficits(links: PrintLinks, placed: PlacedPrints) -> FloatArray:
    """How much nearer to each other the prints of each link are than they may be, metres, (Q, K, K)."""
    one, two = _list_ends(links, placed)
    return np.maximum(_measure_crossing(links, one, two), _measure_touching(links, one, two))


def _list_ends(links: PrintLinks, placed: PlacedPrints) -> tuple[PlacedPrints, PlacedPrints]:
    """Places of the first and of the second print of each link."""
    return placed.select(links.prints[:, 0]), placed.select(links.prints[:, 1])


def _measure_overlaps(
    links: PrintLinks, instant: int, one: PlacedPrints, two: PlacedPrints
) -> FloatArray:
    """How much lower the highest hips of one leg are than the lowest of the other, metres, (Q, K, K)."""
    # Feet that stood wider would do with lower hips, too; people step ahead instead.
    ahead = np.stack([links.axes[:, 1], -links.axes[:, 0]], axis=1)
    lows: list[FloatArray] = []
    highs: list[FloatArray] = []
    for side, placed in enumerate((one, two)):
        hanging = links.hanging.select((slice(None), side, instant))
        along = np.einsum("qkc,qc->qk", placed.ways, ahead)
        away = hanging.spans[:, None] - along[..., None] * ahead[:, None]
        square = np.sum(away**2, axis=-1)
        base = placed.heights + hanging.drops[:, None]
        for bounds, reach in ((lows, hanging.folds), (highs, hanging.reaches)):
            room = reach[:, None] ** 2 - square
            bounds.append(base + np.sqrt(np.maximum(room, 0.0)))
    lowest = np.maximum(lows[0][:, :, None], lows[1][:, None])
    highest = np.minimum(highs[0][:, :, None], highs[1][:, None])
    return np.maximum(lowest - highest, 0.0)


def _measure_crossing(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much too far to the second's side the first prints stand, metres, (Q, K, K)."""
    places = [np.einsum("qkc,qc->qk", placed.middles, links.axes) for placed in (one, two)]
    return links.widths[:, None, None] - places[0][:, :, None] + places[1][:, None]


def _measure_touching(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much nearer to each other soles are than they may be, 0 where they are far, (Q, K, K)."""
    apart = one.middles[:, :, None] - two.middles[:, None]
    far = 0.5 * (np.hypot(*one.sizes.T) + np.hypot(*two.sizes.T)) + links.gaps
    near = np.nonzero(np.hypot(apart[..., 0], apart[..., 1]) < far[:, None, None])
    deficits, link = np.zeros(apart.shape[:-1]), near[0]
    if len(link):
        gaps = measure_rectangle_gaps(one.outline(link, near[1]), two.outline(link, near[2]))
        deficits[near] = links.gaps[link] - gaps
    return deficits
