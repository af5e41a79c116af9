# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The time plan: rates, stance instants, starts and stops."""

from dataclasses import replace

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.tables import OFF
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.planning import plan_times
from semi_procedural_locomotion.core.travel.way import (
    Travel,
    WayChoices,
    make_straight_travel,
    travel_from_points,
)
from semi_procedural_locomotion.errors import SettingError, TravelError
from tests.core.walkers import facing_of, make_set, make_walker, native_walk


def plan_straight(share=1.0, seconds=6.0, start=0.0, **settings):
    rig, motions = make_walker()
    walk = native_walk(motions)
    travel = make_straight_travel(np.zeros(3), 0.0, walk.velocity * share, start, start + seconds)
    tables = pack_motions(rig, motions)
    return walk, tables, plan_times(tables, travel, PlanSettings(**settings))


def find_stances(plan, leg):
    times = plan.leg_times[:, leg]
    steps = np.arange(np.ceil(times[0]), np.floor(times[-1]) + 1)
    return plan.grid.find_crossings(times, steps)


def test_at_native_speed_the_cycle_keeps_its_own_time():
    walk, _, plan = plan_straight()
    rates = np.gradient(plan.phases, plan.grid.interval)
    assert np.allclose(rates, 1.0 / walk.period, rtol=1e-6)
    assert np.allclose(np.diff(find_stances(plan, 0)), walk.period, rtol=1e-6)


def test_legs_stand_in_the_order_of_the_motion():
    walk, _, plan = plan_straight()
    left, right = find_stances(plan, 0), find_stances(plan, 1)
    lag = ((right[2] - left[2]) / walk.period) % 1.0
    expected = (walk.legs[1].stance - walk.legs[0].stance) % 1.0
    assert lag == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_below_native_speed_stride_and_rate_share_the_slowdown(share):
    walk, tables, plan = plan_straight(share)
    middle = plan.grid.count // 2
    assert plan.weights[middle] @ tables.cycles.strides == pytest.approx(
        walk.stride * np.sqrt(share), rel=2e-3
    )
    rate = np.gradient(plan.phases, plan.grid.interval)[middle]
    assert rate == pytest.approx(np.sqrt(share) / walk.period, rel=2e-3)


def test_above_native_speed_of_a_single_walk_the_rate_rises():
    walk, _, plan = plan_straight(1.5)
    rate = np.gradient(plan.phases, plan.grid.interval)[plan.grid.count // 2]
    assert rate == pytest.approx(1.5 / walk.period, rel=1e-6)


def test_weights_always_sum_to_one_and_leg_times_always_grow():
    rig, motions = make_walker(("walk", "run"))
    walk, run = (m for m in motions.motions if m.is_cycle)
    times = np.linspace(0.0, 8.0, 400)
    speed = np.interp(times, [0, 2, 4, 6, 8], [0, walk.speed, run.speed, walk.speed, 0])
    along = np.concatenate([[0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) * np.diff(times))])
    ahead = np.array([np.cos(facing_of(walk)), np.sin(facing_of(walk)), 0.0])
    travel = Travel(times, along[:, None] * ahead, np.zeros(400))
    plan = plan_times(pack_motions(rig, motions), travel, PlanSettings())
    assert np.abs(plan.weights.sum(axis=1) - 1.0).max() < 1e-12
    assert np.abs(plan.cycle_weights.sum(axis=1) - 1.0).max() < 1e-12
    assert np.all(np.diff(plan.leg_times, axis=0) > 0)
    fastest = np.argmax(np.hypot(*plan.velocities.T))
    assert plan.weights[fastest, 2] > 0.8


def make_bell(rest=0.0):
    _, motions = make_walker()
    walk = native_walk(motions)
    heading = facing_of(walk)
    end = 5.0 * np.array([np.cos(heading), np.sin(heading)])
    return travel_from_points(
        np.array([[0.0, 0.0], end]),
        walk.speed,
        WayChoices(facing=heading, corner_radius=0.5, ramp_time=1.2, start_time=rest),
    )


def test_a_foot_lifts_just_before_the_start_and_one_stands_at_the_stop():
    rig, motions = make_walker()
    tables, travel = pack_motions(rig, motions), make_bell()
    plan = plan_times(tables, travel, PlanSettings())
    (move,) = plan.moves
    lead = move[0] - 0.1 * tables.cycles.slowest_period
    shares = [np.interp(lead, plan.grid.times, plan.leg_times[:, leg]) % 1.0 for leg in range(2)]
    offs = tables.leg_cycles.key_times[tables.cycles.slowest, :, OFF]
    assert min(abs(s - o) for s, o in zip(shares, offs, strict=True)) < 0.01
    stop = [np.interp(move[1], plan.grid.times, plan.leg_times[:, leg]) % 1.0 for leg in range(2)]
    assert min(min(s, 1.0 - s) for s in stop) < 0.01


def test_a_travel_at_rest_has_no_steps():
    rig, motions = make_walker()
    travel = Travel(np.array([0.0, 5.0]), np.zeros((2, 3)), np.zeros(2))
    plan = plan_times(pack_motions(rig, motions), travel, PlanSettings())
    assert np.ptp(plan.phases) == 0.0
    assert plan.moves == ()


def test_two_moves_with_a_rest_between_are_both_fitted():
    rig, motions = make_walker()
    one = make_bell()
    shift = one.positions[-1]
    travel = Travel(
        np.concatenate([one.times, one.times + one.end + 3.0]),
        np.concatenate([one.positions, one.positions + shift]),
        np.zeros(2 * len(one.times)),
    )
    plan = plan_times(pack_motions(rig, motions), travel, PlanSettings())
    assert len(plan.moves) == 2
    for _, stop in plan.moves:
        shares = [np.interp(stop, plan.grid.times, plan.leg_times[:, leg]) % 1 for leg in (0, 1)]
        assert min(min(s, 1.0 - s) for s in shares) < 0.01


def test_turning_fast_steps_more_often():
    rig, motions = make_walker()
    times = np.linspace(0.0, 4.0, 97)
    slow = Travel(times, np.zeros((97, 3)), np.radians(60.0) * times)
    fast = Travel(times, np.zeros((97, 3)), np.radians(240.0) * times)
    tables = pack_motions(rig, motions)
    counts = [np.ptp(plan_times(tables, t, PlanSettings()).phases) for t in (slow, fast)]
    assert counts[1] > 1.5 * counts[0]
    plan = plan_times(tables, fast, PlanSettings())
    rate = np.gradient(plan.phases, plan.grid.interval)[plan.grid.count // 2]
    assert 240.0 / rate <= 121.0


def test_a_shift_in_time_shifts_everything_exactly():
    _, _, plan = plan_straight(0.7)
    _, _, other = plan_straight(0.7, start=7.3012)
    assert np.allclose(other.grid.times - 7.3012, plan.grid.times, atol=1e-9)
    assert np.allclose(other.leg_times, plan.leg_times, atol=1e-9)


def test_without_a_walk_the_plan_is_refused_in_words():
    rig, motions = make_walker()
    rest_only = make_set([m for m in motions.motions if not m.is_cycle])
    travel = make_straight_travel(np.zeros(3), 0.0, np.array([0.0, -1.0]), 0.0, 2.0)
    with pytest.raises(TravelError, match="no walk among the motions"):
        plan_times(pack_motions(rig, rest_only), travel, PlanSettings())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("grid_rate", 20.0, "grid_rate must be a number from 48 to 2000 samples a second"),
        ("swing_margin", -0.1, "swing_margin"),
        ("max_slope", float("nan"), "max_slope"),
    ],
)
def test_bad_settings_are_refused(name, value, words):
    with pytest.raises(SettingError, match=words):
        PlanSettings(**{name: value})


def test_no_leg_waits_for_a_walk_of_another_order_while_a_run_slows_down():
    tables = pack_motions(*make_walker(("walk", "run")))
    walk, run = np.flatnonzero(tables.cycles.is_cycle)
    stances = tables.leg_cycles.stances.copy()
    # In the run its legs stand two fifths of a cycle sooner, so that the change moves them later.
    stances[run] = stances[walk] - 0.4
    tables = replace(tables, leg_cycles=replace(tables.leg_cycles, stances=stances))
    times = np.linspace(0.0, 4.0, 401)
    share = np.clip((2.4 - times) / 0.4, 0.0, 1.0)[:, None]
    velocities = tables.cycles.velocities
    speeds = share * velocities[run] + (1.0 - share) * velocities[walk]
    way = np.concatenate([np.cumsum(speeds * times[1], axis=0), np.zeros((401, 1))], axis=1)
    plan = plan_times(tables, Travel(times, way, np.zeros(401)), PlanSettings())
    passed, own = np.diff(plan.phases), np.diff(plan.leg_times, axis=0)
    assert np.all(own >= 0.5 * passed[:, None] - 1e-9)
    # The change is over: each leg is where the walk has it.
    late = np.searchsorted(plan.grid.times, 3.9)
    off = plan.phases[late] - plan.leg_times[late] - stances[walk]
    np.testing.assert_allclose(off, np.round(off), atol=0.02)
