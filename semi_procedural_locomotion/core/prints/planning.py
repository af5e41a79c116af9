# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints: where every foot stands, and when (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import OFF, STRIKE, MotionTables
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.rides import Rides
from .balance import lead_feet
from .climbing import find_stance_lead, find_times_ahead, measure_leads
from .crossing import IdealPrints, hold_apart, part_prints
from .grounding import ground_rows
from .limits import CLIMBING, HALTS
from .records import PrintPlan, PrintRow, PrintSource
from .standing import make_foothold_rules


def plan_prints(
    tables: MotionTables,
    times: TimePlan,
    ground: Ground,
    settings: PlanSettings,
    levels: FloatArray,
    source: PrintSource | None = None,
    leans: FloatArray | None = None,
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
        Decides about prints at last; None where only the motions do.
    leans
        Of the body towards world x and y, radians, shape (G, 2), off which its feet stand; None for
        an upright one.
    """
    legs = range(len(tables.small_rig.legs))
    ideal = [_place_ideal_prints(tables, times, leg) for leg in legs]
    balance = lead_feet(tables, times, leans, levels)
    if balance is not None:
        flat = [row.on_the_flat for row in ideal]
        ways = hold_apart(tables, times, flat, [times.grid.sample(balance, p.times) for p in flat])
        ideal = [row.lead(way) for row, way in zip(ideal, ways, strict=True)]
    ideal = [_park_row(tables, times, leg, settings, ideal[leg]) for leg in legs]
    shifts, crowded = part_prints(tables, times, [row.on_the_flat for row in ideal])
    rows = [
        _make_row(row, shift, missing, times.rides)
        for row, shift, missing in zip(ideal, shifts, crowded, strict=True)
    ]
    leads = measure_leads(tables, times, levels)
    rows = [_lead_row(tables, times, row, leads, leg) for leg, row in enumerate(rows)]
    rules = make_foothold_rules(tables.rig, settings)
    grounded = ground_rows(tables, rows, times, levels, ground, rules)
    prints = PrintPlan(tuple(grounded), levels)
    return prints if source is None else source.set_prints(tables, times, prints, ground)


@dataclass(frozen=True)
class _IdealRow:
    """Prints of a leg where the motions put the foot at each stance instant."""

    first: int
    on_the_flat: IdealPrints
    heights: FloatArray

    def lead(self, ways: FloatArray) -> _IdealRow:
        """The same moved by ways (K, 2), metres, in the space of what carries each."""
        prints = replace(self.on_the_flat, heels=self.on_the_flat.heels + ways)
        return replace(self, on_the_flat=prints)


def _place_ideal_prints(tables: MotionTables, times: TimePlan, leg: int) -> _IdealRow:
    """Prints on the flat of an upright body, one for each step."""
    grid, leg_times = times.grid, times.leg_times[:, leg]
    first, last = int(np.ceil(leg_times[0])), int(np.floor(leg_times[-1]))
    steps = np.arange(first, last + 1)
    inner = grid.find_crossings(leg_times, steps.astype(float))
    # One print more at each end, else the outermost steps reach for prints long past.
    stances = np.concatenate([[grid.start], inner, [grid.times[-1]]])
    weights = grid.sample(times.weights, stances)
    carriers = times.rides.find_numbers(stances)
    places, yaws = times.rides.read_local(carriers, stances)
    local = blend_constants(weights, tables.leg_cycles.stance_positions[:, leg])
    direction = blend_constants(weights, tables.leg_cycles.foot_directions[:, leg])
    headings = np.unwrap(yaws + np.arctan2(direction[:, 1], direction[:, 0]))
    positions = rot.rotate(rot.quaternions_from_yaws(yaws), local) + places
    own = np.arange(len(stances))
    prints = IdealPrints(stances, carriers, positions[:, :2], headings, own)
    return _IdealRow(first - 1, prints, positions[:, 2])


def _park_row(
    tables: MotionTables, times: TimePlan, leg: int, settings: PlanSettings, row: _IdealRow
) -> _IdealRow:
    """The same without short steps."""
    prints = row.on_the_flat
    kept = _park_steps(
        prints.heels,
        prints.headings,
        prints.carriers,
        settings.park_distance * tables.rig.leg_length,
        settings.park_angle,
        _find_halted_steps(times, leg, len(prints.times), tables.cycles.slowest_period),
    )
    return replace(row, on_the_flat=replace(prints, kept=kept))


def _make_row(row: _IdealRow, shifts: FloatArray, crowded: FloatArray, rides: Rides) -> PrintRow:
    """Prints of a leg, moved aside, in the world at their stances."""
    prints = row.on_the_flat
    heels, kept = prints.heels + shifts, prints.kept
    positions = np.concatenate([heels, row.heights[:, None]], axis=1)
    positions, headings = rides.carry(prints.carriers, positions, prints.headings, prints.times)
    count = len(headings)
    # A kept print stands where and when its first stance was, so that moving ground carries it.
    return PrintRow(
        first=row.first,
        times=prints.times[kept],
        positions=positions[kept],
        headings=headings[kept],
        frames=np.zeros((count, 4)),
        normals=np.zeros((count, 3)),
        surfaces=np.full(count, -1),
        supports=np.ones(count),
        found=np.ones(count, dtype=bool),
        parked=kept != np.arange(count),
        parted=np.hypot(*shifts.T)[kept],
        crowded=crowded[kept],
    )


def _lead_row(
    tables: MotionTables, times: TimePlan, row: PrintRow, leads: FloatArray, leg: int
) -> PrintRow:
    """Prints of a leg moved uphill, as the body is led on the grid where they are, (G, 2)."""
    there = row.times
    if times.rides.in_world:
        there = find_times_ahead(
            tables, times, there, CLIMBING.ahead * find_stance_lead(tables, leg)
        )
    moved = row.positions.copy()
    moved[:, :2] += times.grid.sample(leads, there)
    return replace(row, positions=moved)


def _find_halted_steps(times: TimePlan, leg: int, count: int, period: float) -> np.ndarray:
    """Whether the phase stands or jumps as a leg's foot would fly to each of its prints, shape (K,)."""
    interval, passed = times.grid.interval, np.diff(times.phases)
    before, after = times.leg_times[:-1, leg], times.leg_times[1:, leg]
    off, strike = (times.key_times[:-1, leg, key] for key in (OFF, STRIKE))
    lasting = np.where(passed <= 0.0, interval, 0.0)
    lasting[passed > HALTS.quickest * interval / period] = period
    first = np.ceil(times.leg_times[0, leg])
    halts = np.zeros(count)
    # A jump may lead out of a step or into the next.
    steps, later = np.floor(before), np.floor(after)
    for whole, counted in ((steps, lasting), (later, np.where(later > steps, lasting, 0.0))):
        flying = (before - whole < strike) & (after - whole > off)
        ahead = np.clip((whole - first).astype(np.intp) + 2, 0, count - 1)
        halts += np.bincount(ahead, counted * flying, minlength=count)
    return np.asarray(halts > HALTS.longest * period)


def _park_steps(
    places: FloatArray,
    headings: FloatArray,
    carriers: np.ndarray,
    distance: float,
    angle: float,
    halted: np.ndarray,
) -> np.ndarray:
    """Index of the print at which each print stands: itself, or an earlier one on its carrier.

    Feet stay for prints that are near, and in steps in which the phase stands: they would hover.
    """
    kept = np.arange(len(headings))
    last = 0
    for index in range(1, len(headings)):
        near = np.hypot(*(places[index] - places[last])) < distance
        together = carriers[index] == carriers[last]
        turned = abs(rot.wrap_angles(headings[index] - headings[last]))
        if together and ((near and turned < angle) or halted[index]):
            kept[index] = last
        else:
            last = index
    return kept
