# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What clips key besides poses: resampled, reversed, blended."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.motions.properties import (
    KeyedProperty,
    blend_properties,
    resample_properties,
)

KEY = ('["ik"]', 0)
OTHER = ('pose.bones["foot"]["heel"]', 0)


def test_numbers_are_read_between_samples_and_steps_are_not():
    ramp = KeyedProperty(np.array([0.0, 1.0, 3.0]))
    assert np.allclose(ramp.read(np.array([0.0, 0.5, 1.5, 2.0, 2.7])), [0.0, 0.5, 2.0, 3.0, 3.0])
    steps = KeyedProperty(np.array([0.0, 1.0, 3.0]), is_stepped=True)
    assert np.allclose(steps.read(np.array([0.0, 0.99, 1.5, 2.0])), [0.0, 0.0, 1.0, 3.0])


def test_resampling_holds_the_ends():
    times = np.array([0.0, 0.1, 0.4])
    found = resample_properties(
        {KEY: KeyedProperty(np.array([1.0, 2.0, 5.0]))}, times, np.array([-1.0, 0.25, 9.0])
    )
    assert np.allclose(found[KEY].values, [1.0, 3.5, 5.0])


def test_reversed_twice_is_the_same():
    entry = KeyedProperty(np.array([4.0, 1.0, 2.0, 3.0]))
    assert np.allclose(entry.reverse().values, [4.0, 3.0, 2.0, 1.0])
    assert np.allclose(entry.reverse().reverse().values, entry.values)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_blending_weighs_numbers_and_leaves_the_rest_to_what_is_there(share):
    weights = np.array([[1.0 - share, share]])
    motions = [{KEY: KeyedProperty(np.array([2.0]))}, {}]
    found = blend_properties(motions, np.zeros(2), weights, np.zeros(1))
    assert np.allclose(found[KEY].shares, 1.0 - share)
    assert np.allclose(found[KEY].fill(10.0), 2.0 * (1.0 - share) + 10.0 * share)


def test_steps_are_those_of_the_motion_that_plays_most():
    weights = np.array([[0.6, 0.4], [0.4, 0.6]])
    motions = [
        {KEY: KeyedProperty(np.array([1.0]), is_stepped=True)},
        {KEY: KeyedProperty(np.array([4.0]), is_stepped=True)},
    ]
    found = blend_properties(motions, np.zeros(2), weights, np.zeros(2))
    assert np.allclose(found[KEY].fill(7.0), [1.0, 4.0])


def test_each_motion_is_read_at_its_own_phase():
    motions = [{KEY: KeyedProperty(np.arange(4.0))}, {OTHER: KeyedProperty(np.arange(4.0))}]
    weights = np.full((2, 2), 0.5)
    found = blend_properties(motions, np.array([0.0, 0.25]), weights, np.array([0.5, 1.75]))
    assert np.allclose(found[KEY].values, [1.0, 1.5])
    assert np.allclose(found[OTHER].values, [0.5, 1.0])
    assert list(found) == [KEY, OTHER]
