# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts in closed form: own travels, slow runs, turns on the spot."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.tables import LAND, LIFT, OFF, STRIKE
from semi_procedural_locomotion.core.times.durations import fit_contacts, weigh_key_times
from tests.core.times.test_durations import make_pace, make_tables


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
