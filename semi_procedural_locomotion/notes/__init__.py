# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What to mind about a walk, a clip or a rig, as records without words.

Whoever finds something makes a `Note` with numbers and names. How that reads, what to do about it
and how grave it is stands in `api.wording` alone.
"""

from __future__ import annotations

from .kinds import NoteKind
from .records import (
    LIKEWISE,
    MOTION,
    Note,
    Value,
    make_note,
    note_from_dict,
    notes_from_text,
    text_from_notes,
)

__all__ = [
    "LIKEWISE",
    "MOTION",
    "Note",
    "NoteKind",
    "Value",
    "make_note",
    "note_from_dict",
    "notes_from_text",
    "text_from_notes",
]
