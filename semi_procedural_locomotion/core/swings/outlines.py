# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swings tried with the whole outline of the foot, as it is turned in the air (numpy only).

A bump and a re-timing are chosen for the middle line of a flat sole (see `clearance`). Then each swing
is gone through as it will be seen, with the width of the sole and the toe cap: what is still in the
ground raises the bump, or asks for another re-timing (docs/method/swings.md, Outlines).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np

from ..body.carriage import BodyTrack
from ..ground.soles import STARTS, cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, STRIKE
from ..prints.steps import StepPlan
from ..rig.hulls import hull_points_from_poses
from ..settings import PlanSettings
from .clearance import SwingLines, choose_bumps, find_blocked_steps
from .evaluation import SwingInstants, evaluate_swing, trace_swing
from .feet import solve_foot
from .flight import shape_aside
from .fold_costs import SwingFolds, SwingHips
from .limits import CLEARANCE, COSTS
from .paces import SwingPaces, find_fastest_ways
from .records import LegSwings, SwingLifts


@dataclass(frozen=True)
class OutlineFlights:
    """Flights of K steps of one leg at the F shares of `CLEARANCE.flight`, all in one row.

    Attributes
    ----------
    plan, swings
        All steps, and what is planned for those of the leg.
    steps
        Which steps, shape (K,).
    at
        Their instants, K * F of them.
    times
        Seconds at which the ground is looked at, shape (K,).
    moves
        How far each is led aside in its middle, world x and y, metres, shape (K, 2).
    margin
        Clearance over obstacles, metres.
    fastest
        Way of each in its flight at the fastest pace of its motions, metres, shape (K,).
    hips
        Where their hips are.
    """

    plan: StepPlan
    swings: LegSwings
    steps: np.ndarray
    at: SwingInstants
    times: FloatArray
    moves: FloatArray
    margin: float
    fastest: FloatArray
    hips: SwingHips

    @classmethod
    def read(
        cls,
        plan: StepPlan,
        leg: int,
        swings: LegSwings,
        steps: np.ndarray,
        moves: FloatArray,
        margin: float,
        body: BodyTrack,
    ) -> OutlineFlights:
        """Flights of some steps (K,), over ground that lies as in the middle of each."""
        count = len(CLEARANCE.flight)
        times = SwingLines.read(plan, leg, steps).times
        shares = np.tile(CLEARANCE.flight, len(steps))
        rows = np.repeat(steps, count)
        at = SwingInstants.read_flights(plan, leg, rows, shares, np.repeat(times, count))
        keys = [plan.find_key_times(leg, key)[steps] for key in (OFF, STRIKE)]
        fastest = find_fastest_ways(at.feet.placed.reshape(len(steps), count, 3), keys[1] - keys[0])
        hips = SwingHips.read(at, swings, body, plan.find_flight_times(leg, rows, shares))
        return cls(plan, swings, steps, at, times, moves, margin, fastest, hips)

    def select(self, rows: np.ndarray) -> OutlineFlights:
        """Some of the flights."""
        count = len(CLEARANCE.flight)
        instants = (rows[:, None] * count + np.arange(count)).ravel()
        return replace(
            self,
            steps=self.steps[rows],
            at=self.at.take(instants),
            times=self.times[rows],
            moves=self.moves[rows],
            fastest=self.fastest[rows],
            hips=self.hips.take(rows),
        )

    def read_ways(self, lifts: SwingLifts) -> tuple[SwingPaces, SwingFolds]:
        """Paces and folds of the ways with the re-timing of some lifts, without their bumps."""
        flat = replace(lifts, amplitudes=np.zeros_like(lifts.amplitudes))
        count = len(CLEARANCE.flight)
        places = evaluate_swing(self.at, replace(self.swings, lifts=flat)).footbases
        places = places.reshape(len(self.steps), count, 3)
        behind, ahead = self.at.states.behind[::count], self.at.states.ahead[::count]
        paces = SwingPaces.read(places, behind, ahead, self.fastest)
        return paces, self.hips.measure_folds(places)

    def measure_progress(self, lifts: SwingLifts) -> FloatArray:
        """Progress of each instant with the limits and the re-timing of some lifts, (K, F)."""
        progress = trace_swing(self.at, self.swings).progress
        retimed = lifts.retime(self.at.find_steps(self.swings), progress)
        return retimed.reshape(len(self.steps), -1)

    def measure_needs(
        self,
        lifts: SwingLifts,
        chosen: np.ndarray | None = None,
        ceilings: FloatArray | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Bump that each point of the foot needs to be out of the ground, negative where it has room.

        Parameters
        ----------
        lifts
            Re-timings of all steps of the leg; their own bumps do not count.
        chosen
            Points of the hull that are looked at; None for all.
        ceilings
            Height that the ground does not reach beyond, metres, shape (K,): above it points have
            room, and no more is asked. None where it is not known.

        Returns
        -------
        needs
            Metres, shape (K, F, P).
        ceilings
            As given, or found: the highest ground that any point passes over.
        """
        flat = replace(lifts, amplitudes=np.zeros_like(lifts.amplitudes))
        foot = solve_foot(self.at, replace(self.swings, lifts=flat))
        tables, leg = self.plan.tables, self.at.leg
        poses, ankle = self.at.source.legs, tables.small_rig.legs[leg].ankle
        hull = tables.small_rig.hulls[leg]
        hull = hull if chosen is None else hull.select(chosen)
        own = hull_points_from_poses(hull, poses.rotations, poses.positions)
        turn = rot.multiply(foot.rotations, rot.conjugate(poses.rotations[:, ankle]))
        away = rot.rotate(turn[:, None], own - poses.positions[:, ankle, None])
        shape = (len(self.steps), len(CLEARANCE.flight))
        points = (foot.ankles[:, None] + away).reshape(*shape, -1, 3)
        points[..., :2] += (shape_aside(CLEARANCE.flight)[:, None] * self.moves[:, None])[
            :, :, None
        ]
        _draw_in(points, CLEARANCE.drawn_in * tables.rig.leg_length)
        floor = -CLEARANCE.void * tables.rig.leg_length
        if ceilings is None:
            needs = self._cast(points, np.arange(len(self.steps))[:, None, None], floor)
            return needs, (needs + points[..., 2]).max(axis=(1, 2))
        needs = ceilings[:, None, None] - points[..., 2]
        step, instant, point = np.nonzero(needs > 0)
        needs[step, instant, point] = self._cast(points[step, instant, point], step, floor)
        return needs, ceilings

    def _cast(self, points: FloatArray, steps: np.ndarray, floor: float) -> FloatArray:
        """How far the ground is above points (..., 3) of steps, indices that broadcast to (...)."""
        states, first = self.at.states, len(CLEARANCE.flight) * np.arange(len(self.steps))
        length = self.plan.tables.rig.leg_length
        tops = start_over_prints(states.behind[first], states.ahead[first], length)
        floors = tops - STARTS.over_prints * length
        hits = cast_soles(
            self.plan.ground, points, tops[steps], self.times[steps], floors=floors[steps]
        )
        return hits.fill(floor) - points[..., 2]


def _draw_in(points: FloatArray, way: float) -> None:
    """Move points (..., P, 3) towards the middle of their foot, horizontally, in place."""
    away = points[..., :2] - points[..., :2].mean(axis=-2, keepdims=True)
    size = np.maximum(np.hypot(away[..., 0], away[..., 1]), way)
    points[..., :2] -= away * (way / np.maximum(size, 1e-12))[..., None]


def _join_needs(needs: FloatArray) -> FloatArray:
    """Bumps that instants need from those of their points (K, F, P), metres, (K, F)."""
    most = needs.max(axis=-1)
    # Half of what the next instant needs more: between the two no corner of a foot is in an edge.
    padded = np.pad(most, ((0, 0), (1, 1)), mode="edge")
    return np.maximum(most, 0.5 * (most + np.maximum(padded[:, :-2], padded[:, 2:])))


def plan_outlines(
    plan: StepPlan,
    swings: tuple[LegSwings, ...],
    asides: tuple[FloatArray, ...],
    settings: PlanSettings,
    body: BodyTrack,
) -> tuple[LegSwings, ...]:
    """What the steps of all legs need, with lifts that no part of a foot is too low for.

    Parameters
    ----------
    plan, swings
        All steps, and what is planned for them.
    asides
        How far each is led aside in its middle, world x and y, metres, L arrays of shape (K, 2).
    settings
        Choices.
    body
        How high the body is carried.
    """
    margin = settings.swing_margin * plan.tables.rig.leg_length
    result = []
    for leg, own in enumerate(swings):
        steps = _find_steps(plan, leg, own.lifts, asides[leg])
        if len(steps):
            flights = OutlineFlights.read(plan, leg, own, steps, asides[leg][steps], margin, body)
            own = replace(own, lifts=clear_outlines(flights, own.lifts))
        result.append(own)
    return tuple(result)


def _find_steps(plan: StepPlan, leg: int, lifts: SwingLifts, moves: FloatArray) -> np.ndarray:
    """Steps of a leg that something stands in the way of, also where they are led aside to."""
    blocked = (lifts.rooms < CLEARANCE.free).any(axis=1)
    led = np.hypot(*moves.T)
    others = np.flatnonzero(~blocked & (led > 0))
    if len(others):
        foot, length = float(plan.tables.rig.foot_lengths[leg]), plan.tables.rig.leg_length
        width = plan.tables.small_rig.legs[leg].sole_width + 2.0 * float(led[others].max())
        lines = SwingLines.read(plan, leg, others)
        blocked[others] = find_blocked_steps(lines, plan.ground, (foot, width), length)
    return np.flatnonzero(blocked)


def clear_outlines(flights: OutlineFlights, lifts: SwingLifts) -> SwingLifts:
    """Lifts of a leg's steps, raised and re-timed where the outline of the foot asks for it.

    Parameters
    ----------
    flights
        Of the steps that something stands in the way of.
    lifts
        As chosen for the middle line of the sole, of all steps.
    """
    length, steps = flights.plan.tables.rig.leg_length, flights.steps
    lifts = SwingLifts(*(getattr(lifts, entry.name).copy() for entry in fields(lifts)))
    lacking, ceilings = flights.measure_needs(lifts)
    needs, bumps = _join_needs(lacking), _read_bumps(lifts, steps)
    short = np.flatnonzero((needs - bumps).max(axis=1) > CLEARANCE.touching * length)
    if len(short):
        part = flights.select(short)
        chosen = _choose_lifts(part, lifts, lacking[short], ceilings[short])
        found = _join_needs(part.measure_needs(chosen)[0])
        left = (found - _read_bumps(chosen, steps[short])).max(axis=1)
        better = left < (needs - bumps)[short].max(axis=1)
        rows = steps[short[better]]
        for entry in fields(lifts):
            getattr(lifts, entry.name)[rows] = getattr(chosen, entry.name)[rows]
        needs[short[better]] = found[better]
        bumps = _read_bumps(lifts, steps)
    rooms = np.maximum(bumps - needs - CLEARANCE.room_margin * length, 0.0)
    lifts.rooms[steps] = np.minimum(lifts.rooms[steps], rooms)
    return lifts


def _read_bumps(lifts: SwingLifts, steps: np.ndarray) -> FloatArray:
    """Heights of the bumps of steps (K,) at `CLEARANCE.flight`, metres, (K, F)."""
    return lifts.read_bumps(steps[:, None], CLEARANCE.flight)


def _choose_lifts(
    flights: OutlineFlights, lifts: SwingLifts, lacking: FloatArray, ceilings: FloatArray
) -> SwingLifts:
    """The cheapest bumps and re-timings of steps, whose needs (K, F, P) as they are timed are known."""
    length, steps = flights.plan.tables.rig.leg_length, flights.steps
    flight = CLEARANCE.flight
    best, result = np.full(len(steps), np.inf), SwingLifts.none(len(steps))
    edge = np.minimum(1.0, CLEARANCE.edge * np.minimum(flight, 1.0 - flight))
    states = flights.at.states
    spans = np.hypot(*(states.ahead - states.behind)[:: len(flight), :2].T)
    own = flights.measure_progress(lifts.keep_time())
    # Points that never need the most are not looked at again, nor any above all ground of a step.
    most = lacking.max(axis=-1, keepdims=True)
    near = (lacking > most - CLEARANCE.leading * length) & (most > -CLEARANCE.leading * length)
    points = np.flatnonzero(near.any(axis=(0, 1)))
    for exponent, kind in CLEARANCE.retimings:
        timed = replace(lifts, exponents=lifts.exponents.copy(), kinds=lifts.kinds.copy())
        timed.exponents[steps], timed.kinds[steps] = exponent, kind
        asked = _join_needs(flights.measure_needs(timed, points, ceilings)[0])
        moved = np.abs(flights.measure_progress(timed) - own).max(axis=1) * spans
        strayed = COSTS.stray * np.maximum(moved - COSTS.most_stray * length, 0.0)
        need = asked + flights.margin * edge * (asked > 0)
        need = np.where(need < CLEARANCE.negligible * length, 0.0, need)
        fixed = COSTS.retime * length * (exponent - 1.0)
        ways = flights.read_ways(timed)
        choose_bumps(
            result, best, need, (exponent, kind), (fixed, strayed), ways, length, ends=False
        )
    chosen = SwingLifts(*(getattr(lifts, entry.name).copy() for entry in fields(lifts)))
    for name in ("amplitudes", "rises", "falls", "exponents", "kinds", "covers"):
        getattr(chosen, name)[steps] = getattr(result, name)
    return chosen
