# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights and bounds of the one problem of body and feet (docs/method/trajectory.md, Costs and rows).

Costs are squares integrated over cycles and summed over legs; lengths are shares of the leg, angles
radians. What a weight is worth shows beside `own`, which is 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Knots:
    """How fine changes are in time, and where they are looked at."""

    body: int = 10
    """Knots of the body a cycle: 5 cannot follow single steps, 20 change nothing that is seen."""
    flight: int = 10
    """Pieces of a foot's way in its flight; 9 numbers are free."""
    pitch: int = 14
    """Pieces of its pitch from where it begins to roll to where it has rolled on; 13 numbers are free."""
    rolled: float = 0.9
    """Durations of a flight for which the foot may be pitched before it and after it, at most half the
    stance."""
    samples: int = 32
    """Instants of a flight at which rows are asked for."""
    rolling: int = 18
    """Instants of each stance beside it."""


@dataclass(frozen=True)
class Weights:
    """What change costs."""

    own: float = 1.0
    """Distance from hip to ankle of a standing leg against the planted clip's."""
    fold: float = 100.0
    """Distance by which a leg is folded beyond its clip's own."""
    tilt: float = 3.0
    """Pitch and roll of the body, as ways of its outermost hips."""
    pitch_still: float = 1.0
    """Pitch of a foot beside the clip's."""
    body_calm: float = 1e-4
    """Third derivative of the body's channels, per cycle."""
    foot_calm: float = 2e-6
    """Third derivative of a foot's way, per cycle."""
    pitch_calm: float = 3e-5
    """Second derivative of a foot's pitch, per cycle."""
    reach: float = 3000.0
    """Row: distance beyond the leg's reach."""
    room: float = 5e4
    """Row: depth of a point of the foot in the room that it keeps over the ground."""
    fall: float = 10.0
    """Row that is an equality: second derivative a cycle of the body's channels while no foot bears; less
    than a thousandth of the gravity is left."""
    turn: float = 30.0
    """Row: pitch of a foot beyond its bound."""
    belly: float = 100.0
    """Row: depth of a point of the underside in the room that it keeps."""
    ends: float = 4.0
    """Pitch of a foot as it leaves the ground on slopes, and meets those and other treads, beside that of
    people."""
    knee: float = 2.0
    """Row: turn of the knee in a cycle beyond its bound."""
    snap: float = 200.0
    """Row: second difference of the knee's bend beyond its bound."""
    rise: float = 10.0
    """Row: way of the ankle up or down in a cycle beyond its bound."""


@dataclass(frozen=True)
class Bounds:
    """What people and bodies can do."""

    reach: float = 0.99
    """Share that is used of how far legs reach; the rest is for what rows lack of being kept."""
    straight: float = 0.9985
    """Share of the leg to which clips that stretch it farther are held; the leg solver ends at 0.9995."""
    beside_clip: float = 1.35
    """Times the clip's own fastest that joints and ankles may be, whatever the ground."""
    knee: float = 2.75
    """Radians that a knee turns in the time that the leg's length and gravity make, root of L / g: 520
    degrees a second of an adult."""
    turn: float = 0.8
    """Radians by which a foot is pitched beside its clip, 45 degrees: from a strike on the heel to one on
    the ball."""
    snap: float = 0.235
    """Second difference of a knee's bend, radians, at times as far apart as ``lag``: 15 degrees a frame
    of film, above which joints are seen to snap, but for a tenth that is missed between instants."""
    lag: float = 0.146
    """That time, beside the root of L / g: 1 / 24 of a second of an adult."""
    rise: float = 1.94
    """Heights of a step by which an ankle goes up or down in that time: 2.3 m/s of an adult at 36 cm."""
    strike: float = 0.27
    """Leg lengths in that time at which a foot meets the ground: 0.8 m/s of an adult."""
    pointed: float = 0.314
    """Radians by which the toes of people point down as they meet a lower tread: 15 to 20 degrees."""
    least_arm: float = 0.15
    """Share of the leg by which hips are apart along or across a body that pitches or rolls for them."""


@dataclass(frozen=True)
class Rounds:
    """How the problem is solved."""

    count: int = 12
    """Rounds of Gauss-Newton, always as many."""
    first: float = 0.03
    """Share of their weights that rows have in the first; three times as much in each further one."""
    looks: int = 3
    """Times that a round tells which rows count, from where its last change would lead; at 1 a foot that
    is led around one edge is led into the next."""
    updates: int = 3
    """Last rounds before which the multipliers of reach and room are updated."""
    soft: float = 1e-5
    """By how much a row has to be missed to count in full, leg lengths, or radians or lengths a cycle."""
    unseen: float = 4e-3
    """By how much a row may be missed of a step for nothing to be solved, in the same units ..."""
    unseen_pace: float = 0.1
    """... and of a pace, the share of its bound beside."""
    around: float = 2.0
    """Cycles around a step with a missed row in which steps are solved, too; a change falls by a factor
    of ten and more in each."""
    step: float = 0.1
    """Leg lengths by which no way changes more in a round."""
    turn: float = 0.3
    """Radians by which no pitch does."""


@dataclass(frozen=True)
class Damping:
    """How changes of a round are held back, so that slopes hold where they lead; costs of these changes.

    Without it the rounds of stairs end at three times the cost, and chatter.
    """

    body: float = 0.3
    """Each channel of the body."""
    first: float = 30.0
    """Each way of a foot in the first round."""
    least: float = 1.0
    """The least of a foot whose changes are as good as they were foretold."""
    most: float = 1e4
    """The most."""
    turn: float = 0.05
    """Of its pitch, beside its ways."""
    less: float = 0.7
    """Factor after a round whose change of a foot cost less than none would have ..."""
    more: float = 8.0
    """... and after one that cost more."""


@dataclass(frozen=True)
class Closing:
    """The last rounds, in which what legs lack to reach is closed with as little change as it takes.

    Without them standing feet are missed by up to 0.7 % of the leg, with them by 0.1.
    """

    rounds: int = 4
    """How many."""
    reach: float = 10.0
    """Times the weight of the reach."""
    feet: float = 100.0
    """Times the damping of feet."""
    body: float = 3.0
    """Damping of the body."""


@dataclass(frozen=True)
class Seeds:
    """Pitches with which feet may begin: on a lower tread balls come first, beyond a flat foot."""

    tried: tuple[float, ...] = (0.0, 0.4, 0.8)
    """Radians at the strike, of which each step has the one with which its leg reaches best."""
    width: int = 3
    """Pieces of the pitch before and after the strike in which it comes and goes."""


KNOTS = Knots()
WEIGHTS = Weights()
BOUNDS = Bounds()
ROUNDS = Rounds()
DAMPING = Damping()
CLOSING = Closing()
SEEDS = Seeds()
