# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Undersides of trunks, and how near the ground is to them (numpy only).

Legs that spread wide carry their hips low: treads, and stones between the feet, reach up to the belly
(docs/method/body.md, Underside).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from .limits import UNDERSIDE


@dataclass(frozen=True)
class PlacedBody:
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
class Underside:
    """Points of the underside in character axes, from the middle of all hips, metres, (P, 3).

    ``clear`` is how far each stays above the ground, metres, (P,): no more than in the motions.
    """

    points: FloatArray
    clear: FloatArray

    @classmethod
    def read(cls, tables: MotionTables) -> Underside:
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
    ) -> tuple[Underside, np.ndarray]:
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
        return Underside(points, clear), first

    def measure_room(self, at: PlacedBody, ground: Ground, looked: np.ndarray | bool) -> FloatArray:
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
