# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Set Up tells of bodies of a mistaken unit or with mistaken axes."""

from __future__ import annotations

from math import radians

import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Matrix

from semi_procedural_locomotion import api
from semi_procedural_locomotion.blender.values.custom_keys import TURNED_KEY
from semi_procedural_locomotion.core.rig.limits import HANGING
from semi_procedural_locomotion.notes import NoteKind
from tests.scenes import add_person

pytestmark = pytest.mark.newest
TOLD = {NoteKind.BODY_LIES, NoteKind.BODY_HUGE, NoteKind.BODY_TINY, NoteKind.FILE_TURNED}


def list_told(person):
    character = api.find_character(person)
    return character, [note for note in character.doubts if note.kind in TOLD]


@pytest.mark.parametrize(
    ("size", "kind"),
    [(1.0, None), (5.0, None), (0.1, None), (100.0, "BODY_HUGE"), (0.01, "BODY_TINY")],
)
def test_units_are_told_once_and_refused_never(size, kind):
    person = add_person()
    person.scale = (size,) * 3
    bpy.context.view_layer.update()
    character, told = list_told(person)
    assert [note.kind.name for note in told] == ([] if kind is None else [kind])
    assert character.confidence > HANGING.upright
    if kind is not None:
        assert told[0].values["height"] == pytest.approx(1.8 * size, rel=0.2)


@pytest.mark.parametrize("degrees", [90.0, -90.0])
def test_a_body_on_its_back_or_belly_is_told_and_doubted(degrees):
    person = add_person()
    upright = api.find_character(person).confidence
    person.matrix_world = Matrix.Rotation(radians(degrees), 4, "X")
    bpy.context.view_layer.update()
    character, told = list_told(person)
    assert [note.kind for note in told] == [NoteKind.BODY_LIES]
    assert character.confidence == character.rig.confidence <= 0.5 < upright


def test_a_file_that_was_turned_is_told():
    person = add_person()
    person[TURNED_KEY] = "Z"
    _, told = list_told(person)
    assert [(note.kind, note.values) for note in told] == [(NoteKind.FILE_TURNED, {"axis": "Z"})]
