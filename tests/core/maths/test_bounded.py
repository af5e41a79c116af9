# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Calm curves between a soft floor and a hard ceiling."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.bounded import Calmness, smooth_between
from semi_procedural_locomotion.core.maths.smoothing import compute_differences, smooth_gaussian

CALM = Calmness(0.3, 20.0, 0.3)
NONE = np.full(400, -np.inf)


def roughen(seed):
    """A series with a ceiling over it, 400 samples."""
    random = np.random.default_rng(seed)
    values = np.cumsum(random.normal(size=400)) * 0.02
    return values, values + random.exponential(0.03, size=400)


@pytest.mark.parametrize("interval", [1 / 24, 1 / 96, 1 / 120])
def test_curves_stay_below_their_ceiling(interval):
    values, ceilings = roughen(3)
    curve = smooth_between(values, values + 0.1, ceilings, interval, CALM)
    assert np.all(curve <= ceilings)


def test_constant_series_stay_as_they_are():
    values = np.full(37, 0.3)
    curve = smooth_between(values, NONE[:37], values + 0.1, 1 / 120, CALM)
    np.testing.assert_allclose(curve, values, atol=1e-15)


def test_far_from_its_bounds_only_the_gaussian_acts():
    values, _ = roughen(4)
    curve = smooth_between(values, values - 10.0, values + 10.0, 1 / 96, CALM)
    np.testing.assert_array_equal(curve, smooth_gaussian(values, 1 / 96, CALM.width))


def test_what_is_far_from_any_bound_is_not_changed_by_them():
    values, _ = roughen(5)
    ceilings = np.full(400, np.inf)
    ceilings[50:80] = values[50:80].min() - 0.1
    curve = smooth_between(values, NONE, ceilings, 1 / 24, CALM)
    away = slice(80 + int(24 * (7.0 * CALM.width + CALM.radius)), None)
    np.testing.assert_allclose(
        curve[away], smooth_gaussian(values, 1 / 24, CALM.width)[away], atol=1e-9
    )


def test_a_floor_lifts_where_the_ceiling_leaves_room():
    values, floors, ceilings = np.zeros(400), NONE.copy(), np.full(400, 0.2)
    floors[180:220] = 0.1
    plain = smooth_between(values, NONE, ceilings, 1 / 120, CALM)
    lifted = smooth_between(values, floors, ceilings, 1 / 120, CALM)
    np.testing.assert_allclose(plain, 0.0, atol=1e-15)
    assert 0.04 < lifted[200] < 0.1
    assert np.abs(lifted[[0, -1]]).max() < 0.02
    floors[180:220] = 0.5
    high = smooth_between(values, floors, ceilings, 1 / 120, CALM)
    assert lifted[200] < high[200] <= 0.2


def test_curves_follow_shifts_scales_and_offsets():
    values, ceilings = np.zeros(2400), np.full(2400, 1.0)
    values[1150:1250] = np.random.default_rng(6).normal(size=100)
    ceilings[1150:1250] = values[1150:1250] + 0.1
    floors = np.full(2400, -np.inf)
    floors[1180:1200] = values[1180:1200] + 0.05
    curve = smooth_between(values, floors, ceilings, 1 / 96, CALM)
    moved = [np.roll(v, 23) for v in (values, floors, ceilings)]
    np.testing.assert_allclose(np.roll(curve, 23), smooth_between(*moved, 1 / 96, CALM), atol=1e-7)
    scaled = [100 * v + 7 for v in (values, floors, ceilings)]
    np.testing.assert_allclose(smooth_between(*scaled, 1 / 96, CALM), 100 * curve + 7, atol=1e-9)


def test_under_a_dip_curves_are_calmer_than_a_ceiling_followed_at_once():
    values, ceilings = np.zeros(600), np.full(600, 0.3)
    ceilings[300:320] = -0.2
    curve = smooth_between(values, np.full(600, -np.inf), ceilings, 1 / 120, CALM)
    assert curve[310] == pytest.approx(-0.2, abs=0.02)
    jerk = np.abs(compute_differences(curve, 1 / 120, 3)).max()
    # A wave that is down by 0.2 within two thirds of a second has a third of that in its middle, and as
    # much as that at once where it begins.
    assert jerk < 0.3 * (2 * np.pi / 0.67) ** 3
    assert curve.min() > -0.25
