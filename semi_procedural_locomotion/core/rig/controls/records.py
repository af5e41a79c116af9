# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs among the joints that are watched, and controls that were found for them (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class LimbJoints:
    """One leg among the joints that are watched.

    Attributes
    ----------
    joints
        Hip .. ankle, places among the watched joints.
    toe
        The toe, or None.
    others
        Ankles of the other legs.
    body
        The bone that carries the hips.
    length
        Length of the leg, in the units of the places.
    is_detached
        Whether the foot is no child of the shin.
    has_foot
        Whether the ankle is a bone that may be turned, not the end of the shin.
    """

    joints: tuple[int, ...]
    toe: int | None
    others: tuple[int, ...]
    body: int
    length: float
    is_detached: bool = False
    has_foot: bool = True

    @property
    def ankle(self) -> int:
        """Place of the ankle."""
        return self.joints[-1]

    def stand_on_toe(self) -> LimbJoints:
        """The same leg with its toe for an ankle, as a paw that a control holds."""
        toe = () if self.toe is None else (self.toe,)
        return replace(self, joints=(*self.joints, *toe), toe=None)


@dataclass(frozen=True)
class Found:
    """A control that was found, by its number, and how nearly it did what it is for; -1 for none."""

    control: int = -1
    share: float = 0.0

    def __bool__(self) -> bool:
        return self.control >= 0
