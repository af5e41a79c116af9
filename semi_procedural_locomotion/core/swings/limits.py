# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: what a foot does between two prints (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors, lengths are leg lengths, so that no character is too large or too
small. Values were chosen on ramps, stairs, bumps and stepping stones, with two, four and six legs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class FlightLimits:
    """When a motion's own swing is scaled onto two prints (docs/method/swings.md, The motion's arc)."""

    scaled_from: float = 0.25
    """Length of the pose's own step, share of the real one, from which it is scaled at all: a shorter
    one tells no direction."""
    scaled_over: float = 0.35
    """Share over which that enters."""
    same_from: float = 0.2
    """Cosine between the two steps from which it is scaled: else it would be turned around."""
    same_over: float = 0.5
    """Cosine over which that enters."""
    low: float = 0.03
    """Share of L; a foot that is not higher over its prints stays between them: nearer to the ground it
    is seen to stand (docs/method/swings.md, Low over the prints)."""


@dataclass(frozen=True)
class HeadingLimits:
    """How a foot turns on its way (docs/method/swings.md, Turns in flight)."""

    eased_to: float = float(np.radians(80.0))
    """Radians a second in the mean that an eased turn has at most, 5 degrees in its fastest frame of 30
    a second; a faster one gets even."""
    even_from: float = float(np.radians(160.0))
    """Radians a second in the mean from which a turn is even: a foot that turns 10 degrees in a frame
    is seen to whirl."""
    even_ends: float = 0.2
    """Share of the flight over which an even turn begins and ends."""


@dataclass(frozen=True)
class HeightLimits:
    """How high a swing is (docs/method/swings.md, Least lift)."""

    full_lift: float = 0.6
    """Share of the stride; a step as long gets the walks' own lift in full."""
    foot_share: float = 0.5
    """Share of the foot that a step on the spot counts for each radian of its turn: its middle turns
    about its heel."""
    from_rest: float = 0.6
    """Share of the least clearance that a sole which leaves in a rest has beyond it, in full steps."""
    clearance_begins: float = 0.06
    """Share of the flight over which the least clearance of the sole begins: it is there as soon as the
    foot is off. It ends ..."""
    clearance_ends: float = 0.2
    """... over this share of the flight ..."""
    clearance_near: float = 0.025
    """... and this share of its way before a print. A foot that had all of it until its last frames fell
    by a centimetre in one, and its knee snapped; at 0.06 paws of dogs skim the ground."""
    clearance_corner: float = 0.5
    """Share of the least clearance over which it takes over from the swing's own height."""


@dataclass(frozen=True)
class ClearanceLimits:
    """How the ways of swings are looked at (docs/method/swings.md, Blocked steps)."""

    quick_stations: FloatArray = field(default_factory=lambda: np.linspace(-0.25, 1.25, 25))
    """Progress on the straight line between the prints, and a little before and beyond: soles at
    neighbours overlap on strides of ten of their lengths."""
    quick_sole: FloatArray = field(default_factory=lambda: np.array([0.0, 0.5, 1.0]))
    """Points of the sole, shares of its length."""
    quick_height: float = 0.008
    """Height over the line between the prints that blocks a swing: less is cleared by any lift."""
    quick_beside: float = 0.05
    """Width beside the sole that is looked at, too: motions swing their feet outwards."""
    quick_slope: float = 1.0
    """Slope up to which ground before and beyond the prints is no wall: feet are high over it then."""


@dataclass(frozen=True)
class AsideLimits:
    """How swings are led around partner feet (docs/method/swings.md, Partner feet)."""

    samples: int = 9
    """Instants between its ends at which a swing is looked at."""
    ends: float = 0.4
    """Share of the flight over which it leaves and joins its line."""
    most: float = 0.2
    """How far it is led aside at most."""
    least_bump: float = 0.25
    """Share of the way in its middle that it counts as led aside at least near its ends."""
    passes: int = 3
    """Passes that are made: each measures what is left."""
    straight: float = float(np.radians(2.0))
    """Radians; where no foot turns by more from print to print, swings pass as in the motions."""
    as_in_motions: float = 0.01
    """Prints may be nearer than in the motions by this much for that."""


@dataclass(frozen=True)
class HoldLimits:
    """Feet that stay as they are in a pose beside the walk (docs/method/swings.md, Hand-over)."""

    farthest: float = 0.6
    """Leg lengths from the plan's foot to that of the pose beyond which no step leads there."""
    quickest: float = 0.3
    """Share of a flight in which the last step is taken at the least, so that it lands in the pose."""
    clearance: float = 0.03
    """Leg lengths by which a foot on its way from the air of a pose is raised halfway: toes that bend
    meanwhile stay clear of the ground."""
    level: float = 0.75
    """Share of its time in which a foot that comes down from a pose comes over its place."""
    flattening: float = 0.1
    """Cycles in which a foot lies down from its heel, as people's do after the strike."""
    same_tilt: float = 0.05
    """Radians by which a foot must be rather in the plan's roll than flat to go on rolling with it."""


FLIGHT = FlightLimits()
HEADINGS = HeadingLimits()
HEIGHTS = HeightLimits()
CLEARANCE = ClearanceLimits()
ASIDES = AsideLimits()
HOLDS = HoldLimits()
