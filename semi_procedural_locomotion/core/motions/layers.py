# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is laid over a walk: a clip, the bones that it moves, and when (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class LayerClip:
    """Poses of a skeleton at equal distances of time.

    Attributes
    ----------
    rotations, translations
        Relative to the parent as in `Clip`, quaternions w x y z and metres, shapes (S, B, 4) and
        (S, B, 3).
    interval
        Seconds between the rows.
    stepped
        Bones whose pose stays from row to row until the next key, shape (B,) of bool.
    """

    rotations: FloatArray
    translations: FloatArray
    interval: float
    stepped: np.ndarray

    def __post_init__(self) -> None:
        rows, bones = self.rotations.shape[:2]
        if self.translations.shape != (rows, bones, 3) or self.stepped.shape != (bones,):
            raise ValueError(f"a clip of {rows} rows and {bones} bones has arrays of other shapes")
        if not self.interval > 0:
            raise ValueError("rows of a clip need time between them")

    @property
    def duration(self) -> float:
        """Seconds from the first row to the last."""
        return (len(self.rotations) - 1) * self.interval


@dataclass(frozen=True)
class Layer:
    """A clip over the walk.

    Attributes
    ----------
    name
        Shown to the user.
    clip
        Its poses.
    shares
        How far each bone follows the clip at full weight, 0 to 1, shape (B,).
    weight_times, weights
        Weight over time, seconds and 0 to 1, shape (K,); one entry for a constant. Between the
        entries it goes straight.
    additive
        Whether the change since the clip's first row is added to the walk; else its pose takes the
        place of the walk's.
    repeats
        Whether the clip begins again where it ends.
    in_step
        Whether it is played once in each cycle of the walk; else it has a clock of its own.
    start
        Seconds at which its own clock begins.
    rate
        How many times as fast as recorded its own clock goes.
    fade
        Seconds over which a clip that does not repeat comes in and goes out.
    keyed
        Names of the bones that the clip keys, controls among them.
    """

    name: str
    clip: LayerClip
    shares: FloatArray
    weight_times: FloatArray
    weights: FloatArray
    additive: bool = False
    repeats: bool = True
    in_step: bool = False
    start: float = 0.0
    rate: float = 1.0
    fade: float = 0.0
    keyed: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if self.shares.shape != (self.clip.rotations.shape[1],):
            raise ValueError("a layer needs a share for each bone of its clip")
        if len(self.weight_times) == 0 or self.weight_times.shape != self.weights.shape:
            raise ValueError("times and weights of a layer need one shape (K,)")
        if not self.rate > 0:
            raise ValueError("a layer must go forward in time")
