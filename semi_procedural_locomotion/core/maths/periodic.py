# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Signals that repeat: smoothing, slopes, samples and stretches of one cycle (numpy only).

The first axis holds N equally spaced samples of a cycle; the row after the last is the first.
Widths are shares of the cycle.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .rotations import FloatArray


def smooth_periodic(values: FloatArray, width: float) -> FloatArray:
    """Cyclic Gaussian low-pass.

    Parameters
    ----------
    values
        Shape (N, ...).
    width
        Standard deviation as a share of the cycle; 0 changes nothing.
    """
    if width <= 0:
        return np.array(values, dtype=np.float64)
    count = values.shape[0]
    waves = np.fft.rfftfreq(count, 1.0 / count)
    gain = np.exp(-0.5 * (2.0 * np.pi * waves * width) ** 2)
    spectrum = np.fft.rfft(values, axis=0) * gain.reshape((-1,) + (1,) * (values.ndim - 1))
    return np.asarray(np.fft.irfft(spectrum, count, axis=0), dtype=np.float64)


def differentiate_periodic(values: FloatArray, period: float) -> FloatArray:
    """Cyclic central differences of ``values`` (N, ...) per second of a cycle of ``period`` seconds."""
    rate = values.shape[0] / (2.0 * period)
    return (np.roll(values, -1, axis=0) - np.roll(values, 1, axis=0)) * rate


def integrate_periodic(slopes: FloatArray, harmonics: int) -> FloatArray:
    """Periodic function whose slope per cycle is ``slopes``, without its mean.

    Parameters
    ----------
    slopes
        Shape (N, ...); their mean over the cycle is left out.
    harmonics
        How many waves per cycle are kept.
    """
    count = slopes.shape[0]
    spectrum = np.fft.rfft(slopes, axis=0)
    waves = np.fft.rfftfreq(count, 1.0 / count)
    kept = (waves > 0) & (waves <= harmonics)
    factor = np.where(kept, 1.0 / (2j * np.pi * np.where(kept, waves, 1.0)), 0.0)
    spectrum = spectrum * factor.reshape((-1,) + (1,) * (slopes.ndim - 1))
    return np.asarray(np.fft.irfft(spectrum, count, axis=0), dtype=np.float64)


def sample_periodic(values: FloatArray, phases: ArrayLike) -> FloatArray:
    """Rows of ``values`` (N, ...) at ``phases`` (K,) in cycles, by linear interpolation."""
    count = values.shape[0]
    places = (np.asarray(phases, dtype=np.float64) % 1.0) * count
    before = np.floor(places).astype(np.intp)
    share = (places - before).reshape((-1,) + (1,) * (values.ndim - 1))
    return np.asarray(values[before % count] * (1.0 - share) + values[(before + 1) % count] * share)


def wrap_phases(phases: ArrayLike) -> FloatArray:
    """Phases in cycles brought to [-0.5, 0.5)."""
    return (np.asarray(phases, dtype=np.float64) + 0.5) % 1.0 - 0.5


def find_best_segment(scores: FloatArray) -> tuple[int, int, float]:
    """The cyclic stretch with the largest sum of scores.

    Gives hysteresis for free: short dips are bridged where the scores around outweigh them
    (docs/method/maths.md, Periodic signals).

    Parameters
    ----------
    scores
        Positive where wanted, negative where not, shape (N,).

    Returns
    -------
    start, length, total
        First sample, number of samples and their sum. Length N where all are positive, 0 where none
        is (start is then the best sample).
    """
    count = len(scores)
    if np.all(scores > 0):
        return 0, count, float(np.sum(scores))
    if np.all(scores <= 0):
        return int(np.argmax(scores)), 0, 0.0
    sums = np.concatenate([[0.0], np.cumsum(scores)])
    first, last = _find_steepest(sums)
    # A stretch across the end of the cycle leaves out the worst stretch within it.
    drop_first, drop_last = _find_steepest(-sums)
    inside, across = sums[last] - sums[first], sums[-1] - (sums[drop_last] - sums[drop_first])
    if across > inside:
        return drop_last % count, count - (drop_last - drop_first), float(across)
    return first, last - first, float(inside)


def _find_steepest(sums: FloatArray) -> tuple[int, int]:
    """Indices i < j of the largest rise of ``sums`` from i to j."""
    lowest = np.minimum.accumulate(sums)
    last = int(np.argmax(sums - lowest))
    return int(np.flatnonzero(sums[: last + 1] == lowest[last])[-1]), last
