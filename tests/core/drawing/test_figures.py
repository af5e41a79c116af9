# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes about the character itself."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.drawing.figures import (
    make_forward_arrow,
    make_ghost,
    make_sole_marks,
)
from semi_procedural_locomotion.core.drawing.shapes import BALL_COLOUR, HEEL_COLOUR, TOE_COLOUR
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.walkers import make_walker, native_walk


@pytest.fixture(scope="module")
def walk():
    """A person who walks straight on over a plane, and its plan."""
    rig, motions = make_walker()
    ahead = native_walk(motions).velocity
    travel = make_straight_travel(np.zeros(3), 0.0, ahead, 0.0, 3.0)
    plan = make_plan(rig, motions, travel, FlatGround(0.0))
    return plan, solve_poses(plan, np.arange(0.0, 3.0, 1.0 / 30.0))


def test_the_ghost_runs_along_the_legs_before_corrections(walk):
    plan, solved = walk
    ghost = make_ghost(plan, solved, 40)
    lines = ghost.points.reshape(len(plan.tables.small_rig.legs), -1, 2, 3)
    for leg, own in zip(plan.tables.small_rig.legs, lines, strict=True):
        source = solved.source_positions[40]
        np.testing.assert_array_equal(own[0, 0], source[plan.tables.small_rig.body])
        np.testing.assert_array_equal(own[len(leg.joints) - 1, 1], source[leg.ankle])
        np.testing.assert_array_equal(own[-1, 1], source[leg.ankle])
        np.testing.assert_array_equal(own[1:, 0], own[:-1, 1])
        assert not np.allclose(source[leg.ankle], solved.positions[40, leg.ankle], atol=1e-6)
    assert not np.allclose(make_ghost(plan, solved, 41).points, ghost.points)


@pytest.mark.parametrize("angle", [0.0, 2.0])
def test_the_arrow_points_forward_on_the_ground(angle):
    forward = np.array([np.cos(angle), np.sin(angle)])
    place = np.array([3.0, -2.0, 0.4])
    fill, outline = make_forward_arrow(place, forward, 0.8)
    assert np.all(outline.points[:, 2] == 0.4)
    ahead = (outline.points - place)[:, :2] @ forward
    tip = outline.points[np.argmax(ahead)] - place
    np.testing.assert_allclose(tip[:2] / np.linalg.norm(tip), forward, atol=1e-12)
    assert ahead.min() > 0.0
    sides = fill.points.reshape(-1, 3, 3)
    areas = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])[:, 2]
    assert np.all(areas > 0.0)
    assert areas.sum() / 2 == pytest.approx(0.8**2 * (0.6 * 0.16 + 0.4 * 0.44 / 2))


@pytest.mark.parametrize(
    "points",
    [
        [[0, 0, 0], [0, -0.15, 0], [0, -0.2, 0]],
        [[0, 0, 0.1], [0, -0.1, 0.05], [0, -0.2, 0.0]],
        [[0, 0, 0.2], [0, 0, 0.1], [0, 0, 0.0]],
        [[0, 0, 0], [0, 0, 0], [0, 0, 0]],
    ],
)
def test_sole_marks_run_from_heel_to_toe_with_a_cross_at_each_point(points):
    points = np.array(points, dtype=float)
    marks = make_sole_marks(points, 0.1, "L")
    colours = (HEEL_COLOUR, BALL_COLOUR, TOE_COLOUR)
    assert np.isfinite(marks.points).all()
    for point, colour in zip(points, colours, strict=True):
        arms = marks.points[np.all(marks.colours[:, :3] == colour, axis=1)].reshape(3, 2, 3)
        np.testing.assert_allclose(arms.mean(axis=1), np.tile(point, (3, 1)), atol=1e-12)
    outline = marks.points[np.all(marks.colours[:, :3] == marks.colours[0, :3], axis=1)]
    along = points[2] - points[0]
    size = np.linalg.norm(along)
    if size > 0:
        reach = (outline - points[0]) @ (along / size)
        assert (reach.min(), reach.max()) == pytest.approx((0.0, size))
