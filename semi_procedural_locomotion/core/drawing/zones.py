# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours of bones' zones of influence, and of weights (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray

# The golden angle as a share of the circle: neighbours in a list get colours that are far apart.
_TURN = 0.6180339887498949
_SATURATION, _VALUES = 0.75, (0.95, 0.7)


def colours_of_bones(count: int) -> FloatArray:
    """A linear colour for each of some bones, shape (count, 3)."""
    numbers = np.arange(count)
    return _colours_from_hues(numbers * _TURN % 1.0, np.where(numbers % 2 == 0, *_VALUES))


def colours_from_weights(weights: FloatArray) -> FloatArray:
    """Colours (V, 3) of weights (V,): blue for 0 over green to red for 1, as in Blender."""
    return _colours_from_hues(2.0 / 3.0 * (1.0 - np.clip(weights, 0.0, 1.0)), np.ones(len(weights)))


def _colours_from_hues(hues: FloatArray, values: FloatArray) -> FloatArray:
    """Colours (N, 3) of hues in turns and values."""
    wheel = np.abs(hues[:, None] * 6.0 - np.array([3.0, 2.0, 4.0]))
    pure = np.clip(
        np.stack([wheel[:, 0] - 1.0, 2.0 - wheel[:, 1], 2.0 - wheel[:, 2]], axis=1), 0, 1
    )
    return np.asarray(values[:, None] * (1.0 - _SATURATION * (1.0 - pure)))
