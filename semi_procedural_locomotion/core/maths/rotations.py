# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Vectors and unit quaternions as arrays (numpy only).

Every array has its components on the last axis: vectors ``(..., 3)``, quaternions ``(..., 4)``
in the order w, x, y, z; leading axes broadcast. Results keep each component contiguous in memory
(component-major storage behind a component-last view), which makes long arrays fast without a
second set of functions. A quaternion turns vectors actively: ``rotate(multiply(a, b), v)`` equals
``rotate(a, rotate(b, v))``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .limits import VECTOR

FloatArray = NDArray[np.float64]

UP = np.array([0.0, 0.0, 1.0])
IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])
TINY = 1e-12
"""Keeps quotients finite: nothing shorter has a direction, in metres or without unit."""


def pack(*components: ArrayLike) -> FloatArray:
    """Join components into one array with the components on the last axis.

    Parameters
    ----------
    components
        Arrays of equal or broadcastable shape ``(...)``.

    Returns
    -------
    array, shape (..., n_components)
        A view whose components are each contiguous in memory.
    """
    arrays: Sequence[FloatArray] = [np.asarray(c, dtype=np.float64) for c in components]
    shape = arrays[0].shape
    # This is called for every bone: numpy's general ways take longer than most of its sums.
    for array in arrays:
        if array.shape != shape:
            arrays = np.broadcast_arrays(*arrays)
            shape = arrays[0].shape
            break
    joined = np.empty((len(arrays), *shape))
    for index, array in enumerate(arrays):
        joined[index] = array
    return joined.transpose(*range(1, len(shape) + 1), 0)


def dot(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Scalar products of vectors.

    Parameters
    ----------
    a, b
        Arrays of shape ``(..., 3)``.

    Returns
    -------
    array, shape (...)
    """
    a, b = np.asarray(a), np.asarray(b)
    return a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]


def cross(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Vector products ``a x b``, shapes ``(..., 3)`` (right-handed)."""
    a, b = np.asarray(a), np.asarray(b)
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return pack(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


def lengths(v: ArrayLike) -> FloatArray:
    """Euclidean lengths of vectors ``(..., 3)``."""
    return np.sqrt(dot(v, v))


def normalize(v: ArrayLike) -> FloatArray:
    """Unit vectors along ``v`` ``(..., 3)``; a zero vector stays zero."""
    v = np.asarray(v, dtype=np.float64)
    return v / np.maximum(lengths(v), TINY)[..., None]


def normalize_quaternions(q: ArrayLike) -> FloatArray:
    """Unit quaternions along ``q`` ``(..., 4)``."""
    q = np.asarray(q, dtype=np.float64)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    return q / np.maximum(np.sqrt(w * w + x * x + y * y + z * z), VECTOR.tiny_quaternion)[..., None]


def multiply(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Hamilton products ``a b`` of quaternions ``(..., 4)``: first ``b``, then ``a``."""
    a, b = np.asarray(a), np.asarray(b)
    aw, ax, ay, az = a[..., 0], a[..., 1], a[..., 2], a[..., 3]
    bw, bx, by, bz = b[..., 0], b[..., 1], b[..., 2], b[..., 3]
    return pack(
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: ArrayLike) -> FloatArray:
    """Conjugates, which for unit quaternions ``(..., 4)`` are the inverses."""
    q = np.asarray(q)
    return pack(q[..., 0], -q[..., 1], -q[..., 2], -q[..., 3])


def rotate(q: ArrayLike, v: ArrayLike) -> FloatArray:
    """Vectors ``v`` ``(..., 3)`` turned by unit quaternions ``q`` ``(..., 4)``."""
    q, v = np.asarray(q), np.asarray(v)
    w, qx, qy, qz = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    vx, vy, vz = v[..., 0], v[..., 1], v[..., 2]
    tx = 2.0 * (qy * vz - qz * vy)
    ty = 2.0 * (qz * vx - qx * vz)
    tz = 2.0 * (qx * vy - qy * vx)
    return pack(
        vx + w * tx + qy * tz - qz * ty,
        vy + w * ty + qz * tx - qx * tz,
        vz + w * tz + qx * ty - qy * tx,
    )


def quaternions_from_axis_angles(axes: ArrayLike, angles: ArrayLike) -> FloatArray:
    """Rotations by ``angles`` ``(...)`` in radians about unit ``axes`` ``(..., 3)``."""
    axes, half = np.asarray(axes, dtype=np.float64), 0.5 * np.asarray(angles, dtype=np.float64)
    s = np.sin(half)
    return pack(np.cos(half), axes[..., 0] * s, axes[..., 1] * s, axes[..., 2] * s)


def quaternions_from_yaws(yaws: ArrayLike) -> FloatArray:
    """Rotations about world up by ``yaws`` ``(...)`` in radians, counter-clockwise seen from above."""
    half = 0.5 * np.asarray(yaws, dtype=np.float64)
    zero = np.zeros_like(half)
    return pack(np.cos(half), zero, zero, np.sin(half))


def turn_flat(v: FloatArray, angles: ArrayLike) -> FloatArray:
    """Vectors ``(..., 2)`` turned by angles ``(...)`` in radians, counter-clockwise."""
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = v[..., 0], v[..., 1]
    return np.stack([cosine * x - sine * y, sine * x + cosine * y], axis=-1)


def quaternions_from_arcs(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Shortest rotations that take unit vectors ``a`` to unit vectors ``b``.

    Parameters
    ----------
    a, b
        Unit vectors, shape ``(..., 3)``.

    Returns
    -------
    array, shape (..., 4)
        For opposite vectors the turn is half a turn about some axis normal to ``a``.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    first, second = np.broadcast_arrays(first, second)
    c = cross(first, second)
    q = pack(1.0 + dot(first, second), c[..., 0], c[..., 1], c[..., 2])
    opposite = dot(first, second) < -1.0 + VECTOR.opposite
    if np.any(opposite):
        along_x = np.abs(first[..., 0]) < VECTOR.beside
        other = pack(along_x, ~along_x, np.zeros_like(c[..., 0]))
        axis = normalize(cross(first, other))
        turned = pack(np.zeros_like(c[..., 0]), axis[..., 0], axis[..., 1], axis[..., 2])
        q = np.where(opposite[..., None], turned, q)
    return normalize_quaternions(q)


def quaternions_from_matrices(matrices: ArrayLike) -> FloatArray:
    """Unit quaternions of rotation matrices.

    Parameters
    ----------
    matrices
        Orthonormal right-handed matrices, shape ``(..., 3, 3)``, acting on column vectors.

    Returns
    -------
    array, shape (..., 4)
        With ``w >= 0``.
    """
    m = np.asarray(matrices, dtype=np.float64)
    d0, d1, d2 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + d0 + d1 + d2, 1 + d0 - d1 - d2, 1 - d0 + d1 - d2, 1 - d0 - d1 + d2], -1)
    best = np.argmax(squares, axis=-1)
    a, b, c = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    d, e, f = (
        m[..., 0, 1] + m[..., 1, 0],
        m[..., 0, 2] + m[..., 2, 0],
        m[..., 1, 2] + m[..., 2, 1],
    )
    s = squares
    table = np.stack(
        [
            np.stack([s[..., 0], a, b, c], -1),
            np.stack([a, s[..., 1], d, e], -1),
            np.stack([b, d, s[..., 2], f], -1),
            np.stack([c, e, f, s[..., 3]], -1),
        ],
        -2,
    )
    q = np.take_along_axis(table, best[..., None, None], axis=-2)[..., 0, :]
    q = normalize_quaternions(q)
    return q * np.where(q[..., :1] < 0, -1.0, 1.0)


def orthonormalize(matrices: ArrayLike) -> FloatArray:
    """Nearest rotation matrices of matrices (..., 3, 3), as scale and shear are taken off."""
    left, _, right = np.linalg.svd(np.asarray(matrices, dtype=np.float64))
    result = left @ right
    return np.asarray(result * np.sign(np.linalg.det(result))[..., None, None])


def orthonormalize_axes(axes: FloatArray) -> FloatArray:
    """Axes (..., 3, 3) freed of scale, shear and rounding, Y kept."""
    y = normalize(axes[..., 1])
    x = normalize(axes[..., 0] - dot(axes[..., 0], y)[..., None] * y)
    return np.stack([x, y, cross(x, y)], axis=-1)


def matrices_from_quaternions(q: ArrayLike) -> FloatArray:
    """Rotation matrices ``(..., 3, 3)`` (column vectors) of unit quaternions ``(..., 4)``."""
    q = np.asarray(q, dtype=np.float64)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
        np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
        np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
    ]
    return np.stack(rows, -2)


def nlerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> FloatArray:
    """Normalised linear interpolation on the shorter way.

    Parameters
    ----------
    a, b
        Unit quaternions, shape ``(..., 4)``.
    t
        Share of ``b``, shape ``(...)``.
    """
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    sign = np.where(np.sum(a * b, axis=-1) < 0, -1.0, 1.0)[..., None]
    return normalize_quaternions(a + (sign * b - a) * np.asarray(t)[..., None])


def power(q: ArrayLike, t: ArrayLike) -> FloatArray:
    """Share ``t`` ``(...)`` of the rotations ``q`` ``(..., 4)``, on the shorter way."""
    given = np.asarray(q, dtype=np.float64)
    near: FloatArray = given * np.where(given[..., :1] < 0, -1.0, 1.0)
    sine = lengths(near[..., 1:])
    half = np.arctan2(sine, near[..., 0]) * t
    scale = np.where(
        sine > VECTOR.small_sine, np.sin(half) / np.maximum(sine, VECTOR.small_sine), t
    )
    v = near[..., 1:] * scale[..., None]
    return pack(np.cos(half), v[..., 0], v[..., 1], v[..., 2])


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> FloatArray:
    """Spherical interpolation from ``a`` to ``b`` ``(..., 4)`` on the shorter way, share ``t``."""
    return multiply(a, power(multiply(conjugate(a), b), t))


def angles_between(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """Angles in radians, 0 to pi, between rotations ``a`` and ``b`` ``(..., 4)``."""
    q = multiply(conjugate(a), b)
    return 2.0 * np.arctan2(lengths(q[..., 1:]), np.abs(q[..., 0]))


def align_hemispheres(q: ArrayLike, reference: ArrayLike) -> FloatArray:
    """``q`` ``(..., 4)`` with signs chosen to lie within half a turn of ``reference`` ``(..., 4)``."""
    q = np.asarray(q, dtype=np.float64)
    return q * np.where(np.sum(q * reference, axis=-1) < 0, -1.0, 1.0)[..., None]


def unroll_quaternions(q: ArrayLike) -> FloatArray:
    """Signs made continuous along the first axis of ``q`` ``(n_frames, ..., 4)``."""
    q = np.asarray(q, dtype=np.float64)
    flips = np.where(np.sum(q[1:] * q[:-1], axis=-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, *flips.shape[1:])), np.cumprod(flips, axis=0)])
    return q * signs[..., None]


def wrap_angles(angles: ArrayLike) -> FloatArray:
    """Angles in radians brought to [-pi, pi)."""
    return (np.asarray(angles) + np.pi) % (2.0 * np.pi) - np.pi


def step_cubic(x: ArrayLike) -> FloatArray:
    """Smooth step ``3 x^2 - 2 x^3`` of ``x`` clamped to [0, 1]."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def step_quintic(x: ArrayLike) -> FloatArray:
    """Smooth step ``6 x^5 - 15 x^4 + 10 x^3`` of ``x`` clamped to [0, 1]."""
    x = np.clip(x, 0.0, 1.0)
    return x * x * x * (x * (6.0 * x - 15.0) + 10.0)


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
