# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked of a conversion of root motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..errors import SettingError
from .settings.kinds import check_values
from .settings.root_motion import ROOT_MOTION

Carrier = Literal["object", "root", "body"]


@dataclass(frozen=True, kw_only=True)
class RootMotionRequest:
    """From where the travel of an action goes to where, and how much of it.

    Attributes
    ----------
    source
        What has the travel; ``"auto"`` for the first of object, root and body that travels.
    target
        What gets it; ``"none"`` takes it out.
    use_ground, use_height
        Whether the place on the ground and the height go.
    turn
        How much of the rotation goes.
    use_even
        Whether the target moves evenly; what is left of the motion stays in the body.
    root_bone, body_bone
        Names of the bones; None for those that are found.
    use_play
        Whether the armature plays the new action where it plays the old one.

    Raises
    ------
    SettingError
        A value is of the wrong kind, nothing is to go, or source and target are the same.
    """

    source: Literal["auto", "object", "root", "body"] = ROOT_MOTION["source"].default
    target: Literal["none", "object", "root", "body"] = ROOT_MOTION["target"].default
    use_ground: bool = ROOT_MOTION["use_ground"].default
    use_height: bool = ROOT_MOTION["use_height"].default
    turn: Literal["heading", "all", "none"] = ROOT_MOTION["turn"].default
    use_even: bool = ROOT_MOTION["use_even"].default
    root_bone: str | None = ROOT_MOTION["root_bone"].default
    body_bone: str | None = ROOT_MOTION["body_bone"].default
    use_play: bool = ROOT_MOTION["use_play"].default

    def __post_init__(self) -> None:
        check_values(ROOT_MOTION, vars(self))
        if not (self.use_ground or self.use_height or self.turn != "none"):
            raise SettingError("nothing is to go: choose Ground Position, Height or a Rotation")
        if self.source == self.target:
            raise SettingError(f"the travel goes from {self.source} to itself: choose another To")
