# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether keys of one skeleton mean the same on another whose bones have the same names (numpy only).

Keys are turns and shifts against the rest pose in a bone's own axes. They are the same motion where
the rest poses have the same axes and shape, whatever the size (docs/method/transfer.md, Same rest).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...maths import rotations as rot
from ...maths.rotations import FloatArray


class RestLikeness(NamedTuple):
    """How alike two rest poses are.

    Attributes
    ----------
    turn
        Largest angle between the axes of two bones, seen from their parents, radians.
    scale
        Size of the second skeleton in units of the first, each in its own units.
    unlike
        Share of all bones' lengths by which joints lie elsewhere after that scale.
    """

    turn: float
    scale: float
    unlike: float


class RestChange(NamedTuple):
    """What keys become on a second skeleton that is the same one at rest in another pose.

    A rotation q becomes ``turns * q``, a location l ``scale * rotate(turns, l) + shifts``.

    Attributes
    ----------
    turns
        Rotations in the axes of each bone, shape (P, 4).
    shifts
        Units of the second skeleton in the axes of each bone, shape (P, 3).
    scale
        Size of the second skeleton in units of the first.
    """

    turns: FloatArray
    shifts: FloatArray
    scale: float


_Pair = tuple[FloatArray, FloatArray]


def compare_rests(rotations: _Pair, places: _Pair, parents: ArrayLike) -> RestLikeness:
    """Compare the rest poses of P pairs of bones.

    Parameters
    ----------
    rotations
        Axes of the bones of both skeletons in the world, each (P, 4).
    places
        Heads of the bones in the axes of the world and units of the armature, each (P, 3).
    parents
        For each pair the index of the pair above, -1 for none, shape (P,).

    Returns
    -------
    RestLikeness
        A scale of 1 and nothing unlike where no bone has a pair above.
    """
    turns, offsets, below = _find_local_rests(rotations, places, parents)
    turn = float(np.max(rot.angles_between(turns[0], turns[1]), initial=0.0))
    scale = _find_scale(offsets, below)
    own = rot.lengths(offsets[0][below]).sum()
    if not own:
        return RestLikeness(turn, scale, 0.0)
    apart = rot.lengths(offsets[1][below] / scale - offsets[0][below])
    return RestLikeness(turn, scale, float(apart.sum() / own))


def find_rest_change(rotations: _Pair, places: _Pair, parents: ArrayLike) -> RestChange:
    """What keys of the first skeleton become on the second one, so that poses stay the same.

    Parameters are those of `compare_rests`.
    """
    turns, offsets, below = _find_local_rests(rotations, places, parents)
    scale = _find_scale(offsets, below)
    back = rot.conjugate(turns[1])
    return RestChange(
        rot.multiply(back, turns[0]),
        rot.rotate(back, scale * offsets[0] - offsets[1]),
        scale,
    )


def _find_local_rests(
    rotations: _Pair, places: _Pair, parents: ArrayLike
) -> tuple[_Pair, _Pair, NDArray[np.intp]]:
    """Axes and heads of both skeletons in the axes of the bones above, and which have one above."""
    above: NDArray[np.intp] = np.asarray(parents, dtype=np.intp)
    below = np.flatnonzero(above >= 0)
    turns, offsets = [], []
    for turned, placed in zip(rotations, places, strict=True):
        back = rot.conjugate(turned[above[below]])
        local, offset = np.array(turned), np.array(placed)
        local[below] = rot.multiply(back, turned[below])
        offset[below] = rot.rotate(back, placed[below] - placed[above[below]])
        turns.append(local)
        offsets.append(offset)
    return (turns[0], turns[1]), (offsets[0], offsets[1]), below


def _find_scale(offsets: _Pair, below: NDArray[np.intp]) -> float:
    """Size of the second skeleton in units of the first, 1 where nothing tells."""
    own, other = (rot.lengths(offset[below]) for offset in offsets)
    known = np.flatnonzero((own > 0) & (other > 0))
    if not len(known):
        return 1.0
    # Half of all the length is scaled by more; bones that a pose moved away do not decide.
    ratios, weights = other[known] / own[known], own[known]
    order = np.argsort(ratios, kind="stable")
    half = np.searchsorted(np.cumsum(weights[order]), 0.5 * weights.sum())
    return float(ratios[order[half]])
