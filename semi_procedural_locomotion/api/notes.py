# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes in order, told in words, as plain data, and as they are kept in files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

import bpy

from ..notes import LIKEWISE, MOTION, Note, NoteKind, Value, notes_from_text, text_from_notes
from ..notes.units import Units
from .wording import Reader, Severity, fill, find_words

OFF_GROUND = frozenset({NoteKind.WALK_AIRBORNE, NoteKind.PRINT_WITHOUT_GROUND})
"""What is seen where the ground under a walk is gone."""

SYMPTOMS = frozenset(
    {
        NoteKind.FOOT_SLIDES,
        NoteKind.FOOT_CUTS_GROUND,
        NoteKind.FOOT_SINKS,
        NoteKind.FOOT_FLOATS,
        NoteKind.FOOT_JUMPS,
        NoteKind.FOOT_MISSES,
        NoteKind.KNEE_FAST,
        NoteKind.LEG_WHIRLS,
        NoteKind.BODY_CUTS_GROUND,
        NoteKind.BODY_OFF_TRAVEL,
        *OFF_GROUND,
    }
)
"""What is seen of a walk that something else spoils."""

CAUSES = frozenset(
    {
        NoteKind.OFF_PLAN,
        NoteKind.MESH_NOT_MOVED,
        NoteKind.FEET_SHAPED,
        NoteKind.FOOTWEAR_HIDDEN,
        NoteKind.FOOTWEAR_UNREAD,
        NoteKind.SOLES_SINCE_BAKE,
        NoteKind.SOLES_OUTDATED,
        NoteKind.FOOTSTEP_OFF_GROUND,
        NoteKind.GROUND_CHANGED,
        NoteKind.RATE_CHANGED,
        NoteKind.BAKE_OUTDATED,
        NoteKind.CONSTRAINT_ACTS,
        NoteKind.RENDER_OTHER_FEET,
    }
)
"""What spoils a walk that was planned well."""

# So many more motions are named beside the first; the rest is counted.
_MOST_NAMES = 3


def sort_notes(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Each note once, the gravest first, otherwise in their order."""
    return tuple(sorted(dict.fromkeys(notes), key=find_severity))


def put_causes_first(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Notes in order, the first cause of all with what is seen for it below."""
    ordered = sort_notes(notes)
    cause = next((note for note in ordered if note.kind in CAUSES), None)
    if cause is None:
        return ordered
    symptoms = tuple(note for note in ordered if note.kind in SYMPTOMS)
    left = [note for note in ordered if note is not cause and note.kind not in SYMPTOMS]
    others = [note for note in left if note.kind in CAUSES]
    rest = [note for note in left if note.kind not in CAUSES]
    return (replace(cause, symptoms=symptoms), *others, *rest)


def find_severity(note: Note) -> Severity:
    """How grave a note is."""
    return find_words(note).severity


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


def find_units() -> Units:
    """The units of the scene that is shown."""
    settings = bpy.context.scene.unit_settings
    return Units(settings.system, settings.scale_length, settings.length_unit)


def plain_units() -> dict[str, dict[str, str | float]]:
    """The same as a report holds them."""
    return {"units": asdict(find_units())}


def tell_case(note: Note) -> str:
    """What is the case, in words without a cure."""
    return fill(find_words(note).text, note, find_units())


def tell_cure(note: Note, reader: Reader = Reader.PANEL) -> str:
    """What to do about it, in words; empty where the words of the case say it."""
    words = find_words(note)
    return fill(words.cure if reader is Reader.PANEL else words.job_cure, note, find_units())


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
    seen = "; ".join(map(tell_case, note.symptoms))
    return lead + text + _name_others(note) + (f" (seen as: {seen})" if seen else "")


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


def count_misses(notes: Iterable[Note]) -> int:
    """Frames of all feet that legs do not bring to their place, as notes and their symptoms tell."""
    told = [each for note in notes for each in (note, *note.symptoms)]
    counts = [n.values.get("frames") for n in told if n.kind is NoteKind.FOOT_MISSES]
    return sum(count for count in counts if isinstance(count, int))


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
