# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What clips key besides the poses of bones, such as a switch from IK to FK (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..maths.rotations import FloatArray

PropertyKey = tuple[str, int]
"""Data path from the object, and the component."""


@dataclass(frozen=True)
class KeyedProperty:
    """Values of one property in a clip or a motion.

    Attributes
    ----------
    values
        At the samples or rows, shape (S,).
    is_stepped
        Whether it holds whole numbers or choices, between which there is nothing.
    """

    values: FloatArray
    is_stepped: bool = False

    def read(self, places: FloatArray) -> FloatArray:
        """Values at places between the samples, 0 for the first, shape (N,); the last goes on."""
        last = len(self.values) - 1
        index = np.clip(np.floor(places + 1e-9).astype(np.intp), 0, last)
        if self.is_stepped:
            return self.values[index]
        share = np.clip(places - index, 0.0, 1.0)
        after = np.minimum(index + 1, last)
        return self.values[index] * (1.0 - share) + self.values[after] * share

    def reverse(self) -> KeyedProperty:
        """The rows of a cycle that is played backwards."""
        return replace(self, values=self.values[-np.arange(len(self.values)) % len(self.values)])


@dataclass(frozen=True)
class BlendedProperty:
    """A property over a walk, as far as the motions that play key it.

    Attributes
    ----------
    values
        Sum of the motions' values by their weights; of a stepped one the value of the motion that
        plays most. Shape (N,).
    shares
        Weight of the motions that key it, 0 to 1, shape (N,).
    """

    values: FloatArray
    shares: FloatArray

    def fill(self, present: float) -> FloatArray:
        """Values where the rest of the weight has the property's present value, shape (N,)."""
        return self.values + (1.0 - self.shares) * present

    def select(self, rows: slice) -> BlendedProperty:
        """The values at some of the times."""
        return BlendedProperty(self.values[rows], self.shares[rows])


Properties = Mapping[PropertyKey, KeyedProperty]


def resample_properties(
    properties: Properties, times: FloatArray, wanted: FloatArray
) -> dict[PropertyKey, KeyedProperty]:
    """Properties of a clip at other times.

    Parameters
    ----------
    properties
        With values at ``times``.
    times
        Increasing seconds, shape (S,).
    wanted
        Seconds, shape (N,); outside of ``times`` the ends are held.
    """
    places = np.interp(wanted, times, np.arange(len(times), dtype=np.float64))
    return {key: replace(entry, values=entry.read(places)) for key, entry in properties.items()}


def blend_properties(
    motions: Sequence[Properties],
    offsets: FloatArray,
    weights: FloatArray,
    phases: FloatArray,
) -> dict[PropertyKey, BlendedProperty]:
    """Properties that any motion keys, over a walk.

    Parameters
    ----------
    motions
        Properties of each of M motions, at equally spaced phases.
    offsets
        Phase by which each motion's clock is behind the common phase, shape (M,).
    weights
        Shares of the motions, sum 1, shape (N, M).
    phases
        Common phase, shape (N,).
    """
    found = {}
    main = np.argmax(weights, axis=1)
    for key in dict.fromkeys(key for properties in motions for key in properties):
        values, shares = np.zeros(len(phases)), np.zeros(len(phases))
        for motion, properties in enumerate(motions):
            if key not in properties:
                continue
            entry = properties[key]
            used = weights[:, motion]
            if entry.is_stepped:
                used = (main == motion).astype(np.float64)
            own = ((phases - offsets[motion]) % 1.0) * len(entry.values)
            values += used * entry.read(own)
            shares += used
        found[key] = BlendedProperty(values, shares)
    return found
