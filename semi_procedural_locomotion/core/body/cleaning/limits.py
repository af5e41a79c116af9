# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of cleaned motions (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class HoldingLimits:
    """How feet of a motion that travels are held (docs/method/prints.md, Holding feet)."""

    look_up: float = 1.5
    """Share of L above a foot from which the ground under it is looked for: a motion on a level floor
    may have to climb."""
    rounds: int = 2
    """Times that the slope is looked for, each where the one before has put the foot."""
    lying: float = 0.01
    """Share of L by which both ends of a sole may be apart in height and lie on the ground."""
    level: float = 0.9
    """Share of its length that a sole has as seen from above at least, to lie on both its ends."""
    still: float = 0.05
    """Share of the speed of fast feet at which a frame counts half as still as one at rest."""
    most_twist: float = float(np.radians(20.0))
    """Radians that a foot turns while it lies on the ground, up to which that is taken out. Who turns
    by more means to."""
    least_sole: float = 0.02
    """Share of L; length and width of a sole at least, for feet that are points."""


@dataclass(frozen=True)
class BridgeLimits:
    """How corrections go over swings (docs/method/swings.md, Bridging held feet)."""

    ease: float = 0.2
    """Seconds over which a foot that slid in its stance stops to slide when it leaves."""
    looked: float = 0.15
    """Seconds of a stance that tell how fast its correction changes at an end ..."""
    frames: int = 3
    """... and frames of it at least."""
    margin: float = 0.01
    """Share of L by which a swing stays clear of the ground, where the motion itself does."""
    reach: float = 0.08
    """Seconds to either side over which a swing is raised with a frame that would sink in."""


@dataclass(frozen=True)
class CleaningLimits:
    """How a motion that travels is cleaned (docs/method/body.md, Cleaning a motion)."""

    look_up: float = 1.0
    """Share of L above a foot from which what is under it is looked for."""
    near_up: float = 0.15
    """Share of L above a foot's lowest point from which the ground is looked for that it stands on in
    the motion itself."""
    swinging: float = 0.02
    """Weight of a leg that swings in the height of the hips, against one that stands."""
    rate: float = 96.0
    """Samples a second on which the hips are smoothed."""
    beyond: float = 4.0
    """Deviations of the smoothing by which a way is continued beyond its ends."""


HOLDING = HoldingLimits()
BRIDGES = BridgeLimits()
CLEANING = CleaningLimits()
