# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How alike poses are wherever they stand, and which part of a recording closes (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .limits import PART


@dataclass(frozen=True)
class ComparedPoses:
    """Joints of m poses, centred horizontally, in body sizes over the root of the joint count.

    Attributes
    ----------
    flat
        Horizontal places as complex numbers, shape (m, B).
    heights
        Shape (m, B).
    """

    flat: np.ndarray
    heights: FloatArray

    def __len__(self) -> int:
        return len(self.heights)

    def cut(self, first: int, last: int) -> ComparedPoses:
        """Poses ``first`` to ``last``, both included."""
        part = slice(first, last + 1)
        return ComparedPoses(self.flat[part], self.heights[part])

    def compare(self) -> FloatArray:
        """Squared distances (m, m) of all pairs, each pair turned to match best.

        The best turn of a pair is closed form: |a|^2 + |b|^2 - 2 |<a, b>| for the horizontal parts
        a, b as complex numbers.
        """
        squares = np.sum(np.abs(self.flat) ** 2, axis=1) + np.sum(np.square(self.heights), axis=1)
        likeness = np.abs(self.flat.conj() @ self.flat.T) + self.heights @ self.heights.T
        return np.maximum(squares[:, None] + squares[None, :] - 2.0 * likeness, 0.0)

    def describe(self, pose: int, reference: int) -> FloatArray:
        """One pose as a vector (3B,), turned to match a reference best."""
        overlap = np.vdot(self.flat[pose], self.flat[reference])
        turned = self.flat[pose] * np.exp(1j * np.angle(overlap))
        return np.concatenate([turned.real, turned.imag, self.heights[pose]])

    def measure_steps(self) -> FloatArray:
        """Largest way of a joint from each pose to the next, sizes of the body, shape (m - 1,)."""
        overlaps = np.sum(np.conj(self.flat[1:]) * self.flat[:-1], axis=1, keepdims=True)
        turned = self.flat[1:] * np.exp(1j * np.angle(overlaps))
        ways = np.square(np.abs(turned - self.flat[:-1])) + np.square(np.diff(self.heights, axis=0))
        return np.asarray(np.sqrt(np.max(ways, axis=1) * self.flat.shape[1]))


def describe_poses(positions: FloatArray, size: float) -> ComparedPoses:
    """Poses free of their horizontal place.

    Parameters
    ----------
    positions
        Joint positions, metres, shape (m, B, 3).
    size
        Of the body, metres.
    """
    centred = positions - np.mean(positions, axis=1, keepdims=True) * np.array([1.0, 1.0, 0.0])
    centred = centred / (size * np.sqrt(positions.shape[1]))
    return ComparedPoses(centred[..., 0] + 1j * centred[..., 1], centred[..., 2])


def average_windows(values: FloatArray, half: int) -> FloatArray:
    """Means of ``values`` (K,) over up to ``half`` neighbours on both sides."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    low, high = np.maximum(places - half, 0), np.minimum(places + half + 1, len(values))
    return np.asarray((sums[high] - sums[low]) / (high - low))


def find_part(apart: FloatArray, key: int, is_closed: bool) -> tuple[int, int] | None:
    """The part of a recording that closes, where the rest of it does something else.

    Parameters
    ----------
    apart
        Squared distances of all pairs of m poses, shape (m, m).
    key
        Poses in one authored key interval.
    is_closed
        Whether the whole recording closes; then it has to stand at an end, and a part to close
        better.

    Returns
    -------
    tuple of int or None
        First and last pose: they are alike, go on as smoothly from the last as poses do elsewhere,
        and do not stand (docs/method/motions.md, Period).
    """
    count = len(apart)
    reach = max(key, count // PART.reach_divisor)
    least = max(int(PART.least_length * count), 2 * reach + 1)
    if least >= count:
        return None
    spread = max(float(np.mean(apart)), 1e-24)
    moves = np.diagonal(apart, reach)
    lively = moves > np.square(PART.least_speed) * np.percentile(moves, PART.lively_percentile)
    end = max(1, round(PART.least_standing * count))
    if is_closed and min(np.mean(lively[:end]), np.mean(lively[-end:])) > PART.most_lively:
        return None
    begins, ends = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
    begins[: count - reach], ends[reach:] = lively, lively
    farthest = np.maximum.accumulate(np.triu(apart), axis=1)
    alike = np.triu(apart < np.square(PART.most_apart) * spread, least)
    alike &= (farthest > np.square(PART.leaves) * spread) & begins[:, None] & ends[None, :]
    alike[0, -1] = True
    first, last = np.nonzero(alike)
    # How sharply poses turn from before b to after it: |a - 2 b + c| by three distances.
    usual = 2.0 * (moves[reach:] + moves[:-reach]) - np.diagonal(apart, 2 * reach)
    there = apart[first, first + reach] + apart[last - reach, last]
    turns = np.maximum(2.0 * there - apart[last - reach, first + reach], 0.0)
    costs = np.sqrt(apart[first, last]) + np.sqrt(turns)
    whole = int(np.flatnonzero(last - first == count - 1)[0])
    most = PART.better * costs[whole] if is_closed else np.inf
    sharp = np.square(PART.most_turned) * np.percentile(usual, PART.turned_percentile)
    costs[(turns > sharp) | (costs > most) | (last - first == count - 1)] = np.inf
    best = int(np.argmin(costs))
    return (int(first[best]), int(last[best])) if np.isfinite(costs[best]) else None
