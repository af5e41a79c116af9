# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When steered legs step, and when they stay (numpy only).

Each leg has a time of its own in its step, from one stance to the next. A foot whose next print would be
where it stands is parked; it steps again as soon as the body leaves it, and catches up until it strikes
(the thesis, chapter 7; docs/method/steering.md, Steps).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from ..motions.tables import LIFT, OFF, STRIKE
from ..times.limits import MOVES
from .limits import STEPS


@dataclass(frozen=True)
class LegTimes:
    """Where L legs are in their steps.

    Attributes
    ----------
    designated
        Time of each leg in steps as the common phase has it: whole numbers are stances; it only rises,
        shape (L,).
    own
        Time in its step as it is, 0 to 1, no more than the designated one, shape (L,).
    parked
        Whether the foot stays, shape (L,) of bool.
    keys
        Lift, off, strike, land of its step, shape (L, 4).
    """

    designated: FloatArray
    own: FloatArray
    parked: np.ndarray
    keys: FloatArray

    @property
    def numbers(self) -> np.ndarray:
        """Number of each leg's step, shape (L,) of int."""
        return np.floor(self.designated).astype(np.intp)

    @property
    def passed(self) -> FloatArray:
        """Designated time in the step, 0 to 1, shape (L,)."""
        return self.designated - np.floor(self.designated)

    @property
    def lifting(self) -> np.ndarray:
        """Which feet are on their way: from lift until strike, shape (L,) of bool."""
        return ~self.parked & (self.own >= self.keys[:, LIFT]) & (self.own < self.keys[:, STRIKE])


def begin_legs(phase: float, stances: FloatArray, keys: FloatArray) -> LegTimes:
    """Legs that all stand at a phase; stances (L,) and key times (L, 4) are those of the motions."""
    designated = phase - stances
    return LegTimes(designated, np.zeros(len(stances)), np.ones(len(stances), dtype=bool), keys)


def find_start(times: LegTimes, phase: float, stances: FloatArray, first: int) -> float:
    """The phase, no less than the present one, at which a leg's foot would just have left the ground.

    By as much as a plan has it leave before the body moves: it catches up.
    """
    wanted = stances[first] + times.keys[first, OFF] + MOVES.anticipation
    return float(wanted + np.ceil(phase - wanted))


def move_legs(
    times: LegTimes, designated: FloatArray, keys: FloatArray, period: float, seconds: float
) -> tuple[LegTimes, np.ndarray]:
    """Legs some seconds later, before it is known which of them step.

    Parameters
    ----------
    times
        Legs before.
    designated
        Times in steps now as the common phase has them, shape (L,); what is less than before is as
        before, so that a blend that sets a stance back makes no second step.
    keys
        Lift, off, strike, land as the motions have them now, shape (L, 4): feet on their way keep theirs.
    period
        Seconds of a cycle.
    seconds
        Since then.

    Returns
    -------
    times
        Legs that have come to a new stance are at its start.
    is_new
        Which have, shape (L,) of bool.
    """
    designated = np.maximum(designated, times.designated)
    before, after = np.floor(times.designated), np.floor(designated)
    is_new = after > before
    flying = ~times.parked & (times.own >= times.keys[:, LIFT]) & ~is_new
    own_keys = np.where(flying[:, None], times.keys, keys)
    passed = designated - after
    strike = own_keys[:, STRIKE]
    # Until its strike a late foot makes up for what it is behind.
    left = np.maximum((strike - times.passed) * period, 1e-9)
    caught = times.own + (strike - times.own) * np.minimum(seconds / left, 1.0)
    own = np.where(passed >= strike, passed, np.minimum(caught, passed))
    own = np.where(is_new, passed, own)
    own = np.where(times.parked, 0.0, own)
    return LegTimes(designated, own, times.parked, own_keys), is_new


def park_legs(times: LegTimes, is_new: np.ndarray, is_needed: np.ndarray) -> LegTimes:
    """Legs with feet parked and let go.

    Parameters
    ----------
    times
        From `move_legs`.
    is_new
        Which have come to a new stance, shape (L,) of bool.
    is_needed
        Whose next print is elsewhere than their foot, shape (L,) of bool.
    """
    off, strike = times.keys[:, OFF], times.keys[:, STRIKE]
    in_time = times.passed < off + STEPS.latest_start * (strike - off)
    starts = times.parked & is_needed & in_time
    stays = is_new & ~is_needed
    parked = (times.parked & ~starts) | stays
    return LegTimes(times.designated, np.where(parked | starts, 0.0, times.own), parked, times.keys)
