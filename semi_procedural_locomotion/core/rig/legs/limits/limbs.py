# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers for pairs of limbs, the joints of a leg and the level on which legs stand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PairingCosts:
    """What speaks against two limbs being left and right of one another (docs/method/legs.md, Pairs).

    Costs are shares: of the limb's length for structure, of H for the mirror. They are added.
    """

    shortest: float = 0.04
    """Share of H. A limb shorter than this is a toe or a spike."""

    extra_bone: float = 0.15
    """Cost of every bone that only one of both limbs has."""

    same_name: float = -0.35
    """Cost of opposite sides in names that are otherwise the same: nearly a proof."""

    opposite_side: float = -0.1
    """Cost of opposite sides in names that differ otherwise."""

    same_side: float = 0.25
    """Cost of names of the same side."""

    copied_side: float = 0.1
    """The same for a copied bone that kept its side (leg.L and leg.L.001): it may still be the
    other side."""

    one_still: float = 0.1
    """Cost of a limb that moves with one that does not: copies that are switched off."""

    most_structure: float = 0.25
    """Cost of structure with which two limbs can be a pair, names apart."""

    most_plane_structure: float = 0.5
    """Cost of structure with which they may still propose a mirror plane for others."""

    separate: float = 0.03
    """Share of H. Joints farther apart than this, seen from above, are two; of nearer ones (one hip
    for both legs) the next below tell left from right."""

    plane_separate: float = 0.005
    """Share of H. Joints nearer than this do not tell the direction of a plane."""

    crowded: float = 0.01
    """Share of H. Hips and tips nearer than this across the plane lie on it: bones of a tail."""

    crowded_cost: float = 0.3
    """Cost of that; more than a pair may have."""

    most_mirror: float = 0.45
    """Share of H between one hip and the mirror image of the other; names cannot make up for more."""

    most_total: float = 0.15
    """Cost of structure, names and mirror with which two limbs are a pair."""

    worth: float = 0.6
    """A pair counts 1 less this times its cost for the plane that collects it."""

    middle: float = 0.5
    """What a limb on a plane counts for it: it needs no partner there."""

    along: float = 0.1
    """What the way counts for a plane along which it goes and the whole body is mirrored, less by the
    sine of what it goes across: of bodies that are alike all around, only that tells."""

    most_mirrored: int = 150
    """Count of bones about which it is asked whether the whole body is mirrored."""

    low_percentile: float = 40.0
    """Percent of the frames in which a limb is low, for the way."""

    least_way: float = 0.05
    """Share of H a second that low limbs go at least to have a way."""

    better_frame: float = 0.02
    """Points by which a later frame must be better; equal planes stay with the earlier frame."""


PAIRS = PairingCosts()


@dataclass(frozen=True)
class JointLimits:
    """Which bones of a limb are joints of the leg (docs/method/legs.md, Limbs and their joints)."""

    same_joint: float = 0.006
    """Share of H, in the mean of the clip. Nearer heads are one joint: helpers, zero-length hips."""

    short_top: float = 0.45
    """Share of the rest of the limb. A first segment longer than this is a thigh."""

    short_top_joints: int = 4
    """Count of joints from which a first segment may be dropped: what is left is a leg of two
    segments."""

    tiny_top: float = 0.1
    """Share of the rest of the limb. Of three joints only such a stub is dropped, if it is still."""

    on_plane: float = 0.25
    """Share of the next joint's distance from the mirror plane. A top nearer to the plane belongs
    to the pelvis."""

    off_plane: float = 0.01
    """Share of H: distance from the plane from which that can be told."""

    flat_clavicle: float = 0.35
    """Share of the segment that is vertical. A flatter one that goes outwards is a clavicle."""

    still: float = 0.02
    """Frobenius distance of rotation matrices. A top that turns less than this is no joint ..."""

    moves: float = 0.08
    """... while a joint below turns more than this (idle clips move nothing and prove nothing)."""

    turn_percentile: float = 90.0
    """Percent of the frames: how far a bone turns against its parent."""

    moving_frames: int = 4
    """Count of frames from which turns tell anything."""

    twist_angle: float = np.radians(8.0)
    """Radians. A twist part that its name gives away is as straight as this at rest ..."""

    twist_bend: float = np.radians(15.0)
    """... and its bend changes less than this (radians) in the clip."""

    nameless_twist_angle: float = np.radians(6.0)
    """Radians; the same for bones whose name says nothing."""

    nameless_twist_bend: float = np.radians(3.0)
    """Radians; the same for bones whose name says nothing."""

    bending_frames: int = 5
    """Count of frames from which the range of a bend tells anything."""

    nameless_twist_joints: int = 5
    """Count of joints from which a nameless one is dropped: a straight leg must keep its knee."""

    shortest_leg: float = 0.03
    """Share of H. Shorter legs are none."""

    lowest_hip: float = 0.15
    """Share of L above the ground. Legs whose hip is lower are fingers or toes."""

    low_percentile: float = 5.0
    """Percent of the frames: height that the lowest point of a leg reaches."""


JOINTS = JointLimits()


@dataclass(frozen=True)
class LevelLimits:
    """Which legs stand on the ground that most share (docs/method/legs.md, Levels)."""

    spread: float = 0.12
    """Share of L. Legs reach the same ground within this; arms and the arms of a dinosaur do not."""

    standing: float = 0.06
    """Share of the lowest pair's L, between the lower feet of two pairs, in a clip without steps. Paws of
    whoever stands were seen within 0.04, hands that hang low from 0.085 on."""

    same_leg: float = 0.02
    """Share of H. Chains nearer than this at hip and ankle, or at the ankle at rest, are one leg
    (deforming bones and their doubles)."""

    still: float = 0.01
    """Share of H. A chain whose ankle goes less far than this is the one that is switched off."""


LEVELS = LevelLimits()


@dataclass(frozen=True)
class SingleLegLimits:
    """Which limbs without a partner are legs (docs/method/legs.md, Single legs)."""

    central: float = 0.35
    """Share of the distance of the paired legs from the mirror plane. A leg in the middle is nearer."""

    as_steep: float = 0.5
    """Share of the steepness of the paired legs. A head on a level neck that is let down, and a tail,
    reach the ground from ahead or behind."""

    most_longer: float = 2.0
    """Factor. A leg in the middle is at most so much longer or shorter than the pairs are."""

    least_lift: float = 0.25
    """Share of the median lift of the paired feet. A tail that is dragged along does not lift."""

    most_contrary: float = 0.5
    """Share of the speed of the paired feet by which its planted velocity may differ. A tail on the
    ground goes with the body, which differs by the whole of it."""

    steep: float = 0.5
    """Share of L. The hip of an only leg is this much above its ankle; a tail or a body lies."""

    unlike: float = 0.15
    """Cost of two legs of unlike build as a pair, the most that one may cost."""


SINGLES = SingleLegLimits()


@dataclass(frozen=True)
class FollowingLimits:
    """With which bones loose legs go (docs/method/legs.md, Legs that follow)."""

    percentile: float = 95.0
    """Percent of the frames that count; single ones may be off."""

    most_away: float = 0.01
    """Share of S by which a bone may be away from the one that it follows."""

    most_turn: float = 0.1
    """Range of the cosine between their axes within which they turn together."""

    side_by_side: float = 0.8
    """Share of the bones in use that hang from one bone, from which a rig has no chains: exports without
    their hierarchy have all of them, spiders whose feet hang from the root a quarter."""

    fewest_side_by_side: int = 6
    """Count of bones in use; of fewer some have no chains by right, as two legs of one bone each."""


FOLLOWING = FollowingLimits()
