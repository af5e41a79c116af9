# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Symmetric systems of which each window of unknowns knows only its neighbours (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray


class WindowedSystem:
    """Normal equations of K knots with C numbers each, gathered from windows of knots.

    Parameters
    ----------
    knots, channels
        K and C.
    reach
        Knots of the largest window that is added.
    """

    def __init__(self, knots: int, channels: int, reach: int) -> None:
        self.knots, self.channels = knots, channels
        self.size = max(reach, 4)
        self.blocks = -(-knots // self.size)
        width = 2 * self.size * channels
        self._pairs = np.zeros((self.blocks, width, width))
        self._right = np.zeros((self.blocks, width))

    def add(self, first: np.ndarray, matrices: FloatArray, right: FloatArray) -> None:
        """Add windows.

        Parameters
        ----------
        first
            First knot of each of N windows, shape (N,).
        matrices, right
            Of the numbers of each window, knot by knot, shapes (N, W C, W C) and (N, W C).
        """
        block, place = np.divmod(first, self.size)
        rows = place[:, None] * self.channels + np.arange(right.shape[1])
        width = self._right.shape[1]
        rows_of_all = block[:, None] * width + rows
        pairs = rows_of_all[:, :, None] * width + rows[:, None, :]
        for total, places, values in (
            (self._right, rows_of_all, right),
            (self._pairs, pairs, matrices),
        ):
            sums = np.bincount(places.ravel(), values.ravel(), minlength=total.size)
            total += sums.reshape(total.shape)

    def solve(self) -> FloatArray:
        """The numbers of all knots, shape (K, C)."""
        half = self.size * self.channels
        diagonal = self._pairs[:, :half, :half].copy()
        right = self._right[:, :half].copy()
        diagonal[1:] += self._pairs[:-1, half:, half:]
        right[1:] += self._right[:-1, half:]
        upper = self._pairs[:-1, :half, half:]
        unused = self.knots * self.channels - half * (self.blocks - 1)
        spare = np.arange(unused, half)
        diagonal[-1, spare, spare] += 1.0
        inverses, values = [np.linalg.inv(diagonal[0])], [right[0]]
        for block in range(1, self.blocks):
            back = upper[block - 1].T @ inverses[-1]
            inverses.append(np.linalg.inv(diagonal[block] - back @ upper[block - 1]))
            values.append(right[block] - back @ values[-1])
        found = [inverses[-1] @ values[-1]]
        for block in range(self.blocks - 2, -1, -1):
            found.append(inverses[block] @ (values[block] - upper[block] @ found[-1]))
        return np.concatenate(found[::-1]).reshape(-1, self.channels)[: self.knots]
