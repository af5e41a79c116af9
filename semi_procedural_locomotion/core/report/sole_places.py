# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the soles of a walk stand (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..walk import WalkPlan

# Places along a sole, shares of its length from the heel.
_ALONG = np.array([0.0, 0.5, 1.0])


@dataclass(frozen=True)
class StandingPlaces:
    """Where soles stand.

    Attributes
    ----------
    points
        World, metres, shape (n, 3).
    times
        Seconds, shape (n,).
    legs
        Names of the legs.
    """

    points: FloatArray
    times: FloatArray
    legs: list[str]


def list_sole_places(plan: WalkPlan, first: float, last: float) -> StandingPlaces:
    """Places along all soles that stand on ground or in the air within a range of time, seconds."""
    points, times, legs = [np.empty((0, 3))], [np.empty(0)], list[str]()
    rig = plan.tables.rig
    for leg, length, row in zip(rig.legs, rig.foot_lengths, plan.prints.rows, strict=True):
        inside = (row.times >= first) & (row.times <= last) & ~row.parked
        chosen = np.flatnonzero(inside)
        along = np.zeros((len(_ALONG), 3))
        along[:, 0] = _ALONG * length
        stood = row.positions[chosen, None] + rot.rotate(row.frames[chosen, None], along)
        points.append(stood.reshape(-1, 3))
        times.append(np.repeat(row.times[chosen], len(along)))
        legs += [leg.name] * (len(chosen) * len(along))
    return StandingPlaces(np.concatenate(points), np.concatenate(times), legs)
