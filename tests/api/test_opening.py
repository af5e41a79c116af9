# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which character of a file is taken, and what is told of files without one."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion import api
from semi_procedural_locomotion.api import opening
from semi_procedural_locomotion.api.files import report_file
from semi_procedural_locomotion.api.opening import choose_armatures, list_armatures, open_blend
from semi_procedural_locomotion.api.setups import set_up
from semi_procedural_locomotion.blender.values.libraries import override_armature
from semi_procedural_locomotion.errors import AnalysisError, FileError, RigError
from semi_procedural_locomotion.jobs.reading import parse_job
from semi_procedural_locomotion.ui.targets import describe_instance
from tests.scenes import add_person


def add_copy(armature, name, with_constraints=False):
    """An armature with the same bones, which may copy the first one's."""
    other = armature.copy()
    other.data = armature.data.copy()
    other.name = name
    if other.animation_data is not None:
        other.animation_data_clear()
    bpy.context.scene.collection.objects.link(other)
    for bone in other.pose.bones if with_constraints else ():
        constraint = bone.constraints.new("COPY_TRANSFORMS")
        constraint.target, constraint.subtarget = armature, bone.name
    return other


def choose():
    return [item.name for item in choose_armatures(list_armatures())]


def test_the_armature_that_moves_meshes_is_taken():
    person = add_person()
    add_copy(person, "A Spare")
    assert choose() == [person.name]


def test_a_rig_is_taken_before_what_copies_it():
    person = add_person()
    game = add_copy(person, "Game Rig", with_constraints=True)
    for item in bpy.data.objects:
        for modifier in item.modifiers:
            if modifier.type == "ARMATURE":
                modifier.object = game
    assert choose() == [person.name]


def test_one_without_bones_and_one_that_is_hidden_come_last():
    person = add_person()
    empty = bpy.data.objects.new("A", bpy.data.armatures.new("A"))
    bpy.context.scene.collection.objects.link(empty)
    assert choose() == [person.name]
    other = add_person()
    assert sorted(choose()) == sorted([person.name, other.name])
    person.hide_viewport = True
    bpy.context.view_layer.update()
    assert choose() == [other.name]


def test_the_same_character_twice_is_one():
    person = add_person()
    twin = person.copy()
    bpy.context.scene.collection.objects.link(twin)
    for mesh in [o for o in bpy.data.objects if o.type == "MESH"]:
        copy = mesh.copy()
        copy.parent = twin
        copy.modifiers[0].object = twin
        bpy.context.scene.collection.objects.link(copy)
    assert choose() == [person.name]


@pytest.fixture
def library(tmp_path):
    """A file with a character in a collection."""
    add_person()
    scene = bpy.context.scene
    collection = bpy.data.collections.new("Hero")
    scene.collection.children.link(collection)
    for item in list(scene.collection.objects):
        collection.objects.link(item)
        scene.collection.objects.unlink(item)
    path = tmp_path / "hero.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def save_linked(library, name, kind):
    """A file beside it that links the collection: plain, as an instance, or overridden."""
    opening.open_empty()
    scene = bpy.context.scene
    with bpy.data.libraries.load(str(library), link=True, relative=False) as (_, into):
        into.collections = ["Hero"]
    (linked,) = into.collections
    if kind == "instance":
        item = bpy.data.objects.new("Shown", None)
        item.instance_type, item.instance_collection = "COLLECTION", linked
        scene.collection.objects.link(item)
    else:
        scene.collection.children.link(linked)
    if kind == "override":
        linked.override_hierarchy_create(scene, scene.view_layers[0], do_fully_editable=True)
    path = library.parent / name
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


@pytest.mark.parametrize("kind", ["plain", "instance", "override"])
def test_linked_characters_are_taken_and_a_missing_file_is_the_cause(library, kind):
    path = save_linked(library, "shot.blend", kind)
    open_blend(path)
    (armature,) = list_armatures()
    editable = override_armature(armature, bpy.context.scene)
    assert editable.library is None
    assert len(editable.data.bones) > 0
    # Nothing of what it was made from is shown beside it.
    if kind != "override":
        assert not [item for item in bpy.context.scene.objects if item.library is not None]
    library.unlink()
    job = parse_job({"character": [{"file": path.name}]}, path)
    for use in (
        lambda: api.inspect_file(path),
        lambda: api.bake_blend(path, path.with_name("baked.blend")),
        lambda: api.bake_job(job, path.with_name("baked.blend")),
        lambda: report_file(path),
    ):
        with pytest.raises(
            (FileError, RigError), match=r"'hero.blend' is missing \(looked for at"
        ) as error:
            use()
        assert str(library) in str(error.value)


def test_what_stands_for_a_missing_file_is_told_where_it_is_selected(library):
    path = save_linked(library, "shot.blend", "instance")
    library.unlink()
    open_blend(path)
    bpy.context.view_layer.objects.active = bpy.data.objects["Shown"]
    told = describe_instance(bpy.context)
    assert told.startswith("Shown shows nothing: the linked file 'hero.blend' is missing")


def test_linked_actions_of_a_missing_file_are_the_cause(tmp_path):
    """The armature is the file's own and its actions are linked, before and after it was set up."""
    walks, shot = tmp_path / "walks.blend", tmp_path / "shot.blend"
    person = add_person()
    bpy.data.libraries.write(str(walks), set(bpy.data.actions))
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    with bpy.data.libraries.load(str(walks), link=True, relative=False) as (there, into):
        into.actions = list(there.actions)
    person.animation_data_create().action = into.actions[0]
    bpy.ops.wm.save_as_mainfile(filepath=str(shot))
    set_up(person)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "ready.blend"))
    walks.unlink()
    for path in (shot, tmp_path / "ready.blend"):
        with pytest.raises(
            (AnalysisError, FileError, RigError), match=r"missing: the linked file 'walks.blend' is"
        ):
            api.bake_job(
                parse_job({"character": [{"file": path.name}]}, path), tmp_path / "b.blend"
            )


def test_an_armature_in_another_scene_is_told(tmp_path):
    bpy.context.scene.name = "Set"
    person = add_person()
    other = bpy.data.scenes.new("Shot")
    other.collection.objects.link(person)
    bpy.context.scene.collection.objects.unlink(person)
    path = tmp_path / "shot.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    with pytest.raises(FileError, match="scene 'Set'; 'Shot' has 'Walker'"):
        api.inspect_file(path)


def test_a_blend_of_a_later_blender_names_both(tmp_path):
    path = tmp_path / "new.blend"
    path.write_bytes(b"BLENDER-v899" + bytes(64))
    with pytest.raises(FileError, match=r"saved by Blender 8\.99, which Blender \d+\.\d+ cannot"):
        open_blend(path)
