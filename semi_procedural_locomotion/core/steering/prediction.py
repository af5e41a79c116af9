# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a body will be that goes on as it goes: straight on, or on a circle (numpy only).

Source: the thesis, chapter 7; its program goes straight on in all turns to one side
(docs/method/steering.md, Prediction).
"""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray

# Radians below which the arc of a turn is its chord, to the last digits.
_STRAIGHT = 1e-4


def predict_places(
    position: FloatArray,
    yaw: float,
    velocities: FloatArray,
    turn_rates: FloatArray,
    seconds: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Places and headings of a body with constant velocities in its own axes.

    With a turn a = w t it is on a circle: from where it is it has gone by the turned mean

        place = position + R(yaw) (v sin(a) / w + up x v (1 - cos(a)) / w)

    which tends to v t where the turn tends to 0, to either side alike.

    Parameters
    ----------
    position, yaw
        Where it is, world metres, shape (2,), and its heading, radians.
    velocities
        In character space, metres a second, shape (N, 2).
    turn_rates
        Radians a second, left is positive, shape (N,).
    seconds
        How long, shape (N,).

    Returns
    -------
    places, yaws
        World metres, shape (N, 2), and radians, shape (N,).
    """
    angles = turn_rates * seconds
    safe = np.where(np.abs(angles) < _STRAIGHT, 1.0, angles)
    along = np.where(np.abs(angles) < _STRAIGHT, 1.0 - angles**2 / 6.0, np.sin(safe) / safe)
    across = np.where(np.abs(angles) < _STRAIGHT, 0.5 * angles, (1.0 - np.cos(safe)) / safe)
    way = velocities * seconds[:, None]
    local = np.stack(
        [along * way[:, 0] - across * way[:, 1], along * way[:, 1] + across * way[:, 0]], axis=1
    )
    return position + rot.turn_flat(local, yaw), yaw + angles
