# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of legs that are in the air together (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...maths.rotations import FloatArray
from ...motions.tables import LAND, LIFT, OFF, STRIKE
from ...times.planning import TimePlan
from .limits import JUMPS, TUCK
from .records import Jump
from .shapes import arch, descend


def _find_jump_step(
    times: TimePlan, leg: int, first: int, count: int, jump: Jump
) -> tuple[int, float, float] | None:
    """The step of a leg that a jump is in, of so many from its first on; None where there is none.

    Its index, and its leg times at the ends of the jump.
    """
    ends = np.array([jump.off, jump.middle, jump.strike])
    passed = times.grid.sample(times.leg_times[:, leg], ends)
    number = int(np.floor(passed[1]))
    if not 0 <= number - first < count:
        return None
    off, _, strike = np.clip(passed - number, 0.0, 1.0)
    return number - first, float(off), float(strike)


def fly_steps(
    times: TimePlan,
    firsts: Sequence[int],
    keys: tuple[FloatArray, ...],
    jumps: Sequence[Jump],
) -> tuple[TimePlan, tuple[FloatArray, ...]]:
    """Time plan and key times of steps with no foot on the ground in jumps.

    Parameters
    ----------
    times
        The time plan.
    firsts
        Number of each leg's first step.
    keys
        Lift, off, strike, land of every step, L arrays of shape (K - 1, 4).
    jumps
        When no foot is on the ground.

    Returns
    -------
    times, keys
        As they are given; the same where there are no jumps.
    """
    if not jumps:
        return times, keys
    flown = tuple(own.copy() for own in keys)
    for leg, (first, own) in enumerate(zip(firsts, flown, strict=True)):
        left: set[int] = set()
        for jump in jumps:
            found = _find_jump_step(times, leg, first, len(own), jump)
            if found is None:
                continue
            index, off, strike = found
            lift, own_off, own_strike, land = own[index]
            # A foot that is in the air through several jumps leaves to the first and lands from the last.
            leaves = leg in jump.leaving and index not in left
            left.add(index)
            new_off = off if leaves else min(own_off, off)
            new_strike = strike if leg in jump.landing else max(own_strike, strike)
            own[index, LIFT] = lift * new_off / max(own_off, 1e-9)
            own[index, OFF], own[index, STRIKE] = new_off, new_strike
            own[index, LAND] = 1.0 - (1.0 - land) * (1.0 - new_strike) / max(1.0 - own_strike, 1e-9)
    return _even_flights(times, firsts, flown, jumps), flown


def _even_flights(
    times: TimePlan,
    firsts: Sequence[int],
    keys: tuple[FloatArray, ...],
    jumps: Sequence[Jump],
) -> TimePlan:
    """A time plan in which feet that are in the air through jumps pass their flights evenly in time.

    The phase of the walk may pass slowly in a jump and quickly beside it, and feet would wait in the air.
    """
    evened = times.leg_times.copy()
    for leg, (first, own) in enumerate(zip(firsts, keys, strict=True)):
        found = [_find_jump_step(times, leg, first, len(own), jump) for jump in jumps]
        for index in sorted({step[0] for step in found if step is not None}):
            passed = times.leg_times[:, leg] - float(first + index)
            inside = np.flatnonzero((passed > own[index, OFF]) & (passed < own[index, STRIKE]))
            if len(inside) < JUMPS.samples:
                continue
            # Both ends stay, so that feet leave and land to the sample when they did.
            share = (inside - inside[0]) / (inside[-1] - inside[0])
            begin, end = passed[inside[[0, -1]]]
            ends = np.array([begin - passed[inside[0] - 1], passed[inside[-1] + 1] - end])
            slopes = np.minimum(ends * len(inside) / (end - begin), JUMPS.quickest)
            way = descend(share, *slopes.tolist())
            evened[inside, leg] = first + index + begin + (end - begin) * way
    return replace(times, leg_times=evened)


@dataclass(frozen=True)
class Hop:
    """How far the body's flight lifts a foot in one of its steps.

    Attributes
    ----------
    step
        Index of the step.
    height
        Metres.
    flights
        Shares of the step's flight at times evenly spread over the hop, increasing, shape (S,).
    begins, ends
        Powers of the curve at its ends, see `shapes.arch`.
    """

    step: int
    height: float
    flights: FloatArray
    begins: float
    ends: float

    def find_shares(self, flight: FloatArray) -> FloatArray:
        """Shares of the hop's time at shares of the step's flight, (N,)."""
        return np.interp(flight, self.flights, np.linspace(0.0, 1.0, len(self.flights)))


@dataclass(frozen=True)
class Hops:
    """How far the body's flights lift a leg's feet.

    Attributes
    ----------
    hops
        One for each jump that the leg takes part in, in their order; several may be in one step.
    count
        How many steps the leg has, K.
    """

    hops: tuple[Hop, ...]
    count: int

    def read(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Heights of steps (N,) at shares of their flight (N,), metres, (N,)."""
        heights = np.zeros(len(steps))
        for hop in self.hops:
            rows = steps == hop.step
            share = hop.find_shares(flight[rows])
            heights[rows] += hop.height * arch(share, hop.begins, hop.ends)
        return heights

    def read_falls(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """How far feet have come down, or up, to their next print, shares of the way, (N,).

        They do so in the last of the jumps of a step.
        """
        fallen = np.zeros(len(steps))
        for hop in self.hops:
            rows = steps == hop.step
            share = hop.find_shares(flight[rows])
            fallen[rows] = descend(share, 2.0 - hop.begins, 2.0 - hop.ends)
        return fallen

    @property
    def hopping(self) -> np.ndarray:
        """Whether each step is one of a jump, shape (K,)."""
        return np.isin(np.arange(self.count), [hop.step for hop in self.hops])


def plan_hops(
    times: TimePlan,
    leg: int,
    first: int,
    keys: FloatArray,
    jumps: Sequence[Jump],
    gravity: float,
    length: float,
) -> Hops | None:
    """How far jumps lift the feet of a leg; None where it takes part in none.

    Parameters
    ----------
    times
        The time plan.
    leg, first
        Which leg, and the number of its first step.
    keys
        Lift, off, strike, land of its steps, shape (K, 4).
    jumps
        The jumps.
    gravity
        Metres a second squared.
    length
        Of the leg, metres.
    """
    hops: list[Hop] = []
    spans: dict[int, tuple[float, float]] = {}
    rows = times.leg_times[:, leg] - first

    def lift(index: int, height: float, span: tuple[float, float], powers: tuple[int, int]) -> Hop:
        """A hop of a step over a span of seconds."""
        own_off, own_strike = float(keys[index, OFF]), float(keys[index, STRIKE])
        passed = times.grid.sample(rows, np.linspace(*span, JUMPS.samples + 1)) - index
        flights = np.clip((passed - own_off) / max(own_strike - own_off, 1e-9), 0.0, 1.0)
        return Hop(index, height, flights, *powers)

    for jump in jumps:
        found = _find_jump_step(times, leg, first, len(keys), jump)
        if found is None:
            continue
        index, off, strike = found
        own = np.array([keys[index, OFF], keys[index, STRIKE]]) + float(index)
        # A foot that is in the air before rises with the push, and one that lands later comes down after.
        is_early, is_late = bool(own[0] < index + off - 1e-6), bool(own[1] > index + strike + 1e-6)
        begin, end = times.grid.find_crossings(rows, own).tolist()
        begin = max(begin, jump.off - TUCK.early) if is_early else jump.off
        end = min(end, jump.strike + TUCK.late) if is_late else jump.strike
        rise = gravity * jump.flight**2 / 8.0
        tuck = min(TUCK.share * jump.measure_apex(gravity), TUCK.most * length)
        hops.append(lift(index, rise + tuck, (begin, end), (1 + is_early, 1 + is_late)))
        if index in spans:
            # Between two jumps the other foot bears alone: this one is seen not to.
            hops.insert(0, lift(index, TUCK.between * length, (spans[index][0], end), (2, 2)))
        spans[index] = (begin, end)
    return Hops(tuple(hops), len(keys)) if hops else None
