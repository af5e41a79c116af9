# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Hip offsets: worked numbers, the hard ceiling, the invariances."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.body import hips
from semi_procedural_locomotion.core.maths import smoothing
from semi_procedural_locomotion.core.rig import reach


def test_hips_that_change_so_are_as_far_from_their_ankles_as_asked():
    random = np.random.default_rng(2)
    hip = random.normal(size=(200, 2, 3))
    target = hip + random.normal(size=(200, 2, 3)) * [0.3, 0.3, 1.0]
    asked = random.uniform(0.5, 1.0, size=(200, 2))
    moved = hip + hips.stand_over(hip, target, asked)[..., None] * [0.0, 0.0, 1.0]
    level = np.hypot(*(target - hip)[..., :2].transpose(2, 0, 1))
    distances = np.linalg.norm(target - moved, axis=-1)
    np.testing.assert_allclose(distances, np.maximum(level, asked), atol=1e-12)
    # The upper of both.
    assert np.all(moved[..., 2] >= target[..., 2])


@pytest.mark.parametrize("interval", [1 / 24, 1 / 96, 1 / 120])
def test_smoothed_offsets_stay_below_the_ceiling(interval):
    random = np.random.default_rng(3)
    raw = np.cumsum(random.normal(size=400)) * 0.02
    ceiling = raw + random.exponential(0.03, size=400)
    smooth = hips.smooth_hip_offsets(raw, ceiling, interval)
    assert np.all(smooth <= ceiling)


def test_far_below_the_ceiling_only_the_gaussian_acts():
    random = np.random.default_rng(4)
    raw = np.cumsum(random.normal(size=300)) * 0.01
    smooth = hips.smooth_hip_offsets(raw, raw + 10.0, 1 / 96)
    np.testing.assert_array_equal(smooth, smoothing.smooth_gaussian(raw, 1 / 96, 0.12))


def test_smoothing_follows_shifts_scales_and_offsets():
    random = np.random.default_rng(6)
    raw, ceiling = np.zeros(400), np.full(400, 1.0)
    raw[150:250] = random.normal(size=100)
    ceiling[150:250] = raw[150:250] + 0.1
    smooth = hips.smooth_hip_offsets(raw, ceiling, 1 / 96)
    shifted = hips.smooth_hip_offsets(np.roll(raw, 23), np.roll(ceiling, 23), 1 / 96)
    np.testing.assert_allclose(np.roll(smooth, 23), shifted, atol=1e-13)
    scaled = hips.smooth_hip_offsets(100 * raw + 7, 100 * ceiling + 7, 1 / 96)
    np.testing.assert_allclose(scaled, 100 * smooth + 7, atol=1e-11)


def test_a_step_in_the_ceiling_makes_no_corner():
    raw, ceiling = np.zeros(400), np.full(400, 0.3)
    ceiling[200:] = -0.3
    smooth = hips.smooth_hip_offsets(raw, ceiling, 1 / 96)
    acceleration = smoothing.compute_differences(smooth, 1 / 96, 2)
    assert np.abs(acceleration).max() < 2 * np.pi**2 * 0.3 / 0.36**2 * 2
    assert smooth[0] == 0.0
    assert smooth[-1] == pytest.approx(-0.3, abs=1e-12)


def test_softened_distances():
    asked = np.linspace(0.5, 3.0, 2000)
    got = reach.soften_distances(asked, np.full(2000, 0.9), 1.0)
    within = asked <= 0.98
    np.testing.assert_array_equal(got[within], asked[within])
    assert np.all(np.diff(got) >= 0)
    assert got.max() <= 0.9995 + 1e-12
    slopes = np.diff(got) / np.diff(asked)
    assert slopes[np.flatnonzero(~within)[0]] > 0.9
