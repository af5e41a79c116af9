# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of keys, each with its unit and reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KeyEditLimits:
    """Keys that were changed by hand (docs/method/keys.md, Edits)."""

    ease: int = 4
    """Frames beside an edit over which it comes and goes: a sixth of a second of film, in which a nudge
    of some degrees is seen neither as a jump nor as a motion of its own."""

    least: float = 2e-6
    """Radians, metres or factors; what differs by less was changed by rounding: keys are exact to 1e-7 of
    their value."""


KEY_EDIT = KeyEditLimits()


@dataclass(frozen=True)
class KeyTableLimits:
    """Keys of curves (docs/method/keys.md, Sections)."""

    range_end: float = 1e-3
    """Frames by which keys may lie outside of a range and still belong to it: coordinates are exact to
    1e-3 at frame 10000."""

    joined: float = 5e-7
    """Units, or share of the value, by which a walk's end may lie off the curve that it goes on as."""


KEY_TABLES = KeyTableLimits()
