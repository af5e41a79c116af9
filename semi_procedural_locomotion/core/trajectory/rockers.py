# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that are pitched on what bears them, without any slip (numpy only).

The footbase stands for where a foot bears (docs/method/rig.md, Footbase). A foot that is pitched turns
about its ankle, and is then moved until its footbase is where it was: it rocks on heel, ball or toes.
"""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray


def pitch_points(points: FloatArray, pitches: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Points turned toes down about the left of their foot, and how they move with the angle.

    Parameters
    ----------
    points
        Ahead and above, of P points of each foot, shape (..., P, 2).
    pitches
        Radians, shape (...).

    Returns
    -------
    turned, slopes
        Shapes (..., P, 2); the slopes are derivatives by the pitch.
    """
    cosine, sine = np.cos(pitches)[..., None], np.sin(pitches)[..., None]
    ahead, above = points[..., 0], points[..., 1]
    turned = np.stack([ahead * cosine + above * sine, above * cosine - ahead * sine], axis=-1)
    return turned, np.stack([turned[..., 1], -turned[..., 0]], axis=-1)


def find_rocks(
    points: FloatArray, bearings: FloatArray, width: FloatArray, pitches: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """How far ankles go, ahead and up, for feet to rock by a pitch.

    Parameters
    ----------
    points
        That can bear, from the ankle in the frame of the ground, ahead and above, shape (..., P, 2).
    bearings
        Where each is on the ground that the foot has rolled over, ahead, shape (..., P).
    width
        Height over the lowest at which a point bears less by a factor of e, shape (...).
    pitches
        Radians, toes down, shape (...).

    Returns
    -------
    rocks, slopes
        Shapes (..., 2); the slopes are derivatives by the pitch.
    """
    still, _ = _find_bases(points, np.zeros_like(points), bearings, width)
    turned, moving = pitch_points(points, pitches)
    bases, slopes = _find_bases(turned, moving, bearings, width)
    return still - bases, -slopes


def _find_bases(
    points: FloatArray, moving: FloatArray, bearings: FloatArray, width: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Footbases of points (..., P, 2), ahead and up, and how they move as the points do, (..., 2)."""
    above = points[..., 1]
    low = above.min(axis=-1)
    size = width[..., None]
    loads = np.exp((low[..., None] - above) / size)
    loads = loads / loads.sum(axis=-1, keepdims=True)
    away = points[..., 0] - bearings
    ahead = np.sum(loads * away, axis=-1)
    # Of a flat foot all points are the lowest: it sinks as what bears does, on neither end alone.
    sinking = np.sum(loads * moving[..., 1], axis=-1)
    rates = (sinking[..., None] - moving[..., 1]) / size
    going = np.sum(loads * (moving[..., 0] + rates * away), axis=-1)
    return np.stack([ahead, low], axis=-1), np.stack([going, sinking], axis=-1)
