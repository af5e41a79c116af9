# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a walk passes through is told once, with frames and place; what it steps on is not."""

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.terrain_shapes import make_side_slope, make_stairs
from semi_procedural_locomotion.core.body.outline import outline_from_points
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.report.limits import NOTES
from semi_procedural_locomotion.core.report.walk_passages import measure_passage
from semi_procedural_locomotion.core.report.wall_notes import note_crossed_walls
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from semi_procedural_locomotion.notes import NoteKind
from tests.core.boxes import BoxWalls
from tests.core.walkers import facing_of, make_walker, native_walk

RATE = 24.0


def measure_walk_over(ground, legs=2):
    """A walk ahead for six strides over a ground: its passage, travel, direction and rig."""
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    facing = facing_of(walk)
    ahead = np.array([np.cos(facing), np.sin(facing)])
    choices = WayChoices(facing=facing, corner_radius=0.0, ramp_time=walk.period)
    travel = travel_from_points(
        np.array([0.0 * ahead, 6.0 * walk.stride * ahead]), walk.speed, choices
    )
    plan = make_plan(rig, motions, travel, ground)
    solved = solve_poses(plan, np.arange(int(travel.end * RATE)) / RATE)
    outline = outline_from_points(rig.skeleton, np.empty(0, dtype=int), np.empty((0, 3)))
    return measure_passage(plan, solved, outline), travel, ahead, rig


@pytest.fixture(scope="module")
def level():
    return measure_walk_over(FlatGround())


def tell(walk, walls):
    passage = walk[0].passage
    return note_crossed_walls(passage, walls.find_crossings(passage), "open", RATE)


def put(walk, along, across, height):
    """A box from ranges (2,) along the way, to its left and up; these walkers go along an axis."""
    ahead = walk[2]
    left = np.array([-ahead[1], ahead[0]])
    ends = np.array([along[i] * ahead + across[i] * left for i in (0, 1)])
    low, high = ends.min(axis=0), ends.max(axis=0)
    return [*low, height[0]], [*high, height[1]]


def test_a_wall_across_the_way_is_told_where_and_when_it_is_met(level):
    way = float(np.hypot(*level[1].positions[-1, :2]))
    notes = tell(level, BoxWalls(Wall=put(level, (0.5 * way, 0.5 * way + 0.1), (-2, 2), (0, 3))))
    (note,) = notes
    assert note.kind is NoteKind.WALL_CROSSED
    values = {"case": "open", "wall": "Wall", "last": note.values["last"]}
    assert note.values == {**values, "more": 0, "others": 0}
    along = np.array(note.place[:2]) @ level[2]
    assert abs(along - (0.5 * way + 0.05)) < 0.15
    places, _ = level[1].evaluate(np.array([note.frame, note.values["last"]]) / RATE)
    first, last = places[:, :2] @ level[2]
    assert 0.5 * way - 0.3 < first <= 0.5 * way + 0.1
    assert 0.5 * way <= last < 0.5 * way + 0.4


def test_a_gap_as_wide_as_the_body_with_room_is_free(level):
    width, rig = level[0].room.width, level[3]
    gap = width + 0.06 * rig.leg_length
    left = put(level, (2.0, 2.1), (gap, 3.0), (0.0, 3.0))
    right = put(level, (2.0, 2.1), (-3.0, -gap), (0.0, 3.0))
    assert tell(level, BoxWalls(Left=left, Right=right)) == []
    narrow = put(level, (2.0, 2.1), (0.5 * width, 3.0), (0.0, 3.0))
    assert [note.values["wall"] for note in tell(level, BoxWalls(Left=narrow, Right=right))] == [
        "Left"
    ]


def test_what_hangs_lower_than_the_head_is_told_and_what_hangs_higher_is_not(level):
    crown = float(level[0].room.levels[:, -1].min())
    beam = put(level, (2.0, 2.2), (-2.0, 2.0), (crown - 0.1, crown + 0.1))
    assert len(tell(level, BoxWalls(Beam=beam))) == 1
    high = put(level, (2.0, 2.2), (-2.0, 2.0), (1.1 * crown, 1.2 * crown))
    assert tell(level, BoxWalls(Beam=high)) == []


def test_steps_are_none_and_what_is_no_ground_counts_from_the_knee(level):
    length = level[3].leg_length
    kerb = put(level, (2.0, 3.0), (-1.0, 1.0), (0.0, 0.3 * length))
    bench = put(level, (2.0, 3.0), (-1.0, 1.0), (0.0, 0.6 * length))
    assert tell(level, BoxWalls(Kerb=kerb)) == []
    assert tell(level, BoxWalls(walked={"Bench"}, Bench=bench)) == []
    assert [note.values["wall"] for note in tell(level, BoxWalls(Bench=bench))] == ["Bench"]


def test_what_stands_close_before_the_end_is_told(level):
    end = float(np.hypot(*level[1].positions[-1, :2]))
    reach = float(level[0].room.reaches[-1, 1:, 1].max())
    wall = put(level, (end + 0.5 * reach, end + 1.0), (-2.0, 2.0), (0.0, 3.0))
    beyond = put(level, (end + reach + 0.1, end + 1.0), (-2.0, 2.0), (0.0, 3.0))
    assert len(tell(level, BoxWalls(Wall=wall))) == 1
    assert tell(level, BoxWalls(Wall=beyond)) == []


def test_what_moves_is_met_at_its_time(level):
    low, high = np.array(put(level, (2.0, 2.1), (-0.5, 0.5), (0.0, 2.0)))
    meets = np.interp(2.0, level[1].positions[:, :2] @ level[2], level[1].times)
    left = np.array([-level[2][1], level[2][0], 0.0])
    away = 6.0 * left
    passing = BoxWalls(Cart=(low - meets * away, high - meets * away, away))
    gone = BoxWalls(Cart=(low - (meets - 1.0) * away, high - (meets - 1.0) * away, away))
    assert len(tell(level, passing)) == 1
    assert tell(level, gone) == []


def test_many_things_are_counted(level):
    boxes = {
        f"Post {i}": put(level, (1.0 + 0.4 * i, 1.05 + 0.4 * i), (-0.1, 0.1), (0.0, 2.0))
        for i in range(NOTES.most_walls + 3)
    }
    notes = tell(level, BoxWalls(**boxes))
    assert [note.values["others"] for note in notes] == [0] * (NOTES.most_walls - 1) + [3]
    assert [note.frame for note in notes] == sorted(note.frame for note in notes)


def test_a_thing_met_twice_is_told_once(level):
    boxes = [put(level, (a, a + 0.1), (-0.5, 0.5), (0.0, 2.0)) for a in (1.0, 3.0)]

    class TwoPosts(BoxWalls):
        def find_crossings(self, passage):
            one, two = super().find_crossings(passage)
            return [type(one)("Fence", np.concatenate([one.pieces, two.pieces]))]

    (note,) = tell(level, TwoPosts(One=boxes[0], Two=boxes[1]))
    assert note.values["more"] == 1


@pytest.mark.parametrize("legs", [2, 4, 6])
@pytest.mark.parametrize("make", [make_stairs, make_side_slope])
def test_the_room_of_a_body_is_clear_of_the_ground_that_it_walks_on(make, legs):
    rig, motions = make_walker(legs=legs)
    walk = native_walk(motions)
    mesh = make(rig.leg_length, walk.stride, facing_of(walk) - np.pi / 2)
    ground = MeshGround(mesh.vertices, mesh.triangles)
    passage = measure_walk_over(ground, legs)[0].passage
    points = passage.points[:, passage.step_level :].reshape(-1, 3)
    high = points + np.array([0.0, 0.0, 10.0])
    hits = ground.cast_down(high, np.zeros(len(high)))
    assert (points[hits.hit, 2] > hits.points[hits.hit, 2]).all()
