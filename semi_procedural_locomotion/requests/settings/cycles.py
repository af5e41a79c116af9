# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user changes of a ready-made gait."""

from __future__ import annotations

from math import radians

from .kinds import FACTOR, LEG, RADIANS, SPEED, TURN_RATE, Flag, Number, list_settings


def _factor(
    name: str, label: str, description: str, soft_high: float = 2.0, low: float = 0.0
) -> Number:
    """A factor on a number of the gait."""
    return Number(
        name=name,
        label=label,
        description=description,
        default=1.0,
        low=low,
        high=10.0,
        soft_high=soft_high,
        unit=FACTOR,
    )


STYLE = list_settings(
    Number(
        name="speed",
        label="Speed",
        description=(
            "Speed that the gait is made for, 0 for its own: walks and runs of two legs step, bend and "
            "swing as people do at that speed"
        ),
        default=0.0,
        low=0.0,
        high=100.0,
        soft_high=6.0,
        unit=SPEED,
    ),
    _factor("pace", "Pace", "Factor on the steps a second; 1 is as measured", low=0.1),
    _factor("stride", "Stride", "Factor on the length of the stride; 1 is as measured"),
    _factor("lift", "Lift", "Factor on the height of the swinging feet; 1 is as measured", 3.0),
    _factor(
        "width", "Width", "Factor on the distance between left and right steps; 1 is as measured"
    ),
    _factor("bounce", "Bounce", "Factor on the rise and fall of the body; 1 is as measured", 3.0),
    _factor(
        "sway",
        "Sway",
        "Factor on the sway and the turning of pelvis and chest; 1 is as measured",
        3.0,
    ),
    _factor("arms", "Arms", "Factor on the swing of arms and shoulders; 1 is as measured", 2.5),
    _factor(
        "roll",
        "Foot Roll",
        "Factor on the roll of the feet over heel and toe; 1 is as measured",
        1.5,
    ),
    Number(
        name="crouch",
        label="Crouch",
        description="Lowering of the body as a share of the leg's length; people walk and stand at 0",
        default=0.0,
        low=0.0,
        high=0.6,
        unit=LEG,
    ),
    Number(
        name="lean",
        label="Lean",
        description="Further forward lean of the body; people lean by 0 on level ground",
        default=0.0,
        low=radians(-45.0),
        high=radians(60.0),
        unit=RADIANS,
    ),
    Number(
        name="turn",
        label="Turn",
        description="Turn in one second, left is positive",
        default=0.0,
        low=radians(-720.0),
        high=radians(720.0),
        soft_low=radians(-120.0),
        soft_high=radians(120.0),
        unit=TURN_RATE,
    ),
    Flag(
        name="mirrored",
        label="Mirror",
        description="Exchange left and right: a sidestep to the left leads to the right",
    ),
)
