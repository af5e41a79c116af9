# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick legs are about their bones, and how low the trunk hangs between its hips."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths.rotations import FloatArray
from .attachment import Attachment
from .body import Body, PosedClip
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
    points = _place_owned(body, _find_trunk(body, attachment, chains))
    hips = body.heads[tops]
    axes = np.stack([forward, [-forward[1], forward[0]]], axis=1)
    room = GIRTHS.beside * float(np.mean([chain.length for chain in chains]))
    places, frame = points[:, :2] @ axes, hips[:, :2] @ axes
    between = (places > frame.min(axis=0) - room) & (places < frame.max(axis=0) + room)
    low = points[between.all(axis=1), 2]
    if len(low) < GIRTHS.fewest:
        return 0.0
    return max(float(hips[:, 2].mean() - np.percentile(low, GIRTHS.lowest)), 0.0)


def measure_underside(
    body: Body,
    attachment: Attachment,
    chains: Sequence[LegChain],
    clip: PosedClip,
    forward: FloatArray,
) -> FloatArray:
    """Lowest points of the trunk as it walks, see `Rig.underside`, metres, (P, 3).

    Parameters
    ----------
    body, attachment
        The prepared evidence and its re-attached tree.
    chains
        The legs.
    clip
        Poses in which the trunk is as in a walk; each point is at its lowest in them.
    forward
        Horizontal unit vector to which the character faces in them, shape (2,).
    """
    trunk = _find_trunk(body, attachment, chains) & body.used
    owned = np.flatnonzero(trunk[body.skin.owners])
    if not body.has_mesh or len(owned) < GIRTHS.fewest:
        return np.zeros((0, 3))
    axes = np.array([[*forward, 0.0], [-forward[1], forward[0], 0.0], [0.0, 0.0, 1.0]])
    joints = clip.heads[:, [chain.joints[0] for chain in chains]]
    hips = joints.mean(axis=1)
    length = float(np.mean([chain.length for chain in chains]))

    def place(points: np.ndarray, frames: slice) -> FloatArray:
        """Vertices (P,) from the hips' middle in the body's axes in F frames, (F, P, 3)."""
        posed = pose_points(body.skin.select(points), clip.axes[frames], clip.heads[frames])
        return np.asarray((posed - hips[frames, None]) @ axes.T)

    first = place(owned, slice(0, 1))[0]
    along = (joints[0] - hips[0]) @ axes[0]
    room = GIRTHS.trailing * length
    carried = (first[:, 0] > along.min() - room) & (first[:, 0] < along.max() + room)
    if np.count_nonzero(carried) < GIRTHS.fewest:
        return np.zeros((0, 3))
    owned, first = owned[carried], first[carried]
    low = first[:, :2].min(axis=0)
    size = np.maximum(first[:, :2].max(axis=0) - low, TINY)
    counts = np.array([GIRTHS.stations, GIRTHS.strips])
    cells = np.minimum(((first[:, :2] - low) / size * counts).astype(np.intp), counts - 1)
    cell = cells[:, 1] * GIRTHS.stations + cells[:, 0]
    order = np.lexsort((first[:, 2], cell))
    _, lowest = np.unique(cell[order], return_index=True)
    posed = place(owned[order[lowest]], slice(None))
    points = np.concatenate([posed[..., :2].mean(axis=0), posed[..., 2:].min(axis=0)], axis=1)
    strips = cell[order][lowest] // GIRTHS.stations
    reach = GIRTHS.bridged * length
    return np.concatenate([_bridge(points[strips == strip], reach) for strip in np.unique(strips)])


def _bridge(points: FloatArray, reach: float) -> FloatArray:
    """Points (P, 3) from behind to ahead without those above a line, no longer than that, over them."""
    kept: list[FloatArray] = []
    for point in points[np.argsort(points[:, 0])]:
        while len(kept) > 1 and point[0] - kept[-2][0] < reach:
            share = (kept[-1][0] - kept[-2][0]) / max(point[0] - kept[-2][0], TINY)
            if kept[-1][2] < kept[-2][2] + share * (point[2] - kept[-2][2]):
                break
            kept.pop()
        kept.append(point)
    return np.array(kept)


def _find_trunk(body: Body, attachment: Attachment, chains: Sequence[LegChain]) -> np.ndarray:
    """Bones of no leg, (B,) bool, without those that lie on the ground."""
    legs = np.any(attachment.tree.below[[chain.joints[0] for chain in chains]], axis=0)
    ankles = float(min(body.heads[chain.joints[-1], 2] for chain in chains))
    return np.asarray(~legs & ~_find_lying(body, ankles))


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
