# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a character has come along a way at each time: speeds, and how it gets to them.

A speed may change over time as an animator keyed it; ends at rest are eased (numpy only).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TravelError
from ..maths import rotations as rot
from ..maths.lines import measure_line
from ..maths.rotations import FloatArray, step_cubic
from ..maths.smoothing import blur_hann, find_sliding_maximum, integrate_rates
from .limits import RUN, TURNS, WAY


@dataclass(frozen=True)
class SpeedCurve:
    """Speed along a way over time.

    Attributes
    ----------
    times
        Seconds of the scene's clock, increasing, shape (K,), K >= 1.
    speeds
        Metres a second, shape (K,). Straight lines lie between; before the first and after the last
        the speed stays. The way is not walked back: less than 0 counts as 0.
    """

    times: FloatArray
    speeds: FloatArray

    @property
    def fastest(self) -> float:
        """Highest speed, 0 or more, metres a second."""
        return max(float(np.max(self.speeds)), 0.0)

    def find_speeds(self, times: FloatArray) -> FloatArray:
        """Speeds at times in seconds, 0 or more, shape as given."""
        return np.maximum(np.interp(times, self.times, self.speeds), 0.0)


@dataclass(frozen=True)
class Ease:
    """Record of how a run begins and ends.

    Attributes
    ----------
    time
        Seconds from standing to full speed and back.
    start_standing, stop_standing
        Whether the ends are at rest.
    """

    time: float
    start_standing: bool = True
    stop_standing: bool = True

    @property
    def standing_ends(self) -> int:
        """How many ends are at rest."""
        return int(self.start_standing) + int(self.stop_standing)

    def weigh_start(self, elapsed: FloatArray) -> FloatArray:
        """Share of the full speed, 0 to 1, so many seconds after the start, shape as given."""
        if not self.start_standing or self.time <= 0.0:
            return np.ones_like(elapsed)
        return rot.step_quintic(elapsed / self.time)

    def weigh_stop(self, remaining: FloatArray) -> FloatArray:
        """Share of the full speed, 0 to 1, so many seconds before the stop, shape as given."""
        if not self.stop_standing or self.time <= 0.0:
            return np.ones_like(remaining)
        return rot.step_quintic(remaining / self.time)

    def weigh(self, times: FloatArray, duration: float) -> FloatArray:
        """Share of the full speed, 0 to 1, at times from 0 to a duration, seconds, shape as given."""
        return self.weigh_start(times) * self.weigh_stop(duration - times)

    def shorten(self, factor: float) -> Ease:
        """The same with another time."""
        return Ease(self.time * factor, self.start_standing, self.stop_standing)


def run_length(
    length: float, speed: float | SpeedCurve, ease: Ease, start_time: float
) -> tuple[FloatArray, FloatArray]:
    """Times and distances of a run over a length.

    Raises TravelError: the run takes hours, or the speed is 0 all along.

    Parameters
    ----------
    length
        Metres.
    speed
        Metres a second, above 0 where it is a number. A curve that ends at 0 may end the run before.
    start_time
        Seconds of the scene's clock at which it begins.

    Returns
    -------
    times, distances
        Seconds since the start and metres, shapes (K,).
    """
    if isinstance(speed, SpeedCurve):
        return _run_curve(length, speed, ease, start_time)
    if length / speed > RUN.longest:
        raise TravelError(
            f"the way of {length:.4g} m takes longer than an hour at {speed:g} m/s: shorten it or walk "
            "faster"
        )
    ends, ramp = ease.standing_ends, ease.time
    if ends and 0.5 * ends * speed * ramp > length:
        # Too short for full speed: the same shape with a lower top speed and shorter ramps.
        share = float(np.sqrt(length / (0.5 * ends * speed * ramp)))
        speed, ease = speed * share, ease.shorten(share)
    duration = length / speed + 0.5 * ends * ease.time
    times = _spread_times(duration)
    travelled = integrate_rates(ease.weigh(times, duration), times)
    return times, travelled * (length / travelled[-1])


def run_duration(
    duration: float, speed: float | SpeedCurve, ease: Ease, start_time: float
) -> tuple[FloatArray, FloatArray]:
    """Times and distances of a run that lasts for a duration in seconds; see `run_length`.

    Raises TravelError: the run has no duration, or the speed is 0 all along.
    """
    if not 0.0 < duration <= RUN.longest:
        raise TravelError(
            f"the walk would last {duration:g} s: let it end after its start and within an hour"
        )
    ends = ease.standing_ends
    if ends * ease.time > duration:
        ease = ease.shorten(duration / (ends * ease.time))
    times = _spread_times(duration)
    curve = speed if isinstance(speed, SpeedCurve) else SpeedCurve(np.zeros(1), np.array([speed]))
    travelled = integrate_rates(
        curve.find_speeds(start_time + times) * ease.weigh(times, duration), times
    )
    if not travelled[-1] > 0.0:
        raise TravelError("the travel's speed is 0 m/s all along: key a speed above 0")
    return times, travelled


def _run_curve(
    length: float, curve: SpeedCurve, ease: Ease, start_time: float
) -> tuple[FloatArray, FloatArray]:
    """A run over a length with a speed that changes over time."""
    final = float(curve.find_speeds(curve.times[-1:])[0])
    horizon = max(float(curve.times[-1]) - start_time, 0.0) + 2.0 * ease.time
    if final > 0.0:
        horizon += length / final + 1.0 / RUN.rate
    times = _spread_times(min(horizon, RUN.longest))
    rate = curve.find_speeds(start_time + times) * ease.weigh_start(times)
    travelled = integrate_rates(rate, times)
    if not travelled[-1] > 0.0:
        raise TravelError("the travel's speed is 0 m/s all along: key a speed above 0")

    def reach(end: float) -> float:
        """Measure how far a run comes that ends, eased, at a time."""
        last = np.linspace(max(end - ease.time, 0.0), end, RUN.stop_samples)
        lost = np.interp(last, times, rate) * (1.0 - ease.weigh_stop(end - last))
        return float(np.interp(end, times, travelled) - integrate_rates(lost, last)[-1])

    if reach(float(times[-1])) < length * (1.0 - WAY.whole):
        if final > 0.0:
            raise TravelError(
                f"the way of {length:.4g} m takes longer than an hour at the keyed speed: shorten "
                "it or walk faster"
            )
        # The speed ends before the way does, and is its own ease.
        moving = np.flatnonzero(rate > 0.0)
        last = min(int(moving[-1]) + 1, len(times) - 1)
        return times[: last + 1], travelled[: last + 1]
    low, high = 0.0, float(times[-1])
    for _ in range(RUN.halvings):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if reach(middle) < length else (low, middle)
    spread = _spread_times(high)
    rates = curve.find_speeds(start_time + spread) * ease.weigh(spread, high)
    run = integrate_rates(rates, spread)
    return spread, run * (length / run[-1])


def _spread_times(duration: float) -> FloatArray:
    """Times from 0 to a duration in seconds."""
    return np.linspace(0.0, duration, max(int(np.ceil(duration * RUN.rate)), 2) + 1)


@dataclass(frozen=True)
class TurnPace:
    """Record of how fast a walk turns on its way.

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
class _PacedLine:
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
) -> _PacedLine:
    """Find how a line is walked with its turns at a speed.

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
    _PacedLine
        The line as given where it turns no faster than the walk does.
    """
    distances = measure_line(line)
    plain = _PacedLine(line, headings, distances, distances)
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
    return _PacedLine(walked, turned, places, efforts)


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
