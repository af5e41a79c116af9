# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: footsteps, and the walk along them (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class ClaimLimits:
    """Limits of which print a kept footstep takes the place of (docs/method/footsteps.md, Claims)."""

    along: float = 0.5
    """Share of a stride along the travel beyond which no stance is claimed: another step is nearer."""
    across: float = 1.0
    """Share of a stride beside it: there another part of the travel passes."""
    aside: float = 0.6
    """Share of the leg beside it: no leg reaches farther aside while it walks."""
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


@dataclass(frozen=True)
class FloatingLimits:
    """Footsteps without ground under them (docs/method/footsteps.md, Steps in the air)."""

    height: float = 0.03
    """Share of the leg; a footstep higher above the ground stands on none, others are a little off."""
    along: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 5))
    """Where along a sole ground is looked for: one that bears on the edge of a stair does not float."""


@dataclass(frozen=True)
class PatternLimits:
    """How runs of steps are laid out and put in order (docs/method/footsteps.md, Runs of steps)."""

    look: float = 0.2
    """Share of a stride before and behind a place between which a way has its direction."""
    ease: float = 2.0
    """Steps of each leg over which strides grow and shrink."""
    shortest: float = 1e-6
    """Metres; a shorter line has no direction."""
    twice: float = 1.0
    """Steps of the run's mean length that two steps of the same leg in a row cost, where steps are put
    in order."""
    near: float = 0.25
    """Share of the leg above a sole from which the ground under it is looked for, and then from the
    top."""


@dataclass(frozen=True)
class StepWalkLimits:
    """Limits of how the body walks along footsteps (docs/method/footsteps.md, The body's way)."""

    rate: int = 120
    """Samples in a cycle."""
    fine_rate: int = 960
    """Samples in a cycle where a step was timed by hand, so that a wait is smooth."""
    widths: tuple[float, ...] = (0.22, 0.3, 0.42, 0.6)
    """Cycles; widths of the smoothing that are tried. The first that keeps to the limits is taken."""
    pace_width: float = 0.5
    """Share of that width over which the time of cycles is smoothed: no faster than strides change."""
    acceleration: float = 3.0
    """Largest acceleration, in speeds of the walk, or halves of the way's largest, in one of its
    cycles."""
    early: float = 0.2
    """Cycles that a step may come before its turn, as in gaits whose legs step nearly at once."""
    least_cycle: float = 0.5
    """Cycles between two steps of one leg at least."""
    at_once: float = 0.06
    """Cycles; places of the body that are nearer to one another are one."""
    least_stand: float = 0.5
    """Cycles; where no foot can wait in its turn, a stand is put in for longer waits."""
    still: float = 5e-3
    """Share of a stride; a body that has come no farther still stands."""
    lead: float = 1.1
    """Cycles before the first stance in which the body stands."""
    stood: float = 0.15
    """Cycles of that which are kept before the body begins to move, or the first foot to lift."""
    tail: float = 1.1
    """Cycles after the last stance in which it does."""
    in_place: float = 1e-4
    """Share of a stride, and radians; bodies over planned footsteps that moved by less did not."""
    most_moved: float = 0.5
    """Share of the footsteps of a plan above which they were moved as a whole, and the plan with them."""
    apart: float = 1e-7
    """Cycles by which phases rise from sample to sample where a plan's stand still."""
    stepping: float = 0.2
    """Share of its own rate of steps below which a planned walk begins or ends, and keeps its time."""
    near_start: float = 1.2
    """Strides; farther from the first footstep the character does not begin where it stands."""
    stretch: float = 1.3
    """Share of the motions' own longest beyond which strides are told."""


@dataclass(frozen=True)
class TimingLimits:
    """Limits of how times that were set by hand are met (docs/method/footsteps.md, Times by hand)."""

    quickest: float = 0.6
    """Factor on the time of steps that get quicker, at most, where no foot can wait."""
    slowest: float = 2.0
    """Factor on the time of steps that get slower, at most, there."""
    slowing: tuple[tuple[float, float], ...] = ((0.5, 1.0), (0.25, 2.0), (0.12, 4.0))
    """Half widths in cycles over which a wait slows down, and by how many of the walk's own cycles
    each; it stands still in the rest."""
    least_rest: float = 0.03
    """Cycles; half width of the rest itself at least."""
    least_room: float = 0.01
    """Cycles that a wait needs before it."""
    taper: float = 0.25
    """Share of a stretch over which it begins and ends."""
    met: float = 2e-3
    """Seconds; times nearer to what is asked for are met."""
    scan: int = 400
    """Instants of a step in which a rest is looked for."""
    skipped: float = 0.95
    """Share of the standing before the first step that may be left out."""


@dataclass(frozen=True)
class StandLimits:
    """Cycles of standing on the way (docs/method/footsteps.md, Stands)."""

    body: float = 0.2
    """Cycles from the cut after which the body comes to stand, amid its feet."""
    rest: float = 0.7
    """Cycles from the cut to the middle of the time in which all feet bear."""
    rest_half: float = 0.22
    """Half of that time, cycles."""
    farthest: float = 0.25
    """Cycles from a lift-off within which a cut is made."""
    together: float = 0.08
    """Cycles; legs that leave within this leave together, as in trots."""
    least_apart: float = 1.5
    """Cycles between two stands at least."""


CLAIMS = ClaimLimits()
FLOATING = FloatingLimits()
PATTERNS = PatternLimits()
WALK = StepWalkLimits()
TIMING = TimingLimits()
STANDS = StandLimits()
