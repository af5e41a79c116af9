# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that slide where a walk takes over from a pose, or hands over to one (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..walk import SolvedWalk, WalkPlan
from .limits import NOTES


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
        if hold.slides and share > NOTES.slid:
            kind = NoteKind.HAND_OVER_TO if hold.is_last else NoteKind.HAND_OVER_FROM
            notes.append(make_note(kind, leg=name, frame=ends[hold.is_last], share=share))
            continue
        missed = np.where(hold.find_held(walk.times), walk.missed[:, hold.leg], 0.0) / length
        worst = int(np.argmax(missed))
        if missed[worst] > NOTES.slid:
            short, frame = float(missed[worst]), int(frames[worst])
            notes.append(make_note(NoteKind.HAND_OVER_SHORT, leg=name, frame=frame, share=short))
    return notes
