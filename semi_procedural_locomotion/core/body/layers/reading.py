# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a layer shows at any time, and how it is laid over poses (numpy only)."""

from __future__ import annotations

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...motions.layers import Layer


def weigh_layer(layer: Layer, times: FloatArray) -> FloatArray:
    """Weight of a layer at times (N,), seconds; (N,) from 0 to 1 (docs/method/layers.md, Weights)."""
    weights = np.clip(np.interp(times, layer.weight_times, layer.weights), 0.0, 1.0)
    if layer.repeats or layer.in_step:
        return weights
    elapsed = times - layer.start
    left = layer.clip.duration / layer.rate - elapsed
    # Not before its start and not after its end, however short the fade is.
    inside = np.minimum(elapsed, left) / max(layer.fade, 1e-9)
    inside = np.where(np.minimum(elapsed, left) < -1e-9, 0.0, inside if layer.fade > 0 else 1.0)
    return weights * rot.step_cubic(np.clip(inside, 0.0, 1.0))


def find_rows(layer: Layer, times: FloatArray, phases: FloatArray) -> FloatArray:
    """Place in the rows of a layer's clip, whole and share, at times (N,) and phases of the walk (N,)."""
    last = len(layer.clip.rotations) - 1
    if layer.in_step:
        return np.asarray((phases % 1.0) * last)
    cycles = (times - layer.start) * layer.rate / max(layer.clip.duration, 1e-9)
    if layer.repeats:
        # A time that a frame has by its number is not the end of a repeat for its rounding.
        place = (cycles % 1.0) * last
        return np.where(np.abs(place - last) < 1e-6, 0.0 if last else place, place)
    return np.asarray(np.clip(cycles, 0.0, 1.0) * last)


def read_clip(layer: Layer, rows: FloatArray, bones: np.ndarray) -> tuple[FloatArray, FloatArray]:
    """Poses of some bones (K,) of a layer's clip at places (N,) in its rows.

    Returns
    -------
    rotations, translations
        Relative to the parent, quaternions w x y z and metres, shapes (N, K, 4) and (N, K, 3).
    """
    clip = layer.clip
    index = np.minimum(np.floor(rows + 1e-6).astype(np.intp), len(clip.rotations) - 1)
    after = np.minimum(index + 1, len(clip.rotations) - 1)
    share = np.maximum(rows - index, 0.0)[:, None] * ~clip.stepped[None, bones]
    first, second = (clip.rotations[r][:, bones] for r in (index, after))
    places, ends = (clip.translations[r][:, bones] for r in (index, after))
    return rot.nlerp(first, second, share), places + share[..., None] * (ends - places)


def lay_over(
    layer: Layer,
    times: FloatArray,
    phases: FloatArray,
    bones: np.ndarray,
    rotations: FloatArray,
    translations: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Poses of some bones with a layer over them.

    Parameters
    ----------
    layer
        The layer.
    times, phases
        Seconds, and phases of the walk in cycles, shapes (N,).
    bones
        Indices of K bones in the layer's clip.
    rotations, translations
        Their poses before, relative to the parent, shapes (N, K, 4) and (N, K, 3).

    Returns
    -------
    rotations, translations
        Shapes as given.
    """
    shares = weigh_layer(layer, times)[:, None] * layer.shares[bones]
    turns, places = read_clip(layer, find_rows(layer, times, phases), bones)
    amounts = shares[..., None]
    if layer.additive:
        base, start = layer.clip.rotations[0, bones], layer.clip.translations[0, bones]
        change = rot.power(rot.multiply(rot.conjugate(base), turns), shares)
        return rot.multiply(rotations, change), translations + amounts * (places - start)
    return rot.slerp(rotations, turns, shares), translations + amounts * (places - translations)
