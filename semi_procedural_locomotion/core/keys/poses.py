# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses: how bones stand against their rest pose, blended by their relative rotations (numpy only).

What is stored is relative to the parent and to the rest pose, so a pose fits every character with the
same bones, and between two poses each joint turns the shortest way (docs/method/keys.md, Key poses).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..maths import rotations as rot
from ..maths.rotations import FloatArray


@dataclass(frozen=True)
class PosedBone:
    """How a bone stands against its rest pose.

    Attributes
    ----------
    rotation
        A unit quaternion in the bone's axes, shape (4,).
    location
        Units of the armature in those axes, shape (3,).
    scale
        Factors, shape (3,).
    """

    rotation: FloatArray
    location: FloatArray
    scale: FloatArray


KeyPose = Mapping[str, PosedBone]


def blend_poses(first: KeyPose, second: KeyPose, share: float) -> dict[str, PosedBone]:
    """The pose at some share of the way from one to another, 0 to 1, of the bones that both have."""
    return {
        name: PosedBone(
            rot.slerp(
                first[name].rotation,
                rot.align_hemispheres(bone.rotation, first[name].rotation),
                share,
            ),
            (1.0 - share) * first[name].location + share * bone.location,
            (1.0 - share) * first[name].scale + share * bone.scale,
        )
        for name, bone in second.items()
        if name in first
    }
