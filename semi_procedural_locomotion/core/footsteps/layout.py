# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a walk stand around the body, and runs of steps made from numbers (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import TravelError
from ..maths.rotations import FloatArray
from ..motions.records import Motion
from ..rig.structure import Rig
from .limits import PATTERNS


@dataclass(frozen=True)
class StepGait:
    """How a walk sets its feet, seen from above; the walk goes along the x axis.

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
        return place + _turn(self.middles[leg], direction), direction + float(self.turns[leg])

    def place_body(self, leg: int, middle: FloatArray, heading: float) -> tuple[FloatArray, float]:
        """Place (2,) and direction of the body whose foot stands so; undoes `place_step`."""
        direction = heading - float(self.turns[leg])
        return middle[:2] - _turn(self.middles[leg], direction), direction


def _turn(vector: FloatArray, angle: float) -> FloatArray:
    """A vector (2,) turned counter-clockwise."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([cosine * vector[0] - sine * vector[1], sine * vector[0] + cosine * vector[1]])


def measure_gait(rig: Rig, motion: Motion, rest: Motion | None = None) -> StepGait:
    """How a motion sets the feet.

    Parameters
    ----------
    rig
        The character.
    motion
        One of its walks.
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
        middles.append(_turn(leg.stance_position[:2] + 0.5 * length * toe, -facing))
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

    Parameters
    ----------
    gait
        How the walk sets its feet.
    pattern
        The run.
    start
        Place of the body before the first step, world, metres, shape (3,).
    direction
        Where it goes, radians from +X.
    line
        Points of a way to follow instead, world, metres, shape (P, 3); the run ends where it ends.

    Raises
    ------
    TravelError
        There is nothing to lay out.
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
        middle = place + _turn(wide, direction)
        rise = height + pattern.rise * (number + 1)
        steps.append(LaidStep(leg, np.append(middle, rise), direction + float(gait.turns[leg])))
        leg = gait.follow(leg)
    if not steps:
        raise TravelError("the way is shorter than one step: draw a longer one, or shorten steps")
    return steps


def _list_lengths(
    gait: StepGait, pattern: StepPattern, stride: float, way: float | None
) -> FloatArray:
    """How far the body goes on for each step of a run, metres, shape (N,).

    Raises
    ------
    TravelError
        It is not said how many steps there are, or there is none.
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
