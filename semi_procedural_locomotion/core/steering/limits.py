# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class MotorLimits:
    """Limits of how a steered body goes (docs/method/steering.md, Motor)."""

    slow_down: float = 1.5
    """Factor on the acceleration with which it slows down: people stop within a step or two."""
    stop: float = 3.0
    """The same where it is told to stop."""
    turn_time: float = 0.25
    """Seconds to the full turn rate."""
    crouched: float = 0.6
    """Share of the speed that is left while it crouches, where no motion does."""
    crouch_time: float = 0.4
    """Seconds to go into a crouch, and out of it."""
    backward: float = 0.7
    """Share of the walk's speed backwards, where no motion goes that way."""
    sideward: float = 0.6
    """The same to the side."""
    run: float = 1.8
    """Factor on the walk's speed of a run, where no motion is faster."""
    faster: float = 1.2
    """Factor on the walk's speed from which on a motion is a run."""
    same_way: float = float(np.cos(np.radians(30.0)))
    """Cosine of the angle within which a motion goes a way."""


@dataclass(frozen=True)
class TrackerLimits:
    """How quickly measured rates are followed, all in 1 / s (docs/method/steering.md, Tracker)."""

    velocity: float = 10.0
    """Of the velocity: within a tenth of a second, as in the thesis' program."""
    acceleration: float = 3.0
    """Of the acceleration, which is the difference of differences and trembles more."""
    turn_rate: float = 6.0
    """Of the turn rate; twice the program's, with which feet turned late."""


@dataclass(frozen=True)
class SteeredStepLimits:
    """Limits of when steered legs step (docs/method/steering.md, Steps)."""

    latest_start: float = 0.5
    """Share of the flight after which a parked foot waits for its next step."""
    seek_speed: float = 3.0
    """Factor on the speed, or leg lengths a second if that is more: how fast a print may move while its
    foot flies."""
    hurry: float = 2.0
    """How much more of the way to its goal a print goes early in the flight."""
    same_place: float = 0.02
    """Leg lengths by which a foreseen print may move until ground is looked for anew ..."""
    same_angle: float = float(np.radians(1.0))
    """... and radians by which it may turn."""


@dataclass(frozen=True)
class SteeredCarriageLimits:
    """Limits of how steered bodies are carried, in 1 / s (docs/method/steering.md, Poses)."""

    weights: float = 7.0
    """How quickly the weights of motions follow the speed."""
    support: float = 9.0
    """How quickly the support height is followed; its rate goes on meanwhile ..."""
    support_rate: float = 6.0
    """... and is followed so quickly."""
    hips: float = 12.0
    """Stiffness of the spring by which hips go to what the legs reach: at once would be a jerk."""
    climb_span: float = 0.35
    """Cycles ahead and back between which the ground's rise counts for the rate of steps."""
    climb: float = 5.0
    """How quickly that rate is followed: feet that are on their way are not whirled."""
    bump: float = 14.0
    """How quickly swings are lifted over what comes into their way."""
    stations: int = 9
    """Places along a swing at which the ground is looked up."""


MOTOR, TRACKER = MotorLimits(), TrackerLimits()
STEPS, CARRIAGE = SteeredStepLimits(), SteeredCarriageLimits()
