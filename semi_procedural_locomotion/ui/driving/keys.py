# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which keys and which places of the pointer steer, without windows."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...core.steering import controls
from ...core.steering.controls import Controls, read_controls
from ..limits import DRIVING

# Types of Blender's events, by what they ask for while they are held.
KEYS = {
    "W": controls.AHEAD,
    "UP_ARROW": controls.AHEAD,
    "S": controls.BACK,
    "DOWN_ARROW": controls.BACK,
    "A": controls.TURN_LEFT,
    "LEFT_ARROW": controls.TURN_LEFT,
    "D": controls.TURN_RIGHT,
    "RIGHT_ARROW": controls.TURN_RIGHT,
    "Q": controls.SIDE_LEFT,
    "E": controls.SIDE_RIGHT,
    "LEFT_SHIFT": controls.RUN,
    "RIGHT_SHIFT": controls.RUN,
    "C": controls.CROUCH,
    "SPACE": controls.STOP,
}


@dataclass
class Stick:
    """Keys that are held, and how far the pointer is from the middle of the view.

    Attributes
    ----------
    held
        Types of the events of the keys.
    tapped
        Those pressed since the stick was read last: where the view is drawn slowly a key may be released
        again before that.
    turn, ahead
        Where the pointer is, -1 to 1 of the half height of the view; 0 where it does not steer.
    """

    held: set[str] = field(default_factory=set)
    tapped: set[str] = field(default_factory=set)
    turn: float = 0.0
    ahead: float = 0.0

    def press(self, key: str, value: str) -> bool:
        """Take in a key that is pressed or released; False where it is none that steers."""
        if key not in KEYS:
            return False
        if value == "RELEASE":
            self.held.discard(key)
        else:
            self.held.add(key)
            self.tapped.add(key)
        return True

    def point(self, x: float, y: float, width: float, height: float) -> None:
        """Take in the place of the pointer, in pixels from the lower left corner of the view."""
        half = 0.5 * max(height, 1.0)
        self.turn = _ease((0.5 * width - x) / half)
        self.ahead = _ease((y - 0.5 * height) / half)

    def let_go(self) -> None:
        """Hold nothing, as where the window no longer hears of keys."""
        self.held.clear()
        self.tapped.clear()
        self.turn = self.ahead = 0.0

    def read(self) -> Controls:
        """What is asked for in the next step; a key that was only tapped counts for that one."""
        keys = self.held | self.tapped
        self.tapped.clear()
        return read_controls(KEYS[key] for key in keys).lean(self.turn, self.ahead)


def _ease(share: float) -> float:
    """A stick's share with a rest in its middle, -1 to 1."""
    size = (abs(share) - DRIVING.rest) / (DRIVING.full - DRIVING.rest)
    return max(0.0, min(size, 1.0)) * (1.0 if share > 0 else -1.0)
