# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the one problem of body and feet is made of, and what comes out (numpy only).

Letters in shapes: F steps that fly, S instants of each, K knots of the body, W knots of the window that a
step touches, C channels of the body, P points of a foot that can bear, H points of its hull, B steps with
something in their way. All lengths are shares of the leg unless metres are named.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.columns import Columns
from ..maths.rotations import FloatArray
from .slices import GroundSlices

MOVES = 2
"""Ways of a foot: along its step, up."""


@dataclass(frozen=True)
class Hips(Columns):
    """One hip joint at any instants (...), as the body carries it without any change.

    Attributes
    ----------
    pivots
        Middle of all hips, world, shape (..., 3).
    arms
        From there to the joint, shape (..., 3).
    ahead, left
        Level directions of the body, shape (..., 3).
    """

    pivots: FloatArray
    arms: FloatArray
    ahead: FloatArray
    left: FloatArray


@dataclass(frozen=True)
class Reaches(Columns):
    """What legs are compared with, at any instants (...).

    Attributes
    ----------
    own
        From hip to ankle in the planted clip, at most as far as it reaches, shape (...).
    ceilings, floors
        How far it reaches, and how near the clip folds it, shape (...).
    cycles
        Cycles that an instant stands for, shape (...).
    bears
        Whether the foot bears, shape (...) of bool.
    """

    own: FloatArray
    ceilings: FloatArray
    floors: FloatArray
    cycles: FloatArray
    bears: np.ndarray


@dataclass(frozen=True)
class StandingLegs(Columns):
    """Instants of feet that stand apart from any flight, N of them.

    Attributes
    ----------
    hips, reaches
        Of the leg.
    ankles
        World, shape (N, 3).
    first, knots
        First knot of the body, shape (N,), and weights of four, shape (N, 4).
    """

    hips: Hips
    reaches: Reaches
    ankles: FloatArray
    first: np.ndarray
    knots: FloatArray


@dataclass(frozen=True)
class Rooms(Columns):
    """Room that feet keep over the ground in their flights.

    Attributes
    ----------
    steps
        Which of the F steps, shape (B,).
    instants
        Which of their S instants are looked at, a slice.
    points
        Of the foot, from the ankle in the frame of its ground, shape (B, I, H, 3).
    rooms
        How far each has to be from the ground, shape (B, I, H).
    origins
        From where places count, world, shape (B, I, 3): of a foot with something in its way the print
        behind it, moved with ground that moves; of others the ground right below.
    slices
        The ground along their ways; None for the plane through the origin and normal to the frame.
    """

    steps: np.ndarray
    instants: slice
    points: FloatArray
    rooms: FloatArray
    origins: FloatArray
    slices: GroundSlices | None


@dataclass(frozen=True)
class PaceBounds(Columns):
    """How fast legs of F steps may go.

    Attributes
    ----------
    knee
        Turn of the knee, radians a second, shape (F, 1).
    snap
        Second difference of its bend at times that are ``lag`` apart, radians, shape (F, 1).
    rise, strike
        Way of the ankle up or down, and of the footbase down as it strikes, lengths a second, shapes
        (F, 1).
    lag
        Seconds.
    """

    knee: FloatArray
    snap: FloatArray
    rise: FloatArray
    strike: FloatArray
    lag: float


@dataclass(frozen=True)
class Steps(Columns):
    """F steps with their flight, and as much of both stances as the foot is pitched in.

    Attributes
    ----------
    legs, numbers
        Which leg, and which of its steps, shape (F,).
    spans
        Where the pitch begins, the foot leaves, strikes, and the pitch ends, seconds, shape (F, 4).
    times
        Instants, seconds, shape (F, S).
    hips, reaches
        Of the leg then.
    ankles
        World, shape (F, S, 3).
    heights
        Of the footbase, world z, shape (F, S).
    carried
        Height of ground that moves, beside which feet rise and fall, shape (F, S).
    along, left
        Level directions of the step, shape (F, 3).
    fronts, ups
        Axes of the foot's ground: from heel to toe, and normal to it, shape (F, S, 3).
    free
        Share of their change that feet have: none while a pose beside the walk holds them, shape (F, S).
    points, bearings, widths
        What the foot can rock on, see `find_rocks`, shapes (F, S, P, 2), (F, S, P) and (F, S).
    pitches
        Whether the foot can be pitched at all, shape (F,) of bool.
    bones
        Thigh and shin, shape (F, 2).
    bounds
        How fast the leg may go.
    ends
        Pitch with which people leave the ground and meet it, higher and lower treads, too, beside the
        clip's; NaN where nothing is asked, as of feet without toes, shape (F, 2).
    first, knots
        First knot of the body in the window, shape (F,), and weights, shape (F, S, W).
    """

    legs: np.ndarray
    numbers: np.ndarray
    spans: FloatArray
    times: FloatArray
    hips: Hips
    reaches: Reaches
    ankles: FloatArray
    heights: FloatArray
    carried: FloatArray
    along: FloatArray
    left: FloatArray
    fronts: FloatArray
    ups: FloatArray
    free: FloatArray
    points: FloatArray
    bearings: FloatArray
    widths: FloatArray
    pitches: np.ndarray
    bones: FloatArray
    bounds: PaceBounds
    ends: FloatArray
    first: np.ndarray
    knots: FloatArray


@dataclass(frozen=True)
class Bellies(Columns):
    """Points of a body's underside near the ground, N of them at some instants.

    Attributes
    ----------
    rooms
        How far each is over what it has to clear, shape (N,).
    slopes
        How far it rises with height, pitch and roll of the body, shape (N, 3).
    cycles
        Cycles that it stands for, shape (N,).
    first, knots
        First knot of the body, shape (N,), and weights of four, shape (N, 4).
    """

    rooms: FloatArray
    slopes: FloatArray
    cycles: FloatArray
    first: np.ndarray
    knots: FloatArray


@dataclass(frozen=True)
class Falls:
    """Instants at which nothing pushes the body, N of them: what is added to a fall goes evenly.

    Attributes
    ----------
    cycles
        Cycles that each stands for, shape (N,).
    first, knots
        First knot of the body, shape (N,), and weights of four for the second derivative a cycle, shape
        (N, 4).
    """

    cycles: FloatArray
    first: np.ndarray
    knots: FloatArray


@dataclass(frozen=True)
class Problem:
    """Everything that a solution is found from.

    Attributes
    ----------
    steps, stands
        Where rows are asked for.
    rooms
        Of feet with something in their way, and of all others; both may be missing.
    bellies
        Of the body; None where it is nowhere near the ground.
    falls
        When it flies.
    arms
        What each of the channels height, pitch and roll turns about, 1 for the first, shape (3,); 0 for
        one that the body does not use.
    knots
        Number of the body's knots.
    period
        Seconds of a cycle, in which rates are costed.
    """

    steps: Steps
    stands: StandingLegs
    rooms: tuple[Rooms, ...]
    bellies: Bellies | None
    falls: Falls
    arms: FloatArray
    knots: int
    period: float

    @property
    def channels(self) -> np.ndarray:
        """Indices of the channels that are used, shape (C,)."""
        return np.flatnonzero(self.arms)


@dataclass(frozen=True)
class Solution:
    """Changes that keep the rows best.

    Attributes
    ----------
    body
        Of the body at its knots, shape (K, C).
    feet
        Of the feet: bumps of each way one after the other, then of the pitch, shape (F, n).
    """

    body: FloatArray
    feet: FloatArray
