# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the one problem is made of: splines, knees, rockers, slices, banded systems."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.trajectory.banded import WindowedSystem
from semi_procedural_locomotion.core.trajectory.knees import bend_knees
from semi_procedural_locomotion.core.trajectory.rockers import find_rocks
from semi_procedural_locomotion.core.trajectory.rows import find_second_differences
from semi_procedural_locomotion.core.trajectory.slices import GroundSlices
from semi_procedural_locomotion.core.trajectory.splines import read_bumps, read_spline


def test_splines_are_one_everywhere_and_their_derivatives_are_those():
    places = np.linspace(0.0, 5.0, 41)
    for order, wanted in ((0, 1.0), (1, 0.0), (2, 0.0), (3, 0.0)):
        np.testing.assert_allclose(read_spline(places, order)[1].sum(axis=1), wanted, atol=1e-12)
    # A line through the knots is read as that line.
    first, weights = read_spline(places)
    knots = np.arange(10.0) - 1.0
    line = np.sum(weights * knots[first[:, None] + np.arange(4)], axis=1)
    np.testing.assert_allclose(line, places, atol=1e-12)


@pytest.mark.parametrize("pieces", [5, 10, 14])
def test_bumps_begin_and_end_at_nothing_and_level(pieces):
    for order in (0, 1):
        np.testing.assert_allclose(read_bumps(np.array([0.0, 1.0]), pieces, order), 0.0, atol=1e-9)
    shares = np.linspace(0.05, 0.95, 19)
    values = read_bumps(shares, pieces)
    assert np.linalg.matrix_rank(read_bumps(np.linspace(0.0, 1.0, 200), pieces)) == pieces - 1
    slopes = (read_bumps(shares + 1e-6, pieces) - read_bumps(shares - 1e-6, pieces)) / 2e-6
    np.testing.assert_allclose(read_bumps(shares, pieces, 1), slopes, atol=1e-5)
    assert np.all(read_bumps(np.array([-0.1, 1.2]), pieces) == 0.0)
    assert values.shape == (19, pieces - 1)


def test_a_knee_bends_by_the_law_of_cosines_and_goes_on_straight_near_its_reach():
    thigh, shin = np.array(0.5), np.array(0.5)
    bends, slopes = bend_knees(np.array([np.sqrt(0.5), 0.997, 0.999]), thigh, shin)
    assert bends[0] == pytest.approx(0.5 * np.pi)
    assert slopes[1] == pytest.approx(slopes[2])
    assert bends[2] == pytest.approx(bends[1] + 0.002 * slopes[1])


def test_a_foot_rocks_on_the_end_that_bears_and_its_slope_is_the_lever():
    # From an ankle over the heel: heel below it, toes 0.2 ahead.
    points = np.array([[[0.0, -0.1], [0.2, -0.1]]])
    bearings, width = np.array([[0.0, 0.2]]), np.array([0.001])
    down, slope = find_rocks(points, bearings, width, np.array([0.3]))
    # On its toes: these stay where they are.
    toes = np.array([0.2 * np.cos(0.3) - 0.1 * np.sin(0.3), -0.1 * np.cos(0.3) - 0.2 * np.sin(0.3)])
    np.testing.assert_allclose(down[0] + toes, [0.2, -0.1], atol=1e-9)
    near, _ = find_rocks(points, bearings, width, np.array([0.3 + 1e-6]))
    np.testing.assert_allclose((near - down)[0] / 1e-6, slope[0], atol=1e-4)
    up, _ = find_rocks(points, bearings, width, np.array([-0.3]))
    heel = np.array([0.1 * np.sin(0.3), -0.1 * np.cos(0.3)])
    np.testing.assert_allclose(up[0] + heel, [0.0, -0.1], atol=1e-9)


def test_distances_to_a_riser_point_out_of_it():
    spacing = 0.01
    heights = np.where(np.arange(100) >= 50, 0.2, 0.0)[None]
    slices = GroundSlices.measure(np.array([[0.0, -0.3]]), heights, spacing, 15, 90)
    places = np.array([[[0.2, 0.1], [0.46, 0.1], [0.52, 0.1], [0.7, 0.25], [0.46, 0.23]]])
    distances, slopes = slices.read(places)
    np.testing.assert_allclose(distances[0, :2], [0.1, 0.04], atol=1e-6)
    assert distances[0, 2] == pytest.approx(-0.03, abs=1e-6)
    assert distances[0, 3] == pytest.approx(0.05, abs=1e-6)
    # Over the edge it is as far as the edge is.
    assert distances[0, 4] == pytest.approx(0.05, abs=0.002)
    np.testing.assert_allclose(slopes[0, :3], [[0.0, 1.0], [-1.0, 0.0], [-1.0, 0.0]], atol=1e-6)


def test_a_windowed_system_is_solved_as_a_whole_one():
    random = np.random.default_rng(1)
    knots, channels, width = 23, 2, 6
    system = WindowedSystem(knots, channels, width)
    whole = np.zeros((knots * channels, knots * channels))
    right = np.zeros(knots * channels)
    for first in range(knots - width + 1):
        part = random.standard_normal((width * channels, width * channels))
        part = part @ part.T + np.eye(width * channels)
        side = random.standard_normal(width * channels)
        system.add(np.array([first]), part[None], side[None])
        rows = slice(first * channels, (first + width) * channels)
        whole[rows, rows] += part
        right[rows] += side
    np.testing.assert_allclose(system.solve().ravel(), np.linalg.solve(whole, right), atol=1e-9)


def test_second_differences_are_those_of_what_goes_between_instants():
    times = np.cumsum(np.array([[0.0, 0.03, 0.02, 0.03, 0.01, 0.02, 0.03, 0.02, 0.04]]), axis=1)
    matrix = find_second_differences(times, 0.05)[0]
    inside = (times[0] >= 0.05) & (times[0] <= times[0, -1] - 0.05)
    np.testing.assert_allclose(matrix @ (3.0 * times[0] - 1.0), 0.0, atol=1e-12)
    values = 2.0 * times[0] ** 2
    shifted = [np.interp(times[0] + shift, times[0], values) for shift in (-0.05, 0.05)]
    wanted = shifted[0] + shifted[1] - 2.0 * values
    np.testing.assert_allclose((matrix @ values)[inside], wanted[inside], atol=1e-12)
    assert np.all(matrix[~inside] == 0.0)
    assert inside.sum() > 2
