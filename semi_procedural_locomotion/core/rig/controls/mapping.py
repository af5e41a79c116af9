# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of the controls of a rig (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, field

from ....notes import Note
from ...motions.properties import PropertyKey


@dataclass(frozen=True)
class SwitchValue:
    """A property of the rig and what it is while a walk plays, such as a switch from FK to IK.

    Attributes
    ----------
    key
        Data path from the object, and the component.
    ik, fk
        Its values with which the limb follows its foot control, and its chain of controls.
    """

    key: PropertyKey
    ik: float
    fk: float


@dataclass(frozen=True)
class LegControls:
    """The controls of one leg; empty texts and tuples for those that it does not have.

    Attributes
    ----------
    leg
        Name of the leg in the `Rig`.
    foot
        Bone that takes the ankle of the leg along, place and rotation, where IK acts.
    ankle
        Bone that turns the ankle about itself where IK acts and the foot control shifts it alone.
    toe
        Bone that turns the toe and leaves the ankle.
    rolls
        Bones that roll or turn the foot about its heel, ball or toes.
    hock
        Bone that turns the segment above the ankle about the ankle, in legs of three segments. In a
        leg of two with a toe, it turns the ankle about the toe, and the foot control holds the toe.
    pole
        Bone that turns the knee about the line from hip to ankle.
    pole_turns
        Whether the pole is turned, as a hip control is, and not moved.
    chain
        Bones that turn the joints hip .. ankle one by one where FK acts, one for each joint, and one
        for the toe after them where the leg has one.
    switches
        Properties that choose between the foot control and the chain; empty where one kind acts alone.
    confidence
        0 to 1: how nearly the joints followed when the controls were moved.
    doubts
        What is missing, or did not follow.
    """

    leg: str
    foot: str = ""
    ankle: str = ""
    toe: str = ""
    rolls: tuple[str, ...] = ()
    hock: str = ""
    pole: str = ""
    pole_turns: bool = False
    chain: tuple[str, ...] = ()
    switches: tuple[SwitchValue, ...] = ()
    confidence: float = 0.0
    doubts: tuple[Note, ...] = ()

    @property
    def bones(self) -> tuple[str, ...]:
        """Names of all controls."""
        single = (self.foot, self.ankle, self.toe, *self.rolls, self.hock, self.pole, *self.chain)
        return tuple(dict.fromkeys(name for name in single if name))


@dataclass(frozen=True)
class BoneControl:
    """A control that turns a deforming bone of the upper body rigidly.

    Attributes
    ----------
    bone
        The deforming bone.
    control
        The bone that turns it and as few others as any.
    """

    bone: str
    control: str


@dataclass(frozen=True)
class ControlMap:
    """The controls of a rig.

    Attributes
    ----------
    body
        Bone that takes hips and upper body along, and no planted foot.
    pelvis
        Deforming bone that the hips are fixed to, by which the body is seen; empty for the body of the
        `Rig`.
    root
        Bone that takes everything along; empty where none does.
    legs
        One for each leg of the `Rig`, in its order.
    turned
        Controls of spine, chest, shoulders, arms, head and tail, parents first.
    switches
        Properties that let the controls of ``turned`` act.
    confidence
        The least of body and legs, 0 to 1.
    doubts
        Why a map is not sure.
    """

    body: str
    root: str = ""
    pelvis: str = ""
    legs: tuple[LegControls, ...] = ()
    turned: tuple[BoneControl, ...] = ()
    switches: tuple[SwitchValue, ...] = ()
    confidence: float = 0.0
    doubts: tuple[Note, ...] = field(default=())

    @property
    def is_verified(self) -> bool:
        """Whether the body and every leg have controls that were seen to move them."""
        has_legs = bool(self.legs) and all(leg.foot or leg.chain for leg in self.legs)
        return bool(self.body) and has_legs and self.confidence >= VERIFIED

    @property
    def bones(self) -> tuple[str, ...]:
        """Names of all controls."""
        names = [self.body, self.root, *(name for leg in self.legs for name in leg.bones)]
        names += [entry.control for entry in self.turned]
        return tuple(dict.fromkeys(name for name in names if name))

    @property
    def leg_bones(self) -> tuple[tuple[str, ...], ...]:
        """Names of the controls that each leg hangs from, those of its own first."""
        shared = tuple(name for name in (self.body, self.root) if name)
        return tuple((*leg.bones, *shared) for leg in self.legs)


VERIFIED = 0.75
"""Confidence from which on a walk is written to controls if nothing else is chosen."""
