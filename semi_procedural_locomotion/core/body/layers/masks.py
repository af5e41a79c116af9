# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bones follow a layer, and how far where its mask begins softly (numpy only)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...maths.rotations import FloatArray
from ...rig.structure import Rig


def find_leg_bones(rig: Rig) -> np.ndarray:
    """All bones from the hip joints and from detached feet down: the walk's own, (B,) of bool."""
    found = np.zeros(len(rig.skeleton), dtype=bool)
    for leg in rig.legs:
        found[rig.skeleton.find_descendants(leg.joints[0])] = True
        found[rig.skeleton.find_descendants(leg.ankle)] = True
    return found


def find_upper_body(rig: Rig) -> list[int]:
    """Bones that hang from the body and neither are in a leg nor carry one, without the body itself."""
    carriers = {b for leg in rig.legs for b in rig.skeleton.find_ancestors(leg.joints[0])}
    return [bone for bone in find_whole_body(rig) if bone not in carriers]


def find_whole_body(rig: Rig) -> list[int]:
    """The body and all bones that hang from it and are in no leg."""
    legs = find_leg_bones(rig)
    return [bone for bone in rig.skeleton.find_descendants(rig.body) if not legs[bone]]


def make_shares(rig: Rig, bones: Iterable[int], soft: int) -> FloatArray:
    """How far each bone follows a layer with this mask.

    Along each chain of the mask the first bone has a share of 1 / (soft + 1), the next one more of
    them, and so on up to 1: the pose goes over along the spine in place of breaking at one joint.

    Parameters
    ----------
    rig
        The character.
    bones
        Bones of the mask, in any order. Those of legs are left to the walk.
    soft
        Over how many bones the mask begins.

    Returns
    -------
    array, shape (B,)
        0 outside of the mask.
    """
    masked = np.zeros(len(rig.skeleton), dtype=bool)
    masked[list(bones)] = True
    masked &= ~find_leg_bones(rig)
    depths = np.zeros(len(masked))
    for bone, parent in enumerate(rig.skeleton.parents):
        if masked[bone]:
            depths[bone] = 1 + (depths[parent] if parent >= 0 else 0)
    return np.minimum(depths / (soft + 1), 1.0)
