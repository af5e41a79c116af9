# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that motions scale (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths.rotations import FloatArray
from ..pose import PoseArray
from ..rig.skeleton import EVEN
from ..walk import WalkPlan


def find_sizes(plan: WalkPlan, poses: PoseArray, *, even: bool = False) -> FloatArray:
    """Mean size of each bone that carries the legs, against that at rest.

    Parameters
    ----------
    plan
        The walk's plan.
    poses
        Its poses at N times.
    even
        Whether only what is scaled along all axes alike counts: legs that stretch do not make feet
        larger.

    Returns
    -------
    array, shape (N, K)
        In the order of the small rig's bones.
    """
    sizes = find_own_sizes(plan, poses, even=even)
    for bone, parent in enumerate(plan.tables.small_rig.skeleton.parents):
        if parent >= 0:
            sizes[:, bone] *= sizes[:, parent]
    return sizes


def find_own_sizes(plan: WalkPlan, poses: PoseArray, *, even: bool) -> FloatArray:
    """Mean scale of each bone that carries the legs, against that at rest, shape (N, K)."""
    scales = poses.scales[:, plan.tables.bones.indices]
    sizes: FloatArray = scales.mean(axis=2)
    if even:
        sizes = np.where(np.ptp(scales, axis=2) <= EVEN * np.abs(sizes), sizes, 1.0)
    return sizes
