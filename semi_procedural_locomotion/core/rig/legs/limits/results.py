# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers for soles, sides, hinges, the ground of the rig, the bone to move and confidence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SolePointLimits:
    """Heel, ball and toe tip of a foot (docs/method/legs.md, Soles)."""

    band: float = 0.025
    """Share of L above the lowest vertex that counts as sole, ..."""

    foot_band: float = 0.15
    """... or this share of the foot's height, whichever is more: soles of round feet."""

    near_ground: float = 0.06
    """Share of L. Poses in which the lowest vertex is this near to the ground come first."""

    toe_apart: float = 0.03
    """Share of L between ankle and toe, seen from above, from which they give the foot's axis."""

    long_axis_cosine: float = 0.8
    """Cosine. The sole's long axis is the foot's within 37 degrees of forward ..."""

    long_axis_ratio: float = 2.5
    """... and where variances along and across are in this ratio: 1.6 times as long as wide."""

    rest_preference: float = 0.9
    """Share of the largest sole seen. The rest pose is an authored flat foot, so it is taken when
    its sole is at least this long."""

    ball: float = 0.65
    """Share of the sole from the heel where a foot without a toe bone bends, as a human one."""

    least_ball: float = 0.3
    """Share of the sole; toe joints farther back are moved to it."""

    most_ball: float = 0.95
    """Share of the sole; toe joints farther ahead are moved to it."""

    shortest: float = 0.05
    """Share of L. Feet that end in a point, as of insects, measure 0.01 and get this."""

    narrowest: float = 0.02
    """Share of L; the same for the width."""

    guessed_heel: float = -0.3
    """Share of the way from ankle to toe joint: the heel, where there are no vertices."""

    guessed_tip: float = 1.6
    """Share of the way from ankle to toe joint: the toe tip, where there are no vertices."""

    steep: float = 1.25
    """Rise over way from toe joint to ankle: steeper feet stand on their toes alone, as those of dogs
    and birds, which rise by 1.5 and more; feet of people rise by 0.4 to 0.8, tall boots by 1.05."""

    guessed_heel_of_toes: float = -0.15
    """Share of the distance from ankle to toe joint: the end behind that joint, without vertices, of
    a foot that stands on its toes."""

    guessed_tip_of_toes: float = 0.5
    """Share of the distance from ankle to toe joint: the tip ahead of that joint, likewise."""

    guessed_heel_of_leg: float = -0.05
    """Share of L from the ankle: the heel, without vertices and toe joint."""

    guessed_tip_of_leg: float = 0.15
    """Share of L from the ankle: the toe tip, without vertices and toe joint."""

    guessed_width: float = 0.35
    """Share of the sole's length, without vertices."""

    above_floor: float = 0.2
    """Share of L. Without vertices the lowest joint is the ground, which is too high by the
    thickness of a foot; where z = 0 is this little below, that is the ground."""

    frames: int = 12
    """Count of frames of every clip in which soles are looked at."""

    near: float = 0.25
    """Share of L. Skin so near to a sole stands with it, whatever bone it follows."""

    missed: float = 0.02
    """Share of L by which such skin is usually lower than all soles before that is told."""

    fewest_points: int = 3
    """Count of vertices of a foot; fewer have no extent."""

    like_shares: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)
    """Quantiles of the distances of a foot's vertices from its ankle that tell its shape, ..."""

    like: float = 0.2
    """... and the share of the largest by which those of two feet may differ that are alike: hand-made
    pairs, and feet bent otherwise at rest, differ by up to 0.1."""


SOLES = SolePointLimits()


@dataclass(frozen=True)
class RigGroundLimits:
    """Which ground the rig stands on in its rest pose (docs/method/legs.md, Soles)."""

    upright: float = 0.5
    """Share of L by which a hip is above its ankle in a leg that stands."""

    level: float = 0.12
    """Share of L. The rest pose stands when all its soles are within this of one another."""

    at_origin: float = 0.02
    """Share of L. A rest pose that stands this near to the object's origin stands on it."""

    clip_at_origin: float = 0.2
    """Share of L; the same for a clip, where toes dip below the ground: 0.03 in most files, up to
    0.2 in the worst."""


RIG_GROUND = RigGroundLimits()


@dataclass(frozen=True)
class LegRecordLimits:
    """Sides, hinges and the bone to move (docs/method/legs.md, The bone that is moved)."""

    sides_clear: float = 0.02
    """Share of L. Hips and feet of a pair that are nearer take their sides from names."""

    straight: float = 0.05
    """Sine of the bend. Straighter knees do not tell the hinge."""

    unsteady_hinge: float = 0.025
    """Length of the mean of hinges, each as long as the sine of its bend, below which they
    contradict one another: half of what one knee needs."""

    worth_climbing: float = 0.02
    """Share of the trunk's weight that the bone above must carry in addition to be moved in place
    of the one below."""

    whole_trunk: float = 0.97
    """Share of the trunk's weight with which the climb ends; bones above carry the ground."""


LEG_RECORDS = LegRecordLimits()


@dataclass(frozen=True)
class Doubts:
    """Factors on the confidence, and when they apply (docs/method/legs.md, Confidence).

    Rigs that walk came out at 0.63 and more but for two (a pure jump, and a fight); things that do
    not walk, at 0.5 and less.
    """

    no_foot: float = 0.7
    """Factor where a leg has no foot bone."""

    single_segment: float = 0.7
    """Factor where a leg has one segment."""

    weightless_ankle: float = 0.9
    """Factor where the ankle of a leg is a bone without weights: it may be a control."""

    detached_foot: float = 0.95
    """Factor where distance at rest alone tells which shin a foot goes with."""

    guessed_sole: float = 0.95
    """Factor where a foot has no vertices: its joints may be those of something else."""

    short_legs: float = 0.5
    """Factor where legs are shorter than `short`: they may be fingers or spikes."""

    short: float = 0.08
    """Share of H."""

    low_hips: float = 0.8
    """Factor where the hips are lower than `low`: a crawl, or arms of something that lies."""

    low: float = 0.35
    """Share of L above the ground."""

    hovering: float = 0.5
    """Factor where the ground is above `hover`: something that flies."""

    hover: float = 0.25
    """Share of L above the object's origin."""

    nameless_pairs: float = 0.9
    """Factor where names did not help to tell left and right."""

    middle_leg: float = 0.9
    """Factor where a leg in the middle has no partner: its steps alone tell it from a tail."""

    lone_leg: float = 0.8
    """Factor where it is the only leg: it may be a part that bounces."""

    other_contacts: float = 0.95
    """Factor where other limbs touch the ground: a tail, a stick."""

    sure: float = 0.75
    """Confidence from which legs are taken without asking; below it the user is asked to check them."""

    hanging: float = 0.75
    """Factor where other limbs that have a mirror image end near the ground and nothing walks: they may
    be paws."""

    contested_pose: float = 0.75
    """Factor where poses show different legs and nothing walks, which would tell."""

    most_contested: float = 0.95
    """The most confidence where any clip shows other legs."""

    named_clips: int = 3
    """Count of such clips that are named."""

    rest_only: float = 0.8
    """Factor where only the rest pose shows the legs."""

    no_steps: float = 0.85
    """Factor where no clip steps."""

    in_phase: float = 0.5
    """Factor where two legs move in phase: wings, arms."""

    phase_correlation: float = 0.3
    """Correlation of both feet's ways from which they are in phase; a walk has -1."""

    disagreeing_speeds: float = 0.75
    """Factor where planted feet disagree on the speed by more than `speed_spread`."""

    speed_spread: float = 0.5
    """Share of the speed."""

    disagreeing_clips: float = 0.85
    """Factor where fewer clips than `least_agreement` show as many legs."""

    fallen: float = 0.5
    """Cosine of the trunk's tilt against the deciding clip below which it falls or lies: 60 degrees."""

    fallen_share: float = 0.2
    """Share of the frames in which it does, from which the clip tells nothing of the legs."""

    least_agreement: float = 0.5
    """Share of the clips that show legs at all."""

    leg_names: float = 1.1
    """Factor where bones are named leg, foot and the like."""

    arm_names: float = 0.6
    """Factor where bones are named arm, hand or wing and not leg."""

    unsure_forward: float = 0.5
    """Log-odds of all evidence together below which forward is called a guess ..."""

    guessed_forward: float = 0.85
    """... and the factor of that; the legs themselves are not in doubt."""


@dataclass(frozen=True)
class StandingReading:
    """Which reading of the pose stands (docs/method/rig.md, Held bones)."""

    clearly: float = 0.06
    """By which a reading must stand better than the likeliest, legs: limping walks and clips that
    lean differ by less, a body tilted by 15 degrees by more."""

    widest: float = 2.0
    """Legs by which levels of soles count as apart at the most: farther is as wrong."""


DOUBTS = Doubts()
STANDING_READING = StandingReading()


@dataclass(frozen=True)
class CandidateLimits:
    """What a refusal lists (docs/method/legs.md, Confidence)."""

    most: int = 8
    """Count of limbs; more make no sentence."""

    most_bones: int = 5
    """Count of bones of each, the lowest."""

    fewest_bones: int = 2
    """Count. A leg has a hip and an ankle; a single bone is a wheel, a base or a prop."""


CANDIDATES = CandidateLimits()
