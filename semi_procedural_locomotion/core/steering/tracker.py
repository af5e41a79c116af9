# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Velocity, turn and acceleration of something that is only seen to move (numpy only).

Source: the thesis' tracker; it is smoothed alike at any rate, and turns are about the world's up
(docs/method/steering.md, Tracker).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .limits import TRACKER


def follow_share(rate: float, seconds: float) -> float:
    """Share of the way to its goal that something follows in some seconds, 1 - exp(-rate t)."""
    return float(-np.expm1(-rate * seconds))


def swing_to(
    value: float, rate: float, goal: float, stiffness: float, seconds: float
) -> tuple[float, float]:
    """A value and its rate on their way to a goal, critically damped: without a jerk or an overshoot.

    Parameters
    ----------
    value, rate, goal
        Where it is, how fast it changes in a second, and where it shall be.
    stiffness
        Of the spring, 1 / s: it is there in some 5 / stiffness seconds.
    seconds
        Time that passes; the formula is exact for any.
    """
    away, fades = value - goal, float(np.exp(-stiffness * seconds))
    pulled = (rate + stiffness * away) * seconds
    return goal + (away + pulled) * fades, (rate - stiffness * pulled) * fades


@dataclass(frozen=True)
class Tracker:
    """What was seen so far.

    Attributes
    ----------
    position, yaw
        Where it was seen last, world metres, shape (2,), and radians.
    raw
        Velocity between the last two sights, world metres a second, shape (2,).
    velocity
        The same smoothed.
    acceleration
        Smoothed, world, metres a second squared, shape (2,).
    turn_rate
        Smoothed, radians a second, left is positive.
    """

    position: FloatArray
    yaw: float
    raw: FloatArray = field(default_factory=lambda: np.zeros(2))
    velocity: FloatArray = field(default_factory=lambda: np.zeros(2))
    acceleration: FloatArray = field(default_factory=lambda: np.zeros(2))
    turn_rate: float = 0.0

    def see(self, position: FloatArray, yaw: float, seconds: float) -> Tracker:
        """The tracker after it was seen elsewhere.

        Parameters
        ----------
        position, yaw
            Where it is now, world metres, shape (2,), and radians.
        seconds
            Since it was seen last; no time leaves all as it was.
        """
        if seconds <= 0.0:
            return self
        raw = (position - self.position) / seconds
        turn = float(rot.wrap_angles(yaw - self.yaw)) / seconds
        jerk = (raw - self.raw) / seconds
        shares = [
            follow_share(rate, seconds)
            for rate in (TRACKER.velocity, TRACKER.acceleration, TRACKER.turn_rate)
        ]
        return Tracker(
            position=position,
            yaw=yaw,
            raw=raw,
            velocity=self.velocity + shares[0] * (raw - self.velocity),
            acceleration=self.acceleration + shares[1] * (jerk - self.acceleration),
            turn_rate=self.turn_rate + shares[2] * (turn - self.turn_rate),
        )

    @property
    def local_velocity(self) -> FloatArray:
        """The smoothed velocity in character space, metres a second, shape (2,)."""
        cosine, sine = np.cos(self.yaw), np.sin(self.yaw)
        x, y = self.velocity
        return np.array([cosine * x + sine * y, cosine * y - sine * x])
