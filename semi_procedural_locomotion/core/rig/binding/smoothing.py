# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights smoothed along the edges of a mesh (numpy only)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .limits import BINDING

IntArray = NDArray[np.int32]


def smooth_weights(
    weights: tuple[IntArray, NDArray[np.float32]],
    edges: NDArray[np.int32],
    nearest: IntArray,
    kin: NDArray[np.bool_],
    times: int,
) -> tuple[IntArray, NDArray[np.float32]]:
    """Weights of which each vertex takes a share of its neighbours' mean.

    Parameters
    ----------
    weights
        Bones and weights of V vertices, each (V, k).
    edges
        Pairs of vertices, shape (E, 2).
    nearest
        Bone whose flesh each vertex is, shape (V,).
    kin
        Whether a vertex of one bone may follow another, shape (B, B).
    times
        How often.

    Returns
    -------
    tuple
        Bones and weights of sum 1, again the k heaviest of each vertex.
    """
    ends = np.concatenate([edges, edges[:, ::-1]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    starts = np.searchsorted(ends[:, 0], np.arange(len(nearest) + 1))
    for _ in range(times):
        weights = _smooth(weights, ends[:, 1], starts, nearest, kin)
    return weights


def _smooth(
    weights: tuple[IntArray, NDArray[np.float32]],
    neighbours: NDArray[np.int32],
    starts: NDArray[np.intp],
    nearest: IntArray,
    kin: NDArray[np.bool_],
) -> tuple[IntArray, NDArray[np.float32]]:
    """Weights smoothed once; neighbours of vertex v are those from ``starts[v]`` to the next."""
    found, values = weights
    (count, size), total = found.shape, len(kin)
    bones, best = np.empty_like(found), np.empty_like(values)
    step = max(BINDING.chunk // total, 1)
    for begin in range(0, count, step):
        end = min(begin + step, count)
        rows = np.arange(end - begin)
        degrees = np.diff(starts[begin : end + 1])
        others = neighbours[starts[begin] : starts[end]]
        own = np.where(degrees > 0, 1.0 - BINDING.smoothed, 1.0)
        # One table of a few vertices and all bones at a time.
        keys = np.concatenate(
            [
                (rows[:, None] * total + found[begin:end]).ravel(),
                (np.repeat(rows, degrees)[:, None] * total + found[others]).ravel(),
            ]
        )
        shares = np.repeat(BINDING.smoothed / np.maximum(degrees, 1), degrees)
        amounts = np.concatenate(
            [(own[:, None] * values[begin:end]).ravel(), (shares[:, None] * values[others]).ravel()]
        )
        table = np.bincount(keys, amounts, len(rows) * total).reshape(len(rows), total)
        table *= kin[nearest[begin:end]]
        places = np.argpartition(table, total - size, axis=1)[:, total - size :]
        kept = np.take_along_axis(table, places, axis=1)
        bones[begin:end] = places
        best[begin:end] = kept / np.maximum(kept.sum(axis=1, keepdims=True), 1e-300)
    return bones, best
