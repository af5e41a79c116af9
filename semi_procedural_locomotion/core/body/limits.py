# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: how the body is carried over its feet (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for. Cycles are
those of the slowest walk.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SupportLimits:
    """How high the body is carried (docs/method/body.md, Support height)."""

    plane_reach: float = 0.6
    """Leg lengths up and down that the plane of a print is followed at most."""
    least: float = 1e-3
    """Weight that every leg keeps in the support, so that the air phase of a run is defined."""


@dataclass(frozen=True)
class TiltLimits:
    """How the body tilts (docs/method/body.md, Pitch of many legs and Lean)."""

    steepest: float = 0.7
    """Rise over run; steepest pitch of a body that hugs the ground."""
    lean_down: float = 0.45
    """Share of the lean up that a body leans back going down: people stay nearly upright."""
    lean_steep: float = 0.44
    """Radians of a slope beyond which bodies hardly lean further, 25 degrees: people lean by half of a
    ramp's slope, but by a third of that of stairs."""
    lean_width: float = 0.25
    """Cycles; smoothing of the lean."""
    lean_speed: float = 0.3
    """Share of the slowest walk's speed below which the lean fades: a slope is no reason to lean for
    who stands."""


@dataclass(frozen=True)
class LeanLimits:
    """How bodies lean into accelerations (docs/method/body.md, Lean into acceleration)."""

    width: float = 0.05
    """Cycles; smoothing of the travel's velocity: shakes of a hand-keyed path ask for nothing."""
    prompt: float = 0.06
    """Cycles; smoothing of the lean where it turns the body no faster than `quickest`. Leans of people
    that lag by more than 5 degrees read as falling."""
    reaction: float = 0.16
    """Cycles; smoothing of the lean that is asked for in a jerk: about 0.2 s for people, who take twice
    that from upright to a full lean."""
    quickest: float = 2.0
    """Radians a cycle: 110 degrees a second of people."""
    free: float = 0.005
    """Gravities that ask for no lean: shakes of a hand-keyed travel."""
    whole: float = 0.25
    """Radians up to which a body leans as far as it is asked to: 14 degrees."""
    most: float = 0.42
    """Radians that it leans at most, approached softly: 24 degrees."""
    rounding: float = 1e-12
    """Radians below which a smoothed lean is none."""
    banked: float = 0.5
    """Share of the lean into curves that a body takes with legs before and behind it: these take the rest
    by standing outwards. More of it shakes the hips of quick runs."""
    banking_legs: int = 4
    """Legs of a body that leans into curves; those of six and more stand wide."""


@dataclass(frozen=True)
class HipLimits:
    """How the hips are lowered (docs/method/body.md, Hips and Smoothing under a ceiling)."""

    stretch: float = 0.985
    """Share of the leg up to which *Fix Feet*, and bodies that go over, stretch it where it is not so of
    itself. What soft reach takes off there is 0.0006 of it."""
    most_drop: float = 0.45
    """Share of the leg; where a foot cannot be reached at all, the body does not crouch any deeper."""
    least_fold: float = 0.8
    """Share of its motions' own least reach below which no leg is folded for another that swings too far:
    15 to 25 degrees of a knee."""
    width: float = 0.3
    """Cycles; deviation of the smoothing."""
    sigma: float = 0.12
    """Seconds; deviation of the smoothing where no walk tells: 0.06 to 0.2 s measured alike."""
    sigma_radius: float = 0.18
    """Seconds; the reach that goes with it."""


@dataclass(frozen=True)
class FollowLimits:
    """How legs and bones follow (docs/method/body.md, Legs)."""

    followed_turn: float = 0.5
    """Share of a foot's turn against its body that the plane of its leg follows: knees point between
    hips and feet."""
    same_rotation: float = 1e-6
    """A channel whose rows differ less from rest is not written."""


@dataclass(frozen=True)
class ResponseLimits:
    """What the upper body answers to its steps (docs/method/body.md, Upper body)."""

    free: float = 0.05
    """Share by which steps may be longer than the motion's own without an answer; twice its own and
    more call for the whole."""
    lean_back: float = 0.25
    """Radians at full strength, to steps of twice the motion's own length."""
    arm_spread: float = 0.4
    """Radians at full strength, to the same."""
    shoulder_turn: float = 0.35
    """Radians at full strength, to a foot that is a leg's length farther ahead of the other than in
    the motion."""
    most_turn: float = 0.4
    """Radians that the shoulders turn at most."""
    look_ahead: float = 0.75
    """Share of the spine's turn and lean that neck and head take back."""
    width: float = 0.25
    """Cycles; smoothing of the lengths of steps."""


@dataclass(frozen=True)
class HandOverLimits:
    """Feet of poses that a walk goes over from and to (docs/method/body.md, Hand-over)."""

    standing: float = 0.03
    """Leg lengths over the ground below which a foot stands: hand-keyed feet are not quite on it."""
    reach: float = 0.25
    """Leg lengths over a foot from which the ground under it is asked for: feet may be sunk in."""
    missed: float = 0.002
    """Share of a leg by which it may be farther than that: less than the slide that is seen."""
    folded: float = 0.01
    """Share of a leg by which hip and ankle may be nearer than ever in the walk: 2 degrees of a knee."""
    same: float = 0.006
    """Share of a leg by which a longer blend may be worse where none is good."""
    shortest: float = 0.2
    """Cycles in which a body goes over at the quickest, where its blend is not shorter: hips that went
    quicker would jump."""
    tries: int = 24
    """Lengths of a blend that are looked at."""


@dataclass(frozen=True)
class SettlingLimits:
    """Feet set down on their skin (docs/method/body.md, Settling)."""

    passes: int = 3
    """Times that feet are moved and legs solved again."""
    least_share: float = 0.3
    """Share of what a foot is off its place that its ankle goes in one pass, at the least ..."""
    most_share: float = 2.0
    """... and at the most."""
    beyond: float = 0.006
    """Share of the leg by which an ankle may be asked for beyond its comfortable reach: soft reach takes
    less than 0.001 of it, which is no miss."""


@dataclass(frozen=True)
class RollingLimits:
    """Feet led so that their skin does not slip (docs/method/body.md, Rolling)."""

    bearing: float = 0.001
    """Share of L. What a point bears falls by e for each such height above the lowest of its foot: what
    is seen to slip."""
    most: float = 0.05
    """Share of L by which a foot is led from its print at the most."""


@dataclass(frozen=True)
class HeadLimits:
    """What heads do besides their motions (docs/method/body.md, Head)."""

    lead: float = 0.35
    """Cycles ahead of which the head looks: 0.4 s of people, of whom 0.2 to 1 s are measured."""
    most_turn: float = 0.8
    """Radians that it turns at most."""
    level: float = 0.8
    """Share of the body's lean that neck and head take back."""
    least: float = 1e-3
    """Radians of a turn that are none."""


@dataclass(frozen=True)
class LayerLimits:
    """Bodies that layers move (docs/method/layers.md, Body)."""

    most_rise: float = 0.25
    """Share of the leg; with it the hips' own `most_drop` still reaches down steps."""

    strained: float = 0.05
    """Share of the leg by which hips are off where a layer has them: what an animator sees."""

    moves: float = 0.01
    """Weight from which on a layer counts as played."""

    same: float = 1e-5
    """Radians and metres by which a pose is no other one."""


LAYER = LayerLimits()
SUPPORT = SupportLimits()
TILT = TiltLimits()
LEAN = LeanLimits()
HEAD = HeadLimits()
HIPS = HipLimits()
LEGS = FollowLimits()
RESPONSE = ResponseLimits()
HAND_OVER = HandOverLimits()
SETTLING = SettlingLimits()
ROLLING = RollingLimits()


@dataclass(frozen=True)
class UndersideLimits:
    """How the underside of a trunk is kept out of the ground (docs/method/body.md, Underside)."""

    clear: float = 0.01
    """Share of the leg that points stay above the ground. What is lower in the motions drags, as it may
    anywhere."""
    near: float = 0.2
    """Share of the leg above the highest print about up to which points are looked at: stones between
    feet are higher than these."""
    most: float = 0.3
    """Share of the leg by which ground may reach into the trunk: what goes farther is a wall."""
    joined: float = 0.4
    """Share of the leg up to which neighbours along the trunk are joined by a line ..."""
    spacing: float = 0.03
    """... on which points are as far apart: edges of treads reach in between them by half of it."""
    far: float = 0.05
    """Share of the leg above the ground within which points are looked after."""


UNDERSIDE = UndersideLimits()


@dataclass(frozen=True)
class BlockLimits:
    """Places on the outside of a body (docs/method/speed.md, Few questions)."""

    poses_at_once: int = 32
    """Poses in which all places are found at once: of 1,000 places arrays of 250 kB."""


BLOCKS = BlockLimits()
