# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A uniform grid of times on which plans are made, read at any time (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .rotations import FloatArray


@dataclass(frozen=True)
class TimeGrid:
    """Equally spaced times.

    Attributes
    ----------
    start
        Time of the first sample, seconds.
    interval
        Seconds between samples.
    count
        Number of samples, at least 2.
    """

    start: float
    interval: float
    count: int

    @property
    def times(self) -> FloatArray:
        """All times, seconds, shape (count,)."""
        return self.start + self.interval * np.arange(self.count)

    def locate(self, times: FloatArray) -> tuple[np.ndarray, FloatArray]:
        """Index of the sample before each time and the share of the next, both shape (N,)."""
        place = np.clip((np.asarray(times) - self.start) / self.interval, 0.0, self.count - 1.0)
        index = np.minimum(place.astype(np.intp), self.count - 2)
        return index, place - index

    def sample(self, values: FloatArray, times: FloatArray) -> FloatArray:
        """Linear reading of ``values`` (count, ...) at ``times`` (N,); the ends are held."""
        index, share = self.locate(times)
        share = share.reshape(share.shape + (1,) * (values.ndim - 1))
        return values[index] * (1.0 - share) + values[index + 1] * share

    def sample_smooth(self, values: FloatArray, times: FloatArray) -> FloatArray:
        """Reading of ``values`` (count, ...) by a cubic through four samples; the ends are held."""
        index, share = self.locate(times)
        x = share.reshape(share.shape + (1,) * (values.ndim - 1))
        last = self.count - 1
        before, after = np.maximum(index - 1, 0), np.minimum(index + 2, last)
        a, b, c, d = values[before], values[index], values[index + 1], values[after]
        return b + 0.5 * x * (c - a + x * (2 * a - 5 * b + 4 * c - d + x * (3 * (b - c) + d - a)))

    def find_crossings(self, values: FloatArray, levels: FloatArray) -> FloatArray:
        """Times at which increasing ``values`` (count,) reach ``levels`` (K,)."""
        return np.interp(levels, values, self.times)
