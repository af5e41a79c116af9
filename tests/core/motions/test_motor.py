# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Weights by speed alone."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.motor import compute_motor_weights, drive_by_speed
from semi_procedural_locomotion.core.settings import PlanSettings
from semi_procedural_locomotion.errors import SettingError

SPEEDS = np.array([0.0, 3.0, 1.5])
REST = np.array([True, False, False])


def test_walks_that_begin_above_runs_are_refused():
    assert PlanSettings(walk_from=3.0, run_from=1.0).walk_from == 3.0
    assert PlanSettings(blend_by="speed", walk_from=3.0).run_from == 0.0
    with pytest.raises(
        SettingError, match="from 3 m/s on and the run from 1, which is slower: raise Run From"
    ):
        PlanSettings(blend_by="speed", walk_from=3.0, run_from=1.0)


def test_idle_walk_and_run_share_by_speed():
    queries = np.array([0.0, 0.75, 1.5, 2.0, 3.0, 9.0])
    weights = compute_motor_weights(SPEEDS, REST, queries)
    wanted = [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1], [0, 1 / 3, 2 / 3], [0, 1, 0], [0, 1, 0]]
    np.testing.assert_allclose(weights, wanted, atol=1e-8)


def test_thresholds_take_the_place_of_own_speeds():
    queries = np.array([0.5, 1.0, 1.5, 2.0])
    weights = compute_motor_weights(SPEEDS, REST, queries, walk_from=1.0, run_from=2.0)
    wanted = [[0.5, 0, 0.5], [0, 0, 1], [0, 0.5, 0.5], [0, 1, 0]]
    np.testing.assert_allclose(weights, wanted, atol=1e-8)
    # A run that begins below the walk begins with it.
    weights = compute_motor_weights(SPEEDS, REST, queries, walk_from=1.0, run_from=0.5)
    np.testing.assert_allclose(weights[2:], [[0, 1, 0], [0, 1, 0]], atol=1e-8)


def test_without_a_rest_and_with_motions_of_one_speed():
    weights = compute_motor_weights(
        np.array([1.0, 1.0, 2.0]), np.zeros(3, dtype=bool), np.array([0.0, 1.5])
    )
    np.testing.assert_allclose(weights, [[0.5, 0.5, 0.0], [0.25, 0.25, 0.5]], atol=1e-8)
    only = compute_motor_weights(np.array([1.0]), np.zeros(1, dtype=bool), np.array([0.0, 5.0]))
    np.testing.assert_array_equal(only, [[1.0], [1.0]])
    standing = compute_motor_weights(np.zeros(2), np.ones(2, dtype=bool), np.array([2.0]))
    np.testing.assert_array_equal(standing, [[0.5, 0.5]])


def test_only_motions_that_go_the_wanted_way_are_driven():
    own = np.array([[0.0, 0.0], [1.5, 0.0], [3.0, 0.0], [-1.0, 0.0], [0.0, 0.8]])
    rest = np.array([True, False, False, False, False])
    queries = np.array([[0.75, 0.0], [-0.5, 0.0], [0.0, 0.8], [0.0, -0.4], [0.0, 0.0]])
    weights = drive_by_speed(own, rest, queries)
    wanted = [
        [0.5, 0.5, 0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0, 0.5, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
        # No motion goes there; those that go least away from it do.
        [0.6, 0.0, 0.0, 0.4, 0.0],
        [1.0, 0.0, 0.0, 0.0, 0.0],
    ]
    np.testing.assert_allclose(weights, wanted, atol=1e-8)
