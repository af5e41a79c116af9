# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How near neighbouring feet come to each other, and whether legs cross (numpy only)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ..maths.rotations import TINY, FloatArray
from .footpoints import compute_sole_points
from .skeleton import compute_rest_poses
from .structure import Rig


@dataclass(frozen=True)
class LegGaps:
    """Pairs of neighbouring legs in a walk of N frames, P pairs.

    Attributes
    ----------
    pairs
        Indices of the two legs of each pair.
    soles
        Distance between the soles seen from above, metres; negative where they overlap, by how far
        one would have to move, shape (N, P).
    ankles
        How far the first leg's ankle is on its own side of the second's, along the line between
        their hips, metres; negative where the legs have changed sides, shape (N, P).
    crossed
        Whether the shins cross, seen along the ground across the line between the hips, shape (N, P)
        of bool.
    """

    pairs: tuple[tuple[int, int], ...]
    soles: FloatArray
    ankles: FloatArray
    crossed: np.ndarray


def list_partners(rig: Rig) -> tuple[tuple[int, int], ...]:
    """Pairs of legs that are mirror twins, the left one first as their hips tell at rest."""
    _, rest = compute_rest_poses(rig.skeleton)
    across = [
        rig.forward[0] * rest[leg.joints[0], 1] - rig.forward[1] * rest[leg.joints[0], 0]
        for leg in rig.legs
    ]
    return tuple((i, j) if across[i] >= across[j] else (j, i) for i, j in _match_legs(rig) if i < j)


def _match_legs(rig: Rig) -> list[tuple[int, int]]:
    """Each leg with its twin; where no twins are known, the left legs with the right ones in turn."""
    known = [(i, leg.partner) for i, leg in enumerate(rig.legs) if leg.partner is not None]
    if known:
        return known
    lefts = [i for i, leg in enumerate(rig.legs) if leg.side == "L"]
    rights = [i for i, leg in enumerate(rig.legs) if leg.side == "R"]
    return [(min(pair), max(pair)) for pair in zip(lefts, rights, strict=False)]


def list_neighbours(rig: Rig) -> tuple[tuple[int, int], ...]:
    """Pairs of legs that stand beside or behind each other: partners first, then those of a side."""
    pairs = list(list_partners(rig))
    for side in ("L", "R"):
        row = [i for i, leg in enumerate(rig.legs) if leg.side == side]
        pairs += list(itertools.pairwise(row))
    return tuple(pairs)


def outline_rectangles(
    heels: FloatArray, directions: FloatArray, lengths: FloatArray, width: float | FloatArray
) -> FloatArray:
    """Corners of soles seen from above.

    Parameters
    ----------
    heels
        Middle of the heel edge, x and y, metres, shape (N, 2).
    directions
        Unit vectors from heel to toe, shape (N, 2).
    lengths
        Of the soles, metres, shape (N,) or a number.
    width
        Of the soles, metres, shape (N, 1) or a number.

    Returns
    -------
    array, shape (N, 4, 2)
        Heel right, toe right, toe left, heel left.
    """
    across = 0.5 * width * np.stack([-directions[:, 1], directions[:, 0]], axis=1)
    toes = heels + np.reshape(lengths, (-1, 1)) * directions
    return np.stack([heels - across, toes - across, toes + across, heels + across], axis=1)


def outline_soles(rig: Rig, leg: int, rotations: FloatArray, positions: FloatArray) -> FloatArray:
    """Corners (N, 4, 2) of a leg's sole seen from above, from world poses of all bones (N, B, ...)."""
    points = compute_sole_points(rig.legs[leg], rotations, positions)
    heels, toes = points[:, 0, :2], points[:, 2, :2]
    lengths = np.hypot(*(toes - heels).T)
    directions = (toes - heels) / np.maximum(lengths, TINY)[:, None]
    return outline_rectangles(heels, directions, lengths, rig.legs[leg].sole_width)


def measure_rectangle_gaps(first: FloatArray, second: FloatArray) -> FloatArray:
    """Distances between rectangles in the plane.

    Parameters
    ----------
    first, second
        Corners in order around each rectangle, shape (N, 4, 2).

    Returns
    -------
    array, shape (N,)
        Least distance; where they overlap, minus the shortest way that parts them (separating axes).
    """
    overlap = np.full(len(first), -np.inf)
    for edges in (first[:, 1:3] - first[:, 0:2], second[:, 1:3] - second[:, 0:2]):
        for side in range(2):
            axis = edges[:, side] / np.maximum(np.hypot(*edges[:, side].T), TINY)[:, None]
            one = np.einsum("nkc,nc->nk", first, axis)
            two = np.einsum("nkc,nc->nk", second, axis)
            apart = np.maximum(two.min(1) - one.max(1), one.min(1) - two.max(1))
            overlap = np.maximum(overlap, apart)
    distance = np.minimum(
        _measure_corner_distances(first, second), _measure_corner_distances(second, first)
    )
    return np.where(overlap > 0.0, distance, overlap)


def _measure_corner_distances(corners: FloatArray, polygon: FloatArray) -> FloatArray:
    """Least distance of any corner (N, 4, 2) to any edge of a polygon (N, 4, 2), shape (N,)."""
    starts = polygon[:, None]
    edges = np.roll(polygon, -1, axis=1)[:, None] - starts
    away = corners[:, :, None] - starts
    square = np.maximum(np.sum(edges * edges, axis=-1), TINY * TINY)
    share = np.clip(np.sum(away * edges, axis=-1) / square, 0.0, 1.0)
    rest = away - share[..., None] * edges
    return np.asarray(np.sqrt(np.sum(rest * rest, axis=-1)).min(axis=(1, 2)))


def find_segment_crossings(
    first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray]
) -> np.ndarray:
    """Whether segments in the plane cross.

    Parameters
    ----------
    first, second
        Start and end points of each segment, shape (N, 2).

    Returns
    -------
    array, shape (N,) of bool
        True where the insides of both segments have a point in common; touching ends do not count.
    """

    def turn(a: FloatArray, b: FloatArray, c: FloatArray) -> FloatArray:
        return np.asarray(
            (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
        )

    (a, b), (c, d) = first, second
    parted = turn(a, b, c) * turn(a, b, d) < 0.0
    return np.asarray(parted & (turn(c, d, a) * turn(c, d, b) < 0.0))


def measure_leg_gaps(
    rig: Rig,
    rotations: FloatArray,
    positions: FloatArray,
    pairs: tuple[tuple[int, int], ...] | None = None,
) -> LegGaps:
    """Distances between neighbouring legs.

    Parameters
    ----------
    rig
        The character.
    rotations, positions
        World poses of all bones, shapes (N, B, 4) and (N, B, 3), metres.
    pairs
        Which legs to compare; None for `list_neighbours`.
    """
    pairs = list_neighbours(rig) if pairs is None else pairs
    outlines = [outline_soles(rig, i, rotations, positions) for i in range(len(rig.legs))]
    soles, ankles, crossed = [], [], []
    for i, j in pairs:
        soles.append(measure_rectangle_gaps(outlines[i], outlines[j]))
        one, two = (positions[:, list(rig.legs[k].joints[-2:])] for k in (i, j))
        hips = positions[:, rig.legs[i].joints[0], :2] - positions[:, rig.legs[j].joints[0], :2]
        axis = hips / np.maximum(np.hypot(*hips.T), TINY)[:, None]
        ankles.append(np.sum((one[:, 1, :2] - two[:, 1, :2]) * axis, axis=1))
        flat = [
            np.stack([np.sum(leg[..., :2] * axis[:, None], axis=-1), leg[..., 2]], axis=-1)
            for leg in (one, two)
        ]
        crossed.append(
            find_segment_crossings((flat[0][:, 0], flat[0][:, 1]), (flat[1][:, 0], flat[1][:, 1]))
        )
    count = len(positions)
    if not pairs:
        return LegGaps((), np.zeros((count, 0)), np.zeros((count, 0)), np.zeros((count, 0), bool))
    return LegGaps(pairs, np.stack(soles, 1), np.stack(ankles, 1), np.stack(crossed, 1))
