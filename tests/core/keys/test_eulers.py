# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Euler angles and axis-angle against closed forms, and continuity over frames."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.keys.eulers import (
    EULER_ORDERS,
    ROTATION_MODES,
    axis_angles_from_quaternions,
    channels_from_quaternions,
    count_rotation_channels,
    eulers_from_quaternions,
    quaternions_from_channels,
    quaternions_from_eulers,
)
from semi_procedural_locomotion.core.maths import rotations as rot


def random_quaternions(*shape: int) -> np.ndarray:
    return rot.normalize_quaternions(np.random.default_rng(5).normal(size=(*shape, 4)))


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_one_axis_angles_are_turns_about_that_axis(order):
    for axis in range(3):
        angles = np.zeros(3)
        angles[axis] = 0.7
        expected = rot.quaternions_from_axis_angles(np.eye(3)[axis], 0.7)
        assert np.allclose(quaternions_from_eulers(angles, order), expected, atol=1e-15)


def test_xyz_turns_about_x_first():
    x, y, z = (rot.quaternions_from_axis_angles(np.eye(3)[i], a) for i, a in enumerate((0.3, 1, 2)))
    expected = rot.multiply(z, rot.multiply(y, x))
    assert np.allclose(quaternions_from_eulers([0.3, 1, 2], "XYZ"), expected, atol=1e-15)


@pytest.mark.parametrize("mode", ROTATION_MODES)
def test_round_trip_of_any_rotation(mode):
    q = random_quaternions(200, 3)
    back = quaternions_from_channels(channels_from_quaternions(q, mode), mode)
    assert rot.angles_between(q, back).max() < 1e-7


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_angles_follow_a_smooth_turn_through_many_revolutions(order):
    share = np.linspace(0, 1, 400)[:, None]
    angles = np.array([1.0, -2.0, 0.5]) + share * np.array([9.0, -14.0, 11.0])
    q = quaternions_from_eulers(angles, order)
    found = eulers_from_quaternions(q * np.where(share > 0.4, -1, 1), order, reference=angles[0])
    assert np.abs(found - angles).max() < 1e-6


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_angles_stay_still_where_the_middle_turn_is_a_quarter_turn(order):
    first, middle, last = ("XYZ".index(letter) for letter in order)
    angles = np.zeros((60, 3))
    angles[:, first], angles[:, last] = 0.4, 1.1
    angles[:, middle] = np.linspace(0, np.pi, 61)[:60]
    assert np.isclose(angles[30, middle], np.pi / 2)
    found = eulers_from_quaternions(quaternions_from_eulers(angles, order), order)
    assert np.abs(found - angles).max() < 1e-6


def test_a_reference_chooses_the_nearest_of_equal_triples():
    angles = np.array([[0.2, 0.3, 0.4]])
    q = quaternions_from_eulers(angles)
    twin = np.array([0.2 + np.pi, np.pi - 0.3, 0.4 - np.pi])
    assert np.allclose(eulers_from_quaternions(q, reference=twin + 0.1)[0], twin, atol=1e-12)
    turned = angles[0] + 4 * np.pi
    assert np.allclose(eulers_from_quaternions(q, reference=turned)[0], turned, atol=1e-12)


def test_axis_angle_runs_on_past_half_a_turn_and_keeps_its_axis_at_rest():
    axis = rot.normalize(np.array([1.0, 2.0, -0.5]))
    angles = np.linspace(-1.0, 8.0, 91)
    q = rot.quaternions_from_axis_angles(axis, angles)
    found = axis_angles_from_quaternions(q, reference=np.array([-1.0, *axis]))
    assert np.abs(found[:, 0] - angles).max() < 1e-9
    assert np.abs(found[:, 1:] - axis).max() < 1e-6
    assert np.isfinite(axis_angles_from_quaternions(np.tile(rot.IDENTITY, (3, 1)))).all()


def test_quaternion_channels_are_continuous_from_the_reference():
    q = random_quaternions(50)
    flipped = q * np.where(np.arange(50) % 3 == 0, -1.0, 1.0)[:, None]
    values = channels_from_quaternions(flipped, "QUATERNION", reference=-q[0])
    assert np.allclose(values[0], -q[0])
    assert (np.sum(values[1:] * values[:-1], axis=-1) >= 0).all()


def test_values_without_length_are_no_turn():
    assert np.allclose(quaternions_from_channels(np.zeros(4), "QUATERNION"), rot.IDENTITY)
    assert np.allclose(quaternions_from_channels([1.0, 0, 0, 0], "AXIS_ANGLE"), rot.IDENTITY)


def test_unknown_modes_and_wrong_widths_are_refused():
    with pytest.raises(ValueError, match="rotation mode"):
        count_rotation_channels("XXY")
    with pytest.raises(ValueError, match="Euler order"):
        quaternions_from_eulers(np.zeros(3), "QUATERNION")
    with pytest.raises(ValueError, match="needs 4 channels"):
        quaternions_from_channels(np.zeros((2, 3)), "QUATERNION")
