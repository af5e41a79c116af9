# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet turned flat for legs that cannot fold any further."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.body.legs import read_hips
from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.hulls import hull_points_from_poses
from semi_procedural_locomotion.core.rig.ik_chain import measure_shortest
from semi_procedural_locomotion.core.rig.limits import BENDS
from semi_procedural_locomotion.core.swings.flexes import flex_ankles
from semi_procedural_locomotion.core.swings.folds import make_room, plan_folds
from semi_procedural_locomotion.core.travel.way import WayChoices, travel_from_points
from tests.core.walkers import facing_of, make_walker, native_walk


@pytest.fixture(scope="module")
def walk():
    rig, motions = make_walker()
    native = native_walk(motions)
    heading = facing_of(native)
    ahead = np.array([np.cos(heading), np.sin(heading)])
    points = np.stack([np.zeros(2), 5.0 * native.stride * ahead])
    travel = travel_from_points(
        points, native.speed, WayChoices(facing=heading, corner_radius=0.0, ramp_time=1.0)
    )
    return make_plan(rig, motions, travel, FlatGround())


def bend_all(plan, times, amount):
    return np.full((len(times), len(plan.swings)), amount)


def test_legs_with_room_are_left_alone(walk):
    assert np.all(walk.folds.flexes.shares == 0.0)


def read_soles(plan, walk, targets, index):
    """World places of heel, ball and toe tip of a leg whose ankle is at its target, (N, 3, 3)."""
    leg, poses = plan.tables.small_rig.legs[index], walk.source.legs
    points = compute_sole_points(leg, poses.rotations, poses.positions)
    turn = rot.multiply(targets.rotations[:, index], rot.conjugate(poses.rotations[:, leg.ankle]))
    away = points - poses.positions[:, leg.ankle][:, None]
    return targets.ankles[:, index][:, None] + rot.rotate(turn[:, None], away)


def read_hull(plan, walk, targets, index):
    """Height of the lowest point of a foot whose ankle is at its target, (N,)."""
    rig, poses = plan.tables.small_rig, walk.source.legs
    ankle, hull = rig.legs[index].ankle, rig.hulls[index]
    if hull is None:
        return read_soles(plan, walk, targets, index)[..., 2].min(axis=1)
    points = hull_points_from_poses(hull, poses.rotations, poses.positions)
    turn = rot.multiply(targets.rotations[:, index], rot.conjugate(poses.rotations[:, ankle]))
    away = rot.rotate(turn[:, None], points - poses.positions[:, ankle, None])
    return targets.ankles[:, index, 2] + away[..., 2].min(axis=1)


def test_a_foot_turned_flat_keeps_its_height_and_where_it_bears(walk):
    times = np.linspace(1.0, 3.0, 121)
    plain = solve_poses(walk, times)
    states = plain.states
    flexes = bend_all(walk, times, 1.0)
    flat = flex_ankles(walk.tables.small_rig, plain.source, states, flexes, plain.targets)
    turned, turned_planted = 0.0, 0.0
    for index in range(2):
        before = read_soles(walk, plain, plain.targets, index)
        after = read_soles(walk, plain, flat, index)
        lowest = [read_hull(walk, plain, feet, index) for feet in (plain.targets, flat)]
        assert np.allclose(*lowest, atol=1e-9)
        middle = np.abs(states.flight[:, index] - 0.5) < 0.15
        assert np.allclose(before[middle, 1, :2], after[middle, 1, :2], atol=1e-9)
        planted = states.in_contact[:, index]
        heights = before[planted][..., 2] - before[planted][..., 2].min(axis=1)[:, None]
        rows = np.flatnonzero(np.sort(heights, axis=1)[:, 1] > 0.02)
        lowest = heights[rows].argmin(axis=1)
        there = before[planted][rows, lowest] - after[planted][rows, lowest]
        assert len(rows) > 0
        # What bears is a soft mean of all points of the foot: the lowest one moves a little.
        assert np.allclose(there[:, :2], 0.0, atol=3e-3)
        lowered = plain.targets.ankles[:, index, 2] - flat.ankles[:, index, 2]
        assert lowered.min() > -1e-9
        turned = max(turned, lowered.max())
        turned_planted = max(turned_planted, lowered[planted].max())
    assert turned > 0.01
    assert turned_planted > 0.001


def test_no_flex_changes_nothing(walk):
    times = np.linspace(1.0, 3.0, 31)
    plain = solve_poses(walk, times)
    none = walk.folds.flexes.read(times)
    rig, walked = walk.tables.small_rig, (plain.source, plain.states)
    assert flex_ankles(rig, *walked, none, plain.targets).ankles is plain.targets.ankles
    shares = np.full((walk.grid.count, 2), 0.5)
    flexes = replace(walk.folds.flexes, shares=shares)
    bent = solve_poses(replace(walk, folds=replace(walk.folds, flexes=flexes)), times)
    assert not np.allclose(bent.targets.ankles, plain.targets.ankles)


def fold(walk, raised, ground):
    """The plan of the folds of a walk whose ankles are all so much higher, metres, and the walk."""
    solved = solve_poses(walk, walk.grid.times)
    lifts = np.where(solved.states.in_contact, 0.0, raised)[..., None] * rot.UP
    targets = solved.targets
    targets = replace(targets, ankles=targets.ankles + lifts, footbases=targets.footbases + lifts)
    hips = read_hips(walk.tables.small_rig, solved.legs.positions)
    walked = solved.source, solved.states, targets
    return plan_folds(walk.tables, walked, walk.swings, hips, walk.grid, ground), walked, hips


def measure_shortage(walk, plan, walked, hips):
    """By how much ankles are nearer to their hips than where joints bend a little further, metres."""
    rig, folded = walk.tables.small_rig, walk.tables.leg_rows.folded
    made = make_room(rig, *walked[:2], plan, walked[2], hips, walk.grid.times)
    return np.maximum(folded - rot.lengths(made.ankles - hips), 0.0).max()


def test_feet_are_turned_flat_where_joints_would_bend_further_than_they_do(walk):
    plan, walked, hips = fold(walk, 0.12, FlatGround())
    flexes = plan.flexes
    assert 0.0 < flexes.shares.max() <= 1.0
    plain = replace(plan, flexes=replace(flexes, shares=np.zeros_like(flexes.shares)))
    without = measure_shortage(walk, plain, walked, hips)
    assert without > 0.005
    assert measure_shortage(walk, plan, walked, hips) < 0.6 * without


def test_shortest_legs_by_number_of_joints():
    hinge = np.array([1.0, 0.0, 0.0])
    straight = np.array([[[0.0, 0.0, 0.9], [0.0, 0.0, 0.4], [0.0, 0.0, 0.0]]])
    two = measure_shortest(straight, hinge)[0]
    assert two == pytest.approx(np.sqrt(0.5**2 + 0.4**2 + 2 * 0.5 * 0.4 * np.cos(BENDS.most)))
    assert measure_shortest(straight[:, :2], hinge)[0] == pytest.approx(0.5)
    chain = np.array([[[0.0, 0.0, 1.0], [0.0, 0.1, 0.6], [0.0, 0.0, 0.3], [0.0, 0.05, 0.0]]])
    assert measure_shortest(chain, hinge)[0] < 0.6
