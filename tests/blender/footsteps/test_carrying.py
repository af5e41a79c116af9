# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps that move along with their character's object, or stay."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Matrix

from semi_procedural_locomotion.blender.footsteps import carrying as step_carrying
from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from tests.blender.footsteps.test_objects import add_box
from tests.ui.footsteps.test_operators import select, walker  # noqa: F401

MOVE = Matrix.Translation((2.0, 1.0, 0.5)) @ Matrix.Rotation(np.pi / 2, 4, "Z")


@pytest.fixture
def run(walker):  # noqa: F811
    """A walker with ten generated footsteps that move along with it."""
    bpy.ops.object.footsteps_generate(count=10)
    select(walker)
    walker.locomotion.move_footsteps = True
    return walker


def move(armature, change=MOVE):
    """Move an object as a user does."""
    armature.matrix_world = change @ armature.matrix_world
    bpy.context.view_layer.update()


def read_matrices(armature):
    return np.array([step.matrix_basis for step in list_footsteps(armature)])


def test_all_steps_of_a_way_move_along(run):
    before = read_matrices(run)
    move(run)
    assert np.allclose(read_matrices(run), np.array(MOVE) @ before, atol=1e-5)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in list_footsteps(run))
    bpy.context.scene.frame_set(1)
    assert np.allclose(run.matrix_world.translation[:2], (2.0, 1.0), atol=0.05)


def test_they_stay_where_that_is_not_wanted(run):
    run.locomotion.move_footsteps = False
    before = read_matrices(run)
    move(run)
    assert np.array_equal(read_matrices(run), before)
    # What happened meanwhile is not made up for later.
    run.locomotion.move_footsteps = True
    bpy.context.view_layer.update()
    assert np.array_equal(read_matrices(run), before)
    move(run)
    assert not np.allclose(read_matrices(run), before)


def test_of_a_corrected_walk_steps_that_follow_the_plan_move(walker):  # noqa: F811
    bpy.ops.object.footsteps_from_plan()
    steps = list_footsteps(walker)
    box = add_box("Box", (1.0, 1.0, 0.1), (9.0, 9.0, 0.0))
    steps[2].location.x += 0.2
    steps[4].parent = box
    bpy.context.view_layer.update()
    select(walker)
    walker.locomotion.move_footsteps = True
    before = read_matrices(walker)
    move(walker)
    after = read_matrices(walker)
    stays = [2, 4]
    assert np.allclose(after[stays], before[stays])
    others = [i for i in range(len(steps)) if i not in stays]
    assert np.allclose(after[others], np.array(MOVE) @ before[others], atol=1e-5)
    assert [i for i, step in enumerate(steps) if is_edited(step)] == stays


def test_neither_a_bake_nor_frames_move_them(run):
    before = read_matrices(run)
    bpy.ops.anim.locomotion_bake()
    for frame in (1, 40, 90):
        bpy.context.scene.frame_set(frame)
        run.locomotion.settings.max_climb += 0.01
        bpy.context.view_layer.update()
    assert np.array_equal(read_matrices(run), before)
    run.animation_data.action = None
    bpy.context.view_layer.update()
    assert np.array_equal(read_matrices(run), before)


def test_steps_that_the_user_moves_together_with_the_character_move_once(run):
    before = read_matrices(run)
    select(run, *list_footsteps(run)[:5])
    move(run)
    after = read_matrices(run)
    assert np.array_equal(after[:5], before[:5])
    assert not np.allclose(after[5:], before[5:])


def test_undo_brings_character_and_steps_back_together(run):
    name, before = run.name, read_matrices(run)
    bpy.ops.ed.undo_push(message="start")
    move(run)
    after = read_matrices(run)
    bpy.ops.ed.undo_push(message="move")
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert np.allclose(read_matrices(bpy.data.objects[name]), before, atol=1e-6)
    bpy.ops.ed.redo()
    bpy.context.view_layer.update()
    assert np.allclose(read_matrices(bpy.data.objects[name]), after, atol=1e-6)


def test_the_choice_is_kept_in_the_file_and_works_after_loading(run, tmp_path):
    name = run.name
    path = str(tmp_path / "run.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert step_carrying._note_update not in bpy.app.handlers.depsgraph_update_post
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects[name]
    before = read_matrices(armature)
    move(armature)
    assert np.allclose(read_matrices(armature), np.array(MOVE) @ before, atol=1e-5)
