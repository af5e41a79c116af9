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
    """Notes of what was changed to keep neighbouring feet apart, and for where it did not suffice.

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
        At most one for each kind of change and each leg; empty where nothing was changed.
    """
    notes = _note_rates(plan, start, end, rate)
    for leg, name in enumerate(leg_names):
        notes += _note_prints(plan, leg, name, start, end, rate)
        notes += _note_swings(plan, leg, name, start, end, rate)
    return notes


def _note_rates(plan: WalkPlan, start: float, end: float, rate: float) -> list[Note]:
    """One note where side steps are quicker than the motions ask for."""
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


def _note_prints(
    plan: WalkPlan, leg: int, name: str, start: float, end: float, rate: float
) -> list[Note]:
    """Notes of prints of a leg that were moved, and for those that are still too near."""
    row, length = plan.prints.rows[leg], plan.tables.rig.leg_length
    inside = (row.times >= start) & (row.times <= end) & ~row.parked
    notes = []
    moved = np.flatnonzero(inside & (row.parted > NOTES.moved * length))
    if len(moved):
        notes.append(
            make_note(
                NoteKind.PRINTS_PARTED,
                name,
                row.times[moved[0]] * rate,
                row.positions[moved[0]],
                steps=len(moved),
                distance=row.parted[moved].max(),
            )
        )
    near = np.flatnonzero(inside & (row.crowded > NOTES.crowded * length))
    if len(near):
        worst = near[int(np.argmax(row.crowded[near]))]
        notes.append(
            make_note(
                NoteKind.PRINTS_CROWDED,
                name,
                row.times[worst] * rate,
                row.positions[worst],
                steps=len(near),
                distance=row.crowded[worst],
            )
        )
    return notes


def _note_swings(
    plan: WalkPlan, leg: int, name: str, start: float, end: float, rate: float
) -> list[Note]:
    """One note of swings of a leg that are led around its partner's foot."""
    if leg >= len(plan.asides):
        return []
    row, length = plan.prints.rows[leg], plan.tables.rig.leg_length
    ways = np.hypot(*plan.asides[leg].T)
    middle = plan.times.grid.find_crossings(
        plan.times.leg_times[:, leg], row.first + np.arange(len(ways)) + 0.5
    )
    led = np.flatnonzero((ways > NOTES.moved * length) & (middle >= start) & (middle <= end))
    if len(led) == 0:
        return []
    return [
        make_note(
            NoteKind.SWINGS_LED_AROUND,
            name,
            middle[led[0]] * rate,
            swings=len(led),
            distance=ways[led].max(),
        )
    ]
