# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Solved poses, ready to be converted to keys (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from .maths.rotations import FloatArray
from .motions.properties import BlendedProperty, PropertyKey


@dataclass(frozen=True)
class PoseArray:
    """Poses of a whole character at N times.

    Attributes
    ----------
    times
        Seconds of the scene's clock, shape (N,).
    positions
        World position of the character's origin, metres, shape (N, 3).
    orientations
        World rotation of the character frame: heading, and tilt where the body hugs a slope, shape
        (N, 4). World = position + orientation * character space.
    rotations, translations, scales
        Local poses of all bones as in `Clip` (parentless bones in character space), shapes (N, B, 4),
        (N, B, 3), (N, B, 3).
    rotated, moved, scaled
        Which bones' rotation, location and scale are to be written, shape (B,) of bool.
    owned
        Which bones the walk poses, written or not: those that its motions key and those that carry
        the legs, shape (B,) of bool. What would show them otherwise is overruled.
    properties
        What else the motions key.
    """

    times: FloatArray
    positions: FloatArray
    orientations: FloatArray
    rotations: FloatArray
    translations: FloatArray
    scales: FloatArray
    rotated: np.ndarray
    moved: np.ndarray
    scaled: np.ndarray
    owned: np.ndarray
    properties: Mapping[PropertyKey, BlendedProperty] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.times)
