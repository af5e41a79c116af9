# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Waits, distances and counts of the user interface, each with its unit and reason.

Sizes in pixels and colours stay beside what they draw.
"""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class PlacingLimits:
    """Footsteps by clicking (docs/method/footsteps.md, Gait seen from above)."""

    turned: float = 0.12
    """Share of the stride; nearer than this to the last place of the body the way keeps its
    direction."""

    beside: float = 0.25
    """Share of the stride; a foot nearer than this to that of another leg makes a pair with it."""

    most_turn: float = math.radians(90.0)
    """Radians by which the way turns from step to step at most; dragging turns further."""

    dragged: float = 0.06
    """Share of the stride; a drag turns the sole once the pointer is so far from it."""

    rounds: int = 3
    """Rounds between the way's direction and where the body comes to be."""

    old: float = 10.0
    """Seconds after which what was read of character and ground is read anew."""

    away: float = 1.0
    """Seconds without the pointer after which it is."""


@dataclass(frozen=True)
class WaitingLimits:
    """Limits of when work is done beside drawing (docs/method/keys.md, Live)."""

    interval: float = 0.001
    """Seconds between steps of long work: as soon as the window has been drawn."""

    patience: float = 0.1
    """Seconds without drawing that a user does not feel as a halt."""

    delay: float = 0.05
    """Seconds from a change to planning a live walk anew."""

    quick: float = 0.25
    """Seconds of planning that count as quick: slower walks wait as long as they take ..."""

    longest_delay: float = 1.0
    """... but no more seconds than these."""


@dataclass(frozen=True)
class OverlayLimits:
    """Limits of how much of long walks is drawn (docs/method/drawing.md, Paths)."""

    piece: int = 32
    """Prints of a walk that are drawn as one piece."""

    most_pieces: int = 3
    """Pieces, those nearest to the viewer, drawn whole with thick lines; the rest is thin."""

    far_stride: int = 6
    """Frames from point to point of the thin lines."""

    far_pixels: float = 4.0
    """Pixels; smaller prints are far."""

    number_pixels: float = 9.0
    """Pixels at a scale of 1; larger prints have room for their number."""

    most_numbers: int = 24
    """Numbers written at once, those nearest to the viewer."""


@dataclass(frozen=True)
class SteeringLimits:
    """Driving in a window (docs/method/steering.md, State)."""

    interval: float = 1.0 / 30.0
    """Seconds between updates."""

    longest_lag: float = 2.0
    """Seconds that one update makes up for: views of large scenes take half a second to draw. What is
    longer is no drawing but a halt, over which nobody steers."""

    longest_work: float = 0.5
    """Seconds of work after which an update is shown, though it has not made up for all."""

    told_loss: float = 0.1
    """Seconds left out that are told in the view."""

    rest: float = 0.12
    """Share of the view's half height about its middle in which the pointer asks for nothing ..."""

    full: float = 0.75
    """... and from which on it asks for all."""


PLACING = PlacingLimits()
DRIVING = SteeringLimits()
WAITING = WaitingLimits()
OVERLAY = OverlayLimits()
