# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What planted feet tell of the speed, together and one by one (numpy only)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths.rotations import FloatArray
from .fitting import ContactFit, fit_contacts
from .limits import CONTACT, MODE, SPEED
from .stance_velocity import compute_slip_vectors


def measure_leg(fit: ContactFit, leg: int) -> tuple[FloatArray, float]:
    """The character's velocity (2,) as one leg tells it, and its slip as a share of the speed."""
    weights = fit.weights[:, leg]
    total = float(np.sum(weights))
    if total < 1e-12:
        return np.zeros(2), 0.0
    moved = np.sum(weights[..., None] * fit.signals.velocities[:, leg], axis=(0, 1)) / total
    slips = compute_slip_vectors(fit.signals, fit.velocity, fit.turn_rate)[:, leg]
    squared = np.sum(weights * np.sum(np.square(slips), axis=-1)) / total
    speed = float(np.hypot(*fit.centre_velocity))
    return -moved, float(np.sqrt(squared)) / (speed + 1e-12)


def _weigh_low_samples(fit: ContactFit) -> FloatArray:
    """Weights (N, L, C) of samples on the ground, whatever their velocity; every leg counts alike."""
    weights = np.exp(-np.square(fit.signals.lowness / MODE.low_width))
    return weights / np.maximum(np.sum(weights, axis=(0, 2), keepdims=True), 1e-9)


def measure_still_share(fit: ContactFit) -> float:
    """Share of the feet's time on the ground in which they stand still in the character's frame."""
    weights = _weigh_low_samples(fit)
    speed = float(np.hypot(*fit.centre_velocity))
    speeds = np.hypot(fit.signals.velocities[..., 0], fit.signals.velocities[..., 1])
    return float(np.sum(weights[speeds < SPEED.standing * speed]) / np.sum(weights))


def moves_evenly(fit: ContactFit) -> bool:
    """Whether the feet keep one speed, but for noise, all the time that they are carried on the ground.

    A clip can pass for uniform by the best part of its contacts and still slow down or slam at their
    ends.
    """
    if not fit.mode.uniform:
        return False
    backward, weights = _weigh_carried_samples(fit)
    quantiles = _find_quantiles(backward, weights, SPEED.shares)
    if fit.turn_rate or not quantiles:
        return True
    low, middle, high = quantiles
    sure = not SPEED.cliff[0] < fit.mode.uniform_mass < SPEED.cliff[1]
    spread = high - low - SPEED.noise_spread * fit.signals.velocity_noise
    return sure and spread < SPEED.even_spread * middle


def _weigh_carried_samples(fit: ContactFit) -> tuple[FloatArray, FloatArray]:
    """Backward speeds (N, L, C), and weights of low samples that move with the ground."""
    centre = fit.centre_velocity
    speed = float(np.hypot(*centre))
    backward = -(fit.signals.velocities @ centre) / (speed + 1e-12)
    return backward, _weigh_low_samples(fit) * (backward > CONTACT.carried * speed)


def find_speed_range(fit: ContactFit) -> tuple[float, float]:
    """Lowest and highest speed: one where planted points agree, else all that they tell.

    What they tell: medians of all low samples, of each kind of point and of the lowest point, each
    leg's own mean, and for a clip taken as uniform its speed as an eased one.
    """
    speed = float(np.hypot(*fit.centre_velocity))
    backward, weights = _weigh_carried_samples(fit)
    if fit.turn_rate or moves_evenly(fit):
        return speed, speed
    told = [speed, *_find_quantiles(backward, weights, (0.5,))]
    lowest = np.zeros_like(weights)
    lowest_point = np.argmin(fit.signals.lowness, axis=2)[..., None]
    np.put_along_axis(lowest, lowest_point, 1.0, axis=2)
    told += _find_quantiles(backward, weights * lowest, (0.5,))
    for point in range(weights.shape[2]):
        told += _find_quantiles(backward[..., point], weights[..., point], (0.5,))
    for leg in range(weights.shape[1]):
        if np.sum(fit.weights[:, leg]) > 0:
            told.append(float(np.hypot(*measure_leg(fit, leg)[0])))
    if fit.mode.uniform:
        eased = fit_contacts(fit.signals, replace(fit.mode, uniform=False), allow_turning=False)
        told.append(float(np.hypot(*eased.velocity)))
    return min(told), max(told)


def _find_quantiles(
    values: FloatArray, weights: FloatArray, shares: tuple[float, ...]
) -> list[float]:
    """Weighted quantiles; none where all weights vanish."""
    order = np.argsort(values, axis=None)
    sums = np.cumsum(weights.reshape(-1)[order])
    if sums[-1] <= 0:
        return []
    places = np.searchsorted(sums, np.array(shares) * sums[-1])
    return [float(value) for value in values.reshape(-1)[order][places]]
