# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is planned for the swings of a leg (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..body.airborne.steps import Hops
from ..maths.rotations import FloatArray
from .flight import retime_progress, shape_bump
from .limits import CLEARANCE


@dataclass(frozen=True)
class SwingLifts:
    """What is added to the swing of each step, K of them.

    Attributes
    ----------
    amplitudes
        Height of the bump, metres, shape (K,).
    rises, falls
        Shares of the flight over which it rises and falls, shape (K,).
    exponents, kinds
        Re-timing of the progress, see `retime_progress`, shape (K,).
    floors, ceilings
        Limits of the progress before that, at 0 and 1 or beyond, shape (K,).
    rooms
        Height at the shares of `CLEARANCE.flight` that the swing can do without, metres, shape (K, F).
    covers
        Share of the bump that is left there, so that it is no higher than what it clears, shape (K, F).
    """

    amplitudes: FloatArray
    rises: FloatArray
    falls: FloatArray
    exponents: FloatArray
    kinds: FloatArray
    floors: FloatArray
    ceilings: FloatArray
    rooms: FloatArray
    covers: FloatArray

    @classmethod
    def none(cls, count: int) -> SwingLifts:
        """Nothing added to ``count`` steps."""
        half, one = np.full(count, 0.5), np.ones(count)
        rooms = np.full((count, len(CLEARANCE.flight)), CLEARANCE.free)
        free = np.full(count, np.inf)
        covers = np.ones_like(rooms)
        return cls(np.zeros(count), half, half.copy(), one, one.copy(), -free, free, rooms, covers)

    def retime(self, steps: np.ndarray, progress: FloatArray) -> FloatArray:
        """Progress (N,) of steps (N,) within its limits and re-timed, (N,)."""
        inside = np.clip(progress, self.floors[steps], self.ceilings[steps])
        return retime_progress(inside, self.exponents[steps], self.kinds[steps])

    def keep_time(self) -> SwingLifts:
        """The same without any re-timing."""
        return replace(self, exponents=np.ones_like(self.exponents))

    def read_bumps(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Heights of the bumps of steps (N,) at shares of their flight (N,), metres, (N,)."""
        shape = shape_bump(flight, self.rises[steps], self.falls[steps])
        return self.amplitudes[steps] * shape * read_flights(self.covers, steps, flight)

    def read_rooms(self, steps: np.ndarray, flight: FloatArray) -> FloatArray:
        """Heights that steps (N,) can do without at shares of their flight (N,), metres, (N,)."""
        count = len(CLEARANCE.flight)
        place = np.clip(flight * count - 0.5, 0.0, count - 1.0)
        index = np.minimum(place.astype(np.intp), count - 2)
        share = place - index
        return self.rooms[steps, index] * (1.0 - share) + self.rooms[steps, index + 1] * share


def read_flights(values: FloatArray, steps: np.ndarray, flight: FloatArray) -> FloatArray:
    """Values at `CLEARANCE.flight` (K, F) of steps (N,) at any shares of their flight (N,), smoothly."""
    count = len(CLEARANCE.flight)
    place = np.clip(flight * count - 0.5, 0.0, count - 1.0)
    index = np.minimum(place.astype(np.intp), count - 2)
    x = place - index
    before, after = np.maximum(index - 1, 0), np.minimum(index + 2, count - 1)
    a, b, c, d = (values[steps, at] for at in (before, index, index + 1, after))
    return np.asarray(
        b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)))
    )


@dataclass(frozen=True)
class LegSwings:
    """What a leg's steps need besides their prints, K steps.

    Attributes
    ----------
    lifted, struck
        Footbase of the placed source pose at foot-off from the print behind, and at strike from the
        print ahead, see `flight.tie_to_prints`, metres, shape (K, 3).
    twists
        Turn of the foot about up against its stance at foot-off and at strike, radians, shape (K, 2).
    lifts
        Bumps and re-timings over obstacles.
    least_lifts
        Share of the motion's own lift that the step's length asks for, 0 to 1, shape (K,).
    clearances
        Least height of the sole in the middle of the swing, metres, shape (K,).
    evenness
        How evenly the foot turns over its flight, 0 for an eased turn to 1, shape (K,).
    arcs
        Heights of simple arcs over the higher print, metres, shape (K,); None follows the motion.
    hollows
        How far the ground lies under each print, see `hollows`, metres, shape (K + 1, S); None where
        it lies nowhere lower.
    drops
        How far the foot is let down into a hollow at foot-off and at strike, metres, shape (K, 2).
    hops
        How far jumps lift the foot; None where there are none.
    is_mapped
        Whether the motion's way is only mapped from print to print: what lies between these and is no
        slope is climbed in time then, and not along the way.
    """

    lifted: FloatArray
    struck: FloatArray
    twists: FloatArray
    lifts: SwingLifts
    least_lifts: FloatArray
    clearances: FloatArray
    evenness: FloatArray
    arcs: FloatArray | None = None
    hollows: FloatArray | None = None
    drops: FloatArray | None = None
    hops: Hops | None = None
    is_mapped: bool = False
