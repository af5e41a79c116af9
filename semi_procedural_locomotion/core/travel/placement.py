# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters that were placed by a bone above their body, not by their object (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class Placement:
    """How a root bone stands against where the walk's motions have it, in character space.

    Attributes
    ----------
    yaw
        Turn about up, radians.
    shift
        Where it brings the origin, metres, shape (3,).
    """

    yaw: float
    shift: FloatArray

    def move(self, place: FloatArray, yaw: float) -> tuple[FloatArray, float]:
        """Place (3,) and yaw of a character in the world whose object stands at such."""
        return place + rot.rotate(rot.quaternions_from_yaws(yaw), self.shift), yaw + self.yaw

    def place_roots(
        self, rotations: FloatArray, translations: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Local rotations (..., 4) and translations (..., 3) of bones without a parent, placed."""
        turn = rot.quaternions_from_yaws(np.array(self.yaw))
        return rot.multiply(turn, rotations), rot.rotate(turn, translations) + self.shift


def find_placement(
    own: tuple[FloatArray, FloatArray], shown: tuple[FloatArray, FloatArray]
) -> Placement:
    """The placement that brings a root bone from a pose of it to another.

    Parameters
    ----------
    own, shown
        Rotation (4,) and position (3,) in character space, as motions have it and as it is shown.
        What tilts it belongs to the pose, and its turn about up and its place to the placement.
    """
    turn = rot.multiply(shown[0], rot.conjugate(own[0]))
    yaw = float(rot.wrap_angles(2.0 * np.arctan2(turn[3], turn[0])))
    return Placement(yaw, shown[1] - rot.rotate(rot.quaternions_from_yaws(yaw), own[1]))
