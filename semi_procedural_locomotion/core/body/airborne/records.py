# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of a jump (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...maths.rotations import FloatArray


@dataclass(frozen=True)
class Jump:
    """One time in which no foot is on the ground.

    Attributes
    ----------
    off, strike
        Seconds at which the last foot leaves and the first one lands.
    leaving, landing
        Legs that leave at once then, and that land at once; others leave before and land after as their
        steps have it.
    rise
        From what the feet leave to what they land on, metres.
    """

    off: float
    strike: float
    leaving: tuple[int, ...] = ()
    landing: tuple[int, ...] = ()
    rise: float = 0.0

    @property
    def middle(self) -> float:
        """Seconds halfway."""
        return 0.5 * (self.off + self.strike)

    @property
    def flight(self) -> float:
        """Seconds in the air."""
        return self.strike - self.off

    def measure_push(self, gravity: float) -> float:
        """Metres a second upwards at which a body leaves, with gravity in metres a second squared."""
        return self.rise / self.flight + 0.5 * gravity * self.flight

    def measure_apex(self, gravity: float) -> float:
        """How far a body rises over where it leaves, metres, with gravity in metres a second squared."""
        return max(self.measure_push(gravity), 0.0) ** 2 / (2.0 * gravity)


@dataclass(frozen=True)
class Flights:
    """All times in which a walk has no foot on the ground, and that lead from one height to another.

    Attributes
    ----------
    jumps
        Of the travel, in their order.
    own
        Of the motions themselves, likewise.
    """

    jumps: tuple[Jump, ...] = ()
    own: tuple[Jump, ...] = ()

    @property
    def whole(self) -> tuple[Jump, ...]:
        """Both, in their order."""
        return tuple(sorted((*self.jumps, *self.own), key=lambda jump: jump.off))


NO_FLIGHTS = Flights()


def find_jumped(
    times: FloatArray, jumps: Sequence[Jump], before: float = 0.0, after: float = 0.0
) -> np.ndarray:
    """Which times are in a jump, or so many seconds before or after one, (N,) of bool.

    Parameters
    ----------
    times
        Seconds, shape (N,).
    jumps
        The jumps.
    before, after
        Seconds that count too.
    """
    jumped = np.zeros(len(times), dtype=bool)
    for jump in jumps:
        jumped |= (times >= jump.off - before) & (times <= jump.strike + after)
    return jumped
