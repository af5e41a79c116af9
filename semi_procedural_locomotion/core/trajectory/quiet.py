# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which steps need no change, and are left out of the problem (numpy only).

On level ground at its own speed a motion keeps its rows: nothing is solved there.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .limits import KNOTS, ROUNDS
from .records import Bellies, Problem
from .rows import Linearised, Rows

# Weight of a row at an instant outside of the walk.
_NOTHING = 1e-6


def leave_out_quiet(problem: Problem) -> Problem | None:
    """The problem of the steps that miss a row as they are, and of those around them; None for none.

    Parameters
    ----------
    problem
        Of all steps.
    """
    whole = Linearised(problem)
    body = np.zeros((problem.knots, len(problem.channels)))
    feet = np.zeros((len(problem.steps.legs), whole.bumps.count))
    width = whole.width
    busy = np.zeros(problem.knots + width + 1)
    groups = [
        (whole.list_steps(body, feet, False), problem.steps.first, width),
        (whole.list_stands(body), problem.stands.first, 4),
    ]
    if problem.bellies is not None:
        groups.append((whole.list_bellies(body), problem.bellies.first, 4))
    for rows, first, size in groups:
        missed = _find_missed(rows, problem)
        np.add.at(busy, first[missed], 1.0)
        np.add.at(busy, first[missed] + size, -1.0)
    knots = np.cumsum(busy) > 0.5
    if not knots.any():
        return None
    around = round(ROUNDS.around * KNOTS.body)
    wide = np.convolve(knots, np.ones(2 * around + 1), mode="same") > 0.5
    steps, stands = (np.flatnonzero(_touch(wide, first, size)) for _, first, size in groups[:2])
    bellies = problem.bellies
    if bellies is not None:
        near = np.flatnonzero(_touch(wide, bellies.first, 4))
        bellies = bellies.select(near) if len(near) else None
    return _choose(problem, steps, stands, bellies)


def _find_missed(rows: list[Rows], problem: Problem) -> np.ndarray:
    """Which of some steps or stands miss a row, (G,)."""
    bounds, period = problem.steps.bounds, problem.period
    paces = {
        "knee": bounds.knee * period,
        "snap": bounds.snap,
        "rise": bounds.rise * period,
        "strike": bounds.strike * period,
    }
    missed = np.zeros(len(rows[0].values), dtype=bool)
    for row in rows:
        if row.is_row or row.name == "ends":
            chosen = slice(None) if row.steps is None else row.steps
            unseen = ROUNDS.unseen_pace * paces.get(row.name, np.zeros(1)) + ROUNDS.unseen
            values = row.values if row.is_row else np.abs(row.values)
            missed[chosen] |= ((values > unseen) & (row.weights > _NOTHING)).any(axis=1)
    return missed


def _touch(knots: np.ndarray, first: np.ndarray, size: int) -> np.ndarray:
    """Whether windows of so many knots from the first on have one of these knots, (G,)."""
    sums = np.concatenate([[0], np.cumsum(knots)])
    last = np.minimum(first + size, len(knots))
    return np.asarray(sums[last] > sums[first])


def _choose(
    problem: Problem, steps: np.ndarray, stands: np.ndarray, bellies: Bellies | None
) -> Problem:
    """The problem of some of its steps and stands."""
    places = np.full(len(problem.steps.legs), -1)
    places[steps] = np.arange(len(steps))
    rooms = []
    for room in problem.rooms:
        kept = np.flatnonzero(places[room.steps] >= 0)
        if len(kept):
            taken = room.select(kept)
            rooms.append(replace(taken, steps=places[taken.steps]))
    return replace(
        problem,
        steps=problem.steps.select(steps),
        stands=problem.stands.select(stands),
        rooms=tuple(rooms),
        bellies=bellies,
    )
