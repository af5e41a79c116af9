# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""All thresholds of this stage: bodies in the air (numpy only).

Each record names the heading that explains it; each field its unit, and what it is for.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GravityLimits:
    """How fast what a character's size belongs to falls (docs/method/body.md, Lean into acceleration)."""

    leg: float = 0.8
    """Metres from hip to ankle of people."""
    stature: float = 1.44
    """Metres of theirs from ankle to hip and on to the joint of the head."""
    walk_pace: float = 12.0
    """Square of a beast's cycle time in a walk, times gravity over the leg."""
    run_pace: float = 6.0
    """The same in a run, whose cycle is quicker."""
    walking: float = 0.5
    """Share of the cycle that feet stand, above which it is a walk."""


@dataclass(frozen=True)
class JumpLimits:
    """When and for how long a walk jumps (docs/method/airborne.md, When it flies)."""

    bears: float = 0.36
    """Share of the time between the stances before and after a jump in which feet still bear, and bear
    again: so the legs of walks leave and come, about."""
    beside: float = 0.35
    """Share of a stride; feet whose bodies are nearer to one another stand side by side: they leave, or
    land, together."""
    ready: float = 0.75
    """Cycles before the take-off in which a character that stands gets ready."""
    reach: float = 0.25
    """Share of the way of a jump by which the body is ahead of its feet as it leaves, and behind them
    as it lands, at most."""
    hop: float = 0.25
    """Share of a stride; jumps that lead nowhere are as long in time as those over that."""
    flattest: float = 0.6
    """Share of the time of the easiest jump that one at speed takes at least."""
    samples: int = 24
    """Samples of a flight."""
    sway: float = 0.12
    """Share of a stride by which the body is held back before a jump, and runs on after it, at most."""
    swaying: float = 0.7
    """Seconds in which it is so, at most."""
    farthest: float = 4.5
    """Multiple of the leg: square of the speed of a take-off over gravity, at most. It is how far such a
    jump leads on the level: people jump 3.7 m without a run-up."""
    before: tuple[float, float] = (1.0, 0.4)
    """Seconds before the take-off between which a run-up has its speed."""
    quickest: float = 2.0
    """Multiple of the mean at which feet leave and land that are in the air through a jump, at most."""
    unfilled: float = 1.0
    """Seconds before and after a flight within which a plan fills in no steps between the footsteps."""
    passing: int = 200
    """Samples of each step that a foot passes over."""


@dataclass(frozen=True)
class GiveLimits:
    """How a body crouches and gives way (docs/method/airborne.md, Crouch and landing)."""

    crouch: int = 3
    """Power of the crouch: the body is lowest after 1 / (1 + 3) of it."""
    landing: int = 5
    """Power of the landing: longer, as the legs straighten again slowly."""
    push: float = 0.8
    """Depth of a crouch over the height to which its speed leads: the legs push with 2.25 times the
    weight."""
    absorb: float = 0.5
    """Depth of a landing over the height from which its speed comes."""
    deepest_crouch: float = 0.25
    """Share of the leg."""
    deepest_landing: float = 0.4
    """Share of the leg: knees of people bend by 90 to 110 degrees."""
    hinge: float = 1.4
    """Radians by which a trunk on two legs leans ahead over a crouch as deep as a leg is long: upright it
    would be behind its feet."""
    pushing: float = 0.3
    """Seconds before a jump in which knees stretch as fast as they can; leans into the acceleration
    fade, as the trunk follows the crouch."""
    settling: float = 0.6
    """Seconds after a landing, likewise."""
    longest: float = 1.6
    """Seconds that either takes at most."""
    room: float = 0.9
    """Share of the time since the last landing, or until the next jump, that either takes at most."""


@dataclass(frozen=True)
class TuckLimits:
    """What feet do in the air (docs/method/airborne.md, Feet in the air)."""

    share: float = 0.4
    """Height by which feet are drawn up, over the rise of the body."""
    most: float = 0.16
    """Share of the leg by which they are at most."""
    between: float = 0.1
    """Share of the leg by which a foot that stays in the air between two jumps is raised besides."""
    early: float = 0.15
    """Seconds before a jump in which a foot that is in the air already rises with the push."""
    late: float = 0.05
    """Seconds after it in which one that lands later still comes down: the body sinks then, and no leg
    folds without end."""


@dataclass(frozen=True)
class OwnFlightLimits:
    """Flights that motions have by themselves (docs/method/airborne.md, Flights of motions)."""

    shortest: float = 0.15
    """Seconds; what is shorter, as in runs, is over before anything is seen."""
    level: float = 0.02
    """Share of the leg by which the ground is higher or lower, else the flight is as in the motion."""
    deepest: float = 0.15
    """Share of the leg by which the body is lowered at most besides what the motion does."""
    highest: float = 0.01
    """Share of the leg by which it is raised at most: legs that bear stretch no further."""


GRAVITY = GravityLimits()
JUMPS = JumpLimits()
GIVE = GiveLimits()
TUCK = TuckLimits()
OWN = OwnFlightLimits()
