# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notes carry what their kind says, and come back from files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.notes import (
    Note,
    NoteKind,
    make_note,
    note_from_dict,
    notes_from_text,
    text_from_notes,
)
from semi_procedural_locomotion.notes.kinds import UNITS

SLIDES = make_note(NoteKind.FOOT_SLIDES, "Left", 12, share=0.0234, length=0.02)
STEP = make_note(
    NoteKind.WAY_END_MOVED, "Left", place=np.ones(3), distance=1.0, wall="Step", starts=1
)
TOUCHING = make_note(NoteKind.OTHERS_TOUCH_GROUND, bones=("tail", "head"))


CAUSE = replace(STEP, symptoms=(SLIDES,))


@pytest.mark.parametrize("note", [SLIDES, STEP, TOUCHING, CAUSE])
def test_notes_are_plain_data_and_back(note):
    plain = json.loads(json.dumps(note.as_dict(), allow_nan=False))
    assert list(plain)[:5] == ["kind", "leg", "frame", "place", "values"]
    assert ("symptoms" in plain) == bool(note.symptoms)
    assert note_from_dict(plain) == note


def test_numbers_of_numpy_become_plain_ones():
    note = make_note(
        NoteKind.FOOT_SLIDES, "Left", np.float64(11.6), share=np.float32(0.5), length=1
    )
    assert (note.frame, note.values["share"]) == (12, 0.5)
    assert type(note.frame) is int
    assert type(note.values["share"]) is float


def test_a_note_carries_what_its_kind_says():
    with pytest.raises(ValueError, match="carries"):
        Note(NoteKind.FOOT_SLIDES, "Left", 1)
    with pytest.raises(ValueError, match="carries"):
        make_note(NoteKind.CONTACT_TWICE, share=0.1)
    named = replace(SLIDES, values={**SLIDES.values, "motion": "Walk"})
    assert named != SLIDES


def test_notes_of_a_newer_version_are_not_known():
    assert note_from_dict({"kind": "foot_sings", "values": {}}) is None
    assert note_from_dict({"kind": "foot_slides", "values": {"loudness": 3}}) is None


def test_kept_notes_are_read_again():
    assert notes_from_text(text_from_notes([SLIDES, STEP]), "other words") == (SLIDES, STEP)
    assert text_from_notes([]) == ""
    assert notes_from_text("", "") == ()


@pytest.mark.parametrize(
    "text", ["", json.dumps([SLIDES.as_dict(), {"kind": "foot_sings", "values": {}}])]
)
def test_words_stand_in_for_notes_that_this_version_cannot_read(text):
    older = notes_from_text(text, "the foot slides\nit sings")
    assert [note.kind for note in older] == [NoteKind.OLDER_TEXT] * 2
    assert [note.values["text"] for note in older] == ["the foot slides", "it sings"]
    assert notes_from_text(text_from_notes(older), "") == older


@pytest.mark.parametrize("kind", NoteKind)
def test_kinds_have_a_name_in_files_and_say_what_they_carry(kind):
    assert kind.value == kind.name.lower()
    assert NoteKind(kind.value) is kind
    assert set(kind.carries) <= {name for names in UNITS.values() for name in names.split()}
