# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time grids."""

import numpy as np

from semi_procedural_locomotion.core.maths.grid import TimeGrid


def test_samples_are_met_and_ends_are_held():
    grid = TimeGrid(2.0, 0.25, 9)
    values = np.random.default_rng(1).normal(size=(9, 3))
    for read in (grid.sample, grid.sample_smooth):
        assert np.allclose(read(values, grid.times), values)
        assert np.allclose(read(values, np.array([-5.0, 50.0])), values[[0, -1]])


def test_cubic_reading_is_exact_for_a_parabola():
    grid = TimeGrid(0.0, 0.5, 20)
    times = np.linspace(1.0, 8.0, 33)
    assert np.allclose(grid.sample_smooth(grid.times**2, times), times**2)
    assert np.abs(grid.sample(grid.times**2, times) - times**2).max() > 0.01


def test_crossings_invert_the_samples():
    grid = TimeGrid(1.0, 0.1, 50)
    values = (grid.times - 1.0) * 2.0
    assert np.allclose(grid.find_crossings(values, np.array([1.0, 3.3])), [1.5, 2.65])
