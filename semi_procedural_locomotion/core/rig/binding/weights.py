# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights by distance from bones (numpy only).

The nearest few bones by distance from their segments, each with an inverse power of that distance, as
Fecko's thesis has it; and what keeps one leg from following the other (docs/method/binding.md, Limbs).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...maths.rotations import FloatArray
from .bones import BindBones
from .limits import BINDING
from .patches import mend_patches
from .smoothing import smooth_weights

IntArray = NDArray[np.int32]


@dataclass(frozen=True)
class BindOptions:
    """How vertices follow bones.

    Attributes
    ----------
    count
        Bones of a vertex at the most.
    power
        Exponent of the distance.
    radius
        Metres beyond which no bone but the nearest counts; 0 for no limit.
    limb_only
        Whether a vertex follows bones of its own limb and of what that is joined to alone.
    smoothing
        Times that weights are smoothed along edges.
    """

    count: int = 4
    power: float = 2.0
    radius: float = 0.0
    limb_only: bool = True
    smoothing: int = 2


@dataclass(frozen=True)
class BoundWeights:
    """What V vertices follow.

    Attributes
    ----------
    bones
        Indices of bones, the heaviest first, shape (V, k).
    values
        Their weights of sum 1, 0 where a vertex has fewer, shape (V, k).
    nearest
        The bone whose flesh each vertex is, shape (V,).
    """

    bones: IntArray
    values: NDArray[np.float32]
    nearest: IntArray


def bind_vertices(
    points: FloatArray,
    edges: NDArray[np.int32],
    bones: BindBones,
    options: BindOptions | None = None,
) -> BoundWeights:
    """What the vertices of a mesh follow.

    Parameters
    ----------
    points
        Vertices at rest, metres, in the space of the bones, shape (V, 3).
    edges
        Pairs of vertices, shape (E, 2).
    bones
        At least one.
    options
        None for `BindOptions` as they are.

    Returns
    -------
    BoundWeights
        Of the memory of a few numbers a vertex; in between a bounded amount more.
    """
    chosen = options or BindOptions()
    nearest = find_nearest(points, bones)
    if chosen.limb_only:
        nearest = mend_patches(points, edges, bones, nearest, find_nearest)
    count = min(chosen.count, len(bones))
    found = np.zeros((len(points), count), dtype=np.int32)
    values = np.zeros((len(points), count), dtype=np.float32)
    if chosen.limb_only:
        _weigh_limbs(points, bones, nearest, chosen, (found, values))
    else:
        every = np.arange(len(bones))
        for rows in _list_chunks(len(points), len(bones)):
            found[rows], values[rows] = _weigh(points[rows], bones, nearest[rows], every, chosen)
    if chosen.smoothing:
        mask = bones.kin if chosen.limb_only else np.ones((len(bones),) * 2, dtype=bool)
        found, values = smooth_weights((found, values), edges, nearest, mask, chosen.smoothing)
    return BoundWeights(*_tidy(found, values), nearest)


def find_nearest(
    points: FloatArray, bones: BindBones, among: NDArray[np.intp] | None = None
) -> IntArray:
    """The bone nearest to each point (V, 3), of those with the given indices, shape (V,)."""
    nearest = np.empty(len(points), dtype=np.int32)
    chosen = np.arange(len(bones)) if among is None else among
    for rows in _list_chunks(len(points), len(chosen)):
        nearest[rows] = chosen[np.argmin(_measure(points[rows], bones, chosen), axis=1)]
    return nearest


def _list_chunks(count: int, bones: int) -> list[slice]:
    """Rows that are looked at together."""
    size = max(BINDING.chunk // max(bones, 1), 1)
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def _measure(points: FloatArray, bones: BindBones, among: NDArray[np.intp]) -> FloatArray:
    """Squared distances of points (R, 3) from segments (C), square metres, shape (R, C)."""
    heads = bones.heads[among]
    along = bones.tails[among] - heads
    squares = np.einsum("ij,ij->i", along, along)
    # Products of matrices are many times faster than differences of all pairs; taken from the middle
    # of the points they are exact to 1e-8 of the body.
    middle = points.mean(axis=0)
    points, heads = points - middle, heads - middle
    forward = points @ along.T
    forward -= np.einsum("ij,ij->i", heads, along)
    shares = forward / np.where(squares > 0, squares, 1.0)
    np.clip(shares, 0.0, 1.0, out=shares)
    found = shares * squares
    forward *= 2.0
    found -= forward
    found *= shares
    found += points @ (-2.0 * heads.T)
    found += np.einsum("ij,ij->i", points, points)[:, None]
    found += np.einsum("ij,ij->i", heads, heads)
    return np.maximum(found, 0.0, out=found)


def _weigh_limbs(
    points: FloatArray,
    bones: BindBones,
    nearest: IntArray,
    options: BindOptions,
    weights: tuple[IntArray, NDArray[np.float32]],
) -> None:
    """Write bones and weights (V, k) of vertices that follow kin of their nearest bones alone."""
    order = np.argsort(nearest, kind="stable")
    starts = np.flatnonzero(np.diff(nearest[order], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        among = np.flatnonzero(bones.kin[nearest[order[start]]])
        for rows in _list_chunks(end - start, len(among)):
            chosen = order[start:end][rows]
            found, values = _weigh(points[chosen], bones, nearest[chosen], among, options)
            weights[0][chosen, : found.shape[1]] = found
            weights[1][chosen, : found.shape[1]] = values


def _weigh(
    points: FloatArray,
    bones: BindBones,
    nearest: IntArray,
    among: NDArray[np.intp],
    options: BindOptions,
) -> tuple[IntArray, FloatArray]:
    """Bones, some of the given ones, and weights of some points, each (R, k) with k at most."""
    away = _measure(points, bones, among)
    if options.radius > 0:
        beyond = away > options.radius**2
        beyond &= among != nearest[:, None]
        away[beyond] = np.inf
    count = min(options.count, len(among))
    places = np.argpartition(away, count - 1, axis=1)[:, :count]
    away = np.take_along_axis(away, places, axis=1)
    chosen = among[places]
    least = max(BINDING.nearest * bones.extent, 1e-150) ** 2
    away = np.maximum(away, least)
    # The nearest one of all is 1, so that no power overflows.
    values = (away.min(axis=1, keepdims=True) / away) ** (0.5 * options.power)
    if options.limb_only:
        values = values * _fade_rivals(away, chosen, bones)
    return chosen.astype(np.int32), values / values.sum(axis=1, keepdims=True)


def _fade_rivals(away: FloatArray, chosen: NDArray[np.intp], bones: BindBones) -> FloatArray:
    """Factors (R, k) of bones: 0 where another limb is much nearer, 1 where none is."""
    apart = bones.steps[chosen[:, :, None], chosen[:, None, :]] < 0
    rivals = np.where(apart, away[:, None, :], np.inf).min(axis=2)
    with np.errstate(invalid="ignore"):
        shares = np.where(np.isfinite(away), np.sqrt(rivals / away), 0.0)
    shares = np.clip((shares - BINDING.rival) / (1.0 - BINDING.rival), 0.0, 1.0)
    return np.asarray(shares * shares * (3.0 - 2.0 * shares))


def _tidy(found: IntArray, values: NDArray[np.float32]) -> tuple[IntArray, NDArray[np.float32]]:
    """Weights without negligible ones, the heaviest first, of sum 1."""
    heaviest = values.max(axis=1, keepdims=True)
    values = np.where((values < BINDING.negligible) & (values < heaviest), 0.0, values)
    order = np.argsort(-values, axis=1, kind="stable")
    values = np.take_along_axis(values, order, axis=1)
    values /= np.maximum(values.sum(axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return np.take_along_axis(found, order, axis=1), values.astype(np.float32)
