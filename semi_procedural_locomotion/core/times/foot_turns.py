# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How feet turn with a body that turns faster than they do (numpy only).

A body may be animated to turn round within a few frames. Its feet turn in steps, about the same time:
they begin before it and end after it, each step as far as people turn in one.
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..maths.smoothing import convolve_held, fit_falling
from ..motions.tables import MotionTables
from .limits import FOOT_TURNS


def spread_turns(tables: MotionTables, yaws: FloatArray, interval: float) -> FloatArray:
    """Heading that the feet follow.

    Parameters
    ----------
    tables
        The motions: those that turn by themselves do so as fast as they are.
    yaws
        Heading of the body over time, radians, without jumps, shape (G,).
    interval
        Seconds between these times.

    Returns
    -------
    array, shape (G,)
        Radians; ``yaws`` itself where it turns no faster than feet do.
    """
    period = tables.cycles.slowest_period
    own = [abs(motion.turn_rate) for motion in tables.motion_set.motions if motion.is_cycle]
    least = max(FOOT_TURNS.fastest / period, FOOT_TURNS.of_motion * max(own))
    turns = np.abs(np.diff(yaws, prepend=yaws[:1]))
    if turns.max() <= least * interval:
        return yaws
    # Where the body goes on turning the feet go with it: only what is short is spread.
    reach = max(round(0.5 * FOOT_TURNS.spread * period / interval), 1)
    mean = convolve_held(turns, np.full(2 * reach + 1, 1.0 / (2 * reach + 1)))
    room = np.cumsum(np.maximum(mean, least * interval))
    # Of both ways to turn only those where the body turns too fast are changed.
    slower = fit_falling(yaws - room) + room - yaws
    other = fit_falling(-yaws - room) + room + yaws
    return yaws + slower - other
