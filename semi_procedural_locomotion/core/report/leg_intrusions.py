# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shins and thighs that pass through the ground, as over the edge of a step (numpy only).

Swings are planned for soles; a leg that bends low over an edge may still cut it. That is told.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths.rotations import FloatArray
from ..walk import SolvedWalk, WalkPlan
from .body_depths import shorten_depths
from .limits import NOTES
from .sole_measures import cast_heights

# Points on each segment of a leg, shares from its upper joint; the ankle itself lies inside the foot.
_ALONG = np.array([0.25, 0.5, 0.75])


def measure_leg_depths(plan: WalkPlan, walk: SolvedWalk) -> FloatArray:
    """Depth of each leg's deepest point between hip and ankle below the ground.

    Parameters
    ----------
    plan
        The walk's plan.
    walk
        Its poses at N times.

    Returns
    -------
    array, shape (N, L)
        Metres, the shortest way out, 0 where the leg is clear.
    """
    length, states = plan.tables.rig.leg_length, walk.states
    prints = np.where((states.flight < 0.5)[..., None], states.behind, states.ahead)[..., 2]
    columns = []
    for index, leg in enumerate(plan.tables.small_rig.legs):
        joints = walk.positions[:, list(leg.joints)]
        upper, lower = joints[:, :-1, None], joints[:, 1:, None]
        points = (upper + _ALONG[:, None] * (lower - upper)).reshape(len(joints), -1, 3)
        times, floors = walk.poses.times, prints[:, index]
        heights, _ = cast_heights(points, times[:, None], plan.ground, length, floors[:, None])
        depths = np.maximum(np.where(np.isnan(heights), 0.0, -heights), 0.0)
        rows, deep = np.nonzero(depths)
        depths[rows, deep] = shorten_depths(
            points[rows, deep], depths[rows, deep], times[rows], plan.ground, length, floors[rows]
        )
        columns.append(depths.max(axis=1))
    return np.stack(columns, axis=1)


def note_leg_intrusions(
    plan: WalkPlan, walk: SolvedWalk, leg_names: Sequence[str], frames: np.ndarray
) -> list[Note]:
    """A note of each leg that cuts the ground, with the worst frame.

    Parameters
    ----------
    plan, walk
        The walk.
    leg_names
        Of the plan's legs.
    frames
        Scene frames of the poses, shape (N,).
    """
    depths = measure_leg_depths(plan, walk)
    noticed = NOTES.intrusion * plan.tables.rig.leg_length
    notes = []
    for leg in np.flatnonzero(depths.max(axis=0) > noticed):
        worst = int(np.argmax(depths[:, leg]))
        count = int(np.sum(depths[:, leg] > noticed))
        notes.append(
            make_note(
                NoteKind.LEG_CUTS_GROUND,
                leg_names[leg],
                frames[worst],
                depth=depths[worst, leg],
                frames=count,
            )
        )
    return notes
