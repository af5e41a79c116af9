# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the character goes: its place and heading at any time (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import TravelError
from . import rotations as rot
from .rotations import FloatArray

# A travel that starts or stops standing reaches its speed within this many cycles of the walk.
RAMP_CYCLES = 1.25
# A way that takes longer than this many seconds is a mistake.
_LONGEST = 3600.0
# Samples a second of a travel made from points; fine enough that linear reading is exact enough.
_POINT_RATE = 240.0
# End twists are measured over this time, seconds.
_END_SPAN = 1.0 / 30.0


@dataclass(frozen=True)
class Travel:
    """Place and heading of the character's origin over time.

    Attributes
    ----------
    times
        Seconds of the scene's clock, increasing, shape (K,), K >= 1.
    positions
        World position of the character's origin, metres, shape (K, 3). Only x and y steer the walk;
        z tells on which level of the ground it starts.
    yaws
        Turn of the character about up against its rest heading, radians, without jumps, shape (K,).
    phases
        Common phase of the walk in cycles, increasing, shape (K,), where footsteps fix it; None where
        it follows from the speed.
    standing_until
        Seconds before which no foot takes a short step, where footsteps tell the first step.
    warnings
        What is odd about the way, in words with the cure.
    """

    times: FloatArray
    positions: FloatArray
    yaws: FloatArray
    phases: FloatArray | None = None
    standing_until: float | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        count = len(self.times)
        if count < 1:
            raise TravelError("the travel has no samples: give it a path or an animated object")
        if self.positions.shape != (count, 3) or self.yaws.shape != (count,):
            raise ValueError(
                f"positions must have shape ({count}, 3) and yaws ({count},), got "
                f"{self.positions.shape} and {self.yaws.shape}"
            )
        if count > 1 and np.any(np.diff(self.times) <= 0):
            raise ValueError("travel times must increase")
        if not (np.all(np.isfinite(self.positions)) and np.all(np.isfinite(self.yaws))):
            raise TravelError("the travel holds values that are not finite")

    @property
    def start(self) -> float:
        """Time of the first sample, seconds."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Time of the last sample, seconds."""
        return float(self.times[-1])

    def evaluate(self, times: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Place and heading at any times.

        Between samples a cubic through the samples is followed; before the first and after the last
        the character goes on with the speed and turn rate that it has there.

        Parameters
        ----------
        times
            Seconds, any shape (N,).

        Returns
        -------
        positions, yaws
            Shapes (N, 3) and (N,).
        """
        times = np.asarray(times, dtype=np.float64)
        if len(self.times) == 1:
            return np.repeat(self.positions, len(times), 0), np.repeat(self.yaws, len(times))
        values = np.concatenate([self.positions, self.yaws[:, None]], axis=1)
        inside = np.clip(times, self.start, self.end)
        result = _interpolate_cubic(self.times, values, inside)
        positions, yaws = result[:, :3], result[:, 3]
        for end_time, after in ((self.start, False), (self.end, True)):
            beyond = times > end_time if after else times < end_time
            if np.any(beyond):
                place, heading = self._continue_twist(end_time, after, times[beyond] - end_time)
                positions[beyond], yaws[beyond] = place, heading
        return positions, yaws

    def _continue_twist(
        self, end_time: float, after: bool, elapsed: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Motion at constant speed and turn rate past one end."""
        span = min(_END_SPAN, self.end - self.start)
        inner = end_time - span if after else end_time + span
        values = np.concatenate([self.positions, self.yaws[:, None]], axis=1)
        ends = _interpolate_cubic(self.times, values, np.array([inner, end_time]))
        rate = (ends[1] - ends[0]) / (end_time - inner)
        turn = rate[3]
        # The mean velocity over the span points half the span's turn away from the end's own.
        lead = rot.rotate(
            rot.quaternions_from_yaws(0.5 * turn * (end_time - inner)),
            np.array([rate[0], rate[1], 0.0]),
        )
        angle = turn * elapsed
        if abs(turn) > 1e-4:
            along, across = np.sin(angle) / turn, (1.0 - np.cos(angle)) / turn
        else:
            along, across = elapsed, np.zeros_like(elapsed)
        place = ends[1, :3] + np.stack(
            [
                lead[0] * along - lead[1] * across,
                lead[0] * across + lead[1] * along,
                np.zeros_like(along),
            ],
            axis=1,
        )
        return place, ends[1, 3] + angle


def _interpolate_cubic(knots: FloatArray, values: FloatArray, times: FloatArray) -> FloatArray:
    """Cubic Hermite curve through (K, C) values with three-point tangents, at times inside (N,)."""
    steps = np.diff(knots)[:, None]
    slopes = np.diff(values, axis=0) / steps
    tangents = np.empty_like(values)
    tangents[0], tangents[-1] = slopes[0], slopes[-1]
    if len(knots) > 2:
        before, behind = steps[:-1], steps[1:]
        tangents[1:-1] = (slopes[:-1] * behind + slopes[1:] * before) / (before + behind)
        # No overshoot where the motion stops: a tangent at a rest is a rest.
        still = (np.abs(slopes[:-1]) < 1e-9) | (np.abs(slopes[1:]) < 1e-9)
        tangents[1:-1] = np.where(still, 0.0, tangents[1:-1])
    index = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
    step = steps[index]
    x = ((times - knots[index]) / step[:, 0])[:, None]
    return (
        values[index] * (1 + 2 * x) * (1 - x) ** 2
        + tangents[index] * step * x * (1 - x) ** 2
        + values[index + 1] * x * x * (3 - 2 * x)
        + tangents[index + 1] * step * x * x * (x - 1)
    )


def make_straight_travel(
    position: FloatArray, yaw: float, velocity: FloatArray, start: float, end: float
) -> Travel:
    """Travel straight on at constant speed.

    Parameters
    ----------
    position
        World position at the start, metres, shape (3,).
    yaw
        Turn about up against the rest heading, radians.
    velocity
        In character space, metres a second, shape (2,).
    start, end
        Seconds.
    """
    times = np.array([start, max(end, start + 1.0)])
    world = rot.rotate(rot.quaternions_from_yaws(yaw), np.array([velocity[0], velocity[1], 0.0]))
    positions = np.asarray(position) + (times - start)[:, None] * world
    return Travel(times, positions, np.full(2, float(yaw)))


def travel_from_points(
    points: FloatArray,
    speed: float,
    *,
    facing: float,
    corner_radius: float,
    ramp_time: float,
    start_time: float = 0.0,
    height: float = 0.0,
    start_standing: bool = True,
    stop_standing: bool = True,
) -> Travel:
    """Travel along a line of points, corners rounded, at one speed.

    Parameters
    ----------
    points
        World x, y in metres, shape (P, 2), P >= 2.
    speed
        Metres a second, positive.
    facing
        Angle of the character's travel direction at rest (counter-clockwise from +X), radians; the
        yaw turns it along the path.
    corner_radius
        Radius of the arcs that replace corners, metres; less where the legs of a corner are short.
    ramp_time
        Seconds from standing to full speed.
    start_time
        Seconds at which the first point is left.
    height
        World z of the first point, metres.
    start_standing, stop_standing
        Whether the travel begins and ends at rest.

    Raises
    ------
    TravelError
        For fewer than two different points or a speed that is not positive.
    """
    if not speed > 0:
        raise TravelError(f"the travel's speed must be above 0 m/s, got {speed:g}")
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or not np.all(np.isfinite(points)):
        raise TravelError("the travel's path must be a list of [x, y] points in metres")
    if len(points):
        apart = np.hypot(*np.diff(points, axis=0).T) > 1e-9
        points = points[np.concatenate([[True], apart])]
    if len(points) < 2:
        raise TravelError("the travel's path needs two different points or more: add points")
    line, headings = _round_corners(points, corner_radius)
    distance = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    if distance[-1] / speed > _LONGEST:
        raise TravelError(
            f"the way of {distance[-1]:.4g} m takes {distance[-1] / speed / 3600.0:.3g} hours at "
            f"{speed:g} m/s: shorten it or walk faster"
        )
    times, travelled = _run_distance(distance[-1], speed, ramp_time, start_standing, stop_standing)
    x = np.interp(travelled, distance, line[:, 0])
    y = np.interp(travelled, distance, line[:, 1])
    yaws = np.interp(travelled, distance, headings) - facing
    yaws = yaws - 2 * np.pi * np.round(yaws[0] / (2 * np.pi))
    positions = np.stack([x, y, np.full_like(x, height)], axis=1)
    return Travel(times + start_time, positions, yaws)


def _run_distance(
    length: float, speed: float, ramp: float, standing_start: bool, standing_stop: bool
) -> tuple[FloatArray, FloatArray]:
    """Times and distances of a run with quintic speed ramps at the standing ends."""
    ends = int(standing_start) + int(standing_stop)
    if ends and 0.5 * ends * speed * ramp > length:
        # Too short for full speed: the same shape with a lower top speed and shorter ramps.
        share = np.sqrt(length / (0.5 * ends * speed * ramp))
        speed, ramp = speed * share, ramp * share
    cruise = (length - 0.5 * ends * speed * ramp) / speed
    duration = cruise + ends * ramp
    count = max(int(np.ceil(duration * _POINT_RATE)), 2)
    times = np.linspace(0.0, duration, count + 1)
    rate = np.ones_like(times)
    if standing_start:
        rate = rate * rot.step_quintic(times / ramp)
    if standing_stop:
        rate = rate * rot.step_quintic((duration - times) / ramp)
    travelled = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(times))])
    return times, travelled * (length / travelled[-1])


def _round_corners(points: FloatArray, radius: float) -> tuple[FloatArray, FloatArray]:
    """Polyline with corners replaced by arcs, and its heading at each vertex, unwrapped."""
    steps = np.diff(points, axis=0)
    sizes = np.hypot(*steps.T)
    directions = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    line: list[FloatArray] = [points[:1]]
    headings: list[FloatArray] = [directions[:1]]
    for corner in range(1, len(points) - 1):
        turn = directions[corner] - directions[corner - 1]
        room = 0.5 * min(sizes[corner - 1], sizes[corner])
        reach = (
            min(radius * abs(np.tan(0.5 * turn)), 0.98 * room) if abs(turn) < 3.0 else 0.5 * room
        )
        if abs(turn) < 1e-6:
            continue
        count = max(int(np.ceil(abs(turn) / np.radians(2.0))), 2)
        share = np.linspace(0.0, 1.0, count + 1)
        before = points[corner] - reach * steps[corner - 1] / sizes[corner - 1]
        arc_headings = directions[corner - 1] + turn * share
        chord = np.stack([np.cos(arc_headings), np.sin(arc_headings)], axis=1)
        moves = 0.5 * (chord[1:] + chord[:-1])
        walked = np.concatenate([np.zeros((1, 2)), np.cumsum(moves, axis=0)])
        target = points[corner] + reach * steps[corner] / sizes[corner] - before
        span = float(np.hypot(*walked[-1]))
        scale = float(np.hypot(*target)) / span if span > 1e-9 else 0.0
        line.append(before + walked * scale)
        headings.append(arc_headings)
    line.append(points[-1:])
    headings.append(directions[-1:])
    joined = np.concatenate(line)
    return _spread_headings(joined, np.concatenate(headings))


def _spread_headings(line: FloatArray, headings: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Drop vertices that coincide so that distance along the line increases."""
    apart = np.hypot(*np.diff(line, axis=0).T) > 1e-9
    keep = np.concatenate([[True], apart])
    return line[keep], headings[keep]
