# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The footprints of a walk, and which of them are steps of the user (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..ground.interface import Ground
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..times.planning import TimePlan


@dataclass(frozen=True)
class StoodSoles(Columns):
    """Soles on the ground, K of them.

    Attributes
    ----------
    positions
        Heel ends, world, metres, shape (K, 3); on the level that was asked for where there is no ground.
    frames
        Rotations whose x axis runs from heel to toe and whose z axis is the normal, shape (K, 4).
    normals
        Unit normals, shape (K, 3).
    supports
        Share of each sole with ground under it, shape (K,).
    surfaces
        Surface that carries each, -1 for none, shape (K,).
    found
        Whether there is any ground, shape (K,).
    """

    positions: FloatArray
    frames: FloatArray
    normals: FloatArray
    supports: FloatArray
    surfaces: np.ndarray
    found: np.ndarray


@dataclass(frozen=True)
class PrintRow(StoodSoles):
    """All footprints of one leg in the order of time, K of them; step i leads from i to i + 1.

    Attributes
    ----------
    first
        Step number of the first print: print i stands at leg time ``first + i``.
    times
        Stance instants, seconds, shape (K,).
    headings
        Angle from +X of the direction heel to toe, radians, without jumps, shape (K,).
    parked
        Whether the print is the one before it, kept, shape (K,).
    parted
        How far the print was moved aside for a partner's foot, metres, shape (K,).
    crowded
        How much nearer to a partner's foot the print still is than it ought to be, metres, (K,).
    """

    first: int
    times: FloatArray
    headings: FloatArray
    parked: np.ndarray
    parted: FloatArray
    crowded: FloatArray

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
class KeptStep:
    """A footstep that a user placed or moved.

    Attributes
    ----------
    name
        By which the user knows it.
    leg
        Index of the leg.
    position, frame
        See `StoodSoles`, shapes (3,) and (4,).
    time
        Seconds of the scene's clock at which it is there and at which it was planned to bear; None
        where that is not known.
    left_out
        Whether the leg leaves this step out and stays where it stood before.
    jump
        Whether a walk along the footsteps jumps to it.
    """

    name: str
    leg: int
    position: FloatArray
    frame: FloatArray
    time: float | None
    left_out: bool = False
    jump: bool = False


@dataclass(frozen=True)
class StepClaims:
    """Which prints of a plan are steps that a user placed or moved.

    Attributes
    ----------
    steps
        All kept steps.
    prints
        Leg and index in the leg's row of the print that each claims, None for none.
    rivals
        For each step, name of the step that claims the print nearest to it; empty where it claims that
        itself, and where none is near.
    """

    steps: tuple[KeptStep, ...]
    prints: tuple[tuple[int, int] | None, ...]
    rivals: tuple[str, ...]

    @property
    def lost(self) -> tuple[KeptStep, ...]:
        """Steps that claim no print."""
        return tuple(s for s, p in zip(self.steps, self.prints, strict=True) if p is None)

    def find_step(self, leg: int, index: int) -> KeptStep | None:
        """The step that claims a print, None for a planned one."""
        owners = dict(zip(self.prints, self.steps, strict=True))
        return owners.get((leg, index))


@dataclass(frozen=True)
class PrintPlan:
    """The footprints of a walk.

    Attributes
    ----------
    rows
        One for each leg.
    claims
        Which prints are footsteps of the user.
    """

    rows: tuple[PrintRow, ...]
    claims: StepClaims


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
