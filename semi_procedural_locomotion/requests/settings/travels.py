# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a character goes and how fast."""

from __future__ import annotations

from typing import Any

from .kinds import LEG, SECONDS, SPEED, Choice, Flag, Number, Option, list_settings

# Metres a second; characters in other units than metres walk by hundreds.
_FASTEST = 100000.0

_START: dict[str, Any] = {
    "label": "Start",
    "description": "How the walk begins",
    "options": (
        Option("stand", "Standing", "Begin at rest and speed up"),
        Option("moving", "Moving", "Begin at full speed"),
    ),
}
_STOP: dict[str, Any] = {
    "label": "Stop",
    "description": "How the walk ends",
    "options": (
        Option("stand", "Standing", "Slow down and end at rest"),
        Option("moving", "Moving", "End at full speed"),
    ),
}

TRAVEL = list_settings(
    Number(
        name="speed",
        label="Speed",
        description="Speed along the way; key it to change it over time, down to 0 to stand for a "
        "while",
        default=None,
        automatic="that of the plain walk",
        low=0.0,
        high=_FASTEST,
        soft_low=0.01,
        soft_high=10.0,
        unit=SPEED,
    ),
    Number(
        name="rounds",
        label="Rounds",
        description="How many times a way that ends where it begins is walked; 0 goes on until the "
        "scene ends",
        default=1.0,
        low=0.0,
        high=1000.0,
        soft_high=10.0,
    ),
    Choice(
        name="heading",
        label="Heading",
        description="Where the character faces",
        default="along",
        options=(
            Option("along", "Along the Way", "Turn along the way"),
            Option(
                "kept", "Kept", "Keep facing as it stands, with steps to the side and backwards"
            ),
        ),
    ),
    Flag(
        name="slow_turns",
        label="Slow in Turns",
        description="Slow down where the way turns faster than a step of 50 degrees, as at a hairpin, "
        "and turn there in steps",
        default=True,
    ),
    Flag(
        name="slow_climbs",
        label="Slow on Climbs",
        description="Slow down where the ground climbs or falls by more than Climb per Step at the "
        "pace of the walk, and take stairs one tread after the other, as slowly as people do; a keyed "
        "speed stays as it is",
        default=True,
    ),
    Choice(name="start", default="stand", **_START),
    Choice(name="stop", default="stand", **_STOP),
    Number(
        name="ease",
        label="Ease",
        description="How long it takes to speed up from standing and to slow down; 0 for a little "
        "more than a cycle of the walk",
        default=None,
        automatic="1.25 cycles of the walk",
        low=0.0,
        high=3600.0,
        soft_high=10.0,
        unit=SECONDS,
    ),
    Flag(
        name="jump_gaps",
        label="Jump Gaps",
        description="Jump over gaps in the ground that are wider than a step, and down from edges higher "
        "than half a leg; a keyed speed is kept, and nothing jumped then",
    ),
    Number(
        name="longest_jump",
        label="Longest Jump",
        description="Widest gap and deepest edge that are jumped, as a share of the leg's length",
        default=2.0,
        low=0.1,
        high=100.0,
        soft_high=5.0,
        unit=LEG,
    ),
    Flag(
        name="keep_clear",
        label="Keep Clear of Walls",
        description="Shift the way aside by up to the body's width where the body would pass through "
        "something; for points, curves and straight ahead, not for animation and footsteps",
    ),
)

# Straight ahead most walks are pieces of longer ones.
STRAIGHT = list_settings(
    Choice(name="start", default="moving", **_START),
    Choice(name="stop", default="moving", **_STOP),
)
