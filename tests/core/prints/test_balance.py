# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet of bodies that lean as a whole: which way they stand off, how far, and how near each other."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.ground.terrain import FlatGround
from semi_procedural_locomotion.core.plan import make_plan
from semi_procedural_locomotion.core.prints.balance import lead_feet
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.travel.way import Travel, make_straight_travel
from tests.core.body.test_leaning import circle, start_and_stop
from tests.core.walkers import facing_of, make_walker, native_walk


def plan_on(travel, share=1.0, legs=2):
    rig, motions = make_walker(legs=legs)
    return make_plan(rig, motions, travel, FlatGround(), PlanSettings(lean_accelerated=share))


def middle_ways(plan, upright):
    """How far prints of both legs are from those of an upright body, by time, (N,) and (N, 2)."""
    times, ways = [], []
    for row, own in zip(plan.prints.rows, upright.prints.rows, strict=True):
        assert np.array_equal(row.first, own.first)
        times.append(row.times)
        ways.append(row.positions[:, :2] - own.positions[:, :2])
    order = np.argsort(np.concatenate(times))
    return np.concatenate(times)[order], np.concatenate(ways)[order]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_feet_stand_outside_of_a_curve_by_the_lean_of_the_whole_body(sign):
    rig, motions = make_walker()
    travel = circle(motions, 6.0 * rig.leg_length, sign=sign)
    plan, upright = (plan_on(travel, share) for share in (1.0, 0.0))
    times, ways = middle_ways(plan, upright)
    steady = (times > 1.5) & (times < 4.5)
    outward = plan.times.grid.sample(plan.times.positions, times)[:, :2]
    outward = outward / np.hypot(*outward.T)[:, None]
    lean = float(np.hypot(*plan.leans[plan.times.grid.count // 2]))
    hips = float(plan.tables.cycles.hip_centres[1, 2] - plan.tables.cycles.ground_heights[1])
    off = np.sum(ways * outward, axis=1)[steady]
    assert lean > np.radians(1.5)
    assert off == pytest.approx(hips * np.tan(lean), rel=0.1)
    aside = ways[steady] - off[:, None] * outward[steady]
    assert np.abs(aside).max() < 0.1 * off.mean()


def test_feet_stay_behind_in_starts_and_go_ahead_in_stops_and_never_back():
    rig, motions = make_walker()
    facing = facing_of(native_walk(motions))
    ahead = np.array([np.cos(facing), np.sin(facing)])
    travel = start_and_stop(motions)
    plan, upright = (plan_on(travel, share) for share in (1.0, 0.0))
    times, ways = middle_ways(plan, upright)
    off = ways @ ahead / rig.leg_length
    half = 0.5 * (travel.start + travel.end)
    assert off[times < half].min() < -0.02
    assert off[times < half].max() < 1e-6
    assert off[times > half].max() > 0.02
    for row in plan.prints.rows:
        assert np.diff(row.positions[:, :2] @ ahead).min() > -1e-9
    # Before it starts and after it has stopped it stands as it does upright.
    assert np.abs(off[[0, -1]]).max() < 1e-9


def test_no_feet_are_led_where_nothing_leans_nor_those_of_beasts():
    rig, motions = make_walker()
    straight = make_straight_travel(np.zeros(3), 0.3, native_walk(motions).velocity, 0.0, 4.0)
    plan = plan_on(straight)
    assert lead_feet(plan.tables, plan.times, plan.leans, plan.levels) is None
    rig, motions = make_walker(legs=4)
    beast = plan_on(circle(motions, 2.0 * rig.leg_length), legs=4)
    assert beast.leans is not None
    assert lead_feet(beast.tables, beast.times, beast.leans, beast.levels) is None


def test_feet_are_not_led_where_the_ground_rises_or_falls():
    rig, motions = make_walker()
    plan = plan_on(circle(motions, 6.0 * rig.leg_length))
    grid = plan.times.grid
    step = np.where(grid.times > 3.0, 0.2 * rig.leg_length, 0.0)
    flat, led = (
        np.hypot(*lead_feet(plan.tables, plan.times, plan.leans, levels).T)
        for levels in (0.0 * step, step)
    )
    period = native_walk(motions).period
    near, far = np.abs(grid.times - 3.0) < 0.5 * period, np.abs(grid.times - 3.0) > 1.6 * period
    assert flat[near].min() > 0.03 * rig.leg_length
    assert np.abs(led[near]).max() < 1e-9
    np.testing.assert_allclose(led[far], flat[far], atol=1e-12)


def test_feet_of_who_swerves_do_not_come_nearer_to_one_another():
    rig, motions = make_walker()
    walk = native_walk(motions)
    facing = facing_of(walk)
    times = np.linspace(0.0, 8.0, 961)
    ahead = walk.speed * times
    # A sway of two cycles, as hard as a body leans.
    rate = np.pi / walk.period
    side = 2.0 / rate**2 * np.sin(rate * times)
    turn = np.array([[np.cos(facing), -np.sin(facing)], [np.sin(facing), np.cos(facing)]])
    places = np.stack([ahead, side], axis=1) @ turn.T
    travel = Travel(times, np.column_stack([places, 0.0 * times]), np.zeros(len(times)))
    plan, upright = (plan_on(travel, share) for share in (1.0, 0.0))
    off = np.abs(middle_ways(plan, upright)[1]).max()
    left = np.array([-np.sin(facing), np.cos(facing)])

    def least_width(walked):
        rows = [row.positions[:, :2] @ left for row in walked.prints.rows]
        count = min(map(len, rows))
        sign = np.sign(np.mean(rows[0]) - np.mean(rows[1]))
        return (sign * (rows[0][:count] - rows[1][:count])).min()

    assert off > 0.03 * rig.leg_length
    assert least_width(plan) > least_width(upright) - 0.05 * rig.leg_length
    assert max(row.crowded.max() for row in plan.prints.rows) < 0.005 * rig.leg_length
