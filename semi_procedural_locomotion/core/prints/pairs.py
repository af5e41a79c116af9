# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What two prints that follow one another cost together (numpy only).

See docs/method/prints.md, Cost of pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import MotionTables
from ..rig.crossing import list_partners, measure_rectangle_gaps, outline_rectangles
from ..times.crossing_limits import find_least_gaps, find_least_widths
from ..times.planning import TimePlan
from ..times.source import place_footbases, pose_source
from ..times.stride_limits import find_left
from .contacts import measure_contacts
from .ideal import IdealPrints
from .limits import COSTS, REACH
from .records import PrintPlan, PrintRow
from .steps import find_step_keys


@dataclass(frozen=True)
class PrintLinks:
    """Prints of two partner legs that follow one another in time, Q of them.

    Attributes
    ----------
    legs
        The two legs, the left one first.
    prints
        Index of each leg's print in its row, shape (Q, 2).
    times
        Middle between the two, seconds, shape (Q,).
    axes
        To the left of the body there, unit vectors in the space of its carrier, shape (Q, 2).
    widths, gaps
        How far to the left of the second the first has to stand, and how far apart their soles, metres,
        shape (Q,).
    spans, drops
        From the ankle of each leg to its hip in the motions at the first and the last instant on both
        feet, world x and y, and down, metres, shapes (Q, 2, 2, 2) and (Q, 2, 2): instants, legs. NaN
        where they never stand at once.
    folds, reaches
        Shortest and longest way from hip to ankle, metres, shapes (Q, 2, 2).
    """

    legs: tuple[int, int]
    prints: np.ndarray
    times: FloatArray
    axes: FloatArray
    widths: FloatArray
    gaps: FloatArray
    spans: FloatArray
    drops: FloatArray
    folds: FloatArray
    reaches: FloatArray

    def select(self, numbers: np.ndarray) -> PrintLinks:
        """Some of the links."""
        names = [entry.name for entry in fields(self) if entry.name != "legs"]
        return replace(self, **{name: getattr(self, name)[numbers] for name in names})


@dataclass(frozen=True)
class PlacedPrints:
    """Places of n prints of one leg, K for each.

    Attributes
    ----------
    ways
        By which they are moved, world x and y, metres, shape (n, K, 2).
    aparts
        How far they were from where the motions put them before, likewise, shape (n, 2).
    heights
        Of their heel ends, world z, metres, shape (n, K).
    heels
        The same places in the space of their carriers, x and y, metres, shape (n, K, 2).
    ahead
        From heel to toe there, unit vectors, shape (n, 2).
    size
        Length and width of the sole, metres.
    still
        Whether what each stands on stays where it is, shape (n,) of bool.
    """

    ways: FloatArray
    aparts: FloatArray
    heights: FloatArray
    heels: FloatArray
    ahead: FloatArray
    size: tuple[float, float]
    still: np.ndarray

    def select(self, numbers: np.ndarray) -> PlacedPrints:
        """Some of the prints."""
        names = ("ways", "aparts", "heights", "heels", "ahead", "still")
        return replace(self, **{name: getattr(self, name)[numbers] for name in names})

    def pick(self, columns: np.ndarray) -> PlacedPrints:
        """One place of each print, K = 1."""
        rows = np.arange(len(columns))
        names = ("ways", "heights", "heels")
        return replace(
            self, **{name: getattr(self, name)[rows, columns][:, None] for name in names}
        )


@dataclass(frozen=True)
class Hanging:
    """Hips over prints that stay where the motions put them, at E instants of n prints of one leg.

    Attributes
    ----------
    spans, drops
        From the ankle to the hip, world x and y, and down, metres, shapes (n, E, 2) and (n, E); NaN where
        the instant is.
    folds, reaches
        Shortest and longest way from hip to ankle, metres, shapes (n, E).
    """

    spans: FloatArray
    drops: FloatArray
    folds: FloatArray
    reaches: FloatArray


@dataclass(frozen=True)
class Hangs:
    """Where hips are over prints, for all legs of a walk.

    Attributes
    ----------
    tables, times
        The motions and the time plan.
    ideal, rows
        Prints of each leg where the motions put them, and the same on the ground, some of them parked.
    keys
        Lift, off, strike, land of the steps of each leg, L arrays of shape (K - 1, 4).
    """

    tables: MotionTables
    times: TimePlan
    ideal: Sequence[IdealPrints]
    rows: Sequence[PrintRow]
    keys: tuple[FloatArray, ...]

    @classmethod
    def find(
        cls,
        tables: MotionTables,
        times: TimePlan,
        ideal: Sequence[IdealPrints],
        rows: Sequence[PrintRow],
    ) -> Hangs:
        """Those of a walk."""
        keys = find_step_keys(times, PrintPlan(tuple(rows), np.zeros(times.grid.count)))
        return cls(tables, times, ideal, rows, keys)

    def find_contacts(self, leg: int) -> FloatArray:
        """When a leg's foot comes down on its prints and leaves them, seconds, NaN for never, (K, 2)."""
        row = self.rows[leg]
        return np.stack(measure_contacts(self.times, row, self.keys[leg], leg), axis=1)

    def measure(self, leg: int, prints: np.ndarray, instants: FloatArray) -> Hanging:
        """Hips over prints (n,) of a leg at instants (n, E), seconds."""
        ideal, times, rig = self.ideal[leg], self.times, self.tables.small_rig
        known = np.isfinite(instants)
        if not np.any(known):
            empty = np.full((*instants.shape, 2), np.nan)
            return Hanging(empty, *[empty[..., 0]] * 3)
        first_steps = tuple(row.first for row in self.rows)
        source = pose_source(self.tables, times, self.keys, first_steps, instants[known])
        feet = place_footbases(self.tables, source, leg)
        owners = np.broadcast_to(prints[:, None], instants.shape)[known]
        joints = rig.legs[leg].joints
        hips, ankles = (source.legs.positions[:, joints[end]] for end in (0, -1))
        # Seen from what carries both, the foot stands still while the body goes on, and turns.
        places, yaws = times.rides.read_local(ideal.carriers[owners], instants[known])
        turned = rot.quaternions_from_yaws(ideal.headings[owners] - feet.angles)
        ankle = ideal.heels[owners] + rot.rotate(turned, ankles - feet.local)
        hip = places + rot.rotate(rot.quaternions_from_yaws(yaws), hips)
        turns = rot.quaternions_from_yaws(ideal.turns[owners])
        own = rot.lengths(hips - ankles)
        least = blend_constants(source.weights, self.tables.leg_cycles.least_reaches)[:, leg]
        longest = np.maximum(own, REACH.stretched * rig.legs[leg].length)

        def spread(values: FloatArray) -> FloatArray:
            full = np.full((*instants.shape, *values.shape[1:]), np.nan)
            full[known] = values
            return full

        return Hanging(
            spans=spread(rot.rotate(turns, hip - ankle)[:, :2]),
            drops=spread(ankles[:, 2] - hips[:, 2]),
            folds=spread(np.minimum(own, REACH.folded * least)),
            reaches=spread(longest),
        )


def link_prints(hangs: Hangs) -> list[PrintLinks]:
    """Prints of partners that follow one another.

    Only prints that ride on the same are linked: those on others have moved on by then.
    """
    tables, times, ideal, rows = hangs.tables, hangs.times, hangs.ideal, hangs.rows
    contacts = [hangs.find_contacts(leg).T for leg in range(len(rows))]
    found = []
    for pair in list_partners(tables.rig):
        one, two = (ideal[leg] for leg in pair)
        after = np.searchsorted(two.times, one.times, side="right")
        first = np.concatenate([np.arange(len(one.times))] * 2)
        second = np.concatenate([after - 1, after])
        inside = (second >= 0) & (second < len(two.times))
        first, second = first[inside], second[inside]
        together = one.carriers[first] == two.carriers[second]
        first, second = first[together], second[together]
        owners = [rows[leg].owners for leg in pair]
        prints = np.stack([owners[0][first], owners[1][second]], axis=1)
        prints, chosen = np.unique(prints, axis=0, return_index=True)
        if len(prints) == 0:
            continue
        first, second = first[chosen], second[chosen]
        middles = 0.5 * (one.times[first] + two.times[second])
        weights = times.grid.sample(times.weights, middles)
        phases = [
            times.grid.sample(times.phases, row.times[own])
            for row, own in ((one, first), (two, second))
        ]
        yaws = times.rides.read_local(one.carriers[first], middles)[1]
        left = np.array([*find_left(tables.rig), 0.0])
        starts, ends = (
            np.stack([contacts[leg][end][prints[:, i]] for i, leg in enumerate(pair)], axis=1)
            for end in (0, 1)
        )
        starts = np.where(np.isnan(starts), -np.inf, starts).max(axis=1)
        ends = np.where(np.isnan(ends), np.inf, ends).min(axis=1)
        instants = np.stack([starts, ends], axis=1)
        instants[~(np.isfinite(instants).all(axis=1) & (starts < ends))] = np.nan
        hung = [hangs.measure(leg, prints[:, side], instants) for side, leg in enumerate(pair)]
        found.append(
            PrintLinks(
                legs=pair,
                prints=prints,
                times=middles,
                axes=rot.rotate(rot.quaternions_from_yaws(yaws), left)[:, :2],
                widths=find_least_widths(tables, pair, weights, phases[0] - phases[1]),
                gaps=find_least_gaps(tables, pair, weights),
                spans=np.stack([own.spans for own in hung], axis=2),
                drops=np.stack([own.drops for own in hung], axis=2),
                folds=np.stack([own.folds for own in hung], axis=2),
                reaches=np.stack([own.reaches for own in hung], axis=2),
            )
        )
    return found


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
        spans = links.spans[:, instant, side] - placed.aparts
        along = np.einsum("qkc,qc->qk", placed.ways, ahead)
        square = np.sum((spans[:, None] - along[..., None] * ahead[:, None]) ** 2, axis=-1)
        base = placed.heights + links.drops[:, instant, side, None]
        for bounds, reach in ((lows, links.folds), (highs, links.reaches)):
            room = reach[:, instant, side, None] ** 2 - square
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


def _find_middles(prints: PlacedPrints) -> FloatArray:
    return prints.heels + 0.5 * prints.size[0] * prints.ahead[:, None]


def _measure_crossing(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much too far to the second's side the first prints stand, metres, (Q, K, J)."""
    places = [np.einsum("qkc,qc->qk", _find_middles(p), links.axes) for p in (one, two)]
    return links.widths[:, None, None] - places[0][:, :, None] + places[1][:, None]


def _measure_touching(links: PrintLinks, one: PlacedPrints, two: PlacedPrints) -> FloatArray:
    """How much nearer to each other soles are than they may be, 0 where they are far, (Q, K, J)."""
    apart = _find_middles(one)[:, :, None] - _find_middles(two)[:, None]
    far = sum(0.5 * float(np.hypot(*p.size)) for p in (one, two)) + links.gaps
    near = np.nonzero(np.hypot(apart[..., 0], apart[..., 1]) < far[:, None, None])
    outlines = [
        outline_rectangles(p.heels[near[0], rows], p.ahead[near[0]], np.array(p.size[0]), p.size[1])
        for p, rows in ((one, near[1]), (two, near[2]))
    ]
    deficits = np.zeros(apart.shape[:-1])
    deficits[near] = links.gaps[near[0]] - measure_rectangle_gaps(*outlines)
    return deficits
