# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps until the end is there, nothing gets better, or there were enough of them (numpy only)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..limits import SOLVING
from .chains import Chain, JointRanges, pose_chain
from .steps import METHODS, Task

# What goes on where another method is stuck.
_RESCUE = "ccd"


class Ending(IntEnum):
    """Why a row was left."""

    REACHED = 0
    STUCK = 1
    OUT_OF_STEPS = 2


class SolvedChain(NamedTuple):
    """The best that was found for each row.

    Attributes
    ----------
    coordinates
        Of the joints, within their limits, shape (N, K, 6).
    rotations, positions
        World axes of the bones (N, K, 4), their heads and the end, metres (N, K + 1, 3).
    missed
        Distance of the end from its target, metres, shape (N,).
    iterations
        Steps that were made, shape (N,).
    endings
        An `Ending` for each row, shape (N,).
    """

    coordinates: FloatArray
    rotations: FloatArray
    positions: FloatArray
    missed: FloatArray
    iterations: NDArray[np.intp]
    endings: NDArray[np.intp]


def solve_limited(
    chain: Chain,
    limits: JointRanges,
    start: FloatArray,
    targets: FloatArray,
    method: str = "damped",
    most: int = SOLVING.most_steps,
) -> SolvedChain:
    """Joints that bring the end of a chain to its target, within their limits.

    Parameters
    ----------
    chain
        The chain at N times.
    limits
        What its K joints may do; locked coordinates stay as they are at the start.
    start
        Coordinates of the pose to begin with, shape (N, K, 6).
    targets
        Where the end shall be, world, metres, shape (N, 3).
    method
        One of `METHODS`.
    most
        Steps at the most.

    Returns
    -------
    SolvedChain
        Each row by itself: none depends on those beside it.
    """
    step = METHODS[method]
    held = np.where(limits.free, limits.clamp(start), start)
    best = held.copy()
    lengths = chain.lengths
    missed = _measure(chain, best, targets)
    shares = np.ones(len(best))
    idle = np.zeros(len(best), dtype=np.intp)
    iterations = np.zeros(len(best), dtype=np.intp)
    endings = np.full(len(best), int(Ending.OUT_OF_STEPS), dtype=np.intp)
    near = SOLVING.reached * lengths
    endings[missed <= near] = int(Ending.REACHED)
    rows = np.flatnonzero(missed > near)
    for _ in range(most):
        if not len(rows):
            break
        part = chain.select(rows)
        # A row that got no better tries a shorter way from where it was best.
        pose = pose_chain(part, best[rows])
        task = Task(part, limits.select(rows), best[rows], pose, targets[rows], shares[rows])
        found = step(task)
        away = _measure(part, found, targets[rows])
        iterations[rows] += 1
        gained = missed[rows] - away
        better = gained > 0
        best[rows[better]] = found[better]
        missed[rows[better]] = away[better]
        grown = np.minimum(shares[rows] * SOLVING.growing, 1.0)
        shares[rows] = np.where(better, grown, shares[rows] * SOLVING.shrinking)
        idles = gained <= SOLVING.no_gain * lengths[rows]
        idle[rows] = np.where(idles, idle[rows] + 1, 0)
        is_near = missed[rows] <= near[rows]
        is_stuck = ~is_near & (idle[rows] >= SOLVING.patience)
        endings[rows[is_near]] = int(Ending.REACHED)
        endings[rows[is_stuck]] = int(Ending.STUCK)
        rows = rows[~is_near & ~is_stuck]
    stuck = np.flatnonzero(endings == Ending.STUCK)
    if method != _RESCUE and len(stuck):
        # Where the change of all joints together leads no further, one after the other may.
        again = solve_limited(
            chain.select(stuck), limits.select(stuck), best[stuck], targets[stuck], _RESCUE, most
        )
        best[stuck], missed[stuck] = again.coordinates, again.missed
        iterations[stuck] += again.iterations
        endings[stuck] = again.endings
    pose = pose_chain(chain, best)
    return SolvedChain(best, pose.rotations, pose.positions, missed, iterations, endings)


def _measure(chain: Chain, coordinates: FloatArray, targets: FloatArray) -> FloatArray:
    """Distance of the end from its target, metres, shape (N,)."""
    return np.asarray(rot.lengths(targets - pose_chain(chain, coordinates).positions[:, -1]))
