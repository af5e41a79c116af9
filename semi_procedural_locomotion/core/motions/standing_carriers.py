# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones above the hips that do not go with them are no body.

A root may stand where it was while the hips below it walk away, or go half of the way. Poses of
such a clip repeat only without it, and even travel is to be taken from the hips, not from the root
(docs/method/motions.md, Roots that stay behind).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.skeleton import Skeleton, compute_global_poses
from ..rig.structure import Rig
from .clips import Clip
from .limits import CARRYING


def find_left_bones(rig: Rig, positions: FloatArray) -> np.ndarray:
    """Bones that stay behind while the hips go somewhere.

    Parameters
    ----------
    rig
        The character.
    positions
        Of its bones through a clip, metres, shape (S, B, 3).

    Returns
    -------
    array of bool, shape (B,)
        Bones above all hips, and others of no leg that stay with these. None where the hips stay, or
        all goes along.
    """
    skeleton = rig.skeleton
    hips = [leg.joints[0] for leg in rig.legs]
    left = np.zeros(len(skeleton), dtype=bool)
    middle = positions[:, hips, :2].mean(axis=1)
    way = float(np.hypot(*np.ptp(middle, axis=0)))
    gone = float(np.hypot(*(middle[-1] - middle[0])))
    if max(gone / CARRYING.least_gone, way / CARRYING.least_way) < rig.leg_length:
        return left
    apart = np.ptp(positions[..., :2] - middle[:, None], axis=0)
    parted = np.hypot(apart[:, 0], apart[:, 1]) > CARRYING.parted * way
    above = set.intersection(*(set(skeleton.find_ancestors(hip)[1:]) for hip in hips))
    for bone in sorted(above):
        left[bone] = parted[bone] and all(left[skeleton.find_ancestors(bone)[1:]])
    bearing = {a for leg in rig.legs for b in leg.bones for a in skeleton.find_ancestors(b)}
    for bone, parent in enumerate(skeleton.parents):
        if parent >= 0 and left[parent] and bone not in bearing:
            moved = np.ptp(positions[:, bone, :2] - positions[:, parent, :2], axis=0)
            left[bone] = parted[bone] and float(np.hypot(*moved)) <= CARRYING.still * way
    return left


def open_carriers(clip: Clip, rig: Rig, left: np.ndarray) -> tuple[Clip, np.ndarray]:
    """The clip with all that hangs from bones that stay behind as bones without a parent.

    Parameters
    ----------
    clip
        Poses of the rig's whole skeleton.
    rig
        The character.
    left
        As `find_left_bones` gives it, shape (B,).

    Returns
    -------
    clip
        In it the cut bones have their places in character space.
    parents
        -1 for those, shape (B,).
    """
    skeleton = rig.skeleton
    cut = _list_cut(skeleton, left)
    parents = skeleton.parents.copy()
    if not len(cut):
        return clip, parents
    turns, places = compute_global_poses(skeleton, clip.rotations, clip.translations, clip.scales)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    scales = clip.scales * _measure_sizes(skeleton, clip.scales, cut)
    rotations[:, cut], translations[:, cut] = turns[:, cut], places[:, cut]
    parents[cut] = -1
    return replace(clip, rotations=rotations, translations=translations, scales=scales), parents


def close_carriers(clip: Clip, rig: Rig, left: np.ndarray) -> Clip:
    """Undo `open_carriers`, with the bones that stay behind at rest, as in a clip in place."""
    skeleton = rig.skeleton
    cut = _list_cut(skeleton, left)
    if not len(cut):
        return clip
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    behind = np.flatnonzero(left)
    rotations[:, behind] = skeleton.rest_rotations[behind]
    translations[:, behind] = skeleton.rest_translations[behind]
    sizes = _measure_sizes(skeleton, clip.scales, cut)
    turns, places = compute_global_poses(skeleton, rotations, translations, clip.scales)
    for bone in cut:
        parent = int(skeleton.parents[bone])
        back = rot.conjugate(turns[:, parent])
        rotations[:, bone] = rot.multiply(back, clip.rotations[:, bone])
        away = rot.rotate(back, clip.translations[:, bone] - places[:, parent])
        translations[:, bone] = away / sizes[:, bone]
    return replace(clip, rotations=rotations, translations=translations, scales=clip.scales / sizes)


def _list_cut(skeleton: Skeleton, left: np.ndarray) -> np.ndarray:
    """Bones that go along, whose parent stays behind."""
    parents = skeleton.parents
    return np.flatnonzero((parents >= 0) & left[parents] & ~left)


def _measure_sizes(skeleton: Skeleton, scales: FloatArray, cut: np.ndarray) -> FloatArray:
    """Scale that each cut bone inherits, 1 for others, shape (S, B, 1)."""
    sizes = np.ones((*scales.shape[:2], 1))
    for bone in cut:
        for above in skeleton.find_ancestors(int(bone))[1:]:
            sizes[:, bone, 0] *= scales[:, above].mean(axis=-1)
    return sizes
