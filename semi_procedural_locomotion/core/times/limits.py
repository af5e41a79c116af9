# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels and motions that are no walk at all, refused before they fill the memory (numpy only)."""

from __future__ import annotations

import numpy as np

from ...errors import TravelError
from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..motions.tables import MotionTables

# A travel that many times as fast as the fastest motion is refused.
_MOST_FAST = 100.0
# Nobody takes so many cycles a second; tiny legs may take so many in the time of their own cycle.
_MOST_RATE, _MOST_QUICK = 25.0, 12.0


def check_speed(tables: MotionTables, velocities: FloatArray) -> None:
    """Refuse travels that are no walk at all.

    Parameters
    ----------
    tables
        The motions.
    velocities
        Of the travel, metres a second, shape (G, 2).

    Raises
    ------
    TravelError
        It is a hundred times as fast as the fastest motion.
    """
    if not np.any(tables.cycles.is_cycle):
        return
    top = float(np.hypot(*velocities.T).max(initial=0.0))
    fastest, own = find_fastest(tables.motion_set)
    if not top <= _MOST_FAST * own:
        raise TravelError(
            f"the travel goes at {top:.3g} m/s, {top / own:.0f} times as fast as the fastest motion, "
            f"{fastest!r} at {own:.3g} m/s: travel slower, or tick a motion that is as fast"
        )


def check_rates(
    tables: MotionTables, times: FloatArray, rates: FloatArray, weights: FloatArray
) -> None:
    """Refuse walks of countless steps, as a motion with hardly a stride asks for.

    Parameters
    ----------
    tables
        The motions.
    times
        Seconds, shape (G,).
    rates
        Cycles a second, shape (G,).
    weights
        Shares of the motions, shape (G, M).

    Raises
    ------
    TravelError
        No one steps so often.
    """
    worst = int(np.argmax(rates))
    if rates[worst] <= max(_MOST_RATE, _MOST_QUICK / tables.cycles.slowest_period):
        return
    main = tables.motion_set.motions[
        int(np.argmax(np.where(tables.cycles.is_cycle, weights[worst], -1.0)))
    ]
    raise TravelError(
        f"at {times[worst]:.2f} s {main.name!r} would have to take {rates[worst]:.3g} cycles a second: "
        "untick it if it is no walk that goes this way, travel slower, or raise the limits of the "
        "steps (Longest Stride, Side Stride, Turn per Cycle)"
    )


def find_fastest(motions: MotionSet) -> tuple[str, float]:
    """Name and speed of the fastest motion, metres a second."""
    cycles = [motion for motion in motions.motions if motion.is_cycle]
    fastest = max(cycles, key=lambda motion: motion.speed)
    return fastest.name, float(fastest.speed)
