# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers by which walks are measured (numpy only).

What is good and what is bad is in `verdicts`. L is the mean length of the legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SoleMeasureLimits:
    """How soles are measured against the ground (docs/method/report.md, Depth)."""

    look_up: float = 0.5
    """Share of L. Ground up to so far above a sole point still counts as under it: soles sink in."""

    roof: float = 0.8
    """Share of L. What is found higher than this above the print that a foot belongs to is no ground
    that it could be in, but a roof over a lifted foot, where there is ground below it as well."""

    sure_depth: float = 0.002
    """Share of L. Depths up to here are taken as they are. Beyond, the shortest way out counts: a toe
    that is a hair beyond a riser is not deep in the tread."""

    ways_out: tuple[float, ...] = (0.005, 0.012, 0.025, 0.04, 0.06)
    """Shares of L by which a deep sole is moved aside to find a way out."""

    directions_out: int = 8
    """Count of directions in which it is moved."""

    carrying: float = 0.5
    """Share of the heaviest sole point's weight. A point carries the foot with more; half of the
    whole weight is what no point of a flat foot has (docs/method/report.md, Slides)."""

    extent_directions: int = 64
    """Count of directions in which the extent of a slide is taken; the widest is at most 0.03 %
    short."""

    near: float = 0.008
    """Share of L. A sole is near the ground below this, whatever the plan says (docs/method/report.md,
    Speed near the ground)."""

    standing: float = 0.1
    """L per second. The root moves when it is faster than this ..."""

    slow: float = 0.25
    """... and than this share of its fastest: a foot that steps beside a root that all but stands has
    no speed to be compared with."""


SOLE_MEASURES = SoleMeasureLimits()


@dataclass(frozen=True)
class NumberLimits:
    """When something counts in the numbers of a walk (docs/method/report.md, Numbers)."""

    deep: float = 0.005
    """Share of L by which a swing is deep."""

    missed: float = 0.001
    """Share of L by which an ankle misses its target."""

    turn_rate: float = 30.0
    """Frames a second for which the turn of a foot in one frame is told, whatever the scene's are."""

    still_knee: float = 0.35
    """Radians a second. A source with slower knees stands still: no ratio is given."""

    still_hips: float = 1.0
    """L per second cubed. The same for the jerk of the hips' height."""

    least_undisturbed: int = 2
    """Count of undisturbed frames that tell how true a walk is to its source."""


NUMBERS = NumberLimits()


@dataclass(frozen=True)
class UndisturbedLimits:
    """Where nothing asks for a correction (docs/method/report.md, Numbers)."""

    whole_weight: float = 0.999
    """Share of one walk in the blend."""

    same_speed: float = 0.02
    """Share of that walk's own speed by which the velocity may differ."""

    same_turn: float = float(np.radians(2.0))
    """Radians a second by which the turn may differ from its own."""

    level: float = 0.002
    """Share of L by which the prints may differ in height."""

    upright: float = float(np.cos(np.radians(0.5)))
    """Cosine of the prints' slope."""

    margin: float = 0.6
    """Cycles of the slowest walk before and after in which all of that holds: the body and the hips
    are smoothed over half of one."""


UNDISTURBED = UndisturbedLimits()


@dataclass(frozen=True)
class NoteLimits:
    """From what on something about a walk is told (docs/method/report.md, Notes on a walk)."""

    alarm: float = 3.0
    """Multiple of a bar (see `verdicts`) that a foot misses."""

    stretched: float = 0.985
    """Share of its length beyond which a leg is stretched out. What its foot does when it misses its
    place for that is not told once more."""

    folded: float = 0.4
    """Share of its length below which a leg is folded up; the same."""

    intrusion: float = 0.03
    """Share of L by which a leg cuts the ground between hip and ankle: it is seen at once."""

    quicker: float = 1.1
    """Factor on the step rate by which side steps and turns are quickened."""

    moved: float = 0.02
    """Share of L by which prints or swings are led out of the way of the partner's foot."""

    crowded: float = 0.01
    """Share of L by which prints are still too near to the partner's."""

    far_ground: float = 3.0
    """Multiple of L between the ground at the start and the place that was given: hardly meant."""

    carried_off: float = 0.35
    """Share of L by which moving ground carries a standing foot away from where the body goes."""

    carried_interval: float = 1.0 / 24.0
    """Seconds between the instants at which that is looked at."""

    off_ground: float = 0.1
    """Share of L between a footstep of the user and the ground under it: hardly meant."""

    above_footstep: float = 1.0
    """Share of L above a footstep from which the ground under it is looked for."""

    fast: float = 1.8
    """Multiple of the fastest motion's speed at which a travel goes."""

    against: float = float(np.radians(100.0))
    """Radians between a travel and the nearest motion, from which no motion goes its way."""

    against_share: float = 0.5
    """Share of the whole way on which that is so."""

    pop: float = 0.012
    """Share of L by which keys jump against the plan in one frame: a centimetre for a grown person,
    seen at once in a planted foot."""

    most_pops: int = 3
    """Count of pops that are told of a leg; more of them say nothing new."""

    off_plan: float = 0.002
    """Share of L by which keys are off the plan. Keys of single precision far from the origin are
    less."""


NOTES = NoteLimits()
