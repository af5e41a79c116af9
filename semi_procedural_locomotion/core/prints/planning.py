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
from .choice import LegPrints, choose_ways, measure_crowding, stand_at
from .ideal import IdealPrints, find_print_levels, place_ideal_prints
from .pairs import Hanging, Hangs, PrintLinks, link_prints
from .records import PrintPlan, PrintRow, PrintSource
from .soles import (
    FootholdRules,
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
    stood = _stand_ideal(walk, ideal)
    prints = PrintPlan(tuple(row for row, _ in stood), levels)
    if source is not None:
        prints = source.claim_prints(tables, times, prints, ground)
    prints = _choose_prints(walk, ideal, prints, stood)
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


def _find_levels(walk: _Walk, leg: int, stances: FloatArray) -> FloatArray:
    return find_print_levels(walk.tables, walk.times, walk.levels, stances, leg, walk.ground)


def _stand_ideal(walk: _Walk, ideal: Sequence[IdealPrints]) -> list[tuple[PrintRow, SoleFits]]:
    """Prints of all legs where the motions put them, on the ground."""
    feet, spreads = [], []
    for leg, motion in enumerate(ideal):
        own, spread = np.unique(motion.kept, return_inverse=True)
        spreads.append(spread)
        places = SolePlaces(
            heels=motion.places[own, None, :2],
            headings=motion.directions[own],
            times=motion.times[own],
            levels=_find_levels(walk, leg, motion.times[own]),
        )
        feet.append((walk.shapes[leg], places))
    laid = lay_soles(walk.ground, walk.rules, feet)
    pairs = zip(feet, laid, strict=True)
    stood = stand_soles(
        walk.ground, walk.rules, [(*foot, fits.pick((slice(None), 0))) for foot, fits in pairs]
    )
    rows = []
    for leg, (own, fits, soles) in enumerate(zip(ideal, laid, stood, strict=True)):
        # A kept print stands where and when its first stance was, so that moving ground carries it.
        spread, count = spreads[leg], len(own.kept)
        row = PrintRow(
            first=own.first,
            times=own.times[own.kept],
            positions=soles.positions[spread],
            headings=own.directions[own.kept],
            frames=soles.frames[spread],
            normals=soles.normals[spread],
            surfaces=soles.surfaces[spread],
            supports=soles.supports[spread],
            found=soles.found[spread],
            parked=own.kept != np.arange(count),
            parted=np.zeros(count),
            crowded=np.zeros(count),
            sole_share=walk.shapes[leg].length / walk.tables.small_rig.legs[leg].length,
        )
        rows.append((row, fits.pick(spread)))
    return rows


def _choose_prints(
    walk: _Walk,
    ideal: Sequence[IdealPrints],
    prints: PrintPlan,
    stood: Sequence[tuple[PrintRow, SoleFits]],
) -> PrintPlan:
    """The prints moved to where all together cost least, those of the user where they are."""
    claimed = {place for place in prints.claims.prints if place is not None}
    # A step that the user leaves out changes nothing about where the foot stood before.
    hangs = Hangs.find(walk.tables, walk.times, ideal, [row for row, _ in stood])
    half = 0.5 * walk.tables.cycles.slowest_period
    owns, legs, numbers = [], [], []
    for leg, row in enumerate(prints.rows):
        own = np.flatnonzero(~row.parked)
        fixed = np.array([(leg, int(index)) in claimed for index in own], dtype=bool)
        contacts = hangs.find_contacts(leg)[own]
        for off, strike in walk.flights:
            contacts[(contacts >= off - half) & (contacts <= strike + half)] = np.nan
        hanging = hangs.measure(leg, own, contacts)
        own_prints = (row.select(own), ideal[leg], own)
        legs.append(_gather(walk, leg, own_prints, (stood[leg][1], hanging), fixed))
        owns.append(own)
        numbers.append(np.searchsorted(own, row.owners))
    links = []
    for found in link_prints(hangs):
        ends = [numbers[leg][found.prints[:, i]] for i, leg in enumerate(found.legs)]
        there = [owns[leg][end] for leg, end in zip(found.legs, ends, strict=True)]
        known = np.all(np.stack(there, axis=1) == found.prints, axis=1)
        # A step that the user moves moves no other.
        pairs = zip(found.legs, ends, strict=True)
        known &= ~np.any([legs[leg].fixed[end] for leg, end in pairs], axis=0)
        links.append(replace(found, prints=np.stack(ends, axis=1)).select(known))
    ways = choose_ways(walk.ground, walk.rules, legs, links, walk.tables.rig.leg_length)
    parted, crowded = _measure_parting(legs, ways, links)
    moves = [np.flatnonzero(np.any(way != 0.0, axis=1)) for way in ways]
    parts = [leg.select(moved) for leg, moved in zip(legs, moves, strict=True)]
    chosen = [way[moved] for way, moved in zip(ways, moves, strict=True)]
    placed = stand_at(walk.ground, walk.rules, parts, chosen)
    rows = []
    for leg, row in enumerate(prints.rows):
        changed = replace(row.select(owns[leg]), parted=parted[leg], crowded=crowded[leg])
        changed = changed.put(moves[leg], placed[leg])
        rows.append(replace(changed.select(numbers[leg]), parked=row.parked))
    return replace(prints, rows=tuple(rows))


def _gather(
    walk: _Walk,
    leg: int,
    prints: tuple[PrintRow, IdealPrints, np.ndarray],
    found: tuple[SoleFits, Hanging],
    fixed: np.ndarray,
) -> LegPrints:
    """Prints of a leg to be chosen, for its own, the ideal ones, and which of these they are.

    Fits are those of all ideal prints, hips those over its own.
    """
    (row, ideal, own), (fits, hanging) = prints, found
    tables, times = walk.tables, walk.times
    aparts = np.where(fixed[:, None], row.positions[:, :2] - ideal.places[own, :2], 0.0)
    turns = ideal.turns[own]
    shape, hip = walk.shapes[leg], tables.small_rig.rest_hips[leg]
    laid = fits.pick(own)
    laid.planes[fixed, 0] = planes_from_frames(
        shape, row.positions[fixed], row.frames[fixed], row.headings[fixed]
    )
    laid.costs[fixed] = 0.0
    still = ~np.isin(row.surfaces, list(walk.ground.moving_surfaces()))
    swept = measure_swept(tables, times.grid.sample(times.weights, row.times), leg)
    return LegPrints(
        shape=shape,
        places=SolePlaces(
            heels=(ideal.places[own, :2] + aparts)[:, None],
            headings=np.where(fixed, row.headings, ideal.directions[own]),
            times=row.times,
            levels=_find_levels(walk, leg, row.times),
        ),
        hanging=hanging,
        # On what moves no partner tells how far a print is from it.
        most_ways=np.where(still, np.inf, limit_ways(shape, swept)),
        turns=turns,
        heels=ideal.heels[own, :2] + rot.turn_flat(aparts, -turns),
        aparts=aparts,
        fixed=fixed,
        fits=laid,
        still=still,
        side=1.0 if hip[:2] @ find_left(tables.rig) >= 0.0 else -1.0,
    )


def _measure_parting(
    legs: Sequence[LegPrints], ways: Sequence[FloatArray], links: Sequence[PrintLinks]
) -> tuple[list[FloatArray], list[FloatArray]]:
    """How far prints went aside for a partner's, and how much too near they still are, metres, (n,)."""
    still = [np.zeros_like(way) for way in ways]
    parted, crowded = ([np.zeros(len(way)) for way in ways] for _ in range(2))
    for own in links:
        before = measure_crowding(legs, still, own)
        after = measure_crowding(legs, ways, own)
        for side, leg in enumerate(own.legs):
            chosen = own.prints[:, side]
            aside = np.where(before > 0.0, np.abs(ways[leg][chosen, 1]), 0.0)
            np.maximum.at(parted[leg], chosen, aside)
            np.maximum.at(crowded[leg], chosen, np.maximum(after, 0.0))
    return parted, crowded
