# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of footsteps: how a walk sets its feet, laying out, editing, ordering (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import TravelError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.records import Motion
from ..rig.structure import Rig
from .limits import PATTERNS


@dataclass(frozen=True)
class StepGait:
    """Record of how a walk sets its feet, seen from above; the walk goes along the x axis.

    Attributes
    ----------
    order
        Legs in the order of their stances in a cycle, L of them; the first follows the longest pause.
    phases
        Stance of each leg in the cycle, 0 to 1, shape (L,).
    middles
        Middle of each sole at its stance, from the body's place, metres, shape (L, 2).
    turns
        Direction of each foot at its stance, radians, shape (L,).
    stride
        Distance of a cycle, metres.
    facing
        Direction of the walk in character space, radians from +X.
    contacts
        Lift, off, strike and land of each leg after its stance, cycles, shape (L, 4).
    settle
        How much farther along the walk a body that stands is than one that walks, over the same
        prints, metres.
    """

    order: tuple[int, ...]
    phases: FloatArray
    middles: FloatArray
    turns: FloatArray
    stride: float
    facing: float
    contacts: FloatArray
    settle: float = 0.0

    def follow(self, leg: int) -> int:
        """The leg that steps after another."""
        return self.order[(self.order.index(leg) + 1) % len(self.order)]

    def advance(self, before: int, after: int) -> float:
        """Share of a cycle from the stance of one leg to the next stance of another, above 0."""
        share = float(self.phases[after] - self.phases[before]) % 1.0
        return share if before != after and share > 1e-9 else float(before == after)

    def place_step(self, leg: int, place: FloatArray, direction: float) -> tuple[FloatArray, float]:
        """Middle of the sole (2,) and its heading, for a body at a place (2,) that goes somewhere."""
        return place + rot.turn_flat(self.middles[leg], direction), direction + float(
            self.turns[leg]
        )

    def place_body(self, leg: int, middle: FloatArray, heading: float) -> tuple[FloatArray, float]:
        """Place (2,) and direction of the body whose foot stands so; undoes `place_step`."""
        direction = heading - float(self.turns[leg])
        return middle[:2] - rot.turn_flat(self.middles[leg], direction), direction


def measure_gait(rig: Rig, motion: Motion, rest: Motion | None = None) -> StepGait:
    """Measure how a motion sets the feet.

    Parameters
    ----------
    rest
        How it stands; None for as it walks.
    """
    facing = float(np.arctan2(motion.velocity[1], motion.velocity[0]))
    middles, directions = _measure_soles(rig, motion, facing)
    settle = 0.0
    if rest is not None:
        settle = float(np.mean(middles - _measure_soles(rig, rest, facing)[0], axis=0)[0])
    phases = np.array([leg.stance for leg in motion.legs])
    order = np.argsort(phases, kind="stable")
    pauses = (phases[order] - np.roll(phases[order], 1)) % 1.0
    order = np.roll(order, -int(np.argmax(np.round(pauses, 3))))
    return StepGait(
        order=tuple(int(leg) for leg in order),
        phases=phases,
        middles=middles,
        turns=(directions + np.pi) % (2.0 * np.pi) - np.pi,
        stride=motion.stride,
        facing=facing,
        contacts=np.array([[leg.lift, leg.off, leg.strike, leg.land] for leg in motion.legs]),
        settle=settle,
    )


def _measure_soles(rig: Rig, motion: Motion, facing: float) -> tuple[FloatArray, FloatArray]:
    """Middles of the soles (L, 2) and their directions (L,) for a body that goes along +X."""
    middles, directions = [], []
    for leg, length in zip(motion.legs, rig.foot_lengths, strict=True):
        toe = leg.foot_direction[:2] / np.hypot(*leg.foot_direction[:2])
        middles.append(rot.turn_flat(leg.stance_position[:2] + 0.5 * length * toe, -facing))
        directions.append(np.arctan2(toe[1], toe[0]) - facing)
    return np.array(middles), np.array(directions)


@dataclass(frozen=True)
class StepPattern:
    """A run of steps in numbers.

    Attributes
    ----------
    count
        How many steps; None for as many as the line is long that they go along.
    stride
        Distance between two prints of the same foot, metres; None for the walk's own.
    width
        Distance of the feet across the way as a share of the walk's own.
    first
        Leg that steps first.
    turn
        Turn of the way at each step, radians, left is positive.
    rise
        Rise of each step, metres.
    standing_stride
        Stride of the first and the last step, between which longer ones grow and shrink, metres;
        None for the same stride throughout.
    """

    count: int | None
    stride: float | None = None
    width: float = 1.0
    first: int = 0
    turn: float = 0.0
    rise: float = 0.0
    standing_stride: float | None = None

    def list_strides(self, count: int, stride: float, legs: int) -> FloatArray:
        """Stride of each of so many steps, metres, shape (count,), where those amid have this one."""
        if self.standing_stride is None or self.standing_stride >= stride:
            return np.full(count, stride)
        numbers = np.arange(count)
        away = np.minimum(numbers, count - 1 - numbers) / (PATTERNS.ease * legs)
        return self.standing_stride + (stride - self.standing_stride) * np.minimum(away, 1.0)


@dataclass(frozen=True)
class LaidStep:
    """One step of a run.

    Attributes
    ----------
    leg
        Index of the leg.
    middle
        Middle of the sole, world, metres, shape (3,).
    heading
        Direction from heel to toe, radians from +X.
    jump
        Whether it is jumped to: no foot is on the ground between the steps before and this one.
    """

    leg: int
    middle: FloatArray
    heading: float
    jump: bool = False


def lay_out_steps(
    gait: StepGait,
    pattern: StepPattern,
    start: FloatArray,
    direction: float,
    line: FloatArray | None = None,
) -> list[LaidStep]:
    """Lay out a run of steps.

    Raises TravelError: there is nothing to lay out.

    Parameters
    ----------
    start
        Place of the body before the first step, world, metres, shape (3,).
    direction
        Where it goes, radians from +X.
    line
        Points of a way to follow instead, world, metres, shape (P, 3); the run ends where it ends.
    """
    way = None if line is None else _measure_way(line)
    stride = gait.stride if pattern.stride is None else pattern.stride
    lengths = _list_lengths(gait, pattern, stride, None if way is None else float(way[0][-1]))
    place, height = np.array(start[:2]), float(start[2])
    travelled, steps = 0.0, []
    leg = pattern.first
    for number, ahead in enumerate(lengths):
        travelled += ahead
        if way is None:
            # The body goes on by a chord between the two directions.
            middle_way = direction + 0.5 * pattern.turn
            place = place + ahead * np.array([np.cos(middle_way), np.sin(middle_way)])
            direction += pattern.turn
        else:
            distances, points = way
            if travelled > distances[-1] + PATTERNS.shortest:
                break
            # The body turns about a corner as it walks past, not at a point.
            span = PATTERNS.look * stride * np.array([-1.0, 0.0, 1.0]) + travelled
            near = np.stack([np.interp(span, distances, points[:, k]) for k in range(3)], axis=1)
            place, height = near[1, :2], float(near[1, 2])
            direction = float(np.arctan2(*(near[2] - near[0])[1::-1]))
        wide = gait.middles[leg] * np.array([1.0, pattern.width])
        middle = place + rot.turn_flat(wide, direction)
        rise = height + pattern.rise * (number + 1)
        steps.append(LaidStep(leg, np.append(middle, rise), direction + float(gait.turns[leg])))
        leg = gait.follow(leg)
    if not steps:
        raise TravelError("the way is shorter than one step: draw a longer one, or shorten steps")
    return steps


def _list_lengths(
    gait: StepGait, pattern: StepPattern, stride: float, way: float | None
) -> FloatArray:
    """List how far the body goes on for each step of a run, metres, shape (N,).

    Raises TravelError: it is not said how many steps there are, or there is none.
    """
    legs = len(gait.order)
    first = gait.order.index(pattern.first)
    turns = [
        (gait.order[(first + n - 1) % legs], gait.order[(first + n) % legs]) for n in range(legs)
    ]
    shares = np.array([gait.advance(before, after) for before, after in turns])

    def list_lengths(count: int) -> FloatArray:
        """Those of so many steps."""
        return pattern.list_strides(count, stride, legs) * np.resize(shares, count)

    if pattern.count is not None:
        if pattern.count < 1:
            raise TravelError("a run of footsteps needs at least one step")
        return list_lengths(pattern.count)
    if way is None:
        raise TravelError("a run of footsteps without a line to go along needs a number of steps")
    # Without the shorter strides at its ends a run would have so many steps.
    count = max(int(way / (stride * float(shares.mean()))), 1)
    while list_lengths(count + 1).sum() <= way + PATTERNS.shortest:
        count += 1
    return list_lengths(count)


def _measure_way(line: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distances (P,) and points (P, 3) along a line seen from above."""
    apart = np.hypot(*np.diff(line[:, :2], axis=0).T) > 1e-9
    points = line[np.concatenate([[True], apart])]
    if len(points) < 2:
        raise TravelError("the way of the footsteps has no length: draw a longer one")
    distances = np.cumsum(np.hypot(*np.diff(points[:, :2], axis=0).T))
    return np.concatenate([[0.0], distances]), points


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


@dataclass(frozen=True)
class StepRun:
    """Soles of a run of footsteps in the order of their steps.

    Attributes
    ----------
    middles
        Middles of the soles, world, metres, shape (N, 3).
    frames
        Rotations whose x axis runs from heel to toe and whose z axis is the normal, shape (N, 4).
    """

    middles: FloatArray
    frames: FloatArray

    @property
    def headings(self) -> FloatArray:
        """Directions from heel to toe, radians from +X, shape (N,)."""
        toes = rot.rotate(self.frames, np.array([1.0, 0.0, 0.0]))
        return np.arctan2(toes[:, 1], toes[:, 0])


def bend_run(run: StepRun, angle: float) -> StepRun:
    """Bend a run about its start.

    Raises TravelError: the run has no length.

    Parameters
    ----------
    angle
        How much more its end turns than its start, radians, left is positive.
    """
    line = _find_line(run)
    moves = np.diff(line, axis=0)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*moves.T))])
    turns = angle * way / way[-1]
    between = 0.5 * (turns[1:] + turns[:-1])
    bent = np.concatenate([line[:1], line[:1] + np.cumsum(rot.turn_flat(moves, between), axis=0)])
    beside = rot.turn_flat(run.middles[:, :2] - line, turns)
    frames = rot.multiply(rot.quaternions_from_yaws(turns), run.frames)
    return StepRun(np.column_stack([bent + beside, run.middles[:, 2]]), frames)


def scale_run(run: StepRun, length: float, width: float) -> StepRun:
    """Make a run longer or wider.

    Raises TravelError: the run has no length.

    Parameters
    ----------
    length
        Factor on the way from its start.
    width
        Factor on the distance of the steps from the way.
    """
    line = _find_line(run)
    ahead = np.gradient(line, axis=0)
    ahead /= np.maximum(np.hypot(*ahead.T), PATTERNS.shortest)[:, None]
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1)
    beside = run.middles[:, :2] - line
    along = (beside * ahead).sum(axis=1)[:, None] * ahead
    aside = (beside * across).sum(axis=1)[:, None] * across
    places = line[0] + length * (line - line[0]) + length * along + width * aside
    return StepRun(np.column_stack([places, run.middles[:, 2]]), run.frames)


def mirror_run(run: StepRun) -> StepRun:
    """Exchange left and right of a run about the line in which its first two feet point.

    Raises TravelError: the run has no length.
    """
    line = _find_line(run)
    # Toes point outwards to both sides, so that two feet together tell the way.
    ahead = np.exp(1j * run.headings[:2]).sum()
    return mirror_about(run, line[0], float(np.angle(ahead)))


def move_run(run: StepRun, pivot: FloatArray, turn: float, place: FloatArray) -> StepRun:
    """Turn a run about a pivot by radians, and bring the pivot to a place; both (3,), metres."""
    moved = run.middles - pivot
    moved[:, :2] = rot.turn_flat(moved[:, :2], np.full(len(moved), turn))
    return StepRun(
        place + moved, rot.multiply(rot.quaternions_from_yaws(np.array(turn)), run.frames)
    )


def mirror_about(run: StepRun, place: FloatArray, direction: float) -> StepRun:
    """Exchange left and right of a line through a place (2,) that goes in a direction, radians."""
    across = np.array([-np.sin(direction), np.cos(direction), 0.0])
    pivot = np.append(place, 0.0)

    def flip(vectors: FloatArray) -> FloatArray:
        """Vectors (N, 3) on the other side."""
        return vectors - 2.0 * (vectors @ across)[:, None] * across

    toes = flip(rot.rotate(run.frames, np.array([1.0, 0.0, 0.0])))
    normals = flip(rot.rotate(run.frames, rot.UP))
    axes = np.stack([toes, np.cross(normals, toes), normals], axis=2)
    return StepRun(pivot + flip(run.middles - pivot), rot.quaternions_from_matrices(axes))


def _find_line(run: StepRun) -> FloatArray:
    """Middle line (N, 2) of a run."""
    places = run.middles[:, :2]
    if len(places) < 2:
        raise TravelError("a run has two footsteps or more: choose more footsteps")
    padded = np.concatenate([places[1:2], places, places[-2:-1]])
    line = 0.25 * padded[:-2] + 0.5 * places + 0.25 * padded[2:]
    if np.hypot(*np.diff(line, axis=0).T).sum() < PATTERNS.shortest:
        raise TravelError("the footsteps lie on one place: move them apart first")
    return line
