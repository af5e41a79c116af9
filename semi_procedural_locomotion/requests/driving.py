# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a drive is asked for with."""

from __future__ import annotations

from dataclasses import dataclass

from .settings.driving import DRIVE
from .settings.kinds import check_values


@dataclass(frozen=True)
class DriveChoices:
    """How a character is steered.

    Attributes
    ----------
    walk_speed, run_speed
        Metres a second; 0 for those of the motions.
    acceleration
        Metres a second squared.
    turn_rate
        Radians a second.
    use_mouse
        Whether the pointer steers like the stick of a gamepad.

    Raises
    ------
    SettingError
        A value is of the wrong kind or out of its range.
    """

    walk_speed: float = DRIVE["walk_speed"].default
    run_speed: float = DRIVE["run_speed"].default
    acceleration: float = DRIVE["acceleration"].default
    turn_rate: float = DRIVE["turn_rate"].default
    use_mouse: bool = DRIVE["use_mouse"].default

    def __post_init__(self) -> None:
        check_values(DRIVE, vars(self))
