# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trunks between legs that keep out of the ground (numpy only).

Legs that spread wide carry their hips low: treads, and stones between the feet, reach up to the belly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.limits import UNDERSIDE
from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from .limits import KNOTS
from .placing import PITCH, ROLL
from .records import Bellies
from .splines import read_spline


@dataclass(frozen=True)
class _Placed:
    """A body at T instants, whose legs are ``length`` long, metres.

    Its hips' middle, world, metres, (T, 3), its world rotation, (T, 4), the world z above which nothing
    is looked for under it, metres, (T,), and seconds, (T,).
    """

    centres: FloatArray
    turns: FloatArray
    tops: FloatArray
    times: FloatArray
    length: float


@dataclass(frozen=True)
class _Underside:
    """Points of the underside in character axes, from the middle of all hips, metres, (P, 3).

    ``clear`` is how far each stays above the ground, metres, (P,): no more than in the motions.
    """

    points: FloatArray
    clear: FloatArray

    @classmethod
    def read(cls, tables: MotionTables) -> _Underside:
        """The underside of a rig as it is kept.

        What drags on the ground in the motions does so on all of it, and is left out.
        """
        rig, slowest, length = tables.rig, tables.cycles.slowest, tables.rig.leg_length
        level = tables.cycles.hip_centres[slowest, 2] - tables.cycles.ground_heights[slowest]
        heights = rig.underside[:, 2] + level
        kept = heights > UNDERSIDE.drags * length
        ahead = np.array([*rig.forward, 0.0])
        axes = np.stack([ahead, [-ahead[1], ahead[0], 0.0], rot.UP])
        clear = np.minimum(UNDERSIDE.clear * length, 0.5 * heights[kept])
        return cls(rig.underside[kept] @ axes, clear)

    def refine(
        self, forward: FloatArray, joined: float, spacing: float
    ) -> tuple[_Underside, np.ndarray]:
        """Neighbours along the body joined by lines of points.

        Parameters
        ----------
        forward
            Horizontal unit vector to which the body faces, shape (2,).
        joined
            Gap up to which they are, metres.
        spacing
            How near the points are then, metres.

        Returns
        -------
        underside
            With Q points.
        first
            Index of the point that each is at or ahead of, before the next one's, shape (Q,).
        """
        along = self.points[:, :2] @ forward
        gaps = np.append(np.diff(along), 0.0)
        are_joined = (gaps > 0.0) & (gaps < joined)
        counts = np.where(are_joined, np.ceil(gaps / spacing), 1).astype(np.intp)
        first = np.repeat(np.arange(len(counts)), counts)
        shares = (np.arange(len(first)) - (np.cumsum(counts) - counts)[first]) / counts[first]
        then = np.minimum(first + 1, len(along) - 1)
        points, clear = (
            values[first]
            + shares.reshape(-1, *[1] * (values.ndim - 1)) * (values[then] - values[first])
            for values in (self.points, self.clear)
        )
        return _Underside(points, clear), first

    def measure_room(self, at: _Placed, ground: Ground, looked: np.ndarray | bool) -> FloatArray:
        """How far each point is above what it has to clear, metres, (T, P).

        Infinite where it is high above all prints about, over nothing, or not ``looked`` at, (T, P).
        """
        upward = rot.rotate(rot.conjugate(at.turns), rot.UP)
        heights = at.centres[:, 2:] + upward @ self.points.T
        room = np.full(heights.shape, np.inf)
        low = heights < at.tops[:, None]
        row, point = np.nonzero(low & looked)
        if not len(row):
            return room
        places = at.centres[row] + rot.rotate(at.turns[row], self.points[point])
        # Ground that reaches farther up is a wall beside the body.
        hits = ground.cast_down(places + UNDERSIDE.most * at.length * rot.UP, at.times[row])
        over = places[:, 2] - self.clear[point] - hits.points[:, 2]
        room[row, point] = np.where(hits.hit, over, np.inf)
        return room


@dataclass(frozen=True)
class CarriedBody:
    """A body on the G times of a grid, before any change.

    Attributes
    ----------
    times
        Seconds, shape (G,).
    centres
        Middle of all hips, world, metres, shape (G, 3).
    turns
        World rotations of the body, shape (G, 4).
    places
        Places of the times among the body's knots, shape (G,).
    """

    times: FloatArray
    centres: FloatArray
    turns: FloatArray
    places: FloatArray


def find_bellies(
    tables: MotionTables, body: CarriedBody, states: StepStates, ground: Ground, arms: FloatArray
) -> Bellies | None:
    """Points of the underside that come near to the ground; None where none does.

    Parameters
    ----------
    tables
        The motions.
    body, states
        The body and the steps on the same grid.
    ground
        What it walks on.
    arms
        See `Problem.arms`.
    """
    rig, length = tables.rig, tables.rig.leg_length
    kept = _Underside.read(tables)
    if not len(kept.points) or not arms[PITCH] > 0.0:
        # What hangs from a body whose hips are at one place along is clothes, or a tail.
        return None
    interval = float(body.times[1] - body.times[0])
    frames = np.arange(0, len(body.times), max(round(UNDERSIDE.interval / interval), 1))
    tops = np.maximum(states.behind[frames], states.ahead[frames])[..., 2].max(axis=1)
    tops = tops + UNDERSIDE.near * length
    if not ground.moving_surfaces():
        # Nothing is looked for over level ground. How high a moving one reaches is dear.
        tops = np.minimum(tops, ground.height_limits()[1] + UNDERSIDE.clear * length)
    at = _Placed(body.centres[frames], body.turns[frames], tops, body.times[frames], length)
    joined = UNDERSIDE.joined * length
    coarse, _ = kept.refine(rig.forward, joined, UNDERSIDE.coarse * length)
    room = coarse.measure_room(at, ground, True)
    near = -find_sliding_maximum(-room, 1) < UNDERSIDE.far * length
    if not np.any(near):
        return None
    underside, first = coarse.refine(rig.forward, joined, UNDERSIDE.spacing * length)
    looked = near[:, first] | near[:, np.minimum(first + 1, near.shape[1] - 1)]
    room = underside.measure_room(at, ground, looked)
    row, point = np.nonzero(room < UNDERSIDE.far * length)
    if not len(row):
        return None
    forward = np.array([*rig.forward, 0.0])
    ahead = underside.points[point] @ forward
    left = underside.points[point] @ np.array([-forward[1], forward[0], 0.0])
    turning = np.where(arms > 0.0, 1.0 / np.maximum(arms, 1e-12), 0.0)
    one, none = np.ones(len(row)), np.zeros(len(row))
    slopes = np.stack(
        [one, none, -ahead / length * turning[PITCH], left / length * turning[ROLL]], axis=1
    )
    places = body.places[frames]
    knots, weights = read_spline(places[row])
    cycles = np.gradient(places)[row] / KNOTS.body
    return Bellies(room[row, point] / length, slopes, cycles, knots, weights)
