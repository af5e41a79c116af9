# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What someone who steers asks for: keys that are held, and what they mean (numpy only)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

AHEAD, BACK, TURN_LEFT, TURN_RIGHT = "ahead", "back", "turn left", "turn right"
SIDE_LEFT, SIDE_RIGHT, RUN, CROUCH, STOP = "side left", "side right", "run", "crouch", "stop"
COMMANDS = (AHEAD, BACK, TURN_LEFT, TURN_RIGHT, SIDE_LEFT, SIDE_RIGHT, RUN, CROUCH, STOP)
"""All that can be held."""


@dataclass(frozen=True)
class Controls:
    """What is asked of the body at one time.

    Attributes
    ----------
    ahead, left
        Share of the speed ahead and to the left, -1 to 1; together no more than 1 counts.
    turn
        Share of the turn rate to the left, -1 to 1.
    run, crouch, stop
        Whether it runs, crouches, or stops as quickly as it can.
    """

    ahead: float = 0.0
    left: float = 0.0
    turn: float = 0.0
    run: bool = False
    crouch: bool = False
    stop: bool = False

    def lean(self, turn: float, ahead: float) -> Controls:
        """The same with a stick, -1 to 1 each, added to the keys."""
        return replace(
            self,
            ahead=max(-1.0, min(1.0, self.ahead + ahead)),
            turn=max(-1.0, min(1.0, self.turn + turn)),
        )


@dataclass(frozen=True)
class KeyPress:
    """A command that begins or ends.

    Attributes
    ----------
    time
        Seconds from the start of the drive.
    command
        One of `COMMANDS`.
    is_pressed
        Whether it begins.
    """

    time: float
    command: str
    is_pressed: bool = True

    def __post_init__(self) -> None:
        if self.command not in COMMANDS:
            raise ValueError(f"command must be one of {', '.join(COMMANDS)}, got {self.command!r}")


def read_controls(held: Iterable[str]) -> Controls:
    """What the held commands ask for; opposite ones cancel out."""
    keys = set(held)
    return Controls(
        ahead=float(AHEAD in keys) - float(BACK in keys),
        left=float(SIDE_LEFT in keys) - float(SIDE_RIGHT in keys),
        turn=float(TURN_LEFT in keys) - float(TURN_RIGHT in keys),
        run=RUN in keys,
        crouch=CROUCH in keys,
        stop=STOP in keys,
    )


def hold_keys(presses: Iterable[KeyPress], time: float) -> frozenset[str]:
    """The commands that are held at a time in seconds."""
    held: set[str] = set()
    for press in sorted(presses, key=lambda p: p.time):
        if press.time > time:
            break
        (held.add if press.is_pressed else held.discard)(press.command)
    return frozenset(held)
