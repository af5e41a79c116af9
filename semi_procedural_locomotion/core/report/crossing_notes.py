# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was changed so that feet keep clear of each other (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..walk import WalkPlan
from .limits import NOTES


def note_crossings(
    plan: WalkPlan, leg_names: Sequence[str], start: float, end: float, rate: float
) -> list[Note]:
    """Notes of steps that were quickened to keep neighbouring feet apart, and of those still too near.

    Parameters
    ----------
    plan
        The walk.
    leg_names
        Names of its legs.
    start, end
        Range of interest, seconds.
    rate
        Frames a second.

    Returns
    -------
    list of Note
        At most one of quickened steps, and of those that are too near one for each leg.
    """
    notes = _note_rates(plan, start, end, rate)
    for leg, name in enumerate(leg_names):
        notes += _note_crowds(plan, leg, name, start, end, rate)
    return notes


def _note_rates(plan: WalkPlan, start: float, end: float, rate: float) -> list[Note]:
    """One note where side steps are quicker than the motions ask for."""
    if plan.travel.phases is not None and plan.travel.jumps:
        # Steps of such walks come when their footsteps have them, no quicker.
        return []
    times = plan.times.grid.times
    factor = np.where((times >= start) & (times <= end), plan.times.quickened, 1.0)
    quick = np.flatnonzero(factor > NOTES.quicker)
    if len(quick) == 0:
        return []
    return [
        make_note(
            NoteKind.STEPS_QUICKENED,
            frame=times[quick[0]] * rate,
            last=round(times[quick[-1]] * rate),
            share=factor.max() - 1.0,
        )
    ]


def _note_crowds(
    plan: WalkPlan, leg: int, name: str, start: float, end: float, rate: float
) -> list[Note]:
    """One note of prints of a leg that are still too near to its partner's."""
    row, length = plan.prints.rows[leg], plan.tables.rig.leg_length
    inside = (row.times >= start) & (row.times <= end) & ~row.parked
    near = np.flatnonzero(inside & (row.crowded > NOTES.crowded * length))
    if len(near) == 0:
        return []
    worst = near[int(np.argmax(row.crowded[near]))]
    return [
        make_note(
            NoteKind.PRINTS_CROWDED,
            name,
            row.times[worst] * rate,
            row.positions[worst],
            steps=len(near),
            distance=row.crowded[worst],
        )
    ]
