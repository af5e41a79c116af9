# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of footsteps, as scripts and buttons call them."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from semi_procedural_locomotion.demo.biped import make_biped_shape
from semi_procedural_locomotion.demo.characters import create_biped, write_gaits
from semi_procedural_locomotion.demo.stage import create_line
from tests.blender.footsteps.test_objects import add_box
from tests.scenes import add_person


@pytest.fixture
def walker():
    """A set-up person on the plane at its feet, selected and active."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    scene.frame_start, scene.frame_end = 1, 60
    return armature


def select(*items):
    """Select only these objects; the first is active."""
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0]


def test_from_plan_keeps_edits_or_not(walker, capfd):
    assert bpy.ops.object.footsteps_from_plan() == {"FINISHED"}
    steps = list_footsteps(walker)
    assert f"{len(steps)} footsteps" in capfd.readouterr().out
    moved = steps[2]
    moved.location.x += 0.1
    bpy.ops.object.footsteps_from_plan()
    assert "1 of them yours" in capfd.readouterr().out
    assert is_edited(moved)
    bpy.ops.object.footsteps_from_plan(keep_edits=False)
    assert not any(is_edited(step) for step in list_footsteps(walker))


def test_a_selected_footstep_stands_for_its_character(walker):
    bpy.ops.object.footsteps_from_plan()
    steps = list_footsteps(walker)
    for step in steps[1:3]:
        step.location.z += 0.05
    select(steps[1])
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert walker.animation_data.action is not None
    assert bpy.ops.object.footsteps_replace_on_ground() == {"FINISHED"}
    heights = [round(step.location.z, 4) for step in steps[1:3]]
    assert heights == [0.0, 0.05]


def test_clear_asks_only_in_a_window_and_can_keep_edits(walker):
    bpy.ops.object.footsteps_from_plan()
    list_footsteps(walker)[1].location.x += 0.1
    assert bpy.ops.object.footsteps_clear(keep_edits=True) == {"FINISHED"}
    assert len(list_footsteps(walker)) == 1
    assert bpy.ops.object.footsteps_clear() == {"FINISHED"}
    assert not list_footsteps(walker)
    assert not bpy.ops.object.footsteps_clear.poll()


def test_placing_without_a_window_alternates_the_legs(walker):
    for place in ((0.1, -0.5, 0.0), (-0.1, -1.0, 0.0), (0.1, -1.5, 0.0)):
        assert bpy.ops.view3d.footsteps_place(location=place) == {"FINISHED"}
    steps = list_footsteps(walker)
    sides = [step.locomotion_footstep.leg for step in steps]
    assert sides[0] == sides[2] != sides[1]
    assert [step.location.y for step in steps] == pytest.approx([-0.5, -1.0, -1.5], abs=1e-5)
    assert all(is_edited(step) for step in steps)
    bpy.ops.view3d.footsteps_place(location=(0.0, -2.0, 0.0), leg=sides[0], heading=0.0)
    last = list_footsteps(walker)[-1]
    assert last.locomotion_footstep.leg == sides[0]
    assert last.rotation_euler.z == pytest.approx(0.0, abs=1e-6)
    with pytest.raises(RuntimeError, match="no leg 'Tail'"):
        bpy.ops.view3d.footsteps_place(leg="Tail")


def test_placed_steps_are_walked_on(walker):
    bpy.ops.object.footsteps_from_plan()
    planned = list_footsteps(walker)[3]
    place = planned.location.copy()
    leg = planned.locomotion_footstep.leg
    bpy.ops.object.footsteps_clear()
    bpy.ops.view3d.footsteps_place(location=(place.x + 0.1, place.y - 0.1, 0.0), leg=leg)
    (mine,) = list_footsteps(walker)
    bpy.ops.anim.locomotion_bake()
    assert not mine.locomotion_footstep.is_lost
    bpy.ops.object.footsteps_from_plan()
    assert mine in list_footsteps(walker)
    assert mine.locomotion_footstep.has_time


def place_stairs(walker, count=8):
    """Stairs with this many treads before the character; gives their edges and heights."""
    for number in range(count):
        height = 0.12 * (number + 1)
        add_box(f"Stair {number}", (3.0, 0.4, height), (0.0, -1.0 - 0.4 * number, 0.5 * height))
    add_box("Floor", (20.0, 20.0, 1.0), (0.0, 0.0, -0.5))
    bpy.context.view_layer.update()


def test_eight_steps_up_the_stairs_are_walked(walker):
    place_stairs(walker)
    sides = [leg.name for leg in walker.locomotion.legs]
    for number in range(8):
        x = 0.07 if number % 2 == 0 else -0.07
        place = (x, -1.0 - 0.4 * number, 0.12 * (number + 1))
        leg = sides[0] if walker.locomotion.legs[0].side == "L" else sides[1]
        bpy.ops.view3d.footsteps_place(location=place, leg=leg if number == 0 else "")
    steps = list_footsteps(walker)
    assert [s.location.z for s in steps] == pytest.approx(
        [0.12 * (n + 1) for n in range(8)], abs=1e-4
    )
    walker.locomotion.travel.source = "FOOTSTEPS"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    assert "footstep" not in walker.locomotion.report.warnings
    assert bpy.ops.object.footsteps_from_plan() == {"FINISHED"}
    assert list_footsteps(walker) == steps
    rate = bpy.context.scene.render.fps
    for step in steps:
        data = step.locomotion_footstep
        frame = data.time * rate
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
        leg = next(leg for leg in walker.locomotion.legs if leg.name == data.leg)
        ankle = walker.matrix_world @ walker.pose.bones[leg.bones[-1].name].head
        apart = step.matrix_world.inverted() @ ankle
        assert abs(apart.x) < 0.1
        assert abs(apart.y) < 0.02
        assert 0.03 < apart.z < 0.12


def test_generate_makes_runs_and_goes_on_from_the_last(walker):
    assert bpy.ops.object.footsteps_generate(count=4, first="R") == {"FINISHED"}
    steps = list_footsteps(walker)
    assert len(steps) == 4
    sides = {leg.name: leg.side for leg in walker.locomotion.legs}
    assert sides[steps[0].locomotion_footstep.leg] == "R"
    assert walker.locomotion.travel.source == "FOOTSTEPS"
    bpy.ops.object.footsteps_generate(count=3, start_over=False, turn=0.3, use_for_travel=False)
    more = list_footsteps(walker)
    assert more[:4] == steps
    assert len(more) == 7
    assert more[4].location.y < steps[-1].location.y
    legs = [s.locomotion_footstep.leg for s in more]
    assert legs[::2] == legs[:1] * 4
    assert legs[1::2] == legs[1:2] * 3
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(s.locomotion_footstep.is_lost for s in more)


def test_generate_follows_a_curve_and_rises(walker):
    create_line("Way", [(0, 0, 0), (4, 0, 0)], bpy.context.scene.collection)
    assert bpy.ops.object.footsteps_generate(count=50, curve="Way", rise=0.1) == {"FINISHED"}
    steps = list_footsteps(walker)
    assert 5 <= len(steps) <= 8
    assert max(abs(s.location.y) for s in steps) < 0.15
    assert [s.location.z for s in steps] == pytest.approx(
        [0.1 * (n + 1) for n in range(len(steps))], abs=1e-5
    )
    with pytest.raises(RuntimeError, match="no curve object 'Nowhere'"):
        bpy.ops.object.footsteps_generate(curve="Nowhere")


def test_travel_along_no_footsteps_is_told(walker):
    walker.locomotion.travel.source = "FOOTSTEPS"
    with pytest.raises(RuntimeError, match="no footsteps to travel along"):
        bpy.ops.anim.locomotion_bake()


def test_steps_placed_on_moving_ground_ride_on_it_and_are_walked_on(walker):
    scene = bpy.context.scene
    scene.frame_end = 120
    raft = add_box("Raft", (3.0, 6.0, 0.2), (0.0, -3.0, -0.1))
    raft.keyframe_insert("location", frame=1)
    raft.location.x = 1.0
    raft.keyframe_insert("location", frame=120)
    scene.frame_set(1)
    bpy.context.view_layer.update()
    for number in range(6):
        place = (0.07 * (-1) ** number, -0.6 - 0.6 * number, 0.0)
        bpy.ops.view3d.footsteps_place(location=place)
    steps = list_footsteps(walker)
    assert all(step.parent == raft for step in steps)
    walker.locomotion.travel.source = "FOOTSTEPS"
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert bpy.ops.object.footsteps_from_plan() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    last = steps[-1]
    frame = last.locomotion_footstep.time * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1)
    assert last.matrix_world.translation.x > 0.2
    legs = {leg.name: leg.bones[-1].name for leg in walker.locomotion.legs}
    bone = legs[last.locomotion_footstep.leg]
    ankle = last.matrix_world.inverted() @ walker.matrix_world @ walker.pose.bones[bone].head
    assert abs(ankle.y) < 0.03


@pytest.mark.parametrize("deleted", ["by the user", "by a script"])
def test_footsteps_of_a_deleted_character_are_cleared(walker, deleted, capfd):
    other = create_biped(bpy.context.scene.collection)
    write_gaits(other, make_biped_shape(), ["walk", "rest"])
    select(other)
    bpy.ops.anim.locomotion_setup()
    bpy.ops.object.footsteps_from_plan()
    kept = list_footsteps(other)
    select(walker)
    bpy.ops.object.footsteps_from_plan()
    steps = list_footsteps(walker)
    steps[2].location.x += 0.1
    if deleted == "by the user":
        bpy.ops.object.delete()
    else:
        bpy.data.objects.remove(walker)
    select(other)
    bpy.ops.anim.locomotion_bake()
    assert f"{len(steps)} footsteps of deleted characters" in other.locomotion.report.warnings
    select(steps[1])
    assert bpy.ops.object.footsteps_clear.poll()
    capfd.readouterr()
    count = len(steps) - 1
    names = [step.name for step in steps]
    assert bpy.ops.object.footsteps_clear(keep_edits=True) == {"FINISHED"}
    assert f"Removed {count} footsteps" in capfd.readouterr().out
    assert [name for name in names if name in bpy.data.objects] == [names[2]]
    select(bpy.data.objects[names[2]])
    assert bpy.ops.object.footsteps_clear() == {"FINISHED"}
    assert not any(name in bpy.data.objects for name in names)
    assert list_footsteps(other) == kept


def test_a_footstep_that_was_dragged_under_the_ground_is_told_until_re_placed(walker):
    bpy.ops.object.footsteps_generate(count=6)
    sunk = list_footsteps(walker)[3]
    sunk.location.z -= 0.4
    bpy.context.view_layer.update()
    bpy.ops.anim.locomotion_bake()
    (line,) = [w for w in walker.locomotion.report.warnings.splitlines() if "Re-place" in w]
    assert f"{sunk.name!r} lies 0.4 m below the ground" in line
    select(sunk)
    bpy.ops.object.footsteps_replace_on_ground()
    bpy.ops.anim.locomotion_bake()
    assert "Re-place" not in walker.locomotion.report.warnings
