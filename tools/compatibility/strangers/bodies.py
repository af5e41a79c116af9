# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What strangers are made of: bones with boxes, legs, and helpers that make chains (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Part:
    """One bone.

    Attributes
    ----------
    name, parent
        Of the bone; the parent is "" for a top.
    head, tail
        At rest, metres.
    girth
        Half of the width of the box that it moves, metres; 0 where it moves none.
    sole
        Whether its box lies flat on the ground, as that of a foot.
    follows
        The bone that it goes with although it hangs elsewhere, as IK bones go with feet.
    carrier
        The bone that carries it although it hangs elsewhere; "" for its parent.
    """

    name: str
    parent: str
    head: Place
    tail: Place
    girth: float = 0.0
    sole: bool = False
    follows: str = ""
    carrier: str = ""


@dataclass(frozen=True)
class Limb:
    """A leg.

    Attributes
    ----------
    bones
        From the hip to the foot.
    phase
        Its place in the cycle, a share of it.
    girdles
        How many of the first bones may be left out of what is found, as clavicles are.
    is_footless
        Whether the last bone ends on the ground and is no foot.
    """

    bones: tuple[str, ...]
    phase: float
    girdles: int = 0
    is_footless: bool = False


@dataclass(frozen=True)
class Stranger:
    """A body and its walk.

    Attributes
    ----------
    parts
        Bones, parents first.
    limbs
        Legs; none where it does not walk.
    body
        The bone that rises and falls.
    speed, period, duty
        Of the walk: metres a second, seconds, share of the cycle on the ground.
    swings
        Bones that swing forth and back, with their phase: arms.
    travels
        The bone that goes along; "" for a walk in place.
    factor
        Scale of the armature object; its bones are as much larger, with Y up.
    is_rigid
        Whether boxes hang on bones instead of being skinned.
    way
        Degrees by which it goes to the left of where it faces.
    cycles, lead
        Cycles in the clip, and frames in the bind pose before them.
    ripple
        How unevenly feet go on the ground, share of their speed.
    lift
        Of feet in the swing, share of the leg.
    is_walker
        Whether its clip is a walk.
    hang
        How high the body and its feet are lifted, share of the leg, as in a fall.
    pitch
        Degrees by which the body bows and comes back in a cycle, as when hit.
    yaw
        Degrees by which the clip is turned to the left against the rest pose.
    is_stiff
        Whether legs swing without bending.
    has_ik
        Whether feet hang from no shin, are keyed alone, and shins follow them by inverse kinematics.
    skin
        The bone that moves the box of another, by the name of that: skin on other bones than usual.
    more
        Other clips: changes of the walk by their names.
    no_walks
        Which of all clips are no walks though they may look like some.
    default
        The clip that is the plain walk; "" for ``clip``.
    is_round
        Whether it has no front of its own and faces where it walks.
    """

    name: str
    parts: tuple[Part, ...]
    limbs: tuple[Limb, ...]
    body: str
    clip: str = "Walk"
    speed: float = 1.2
    period: float = 1.0
    duty: float = 0.62
    swings: Mapping[str, float] = field(default_factory=dict)
    travels: str = ""
    factor: float = 1.0
    is_rigid: bool = False
    way: float = 0.0
    cycles: float = 1.0
    lead: int = 0
    ripple: float = 0.0
    lift: float = 0.16
    is_walker: bool = True
    hang: float = 0.0
    pitch: float = 0.0
    yaw: float = 0.0
    is_stiff: bool = False
    has_ik: bool = False
    skin: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    no_walks: tuple[str, ...] = ()
    default: str = ""
    is_round: bool = False


def name_side(pattern: str, side: str) -> str:
    """A name with its side, in the words that its pattern asks for."""
    long = {"L": "Left", "R": "Right"}[side]
    return pattern.format(S=side, s=side.lower(), Long=long, J={"L": "左", "R": "右"}[side])


def mirror_place(place: Place, side: str) -> Place:
    """A place of the left side on a side."""
    return (place[0] if side == "L" else -place[0], place[1], place[2])


def chain_bones(
    parent: str,
    names: Sequence[str],
    places: Sequence[Place],
    girths: Sequence[float],
    side: str = "L",
) -> list[Part]:
    """Bones one below the other, from place to place."""
    parts = []
    for name, head, tail, girth in zip(names, places, places[1:], girths, strict=False):
        own = name_side(name, side)
        parts.append(Part(own, parent, mirror_place(head, side), mirror_place(tail, side), girth))
        parent = own
    return parts


def lay_flat(part: Part) -> Part:
    """The part as one of a foot."""
    return replace(part, sole=True)
