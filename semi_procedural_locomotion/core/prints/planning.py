# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints: where every foot stands, and when (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..settings import PlanSettings
from ..times.planning import TimePlan
from .balance import lead_feet
from .choice import Prints, choose_ways
from .ideal import IdealPrints, find_times_ahead, place_ideal_prints
from .pairs import Hangs, PrintLinks, link_prints, measure_deficits
from .records import PrintPlan, PrintRow, PrintSource, StepClaims
from .soles import (
    FootSoles,
    SoleFits,
    SolePlaces,
    lay_soles,
    make_foothold_rules,
    make_sole_shape,
    stand_soles,
)
from .steps import StepPlan, find_step_keys


def plan_prints(
    tables: MotionTables,
    times: TimePlan,
    ground: Ground,
    settings: PlanSettings,
    levels: FloatArray,
    source: PrintSource | None,
    leans: FloatArray | None,
    flights: Sequence[tuple[float, float]],
) -> PrintPlan:
    """Plan all footprints of a walk.

    Parameters
    ----------
    tables, times, ground, settings
        The motions, the time plan, what to walk on, and the choices.
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
    shapes = [make_sole_shape(tables.small_rig, leg, rims) for leg, rims in enumerate(tables.rims)]
    instants = ideal.times
    # On what moves the way of the body in the world tells nothing.
    if not ground.moving_surfaces():
        leads = tables.small_rig.hip_leads[ideal.legs]
        instants = find_times_ahead(tables, times, instants, leads)
    under = times.grid.sample(levels, instants)
    places = SolePlaces(ideal.places[:, :2], ideal.directions, ideal.times, under)
    rules = make_foothold_rules(tables.rig, settings)
    soles = FootSoles(ground, rules, shapes, ideal.legs, places)
    prints, fits = _stand_ideal(ideal, soles)
    plan = StepPlan(tables, times, prints, find_step_keys(times, prints.rows), ground)
    # A step that the user leaves out changes nothing about where the foot stood before.
    contacts = [plan.measure_contacts(leg) for leg in range(len(prints.rows))]
    hangs = Hangs(plan, ideal, np.concatenate(contacts))
    if source is not None:
        prints = source.claim_prints(tables, times, prints, ground)
    prints = _choose_prints(hangs, prints, soles, fits, flights)
    return prints if source is None else source.lift_prints(tables, prints, ground)


def _stand_ideal(ideal: IdealPrints, soles: FootSoles) -> tuple[PrintPlan, SoleFits]:
    """Prints where the motions put them, on the ground, and how the soles of all lie there."""
    kept, spread = np.unique(ideal.kept, return_inverse=True)
    fits = lay_soles(soles, kept, np.zeros((len(kept), 2)))
    stood = stand_soles(soles.select(kept), fits).select(spread)
    # A kept print stands where and when its first stance was, so that moving ground carries it.
    times, headings = ideal.times[ideal.kept], ideal.directions[ideal.kept]
    rows = []
    for leg in range(len(soles.shapes)):
        mine = np.flatnonzero(ideal.legs == leg)
        none = np.zeros(len(mine))
        row = PrintRow(
            **vars(stood.select(mine)),
            first=int(ideal.steps[mine[0]]),
            times=times[mine],
            headings=headings[mine],
            parked=ideal.kept[mine] != mine,
            parted=none,
            crowded=none,
        )
        rows.append(row)
    return PrintPlan(tuple(rows), StepClaims((), (), ())), fits.select(spread)


def _choose_prints(
    hangs: Hangs,
    plan: PrintPlan,
    soles: FootSoles,
    fits: SoleFits,
    flights: Sequence[tuple[float, float]],
) -> PrintPlan:
    """The prints moved to where all together cost least, those of the user where they are."""
    legs, contacts = hangs.ideal.legs, hangs.contacts.copy()
    free = ~np.concatenate([row.parked for row in plan.rows])
    # A step that the user moves moves no other.
    for place in plan.claims.prints:
        if place is not None:
            free[np.argmax(legs == place[0]) + place[1]] = False
    half = 0.5 * hangs.plan.tables.cycles.slowest_period
    for off, strike in flights:
        contacts[(contacts >= off - half) & (contacts <= strike + half)] = np.nan
    own = np.flatnonzero(free)
    soles, fits, ideal = soles.select(own), fits.select(own), hangs.ideal.select(own)
    hanging = hangs.measure(own, contacts[own])
    still = ~np.isin(fits.surfaces, list(soles.ground.moving_surfaces()))
    prints = Prints(soles, fits, hanging, ideal.turns, ideal.heels[:, :2], still)
    links = link_prints(hangs, np.where(free, np.cumsum(free) - 1, -1))
    ways, fits = choose_ways(prints, links)
    parting = np.zeros((2, len(legs)))
    parting[:, own] = _measure_parting(prints, ways, links)
    moved = np.flatnonzero(np.any(ways != 0.0, axis=1))
    stood = stand_soles(soles.select(moved).move(ways[moved]), fits.select(moved))
    rows = []
    for leg, row in enumerate(plan.rows):
        mine, here = np.flatnonzero(legs == leg), ideal.legs[moved] == leg
        parted, crowded = parting[:, mine]
        row = replace(row, parted=parted, crowded=crowded)
        row = row.put(own[moved[here]] - mine[0], stood.select(here))
        rows.append(replace(row.select(row.owners), parked=row.parked))
    return replace(plan, rows=tuple(rows))


def _measure_parting(prints: Prints, ways: FloatArray, links: PrintLinks) -> FloatArray:
    """How far prints went aside for a partner's, and how much too near they are, metres, (2, n)."""
    parting = np.zeros((2, len(ways)))
    planes = prints.fits.planes[:, None]
    before, after = (
        measure_deficits(links, prints.place(own[:, None], planes))[:, 0, 0]
        for own in (0.0 * ways, ways)
    )
    for numbers in links.prints.T:
        aside = np.where(before > 0.0, np.abs(ways[numbers, 1]), 0.0)
        np.maximum.at(parting[0], numbers, aside)
        np.maximum.at(parting[1], numbers, after)
    return parting
