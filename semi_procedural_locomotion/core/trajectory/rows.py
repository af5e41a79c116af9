# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Costs and rows of the one problem at a state, with how they move with each number (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .knees import bend_knees
from .limits import BOUNDS, KNOTS, ROUNDS, WEIGHTS
from .placing import HEIGHT, FootBumps, list_samples, place_feet, place_hips
from .records import MOVES, Problem, Reaches
from .rockers import pitch_points
from .splines import integrate_bumps, read_spline

# Share of a flight at whose end a foot comes down.
_STRIKING = 4


@dataclass(frozen=True)
class Rows:
    """Costs, or rows that must not be positive, of one kind.

    Attributes
    ----------
    name
        Of the kind.
    values
        Shape (G, R).
    slopes
        By the numbers of the foot, then by those of the body in the window, shape (G, R, n); by the
        foot's alone where the body moves nothing.
    weights
        Shape (G, R).
    is_row
        Whether only positive values count; then the whole weight comes with the rounds.
    steps
        Which steps the first axis counts; None for all.
    """

    name: str
    values: FloatArray
    slopes: FloatArray
    weights: FloatArray
    is_row: bool = False
    steps: np.ndarray | None = None


class Linearised:
    """All costs and rows of a problem, to be looked at in many states.

    Parameters
    ----------
    problem
        The problem.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.bumps = FootBumps(problem.steps)
        self.width = problem.steps.knots.shape[2]
        self.calm = self._find_calm()
        self.seconds = find_second_differences(problem.steps.times, problem.steps.bounds.lag)
        self.knees, self.snaps = self._bound_knees()

    def _find_calm(self) -> FloatArray:
        """Cost of the feet's own numbers, as matrices, shape (F, n, n)."""
        steps, period = self.problem.steps, self.problem.period
        count, split = self.bumps.count, self.bumps.split
        flights = (steps.spans[:, 2] - steps.spans[:, 1]) / period
        wholes = (steps.spans[:, 3] - steps.spans[:, 0]) / period
        moves = integrate_bumps(KNOTS.flight, 3)
        turns = [integrate_bumps(KNOTS.pitch, order) for order in (0, 2)]
        way = WEIGHTS.foot_calm * flights[:, None, None] ** -5 * moves
        pitch = WEIGHTS.pitch_still * wholes[:, None, None] * turns[0]
        pitch = pitch + WEIGHTS.pitch_calm * wholes[:, None, None] ** -3 * turns[1]
        calm, size = np.zeros((len(flights), count, count)), split // MOVES
        for start in range(0, split, size):
            calm[:, start : start + size, start : start + size] = way
        calm[:, split:, split:] = pitch
        return calm

    def _bound_knees(self) -> tuple[FloatArray, FloatArray]:
        """How fast knees may turn, (F, S - 1), and how much that may change, (F, S).

        Layers may ask for more than people do.
        """
        steps = self.problem.steps
        bends, _ = bend_knees(steps.reaches.own, steps.bones[:, :1], steps.bones[:, 1:])
        own = np.abs(np.diff(bends, axis=1) / np.diff(steps.times, axis=1))
        snaps = np.abs((self.seconds @ bends[..., None])[..., 0])
        return np.maximum(steps.bounds.knee, own), np.maximum(steps.bounds.snap, snaps)

    def spread_body(self, values: FloatArray) -> FloatArray:
        """Numbers of used channels (..., C) among all three, (..., 3)."""
        spread = np.zeros((*values.shape[:-1], len(self.problem.arms)))
        spread[..., self.problem.channels] = values
        return spread

    def find_windows(self, body: FloatArray) -> FloatArray:
        """Numbers of the body (K, C) in the window of each step, (F, W, C)."""
        return body[self.problem.steps.first[:, None] + np.arange(self.width)]

    def list_steps(
        self, body: FloatArray, feet: FloatArray, with_slopes: bool = True
    ) -> list[Rows]:
        """All costs and rows of the steps for the numbers of body (K, C) and feet (F, n).

        Slopes take the most time; without them those of the rows are empty.
        """
        problem, steps = self.problem, self.problem.steps
        ways, pitches = self.bumps.read(feet)
        ankles, moving = place_feet(steps, ways, pitches)
        values = np.einsum("fsk,fkc->fsc", steps.knots, self.find_windows(body))
        hips, carrying = place_hips(steps.hips, self.spread_body(values), problem.arms)
        distances, by_foot, by_body = _measure_legs(hips, ankles, moving, carrying)
        slopes = np.empty((*distances.shape, 0))
        if with_slopes:
            window = steps.knots[..., None] * by_body[..., problem.channels][:, :, None]
            own = self._expand(by_foot, slice(None), slice(None), with_slopes)
            width = self.width * len(problem.channels)
            slopes = np.concatenate([own, window.reshape(*distances.shape, width)], axis=-1)
        rows = _compare_legs(steps.reaches, distances, slopes)
        rows += self._compare_knees(distances, slopes)
        rows += self._compare_paces(ankles, moving, ways, with_slopes)
        rows.append(self._compare_pitches(pitches, with_slopes))
        rows.append(self._compare_ends(feet, with_slopes))
        for number in range(len(problem.rooms)):
            rows.append(self._find_rooms(number, ankles, moving, pitches, with_slopes))
        return rows

    def _compare_knees(self, distances: FloatArray, slopes: FloatArray) -> list[Rows]:
        """Pace of the knees, and how it changes."""
        steps, period = self.problem.steps, self.problem.period
        bends, bending = bend_knees(distances, steps.bones[:, :1], steps.bones[:, 1:])
        turns = bending[..., None] * slopes
        apart = np.diff(steps.times, axis=1)
        shown = steps.reaches.cycles[:, 1:] > 0.0
        rates, by_rates = np.diff(bends, axis=1) / apart, np.diff(turns, axis=1) / apart[..., None]
        fast = (np.abs(rates) - self.knees) * period
        by_fast = np.sign(rates)[..., None] * by_rates * period
        snaps = (self.seconds @ bends[..., None])[..., 0]
        by_snaps = np.sign(snaps)[..., None] * (self.seconds @ turns)
        return [
            Rows("knee", fast, by_fast, WEIGHTS.knee * apart * shown / period, is_row=True),
            Rows(
                "snap",
                np.abs(snaps) - self.snaps,
                by_snaps,
                WEIGHTS.snap * steps.reaches.cycles,
                is_row=True,
            ),
        ]

    def _expand(
        self, slopes: FloatArray, rows: np.ndarray | slice, part: slice, wanted: bool
    ) -> FloatArray:
        """See `FootBumps.expand`; empty where it is not wanted."""
        if wanted:
            return self.bumps.expand(slopes, rows, part)
        return np.empty((*slopes.shape[:-1], 0))

    def _compare_paces(
        self, ankles: FloatArray, moving: FloatArray, ways: FloatArray, with_slopes: bool
    ) -> list[Rows]:
        """How fast ankles go up and down, and feet come down as they strike."""
        steps, period = self.problem.steps, self.problem.period
        apart = np.diff(steps.times, axis=1)
        rises = np.diff(ankles[..., 2] - steps.carried, axis=1) / apart
        lifting = self._expand(moving[..., 2], slice(None), slice(None), with_slopes)
        by_rises = np.diff(lifting, axis=1) / apart[..., None]
        weights = WEIGHTS.rise * apart * (steps.reaches.cycles[:, 1:] > 0.0) / period
        rows = [
            Rows(
                "rise",
                (np.abs(rises) - steps.bounds.rise) * period,
                np.sign(rises)[..., None] * by_rises * period,
                weights,
                is_row=True,
            )
        ]
        last = list_samples()[2].stop
        part = slice(last - _STRIKING - 1, last)
        low = steps.heights[:, part] - steps.carried[:, part] + ways[:, part, 1]
        falls = -np.diff(low, axis=1) / apart[:, part][:, :-1]
        up = np.zeros((*low.shape, MOVES + 1))
        up[..., 1] = 1.0
        by_falls = -np.diff(self._expand(up, slice(None), part, with_slopes), axis=1)
        by_falls = by_falls / apart[:, part][:, :-1, None]
        rows.append(
            Rows(
                "strike",
                (falls - steps.bounds.strike) * period,
                by_falls * period,
                weights[:, part][:, :-1],
                is_row=True,
            )
        )
        return rows

    def _compare_pitches(self, pitches: FloatArray, with_slopes: bool) -> Rows:
        """How far feet are turned."""
        by_pitch = np.zeros((*pitches.shape, MOVES + 1))
        by_pitch[..., MOVES] = np.sign(pitches)
        slopes = self._expand(by_pitch, slice(None), slice(None), with_slopes)
        weights = WEIGHTS.turn * self.problem.steps.reaches.cycles
        return Rows("turn", np.abs(pitches) - BOUNDS.turn, slopes, weights, is_row=True)

    def _compare_ends(self, feet: FloatArray, with_slopes: bool) -> Rows:
        """Pitches with which feet leave the ground and meet it."""
        wanted, split = self.problem.steps.ends, self.bumps.split
        is_wanted = np.isfinite(wanted)
        found = np.einsum("fek,fk->fe", self.bumps.ends, feet[:, split:])
        values = np.where(is_wanted, found - np.where(is_wanted, wanted, 0.0), 0.0)
        slopes = np.zeros((*wanted.shape, feet.shape[1] if with_slopes else 0))
        if with_slopes:
            slopes[..., split:] = self.bumps.ends
        return Rows("ends", values, slopes, np.where(is_wanted, WEIGHTS.ends, 0.0))

    def _find_rooms(
        self,
        number: int,
        ankles: FloatArray,
        moving: FloatArray,
        pitches: FloatArray,
        with_slopes: bool,
    ) -> Rows:
        """How far points of feet are in the room that they keep over the ground."""
        rooms, steps = self.problem.rooms[number], self.problem.steps
        chosen, part = rooms.steps, rooms.instants
        fronts, ups = steps.fronts[chosen, part], steps.ups[chosen, part]
        lefts = rot.cross(ups, fronts)
        turned, turning = pitch_points(rooms.points[..., [0, 2]], pitches[chosen, part])
        front, up = fronts[:, :, None], ups[:, :, None]
        away = turned[..., :1] * front + turned[..., 1:] * up
        away = away + rooms.points[..., 1, None] * lefts[:, :, None]
        from_origin = (ankles[chosen, part] - rooms.origins)[:, :, None] + away
        if rooms.slices is None:
            normals = np.broadcast_to(up, from_origin.shape)
            distances = rot.dot(from_origin, up)
        else:
            along = steps.along[chosen][:, None, None]
            spots = np.stack([rot.dot(from_origin, along), from_origin[..., 2]], axis=-1)
            distances, out = rooms.slices.read(spots)
            normals = out[..., :1] * along + out[..., 1:] * rot.UP if with_slopes else out
        slopes = np.empty((*distances.shape, 0))
        if with_slopes:
            by_ankle = np.einsum("bihc,bidc->bihd", normals, moving[chosen, part])
            rolling = turning[..., :1] * front + turning[..., 1:] * up
            by_ankle[..., MOVES] += rot.dot(normals, rolling)
            slopes = -self._expand(by_ankle, chosen, part, True)
        cycles = steps.reaches.cycles[chosen, part][..., None]
        weights = np.broadcast_to(WEIGHTS.room * cycles, distances.shape)
        shape = len(chosen), distances[0].size
        return Rows(
            f"room {number}",
            (rooms.rooms - distances).reshape(shape),
            slopes.reshape(*shape, slopes.shape[-1]),
            weights.reshape(shape),
            is_row=True,
            steps=chosen,
        )

    def list_stands(self, body: FloatArray) -> list[Rows]:
        """Costs and rows of feet that stand apart from any flight, by four knots of the body."""
        problem, stands = self.problem, self.problem.stands
        near = body[stands.first[:, None] + np.arange(4)]
        values = np.einsum("nk,nkc->nc", stands.knots, near)
        hips, carrying = place_hips(stands.hips, self.spread_body(values), problem.arms)
        still = np.zeros((*hips.shape[:-1], 0, 3))
        distances, _, by_body = _measure_legs(hips, stands.ankles, still, carrying)
        by_body = by_body[..., problem.channels]
        slopes = (stands.knots[..., None] * by_body[:, None]).reshape(
            len(by_body), 4 * len(problem.channels)
        )
        reaches = Reaches(
            *(getattr(stands.reaches, name)[:, None] for name in Reaches.__dataclass_fields__)
        )
        return _compare_legs(reaches, distances[:, None], slopes[:, None])

    def list_bellies(self, body: FloatArray) -> list[Rows]:
        """How far points of the underside are too low, by four knots of the body."""
        bellies, channels = self.problem.bellies, self.problem.channels
        if bellies is None:
            return []
        near = body[bellies.first[:, None] + np.arange(4)]
        slopes = bellies.slopes[:, channels]
        risen = np.einsum("nk,nkc,nc->n", bellies.knots, near, slopes)
        by_knots = (bellies.knots[..., None] * slopes[:, None]).reshape(
            len(risen), 4 * len(channels)
        )
        weights = WEIGHTS.belly * bellies.cycles
        values = -bellies.rooms - risen
        return [Rows("belly", values[:, None], -by_knots[:, None], weights[:, None], is_row=True)]


def _measure_legs(
    hips: FloatArray, ankles: FloatArray, moving: FloatArray, carrying: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Distances from hips to ankles (...), and their derivatives by what moves both, (..., m)."""
    away = ankles - hips
    distances = rot.lengths(away)
    pull = away / np.maximum(distances, 1e-9)[..., None]
    by_foot = np.einsum("...mc,...c->...m", moving, pull)
    by_body = -np.einsum("...mc,...c->...m", carrying, pull)
    return distances, by_foot, by_body


def _compare_legs(reaches: Reaches, distances: FloatArray, slopes: FloatArray) -> list[Rows]:
    """Costs and rows of legs that are so far apart from hip to ankle."""
    cycles = reaches.cycles
    own = WEIGHTS.own * reaches.bears * cycles
    return [
        Rows("own", distances - reaches.own, slopes, own),
        Rows("reach", distances - reaches.ceilings, slopes, WEIGHTS.reach * cycles, is_row=True),
        Rows("fold", reaches.floors - distances, -slopes, WEIGHTS.fold * cycles, is_row=True),
    ]


def find_body_calm(problem: Problem) -> tuple[FloatArray, FloatArray]:
    """Cost of the body's own numbers: of four knots in a row, (4, 4), and of each channel, (C,)."""
    spacing = 1.0 / KNOTS.body
    _, thirds = read_spline(np.array(0.5), 3)
    calm = WEIGHTS.body_calm * spacing**-5 * np.outer(thirds, thirds)
    still = WEIGHTS.tilt * (problem.channels != HEIGHT)
    return calm, still * spacing


def find_second_differences(times: FloatArray, lag: float) -> FloatArray:
    """Matrices that read second differences at instants from values there.

    Parameters
    ----------
    times
        Seconds, rising, shape (F, S).
    lag
        Seconds between the three values of a difference.

    Returns
    -------
    array, shape (F, S, S)
        Rows of instants that have none within these times are 0.
    """
    steps, count = np.arange(len(times))[:, None], times.shape[1]
    found = np.zeros((len(times), count, count))
    each = np.arange(count)
    inside = (times - lag >= times[:, :1]) & (times + lag <= times[:, -1:])
    for shift in (-lag, lag):
        wanted = times + shift
        after = np.sum(times[:, None] <= wanted[..., None], axis=2)
        before = np.clip(after - 1, 0, count - 2)
        first = times[steps, before]
        share = np.clip((wanted - first) / (times[steps, before + 1] - first), 0.0, 1.0)
        found[steps, each, before] += 1.0 - share
        found[steps, each, before + 1] += share
    found[:, each, each] -= 2.0
    return np.asarray(found * inside[..., None])


def ramp_rows(done: int) -> float:
    """Share of their weights that rows have in a round."""
    return float(min(ROUNDS.first * 3.0**done, 1.0))
