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
    """Limits of where the character goes (docs/method/travel.md, Ways)."""

    ramp_cycles: float = 1.25
    """Cycles of the walk within which a travel that starts or stops standing reaches its speed: a
    body gets going within a stride, and stops within one."""
    closing_cycles: float = 0.75
    """Cycles before the end of the scene at which the body of one that stops straight ahead has come to
    rest: feet close after it."""
    closing_share: float = 0.25
    """Share of a short walk that this may take."""
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
    """Limits of how walks slow down for turns (docs/method/travel.md, Turns)."""

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
    """Limits of how a run comes along its way (docs/method/travel.md, Speed)."""

    longest: float = 3600.0
    """Seconds; a run that takes longer is a mistake."""
    rate: float = 240.0
    """Samples a second: fine enough that linear reading is exact enough."""
    halvings: int = 60
    """Halvings by which the end of a run is found: to the last bit of its time."""
    stop_samples: int = 257
    """Samples of its slowing down there."""


@dataclass(frozen=True)
class PassageLimits:
    """What a body passes through on its way (docs/method/travel.md, Walls). L is the leg's length."""

    spacing: float = 0.15
    """Share of L between two stations: a quarter of a person's width."""
    pause: float = 0.25
    """Seconds between two stations while the body stands, where something else may come by."""
    knee: float = 0.4
    """Share of L. What is no ground is told from this height on: grass, pebbles and kerbs are lower,
    seats and tables higher."""
    crown: float = 0.75
    """Share of a body's height from which things are told in any case: low bodies on long legs step
    over things that are higher than their backs."""
    margin: float = 0.03
    """Share of L by which a body may be in something: a sleeve that brushes a door post."""
    narrowest: float = 0.3
    """Share of the greatest width that every height has at least."""
    levels: int = 6
    """Count of heights from what can be stepped on up to the crown."""
    columns: int = 5
    """Count of places from side to side."""
    climb_span: float = 0.5
    """Share of L before and behind over which the ground's rise along the way is taken, or the
    body's own length: single treads are no slope."""
    steepest: float = 1.0
    """Rise of the ground to the sides beyond which it is a wall, whatever a sole may lie on."""
    edge: int = 2
    """Stations before and behind whose highest ground counts, as for a body that passes an edge."""
    gap: int = 3
    """Stations between two passages through the same thing."""


@dataclass(frozen=True)
class FurnitureLimits:
    """What is climbed and left at once (docs/method/travel.md, Furniture). L is the leg's length."""

    spacing: float = 0.03
    """Share of L between two places that are looked at: the back of a chair is as thick."""
    most: int = 4000
    """Count of them; long ways are looked at less closely."""
    span: float = 1.0
    """Share of L; what is longer along the way is a floor of its own, as a stage is. Seats are less."""
    gap: float = 0.6
    """Share of L; things so near to each other make a path, as stepping stones do."""
    lines: int = 5
    """Count of lines across the body's width along which things are looked for."""
    rounds: int = 2
    """Times that what is too high is taken away: things may stand on it."""


@dataclass(frozen=True)
class ClearingLimits:
    """Ways that keep clear of walls (docs/method/travel.md, Keeping clear of walls)."""

    widths: float = 1.0
    """Body's widths by which a way is shifted at the most; more would be another way."""
    columns: int = 6
    """Places that are tried in half a body's width."""
    gap: float = 0.04
    """Share of L that stays free beside the body, for clothes and swinging arms."""
    before: float = 4.0
    """Multiple of L before and behind a wall within which the way may give way."""
    blocked: float = 200.0
    """Cost of a station at which half the body is in a wall, beside which all others are small."""
    aside: float = 0.02
    """Cost of a station that is shifted by a whole width: the way is left as late as it can be, and
    not at all without need."""
    turn: float = 0.1
    """Cost of one place to the side: few turns rather than many."""
    end: float = 40.0
    """Cost of a station at an end of the way that is shifted by half a width: ends stay, but where
    a wall so near to them cannot be passed otherwise."""
    scraped: float = 0.13
    """Share of L by which a wall is in the way around it, as stations see it that look ahead, before an
    end of the way is moved for it: with less the body just gets past."""
    smoothing: int = 4
    """Stations to both sides over which the shift is smoothed, and for so many a wall counts."""
    moving: float = 0.3
    """Share of the spacing of stations below which a body stands and is not shifted any further."""
    least: float = 1e-3
    """Share of L; a smaller shift is none."""
    slow: float = 0.05
    """Share of the way's highest speed below which a body does not turn into its shift."""
    blur: float = 0.15
    """Seconds over which a shifted way is smoothed, so that its speed has no steps."""
    rounds: int = 2
    """Times that a way is shifted: what it meets beside its old line is seen in the second."""


WAY = WayLimits()
TURNS = TurnLimits()
RUN = RunLimits()
PASSAGE = PassageLimits()
FURNITURE = FurnitureLimits()
CLEARING = ClearingLimits()
