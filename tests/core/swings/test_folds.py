# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Swinging feet turned flat for legs that cannot fold any further."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.plan import make_plan, solve_poses
from semi_procedural_locomotion.core.rig.footpoints import compute_sole_points
from semi_procedural_locomotion.core.rig.ik_chain import measure_shortest
from semi_procedural_locomotion.core.rig.limits import BENDS
from semi_procedural_locomotion.core.swings.ankles import AnkleFlexes
from semi_procedural_locomotion.core.swings.folds import flex_ankles
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


def bend_all(plan, amount, early=False):
    flexes = []
    for leg in plan.swings:
        flex = AnkleFlexes.none(len(leg.lifted))
        flex.amounts[:] = amount
        flex.early[:] = early
        flexes.append(flex)
    return tuple(flexes)


def test_legs_with_room_are_left_alone(walk):
    assert all(np.all(flex.amounts == 0.0) for flex in walk.folds.flexes)


def read_soles(plan, walk, targets, index):
    """World places of heel, ball and toe tip of a leg whose ankle is at its target, (N, 3, 3)."""
    leg, poses = plan.tables.small_rig.legs[index], walk.source.legs
    points = compute_sole_points(leg, poses.rotations, poses.positions)
    turn = rot.multiply(targets.rotations[:, index], rot.conjugate(poses.rotations[:, leg.ankle]))
    away = points - poses.positions[:, leg.ankle][:, None]
    return targets.ankles[:, index][:, None] + rot.rotate(turn[:, None], away)


@pytest.mark.parametrize("early", [False, True])
def test_a_foot_turned_flat_keeps_its_height_and_where_it_bears(walk, early):
    plain = solve_poses(walk, np.linspace(1.0, 3.0, 121))
    states = plain.states
    flexes = bend_all(walk, 1.0, early)
    flat = flex_ankles(walk.tables.small_rig, plain.source, states, flexes, plain.targets)
    turned, turned_planted = 0.0, 0.0
    for index in range(2):
        before = read_soles(walk, plain, plain.targets, index)
        after = read_soles(walk, plain, flat, index)
        assert np.allclose(before[..., 2].min(axis=1), after[..., 2].min(axis=1), atol=1e-9)
        middle = np.abs(states.flight[:, index] - 0.5) < 0.15
        assert np.allclose(before[middle, 1, :2], after[middle, 1, :2], atol=1e-9)
        planted = states.in_contact[:, index]
        heights = before[planted][..., 2] - before[planted][..., 2].min(axis=1)[:, None]
        rows = np.flatnonzero(np.sort(heights, axis=1)[:, 1] > 0.02)
        lowest = heights[rows].argmin(axis=1)
        there = before[planted][rows, lowest] - after[planted][rows, lowest]
        assert np.allclose(there[:, :2], 0.0, atol=1e-3)
        lowered = plain.targets.ankles[:, index, 2] - flat.ankles[:, index, 2]
        assert lowered.min() > -1e-9
        turned = max(turned, lowered.max())
        turned_planted = max(turned_planted, lowered[planted].max())
    assert turned > 0.01
    assert (turned_planted > 0.001) == early


def test_no_flex_changes_nothing(walk):
    times = np.linspace(1.0, 3.0, 31)
    plain = solve_poses(walk, times)
    same = flex_ankles(
        walk.tables.small_rig, plain.source, plain.states, walk.folds.flexes, plain.targets
    )
    assert same.ankles is plain.targets.ankles
    bent = solve_poses(replace(walk, folds=replace(walk.folds, flexes=bend_all(walk, 0.5))), times)
    assert not np.allclose(bent.targets.ankles, plain.targets.ankles)


def test_the_chosen_curve_has_what_is_needed_where_it_is_needed():
    flexes = AnkleFlexes.none(2)
    flight = np.linspace(0.05, 0.95, 19)
    needed = 0.6 * np.exp(-(((flight - 0.5) / 0.1) ** 2))
    spans = np.stack([flight, flight], axis=1)
    flexes.choose(np.ones(19, dtype=np.intp), spans, needed, np.ones(19))
    assert flexes.amounts[0] == 0.0
    curve = flexes.read(np.ones(19, dtype=np.intp), spans)
    assert np.all(curve >= needed - 0.02)
    assert flexes.amounts[1] <= 1.0


def test_a_curve_stays_below_what_its_leg_can_reach():
    flexes = AnkleFlexes.none(1)
    flight = np.linspace(0.05, 0.95, 19)
    most = np.where(flight < 0.3, 0.1, 1.0)
    needed = np.where(np.abs(flight - 0.6) < 0.06, 0.7, 0.0)
    spans = np.stack([flight, flight], axis=1)
    flexes.choose(np.zeros(19, dtype=np.intp), spans, needed, most)
    curve = flexes.read(np.zeros(19, dtype=np.intp), spans)
    assert np.all(curve <= most + 1e-9)
    assert np.isclose(curve[4], 0.1)
    assert curve.max() > 0.3


def test_shortest_legs_by_number_of_joints():
    hinge = np.array([1.0, 0.0, 0.0])
    straight = np.array([[[0.0, 0.0, 0.9], [0.0, 0.0, 0.4], [0.0, 0.0, 0.0]]])
    two = measure_shortest(straight, hinge)[0]
    assert two == pytest.approx(np.sqrt(0.5**2 + 0.4**2 + 2 * 0.5 * 0.4 * np.cos(BENDS.most)))
    assert measure_shortest(straight[:, :2], hinge)[0] == pytest.approx(0.5)
    chain = np.array([[[0.0, 0.0, 1.0], [0.0, 0.1, 0.6], [0.0, 0.0, 0.3], [0.0, 0.05, 0.0]]])
    assert measure_shortest(chain, hinge)[0] < 0.6


def test_what_is_needed_before_the_flight_takes_a_curve_that_begins_earlier():
    flexes = AnkleFlexes.none(1)
    roll = np.linspace(0.05, 0.95, 19)
    flight = np.clip((roll - 0.4) / 0.5, 0.0, 1.0)
    needed = np.where(np.abs(roll - 0.4) < 0.06, 0.6, 0.0)
    spans = np.stack([flight, roll], axis=1)
    flexes.choose(np.zeros(19, dtype=np.intp), spans, needed, np.ones(19))
    assert flexes.early[0]
    assert np.all(flexes.read(np.zeros(19, dtype=np.intp), spans) >= needed - 0.02)
