# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one problem of body and feet solved by Gauss and Newton's method (numpy only).

Feet meet only through the body: each step's own numbers are eliminated, all steps in one batch, and what
is left is a banded system of the body's knots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.rotations import FloatArray
from .banded import WindowedSystem
from .limits import CLOSING, DAMPING, KNOTS, ROUNDS, WEIGHTS
from .records import MOVES, Problem, Solution
from .rows import Linearised, Rows, find_body_calm, ramp_rows
from .splines import integrate_bumps

# What a pitch that nothing asks for weighs, so that it can be solved for.
_HELD = 1e-9
_MULTIPLIED = ("reach", "room 0", "room 1")
# Leg lengths beyond which a multiplier asks for no more: what is left then cannot be.
_MOST = 0.02
# Share by which a cost has to be less to be chosen, and a cost that is none.
_SURE, _FREE = 0.01, 1e-5

# Multipliers by the name of a row and by whether it is of a foot that stands apart from any flight.
Missing = dict[tuple[str, bool], FloatArray]


def solve_problem(problem: Problem) -> Solution:
    """Find the least change that keeps the rows; always the same for the same problem."""
    whole = Linearised(problem)
    body = np.zeros((problem.knots, len(problem.channels)))
    feet = seed_feet(whole)
    damping = np.full(len(feet), DAMPING.first)
    grams = _measure_ways(whole)
    terms, stayed = _Terms({}), np.full(len(feet), np.inf)
    for done in range(ROUNDS.count):
        of_steps, of_stands = whole.list_steps(body, feet), whole.list_stands(body)
        if done:
            gone = _measure_steps(whole, of_steps, feet, terms)
            factors = np.where(_choose([gone, stayed]) == 0, DAMPING.less, DAMPING.more)
            damping = np.clip(damping * factors, DAMPING.least, DAMPING.most)
        closing = done >= ROUNDS.count - CLOSING.rounds
        terms = replace(terms, share=ramp_rows(done), closing=closing)
        if done >= ROUNDS.count - ROUNDS.updates:
            terms.update(of_steps, False)
            terms.update(of_stands, True)
        groups = [
            _Group(of_steps, problem.steps.first, terms, False),
            _Group(of_stands, problem.stands.first, terms, True),
        ]
        if problem.bellies is not None:
            groups.append(_Group(whole.list_bellies(body), problem.bellies.first, terms, True))
        damped = damping * (CLOSING.feet if closing else 1.0)
        change = _Change(whole, body, feet, whole.calm + damped[:, None, None] * grams)
        change.held = CLOSING.body if closing else DAMPING.body
        for _ in range(ROUNDS.looks):
            change.look(groups)
        windows = whole.find_windows(change.body).reshape(len(feet), change.width)
        stayed = _measure_steps(whole, of_steps, feet, terms, windows)
        body, feet = body + change.body, feet + change.move_feet(change.body)
    return Solution(body, feet)


@dataclass(frozen=True)
class _Terms:
    """How rows count in a round.

    Attributes
    ----------
    missing
        What rows have lacked so far by their names, and by whether they are of stands apart.
    share
        Of their weights that rows have.
    closing
        Whether legs have to reach.
    """

    missing: Missing
    share: float = 1.0
    closing: bool = False

    def read(self, row: Rows, stands: bool) -> FloatArray:
        """Values (G, R), with what a row has lacked so far."""
        return row.values + self.missing.get((row.name, stands), 0.0)

    def weigh(self, row: Rows, values: FloatArray) -> FloatArray:
        """Weights of a row of values (G, R): those that are kept have none."""
        if not row.is_row:
            return row.weights
        share = self.share * (CLOSING.reach if self.closing and row.name == "reach" else 1.0)
        # What is hardly met counts little: else rounding tells whether it counts at all.
        return np.asarray(share * row.weights * np.clip(values / ROUNDS.soft, 0.0, 1.0))

    def update(self, rows: list[Rows], stands: bool) -> None:
        """Add what rows still lack to what they have lacked, in place."""
        for row in rows:
            if row.name in _MULTIPLIED:
                self.missing[row.name, stands] = np.clip(self.read(row, stands), 0.0, _MOST)


def _measure_steps(
    whole: Linearised,
    rows: list[Rows],
    feet: FloatArray,
    terms: _Terms,
    windows: FloatArray | None = None,
) -> FloatArray:
    """Cost of each step, (F,); with a change of the body in its window (F, n), as the slopes tell it."""
    costs = np.einsum("fi,fij,fj->f", feet, whole.calm, feet)
    for row in rows:
        chosen = slice(None) if row.steps is None else row.steps
        values = terms.read(row, False)
        by_body = row.slopes[..., feet.shape[1] :]
        if windows is not None and by_body.shape[-1]:
            values = values + (by_body @ windows[chosen][..., None])[..., 0]
        costs[chosen] += np.sum(terms.weigh(row, values) * values * values, axis=1)
    return costs


def seed_feet(whole: Linearised) -> FloatArray:
    """Numbers of feet (F, n) with the pitch at the strike that people have there, or a flat foot's.

    A foot that strikes on its heel and one that does on its ball are on two sides of a flat one, which
    reaches least far: rounds do not lead from the one to the other.
    """
    steps = whole.problem.steps
    begin, strike, end = (steps.spans[:, at, None] for at in (0, 2, 3))
    place = (strike - begin) / (end - begin) * KNOTS.pitch
    away = np.abs(np.arange(1, KNOTS.pitch) - place)
    shape = np.clip(1.0 - away / KNOTS.seed, 0.0, 1.0) * steps.pitches[:, None]
    feet = np.zeros((len(shape), whole.bumps.count))
    feet[:, whole.bumps.split :] = np.maximum(np.nan_to_num(steps.ends[:, 1:]), 0.0) * shape
    return feet


def _measure_ways(whole: Linearised) -> FloatArray:
    """What changes of feet are as ways and turns, integrals of their squares over cycles, (F, n, n)."""
    spans, period, bumps = whole.problem.steps.spans, whole.problem.period, whole.bumps
    flights, wholes = (spans[:, 2] - spans[:, 1]) / period, (spans[:, 3] - spans[:, 0]) / period
    ways = flights[:, None, None] * integrate_bumps(KNOTS.flight, 0)
    turns = DAMPING.turn * wholes[:, None, None] * integrate_bumps(KNOTS.pitch, 0)
    grams, size = np.zeros((len(spans), bumps.count, bumps.count)), bumps.split // MOVES
    for start in range(0, bumps.split, size):
        grams[:, start : start + size, start : start + size] = ways
    grams[:, bumps.split :, bumps.split :] = turns
    return grams


class _Group:
    """Rows of G steps or stands in a round, by windows of the body's knots that begin at ``first``."""

    def __init__(self, rows: list[Rows], first: np.ndarray, terms: _Terms, stands: bool) -> None:
        self.first, self.terms = first, terms
        self.rows = [(row, terms.read(row, stands)) for row in rows if row.is_row]
        self.size = rows[0].slopes.shape[-1]
        # What always counts is gathered once.
        count = len(first)
        self.always = np.zeros((count, self.size, self.size)), np.zeros((count, self.size))
        for row in rows:
            if not row.is_row:
                self._add(*self.always, row, row.slopes, row.weights, row.values)

    def gather(self, change: FloatArray | None) -> tuple[FloatArray, FloatArray]:
        """Normal matrices (G, n, n) and right sides (G, n) of rows that count after a change (G, n)."""
        matrices, right = (part.copy() for part in self.always)
        for row, values in self.rows:
            slopes, ahead = row.slopes, values
            if change is not None:
                moved = change if row.steps is None else change[row.steps]
                ahead = values + (slopes @ moved[:, : slopes.shape[-1], None])[..., 0]
            weights = self.terms.weigh(row, ahead)
            # Few rows count; as many of each step are taken as of the one that has most.
            most = int(np.count_nonzero(weights, axis=1).max(initial=0))
            if most == 0:
                continue
            if 2 * most < weights.shape[1]:
                taken = np.argsort(weights == 0.0, axis=1, kind="stable")[:, :most]
                weights = np.take_along_axis(weights, taken, axis=1)
                values = np.take_along_axis(values, taken, axis=1)
                slopes = np.take_along_axis(slopes, taken[..., None], axis=1)
            self._add(matrices, right, row, slopes, weights, values)
        return matrices, right

    @staticmethod
    def _add(
        matrices: FloatArray,
        right: FloatArray,
        row: Rows,
        slopes: FloatArray,
        weights: FloatArray,
        values: FloatArray,
    ) -> None:
        """Add weighted squares of values (G, R) to normal equations, in place."""
        chosen = slice(None) if row.steps is None else row.steps
        weighted, count = (slopes * weights[..., None]).swapaxes(-1, -2), slopes.shape[-1]
        matrices[chosen, :count, :count] += weighted @ slopes
        right[chosen, :count] -= (weighted @ values[..., None])[..., 0]


class _Change:
    """Changes of the numbers of body (K, C) and feet (F, n) in one round."""

    def __init__(
        self, whole: Linearised, body: FloatArray, feet: FloatArray, damped: FloatArray
    ) -> None:
        self.whole, self.damped, self.held = whole, damped, DAMPING.body
        self.at = body, feet
        self.width = whole.width * body.shape[1]
        self.body, self.looked = np.zeros_like(body), False
        self.solved = np.zeros(0)

    def look(self, groups: list[_Group]) -> None:
        """Solve for the rows of steps, of stands and of others that count after the change so far."""
        problem, (body, feet), own = self.whole.problem, self.at, self.damped
        count, channels = feet.shape[1], body.shape[1]
        system = WindowedSystem(problem.knots, channels, self.whole.width)
        _hold_body(system, problem, body, self.held)
        for group in groups[1:]:
            system.add(group.first, *group.gather(self._read(group)))
        matrices, right = groups[0].gather(self._read(groups[0], self.body))
        own = matrices[:, :count, :count] + self.damped + _HELD * np.eye(count)
        asked = right[:, :count] - np.einsum("fij,fj->fi", self.whole.calm, feet)
        across = matrices[:, :count, count:]
        self.solved = np.linalg.solve(own, np.concatenate([across, asked[..., None]], axis=-1))
        back = across.swapaxes(-1, -2)
        system.add(
            problem.steps.first,
            matrices[:, count:, count:] - back @ self.solved[..., :-1],
            right[:, count:] - (back @ self.solved[..., -1:])[..., 0],
        )
        self.body = np.clip(system.solve(), -ROUNDS.step, ROUNDS.step)
        self.looked = True

    def _read(self, group: _Group, body: FloatArray | None = None) -> FloatArray | None:
        """The change so far by the numbers of a group's windows, (G, n); None before any."""
        if not self.looked:
            return None
        if body is not None:
            windows = self.whole.find_windows(body).reshape(len(group.first), self.width)
            return np.concatenate([self.move_feet(body), windows], axis=1)
        near = self.body[group.first[:, None] + np.arange(4)]
        return near.reshape(len(near), 4 * self.body.shape[1])

    def move_feet(self, body: FloatArray) -> FloatArray:
        """Changes of the feet (F, n) for a change of the body (K, C), none of them too far."""
        split = self.whole.bumps.split
        windows = self.whole.find_windows(body).reshape(len(self.solved), self.width)
        moved = self.solved[..., -1] - (self.solved[..., :-1] @ windows[..., None])[..., 0]
        for part, most in ((slice(split), ROUNDS.step), (slice(split, None), ROUNDS.turn)):
            largest = np.abs(moved[:, part]).max(axis=1, initial=most, keepdims=True)
            moved[:, part] *= most / largest
        return moved


def _hold_body(system: WindowedSystem, problem: Problem, body: FloatArray, damping: float) -> None:
    """Add what the body's own numbers (K, C) cost, and its change in a round."""
    calm, still = find_body_calm(problem)
    each = np.eye(body.shape[1])
    first = np.arange(problem.knots - 3)
    near = body[first[:, None] + np.arange(4)]
    matrix = np.kron(calm, each)
    system.add(
        first,
        np.broadcast_to(matrix, (len(first), *matrix.shape)),
        -near.reshape(len(first), -1) @ matrix,
    )
    falls = problem.falls
    weighted = (WEIGHTS.fall * falls.cycles)[:, None] * falls.knots
    fallen = np.einsum("nk,nl->nkl", weighted, falls.knots)
    fallen = np.einsum("nkl,cd->nkcld", fallen, each).reshape(len(fallen), *matrix.shape)
    near = body[falls.first[:, None] + np.arange(4)].reshape(len(fallen), len(matrix))
    system.add(falls.first, fallen, -(fallen @ near[..., None])[..., 0])
    held = np.diag(still + damping)
    system.add(
        np.arange(problem.knots), np.broadcast_to(held, (problem.knots, *each.shape)), -still * body
    )


def _choose(costs: list[FloatArray]) -> np.ndarray:
    """Which of some costs (F,) is the least; a later one only where it is less by more than rounding."""
    handicap = 1.0 + _SURE * np.arange(len(costs))
    return (np.stack(costs, axis=1) * handicap + _SURE * handicap * _FREE).argmin(axis=1)
