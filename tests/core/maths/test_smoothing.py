# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters of uniformly sampled series against closed forms and brute force."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import smoothing

RANDOM = np.random.default_rng(5)


def test_gaussian_damps_a_sine_by_the_closed_form():
    interval, sigma, frequency = 1 / 120, 0.12, 1.7
    times = np.arange(1200) * interval
    smooth = smoothing.smooth_gaussian(np.sin(2 * np.pi * frequency * times), interval, sigma)
    gain = np.exp(-0.5 * (2 * np.pi * frequency * sigma) ** 2)
    middle = slice(200, 1000)
    expected = gain * np.sin(2 * np.pi * frequency * times)
    np.testing.assert_allclose(smooth[middle], expected[middle], atol=2e-4)


def test_gaussian_keeps_constants_and_inner_lines():
    constant = np.full(50, 12345.678)
    np.testing.assert_array_equal(smoothing.smooth_gaussian(constant, 0.01, 0.05), constant)
    line = 3.0 * np.arange(300) * 0.01
    smooth = smoothing.smooth_gaussian(line, 0.01, 0.05)
    np.testing.assert_allclose(smooth[40:-40], line[40:-40], atol=1e-12)


def test_gaussian_of_zero_width_is_the_identity():
    values = RANDOM.normal(size=(7, 2))
    np.testing.assert_array_equal(smoothing.smooth_gaussian(values, 0.1, 0.0), values)


def test_gaussian_equals_direct_convolution():
    values = RANDOM.normal(size=(61, 3, 2))
    kernel = np.exp(-0.5 * (np.arange(-12, 13) * 0.01 / 0.03) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(values, ((12, 12), (0, 0), (0, 0)), mode="edge")
    direct = np.apply_along_axis(np.convolve, 0, padded, kernel, mode="valid")
    smooth = smoothing.smooth_gaussian(values, 0.01, 0.03)
    np.testing.assert_allclose(smooth, direct, atol=1e-13)


def test_gaussian_follows_shifts_and_mirrors():
    values = np.zeros(200)
    values[80:95] = RANDOM.normal(size=15)
    smooth = smoothing.smooth_gaussian(values, 0.01, 0.05)
    shifted = smoothing.smooth_gaussian(np.roll(values, 17), 0.01, 0.05)
    np.testing.assert_allclose(np.roll(smooth, 17), shifted, atol=1e-14)
    mirrored = smoothing.smooth_gaussian(values[::-1], 0.01, 0.05)
    np.testing.assert_allclose(smooth[::-1], mirrored, atol=1e-14)


@pytest.mark.parametrize("radius", [0, 1, 2, 5, 13, 40])
def test_sliding_maximum_equals_brute_force(radius):
    values = RANDOM.normal(size=(30, 2))
    highest = smoothing.find_sliding_maximum(values, radius)
    for i in range(30):
        window = values[max(i - radius, 0) : i + radius + 1]
        np.testing.assert_array_equal(highest[i], window.max(axis=0))


def test_hann_blur_is_compact_and_keeps_the_sum():
    pulse = np.zeros(41)
    pulse[20] = 1.0
    blurred = smoothing.blur_hann(pulse, 6)
    assert np.all(np.abs(blurred[:14]) < 1e-15)
    assert np.all(np.abs(blurred[27:]) < 1e-15)
    assert np.all(blurred[14:27] > 1e-3)
    assert blurred.sum() == pytest.approx(1.0, abs=1e-12)


def test_differences_of_a_cubic():
    times = np.arange(20) * 0.1
    jerk = smoothing.compute_differences(2.0 * times**3, 0.1, order=3)
    assert jerk.shape == (17,)
    np.testing.assert_allclose(jerk, 12.0, rtol=1e-9)
    rates = smoothing.compute_differences(times**2, 0.1)
    np.testing.assert_allclose(rates, times[1:] + times[:-1], atol=1e-12)


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="interval must be positive"):
        smoothing.smooth_gaussian(np.zeros(4), 0.0, 0.1)
    with pytest.raises(ValueError, match="sigma must not be negative"):
        smoothing.smooth_gaussian(np.zeros(4), 0.1, -1.0)
    with pytest.raises(ValueError, match="radius must not be negative"):
        smoothing.blur_hann(np.zeros(4), -1)
    with pytest.raises(ValueError, match="at least one sample"):
        smoothing.find_sliding_maximum(np.zeros(0), 2)
    with pytest.raises(ValueError, match="interval must be positive"):
        smoothing.compute_differences(np.zeros(4), -1.0)


def test_the_nearest_series_that_falls_keeps_what_falls_and_pools_what_rises():
    falling = np.array([5.0, 3.0, 3.0, 1.0])
    assert np.array_equal(smoothing.fit_falling(falling), falling)
    assert smoothing.fit_falling(np.array([9.0, 1.0, 2.0, 3.0, 0.0])) == pytest.approx(
        [9, 2, 2, 2, 0]
    )
    values = np.sin(np.arange(200.0) * 0.21) - 0.01 * np.arange(200.0)
    fitted = smoothing.fit_falling(values)
    assert np.all(np.diff(fitted) <= 1e-12)
    assert fitted.sum() == pytest.approx(values.sum())
    assert smoothing.fit_falling(-values[::-1])[::-1] == pytest.approx(-fitted)


@pytest.mark.parametrize("sigma", [5e-324, 1e-200, 1e-6])
def test_a_curve_narrower_than_numbers_tell_leaves_the_series_as_it_is(sigma):
    values = np.array([0.0, 1.0, -3.0, 2.0])
    with np.errstate(all="raise", under="ignore"):
        assert np.array_equal(smoothing.smooth_gaussian(values, 1.0 / 120.0, sigma), values)
