# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fewer keys, and no value farther off than allowed."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.keys.tables import choose_keys

FRAMES = np.cumsum(np.random.default_rng(3).uniform(0.5, 1.5, 250))


def measure_errors(values, kept):
    """Largest error of each curve between its kept keys."""
    return np.array(
        [
            np.abs(row - np.interp(FRAMES, FRAMES[mask], row[mask])).max()
            for row, mask in zip(values, kept, strict=True)
        ]
    )


def make_curves():
    """Waves, steps, noise, a line and a constant."""
    random = np.random.default_rng(4)
    return np.stack(
        [
            np.sin(FRAMES / 9.0),
            np.floor(FRAMES / 40.0),
            random.normal(size=250),
            0.3 * FRAMES - 2.0,
            np.full(250, 7.0),
        ]
    )


@pytest.mark.parametrize("tolerance", [1e-4, 1e-2, 0.3])
def test_no_value_is_farther_off_than_allowed(tolerance):
    values = make_curves()
    kept = choose_keys(FRAMES, values, np.full(5, tolerance))
    assert measure_errors(values, kept).max() <= tolerance
    assert kept[:, 0].all()
    assert kept[:, -1].all()
    assert list(kept[3:].sum(axis=1)) == [2, 2]


def test_a_wider_tolerance_leaves_fewer_keys_and_curves_do_not_meddle():
    values = make_curves()
    counts = [choose_keys(FRAMES, values, np.full(5, t)).sum(axis=1) for t in (1e-3, 1e-2, 1e-1)]
    assert (np.diff(counts, axis=0) <= 0).all()
    assert counts[1][0] < 125
    assert counts[0][1] <= 2 * 10
    alone = np.concatenate([choose_keys(FRAMES, v[None], np.array([1e-2])) for v in values])
    np.testing.assert_array_equal(alone, choose_keys(FRAMES, values, np.full(5, 1e-2)))


def test_without_tolerance_all_stay_and_one_frame_is_enough():
    values = make_curves()
    kept = choose_keys(FRAMES, values, np.array([0.0, 0.1, 0.0, 0.1, 0.1]))
    assert kept[[0, 2]].all()
    assert not kept[1].all()
    assert choose_keys(FRAMES[:1], values[:, :1], np.full(5, 0.1)).all()
    with pytest.raises(ValueError, match="tolerances"):
        choose_keys(FRAMES, values, np.zeros(3))
