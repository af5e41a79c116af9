# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stored with the actions of a character about their cycles, to be looked at and compared."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ..blender.setup import analyses as analysis_store
from ..blender.values.schema import read_kept
from ..core.maths.rotations import FloatArray
from ..core.rig.structure import Rig
from .set_up_work import read_character

# Times of a foot in a cycle after its stance, in their order.
KEY_TIMES = ("lift", "off", "post_lift", "pre_land", "strike", "land")


@dataclass(frozen=True)
class StoredLeg:
    """One leg in one cycle.

    Attributes
    ----------
    name, side
        Of the leg.
    stance
        Share of the cycle at which the foot stands.
    key_times
        Shares of the cycle after that, by the names of `KEY_TIMES`.
    stride
        Metres that the character travels in a cycle as this foot tells.
    footbases
        Path of the foot in place, character space, metres, shape (S, 3).
    """

    name: str
    side: str
    stance: float
    key_times: dict[str, float]
    stride: float
    footbases: FloatArray

    @property
    def duty(self) -> float:
        """Share of the cycle in which the foot stands."""
        return 1.0 - self.key_times["strike"] + self.key_times["off"]


@dataclass(frozen=True)
class StoredMotion:
    """One cycle as it was analysed.

    Attributes
    ----------
    action
        Name of the action.
    speed, direction, turn_rate, period
        Metres a second, horizontal unit vector in character space, radians a second, seconds.
    legs
        In the order of the character's.
    is_reversed
        Whether it is played backwards.
    """

    action: str
    speed: float
    direction: tuple[float, float]
    turn_rate: float
    period: float
    legs: tuple[StoredLeg, ...]
    is_reversed: bool

    @property
    def stride(self) -> float:
        """Metres in a cycle."""
        return self.speed * self.period

    @property
    def duty(self) -> float:
        """Mean share of the cycle in which a foot stands."""
        return float(np.mean([leg.duty for leg in self.legs]))

    @property
    def lift(self) -> float:
        """Highest rise of any foot over its lowest place, metres."""
        return max(float(np.ptp(leg.footbases[:, 2])) for leg in self.legs)


def read_stored_motions(armature: bpy.types.Object) -> tuple[Rig, dict[str, StoredMotion | None]]:
    """The rig of a set-up character, and what is stored of its ticked cycles by their actions' names.

    Nothing is analysed: None stands for an action that was changed since, or was never analysed by
    this version.

    Raises
    ------
    RigError
        It is not set up, or its bones have changed.
    """
    rig = read_character(armature).rig
    found: dict[str, StoredMotion | None] = {}
    for entry in armature.locomotion.motions:
        if entry.action is None or not entry.enabled or entry.found_kind != "cycle":
            continue
        data = analysis_store.read_analysis(armature, entry.action, rig)
        data = None if data is None else read_kept(entry.action.name, "cycle", data)
        if data is None or data["footbases"].shape[1:] != (len(rig.legs), 3):
            found[entry.action.name] = None
            continue
        legs = tuple(
            StoredLeg(
                name=leg.name,
                side=leg.side,
                stance=cycle["stance"],
                key_times={name: cycle[name] for name in KEY_TIMES},
                stride=cycle["stride"],
                footbases=data["footbases"][:, number],
            )
            for number, (leg, cycle) in enumerate(zip(rig.legs, data["legs"], strict=True))
        )
        found[entry.action.name] = StoredMotion(
            action=entry.action.name,
            speed=data["speed"],
            direction=data["direction"],
            turn_rate=data["turn_rate"],
            period=data["period"],
            legs=legs,
            is_reversed=entry.is_reversed,
        )
    return rig, found
