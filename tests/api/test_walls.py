# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Walls, beams and doors of a scene: what a body passes through is told, or kept clear of."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from semi_procedural_locomotion.api import walls
from semi_procedural_locomotion.api.notes import tell_note
from semi_procedural_locomotion.api.reports import measure_baked
from semi_procedural_locomotion.api.setups import (
    bake_set_up,
    remove_set_up_bake,
    set_up,
    write_ground,
    write_travel,
)
from semi_procedural_locomotion.blender.bake.inputs import may_depend
from semi_procedural_locomotion.blender.reading.skins import read_outline
from semi_procedural_locomotion.demo.course_shapes import make_box
from semi_procedural_locomotion.demo.stage import create_terrain
from semi_procedural_locomotion.notes import NoteKind
from semi_procedural_locomotion.requests.travels import AlongPoints, AsObject
from tests.meters import level_heights, measure_sink, see_feet
from tests.scenes import add_person

pytestmark = pytest.mark.newest

WAY = AlongPoints(points=((0.0, 0.0), (0.0, -4.0)))


@pytest.fixture
def walker():
    """A set-up person, who walks along -Y, on a floor."""
    armature = add_person()
    build("Floor", (0.0, 0.0), (20.0, 20.0), -0.1, 0.0)
    set_up(armature)
    return armature


def build(name, middle, sides, base, top):
    """A box in the scene."""
    mesh = make_box(np.array(middle), sides, base, top)
    item = create_terrain(mesh, name, bpy.context.scene.collection)
    bpy.context.view_layer.update()
    return item


def bake(armature, travel=WAY):
    write_travel(armature, travel, "object")
    result = bake_set_up(armature, bpy.context.scene)
    return result, {
        note.values["wall"]: note for note in result.notes if note.kind is NoteKind.WALL_CROSSED
    }


def place_vertices(armature, frames):
    """World places of all vertices of the evaluated body, one array for all frames."""
    found = []
    (body,) = [item for item in armature.children if item.type == "MESH"]
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        shown = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
        flat = np.empty(3 * len(shown.data.vertices), dtype=np.float32)
        shown.data.vertices.foreach_get("co", flat)
        world = np.array(shown.matrix_world)
        found.append(flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3])
    return np.concatenate(found)


def test_walls_and_low_beams_are_told_and_doorways_and_kerbs_are_not(walker):
    build("Kerb", (0.0, -0.9), (3.0, 0.4), 0.0, 0.15)
    build("Left Post", (1.0, -1.6), (1.0, 0.1), 0.0, 2.2)
    build("Right Post", (-1.0, -1.6), (1.0, 0.1), 0.0, 2.2)
    build("Lintel", (0.0, -1.6), (3.0, 0.1), 2.0, 2.2)
    build("Beam", (0.0, -2.3), (3.0, 0.1), 1.4, 1.6)
    build("Wall", (0.0, -3.0), (3.0, 0.1), 0.0, 2.5)
    result, told = bake(walker)
    assert sorted(told) == ["Beam", "Wall"]
    wall = told["Wall"]
    assert wall.values["case"] == "open"
    assert np.allclose(wall.place[:2], [0.0, -3.0], atol=0.15)
    rate = bpy.context.scene.render.fps
    times = np.array([wall.frame, wall.values["last"]]) / rate
    first, last = result.plan.travel.evaluate(times)[0][:, 1]
    assert -3.05 < first < -2.6
    assert -3.4 < last < -2.95
    words = tell_note(wall)
    assert f"'Wall' from frame {wall.frame} to {wall.values['last']}" in words
    assert "Keep Clear of Walls" in words
    seen = [
        note.values["wall"]
        for note in measure_baked(walker, bpy.context.scene).notes
        if note.kind is NoteKind.WALL_CROSSED
    ]
    assert sorted(seen) == ["Beam", "Wall"]


def test_nobody_looks_at_the_body_where_nothing_stands_up(walker, monkeypatch):
    looks = []

    def look(*asked):
        looks.append(asked)
        return read_outline(*asked)

    monkeypatch.setattr(walls, "read_outline", look)
    _, told = bake(walker)
    assert (told, looks) == ({}, [])
    build("Wall", (0.0, -3.0), (3.0, 0.1), 0.0, 2.5)
    _, told = bake(walker)
    assert list(told) == ["Wall"]
    assert looks


def test_a_way_keeps_clear_of_a_wall_in_the_side_of_the_body(walker):
    build("Wall", (1.07, -2.0), (2.0, 1.0), 0.0, 2.5)
    result, told = bake(walker)
    frames = range(result.frames[0], result.frames[1] + 1)
    low, high = np.array([0.07, -2.5, 0.0]), np.array([2.07, -1.5, 2.5])

    def find_depth():
        places = place_vertices(walker, frames[20:-20])
        return float(np.minimum(places - low, high - places).min(axis=1).max())

    assert find_depth() > 0.15
    assert list(told) == ["Wall"]
    result, told = bake(walker, AlongPoints(points=WAY.points, keep_clear=True))
    assert told == {}
    assert find_depth() < 0.0
    positions = result.plan.travel.positions
    assert np.abs(positions[[0, -1], 0]).max() < 0.01
    feet = [[f"foot.{side}", f"toe.{side}"] for side in "LR"]
    seen = see_feet(walker, feet, frames, level_heights)
    assert all(len(foot.points[0]) for foot in seen)
    assert measure_sink(seen) < 0.004


def test_an_end_that_is_moved_out_of_a_pillar_is_told(walker):
    build("Pillar", (0.0, -3.6), (0.3, 0.3), 0.0, 3.0)
    way = AlongPoints(points=((0.0, 0.0), (0.0, -3.9)), keep_clear=True)
    result, told = bake(walker, way)
    assert told == {}
    (note,) = [note for note in result.notes if note.kind is NoteKind.WAY_END_MOVED]
    bpy.context.scene.frame_set(result.frames[1])
    assert note.values["distance"] == pytest.approx(
        abs(walker.matrix_world.translation.x), abs=5e-3
    )
    assert note.values["distance"] > 0.3
    assert np.allclose(note.place[:2], [0.0, -3.9], atol=5e-3)
    assert tell_note(note).startswith("the way ends ")
    assert "'Pillar'" in tell_note(note)


def test_a_chair_is_not_climbed_and_the_way_leads_around_it_by_choice(walker):
    build("Seat", (0.0, -2.2), (0.45, 0.45), 0.40, 0.45)
    build("Back", (0.0, -2.41), (0.45, 0.03), 0.45, 0.95)
    result, told = bake(walker)
    assert list(told) == ["Back"]
    (note,) = [note for note in result.notes if note.kind is NoteKind.THING_CLIMBED]
    assert note.values["thing"] == "Seat"
    assert note.values["height"] == pytest.approx(0.45, abs=0.01)
    assert "Keep Clear of Walls" in tell_note(note)
    frames = range(result.frames[0], result.frames[1] + 1, 2)

    def find_lowest_top():
        return place_vertices(walker, frames).reshape(len(frames), -1, 3)[..., 2].min(axis=1).max()

    assert find_lowest_top() < 0.5
    result, told = bake(walker, AlongPoints(points=WAY.points, keep_clear=True))
    assert told == {}
    assert not [note for note in result.notes if note.kind is NoteKind.THING_CLIMBED]
    places = place_vertices(walker, range(result.frames[0], result.frames[1] + 1, 2))
    low, high = np.array([-0.225, -2.425, 0.40]), np.array([0.225, -1.975, 0.95])
    assert np.minimum(places - low, high - places).min(axis=1).max() < 0.0


def test_what_a_way_keeps_clear_of_is_watched(walker):
    wall = build("Wall", (1.07, -2.0), (2.0, 1.0), 0.0, 2.5)
    walker.locomotion.ground.source = "PLANE"
    write_travel(walker, WAY, "object")
    assert not may_depend(walker, wall)
    write_travel(walker, AlongPoints(points=WAY.points, keep_clear=True), "object")
    assert may_depend(walker, wall)
    walker.locomotion.travel.source = "OBJECT"
    assert not may_depend(walker, wall)


def test_what_is_no_ground_and_what_is_animated_is_told_too(walker):
    write_ground(walker, [bpy.data.objects["Floor"]])
    build("Table", (0.0, -2.0), (1.0, 0.6), 0.7, 0.75)
    door = build("Door", (0.0, -3.0), (1.0, 0.05), 0.0, 2.0)
    assert sorted(bake(walker)[1]) == ["Door", "Table"]
    for frame, across in ((1, 0.0), (30, 2.0)):
        door.location.x = across
        door.keyframe_insert("location", frame=frame)
    assert sorted(bake(walker)[1]) == ["Table"]
    remove_set_up_bake(walker)
    for frame, way in ((1, 0.0), (80, -3.0)):
        walker.location = (0.0, way, 0.0)
        walker.keyframe_insert("location", frame=frame)
    _, told = bake(walker, AsObject())
    assert told["Table"].values["case"] == "on_fixed_way"
