# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated footsteps: on treads, along ways, in the order of their names, never over one's own work."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import is_set_by_hand, list_footsteps
from semi_procedural_locomotion.demo.stage import create_line
from tests.blender.footsteps.test_objects import add_box
from tests.ui.footsteps.test_operators import select, walker  # noqa: F401

pytestmark = pytest.mark.newest

RISE, TREAD = 0.17, 0.3


def place_steep_stairs(count=10):
    """Stairs with treads hardly longer than a shoe, before a character at the origin."""
    for number in range(count):
        height = RISE * (number + 1)
        add_box(f"Stair {number}", (3.0, TREAD, height), (0.0, -1.0 - TREAD * number, 0.5 * height))
    add_box("Floor", (20.0, 20.0, 1.0), (0.0, 0.0, -0.5))
    bpy.context.view_layer.update()


def find_nosing(step):
    """By how much the middle of a sole is beyond the tread that it lies on, metres."""
    tread = round(step.location.z / RISE)
    if tread == 0:
        return -step.location.y - (1.0 - 0.5 * TREAD)
    return abs(step.location.y + 1.0 + TREAD * (tread - 1)) - 0.5 * TREAD


def test_steps_up_stairs_lie_flat_on_treads_and_are_walked_there(walker):  # noqa: F811
    place_steep_stairs()
    bpy.ops.object.footsteps_generate(count=9, stride=0.7)
    steps = list_footsteps(walker)
    heights = np.array([step.location.z for step in steps]) / RISE
    assert np.abs(heights - np.round(heights)).max() < 0.02
    assert heights[-1] > 6.0
    assert all(step.matrix_world[2][2] > 0.999 for step in steps)
    assert max(find_nosing(step) for step in steps) < -0.05
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in steps)
    assert "footstep" not in walker.locomotion.report.warnings


def test_a_run_along_a_way_is_as_long_as_that(walker):  # noqa: F811
    create_line("Way", [(0, 0, 0), (6, 0, 0)], bpy.context.scene.collection)
    bpy.ops.object.footsteps_generate(curve="Way", stride=0.8)
    steps = list_footsteps(walker)
    assert len(steps) == 15
    assert steps[-1].location.x == pytest.approx(6.0, abs=0.2)
    points = walker.locomotion.travel.points
    for place in ((0.0, 0.0), (0.0, -4.0)):
        points.add().location = place
    bpy.ops.object.footsteps_generate(use_points=True, stride=0.8)
    assert len(list_footsteps(walker)) == 10
    assert list_footsteps(walker)[-1].location.y == pytest.approx(-4.0, abs=0.2)
    bpy.ops.object.footsteps_generate(use_points=True, stride=0.8, count=3)
    assert len(list_footsteps(walker)) == 3
    points.clear()
    with pytest.raises(RuntimeError, match="no points to go along"):
        bpy.ops.object.footsteps_generate(use_points=True)
    bpy.ops.object.footsteps_generate()
    assert len(list_footsteps(walker)) == 10


def test_starting_over_does_not_remove_footsteps_that_were_set_by_hand(walker):  # noqa: F811
    bpy.ops.object.footsteps_generate(count=4)
    bpy.ops.object.footsteps_generate(count=5)
    steps = list_footsteps(walker)
    assert len(steps) == 5
    assert not any(is_set_by_hand(step) for step in steps)
    steps[2].location.x += 0.1
    steps[3].locomotion_footstep.start = 90.0
    before = {step.name: step.location.copy() for step in steps}
    for _ in range(2):
        with pytest.raises(RuntimeError, match="has 2 footsteps that were set by hand"):
            bpy.ops.object.footsteps_generate(count=3)
    # There is no one to ask without a window.
    with pytest.raises(RuntimeError, match="Remove Yours"):
        bpy.ops.object.footsteps_generate("INVOKE_DEFAULT", count=3)
    assert {step.name: step.location for step in list_footsteps(walker)} == before
    bpy.ops.object.footsteps_generate(count=2, start_over=False)
    assert len(list_footsteps(walker)) == 7
    bpy.ops.object.footsteps_generate(count=3, remove_own=True)
    assert len(list_footsteps(walker)) == 3


def test_undo_brings_removed_footsteps_back(walker):  # noqa: F811
    bpy.ops.object.footsteps_generate(count=5)
    list_footsteps(walker)[2].location.x += 0.1
    names = [step.name for step in list_footsteps(walker)]
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.object.footsteps_generate(count=3, remove_own=True)
    bpy.ops.ed.undo_push(message="generate")
    bpy.ops.ed.undo()
    (armature,) = [item for item in bpy.data.objects if item.type == "ARMATURE"]
    steps = list_footsteps(armature)
    assert [step.name for step in steps] == names
    assert [is_set_by_hand(step) for step in steps] == [False, False, True, False, False]


def test_names_are_in_the_order_of_the_walk(walker):  # noqa: F811
    bpy.ops.object.footsteps_generate(count=12)
    steps = list_footsteps(walker)
    assert [step.name for step in steps] == sorted(step.name for step in steps)
    assert steps[0].name == "Walker Step 001 Left"
    # A duplicate between two steps comes between them at once, and has a number of its own later.
    select(steps[4])
    bpy.ops.object.duplicate()
    (double,) = bpy.context.selected_objects
    assert sorted([*(s.name for s in steps), double.name])[5] == double.name
    steps[5].name = "The one on the stone"
    bpy.ops.object.footsteps_from_plan()
    after = list_footsteps(walker)
    assert len(after) == 13
    own = "The one on the stone"
    assert [s.name for s in after if s.name != own] == sorted(
        s.name for s in after if s.name != own
    )
    assert own in [s.name for s in after]
    numbers = [s.locomotion_footstep.number for s in after]
    assert numbers == list(range(1, 14))


def test_steps_that_rise_in_the_air_lift_the_body(walker):  # noqa: F811
    scene = bpy.context.scene
    bpy.ops.object.footsteps_generate(count=8, rise=0.12)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.ops.object.footsteps_from_plan()
    hips = next(bone for bone in walker.pose.bones if bone.name == "hips")
    bones = {leg.name: walker.pose.bones[leg.bones[-1].name] for leg in walker.locomotion.legs}

    def see(bone):
        """Height of a bone as shown."""
        return (walker.matrix_world @ bone.head).z

    scene.frame_set(scene.frame_start)
    stands, ankle = see(hips), see(bones["Left"])
    for step in list_footsteps(walker)[1:]:
        data = step.locomotion_footstep
        frame = data.time * scene.render.fps
        scene.frame_set(int(frame), subframe=frame % 1)
        assert see(hips) - step.location.z == pytest.approx(stands, abs=0.06)
        assert see(bones[data.leg]) - step.location.z == pytest.approx(ankle, abs=0.01)
    scene.frame_set(int(walker.animation_data.action.frame_range[1]))
    assert see(hips) - 0.96 == pytest.approx(stands, abs=0.02)
    assert [see(bone) - 0.96 for bone in bones.values()] == pytest.approx([ankle] * 2, abs=0.01)
    assert walker.locomotion.report.warnings.count("lies 0.96 m above the ground") == 1


def test_the_first_foot_moves_within_the_first_cycle(walker):  # noqa: F811
    scene = bpy.context.scene
    bpy.ops.object.footsteps_generate(count=4)
    bpy.ops.anim.locomotion_bake()
    ankles = [walker.pose.bones[leg.bones[-1].name] for leg in walker.locomotion.legs]
    scene.frame_set(1)
    before = [walker.matrix_world @ bone.head for bone in ankles]
    # A cycle of this walk has 24 frames.
    scene.frame_set(1 + 24)
    after = [walker.matrix_world @ bone.head for bone in ankles]
    assert max((a - b).length for a, b in zip(after, before, strict=True)) > 0.1


def test_a_run_on_a_raft_rides_on_it_and_is_walked_there(walker):  # noqa: F811
    scene = bpy.context.scene
    raft = add_box("Raft", (6.0, 12.0, 0.2), (0.0, -3.0, -0.1))
    raft.keyframe_insert("location", frame=1)
    raft.location = (1.0, -3.0, 0.3)
    raft.keyframe_insert("location", frame=120)
    scene.frame_set(1)
    bpy.context.view_layer.update()
    bpy.ops.object.footsteps_generate(count=4)
    steps = list_footsteps(walker)
    assert all(step.parent == raft for step in steps)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    bpy.ops.object.footsteps_from_plan()
    bones = {leg.name: walker.pose.bones[leg.bones[-1].name] for leg in walker.locomotion.legs}
    for step in steps:
        data = step.locomotion_footstep
        frame = data.time * scene.render.fps
        scene.frame_set(int(frame), subframe=frame % 1)
        on = raft.matrix_world.inverted() @ step.matrix_world.translation
        assert on.z == pytest.approx(0.1, abs=1e-4)
        ankle = walker.matrix_world @ bones[data.leg].head
        assert (step.matrix_world.inverted() @ ankle).y == pytest.approx(0.0, abs=0.01)
