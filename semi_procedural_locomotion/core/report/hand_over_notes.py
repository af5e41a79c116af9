# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that slide where a walk takes over from a pose, or hands over to one (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..swings.hand_over import FootHold
from ..walk import SolvedWalk, WalkPlan
from .hand_over_measures import measure_blend_feet
from .limits import BLENDS, NOTES


def note_hand_overs(
    plan: WalkPlan, walk: SolvedWalk, names: Sequence[str], frames: np.ndarray
) -> list[Note]:
    """Notes of feet that no step leads from or to, and of legs that cannot hold theirs.

    Parameters
    ----------
    plan, walk
        The walk, solved at N frames.
    names
        Names of the legs.
    frames
        Those scene frames, shape (N,).
    """
    notes, ends = [], (int(frames[0]), int(frames[-1]))
    for hold in plan.holds:
        name, length = names[hold.leg], plan.tables.rig.legs[hold.leg].length
        share = float(np.linalg.norm(hold.shift)) / length
        if hold.follows and share > NOTES.slid:
            frame = ends[hold.is_last]
            notes.append(_note(hold, name, frame, "to" if hold.is_last else "from", share))
            continue
        missed = np.where(hold.find_held(walk.times), walk.missed[:, hold.leg], 0.0) / length
        worst = int(np.argmax(missed))
        if missed[worst] > NOTES.slid:
            notes.append(_note(hold, name, int(frames[worst]), "short", float(missed[worst])))
    told = {(note.leg, note.values["case"] == "to") for note in notes}
    return [*notes, *_note_blend_feet(plan, walk, names, frames, told)]


def _note_blend_feet(
    plan: WalkPlan,
    walk: SolvedWalk,
    names: Sequence[str],
    frames: np.ndarray,
    told: set[tuple[str | None, bool]],
) -> list[Note]:
    """Notes of feet that slide or sink in while the walk goes over, at ends where none is told yet."""
    feet, notes = measure_blend_feet(plan, walk, frames), []
    for hold in plan.holds:
        name, at_end = names[hold.leg], feet.is_last == hold.is_last
        if (name, hold.is_last) in told:
            continue
        for case, series, bar in (
            ("slides", feet.steps, NOTES.slid),
            ("sinks", feet.depths, BLENDS.sunk),
        ):
            values = np.where(at_end, series[:, hold.leg], 0.0)
            worst = int(np.argmax(values))
            if values[worst] > bar:
                notes.append(_note(hold, name, int(frames[worst]), case, float(values[worst])))
    return notes


def _note(hold: FootHold, leg: str, frame: int, case: str, share: float) -> Note:
    """A note of a foot at one end of a walk."""
    ends = int(hold.is_last)
    return make_note(NoteKind.HAND_OVER, leg, frame, case=case, share=share, ends=ends)
