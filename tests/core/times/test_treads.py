# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stairs are climbed by whole treads."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.times.stride_limits import fit_treads

LEG = 0.9
PLACES = np.arange(0.0, 12.0, 0.01)


def make_stairs(rise, run, first=4.0, count=8):
    """Heights at the places, and the places between the first and the last riser."""
    treads = np.clip(np.floor((PLACES - first) / run) + 1.0, 0.0, count)
    last = first + (count - 1) * run
    return rise * treads, np.logical_and(first < PLACES, last > PLACES)


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize(
    ("rise", "treads"), [(0.08, 2), (0.12, 1), (0.17, 1), (0.225, 1), (0.056, 4)]
)
def test_a_step_climbs_whole_treads(rise, treads, sign):
    heights, flight = make_stairs(sign * rise, 0.3)
    climbs, risers = fit_treads(PLACES, heights, 0.25 * LEG, LEG)
    np.testing.assert_allclose(climbs[flight], treads * rise, rtol=1e-9)
    np.testing.assert_allclose(risers[flight], rise, rtol=1e-9)
    far = (PLACES < 3.0) | (PLACES > 8.0)
    np.testing.assert_array_equal(climbs[far], 0.25 * LEG)
    np.testing.assert_array_equal(risers[far], 0.0)


def test_steps_climb_no_more_where_treads_are_higher():
    heights, flight = make_stairs(0.28, 0.3)
    climbs, risers = fit_treads(PLACES, heights, 0.25 * LEG, LEG)
    np.testing.assert_array_equal(climbs, 0.25 * LEG)
    np.testing.assert_allclose(risers[flight], 0.28, rtol=1e-9)


def find_no_stairs(heights):
    """That steps climb as on a slope."""
    climbs, risers = fit_treads(PLACES, heights, 0.2, LEG)
    np.testing.assert_array_equal(climbs, 0.2)
    np.testing.assert_array_equal(risers, 0.0)


@pytest.mark.parametrize("slope", [0.1, 0.4, 0.8, 1.5])
def test_slopes_have_no_treads(slope):
    heights = slope * np.clip(PLACES - 4.0, 0.0, 2.0)
    find_no_stairs(heights)


def test_kerbs_pebbles_and_landings_are_no_stairs():
    kerb = 0.15 * ((PLACES > 4.0) & (PLACES < 9.0))
    find_no_stairs(kerb)
    landings, _ = make_stairs(0.17, 1.5, count=4)
    find_no_stairs(landings)
    pebbles = 0.02 * (np.floor(PLACES / 0.2) % 2)
    find_no_stairs(pebbles)


def test_scale_changes_nothing_and_standing_is_no_flight():
    heights, _ = make_stairs(0.17, 0.3)
    once = fit_treads(PLACES, heights, 0.2, LEG)
    large = fit_treads(50.0 * PLACES, 50.0 * heights, 10.0, 50.0 * LEG)
    np.testing.assert_allclose(large, 50.0 * np.array(once), rtol=1e-9)
    still = fit_treads(np.zeros(20), np.linspace(0.0, 3.0, 20), 0.2, LEG)
    np.testing.assert_array_equal(still, [np.full(20, 0.2), np.zeros(20)])
