# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: footholds, prints beside each other, the clock of steps (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors. Values of footholds were chosen on planes, ramps, stairs, gaps,
bumps and stepping stones, with feet of two, four and six legs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class SoleStations:
    """Where a sole is tried, shares of length and width (docs/method/ground.md, Soles on the ground)."""

    along: FloatArray = field(
        default_factory=lambda: np.array([-0.05, 0.0, 0.25, 0.5, 0.75, 1.0, 1.05])
    )
    """Stations along the sole. The outermost lie a little beyond it, else a heel lands on the next
    riser: nothing may stick through there, but only the sole itself has to be supported."""
    across: FloatArray = field(default_factory=lambda: np.array([-0.35, 0.35]))
    """Stations across it: of a width of 1, the part that bears."""
    close_along: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 25))
    """Along a sole that does not lie flat: what stands between the stations raises it in the end."""
    close_across: FloatArray = field(default_factory=lambda: np.array([-0.35, 0.0, 0.35]))
    """Across such a sole."""


@dataclass(frozen=True)
class FootholdTries:
    """Moves that are tried for a poor foothold (docs/method/ground.md, Footholds)."""

    along: FloatArray = field(
        default_factory=lambda: np.array(
            [-0.9, -0.65, -0.45, -0.3, -0.15, 0.0, 0.15, 0.3, 0.45, 0.65, 0.9]
        )
    )
    """First, shares of the sole's length."""
    across: FloatArray = field(default_factory=lambda: np.array([-0.6, 0.0, 0.6]))
    """First, shares of the sole's width."""
    far_along: FloatArray = field(default_factory=lambda: np.linspace(-1.8, 1.8, 13))
    """Where that finds too little, as between stepping stones, shares of the unit of moves."""
    far_across: FloatArray = field(default_factory=lambda: np.linspace(-0.9, 0.9, 7))
    """The same to the sides."""
    refined: FloatArray = field(default_factory=lambda: np.linspace(-0.225, 0.225, 19))
    """Then a closer look around the best, shares of the sole's length: it fits a sole exactly onto a
    tread hardly longer than it."""


@dataclass(frozen=True)
class FootholdLimits:
    """What counts as a good foothold (docs/method/ground.md, Footholds)."""

    least_support: float = 0.95
    """Share of the sole with ground under it below which other places are tried."""
    steep: float = 0.5
    """Rise over run above which other places are tried."""
    far_support: float = 0.75
    """Support below which places farther away are tried."""
    clear_gain: float = 0.02
    """Cost that another place has to save: feet do not move for nothing."""
    hollow_middle: float = 0.5
    """Factor on the support of a sole with none under its middle: it stands on its ends alone."""
    middle: float = 0.4
    """Share of the sole's length each way from its middle that counts as middle."""
    bridged: float = 0.95
    """Support of a sole that rests on both its ends, as over the foot of a ramp."""
    bridged_depth: float = 3.0
    """Tolerances of support; a hollow under such a sole is no deeper."""
    uneven: float = 0.1
    """Tolerances of support; where the ground deviates more from the plane, it is looked at closely."""
    void: float = 4.0
    """Reaches of the body's level below it at which "no ground" lies in plane fits: deep enough that no
    sole leans on it, near enough that fits stay exact."""
    shift_unit: float = 0.28
    """Share of the leg that a human foot is long. Moves are weighed against it: longer soles on short
    legs move no farther, and bridge hollows that are deeper in the same measure."""
    leg_shift: float = 1.5
    """Lengths of the shortest foot that are the unit of moves which clear a leg, up to that above."""
    lowered_hip: float = 0.72
    """Share of the leg that a hip is high when lowered: from there the leg still reaches a foothold."""
    stretched: float = 0.98
    """Share of its length that the leg reaches then."""
    least_shift: float = 0.15
    """Share of the leg that a foothold may be moved in any case."""


@dataclass(frozen=True)
class FootholdCosts:
    """What speaks against a place; the cheapest is taken (docs/method/ground.md, Footholds).

    Costs have no unit of their own: a sole without any support costs `support`.
    """

    support: float = 2.5
    """For all of the support missing."""
    shift: float = 0.6
    """For a move along the foot by its length, or by the unit of moves."""
    aside: float = 1.2
    """Factor on moves across the foot, by its width: they narrow or widen the walk."""
    slope: float = 0.8
    """For a slope steeper by 1 than the free one, rise over run."""
    free_slope: float = 0.36
    """Rise over run that costs nothing: 20 degrees, as of ramps that people walk without care."""
    level: float = 0.6
    """For a place as far above or below the body's level as it may be."""
    margin: float = 0.15
    """For no ground just beyond heel and toe."""
    no_ground: float = 9.0
    """For no ground under most of the sole: more than all others together."""
    most: float = 0.6
    """Share of stations without ground that is most of the sole."""


@dataclass(frozen=True)
class OutlineTries:
    """How soles are moved out of walls beside them (docs/method/ground.md, Outlines)."""

    margin: float = 0.02
    """Unit of moves; so far the outline stays clear: a foot that rolls off its print needs it."""
    touching: float = 0.005
    """Unit of moves; the ground may stick so far through the outline before the sole is raised."""
    directions: int = 16
    """Count of directions in which a sole is moved."""
    ways: tuple[float, ...] = (
        0.01,
        0.02,
        0.03,
        0.05,
        0.08,
        0.12,
        0.18,
        0.26,
        0.36,
        0.5,
        0.7,
        0.85,
        1.0,
    )
    """Units of moves; how far it is moved."""
    depth: float = 3.0
    """What a depth in walls counts against a move as long, where a leg cannot be clear of them."""
    tried: int = 8
    """Count of the shortest moves that clear the outline of which the ground is looked at again."""
    less_support: float = 0.1
    """Share of the sole that may lose its support for it."""


@dataclass(frozen=True)
class RiseLimits:
    """How partners share the rises of steep steps (docs/method/prints.md, Rises). Shares of the leg."""

    steep: float = 0.26
    """A print that stands so much higher or lower than its partner's makes its neighbours be tried."""
    spread: int = 2
    """Count of prints on either side of such a step that may be moved."""
    shifts: FloatArray = field(default_factory=lambda: np.linspace(-0.28, 0.28, 9))
    """Moves ahead that are tried."""
    free: float = 0.2
    """A rise from partner to partner that costs nothing: a tread of stairs."""
    rise: float = 0.1
    """One that is higher by this costs as much ..."""
    move: float = 0.2
    """... as a print that is moved by this."""
    support: float = 2.0
    """Cost of all of the support missing."""
    turns: int = 8
    """Times that every other print is chosen anew; choices settle in 2 to 4."""


@dataclass(frozen=True)
class PlaneFits:
    """How a plane is put under a sole (docs/method/ground.md, Soles on the ground)."""

    rounds: int = 4
    """Rounds of weighted least squares: more change nothing that is seen."""
    lead: float = 4.0
    """How fast the weight of points below the highest falls in the first round: at half a sole's
    length below it is exp of minus this. A sole rests on what sticks out."""
    most_lead: float = 20.0
    """Half soles; points lower than that count alike, so that no weight gets too small."""
    outlier: float = 2.0
    """Tolerances are divided by this: so far below the plane a point counts half."""
    regular: float = 1e-9
    """Added to the normal equations, so that stations in one line give a plane."""


@dataclass(frozen=True)
class CrossingPasses:
    """How prints are parted that cross (docs/method/prints.md, Parting)."""

    passes: int = 6
    """Passes over all prints; each halves what is missing between a pair."""
    unmoved: float = 1e-9
    """Share of the leg; a print that is moved by less stands still."""
    halvings: int = 3
    """Times that the ways of prints that would come too near are halved before they are left out."""
    nearer: float = 0.005
    """Share of the leg by which prints in balance may be nearer than those of an upright body."""


@dataclass(frozen=True)
class HaltLimits:
    """Steps that a rest would hold up (docs/method/prints.md, Short steps)."""

    longest: float = 0.25
    """Cycles of the slowest walk that the phase may stand in a flight, else the foot would hover."""
    quickest: float = 12.0
    """Cycles in the time of one of the slowest walk; a phase that is quicker jumps from one move to the
    next."""


@dataclass(frozen=True)
class StillStepLimits:
    """When a step is none (docs/method/prints.md, Step states)."""

    same_place: float = 1e-6
    """Metres, and radians; a foot stays where it is for a step that is shorter and turns by less."""
    least_flight: float = 1e-9
    """Cycles that a flight takes at least."""
    least_roll: float = 1e-6
    """Cycles that a roll from lift to land takes at least."""


@dataclass(frozen=True)
class LevelPrints:
    """On which prints feet stand as their meshes do (docs/method/prints.md, Step states)."""

    full: float = 0.1
    """Share of the leg by which one end of a sole may be higher than the other: uneven meshes of floors,
    and slopes under hooves and paws."""
    none: float = 0.3
    """Share of the leg from which they do not: soles as long as legs that lie across edges and bumps."""


@dataclass(frozen=True)
class HoldingLimits:
    """How feet of a motion that travels are held (docs/method/prints.md, Holding feet)."""

    look_up: float = 1.5
    """Share of L above a foot from which the ground under it is looked for: a motion on a level floor
    may have to climb."""
    rounds: int = 2
    """Times that the slope is looked for, each where the one before has put the foot."""
    bearing: float = 0.001
    """Share of L. What a point bears falls by e for each such height above the lowest of its foot."""
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
class ClimbingLimits:
    """How far uphill of the body its feet stand (docs/method/prints.md, Climbing).

    Shares of the way at which a leg is as long where it strikes as where it leaves.
    """

    many: float = 1.0
    """Of bodies on many legs. Measured on stairs of 0.19 by 0.42 L with a fox, a horse, a wolf and a dog
    at 0.5, 0.75, 0.85 and 1: legs fold least at 1."""
    ahead: float = 0.5
    """Share of the way from the middle of a body to where a leg stands at which its slope is read.
    Measured at 0, 0.3, 0.5, 0.7 and 1 in the same way from five places: at 1 the first step onto stairs
    is so long that bodies sink for it."""
    up: float = 0.25
    """Of upright ones that climb ..."""
    down: float = 0.2
    """... and that descend: their weight stays over the foot that bears it."""
    further: float = 0.25
    """What a grade adds to the former: where the ground is one slope, heels are raised, too."""
    upright_legs: int = 2
    """Legs of an upright body."""
    width: float = 0.4
    """Cycles; smoothing of the slope."""
    slow: float = 0.1
    """Share of the slowest walk's speed below which this fades: who stands has no way uphill."""


@dataclass(frozen=True)
class HeelLimits:
    """How heels rise and strike on slopes (docs/method/prints.md, Heels on slopes)."""

    legs: int = 2
    """Legs of a body that walks so."""
    raised: float = 1.5
    """Radians that the heel of the rear foot is raised further for each radian of the slope up ..."""
    highest: float = float(np.radians(15.0))
    """... and the most, approached softly."""
    whole: float = 0.6
    """Share of the time from lift to off after which it is raised in full, as the other foot strikes."""
    ends: float = 0.3
    """Share of the flight after which nothing of it is left."""
    flatter: float = 2.9
    """A strike on a slope up loses tanh of so many times its radians of the toes' rise: 43 % at 9
    degrees."""
    steeper: float = 3.0
    """One on a slope down gets a share of so much more for each radian: toes point where they do on the
    level ..."""
    steepest: float = 0.8
    """... and the most, approached softly."""
    heel: float = 0.1 / 0.9
    """Share of the leg, 10 cm of people's, by which a step leads down to which heels come first ..."""
    ball: float = 0.2 / 0.9
    """... and 20 cm, from which on balls do, or flat feet going up; in between they do either."""
    comes: float = 0.6
    """Share of the flight from which on a foot is turned for its strike."""
    shortest: float = 1e-6
    """Cycles that count as no time."""
    least: float = 1e-6
    """Radians that count as no turn, and as no slope."""


@dataclass(frozen=True)
class PushLimits:
    """How heels of long bodies rise on climbs (docs/method/prints.md, Pushing off)."""

    legs: int = 3
    """Legs from which on a body does so."""
    level: float = 0.01
    """Share of the leg by which the body is above a print from which on it climbs."""
    stretched: float = 0.97
    """Share of its length from which a leg is stretched, if the motions do not stretch it further."""
    least_lever: float = 0.03
    """Share of the leg by which a radian makes it shorter from which on a heel is raised at all: hooves
    and claws turn on the spot ..."""
    lever_over: float = 0.03
    """... and over which that enters."""
    wall: float = 0.03
    """Share of the leg by which ground right ahead of the toes is higher where no heel is raised further:
    a foot that rolls farther over its toes would go through it."""
    highest: float = float(np.radians(20.0))
    """Radians that a heel is raised further at most, approached softly."""


@dataclass(frozen=True)
class BalanceLimits:
    """How far off a leaning body its feet stand (docs/method/prints.md, Balance)."""

    legs: int = 2
    """Legs of a body that leans as a whole; more of them stand about it."""
    way: float = 0.5
    """Share of what the body comes along in half a cycle by which its feet stay behind it, or go ahead:
    nobody steps back to start, nor beyond where he stops."""
    even: float = 0.05
    """Share of the leg by which ground within a cycle may rise or fall and be even; from twice as much on
    it is not."""
    lowered_hip: float = 0.82
    """Share of the leg that a hip is high when lowered for it."""


STATIONS = SoleStations()
BALANCE = BalanceLimits()
CLIMBING = ClimbingLimits()
PUSHES = PushLimits()
HEELS = HeelLimits()
TRIES = FootholdTries()
FOOTHOLDS = FootholdLimits()
RISES = RiseLimits()
OUTLINES = OutlineTries()
COSTS = FootholdCosts()
FITS = PlaneFits()
PASSES = CrossingPasses()
HALTS = HaltLimits()
STANDING = StillStepLimits()
LEVELS = LevelPrints()
HOLDING = HoldingLimits()
