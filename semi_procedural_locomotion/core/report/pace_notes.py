# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels that ask more of the motions than they can give (numpy only)."""

from __future__ import annotations

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.records import MotionSet
from ..times.stride_limits import find_fastest
from ..walk import WalkPlan
from .limits import NOTES


def note_pace(plan: WalkPlan, first: float, last: float) -> list[Note]:
    """Notes where a travel is much faster than all motions, or goes where none does.

    Parameters
    ----------
    plan
        The walk.
    first, last
        Range of time that counts, seconds.
    """
    motions, times = plan.tables.motion_set, plan.times
    inside = (times.grid.times >= first) & (times.grid.times <= last)
    velocities = times.velocities[inside]
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    if len(speeds) == 0 or speeds.max() < 1e-9:
        return []
    notes = []
    fastest, own = find_fastest(motions)
    if speeds.max() > NOTES.fast * own:
        speed = float(speeds.max())
        notes.append(
            make_note(
                NoteKind.TRAVEL_FAST, speed=speed, factor=speed / own, own=own, fastest=fastest
            )
        )
    against = _measure_against(motions, velocities) > NOTES.against
    walked = speeds / speeds.sum()
    if walked[against].sum() > NOTES.against_share:
        notes.append(make_note(NoteKind.TRAVEL_AGAINST))
    return notes


def _measure_against(motions: MotionSet, velocities: FloatArray) -> FloatArray:
    """Angle between velocities (G, 2) and the nearest motion's, radians, (G,)."""
    own = [m.velocity[:2] for m in motions.motions if m.is_cycle and np.any(m.velocity[:2])]
    if not own:
        return np.zeros(len(velocities))
    headings = np.arctan2(velocities[:, 1], velocities[:, 0])
    directions = np.arctan2(np.array(own)[:, 1], np.array(own)[:, 0])
    return np.abs(rot.wrap_angles(headings[:, None] - directions)).min(axis=1)
