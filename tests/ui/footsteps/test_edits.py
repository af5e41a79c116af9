# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of footsteps bent, scaled, mirrored, copied and pasted by operators."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from tests.blender.footsteps.test_objects import add_box
from tests.ui.footsteps.test_operators import place_stairs, select, walker  # noqa: F401


@pytest.fixture
def steps(walker):  # noqa: F811
    """Ten generated footsteps of the walker, all selected; it walks along -Y."""
    bpy.ops.object.footsteps_generate(count=10)
    found = list_footsteps(walker)
    select(*found)
    return found


def read_places(steps):
    bpy.context.view_layer.update()
    return np.array([step.matrix_world.translation[:] for step in steps])


def read_headings(steps):
    bpy.context.view_layer.update()
    return np.unwrap([step.matrix_world.to_euler().z for step in steps])


def read_legs(steps):
    return [step.locomotion_footstep.leg for step in steps]


def test_bent_steps_turn_and_are_walked(steps):
    before, headings = read_places(steps), read_headings(steps)
    assert bpy.ops.object.footsteps_bend(angle=np.pi / 2) == {"FINISHED"}
    after = read_places(steps)
    assert read_headings(steps)[-1] - headings[-1] == pytest.approx(np.pi / 2, abs=1e-3)
    # Left of -Y is +X.
    assert after[-1, 0] - before[-1, 0] > 2.0
    assert np.allclose(after[0], before[0], atol=0.2)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in steps)


def test_only_selected_steps_are_edited(steps):
    before = read_places(steps)
    select(*steps[5:])
    bpy.ops.object.footsteps_scale(length=1.5, width=1.0)
    after = read_places(steps)
    assert np.allclose(after[:5], before[:5])
    assert before[-1, 1] - after[-1, 1] > 0.5
    select(steps[3])
    with pytest.raises(RuntimeError, match="two footsteps or more"):
        bpy.ops.object.footsteps_bend()
    assert np.allclose(read_places(steps), after)


def test_where_none_is_selected_all_of_the_character_are_edited(steps, walker):  # noqa: F811
    before = read_places(steps)
    select(walker)
    bpy.ops.object.footsteps_scale(length=1.0, width=2.0)
    after = read_places(steps)
    assert after[2:-2, 0] == pytest.approx(2.0 * before[2:-2, 0], abs=0.02)


def test_mirrored_steps_are_taken_by_the_other_feet(steps):
    before, legs, meshes = read_places(steps), read_legs(steps), [s.data for s in steps]
    assert bpy.ops.object.footsteps_mirror() == {"FINISHED"}
    after = read_places(steps)
    assert after[:, 0] == pytest.approx(-before[:, 0], abs=0.02)
    assert after[:, 1] == pytest.approx(before[:, 1], abs=0.02)
    assert all(new != old for new, old in zip(read_legs(steps), legs, strict=True))
    assert [s.data for s in steps] == [meshes[1], meshes[0]] * 5
    assert tuple(steps[0].color) != tuple(steps[1].color)
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in steps)


def test_edited_steps_stand_on_the_ground_or_keep_their_heights(steps):
    add_box("Floor", (40.0, 40.0, 1.0), (0.0, 0.0, -0.5))
    block = add_box("Block", (8.0, 40.0, 0.2), (4.5, 0.0, 0.1))
    bpy.context.view_layer.update()
    bpy.ops.object.footsteps_bend(angle=np.pi / 2)
    on_block = [step for step, place in zip(steps, read_places(steps), strict=True) if place[0] > 1]
    assert len(on_block) > 2
    assert [s.location.z for s in on_block] == pytest.approx([0.2] * len(on_block), abs=1e-4)
    bpy.data.objects.remove(block)
    bpy.ops.object.footsteps_scale(length=1.1, on_ground=False)
    assert [s.location.z for s in on_block] == pytest.approx([0.2] * len(on_block), abs=1e-4)


def test_planned_steps_that_are_edited_count_as_moved(walker):  # noqa: F811
    bpy.ops.object.footsteps_from_plan()
    steps = list_footsteps(walker)
    select(*steps[2:6])
    bpy.ops.object.footsteps_bend(angle=0.3)
    assert all(is_edited(step) for step in steps[4:6])
    assert not any(is_edited(step) for step in [*steps[:2], *steps[6:]])


def test_a_copied_run_goes_on_after_the_last_step(steps, walker):  # noqa: F811
    bpy.ops.anim.locomotion_bake()
    data = steps[4].locomotion_footstep
    data.duration = data.duration + 12.0
    select(*steps[2:6])
    assert bpy.ops.object.footsteps_copy() == {"FINISHED"}
    select(walker)
    assert bpy.ops.object.footsteps_paste() == {"FINISHED"}
    everything = list_footsteps(walker)
    pasted = everything[10:]
    assert everything[:10] == steps
    assert len(pasted) == 4
    assert set(bpy.context.selected_objects) == set(pasted)
    legs = read_legs(everything)
    assert all(a != b for a, b in itertools.pairwise(legs))
    moves = np.diff(read_places(everything)[:, 1])
    assert moves[9] == pytest.approx(np.mean(moves[4:8]), rel=0.1)
    held = [step.locomotion_footstep.has_own_duration for step in pasted]
    assert held == [False, False, True, False]
    assert bpy.ops.anim.locomotion_bake() == {"FINISHED"}
    assert not any(step.locomotion_footstep.is_lost for step in everything)


def test_sides_of_a_pasted_run(steps, walker):  # noqa: F811
    legs = read_legs(steps)
    select(*steps[1:4])
    bpy.ops.object.footsteps_copy()
    select(walker)
    # The run begins with the foot that took the last step, so that it is mirrored.
    bpy.ops.object.footsteps_paste(sides="AUTO")
    assert read_legs(list_footsteps(walker)[10:]) == legs[:3]
    bpy.ops.object.footsteps_paste(sides="SAME")
    assert read_legs(list_footsteps(walker)[13:]) == legs[1:4]
    bpy.ops.object.footsteps_paste(sides="MIRRORED")
    assert read_legs(list_footsteps(walker)[16:]) == legs[:3]


def test_a_run_is_pasted_at_the_cursor_and_turned_by_it(steps, walker):  # noqa: F811
    select(*steps[:3])
    bpy.ops.object.footsteps_copy()
    cursor = bpy.context.scene.cursor
    cursor.location, cursor.rotation_euler = (5.0, 5.0, 0.0), (0.0, 0.0, np.pi / 2)
    bpy.ops.object.footsteps_paste(place="CURSOR", sides="SAME", on_ground=False)
    pasted = list_footsteps(walker)[10:]
    places = read_places(pasted)
    assert np.hypot(*(places[0, :2] - 5.0)) < 0.3
    # Along -Y, turned to the left by a quarter: along +X.
    assert places[-1, 0] - places[0, 0] > 0.5
    assert read_headings(pasted) - read_headings(steps[:3]) == pytest.approx(
        np.full(3, np.pi / 2), abs=1e-3
    )


def test_copies_need_footsteps_and_pastes_copies(walker):  # noqa: F811
    assert not bpy.ops.object.footsteps_copy.poll()
    bpy.ops.object.footsteps_generate(count=2)
    select(walker)
    assert bpy.ops.object.footsteps_copy() == {"FINISHED"}
    walker.locomotion.legs[0].name = "Other"
    with pytest.raises(RuntimeError, match="has no leg"):
        bpy.ops.object.footsteps_paste()


def test_undo_takes_back_each_edit(steps):
    """Names are looked up again, since undo makes new objects."""
    names = [step.name for step in steps]
    bpy.ops.object.footsteps_copy()

    def read():
        present = [bpy.data.objects[name] for name in names]
        count = len(bpy.data.objects)
        return count, read_legs(present), np.round(read_places(present), 4).tolist()

    states = [read()]
    bpy.ops.ed.undo_push(message="start")
    for call in (
        bpy.ops.object.footsteps_bend,
        bpy.ops.object.footsteps_scale,
        bpy.ops.object.footsteps_mirror,
        bpy.ops.object.footsteps_paste,
    ):
        call("EXEC_DEFAULT", True)
        states.append(read())
        assert states[-1] != states[-2]
    for state in reversed(states[:-1]):
        bpy.ops.ed.undo()
        assert read() == state
