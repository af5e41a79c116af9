# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds of the numbers of a plan. L is the mean length of the legs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SoleMeasureLimits:
    """How soles are measured against the ground."""

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
    whole weight is what no point of a flat foot has."""

    doubted: float = 0.004
    """Share of L. A foot in contact that seems to be higher than this is looked at closely."""

    close_points: int = 24
    """Count of parts of the sole from heel to ball, and of those from ball to toe tip, for that: less
    than a centimetre each of a grown person's."""

    extent_directions: int = 64
    """Count of directions in which the extent of a slide is taken; the widest is at most 0.03 %
    short."""

    near: float = 0.008
    """Share of L. A sole is near the ground below this, whatever the plan says."""

    standing: float = 0.1
    """L per second. The root moves when it is faster than this ..."""

    slow: float = 0.25
    """... and than this share of its fastest: a foot that steps beside a root that all but stands has
    no speed to be compared with."""


SOLE_MEASURES = SoleMeasureLimits()


@dataclass(frozen=True)
class NumberLimits:
    """When something counts in the numbers of a walk."""

    deep: float = 0.005
    """Share of L by which a swing is deep."""

    missed: float = 0.001
    """Share of L by which an ankle misses its target."""

    missed_on_controls: float = 0.005
    """The same for walks on controls, which bring feet as near as to 0.3 % L: from here on it is told
    that they do not bring them there."""

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
    """Where nothing asks for a correction."""

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
