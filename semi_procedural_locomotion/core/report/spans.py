# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A stretch of a walk of which something may be told (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from ..walk import WalkPlan


@dataclass(frozen=True)
class NotedSpan:
    """A planned walk between two times, with the clock of its scene.

    Attributes
    ----------
    plan
        The walk.
    start, end
        Range that counts, seconds.
    rate
        Frames a second.
    """

    plan: WalkPlan
    start: float
    end: float
    rate: float

    @property
    def legs(self) -> list[str]:
        """Names of the legs."""
        return [leg.name for leg in self.plan.tables.rig.legs]

    @property
    def length(self) -> float:
        """Mean length of the legs, metres."""
        return self.plan.tables.rig.leg_length

    def contains(self, times: FloatArray) -> np.ndarray:
        """Which times, seconds, lie in the range."""
        return np.asarray((times >= self.start) & (times <= self.end))
