# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints: where every foot stands, and when (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.stride_limits import find_left
from .balance import lead_feet, measure_swept
from .choice import Prints, choose_ways, measure_crowding
from .ideal import IdealPrints, find_print_levels, join_ideal_prints, place_ideal_prints
from .pairs import Hangs, PrintLinks, link_prints
from .records import PrintPlan, PrintRow, PrintSource
from .soles import (
    FootholdRules,
    FootSoles,
    SoleFits,
    SolePlaces,
    SoleShape,
    lay_soles,
    limit_ways,
    make_foothold_rules,
    make_sole_shape,
    planes_from_frames,
    stand_soles,
)


def plan_prints(
    tables: MotionTables,
    times: TimePlan,
    ground: Ground,
    settings: PlanSettings,
    levels: FloatArray,
    source: PrintSource | None = None,
    leans: FloatArray | None = None,
    flights: Sequence[tuple[float, float]] = (),
) -> PrintPlan:
    """Plan all footprints of a walk.

    Parameters
    ----------
    tables
        The character's motions.
    times
        The time plan.
    ground
        What to walk on.
    settings
        Choices.
    levels
        Height of the ground that the body walks on, see `levels.plan_levels`, metres, shape (G,).
    source
        Has prints of its own, which stay where they are; None where only the motions have some.
    leans
        Of the body towards world x and y, radians, shape (G, 2), off which its feet stand; None for
        an upright one.
    flights
        First and last second of each jump: the time plan does not know yet where hips are around them.
    """
    balance = lead_feet(tables, times, leans, levels)
    ideal = place_ideal_prints(tables, times, settings, levels, balance)
    rules = make_foothold_rules(tables.rig, settings)
    shapes = [make_sole_shape(tables.small_rig, leg, rims) for leg, rims in enumerate(tables.rims)]
    walk = _Walk(tables, times, ground, rules, shapes, levels, flights)
    rows, fits = _stand_ideal(walk, ideal)
    # A step that the user leaves out changes nothing about where the foot stood before.
    hangs = Hangs.find(tables, times, join_ideal_prints(ideal), rows)
    prints = PrintPlan(rows, levels)
    if source is not None:
        prints = source.claim_prints(tables, times, prints, ground)
    prints = _choose_prints(walk, hangs, prints, fits)
    return prints if source is None else source.lift_prints(tables, prints, ground)


@dataclass(frozen=True)
class _Walk:
    """What all legs share."""

    tables: MotionTables
    times: TimePlan
    ground: Ground
    rules: FootholdRules
    shapes: Sequence[SoleShape]
    levels: FloatArray
    flights: Sequence[tuple[float, float]]

    def find_levels(self, times: Sequence[FloatArray]) -> FloatArray:
        """Heights of the ground under the hips of L legs at times (K,), those of all in one, metres."""
        found = [
            find_print_levels(self.tables, self.times, self.levels, own, leg, self.ground)
            for leg, own in enumerate(times)
        ]
        return np.concatenate(found)


def _stand_ideal(
    walk: _Walk, ideal: Sequence[IdealPrints]
) -> tuple[tuple[PrintRow, ...], SoleFits]:
    """Prints of each leg where the motions put them, on the ground, and fits of the soles of all."""
    joined = join_ideal_prints(ideal)
    kept, spread = np.unique(joined.kept, return_inverse=True)
    feet = np.repeat(np.arange(len(ideal)), [len(row.times) for row in ideal])
    levels = walk.find_levels([row.times for row in ideal])
    places = SolePlaces(joined.places[:, :2], joined.directions, joined.times, levels)
    soles = FootSoles(walk.shapes, feet, places).select(kept)
    fits = lay_soles(walk.ground, walk.rules, soles, np.arange(len(kept)), np.zeros((len(kept), 2)))
    stood = stand_soles(walk.ground, walk.rules, soles, fits)
    rows = []
    for leg, own in enumerate(ideal):
        # A kept print stands where and when its first stance was, so that moving ground carries it.
        found, count = stood.select(spread[feet == leg]), len(own.kept)
        row = PrintRow(
            first=own.first,
            times=own.times[own.kept],
            positions=found.positions,
            headings=own.directions[own.kept],
            frames=found.frames,
            normals=found.normals,
            surfaces=found.surfaces,
            supports=found.supports,
            found=found.found,
            parked=own.kept != np.arange(count),
            parted=np.zeros(count),
            crowded=np.zeros(count),
            sole_share=walk.shapes[leg].length / walk.tables.small_rig.legs[leg].length,
        )
        rows.append(row)
    return tuple(rows), fits.select(spread)


def _choose_prints(walk: _Walk, hangs: Hangs, plan: PrintPlan, fits: SoleFits) -> PrintPlan:
    """The prints moved to where all together cost least, those of the user where they are."""
    owns = [np.flatnonzero(~row.parked) for row in plan.rows]
    rows = [row.select(own) for row, own in zip(plan.rows, owns, strict=True)]
    prints, numbers = _gather(walk, hangs, plan, fits)
    links = link_prints(hangs, numbers)
    ways, fits = choose_ways(walk.ground, walk.rules, prints, links)
    parted, crowded = _measure_parting(prints, ways, links)
    moved = np.flatnonzero(np.any(ways != 0.0, axis=1))
    feet = prints.soles.feet
    soles = prints.soles.select(moved).move(ways[moved])
    stood = stand_soles(walk.ground, walk.rules, soles, fits.select(moved))
    changed = []
    for leg, (row, own, whole) in enumerate(zip(rows, owns, plan.rows, strict=True)):
        mine = feet == leg
        row = replace(row, parted=parted[mine], crowded=crowded[mine])
        here = feet[moved] == leg
        row = row.put(moved[here] - np.argmax(mine), stood.select(here))
        changed.append(replace(row.select(np.searchsorted(own, whole.owners)), parked=whole.parked))
    return replace(plan, rows=tuple(changed))


def _gather(
    walk: _Walk, hangs: Hangs, plan: PrintPlan, fits: SoleFits
) -> tuple[Prints, np.ndarray]:
    """Prints of all legs to be chosen, and which of these each ideal one is, -1 for none or a user's."""
    tables, times, ideal = walk.tables, walk.times, hangs.ideal
    parked = np.concatenate([row.parked for row in plan.rows])
    own = np.flatnonzero(~parked)
    feet = hangs.legs[own]

    def join(name: str) -> FloatArray:
        return np.concatenate([getattr(row, name) for row in plan.rows])[own]

    claimed = np.zeros(len(parked), dtype=bool)
    for place in plan.claims.prints:
        if place is not None:
            claimed[np.flatnonzero(hangs.legs == place[0])[place[1]]] = True
    fixed, positions, headings = claimed[own], join("positions"), join("headings")
    aparts = np.where(fixed[:, None], positions[:, :2] - ideal.places[own, :2], 0.0)
    headings, turns = np.where(fixed, headings, ideal.directions[own]), ideal.turns[own]
    levels = walk.find_levels([row.times[~row.parked] for row in plan.rows])
    places = SolePlaces(ideal.places[own, :2] + aparts, headings, join("times"), levels)
    soles, laid = FootSoles(walk.shapes, feet, places), fits.select(own)
    laid.planes[fixed] = planes_from_frames(
        soles.sizes[fixed, 0], positions[fixed], join("frames")[fixed], headings[fixed]
    )
    laid.costs[fixed] = 0.0
    half, contacts = 0.5 * tables.cycles.slowest_period, hangs.contacts[own]
    for off, strike in walk.flights:
        contacts[(contacts >= off - half) & (contacts <= strike + half)] = np.nan
    still = ~np.isin(join("surfaces"), list(walk.ground.moving_surfaces()))
    most = np.full(len(own), np.inf)
    for row in np.flatnonzero(~still):
        # On what moves no partner tells how far a print is from it.
        weights = times.grid.sample(times.weights, places.times[row : row + 1])
        swept = measure_swept(tables, weights, feet[row])
        most[row] = limit_ways(walk.shapes[feet[row]], swept)[0]
    hips = tables.small_rig.rest_hips[:, :2] @ find_left(tables.rig)
    prints = Prints(
        soles=soles,
        fits=laid,
        hanging=hangs.measure(own, contacts),
        most_ways=most,
        turns=turns,
        heels=ideal.heels[own, :2] + rot.turn_flat(aparts, -turns),
        aparts=aparts,
        fixed=fixed,
        still=still,
        sides=np.where(hips >= 0.0, 1.0, -1.0),
    )
    numbers = np.full(len(parked), -1)
    # A step that the user moves moves no other.
    numbers[own] = np.where(fixed, -1, np.arange(len(own)))
    return prints, numbers


def _measure_parting(
    prints: Prints, ways: FloatArray, links: PrintLinks
) -> tuple[FloatArray, FloatArray]:
    """How far prints went aside for a partner's, and how much too near they still are, metres, (n,)."""
    parted, crowded = np.zeros(len(ways)), np.zeros(len(ways))
    before = measure_crowding(prints, 0.0 * ways, links)
    after = measure_crowding(prints, ways, links)
    for numbers in links.prints.T:
        aside = np.where(before > 0.0, np.abs(ways[numbers, 1]), 0.0)
        np.maximum.at(parted, numbers, aside)
        np.maximum.at(crowded, numbers, np.maximum(after, 0.0))
    return parted, crowded
