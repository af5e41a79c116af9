# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes, and their form in files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from .kinds import NoteKind

Value = float | int | str | tuple[str, ...]

# What any note about a clip may tell besides its kind's own values: the name of its motion, and
# other motions with the same note.
MOTION, LIKEWISE = "motion", "likewise"


@dataclass(frozen=True)
class Note:
    """One thing to mind.

    Attributes
    ----------
    kind
        What is told.
    leg
        Name of the leg that it is about; None where it is about none or several.
    frame
        Scene frame at which it is seen, the first or the worst; None where it has none.
    place
        World x, y, z of it in metres; None where it has none.
    values
        What the kind carries, plain numbers and texts; beside it, of clips, `MOTION` and `LIKEWISE`.
    symptoms
        What is seen for it, which is no cause by itself.

    Raises
    ------
    ValueError
        For values that the kind does not carry, or without one that it carries.
    """

    kind: NoteKind
    leg: str | None = None
    frame: int | None = None
    place: tuple[float, float, float] | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    symptoms: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        plain = {name: _make_plain(value) for name, value in self.values.items()}
        if set(plain) - {MOTION, LIKEWISE} != set(self.kind.carries):
            raise ValueError(
                f"a note of {self.kind.value!r} carries {sorted(self.kind.carries)}, "
                f"got {sorted(plain)}"
            )
        object.__setattr__(self, "values", MappingProxyType(plain))

    def __hash__(self) -> int:
        return hash((self.kind, self.leg, self.frame, self.place))

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as JSON can hold it; see `note_from_dict`."""
        values = {k: list(v) if isinstance(v, tuple) else v for k, v in self.values.items()}
        place = None if self.place is None else list(self.place)
        plain = {
            "kind": self.kind.value,
            "leg": self.leg,
            "frame": self.frame,
            "place": place,
            "values": values,
        }
        if self.symptoms:
            plain["symptoms"] = [note.as_dict() for note in self.symptoms]
        return plain


def make_note(
    kind: NoteKind,
    leg: str | None = None,
    frame: float | None = None,
    place: Sequence[float] | np.ndarray | None = None,
    **values: Value,
) -> Note:
    """A note from numbers of any type; frames are rounded to the nearest.

    Parameters
    ----------
    kind, leg
        As of `Note`.
    frame
        Scene frame, may lie between two.
    place
        World, metres, shape (3,).
    **values
        What the kind carries.
    """
    whole = None if frame is None else round(float(frame))
    at = None if place is None else (float(place[0]), float(place[1]), float(place[2]))
    return Note(kind, leg, whole, at, values)


def note_from_dict(data: Mapping[str, Any]) -> Note | None:
    """A note from plain data, the inverse of `Note.as_dict`.

    Returns
    -------
    Note or None
        None for what this version does not know, as from a file of a newer one.
    """
    try:
        leg, frame, place = data.get("leg"), data.get("frame"), data.get("place")
        symptoms = [note_from_dict(entry) for entry in data.get("symptoms", ())]
        return Note(
            NoteKind(data["kind"]),
            None if leg is None else str(leg),
            None if frame is None else int(frame),
            None if place is None else (float(place[0]), float(place[1]), float(place[2])),
            data.get("values", {}),
            tuple(note for note in symptoms if note is not None),
        )
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError):
        return None


def text_from_notes(notes: Iterable[Note]) -> str:
    """Notes as one text that a file can keep; empty for none. See `notes_from_text`."""
    plain = [note.as_dict() for note in notes]
    return json.dumps(plain) if plain else ""


def notes_from_text(text: str, words: str) -> tuple[Note, ...]:
    """Notes that a file keeps.

    Parameters
    ----------
    text
        As `text_from_notes` makes it; empty in files of versions that kept words alone.
    words
        The same in words, a line for each, which stand in for what this version does not know.
    """
    try:
        notes = [note_from_dict(entry) for entry in json.loads(text)] if text else []
    except (ValueError, TypeError, RecursionError):
        notes = []
    known = tuple(note for note in notes if note is not None)
    if known and len(known) == len(notes):
        return known
    return tuple(make_note(NoteKind.OLDER_TEXT, text=line) for line in words.splitlines())


def _make_plain(value: Any) -> Value:  # noqa: ANN401 - whatever finds a note
    """A number or text of Python's own, a tuple of texts."""
    if isinstance(value, np.generic):
        value = value.item()
    return tuple(value) if isinstance(value, list | tuple) else value
