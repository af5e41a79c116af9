# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters and differences of uniformly sampled series (numpy only).

All filters are symmetric in time, so they cause no lag, and continue a series beyond its ends with
the end values. A series may have any shape; time is on its first axis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .limits import SMOOTHING
from .rotations import FloatArray


def smooth_gaussian(values: ArrayLike, interval: float, sigma: float) -> FloatArray:
    """Series blurred by a Gaussian.

    Parameters
    ----------
    values
        Any shape; uniformly sampled in time.
    interval
        Seconds between samples.
    sigma
        Standard deviation of the Gaussian, seconds; 0 leaves the series as it is.

    Returns
    -------
    array, shape of ``values``
        Constant series are unchanged to the last bit.
    """
    _check_interval(interval)
    if not sigma >= 0:
        raise ValueError(f"sigma must not be negative, got {sigma}")
    # So narrow a curve that the next sample has no weight at all leaves the series as it is.
    reach = SMOOTHING.gaussian_reach * sigma / interval
    radius = int(np.ceil(reach)) if reach > SMOOTHING.least_reach else 0
    offsets = np.arange(-radius, radius + 1) * interval
    kernel = np.exp(-0.5 * (offsets / sigma) ** 2) if radius > 0 else np.ones(1)
    return convolve_held(values, kernel / np.sum(kernel))


def blur_hann(values: ArrayLike, radius: int) -> FloatArray:
    """Series blurred by a raised cosine that reaches exactly ``radius`` samples to both sides.

    Parameters
    ----------
    values
        Any shape.
    radius
        Samples; 0 leaves the series as it is.

    Returns
    -------
    array, shape of ``values``
    """
    _check_radius(radius)
    kernel = np.hanning(2 * radius + 3)[1:-1]
    return convolve_held(values, kernel / np.sum(kernel))


def find_sliding_maximum(values: ArrayLike, radius: int) -> FloatArray:
    """Highest value within ``radius`` samples to both sides, shape of ``values``.

    Windows of doubling width make it n log(radius) steps.
    """
    _check_radius(radius)
    rows = np.moveaxis(np.asarray(values, dtype=np.float64), 0, -1)
    width, target = 1, 2 * radius + 1
    highest = _hold_ends(rows, radius)
    while width < target:
        step = min(width, target - width)
        highest = np.maximum(highest[..., : highest.shape[-1] - step], highest[..., step:])
        width += step
    return np.moveaxis(highest, -1, 0)


def fit_falling(values: FloatArray) -> FloatArray:
    """The series that never rises and lies nearest to another by least squares.

    Parameters
    ----------
    values
        Shape (G,).

    Returns
    -------
    array, shape (G,)
        Where ``values`` rise, means of the stretches around; elsewhere the values themselves.
    """
    sums: list[float] = []
    counts: list[int] = []
    for value in values.tolist():
        total, count = value, 1
        while sums and sums[-1] * count < total * counts[-1]:
            total += sums.pop()
            count += counts.pop()
        sums.append(total)
        counts.append(count)
    sizes = np.array(counts)
    fitted = np.repeat(np.array(sums) / sizes, sizes)
    return np.where(np.repeat(sizes, sizes) > 1, fitted, values)


def convolve_held(values: ArrayLike, kernel: FloatArray) -> FloatArray:
    """Series convolved with a short kernel, its end values held beyond the ends.

    Parameters
    ----------
    values
        Any shape, at least one sample in time.
    kernel
        Odd number of taps, shape (2 r + 1,), the middle one for the sample itself; sum 1.

    Returns
    -------
    array, shape of ``values``
    """
    series = np.asarray(values, dtype=np.float64)
    radius = len(kernel) // 2
    if radius == 0:
        return series.copy()
    rows = np.moveaxis(series, 0, -1)
    # The transform loses digits in proportion to the size of the values, so it only sees what
    # differs from the first sample.
    first = rows[..., :1]
    padded = _hold_ends(rows - first, radius)
    size = _find_transform_size(padded.shape[-1] + len(kernel) - 1)
    spectrum = np.fft.rfft(padded, size, axis=-1) * np.fft.rfft(kernel, size)
    blurred = np.fft.irfft(spectrum, size, axis=-1)
    count = rows.shape[-1]
    return np.moveaxis(blurred[..., 2 * radius : 2 * radius + count] + first, -1, 0)


def integrate_rates(rates: FloatArray, times: FloatArray) -> FloatArray:
    """Integral of rates over times by the trapezoid rule, from 0, shape (K,)."""
    return np.concatenate([[0.0], np.cumsum(0.5 * (rates[1:] + rates[:-1]) * np.diff(times))])


def compute_differences(values: ArrayLike, interval: float, order: int = 1) -> FloatArray:
    """Derivatives of any order by repeated differences of neighbours.

    Parameters
    ----------
    values
        Any shape.
    interval
        Seconds between samples.
    order
        1 for velocity, 2 for acceleration, 3 for jerk.

    Returns
    -------
    array
        Shape of ``values`` but ``order`` samples shorter in time.
    """
    _check_interval(interval)
    series = np.asarray(values, dtype=np.float64)
    return np.asarray(np.diff(series, order, axis=0)) / interval**order


def _hold_ends(rows: FloatArray, radius: int) -> FloatArray:
    """Rows lengthened by their end values along the last axis."""
    if rows.shape[-1] == 0:
        raise ValueError("a series needs at least one sample")
    head = np.repeat(rows[..., :1], radius, axis=-1)
    tail = np.repeat(rows[..., -1:], radius, axis=-1)
    return np.concatenate([head, rows, tail], axis=-1)


def _find_transform_size(count: int) -> int:
    """Smallest power of two, or three quarters of one, that holds ``count`` samples."""
    power = 1 << max(int(np.ceil(np.log2(count))), 2)
    return 3 * power // 4 if 3 * power // 4 >= count else power


def _check_interval(interval: float) -> None:
    """Refuse a time step that is not positive."""
    if not interval > 0:
        raise ValueError(f"interval must be positive, got {interval}")


def _check_radius(radius: int) -> None:
    """Refuse a negative radius."""
    if radius < 0:
        raise ValueError(f"radius must not be negative, got {radius}")
