# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When feet that are in the air in a pose beside a walk come down on the walk's prints (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import HOLDS


def time_descent(
    time: float, fade: float, lifts: FloatArray, offs: FloatArray, strikes: FloatArray
) -> float:
    """Seconds at which a foot that is in the air at a time is where the plan has it.

    It comes down with the plan's own flight, or onto the print that the plan stands on, and in no more
    than one flight either way: a foot that came later would be dragged over the ground.

    Parameters
    ----------
    time
        Seconds at which it is in the air.
    fade
        Seconds that it may take at the most.
    lifts, offs, strikes
        Seconds of the steps that are taken, in their order, shapes (K,).
    """
    latest = time + fade
    coming = np.flatnonzero(strikes > time)
    if not len(coming):
        return latest
    step = int(coming[0])
    flight = float(strikes[step] - offs[step])
    least = HOLDS.quickest * flight
    if offs[step] <= time:
        if strikes[step] - time > least:
            return min(latest, float(strikes[step]))
        step += 1
    if step == len(strikes):
        return min(latest, time + flight)
    if lifts[step] - time > least:
        return min(latest, time + flight, float(lifts[step]))
    return min(latest, float(strikes[step]))


def share_descent(passed: FloatArray) -> FloatArray:
    """Shares of its way over the ground, up and again over the ground, (N, 3), that a foot has come.

    Of its time (N,) that has passed, 0 to 1, the way over the ground takes the first part: at the end
    it comes straight down, and does not brush over the ground.
    """
    level = rot.step_quintic(passed / HOLDS.level)
    upright = rot.step_quintic(passed)
    return np.stack([level, level, upright], axis=-1)


def bump_descent(passed: FloatArray) -> FloatArray:
    """Share (N,) of its lift by which such a foot is raised when so much of its time has passed."""
    return np.asarray((4.0 * passed * (1.0 - passed)) ** 2)
