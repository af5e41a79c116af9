# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints that the user's own footsteps take the place of (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class KeptStep:
    """A footstep that a user placed or moved.

    Attributes
    ----------
    name
        By which the user knows it.
    leg
        Index of the leg.
    position
        Heel end of the sole, world, metres, shape (3,).
    frame
        Rotation whose x axis runs from heel to toe and whose z axis is the sole's normal, shape (4,).
    time
        Seconds of the scene's clock at which it is there and at which it was planned to bear; None
        where that is not known.
    origin
        ``"edited"`` for a planned step that was moved, ``"user"`` for one of the user's own.
    left_out
        Whether the leg leaves this step out and stays where it stood before.
    jump
        Whether a walk along the footsteps jumps to it.
    """

    name: str
    leg: int
    position: FloatArray
    frame: FloatArray
    time: float | None = None
    origin: str = "user"
    left_out: bool = False
    jump: bool = False


@dataclass(frozen=True)
class StepClaims:
    """Which prints of a plan are steps that a user placed or moved.

    Attributes
    ----------
    steps
        All kept steps.
    prints
        Leg and index in the leg's row of the print that each claims, None for none.
    rivals
        For each step, name of the step that claims the print nearest to it; empty where it claims that
        itself, and where none is near.
    """

    steps: tuple[KeptStep, ...] = ()
    prints: tuple[tuple[int, int] | None, ...] = ()
    rivals: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[KeptStep, ...]:
        """Steps that claim no print."""
        return tuple(s for s, p in zip(self.steps, self.prints, strict=True) if p is None)

    def find_step(self, leg: int, index: int) -> KeptStep | None:
        """The step that claims a print, None for a planned one."""
        for step, place in zip(self.steps, self.prints, strict=True):
            if place == (leg, index):
                return step
        return None
