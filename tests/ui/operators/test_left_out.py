# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left out of the ground: by the button, in calls and jobs, seen in the baked feet."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.api import bake_job
from semi_procedural_locomotion.api.notes import read_notes
from semi_procedural_locomotion.blender.bake.inputs import fingerprint_inputs, may_depend
from semi_procedural_locomotion.blender.ground.surfaces import list_ignored
from semi_procedural_locomotion.errors import GroundError
from semi_procedural_locomotion.jobs.reading import read_job
from semi_procedural_locomotion.notes import NoteKind
from tests.scenes import add_mesh, add_person

DEPTH = 0.1


def add_plane(name, height, size=20.0):
    corners = [(-size, -size, 0), (size, -size, 0), (size, size, 0), (-size, size, 0)]
    item = add_mesh(name, corners, [(0, 1, 2, 3)])
    item.location.z = height
    return item


@pytest.fixture
def walker():
    """The project's person at a river: water at its feet, the bed below."""
    scene = bpy.context.scene
    armature = add_person()
    scene.frame_start, scene.frame_end = 1, 30
    add_plane("Bed", -DEPTH)
    add_plane("Water", 0.0)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.context.view_layer.update()
    return armature


@pytest.fixture
def ready(walker):
    """The same after Set Up."""
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
    return walker


def read_lowest_foot(armature):
    """Lowest world z of the feet's bones at any frame of the baked walk."""
    heights = []
    for frame in range(1, 31):
        bpy.context.scene.frame_set(frame)
        world = armature.matrix_world
        heights += [(world @ armature.pose.bones[f"foot.{side}"].head).z for side in "LR"]
    return min(heights)


def bake(armature, **choices):
    assert bpy.ops.anim.locomotion_bake(**choices) == {"FINISHED"}
    return read_lowest_foot(armature)


def test_what_is_selected_is_left_out_in_one_step(ready):
    name, water = ready.name, bpy.data.objects["Water"]
    assert not bpy.ops.anim.locomotion_leave_out.poll()
    afloat = bake(ready)
    before = fingerprint_inputs(ready, bpy.context.scene)
    assert may_depend(ready, water)
    water.select_set(True)
    bpy.ops.ed.undo_push(message="start")
    assert bpy.ops.anim.locomotion_leave_out("EXEC_DEFAULT", True) == {"FINISHED"}
    armature, water = bpy.data.objects[name], bpy.data.objects["Water"]
    assert [entry.object for entry in armature.locomotion.ground.left_out] == [water]
    assert not bpy.ops.anim.locomotion_leave_out.poll(), "it is on the list already"
    assert fingerprint_inputs(armature, bpy.context.scene) != before
    assert not may_depend(armature, water)
    assert {armature, water} <= list_ignored(armature)
    assert bake(armature) == pytest.approx(afloat - DEPTH, abs=2e-3)
    assert bake(armature, leave_out=[{"name": "Bed"}]) == pytest.approx(afloat, abs=2e-3)
    with pytest.raises(RuntimeError, match="no object or collection 'Ice' to leave out"):
        bpy.ops.anim.locomotion_bake(leave_out=[{"name": "Ice"}])
    bpy.ops.ed.undo_push(message="baked")
    for _ in range(2):
        bpy.ops.ed.undo()
    assert len(bpy.data.objects[name].locomotion.ground.left_out) == 0


def test_collections_are_left_out_and_what_comes_into_them_counts(ready):
    scene = bpy.context.scene
    bpy.ops.anim.locomotion_list(target="LEFT_OUT", change="ADD")
    entry = ready.locomotion.ground.left_out[0]
    entry.is_collection, entry.collection = True, bpy.data.collections.new("Wet")
    before = fingerprint_inputs(ready, scene)
    afloat = bake(ready)
    entry.collection.objects.link(bpy.data.objects["Water"])
    assert fingerprint_inputs(ready, scene) != before
    assert bake(ready) == pytest.approx(afloat - DEPTH, abs=2e-3)
    bpy.ops.anim.locomotion_list(target="LEFT_OUT", change="REMOVE")
    assert bake(ready) == pytest.approx(afloat, abs=2e-3)


def test_a_plane_that_stands_in_for_all_that_is_left_out_is_told(ready):
    def list_notes():
        notes = read_notes(ready.locomotion.report)
        return [note for note in notes if note.kind is NoteKind.GROUND_ALL_LEFT_OUT]

    bake(ready, leave_out=[{"name": "Water"}])
    assert not list_notes()
    bake(ready, leave_out=[{"name": "Water"}, {"name": "Bed"}])
    (note,) = list_notes()
    assert note.values["things"] == 2
    assert note.values["first"] in {"Water", "Bed"}
    assert note.values["height"] == pytest.approx(0.0)
    ready.locomotion.ground.source = "PLANE"
    bake(ready, leave_out=[{"name": "Water"}, {"name": "Bed"}])
    assert not list_notes()


def test_small_things_under_the_feet_are_told_and_left_out_by_choice(ready):
    afloat = bake(ready)
    assert NoteKind.GROUND_SMALL not in {n.kind for n in read_notes(ready.locomotion.report)}
    pebble = add_plane("Pebble", 0.02, size=0.03)
    for place in np.random.default_rng(1).uniform((-0.2, -2.0), (0.2, 0.2), size=(250, 2)):
        item = bpy.data.objects.new("Pebble", pebble.data)
        item.location = (*place, 0.02)
        bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.update()
    bake(ready)
    (note,) = (n for n in read_notes(ready.locomotion.report) if n.kind is NoteKind.GROUND_SMALL)
    assert note.values["things"] > 10
    assert note.values["first"].startswith("Pebble")
    assert "Leave Out Small Things" in ready.locomotion.report.warnings
    ready.locomotion.ground.leave_out_small = True
    assert bake(ready) == pytest.approx(afloat, abs=1e-4)
    assert NoteKind.GROUND_SMALL not in {n.kind for n in read_notes(ready.locomotion.report)}


def test_jobs_name_what_is_left_out(walker, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hero.blend"))
    job = tmp_path / "hero.toml"
    rest = 'frames = [1, 30]\n[[character]]\nblend = "hero.blend"\n'
    feet = {}
    for keys in ("", 'leave_out = ["Water"]\nleave_out_small = true\nonly_nearby = 2.5\n'):
        job.write_text(keys + rest, encoding="utf-8")
        bake_job(read_job(job), tmp_path / "out.blend")
        armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
        feet[keys] = read_lowest_foot(armature)
        ground = armature.locomotion.ground
        assert (ground.leave_out_small, ground.only_nearby) == ((True, 2.5) if keys else (False, 0))
    afloat, waded = feet.values()
    assert waded == pytest.approx(afloat - DEPTH, abs=2e-3)
    job.write_text(f'leave_out = ["Ice"]\n{rest}', encoding="utf-8")
    with pytest.raises(GroundError, match="no object or collection 'Ice' to leave out"):
        bake_job(read_job(job), tmp_path / "out.blend")
