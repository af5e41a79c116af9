# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one velocity and turn rate at which planted feet move with the ground (numpy only).

In the frame of a character that moves at velocity v and turns at rate w, a planted point at place r
moves at -(v + w x r). The character's v and w are searched from the feet alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.rotations import FloatArray
from .foot_signals import FootSignals
from .limits import MODE


@dataclass(frozen=True)
class StanceMode:
    """Where the velocities of low sole points gather.

    Attributes
    ----------
    velocity, turn_rate
        Of the character, metres a second (2,) and radians a second.
    mass
        Share of the low samples gathered.
    uniform
        True where one constant velocity explains them (branch U), False where planted feet speed up
        and slow down (branch E).
    uniform_mass
        Mass at the narrow bandwidth, whichever branch was taken.
    bandwidth
        Width within which velocities were taken as one, share of the speed.
    """

    velocity: FloatArray
    turn_rate: float
    mass: float
    uniform: bool
    uniform_mass: float
    bandwidth: float


def compute_slip_vectors(
    signals: FootSignals, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Horizontal velocities of sole points against the ground, metres a second, (N, L, C, 2)."""
    slips = signals.velocities + velocity
    if turn_rate:
        slips = slips + turn_rate * _turn_left(signals.places)
    return slips


def _turn_left(vectors: FloatArray) -> FloatArray:
    """Horizontal vectors (..., 2) turned a quarter to the left: w x r for unit w."""
    return np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)


def find_stance_mode(
    signals: FootSignals, allow_turning: bool = True, forward: FloatArray | None = None
) -> StanceMode:
    """Search the joint velocity mode of all legs' low samples.

    Parameters
    ----------
    signals
        See `FootSignals`.
    allow_turning
        Whether a turning character is tried as well.
    forward
        To where the character faces, (2,), which decides where both ways are as likely: stiff legs
        that swing as pendulums go neither way; None for nowhere.

    Returns
    -------
    StanceMode
        Mean shift over pooled samples with growing bandwidth, then two-point samples of a turning
        motion (docs/method/contacts.md, Native velocity).
    """
    weights = np.exp(-np.square(signals.lowness / MODE.low_width)) * np.exp(
        -0.5 * np.square(signals.rises / (MODE.rise_width * signals.fast))
    )
    weights = weights / np.maximum(np.sum(weights, axis=(0, 2), keepdims=True), 1e-9)
    flat = weights.reshape(-1)
    if not np.max(flat) > 0.0:
        # Feet that only rise and fall are never slow enough for it.
        flat = np.ones_like(flat)
    kept = flat > MODE.least_weight * np.max(flat)
    flat = flat[kept] / np.sum(flat[kept])
    velocities = signals.velocities.reshape(-1, 2)[kept]
    places = signals.places.reshape(-1, 2)[kept]
    uniform_mass = 0.0
    for bandwidth, enough in zip(MODE.bandwidths, MODE.enough_mass, strict=True):
        mode, mass = _shift_to_mode(velocities, flat, bandwidth, signals.fast, forward)
        uniform_mass = uniform_mass or mass
        if mass > enough:
            break
    uniform = bandwidth == MODE.bandwidths[0]
    if allow_turning and uniform_mass < MODE.straight_enough:
        turning = _search_turning(velocities, places, flat, signals)
        if (
            turning is not None
            and turning[2] > max(uniform_mass + MODE.turn_gain, MODE.turn_mass)
            and abs(turning[1]) * signals.period > MODE.turn_least
        ):
            velocity, turn_rate, mass = turning
            narrow = MODE.bandwidths[0]
            return StanceMode(velocity, turn_rate, mass, True, mass, narrow)
    return StanceMode(-mode, 0.0, mass, uniform, uniform_mass, bandwidth)


def _shift_to_mode(
    velocities: FloatArray,
    weights: FloatArray,
    bandwidth: float,
    fast: float,
    forward: FloatArray | None = None,
) -> tuple[FloatArray, float]:
    """Mean shift from many seeds at once; the mode (2,) with the largest mass, and that mass.

    Of two that are nearly as large the one is taken whose feet go back, against ``forward``.
    """
    order = np.argsort(-weights, kind="stable")
    modes = velocities[order[:: max(1, len(order) // MODE.seeds)]]
    squares = np.sum(np.square(velocities), axis=1)

    def compute_kernel(centres: FloatArray) -> FloatArray:
        widths = bandwidth * np.hypot(centres[:, 0], centres[:, 1]) + MODE.speed_floor * fast
        apart = squares - 2.0 * centres @ velocities.T
        apart += np.sum(np.square(centres), axis=1)[:, None]
        return np.asarray(weights * np.exp(-0.5 * apart / np.square(widths)[:, None]))

    active = np.arange(len(modes))
    modes = modes.copy()
    for _ in range(MODE.rounds):
        kernel = compute_kernel(modes[active])
        shifted = kernel @ velocities / np.maximum(np.sum(kernel, axis=1), 1e-30)[:, None]
        moved = np.hypot(*(shifted - modes[active]).T)
        modes[active] = shifted
        active = active[moved >= MODE.settled * fast]
        if len(active) == 0:
            break
    masses = np.sum(compute_kernel(modes), axis=1)
    odds = masses
    if forward is not None:
        ahead = -modes @ forward / np.maximum(np.hypot(modes[:, 0], modes[:, 1]), 1e-12)
        odds = masses * (1.0 + MODE.ahead * ahead)
    best = int(np.argmax(odds))
    return modes[best], float(masses[best])


def _search_turning(
    velocities: FloatArray, places: FloatArray, weights: FloatArray, signals: FootSignals
) -> tuple[FloatArray, float, float] | None:
    """Velocity, turn rate and mass of the best motion through two samples; None without pairs."""
    rng = np.random.default_rng(0)
    chosen = rng.choice(len(weights), (MODE.pairs, 2), p=weights)
    first, second = chosen[:, 0], chosen[:, 1]
    spread = float(np.max(np.abs(places - signals.centre))) + 1e-12
    apart = places[first] - places[second]
    squared = np.sum(np.square(apart), axis=1)
    far = squared >= (MODE.pair_distance * spread) ** 2
    if not np.any(far):
        return None
    first, second, apart, squared = first[far], second[far], apart[far], squared[far]
    difference = velocities[first] - velocities[second]
    turn_rates = -np.sum(_turn_left(apart) * difference, axis=1) / squared
    origins = -velocities[first] - turn_rates[:, None] * _turn_left(places[first])
    carried = origins[:, None] + turn_rates[:, None, None] * _turn_left(places)
    slips = np.hypot(*np.moveaxis(velocities + carried, -1, 0))
    widths = (
        MODE.bandwidths[0] * np.hypot(*np.moveaxis(carried, -1, 0))
        + MODE.speed_floor * signals.fast
    )
    masses = np.exp(-0.5 * np.square(slips / widths)) @ weights
    best = int(np.argmax(masses))
    return origins[best], float(turn_rates[best]), float(masses[best])


def fit_stance_twist(
    signals: FootSignals, weights: FloatArray, allow_turning: bool = True
) -> tuple[FloatArray, float]:
    """Velocity and turn rate of the character that fit weighted sole points best.

    Parameters
    ----------
    signals
        See `FootSignals`.
    weights
        Shape (N, L, C), not all zero.
    allow_turning
        Whether to try a turn rate; it is kept only where it clearly pays, because it is
        ill-conditioned when all contacts lie on one line (docs/method/contacts.md, Contacts).

    Returns
    -------
    velocity, turn_rate
        Metres a second, shape (2,), and radians a second.
    """
    total = np.sum(weights)
    moved = np.sum(weights[..., None] * signals.velocities, axis=(0, 1, 2)) / total
    straight = -moved
    if not allow_turning:
        return straight, 0.0
    centre = np.sum(weights[..., None] * signals.places, axis=(0, 1, 2)) / total
    levers = _turn_left(signals.places - centre)
    inertia = np.sum(weights * np.sum(np.square(levers), axis=-1))
    if inertia <= 1e-12 * total:
        return straight, 0.0
    torque = np.sum(weights * np.sum(levers * (signals.velocities - moved), axis=-1))
    turn_rate = -float(torque / inertia)
    turning = straight - turn_rate * _turn_left(centre)
    before = measure_residual(signals, weights, straight, 0.0)
    after = measure_residual(signals, weights, turning, turn_rate)
    size = max(float(np.hypot(*straight)), MODE.keep_speed * signals.fast)
    if (
        after < MODE.keep_residual * before
        and abs(turn_rate) * signals.period > MODE.keep_least
        and before > MODE.keep_straight * size
    ):
        return turning, turn_rate
    return straight, 0.0


def measure_residual(
    signals: FootSignals, weights: FloatArray, velocity: FloatArray, turn_rate: float
) -> float:
    """Weighted root mean square slip, metres a second; ``weights`` (N, L, C) are not all zero."""
    slips = compute_slip_vectors(signals, velocity, turn_rate)
    return float(np.sqrt(np.sum(weights * np.sum(np.square(slips), axis=-1)) / np.sum(weights)))
