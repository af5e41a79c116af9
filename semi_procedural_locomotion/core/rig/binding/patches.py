# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Patches of a mesh that lie nearest to a limb they do not belong to (numpy only).

A hand that hangs beside a thigh is nearer to some of its skin than the thigh's own bone. Such a patch
has only skin of the leg around it, while that of an arm goes on to the trunk.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...maths.rotations import FloatArray
from .bones import BindBones
from .limits import BINDING

IntArray = NDArray[np.int32]
_FindNearest = Callable[[FloatArray, BindBones, "NDArray[np.intp]"], IntArray]


def mend_patches(
    points: FloatArray,
    edges: NDArray[np.int32],
    bones: BindBones,
    nearest: IntArray,
    find_nearest: _FindNearest,
) -> IntArray:
    """The bones whose flesh vertices are, with patches handed to the limb around them.

    Parameters
    ----------
    points, edges
        Vertices (V, 3), metres, and pairs of them (E, 2).
    bones
        The bones.
    nearest
        The bone nearest to each vertex, shape (V,).
    find_nearest
        Gives the nearest of some bones for some points.

    Returns
    -------
    array of int, shape (V,)
    """
    mended = nearest.copy()
    for _ in range(BINDING.most_mendings):
        limbs = bones.limbs[mended]
        patches = find_patches(edges, limbs)
        handed = _find_owners(edges, limbs, patches, bones)
        if not handed:
            break
        for patch, limb in handed.items():
            rows = np.flatnonzero(patches == patch)
            mended[rows] = find_nearest(points[rows], bones, np.flatnonzero(bones.limbs == limb))
    return mended


def find_patches(edges: NDArray[np.int32], labels: NDArray[np.intp]) -> NDArray[np.intp]:
    """Numbers (V,) of the connected patches of vertices with the same label: their least vertex."""
    first, second = edges[labels[edges[:, 0]] == labels[edges[:, 1]]].T
    found: NDArray[np.intp] = np.arange(len(labels))
    while True:
        least = np.minimum(found[first], found[second])
        lowered = found.copy()
        # Both ends, and what they were joined to before, get the lesser number.
        for ends in (first, second):
            np.minimum.at(lowered, found[ends], least)
        while True:
            further = lowered[lowered]
            if np.array_equal(further, lowered):
                break
            lowered = further
        if np.array_equal(lowered, found):
            return found
        found = lowered


def _find_owners(
    edges: NDArray[np.int32], limbs: NDArray[np.intp], patches: NDArray[np.intp], bones: BindBones
) -> dict[int, int]:
    """Patches that belong to another limb, and to which."""
    sizes = np.bincount(patches, minlength=len(patches))
    largest = np.zeros(len(bones.joined_limbs), dtype=np.intp)
    np.maximum.at(largest, limbs, sizes[patches])
    border = edges[limbs[edges[:, 0]] != limbs[edges[:, 1]]]
    border = np.concatenate([border, border[:, ::-1]])
    small = sizes[patches[border[:, 0]]] < largest[limbs[border[:, 0]]]
    border = border[small]
    count = len(bones.joined_limbs)
    keys = patches[border[:, 0]] * count + limbs[border[:, 1]]
    pairs, times = np.unique(keys, return_counts=True)
    found: dict[int, tuple[int, int]] = {}
    own = set()
    for key, often in zip(pairs.tolist(), times.tolist(), strict=True):
        patch, limb = divmod(key, count)
        if bones.joined_limbs[limbs[patch], limb]:
            own.add(patch)
        elif often > found.get(patch, (0, 0))[0]:
            found[patch] = (often, limb)
    return {patch: limb for patch, (_, limb) in found.items() if patch not in own}
