# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words, the cure and the severity of everything that a `Note` may tell; nobody else words one.

The tables lie in `showing`, `walks`, `gaps`, `clips`, `rigs` and `controls`, by what a note is about;
`forms` says what their texts may use. In goes a kind of note, out come its `Words`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...notes import NoteKind
from . import clips, controls, gaps, rigs, showing, walks
from .forms import Reader, Severity, Words, fill

WORDS: Mapping[NoteKind, Words] = {
    **showing.WORDS,
    **walks.WORDS,
    **gaps.WORDS,
    **clips.WORDS,
    **rigs.WORDS,
    **controls.WORDS,
    # A file of an older version keeps the whole sentence, with its cure.
    NoteKind.OLDER_TEXT: Words(Severity.WALK, "{text}", "", ""),
}

__all__ = ["WORDS", "Reader", "Severity", "Words", "fill"]
