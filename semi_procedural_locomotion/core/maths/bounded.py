# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calm curves near a series, under a hard ceiling and over a soft floor (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .limits import BOUNDED
from .rotations import FloatArray
from .smoothing import (
    blur_hann,
    find_sliding_maximum,
    find_transform_size,
    smooth_gaussian,
)


@dataclass(frozen=True)
class Calmness:
    """How calm a curve is between its bounds.

    Attributes
    ----------
    width
        Deviation of the Gaussian that blurs it, seconds.
    lifting
        What a curve is pushed up by where it is below its floor, against what holds it at its series.
    radius
        Reach of what keeps the curve under its ceiling at last, seconds.
    """

    width: float
    lifting: float
    radius: float


def smooth_between(
    values: FloatArray,
    floors: FloatArray,
    ceilings: FloatArray,
    interval: float,
    calmness: Calmness,
) -> FloatArray:
    """A series blurred by a Gaussian, pushed under its ceilings and towards its floors before that.

    With G the blur it is ``y = G (values + pushes)``, which minimises ``y (1/G - 1) y + (y - values)^2
    + lifting max(0, floor - y)^2`` under ``y <= ceiling``: the calmest such curve. Pushes are found by
    the alternating direction method of multipliers, and are 0 where no bound is met, so that nothing
    farther away than a Gaussian reaches is changed (docs/method/body.md, Smoothing under a ceiling).

    Parameters
    ----------
    values
        Shape (N,), uniformly sampled in time.
    floors, ceilings
        Of the same unit, shape (N,); floors may be -inf. Where they are above the ceiling that wins.
    interval
        Seconds between samples.
    calmness
        How calm it is.

    Returns
    -------
    array, shape (N,)
        Nowhere above the ceilings.
    """
    floors = np.minimum(floors, ceilings)
    blurred = smooth_gaussian(values, interval, calmness.width)
    reach = max(round(calmness.radius / interval), 1)
    if np.any(blurred > ceilings) or np.any(blurred < floors):
        # Before and after a sharp dip no curve swings lower than it has to be anywhere near.
        lowest = -find_sliding_maximum(-np.minimum(values, ceilings), reach)
        bounds = floors, np.minimum(lowest, blurred), ceilings
        blurred = blurred + _push_between(blurred, values, bounds, interval, calmness)
    return keep_under(blurred, ceilings, interval, calmness.radius)


def keep_under(
    curve: FloatArray, ceilings: FloatArray, interval: float, radius: float
) -> FloatArray:
    """A smooth curve (N,) taken down under its ceilings (N,), smoothly, within so many seconds around.

    What is over a ceiling is taken off as the blur of its maximum over the radius, which is nowhere less.
    """
    reach = max(round(radius / interval), 1)
    over = find_sliding_maximum(np.maximum(curve - ceilings, 0.0), reach)
    # The minimum only takes off rounding errors of the transform.
    return np.minimum(curve - np.maximum(blur_hann(over, reach), 0.0), ceilings)


def _push_between(
    curve: FloatArray,
    values: FloatArray,
    bounds: tuple[FloatArray, FloatArray, FloatArray],
    interval: float,
    calmness: Calmness,
) -> FloatArray:
    """What pushes on a series, blurred, add to its blurred ``curve`` so that it keeps bounds, all (N,).

    The bounds are a soft floor, a hard one and a hard ceiling.
    """
    count, push, first = len(values), BOUNDED.push, values[0]
    # Beyond its ends the series is held, up to a length that transforms quickly; then it is mirrored.
    held = int(np.ceil(BOUNDED.held * calmness.width / interval))
    spare = (held, find_transform_size(count + 2 * held) - count - held)
    curve, wanted, low, least, high = (
        np.pad(v - first, spare, mode="edge") for v in (curve, values, *bounds)
    )
    size = 2 * len(wanted)
    turns = 2.0 * np.pi * np.fft.rfftfreq(size, interval) * calmness.width
    gaussian = np.exp(-0.5 * turns * turns)

    def blur(series: FloatArray, gains: FloatArray) -> FloatArray:
        """A series with gains at all frequencies."""
        spectrum = np.fft.rfft(np.concatenate([series, series[::-1]])) * gains
        return np.asarray(np.fft.irfft(spectrum, size)[: len(series)])

    gains = gaussian / (1.0 + push * gaussian)
    lifting = calmness.lifting / (push + calmness.lifting)
    low = np.maximum(low, least)
    bounded, debt = np.clip(curve, low, high), np.zeros_like(curve)
    for _ in range(BOUNDED.rounds):
        free = blur(wanted + push * (bounded - debt), gains) + debt
        bounded = np.clip(free + lifting * np.maximum(low - free, 0.0), least, high)
        debt = free - bounded
    return blur(-push * debt, gaussian)[held : held + count]
