# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: ways, and the runs along them (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class WayLimits:
    """Where the character goes (docs/method/travel.md, Ways)."""

    ramp_cycles: float = 1.25
    """Cycles of the walk within which a travel that starts or stops standing reaches its speed: a
    body gets going within a stride, and stops within one."""
    bend: float = float(np.radians(30.0))
    """Radians; vertices of a drawn curve that turn by less belong to a bend and are no corners."""
    end_span: float = 1.0 / 30.0
    """Seconds over which the speed at an end is measured with which a character goes on past it: one
    frame, as animators know it."""
    straight_rate: float = 1e-4
    """Radians a second; past the ends a slower turn is none, its circle would lose digits."""
    still: float = 1e-9
    """Metres (or radians) a second; a slower sample is a rest, and the curve rests in it."""
    rest: float = 1e-6
    """Metres (or radians) by which a travel moves that goes nowhere."""
    whole: float = 1e-6
    """Share of a way; one that is walked up to this is walked whole."""


@dataclass(frozen=True)
class TurnLimits:
    """How walks slow down for turns (docs/method/travel.md, Turns)."""

    fastest: float = float(np.radians(100.0))
    """Radians in a cycle of the slowest walk: 50 degrees a step, of which people turn back in four. A
    corner of 90 degrees that is walked at native speed turns by 76."""
    window: float = 0.5
    """Strides of that walk within which a sharper turn is spread."""
    tight: float = 0.25
    """Share beyond the fastest turn over which the spreading enters."""
    stations: int = 24
    """Stations in a window: fine enough that linear reading is exact enough."""
    most_stations: int = 4_000_000
    """Stations of a way; a longer one is walked at full speed."""


@dataclass(frozen=True)
class RunLimits:
    """How a run comes along its way (docs/method/travel.md, Speed)."""

    longest: float = 3600.0
    """Seconds; a run that takes longer is a mistake."""
    rate: float = 240.0
    """Samples a second: fine enough that linear reading is exact enough."""
    halvings: int = 60
    """Halvings by which the end of a run is found: to the last bit of its time."""
    stop_samples: int = 257
    """Samples of its slowing down there."""


WAY = WayLimits()
TURNS = TurnLimits()
RUN = RunLimits()
