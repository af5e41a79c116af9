# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Cycles without
more said are those of the slowest walk, shares of speed and stride likewise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class GridLimits:
    """Limits of how a travel is read (docs/method/times.md, Times and Weights)."""

    velocity_width: float = 0.1
    """Cycles; smoothing of the travel's velocity: shakes of a hand-keyed path are no starts."""
    moving_speed: float = 0.02
    """Share of the slowest walk's speed above which a travel moves."""
    moving_turn: float = float(np.radians(4.0))
    """Radians a second; a travel that turns faster moves."""
    padding: float = 2.25
    """Cycles of the grid before and after the travel: steps at its ends need prints beyond them. A
    longer walk is the same to 3e-5 m as far as a shorter one goes: hips are smoothed over 0.3."""
    most_rows: int = 1_500_000
    """Samples of a plan at the most, of a character on two legs; of one on more as many fewer. Eight
    hours at 48 samples a second, and as much as ordinary machines have room for."""
    row_bytes: float = 5500.0
    """Bytes that a plan takes for each sample at its peak, on two legs: measured over a kilometre."""
    row_seconds: float = 1.2e-4
    """Seconds that a sample takes, on two legs: likewise."""


@dataclass(frozen=True)
class GroundLevelLimits:
    """Limits of how the level under the body is followed (docs/method/ground.md, Levels)."""

    gap_patience: float = 3.0
    """Step limits of travel after which a level farther away than one is taken over."""
    standing_room: float = 1.5
    """Leg lengths of free height that a level needs to be walked on without stooping. More than twice the
    usual step limit, so that of two levels within reach only one has it."""
    heights: float = 1.0
    """Step limits that a way must rise or fall by in all for its heights to count: a flat one is laid on
    the ground as it comes."""


@dataclass(frozen=True)
class TreadLimits:
    """Limits of what stairs are (docs/method/times.md, Treads). L is the leg's length."""

    spacing: float = 0.02
    """Share of L between two stations."""
    least_rise: float = 0.05
    """Share of L; lower risers are pebbles, and grass."""
    steep: float = 0.25
    """Share of the least riser by which the ground rises from one station to the next within one: it is
    steeper than 30 degrees there."""
    thickest: int = 4
    """Stations over which a riser leans at most."""
    longest: float = 1.2
    """Share of L; treads that are longer are landings, each riser on its own."""
    margin: float = 0.5
    """Share of L before and behind a flight within which feet step onto it."""
    digits: float = 1e-3
    """Share by which a tread may be higher than the largest climb and still be no more than one."""
    quickest: float = 1.3
    """Cycles in the time of one of the slowest walk up to which steps are fitted to treads ..."""
    hurry: float = 0.25
    """... and how many more make a run of it, which climbs as on a slope."""
    most_stations: int = 400_000
    """Stations of a way; on a longer one stairs are slopes."""


@dataclass(frozen=True)
class ClimbLimits:
    """Limits of how walks slow down for what they climb (docs/method/times.md, Climbs)."""

    longer: float = (114.7 / 94.5 - 1.0) * 0.9 / 0.18
    """By which share of its time on the level a step on stairs takes longer for each leg's length that it
    climbs or falls. With legs of 0.9 m people take 114.7 steps a minute on the level, and 84 to 105 on
    long stairs, on risers of 18 cm (docs/method/sources.md, Stairs)."""
    quicker: float = 1.15
    """Cycles in the time of one of the slowest walk that slopes without treads are climbed with."""
    slowest: float = 0.25
    """Share of the full speed that the steepest ground leaves."""
    window: float = 0.5
    """Strides over which heights are smoothed, and by which a walk slows down before a climb: a kerb is
    no stairs."""
    noticed: float = 1.05
    """Factor on the fastest climb below which nothing changes."""
    spacing: float = 0.03
    """Leg lengths between two stations."""
    least_ramp: float = 0.1
    """Seconds; a walk that starts at once still slows down in this."""


@dataclass(frozen=True)
class RideLimits:
    """Limits of what carries the body (docs/method/times.md, Carriers)."""

    same_place: float = 2e-4
    """Leg lengths (and radians) by which carriers that move alike may differ, and a body that rests on
    one may seem to move: the digits that matrices of a scene have."""
    shortest: float = 0.25
    """Cycles; what carries the body for less than this between two times on another carrier is passed
    over within a step, and sets no pace."""
    same_time: float = 1e-6
    """Share of the grid's interval within which times are the same."""


@dataclass(frozen=True)
class WeightLimits:
    """Limits of how motions share out the weight (docs/method/times.md, Weights)."""

    width: float = 0.13
    """Cycles; smoothing of the weights: a change of gait takes a step or two."""
    least: float = 1e-4
    """Weights below this change no visible pose."""
    least_walk: float = 1e-6
    """Sum of the walks' weights below which the slowest walk stands for them."""


@dataclass(frozen=True)
class RateLimits:
    """Limits of what limits how fast cycles run (docs/method/times.md, Rates)."""

    step_on: float = 1.2
    """Cycles before and after a move in which feet keep stepping."""
    slow_cycle: float = 1.25
    """Cycles; the longest cycle at starts, stops and turns on the spot: they do not wait."""
    slow: float = 0.2
    """Share of the slowest walk's speed; below it the direction of travel does not tell which motion's
    stride counts, and starts and stops keep stepping."""
    least_stride: float = 0.5
    """Strides of motions in opposite directions never cancel below this share of their sum."""
    led_stride: float = 2.0
    """Factor on the longest side stride with a motion that goes sideways, but not in full."""
    sideways: float = 0.5
    """Share of the speed to the side above which a walk is a sideways one."""
    slope_width: float = 0.3
    """Cycles; smoothing of the ground's slope."""
    fastest: float = 1.7
    """Cycles in the time of one of the slowest walk that steps on slopes are quickened to at most."""
    shared_climb: float = 0.62
    """Share of its climb that a body with legs before and behind takes in a step: their hips rise and
    fall together, so that what one leg steps down others fold for."""
    along_body: int = 3
    """Places at which a long body meets the ground: its hindmost foot, its middle and its foremost."""
    turn_radius: float = 0.4
    """Leg lengths; a travel whose turn has a smaller radius turns on the spot."""
    least_setting: float = 1e-3
    """Share of the leg, a stride or climb that is set to less counts as this."""
    hurried: float = 2.0
    """Factor on the rate that accelerations raise it to at most, as in the thesis' program."""
    acceleration_width: float = 0.25
    """Cycles; smoothing of the acceleration: one that does not last a step asks for none."""
    idle: float = 1e-4
    """Share of the slowest walk's speed; below it no stride says how fast to step."""
    longest_slowed: float = 1.3
    """Cycles of the walk that one along footsteps takes at most near a standstill."""
    most_slowing: float = 4.0
    """Power of the stride by which such a cycle gets longer at most."""
    least_exponent: float = 1e-3
    """What is left of 1 beside the slowdown exponent at least."""
    same_way: float = 0.8
    """Cosine between two walks that go the same way."""


@dataclass(frozen=True)
class GradeLimits:
    """Where the ground is one slope, and how strides change on it (docs/method/times.md, Grades)."""

    near: float = 0.03
    """Cycles; smoothing of the ground whose slope is asked for."""
    around: float = 0.25
    """Cycles before and after for which it has to hold."""
    width: float = 0.15
    """Cycles; smoothing of what holds."""
    slow: float = 0.1
    """Share of the slowest walk's speed below which grades fade: who stands climbs nothing."""
    walking: float = 0.5
    """Share of a cycle that feet stand at least for it to be a walk."""
    slopes: FloatArray = field(
        default_factory=lambda: np.tan(np.radians([-9.0, -6.0, -3.0, 0.0, 3.0, 6.0, 9.0]))
    )
    """Rise over run at which people were measured, J. R. Franz and R. Kram, Gait Posture 35, 2012 ..."""
    quicker: FloatArray = field(
        default_factory=lambda: np.array([0.99, 0.98, 0.95, 0.93, 0.91, 0.91, 0.92]) / 0.93
    )
    """... and their strides a second at 1.25 m/s, shares of those on the level."""


@dataclass(frozen=True)
class FootTurnLimits:
    """Limits of how feet turn with their body (docs/method/times.md, Turns of the feet)."""

    fastest: float = float(np.radians(110.0))
    """Radians in a cycle of the slowest walk that feet turn without more ado: 55 degrees a step, at the
    upper end of what people do."""
    of_motion: float = 1.1
    """Factor on the turn of a motion that turns by itself."""
    spread: float = 1.5
    """Cycles over which feet spread a sudden turn at most: to turn back takes three steps."""


@dataclass(frozen=True)
class _ContactFits:
    """How contacts fit a travel that no motion was made for (docs/method/times.md, Leg times)."""

    standing_share: float = 0.5
    """Share of the rest from which on feet stand as those of a walk do."""
    half_stance: float = 0.26
    """Cycles after their stance at which feet leave at the earliest then: of two feet one just leaves
    when the other strikes."""
    stance_reach: float = 0.5
    """Share of the leg; contacts are lengthened while the body passes the foot by less each way."""
    least_leg_rate: float = 0.5
    """Of the phase's; legs go on at least as fast as that where the blend moves their stances later."""
    least_alignment: float = 0.1
    """A motion that goes another way than the travel counts with this for key times at least."""


@dataclass(frozen=True)
class MoveLimits:
    """Limits of how the phase is fitted to moves (docs/method/times.md, Starts and stops)."""

    anticipation: float = 0.1
    """Cycles before the body moves at which the first foot leaves."""
    settle: float = 2.0
    """Cycles over which the last steps are re-timed so that a foot stands when the body stops."""
    settle_share: float = 0.6
    """Share of a short move that this may take."""
    closing: float = 0.75
    """Cycles that the other feet need to close after a stop."""
    opening: float = 0.6
    """Cycles that feet which land soon after a start need to swing before it. A rest that leaves less
    than both is stepped through."""
    longer_cost: float = 4.0
    """Cost of longer last steps against shorter ones: they drop the hips."""
    drift_step: float = 0.8
    """Cycles of the move that a drift asks for: one foot steps in it, and stands at its end."""
    drift_rest: float = 3.0
    """Cycles; a drift that asks for its next step after less is stepped through: feet hardly close, stand
    and open in that time."""
    least_drift: float = 0.02
    """Share of the leg below which a drift never asks for a step, however short steps may be."""
    least_drift_turn: float = float(np.radians(3.0))
    """Radians; the same for turns."""


@dataclass(frozen=True)
class PartingLimits:
    """Limits of how far neighbouring feet stand apart (docs/method/times.md, Parting limits)."""

    sole_gap: float = 0.03
    """Share of the leg; least distance between two soles, where the motions leave as much: legs pass
    through each other on side steps otherwise."""
    most: float = 0.12
    """Share of the leg by which a print may be moved to the side."""
    counted_on: float = 0.5
    """Share of that which is counted on when the step rate is chosen."""


@dataclass(frozen=True)
class RefusalLimits:
    """Travels that are no walk at all (docs/method/times.md, Limits)."""

    most_fast: float = 100.0
    """A travel that many times as fast as the fastest motion is refused."""
    most_rate: float = 25.0
    """Cycles a second; nobody takes so many."""
    most_quick: float = 12.0
    """Cycles in the time of one of the slowest walk; tiny legs may take so many in any case."""
    most_told: float = 10000.0
    """Times as fast as the fastest motion; more is told in words, since such a number tells nothing."""
    least_stride: float = 0.02
    """Share of L; a cycle that goes less far walks on the spot."""
    most_lengths: float = 1000.0
    """Multiple of L; of a longer jump the length tells nothing."""
    jump: float = 0.2
    """Seconds; a travel that is fast for less time each way jumps: two frames of the slowest films."""
    beside_jump: float = 0.1
    """Share of the speed of a jump that the travel has at the most elsewhere."""


@dataclass(frozen=True)
class GapLimits:
    """Gaps that are jumped over (docs/method/airborne.md, Gaps)."""

    spacing: float = 0.05
    """Share of the leg from one place to the next at which the ground is looked for."""
    depth: float = 0.5
    """Share of the leg by which ground is lower than where it ends to be a gap: less is stepped down."""
    over: float = 0.3
    """Share of the leg over the level of the walk below which ground is looked for."""
    ahead: float = 8.0
    """Legs beyond a landing in which a wall is none of another place: who jumps down shall get on."""
    margin: float = 0.1
    """Share of the leg that soles keep from the edges: the body sways as it pushes off."""
    run_up: float = 0.75
    """Strides from the start of a way, and from one jump, to the next at least."""
    least: float = 0.35
    """Strides of a body's flight at least."""
    look: float = 0.5
    """Strides before a jump over which the speed is taken."""
    around: float = 1.5
    """Seconds before and after a flight in which the way is sampled finely."""
    same: float = 1e-4
    """Seconds from the ends of a flight within which no other sample is kept."""
    pause: float = 0.1
    """Cycles between two stances at least that leave time for a flight."""
    settle: float = 1.5
    """Cycles before a flight in which the steps are fitted to it."""


@dataclass(frozen=True)
class OrientingLimits:
    """Limits of how lower bodies turn to their way (docs/method/times.md, Ways without a motion)."""

    free: float = float(np.radians(6.0))
    """Radians between a way and the motions that feet take as ever."""
    entering: float = float(np.radians(14.0))
    """Radians over which the turn enters."""
    blended: float = float(np.radians(130.0))
    """Radians between two motions up to which ways between them are blends of both."""
    widest: float = float(np.radians(60.0))
    """Radians that it turns at most; a spine bears no more."""
    back: float = float(np.radians(120.0))
    """Radians from which on it does not turn."""
    least: float = 1e-4
    """Radians that are none."""
    slow: float = 0.15
    """Share of the slowest walk's speed below which it does not turn, and twice that above which it
    does in full."""
    width: float = 0.25
    """Cycles; smoothing of the turn: hips are turned in steps."""


GRID = GridLimits()
LEVELS = GroundLevelLimits()
TREADS = TreadLimits()
CLIMBS = ClimbLimits()
GAPS = GapLimits()
ORIENTING = OrientingLimits()
RIDES = RideLimits()
WEIGHTS = WeightLimits()
RATES = RateLimits()
GRADES = GradeLimits()
FOOT_TURNS = FootTurnLimits()
CONTACTS = _ContactFits()
MOVES = MoveLimits()
PARTING = PartingLimits()
REFUSALS = RefusalLimits()
