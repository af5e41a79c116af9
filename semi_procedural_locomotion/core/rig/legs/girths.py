# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick legs are about their bones, and how low the trunk hangs between its hips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths.rotations import FloatArray
from .attachment import Attachment
from .body import Body
from .chains import LegChain
from .limits import GIRTHS, TINY
from .skin import pose_heights, pose_points


def measure_girths(body: Body, attachment: Attachment, chain: LegChain) -> tuple[float, ...]:
    """Radius of the mesh about each segment of a leg at rest, metres; 0 without vertices.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    chain
        The leg, K joints.

    Returns
    -------
    K - 1 numbers
        Medians: half of a limb's skin is farther from its bone.
    """
    below, found = attachment.tree.below, []
    for upper, lower in zip(chain.joints[:-1], chain.joints[1:], strict=True):
        points = _place_owned(body, below[upper] & ~below[lower])
        start, way = body.heads[upper], body.heads[lower] - body.heads[upper]
        along = (points - start) @ way / max(float(way @ way), TINY)
        inside = (along > GIRTHS.inner) & (along < 1.0 - GIRTHS.inner)
        away = (points - start - along[:, None] * way)[inside]
        enough = len(away) >= GIRTHS.fewest
        found.append(float(np.median(np.linalg.norm(away, axis=1))) if enough else 0.0)
    return tuple(found)


def measure_belly(
    body: Body, attachment: Attachment, chains: Sequence[LegChain], forward: FloatArray
) -> float:
    """How far the trunk hangs below the level of its hips at rest, metres; 0 without vertices.

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    chains
        The legs.
    forward
        Horizontal unit vector to which the character faces at rest, shape (2,).
    """
    tops = [chain.joints[0] for chain in chains]
    trunk = ~np.any(attachment.tree.below[tops], axis=0)
    ankles = float(min(body.heads[chain.joints[-1], 2] for chain in chains))
    points = _place_owned(body, trunk & ~_find_lying(body, ankles))
    hips = body.heads[tops]
    axes = np.stack([forward, [-forward[1], forward[0]]], axis=1)
    room = GIRTHS.beside * float(np.mean([chain.length for chain in chains]))
    places, frame = points[:, :2] @ axes, hips[:, :2] @ axes
    between = (places > frame.min(axis=0) - room) & (places < frame.max(axis=0) + room)
    low = points[between.all(axis=1), 2]
    if len(low) < GIRTHS.fewest:
        return 0.0
    return max(float(hips[:, 2].mean() - np.percentile(low, GIRTHS.lowest)), 0.0)


def _find_lying(body: Body, level: float) -> np.ndarray:
    """Bones all of whose vertices are below a level at rest, (B,) bool: markers on the ground."""
    heights = pose_heights(body.skin, body.rest.axes, body.rest.heads)[0]
    highest = np.full(len(body.names), -np.inf)
    np.maximum.at(highest, body.skin.owners, heights)
    return np.asarray(highest < level)


def _place_owned(body: Body, bones: np.ndarray) -> FloatArray:
    """Rest places (P, 3) of the vertices that follow some bones, a mask of shape (B,)."""
    if not body.has_mesh:
        return np.zeros((0, 3))
    owned = np.flatnonzero(bones[body.skin.owners])
    return pose_points(body.skin.select(owned), body.rest.axes, body.rest.heads)[0]
