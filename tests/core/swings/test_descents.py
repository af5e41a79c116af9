# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that come down from the air of a pose: when, and on which way."""

import numpy as np
import pytest

from semi_procedural_locomotion.core.swings.descents import (
    bump_descent,
    share_descent,
    time_descent,
)

LIFTS, OFFS, STRIKES = np.array([0.8, 2.0]), np.array([1.0, 2.2]), np.array([1.4, 2.6])


@pytest.mark.parametrize(
    ("time", "fade", "end"),
    [
        (1.1, 5.0, 1.4),  # In flight: with the plan's own.
        (1.1, 0.1, 1.2),  # No longer than the blend.
        (1.35, 5.0, 1.75),  # The flight is all but over: onto its print, in one flight.
        (1.5, 5.0, 1.9),  # The plan stands.
        (1.7, 5.0, 2.0),  # It lifts before one flight has passed: down before that.
        (1.95, 5.0, 2.6),  # It lifts at once: with its step.
        (2.58, 5.0, 2.98),
        (3.0, 5.0, 8.0),  # It stands for good.
    ],
)
def test_a_foot_comes_down_with_the_plans_own_or_onto_its_print(time, fade, end):
    assert time_descent(time, fade, LIFTS, OFFS, STRIKES) == pytest.approx(end)


def test_a_foot_that_comes_down_is_over_its_place_before_it_is_there():
    passed = np.linspace(0.0, 1.0, 41)
    shares = share_descent(passed)
    assert np.allclose(shares[[0, -1]], [[0.0] * 3, [1.0] * 3])
    assert np.all(np.diff(shares, axis=0) >= 0.0)
    arrived = shares[:, 0] >= 1.0 - 1e-9
    assert shares[arrived, 2].min() < 0.95
    assert np.array_equal(shares[:, 0], shares[:, 1])
    assert bump_descent(passed)[[0, 20, 40]] == pytest.approx([0.0, 1.0, 0.0])
