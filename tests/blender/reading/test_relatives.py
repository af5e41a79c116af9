# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several armatures of one character is the one to animate."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.reading.relatives import note_relatives
from tests.scenes import add_person


def copy_bare(armature, name, prefix=""):
    """An armature with the same bones and no meshes, whose names a generator may have marked."""
    other = armature.copy()
    other.data = armature.data.copy()
    other.name = name
    bpy.context.scene.collection.objects.link(other)
    for bone in other.data.bones:
        bone.name = prefix + bone.name
    return other


def list_told(armature):
    notes = note_relatives(armature, bpy.context.scene)
    return [(note.values["case"], note.values["armature"]) for note in notes]


@pytest.mark.parametrize("prefix", ["ORG-", "DEF-"])
def test_a_metarig_tells_of_the_rig_that_was_generated_from_it(prefix):
    model = add_person()
    rig = copy_bare(model, "rig", prefix)
    assert list_told(model) == [("generated", "rig")]
    # The meshes still hang on the metarig, which an animator has to know too.
    assert list_told(rig) == [("alike", model.name)]


def test_an_armature_without_meshes_tells_of_its_twin_that_has_them():
    person = add_person()
    twin = copy_bare(person, "Twin")
    assert list_told(twin) == [("alike", person.name)]
    assert list_told(person) == []


def test_characters_of_one_kind_and_armatures_elsewhere_are_not_taken_for_one():
    first, second = add_person(), add_person()
    assert list_told(first) == list_told(second) == []
    twin = copy_bare(first, "Twin")
    other = bpy.data.scenes.new("Other")
    assert note_relatives(twin, other) == ()


def test_set_up_names_the_armature_to_select():
    model = add_person()
    copy_bare(model, "rig", "ORG-")
    bpy.context.view_layer.objects.active = model
    model.select_set(True)
    bpy.ops.anim.locomotion_setup()
    assert "select 'rig'" in model.locomotion.reasons
