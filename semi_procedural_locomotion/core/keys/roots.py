# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Root bones that stay upright while the body on them tilts (docs/method/keys.md, Upright root bones)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..pose import PoseArray
from ..rig.skeleton import Skeleton, compute_global_poses


def set_root_upright(poses: PoseArray, skeleton: Skeleton, root: int) -> PoseArray:
    """Poses whose root bone turns by the heading alone, and whose other bones are where they were.

    Parameters
    ----------
    poses
        Local poses of all bones.
    skeleton
        The bones.
    root
        Index of the root bone; its head stays where it is.
    """
    turns, _ = compute_global_poses(skeleton, poses.rotations, poses.translations, poses.scales)
    shown = rot.multiply(poses.orientations, turns[:, root])
    rest = skeleton.rest_poses[0][root]
    turned = rot.multiply(shown, rot.conjugate(rest))
    headings = rot.quaternions_from_yaws(np.unwrap(2.0 * np.arctan2(turned[:, 3], turned[:, 0])))
    wanted = rot.multiply(headings, rest)
    # What the root bone no longer turns, the bones on it do.
    left = rot.multiply(rot.conjugate(wanted), shown)
    rotations, translations = poses.rotations.copy(), poses.translations.copy()
    rotations[:, root] = rot.multiply(poses.rotations[:, root], rot.conjugate(left))
    rotated, moved = poses.rotated.copy(), poses.moved.copy()
    for bone in np.flatnonzero(skeleton.parents == root):
        rotations[:, bone] = rot.multiply(left, poses.rotations[:, bone])
        translations[:, bone] = rot.rotate(left, poses.translations[:, bone])
        rotated[bone] = moved[bone] = True
    return replace(
        poses, rotations=rotations, translations=translations, rotated=rotated, moved=moved
    )
