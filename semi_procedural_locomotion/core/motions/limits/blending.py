# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is prepared, chosen, synchronised and blended."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...maths.rotations import FloatArray


@dataclass(frozen=True)
class ClipLimits:
    """What a sampled action may hold (docs/method/motions.md, Sampling)."""

    farthest: float = 1e9
    """Metres, or factor of a scale; what is larger is no pose but a mistake. No number is within it."""


CLIP = ClipLimits()


@dataclass(frozen=True)
class PreparationLimits:
    """What of a common skate the body takes (docs/method/motions.md, Ripple)."""

    rounds: int = 2
    """Rounds in which it is found what planted feet slide together: votes that fade leave a rest to
    the second."""
    harmonics: int = 6
    """Waves per cycle of the body's shift at the most: faster ones would be seen as a jerk."""
    most_ripple: float = 0.06
    """Share of the leg's length by which the body is shifted at the most."""
    most_speed: float = 0.09
    """Share of the native speed by which the shift speeds the body up or slows it down at the most.
    A tenth is what hips may have beyond their clip; the rest is left to rounding between rows."""
    most_jerk: float = 1.15
    """Root mean square jerk of the shifted hips over the clip's at the most. A quarter more is what
    they may have; the rest is left to hips that are lowered."""
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

    most_skate: float = 1.0
    """Slip of a planted foot, share of the speed. Where one slips faster than its body walks, legs are
    bent anew and the skin on their shins is not where the clip has it: of eight characters one, at
    1.4 and 1.8; the others at 0.7 at the most."""

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
    motor_ahead: float = float(np.cos(np.radians(60.0)))
    """Cosine to the wanted way from which a motion counts where speed alone chooses: strides shorten to
    a half there, and walks backward never go ahead."""
    forward: float = float(np.radians(35.0))
    """Radians from forward within which a motion is a forward walk, for a way's native speed."""
    alike: float = 0.25
    """Share of the faster velocity by which two differ at the most to be one choice."""
    upright: float = 0.85
    """Height of the hips, share of that at rest; a motion that stoops lower is chosen after those
    that do not: walks keep 0.9, sneaks 0.7 to 0.8."""
    stooped: float = 0.75
    """Share of the height of the hips of chosen motions below which another is not blended with them:
    crawls keep 0.4, sneaks beside walks and runs 0.8."""
    on_the_spot: float = 0.15
    """Radius of the way, share of the leg's length, below which a motion turns on the spot."""
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
class PlainWeights:
    """What evidence on a plain walk is worth, log-odds (docs/method/motions.md, The plain walk)."""

    prior: float = 2.0
    """Of a clip that nothing objects to."""
    level: float = 1.5
    """For the ground of the rest pose and of each other motion, for where a motion stands or against."""
    most_level: float = 6.0
    """Of all grounds together."""
    off_level: float = 0.15
    """Share of the leg's length from which feet stand above another ground: soles that are guessed are
    off by 0.1."""
    flight: float = 3.0
    """Against a run, where no foot is on the ground for `ChoiceLimits.walks` of the cycle."""
    in_turns: float = 1.0
    """Against feet that do not take turns."""
    contact: float = 2.0
    """Against feet that hardly stand ..."""
    least_duty: float = 0.4
    """... from this share of the cycle on: walks keep 0.4 to 0.7."""
    slip: float = 1.5
    """Against feet that slip as fast as the body goes."""
    posture: float = 2.0
    """Against hips that are lower than those of who is upright."""
    walking: float = 1.4
    """Speed at which people walk over the root of the length of their legs, in metres: the square of the
    speed over gravity and that length is 0.2."""
    pace: float = 0.5
    """Against twice or half the usual speed of a character's walks."""
    doubt: float = 0.3
    """Against each kind of doubt ..."""
    doubtful: float = 1.0
    """... and against those that doubt that it is a walk at all."""
    name: float = 0.5
    """For a name that says walk; twice that against one that says something else."""


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
class RimLimits:
    """Which places of a standing foot tell its room (docs/method/prints.md, Rims)."""

    flight: float = 0.05
    """Share of a flight, after foot-off and before the strike, in which no swing lifts a foot yet."""
    directions: int = 16
    """Directions in which the farthest place of each level is taken."""
    levels: tuple[float, ...] = (0.02, 0.06, 0.12, 0.2, 0.3)
    """Shares of the leg above the ground: what stands up beside a foot meets all that is lower."""
    along: FloatArray = field(default_factory=lambda: np.linspace(0.0, 1.0, 6))
    """Shares of each bone of a leg at which its skin is looked at."""
    beside: float = 0.1
    """Share of the leg beside the foot within which the skin of its leg counts."""
    claw: float = 0.08
    """Share of the leg that feet are long at least whose legs count: those on claws lie low over treads
    that are no longer, and bodies whose prints are moved for them sink."""
    stout: float = 0.5
    """Share of its bone up to which a girth is believed: skin farther off is no tube about it."""


PREPARATION = PreparationLimits()
ANALYSIS = AnalysisLimits()
CHOICE = ChoiceLimits()
PLAIN = PlainWeights()
SYNCHRONISING = SynchronisingLimits()
BAND = BandLimits()
ROOT_MOTION = RootMotionLimits()
RIMS = RimLimits()
