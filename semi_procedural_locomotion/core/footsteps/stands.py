# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cycles in which a character stands on its way along footsteps (numpy only).

Where one foot is always in the air, as in runs and in walks on four legs, a character cannot wait
between two steps. It stands for a cycle instead: feet in the air come down on their footsteps, no foot
leaves, and then the walk goes on where it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .layout import StepGait
from .limits import STANDS


@dataclass(frozen=True)
class Stands:
    """Cycles of standing that are put into the clock of a walk.

    Attributes
    ----------
    cuts
        Phases of the walk without them at which they are put in, cycles, increasing, shape (C,).
    """

    cuts: FloatArray

    def shift_phases(self, phases: FloatArray, offs: FloatArray) -> FloatArray:
        """Phases (N,) of steps with the stands before them; steps under way at a cut come first.

        Parameters
        ----------
        phases
            Without the stands, cycles.
        offs
            When the leg of each leaves after its stance, cycles, shape (N,).
        """
        return phases + self._count(phases - 1.0 + offs)

    def lengthen(self, phases: FloatArray, offs: FloatArray) -> FloatArray:
        """Cycles (N,) that the foot of each step stays longer; parameters as of `shift_phases`."""
        return self._count(phases + offs) - self._count(phases - 1.0 + offs)

    def find_natural(self, phases: FloatArray) -> FloatArray:
        """Phases (G,) of the walk without the stands, for phases with them."""
        passed = np.zeros_like(phases)
        for number, cut in enumerate(self.cuts):
            passed += np.clip(phases - (cut + STANDS.body + number), 0.0, 1.0)
        return phases - passed

    def find_rest(self, number: int) -> float:
        """Phase with the stands at which all feet bear in one of them."""
        return float(self.cuts[number]) + number + STANDS.rest

    def list_stays(self, off: float) -> list[tuple[float, float]]:
        """Phases with the stands between which no stance of a leg is a step.

        Parameters
        ----------
        off
            When the leg leaves after its stance, cycles.
        """
        return [
            (float(cut) + number + 1.0 - off, float(cut) + number + 2.0 - off)
            for number, cut in enumerate(self.cuts)
        ]

    def _count(self, lifts: FloatArray) -> FloatArray:
        """How many cuts lie before each lift-off (N,)."""
        return np.searchsorted(self.cuts, lifts, side="right").astype(np.float64)


def find_cut(gait: StepGait, leg: int, stance: float) -> float:
    """Phase before a leg leaves its step at which no other leg leaves.

    Parameters
    ----------
    gait
        How the walk sets its feet.
    leg
        Index of the leg.
    stance
        Phase of its step, cycles.
    """
    off = gait.contacts[:, 1]
    lift = stance + float(off[leg])
    # Legs that leave at nearly the same time, as in trots, leave after the cut together.
    earliest, gap = 0.0, 1.0
    for before in np.sort((lift - np.delete(gait.phases + off, leg)) % 1.0):
        gap = float(before) - earliest
        if gap > STANDS.together:
            break
        earliest = float(before)
    return lift - earliest - min(0.5 * gap, STANDS.farthest)


def place_stands(cuts: Sequence[float]) -> tuple[Stands, list[int]]:
    """Stands at some phases, and which of them each phase got; such as are too near are one."""
    kept: list[float] = []
    chosen = [0] * len(cuts)
    for index in np.argsort(cuts, kind="stable"):
        if not kept or cuts[index] - kept[-1] > STANDS.least_apart:
            kept.append(float(cuts[index]))
        chosen[index] = len(kept) - 1
    return Stands(np.array(kept)), chosen
