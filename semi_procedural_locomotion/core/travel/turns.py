# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a walk slows down where its way turns faster than feet can (numpy only).

Where a way turns back within a step, its heading turns within a short stretch, and the walk slows down
before, goes through at the fastest turn, and speeds up again. Anywhere else nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.lines import measure_line
from ..maths.rotations import FloatArray, step_cubic
from ..maths.smoothing import blur_hann, find_sliding_maximum, integrate_rates
from .limits import TURNS


@dataclass(frozen=True)
class TurnPace:
    """How fast a walk turns on its way.

    Attributes
    ----------
    rate
        Fastest turn, radians a second.
    window
        Metres within which a sharper turn is spread.
    ramp
        Seconds from full speed to standing in which the walk slows down before.
    """

    rate: float
    window: float
    ramp: float


@dataclass(frozen=True)
class PacedLine:
    """A line with the pace at which it is walked, V vertices.

    Attributes
    ----------
    line
        World x, y and maybe z, metres, shape (V, 2 or 3).
    headings
        Radians, without jumps, shape (V,).
    distances
        Metres along the line, shape (V,).
    efforts
        Metres that a walk at full speed would have come in the time that it takes to each vertex,
        shape (V,): where the walk slows down they grow faster than the distances.
    """

    line: FloatArray
    headings: FloatArray
    distances: FloatArray
    efforts: FloatArray


def pace_turns(
    line: FloatArray, headings: FloatArray, speed: float, turns: TurnPace | None
) -> PacedLine:
    """How a line is walked with its turns at a speed.

    Parameters
    ----------
    line, headings
        As `round_corners` gives them, shapes (V, 2 or 3) and (V,).
    speed
        Full speed, metres a second.
    turns
        How fast the walk turns; None walks at full speed all along.

    Returns
    -------
    PacedLine
        The line as given where it turns no faster than the walk does.
    """
    distances = measure_line(line)
    plain = PacedLine(line, headings, distances, distances)
    if turns is None or distances[-1] <= 0.0:
        return plain
    count = int(np.ceil(distances[-1] / turns.window * TURNS.stations)) + 1
    if count > TURNS.most_stations:
        return plain
    places = np.linspace(0.0, distances[-1], max(count, 3))
    step, half = places[1], 0.5 * turns.window
    own = np.interp(places, distances, headings)
    ahead = np.interp(places + half, distances, headings)
    behind = np.interp(places - half, distances, headings)
    # How often too fast the way turns, looked at over the window: shakes of a drawn line are no turns.
    asked = np.abs(ahead - behind) / turns.window * speed / turns.rate
    if not np.any(asked > 1.0):
        return plain
    reach = max(round(half / step), 1)
    tight = find_sliding_maximum(step_cubic((asked - 1.0) / TURNS.tight), reach)
    tight = blur_hann(tight, reach)
    turned = own + tight * (blur_hann(own, reach) - own)
    rates = np.where(tight > 0.0, np.abs(np.gradient(turned, step)), 0.0)
    speeds = speed / np.maximum(rates * speed / turns.rate, 1.0)
    slowness = speed / limit_gains(speeds, step, speed / turns.ramp)
    efforts = integrate_rates(slowness, places)
    walked = np.stack([np.interp(places, distances, column) for column in line.T], axis=1)
    return PacedLine(walked, turned, places, efforts)


def limit_gains(speeds: FloatArray, step: float, gain: float) -> FloatArray:
    """Highest speeds within these that change by no more than a gain.

    Parameters
    ----------
    speeds
        Metres a second at stations along a way, shape (V,).
    step
        Metres between two stations.
    gain
        Metres a second squared.
    """
    energy = speeds * speeds
    rise = 2.0 * gain * step * np.arange(len(speeds))
    before = np.minimum.accumulate(energy - rise) + rise
    after = (np.minimum.accumulate((energy + rise)[::-1])[::-1]) - rise
    return np.sqrt(np.minimum(before, after))
