# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight lines between the prints of steps, and whether anything blocks them (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from ..prints.steps import StepPlan
from .flight import measure_slope_rises
from .limits import CLEARANCE


@dataclass(frozen=True)
class SwingLines(Columns):
    """Straight lines between the prints of K steps.

    Attributes
    ----------
    behind, ahead
        Prints at the ends, world, metres, shape (K, 3).
    frames_behind, frames_ahead
        Their frames, shape (K, 4).
    times
        Seconds at which the ground is looked at, shape (K,).
    """

    behind: FloatArray
    ahead: FloatArray
    frames_behind: FloatArray
    frames_ahead: FloatArray
    times: FloatArray

    @classmethod
    def read(cls, plan: StepPlan, leg: int, steps: np.ndarray) -> SwingLines:
        """Of steps (K,) of a leg; ground that moves is taken as in the middle of each flight."""
        half = np.full(len(steps), 0.5)
        middles = plan.find_flight_times(leg, steps, half)
        states = plan.read_flights(leg, steps, half, middles)
        return cls(states.behind, states.ahead, states.frames_behind, states.frames_ahead, middles)


def find_blocked_steps(
    lines: SwingLines, ground: Ground, sole: tuple[float, float], leg_length: float
) -> np.ndarray:
    """Quick test: whether anything blocks the straight way between two prints, shape (K,) of bool.

    Motions draw feet back before they leave their prints, and let them overshoot the next: there the
    line goes on with the slopes of the prints.

    ``sole`` is its length and width, ``leg_length`` L, metres.
    """
    length, width = sole
    stations = CLEARANCE.quick_stations
    middle = _place_soles(lines, stations, CLEARANCE.quick_sole, length)
    inside = np.clip(stations, 0.0, 1.0)
    frames = rot.nlerp(lines.frames_behind[:, None], lines.frames_ahead[:, None], inside)
    steps = (lines.ahead - lines.behind)[:, None]
    rises = measure_slope_rises(frames, stations, steps, np.zeros(2))
    middle[..., 2] += (rises - steps[..., 2] * (stations - inside))[..., None]
    side = rot.rotate(
        frames, np.array([0.0, 0.5 * width + CLEARANCE.quick_beside * leg_length, 0.0])
    )
    points = np.concatenate(
        [middle + across * side[:, :, None] for across in (-1.0, 0.0, 1.0)], axis=2
    )
    heights = _cast(ground, lines, points, leg_length)
    above = (heights - points[..., 2]).max(axis=2)
    # What rises like a slope before and beyond the prints is no wall, and feet are high over it.
    outside = np.abs(stations - inside) * np.hypot(steps[..., 0], steps[..., 1])
    free = CLEARANCE.quick_height * leg_length + CLEARANCE.quick_slope * outside
    above = (above > free).any(axis=1)
    moved = np.hypot(*(lines.ahead - lines.behind)[:, :2].T) > 1e-6
    return above & moved


def _place_soles(
    lines: SwingLines,
    stations: FloatArray,
    sole: FloatArray,
    foot_length: float,
) -> FloatArray:
    """Points of the sole at stations of progress on the line, (S,) for all or (K, S), world.

    The result has the shape (K, S, points of the sole, 3).
    """
    stations = np.broadcast_to(stations, (len(lines.behind), np.shape(stations)[-1]))
    away = lines.ahead - lines.behind
    line = lines.behind[:, None] + away[:, None] * stations[..., None]
    frames = rot.nlerp(
        lines.frames_behind[:, None], lines.frames_ahead[:, None], np.clip(stations, 0.0, 1.0)
    )
    vectors = rot.rotate(frames, np.array([foot_length, 0.0, 0.0]))
    points: FloatArray = line[:, :, None] + vectors[:, :, None] * sole[:, None]
    return points


def _cast(ground: Ground, lines: SwingLines, points: FloatArray, leg_length: float) -> FloatArray:
    """Ground heights under points (K, S, P, 3) along lines, metres; -inf where there is none."""
    tops = start_over_prints(lines.behind, lines.ahead, leg_length)[:, None, None]
    floors = tops - STARTS.over_prints * leg_length
    hits = cast_soles(ground, points, tops, lines.times[:, None, None], floors=floors)
    return hits.fill(-np.inf)
