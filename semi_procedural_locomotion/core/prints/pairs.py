# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What two prints that follow one another cost together (numpy only).

See docs/method/prints.md, Cost of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants, compute_leg_footbases
from ..motions.tables import MotionTables
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..times.crossing_limits import find_least_gaps, find_least_widths
from ..times.planning import TimePlan
from ..times.source import pose_source
from ..times.stride_limits import find_left
from .contacts import measure_contacts
from .ideal import IdealPrints
from .limits import COSTS, REACH
from .records import PrintPlan, PrintRow
from .steps import find_step_keys


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
    aparts
        How far they were from where the motions put them before, likewise, shape (n, 2).
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
    aparts: FloatArray
    heights: FloatArray
    middles: FloatArray
    ahead: FloatArray
    sizes: FloatArray
    still: np.ndarray

    def pick(self, columns: np.ndarray) -> PlacedPrints:
        """One place of each print, K = 1."""
        rows = np.arange(len(columns))
        names = ("ways", "heights", "middles")
        return replace(
            self, **{name: getattr(self, name)[rows, columns][:, None] for name in names}
        )

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
    tables, times
        The motions and the time plan.
    ideal, legs
        All prints where the motions put them, N of them, and the leg of each, shape (N,).
    keys
        Lift, off, strike, land of the steps of each leg, L arrays of shape (K - 1, 4).
    first_steps
        Step number of each leg's first print.
    contacts
        When the foot comes down on each print and leaves it, seconds, NaN for never, shape (N, 2).
    """

    tables: MotionTables
    times: TimePlan
    ideal: IdealPrints
    legs: np.ndarray
    keys: tuple[FloatArray, ...]
    first_steps: tuple[int, ...]
    contacts: FloatArray

    @classmethod
    def find(
        cls, tables: MotionTables, times: TimePlan, ideal: IdealPrints, rows: Sequence[PrintRow]
    ) -> Hangs:
        """Those of a walk whose prints are on the ground, some of them parked."""
        keys = find_step_keys(times, PrintPlan(tuple(rows), np.zeros(times.grid.count)))
        contacts = [
            np.stack(measure_contacts(times, row, own, leg), axis=1)
            for leg, (row, own) in enumerate(zip(rows, keys, strict=True))
        ]
        legs = np.repeat(np.arange(len(rows)), [len(row.times) for row in rows])
        firsts = tuple(row.first for row in rows)
        return cls(tables, times, ideal, legs, keys, firsts, np.concatenate(contacts))

    def measure(self, prints: np.ndarray, instants: FloatArray) -> Hanging:
        """Hips over prints (...,) at instants (..., E), seconds."""
        known = np.isfinite(instants)
        found = np.full((*instants.shape, 5), np.nan)
        if np.any(known):
            owners = np.broadcast_to(prints[..., None], instants.shape)[known]
            found[known] = self._measure(owners, instants[known])
        return Hanging(found[..., :2], *np.moveaxis(found[..., 2:], -1, 0))

    def _measure(self, prints: np.ndarray, instants: FloatArray) -> FloatArray:
        """Columns of `Hanging` for prints (n,) at instants (n,), shape (n, 5)."""
        ideal, times, rig = self.ideal, self.times, self.tables.small_rig
        source = pose_source(self.tables, times, self.keys, self.first_steps, instants)
        legs, lengths = self.legs[prints], np.array([leg.length for leg in rig.legs])
        hips, feet = np.zeros((2, len(legs), 3))
        angles, drops, own = np.zeros((3, len(legs)))
        for leg in np.unique(legs).tolist():
            rows, joints = legs == leg, rig.legs[leg].joints
            poses = source.legs.select(rows)
            local, angles[rows], _ = compute_leg_footbases(
                self.tables, leg, poses, source.weights[rows]
            )
            hips[rows], ankles = (poses.positions[:, joints[end]] for end in (0, -1))
            feet[rows], drops[rows] = ankles - local, (ankles - hips[rows])[:, 2]
            own[rows] = rot.lengths(ankles - hips[rows])
        # Seen from what carries both, the foot stands still while the body goes on, and turns.
        places, yaws = times.rides.read_local(ideal.carriers[prints], instants)
        turned = rot.quaternions_from_yaws(ideal.headings[prints] - angles)
        ankles = ideal.heels[prints] + rot.rotate(turned, feet)
        hips = places + rot.rotate(rot.quaternions_from_yaws(yaws), hips)
        least = blend_constants(source.weights, self.tables.leg_cycles.least_reaches)
        folds = np.minimum(own, REACH.folded * least[np.arange(len(legs)), legs])
        reaches = np.maximum(own, REACH.stretched * lengths[legs])
        spans = rot.turn_flat((hips - ankles)[:, :2], ideal.turns[prints])
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
    tables, times, ideal = hangs.tables, hangs.times, hangs.ideal
    found, left = [], np.array([*find_left(tables.rig), 0.0])
    for pair in list_partners(tables.rig):
        one, two = (np.flatnonzero(hangs.legs == leg) for leg in pair)
        after = np.searchsorted(ideal.times[two], ideal.times[one], side="right")
        ends = np.stack([np.tile(one, 2), two[0] + np.append(after - 1, after)], axis=1)
        ends = ends[(ends[:, 1] >= two[0]) & (ends[:, 1] <= two[-1])]
        ends = ends[ideal.carriers[ends[:, 0]] == ideal.carriers[ends[:, 1]]]
        prints, chosen = np.unique(ideal.kept[ends], axis=0, return_index=True)
        chosen = chosen[np.all(numbers[prints] >= 0, axis=1)]
        if len(chosen):
            found.append((pair, ends[chosen]))
    if not found:
        return NO_LINKS
    columns = []
    for pair, ends in found:
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
    prints, axes, widths, gaps = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    starts, ends = np.moveaxis(hangs.contacts[prints], -1, 0)
    starts = np.where(np.isnan(starts), -np.inf, starts).max(axis=1)
    ends = np.where(np.isnan(ends), np.inf, ends).min(axis=1)
    instants = np.stack([starts, ends], axis=1)
    instants[~(np.isfinite(instants).all(axis=1) & (starts < ends))] = np.nan
    hanging = hangs.measure(prints, np.repeat(instants[:, None], 2, axis=1))
    return PrintLinks(numbers[prints], axes, widths, gaps, hanging)


def weigh_links(
    links: PrintLinks, one: PlacedPrints, two: PlacedPrints, leg_length: float
) -> FloatArray:
    """What the two prints of each link cost together but for touching, shape (Q, K, J).

    Parameters
    ----------
    links
        The links.
    one, two
        Places of the first and of the second print of each, K and J.
    leg_length
        Mean length of the legs, metres.
    """
    crossed = np.maximum(_measure_crossing(links, one, two), 0.0)
    apart = two.ways[:, None] - one.ways[:, :, None]
    tense = COSTS.stride * np.sum(apart**2, axis=-1) / leg_length
    for instant in range(2):
        over = _measure_overlaps(links, instant, one, two)
        tense += COSTS.overlap * np.where(np.isnan(over), 0.0, over) ** 2 / leg_length
    # Heights and places of prints on what moves are not of one time.
    still = (one.still & two.still)[:, None, None]
    return np.asarray((COSTS.crossing * crossed + np.where(still, tense, 0.0)) / leg_length)


def _measure_overlaps(
    links: PrintLinks, instant: int, one: PlacedPrints, two: PlacedPrints
) -> FloatArray:
    """How much lower the highest hips of one leg are than the lowest of the other, metres, (Q, K, J)."""
    # Feet that stood wider would do with lower hips, too; people step ahead instead.
    ahead = np.stack([links.axes[:, 1], -links.axes[:, 0]], axis=1)
    lows: list[FloatArray] = []
    highs: list[FloatArray] = []
    for side, placed in enumerate((one, two)):
        hanging = links.hanging.select((slice(None), side, instant))
        spans = hanging.spans - placed.aparts
        along = np.einsum("qkc,qc->qk", placed.ways, ahead)
        square = np.sum((spans[:, None] - along[..., None] * ahead[:, None]) ** 2, axis=-1)
        base = placed.heights + hanging.drops[:, None]
        for bounds, reach in ((lows, hanging.folds), (highs, hanging.reaches)):
            room = reach[:, None] ** 2 - square
            bounds.append(base + np.sqrt(np.maximum(room, 0.0)))
    lowest = np.maximum(lows[0][:, :, None], lows[1][:, None])
    highest = np.minimum(highs[0][:, :, None], highs[1][:, None])
    return np.maximum(lowest - highest, 0.0)


def weigh_touch(
    links: PrintLinks, one: PlacedPrints, two: PlacedPrints, leg_length: float
) -> FloatArray:
    """What the prints of each link cost more as their soles are too near, shape (Q, K, J).

    Parameters as of `weigh_links`.
    """
    crossed = np.maximum(_measure_crossing(links, one, two), 0.0)
    touching = np.maximum(_measure_touching(links, one, two) - crossed, 0.0)
    return np.asarray(COSTS.crossing * touching / leg_length)


def measure_deficits(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much nearer to each other the prints of each link are than they may be, metres, (Q, K, J)."""
    return np.maximum(_measure_crossing(links, one, two), _measure_touching(links, one, two))


def _measure_crossing(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much too far to the second's side the first prints stand, metres, (Q, K, J)."""
    places = [np.einsum("qkc,qc->qk", placed.middles, links.axes) for placed in (one, two)]
    return links.widths[:, None, None] - places[0][:, :, None] + places[1][:, None]


def _measure_touching(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much nearer to each other soles are than they may be, 0 where they are far, (Q, K, J)."""
    apart = one.middles[:, :, None] - two.middles[:, None]
    far = 0.5 * (np.hypot(*one.sizes.T) + np.hypot(*two.sizes.T)) + links.gaps
    near = np.nonzero(np.hypot(apart[..., 0], apart[..., 1]) < far[:, None, None])
    deficits, link = np.zeros(apart.shape[:-1]), near[0]
    if len(link):
        gaps = measure_rectangle_gaps(one.outline(link, near[1]), two.outline(link, near[2]))
        deficits[near] = links.gaps[link] - gaps
    return deficits
