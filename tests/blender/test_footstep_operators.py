# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of footsteps, as scripts and buttons call them."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.character_biped import make_biped_shape  # noqa: E402
from semi_procedural_locomotion.blender.characters import create_biped, write_gaits  # noqa: E402
from semi_procedural_locomotion.blender.footsteps import is_edited, list_footsteps  # noqa: E402


@pytest.fixture
def walker():
    """A set-up person on the plane at its feet, selected and active."""
    scene = bpy.context.scene
    armature = create_biped(scene.collection)
    write_gaits(armature, make_biped_shape(), ["walk", "rest"])
    scene.frame_start, scene.frame_end = 1, 60
    select(armature)
    assert bpy.ops.anim.locomotion_setup() == {"FINISHED"}
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
