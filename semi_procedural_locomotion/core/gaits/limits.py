# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers of made gaits that are the same for every gait (numpy only).

The numbers of each gait are its `GaitSettings`, those of the ready-made ones are in `presets`. L is
the length of a leg from hip to ankle.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RollShapes:
    """How a foot rolls and rises over a step (docs/method/gaits.md, Feet)."""

    roll_power: float = 1.5
    """Power of its progress by which a roll grows: it begins without a jolt and ends quick."""

    tip_power: float = 3.0
    """The same for what the toe tip takes of the roll, which comes late."""

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

    steepest: float = 3.0
    """Multiple of a straight fade that the slope handed from the stance to the swing has at the
    most, so that a short roll does not overshoot; a cubic with more is not monotonous."""


ROLLS = RollShapes()


@dataclass(frozen=True)
class BodyShapes:
    """How the body goes with its legs (docs/method/gaits.md, Body)."""

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


BODY = BodyShapes()


@dataclass(frozen=True)
class FitLimits:
    """What a rig and a user may ask of a gait (docs/method/gaits.md, Fitting)."""

    most_reach: float = 0.985
    """Share of L that legs stretch to at the most: 20 degrees are left in a knee in the middle."""

    shortest_leg: float = 0.02
    """Metres. Shorter legs are of models in other units, whose scale nothing tells: their gaits
    keep the period of an adult."""

    longest_leg: float = 4.0
    """Metres; the same for longer legs."""

    track: float = 1.15
    """Share of the hips' distance at rest at which the tracks of a person's feet are at the most."""

    sole_gap: float = 0.03
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

    most_duty: float = 0.95
    """Share of the cycle that a foot stands; longer, no key would fall into its swing."""

    rest_keys: int = 2
    """Count of keys of a rest."""

    rest_duration: float = 1.0
    """Seconds of a rest; any would do."""


FIT = FitLimits()
