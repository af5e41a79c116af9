# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cheapest of all sequences of prints (numpy only).

Each print has places to choose from; a place has a cost of its own and one with the partner's prints
before and after it (docs/method/prints.md, One cost).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import COSTS, REACH, SEARCH, STATIONS
from .pairs import Hanging, PlacedPrints, PrintLinks, measure_deficits, weigh_links, weigh_touch
from .soles import (
    FootholdRules,
    SoleFits,
    SolePlaces,
    SoleShape,
    StoodSoles,
    lay_soles,
    stand_soles,
    weigh_walls,
)

# Digits of costs beyond which they are the same: rounding decides between no two places.
_EQUAL = 7


@dataclass(frozen=True)
class LegPrints:
    """Prints of one leg to be chosen, n of them, all at times of their own.

    Attributes
    ----------
    shape
        Of the foot.
    places
        Where the motions put them, K = 1.
    hanging
        Hips over them as they come down and as they leave; None where that is not known.
    most_ways
        Farthest that each may be moved, metres, shape (n,).
    turns
        From the space of what carries the body to the world, radians, shape (n,).
    heels
        Heel ends in that space, x and y, metres, shape (n, 2).
    aparts
        How far footsteps of the user are from where the motions put them, world, metres, shape (n, 2).
    fixed
        Which stay where they are, as footsteps of the user do, shape (n,) of bool.
    fits
        Of the soles there, K = 1.
    still
        Whether what each stands on stays where it is, shape (n,) of bool.
    side
        1 for a leg to the left of the body, -1 for one to the right: of two ways that cost as much a foot
        goes to its own side.
    most_rise
        Farthest that moves may take the middle of a sole above or below the level of its place, metres.
    """

    shape: SoleShape
    places: SolePlaces
    hanging: Hanging | None
    most_ways: FloatArray
    turns: FloatArray
    heels: FloatArray
    aparts: FloatArray
    fixed: np.ndarray
    fits: SoleFits
    still: np.ndarray
    side: float
    most_rise: float = np.inf

    def select(self, rows: np.ndarray) -> LegPrints:
        """Some of the prints."""
        names = ("most_ways", "turns", "heels", "aparts", "fixed", "still")
        columns = {name: getattr(self, name)[rows] for name in names}
        places, fits = self.places.select(rows), self.fits.pick(rows)
        return replace(self, places=places, fits=fits, **columns)


@dataclass
class _PrintTries:
    """Places of m prints of a leg that may move, K for each, the present one first.

    ``rows`` (m,) are their numbers, ``index`` (n,) says which of these each print is, -1 for none.
    ``ways`` (m, K, 2) go along the sole and aside. ``walls`` (m, K) are part of ``costs`` (m, K), NaN
    where nobody has looked yet.
    """

    rows: np.ndarray
    index: np.ndarray
    ways: FloatArray
    planes: FloatArray
    costs: FloatArray
    walls: FloatArray


@dataclass
class _PresentPrints:
    """Where the prints of a leg are: ways (n, 2), planes (n, 3) and costs (n,)."""

    ways: FloatArray
    planes: FloatArray
    costs: FloatArray


def choose_alone(
    ground: Ground,
    shape: SoleShape,
    rules: FootholdRules,
    places: SolePlaces,
    most_ways: FloatArray,
    most_rise: float = np.inf,
) -> StoodSoles:
    """Put prints on the ground that no others are tied to, moved ahead or back alone.

    Parameters
    ----------
    ground, shape, rules
        What to stand on, the foot, and what counts as ground.
    places
        Where the soles shall stand, K = 1.
    most_ways
        Farthest that each may be moved, metres, shape (n,).
    most_rise
        Farthest above and below the level of its place that one may be moved, metres.
    """
    count = len(places.times)
    leg = LegPrints(
        shape=shape,
        places=places,
        hanging=None,
        most_ways=most_ways,
        turns=np.zeros(count),
        heels=places.heels[:, 0],
        aparts=np.zeros((count, 2)),
        fixed=np.zeros(count, dtype=bool),
        fits=lay_soles(ground, rules, [(shape, places)])[0],
        still=np.ones(count, dtype=bool),
        side=1.0,
        most_rise=most_rise,
    )
    ways = choose_ways(ground, rules, [leg], [], shape.leg_length, aside=False)
    return stand_at(ground, rules, [leg], ways)[0]


def stand_at(
    ground: Ground, rules: FootholdRules, legs: Sequence[LegPrints], ways: Sequence[FloatArray]
) -> list[StoodSoles]:
    """Prints on the ground, moved by ways (n, 2) along the sole and aside, metres."""
    feet = [(leg.shape, leg.places.move(way[:, None])) for leg, way in zip(legs, ways, strict=True)]
    laid = [fits.pick((slice(None), 0)) for fits in lay_soles(ground, rules, feet)]
    stood = [(*foot, fits) for foot, fits in zip(feet, laid, strict=True)]
    return stand_soles(ground, rules, stood)


def choose_ways(
    ground: Ground,
    rules: FootholdRules,
    legs: Sequence[LegPrints],
    links: Sequence[PrintLinks],
    leg_length: float,
    aside: bool = True,
) -> list[FloatArray]:
    """Ways by which all prints together cost least.

    Prints with little to gain stay, unless one within a cycle has more: what is chosen depends on
    nothing far away.

    Parameters
    ----------
    ground, rules
        What to stand on, and what counts as ground.
    legs
        Prints of all legs.
    links
        Between partners, with indices of ``legs`` and of their prints.
    leg_length
        Mean length of the legs, metres.
    aside
        Whether prints may be moved across the sole, too.

    Returns
    -------
    list of arrays
        Along the sole and to its left, metres, L arrays of shape (n, 2).
    """
    search = _PrintSearch(ground, rules, legs, links, leg_length)
    active = _spread(search.find_gains(), legs, search.chains)
    for along, across, most in _list_rounds(rules.search, aside):
        moves = [_list_moves(leg.shape, along, across) for leg in legs]
        for _ in range(most):
            if not any(np.any(own) for own in active):
                break
            active = search.step(moves, active)
        active = search.find_gains(most > 1)
    return [present.ways for present in search.present]


def measure_crowding(
    legs: Sequence[LegPrints], ways: Sequence[FloatArray], links: PrintLinks
) -> FloatArray:
    """How much nearer to each other linked prints are than they may be, metres, shape (Q,)."""
    placed = [
        _place(legs[leg], ways[leg][:, None], np.zeros((len(ways[leg]), 1, 3)))
        for leg in links.legs
    ]
    chosen = [p.select(links.prints[:, side]) for side, p in enumerate(placed)]
    return np.asarray(measure_deficits(links, *chosen)[:, 0, 0])


class _PrintSearch:
    """The search for the cheapest sequence: places about the present ones, from far to near."""

    def __init__(
        self,
        ground: Ground,
        rules: FootholdRules,
        legs: Sequence[LegPrints],
        links: Sequence[PrintLinks],
        leg_length: float,
    ) -> None:
        self.ground, self.rules, self.legs = ground, rules, legs
        self.links, self.leg_length = links, leg_length
        self.chains = _order(legs, links)
        self.present = self._stay()

    def step(self, moves: Sequence[FloatArray], active: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Move active prints to the best of their places; which of them have moved, L arrays (n,)."""
        tries = self._try(active, moves)
        picks = self._choose(tries)
        moved = []
        for leg, present, own, pick in zip(self.legs, self.present, tries, picks, strict=True):
            rows, at = own.rows, np.arange(len(pick))
            present.ways[rows], present.planes[rows] = own.ways[at, pick], own.planes[at, pick]
            present.costs[rows] = own.costs[at, pick]
            moved.append(np.zeros(len(leg.fixed), dtype=bool))
            moved[-1][rows] = pick > 0
        return moved

    def _stay(self) -> list[_PresentPrints]:
        """The prints where the motions put them."""
        walls = [np.zeros_like(leg.fits.costs) for leg in self.legs]
        if self.rules.search:
            feet = [(leg.shape, leg.places, leg.fits.planes) for leg in self.legs]
            walls = weigh_walls(self.ground, self.rules, feet)
        present = []
        for leg, wall in zip(self.legs, walls, strict=True):
            rows = np.arange(len(leg.fixed))
            costs = _weigh_reach(leg, rows, leg.places) + wall
            costs += leg.fits.costs if self.rules.search else 0.0
            planes = leg.fits.planes[:, 0].copy()
            present.append(_PresentPrints(np.zeros((len(rows), 2)), planes, costs[:, 0].copy()))
        return present

    def _try(self, active: Sequence[np.ndarray], moves: Sequence[FloatArray]) -> list[_PrintTries]:
        """Active prints of each leg moved by (K, 2) from their present places."""
        found = []
        for leg, present, own, offsets in zip(self.legs, self.present, active, moves, strict=True):
            rows = np.flatnonzero(own)
            # Of two ways that are as long a foot goes to its own side.
            order = np.lexsort((-leg.side * offsets[:, 1], np.hypot(*offsets.T).round(9)))
            ways = present.ways[rows, None] + offsets[order]
            found.append((leg, rows, ways, leg.places.select(rows).move(ways)))
        laid = lay_soles(self.ground, self.rules, [(f[0].shape, f[3]) for f in found])
        tries = []
        for (leg, rows, ways, places), fits in zip(found, laid, strict=True):
            index = np.full(len(leg.fixed), -1)
            index[rows] = np.arange(len(rows))
            costs = _weigh_moves(leg, ways) + _weigh_reach(leg, rows, places)
            costs += fits.costs if self.rules.search else 0.0
            most = leg.most_ways[rows, None] + 1e-9 * leg.shape.leg_length
            costs[np.hypot(ways[..., 0], ways[..., 1]) > most] = np.inf
            rises = np.abs(fits.planes[..., 0] - places.levels[:, None])
            costs[(rises > leg.most_rise) & (ways != 0.0).any(axis=-1)] = np.inf
            walls = np.full(costs.shape, np.nan if self.rules.search else 0.0)
            tries.append(_PrintTries(rows, index, ways, fits.planes, costs, walls))
        return tries

    def find_gains(self, counts_moves: bool = False) -> list[np.ndarray]:
        """Which prints could gain by a move, or by a shorter one, L arrays of bool of shape (n,)."""
        gains = [present.costs.copy() for present in self.present]
        if not counts_moves:
            pairs = zip(gains, self.legs, self.present, strict=True)
            gains = [gain - _weigh_moves(leg, present.ways) for gain, leg, present in pairs]
        placed = self._place_present()
        for own in self.links:
            one, two = (placed[leg].select(own.prints[:, i]) for i, leg in enumerate(own.legs))
            costs = weigh_links(own, one, two, self.leg_length)
            costs += weigh_touch(own, one, two, self.leg_length)
            for side, leg in enumerate(own.legs):
                np.add.at(gains[leg], own.prints[:, side], costs[:, 0, 0])
        return [
            (gain > COSTS.still) & ~leg.fixed for gain, leg in zip(gains, self.legs, strict=True)
        ]

    def _place_present(self) -> list[PlacedPrints]:
        return [
            _place(leg, present.ways[:, None], present.planes[:, None])
            for leg, present in zip(self.legs, self.present, strict=True)
        ]

    def _choose(self, tries: Sequence[_PrintTries]) -> list[np.ndarray]:
        """Numbers of the places that cost least together, L arrays of shape (m,).

        Walls, and partners that touch, are looked for only where prints would stand: they make a place no
        cheaper, so that the cheapest sequence of which all is known is the cheapest of all.
        """
        still = self._place_present()
        moved = [
            _place(leg.select(own.rows), own.ways, own.planes)
            for leg, own in zip(self.legs, tries, strict=True)
        ]
        pairs = [self._tie(own, tries, still, moved) for own in self.links]
        picks = [np.zeros(len(own.rows), dtype=np.intp) for own in tries]
        while True:
            for chain in self.chains:
                _pick_cheapest(chain, tries, self.links, pairs, picks)
            found = [tied.touch(tries, picks, self.leg_length) for own in pairs for tied in own]
            if not any([*found, self._look(tries, picks)]):
                return picks

    def _look(self, tries: Sequence[_PrintTries], picks: Sequence[np.ndarray]) -> bool:
        """Add walls of chosen places, in place; False where all were known."""
        ats = []
        for own, pick in zip(tries, picks, strict=True):
            rows = np.flatnonzero(np.isnan(own.walls[np.arange(len(pick)), pick]))
            ats.append((rows[:, None], pick[rows, None]))
        if not any(len(rows) for rows, _ in ats):
            return False
        self._add_walls(tries, ats)
        # Where one place is in a wall others are, too: the cheapest of these are looked at next.
        nexts = []
        for own, (rows, columns) in zip(tries, ats, strict=True):
            near = rows[own.walls[rows, columns] > 0.0]
            costs = np.where(np.isnan(own.walls[near]), own.costs[near], np.inf)
            nexts.append(
                (near[:, None], np.argsort(costs, axis=1, kind="stable")[:, : SEARCH.walls])
            )
        if any(len(rows) for rows, _ in nexts):
            self._add_walls(tries, nexts)
        return True

    def _add_walls(
        self, tries: Sequence[_PrintTries], ats: Sequence[tuple[np.ndarray, np.ndarray]]
    ) -> None:
        feet = []
        for leg, own, at in zip(self.legs, tries, ats, strict=True):
            places = leg.places.select(own.rows[at[0][:, 0]]).move(own.ways[at])
            feet.append((leg.shape, places, own.planes[at]))
        found = weigh_walls(self.ground, self.rules, feet)
        for own, at, walls in zip(tries, ats, found, strict=True):
            own.costs[at] += np.where(np.isnan(own.walls[at]), walls, 0.0)
            own.walls[at] = walls

    def _tie(
        self,
        links: PrintLinks,
        tries: Sequence[_PrintTries],
        still: Sequence[PlacedPrints],
        moved: Sequence[PlacedPrints],
    ) -> list[_TiedPrints]:
        """Costs of all links of two legs one of whose prints may move, from places of all legs."""
        moves = [tries[leg].index[links.prints[:, i]] for i, leg in enumerate(links.legs)]
        tied = []
        for both in ((True, True), (True, False), (False, True)):
            rows = np.flatnonzero(((moves[0] >= 0) == both[0]) & ((moves[1] >= 0) == both[1]))
            if len(rows) == 0:
                continue
            ends = [
                moved[leg].select(moves[side][rows])
                if both[side]
                else still[leg].select(links.prints[rows, side])
                for side, leg in enumerate(links.legs)
            ]
            part = links.select(rows)
            costs = weigh_links(part, ends[0], ends[1], self.leg_length)
            known = np.zeros(len(rows), dtype=bool)
            tied.append(_TiedPrints(part, rows, (ends[0], ends[1]), costs, known))
        return tied


@dataclass
class _TiedPrints:
    """Some links, their numbers, places of both ends, and what these cost together, (q, K, J)."""

    links: PrintLinks
    numbers: np.ndarray
    ends: tuple[PlacedPrints, PlacedPrints]
    costs: FloatArray
    known: np.ndarray

    def touch(
        self, tries: Sequence[_PrintTries], picks: Sequence[np.ndarray], leg_length: float
    ) -> bool:
        """Add what links cost whose chosen prints touch, in place; False where that was known."""
        rows = np.flatnonzero(~self.known)
        lone = []
        for side, leg in enumerate(self.links.legs):
            index = tries[leg].index[self.links.prints[rows, side]]
            own = np.where(index >= 0, picks[leg][index], 0) if len(picks[leg]) else 0 * index
            lone.append(self.ends[side].select(rows).pick(own))
        costs = weigh_touch(self.links.select(rows), lone[0], lone[1], leg_length)[:, 0, 0]
        near = rows[costs > 0.0]
        if len(near) == 0:
            return False
        one, two = (end.select(near) for end in self.ends)
        self.costs[near] += weigh_touch(self.links.select(near), one, two, leg_length)
        self.known[near] = True
        return True


def _list_rounds(search: bool, aside: bool) -> list[tuple[FloatArray, FloatArray, int]]:
    """Moves that are tried in turn: along, steps; across, lengths of the leg; and how often.

    Who has moved by a small one may go on by as much, as far as places are tried.
    """
    none, next_to = np.zeros(1), np.array([-1.0, 0.0, 1.0])
    count, finest = round(SEARCH.farthest / SEARCH.step), 0.5**SEARCH.refinements
    every = np.arange(-count, count + 1.0) if search else none
    if not aside:
        # Few prints at once, and no partners: all places are tried.
        along = finest * np.arange(-count / finest, count / finest + 1.0) if search else none
        return [(along, none, 1)]
    # To the side only where no place ahead or behind serves.
    rounds = [(every, none, 1)] if search else []
    rounds.append((every[:: SEARCH.wide], SEARCH.across, 1))
    for size in 0.5 ** np.arange(1.0, 1.0 + SEARCH.refinements):
        along = size * next_to if search else none
        rounds.append((along, size * SEARCH.step * next_to, round(count / size)))
    return rounds


def _list_moves(shape: SoleShape, along: FloatArray, across: FloatArray) -> FloatArray:
    """Moves of a foot (K, 2) by steps along its sole and lengths of the leg across it, metres."""
    # Soles whose stations come to lie on those of others ask the ground once for all.
    apart = float(STATIONS.along[2] - STATIONS.along[1]) * shape.length
    step = apart * 2.0 ** np.rint(np.log2(SEARCH.step * shape.leg_length / apart))
    axes = np.meshgrid(step * along, shape.leg_length * across, indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, 2)


def _place(leg: LegPrints, ways: FloatArray, planes: FloatArray) -> PlacedPrints:
    """Prints of a leg moved by ways (n, K, 2) along the sole and aside, on planes (n, K, 3)."""
    moved = leg.places.move(ways)
    world = moved.heels - leg.places.heels[:, :1]
    headings = leg.places.headings - leg.turns
    return PlacedPrints(
        ways=world,
        aparts=leg.aparts,
        heights=planes[..., 0] - 0.5 * leg.shape.length * planes[..., 1],
        heels=leg.heels[:, None] + rot.turn_flat(world, -leg.turns[:, None]),
        ahead=np.stack([np.cos(headings), np.sin(headings)], axis=1),
        size=(leg.shape.length, leg.shape.width),
        still=leg.still,
    )


def _weigh_moves(leg: LegPrints, ways: FloatArray) -> FloatArray:
    """What ways (..., 2) along the sole and aside cost, shape (...)."""
    far = np.hypot(ways[..., 0], COSTS.aside * ways[..., 1]) / leg.shape.leg_length
    return np.asarray(
        COSTS.move * (np.hypot(far, COSTS.near) - COSTS.near) + COSTS.still * (far > 0.0)
    )


def _weigh_reach(leg: LegPrints, rows: np.ndarray, places: SolePlaces) -> FloatArray:
    """What it costs that hips come too far from some prints (m,) at places, shape (m, K)."""
    if leg.hanging is None:
        return np.zeros(places.heels.shape[:2])
    length, hanging = leg.shape.leg_length, leg.hanging
    drops = np.minimum(-hanging.drops[rows], REACH.lowered_hip * length)
    most = np.sqrt(np.maximum(hanging.reaches[rows] ** 2 - drops**2, 0.0))
    ways = places.heels - leg.places.heels[rows] + leg.aparts[rows, None]
    away = hanging.spans[rows, None] - ways[:, :, None]
    over = np.hypot(away[..., 0], away[..., 1]) - most[:, None]
    over = np.where(np.isnan(over), 0.0, np.maximum(over, 0.0)) / length
    return np.asarray(COSTS.reach * np.sum(over**2, axis=-1))


@dataclass(frozen=True)
class _PrintChain:
    """Prints of partners in the order of time: leg and number of each, and the link to the next, or -1.

    ``others`` are links between prints that do not follow one another in it.
    """

    legs: np.ndarray
    numbers: np.ndarray
    nexts: np.ndarray
    group: int
    others: np.ndarray


def _order(legs: Sequence[LegPrints], links: Sequence[PrintLinks]) -> list[_PrintChain]:
    """Chains of all partners, and of legs without one."""
    groups: list[tuple[tuple[int, ...], int]] = [(own.legs, g) for g, own in enumerate(links)]
    linked = {leg for own in links for leg in own.legs}
    groups += [((leg,), -1) for leg in range(len(legs)) if leg not in linked]
    chains = []
    for members, group in groups:
        owner = np.concatenate([np.full(len(legs[leg].fixed), leg) for leg in members])
        number = np.concatenate([np.arange(len(legs[leg].fixed)) for leg in members])
        times = np.concatenate([legs[leg].places.times for leg in members])
        order = np.argsort(times, kind="stable")
        owner, number = owner[order], number[order]
        nexts = np.full(max(len(owner) - 1, 0), -1)
        others = np.arange(0)
        if group >= 0:
            known = {tuple(p): q for q, p in enumerate(links[group].prints.tolist())}
            for at, (a, b) in enumerate(itertools.pairwise(owner.tolist())):
                if a != b:
                    ends = {int(a): int(number[at]), int(b): int(number[at + 1])}
                    nexts[at] = known.get((ends[members[0]], ends[members[1]]), -1)
            others = np.setdiff1d(np.arange(len(known)), nexts)
        chains.append(_PrintChain(owner, number, nexts, group, others))
    return chains


def _spread(
    gains: Sequence[np.ndarray], legs: Sequence[LegPrints], chains: Sequence[_PrintChain]
) -> list[np.ndarray]:
    """Those prints and all within a cycle of one, L arrays of bool of shape (n,)."""
    active = [np.zeros(len(leg.fixed), dtype=bool) for leg in legs]
    for chain in chains:
        gain = np.array([gains[a][n] for a, n in zip(chain.legs, chain.numbers, strict=True)])
        cycle = len(set(chain.legs.tolist()))
        more = np.pad(gain.astype(bool), cycle)
        near = np.any([more[at : at + len(gain)] for at in range(2 * cycle + 1)], axis=0)
        for a, n, chosen in zip(chain.legs, chain.numbers, near, strict=True):
            active[a][n] = chosen
    return [own & ~leg.fixed for own, leg in zip(active, legs, strict=True)]


def _pick_cheapest(
    chain: _PrintChain,
    tries: Sequence[_PrintTries],
    links: Sequence[PrintLinks],
    pairs: Sequence[Sequence[_TiedPrints]],
    picks: list[np.ndarray],
) -> None:
    """Choose the places of a chain by dynamic programming, links beside it as they stand, in place."""
    if len(chain.legs) == 0:
        return
    prints = list(zip(chain.legs.tolist(), chain.numbers.tolist(), strict=True))
    index = [int(tries[leg].index[number]) for leg, number in prints]
    own = [
        tries[leg].costs[at].copy() if at >= 0 else np.zeros(1)
        for (leg, _), at in zip(prints, index, strict=True)
    ]
    costs = {
        int(q): cost
        for tied in (pairs[chain.group] if chain.group >= 0 else ())
        for q, cost in zip(tied.numbers, tied.costs, strict=True)
    }
    if len(chain.others):
        places = {key: at for at, key in enumerate(prints)}
        for q in chain.others.tolist():
            if q not in costs:
                continue
            one, two = (
                places[leg, int(links[chain.group].prints[q, side])]
                for side, leg in enumerate(links[chain.group].legs)
            )
            chosen = [picks[prints[at][0]][index[at]] if index[at] >= 0 else 0 for at in (one, two)]
            own[one] += costs[q][:, chosen[1]]
            own[two] += costs[q][chosen[0]]
    total, back = own[0], []
    for at, q in enumerate(chain.nexts.tolist()):
        pair = costs.get(q)
        if pair is None:
            best = int(np.argmin(total.round(_EQUAL)))
            back.append(np.full(len(own[at + 1]), best))
            total = total[best] + own[at + 1]
            continue
        if chain.legs[at] != links[chain.group].legs[0]:
            pair = pair.T
        sums = total[:, None] + pair
        origin = np.argmin(sums.round(_EQUAL), axis=0)
        back.append(origin)
        total = sums[origin, np.arange(len(origin))] + own[at + 1]
    pick = int(np.argmin(total.round(_EQUAL)))
    for at in range(len(prints) - 1, -1, -1):
        if index[at] >= 0:
            picks[prints[at][0]][index[at]] = pick
        if at:
            pick = int(back[at - 1][pick])
