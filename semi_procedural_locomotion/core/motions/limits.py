# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds, widths and prices of this stage: from a clip to a motion (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Numbers
without a unit are shares or factors. *Size* is the body's, see `periods.measure_size`.
"""

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
class JudgingLimits:
    """When a clip is refused as a cycle (docs/method/motions.md, Judgement).

    Set so that of 127 actions of people, animals and robots no walk or run is refused.
    """

    least_lift: float = 0.02
    """Share of the size by which the highest foot lifts at least."""
    most_seam: float = 0.6
    """Seam at the most, share of the distance of all poses, where no other end was found."""
    least_stepping: float = 0.5
    """Share of the feet that step at least; two feet in any case."""
    most_duty: float = 0.95
    """Share of the cycle that a stepping foot stands at the most."""
    together: float = 0.95
    """Length of the mean of the contacts' middles as unit vectors on the cycle; above, all feet
    leave the ground together."""
    together_stride: float = 0.5
    """Share of the size; feet that leave together with a shorter stride jump on the spot."""
    most_still: float = 0.45
    """Share of the time on the ground in which feet of an in-place clip stand still at the most:
    in gestures and attacks they do."""
    least_mass: float = 0.25
    """Share of low samples that have one velocity at least."""
    weak_mass: float = 0.40
    """Below this share partners must step alike."""
    pair_unlike: float = 0.15
    """Share of the cycle by which the duties of such partners may differ."""
    pair_faster: float = 1.5
    """Factor between the speeds of partners at the most that go unlike ways: in steps to the side they
    have one speed, in attacks each foot has its own."""
    most_turn: float = float(np.pi)
    """Radians a cycle at the most where the feet alone tell the turn."""
    least_agreement: float = 0.85
    """Length of the sum of the legs' velocities over the sum of their lengths at least; below, the
    feet go different ways."""


@dataclass(frozen=True)
class SignLimits:
    """What the paths of feet tell of a cycle (docs/method/motions.md, Judgement).

    Walks and runs of people, animals and machines pass by a wide margin: their feet go mirrored paths
    within 0.4 of their size, kicks and attacks differ by 0.7 and more.
    """

    alike: float = 0.55
    """Share of the size of their paths by which mirrored feet differ at the most, at the best time."""
    half: float = 0.2
    """Share of the cycle by which that time may be off half a cycle where feet take turns."""
    low: float = 0.15
    """Share of its lift up to which a foot is on the ground."""
    still: float = 0.25
    """Share of the speed below which a sole point does not move."""
    clear: float = 0.05
    """Share of the leg's length above which a foot is off the ground."""
    most_pause: float = 0.08
    """Share of the cycle in which all feet stand still together at the most, unless they take turns:
    jumps begin and end so, and no gait does."""
    jump_flight: float = 0.25
    """Share of the cycle; with `jump_rise` the longest flight of a jump. Feet that take turns may fly
    longer: they run."""
    jump_rise: float = 0.6
    """Share of the leg's length that hips go up and down in a jump. Stylised runs go 0.5, gallops 0.3."""
    most_hang: float = 0.4
    """Share of the height of their paths that feet come below where they stand at the most: feet that
    circle or dangle in the air do by 0.5, tips that droop by 0.26, feet of walks and runs by 0.18."""
    turned_over: float = float(np.radians(150.0))
    """Radians; a body whose leans differ by more turns over: rolls and somersaults."""


@dataclass(frozen=True)
class StandingLimits:
    """When a clip is a rest motion (docs/method/motions.md, Judgement)."""

    height: float = 0.7
    """Hips are at least this share as high above the soles as in the rest pose: no lying, no deep
    crouch."""
    level: float = 0.1
    """Share of the leg's length within which all soles lie."""
    quiet: float = 0.2
    """Share of the size within which joints stay."""
    quiet_percentile: float = 90.0
    """Percentile of the joints that have to: hands and tails may move more."""
    planted: float = 0.08
    """Share of its leg's length within which every ankle stays."""


@dataclass(frozen=True)
class DoubtLimits:
    """When the user is told of a doubt about a cycle (docs/method/motions.md, Judgement)."""

    sliding: float = 0.10
    """Slip of planted feet, share of the speed; clean clips have 2 to 6 %, cartoons 8 to 20 %."""
    uneven_speed: float = 0.10
    """Share by which the highest planted speed exceeds the lowest."""
    uncertain_mass: float = 0.35
    """Share of low samples with one velocity, below which the speed is uncertain."""
    sources_differ: float = 0.05
    """Share by which the feet's speed differs from the root's."""
    drift: float = 0.2
    """Share of the feet's speed; a root that moves slower drifts, a faster one was meant to go."""
    big_ripple: float = 0.03
    """Share of the size by which the body is shifted to keep feet still."""
    short_duty: float = 0.12
    """Share of the cycle; key times of shorter contacts are uncertain."""
    second_contact: float = 0.25
    """Score of a foot's second contact, share of the first's."""
    legs_differ: float = 0.15
    """Share by which the legs' speeds differ: limps, wrong soles; gallops have .06 to .32."""
    pair_differs: float = 0.1
    """Share of the cycle by which partners' duties differ."""
    seam: float = 0.02
    """Share of the size; a note, as the seam is spread over the cycle."""
    bad_seam: float = 0.10
    """Share of the size; the loop does not close."""
    few_keys: int = 12
    """Keys in a cycle; key times are good to half a key only."""
    jump_clearance: float = 0.35
    """Share of the size by which the lowest foot rises: perhaps a jump. Some runs do, so it is no
    reason to refuse."""
    jump_height: float = 0.4
    """Share of the size by which the median joint moves up and down: perhaps a jump or a roll."""
    ground_differs: float = 0.02
    """Share of the leg's length by which levels of the feet differ, from each other or from the rest
    pose."""
    dips: float = 0.03
    """Share of its lift by which a foot dips below its floor."""
    long_period: float = 3.0
    """Seconds of a cycle; an elephant's takes about 2.2 s, so a longer one with a long stride was
    read at another frame rate. The size of a character tells nothing: its units may be any."""
    long_stride: float = 0.75
    """Stride in lengths of the leg that counts as long there."""


@dataclass(frozen=True)
class PreparationLimits:
    """How planted feet are brought to one velocity (docs/method/motions.md, Ripple)."""

    rounds: int = 2
    """Rounds in which the body takes over what planted feet slide together: votes that fade leave a
    rest to the second."""
    harmonics: int = 6
    """Waves per cycle of the body's shift at the most: faster ones would be seen as a jerk."""
    most_ripple: float = 0.06
    """Share of the leg's length by which the body is shifted at the most."""
    fade: float = 1.0 / 3.0
    """Share of a contact over which a foot's vote fades in and out."""
    no_vote: float = 1e-3
    """Vote of no foot at all, which keeps the mean defined while nobody stands."""
    least_free: float = 0.1
    """Share of the cycle in which the body is free at least to make good there what planted feet
    slid."""
    ground_percentile: float = 50.0
    """A leg's ground is this percentile of its lowest sole point in contact: the middle asks the
    least of the legs."""
    middle: float = 0.5
    """Middle share of a contact in which the foot's direction is read."""


@dataclass(frozen=True)
class AnalysisLimits:
    """What is decided between contacts and preparation (docs/method/motions.md, Preparation)."""

    uneven: float = 0.10
    """Share by which the speed of planted feet as a whole differs before the clip counts as uneven
    and theirs is taken."""
    least_roll: float = 0.2
    """Share of the cycle that a foot's roll takes at least."""
    away: float = 0.5
    """Share of the leg's length; a rest pose farther from the rig's own place is brought there, and a
    cycle that is in place somewhere else."""


@dataclass(frozen=True)
class ChoiceLimits:
    """Which motions go straight, ahead, or alike (docs/method/travel.md, Native speed)."""

    straight_turn: float = float(np.radians(6.0))
    """Radians a cycle; a motion that turns by less can carry straight travel."""
    ahead: float = float(np.cos(np.radians(45.0)))
    """Cosine to the character's forward from which a walk goes ahead: its pace is the usual one."""
    forward: float = float(np.radians(35.0))
    """Radians from forward within which a motion is a forward walk, for a way's native speed."""
    alike: float = 0.25
    """Share of the faster velocity by which two differ at the most to be one choice."""
    upright: float = 0.85
    """Height of the hips, share of that at rest; a motion that stoops lower is chosen after those
    that do not: walks keep 0.9, sneaks 0.7 to 0.8."""
    walks: float = 0.1
    """Share of the cycle without a foot on the ground, below which feet that take turns walk."""
    unlike: float = 0.2
    """Radians; rest motions whose bones are off a walk's by so much more or less are told apart:
    arms that hold a weapon or a T-pose are off by twice as much."""
    most_unlike: float = 0.55
    """Radians; a rest motion that is off all walks by more is not taken by itself: T-poses are."""
    posed: float = 0.02
    """Radians; a still pose whose bones are nearer to those of the rest pose is the bind pose."""
    still: float = 1e-3
    """Share of the size by which a still pose moves at the most."""
    stir: float = 0.1
    """Share of the size; rest motions that move by so much more or less are told apart."""


@dataclass(frozen=True)
class SynchronisingLimits:
    """When the phase offsets of motions are found (docs/method/motions.md, Synchronising)."""

    converged: float = 1e-9
    """Cycles; the sweeps end when no offset moves by more."""
    most_sweeps: int = 100
    """Sweeps at the most; gaits that fit each other need one."""
    vanishing: float = 1e-6
    """Length of a sum of unit vectors that has no direction."""


@dataclass(frozen=True)
class BandLimits:
    """The shape of gradient bands (docs/method/motions.md, Gradient bands)."""

    angle_factor: float = 2.0
    """An angle in radians counts so many times as much as an equal relative difference of speed."""
    ring_angle: float = float(np.radians(45.0))
    """Radians; a faster motion nearer in heading to a slower one does not shape the ring of slowest
    motions, inside which the rest motion has its share."""
    ring_slope: float = 2.0
    """Share by which the ring may exceed a motion's speed a radian away from its heading, so that
    weights stay exact at the motion."""
    rounding: float = 1e-9
    """Radians by which headings that differ by `ring_angle` may fall short of it."""
    least_ramp: float = 2.0 * float(np.pi) / 3.0
    """Radians; least width of the ramp on the far side of a pair. Half of it would do, and make the
    steepest change of weights twice as steep."""


@dataclass(frozen=True)
class RootMotionLimits:
    """What counts as travel when it is handed on (docs/method/root_motion.md, Carriers)."""

    moved: float = 0.01
    """Share of the body's size; what moves by less stands."""
    turned: float = float(np.radians(2.0))
    """Radians; what turns by less does not turn."""
    full_turn: float = 1.5 * float(np.pi)
    """Radians; a larger turn ends near its start, and its ends do not tell the arc."""


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


CARRYING = CarryingLimits()
PERIOD = PeriodLimits()
PART = PartLimits()
CYCLE = CycleLimits()
IN_PLACE = InPlaceLimits()
JUDGING = JudgingLimits()
STEPPING = SignLimits()
STANDING = StandingLimits()
DOUBT = DoubtLimits()
PREPARATION = PreparationLimits()
ANALYSIS = AnalysisLimits()
CHOICE = ChoiceLimits()
SYNCHRONISING = SynchronisingLimits()
BAND = BandLimits()
ROOT_MOTION = RootMotionLimits()
