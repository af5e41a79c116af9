# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that slide where a walk takes over from a pose, or hands over to one (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
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
            kind = NoteKind.HAND_OVER_TO if hold.is_last else NoteKind.HAND_OVER_FROM
            notes.append(make_note(kind, leg=name, frame=ends[hold.is_last], share=share))
            continue
        missed = np.where(hold.find_held(walk.times), walk.missed[:, hold.leg], 0.0) / length
        worst = int(np.argmax(missed))
        if missed[worst] > NOTES.slid:
            short, frame = float(missed[worst]), int(frames[worst])
            notes.append(make_note(NoteKind.HAND_OVER_SHORT, leg=name, frame=frame, share=short))
    told = {(note.leg, note.kind is NoteKind.HAND_OVER_TO) for note in notes}
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
        blend = "Blend Out" if hold.is_last else "Blend In"
        for kind, series, bar in (
            (NoteKind.HAND_OVER_SLIDES, feet.steps, NOTES.slid),
            (NoteKind.HAND_OVER_SINKS, feet.depths, BLENDS.sunk),
        ):
            values = np.where(at_end, series[:, hold.leg], 0.0)
            worst = int(np.argmax(values))
            if values[worst] > bar:
                share, frame = float(values[worst]), int(frames[worst])
                notes.append(make_note(kind, leg=name, frame=frame, share=share, blend=blend))
    return notes
