# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers by which walks are measured (numpy only).

What is good and what is bad is in `verdicts`. L is the mean length of the legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class NoteLimits:
    """From what on something about a walk is told (docs/method/report.md, Notes on a walk)."""

    missed: float = 0.003
    """Share of L by which an ankle misses where the plan wants it."""

    quicker: float = 1.1
    """Factor on the step rate by which side steps and turns are quickened."""

    whirls: float = float(np.radians(300.0))
    """Radians a second that a foot turns in flight beyond its clip's fastest: 10 degrees in a frame of
    30 a second are seen."""

    spun: float = float(np.radians(20.0))
    """Radians that a body turns from one frame to the next: legs cannot be keyed for what is between."""

    whirled: float = float(np.radians(45.0))
    """Radians that a bone of a leg turns from one frame to the next beyond its clip's most: it flips,
    or its foot flaps."""

    end_moved: float = 0.03
    """Share of L by which an end of a way is moved aside: a mark on the floor is missed."""

    slid: float = 0.005
    """Share of L by which a foot that should stand beside a walk slides: less is not seen."""

    crowded: float = 0.01
    """Share of L by which prints are still too near to the partner's."""

    far_ground: float = 3.0
    """Multiple of L between the ground at the start and the place that was given: hardly meant."""

    carried_off: float = 0.35
    """Share of L by which moving ground carries a standing foot away from where the body goes."""

    carried_interval: float = 1.0 / 24.0
    """Seconds between the instants at which that is looked at."""

    named: int = 3
    """Footsteps that are named in it."""

    off_ground: float = 0.1
    """Share of L between a footstep of the user and the ground under it: hardly meant."""

    above_footstep: float = 1.0
    """Share of L above a footstep from which the ground under it is looked for."""

    fast: float = 1.8
    """Multiple of the fastest motion's speed at which a travel goes."""

    against: float = float(np.radians(60.0))
    """Radians between a travel and the nearest motion, from which no motion goes its way: sets of four
    directions leave 45 at the most, and a walk to the side that is led ahead is no walk ahead."""

    against_share: float = 0.5
    """Share of the whole way on which that is so."""

    astray: float = 0.25
    """Share of the turn of a walk on a curve by which the travel turns otherwise for half of its time."""

    most_walls: int = 5
    """Count of things in the way that are told one by one; the others are counted."""


NOTES = NoteLimits()


@dataclass(frozen=True)
class ShownFootLimits:
    """When shown feet stand, and how deep they are (docs/method/report.md, What is shown)."""

    look_up: float = 0.6
    """Share of L. Ground up to so far above a point may still be what it has sunk into."""

    roof: float = 0.35
    """Share of L. What is further above counts only where nothing nearer is below, as under a roof."""

    near: float = 0.015
    """Share of L. A foot is near the ground below this height."""

    resting: float = 0.35
    """Share of the travel's speed. A foot rests while its lowest point is slower than this: swinging
    feet are faster than the travel."""

    slowest: float = 0.3
    """L per second. The travel counts as no slower than this for that."""

    level: float = 0.1
    """Share of the travel's speed. A foot that is not near the ground stands in the air where it also
    rises or falls slower than this ..."""

    least_frames: int = 3
    """... for so many frames on end: at the top of a swing it does for one."""

    bearing: float = 0.001
    """Share of L. What a point bears falls by e for each such height above the lowest of its foot."""

    least_load: float = 0.6
    """Count of lowest points that a part of a sole bears like at least; one has it at half the height
    of `bearing`."""

    far: float = 50.0
    """Multiple of `bearing`; points higher than that bear nothing alike."""

    sure_depth: float = 0.002
    """Share of L. Depths up to here are taken straight up. Beyond, the shortest way out counts."""

    ways_out: tuple[float, ...] = (
        0.0025, 0.005, 0.0075, 0.01, 0.0125, 0.015, 0.02, 0.03, 0.045, 0.07,
    )  # fmt: skip
    """Shares of L by which a deep point is moved aside to find a way out."""

    directions_out: int = 16
    """Count of directions in which it is moved."""

    extent_directions: int = 32
    """Count of directions in which the extent of a slip is taken."""


@dataclass(frozen=True)
class ShownBodyLimits:
    """How shown bodies are held against their travel and clips (docs/method/report.md, What is shown)."""

    stout: float = 0.5
    """Share of its segment up to which a girth is believed: skin farther off is no tube about the bone
    all along, but cuffs and hips at one end."""

    own_offset: float = 0.35
    """Share of L. A body may stand beside its travel as its clips have it, by so much more than its
    hips lie apart; farther is not meant."""

    same_speed: float = 0.03
    """Share of its speed within which a travel is constant ..."""

    same_time: float = 0.5
    """... over so many seconds about."""

    standing: float = 0.2
    """L per second. A slower travel has no speed to be compared with."""

    jerk_frames: int = 4
    """Count of frames on end that a third difference needs."""

    still_hips: float = 1.0
    """L per second cubed. A source with less jerk stands still and gives no ratio."""

    still_knees: float = 0.35
    """Radians a second. A source with slower knees stands still and gives no ratio."""

    still_feet: float = 0.2
    """L per second. A source whose feet are slower gives no ratio."""

    along: tuple[float, ...] = (0.0, 0.35, 0.7, 0.9)
    """Shares of a segment from its upper joint where it is looked at; an ankle lies inside the foot."""

    upright: float = 1e-3
    """Sine of the angle to the plumb line below which a limb has no side of its own."""

    sides: int = 8
    """Count of directions in which a way out of the ground is looked for ..."""

    ways_out: tuple[float, ...] = (0.01, 0.02, 0.03, 0.045, 0.07, 0.1, 0.15)
    """... and how far it is, shares of L; what is not out by then is as deep as it is down."""

    plays: float = 0.01
    """Share from which a motion plays in a frame."""

    phases: int = 200
    """Count of phases of a cycle at which a foot on the ground is looked for."""


@dataclass(frozen=True)
class CutLimits:
    """What of a body is told to be in the ground (docs/method/report.md, In the ground)."""

    places: int = 40
    """Count of places of each bone that are looked at; up to twice as many of one that has more."""

    noticed: float = 0.03
    """Share of L that is seen at once."""

    phases: int = 24
    """Count of phases of the slowest walk by itself: what is in the ground there is no fault."""


CUTS = CutLimits()
SHOWN_FEET = ShownFootLimits()
SHOWN_BODY = ShownBodyLimits()


@dataclass(frozen=True)
class BlendLimits:
    """Feet while a walk goes over from a pose, and to one (docs/method/report.md, Blends)."""

    near: float = 0.005
    """Share of L. A point of a foot that should stand bears below this height."""
    sunk: float = 0.004
    """Share of L by which a foot is deeper in the ground than in the pose: less is not seen."""


BLENDS = BlendLimits()
