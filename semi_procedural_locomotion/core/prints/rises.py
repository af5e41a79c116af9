# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Partners share the rises of steep steps (numpy only).

Where one foot stands below a flight of stairs and the other comes down two treads above it, the leg that
rises is folded and the other stretched, while the next steps hardly rise: people shorten or lengthen
the steps before (docs/method/prints.md, Rises).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..maths.rotations import FloatArray
from ..rig.crossing import list_partners
from ..rig.structure import Rig
from .limits import RISES
from .records import PrintRow


class _Pair(NamedTuple):
    """Prints of two partners in the order of time, n of them: leg, number in its row, height."""

    legs: np.ndarray
    numbers: np.ndarray
    heights: FloatArray


def share_rises(
    rig: Rig,
    rows: Sequence[PrintRow],
    grounded: Sequence[PrintRow],
    ground_row: Callable[[int, PrintRow], PrintRow],
) -> list[FloatArray]:
    """Ways ahead of prints for which partners' steps rise more alike.

    Parameters
    ----------
    rig
        The character.
    rows, grounded
        Prints of each leg before and after they were put on the ground.
    ground_row
        Puts some prints of a leg on the ground.

    Returns
    -------
    list of arrays
        Metres, L arrays of shape (K,); zero but for prints next to a step that rises or falls by more
        than `RISES.steep` L.
    """
    ways = [np.zeros(len(row.times)) for row in rows]
    shifts = RISES.shifts * rig.leg_length
    for partners in list_partners(rig):
        pair = _line_up(grounded, partners)
        near = _find_steep(pair.heights / rig.leg_length)
        if not np.any(near):
            continue
        heights = np.repeat(pair.heights[:, None], len(shifts), axis=1)
        costs = np.full(heights.shape, np.inf)
        costs[:, np.argmin(np.abs(shifts))] = 0.0
        for leg in partners:
            chosen = np.flatnonzero(near & (pair.legs == leg))
            if len(chosen) == 0:
                continue
            own = rows[leg].select(pair.numbers[chosen])
            several = own.select(np.repeat(np.arange(len(chosen)), len(shifts)))
            tried = ground_row(leg, several.move_along(np.tile(shifts, len(chosen))))
            shape = (len(chosen), len(shifts))
            away = tried.positions[:, :2].reshape(*shape, 2) - own.positions[:, None, :2]
            moves = np.hypot(away[..., 0], away[..., 1]) / rig.leg_length
            missing = 1.0 - tried.supports.reshape(shape)
            heights[chosen] = tried.positions[:, 2].reshape(shape)
            costs[chosen] = (moves / RISES.move) ** 2 + RISES.support * missing
            costs[chosen] += np.where(tried.found.reshape(shape), 0.0, np.inf)
        best = _choose(heights / rig.leg_length, costs)
        for leg in partners:
            mine = pair.legs == leg
            ways[leg][pair.numbers[mine]] = shifts[best[mine]]
    return ways


def _line_up(grounded: Sequence[PrintRow], partners: tuple[int, int]) -> _Pair:
    """Prints of two partners that are not parked and have ground, in the order of time."""
    owns = [np.flatnonzero(~grounded[leg].parked & grounded[leg].found) for leg in partners]
    legs = np.repeat(partners, [len(own) for own in owns])
    pairs = list(zip(partners, owns, strict=True))
    times = np.concatenate([grounded[leg].times[own] for leg, own in pairs])
    heights = np.concatenate([grounded[leg].positions[own, 2] for leg, own in pairs])
    order = np.argsort(times, kind="stable")
    return _Pair(legs[order], np.concatenate(owns)[order], heights[order])


def _find_steep(heights: FloatArray) -> np.ndarray:
    """Which prints of heights (n,) are near a step that rises or falls by much, (n,) of bool."""
    steep = np.flatnonzero(np.abs(np.diff(heights)) > RISES.steep)
    places = (steep[:, None] + np.arange(1 - RISES.spread, RISES.spread + 1)).ravel()
    near = np.zeros(len(heights), dtype=bool)
    near[places[(places >= 0) & (places < len(near))]] = True
    return near


def _choose(heights: FloatArray, costs: FloatArray) -> np.ndarray:
    """Which shift each print takes, (n,), for heights and costs (n, S), shares of the leg.

    Every other print is chosen for what its neighbours have, in turn: each choice makes the sum of all
    costs less.
    """
    count = len(heights)
    best, rows = np.argmin(costs, axis=1), np.arange(count)
    for turn in range(RISES.turns):
        chosen = rows[turn % 2 :: 2]
        total = costs[chosen].copy()
        for away in (-1, 1):
            beside = chosen + away
            known = (beside >= 0) & (beside < count)
            beside = beside.clip(0, count - 1)
            rise = np.abs(heights[chosen] - heights[beside, best[beside]][:, None])
            excess = np.maximum(rise - RISES.free, 0.0)
            total += np.where(known[:, None], (excess / RISES.rise) ** 2, 0.0)
        best[chosen] = np.argmin(total, axis=1)
    return best
