# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as objects: from the plan, edited, kept by later bakes, lost, never ground."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

from mathutils import Matrix, Vector

from semi_procedural_locomotion.api.footsteps import (
    clear_footsteps,
    replace_on_ground,
    show_footsteps,
)
from semi_procedural_locomotion.api.setups import bake_set_up, write_travel
from semi_procedural_locomotion.blender.footsteps.objects import is_edited, list_footsteps
from semi_procedural_locomotion.blender.ground.casting import build_ground
from semi_procedural_locomotion.requests.travels import AlongPoints
from tests.scenes import add_person


@pytest.fixture
def walker():
    """A set-up person that walks 6 m ahead on a large floor."""
    scene = bpy.context.scene
    armature = add_person(is_set_up=True)
    add_box("Floor", (40.0, 40.0, 1.0), (0.0, 0.0, -0.5))
    scene.frame_start, scene.frame_end = 1, 150
    bpy.context.view_layer.update()
    write_travel(armature, AlongPoints(((0.0, 0.0), (0.0, -6.0))), "object")
    return armature


def add_box(name, size, place):
    """A box with this size about this place."""
    mesh = bpy.data.meshes.new(name)
    half = np.array(size) / 2
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata([tuple(np.array(c) * half) for c in corners], [], faces)
    item = bpy.data.objects.new(name, mesh)
    item.location = place
    bpy.context.scene.collection.objects.link(item)
    return item


def step_of(armature, identifier):
    """The footstep that stands for a planned step."""
    (found,) = [
        i for i in list_footsteps(armature) if i.locomotion_footstep.identifier == identifier
    ]
    return found


def read_prints(plan):
    """Heel ends of all prints by their names."""
    return {
        f"{leg}:{row.first + index}": row.positions[index]
        for leg, row in enumerate(plan.prints.rows)
        for index in np.flatnonzero(~row.parked)
    }


def pick_middle(armature):
    """A planned step in the middle of the walk."""
    steps = list_footsteps(armature)
    return steps[len(steps) // 2]


def foot_in_world(armature, plan, step):
    """Where the baked foot of a step stands, by the ankle bone, in the middle of its stance."""
    data = step.locomotion_footstep
    leg = next(leg for leg in armature.locomotion.legs if leg.name == data.leg)
    bone = leg.bones[len(leg.bones) - 1].name
    scene = bpy.context.scene
    scene.frame_set(round(data.time * scene.render.fps))
    return armature.matrix_world @ armature.pose.bones[bone].head


def test_from_plan_shows_every_print_where_it_is(walker):
    steps = show_footsteps(walker, bpy.context.scene)
    result = bake_set_up(walker, bpy.context.scene)
    assert [s.locomotion_footstep.number for s in steps] == list(range(1, len(steps) + 1))
    prints = read_prints(result.plan)
    assert len(steps) > 8
    for step in steps:
        length = result.plan.tables.rig.foot_lengths[0]
        heel = step.matrix_basis @ Vector((-0.5 * length, 0.0, 0.0))
        assert np.allclose(heel, prints[step.locomotion_footstep.identifier], atol=1e-5)
    assert all(step.hide_render and not is_edited(step) for step in steps)
    assert len({step.data for step in steps}) == 2
    assert walker.locomotion.travel.source == "POINTS"


def test_a_moved_step_is_landed_on_and_steps_two_away_stay(walker):
    steps = show_footsteps(walker, bpy.context.scene)
    before = bake_set_up(walker, bpy.context.scene)
    step = pick_middle(walker)
    away = steps[steps.index(step) + 2]
    name = step.locomotion_footstep.identifier
    old, old_away = (
        foot_in_world(walker, before.plan, step),
        foot_in_world(walker, before.plan, away),
    )
    step.location.x += 0.2
    assert is_edited(step)
    after = bake_set_up(walker, bpy.context.scene)
    new, new_away = foot_in_world(walker, after.plan, step), foot_in_world(walker, after.plan, away)
    length = after.report.leg_length
    assert (new - old - Vector((0.2, 0.0, 0.0))).length < 1e-3 * length
    assert (new_away - old_away).length < 1e-3 * length
    first, second = read_prints(before.plan), read_prints(after.plan)
    moved = [key for key in first if np.abs(first[key] - second[key]).max() > 1e-9]
    assert moved == [name]


def test_an_edit_survives_a_change_of_the_ground(walker):
    show_footsteps(walker, bpy.context.scene)
    step = pick_middle(walker)
    step.location.x += 0.15
    place = step.location.copy()
    add_box("Slab", (0.5, 0.5, 0.1), (2.0, -2.0, 0.05))
    bpy.data.objects["Floor"].location.z -= 0.02
    bpy.context.view_layer.update()
    result = bake_set_up(walker, bpy.context.scene)
    assert not result.plan.claims.lost
    steps = show_footsteps(walker, bpy.context.scene)
    assert step in steps
    assert step.location == place
    others = [s for s in steps if s != step and not is_edited(s)]
    assert all(abs(s.location.z + 0.02) < 1e-4 for s in others)
    assert replace_on_ground(walker, bpy.context.scene, [step]) == 0
    assert step.location.z == pytest.approx(-0.02, abs=1e-4)
    assert step.location.xy == place.xy


def test_a_step_out_of_reach_is_marked_and_named_until_it_is_back(walker):
    show_footsteps(walker, bpy.context.scene)
    step = pick_middle(walker)
    step.location.x += 5.0
    result = bake_set_up(walker, bpy.context.scene)
    assert any(step.name in warning for warning in result.warnings)
    assert step.name in walker.locomotion.report.warnings
    assert step.locomotion_footstep.is_lost
    assert step.material_slots[0].material.name == "Unused Footsteps"
    step.location.x -= 5.0
    step.location.x += 0.1
    result = bake_set_up(walker, bpy.context.scene)
    assert not any(step.name in warning for warning in result.warnings)
    assert not step.locomotion_footstep.is_lost
    assert step.material_slots[0].material.name != "Unused Footsteps"


def test_deleted_steps_come_back_and_duplicates_are_the_user_s(walker):
    steps = show_footsteps(walker, bpy.context.scene)
    step = pick_middle(walker)
    count = len(steps)
    double = step.copy()
    walker.locomotion.footsteps.objects.link(double)
    double.location.y -= 0.05
    bpy.data.objects.remove(steps[2])
    again = show_footsteps(walker, bpy.context.scene)
    assert double in again
    assert len(again) == count
    assert show_footsteps(walker, bpy.context.scene) == again


def test_without_edits_all_is_as_planned(walker):
    show_footsteps(walker, bpy.context.scene)
    step = pick_middle(walker)
    step.location.x += 0.2
    steps = show_footsteps(walker, bpy.context.scene, keep_edits=False)
    assert not any(is_edited(s) for s in steps)


def test_footsteps_are_no_ground(walker):
    for step in show_footsteps(walker, bpy.context.scene):
        step.location.z += 0.3
    loose = pick_middle(walker).copy()
    bpy.context.scene.collection.objects.link(loose)
    bpy.context.view_layer.update()
    assert {s.name for s in build_ground(bpy.context).surfaces} == {"Floor"}


def test_on_moving_ground_steps_ride_along(walker):
    platform = add_box("Platform", (3.0, 2.0, 0.1), (0.0, -3.0, 0.0))
    platform.keyframe_insert("location", frame=1)
    platform.location.x = 0.3
    platform.keyframe_insert("location", frame=150)
    bpy.context.view_layer.update()
    result = bake_set_up(walker, bpy.context.scene)
    steps = show_footsteps(walker, bpy.context.scene)
    riding = [s for s in steps if s.parent == platform]
    assert riding
    assert any(s.parent is None for s in steps)
    step, scene = riding[0], bpy.context.scene
    frame = step.locomotion_footstep.time * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1)
    heel = step.matrix_world @ Vector((-0.5 * result.plan.tables.rig.foot_lengths[0], 0.0, 0.0))
    name = step.locomotion_footstep.identifier
    assert np.allclose(heel, read_prints(result.plan)[name], atol=1e-3)
    scene.frame_set(1)
    step.matrix_basis = Matrix.Translation((0.0, 0.1, 0.0)) @ step.matrix_basis
    after = bake_set_up(walker, scene)
    shift = read_prints(after.plan)[name] - read_prints(result.plan)[name]
    assert shift == pytest.approx((0.0, 0.1, 0.0), abs=1e-3)


def test_clear_takes_objects_and_soles(walker):
    steps = show_footsteps(walker, bpy.context.scene)
    count = len(steps)
    pick_middle(walker).location.x += 0.1
    assert clear_footsteps(walker, edited_too=False) == count - 1
    assert clear_footsteps(walker) == 1
    assert not list_footsteps(walker)
    assert not [m for m in bpy.data.meshes if m.name.endswith("Sole")]


def test_a_step_left_out_is_kept_out_by_later_bakes(walker):
    steps = show_footsteps(walker, bpy.context.scene)
    last = steps[-1]
    leg = last.locomotion_footstep.leg
    before = [s for s in steps if s.locomotion_footstep.leg == leg][-2]
    last.locomotion_footstep.is_left_out = True
    assert last.display_type == "WIRE"
    for _ in range(2):
        bake_set_up(walker, bpy.context.scene)
        assert show_footsteps(walker, bpy.context.scene) == steps
    assert not last.locomotion_footstep.is_lost
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    bone = next(entry for entry in walker.locomotion.legs if entry.name == leg).bones[-1].name
    place = before.matrix_world.inverted() @ walker.matrix_world @ walker.pose.bones[bone].head
    assert abs(place.y) < 0.02
    last.locomotion_footstep.is_left_out = False
    assert not is_edited(last)


def test_a_step_parented_by_hand_rides_along_and_counts_as_edited(walker):
    scene = bpy.context.scene
    sledge = add_box("Sledge", (0.5, 0.5, 0.1), (3.0, 3.0, 0.05))
    for frame, x in ((1, 3.0), (150, 3.7)):
        sledge.location.x = x
        sledge.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    steps = show_footsteps(walker, scene)
    before = read_prints(bake_set_up(walker, scene).plan)
    scene.frame_set(1)
    step = pick_middle(walker)
    name, world = step.locomotion_footstep.identifier, step.matrix_world.copy()
    step.parent = sledge
    step.matrix_parent_inverse = sledge.matrix_world.inverted()
    bpy.context.view_layer.update()
    assert np.allclose(step.matrix_world, world, atol=1e-5)
    assert is_edited(step)
    assert step in show_footsteps(walker, scene)
    assert step.parent == sledge
    after = read_prints(bake_set_up(walker, scene).plan)
    shift = after[name] - before[name]
    frame = step.locomotion_footstep.time * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1)
    assert shift[0] == pytest.approx(sledge.matrix_world.translation.x - 3.0, abs=2e-3)
    assert shift[0] > 0.2
    assert len(list_footsteps(walker)) == len(steps)


def duplicate(*items):
    """Duplicate objects as Shift+D does."""
    bpy.context.view_layer.update()
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0]
    bpy.ops.object.duplicate()
    return sorted(bpy.context.selected_objects, key=lambda i: i.locomotion_footstep.number)


def test_a_duplicate_gets_an_own_id_and_takes_the_step_that_it_is_moved_to(walker):
    scene = bpy.context.scene
    steps = show_footsteps(walker, scene)
    step = pick_middle(walker)
    leg = step.locomotion_footstep.leg
    later = [s for s in steps if s.locomotion_footstep.leg == leg]
    target = later[later.index(step) + 1]
    name, place = target.locomotion_footstep.identifier, target.location.copy()
    (double,) = duplicate(step)
    double.location = place + Vector((0.06, 0.05, 0.0))
    bake_set_up(walker, scene)
    assert not double.locomotion_footstep.is_lost
    again = show_footsteps(walker, scene)
    assert len(again) == len(steps)
    assert double in again
    assert step in again
    assert not is_edited(step)
    assert double.locomotion_footstep.identifier == name
    numbers = [s.locomotion_footstep.number for s in again]
    assert numbers == list(range(1, len(again) + 1))


def test_a_duplicate_that_no_step_passes_is_told_and_has_no_planned_id(walker):
    scene = bpy.context.scene
    show_footsteps(walker, scene)
    step = pick_middle(walker)
    step.location.x += 0.02
    (double,) = duplicate(step)
    double.location.x += 0.05
    result = bake_set_up(walker, scene)
    (told,) = [text for text in result.warnings if "is not used" in text]
    assert f"{double.name!r} is not used: {step.name!r} takes the step" in told
    double.location.x += 9.0
    bake_set_up(walker, scene)
    assert double.locomotion_footstep.is_lost
    assert double.locomotion_footstep.identifier == ""
    assert step.locomotion_footstep.identifier


def test_duplicates_at_the_end_of_a_way_go_on_with_it(walker):
    scene = bpy.context.scene
    bpy.context.view_layer.objects.active = walker
    walker.select_set(True)
    bpy.ops.object.footsteps_generate(count=8)
    steps = list_footsteps(walker)
    ahead = steps[-1].location - steps[-3].location
    doubles = duplicate(*steps[-2:])
    for double in doubles:
        double.location += ahead
    assert list_footsteps(walker) == [*steps, *doubles]
    bake_set_up(walker, scene)
    assert not any(s.locomotion_footstep.is_lost for s in list_footsteps(walker))
    numbers = [s.locomotion_footstep.number for s in list_footsteps(walker)]
    assert numbers == list(range(1, 11))
    assert list_footsteps(walker) == [*steps, *doubles]
    starts = [s.locomotion_footstep.planned_start for s in list_footsteps(walker)]
    assert starts == sorted(starts)
