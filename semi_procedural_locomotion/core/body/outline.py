# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the outside of a body is in any pose (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..pose import PoseArray
from ..rig.skeleton import Skeleton, compute_global_poses
from .limits import BLOCKS


@dataclass(frozen=True)
class BodyOutline:
    """Places on the outside of a body, each on one bone.

    Attributes
    ----------
    bones
        Index of the bone, shape (P,).
    offsets
        In the bone's axes from its head, metres at scale 1, shape (P, 3).
    """

    bones: np.ndarray
    offsets: FloatArray

    def place(
        self, skeleton: Skeleton, poses: PoseArray, rows: np.ndarray
    ) -> tuple[FloatArray, FloatArray]:
        """The outline and all joints in some poses.

        Parameters
        ----------
        skeleton
            Whose bones are meant.
        poses
            Poses of it.
        rows
            Which of them, shape (S,).

        Returns
        -------
        points, joints
            World, metres, shapes (S, P, 3) and (S, B, 3).
        """
        rotations, positions = compute_global_poses(
            skeleton, poses.rotations[rows], poses.translations[rows], poses.scales[rows]
        )
        turns, origins = poses.orientations[rows, None], poses.positions[rows, None]
        points = np.empty((len(rows), 3, len(self.bones))).swapaxes(1, 2)
        # Many places in many poses: block by block what is between stays small, and in the cache.
        for first in range(0, len(rows), BLOCKS.poses_at_once):
            block = slice(first, first + BLOCKS.poses_at_once)
            local = rot.rotate(rotations[block][:, self.bones], self.offsets)
            local = positions[block][:, self.bones] + local
            points[block] = origins[block] + rot.rotate(turns[block], local)
        return points, origins + rot.rotate(turns, positions)


def outline_from_points(skeleton: Skeleton, bones: np.ndarray, places: FloatArray) -> BodyOutline:
    """The outline of a body at rest; its joints where nothing else is known.

    Parameters
    ----------
    skeleton
        Its bones.
    bones
        Bone on which each place rides, shape (P,).
    places
        In character space at rest, metres, shape (P, 3).
    """
    rotations, heads = skeleton.rest_poses
    if not len(bones):
        bones, places = np.arange(len(skeleton)), heads
    offsets = rot.rotate(rot.conjugate(rotations[bones]), places - heads[bones])
    return BodyOutline(bones, offsets)
