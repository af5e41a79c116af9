# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a character is steered."""

from __future__ import annotations

import math

from .kinds import ACCELERATION, SPEED, TURN_RATE, Flag, Number, list_settings

_FASTEST = 100000.0

DRIVE = list_settings(
    Number(
        name="walk_speed",
        label="Walk",
        description="Speed ahead of a steered walk; 0 for that of the slowest walk that goes ahead",
        default=0.0,
        low=0.0,
        high=_FASTEST,
        soft_high=5.0,
        unit=SPEED,
    ),
    Number(
        name="run_speed",
        label="Run",
        description="Speed ahead while Shift is held; 0 for that of the fastest motion that goes ahead, "
        "or somewhat more than the walk",
        default=0.0,
        low=0.0,
        high=_FASTEST,
        soft_high=10.0,
        unit=SPEED,
    ),
    Number(
        name="acceleration",
        label="Acceleration",
        description="How quickly it speeds up; it slows down half as quickly again, and stops three "
        "times as quickly",
        default=2.0,
        low=0.01,
        high=_FASTEST,
        soft_low=0.5,
        soft_high=10.0,
        unit=ACCELERATION,
    ),
    Number(
        name="turn_rate",
        label="Turn Rate",
        description="How fast it turns in a second",
        default=math.radians(100.0),
        low=math.radians(1.0),
        high=math.radians(1440.0),
        soft_low=math.radians(20.0),
        soft_high=math.radians(360.0),
        unit=TURN_RATE,
    ),
    Flag(
        name="use_mouse",
        label="Mouse Steers",
        description="The pointer steers like the stick of a gamepad, from the middle of the view: up "
        "goes ahead, to the side turns; keys count beside it",
    ),
)
