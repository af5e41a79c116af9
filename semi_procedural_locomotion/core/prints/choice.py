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
from ..maths.rotations import FloatArray
from .limits import COSTS, REACH, SEARCH
from .pairs import Hanging, Links, PlacedPrints, measure_deficits, weigh_links, weigh_touch
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

    def select(self, rows: np.ndarray) -> LegPrints:
        """Some of the prints."""
        names = ("most_ways", "turns", "heels", "aparts", "fixed", "still")
        columns = {name: getattr(self, name)[rows] for name in names}
        places, fits = self.places.select(rows), self.fits.pick(rows)
        return replace(self, places=places, fits=fits, **columns)


@dataclass
class _Tries:
    """Places of all prints of a leg, K for each, the present one first; ways along the sole and aside."""

    ways: FloatArray
    fits: SoleFits
    costs: FloatArray
    walls: FloatArray

    def pick(self, columns: np.ndarray) -> _Tries:
        """One place of each print, K = 1."""
        at = (np.arange(len(columns))[:, None], columns[:, None])
        return _Tries(self.ways[at], self.fits.pick(at), self.costs[at], self.walls[at])


def choose_alone(
    ground: Ground,
    shape: SoleShape,
    rules: FootholdRules,
    places: SolePlaces,
    most_ways: FloatArray,
) -> StoodSoles:
    """Put prints on the ground that no others are tied to.

    Parameters
    ----------
    ground, shape, rules
        What to stand on, the foot, and what counts as ground.
    places
        Where the soles shall stand, K = 1.
    most_ways
        Farthest that each may be moved, metres, shape (n,).
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
        fits=lay_soles(ground, shape, rules, places),
        still=np.ones(count, dtype=bool),
        side=1.0,
    )
    ways = choose_ways(ground, rules, [leg], [], shape.leg_length)[0]
    return stand_at(ground, rules, leg, ways)


def stand_at(ground: Ground, rules: FootholdRules, leg: LegPrints, ways: FloatArray) -> StoodSoles:
    """Prints of a leg on the ground, moved by ways (n, 2) along the sole and aside, metres."""
    places = leg.places.move(ways[:, None])
    fits = lay_soles(ground, leg.shape, rules, places)
    return stand_soles(ground, leg.shape, rules, places, fits.pick((slice(None), 0)))


def choose_ways(
    ground: Ground,
    rules: FootholdRules,
    legs: Sequence[LegPrints],
    links: Sequence[Links],
    leg_length: float,
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

    Returns
    -------
    list of arrays
        Along the sole and to its left, metres, L arrays of shape (n, 2).
    """
    tries = [_stay(ground, rules, leg) for leg in legs]
    chains = _order(legs, links)
    active = _spread(_find_gains(legs, tries, links, leg_length), legs, chains)
    ways = [np.zeros((len(leg.fixed), 2)) for leg in legs]
    step, size = 0, SEARCH.fine
    while step <= SEARCH.refinements and any(np.any(own) for own in active):
        for index, (leg, own) in enumerate(zip(legs, active, strict=True)):
            offsets = _list_offsets(None if step == 0 else size, leg.side, rules.search)
            tries[index] = _try(
                ground, rules, leg, tries[index], own, ways[index], offsets * leg_length
            )
        picks = _choose(ground, rules, legs, tries, links, chains, leg_length)
        tries = [tried.pick(pick) for tried, pick in zip(tries, picks, strict=True)]
        ways = [tried.ways[:, 0] for tried in tries]
        active = [pick > 0 for pick in picks]
        # Prints that moved may go on at the same size of step.
        if step == 0 or not any(np.any(own) for own in active):
            step, size = step + 1, size if step == 0 else 0.5 * size
            active = _find_gains(legs, tries, links, leg_length)
    return ways


def measure_crowding(
    legs: Sequence[LegPrints], ways: Sequence[FloatArray], links: Links
) -> FloatArray:
    """How much nearer to each other linked prints are than they may be, metres, shape (Q,)."""
    placed = [
        _place(legs[leg], ways[leg][:, None], np.zeros((len(ways[leg]), 1))) for leg in links.legs
    ]
    chosen = [p.select(links.prints[:, side]) for side, p in enumerate(placed)]
    return np.asarray(measure_deficits(links, *chosen)[:, 0, 0])


def _stay(ground: Ground, rules: FootholdRules, leg: LegPrints) -> _Tries:
    """The prints where the motions put them."""
    costs = leg.fits.costs if rules.search else np.zeros_like(leg.fits.costs)
    costs = costs + _weigh_reach(leg, np.arange(len(costs)), leg.places)
    walls = np.zeros_like(costs)
    if rules.search:
        walls = weigh_walls(ground, leg.shape, rules, leg.places, leg.fits.planes)
    return _Tries(np.zeros((*costs.shape, 2)), leg.fits, costs + walls, walls)


def _try(
    ground: Ground,
    rules: FootholdRules,
    leg: LegPrints,
    before: _Tries,
    active: np.ndarray,
    ways: FloatArray,
    offsets: FloatArray,
) -> _Tries:
    """Places (K, 2) about the present ways of active prints; the others stay where they are."""
    rows, count = np.flatnonzero(active), len(offsets)
    tried = ways[rows, None] + offsets
    places = leg.places.select(rows).move(tried)
    fits = lay_soles(ground, leg.shape, rules, places)
    length = leg.shape.leg_length
    far = np.hypot(tried[..., 0], COSTS.aside * tried[..., 1]) / length
    own = COSTS.move * (np.hypot(far, COSTS.near) - COSTS.near) + COSTS.still * (far > 0.0)
    own += _weigh_reach(leg, rows, places)
    if rules.search:
        own = own + fits.costs
    beyond = np.hypot(tried[..., 0], tried[..., 1]) > leg.most_ways[rows, None] + 1e-9 * length
    own[beyond] = np.inf

    def spread(column: FloatArray, new: FloatArray) -> FloatArray:
        """Values of all prints, those of active ones replaced."""
        full = np.repeat(column, count, axis=1)
        full[rows] = new
        return full

    costs = np.full((len(active), count), np.inf)
    costs[:, 0] = before.costs[:, 0]
    costs[rows] = own
    walls = np.zeros((len(active), count))
    walls[rows] = np.nan if rules.search and leg.shape.outline is not None else 0.0
    columns = ("planes", "supports", "costs", "surfaces", "found")
    laid = SoleFits(*(spread(getattr(before.fits, n), getattr(fits, n)) for n in columns))
    return _Tries(spread(before.ways, tried), laid, costs, walls)


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


def _choose(
    ground: Ground,
    rules: FootholdRules,
    legs: Sequence[LegPrints],
    tries: Sequence[_Tries],
    links: Sequence[Links],
    chains: Sequence[_Chain],
    leg_length: float,
) -> list[np.ndarray]:
    """Numbers of the places that cost least together, L arrays of shape (n,).

    Walls, and partners that touch, are looked for only where prints would stand: they make a place no
    cheaper, so that the cheapest sequence of which all is known is the cheapest of all.
    """
    placed = [_place_ends(legs, tries, own) for own in links]
    pairs = [weigh_links(own, *ends, leg_length) for own, ends in zip(links, placed, strict=True)]
    checked = [np.zeros(len(own.prints), dtype=bool) for own in links]
    picks = [np.zeros(len(leg.fixed), dtype=np.intp) for leg in legs]
    while True:
        for _ in range(SEARCH.sweeps):
            before = [pick.copy() for pick in picks]
            for chain in chains:
                _pick_cheapest(chain, tries, links, pairs, picks)
            if all(np.array_equal(a, b) for a, b in zip(before, picks, strict=True)):
                break
        unknown = False
        for own, ends, pair, known in zip(links, placed, pairs, checked, strict=True):
            unknown |= _touch(own, ends, pair, known, picks, leg_length)
        for leg, tried, pick in zip(legs, tries, picks, strict=True):
            rows = np.flatnonzero(np.isnan(tried.walls[np.arange(len(pick)), pick]))
            if len(rows) == 0:
                continue
            unknown = True
            one = np.zeros(len(rows), dtype=np.intp) + pick[rows]
            walls = _find_walls(ground, rules, leg, tried, rows, one[:, None])[:, 0]
            tried.walls[rows, one] = walls
            tried.costs[rows, one] += walls
            # Where one place is in a wall others are, too.
            near = rows[walls > 0.0]
            if len(near):
                open_to = np.where(np.isnan(tried.walls[near]), tried.costs[near], np.inf)
                columns = np.argsort(open_to, axis=1, kind="stable")[:, : SEARCH.walls]
                walls = _find_walls(ground, rules, leg, tried, near, columns)
                at = (near[:, None], columns)
                fresh = np.isnan(tried.walls[at])
                tried.costs[at] += np.where(fresh, walls, 0.0)
                tried.walls[at] = walls
        if not unknown:
            return picks


def _find_walls(
    ground: Ground,
    rules: FootholdRules,
    leg: LegPrints,
    tried: _Tries,
    rows: np.ndarray,
    columns: np.ndarray,
) -> FloatArray:
    """Costs of walls of some prints (m,) at some of their places (m, J)."""
    places = leg.places.select(rows).move(tried.ways[rows[:, None], columns])
    planes = tried.fits.planes[rows[:, None], columns]
    return weigh_walls(ground, leg.shape, rules, places, planes)


def _list_offsets(size: float | None, side: float, search: bool) -> FloatArray:
    """Moves along the sole and aside that are tried, lengths of the leg, (K, 2), none of them first.

    Of one size about a place, or over all that is in reach where that is None.
    """
    along, across = SEARCH.along, SEARCH.across
    if size is not None:
        along = across = size * np.array([-1.0, 0.0, 1.0])
    if not search:
        along = np.zeros(1)
    pairs = np.stack(np.meshgrid(along, across, indexing="ij"), axis=-1)
    if size is None:
        straight = np.arange(len(along)) % 4 > 0
        pairs = np.concatenate([pairs[::4].reshape(-1, 2), pairs[straight, len(across) // 2]])
    pairs = pairs.reshape(-1, 2)
    order = np.lexsort((-side * pairs[:, 1], np.hypot(*pairs.T).round(9)))
    return pairs[order]


def _place(leg: LegPrints, ways: FloatArray, heights: FloatArray) -> PlacedPrints:
    """Prints of a leg moved by ways (n, K, 2) along the sole and aside, with heights (n, K)."""
    moved = leg.places.move(ways)
    world = moved.heels - leg.places.heels[:, :1]
    cosine, sine = np.cos(leg.turns)[:, None], np.sin(leg.turns)[:, None]
    local = np.stack(
        [
            cosine * world[..., 0] + sine * world[..., 1],
            cosine * world[..., 1] - sine * world[..., 0],
        ],
        axis=-1,
    )
    headings = leg.places.headings - leg.turns
    return PlacedPrints(
        ways=world,
        aparts=leg.aparts,
        heights=heights,
        heels=leg.heels[:, None] + local,
        ahead=np.stack([np.cos(headings), np.sin(headings)], axis=1),
        size=(leg.shape.length, leg.shape.width),
        still=leg.still,
    )


def _place_ends(
    legs: Sequence[LegPrints], tries: Sequence[_Tries], links: Links
) -> tuple[PlacedPrints, PlacedPrints]:
    """All places of the first and of the second print of each link."""
    placed = []
    for side, index in enumerate(links.legs):
        leg, tried = legs[index], tries[index]
        heights = tried.fits.planes[..., 0] - 0.5 * leg.shape.length * tried.fits.planes[..., 1]
        placed.append(_place(leg, tried.ways, heights).select(links.prints[:, side]))
    one, two = placed
    return one, two


def _touch(
    links: Links,
    ends: tuple[PlacedPrints, PlacedPrints],
    pairs: FloatArray,
    known: np.ndarray,
    picks: Sequence[np.ndarray],
    leg_length: float,
) -> bool:
    """Add what links cost whose chosen prints touch, in place; False where that was known."""
    rows = np.flatnonzero(~known)
    chosen = [picks[leg][links.prints[rows, side]] for side, leg in enumerate(links.legs)]
    one, two = (end.select(rows).pick(own) for end, own in zip(ends, chosen, strict=True))
    costs = weigh_touch(links.select(rows), one, two, leg_length)[:, 0, 0]
    near = rows[costs > 0.0]
    if len(near):
        one, two = (end.select(near) for end in ends)
        pairs[near] += weigh_touch(links.select(near), one, two, leg_length)
        known[near] = True
    return len(near) > 0


@dataclass(frozen=True)
class _Chain:
    """Prints of partners in the order of time: leg and number of each, and the link to the next, or -1.

    ``others`` are links between prints that do not follow one another in it.
    """

    legs: np.ndarray
    numbers: np.ndarray
    nexts: np.ndarray
    group: int
    others: np.ndarray


def _order(legs: Sequence[LegPrints], links: Sequence[Links]) -> list[_Chain]:
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
        chains.append(_Chain(owner, number, nexts, group, others))
    return chains


def _find_gains(
    legs: Sequence[LegPrints], tries: Sequence[_Tries], links: Sequence[Links], leg_length: float
) -> list[np.ndarray]:
    """Which prints could gain by a move from their first places, L arrays of bool of shape (n,)."""
    gains = [tried.costs[:, 0].copy() for tried in tries]
    for own in links:
        one, two = _place_ends(legs, tries, own)
        costs = weigh_links(own, one, two, leg_length) + weigh_touch(own, one, two, leg_length)
        for side, leg in enumerate(own.legs):
            np.add.at(gains[leg], own.prints[:, side], costs[:, 0, 0])
    return [(gain > COSTS.still) & ~leg.fixed for gain, leg in zip(gains, legs, strict=True)]


def _spread(
    gains: Sequence[np.ndarray], legs: Sequence[LegPrints], chains: Sequence[_Chain]
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
    chain: _Chain,
    tries: Sequence[_Tries],
    links: Sequence[Links],
    pairs: Sequence[FloatArray],
    picks: list[np.ndarray],
) -> None:
    """Choose the places of a chain by dynamic programming, links beside it as they stand, in place."""
    if len(chain.legs) == 0:
        return
    own = [tries[a].costs[n].copy() for a, n in zip(chain.legs, chain.numbers, strict=True)]
    places = {
        (int(a), int(n)): i for i, (a, n) in enumerate(zip(chain.legs, chain.numbers, strict=True))
    }
    for q in chain.others.tolist():
        (a, b), (m, n) = links[chain.group].legs, links[chain.group].prints[q].tolist()
        own[places[a, m]] += pairs[chain.group][q][:, picks[b][n]]
        own[places[b, n]] += pairs[chain.group][q][picks[a][m]]
    total, back = own[0], []
    for at, q in enumerate(chain.nexts.tolist()):
        if q < 0:
            best = int(np.argmin(total))
            back.append(np.full(len(own[at + 1]), best))
            total = total[best] + own[at + 1]
            continue
        pair = pairs[chain.group][q]
        if chain.legs[at] != links[chain.group].legs[0]:
            pair = pair.T
        sums = total[:, None] + pair
        from_ = np.argmin(sums, axis=0)
        back.append(from_)
        total = sums[from_, np.arange(len(from_))] + own[at + 1]
    pick = int(np.argmin(total))
    for at in range(len(chain.legs) - 1, -1, -1):
        picks[chain.legs[at]][chain.numbers[at]] = pick
        if at:
            pick = int(back[at - 1][pick])
