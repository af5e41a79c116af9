# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers of made gaits that are the same for every gait (numpy only).

The numbers of each gait are its `GaitSettings`, those of the ready-made ones are in `presets`. L is
the length of a leg from hip to ankle.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class _RollShapes:
    """Limits of how a foot rolls and rises over a step (docs/method/gaits.md, Feet)."""

    roll_power: float = 1.5
    """Power of its progress by which a roll grows: it begins without a jolt and ends quick."""

    off_fade: float = 0.75
    """Share of the swing by whose end the roll off the ground is gone."""

    strike_begin: float = 0.5
    """Share of the swing at which the roll onto the ground begins."""

    toe_fade: float = 0.45
    """Share of the swing by whose end a bent toe is straight again."""

    rise: float = 0.28
    """Share of the swing over which the foot rises, and over which it sinks: quick, so that no toe
    scuffs."""

    fold_end: float = 0.75
    """Share of the swing that the fold of the foot takes."""

    toes_raised: float = 0.3
    """Radians by which toes are bent up in the air where people's curves lead the foot, as shoes are."""

    raised_from: float = 0.45
    """Share of the swing from which toes are bent up only so far."""

    raised_to: float = 0.8
    """Share of the swing from which they come down again, to be straight at the strike."""

    air_pitch: float = 0.035
    """Radians by which a foot in mid swing is pitched up beyond the mean curve: half of what sources
    differ by."""

    slope_step: float = 1e-4
    """Share of the cycle over which slopes of measured pitches are taken."""

    steepest: float = 3.0
    """Multiple of a straight fade that the slope handed from the stance to the swing has at the
    most, so that a short roll does not overshoot; a cubic with more is not monotonous."""


ROLLS = _RollShapes()


@dataclass(frozen=True)
class _BodyShapes:
    """Limits of how the body goes with its legs (docs/method/gaits.md, Body)."""

    neck: float = 0.5
    """Share of the way from the chest's turn to the head's that the top of the neck goes."""

    head: float = 0.12
    """Share of the chest's turn that the head keeps: people hold the head still in space."""

    forearm_inward: float = 0.18
    """Radians by which the forearm's plane of bending turns in front of the body."""

    forearm_spread: float = 0.35
    """Share of the upper arm's spread outwards that the forearm hangs at."""

    arm_upright: float = 0.8
    """Share of the chest's lean that the arms, by their weight, do not follow."""

    tail_swing: float = 0.12
    """Radians by which each bone of a tail swings to the side against the one before."""

    tail_lag: float = 0.08
    """Share of the cycle by which each bone of a tail is later than the one before."""

    least_base: float = 0.1
    """Share of L. Legs less far apart fore and aft do not pitch the body."""


BODY = _BodyShapes()


@dataclass(frozen=True)
class PeopleLimits:
    """Limits of what is common to walks and runs of people (docs/method/gaits.md, Measured people)."""

    hips: float = 1.09
    """Height of the hips over that length."""

    slowest: float = 0.1
    """Speed, share of sqrt(g h), below which steps only get shorter: 0.3 m/s for an adult."""

    slow: float = 0.236
    """Speed, share of sqrt(g h): 0.7 m/s for an adult, where arms swing little and hips sway wide."""

    quick: float = 0.572
    """The same for 1.7 m/s, where it is the other way."""

    toes_up: float = 0.01
    """Radians by which feet strike toes up beyond the mean curve: joints of the one source have 14
    degrees, the foot itself in another 22."""

    lift: float = 0.06
    """Share of L by which a swinging foot rises besides its roll, which factors on it change."""

    clearance: float = 0.0155
    """Share of L between sole and ground in mid swing: 1.3 cm."""


PEOPLE = PeopleLimits()


@dataclass(frozen=True)
class StridingLimits:
    """Limits of how legs step as people do (docs/method/gaits.md, Measured people)."""

    straight: float = 0.9994
    """Share of L from hip to ankle of a leg that stands straight: 4 degrees of the knee."""

    straight_at_rest: float = 0.96
    """Share of L. Legs that are more bent at rest, as a bird's, stand as bent: 33 degrees of a knee."""

    most_aside: float = 0.985
    """Share of a straight leg to which a foot may be beside and ahead of its hip: the body would sink
    to a fifth of its height."""

    grid: int = 96
    """Samples of a cycle at which knees are looked at."""

    harmonics: int = 8
    """Waves of the body's height in a cycle: four in a step of two legs."""

    most_heave: float = 1.22
    """Factor by which the body rises and falls more than its knees ask for at the most."""

    least_travel: float = 0.002
    """Share of L of a rise and fall that is none."""

    least_knee: float = 0.12
    """Radians; straighter knees count like ones that are bent so much, or rounding would decide."""

    flight: float = 0.05
    """Radians of all knees against a fall in flight that is off by gravity."""

    tries: int = 6
    """Count of fits after which legs that are still too long lower the body for the whole cycle."""

    ceiling: float = 100.0
    """Weight, in radians of a knee a metre, of a leg that would be too long."""

    margin: float = 0.0005
    """Share of L below its longest that such a leg is held."""

    step: float = 0.004
    """Share of the cycle over which rates at foot-off and strike are taken."""

    clear: float = 0.4
    """Share of the swing over which the asked clearance grows, and falls before the strike."""

    lead_power: float = 4.0
    """How quickly a foot in the air forgets where it stood: 2 lets runners' legs trail."""

    fall: float = 0.12
    """Share of L a swing: speed with which heels come down, 0.25 m/s for an adult who walks."""

    clear_width: float = 0.06
    """Share of the swing to both sides over which a lift for clearance is spread."""

    clear_edge: float = 0.12
    """Share of the swing at its ends over which such a lift enters."""

    soft: float = 0.0012
    """Share of a straight leg over which a foot in the air is held back softly."""


STRIDING = StridingLimits()


@dataclass(frozen=True)
class FitLimits:
    """Limits of what a rig and a user may ask of a gait (docs/method/gaits.md, Fitting)."""

    most_reach: float = 0.985
    """Share of L that legs stretch to at the most where no curves of people move them: 20 degrees are
    left in a knee in the middle."""

    shortest_leg: float = 0.02
    """Metres. Shorter legs are of models in other units, whose scale nothing tells: their gaits
    keep the period of an adult."""

    longest_leg: float = 4.0
    """Metres; the same for longer legs."""

    track: float = 1.15
    """Share of the hips' distance at rest at which the tracks of a person's feet are at the most."""

    sole_gap: float = 0.012
    """Share of L between a sole and the middle of both tracks."""

    run_sole: float = 0.4
    """Share of the sole's width: half of a runner's track at least. The one foot is high above the
    ground while it passes the other."""

    most_sinking: float = 0.16
    """Share of the hips' height by which a gait may lower the body before its stride is shortened."""

    stride_tries: int = 8
    """Count of halvings by which the longest stride is found; to 0.4 % of itself."""

    least_stride: float = 0.1
    """Share of its stride that a gait keeps at least."""

    most_roll: float = 1.35
    """Radians. Beyond this a foot would stand on its toe tip or turn over."""

    fewest_keys: int = 8
    """Count of keys in a cycle; fewer do not show a step's strike, stand, off and swing."""

    least_duty: float = 0.05
    """Share of the cycle that a foot stands; shorter, no key would fall into its stance."""


FIT = FitLimits()
