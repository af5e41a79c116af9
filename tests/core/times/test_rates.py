# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rates, strides and contacts in closed form: slopes, slow runs, turns, motions against the travel."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.grid import TimeGrid
from semi_procedural_locomotion.core.motions.packing import pack_motions
from semi_procedural_locomotion.core.motions.tables import LAND, LIFT, OFF, STRIKE
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.core.times.rates import (
    Pace,
    align_motions,
    blend_strides,
    fit_contacts,
    shorten_climbs,
    weigh_key_times,
)
from tests.core.walkers import make_walker

GRID = TimeGrid(0.0, 1.0 / 120.0, 600)
INSIDE = slice(150, 450)


def make_tables(names=("walk",)):
    rig, motions = make_walker(names, rest=False)
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
    return own, shorten_climbs(tables, GRID, own, make_pace(tables), levels, settings)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_each_of_two_steps_of_a_cycle_climbs_as_far_as_it_may(sign):
    tables = make_tables()
    length, period = tables.rig.leg_length, tables.cycles.slowest_period
    # Three tenths of a leg in a step of the own walk, where two tenths are allowed.
    own, rates = climb(tables, sign * 0.6 * length / period, 0.2)
    np.testing.assert_allclose(rates[INSIDE], 1.5 * own[INSIDE], rtol=1e-9)


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
    kept = shorten_climbs(tables, GRID, quick, make_pace(tables), levels, settings)
    np.testing.assert_array_equal(kept, quick)


def test_contacts_of_the_own_travel_are_the_motions_own():
    tables = make_tables()
    keys = np.tile(tables.leg_cycles.key_times[0], (3, 1, 1))
    pace, rates = make_pace(tables, count=3), np.full(3, 1.0 / tables.cycles.slowest_period)
    fitted = fit_contacts(tables.rig, keys, np.ones(3), pace, rates)
    np.testing.assert_allclose(fitted, keys, atol=1e-12)


@pytest.mark.parametrize(("reach", "half"), [(0.2, 0.2), (0.6, 0.26)])
def test_a_slow_run_stands_as_long_as_its_leg_reaches_and_rolls_in_proportion(reach, half):
    tables = make_tables(("run",))
    keys = np.tile(tables.leg_cycles.key_times[0], (1, 1, 1))
    assert keys[..., OFF].max() < 0.18
    pace = make_pace(tables, 0.3, count=1)
    # The leg reaches half of its length to both sides: reach is its share of the way of a cycle.
    rates = reach * pace.speeds / (0.5 * tables.rig.leg_length)
    fitted = fit_contacts(tables.rig, keys, np.zeros(1), pace, rates)
    np.testing.assert_allclose(fitted[..., OFF], half, atol=1e-9)
    np.testing.assert_allclose(fitted[..., STRIKE], 1.0 - half, atol=1e-9)
    for key, end in ((LIFT, OFF), (LAND, STRIKE)):
        side = (lambda k: k) if key == LIFT else (lambda k: 1.0 - k)
        before = side(keys[..., key]) / side(keys[..., end])
        after = side(fitted[..., key]) / side(fitted[..., end])
        np.testing.assert_allclose(after, before, atol=1e-9)


def test_turns_on_the_spot_have_no_double_support():
    tables = make_tables()
    keys = np.tile(tables.leg_cycles.key_times[0], (1, 1, 1))
    assert keys[..., OFF].min() > 0.27
    pace = make_pace(tables, 0.0, turn_rate=1.0, count=1)
    fitted = fit_contacts(tables.rig, keys, np.zeros(1), pace, np.array([1.0]))
    np.testing.assert_allclose(fitted[..., OFF], 0.26, atol=1e-9)
    np.testing.assert_allclose(fitted[..., STRIKE], 0.74, atol=1e-9)


def test_key_times_are_weighed_by_the_way_of_each_motion():
    tables = make_tables(("walk", "run"))
    strides = tables.cycles.strides
    shares = weigh_key_times(tables, np.array([[0.5, 0.5]]), np.ones((1, 2)))
    np.testing.assert_allclose(shares[0], strides / strides.sum(), rtol=1e-5)
    assert abs(strides[0] - strides[1]) > 0.2 * strides.max()


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
