# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the weights diagram of the overlay shows: motions, and the layers over them (numpy only)."""

from __future__ import annotations

import numpy as np

from ..body.layers.reading import find_rows, weigh_layer
from ..maths.rotations import FloatArray
from ..walk import SolvedWalk, WalkPlan


def read_weights(plan: WalkPlan, walk: SolvedWalk, row: int) -> FloatArray:
    """Weights of all motions and then of all layers at one time of a walk, 0 to 1, shape (M + Y,)."""
    layers = plan.tables.motion_set.layers
    times = walk.times[row : row + 1]
    own = [weigh_layer(layer, times) for layer in layers]
    return np.concatenate([walk.source.weights[row], *own])


def tell_weights(plan: WalkPlan, walk: SolvedWalk, row: int) -> list[str]:
    """The same in words, for each motion its name and weight, for a layer its place in its clip, too.

    A layer that moves many bones tells how many.
    """
    motions, layers = plan.tables.motion_set.motions, plan.tables.motion_set.layers
    weights = read_weights(plan, walk, row)
    texts = [f"{motion.name}  {w:.0%}" for motion, w in zip(motions, weights, strict=False)]
    span = slice(row, row + 1)
    for layer, weight in zip(layers, weights[len(motions) :], strict=True):
        place = find_rows(layer, walk.times[span], walk.source.phases[span])[0]
        share = place / max(len(layer.clip.rotations) - 1, 1)
        bones = int(np.count_nonzero(layer.shares))
        count = "1 bone" if bones == 1 else f"{bones} bones"
        texts.append(f"{layer.name}  {weight:.0%} on {count}, at {share:.0%}")
    return texts
