# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the stages of a plan fill in: the walk as it is planned, and as it is posed (numpy only)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from .body.airborne.records import NO_FLIGHTS, Flights
from .body.carriage import BodyTrack, Carriage
from .body.hand_over import BesideWalk
from .body.heads import HeadTrack
from .body.legs import SolvedLegs
from .body.response import ResponseTrack
from .body.rolling import RollTrack
from .footsteps.source import StepSource
from .ground.interface import Ground
from .maths.grid import TimeGrid
from .maths.rotations import FloatArray
from .motions.posing import LegPoses
from .motions.tables import MotionTables
from .pose import PoseArray
from .prints.records import PrintPlan, StepClaims
from .prints.states import StepStates
from .prints.steps import StepPlan
from .settings import PlanSettings
from .swings.feet import FootTargets
from .swings.hand_over import FootHold
from .swings.records import LegSwings
from .times.planning import TimePlan
from .times.rides import Rides
from .times.source import SourcePoses
from .trajectory.planning import UNCHANGED, Trajectory
from .travel.way import Travel

# What a stage fills in that has not run yet.
_TO_COME: Any = None


@dataclass(frozen=True)
class WalkPlan:
    """A whole walk, from which any frame can be posed on its own.

    `make_plan` fills it stage by stage; what no stage has planned yet is None.

    Attributes
    ----------
    tables
        The packed motions.
    travel, ground, settings
        What was asked for.
    source
        What footsteps say about the clock and the prints.
    grid
        The times on which the walk is planned.
    rides
        What carries the body, and the travel in those spaces.
    levels
        Height of the ground that the body walks on, at those times, metres, shape (G,).
    times
        Weights, phase and stance instants.
    leans
        Of the body into accelerations, see `leaning.track_leans`, shape (G, 2); None for none.
    prints
        Where the feet stand.
    step_keys
        Lift, off, strike, land of every step, L arrays of shape (K - 1, 4).
    drops
        How far each step leads down, or up, below 0, L arrays of shape (K - 1,), shares of the leg.
    swings
        What the steps need besides, one for each leg.
    body
        Support heights, pitches and hip offsets.
    flights
        When no foot is on the ground, as far as that changes the body.
    asides
        How far each swing is led around the partner's foot, L arrays of shape (K - 1, 2).
    trajectory
        How body and feet are changed.
    rolls
        How feet are led so that their skin does not slip; None where none has a mesh.
    response
        What the upper body answers to; None where it moves as the motions have it.
    head
        What the head does besides the motions; None for nothing.
    beside
        The animation from which it goes over, and to which; None for none.
    body_turns
        How far the lower body turns to its way beyond the character, see `orienting.track_turns`, shape
        (G,); None where it does not.
    body_blends
        Seconds over which the body goes over at the start and the end; None where it does not.
    holds
        Feet of that animation that stay until their first step, and from their last.
    fingerprint
        Of all that it was made from; None where that has none.
    """

    tables: MotionTables
    travel: Travel
    ground: Ground
    settings: PlanSettings
    source: StepSource
    grid: TimeGrid
    rides: Rides = _TO_COME
    levels: FloatArray = _TO_COME
    times: TimePlan = _TO_COME
    leans: FloatArray | None = None
    prints: PrintPlan = _TO_COME
    step_keys: tuple[FloatArray, ...] = _TO_COME
    drops: tuple[FloatArray, ...] = _TO_COME
    swings: tuple[LegSwings, ...] = _TO_COME
    body: BodyTrack = _TO_COME
    flights: Flights = NO_FLIGHTS
    body_turns: FloatArray | None = None
    asides: tuple[FloatArray, ...] = ()
    trajectory: Trajectory = UNCHANGED
    rolls: RollTrack | None = None
    response: ResponseTrack | None = None
    head: HeadTrack | None = None
    beside: BesideWalk | None = None
    body_blends: tuple[float, float] | None = None
    holds: tuple[FootHold, ...] = ()
    fingerprint: str | None = None

    def read_body_turns(self, times: FloatArray) -> FloatArray | None:
        """How far the lower body is turned to its way at times (N,), radians, (N,); None for nowhere."""
        if self.body_turns is None:
            return None
        return self.grid.sample_smooth(self.body_turns, times)

    @property
    def claims(self) -> StepClaims:
        """Which prints are footsteps of the user."""
        return self.prints.claims

    @property
    def steps(self) -> StepPlan:
        """All steps, to be read at any times."""
        return StepPlan(self.tables, self.times, self.prints, self.step_keys, self.ground)


def leave_ground(plan: WalkPlan, fingerprint: str | None) -> WalkPlan:
    """A plan to be kept without its ground, which may not live as long, under a fingerprint."""
    return replace(plan, ground=_TO_COME, fingerprint=fingerprint)


def put_on_ground(plan: WalkPlan, ground: Ground) -> WalkPlan:
    """A plan that was kept, on a ground like its own."""
    return replace(plan, ground=ground)


@dataclass(frozen=True)
class SolvedWalk:
    """Poses with everything that led to them, for measures and drawing.

    The stages fill it one after the other; what none has posed yet is None.

    Attributes
    ----------
    times
        Seconds of the scene's clock, shape (N,).
    source, states, targets
        Blended poses, steps and foot targets at those times.
    carriage
        Where the character is.
    laid
        The bones that carry the legs with the layers over the body, in character space.
    source_rotations, source_positions
        World poses of the bones that carry the legs before any correction, placed along the travel on
        the support height, metres, shapes (N, K, 4), (N, K, 3).
    legs
        The same bones as far as they are corrected.
    poses
        The result.
    """

    times: FloatArray
    source: SourcePoses = _TO_COME
    states: StepStates = _TO_COME
    carriage: Carriage = _TO_COME
    laid: LegPoses = _TO_COME
    source_rotations: FloatArray = _TO_COME
    source_positions: FloatArray = _TO_COME
    targets: FootTargets = _TO_COME
    legs: SolvedLegs = _TO_COME
    poses: PoseArray = _TO_COME

    def place(self, legs: SolvedLegs) -> SolvedWalk:
        """The walk with the bones that carry the legs where the body is, before any correction."""
        return replace(
            self, legs=legs, source_rotations=legs.rotations, source_positions=legs.positions
        )

    @property
    def hung(self) -> SourcePoses:
        """The blended poses with legs that hang from where the layers have the body."""
        return replace(self.source, legs=self.laid)

    @property
    def rotations(self) -> FloatArray:
        """World rotations of the bones that carry the legs, after solving, shape (N, K, 4)."""
        return self.legs.rotations

    @property
    def positions(self) -> FloatArray:
        """World positions of the bones that carry the legs, after solving, metres, (N, K, 3)."""
        return self.legs.positions

    @property
    def missed(self) -> FloatArray:
        """Distance between ankle and target, metres, shape (N, L)."""
        return self.legs.missed


@dataclass(frozen=True)
class Stage:
    """One stage of a walk. Both of its functions are pure: records in, the same record filled out.

    Attributes
    ----------
    name
        One or two words.
    does
        One line that says what it decides.
    plan
        What it decides once for the whole walk: the plan so far, and the walk so far on the plan's
        grid, to the plan; None where it decides nothing.
    pose
        How it changes the poses at any times: the plan, and the walk so far at those times, to the
        walk; None where it changes nothing.
    locks
        Whether it is left out where feet are not locked.
    """

    name: str
    does: str
    plan: Callable[[WalkPlan, SolvedWalk], WalkPlan] | None = None
    pose: Callable[[WalkPlan, SolvedWalk], SolvedWalk] | None = None
    locks: bool = False
