# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that show a plan."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.drawing.shapes import (
    CLOCK_GAP,
    LOST_COLOUR,
    SIDE_COLOURS,
    ColouredPoints,
    PathShapes,
    choose_near,
    close_polygons,
    fill_polygons,
    make_bars,
    make_clocks,
    make_foot_paths,
    make_hip_paths,
    make_sole_shapes,
    make_walk_shapes,
    shorten_name,
)
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk

LAST = 6.0


@pytest.fixture(scope="module")
def walk():
    """A person who walks straight on over a plane, and its plan."""
    rig, motions = make_walker()
    ahead = native_walk(motions).velocity
    travel = make_straight_travel(np.zeros(3), 0.0, ahead, 0.0, LAST)
    plan = make_plan(rig, motions, travel, FlatGround(0.0))
    return plan, solve_poses(plan, np.arange(0.0, LAST, 1.0 / 30.0))


def test_polygons_are_filled_and_closed():
    square = np.array([[[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]], dtype=float)
    (triangles,) = fill_polygons(square).reshape(1, -1, 3, 3)
    sides = triangles[:, 1:] - triangles[:, :1]
    areas = 0.5 * np.cross(sides[:, 0], sides[:, 1])[:, 2]
    assert areas.tolist() == [2.0, 2.0]
    (lines,) = close_polygons(square).reshape(1, -1, 2, 3)
    assert np.array_equal(lines[1:, 0], lines[:-1, 1])
    assert np.array_equal(lines[0, 0], lines[-1, 1])
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).tolist() == [2.0] * 4


def make_path(points):
    """One white path through points at whole seconds."""
    points = np.array([points], dtype=float)
    return PathShapes(np.arange(points.shape[1], dtype=float), points, np.ones((1, 3)))


def test_paths_run_between_times_and_leave_out_what_stands():
    places = [0.0, 1.0, 2.0, 2.0, 2.0, 3.0, 4.0]
    path = make_path([[x, 0.0, 0.0] for x in places])

    def ends(*span):
        lines = path.draw_between(*span).points.reshape(-1, 2, 3)[..., 0]
        return [tuple(line) for line in lines]

    everything = [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]
    assert ends(-np.inf, np.inf) == everything
    assert ends(0.5, 1.5) == everything[:2]
    assert ends(3.0, 4.0) == []
    assert ends(4.5, 5.0) == [(2.0, 3.0)]
    assert ends(-np.inf, np.inf, 2) == [(0.0, 2.0), (2.0, 4.0)]


def test_pieces_of_paths_make_the_whole(walk):
    plan, solved = walk
    paths = make_foot_paths(plan, solved)
    whole = paths.draw_between(-np.inf, np.inf)
    cut = float(paths.times[len(paths.times) // 2])
    parts = [paths.draw_between(-np.inf, cut), paths.draw_between(cut, np.inf)]
    joined = np.concatenate([part.points for part in parts]).reshape(-1, 6)
    assert np.array_equal(np.unique(joined, axis=0), np.unique(whole.points.reshape(-1, 6), axis=0))


def test_soles_lie_on_the_prints_in_the_order_of_time(walk):
    plan, _ = walk
    soles = make_sole_shapes(plan, 1.0, 4.0)
    rows = [row.select(~row.parked & (abs(row.times - 2.5) <= 1.5)) for row in plan.prints.rows]
    assert sum(len(row.times) for row in rows) >= 4
    assert (np.diff(soles.times) >= 0.0).all()
    for row in rows:
        for time, position in zip(row.times, row.positions, strict=True):
            (same,) = np.flatnonzero(soles.times == time)
            away = np.linalg.norm(soles.centres[same] - position)
            assert away < plan.tables.rig.foot_lengths.max()
    height = soles.corners[..., 2]
    assert (height > 0.0).all()
    assert (height < 0.02 * plan.tables.rig.leg_length).all()
    assert len(soles.fill(slice(1, 3)).points) == 2 * 3 * (soles.corners.shape[1] - 2)
    assert len(soles.outline(slice(1, 3)).points) == 2 * 2 * soles.corners.shape[1]


def test_sole_colours_tell_sides_and_lost_prints(walk):
    plan, _ = walk
    soles = make_sole_shapes(plan, 1.0, 4.0)
    found = {tuple(c) for c in np.unique(soles.colours, axis=0)}
    assert found == {SIDE_COLOURS["L"], SIDE_COLOURS["R"]}
    plan.prints.rows[0].found[:] = False
    try:
        lost = make_sole_shapes(plan, 1.0, 4.0).colours
    finally:
        plan.prints.rows[0].found[:] = True
    assert np.all(lost == LOST_COLOUR, axis=1).any()
    assert not np.all(lost == LOST_COLOUR, axis=1).all()


def test_foot_paths_pass_through_the_prints(walk):
    plan, solved = walk
    paths = make_foot_paths(plan, solved)
    assert paths.points.shape == (len(plan.tables.small_rig.legs), len(solved.poses), 3)
    for own, row in zip(paths.points, plan.prints.rows, strict=True):
        inside = (row.times > 0.5) & (row.times < LAST - 0.5)
        for place in row.positions[inside]:
            nearest = np.linalg.norm(own - place, axis=1).min()
            assert nearest < 0.02 * plan.tables.rig.leg_length


def test_near_points_in_view_are_chosen():
    # A viewer at the origin who looks along -z with a view 90 degrees wide and high.
    matrix = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, -0.1], [0, 0, -1, 0]], dtype=float)
    points = np.array([[0, 0, -1], [0, 0, -4], [5, 0, -4], [0, 0, 2], [1, 2, -8], [0, 0, -90.0]])
    chosen, places = choose_near(points, matrix, 0.05, 10)
    assert chosen.tolist() == [0, 1, 4]
    assert places[2] == pytest.approx([1 / 8, 2 / 8])
    assert choose_near(points, matrix, 0.0, 10)[0].tolist() == [0, 1, 4, 5]
    assert choose_near(points, matrix, 0.0, 2)[0].tolist() == [0, 1]


def test_hip_paths_are_those_before_and_after(walk):
    plan, solved = walk
    before, after = make_hip_paths(plan, solved).points
    body = plan.tables.small_rig.body
    assert np.array_equal(before[0], solved.source_positions[0, body])
    assert np.array_equal(after[-1], solved.positions[-1, body])


def test_clocks_show_ground_and_time():
    keys = np.array([[0.2, 0.25, 0.75, 0.8], [0.4, 0.5, 1.0, 1.0]])
    rings, hands = make_clocks(np.array([0.25, 0.0]), keys, np.ones((2, 3)))
    first, second = rings.points.reshape(2, -1, 3)
    assert first.mean(axis=0) == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
    assert second.mean(axis=0) == pytest.approx([CLOCK_GAP, 0.0, 0.0], abs=1e-9)
    bright = rings.colours.reshape(2, -1, 4)[..., 0] > 0.5
    assert bright.mean(axis=1) == pytest.approx([0.5, 0.5], abs=0.03)
    # The first stands on the upper half of its turn, the second on the right one.
    assert first[bright[0], 1].mean() > 0.4
    assert second[bright[1], 0].mean() - CLOCK_GAP > 0.4
    ends = hands.points.reshape(2, 3, 2, 3)[:, 0, 1]
    assert ends[0] == pytest.approx([0.95, 0.0, 0.0], abs=1e-9)
    assert ends[1] == pytest.approx([CLOCK_GAP, 0.95, 0.0], abs=1e-9)


def test_bars_show_shares_above_one_another():
    whole, share = np.moveaxis(make_bars(np.array([0.25, 1.0])).points.reshape(2, 2, 6, 3), 1, 0)
    assert whole[..., 0].max(axis=1).tolist() == [1.0, 1.0]
    assert share[..., 0].max(axis=1).tolist() == [0.25, 1.0]
    assert share[..., 1].min(axis=1).tolist() == [0.0, 1.0]
    assert share[..., 1].max(axis=1).tolist() == [0.5, 1.5]


def test_everything_is_made_at_once(walk):
    shapes = make_walk_shapes(*walk)
    assert len(shapes.soles.corners)
    for path in (shapes.foot_paths, shapes.hip_paths):
        assert np.isfinite(path.draw_between(-np.inf, np.inf).points).all()


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="expected"):
        ColouredPoints(np.zeros((3, 3)), np.zeros((2, 4)))


@pytest.mark.parametrize(
    ("name", "short"), [("Left", "L"), ("Front Left", "FL"), ("Right 12", "R12"), ("", "")]
)
def test_long_names_of_legs_are_shortened(name, short):
    assert shorten_name(name) == short
