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
    tiny_square: float = 1e-10
    """Square metres; a step shorter than its root is none."""


@dataclass(frozen=True)
class HeadingLimits:
    """How a foot turns on its way (docs/method/swings.md, Turns in flight)."""

    eased_peak: float = 1.875
    """Factor of an eased turn's fastest moment over its mean: that of a quintic step."""
    eased_to: float = float(np.radians(150.0))
    """Radians a second that an eased turn has in its fastest moment at most, 5 degrees in a frame of
    30 a second; a faster one gets even."""
    even_from: float = float(np.radians(300.0))
    """Radians a second from which a turn is even: a foot that turns 10 degrees in a frame is seen to
    whirl."""
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
    least_step: float = 1e-6
    """Metres; a shorter step lifts no foot."""
    from_rest: float = 0.6
    """Share of the least clearance that a sole which leaves in a rest has beyond it, in full steps."""
    clearance_ends: float = 0.06
    """Share of the flight over which the least clearance of the sole begins and ends: it is there as
    soon as the foot is off."""
    clearance_corner: float = 0.5
    """Share of the least clearance over which it takes over from the swing's own height."""
    most_drop: float = 0.65
    """Share of its height that a swing gives up at most for a leg that cannot fold."""


@dataclass(frozen=True)
class ClearanceLimits:
    """How swings are tried against the ground (docs/method/swings.md, Clearance)."""

    quick_stations: FloatArray = field(default_factory=lambda: np.linspace(-0.25, 1.25, 13))
    """Quick test: progress on the straight line between the prints, and a little before and beyond."""
    quick_sole: FloatArray = field(default_factory=lambda: np.array([0.0, 0.5, 1.0]))
    """Quick test: points of the sole, shares of its length."""
    stations: FloatArray = field(default_factory=lambda: np.linspace(-0.3, 1.3, 4 * (44 - 1) + 1))
    """Real test: progress, a little before and beyond the prints, as motions draw feet back."""
    flight: FloatArray = field(default_factory=lambda: (np.arange(32) + 0.5) / 32)
    """Shares of the flight at which a swing is tried; 32 against 16 for 6 % more time."""
    sole: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 6))
    """Points of the sole, shares of its length."""
    shares: tuple[float, ...] = (0.2, 0.35, 0.6, 1.0)
    """Shares of the flight over which bumps that are tried rise and fall."""
    covered: tuple[float, ...] = (0.2, 0.6)
    """Those of them with which bumps are tried, too, that are no higher than what they clear ..."""
    cover: int = 5
    """... and how many instants of the flight to either side they stay as high."""
    quintic_slope: float = 1.875
    """Steepest slope of a quintic step from 0 to 1."""
    retimings: tuple[tuple[float, int], ...] = (
        (1.0, 1), (1.4, 1), (1.9, 1), (1.4, -1), (1.9, -1), (1.35, 0), (1.7, 0),
    )  # fmt: skip
    """Exponents and kinds of the re-timings that are tried, see `retime_progress`."""
    closer: int = 4
    """Only every so many stations are looked at, but near edges."""
    jump: float = 0.02
    """Height that what is needed jumps by at an edge."""
    quick_height: float = 0.008
    """Height over the line between the prints that blocks a swing: less is cleared by any lift."""
    quick_beside: float = 0.05
    """Width beside the sole that is looked at, too: motions swing their feet outwards."""
    quick_slope: float = 1.0
    """Slope up to which ground before and beyond the prints is no wall: feet are high over it then."""
    bump_floor: float = 0.15
    """Share of a bump's middle that it counts for at least near its ends, where it lifts nothing."""
    most_lift: float = 0.5
    """Highest bump."""
    touching: float = 0.002
    """Depth up to which the outline of a foot may be in what it passes: less than is measured."""
    drawn_in: float = 0.003
    """Width by which that outline is drawn in: a toe that is a hair in a wall is not deep in it."""
    leading: float = 0.02
    """Height within which a point of a foot is from the one that needs the most at any time: the others
    are left out where re-timings are tried."""
    negligible: float = 0.001
    """Lift that is not worth a bump."""
    wall: float = 0.02
    """Ground so much higher than the print behind or ahead of it is not gone into. Many motions draw a
    foot back before it leaves its print, and let it overshoot the next."""
    edge: float = 4.0
    """One over the share of the flight over which the margin over obstacles grows from its ends."""
    room_margin: float = 0.009
    """A swing that its leg cannot fold for stays so far above what it clears."""
    free: float = 1e12
    """Room of a swing with nothing in its way, metres."""
    void: float = 100.0
    """Depth below the scene's level that stands for no ground."""


@dataclass(frozen=True)
class LiftCosts:
    """What speaks against a bump and a re-timing (docs/method/swings.md, Clearance).

    The cheapest are taken. Costs are metres of the bump's height.
    """

    sharp: float = 0.35
    """For each bump height over its shares of rise and fall: sharp bumps cost knees their calm."""
    unmet: float = 10.0
    """For each metre that stays in the ground."""
    retime: float = 0.1
    """For each unit of the re-timing's exponent above 1, leg lengths."""
    most_stray: float = 0.35
    """Leg lengths that a re-timed foot is from its own timing at most: farther it is out of reach."""
    stray: float = 10.0
    """For each metre beyond that."""
    fast: float = 2.0
    """For each time of the free pace that a foot's fastest moment is faster than that, leg lengths."""
    fold: float = 4.0
    """For each metre by which the ankle comes nearer to its hip than in the motions."""
    least_fold: float = 1.0
    """Share of the least distance of ankle and hip in the motions from which that counts."""
    gain: float = 1e-9
    """What a later choice has to save, so that equal ones keep their order."""


@dataclass(frozen=True)
class PaceLimits:
    """How fast a foot may go over what it clears (docs/method/swings.md, Pace)."""

    free: float = 1.35
    """Share of the fastest moment of its motions up to which nothing speaks against it: twice as fast a
    foot jumps, and 1.5 is the bar of the report."""


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
class FoldLimits:
    """What a leg can fold, and how a foot makes room (docs/method/swings.md, Folding)."""

    own: float = 0.9
    """Share of its motions' own least reach to which a leg may fold."""
    width: float = 0.04
    """The limit is rounded over this."""
    two_bones: float = 0.28
    """Share of its length to which a leg of two bones may always fold: their bend has no rival."""
    two_bone_joints: int = 3
    """Joints of such a leg."""
    margin: float = 0.015
    """Share of its length that a leg folds less than it could."""
    drawn_from: float = 1e-6
    """Share of its length beyond its comfortable reach from which a leg that swings is drawn in."""
    looked_at: float = 0.8
    """Share of its length above which a leg is not looked at."""
    longest: float = 0.97
    """Share of its length to which turning its foot flat stretches a leg at most."""
    stretch: float = 0.001
    """Share of its length by which it does so where the leg is stretched already."""
    flattest: float = 0.9
    """Share of its pitch by which a foot is turned flat at the most: one that lies flat while it rolls
    bears everywhere, and slips by up to 0.7 % of the leg."""
    tries: int = 9
    """Shares of that which are tried; between them distances are linear."""
    clear: float = 0.003
    """Share of L over the ground from which a foot that is turned flat is not looked at: what is less
    grazes the edges of treads, and more keeps feet on their toes that are just over one ..."""
    touching: float = 0.001
    """... and depth by which it may be deeper than it was."""
    ease: float = 0.12
    """Cycles to either side over which a foot is turned flat and back ..."""
    kept: float = 0.06
    """... and over which what it can be turned by is heeded."""
    none: float = 1e-6
    """Share that is none."""
    passes: int = 4
    """Passes that are made: on its way past the hip a foot may come nearer before it gets away."""
    released: float = 0.3
    """Share of the flight after which a foot no longer turns about what bore it, and before strike."""


@dataclass(frozen=True)
class TippingLimits:
    """Feet that reach down with their ball first (docs/method/swings.md, Ball first)."""

    pitch: float = float(np.radians(18.0))
    """Radians by which the toes of people point down as they meet a lower tread: 15 to 20 degrees."""
    begins: float = 0.6
    """Share of the flight from which on a foot is pointed."""
    lowered: float = 0.6
    """Share of the time from strike to stance in which the heel comes down."""


@dataclass(frozen=True)
class HollowLimits:
    """What counts as a hollow under a print (docs/method/swings.md, Hollows)."""

    along: FloatArray = field(default_factory=lambda: np.linspace(-0.125, 1.125, 61))
    """Stations along the sole, shares of its length, a little beyond it."""
    across: FloatArray = field(default_factory=lambda: np.array([-0.35, 0.0, 0.35]))
    """Stations across it, shares of its width."""
    rear: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 9)[1:-1])
    """Points between heel and ball that may touch the ground, shares of the way."""
    front: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 7)[1:-1])
    """Points between ball and toe tip that may."""
    coarse: int = 6
    """Only every so many stations along are looked at where nothing is hollow."""
    shallow: float = 0.001
    """Depth of a hollow that is none."""
    deepest: float = 0.12
    """What is as deep under a sole is no hollow but beyond an edge."""
    fade: float = 0.3
    """Share of the flight over which a foot comes back from a hollow, or goes down into one."""


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
    same_tilt: float = 0.05
    """Radians by which a foot must be rather in the plan's roll than flat to go on rolling with it."""


FLIGHT = FlightLimits()
HEADINGS = HeadingLimits()
HEIGHTS = HeightLimits()
CLEARANCE = ClearanceLimits()
COSTS = LiftCosts()
PACES = PaceLimits()
ASIDES = AsideLimits()
FOLDS = FoldLimits()
TIPPING = TippingLimits()
HOLLOWS = HollowLimits()
HOLDS = HoldLimits()
