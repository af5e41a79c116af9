# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Points that ride on bones, posed as the skin of a mesh for all frames at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import TINY, FloatArray
from ..skinning import blend_dual_quaternions, turns_from_axes

# Points are blended by dual quaternions as many at a time, over all frames.
_MOST_BLENDED = 100_000


@dataclass(frozen=True)
class Skin:
    """Skinned points.

    Attributes
    ----------
    owners
        The bone with the largest weight, shape (P,), int.
    bones, weights
        Influences and their shares (sum 1), shapes (P, K).
    offsets
        The point in each influence's rest axes from its head, metres, shape (P, K, 3).
    keeps_volume
        Which points are blended by dual quaternions, shape (P,) of bool; None for none.
    binds
        Rest rotations of all bones, shape (B, 4); None where no point keeps its volume.
    """

    owners: np.ndarray
    bones: np.ndarray
    weights: FloatArray
    offsets: FloatArray
    keeps_volume: np.ndarray | None = None
    binds: FloatArray | None = None

    def select(self, points: np.ndarray) -> Skin:
        """The points of an index or bool array."""
        return Skin(
            self.owners[points],
            self.bones[points],
            self.weights[points],
            self.offsets[points],
            None if self.keeps_volume is None else self.keeps_volume[points],
            self.binds,
        )


def bind_points(
    points: FloatArray,
    bones: np.ndarray,
    weights: FloatArray,
    rest_axes: FloatArray,
    rest_heads: FloatArray,
) -> Skin:
    """Tie points to bones in the rest pose.

    Parameters
    ----------
    points
        Rest positions, metres, shape (P, 3).
    bones, weights
        Influences, shapes (P, K); points without weight ride on their first bone.
    rest_axes, rest_heads
        Rotation matrices (B, 3, 3) and heads (B, 3) of the rest pose.
    """
    total = weights.sum(axis=1, keepdims=True)
    shares = np.where(total > TINY, weights / np.maximum(total, TINY), 0.0)
    shares[:, 0] += (total <= TINY)[:, 0]
    owners = np.take_along_axis(bones, shares.argmax(axis=1)[:, None], axis=1)[:, 0]
    away = points[:, None] - rest_heads[bones]
    offsets = np.einsum("pkji,pkj->pki", rest_axes[bones], away)
    return Skin(owners, bones, shares, offsets)


def pose_points(skin: Skin, axes: FloatArray, heads: FloatArray) -> FloatArray:
    """Positions of skinned points, shape (F, P, 3).

    Parameters
    ----------
    skin
        The points.
    axes, heads
        Scaled axes (F, B, 3, 3) and heads (F, B, 3) of posed bones.
    """
    posed = np.zeros((len(axes), len(skin.owners), 3))
    for bone, points, places in _group_influences(skin):
        offsets = skin.offsets[points, places]
        moved = offsets @ np.swapaxes(axes[:, bone], 1, 2) + heads[:, bone, None]
        posed[:, points] += skin.weights[points, places][:, None] * moved
    if skin.keeps_volume is None or skin.binds is None:
        return posed
    blended = np.flatnonzero(skin.keeps_volume & ((skin.weights > 0).sum(axis=1) > 1))
    size = max(_MOST_BLENDED // len(axes), 1)
    for start in range(0, len(blended), size):
        rows = blended[start : start + size]
        posed[:, rows] = _blend_points(skin.select(rows), skin.binds, axes, heads)
    return posed


def _blend_points(skin: Skin, binds: FloatArray, axes: FloatArray, heads: FloatArray) -> FloatArray:
    """Positions (F, P, 3) of points that keep their volume."""
    order = np.argsort(-skin.weights, axis=1, kind="stable")
    bones = np.take_along_axis(skin.bones, order, axis=1)
    offsets = np.take_along_axis(skin.offsets, order[..., None], axis=1)
    used, columns = np.unique(bones, return_inverse=True)
    columns = columns.reshape(bones.shape)
    own = axes[:, used]
    moved = np.einsum("fpkij,pkj->fpki", own[:, columns], offsets)
    turns = rot.multiply(turns_from_axes(own), rot.conjugate(binds[used]))
    return blend_dual_quaternions(
        moved + heads[:, bones],
        turns[:, columns],
        np.take_along_axis(skin.weights, order, axis=1),
    )


def pose_heights(skin: Skin, axes: FloatArray, heads: FloatArray) -> FloatArray:
    """Heights (Z) of skinned points, shape (F, P); the same as `pose_points` at a third of the cost."""
    heights = np.zeros((len(axes), len(skin.owners)))
    for bone, points, places in _group_influences(skin):
        offsets = skin.offsets[points, places]
        moved = axes[:, bone, 2] @ offsets.T + heads[:, bone, 2, None]
        heights[:, points] += skin.weights[points, places] * moved
    return heights


def _group_influences(skin: Skin) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """For each bone the points it moves and the places of it among their influences."""
    points, places = np.nonzero(skin.weights > 0)
    bones = skin.bones[points, places]
    order = np.argsort(bones, kind="stable")
    cuts = np.flatnonzero(np.diff(bones[order])) + 1
    return [
        (int(bones[group[0]]), points[group], places[group])
        for group in np.split(order, cuts)
        if len(group)
    ]
