# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Matrices of bones without scale: made, inverted, and taken to one another (numpy only)."""

from __future__ import annotations

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray


def make_rigid(matrices: FloatArray) -> FloatArray:
    """Matrices (..., 4, 4) freed of scale and shear, Y kept, with the same heads."""
    rigid = np.array(matrices, dtype=np.float64)
    rigid[..., :3, :3] = rot.orthonormalize_axes(rigid[..., :3, :3])
    return rigid


def make_matrices(rotations: FloatArray, heads: FloatArray) -> FloatArray:
    """Rigid matrices (..., 4, 4) of rotations (..., 4) and heads (..., 3)."""
    matrices = np.zeros((*heads.shape[:-1], 4, 4))
    matrices[..., :3, :3] = rot.matrices_from_quaternions(rotations)
    matrices[..., :3, 3] = heads
    matrices[..., 3, 3] = 1.0
    return matrices


def invert_rigid(matrices: FloatArray) -> FloatArray:
    """Inverses of rigid matrices (..., 4, 4)."""
    inverse = np.zeros_like(matrices)
    back = np.swapaxes(matrices[..., :3, :3], -1, -2)
    inverse[..., :3, :3] = back
    inverse[..., :3, 3] = -np.einsum("...ij,...j->...i", back, matrices[..., :3, 3])
    inverse[..., 3, 3] = 1.0
    return inverse


def find_move(wanted: FloatArray, shown: FloatArray) -> FloatArray:
    """Rigid matrices (N, 4, 4) that take shown matrices to wanted ones."""
    return make_rigid(wanted) @ invert_rigid(make_rigid(shown))
