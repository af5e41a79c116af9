# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that motions scale (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from ..pose import PoseArray
from ..rig.skeleton import EVEN
from ..walk import SolvedWalk, WalkPlan


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
    sizes = _find_own_sizes(plan, poses, even=even)
    for bone, parent in enumerate(plan.tables.small_rig.skeleton.parents):
        if parent >= 0:
            sizes[:, bone] *= sizes[:, parent]
    return sizes


def note_scaled_feet(plan: WalkPlan, walk: SolvedWalk, frames: np.ndarray) -> list[Note]:
    """A note of the bones that carry soles and that motions scale.

    Parameters
    ----------
    plan, walk
        The walk, solved at N frames.
    frames
        Those scene frames, shape (N,).
    """
    rig, sizes = plan.tables.small_rig, _find_own_sizes(plan, walk.poses, even=True)
    ends = [leg.bones[-1] for leg in rig.legs]
    carrying = sorted({above for bone in ends for above in rig.skeleton.find_ancestors(bone)})
    # Below bones that are held in another size it may be that bones do not take it over.
    passed_on = rig.skeleton.held_sizes[1][:, 0]
    carrying = [bone for bone in carrying if abs(passed_on[bone] - 1.0) <= EVEN]
    off = np.abs(sizes[:, carrying] - 1.0)
    scaled = np.flatnonzero(off.max(axis=0, initial=0.0) > EVEN)
    if not len(scaled):
        return []
    bone, row = carrying[scaled[0]], int(off[:, scaled[0]].argmax())
    name, size = rig.skeleton.names[bone], float(sizes[row, bone])
    more = len(scaled) - 1
    return [make_note(NoteKind.SOLE_SCALED, None, frames[row], bone=name, size=size, more=more)]


def _find_own_sizes(plan: WalkPlan, poses: PoseArray, *, even: bool) -> FloatArray:
    """Mean scale of each bone that carries the legs, against that at rest, shape (N, K)."""
    scales = poses.scales[:, plan.tables.bones.indices]
    sizes: FloatArray = scales.mean(axis=2)
    if even:
        sizes = np.where(np.ptp(scales, axis=2) <= EVEN * np.abs(sizes), sizes, 1.0)
    return sizes
