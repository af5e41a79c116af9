# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-ups on library overrides: the same after saving and loading, whatever the library holds."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.setup.values import move_entry, read_values, write_values
from semi_procedural_locomotion.blender.values.custom_keys import OVERRIDES_KEY
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits

POINTS = [(0.0, 0.0), (0.0, -3.0), (2.0, -3.0)]


def select(armature):
    for item in bpy.context.view_layer.objects:
        item.select_set(item == armature)
    bpy.context.view_layer.objects.active = armature


@functools.cache
def read_library(path, is_set_up):
    """Bytes of a file with a collection of a person who walks, runs and stands, made in a path."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    collection = bpy.data.collections.new("Hero")
    scene.collection.children.link(collection)
    armature = create_biped(collection)
    write_gaits(armature, make_biped_shape(), ["walk", "run", "rest"])
    for action in bpy.data.actions:
        action.use_fake_user = True
    select(armature)
    if is_set_up:
        bpy.ops.anim.locomotion_setup()
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return Path(path).read_bytes()


def save_library(path, is_set_up, change=None):
    """The same as a file, with a change of the set-up; it is made once and written again."""
    Path(path).write_bytes(read_library(str(Path(path).parent.parent / "library.blend"), is_set_up))
    if change:
        bpy.ops.wm.open_mainfile(filepath=path)
        change(bpy.context.object.locomotion)
        bpy.ops.wm.save_mainfile()


def override_hero(path):
    """A new file with an editable override of that collection; its armature."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 40
    with bpy.data.libraries.load(path, link=True) as (held, wanted):
        wanted.collections, wanted.actions = ["Hero"], held.actions
    place = bpy.data.objects.new("Place", None)
    scene.collection.objects.link(place)
    place.instance_type, place.instance_collection = "COLLECTION", wanted.collections[0]
    wanted.collections[0].override_hierarchy_create(
        scene, bpy.context.view_layer, reference=place, do_fully_editable=True
    )
    bpy.data.objects.remove(place)
    armature = find_hero()
    select(armature)
    return armature


def find_hero():
    return next(o for o in bpy.data.objects if o.type == "ARMATURE" and o.override_library)


def describe(value):
    """The values of a set-up with data-blocks as names, which outlive loading."""
    if isinstance(value, dict):
        return {name: describe(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [describe(inner) for inner in value]
    if isinstance(value, bpy.types.ID):
        return (value.name, value.library and value.library.name)
    return value


def list_records():
    return [scene[OVERRIDES_KEY] for scene in bpy.data.scenes if OVERRIDES_KEY in scene]


def save_and_load(path):
    """Save the file and load it again; the set-up before, after saving and after loading."""
    states = [describe(read_values(find_hero().locomotion))]
    bpy.ops.wm.save_as_mainfile(filepath=path)
    states.append(describe(read_values(find_hero().locomotion)))
    assert list_records() == []
    bpy.ops.wm.open_mainfile(filepath=path)
    states.append(describe(read_values(find_hero().locomotion)))
    assert list_records() == []
    return states


@pytest.fixture
def files(tmp_path):
    return str(tmp_path / "library.blend"), str(tmp_path / "shot.blend")


@pytest.mark.parametrize("is_set_up", [False, True])
def test_overrides_stay_as_they_were(files, is_set_up):
    library, shot = files
    save_library(library, is_set_up)
    armature = override_hero(library)
    data = armature.locomotion
    bpy.ops.anim.locomotion_setup()
    assert len(data.legs) == 2
    own = data.motions[1].action.copy()
    own.name = "Own"
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="ADD")
    data.motions[-1].action = own
    bpy.ops.anim.locomotion_list(target="GROUPS", change="ADD")
    bpy.ops.anim.locomotion_list(target="GROUPS", change="ADD")
    data.motions[0].group, data.settings.toe_clearance = "tired", 0.125
    data.travel.source = "POINTS"
    for point in POINTS:
        data.travel.points.add().location = point
    water = bpy.data.objects.new("Water", None)
    bpy.context.scene.collection.objects.link(water)
    water.select_set(True)
    assert bpy.ops.anim.locomotion_leave_out() == {"FINISHED"}
    bpy.ops.anim.locomotion_list(target="LEFT_OUT", change="ADD")
    data.ground.left_out[1].is_collection = data.ground.leave_out_small = True
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert data.report.values
    before, saved, loaded = save_and_load(shot)
    assert saved == before
    assert loaded == before
    assert [point["location"] for point in loaded["travel"]["points"]] == list(map(list, POINTS))
    assert loaded["motions"][-1]["action"] == ("Own", None)
    assert loaded["ground"]["left_out"][0]["object"] == ("Water", None)
    assert loaded["ground"]["left_out"][1]["is_collection"]
    before, saved, loaded = save_and_load(shot)
    assert before == saved == loaded
    armature = find_hero()
    select(armature)
    assert find_bake(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert len(armature.locomotion.legs) == 2
    actions = [entry.action for entry in armature.locomotion.motions]
    assert len(actions) == len(set(actions)) == 4
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}


def test_registering_after_loading_restores_as_well(files, registered_package):
    library, shot = files
    save_library(library, is_set_up=False)
    override_hero(library)
    bpy.ops.anim.locomotion_setup()
    before = describe(read_values(find_hero().locomotion))
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    registered_package.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=shot)
        assert len(list_records()) == 1
    finally:
        registered_package.register()
    assert list_records() == []
    assert describe(read_values(find_hero().locomotion)) == before


def test_lists_of_overrides_can_be_edited(files):
    library, shot = files

    def change(data):
        for point in POINTS:
            data.travel.points.add().location = point

    save_library(library, is_set_up=True, change=change)
    data = override_hero(library).locomotion
    travel = data.travel
    travel.active_point = 0
    assert bpy.ops.anim.locomotion_list(target="POINTS", change="REMOVE") == {"FINISHED"}
    assert bpy.ops.anim.locomotion_list(target="POINTS", change="DOWN") == {"FINISHED"}
    assert [tuple(p.location) for p in travel.points] == [POINTS[2], POINTS[1]]
    first = data.motions[0].action
    move_entry(data, "motions", 0, 2)
    assert data.motions[2].action == first
    data.active_motion = 1
    bpy.ops.anim.locomotion_list(target="MOTIONS", change="REMOVE")
    assert len(data.motions) == 2
    before, saved, loaded = save_and_load(shot)
    assert before == saved == loaded


def reload_library():
    bpy.data.libraries[0].reload()


def resynchronise():
    scene, layer = bpy.context.scene, bpy.context.view_layer
    assert find_hero().override_library.resync(scene, view_layer=layer)


@pytest.mark.parametrize("is_set_up", [False, True])
@pytest.mark.parametrize("is_loaded", [False, True])
@pytest.mark.parametrize("make_anew", [reload_library, resynchronise])
def test_overrides_keep_their_own_where_blender_makes_them_anew(
    files, is_set_up, is_loaded, make_anew
):
    library, shot = files
    save_library(library, is_set_up)
    data = override_hero(library).locomotion
    bpy.ops.anim.locomotion_setup()
    data.settings.lean = 0.25
    for point in POINTS:
        data.travel.points.add().location = point
    bpy.ops.anim.locomotion_bake()
    bpy.context.view_layer.update()
    if is_loaded:
        save_and_load(shot)
    before = describe(read_values(find_hero().locomotion))
    make_anew()
    bpy.context.view_layer.update()
    assert describe(read_values(find_hero().locomotion)) == before
    # Other changes than a reload, such as those of undo, are left alone.
    armature = find_hero()
    armature.locomotion.settings.lean = 0.75
    armature.update_tag()
    bpy.context.view_layer.update()
    assert armature.locomotion.settings.lean == 0.75


def test_new_overrides_of_a_name_begin_afresh(files):
    library, _ = files
    save_library(library, is_set_up=False)
    first = override_hero(library)
    bpy.ops.anim.locomotion_setup()
    bpy.context.view_layer.update()
    name, scene = first.name, bpy.context.scene
    second = first.override_library.reference.override_create()
    scene.collection.objects.link(second)
    bpy.context.view_layer.update()
    first.name, second.name = "Other", name
    second.update_tag()
    bpy.context.view_layer.update()
    assert second.name == name
    assert (len(first.locomotion.legs), len(second.locomotion.legs)) == (2, 0)
    bpy.data.objects.remove(first)
    bpy.data.objects.remove(second)
    bpy.context.view_layer.update()
    third = next(o for o in bpy.data.objects if o.type == "ARMATURE").override_create()
    third.name = name
    scene.collection.objects.link(third)
    bpy.context.view_layer.update()
    assert not len(third.locomotion.legs)


def test_what_an_override_leaves_alone_follows_its_library(files):
    library, shot = files
    save_library(library, is_set_up=True)
    data = override_hero(library).locomotion
    data.settings.lean = 0.25
    save_and_load(shot)

    def change(data):
        data.settings.toe_clearance = 0.0625
        data.settings.lean = 0.5
        data.legs[0].heel.offset.z += 1.0

    save_library(library, is_set_up=True, change=change)
    bpy.ops.wm.open_mainfile(filepath=shot)
    armature = find_hero()
    data, base = armature.locomotion, armature.override_library.reference.locomotion
    assert data.settings.toe_clearance == 0.0625
    assert data.settings.lean == 0.25
    assert tuple(data.legs[0].heel.offset) == tuple(base.legs[0].heel.offset)


def test_pointers_to_overrides_stay_with_them(files):
    library, shot = files

    def change(data):
        curve = bpy.data.objects.new("Way", bpy.data.curves.new("Way", "CURVE"))
        bpy.data.collections["Hero"].objects.link(curve)
        data.travel.curve = curve

    save_library(library, is_set_up=True, change=change)
    data = override_hero(library).locomotion
    assert data.travel.curve.override_library
    data.ground.objects.add().object = data.travel.curve
    before, _, loaded = save_and_load(shot)
    assert loaded == before
    assert loaded["travel"]["curve"] == loaded["ground"]["objects"][0]["object"] == ("Way", None)


def test_linked_characters_are_told_to_be_overridden(files):
    library, _ = files
    save_library(library, is_set_up=True)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(library, link=True) as (_, wanted):
        wanted.collections = ["Hero"]
    place = bpy.data.objects.new("Place", None)
    bpy.context.scene.collection.objects.link(place)
    place.instance_type, place.instance_collection = "COLLECTION", wanted.collections[0]
    select(place)
    words = r"library override of it first \(Object > Library Override > Make\)"
    with pytest.raises(RuntimeError, match=f"Place shows a character of another file.*{words}"):
        bpy.ops.anim.locomotion_setup()
    bpy.context.scene.collection.children.link(wanted.collections[0])
    select(next(o for o in bpy.data.objects if o.type == "ARMATURE"))
    with pytest.raises(RuntimeError, match=f"is linked from another file.*{words}"):
        bpy.ops.anim.locomotion_bake()


def test_instances_of_local_characters_name_their_armature():
    collection = bpy.data.collections.new("Cast")
    armature = create_biped(collection)
    place = bpy.data.objects.new("Place", None)
    bpy.context.scene.collection.objects.link(place)
    place.instance_type, place.instance_collection = "COLLECTION", collection
    select(place)
    with pytest.raises(RuntimeError, match=f"shows the collection Cast: select {armature.name}"):
        bpy.ops.anim.locomotion_bake()
    place.instance_collection = bpy.data.collections.new("Props")
    with pytest.raises(RuntimeError, match="Select an armature"):
        bpy.ops.anim.locomotion_bake()


def test_files_without_overrides_hold_no_record(tmp_path):
    armature = create_biped(bpy.context.scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk"])
    select(armature)
    bpy.ops.anim.locomotion_setup()
    path = str(tmp_path / "plain.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(path) as (held, wanted):
        wanted.scenes = held.scenes
    assert not any(OVERRIDES_KEY in scene for scene in wanted.scenes)


def test_values_of_newer_versions_are_left_out():
    data = create_biped(bpy.context.scene.collection).locomotion
    write_values(data, {"travel": {"source": "TELEPORT", "speed": 2.0}, "wings": 2})
    assert data.travel.source == "STRAIGHT"
    assert data.travel.speed == 2.0
