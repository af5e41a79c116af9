# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds of finding and moving controls, each with its unit and reason (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SolvingLimits:
    """How near controls bring the deforming bones (docs/method/controls.md, Correcting)."""

    straight: float = 0.002
    """Share of L. A knee nearer to the line from hip to ankle tells nothing of the side to which it
    bends: single precision moves it by as much."""

    bent: float = 0.02
    """Share of L from which on a knee's side is followed in full. A knee at this distance turned wrong
    by 10 degrees is off by 0.3 % of the leg."""

    near: float = 0.003
    """Share of L. Feet that are nearer to where they shall be are there."""

    gained: float = 0.8
    """A pass that leaves more than this share of what was missing is the last one."""

    passes: int = 5
    """Passes at the most. Two do on plain rigs; stretch and space switches take up to four."""


SOLVING = SolvingLimits()
