# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small matrices against numpy's own."""

from __future__ import annotations

import numpy as np
import pytest

from semi_procedural_locomotion.core.maths.rotations import find_determinants, invert_matrices

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("shape", [(3, 3), (50, 3, 3), (4, 5, 3, 3)])
def test_axes_are_inverted(shape):
    axes = RNG.standard_normal(shape) * 10.0 ** RNG.uniform(-3, 3)
    assert np.allclose(invert_matrices(axes), np.linalg.inv(axes), rtol=1e-9)
    assert np.allclose(find_determinants(axes), np.linalg.det(axes), rtol=1e-9)


@pytest.mark.parametrize("shape", [(4, 4), (50, 4, 4)])
def test_transforms_are_inverted(shape):
    matrices = RNG.standard_normal(shape)
    matrices[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    assert np.allclose(invert_matrices(matrices), np.linalg.inv(matrices), rtol=1e-9)


def test_the_identity_stays_to_the_last_digit():
    assert np.array_equal(invert_matrices(np.eye(4)), np.eye(4))


def test_what_has_no_inverse_is_not_finite():
    flat = np.stack([np.diag([1.0, 1.0, 0.0]), np.eye(3)])
    found = invert_matrices(flat)
    assert not np.isfinite(found[0]).all()
    assert np.array_equal(found[1], np.eye(3))
