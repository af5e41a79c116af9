# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All numbers about reach, bends, soles and the parts of the body (numpy only).

The numbers of leg finding are in `legs.limits`. L is the length of a leg from hip to ankle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ReachLimits:
    """How far a leg stretches (docs/method/rig.md, Comfortable reach)."""

    comfortable: float = 0.98
    """Share of L. Legs go this far without being held back; 0.97 to 0.985 look alike, 0.999 snaps
    knees open."""

    nearly_straight: float = 0.9999
    """Share of L. A clip that stretches its legs further may do so up to here; some room is left to
    approach."""

    soft_limit: float = 0.9995
    """Share of L that a leg approaches and never passes (docs/method/rig.md, Soft reach)."""

    least_room: float = 1e-4
    """Share of L for the soft approach where the clip's own leg is straighter than that."""


REACH = ReachLimits()


@dataclass(frozen=True)
class BendLimits:
    """How joints of a leg fold (docs/method/rig.md, Two bones)."""

    most: float = float(np.radians(165.0))
    """Radians by which a joint folds at the most; bones have a thickness."""

    sure: float = 0.08
    """Sine of a knee's bend below which the rest hinge is mixed in: a millimetre of noise turns the
    plane of a straighter leg about."""

    slight: float = float(np.radians(8.0))
    """Radians of a knee's own bend up to which what it is bent further follows the rest hinge in full: a
    nearly straight leg bends in any plane ..."""

    clear: float = float(np.radians(25.0))
    """... and from which it follows the own bend."""

    sure_in_chain: float = 0.02
    """The same for every inner joint of a chain of more bones, whose bends are often small."""

    fold_beyond: float = 0.35
    """Radians that all joints of a chain fold alike, beyond their motions' own, for each share that
    brings them there."""

    least_fold: float = 0.12
    """Radians. Folding spreads as if every joint of a chain were bent at least so far; in proportion
    to its bends alone a nearly straight one cannot fold (docs/method/rig.md, Chains of bones)."""

    tolerance: float = 1e-11
    """Share of L by which the distance of a chain may be off what was asked."""

    most_tries: int = 60
    """Count of tries to get there; 4 to 8 suffice as a rule."""

    no_direction: float = 1e-9
    """Share of L, or length of a hinge, below which nothing has a direction."""


BENDS = BendLimits()


@dataclass(frozen=True)
class ChainSolvingLimits:
    """How chains with limits are solved step by step (docs/method/solvers.md, Stopping)."""

    reached: float = 1e-5
    """Share of the chain within which its end is at the target: a hundredth of a millimetre of a leg."""

    tolerated: float = 1e-3
    """Radians by which a leg may leave a limit: its ankle moves by 0.1 % L with it, and hinges of legs
    are not exactly axes of their bones."""

    along: float = 0.9
    """Cosine between the hinge of a leg and an axis of a bone from which on it turns about that alone;
    45 degrees between two axes are 0.7."""

    least_angles: int = 3
    """Count of free angles with which a leg puts its ankle anywhere, as a place has three numbers."""

    most_steps: int = 100
    """Count of steps; 3 to 10 suffice as a rule."""

    no_gain: float = 1e-7
    """Share of the chain by which a step has to bring the end nearer, to count as one that did."""

    patience: int = 8
    """Count of steps on end without gain after which nothing more is expected."""

    shrinking: float = 0.5
    """Factor of the share of the way that is gone at once after a step that brought nothing ..."""

    growing: float = 2.0
    """... and after one that did, up to all of it."""

    longest_step: float = 0.5
    """Share of the chain that the end is asked to go at once: beyond it a chain is no straight line."""

    askings: int = 3
    """Count of times that a step is asked for without what would leave its limit."""

    turnings: int = 2
    """Count of times that FABRIK turns a bone about all its axes, to point it at the next joint."""

    singular: float = 0.02
    """Share of the largest singular value under which the others are left out: near straight legs they
    ask for turns that are far too large."""

    damping: float = 0.01
    """Damping for each share of the chain that is left to go: strong far away, none at the target."""

    least_damping: float = 1e-4
    """Share of the chain's length that damping is at least, which a straight leg needs."""


SOLVING = ChainSolvingLimits()


@dataclass(frozen=True)
class FootbaseLimits:
    """Which point of a sole bears (docs/method/rig.md, Footbase)."""

    soft_width: float = 0.01
    """Share of the foot's length: width of the soft minimum. Narrower, planted feet slide less on
    rolls of long soles; at 0.007 no further, and weight jumps from point to point."""

    sure_line: float = 0.03
    """Share of the foot's length beyond which the line between bearing points tells their turn."""


FOOTBASE = FootbaseLimits()


@dataclass(frozen=True)
class SoleEditLimits:
    """What a sole set by hand may be (docs/method/rig.md, Soles by hand)."""

    least_length: float = 0.005
    """Share of L. A shorter sole has no direction."""

    least_ball: float = 0.05
    """Share of the sole at which the ball lies at least, so that there is a heel to roll from."""

    most_ball: float = 1.0
    """Share of the sole at which the ball lies at the most: the toe tip."""


SOLE_EDITS = SoleEditLimits()


@dataclass(frozen=True)
class UpperBodyLimits:
    """Which bones are spine, arms, head and tail (docs/method/rig.md, Upper body)."""

    middle: float = 0.04
    """Share of L from the body's own plane within which a bone belongs to the middle."""

    mirrored: float = 0.05
    """Share of L within which mirrored elbows agree; arms begin farther aside than this."""

    least_arm_bones: int = 2
    """Count: upper arm and forearm."""

    least_arm: float = 0.25
    """Share of L without the hand. Ears and fins are pairs as well, but shorter."""

    same_joint: float = 0.02
    """Share of L. A bone that begins this near to the one before is carried by it: a face."""

    head_branches: int = 3
    """Count of children of a head (eyes, ears, a jaw); no bone of a neck carries as many."""

    free_hang: float = 1.2
    """Multiple of an arm's farthest reach at which its shoulder is above the ground: hanging it
    stays off the ground. Wings would not."""

    collar: float = 0.4
    """Share of the distance from the middle at which a bone ends; a collar bone begins nearer."""

    many_legs: int = 3
    """Count of legs from which a body that is one bone is the whole trunk, and what follows neck."""

    least_tail: float = 0.1
    """Share of L that a tail reaches behind the body bone at least."""

    least_tail_bones: int = 2
    """Count. One bone alone is a rump or an abdomen."""


UPPER_BODY = UpperBodyLimits()


@dataclass(frozen=True)
class PlainHullLimits:
    """The hull of a foot without a mesh (docs/method/legs.md, Contact hulls)."""

    steep: float = 0.3
    """Sine. A sole nearer to the vertical than this takes its sides from the character."""

    outline: tuple[tuple[float, float], ...] = (
        (0.0, 0.25), (0.07, 0.4), (0.5, 0.5), (0.85, 0.42), (1.0, 0.15),
    )  # fmt: skip
    """Places along the sole (0 heel, 0.5 ball, 1 toe tip) with their half widths, shares of its width."""

    cap: tuple[tuple[float, float], ...] = ((0.85, 0.42), (1.0, 0.15))
    """The same of the upper edge of the toe cap ..."""

    cap_height: float = 0.1
    """... and its height, share of the foot's length."""


PLAIN_HULLS = PlainHullLimits()


@dataclass(frozen=True)
class CentringLimits:
    """Where the origin of character space lies (docs/method/rig.md, Character space)."""

    near: float = 0.35
    """Share of L by which the feet may lie farther from the object's origin than from each other: hips
    and feet of clips lie apart by as much, and the origin is where the animator meant it."""


CENTRING = CentringLimits()


@dataclass(frozen=True)
class HangingLimits:
    """How a skeleton tells which way is up (docs/method/rig.md, Which way is up)."""

    shortest: float = 0.2
    """Share of the longest limb below which a branch is no limb: eyes, ears and ends of clothes come in
    pairs too, and fingers of one hand are alike."""

    alike: float = 0.05
    """Share of the length by which two limbs of a pair may differ; captured bodies differ by 2 %."""

    along: float = 0.8
    """Cosine between the legs and an axis that they are along. Legs of a walk point 15 degrees away on
    the mean at the most, those of a crouching rest pose 35."""

    lowest: float = 0.1
    """Share of the longest limb by which other joints may be lower than the tips of legs: toes turn."""

    steady: float = 0.02
    """Share of a body's size by which its lowest point may go up and down and still be on a floor."""

    upright: float = 0.5
    """Cosine to the vertical below which legs lie: those of a body on its back have 0, those of
    crouching and creeping ones 0.8."""

    spread: float = 0.25
    """Share of the mean distance from hips to ankles below which the mean of these ways tells nothing:
    0.05 where knees are above the hips on all sides, 0.8 of bodies that lie."""

    tallest: float = 20.0
    """Metres above which a body may be meant in other units. A person in centimetres has 180, a
    cat 25; giants that are meant are smaller."""

    smallest: float = 0.05
    """Metres below which it may be: a person that was scaled by 0.01 has 0.018, a mouse 0.05."""

    usual: float = 1.6
    """Metres to which a mistaken unit is cured, as near as a power of ten brings it: a person's."""

    least_power: int = 2
    """Powers of ten by which units are mistaken at the least: centimetres for metres."""


HANGING = HangingLimits()


@dataclass(frozen=True)
class FallenLimits:
    """When a body that does not surely step is held to lie down (docs/method/rig.md, Which way is up)."""

    most_clips: int = 2
    """Count of clips that are looked at turned, the best named ones and the rest pose."""

    unsure: float = 0.5
    """Confidence below which found legs count as none, and turned ones do."""

    walks: float = 0.75
    """Confidence from which legs that step are not looked at turned."""

    sure: float = 0.65
    """Confidence from which legs of a turned body tell that one without legs lies: named rest poses of
    spiders have 0.7."""

    more: float = 2.0
    """Times as many legs as now, from which a body is held to stand better turned: on its head or back a
    spider stands on 2 of 8 legs, on its side an animal on 2 of 4."""

    steeper: float = 1.5
    """Times as high above their ankles, for the legs' lengths, as hips of as many legs are now. Legs that
    stand have at least 0.65, so that no turn gives as much more."""

    whole: float = 0.9
    """Share of the length of the legs as they are now that those of the turned body have at least."""


FALLEN = FallenLimits()
