# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fewer keys for curves that are straight between keys (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray


def choose_keys(frames: FloatArray, values: FloatArray, tolerances: FloatArray) -> np.ndarray:
    """Which keys to keep, so that straight lines between them miss no value by more than allowed.

    Each round puts one key more into every stretch that misses, at its worst place, in all curves
    at once; stretches are halved or better in most rounds, so that few are needed.

    Parameters
    ----------
    frames
        Increasing, shape (N,), N >= 1.
    values
        C curves, shape (C, N).
    tolerances
        Largest error of each curve, in its own unit, shape (C,); 0 or less keeps all its keys.

    Returns
    -------
    array, shape (C, N) of bool
        First and last are kept always.
    """
    values = np.asarray(values, dtype=np.float64)
    count, length = values.shape
    if np.shape(frames) != (length,) or np.shape(tolerances) != (count,):
        raise ValueError(
            f"frames must have shape ({length},) and tolerances ({count},), got "
            f"{np.shape(frames)}, {np.shape(tolerances)}"
        )
    kept = np.zeros((count, length), dtype=bool)
    kept[:, [0, -1]] = True
    kept[np.asarray(tolerances) <= 0] = True
    open_rows = np.flatnonzero(~kept.all(axis=1))
    while len(open_rows):
        added = _find_worst(frames, values[open_rows], kept[open_rows], tolerances[open_rows])
        kept[open_rows] |= added
        open_rows = open_rows[added.any(axis=1)]
    return kept


def _find_worst(
    frames: FloatArray, values: FloatArray, kept: np.ndarray, tolerances: FloatArray
) -> np.ndarray:
    """The worst place of each stretch between kept keys that misses, shape (C, N) of bool."""
    count, length = values.shape
    places = np.arange(length)
    before = np.maximum.accumulate(np.where(kept, places, 0), axis=1)
    after = np.minimum.accumulate(np.where(kept, places, length - 1)[:, ::-1], axis=1)[:, ::-1]
    gaps = np.maximum(frames[after] - frames[before], 1e-12)
    shares = (frames[None] - frames[before]) / gaps
    low, high = (np.take_along_axis(values, ends, axis=1) for ends in (before, after))
    errors = np.abs(values - (low + shares * (high - low)))
    errors[kept] = 0.0
    starts = np.flatnonzero(kept)
    worst = np.maximum.reduceat(errors.ravel(), starts)
    stretch = np.cumsum(kept.ravel()) - 1
    missing = (errors > tolerances[:, None]).ravel() & (errors.ravel() >= worst[stretch])
    found = np.flatnonzero(missing)
    _, first = np.unique(stretch[found], return_index=True)
    added = np.zeros(count * length, dtype=bool)
    added[found[first]] = True
    return added.reshape(count, length)
