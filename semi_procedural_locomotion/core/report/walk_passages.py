# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The room that the body of a solved walk takes up (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..body.outline import BodyOutline
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..travel.limits import PASSAGE
from ..travel.walls import (
    BodyRoom,
    Passage,
    choose_stations,
    find_centres,
    find_directions,
    lay_passage,
    measure_room,
)
from ..walk import SolvedWalk, WalkPlan


@dataclass(frozen=True)
class WalkPassage:
    """The room of a walk.

    Attributes
    ----------
    room
        What the body takes up at its stations.
    passage
        The sheets through it, with one station more at each end.
    """

    room: BodyRoom
    passage: Passage


def measure_passage(plan: WalkPlan, walk: SolvedWalk, outline: BodyOutline) -> WalkPassage:
    """The room that a body takes up along its walk.

    Parameters
    ----------
    plan, walk
        The walk, solved at rising times.
    outline
        Places all over the body.
    """
    rig, times = plan.tables.rig, walk.poses.times
    length = rig.leg_length
    places = plan.travel.evaluate(times)[0][:, :2]
    rows = choose_stations(places, times, PASSAGE.spacing * length)
    places, times = places[rows], times[rows]
    points, joints = outline.place(rig.skeleton, walk.poses, rows)
    facing = rot.rotate(walk.poses.orientations[rows], np.array([*rig.forward, 0.0]))[:, :2]
    directions = facing / np.hypot(facing[:, 0], facing[:, 1])[:, None]
    grounds = plan.grid.sample(plan.levels, times)
    if plan.rides.in_world:
        # On ground that moves the way in the world tells nothing of the way over it.
        directions = find_directions(places, directions[0])
    room = measure_room(
        times=times,
        centres=find_centres(places, directions, joints[:, rig.body, :2]),
        grounds=grounds,
        points=points,
        directions=directions,
        length=length,
        step_limit=plan.settings.step_limit * length,
    )
    return WalkPassage(room, lay_passage(room, plan.ground, length, find_steepest(plan)))


def find_steepest(plan: WalkPlan) -> float:
    """Rise of the steepest ground that a walk may stand on beside its way."""
    return min(float(np.tan(plan.settings.max_slope)), PASSAGE.steepest)


def find_treads(plan: WalkPlan) -> FloatArray:
    """Lines beside the way of a walk along which its feet tread, metres to the left, shape (L + 1,)."""
    tables = plan.tables
    places = tables.leg_cycles.stance_positions[tables.cycles.slowest]
    ahead = tables.rig.forward
    return np.append(places[:, 1] * ahead[0] - places[:, 0] * ahead[1], 0.0)
