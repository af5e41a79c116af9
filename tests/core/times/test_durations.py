# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a cycle takes: strides and their limits, slopes, footsteps."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.durations import (
    CyclePace,
    Pace,
    align_motions,
    blend_strides,
    find_own_rates,
    plan_rates,
)
from semi_procedural_locomotion.core.times.limits import RATES
from semi_procedural_locomotion.core.times.stride_limits import (
    find_leads,
    limit_climbs,
    limit_strides,
)
from tests.core.walkers import make_walker

GRID = TimeGrid(0.0, 1.0 / 120.0, 600)
INSIDE = slice(150, 450)


def make_tables(names=("walk",), legs=2):
    rig, motions = make_walker(names, legs=legs, rest=False)
    return pack_motions(rig, motions)


def make_pace(tables, share=1.0, turn_rate=0.0, count=GRID.count):
    velocity = share * tables.cycles.velocities[tables.cycles.slowest]
    return Pace(
        np.tile(velocity, (count, 1)), np.full(count, turn_rate), np.ones(count, dtype=bool)
    )


def climb(tables, rise, most):
    """Rates on ground that rises by metres a second, from one cycle in the walk's own time."""
    own = np.full(GRID.count, 1.0 / tables.cycles.slowest_period)
    levels = rise * GRID.times
    settings = PlanSettings(max_climb=most)
    pace = make_pace(tables)
    return own, limit_climbs(tables, GRID, own, pace.velocities, pace.moving, levels, settings)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_of_two_steps_of_a_cycle_climbs_as_far_as_it_may(sign):
    tables = make_tables()
    length, period = tables.rig.leg_length, tables.cycles.slowest_period
    # Three tenths of a leg in a step of the own walk, where two tenths are allowed.
    own, rates = climb(tables, sign * 0.6 * length / period, 0.2)
    np.testing.assert_allclose(rates[INSIDE], 1.5 * own[INSIDE], rtol=1e-9)


def test_bodies_on_many_legs_climb_less_in_a_step():
    tables = make_tables(legs=4)
    shortest = min(leg.length for leg in tables.small_rig.legs)
    rise = 0.34 * shortest / tables.cycles.slowest_period
    own, rates = climb(tables, rise, 0.2)
    np.testing.assert_allclose(rates[INSIDE], 0.17 / (0.62 * 0.2) * own[INSIDE], rtol=1e-9)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_long_bodies_step_quicker_from_their_first_foot_on_a_slope_to_their_last(way):
    tables = make_tables(legs=4)
    pace, length = make_pace(tables, share=way), tables.rig.leg_length
    speed, period = pace.speeds[0], tables.cycles.slowest_period
    leads = find_leads(tables, pace.velocities / speed)[:, 0]
    assert leads.max() > 0.3 * length
    assert leads.min() < -0.3 * length
    slope, settings = 0.6 * length / period, PlanSettings(max_climb=0.2)
    levels = slope * np.clip(GRID.times - 2.0, 0.0, 1.0)
    own = np.full(GRID.count, 1.0 / period)
    rates = limit_climbs(tables, GRID, own, pace.velocities, pace.moving, levels, settings)
    quicker = GRID.times[rates > 1.5 * own]
    # The slope is smoothed, half of it there where it begins and ends.
    first, last = 2.0 - leads.max() / speed, 3.0 - leads.min() / speed
    np.testing.assert_allclose(quicker[[0, -1]], [first, last], atol=0.15 * period)


def test_bodies_on_two_legs_step_quicker_where_they_are():
    tables = make_tables()
    ahead = np.array([[1.0, 0.0]])
    np.testing.assert_array_equal(find_leads(tables, ahead), 0.0)


def test_steps_on_gentle_slopes_keep_their_rate():
    tables = make_tables()
    length, period = tables.rig.leg_length, tables.cycles.slowest_period
    own, rates = climb(tables, 0.3 * length / period, 0.2)
    np.testing.assert_array_equal(rates[INSIDE], own[INSIDE])


def test_the_steepest_slope_makes_steps_seven_tenths_quicker_and_no_more():
    tables = make_tables()
    length, period = tables.rig.leg_length, tables.cycles.slowest_period
    own, rates = climb(tables, 50.0 * length / period, 0.2)
    np.testing.assert_allclose(rates[INSIDE], 1.7 * own[INSIDE], rtol=1e-9)
    quick = 3.0 * own
    settings = PlanSettings(max_climb=0.2)
    levels = 50.0 * length / period * GRID.times
    pace = make_pace(tables)
    kept = limit_climbs(tables, GRID, quick, pace.velocities, pace.moving, levels, settings)
    np.testing.assert_array_equal(kept, quick)


def test_a_motion_against_the_travel_takes_its_way_off_the_stride():
    tables = make_tables(("walk", "backward"))
    forward = int(tables.cycles.velocities[1] @ np.asarray(tables.rig.forward) > 0)
    velocity = tables.cycles.velocities[forward][None]
    alignment = align_motions(tables.cycles, velocity)
    np.testing.assert_allclose(alignment[0, [forward, 1 - forward]], [1.0, -1.0], atol=1e-9)
    weights = np.zeros((1, 2))
    weights[0, [forward, 1 - forward]] = 0.9, 0.1
    own, other = tables.cycles.strides[[forward, 1 - forward]]
    stride = blend_strides(tables.cycles, weights, alignment)
    np.testing.assert_allclose(stride, 0.9 * own - 0.1 * other, rtol=1e-9)


def test_a_stride_is_no_longer_than_the_settings_allow():
    strides = np.array([0.8, 1.4])
    assert limit_strides(strides, PlanSettings(), 0.9) is strides
    limited = limit_strides(strides, PlanSettings(max_stride=1.2), 0.9)
    np.testing.assert_allclose(limited, [0.8, 1.08])


def test_the_rate_is_the_speed_over_the_stride_and_rises_where_the_stride_is_limited():
    tables = make_tables()
    pace, weights = make_pace(tables), np.ones((GRID.count, 1))
    rates, quickened = plan_rates(tables, GRID, weights, pace, PlanSettings())
    stride, length = float(tables.cycles.strides[0]), tables.rig.leg_length
    np.testing.assert_allclose(rates[INSIDE], pace.speeds[0] / stride, rtol=1e-9)
    np.testing.assert_allclose(quickened, 1.0)
    short = PlanSettings(max_stride=0.5 * stride / length)
    rates, _ = plan_rates(tables, GRID, weights, pace, short)
    np.testing.assert_allclose(rates[INSIDE], 2.0 * pace.speeds[0] / stride, rtol=1e-9)


def test_by_accelerations_a_slow_walk_keeps_its_stride_and_starts_are_quicker():
    """The walk with a rest beside it: half of each has half of the rate and of the speed."""
    tables = pack_motions(*make_walker(("walk",)))
    own = tables.cycles
    walk = int(own.slowest)
    speed, period = own.slowest_speed, own.slowest_period
    weights = np.full((4, 2), 0.5)
    velocities = np.repeat(0.5 * own.velocities[walk][None], 4, axis=0)
    asked = np.array([0.0, 1.5, 3.0, 99.0]) * speed / period
    pace = Pace(velocities, np.zeros(4), np.ones(4, dtype=bool), asked)
    chosen = PlanSettings(cycle_time="accelerations", max_speed_change=2.0 * speed)
    rates = find_own_rates(tables, weights, pace, chosen)
    # Half the speed over the whole stride, from 0.5 to at most 1 cycle in the time of one.
    np.testing.assert_allclose(rates * period, [0.5, 0.75, 1.0, 1.0], rtol=1e-6)
    by_strides = find_own_rates(tables, weights, pace, PlanSettings())
    stride = weights[0] @ own.strides
    np.testing.assert_allclose(by_strides, 0.5 * speed / stride, rtol=1e-6)


def test_cycles_along_footsteps_take_the_motions_time_and_longer_for_short_strides():
    pace = CyclePace(np.array([1.0, 2.0]), np.array([1.2, 0.8]), exponent=0.25)
    periods = pace.find_periods(np.array([0.5, 0.7, 1.0, 1.5, 2.0, 3.0]))
    slowed = 1.2 * np.array([0.5, 0.7]) ** (-1.0 / 3.0)
    np.testing.assert_allclose(periods, [*slowed, 1.2, 1.0, 0.8, 0.8])
    assert pace.find_periods(np.array([0.01]))[0] == pytest.approx(1.2 * RATES.longest_slowed)
    faster = CyclePace(pace.strides, pace.periods, pace.exponent, factor=0.5)
    np.testing.assert_allclose(faster.find_periods(np.array([1.0])), 0.6)
