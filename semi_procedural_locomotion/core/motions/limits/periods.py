# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which stretch of a recording is one cycle, and what is even motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PeriodLimits:
    """Which stretch of a recording is one cycle (docs/method/motions.md, Period)."""

    far_joint: float = 4.0
    """Multiple of the median distance from the median joint; joints beyond are helpers, such as
    targets far from the body, and would drown its poses."""
    least_size_of_width: float = 0.3
    """Share of a body's width that its size has at least, so that flat bodies (spiders, crawling
    people) are not measured by their small height."""
    lively_percentile: float = 90.0
    """Percentile of the largest joint step that tells how lively a recording is; the median is 0
    where more than half of it is held."""
    static_step: float = 2e-4
    """Share of the size a sample; a recording whose lively step is smaller does not move."""
    held_step: float = 1e-4
    """Share of the size a sample; the ends are held while they move by less."""
    held_share: float = 0.02
    """Share of the lively step under which ends are held as well: noise moves held ends a little."""
    least_hold: float = 1.5
    """Key intervals; shorter still ends are the clip's own and stay."""
    least_copy: float = 0.9
    """Key intervals; an end that is still to the last digit for so long is a copied key."""
    repeat: float = 0.55
    """Distance of the poses of a repeat, share of the distance of all poses, at the most."""
    peak: float = 0.9
    """Such a distance that comes before a repeat at least: poses have to go away to come back."""
    multiple_factor: float = 1.35
    """The shortest repeat is taken up to this multiple of the best one's distance: several cycles
    match no worse than one, often better."""
    multiple_margin: float = 0.1
    """Added to that multiple, share of the distance of all poses."""
    least_repeats: float = 1.25
    """Repeats that a recording has room for at least."""
    most_repeat: float = 0.8
    """Share of the samples; a longer repeat, or a longer cycle set by the user, is not searched for
    within the recording."""
    shortest: int = 4
    """Samples of a cycle at least."""
    exact_seam: float = 0.02
    """Seam of a range, share of the distance of all poses, under which it may hold a whole number of
    cycles; then the start that the animator chose is kept."""
    exact_count: float = 0.06
    """Cycles by which that number may be off a whole one."""
    length_search: float = 0.12
    """Share of the repeat by which lengths around it are tried in a take."""
    fewest_taken: int = 3
    """Samples of a cycle cut from a take at least."""
    window_divisor: int = 20
    """A take's start and end are compared over this part of a cycle to both sides, so that velocity
    counts as well as pose."""
    refine_divisor: int = 4
    """The same where fractions of a sample are read: a wider window, which noise disturbs less."""
    length_price: float = 0.5
    """Price of another length than the repeat's, in distances of all poses for each whole repeat."""
    closed_share: float = 0.35
    """A range is closed if its seam is this share of one key interval's motion at the most."""
    closed_seam: float = 0.01
    """Or if its seam is this share of the distance of all poses at the most."""
    open_gain: float = 0.6
    """A range is open if one more key interval cuts its seam to this share at least."""
    open_step: tuple[float, float] = (0.5, 1.7)
    """And if the seam is from so many to so many key intervals' motion."""
    open_slack: float = 0.5
    """Samples by which a cycle set by the user may be longer than an open range."""
    most_poses: int = 1200
    """Poses that are compared with each other at the most; longer recordings are thinned, as memory
    and time grow with the square."""


@dataclass(frozen=True)
class PartLimits:
    """The part of a range that closes (docs/method/motions.md, Period)."""

    least_length: float = 0.25
    """Share of the range that the part has at least: shorter ones may be alike by chance."""
    least_standing: float = 0.15
    """Share of a range that closes by itself in which it stands at one end before a part is sought."""
    most_lively: float = 0.5
    """Share of that end which may look lively: noise does."""
    better: float = 0.8
    """Share of what the ends of a range that closes by itself differ by, in pose and movement, that
    is left at those of a part at the most."""
    most_apart: float = 0.12
    """Distance of the poses at both ends, share of that of all poses."""
    leaves: float = 0.9
    """The same from the first pose to the farthest between: poses have to go away to come back."""
    reach_divisor: int = 40
    """What poses do is seen over this part of the range, at least over one key interval."""
    least_speed: float = 0.25
    """Share of the lively speed with which both ends move at least; held ends are no cycle's."""
    lively_percentile: float = 75.0
    """Percentile of the speeds that is the lively one; a range may be held for half of its time."""
    most_turned: float = 1.2
    """Multiple of the usual change of movement by which it changes at the seam at the most."""
    turned_percentile: float = 90.0
    """Percentile of the changes of movement that is the usual one: cycles may begin at a strike."""
    foreign_step: float = 2.0
    """Multiple of the next step by which the first or last one is longer where it is left out from a
    range that is open then: it leads to another pose."""
    most_uneven: float = 4.0
    """Multiple of the squared distance before the end up to which the one after it tells a fraction
    of a sample; beyond, something else follows."""


@dataclass(frozen=True)
class HeldKeyLimits:
    """Which clips hold their poses from key to key (docs/method/motions.md, Held keys)."""

    fewest_samples: int = 8
    """Samples of a clip at least."""
    still: float = 1e-4
    """Share of a bone's largest step up to which it does not move: its curves are level there."""
    fewest_poses: int = 4
    """Changes of a bone at least that moves."""
    least_held: float = 0.4
    """Share of its poses that are held for two samples at least, of a bone that is held. Clips that
    are joined have a few such poses, mixes of ones and twos half."""
    least_bones: float = 0.5
    """Share of the bones that move that are held at least."""
    long: float = 1.5
    """Usual distances of keys; a pose that is held for longer is meant to stand."""


@dataclass(frozen=True)
class ClipClimbLimits:
    """Clips that climb along their way (docs/method/motions.md, Climbs)."""

    least_rise: float = 0.12
    """Share of the leg's length by which hips end higher or lower than they began; walks on the level
    bob by 0.05."""
    least_way: float = 0.8
    """Leg lengths of the way at least: a step."""
    steepest: float = 0.45
    """Rise over way of a ramp at the most, 24 degrees: stairs are steeper, and their treads level."""
    uneven: float = 0.35
    """Share of the rise by which hips are off an even climb at the most."""
    aside: float = 0.2
    """Share of the way by which it goes aside at the most."""
    near: float = 0.01
    """Leg lengths above the slope over which points of a sole have less and less to do with it."""
    long_body: float = 0.3
    """Leg lengths between front and back hips from which a body goes along with the slope."""


@dataclass(frozen=True)
class CycleLimits:
    """From a stretch to one closed cycle in place (docs/method/motions.md, Seam)."""

    least_rows: int = 64
    """Rows of the tables at least (docs/method/motions.md, Rows): of 32 a human's fast toe is off by
    17 mm."""
    most_rows: int = 128
    """Rows of the tables where keys do not divide the cycle: 128 miss a fast toe by 4 mm, 64 by 8."""
    whole: float = 0.02
    """Keys by which a cycle may be off a whole number of them to have every key as a row."""
    uniform: float = 1e-4
    """Share of a step by which samples may be off equal steps of time before they are resampled."""
    straight: float = 0.05
    """Keys are joined by straight lines if no sample between them is off by more than this share of
    the largest turn from key to key."""
    faded_seam: float = 0.02
    """Share of the size; a larger seam is cross-faded where the take has room: spread over the
    cycle it would change the speed."""
    stood: float = 1e-3
    """Share of the size by which all joints move at the most where a body stands beside its cycle."""
    fade: float = 0.15
    """Share of the cycle over which it is cross-faded."""
    faces_travel: float = float(np.radians(25.0))
    """Radians; a body whose travel lies nearer to its forward or backward faces its travel, which is
    surer than the hips."""
    faces_elsewhere: float = float(np.radians(45.0))
    """Radians; where feet point farther away from forward, hips that tell no yaw were read a quarter
    turn off."""
    mirrored: float = 0.25
    """Way of the feet from where their partners began, mirrored, to where they end, share of that from
    where they began: half a cycle ends in its own mirror."""
    least_hips: float = 0.03
    """Share of the leg's length by which hips lie about their middle at least to tell the yaw; people
    and animals have 0.1 to 1."""


@dataclass(frozen=True)
class InPlaceLimits:
    """Whether a clip travels (docs/method/motions.md, In place)."""

    least_shift: float = 0.08
    """Share of the size; a body that moves by less in a cycle, and turns by less, does not travel:
    what it moves by is an error of the seam."""
    least_turn: float = float(np.radians(12.0))
    """Radians a cycle, see `least_shift`."""
    straight_turn: float = float(np.radians(4.0))
    """Radians a cycle; a clip that travels and turns by less goes straight, the rest is an error of
    the seam."""
    least_share: float = 0.7
    """Share of the speed that the feet agree on; a root that is slower than this lets them slide
    whatever it was meant for. Feet of runs tell their speed within a few percent to a fifth."""


@dataclass(frozen=True)
class CarryingLimits:
    """Bones above the hips that stay behind (docs/method/motions.md, Roots that stay behind)."""

    least_gone: float = 0.2
    """Legs between where the hips begin and end from which they go somewhere: a creeping step."""

    least_way: float = 1.0
    """Legs that hips range over from which they go somewhere though they come back: sway and surge in
    place reach 0.4."""

    parted: float = 0.3
    """Share of that range by which a bone above the hips must part from them: a root that goes along
    evenly parts by the hips' own surge and sway, one that stays by 1, one that goes half way by 0.5."""

    still: float = 0.05
    """Share of that range that other bones may move against such a bone and still stay with it."""


PERIOD = PeriodLimits()
PART = PartLimits()
CYCLE = CycleLimits()
CLIMB = ClipClimbLimits()
HELD_KEYS = HeldKeyLimits()
IN_PLACE = InPlaceLimits()
CARRYING = CarryingLimits()
