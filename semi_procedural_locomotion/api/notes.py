# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes in order, told in words, as plain data, and as they are kept in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import bpy

from ..notes import LIKEWISE, MOTION, Note, Value, notes_from_text, text_from_notes
from .wording import WORDS, Reader, Severity, fill

# So many more motions are named beside the first; the rest is counted.
_MOST_NAMES = 3


def sort_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Each note once, the gravest first, otherwise in their order."""
    return tuple(sorted(dict.fromkeys(notes), key=find_severity))


def find_severity(note: Note) -> Severity:
    """How grave a note is."""
    return WORDS[note.kind].severity


def gather_motion_notes(rows: Iterable[tuple[str, Sequence[Note]]]) -> list[Note]:
    """Notes about several motions, each kind once for each foot.

    Parameters
    ----------
    rows
        Name and notes of each motion.

    Returns
    -------
    list of Note
        In the order of their first motion, with its name and numbers, and the names of the others.
    """
    first: dict[object, tuple[str, Note]] = {}
    others: dict[object, list[str]] = {}
    for name, notes in rows:
        for note in notes:
            # Notes that differ in numbers alone tell the same.
            names = tuple((k, v) for k, v in note.values.items() if not isinstance(v, int | float))
            key = (note.kind, note.leg, names)
            if key not in first:
                first[key] = (name, note)
                others[key] = []
            elif name != first[key][0] and name not in others[key]:
                others[key].append(name)
    return [_name_motion(note, name, others[key]) for key, (name, note) in first.items()]


def _name_motion(note: Note, name: str, others: Sequence[str]) -> Note:
    """A note with the motion that it is about, and others with the same."""
    likewise: dict[str, Value] = {LIKEWISE: tuple(others)} if others else {}
    return replace(note, values={**note.values, MOTION: name, **likewise})


def tell_case(note: Note) -> str:
    """What is the case, in words without a cure."""
    return fill(WORDS[note.kind].text, note)


def tell_cure(note: Note, reader: Reader = Reader.PANEL) -> str:
    """What to do about it, in words; empty where the words of the case say it."""
    words = WORDS[note.kind]
    return fill(words.cure if reader is Reader.PANEL else words.job_cure, note)


def tell_note(note: Note, reader: Reader = Reader.PANEL) -> str:
    """A note as a sentence with the cure, led by the name of the motion that it is about.

    Parameters
    ----------
    note
        What is told.
    reader
        Who is to cure it.
    """
    text, cure = tell_case(note), tell_cure(note, reader)
    if cure:
        text += f"{';' if ': ' in text else ':'} {cure}"
    name = note.values.get(MOTION, "")
    lead = f"{name}: " if name and repr(name) not in text else ""
    return lead + text + _name_others(note)


def tell_notes(notes: Iterable[Note], reader: Reader = Reader.PANEL) -> list[str]:
    """Each of some notes as a sentence."""
    return [tell_note(note, reader) for note in notes]


def tell_doubts(notes: Iterable[Note], reader: Reader = Reader.PANEL) -> list[str]:
    """Each of some doubts of a rig as a sentence; a cure that several have is told with the last."""
    told: list[str] = []
    cures: set[str] = set()
    for note in reversed(list(notes)):
        cure = tell_cure(note, reader)
        told.append(tell_case(note) if cure and cure in cures else tell_note(note, reader))
        cures.add(cure)
    return told[::-1]


def is_remark(note: Note) -> bool:
    """Whether it is good to know alone, and no warning."""
    return find_severity(note) is Severity.HINT


def _name_others(note: Note) -> str:
    """Who else has the same note, in brackets; empty for nobody."""
    names = note.values.get(LIKEWISE, ())
    if not isinstance(names, tuple) or not names:
        return ""
    shown = ", ".join(names[:_MOST_NAMES])
    left = len(names) - _MOST_NAMES
    return f" (likewise {shown}{f' and {left} more' if left > 0 else ''})"


def plain_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes as JSON tells them, beside their texts: kind, severity, leg, frame, place, values."""
    return [{"severity": find_severity(note).name.lower(), **note.as_dict()} for note in notes]


def keep_notes(group: bpy.types.PropertyGroup, notes: Sequence[Note]) -> None:
    """Keep notes in the properties ``notes`` and, in words, ``warnings`` of a group."""
    group.notes = text_from_notes(notes)
    group.warnings = "\n".join(tell_notes(notes))


def read_notes(group: bpy.types.PropertyGroup) -> tuple[Note, ...]:
    """Notes that a group keeps; those of a file of another version in the words that it keeps."""
    return notes_from_text(group.notes, group.warnings)


def word_doubts(armature: bpy.types.Object) -> None:
    """Keep the doubts of a rig and of its legs in words too, in ``reasons``."""
    character = armature.locomotion
    controls = character.controls
    for group in (character, *character.legs, controls, *controls.legs):
        group.reasons = "\n".join(tell_notes(read_doubts(group)))


def read_doubts(group: bpy.types.PropertyGroup) -> tuple[Note, ...]:
    """Doubts that a character or a leg keeps, the gravest first."""
    return sort_notes(notes_from_text(group.notes, group.reasons))
