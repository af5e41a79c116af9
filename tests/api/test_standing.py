# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Set Up tells of bodies of a mistaken unit or with mistaken axes."""

from __future__ import annotations

from math import log10, radians

import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Matrix, Vector

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api.refusals import refuse_rig
from semi_procedural_locomotion.blender.values.custom_keys import TURNED_KEY
from semi_procedural_locomotion.core.rig.legs import RigFindings
from semi_procedural_locomotion.core.rig.limits import HANGING
from semi_procedural_locomotion.errors import RigError
from semi_procedural_locomotion.notes import NoteKind, make_note
from tests.scenes import add_person, select_only

pytestmark = pytest.mark.newest
TOLD = {NoteKind.BODY_LIES, NoteKind.BODY_HUGE, NoteKind.BODY_TINY, NoteKind.FILE_TURNED}


def list_told(person):
    character = api.find_character(person)
    return character, [note for note in character.doubts if note.kind in TOLD]


@pytest.mark.parametrize(
    ("size", "kind"),
    [
        (1.0, None),
        (5.0, None),
        (0.1, None),
        (100.0, "BODY_HUGE"),
        (5000.0, "BODY_HUGE"),
        (0.01, "BODY_TINY"),
    ],
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
        assert told[0].values["factor"] == pytest.approx(10.0 ** -round(log10(size)))


@pytest.mark.parametrize(("size", "unit"), [(100.0, 0.01), (0.001, 1000.0)])
def test_a_usual_size_in_the_units_of_the_scene_is_not_told(size, unit):
    person = add_person()
    person.scale = (size,) * 3
    bpy.context.scene.unit_settings.scale_length = unit
    bpy.context.view_layer.update()
    assert list_told(person)[1] == []


def test_a_body_whose_feet_never_come_down_is_refused():
    person = add_person()
    person.matrix_world = Matrix.Rotation(radians(90.0), 4, "X")
    bpy.context.view_layer.update()
    with pytest.raises(RigError, match="seems to lie on its side, back or head"):
        list_told(person)


def test_a_body_on_its_back_or_belly_is_told_and_doubted():
    person = add_person()
    upright = api.find_character(person).confidence
    person.matrix_world = Matrix.Rotation(radians(-90.0), 4, "X")
    bpy.context.view_layer.update()
    character, told = list_told(person)
    assert [note.kind for note in told] == [NoteKind.BODY_LIES]
    assert character.confidence == character.rig.confidence <= 0.5 < upright
    for doubts in (character.doubts, character.rig.doubts):
        assert [n.kind for n in doubts].count(NoteKind.LEGS_UNSURE) == 1
        assert doubts[0].kind is NoteKind.LEGS_UNSURE
        assert doubts[0].values["confidence"] == character.confidence


def test_scale_and_turn_that_an_action_undoes_are_told():
    person = add_person()
    person.pose.bones[0].keyframe_insert("location", frame=1)
    person.keyframe_insert("scale", frame=1)
    person.keyframe_insert("rotation_euler", frame=1)

    def find_undone():
        doubts = api.find_character(person).doubts
        return [note.values for note in doubts if note.kind is NoteKind.OBJECT_KEYED]

    assert not find_undone()
    action = person.animation_data.action.name
    person.scale = (0.5,) * 3
    bpy.context.view_layer.update()
    assert find_undone() == [{"action": action, "channels": "scale"}]
    person.rotation_euler[2] = 0.6
    bpy.context.view_layer.update()
    assert find_undone() == [{"action": action, "channels": "rotation and scale"}]
    assert api.find_character(person).confidence > HANGING.upright


def test_a_place_that_an_action_undoes_is_told():
    person = add_person()
    person.pose.bones[0].keyframe_insert("location", frame=1)
    person.keyframe_insert("location", frame=1)

    def find_undone():
        doubts = api.find_character(person).doubts
        return [n.values["channels"] for n in doubts if n.kind is NoteKind.OBJECT_KEYED]

    assert not find_undone()
    person.location.x = 3.0
    bpy.context.view_layer.update()
    assert find_undone() == ["location"]


def test_connected_hips_are_told_with_what_to_do():
    person = add_person()

    def find_connected(body=None):
        doubts = api.find_character(person, body=body).doubts
        return [n.values["bone"] for n in doubts if n.kind is NoteKind.BODY_CONNECTED]

    names = api.find_character(person).rig.skeleton.names
    hips = names[api.find_character(person).rig.body]
    assert not find_connected()
    select_only(person)
    bpy.ops.object.mode_set(mode="EDIT")
    bones = person.data.edit_bones
    root = bones[hips].parent or bones.new("root")
    root.head, root.tail = bones[hips].head - Vector((0.0, 0.0, 0.2)), bones[hips].head
    bones[hips].parent, bones[hips].use_connect = root, True
    above = root.name
    bpy.ops.object.mode_set(mode="OBJECT")
    assert find_connected() == find_connected(hips) == [hips]
    assert not find_connected(above)


def test_a_file_that_was_turned_is_told():
    person = add_person()
    person[TURNED_KEY] = "Z"
    _, told = list_told(person)
    assert [(note.kind, note.values) for note in told] == [(NoteKind.FILE_TURNED, {"axis": "Z"})]


def test_a_refusal_tells_one_cause_and_one_cure_and_the_unit_apart():
    person = add_person()
    person.scale = (100.0,) * 3
    bpy.context.view_layer.update()
    error = refuse_rig(
        "Hero", RigFindings(None, 0.0, refusal="no walking legs found: why; cure"), []
    )
    assert (str(error), error.hints) == ("'Hero': no walking legs found: why; cure", ())
    lack = RigFindings(None, 0.0, refusal="no walking legs found: why", nameable=True)
    error = refuse_rig("Hero", lack, [])
    assert error.job_text == "'Hero': no walking legs found: why: name the bones of its `legs`"
    assert str(error).endswith(
        "why: name the bones of its legs, or use Add Leg from Selected Bones"
    )
    character, told = list_told(person)
    found = RigFindings(
        character.rig, 0.3, (make_note(NoteKind.FEET_IN_PHASE),), candidates="candidates: a"
    )
    error = refuse_rig("Hero", found, told)
    assert str(error).startswith(
        "'Hero': legs found only with confidence 0.30 (both feet move in phase): name"
    )
    assert str(error).count(": ") == 2
    assert error.job_text.endswith("move in phase): name the bones of its `legs`")
    assert error.hints[0].startswith("found: ")
    assert error.hints[1].startswith("it is ")
    lies = make_note(NoteKind.BODY_LIES)
    error = refuse_rig(
        "Hero", RigFindings(None, 0.0, refusal="no walking legs found: why"), [*told, lies]
    )
    assert str(error).startswith("'Hero': no walking legs found: it seems to lie on its side")
    assert [hint[:5] for hint in error.hints] == ["it is"]
