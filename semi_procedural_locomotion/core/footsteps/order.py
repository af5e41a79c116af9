# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where footsteps that were duplicated come in the order of a run (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths.rotations import FloatArray
from .limits import PATTERNS


def insert_steps(places: FloatArray, legs: Sequence[object], known: int) -> list[int]:
    """Order of a run into which steps are put where they lengthen its way least.

    Parameters
    ----------
    places
        World x, y of all steps, metres, shape (N, 2).
    legs
        Which leg takes each, N of anything that can be compared.
    known
        How many of them, from the first on, are in their order; the others are put in one after the
        other.

    Returns
    -------
    list of int
        Indices of the steps in the order of the run.
    """
    order = list(range(known))
    for new in range(known, len(places)):
        if not order:
            order.append(new)
            continue
        run = places[order]
        lengths = np.hypot(*np.diff(run, axis=0).T)
        usual = float(lengths.mean()) if len(lengths) else 0.0
        apart = np.hypot(*(run - places[new]).T)
        # Before the first, between each two, after the last.
        costs = np.concatenate([apart[:1], apart[:-1] + apart[1:] - lengths, apart[-1:]])
        same = np.array([legs[index] == legs[new] for index in order], dtype=float)
        costs[1:] += PATTERNS.twice * usual * same
        costs[:-1] += PATTERNS.twice * usual * same
        # Of equal costs the last: a run is rather gone on with.
        order.insert(len(costs) - 1 - int(np.argmin(costs[::-1])), new)
    return order
