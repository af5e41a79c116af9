# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is set by hand of a motion and of its group."""

from __future__ import annotations

from .kinds import SHARE, SPEED, Flag, Number, list_settings

# Metres a second; characters in other units than metres walk by hundreds.
_FASTEST = 100000.0


def _time(name: str, label: str, description: str) -> Number:
    """A time of a foot in the cycle."""
    return Number(
        name=name,
        label=label,
        description=description,
        default=None,
        automatic="as found",
        low=0.0,
        high=1.0,
        unit=SHARE,
    )


MOTION = list_settings(
    Number(
        name="speed",
        label="Own Speed",
        description="Native speed of the motion instead of the measured one; 0 uses that",
        default=None,
        automatic="measured",
        low=0.0,
        high=_FASTEST,
        soft_high=10.0,
        unit=SPEED,
    ),
    _time(
        "strike",
        "Strike",
        "Share of the cycle at which the foot comes to the ground, and stays from there on",
    ),
    _time(
        "stance",
        "Stance",
        "Share of the cycle at which the foot stands where its footprint is planned",
    ),
    _time("off", "Foot-Off", "Share of the cycle at which the foot leaves the ground"),
)

GROUP = list_settings(
    Number(
        name="weight",
        label="Weight",
        description="Share of this group in the walk, may be animated",
        default=1.0,
        low=0.0,
        high=1000.0,
        soft_high=1.0,
        unit=SHARE,
    ),
    Flag(
        name="overrides",
        label="Override",
        description="Take the weight of this group, up to 1, from all groups that do not override, as "
        "for a crouch; else the weights of all groups share the walk out",
    ),
)
