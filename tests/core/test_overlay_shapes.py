# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes that show a plan."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.overlay_shapes import (
    CLOCK_GAP,
    LOST_COLOUR,
    SIDE_COLOURS,
    ColouredPoints,
    close_polygons,
    fill_polygons,
    join_points,
    make_clocks,
    make_foot_paths,
    make_hip_paths,
    make_sole_shapes,
    make_walk_shapes,
)
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.terrain import FlatGround
from semi_procedural_locomotion.core.travel import make_straight_travel
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


def test_points_are_joined_in_their_order():
    points = np.arange(12.0).reshape(4, 3)
    lines = join_points(points).reshape(3, 2, 3)
    assert np.array_equal(lines[:, 0], points[:-1])
    assert np.array_equal(lines[:, 1], points[1:])


def test_soles_lie_on_the_prints_and_are_numbered_by_time(walk):
    plan, _ = walk
    soles = make_sole_shapes(plan, 1.0, 4.0)
    prints = [p for p in plan.prints.list_footprints() if 1.0 <= p.time <= 4.0]
    assert len(prints) >= 4
    ordered = soles.centres[np.argsort(soles.numbers)]
    assert sorted(soles.numbers) == list(range(1, len(soles.centres) + 1))
    for item in prints:
        away = np.linalg.norm(ordered[:, :2] - item.position[:2], axis=1).min()
        assert away < plan.tables.rig.foot_lengths.max()
    ahead = ordered @ np.array([*native_walk(plan.tables.set).velocity, 0.0])
    legs = len(plan.tables.legs)
    assert (ahead[legs:] > ahead[:-legs]).all()
    height = soles.fills.points[:, 2]
    assert (height > 0.0).all()
    assert (height < 0.02 * plan.tables.rig.leg_length).all()


def test_sole_colours_tell_sides_and_lost_prints(walk):
    plan, _ = walk
    soles = make_sole_shapes(plan, 1.0, 4.0)
    found = {tuple(c) for c in np.unique(soles.outlines.colours[:, :3], axis=0)}
    assert found == {SIDE_COLOURS["L"], SIDE_COLOURS["R"]}
    plan.prints.rows[0].found[:] = False
    try:
        lost = make_sole_shapes(plan, 1.0, 4.0).outlines.colours[:, :3]
    finally:
        plan.prints.rows[0].found[:] = True
    assert np.all(lost == LOST_COLOUR, axis=1).any()
    assert not np.all(lost == LOST_COLOUR, axis=1).all()


def test_foot_paths_pass_through_the_prints(walk):
    plan, solved = walk
    paths = make_foot_paths(plan, solved)
    count = 2 * (len(solved.poses) - 1)
    assert len(paths.points) == count * len(plan.tables.legs)
    for leg, row in enumerate(plan.prints.rows):
        own = paths.points[leg * count : (leg + 1) * count]
        inside = (row.times > 0.5) & (row.times < LAST - 0.5)
        for place in row.positions[inside]:
            nearest = np.linalg.norm(own - place, axis=1).min()
            assert nearest < 0.02 * plan.tables.rig.leg_length


def test_hip_paths_are_those_before_and_after(walk):
    plan, solved = walk
    before, after = make_hip_paths(plan, solved).points.reshape(2, -1, 3)
    body = plan.tables.body
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


def test_everything_is_made_at_once(walk):
    shapes = make_walk_shapes(*walk)
    for part in (shapes.soles.fills, shapes.soles.outlines, shapes.foot_paths, shapes.hip_paths):
        assert len(part.points)
        assert np.isfinite(part.points).all()


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="expected"):
        ColouredPoints(np.zeros((3, 3)), np.zeros((2, 4)))
