# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast feet go on their ways over what is cleared, beside their motions (numpy only).

A foot that is thrown over a riser in one frame clears it, but is seen to jump. So bumps and re-timings
are charged for the fastest moment of the way that they make (docs/method/swings.md, Pace).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import CLEARANCE, PACES


@dataclass(frozen=True)
class SwingPaces:
    """Ways of K swings between the F shares of `CLEARANCE.flight` and both ends, before any bump.

    Attributes
    ----------
    level_squares
        Squares of the ways over the ground, metres squared, shape (K, F + 1).
    rises
        Ways upwards, metres, shape (K, F + 1).
    most
        Way in a whole flight at the fastest pace that is free, metres, shape (K,).
    """

    level_squares: FloatArray
    rises: FloatArray
    most: FloatArray

    @classmethod
    def read(
        cls, places: FloatArray, behind: FloatArray, ahead: FloatArray, fastest: FloatArray
    ) -> SwingPaces:
        """Of places (K, F, 3) between prints (K, 3), world, metres; ``fastest`` as found below."""
        ways = np.diff(np.concatenate([behind[:, None], places, ahead[:, None]], axis=1), axis=1)
        squares = ways[..., 0] ** 2 + ways[..., 1] ** 2
        return cls(squares, ways[..., 2], PACES.free * fastest)

    def measure_excess(self, bumps: FloatArray) -> FloatArray:
        """By how many times of the free pace the fastest moment is faster than that, (K,).

        ``bumps`` (K, F) are the heights of one on each swing, metres.
        """
        flight = np.concatenate([[0.0], CLEARANCE.flight, [1.0]])
        up = self.rises + np.diff(np.pad(bumps, ((0, 0), (1, 1))), axis=1)
        paces = np.sqrt(self.level_squares + up * up) / np.diff(flight)
        fastest: FloatArray = paces.max(axis=1) / np.maximum(self.most, 1e-12)
        return np.maximum(fastest - 1.0, 0.0)


def find_fastest_ways(placed: FloatArray, durations: FloatArray) -> FloatArray:
    """Way that a foot of the motions would make in the flight of each step at its fastest, metres, (K,).

    Parameters
    ----------
    placed
        Footbases of the motions in those flights, metres, shape (K, F, 3).
    durations
        Of the flights, seconds, shape (K,).
    """
    ways = rot.lengths(np.diff(placed, axis=1)) / np.diff(CLEARANCE.flight)
    speeds = ways.max(axis=1) / np.maximum(durations, 1e-9)
    return np.asarray(speeds.max() * durations)
