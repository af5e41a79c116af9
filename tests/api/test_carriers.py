# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passengers of trains, turntables and ships, and belts under a body, by evaluated meshes."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api.footsteps import find_footsteps, write_footsteps
from semi_procedural_locomotion.api.progress import run_steps
from semi_procedural_locomotion.api.setups import (
    bake_set_up,
    remove_set_up_bake,
    set_up,
    write_travel,
)
from semi_procedural_locomotion.blender.versions import get_assigned_action, get_curves
from semi_procedural_locomotion.demo.stage import create_line
from semi_procedural_locomotion.errors import TravelError
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import (
    AlongCurve,
    AlongFootsteps,
    AlongPoints,
    AsObject,
    StraightAhead,
)
from tests.meters import level_heights, see_feet
from tests.scenes import add_mesh, add_person

FEET = (("foot.L", "toe.L"), ("foot.R", "toe.R"))
LAST = 37
# Frame, place and turn of what carries; keys are eased as Blender does.
TRAIN = ((1, (0, 0, 0), (0, 0, 0)), (20, (2, 0, 0), (0, 0, 0)), (LAST, (10, 3, 0), (0, 0, 0.3)))
TURNTABLE = ((1, (3, 0, 0), (0, 0, 0)), (LAST, (3, 0, 0), (0, 0, -3.0)))
SHIP = (
    (1, (10, 0, -2), (0, 0, 0)),
    (15, (10, 0, -1.5), (0.1, 0.12, 0)),
    (30, (10, 0, -2.3), (-0.08, 0.1, 0)),
    (LAST, (10, 0, -2), (0.05, -0.12, 0)),
)
CARRIERS = {"train": TRAIN, "turntable": TURNTABLE, "ship": SHIP}


@pytest.fixture
def person():
    """A person on a floor; both stand still."""
    scene = bpy.context.scene
    armature = add_person()
    make_floor("Floor", (-30, 30))
    scene.frame_start, scene.frame_end = 1, LAST
    scene.frame_set(1)
    return armature


def make_floor(name, along, height=0.0):
    """A floor from one y to another."""
    floor = add_mesh(name, [(x, y, 0) for y in along for x in (-30, 30)], [(0, 1, 3, 2)])
    floor.location.z = height
    return floor


def key(item, keys):
    """Animate an object."""
    for frame, place, turn in keys:
        item.location, item.rotation_euler = place, turn
        item.keyframe_insert("location", frame=frame)
        item.keyframe_insert("rotation_euler", frame=frame)
    bpy.context.scene.frame_set(1)


def hang(keys, *items, turn=0.0, size=1.0):
    """An animated carrier with an empty in between, and objects on it that stay where they are."""
    scene = bpy.context.scene
    carrier, middle = (bpy.data.objects.new(name, None) for name in ("Carrier", "Middle"))
    for item in (carrier, middle):
        scene.collection.objects.link(item)
    middle.parent, middle.location = carrier, (0.4, -1.0, 0.2)
    carrier.scale = (size, size, size)
    key(carrier, [(f, place, (a, b, c + turn)) for f, place, (a, b, c) in keys])
    bpy.context.view_layer.update()
    for item in items:
        item.parent = middle
        item.matrix_parent_inverse = middle.matrix_world.inverted()
    bpy.context.view_layer.update()
    return carrier


def unhang(carrier, *items):
    """Take a carrier away again; what was on it stays where it was."""
    for item in items:
        if item.type == "ARMATURE":
            remove_set_up_bake(item)
        item.parent = None
    for item in (*carrier.children, carrier):
        bpy.data.objects.remove(item)
    bpy.context.view_layer.update()


def see(armature, floor, frames=range(1, LAST + 1)):
    """Vertices of both feet (F, V, 3), leg lengths, in the space of the floor."""
    places = np.concatenate(
        [foot.points for foot in see_feet(armature, FEET, frames, level_heights)], axis=1
    )
    for row, frame in enumerate(frames):
        bpy.context.scene.frame_set(frame)
        back = np.linalg.inv(np.array(floor.matrix_world))
        places[row] = places[row] @ back[:3, :3].T + back[:3, 3]
    bpy.context.scene.frame_set(1)
    return places / armature.data.bones["thigh.L"].head_local.z


def bake(armature, travel, output="object"):
    """A walk, told to be shown as planned."""
    write_travel(armature, travel, output)
    result = bake_set_up(armature, bpy.context.scene)
    assert result.verification is None or result.verification.share < 1e-3
    return result


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("train", marks=pytest.mark.newest),
        pytest.param("turntable", marks=pytest.mark.newest),
        "ship",
    ],
)
def test_passengers_who_stand_lift_no_foot(person, name):
    floor = bpy.data.objects["Floor"]
    set_up(person)
    hang(CARRIERS[name], floor, person)
    result = bake(person, AsObject())
    assert np.ptp(see(person, floor), axis=0).max() < 1e-4
    assert not {NoteKind.TRAVEL_FAST, NoteKind.GROUND_LEAVES} & {n.kind for n in result.notes}


def list_travels():
    """A curve that goes ahead, and all travels along it."""
    way = create_line("Way", [(0, 0, 0), (0, -6, 0)], bpy.context.scene.collection)
    ends = {"start": "moving", "stop": "moving"}
    return way, {
        "points": AlongPoints(((0, 0), (0, -6)), **ends),
        "curve": AlongCurve("Way", **ends),
    }


@pytest.mark.newest
def test_passengers_who_walk_go_as_over_still_ground(person):
    floor = bpy.data.objects["Floor"]
    way, travels = list_travels()
    set_up(person)
    still = None
    for name, source, output in (("turntable", "points", "bone"), ("train", "curve", "object")):
        if still is None:
            bake(person, travels[source], output)
            still = see(person, floor)
        hung = [floor, way] if source == "curve" else [floor, person]
        carrier = hang(CARRIERS[name], *hung, turn=1.2, size=2.0)
        bake(person, travels[source], output)
        off = np.abs(see(person, floor) - still).max(axis=2)
        # Swings give for a body that leans against its carrier's pull; what stands does not.
        assert off[still[..., 2] < 2e-3].max() < 0.01, (name, source)
        assert off.max() < 0.05, (name, source)
        unhang(carrier, *hung)


@pytest.mark.newest
def test_a_walk_begins_on_a_deck_that_is_aslant(person):
    floor = bpy.data.objects["Floor"]
    set_up(person)
    floor.rotation_euler = (0.1, 0.2, 0.0)
    person.parent = floor
    bpy.context.view_layer.update()
    result = bake(person, StraightAhead())
    assert NoteKind.GROUND_LEVELS not in {note.kind for note in result.notes}
    lowest = see(person, floor).reshape(LAST, 2, -1, 3)[..., 2].min(axis=(1, 2))
    assert np.abs(lowest).max() < 5e-3


@pytest.mark.newest
def test_a_passenger_without_a_floor_walks_on_a_plane_that_goes_along(person):
    bpy.data.objects.remove(bpy.data.objects["Floor"])
    carrier = hang(TRAIN, person)
    set_up(person)
    result = bake(person, StraightAhead())
    speeds = np.hypot(*result.plan.times.velocities.T)
    assert speeds == pytest.approx(speeds[0], rel=1e-3)
    seen = see(person, carrier)
    assert np.abs(seen.reshape(LAST, 2, -1, 3)[..., 2].min(axis=(1, 2))).max() < 5e-3


@pytest.mark.newest
def test_a_walk_along_footsteps_goes_with_their_carrier(person):
    floor = bpy.data.objects["Floor"]
    hang(TRAIN, floor, person)
    set_up(person)
    write_travel(person, AlongPoints(((0, 0), (0, -1.2))), "object")
    scene = bpy.context.scene
    steps = write_footsteps(run_steps(find_footsteps(person, scene)), scene)
    scene.frame_end = 120
    assert {step.parent for step in steps} == {floor}
    result = bake(person, AlongFootsteps())
    assert not [n for n in result.notes if n.kind is NoteKind.FOOTSTEP_OFF_GROUND]
    seen = see(person, floor, [1, result.frames[1]])
    gone = (seen[-1] - seen[0]).mean(axis=0) * person.data.bones["thigh.L"].head_local.z
    assert gone == pytest.approx([0.0, -1.2, 0.0], abs=0.05)


def test_a_body_that_stands_on_a_belt_walks(person):
    belt = bpy.data.objects["Floor"]
    set_up(person)
    write_travel(person, AsObject(), "object")
    with pytest.raises(TravelError, match="no animation that moves it"):
        bake_set_up(person, bpy.context.scene)
    key(belt, ((1, (0, 0, 0), (0, 0, 0)), (LAST, (0, 2, 0), (0, 0, 0))))
    result = bake(person, AsObject())
    assert not [n for n in result.notes if n.kind is NoteKind.GROUND_LEAVES]
    seen = see(person, belt)
    low = seen.reshape(LAST, 2, -1, 3)[..., 2].min(axis=2)
    assert (np.ptp(low, axis=0) > 0.02).all()
    assert np.abs((seen[-1] - seen[0]).mean(axis=0)[1]) > 0.6
    moved = [
        np.array(person.matrix_world)[:2, 3] for _ in map(bpy.context.scene.frame_set, (1, 25))
    ]
    assert np.ptp(moved, axis=0).max() < 1e-5


@pytest.mark.newest
def test_feet_do_not_slide_where_a_body_steps_on_and_off_a_belt(person):
    belt = bpy.data.objects["Floor"]
    belt.location.z = -0.004
    keys = ((1, (0, 0, -0.004), (0, 0, 0)), (LAST, (0, -1.2, -0.004), (0, 0, 0)))
    key(belt, keys)
    for curve in get_curves(*get_assigned_action(belt)):
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    make_floor("Before", (20, -0.7))
    make_floor("After", (-1.6, -20))
    set_up(person)
    result = bake(person, StraightAhead())
    kinds = {note.kind for note in result.notes}
    assert not {NoteKind.WALK_AIRBORNE, NoteKind.GROUND_LEAVES} & kinds
    assert result.report.shown_airborne_share == 0.0
    leg = person.data.bones["thigh.L"].head_local.z
    seen = np.concatenate(
        [f.points for f in see_feet(person, FEET, range(1, LAST + 1), level_heights)], axis=1
    )
    low = (seen[:-1, :, 2] < 0.002) & (seen[1:, :, 2] < 0.002)
    steps = (seen[1:] - seen[:-1])[..., :2]
    carried = steps - np.array([0.0, -1.2 / (LAST - 1)])
    slides = np.minimum(np.hypot(*steps[low].T), np.hypot(*carried[low].T))
    assert np.quantile(slides, 0.99) < 0.006 * leg
