# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small matrices in closed form (numpy only).

The routines of linear algebra that numpy calls wait for their threads, for each little matrix anew, which
takes hundreds of times as long as the sums where a machine has other work.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .rotations import FloatArray, cross, dot


def find_determinants(axes: ArrayLike) -> FloatArray:
    """Determinants (...) of matrices (..., 3, 3)."""
    m = np.asarray(axes, dtype=np.float64)
    return dot(m[..., 0, :], cross(m[..., 1, :], m[..., 2, :]))


def invert_matrices(matrices: ArrayLike) -> FloatArray:
    """Inverses of matrices.

    Parameters
    ----------
    matrices
        Shape (..., 3, 3), or (..., 4, 4) whose last rows are 0, 0, 0, 1.

    Returns
    -------
    array
        Of the same shape; not finite where a matrix has none.
    """
    m = np.asarray(matrices, dtype=np.float64)
    first, second, third = (m[..., row, :3] for row in range(3))
    # The columns of the inverse are the vector products of the rows, over the volume that they span.
    columns = np.stack([cross(second, third), cross(third, first), cross(first, second)], axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = columns / dot(first, columns[..., 0])[..., None, None]
        if m.shape[-1] == 3:
            return inverse
        result = np.zeros(m.shape)
        result[..., :3, :3] = inverse
        result[..., :3, 3] = -np.einsum("...ij,...j->...i", inverse, m[..., :3, 3])
    result[..., 3, 3] = 1.0
    return result
