# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footprints: where every foot stands, and when (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Protocol

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import OFF, STRIKE, MotionTables
from ..settings import PlanSettings
from ..times.planning import TimePlan
from ..times.rides import Rides
from .balance import lead_feet, measure_swept
from .claims import StepClaims
from .climbing import measure_leads
from .crossing import IdealPrints, hold_apart, part_prints
from .footholds import FootholdRules, SoleRequest
from .limits import CLIMBING, HALTS
from .standing import limit_shifts, make_foothold_rules, stand_soles


@dataclass(frozen=True)
class Footprint:
    """One place where a foot stands.

    Attributes
    ----------
    identifier
        Stable name: leg and number of the step.
    leg
        Index of the leg.
    time
        Stance instant, seconds.
    position
        Heel end of the sole, world, metres, shape (3,).
    frame
        Rotation whose x axis runs from heel to toe and whose z axis is the normal, shape (4,).
    surface
        Surface that carries it, -1 for none.
    support
        Share of the sole with ground under it.
    origin
        ``"planned"``, ``"edited"`` or ``"user"``.
    """

    identifier: str
    leg: int
    time: float
    position: FloatArray
    frame: FloatArray
    surface: int
    support: float
    origin: str = "planned"


@dataclass(frozen=True)
class PrintRow:
    """All footprints of one leg in the order of time, K of them; step i leads from i to i + 1.

    Attributes
    ----------
    first
        Step number of the first print: print i stands at leg time ``first + i``.
    times
        Stance instants, seconds, shape (K,).
    positions
        Heel ends, world, metres, shape (K, 3).
    headings
        Angle from +X of the direction heel to toe, radians, without jumps, shape (K,).
    frames
        See `Footprint.frame`, shape (K, 4).
    normals
        Unit normals, shape (K, 3).
    surfaces, supports, found
        Of the soles, shape (K,).
    parked
        Whether the print is the one before it, kept, shape (K,).
    parted
        How far the print was moved aside for a partner's foot, metres, shape (K,).
    crowded
        How much nearer to a partner's foot the print still is than it ought to be, metres, (K,).
    sole_share
        Length of the sole, share of the leg.
    """

    first: int
    times: FloatArray
    positions: FloatArray
    headings: FloatArray
    frames: FloatArray
    normals: FloatArray
    surfaces: np.ndarray
    supports: FloatArray
    found: np.ndarray
    parked: np.ndarray
    parted: FloatArray
    crowded: FloatArray
    sole_share: float = 1.0

    @property
    def in_air(self) -> np.ndarray:
        """Whether each print is borne by no ground but by a footstep without any, shape (K,)."""
        return self.found & (self.surfaces < 0) & (self.supports >= 1.0)

    def hold(self, kept: int, end: int) -> PrintRow:
        """A row whose foot stays on one print, parked, as far as to the one before another."""
        columns = {
            entry.name: getattr(self, entry.name).copy()
            for entry in fields(self)
            if isinstance(getattr(self, entry.name), np.ndarray)
        }
        for column in columns.values():
            column[kept + 1 : end] = column[kept]
        columns["parked"][kept + 1 : end] = True
        return replace(self, **columns)


@dataclass(frozen=True)
class PrintPlan:
    """The footprints of a walk.

    Attributes
    ----------
    rows
        One for each leg.
    levels
        Height of the ground that the body walks on, on the plan's grid, metres, shape (G,).
    claims
        Which prints are footsteps of the user.
    """

    rows: tuple[PrintRow, ...]
    levels: FloatArray
    claims: StepClaims = field(default_factory=StepClaims)

    def list_footprints(self) -> list[Footprint]:
        """The prints as single objects, kept ones once, in the order of time."""
        owners = {
            place: step for step, place in zip(self.claims.steps, self.claims.prints, strict=True)
        }
        prints = [
            Footprint(
                identifier=f"{leg}:{row.first + i}",
                leg=leg,
                time=float(row.times[i]),
                position=row.positions[i],
                frame=row.frames[i],
                surface=int(row.surfaces[i]),
                support=float(row.supports[i]),
                origin=owners[leg, i].origin if (leg, i) in owners else "planned",
            )
            for leg, row in enumerate(self.rows)
            for i in range(len(row.times))
            if not row.parked[i]
        ]
        return sorted(prints, key=lambda p: (p.time, p.leg))


class PrintSource(Protocol):
    """What decides about prints besides the motions, as footsteps of the user do."""

    def set_prints(
        self, tables: MotionTables, times: TimePlan, prints: PrintPlan, ground: Ground
    ) -> PrintPlan:
        """Prints as the source has them, for those planned without it."""
        ...


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
    leads = CLIMBING.hips * measure_leads(tables, times, levels)
    rows = [
        _lead_row(row, times.grid.sample(leg.length * leads, row.times))
        for row, leg in zip(rows, tables.small_rig.legs, strict=True)
    ]
    rules = make_foothold_rules(tables.rig, settings)
    grounded = [
        _ground_row(tables, row, times, levels, leg, ground, rules) for leg, row in enumerate(rows)
    ]
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


def _lead_row(row: PrintRow, ways: FloatArray) -> PrintRow:
    """Prints of a leg moved by ways (K, 2), world x and y, metres."""
    moved = row.positions.copy()
    moved[:, :2] += ways
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


def _ground_row(
    tables: MotionTables,
    row: PrintRow,
    times: TimePlan,
    levels: FloatArray,
    leg: int,
    ground: Ground,
    rules: FootholdRules,
) -> PrintRow:
    """Put the prints of one leg on the ground."""
    own = np.flatnonzero(~row.parked)
    source = np.maximum.accumulate(np.where(row.parked, 0, np.arange(len(row.times))))
    request = SoleRequest(
        heels=row.positions[own, :2],
        headings=row.headings[own],
        times=row.times[own],
        levels=times.grid.sample(levels, row.times[own]),
        length=float(tables.rig.foot_lengths[leg]),
        width=tables.small_rig.legs[leg].sole_width,
        most_shifts=_measure_most_shifts(tables, times, row.times[own], leg),
        outline=tables.small_rig.hulls[leg].places,
        rim=tables.rims[leg],
    )
    stood = stand_soles(ground, request, rules)
    spread = np.searchsorted(own, source)
    return replace(
        row,
        positions=stood.positions[spread],
        frames=stood.frames[spread],
        normals=stood.normals[spread],
        surfaces=stood.placed.surfaces[spread],
        supports=stood.placed.supports[spread],
        found=stood.placed.found[spread],
        sole_share=request.length / tables.small_rig.legs[leg].length,
    )


def _measure_most_shifts(
    tables: MotionTables, times: TimePlan, stances: FloatArray, leg: int
) -> FloatArray:
    """How far prints may be moved so that the leg still reaches them throughout, metres, (n,)."""
    swept = measure_swept(tables, times.grid.sample(times.weights, stances), leg)
    return limit_shifts(swept, tables.small_rig.legs[leg].length)
