# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trunks between legs that keep out of the ground (numpy only).

Legs that spread wide carry their hips low: treads, and stones between the feet, reach up to the belly.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.limits import UNDERSIDE
from ..body.undersides import PlacedBody, Underside
from ..ground.interface import Ground
from ..maths.rotations import FloatArray
from ..maths.smoothing import find_sliding_maximum
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
    kept = Underside.read(tables)
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
    at = PlacedBody(body.centres[frames], body.turns[frames], tops, body.times[frames], length)
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
    one = np.ones(len(row))
    slopes = np.stack(
        [one, -ahead / length * turning[PITCH], left / length * turning[ROLL]], axis=1
    )
    places = body.places[frames]
    knots, weights = read_spline(places[row])
    cycles = np.gradient(places)[row] / KNOTS.body
    return Bellies(room[row, point] / length, slopes, cycles, knots, weights)
