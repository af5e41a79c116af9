# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a leg may stretch (numpy only).

The last percents of a leg's length cost many degrees of knee: from 97 % to 99.9 % the knee opens
from 152 to 175 degrees. So a leg that the clip itself does not stretch further is
kept within a comfortable reach, and what lies beyond is approached softly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import REACH
from .structure import Leg


def measure_segments(points: FloatArray) -> FloatArray:
    """Sum of the distances between successive joints (..., K, 3), metres, shape (...)."""
    return np.asarray(rot.lengths(np.diff(points, axis=-2)).sum(axis=-1))


def lengthen_legs(distances: ArrayLike, leg_lengths: ArrayLike, longest: ArrayLike) -> FloatArray:
    """Lengths that legs take whose feet may come off their shins.

    Parameters
    ----------
    distances
        From hip to target, metres, shape (...).
    leg_lengths
        Sums of the segments, metres, broadcastable to (...).
    longest
        The most that a motion has of them, metres, broadcastable to (...).

    Returns
    -------
    array, shape (...)
        Metres; the leg's own length as long as the target is within its comfortable reach.
    """
    lengths = np.asarray(leg_lengths, dtype=np.float64)
    return np.clip(np.asarray(distances) / REACH.comfortable, lengths, np.maximum(lengths, longest))


def measure_own_legs(
    legs: Sequence[Leg], positions: FloatArray, distances: FloatArray, longest: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far legs reach in poses, how long they are there, and how long they may get.

    A foot that the motions hold beyond its shin is neither pulled in nor does it pull the body down.

    Parameters
    ----------
    legs
        L legs.
    positions
        Of the bones, metres, shape (N, K, 3).
    distances
        From each hip to its target, metres, shape (N, L).
    longest
        The most that a motion has of each, metres, shape (L,).

    Returns
    -------
    own, bare, lengths
        Distances from hip to ankle, lengths in the poses, and those with the foot off its shin where
        the target asks for it, metres, shapes (N, L).
    """
    own, bare = np.empty_like(distances), np.empty_like(distances)
    lengths = np.empty_like(distances)
    for index, leg in enumerate(legs):
        joints = positions[:, leg.joints]
        own[:, index] = rot.lengths(joints[:, -1] - joints[:, 0])
        bare[:, index] = lengths[:, index] = leg.length
        if leg.detached:
            bare[:, index] = np.maximum(leg.length, measure_segments(joints))
            asked = lengthen_legs(distances[:, index], bare[:, index], longest[index])
            lengths[:, index] = asked
    return own, bare, lengths


def compute_comfortable_reaches(clip_distances: ArrayLike, leg_lengths: ArrayLike) -> FloatArray:
    """Distances from hip to ankle that are never shortened (docs/method/rig.md, Comfortable reach).

    Parameters
    ----------
    clip_distances
        The clip's own distances from hip to ankle, metres, shape (...).
    leg_lengths
        Sums of the segments, metres, broadcastable to (...).

    Returns
    -------
    array, shape (...)
        Metres; the clip's own distance where that is beyond 98 % of the leg.
    """
    lengths = np.asarray(leg_lengths, dtype=np.float64)
    nearly = np.minimum(clip_distances, REACH.nearly_straight * lengths)
    return np.maximum(nearly, REACH.comfortable * lengths)


def soften_distances(
    distances: ArrayLike, clip_distances: ArrayLike, leg_lengths: ArrayLike
) -> FloatArray:
    """Distances that a leg really takes for the ones asked (docs/method/rig.md, Soft reach).

    Parameters
    ----------
    distances
        From hip to target, metres, shape (...).
    clip_distances, leg_lengths
        As in `compute_comfortable_reaches`.

    Returns
    -------
    array, shape (...)
        Equal to ``distances`` within the comfortable reach; beyond it rising with a slope that
        falls from 1 to 0, never more than the leg's length.
    """
    lengths = np.asarray(leg_lengths, dtype=np.float64)
    reach = compute_comfortable_reaches(clip_distances, lengths)
    room = np.maximum(REACH.soft_limit * lengths - reach, REACH.least_room * lengths)
    excess = np.maximum(np.asarray(distances) - reach, 0.0)
    softened = reach + room * -np.expm1(-excess / np.maximum(room, np.finfo(float).tiny))
    return np.where(excess > 0, softened, distances)
