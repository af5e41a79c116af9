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

    doubted: float = 0.004
    """Share of L. A foot in contact that seems to be higher than this is looked at closely."""

    close_points: int = 24
    """Count of parts of the sole from heel to ball, and of those from ball to toe tip, for that: less
    than a centimetre each of a grown person's."""

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

    knee_fast: float = 2.5
    """Multiple of the source's fastest bend of a knee: real clips on rough ground stay below, beyond it
    a knee snaps."""

    off_motion: float = 0.1
    """Share of L, root mean square, between a walk and its motion where nothing asks for it: sound clips
    whose feet slide a little come to 0.07."""

    stretched: float = 0.985
    """Share of its length beyond which a leg is stretched out. What its foot does when it misses its
    place for that is not told once more."""

    folded: float = 0.4
    """Share of its length below which a leg is folded up; the same."""

    intrusion: float = 0.03
    """Share of L by which a leg cuts the ground between hip and ankle: it is seen at once."""

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

    parted: float = 0.1
    """Share of L by which prints are moved out of the way of the partner's foot: less is how anybody
    turns."""

    led_around: float = 0.15
    """Share of L by which swings are led around it; the same."""

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

    told_together: int = 2
    """Footsteps from which on those that no step passes near are told in one note."""

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

    pop: float = 0.012
    """Share of L by which keys jump against the plan in one frame: a centimetre for a grown person,
    seen at once in a planted foot."""

    most_walls: int = 5
    """Count of things in the way that are told one by one; the others are counted."""

    most_pops: int = 3
    """Count of pops that are told of a leg; more of them say nothing new."""

    off_plan: float = 0.002
    """Share of L by which keys are off the plan. Keys of single precision far from the origin are
    less."""


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
