# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways give way to walls: smoothly, no farther than a body's width, and over ground alone."""

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.travel.carried import carry_travel, make_carrier
from semi_procedural_locomotion.core.travel.limits import CLEARING
from semi_procedural_locomotion.core.travel.walls import (
    BodyRoom,
    find_shifts,
    lay_aisles,
    lay_passage,
    shift_travel,
    split_runs,
)
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from semi_procedural_locomotion.demo.course_shapes import make_box
from tests.core.boxes import BoxWalls

LENGTH, HALF, STEP = 0.9, 0.25, 0.5


def make_room(count=80):
    """A body along +X that is equally wide from its knees to its crown."""
    flat = np.zeros((count, 7))
    levels = np.concatenate([[0.3], np.linspace(STEP, 1.7, 6)])
    centres = np.stack([0.12 * np.arange(count), np.zeros(count)], axis=1)
    return BodyRoom(
        times=0.1 * np.arange(count),
        centres=centres,
        directions=np.tile([1.0, 0.0], (count, 1)),
        grounds=np.zeros(count),
        levels=flat + levels,
        widths=flat + HALF,
        reaches=np.zeros((count, 7, 2)),
        climbs=np.zeros(count),
    )


def clear(walls, ground=None, room=None):
    """Shifts (S,) of a way along +X, and the room."""
    room, ground = room or make_room(), ground or FlatGround()
    passage = lay_passage(room, ground, LENGTH, 1.0)
    crossings = walls.find_crossings(passage)
    cells = np.concatenate([passage.sheets.cells[c.pieces, 0] for c in crossings])
    stations = np.clip(cells - 1, 0, len(room.times) - 1)
    shifts = np.zeros(len(room.times))
    for aisle in lay_aisles(room, split_runs(stations), ground, LENGTH, (1.0, STEP)):
        shifts[aisle.rows] = find_shifts(aisle, walls.find_crossings(aisle.passage), LENGTH)
    return shifts, room


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_wall_beside_the_way_is_passed_without_touching_it(side):
    ends = sorted((side * 0.1, side * 2.0))
    shifts, room = clear(BoxWalls(Wall=([4.0, ends[0], 0.0], [6.0, ends[1], 3.0])))
    beside = (room.centres[:, 0] > 3.9) & (room.centres[:, 0] < 6.1)
    assert (side * shifts[beside] <= 0.1 - HALF).all()
    assert np.abs(shifts).max() < 0.1 + 2.0 * HALF
    assert np.abs(shifts[[0, -1]]).max() < 1e-12
    assert np.abs(np.diff(shifts)).max() < 0.5 * 0.12


def test_a_column_in_the_way_is_passed_on_its_nearer_side():
    shifts, room = clear(BoxWalls(Column=([4.9, -0.1, 0.0], [5.1, 0.15, 3.0])))
    at = np.abs(room.centres[:, 0] - 5.0) < 0.1
    assert (shifts[at] <= -0.1 - HALF).all()
    assert np.abs(shifts).max() <= 2.0 * CLEARING.widths * HALF + 1e-9


def test_a_corridor_narrower_than_the_body_is_walked_in_its_middle():
    walls = BoxWalls(
        Left=([4.0, 0.3, 0.0], [6.0, 1.0, 3.0]), Right=([4.0, -1.0, 0.0], [6.0, -0.1, 3.0])
    )
    shifts, room = clear(walls)
    inside = (room.centres[:, 0] > 4.3) & (room.centres[:, 0] < 5.7)
    assert np.abs(shifts[inside] - 0.1).max() < HALF / CLEARING.columns


def test_a_wall_without_an_end_moves_nothing():
    shifts, _ = clear(BoxWalls(Wall=([4.0, -5.0, 0.0], [4.1, 5.0, 3.0])))
    assert np.abs(shifts).max() < 1e-9


def test_no_way_is_shifted_off_its_ground():
    floor = make_box(np.array([5.0, 1.35]), (14.0, 3.3), -0.2, 0.0)
    ground = MeshGround(floor.vertices, floor.triangles)
    walls = BoxWalls(Column=([4.9, -0.1, 0.0], [5.1, 0.15, 3.0]))
    shifts, room = clear(walls, ground)
    at = np.abs(room.centres[:, 0] - 5.0) < 0.1
    assert (shifts[at] >= 0.15 + HALF).all()


def test_an_end_in_a_wall_is_shifted_too():
    shifts, _ = clear(BoxWalls(Wall=([-1.0, 0.1, 0.0], [1.0, 2.0, 3.0])))
    assert shifts[0] <= 0.1 - HALF
    assert abs(shifts[-1]) < 1e-12


def test_a_carried_travel_gives_way_in_the_space_of_its_carrier():
    local = make_straight_travel(np.zeros(3), 0.0, np.array([1.2, 0.0]), 0.0, 8.0)

    def find_matrices(times):
        found = np.tile(np.eye(4), (len(times), 1, 1))
        found[:, 1, 3] = 9.0 * times
        return found

    times = np.linspace(-5.0, 15.0, 200)
    carried = carry_travel(local, make_carrier(find_matrices, 0.0, times))
    room = make_room()
    shifts = 0.3 * np.exp(-(((room.times - 4.0) / 1.0) ** 2))
    shifted = shift_travel(carried, room.times, room.sides, shifts, turns=True)
    alone = shift_travel(local, room.times, room.sides, shifts, turns=True)
    places, yaws = shifted.evaluate(room.times)
    expected, own = alone.evaluate(room.times)
    expected[:, 1] += 9.0 * room.times
    assert np.abs(places - expected).max() < 1e-9
    assert np.abs(yaws - own).max() < 1e-9


def test_a_shifted_travel_goes_along_its_way_and_faces_along_it():
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([1.2, 0.0]), 0.0, 8.0)
    room = make_room()
    shifts = 0.3 * np.exp(-(((room.times - 4.0) / 1.0) ** 2))
    shifted = shift_travel(travel, room.times, room.sides, shifts, turns=True)
    assert abs(shifted.positions[:, 1].max() - 0.3) < 0.02
    assert np.abs(shifted.positions[:, 0] - 1.2 * shifted.times).max() < 1e-9
    velocity = np.gradient(shifted.positions[:, :2], shifted.times, axis=0)
    heading = np.arctan2(velocity[:, 1], velocity[:, 0])
    assert np.abs(shifted.yaws - heading).max() < np.radians(1.0)
    kept = shift_travel(travel, room.times, room.sides, shifts, turns=False)
    assert np.abs(kept.yaws).max() == 0.0
    assert (shifted.start, shifted.end) == (travel.start, travel.end)


@pytest.mark.parametrize("end", [-1, 0])
def test_an_end_gives_way_only_where_a_wall_near_to_it_cannot_be_passed_otherwise(end):
    room = make_room()
    for gap, moves in ((0.6, True), (2.5, False)):
        middle = room.centres[end, 0] + (gap if end == 0 else -gap)
        shifts, _ = clear(BoxWalls(Post=([middle - 0.1, -0.1, 0.0], [middle + 0.1, 0.1, 3.0])))
        assert (abs(shifts[end]) > HALF) == moves
        at = np.argmin(np.abs(room.centres[:, 0] - middle))
        assert abs(shifts[at]) >= 0.1 + HALF
        assert abs(shifts[-1 - end]) < 1e-12
