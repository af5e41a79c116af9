# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Travels in the space of something that moves."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths import rotations as rot
from semi_procedural_locomotion.core.travel.carried import (
    carrier_from_samples,
    carry_travel,
    make_carrier,
)
from semi_procedural_locomotion.core.travel.way import make_straight_travel


def _ship(times: np.ndarray) -> np.ndarray:
    """World matrices of a ship of size 3 that goes, turns, rolls and pitches."""
    times = np.asarray(times, dtype=float)
    turn = rot.multiply(
        rot.quaternions_from_yaws(2.0 + 1.5 * times),
        rot.multiply(
            rot.quaternions_from_axis_angles(np.array([1.0, 0.0, 0.0]), 0.2 * np.sin(times)),
            rot.quaternions_from_axis_angles(np.array([0.0, 1.0, 0.0]), 0.1 * np.sin(2 * times)),
        ),
    )
    matrices = np.tile(np.eye(4), (len(times), 1, 1))
    matrices[:, :3, :3] = 3.0 * rot.matrices_from_quaternions(turn)
    matrices[:, :3, 3] = np.stack([8.0 * times, times**2, np.sin(times)], axis=1)
    return matrices


def test_travel_goes_with_its_carrier_and_comes_back_to_it() -> None:
    times = np.linspace(-2.0, 12.0, 500)
    carrier = make_carrier(_ship, 1.0, times)
    local = make_straight_travel(np.array([4.0, 1.0, 0.5]), 0.3, np.array([0.0, -1.2]), 1.0, 9.0)
    travel = carry_travel(local, carrier)
    positions, _ = travel.evaluate(times)
    expected, yaws = local.evaluate(times)
    back, turned = carrier.find_places(positions, travel.find_turns(times), times)
    assert np.abs(back - expected).max() < 1e-9
    assert np.ptp(turned - yaws) < 1e-9
    # At its own time the carrier's space is the world.
    here, facing = travel.evaluate(np.array([1.0]))
    assert np.abs(here[0] - [4.0, 1.0, 0.5]).max() < 1e-9
    assert facing[0] == pytest.approx(0.3)


def test_yaw_of_a_carried_travel_has_no_jumps_however_often_it_is_turned() -> None:
    times = np.linspace(0.0, 12.0, 200)
    carrier = make_carrier(_ship, 0.0, times)
    standing = make_straight_travel(np.zeros(3), 0.0, np.zeros(2), 0.0, 12.0)
    _, yaws = carry_travel(standing, carrier).evaluate(times)
    assert np.abs(np.diff(yaws)).max() < 0.2
    assert yaws[-1] == pytest.approx(18.0, abs=0.3)
    single = [carry_travel(standing, carrier).evaluate(times[i : i + 1])[1][0] for i in (50, 199)]
    assert single == pytest.approx([yaws[50], yaws[199]])


def test_sampled_carrier_meets_its_samples_and_rests_before_and_after() -> None:
    times = np.arange(20) / 48.0
    carrier = carrier_from_samples(times, _ship(times), 0.0)
    assert np.abs(carrier.find_matrices(times) - _ship(times)).max() < 1e-12
    outside = carrier.find_matrices(np.array([-3.0, 9.0]))
    assert np.abs(outside - _ship(times[[0, -1]])).max() < 1e-12
    middle = carrier.find_matrices(times[:1] + 0.5 / 48.0)[0]
    assert np.abs(middle - _ship(times[:2]).mean(axis=0)).max() < 1e-12
