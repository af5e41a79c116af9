# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of the main flow, as scripts and buttons call them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_set_up
from semi_procedural_locomotion.api.notes import find_severity, is_remark, read_notes
from semi_procedural_locomotion.api.wording import Reader
from semi_procedural_locomotion.blender import versions
from semi_procedural_locomotion.blender.bake.writing import find_bake
from semi_procedural_locomotion.blender.values.bake_record import read_record
from semi_procedural_locomotion.demo.characters import create_biped
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.ui import wording
from tests.api.test_shown_agreement import FILES, prepare
from tests.scenes import add_person

WALK, REST = "Walker Walk", "Walker Rest"


@pytest.fixture
def walker():
    """The project's person with a walk and a rest, selected and active."""
    scene = bpy.context.scene
    armature = add_person()
    scene.frame_start, scene.frame_end = 1, 40
    select(armature)
    return armature


@pytest.fixture
def ready():
    """The same after Set Up."""
    armature = add_person(is_set_up=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 40
    return armature


def select(*items):
    """Select only these objects; the first is active."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0] if items else None
    bpy.context.view_layer.update()


def second_walker(place=2.0):
    """Another person beside the first, which shares its actions."""
    armature = create_biped(bpy.context.scene.collection)
    armature.location.x = place
    return armature


def read_state():
    """What an operator has to leave as it found it."""
    layer = bpy.context.view_layer
    return {
        "mode": bpy.context.mode,
        "active": layer.objects.active and layer.objects.active.name,
        "selected": sorted(item.name for item in layer.objects.selected),
        "hidden": sorted(item.name for item in layer.objects if item.hide_get()),
        "frame": (bpy.context.scene.frame_current, bpy.context.scene.frame_subframe),
        "scenes": len(bpy.data.scenes),
        "objects": len(bpy.data.objects),
    }


def read_curves(armature):
    """All keys of the action that an armature plays."""
    action, slot = versions.get_assigned_action(armature)
    return {
        (curve.data_path, curve.array_index): [tuple(key.co) for key in curve.keyframe_points]
        for curve in versions.get_curves(action, slot)
    }


def count_frames(armature):
    """First and last frame of an armature's bake."""
    return read_record(find_bake(armature)).span


def names(*given):
    """Names in the form in which operators take them."""
    return [{"name": name} for name in given]


def test_set_up_finds_legs_and_motions_and_says_so(walker, capfd):
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert [leg.side for leg in walker.locomotion.legs] == ["L", "R"]
    assert {entry.action.name for entry in walker.locomotion.motions} == {WALK, REST}
    assert "Found 2 legs, 2 motions, 1.31 m/s" in capfd.readouterr().out


def test_names_never_reach_a_terminal_raw(walker, capfd):
    walker.name = "\x1b[31mMan\x07"
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert bpy.ops.anim.locomotion_bake_remove() == {"FINISHED"}
    told = "".join(capfd.readouterr())
    assert "\\u001b[31mMan" in told
    assert not set("\x1b\x07") & set(told)
    folder = Path(wording.__file__).parent
    others = [
        path for path in folder.rglob("*.py") if ".report(" in path.read_text(encoding="utf-8")
    ]
    assert [path.name for path in others] == ["telling.py"]


def test_set_up_takes_named_actions(walker):
    walk = bpy.data.actions[WALK].copy()
    walk.name = "Backwards"
    bpy.ops.anim.locomotion_setup(
        actions=names(WALK), reversed_actions=names("Backwards"), rest_action=REST
    )
    found = {e.action.name: (e.is_reversed, e.kind) for e in walker.locomotion.motions}
    assert found == {WALK: (False, "AUTO"), "Backwards": (True, "AUTO"), REST: (False, "REST")}
    assert all(entry.enabled for entry in walker.locomotion.motions)


def test_set_up_takes_legs_forward_and_body(walker):
    bpy.ops.anim.locomotion_setup()
    found = [([b.name for b in leg.bones], leg.toe) for leg in walker.locomotion.legs]
    body = walker.locomotion.body
    legs = [
        {"name": side, "bones": names(*bones), "toe": toe}
        for side, (bones, toe) in zip(("One", "Two"), found, strict=True)
    ]
    bpy.ops.anim.locomotion_setup(legs=legs, forward=(0.0, -2.0), body=body)
    data = walker.locomotion
    assert [leg.name for leg in data.legs] == ["One", "Two"]
    assert [[b.name for b in leg.bones] for leg in data.legs] == [bones for bones, _ in found]
    assert tuple(data.forward) == pytest.approx((0.0, -1.0), abs=1e-6)
    assert data.body == body


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"actions": [{"name": "Nothing"}]}, "no action 'Nothing'"),
        ({"legs": [{"name": "", "bones": [{"name": "nose"}], "toe": ""}]}, "two bones or more"),
        ({"legs": [{"name": "", "bones": names("nose", "ear"), "toe": ""}]}, "no bone 'nose'"),
        ({"body": "nose"}, "nose"),
    ],
)
def test_set_up_refuses_in_words_and_changes_nothing(walker, choice, words):
    before = read_state()
    with pytest.raises(RuntimeError, match=words):
        bpy.ops.anim.locomotion_setup(**choice)
    assert not len(walker.locomotion.legs)
    assert not len(walker.locomotion.motions)
    assert read_state() == before


def test_set_up_of_several_is_all_or_nothing(walker):
    other = bpy.data.objects.new("Stick", bpy.data.armatures.new("Stick"))
    bpy.context.scene.collection.objects.link(other)
    select(walker, other)
    with pytest.raises(RuntimeError, match="Stick"):
        bpy.ops.anim.locomotion_setup()
    assert not len(walker.locomotion.legs)


def test_selected_mesh_stands_for_its_armature(walker):
    select(walker.children[0])
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    assert len(walker.locomotion.legs) == 2


def test_bake_writes_the_scene_range(ready, capfd):
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert count_frames(ready) == (1, 40)
    assert "Baked frames 1 to 40" in capfd.readouterr().out
    assert ready.locomotion.report.values


def test_several_armatures_are_baked_at_once(ready):
    other = second_walker()
    select(ready, other)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake()
    assert count_frames(ready) == count_frames(other) == (1, 40)
    assert find_bake(ready) != find_bake(other)
    bpy.ops.anim.locomotion_bake_remove()
    assert find_bake(ready) is None
    assert find_bake(other) is None


def test_bake_of_several_is_all_or_nothing(ready):
    other = second_walker()
    select(ready, other)
    bpy.ops.anim.locomotion_setup()
    for entry in other.locomotion.motions:
        entry.enabled = False
    with pytest.raises(RuntimeError, match="no ticked motion"):
        bpy.ops.anim.locomotion_bake()
    assert find_bake(ready) is None


def test_all_characters_need_no_selection(ready):
    select()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    other = second_walker()
    select(other)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.anim.locomotion_bake_remove.poll()
    bpy.ops.anim.locomotion_bake(use_all=True)
    assert find_bake(ready) is not None
    assert find_bake(other) is not None


def test_each_call_may_choose_a_range(ready):
    bpy.ops.anim.locomotion_bake(frame_start=5, frame_end=20)
    assert count_frames(ready) == (5, 20)
    ready.locomotion.settings.use_range = True
    ready.locomotion.settings.frame_start, ready.locomotion.settings.frame_end = 3, 30
    bpy.ops.anim.locomotion_bake(frame_end=25)
    assert count_frames(ready) == (3, 25)
    assert ready.locomotion.settings.frame_end == 30
    bpy.ops.anim.locomotion_bake_remove()
    bpy.ops.anim.locomotion_bake(use_range=False)
    assert count_frames(ready) == (1, 40)


def test_each_call_may_choose_travel_and_speed(ready):
    points = [{"name": "", "location": point} for point in ((0.0, 0.0), (0.0, -1.0))]
    bpy.ops.anim.locomotion_bake(travel="POINTS", points=points, speed=0.8)
    first, last = count_frames(ready)
    bpy.context.scene.frame_set(int(last))
    assert ready.matrix_world.translation.y == pytest.approx(-1.0, abs=1e-3)
    slow = last - first
    bpy.ops.anim.locomotion_bake(travel="POINTS", points=points, use_native_speed=True)
    assert count_frames(ready)[1] - count_frames(ready)[0] < slow
    bpy.ops.anim.locomotion_bake(travel="POINTS", points=points, start="MOVING", stop="MOVING")
    assert ready.locomotion.travel.source == "STRAIGHT"


def test_travel_along_a_named_curve(ready):
    curve = create_line("Path", [(0, 0, 0), (1.5, 0, 0)], bpy.context.scene.collection)
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_bake(travel="CURVE", curve="Path")
    bpy.context.scene.frame_set(int(count_frames(ready)[1]))
    place = ready.matrix_world.translation.copy()
    assert place.x == pytest.approx(1.5, abs=1e-3)
    curve.location.z = 3.0
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_bake(travel="CURVE", curve="Path")
    bpy.context.scene.frame_set(int(count_frames(ready)[1]))
    assert (ready.matrix_world.translation - place).length < 1e-4
    assert "the ground at the start" not in ready.locomotion.report.warnings
    with pytest.raises(RuntimeError, match="'Nowhere'"):
        bpy.ops.anim.locomotion_bake(travel="CURVE", curve="Nowhere")


def test_each_call_may_choose_the_output(ready):
    body = ready.locomotion.body
    root = ready.pose.bones[body].parent
    carrier = root.name if root is not None else body
    bpy.ops.anim.locomotion_bake(output_to="BONE", root_bone=carrier, action_name="To Bone")
    action = find_bake(ready)
    assert action.name == "To Bone"
    assert read_record(action).output_to == "bone"
    assert not any(path == "location" for path, _ in read_curves(ready))
    with pytest.raises(RuntimeError, match="no bone 'nose'"):
        bpy.ops.anim.locomotion_bake(output_to="BONE", root_bone="nose")


def test_the_root_bone_is_found(ready):
    bone = ready.pose.bones["hips"].parent.name
    assert ready.locomotion.root == bone
    # As in files that were set up by an older version.
    ready.locomotion.root = ""
    bpy.ops.anim.locomotion_bake(output_to="BONE")
    assert any(path == f'pose.bones["{bone}"].location' for path, _ in read_curves(ready))
    ready.locomotion.root = "nose"
    bpy.ops.anim.locomotion_setup()
    assert ready.locomotion.root == bone
    ready.locomotion.body = bone
    ready.locomotion.root = ""
    with pytest.raises(RuntimeError, match=r"no root bone above the hips.*choose one as Root"):
        bpy.ops.anim.locomotion_bake(output_to="BONE")


def test_each_call_may_choose_ground(ready):
    mesh = bpy.data.meshes.new("Slab")
    mesh.from_pydata(
        [(-50, -50, 0.2), (50, -50, 0.2), (50, 50, 0.2), (-50, 50, 0.2)], [], [(0, 1, 2, 3)]
    )
    slab = bpy.data.objects.new("Slab", mesh)
    shelf = bpy.data.collections.new("Shelf")
    bpy.context.scene.collection.children.link(shelf)
    shelf.objects.link(slab)
    ready.location.z = 0.2
    bpy.context.view_layer.update()
    for choice in (
        {"ground": "PLANE"},
        {"ground_names": names("Slab")},
        {"ground": "OBJECTS", "ground_names": names("Slab")},
        {"ground": "COLLECTION", "ground_names": names("Shelf")},
        {"rendered_only": True},
    ):
        assert bpy.ops.anim.locomotion_bake(**choice) == {"FINISHED"}
    ready.pose.bones[0].custom_shape = slab
    assert bpy.ops.anim.locomotion_bake(ground="OBJECTS", ground_names=names("Slab")) == {
        "FINISHED"
    }
    with pytest.raises(RuntimeError, match="only custom shapes of bones"):
        bpy.ops.anim.locomotion_bake(ground="COLLECTION", ground_names=names("Shelf"))
    ready.pose.bones[0].custom_shape = None
    slab.hide_viewport = True
    body = next(item for item in ready.children if item.type == "MESH")
    for choice, words in (
        ({"ground": "OBJECTS", "ground_names": names(body.name)}, "hangs on the character itself"),
        ({"ground": "OBJECTS", "ground_names": names("Slab")}, "no visible mesh"),
        ({"ground": "OBJECTS", "ground_names": names("Cloud")}, "no object 'Cloud'"),
        ({"ground": "COLLECTION", "ground_names": names("Cloud")}, "no collection 'Cloud'"),
    ):
        with pytest.raises(RuntimeError, match=words):
            bpy.ops.anim.locomotion_bake(**choice)


def test_each_call_may_choose_blends_and_settings(ready):
    bpy.ops.anim.locomotion_bake()
    plain = read_curves(ready)
    bpy.ops.anim.locomotion_bake(blend_in=8, blend_out=8)
    blended = read_curves(ready)
    assert any(not np.allclose(plain[key], blended[key]) for key in plain)
    bpy.ops.anim.locomotion_bake(lock_feet=False, lean=1.0, use_automatic_hug=True)
    free = read_curves(ready)
    assert any(not np.allclose(plain[key], free[key]) for key in plain)
    assert ready.locomotion.settings.lock_feet


def test_edited_keys_are_kept_or_not_as_chosen(ready, capfd):
    bpy.ops.anim.locomotion_bake()
    action, slot = versions.get_assigned_action(ready)
    curve = next(c for c in versions.get_curves(action, slot) if len(c.keyframe_points) > 9)
    curve.keyframe_points[5].co.y += 1.0
    edited = curve.keyframe_points[5].co.y
    bpy.ops.anim.locomotion_bake()
    assert curve.keyframe_points[5].co.y == pytest.approx(edited)
    assert "kept 1 edit" in capfd.readouterr().out
    assert "1 edit by hand is on the walk" in ready.locomotion.report.warnings
    bpy.ops.anim.locomotion_bake(keep_edits=False)
    assert "by hand" not in ready.locomotion.report.warnings
    assert curve.keyframe_points[5].co.y != pytest.approx(edited, abs=0.5)
    assert "edited" not in capfd.readouterr().out


def test_analyze_again_and_named(ready, capfd):
    entry = ready.locomotion.motions[0]
    entry.speed, entry.period = 9.0, 9.0
    other = bpy.data.actions[WALK].copy()
    other.name = "Another"
    assert bpy.ops.anim.locomotion_analyze() == {"FINISHED"}
    assert ready.locomotion.motions[0].period != 9.0
    assert bpy.ops.anim.locomotion_analyze(actions=names("Another")) == {"FINISHED"}
    assert [e.action.name for e in ready.locomotion.motions][-1] == "Another"
    assert "Analyzed 1 motion" in capfd.readouterr().out
    with pytest.raises(RuntimeError, match="no action 'Nothing'"):
        bpy.ops.anim.locomotion_analyze(actions=names("Nothing"))


def test_remove_gives_back_what_was_there(ready):
    before = versions.get_assigned_action(ready)
    ready.location = (0.5, 0.0, 0.0)
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake_remove()
    assert versions.get_assigned_action(ready) == before
    assert tuple(ready.location) == pytest.approx((0.5, 0.0, 0.0))


def test_remove_takes_the_report_away_and_says_what_it_ends(ready, capfd):
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.ops.anim.locomotion_auto_bake(action="ON")
    assert ready.locomotion.report.values
    capfd.readouterr()
    bpy.ops.anim.locomotion_bake_remove()
    assert "; switched Live and Auto Bake off" in capfd.readouterr().out
    assert not ready.locomotion.is_live
    assert not ready.locomotion.auto_bake
    report = ready.locomotion.report
    assert (report.values, report.warnings, report.worst_frame) == ("", "", 0)
    assert not bpy.ops.anim.locomotion_worst_frame.poll()
    bpy.ops.anim.locomotion_bake()
    bpy.ops.anim.locomotion_bake_remove()
    assert "switched" not in capfd.readouterr().out


def test_baking_again_gives_the_action_its_name(ready):
    bpy.ops.anim.locomotion_bake()
    action, name = find_bake(ready), find_bake(ready).name
    ready.locomotion.settings.action_name = "Shot"
    bpy.ops.anim.locomotion_live(action="ON")
    bpy.ops.anim.locomotion_live(action="OFF")
    assert action.name == name
    bpy.ops.anim.locomotion_bake()
    assert find_bake(ready) == action
    assert action.name == "Shot"
    ready.locomotion.settings.action_name = ""
    bpy.ops.anim.locomotion_bake()
    assert action.name == "Shot"
    # A clip keeps its name.
    clip = bpy.data.actions.new("Taken")
    for _ in range(2):
        bpy.ops.anim.locomotion_bake(action_name="Taken")
        assert (clip.name, action.name) == ("Taken", "Taken.001")


@pytest.mark.parametrize("mode", ["OBJECT", "POSE"])
def test_operators_leave_the_scene_as_it_was(walker, mode):
    other = bpy.data.objects.new("Other", None)
    bpy.context.scene.collection.objects.link(other)
    select(walker, other)
    hidden = walker.children[0]
    hidden.hide_set(True)
    bpy.context.scene.frame_set(7, subframe=0.25)
    bpy.ops.object.mode_set(mode=mode)
    before = read_state()
    for call in (
        bpy.ops.anim.locomotion_setup,
        bpy.ops.anim.locomotion_analyze,
        bpy.ops.anim.locomotion_bake,
        bpy.ops.anim.locomotion_bake_remove,
    ):
        assert call() == {"FINISHED"}
        assert read_state() == before
    for entry in walker.locomotion.motions:
        entry.enabled = False
    for call in (bpy.ops.anim.locomotion_analyze, bpy.ops.anim.locomotion_bake):
        with pytest.raises(RuntimeError, match="no ticked motion"):
            call()
        assert read_state() == before


@pytest.mark.parametrize(
    "name",
    ["locomotion_setup", "locomotion_analyze", "locomotion_bake", "locomotion_bake_remove"],
)
def test_poll_says_why_not(walker, name):
    operator = getattr(bpy.ops.anim, name)
    select()
    with pytest.raises(RuntimeError, match=r"(?i)select"):
        operator()
    select(walker)
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RuntimeError, match="Object Mode or Pose Mode"):
        operator()
    bpy.ops.object.mode_set(mode="OBJECT")


def test_menu_and_search_names(walker):
    for name in ("setup", "analyze", "bake", "bake_remove"):
        kind = getattr(bpy.ops.anim, f"locomotion_{name}").get_rna_type()
        assert kind.name.istitle()
        assert kind.description
        assert not kind.description.endswith(".")
        for item in kind.properties:
            if item.identifier != "rna_type":
                assert item.description, item.identifier
                assert not item.description.endswith("."), item.identifier


def test_undo_and_redo(walker):
    """Each operator is one undo step; names are looked up again, since undo makes new objects."""

    def find():
        return bpy.data.objects[name]

    name = walker.name
    stages = []
    bpy.ops.ed.undo_push(message="start")
    for call, count in (
        (bpy.ops.anim.locomotion_setup, lambda: len(find().locomotion.legs)),
        (bpy.ops.anim.locomotion_bake, lambda: find_bake(find()) is not None),
        (bpy.ops.anim.locomotion_bake_remove, lambda: find_bake(find()) is None),
    ):
        before = count()
        call("EXEC_DEFAULT", True)
        after = count()
        assert before != after
        stages.append((count, before, after))
    for count, before, _ in reversed(stages):
        bpy.ops.ed.undo()
        assert count() == before
    for count, _, after in stages:
        bpy.ops.ed.redo()
        assert count() == after


def test_unregister_leaves_no_menu_entry(registered_package):
    def count_entries():
        draw = bpy.types.VIEW3D_MT_object_animation.draw
        found = getattr(draw, "_draw_funcs", [])
        return sum("semi_procedural_locomotion" in function.__module__ for function in found)

    registered = count_entries()
    assert registered > 0
    registered_package.unregister()
    assert count_entries() == 0
    assert not hasattr(bpy.types, "ANIM_OT_locomotion_bake")
    registered_package.register()
    assert count_entries() == registered


def test_analysis_tells_its_warnings_by_motion(ready, capfd):
    still = bpy.data.actions[WALK].copy()
    still.name = "Still"
    slot = versions.find_slot(still, ready)
    for curve in versions.get_curves(still, slot):
        for key in curve.keyframe_points:
            key.co.y = curve.keyframe_points[0].co.y
    bpy.ops.anim.locomotion_analyze(actions=names("Still"))
    told = [line for line in capfd.readouterr().out.splitlines() if line.startswith("Warning")]
    expected = ready.locomotion.motions[-1].warnings.splitlines()
    assert len(told) == len(expected)
    assert all("Still" in line for line in told)


def test_other_figures_and_far_things_leave_the_plane_to_walk_on(ready):
    second_walker(0.0)
    mesh = bpy.data.meshes.new("Lamp")
    mesh.from_pydata([(90, 0, 1), (91, 0, 1), (91, 1, 1), (90, 1, 1)], [], [(0, 1, 2, 3)])
    lamp = bpy.data.objects.new("Lamp", mesh)
    bpy.context.scene.collection.objects.link(lamp)
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert "finds no ground" not in ready.locomotion.report.warnings
    lamp.location.x = -90.5
    bpy.context.view_layer.update()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert "finds no ground" in ready.locomotion.report.warnings


def test_panel_message_and_report_count_the_same_notes(ready, capfd):
    mesh = bpy.data.meshes.new("Slab")
    mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 0, 0), (-1, 0, 0)], [], [(0, 1, 2, 3)])
    slab = bpy.data.objects.new("Slab", mesh)
    bpy.context.scene.collection.objects.link(slab)
    bpy.context.view_layer.update()
    capfd.readouterr()
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    told = capfd.readouterr().out
    kept = read_notes(ready.locomotion.report)
    assert NoteKind.PRINT_WITHOUT_GROUND in [note.kind for note in kept]
    remarks = sum(map(is_remark, kept))
    assert f", {wording.count(len(kept) - remarks, 'warning')}" in told
    assert ("remark" in told) == bool(remarks)
    lines = [line for line in told.splitlines() if line.partition(f"{ready.name}: ")[2]]
    texts = ready.locomotion.report.warnings.splitlines()
    assert [line.partition(f"{ready.name}: ")[2] for line in lines] == texts
    starts = ["Info" if is_remark(note) else "Warning" for note in kept]
    assert [line.partition(":")[0] for line in lines] == starts
    assert len(texts) == len(kept)
    entry = bake_set_up(ready, bpy.context.scene).as_dict(ready.name, Reader.JOB)
    assert [note["kind"] for note in entry["notes"]] == [note.kind.value for note in kept]
    assert len(entry["warnings"]) == len(kept)
    grave = [find_severity(note) for note in kept]
    assert grave == sorted(grave)


def test_a_speed_of_ones_own_begins_at_the_native_one(ready):
    travel = ready.locomotion.travel
    native = next(m.speed for m in ready.locomotion.motions if m.action.name == WALK)
    travel.use_native_speed = False
    assert travel.speed == pytest.approx(native)
    travel.speed = 0.7
    travel.use_native_speed = True
    travel.use_native_speed = False
    assert travel.speed == pytest.approx(0.7)


@pytest.mark.newest
def test_motions_that_do_not_play_are_not_warned_of(data_folder):
    armature = prepare("Rogue", data_folder / FILES["Rogue"], keeps_volume=False)
    assert any("Running" in m.action.name and m.warnings for m in armature.locomotion.motions)
    bpy.ops.anim.locomotion_bake()
    assert "Running" not in armature.locomotion.report.warnings
