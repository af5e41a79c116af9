# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of legs that are in the air together (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray
from ...motions.tables import LAND, LIFT, OFF, STRIKE
from ...times.planning import TimePlan
from .limits import TUCK
from .records import Jump
from .shapes import arch, descend


def find_jump_step(
    times: TimePlan, leg: int, first: int, count: int, jump: Jump
) -> tuple[int, float, float] | None:
    """The step of a leg that a jump is in.

    Parameters
    ----------
    times
        The time plan.
    leg
        Which leg.
    first, count
        Number of its first step, and how many there are.
    jump
        The jump.

    Returns
    -------
    index, off, strike
        Of the step, and its leg times at the ends of the jump; None where the leg has no such step.
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
) -> tuple[FloatArray, ...]:
    """Key times of steps with no foot on the ground in jumps.

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
    tuple
        As ``keys``; the same where there are no jumps.
    """
    if not jumps:
        return keys
    flown = tuple(own.copy() for own in keys)
    for leg, (first, own) in enumerate(zip(firsts, flown, strict=True)):
        left: set[int] = set()
        for jump in jumps:
            found = find_jump_step(times, leg, first, len(own), jump)
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
    return flown


@dataclass(frozen=True)
class Hops:
    """How far the body's flights lift a leg's feet in K steps, each for one of J jumps.

    Attributes
    ----------
    heights
        Metres, 0 in steps that a jump is not in, shape (J, K).
    begins, ends
        Powers of the curve at its ends, see `shapes.arch`, shape (J, K).
    starts, stops
        Shares of each step's flight at these ends, shape (J, K).
    """

    heights: FloatArray
    begins: FloatArray
    ends: FloatArray
    starts: FloatArray
    stops: FloatArray

    @classmethod
    def none(cls, jumps: int, count: int) -> Hops:
        """No height in ``count`` steps."""
        ones = np.ones((jumps, count))
        return cls(0.0 * ones, ones, ones.copy(), 0.0 * ones, ones.copy())

    def read(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Heights of steps (N,) at shares of their flight (N,), metres, (N,)."""
        rows = np.arange(len(self.heights))[:, None]
        share = self._find_shares(rows, steps, flight)
        arches = arch(share, self.begins[rows, steps], self.ends[rows, steps])
        return np.asarray((self.heights[rows, steps] * arches).sum(axis=0))

    def read_falls(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """How far feet have come down, or up, to their next print, shares of the way, (N,).

        They do so in the last of their jumps.
        """
        rows = len(self.heights) - 1 - np.argmax(self.heights[::-1, steps] > 0.0, axis=0)
        share = self._find_shares(rows, steps, flight)
        return descend(share, 2.0 - self.begins[rows, steps], 2.0 - self.ends[rows, steps])

    def _find_shares(self, rows: np.ndarray, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Shares of the jumps of these rows that have passed, in the shape of rows and steps."""
        starts, stops = self.starts[rows, steps], self.stops[rows, steps]
        return np.clip((flight - starts) / np.maximum(stops - starts, 1e-9), 0.0, 1.0)

    @property
    def hopping(self) -> np.ndarray:
        """Whether each step is one of a jump, shape (K,)."""
        return np.asarray(np.any(self.heights > 0.0, axis=0))


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
    hops = None
    for row, jump in enumerate(jumps):
        found = find_jump_step(times, leg, first, len(keys), jump)
        if found is None:
            continue
        index, off, strike = found
        hops = Hops.none(len(jumps), len(keys)) if hops is None else hops
        own_off, own_strike = float(keys[index, OFF]), float(keys[index, STRIKE])
        span = max(own_strike - own_off, 1e-9)
        # A foot that is in the air before rises with the push, and one that lands later comes down after.
        around = np.array([jump.off - TUCK.early, jump.strike + TUCK.late])
        early, late = times.grid.sample(times.leg_times[:, leg], around) - (first + index)
        start = np.clip((early - own_off) / span, 0.0, 1.0) if own_off < off - 1e-6 else 0.0
        stop = np.clip((late - own_off) / span, 0.0, 1.0) if own_strike > strike + 1e-6 else 1.0
        place = row, index
        hops.begins[place], hops.ends[place] = 1.0 + (start > 0.0), 1.0 + (stop < 1.0)
        hops.starts[place], hops.stops[place] = start, stop
        rise = gravity * jump.flight**2 / 8.0
        hops.heights[place] = rise + min(
            TUCK.share * jump.measure_apex(gravity), TUCK.most * length
        )
    return hops
