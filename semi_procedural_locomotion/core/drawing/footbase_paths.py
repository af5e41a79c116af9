# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of the feet of a cycle in place, with what they do on them (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..maths.rotations import FloatArray
from .shapes import SIDE_COLOURS, ColouredPoints

# Opacity of a path where the foot stands, and in the air; size of a key time's cross, shares of the leg.
_STANDS, _SWINGS, _CROSS = 1.0, 0.4, 0.02
_CROSS_COLOUR = (1.0, 1.0, 1.0, 0.9)


def make_footbase_path(
    footbases: FloatArray, stance: float, key_times: Mapping[str, float], side: str, length: float
) -> ColouredPoints:
    """Lines along the path of one foot, bright where it stands, with a cross at each key time.

    Parameters
    ----------
    footbases
        Place of the foot at S equal phases of the cycle, metres, shape (S, 3).
    stance
        Phase at which it stands.
    key_times
        Phases after that by name; the foot is in the air from ``"off"`` to ``"strike"``.
    side
        Of the leg, which gives the colour.
    length
        Of the leg, metres.
    """
    closed = np.concatenate([footbases, footbases[:1]])
    lines = np.stack([closed[:-1], closed[1:]], axis=1).reshape(-1, 3)
    middles = ((np.arange(len(footbases)) + 0.5) / len(footbases) - stance) % 1.0
    stands = (middles <= key_times["off"]) | (middles >= key_times["strike"])
    colours = np.empty((len(footbases), 4))
    colours[:, :3] = SIDE_COLOURS.get(side, SIDE_COLOURS[""])
    colours[:, 3] = np.where(stands, _STANDS, _SWINGS)
    times = np.array([0.0, *key_times.values()])
    places = read_path(footbases, stance + times)
    arms = _CROSS * length * np.array([[-1, 0, 0], [1, 0, 0], [0, 0, -1], [0, 0, 1]], dtype=float)
    crosses = (places[:, None] + arms).reshape(-1, 3)
    return ColouredPoints(
        np.concatenate([lines, crosses]),
        np.concatenate([np.repeat(colours, 2, axis=0), np.tile(_CROSS_COLOUR, (len(crosses), 1))]),
    )


def read_path(footbases: FloatArray, phases: FloatArray) -> FloatArray:
    """Places (N, 3) on a periodic path (S, 3) at phases (N,), straight between its points."""
    place = (np.asarray(phases) % 1.0) * len(footbases)
    index = np.minimum(place.astype(np.intp), len(footbases) - 1)
    share = (place - index)[:, None]
    return footbases[index] * (1 - share) + footbases[(index + 1) % len(footbases)] * share
