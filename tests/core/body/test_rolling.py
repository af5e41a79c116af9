# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet are led over their prints so that what bears of their skin does not slip."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.mesh_grounds import MeshGround
from benchmarks.planned.metrics import measure_walk
from benchmarks.planned.recording import record_walk
from semi_procedural_locomotion.core.body import rolling
from semi_procedural_locomotion.core.body.limits import ROLLING
from semi_procedural_locomotion.core.gaits.making import make_gait
from semi_procedural_locomotion.core.gaits.presets import find_preset
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.motions.analysis import analyze_clip
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import measure_slips
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.travel.way import make_straight_travel
from tests.core.body.test_settling import hang_on_shins
from tests.core.gait_rigs import build_biped
from tests.core.walkers import make_set


def make_slope(direction, grade):
    """A plane that rises in a horizontal direction (2,)."""
    corners = 20.0 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=float)
    heights = grade * (corners @ direction)
    return MeshGround(np.column_stack([corners, heights]), [(0, 1, 2), (0, 2, 3)])


def plan_walk(grade=0.0):
    """A walk on heels whose skin hangs on the shins, of steps as long as at 1.4 its speed."""
    rig = hang_on_shins(build_biped(), 0.8, rear_only=True)
    motion = analyze_clip(make_gait(rig, find_preset("walk", 2, rig.leg_length)), rig)
    travel = make_straight_travel(np.zeros(3), 0.0, 1.4 * motion.velocity, 0.0, 4.0)
    ahead = (motion.velocity / np.linalg.norm(motion.velocity)).ravel()[:2]
    ground = make_slope(ahead, grade) if grade else FlatGround()
    return make_plan(rig, make_set([motion]), travel, ground)


def find_worst_slip(plan):
    """Longest way, summed from frame to frame, of what bears in a contact, leg lengths."""
    walk = solve_poses(plan, np.arange(1.0, 3.0, 1.0 / 48.0))
    rig, worst = plan.tables.small_rig, 0.0
    for index, leg in enumerate(rig.legs):
        points = hull_points_from_poses(leg.hull, walk.rotations, walk.positions)
        above = points.reshape(-1, 3) + np.array([0.0, 0.0, 1.0])
        hits = plan.ground.cast_down(above, np.zeros(len(above)))
        over = points[..., 2] - hits.points[:, 2].reshape(points.shape[:2])
        heights = over[1:] + over[:-1]
        loads = np.exp((heights.min(axis=1, keepdims=True) - heights) / (0.002 * rig.leg_length))
        moves = np.diff(points[..., :2], axis=0)
        ways = (loads[..., None] * moves).sum(axis=1) / loads.sum(axis=1)[:, None]
        bears = walk.states.in_contact[:, index]
        for run in np.split(ways, np.flatnonzero(~(bears[1:] & bears[:-1]))):
            path = np.cumsum(np.append(np.zeros((1, 2)), run[1:], axis=0), axis=0)
            worst = max(worst, float((path.max(axis=0) - path.min(axis=0)).max()))
    return worst / rig.leg_length


@pytest.mark.parametrize("grade", [0.0, 0.2, -0.2])
def test_skin_that_is_bent_with_the_leg_does_not_slip(grade, monkeypatch):
    led = find_worst_slip(plan_walk(grade))
    monkeypatch.setattr(rolling, "ROLLING", replace(ROLLING, most=0.0))
    left = find_worst_slip(plan_walk(grade))
    assert left > 0.003
    assert led < 0.3 * left


def test_the_slide_is_that_of_the_skin(monkeypatch):
    def tell(plan):
        walk = solve_poses(plan, np.arange(1.0, 3.0, 1.0 / 48.0))
        report = measure_walk(plan.tables.small_rig, record_walk(plan, walk), plan.ground)
        return report.slide_worst

    assert tell(plan_walk()) < 0.0015
    monkeypatch.setattr(rolling, "ROLLING", replace(ROLLING, most=0.0))
    assert tell(plan_walk()) > 0.0025


def test_feet_without_a_mesh_are_not_led():
    rig = build_biped()
    motion = analyze_clip(make_gait(rig, find_preset("walk", 2, rig.leg_length)), rig)
    travel = make_straight_travel(np.zeros(3), 0.0, motion.velocity, 0.0, 4.0)
    assert make_plan(rig, make_set([motion]), travel, FlatGround()).rolls is None


def test_what_bears_is_what_slips():
    # The first point bears, then the second, which is drawn along by 0.1 a time; no matter what the
    # other does in the air, and none bears in the flight at the end.
    places = np.zeros((6, 2, 3))
    places[:, 0, 2] = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]
    places[:, 1, 2] = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    places[:, 0, 0] = [0.0, 0.0, 0.0, 5.0, 7.0, 8.0]
    places[:, 1, 1] = [3.0, 2.0, 0.0, 0.1, 0.2, 0.9]
    bears = np.array([True, True, True, True, True, False])
    slips = measure_slips(places, bears, 0.001)
    expected = np.array([[0, 0], [0, 0], [0, 0], [0, 0.1], [0, 0.2], [0, 0.2]])
    np.testing.assert_allclose(slips, expected, atol=1e-9)
