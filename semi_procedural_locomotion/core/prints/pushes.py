# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heels of long bodies raised where a leg that climbs is too short as it pushes off (numpy only).

A fore foot that still stands below a flight of stairs holds the chest down, and the other fore leg folds
on its way up: animals push off from their toes, which makes the leg that stays behind longer
(docs/method/prints.md, Pushing off).
"""

from __future__ import annotations

import numpy as np

from ..ground.soles import STARTS, cast_soles
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import OFF
from ..rig.footpoints import compute_sole_points
from .heels import StepHeels
from .ideal import find_times_ahead
from .limits import PUSHES
from .records import PrintRow
from .steps import StepPlan


def plan_pushes(steps: StepPlan) -> tuple[StepHeels, ...]:
    """How far the heels of all steps are raised, a record for each leg; none where none has to be.

    Parameters
    ----------
    steps
        The steps as the motions have them.
    """
    tables, levels = steps.tables, steps.prints.levels
    rig, length = tables.small_rig, tables.rig.leg_length
    least = PUSHES.level * length
    if len(rig.legs) < PUSHES.legs or np.ptp(levels) < least or steps.ground.moving_surfaces():
        return ()
    forward = np.array([*tables.rig.forward, 0.0])
    heels = []
    for index, (leg, row) in enumerate(zip(rig.legs, steps.prints.rows, strict=True)):
        times = steps.find_key_times(index, OFF)
        poses = steps.read_source(times).legs
        hips, ankles = (poses.positions[:, leg.joints[end]] for end in (0, -1))
        ahead = float((hips @ forward).mean())
        there = find_times_ahead(tables, steps.times, times, ahead)
        level = steps.times.grid.sample(levels, there)
        above = np.maximum(level - row.positions[:-1, 2] - least, 0.0)
        own = rot.lengths(ankles - hips)
        reached = rot.lengths(ankles - hips - above[:, None] * rot.UP)
        short = reached - np.maximum(own, PUSHES.stretched * leg.length)
        balls = compute_sole_points(leg, poses.rotations, poses.positions)[:, 1]
        levers = _measure_levers(poses.positions[:, leg.ankle] - balls, hips - ankles)
        asked = np.maximum(short, 0.0) / np.maximum(levers, PUSHES.least_lever * length)
        helps = rot.step_cubic((levers / length - PUSHES.least_lever) / PUSHES.lever_over)
        rises = helps * PUSHES.highest * np.tanh(asked / PUSHES.highest)
        raised = np.flatnonzero(rises)
        high = float((poses.positions[:, leg.ankle] - balls)[:, 2].max())
        ahead = float(rig.foot_lengths[index]) + high * np.sin(PUSHES.highest)
        rises[raised[_meet_walls(steps, row, raised, ahead)]] = 0.0
        heels.append(StepHeels(rises, np.zeros_like(rises)))
    return tuple(heels) if any(np.any(own.rises) for own in heels) else ()


def _meet_walls(steps: StepPlan, row: PrintRow, chosen: np.ndarray, ahead: float) -> np.ndarray:
    """Whether something stands so far ahead of the heels of some prints, metres, (n,) of bool."""
    length = steps.tables.rig.leg_length
    ways = rot.rotate(row.frames[chosen], np.array([ahead, 0.0, 0.0]))
    points, floors = row.positions[chosen] + ways, row.positions[chosen, 2]
    tops = floors + STARTS.over_prints * length
    hits = cast_soles(steps.ground, points, tops, row.times[chosen], floors=floors)
    return np.asarray(hits.heights > points[:, 2] + PUSHES.wall * length)


def _measure_levers(ankles: FloatArray, legs: FloatArray) -> FloatArray:
    """How much shorter a leg gets for each radian that its heel is raised, metres, (n,).

    Parameters
    ----------
    ankles
        Seen from the ball about which the foot turns, metres, shape (n, 3).
    legs
        From the ankle to the hip, metres, shape (n, 3).
    """
    behind = ankles * np.array([1.0, 1.0, 0.0])
    moved = rot.lengths(behind)[:, None] * rot.UP - ankles[:, 2:] * rot.normalize(behind)
    return np.maximum(rot.dot(moved, rot.normalize(legs)), 0.0)
