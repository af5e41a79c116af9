# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of each frame of a plan (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from semi_procedural_locomotion.core.maths.rotations import FloatArray

from .limits import NUMBERS

# What makes series of unlike units comparable, shares of the leg.
_BARS = {"slide": 0.003, "sink": 0.004, "float": 0.015, "depth": 0.01}


@dataclass(frozen=True)
class WalkSeries:
    """Numbers of each frame, for plots and for finding the worst one; N frames, L legs.

    Attributes
    ----------
    times
        Seconds, shape (N,).
    heights
        Heel, ball and toe tip over the ground, shares of the leg, nan over nothing, shape (N, L, 3).
    lowest
        The lowest point of each foot over the ground, shares of the leg, nan over nothing, shape (N, L).
    contacts
        Whether the plan has the foot on the ground, shape (N, L); None where not known.
    slides
        How far the carrying sole point has slid since it began to carry, shares of the leg, shape
        (N, L); None where not known.
    depths
        Depth of the sole in the ground, shares of the leg, shape (N, L).
    reaches
        Hip to ankle as a share of each leg's own length, shape (N, L).
    misses
        Ankle to target, shares of the leg, shape (N, L); None where not known.
    foot_turns, knee_speeds
        Radians a second from each frame to the next, shape (N - 1, L).
    missed
        Share of the leg from which on an ankle misses its target.
    """

    times: FloatArray
    heights: FloatArray
    lowest: FloatArray
    contacts: np.ndarray | None
    slides: FloatArray | None
    depths: FloatArray
    reaches: FloatArray
    misses: FloatArray | None
    foot_turns: FloatArray
    knee_speeds: FloatArray
    missed: float = NUMBERS.missed

    @property
    def floats(self) -> FloatArray:
        """How far feet in contact are above the ground, shares of the leg, 0 else, shape (N, L)."""
        above = np.maximum(np.nan_to_num(self.lowest), 0.0)
        return (
            np.zeros_like(above) if self.contacts is None else np.where(self.contacts, above, 0.0)
        )


def _list_scores(series: WalkSeries) -> dict[str, FloatArray]:
    """Multiples of the bars at each frame and leg, shape (N, L) each."""
    scores = {}
    if series.slides is not None:
        scores["slide"] = series.slides / _BARS["slide"]
    if series.misses is not None:
        scores["miss"] = series.misses / series.missed
    if series.contacts is None:
        scores["depth"] = series.depths / _BARS["depth"]
        return scores
    scores["depth"] = np.where(series.contacts, 0.0, series.depths) / _BARS["depth"]
    scores["sink"] = np.where(series.contacts, series.depths, 0.0) / _BARS["sink"]
    scores["float"] = series.floats / _BARS["float"]
    return scores


def score_frames(series: WalkSeries) -> FloatArray:
    """Largest multiple of a bar over all legs, shape (number of bars, N)."""
    return np.stack([np.max(score, axis=1) for score in _list_scores(series).values()])
