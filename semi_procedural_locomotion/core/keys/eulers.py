# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotation channels as animators key them: Euler angles, axis-angle, quaternions (numpy only).

The order of Euler angles names the axes in the order in which the turns are applied, as Blender
does: ``"XYZ"`` turns about X first, so the quaternion is ``z * y * x``. Angles are stored by axis
(x, y, z) whatever the order. Axis-angle values are angle, x, y, z.

Every rotation has two triples of Euler angles, ``(a, b, c)`` and ``(a + pi, pi - b, c + pi)`` in
the order of the turns, each free by whole turns. The second triple of two frames lies as far apart
as the first, so choosing the nearer one from frame to frame is a running exclusive-or and needs no
loop over frames.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..maths import rotations as rot
from ..maths.rotations import TINY, FloatArray

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
ROTATION_MODES = ("QUATERNION", *EULER_ORDERS, "AXIS_ANGLE")
# Below this cosine of the middle angle the outer two turn about one axis and only their sum is
# known. The square root of the precision of a float64.
_LOCK_COSINE = 1e-7


def count_rotation_channels(mode: str) -> int:
    """Number of curves of a rotation mode: 3 for Euler angles, else 4; ValueError if unknown."""
    if mode not in ROTATION_MODES:
        raise ValueError(f"rotation mode must be one of {ROTATION_MODES}, got {mode!r}")
    return 3 if mode in EULER_ORDERS else 4


def quaternions_from_eulers(angles: ArrayLike, order: str = "XYZ") -> FloatArray:
    """Unit quaternions of Euler angles.

    Parameters
    ----------
    angles
        Radians about x, y, z, shape ``(..., 3)``.
    order
        Axes in the order of the turns.

    Returns
    -------
    array, shape (..., 4)
    """
    angles = np.asarray(angles, dtype=np.float64)
    first, second, third = (_turn_about(axis, angles[..., axis]) for axis in _split_order(order))
    return rot.multiply(third, rot.multiply(second, first))


def eulers_from_quaternions(
    q: ArrayLike, order: str = "XYZ", reference: ArrayLike | None = None
) -> FloatArray:
    """Euler angles that run on smoothly over frames.

    Parameters
    ----------
    q
        Unit quaternions, frames on the first axis, shape ``(n_frames, ..., 4)``.
    order
        Axes in the order of the turns.
    reference
        Angles to which the first frame shall be nearest, radians, shape ``(..., 3)``; None takes
        the triple with the middle angle within a quarter turn.

    Returns
    -------
    array, shape (n_frames, ..., 3)
        Radians about x, y, z. No angle jumps by more than is needed for the rotations.
    """
    q = np.asarray(q, dtype=np.float64)
    axes = _split_order(order)
    turns = _hold_locked_angles(q, axes, _principal_turns(q, axes))
    flipped = np.stack([turns[..., 0] + np.pi, np.pi - turns[..., 1], turns[..., 2] + np.pi], -1)
    if len(turns) > 1:
        near = _turn_distances(turns[:-1], turns[1:])
        far = _turn_distances(turns[:-1], flipped[1:])
        flips = np.cumsum(far < near, axis=0) % 2 == 1
        flips = np.concatenate([np.zeros((1, *flips.shape[1:]), dtype=bool), flips])
    else:
        flips = np.zeros(turns.shape[:-1], dtype=bool)
    start = None
    if reference is not None:
        start = np.asarray(reference, dtype=np.float64)[..., list(axes)]
        flips = flips ^ (_turn_distances(start, flipped[0]) < _turn_distances(start, turns[0]))
    turns = _unwrap(np.where(flips[..., None], flipped, turns), start)
    result = np.empty_like(turns)
    result[..., list(axes)] = turns
    return result


def axis_angles_from_quaternions(q: ArrayLike, reference: ArrayLike | None = None) -> FloatArray:
    """Axes and angles that run on smoothly over frames.

    Parameters
    ----------
    q
        Unit quaternions, frames on the first axis, shape ``(n_frames, ..., 4)``.
    reference
        Angle and axis to which the first frame shall be nearest, shape ``(..., 4)``.

    Returns
    -------
    array, shape (n_frames, ..., 4)
        Angle in radians and unit axis. Frames without a turn keep the axis of the frame before.
    """
    q = np.asarray(q, dtype=np.float64)
    sine = rot.lengths(q[..., 1:])
    axes = q[..., 1:] / np.maximum(sine, TINY)[..., None]
    angles = 2.0 * np.arctan2(sine, q[..., 0])
    known = sine > TINY
    axes = _hold_known(axes, known)
    axes = np.where(known.any(axis=0)[..., None], axes, np.array([0.0, 1.0, 0.0]))
    signs = np.where(np.sum(axes[1:] * axes[:-1], axis=-1) < 0, -1.0, 1.0)
    signs = np.concatenate([np.ones((1, *signs.shape[1:])), np.cumprod(signs, axis=0)])
    start = None
    if reference is not None:
        reference = np.asarray(reference, dtype=np.float64)
        signs = signs * np.where(np.sum(reference[..., 1:] * axes[0], axis=-1) < 0, -1.0, 1.0)
        start = reference[..., :1]
    angles = _unwrap((angles * signs)[..., None], start)[..., 0]
    axes = axes * signs[..., None]
    return rot.pack(angles, axes[..., 0], axes[..., 1], axes[..., 2])


def quaternions_from_channels(values: ArrayLike, mode: str) -> FloatArray:
    """Unit quaternions of keyed rotation values.

    Parameters
    ----------
    values
        Channels in the order of the mode's curves, shape ``(..., 3)`` for Euler modes, else
        ``(..., 4)``; quaternions and axes need not be of unit length.
    mode
        One of `ROTATION_MODES`.

    Returns
    -------
    array, shape (..., 4)
        The identity where a quaternion or an axis has no length.
    """
    values = np.asarray(values, dtype=np.float64)
    count = count_rotation_channels(mode)
    if values.shape[-1] != count:
        raise ValueError(f"{mode} needs {count} channels, got {values.shape}")
    if mode == "QUATERNION":
        size = np.sqrt(np.sum(values * values, axis=-1))[..., None]
        return np.where(size > TINY, values / np.maximum(size, TINY), rot.IDENTITY)
    if mode == "AXIS_ANGLE":
        return rot.quaternions_from_axis_angles(
            rot.normalize(values[..., 1:]),
            np.where(rot.lengths(values[..., 1:]) > TINY, values[..., 0], 0.0),
        )
    return quaternions_from_eulers(values, mode)


def channels_from_quaternions(
    q: ArrayLike, mode: str, reference: ArrayLike | None = None
) -> FloatArray:
    """Rotation values to key, continuous over frames.

    Parameters
    ----------
    q
        Unit quaternions, shape ``(n_frames, ..., 4)``.
    mode
        One of `ROTATION_MODES`.
    reference
        Values of the same mode to which the first frame shall be nearest, or None.

    Returns
    -------
    array, shape (n_frames, ..., 3 or 4)
    """
    count_rotation_channels(mode)
    if mode == "QUATERNION":
        values = rot.unroll_quaternions(q)
        if reference is not None and len(values):
            near = np.sum(values[0] * np.asarray(reference, dtype=np.float64), axis=-1)
            values = values * np.where(near < 0, -1.0, 1.0)[..., None]
        return values
    if mode == "AXIS_ANGLE":
        return axis_angles_from_quaternions(q, reference)
    return eulers_from_quaternions(q, mode, reference)


def _split_order(order: str) -> tuple[int, int, int]:
    """Axis indices in the order of the turns."""
    if order not in EULER_ORDERS:
        raise ValueError(f"Euler order must be one of {EULER_ORDERS}, got {order!r}")
    first, second, third = ("XYZ".index(letter) for letter in order)
    return first, second, third


def _turn_about(axis: int, angles: FloatArray) -> FloatArray:
    """Quaternions of turns about one coordinate axis."""
    parts = [np.cos(0.5 * angles), *(np.zeros_like(angles) for _ in range(3))]
    parts[1 + axis] = np.sin(0.5 * angles)
    return rot.pack(*parts)


def _principal_turns(q: FloatArray, axes: tuple[int, int, int]) -> FloatArray:
    """Angles in the order of the turns, the middle one within a quarter turn, shape (..., 3)."""
    i, j, k = axes
    m = rot.matrices_from_quaternions(q)
    parity = 1.0 if (j - i) % 3 == 1 else -1.0
    cosine = np.hypot(m[..., i, i], m[..., j, i])
    first = np.arctan2(parity * m[..., k, j], m[..., k, k])
    middle = np.arctan2(-parity * m[..., k, i], cosine)
    last = np.arctan2(parity * m[..., j, i], m[..., i, i])
    return np.stack([first, middle, last], axis=-1)


def _hold_locked_angles(q: FloatArray, axes: tuple[int, int, int], turns: FloatArray) -> FloatArray:
    """Keep the last angle of the frame before where the middle turn is a quarter turn."""
    known = np.abs(np.cos(turns[..., 1])) > _LOCK_COSINE
    if known.all():
        return turns
    last = np.where(known, turns[..., 2], 0.0)
    last = _hold_known(last[..., None], known)[..., 0]
    rest = rot.multiply(rot.conjugate(_turn_about(axes[2], last)), q)
    rest = rot.multiply(rot.conjugate(_turn_about(axes[1], turns[..., 1])), rest)
    first = rot.wrap_angles(2.0 * np.arctan2(rest[..., 1 + axes[0]], rest[..., 0]))
    held = np.stack([first, turns[..., 1], last], axis=-1)
    return np.where(known[..., None], turns, held)


def _hold_known(values: FloatArray, known: np.ndarray) -> FloatArray:
    """Fill unknown frames of (n, ..., C) from the last known one, leading ones from the first."""
    frames = np.arange(len(values)).reshape(-1, *(1,) * (known.ndim - 1))
    source = np.maximum.accumulate(np.where(known, frames, -1), axis=0)
    source = np.where(source < 0, np.argmax(known, axis=0)[None], source)
    return np.take_along_axis(values, np.broadcast_to(source[..., None], values.shape), axis=0)


def _turn_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    """Sums of the three wrapped differences, shape (...)."""
    distances: FloatArray = np.abs(rot.wrap_angles(b - a)).sum(axis=-1)
    return distances


def _unwrap(angles: FloatArray, start: FloatArray | None) -> FloatArray:
    """Take whole turns out along the first axis, the first frame nearest to ``start``."""
    if start is not None and len(angles):
        joined = np.concatenate([np.broadcast_to(start, angles[:1].shape), angles])
        return np.unwrap(joined, axis=0)[1:]
    return np.unwrap(angles, axis=0) if len(angles) else angles
