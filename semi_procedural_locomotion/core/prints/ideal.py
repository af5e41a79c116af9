# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the motions put each foot, before any ground is asked (numpy only).

See docs/method/prints.md, Ideal prints, Climbing and Short steps.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..maths.smoothing import smooth_gaussian
from ..motions.posing import blend_constants
from ..motions.tables import OFF, STRIKE, MotionTables
from ..rig.structure import Rig
from ..settings import PlanSettings
from ..times.durations import measure_grades
from ..times.limits import GRADES, REFUSALS
from ..times.planning import TimePlan
from .limits import CLIMBING, STEPS


@dataclass(frozen=True)
class IdealPrints(Columns):
    """Prints of all legs where the motions put their feet, N of them: leg by leg, in the order of time.

    Attributes
    ----------
    legs, steps
        Index of the leg of each, and number of its step, shape (N,).
    times
        Stance instants, seconds, shape (N,).
    carriers
        Number of what carries the body at each, see `times.rides.Rides`, shape (N,).
    heels
        Heel ends in the space of their carrier, metres, shape (N, 3).
    headings
        From heel to toe in that space, radians, shape (N,).
    places, directions
        ``heels`` and ``headings`` in the world, shapes (N, 3) and (N,).
    kept
        Index of the print at which each one stands: itself, or an earlier one, shape (N,).
    """

    legs: np.ndarray
    steps: np.ndarray
    times: FloatArray
    carriers: np.ndarray
    heels: FloatArray
    headings: FloatArray
    places: FloatArray
    directions: FloatArray
    kept: np.ndarray

    @property
    def turns(self) -> FloatArray:
        """From the space of each print's carrier to the world, radians, shape (N,)."""
        return self.directions - self.headings


def place_ideal_prints(
    tables: MotionTables,
    times: TimePlan,
    settings: PlanSettings,
    levels: FloatArray,
    balance: FloatArray | None,
) -> IdealPrints:
    """Prints of all legs about a body as it will be carried.

    Parameters
    ----------
    tables, times, settings
        The motions, the time plan and the choices.
    levels
        Height of the ground that the body walks on, metres, shape (G,).
    balance
        How far feet stand off an upright body, see `balance.lead_feet`, metres, shape (G, 2); None for
        nowhere.
    """
    moves = _measure_leads(tables, times, settings, levels)
    if balance is not None:
        moves = moves + balance
    rows = [_place_on_flat(tables, times, leg, moves) for leg in range(len(tables.small_rig.legs))]
    halted = [
        _find_halted_steps(times, leg, len(row.times), tables.cycles.slowest_period)
        for leg, row in enumerate(rows)
    ]
    prints, distance = IdealPrints.join(rows), settings.park_distance * tables.rig.leg_length
    kept = _park_steps(prints, distance, settings.park_angle, np.concatenate(halted))
    return replace(prints, kept=kept)


def _place_on_flat(
    tables: MotionTables, times: TimePlan, leg: int, moves: FloatArray
) -> IdealPrints:
    """Prints of a body on the flat, one for each step, moved by (G, 2) in the space of its carrier."""
    grid, leg_times = times.grid, times.leg_times[:, leg]
    first, last = int(np.ceil(leg_times[0])), int(np.floor(leg_times[-1]))
    # One print more at each end, else the outermost steps reach for prints long past.
    steps = np.arange(first - 1, last + 2)
    inner = grid.find_crossings(leg_times, steps[1:-1].astype(float))
    stances = np.concatenate([[grid.start], inner, [grid.times[-1]]])
    weights = grid.sample(times.weights, stances)
    carriers = times.rides.find_numbers(stances)
    places, yaws = times.rides.read_local(carriers, stances)
    local = blend_constants(weights, tables.leg_cycles.stance_positions[:, leg])
    direction = blend_constants(weights, tables.leg_cycles.foot_directions[:, leg])
    headings = np.unwrap(yaws + np.arctan2(direction[:, 1], direction[:, 0]))
    heels = rot.rotate(rot.quaternions_from_yaws(yaws), local) + places
    heels[:, :2] += grid.sample(moves, stances)
    world = times.rides.carry(carriers, heels, headings, stances)
    legs, kept = np.full(len(steps), leg), np.arange(len(steps))
    return IdealPrints(legs, steps, stances, carriers, heels, headings, *world, kept)


def _measure_leads(
    tables: MotionTables, times: TimePlan, settings: PlanSettings, levels: FloatArray
) -> FloatArray:
    """How far feet stand uphill of where they would on the flat, metres, (G, 2).

    Legs that hang from a body that is pitched with the ground stand square to the slope.
    """
    hug, grid, rides = find_hug(tables.small_rig, settings), times.grid, times.rides
    width = CLIMBING.width * tables.cycles.slowest_period
    _, velocities, _ = rides.measure_velocities()
    moved = smooth_gaussian(velocities, grid.interval, width)
    heights = smooth_gaussian(levels - rides.measure_heave(), grid.interval, width)
    rises = np.gradient(heights, grid.interval)[:, None]
    slow = (GRADES.slow * tables.cycles.slowest_speed) ** 2
    slopes = rises * moved / np.maximum(np.sum(moved * moved, axis=1, keepdims=True), slow)
    grades = np.maximum(measure_grades(tables, rides, levels), 0.0)
    ways = velocities / np.maximum(np.hypot(*velocities.T), np.sqrt(slow))[:, None]
    slopes = hug * slopes + (1.0 - hug) * CLIMBING.upright * grades[:, None] * ways
    walk = tables.cycles.slowest
    height = tables.cycles.hip_centres[walk, 2] - tables.cycles.ground_heights[walk]
    return np.asarray(height * slopes / (1.0 + np.sum(slopes**2, axis=1, keepdims=True)))


def find_times_ahead(
    tables: MotionTables, times: TimePlan, instants: FloatArray, ahead: FloatArray
) -> FloatArray:
    """When the middle of a body is at places ahead of where it is at some instants, seconds, (n,).

    The ground under the fore feet of a long body is that which its middle will have there, and under the
    hind feet that which it had.

    Parameters
    ----------
    tables, times
        The motions and the time plan.
    instants
        Seconds, shape (n,).
    ahead
        How far ahead along the way, below 0 behind, metres, shape (n,).
    """
    grid = times.grid
    # A way that hardly grows where the body stands, so that each place has one time.
    ways = times.ways + 1e-9 * tables.rig.leg_length * np.arange(grid.count)
    return np.asarray(np.interp(np.interp(instants, grid.times, ways) + ahead, ways, grid.times))


def find_hug(rig: Rig, settings: PlanSettings) -> float:
    """Share of the ground's slope by which a body pitches; all of it where hips stand apart along it."""
    return float(rig.is_long) if settings.hug is None else settings.hug


def _find_halted_steps(times: TimePlan, leg: int, count: int, period: float) -> np.ndarray:
    """Whether the phase stands or jumps as a leg's foot would fly to each of its prints, shape (K,)."""
    interval, passed = times.grid.interval, np.diff(times.phases)
    before, after = times.leg_times[:-1, leg], times.leg_times[1:, leg]
    off, strike = (times.key_times[:-1, leg, key] for key in (OFF, STRIKE))
    lasting = np.where(passed <= 0.0, interval, 0.0)
    lasting[passed > REFUSALS.most_quick * interval / period] = period
    first = np.ceil(times.leg_times[0, leg])
    halts = np.zeros(count)
    # A jump may lead out of a step or into the next.
    steps, later = np.floor(before), np.floor(after)
    for whole, counted in ((steps, lasting), (later, np.where(later > steps, lasting, 0.0))):
        flying = (before - whole < strike) & (after - whole > off)
        ahead = np.clip((whole - first).astype(np.intp) + 2, 0, count - 1)
        halts += np.bincount(ahead, counted * flying, minlength=count)
    return np.asarray(halts > STEPS.halted * period)


def _park_steps(
    prints: IdealPrints, distance: float, angle: float, halted: np.ndarray
) -> np.ndarray:
    """Index of the print at which each print stands: itself, or an earlier one on its carrier.

    Feet stay for prints that are near, and in steps in which the phase stands: they would hover.
    """
    kept = np.arange(len(prints.times))
    last = 0
    for index in range(1, len(kept)):
        near = np.hypot(*(prints.heels[index] - prints.heels[last])[:2]) < distance
        alike = prints.legs[index] == prints.legs[last]
        alike &= prints.carriers[index] == prints.carriers[last]
        turned = abs(rot.wrap_angles(prints.headings[index] - prints.headings[last]))
        if alike and ((near and turned < angle) or halted[index]):
            kept[index] = last
        else:
            last = index
    return kept
