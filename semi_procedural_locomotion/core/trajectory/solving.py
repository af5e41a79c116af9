# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one problem of body and feet solved by Gauss and Newton's method (numpy only).

Feet meet only through the body: each step's own numbers are eliminated, all steps in one batch, and what
is left is a banded system of the body's knots.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .banded import WindowedSystem
from .limits import ROUNDS
from .records import Problem, Solution
from .rows import Linearised, Rows, find_body_calm, ramp_rows

# What a pitch that nothing asks for weighs, so that it can be solved for.
_HELD = 1e-9
_MULTIPLIED = ("reach", "room 0", "room 1")
# Leg lengths beyond which a multiplier asks for no more: what is left then cannot be.
_MOST = 0.02


# Share by which a cost has to be less to be chosen, and a cost that is none.
_SURE, _FREE = 0.01, 1e-5


def solve_problem(problem: Problem) -> Solution:
    """Find the least change that keeps the rows; always the same for the same problem."""
    whole = Linearised(problem)
    channels = len(problem.channels)
    body = np.zeros((problem.knots, channels))
    feet = np.zeros((len(problem.steps.legs), whole.bumps.count))
    missing: dict[tuple[str, bool], FloatArray] = {}
    cost = 0.0
    for done in range(ROUNDS.count):
        share = ramp_rows(done)
        of_steps, of_stands = whole.list_steps(body, feet), whole.list_stands(body)
        if done >= ROUNDS.count - ROUNDS.updates:
            _update(missing, of_steps, False)
            _update(missing, of_stands, True)
        steps = _gather(of_steps, missing, False, share, len(feet))
        stands = _gather(of_stands, missing, True, share, len(problem.stands.first))
        parts = [(problem.stands.first, stands)]
        if problem.bellies is not None:
            first = problem.bellies.first
            of_bellies = whole.list_bellies(body)
            parts.append((first, _gather(of_bellies, {}, True, share, len(first))))
        cost = steps[2] + sum(part[2] for _, part in parts)
        change, moved = _step(whole, body, feet, steps[:2], parts)
        state = _State(whole, missing, share)
        body = body + state.go_with_body(body, change, feet, feet + moved)
        feet = feet + state.go_with_feet(body, feet, moved)
    return Solution(body, feet, cost)


def _update(missing: dict[tuple[str, bool], FloatArray], rows: list[Rows], stands: bool) -> None:
    """Add what rows still lack to their multipliers, in place."""
    for row in rows:
        if row.name in _MULTIPLIED:
            before = missing.get((row.name, stands), np.zeros_like(row.values))
            missing[row.name, stands] = np.clip(row.values + before, 0.0, _MOST)


def _gather(
    rows: list[Rows],
    missing: dict[tuple[str, bool], FloatArray],
    stands: bool,
    share: float,
    count: int,
) -> tuple[FloatArray, FloatArray, float]:
    """Normal matrices (G, n, n), right sides (G, n) and the cost of rows of G steps or stands."""
    size = rows[0].slopes.shape[-1]
    matrices, right, cost = np.zeros((count, size, size)), np.zeros((count, size)), 0.0
    for row in rows:
        values, weights = row.values, row.weights
        if row.is_row:
            values = values + missing.get((row.name, stands), 0.0)
            # What is hardly met counts little: else rounding tells whether it counts at all.
            weights = share * weights * np.clip(values / ROUNDS.soft, 0.0, 1.0)
        weighted = row.slopes * weights[..., None]
        chosen = slice(None) if row.steps is None else row.steps
        matrices[chosen] += weighted.swapaxes(-1, -2) @ row.slopes
        right[chosen] -= np.einsum("grn,gr->gn", weighted, values)
        cost += float(np.sum(weights * values * values))
    return matrices, right, cost


def _choose(costs: list[FloatArray]) -> np.ndarray:
    """Which of some costs (F,) is the least; a later one only where it is less by more than rounding."""
    handicap = 1.0 + _SURE * np.arange(len(costs))
    return (np.stack(costs, axis=1) * handicap + _SURE * handicap * _FREE).argmin(axis=1)


@dataclass(frozen=True)
class _State:
    """What a round costs, by which it is told how far to go.

    Each part goes as far of its change as costs the steps around it least: what is far away has no say.
    """

    whole: Linearised
    missing: dict[tuple[str, bool], FloatArray]
    share: float

    def go_with_body(
        self, body: FloatArray, change: FloatArray, still: FloatArray, feet: FloatArray
    ) -> FloatArray:
        """How far the body's numbers (K, C) go of their change, with feet that go from still on.

        Rows of steps may hold it back; what it costs to keep others, as of the belly, does not.
        """
        shares = np.array(ROUNDS.tried)
        before = self.measure(body, still, True) * (1.0 + _SURE) + _SURE * _FREE
        costs = [self.measure(body + part * change, feet, True) for part in shares]
        rises = np.stack([cost > before for cost in costs], axis=1)
        # The largest share at which nothing gets worse, and the least where all are.
        best = shares[np.where(rises.all(axis=1), len(shares) - 1, rises.argmin(axis=1))]
        whole = np.ones(len(body))
        windows = self.whole.problem.steps.first[:, None] + np.arange(self.whole.width)
        np.minimum.at(whole, windows, best[:, None])
        return np.clip(whole[:, None] * change, -ROUNDS.step, ROUNDS.step)

    def go_with_feet(self, body: FloatArray, feet: FloatArray, change: FloatArray) -> FloatArray:
        """How far the feet's numbers (F, n) go of their change, with the body as it is by now."""
        shares = np.array(ROUNDS.tried)
        costs = [self.measure(body, feet + part * change) for part in shares]
        return shares[_choose(costs)][:, None] * change

    def measure(self, body: FloatArray, feet: FloatArray, only_rows: bool = False) -> FloatArray:
        """What each step costs, (F,), or what its rows alone do."""
        calm = np.einsum("fi,fij,fj->f", feet, self.whole.calm, feet)
        costs = np.zeros_like(calm) if only_rows else calm
        for row in self.whole.list_steps(body, feet, False):
            values, weights = row.values, row.weights
            if row.is_row:
                values = values + self.missing.get((row.name, False), 0.0)
                weights = self.share * weights * np.clip(values / ROUNDS.soft, 0.0, 1.0)
            elif only_rows:
                continue
            own = np.sum(weights * values * values, axis=1)
            costs[slice(None) if row.steps is None else row.steps] += own
        return costs


def _step(
    whole: Linearised,
    body: FloatArray,
    feet: FloatArray,
    steps: tuple[FloatArray, FloatArray],
    parts: list[tuple[np.ndarray, tuple[FloatArray, FloatArray, float]]],
) -> tuple[FloatArray, FloatArray]:
    """Changes of the numbers of body (K, C) and feet (F, n) in one round."""
    problem, count, split = whole.problem, whole.bumps.count, whole.bumps.split
    channels = body.shape[1]
    system = WindowedSystem(problem.knots, channels, whole.width)
    calm, still = find_body_calm(problem)
    each = np.eye(channels)
    first = np.arange(problem.knots - 3)
    near = body[first[:, None] + np.arange(4)]
    matrix = np.kron(calm, each)
    system.add(
        first,
        np.broadcast_to(matrix, (len(first), *matrix.shape)),
        -near.reshape(len(first), -1) @ matrix,
    )
    knots = np.arange(problem.knots)
    system.add(knots, np.broadcast_to(np.diag(still), (len(knots), *each.shape)), -still * body)
    for starts, gathered in parts:
        system.add(starts, *gathered[:2])
    matrices, right = steps
    own = matrices[:, :count, :count] + whole.calm
    spare = np.arange(count)
    own[:, spare, spare] += _HELD
    asked = right[:, :count] - np.einsum("fij,fj->fi", whole.calm, feet)
    across = matrices[:, :count, count:]
    solved = np.linalg.solve(own, np.concatenate([across, asked[..., None]], axis=-1))
    back = across.swapaxes(-1, -2)
    system.add(
        problem.steps.first,
        matrices[:, count:, count:] - back @ solved[..., :-1],
        right[:, count:] - (back @ solved[..., -1:])[..., 0],
    )
    change = system.solve()
    windows = whole.find_windows(change).reshape(len(feet), -1)
    moved = solved[..., -1] - np.einsum("fij,fj->fi", solved[..., :-1], windows)
    for part, most in ((slice(split), ROUNDS.step), (slice(split, None), ROUNDS.turn)):
        largest = np.abs(moved[:, part]).max(axis=1, initial=most, keepdims=True)
        moved[:, part] *= most / largest
    return change, moved
