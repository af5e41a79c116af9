# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words, the cure and the severity of everything that a `Note` may tell; nobody else words one.

The tables lie in `showing`, `walks`, `gaps`, `clips`, `rigs` and `controls`, by what a note is about;
`forms` says what their texts may use. In goes a note, out come its `Words`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...notes import Note, NoteKind
from . import clips, controls, gaps, rigs, showing, walks
from .forms import Reader, Severity, Words, fill

WORDS: Mapping[tuple[NoteKind, str], Words] = {
    **showing.WORDS,
    **walks.WORDS,
    **gaps.WORDS,
    **clips.WORDS,
    **rigs.WORDS,
    **controls.WORDS,
    # A file of an older version keeps the whole sentence, with its cure.
    (NoteKind.OLDER_TEXT, ""): Words(Severity.WALK, "{text}", "", ""),
}
# A file of a newer version may have cases that this one does not know.
_UNKNOWN = Words(Severity.WALK, "{case}", "", "")


def find_words(note: Note) -> Words:
    """How a note is told, by its kind and its case."""
    return WORDS.get((note.kind, str(note.values.get("case", ""))), _UNKNOWN)


__all__ = ["WORDS", "Reader", "Severity", "Words", "fill", "find_words"]
