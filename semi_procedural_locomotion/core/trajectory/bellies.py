# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trunks between legs that keep out of the ground (numpy only).

Legs that spread wide carry their hips low: treads, and stones between the feet, reach up to the belly
(docs/method/body.md, Underside).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.limits import UNDERSIDE
from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from .limits import KNOTS
from .placing import PITCH, ROLL
from .records import Bellies
from .splines import read_spline


@dataclass(frozen=True)
class BodyOnGrid:
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
    tables: MotionTables, body: BodyOnGrid, states: StepStates, ground: Ground, arms: FloatArray
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
    if not len(rig.underside) or not arms[PITCH] > 0.0:
        # What hangs from a body whose hips are at one place along is clothes, or a tail.
        return None
    points, clear = _find_underside(tables)
    # Two looks at each knot: edges pass between those at the knots alone.
    frames = np.flatnonzero(np.diff(np.floor(2.0 * body.places), prepend=-1.0) > 0.0)
    centres, turns = body.centres[frames], body.turns[frames]
    tops = np.maximum(states.behind[frames], states.ahead[frames])[..., 2].max(axis=1)
    tops = tops + UNDERSIDE.near * length
    if not ground.moving_surfaces():
        # Nothing is looked for over level ground. How high a moving one reaches is dear.
        tops = np.minimum(tops, ground.height_limits()[1] + UNDERSIDE.clear * length)
    upward = rot.rotate(rot.conjugate(turns), rot.UP)
    row, point = np.nonzero(centres[:, 2:] + upward @ points.T < tops[:, None])
    if not len(row):
        return None
    places = centres[row] + rot.rotate(turns[row], points[point])
    # Ground that reaches farther up is a wall beside the body.
    hits = ground.cast_down(places + UNDERSIDE.most * length * rot.UP, body.times[frames[row]])
    room = places[:, 2] - clear[point] - hits.points[:, 2]
    near = np.flatnonzero(hits.hit & (room < UNDERSIDE.far * length))
    if not len(near):
        return None
    row, point, room = row[near], point[near], room[near]
    forward = np.array([*rig.forward, 0.0])
    ahead = points[point] @ forward
    left = points[point] @ np.array([-forward[1], forward[0], 0.0])
    turning = np.where(arms > 0.0, 1.0 / np.maximum(arms, 1e-12), 0.0)
    slopes = np.stack(
        [
            np.ones(len(row)),
            -ahead / length * turning[PITCH],
            left / length * turning[ROLL],
        ],
        axis=1,
    )
    places_of = body.places[frames]
    knots, weights = read_spline(places_of[row])
    cycles = np.gradient(places_of)[row] / KNOTS.body
    return Bellies(room / length, slopes, cycles, knots, weights)


def _find_underside(tables: MotionTables) -> tuple[FloatArray, FloatArray]:
    """Points of the underside and how far each stays above the ground, metres, (P, 3) and (P,).

    In character axes, from the middle of all hips; neighbours along the body are joined by lines.
    What drags on the ground in the motions does so on all of it, and is left out.
    """
    rig, slowest, length = tables.rig, tables.cycles.slowest, tables.rig.leg_length
    level = tables.cycles.hip_centres[slowest, 2] - tables.cycles.ground_heights[slowest]
    heights = rig.underside[:, 2] + level
    kept = heights > UNDERSIDE.clear * length
    axes = np.stack([[*rig.forward, 0.0], [-rig.forward[1], rig.forward[0], 0.0], rot.UP])
    along, heights, points = rig.underside[kept, 0], heights[kept], rig.underside[kept] @ axes
    gaps = np.diff(along, append=along[-1:])
    joined = (gaps > 0.0) & (gaps < UNDERSIDE.joined * length)
    counts = np.where(joined, np.ceil(gaps / (UNDERSIDE.spacing * length)), 1).astype(np.intp)
    first = np.repeat(np.arange(len(counts)), counts)
    shares = (np.arange(len(first)) - (np.cumsum(counts) - counts)[first]) / counts[first]
    then = np.minimum(first + 1, len(along) - 1)
    clear = np.minimum(UNDERSIDE.clear * length, 0.5 * heights)
    points = points[first] + shares[:, None] * (points[then] - points[first])
    return points, clear[first] + shares * (clear[then] - clear[first])
