# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of the footprints of a walk (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from ..ground.interface import Ground
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..times.planning import TimePlan
from .claims import StepClaims


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
class PrintRow(Columns):
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
    def owners(self) -> np.ndarray:
        """Index of the print on which the foot stands at each print, shape (K,)."""
        return np.maximum.accumulate(np.where(self.parked, 0, np.arange(len(self.times))))

    @property
    def in_air(self) -> np.ndarray:
        """Whether each print is borne by no ground but by a footstep without any, shape (K,)."""
        return self.found & (self.surfaces < 0) & (self.supports >= 1.0)

    def hold(self, kept: int, end: int) -> PrintRow:
        """A row whose foot stays on one print, parked, as far as to the one before another."""
        numbers = np.arange(len(self.times))
        numbers[kept + 1 : end] = kept
        row = self.select(numbers)
        row.parked[kept + 1 : end] = True
        return row


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

    def claim_prints(
        self, tables: MotionTables, times: TimePlan, prints: PrintPlan, ground: Ground
    ) -> PrintPlan:
        """Prints as the source has them, for those where the motions put the feet."""
        ...

    def lift_prints(self, tables: MotionTables, prints: PrintPlan, ground: Ground) -> PrintPlan:
        """All prints as planned, those between footsteps in the air on a level with these."""
        ...
