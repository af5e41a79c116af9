# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.limits import REACH as LEGS


@dataclass(frozen=True)
class SoleStations:
    """Where a sole is tried, shares of length and width (docs/method/ground.md, Soles on the ground)."""

    along: FloatArray = field(
        default_factory=lambda: np.concatenate([[-0.02], np.linspace(0.0, 1.0, 9), [1.02]])
    )
    """Stations along the sole. The outermost lie a little beyond it, else a heel lands on the next
    riser: nothing may stick through there, but only the sole itself has to be supported."""
    across: FloatArray = field(default_factory=lambda: np.array([-0.35, 0.35]))
    """Stations across it: of a width of 1, the part that bears."""
    closer: int = 3
    """Times as many are along a sole that has its place, and a line between those across: what stands
    between the others raises it in the end."""

    @property
    def close_along(self) -> FloatArray:
        """Along a sole that has its place, shares of its length."""
        return np.linspace(0.0, 1.0, self.closer * (len(self.along) - 3) + 1)

    @property
    def close_across(self) -> FloatArray:
        """Across such a sole, shares of its width."""
        return np.insert(self.across, 1, 0.0)


@dataclass(frozen=True)
class SoleLimits:
    """How soles lie (docs/method/ground.md, Soles on the ground)."""

    human_foot: float = 0.28
    """Share of the leg that a human foot is long. Longer soles on short legs bridge hollows that are
    deeper in the same measure."""
    same: float = 1e-5
    """Share of the leg within which two points, and two heights, are one: meshes are no more exact."""
    margin: float = 0.006
    """Share of the leg that the outline stays clear of walls, for a foot that rolls off its print."""


@dataclass(frozen=True)
class PrintCosts:
    """What speaks against prints (docs/method/prints.md, One cost). Lengths are shares of the leg."""

    support: float = 5.0
    """All of the support missing."""
    void: float = 4.0
    """No ground within reach under all of the sole."""
    margin: float = 0.15
    """No ground just beyond heel and toe."""
    slope: float = 2.0
    """A wall; half of it a rise over run of 1, and next to nothing the slopes of ramps."""
    hull: float = 30.0
    """A foot that stands 1 deep in a wall."""
    rim: float = 8.0
    """A foot as it rolls, or a shin, that is 1 deep in a wall."""
    move: float = 1.5
    """A move by 1, where it is far ..."""
    near: float = 0.1
    """... with a square bottom as wide as this, so that neighbours share moves."""
    aside: float = 2.5
    """Factor on moves across the foot: they narrow or widen the walk."""
    still: float = 0.03
    """Any move at all: feet do not move for nothing."""
    overlap: float = 100.0
    """Hips that are 1 too low for one leg where they are as high as the other reaches, squared."""
    reach: float = 400.0
    """Hips that come 1 farther from a print than the leg reaches, squared."""
    crossing: float = 30.0
    """Partners that stand 1 too near to each other."""
    stride: float = 4.0
    """Moves of partners that differ by 1, squared: steps keep their lengths."""


@dataclass(frozen=True)
class PrintSearch:
    """Places that are tried for prints, shares of the leg (docs/method/prints.md, One cost)."""

    step: float = 1.0 / 32.0
    """Moves along the foot that are tried first, so far apart, as far as the leg reaches."""
    refinements: int = 2
    """Times that the step is halved about the best of them, and doubled to the sides."""


@dataclass(frozen=True)
class PrintReach:
    """How far a leg reaches a print from where its hip will be (docs/method/prints.md, One cost)."""

    folded: float = 0.8
    """Share of its motions' least way from hip to ankle to which a leg folds on climbs: people's knees
    bend by up to 105 degrees on stairs, by 60 on the level."""
    lowered_hip: float = 0.72
    """Share of the leg that a hip is high when lowered: from there the leg still reaches a print."""

    def measure_across(self, hip: float | None = None) -> float:
        """How far from under a hip so high, or lowered, a leg reaches, shares of its length."""
        height = self.lowered_hip if hip is None else hip
        return float(np.sqrt(LEGS.comfortable**2 - height**2))


@dataclass(frozen=True)
class PlaneFits:
    """How a plane is put under a sole (docs/method/ground.md, Soles on the ground)."""

    rounds: int = 4
    """Rounds of weighted least squares: more change nothing that is seen."""
    lead: float = 4.0
    """How fast the weight of points below the highest falls in the first round: at half a sole's
    length below it is exp of minus this. A sole rests on what sticks out."""
    outlier: float = 2.0
    """Tolerances are divided by this: so far below the plane a point counts half."""


@dataclass(frozen=True)
class StepLimits:
    """Steps that are none (docs/method/prints.md, Short steps and Step states)."""

    halted: float = 0.25
    """Cycles of the slowest walk that the phase may stand in a flight, else the foot would hover."""
    same_place: float = 1e-6
    """Metres, and radians; a foot stays where it is for a step that is shorter and turns by less."""


@dataclass(frozen=True)
class ClimbingLimits:
    """How the slope is read that a body pitches with (docs/method/prints.md, Climbing)."""

    upright: float = 0.5
    """Share of the lead that an upright body takes on one slope up, where people's knees are measured."""
    width: float = 0.4
    """Cycles; smoothing of the slope."""


@dataclass(frozen=True)
class StrikeLimits:
    """How people meet slopes and other treads (docs/method/prints.md, Drops)."""

    flatter: float = 2.9
    """A strike on a slope up loses tanh of so many times its radians of the toes' rise, 43 % at 9
    degrees, and one on a slope down gains as much: toes point where they do on the level."""
    raised: float = 1.5
    """Radians that the heel is raised further, as its foot leaves, for each radian of the slope up ..."""
    highest: float = float(np.radians(15.0))
    """... and the most, approached softly."""
    heel: float = 0.1 / 0.9
    """Share of the leg, 10 cm of people's, by which a step leads down to which heels come first ..."""
    ball: float = 0.2 / 0.9
    """... and 20 cm, from which on balls do, or flat feet going up; in between they do either."""


@dataclass(frozen=True)
class BalanceLimits:
    """How far off a leaning body its feet stand (docs/method/prints.md, Balance)."""

    level: float = 0.1
    """Share of the leg: ground that rises or falls by as much within a cycle is not even."""
    way: float = 0.5
    """Share of what the body comes along in half a cycle by which its feet stay behind it, or go ahead:
    nobody steps back to start, nor beyond where he stops."""
    lowered_hip: float = 0.82
    """Share of the leg that a hip is high when lowered for it."""


STATIONS = SoleStations()
SOLES = SoleLimits()
COSTS = PrintCosts()
SEARCH = PrintSearch()
REACH = PrintReach()
FITS = PlaneFits()
STEPS = StepLimits()
CLIMBING = ClimbingLimits()
BALANCE = BalanceLimits()
STRIKES = StrikeLimits()
