# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of travels, of driving and of the ground."""

from __future__ import annotations

import math
from typing import Any

from .kinds import (
    ACCELERATION,
    LEG,
    SECONDS,
    SPEED,
    TURN_RATE,
    Choice,
    Flag,
    Number,
    Option,
    list_settings,
)

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


GROUND = list_settings(
    Flag(
        name="rendered_only",
        label="Rendered Only",
        description="Leave out objects that are hidden in renders",
    ),
    Flag(
        name="leave_out_instances",
        label="Leave Out Instances",
        description="Leave out everything that is shown by instances, such as grass by Geometry Nodes, "
        "particles and instanced collections",
    ),
    Flag(
        name="leave_out_small",
        label="Leave Out Small Things",
        description="Leave out meshes and instances that are smaller than a sole, seen from above, such "
        "as pebbles and blades of grass: no foot can stand on them",
    ),
    Number(
        name="only_nearby",
        label="Only Nearby",
        description="Leave out what stands still farther from the way than the feet reach and this "
        "many lengths of the leg; 0 looks at the whole scene",
        default=0.0,
        low=0.0,
        high=10000.0,
        soft_high=20.0,
        unit=LEG,
    ),
)
