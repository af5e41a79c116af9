# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bones that may be mirror images of one another, by structure alone."""

from __future__ import annotations

import numpy as np

from ...maths.rotations import FloatArray
from .limits import TWINS
from .trees import Tree


def find_twins(tree: Tree, heads: FloatArray) -> np.ndarray:
    """Structural twins: equal or twin parents, and equal distances to them.

    Parameters
    ----------
    tree
        The bones.
    heads
        Rest heads, metres, shape (B, 3).

    Returns
    -------
    array, shape (B, B), bool
        Symmetric.
    """
    count = len(tree.parents)
    twins = np.zeros((count, count), dtype=bool)
    if not count:
        return twins
    size = float(np.ptp(heads, axis=0).max())
    parents = np.array(tree.parents)
    origins = np.where(parents[:, None] >= 0, heads[parents], heads.mean(axis=0))
    reach = np.linalg.norm(heads - origins, axis=1)
    depths = np.zeros(count, dtype=np.intp)
    for bone in tree.order:
        if parents[bone] >= 0:
            depths[bone] = depths[parents[bone]] + 1
    for depth in range(int(depths.max()) + 1):
        bones = np.flatnonzero(depths == depth)
        first, second = bones[:, None], bones[None, :]
        longer = np.maximum(reach[first], reach[second])
        alike = (
            np.abs(reach[first] - reach[second])
            < TWINS.length_agreement * longer + TWINS.length_slack * size
        )
        apart = np.linalg.norm(heads[first] - heads[second], axis=-1) > TWINS.apart * size
        siblings = (parents[first] == parents[second]) & apart
        cousins = np.zeros_like(siblings)
        if depth:
            cousins = twins[parents[first], parents[second]]
        twins[first, second] = alike & (siblings | cousins) & (first != second)
    return twins
