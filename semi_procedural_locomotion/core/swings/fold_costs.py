# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far legs would fold for swings that are tried, before hips are lowered (numpy only).

A foot that rises over the tread that it leaves while its body sinks folds its leg flat: bumps and
re-timings are charged for that (docs/method/swings.md, Folded swings).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.carriage import BodyTrack
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .evaluation import SwingInstants
from .feet import solve_foot
from .limits import CLEARANCE, COSTS
from .records import LegSwings


@dataclass(frozen=True)
class SwingHips:
    """Where the hip of a leg is while its foot swings, K swings at the F shares of `CLEARANCE.flight`.

    Attributes
    ----------
    hips
        From the footbase of the foot to its ankle, taken off the hip: footbases seen from there are
        ankles seen from the hip, world, metres, shape (K, F, 3).
    least
        How near an ankle comes to its hip in the motions, metres.
    """

    hips: FloatArray
    least: float

    @classmethod
    def read(
        cls, at: SwingInstants, swings: LegSwings, body: BodyTrack, times: FloatArray
    ) -> SwingHips:
        """Of one leg in its instants, K * F of them, at times in seconds, shape (K * F,)."""
        leg = at.tables.small_rig.legs[at.leg]
        carriage = body.place(at.tables, at.source, times)
        hips = carriage.positions + rot.rotate(
            carriage.orientations, at.source.legs.positions[:, leg.joints[0]]
        )
        foot = solve_foot(at, swings)
        least = COSTS.least_fold * float(at.tables.leg_cycles.least_reaches[:, at.leg].min())
        own = hips - (foot.ankles - foot.footbases)
        return cls(own.reshape(-1, len(CLEARANCE.flight), 3), least)

    def take(self, rows: np.ndarray) -> SwingHips:
        """Some of the swings."""
        return SwingHips(self.hips[rows], self.least)

    def measure_folds(self, places: FloatArray) -> SwingFolds:
        """What is needed to tell how far legs fold for footbases (K, F, 3) with bumps over them."""
        away = places - self.hips
        return SwingFolds(away[..., 0] ** 2 + away[..., 1] ** 2, away[..., 2], self.least)


@dataclass(frozen=True)
class SwingFolds:
    """Ankles of K swings seen from their hips at the F shares of `CLEARANCE.flight`, before any bump.

    Attributes
    ----------
    level_squares
        Squares of the distances over the ground, metres squared, shape (K, F).
    heights
        Metres upwards, shape (K, F).
    least
        How near an ankle comes to its hip in the motions, metres.
    """

    level_squares: FloatArray
    heights: FloatArray
    least: float

    def measure_shortage(self, bumps: FloatArray) -> FloatArray:
        """By how much ankles come nearer to their hips than in the motions, metres, shape (K,).

        ``bumps`` (K, F) are the heights of one on each swing, metres.
        """
        up = self.heights + bumps
        nearest = np.sqrt((self.level_squares + up * up).min(axis=1))
        return np.maximum(self.least - nearest, 0.0)
