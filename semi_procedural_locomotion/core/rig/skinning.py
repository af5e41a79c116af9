# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Skin that keeps its volume: blended by dual quaternions, as Blender does it (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray


def blend_dual_quaternions(
    places: FloatArray, turns: FloatArray, weights: FloatArray
) -> FloatArray:
    """Points on up to W bones each, blended as turns and moves rather than as places.

    Parameters
    ----------
    places
        Where each bone alone would take a point, in any one space, shape (..., P, W, 3); what bones
        are scaled by is in it.
    turns
        How each bone has turned since the point was bound to it, shape (..., P, W, 4), in any sign.
    weights
        Shares, sum 1, the largest first, shape (P, W).

    Returns
    -------
    array, shape (..., P, 3)
        (docs/method/legs.md, Contact hulls).
    """
    turn, move = np.zeros(turns[..., 0, :].shape), np.zeros(turns[..., 0, :].shape)
    for place in range(weights.shape[1]):
        # q and -q are the same turn: the sign is taken that goes the short way from those before.
        own = turns[..., place, :]
        share = weights[:, place] * np.where(np.sum(own * turn, axis=-1) < 0.0, -1.0, 1.0)
        spot = places[..., place, :]
        pure = np.concatenate([np.zeros_like(spot[..., :1]), spot], axis=-1)
        turn = turn + share[..., None] * own
        move = move + share[..., None] * rot.multiply(pure, own)
    size = np.sum(turn * turn, axis=-1, keepdims=True)
    return np.asarray(rot.multiply(move, rot.conjugate(turn))[..., 1:] / size)


def turns_from_axes(axes: FloatArray) -> FloatArray:
    """Rotations (..., 4) of bones whose axes (..., 3, 3) may be scaled or sheared, Y kept."""
    return rot.quaternions_from_matrices(rot.orthonormalize_axes(axes))
