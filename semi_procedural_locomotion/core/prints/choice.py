# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cheapest of all sequences of prints (numpy only).

Each print has places to choose from; a place has a cost of its own and one with the partner's prints
before and after it (docs/method/prints.md, One cost).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import COSTS, REACH, SEARCH, SOLES, STATIONS
from .pairs import NO_LINKS, Hanging, PlacedPrints, PrintLinks, weigh_links, weigh_touch
from .records import StoodSoles
from .soles import (
    FootholdRules,
    FootSoles,
    SoleFits,
    SolePlaces,
    SoleShape,
    lay_soles,
    list_pairs,
    stand_soles,
    weigh_walls,
)

# Digits of costs beyond which they are the same: rounding decides between no two places.
_EQUAL = 7
# Ahead of a place, behind it and to both sides.
_NEXT_TO = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


@dataclass(frozen=True)
class Prints:
    """Prints to be chosen, n of them, of all legs.

    Attributes
    ----------
    soles
        Where the motions put them.
    fits
        How they lie there.
    hanging
        Hips over them at E instants, as they come down and as they leave, shapes (n, E, ...).
    turns
        From the space of what carries the body to the world, radians, shape (n,).
    heels
        Heel ends in that space, x and y, metres, shape (n, 2).
    still
        Whether what each stands on stays where it is, shape (n,) of bool.
    """

    soles: FootSoles
    fits: SoleFits
    hanging: Hanging
    turns: FloatArray
    heels: FloatArray
    still: np.ndarray

    def place(self, ways: FloatArray, planes: FloatArray) -> PlacedPrints:
        """The prints moved by ways (n, K, 2) along the sole and aside, on planes (n, K, 3)."""
        sizes, places = self.soles.sizes, self.soles.places
        world = places.turn_to_world(ways)
        ahead = rot.turn_flat(places.ahead, -self.turns)
        middles = self.heels + 0.5 * sizes[:, :1] * ahead
        return PlacedPrints(
            ways=world,
            heights=planes[..., 0] - 0.5 * sizes[:, :1] * planes[..., 1],
            middles=middles[:, None] + rot.turn_flat(world, -self.turns[:, None]),
            ahead=ahead,
            sizes=sizes,
            still=self.still,
        )


def choose_alone(
    ground: Ground, shape: SoleShape, rules: FootholdRules, places: SolePlaces
) -> StoodSoles:
    """Put prints on the ground that no others are tied to, moved ahead or back alone.

    Parameters
    ----------
    ground, shape, rules
        What to stand on, the foot, and what counts as ground.
    places
        Where the soles shall stand.
    """
    rows, none = np.arange(len(places.times)), np.zeros((len(places.times), 0))
    soles = FootSoles(ground, rules, (shape,), 0 * rows, places)
    fits = lay_soles(soles, rows, np.zeros((len(rows), 2)))
    hanging = Hanging(np.zeros((len(rows), 0, 2)), none, none, none)
    turns, still = np.zeros(len(rows)), np.ones(len(rows), dtype=bool)
    prints = Prints(soles, fits, hanging, turns, places.heels, still)
    ways, fits = choose_ways(prints, NO_LINKS, aside=False)
    return stand_soles(soles.move(ways), fits)


def choose_ways(
    prints: Prints, links: PrintLinks, aside: bool = True
) -> tuple[FloatArray, SoleFits]:
    """Ways by which all prints together cost least.

    No print goes where that costs more than it has to gain: what is chosen depends on nothing far away.

    Parameters
    ----------
    prints, links
        Of all legs, and between partners.
    aside
        Whether prints may be moved across the sole, too.

    Returns
    -------
    ways
        Along the sole and to its left, metres, shape (n, 2).
    fits
        How the soles lie there.
    """
    search, soles = _PrintSearch(prints, links), prints.soles
    for moves in _list_rounds(soles.rules.search, aside):
        offsets = np.stack([_list_offsets(shape, moves) for shape in soles.shapes])[soles.feet]
        active = np.ones(len(offsets), dtype=bool)
        for _ in range(round(1.0 / SEARCH.step)):
            moved = search.step(offsets, active)
            # Ahead and behind all places have been tried; who has gone aside may go on.
            active = moved & (search.ways[:, 1] != 0.0)
            if not np.any(active):
                break
    return search.ways, search.fits


@dataclass
class _PrintTries:
    """Places of n prints, K for each, the present one first, and what those of q links cost together.

    ``active`` (n,) have more than that. ``ways`` (n, K, 2) go along the sole and aside. ``walls`` (n, K)
    are part of ``costs`` (n, K), NaN where nobody has looked yet; what is no place costs infinitely much.
    ``laid`` (n, K) are the numbers of the places among those that were laid on the ground. ``pairs``
    (q, K, K) are what the ``links`` cost, ``touched`` (q,) those that count what places cost that touch.
    """

    active: np.ndarray
    ways: FloatArray
    planes: FloatArray
    costs: FloatArray
    walls: FloatArray
    laid: np.ndarray
    links: PrintLinks
    placed: PlacedPrints
    pairs: FloatArray
    touched: np.ndarray


class _PrintSearch:
    """The search for the cheapest sequence: places about the present ones, from far to near.

    Of each print it knows the way to its present place, how the sole lies there, what that costs, and how
    much of it are walls; of each link what its prints cost together.
    """

    def __init__(self, prints: Prints, links: PrintLinks) -> None:
        self.prints, self.links, self.soles = prints, links, prints.soles
        self.rules, self.leg_length = self.soles.rules, self.soles.leg_length
        every = np.arange(len(prints.turns))
        self.ways, self.fits = np.zeros((len(every), 2)), prints.fits
        self.walls = np.zeros(len(every))
        self.costs = self._weigh_reach(every, self.ways[:, None])[:, 0]
        if self.rules.search:
            self.walls = weigh_walls(self.soles, every, self.ways, self.fits.planes)
            self.costs += self.walls + self.fits.costs
        placed = prints.place(self.ways[:, None], self.fits.planes[:, None])
        pairs = weigh_links(links, placed, self.leg_length)
        self.pairs = (pairs + weigh_touch(links, placed, self.leg_length))[:, 0, 0]
        legs = self.soles.feet
        chains = np.arange(len(self.soles.shapes))
        chains[legs[links.prints[:, 1]]] = legs[links.prints[:, 0]]
        self.order = np.lexsort((self.soles.places.times, chains[legs]))

    def step(self, offsets: FloatArray, active: np.ndarray) -> np.ndarray:
        """Move active prints (n,) to the best of places at offsets (n, K, 2); which have moved, (n,)."""
        owners, ways, floors = self._list_places(offsets, active)
        if len(owners) == 0:
            return np.zeros(len(active), dtype=bool)
        fits = lay_soles(self.soles, owners, ways)
        tries = self._gather(owners, ways, floors, fits)
        picks = self._choose(tries)
        at, moved = (np.arange(len(picks)), picks), np.flatnonzero(picks)
        self.fits = self.fits.put(moved, fits.select(tries.laid[moved, picks[moved]]))
        self.ways, self.costs, self.walls = tries.ways[at], tries.costs[at], tries.walls[at]
        first, second = picks[tries.links.prints].T
        near = np.any(tries.active[self.links.prints], axis=1)
        self.pairs[near] = tries.pairs[np.arange(len(first)), first, second]
        return picks > 0

    def _list_places(
        self, offsets: FloatArray, active: np.ndarray
    ) -> tuple[np.ndarray, FloatArray, FloatArray]:
        """Places at offsets (n, K, 2) from those of active prints (n,) that may cost less than these.

        Of each the print (m,), in order, its way (m, 2), and what it costs at least (m,).
        """
        totals = self.costs.copy()
        for numbers in self.links.prints.T:
            np.add.at(totals, numbers, self.pairs)
        rows = np.flatnonzero(active)
        ways = self.ways[rows, None] + offsets[rows]
        floors = _weigh_moves(ways, self.leg_length) + self._weigh_reach(rows, ways)
        # On what moves no partner tells how far a print is from it: it stays within its sole.
        most = np.where(self.prints.still[rows], self.rules.most_way, self.soles.sizes[rows, 0])
        most = most[:, None] + SOLES.same * self.leg_length
        tried = (floors < totals[rows, None]) & (np.hypot(ways[..., 0], ways[..., 1]) <= most)
        return rows[np.nonzero(tried)[0]], ways[tried], floors[tried]

    def _gather(
        self, owners: np.ndarray, ways: FloatArray, floors: FloatArray, fits: SoleFits
    ) -> _PrintTries:
        """Places (m,) of some prints beside the present ones of all, and links of these."""
        columns = 1 + np.arange(len(owners)) - np.searchsorted(owners, owners)
        shape, at = (len(self.costs), 1 + columns.max()), (owners, columns)
        all_ways = np.repeat(self.ways[:, None], shape[1], axis=1)
        planes = np.repeat(self.fits.planes[:, None], shape[1], axis=1)
        costs, laid = np.full(shape, np.inf), np.zeros(shape, dtype=np.intp)
        walls = np.full(shape, np.nan if self.rules.search else 0.0)
        costs[:, 0], walls[:, 0] = self.costs, self.walls
        rises = np.abs(fits.planes[:, 0] - self.soles.places.levels[owners])
        own = floors + fits.costs if self.rules.search else floors
        costs[at] = np.where(rises <= self.rules.most_rise, own, np.inf)
        all_ways[at], planes[at], laid[at] = ways, fits.planes, np.arange(len(ways))
        active = np.isin(np.arange(shape[0]), owners)
        links = self.links.select(np.any(active[self.links.prints], axis=1))
        placed = self.prints.place(all_ways, planes)
        pairs = weigh_links(links, placed, self.leg_length)
        touched = np.zeros(len(pairs), dtype=bool)
        return _PrintTries(
            active, all_ways, planes, costs, walls, laid, links, placed, pairs, touched
        )

    def _weigh_reach(self, rows: np.ndarray, ways: FloatArray) -> FloatArray:
        """What it costs that hips come too far from some prints (m,) moved by ways (m, K, 2), (m, K)."""
        length, hanging = self.leg_length, self.prints.hanging.select(rows)
        drops = np.minimum(-hanging.drops, REACH.lowered_hip * length)
        most = np.sqrt(np.maximum(hanging.reaches**2 - drops**2, 0.0))
        moved = self.soles.places.select(rows).turn_to_world(ways)
        away = hanging.spans[:, None] - moved[:, :, None]
        over = np.hypot(away[..., 0], away[..., 1]) - most[:, None]
        over = np.where(np.isnan(over), 0.0, np.maximum(over, 0.0)) / length
        return np.asarray(COSTS.reach * np.sum(over**2, axis=-1))

    def _choose(self, tries: _PrintTries) -> np.ndarray:
        """Numbers of the places that cost least together, shape (n,).

        Walls, and partners that touch, are looked for only where prints would stand: they make a place no
        cheaper, so that the cheapest sequence of which all is known is the cheapest of all.
        """
        picks = np.zeros(len(tries.active), dtype=np.intp)
        while True:
            picks = _pick_cheapest(self.order, tries, picks)
            has_touched = self._touch(tries, picks)
            if not self._look(tries, picks) and not has_touched:
                return picks

    def _touch(self, tries: _PrintTries, picks: np.ndarray) -> bool:
        """Add what links cost whose chosen prints touch, in place; False where that was known."""
        rows, chosen = np.flatnonzero(~tries.touched), tries.placed.pick(picks)
        costs = weigh_touch(tries.links.select(rows), chosen, self.leg_length)[:, 0, 0]
        near = rows[costs > 0.0]
        if len(near) == 0:
            return False
        tries.pairs[near] += weigh_touch(tries.links.select(near), tries.placed, self.leg_length)
        tries.touched[near] = True
        return True

    def _look(self, tries: _PrintTries, picks: np.ndarray) -> bool:
        """Add walls of chosen places, in place; False where all were known.

        Where one place of a print is in a wall others are, too: as many as lie next to one are looked at
        with it, the cheapest.
        """
        every = np.arange(len(picks))
        rows = np.flatnonzero(np.isnan(tries.walls[every, picks]))
        if len(rows) == 0:
            return False
        costs = np.where(np.isnan(tries.walls[rows]), tries.costs[rows], np.inf)
        costs[np.arange(len(rows)), picks[rows]] = -np.inf
        columns = np.argsort(costs, axis=1, kind="stable")[:, : 1 + len(_NEXT_TO)]
        asked = np.take_along_axis(costs, columns, axis=1) < np.inf
        asked[:, 1:] &= np.any(tries.walls[rows] > 0.0, axis=1)[:, None]
        near, columns = rows[np.nonzero(asked)[0]], columns[asked]
        ways, planes = tries.ways[near, columns], tries.planes[near, columns]
        walls = weigh_walls(self.soles, near, ways, planes)
        tries.walls[near, columns] = walls
        tries.costs[near, columns] += walls
        return True


def _list_rounds(search: bool, aside: bool) -> list[FloatArray]:
    """Moves (K, 2) that are tried in turn: along, steps; across, lengths of the leg."""
    farthest, finest = REACH.measure_across(), 0.5**SEARCH.refinements
    count = round(farthest / SEARCH.step)
    if not aside:
        # Few prints at once, and no partners: all places are tried.
        return [finest * _spread(round(count / finest) if search else 0, 0)]
    count = count if search else 0
    apart, sideways = 1.0 / finest, 0.5 * SEARCH.step / finest
    wide = _spread(int(count // apart), int(farthest / COSTS.aside / sideways))
    wide = wide * [apart, sideways]
    next_to = _NEXT_TO * [float(search), SEARCH.step]
    sizes = 0.5 ** np.arange(1.0, 1.0 + SEARCH.refinements)
    # To the side only where no place ahead or behind serves.
    return [_spread(count, 0), wide[wide[:, 1] != 0.0], *(size * next_to for size in sizes)]


def _spread(along: int, across: int) -> FloatArray:
    """All places (K, 2) of a grid with so many to both sides of its middle."""
    return list_pairs(*(np.arange(-count, count + 1.0) for count in (along, across)))


def _list_offsets(shape: SoleShape, moves: FloatArray) -> FloatArray:
    """Moves (K, 2) of a foot by steps along its sole and lengths of the leg across it, metres.

    The nearest come first, and of two as near that to the foot's own side.
    """
    # Soles whose stations come to lie on those of others ask the ground once for all.
    apart = float(STATIONS.along[2] - STATIONS.along[1]) * shape.length
    step = apart * 2.0 ** np.rint(np.log2(SEARCH.step * shape.leg_length / apart))
    offsets = moves[np.any(moves != 0.0, axis=1)] * [step, shape.leg_length]
    far = np.hypot(*offsets.T).round(9)
    return offsets[np.lexsort((-shape.side * offsets[:, 1], far))]


def _weigh_moves(ways: FloatArray, leg_length: float) -> FloatArray:
    """What ways (..., 2) along the sole and aside cost, shape (...)."""
    far = np.hypot(ways[..., 0], COSTS.aside * ways[..., 1]) / leg_length
    return np.asarray(
        COSTS.move * (np.hypot(far, COSTS.near) - COSTS.near) + COSTS.still * (far > 0.0)
    )


def _pick_cheapest(order: np.ndarray, tries: _PrintTries, picks: np.ndarray) -> np.ndarray:
    """Numbers of the places (n,) that cost least, by dynamic programming along prints in an order (n,).

    Links between prints that do not follow one another in it count as the others stand by ``picks`` (n,).
    """
    own, picks, prints = tries.costs.copy(), picks.copy(), tries.links.prints
    order = order[tries.active[order]]
    links = {(a, b): q for q, (a, b) in enumerate(prints.tolist())}
    nexts = [
        links.get((a, b), links.get((b, a), -1)) for a, b in itertools.pairwise(order.tolist())
    ]
    beside = np.setdiff1d(np.arange(len(prints)), nexts)
    one, two = prints[beside].T
    np.add.at(own, one, tries.pairs[beside, :, picks[two]])
    np.add.at(own, two, tries.pairs[beside, picks[one]])
    total, back = own[order[0]], []
    for at, q in enumerate(nexts):
        if q < 0:
            best = int(np.argmin(total.round(_EQUAL)))
            back.append(np.full(len(total), best))
            total = total[best] + own[order[at + 1]]
            continue
        pair = tries.pairs[q] if prints[q, 0] == order[at] else tries.pairs[q].T
        sums = total[:, None] + pair
        origin = np.argmin(sums.round(_EQUAL), axis=0)
        back.append(origin)
        total = sums[origin, np.arange(len(origin))] + own[order[at + 1]]
    pick = int(np.argmin(total.round(_EQUAL)))
    for at in range(len(order) - 1, -1, -1):
        picks[order[at]] = pick
        if at:
            pick = int(back[at - 1][pick])
    return picks
