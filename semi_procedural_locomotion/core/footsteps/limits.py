# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: footsteps, and the walk along them (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClaimLimits:
    """Which print a kept footstep takes the place of (docs/method/footsteps.md, Claims)."""

    along: float = 0.5
    """Share of a stride along the travel beyond which no stance is claimed: another step is nearer."""
    across: float = 1.0
    """Share of a stride beside it: there another part of the travel passes."""
    across_cost: float = 0.3
    """Cost of distance beside the travel against that along it."""
    cycle_cost: float = 0.2
    """Share of a stride that a cycle apart in time costs: where the travel passes twice, the stance
    nearest in time is claimed."""
    most_cycles: float = 3.0
    """Cycles apart that cost more than any fewer; others cost as much."""
    parked_cost: float = 0.1
    """Share of a stride that a later print of a foot that stays costs: its first comes before."""
    standing: float = 0.05
    """Share of the slowest walk's speed below which a body stands: its heading tells where ahead is."""
    shuffle: float = 0.15
    """Share of a stride; before the first footstep no foot takes a shorter step."""


CLAIMS = ClaimLimits()
