# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one velocity and turn rate at which planted feet move with the ground (numpy only).

In the frame of a character that moves at velocity v and turns at rate w, a planted point at place r
moves at -(v + w x r). The character's v and w are searched from the feet alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..maths.periodic import find_best_segment
from ..maths.rotations import FloatArray
from .foot_signals import FootSignals
from .limits import CONTACT, MODE, SIGNAL, SPEED


@dataclass(frozen=True)
class _StanceMode:
    """Record of where the velocities of low sole points gather.

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


def _compute_slip_vectors(
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
) -> _StanceMode:
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
    _StanceMode
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
            return _StanceMode(velocity, turn_rate, mass, True, mass, narrow)
    return _StanceMode(-mode, 0.0, mass, uniform, uniform_mass, bandwidth)


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


def _fit_stance_twist(
    signals: FootSignals, weights: FloatArray, allow_turning: bool = True
) -> tuple[FloatArray, float]:
    """Velocity and turn rate of the character that fit weighted sole points best."""
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
    before = _measure_residual(signals, weights, straight, 0.0)
    after = _measure_residual(signals, weights, turning, turn_rate)
    size = max(float(np.hypot(*straight)), MODE.keep_speed * signals.fast)
    if (
        after < MODE.keep_residual * before
        and abs(turn_rate) * signals.period > MODE.keep_least
        and before > MODE.keep_straight * size
    ):
        return turning, turn_rate
    return straight, 0.0


def _measure_residual(
    signals: FootSignals, weights: FloatArray, velocity: FloatArray, turn_rate: float
) -> float:
    """Weighted root mean square slip, metres a second; ``weights`` (N, L, C) are not all zero."""
    slips = _compute_slip_vectors(signals, velocity, turn_rate)
    return float(np.sqrt(np.sum(weights * np.sum(np.square(slips), axis=-1)) / np.sum(weights)))


@dataclass(frozen=True)
class ContactFit:
    """A velocity with the contacts that it implies.

    Attributes
    ----------
    signals, mode
        What was fitted, and how.
    velocity, turn_rate
        Of the character's origin, metres a second (2,) and radians a second.
    slips
        Speeds against the ground, share of the reference speed, shape (N, L, C).
    scores
        From +1 in contact to -1, shape (N, L, C).
    segments
        First sample, number of samples and score of each leg's contact.
    bases
        Slip of each leg in the still part of its contact, shape (L,).
    levels
        Slip under which each leg is certainly still, shape (L,).
    weights
        Votes in the fit, shape (N, L, C).
    """

    signals: FootSignals
    mode: _StanceMode
    velocity: FloatArray
    turn_rate: float
    slips: FloatArray
    scores: FloatArray
    segments: list[tuple[int, int, float]]
    bases: FloatArray
    levels: FloatArray
    weights: FloatArray

    @property
    def centre_velocity(self) -> FloatArray:
        """Velocity of the place amid the feet, metres a second, shape (2,)."""
        return _compute_centre_velocity(self.signals, self.velocity, self.turn_rate)


def fit_contacts(signals: FootSignals, mode: _StanceMode, allow_turning: bool) -> ContactFit:
    """Alternate between contacts for a velocity and the velocity of those contacts.

    Parameters
    ----------
    signals
        See `FootSignals`.
    mode
        Where to start, and the branch to take.
    allow_turning
        Whether a turn rate is fitted.
    """
    velocity, turn_rate = mode.velocity, mode.turn_rate
    legs = signals.lowness.shape[1]
    for round_index in range(CONTACT.rounds):
        slips = _compute_slips(signals, velocity, turn_rate)
        scores = _score_points(signals, mode, velocity, turn_rate, slips)
        foot_scores = np.max(scores, axis=2)
        segments = [find_best_segment(foot_scores[:, leg]) for leg in range(legs)]
        bases, levels = _measure_contact_slips(slips, segments)
        weights = _weigh_contacts(
            signals,
            mode,
            slips,
            scores,
            segments,
            levels if round_index else np.full(legs, CONTACT.slip),
        )
        if np.sum(weights) < 1e-9:
            break
        refit, refit_turn = _fit_stance_twist(signals, weights, allow_turning)
        moved = float(np.hypot(*(refit - velocity)))
        settled = (
            moved < MODE.settled * signals.fast
            and abs(refit_turn - turn_rate) * signals.period < CONTACT.settled_turn
        )
        if settled and round_index > 1:
            break
        velocity, turn_rate = refit, refit_turn
    final = _weigh_contacts(signals, mode, slips, scores, segments, levels)
    return ContactFit(
        signals, mode, velocity, turn_rate, slips, scores, segments, bases, levels, final
    )


def _compute_slips(signals: FootSignals, velocity: FloatArray, turn_rate: float) -> FloatArray:
    """Slips (N, L, C), shares of the reference speed (docs/method/contacts.md, Contacts)."""
    across = _compute_slip_vectors(signals, velocity, turn_rate)
    slips = np.sqrt(
        np.sum(np.square(across), axis=-1) + np.square(CONTACT.rise_share * signals.rises)
    )
    centre = _compute_centre_velocity(signals, velocity, turn_rate)
    reference = max(
        float(np.hypot(*centre)),
        CONTACT.least_reference * float(np.percentile(slips, SIGNAL.fast_percentile)),
    )
    return slips / (reference + 1e-12)


def _compute_centre_velocity(
    signals: FootSignals, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Velocity (2,) of the place amid the feet, metres a second."""
    centre = signals.centre
    return np.asarray(velocity + turn_rate * np.array([-centre[1], centre[0]]))


def _score_points(
    signals: FootSignals,
    mode: _StanceMode,
    velocity: FloatArray,
    turn_rate: float,
    slips: FloatArray,
) -> FloatArray:
    """Scores (N, L, C) from +1, in contact, to -1 (docs/method/contacts.md, Contacts)."""
    if mode.uniform:
        worst = np.maximum(slips / CONTACT.slip, signals.lowness / CONTACT.low)
        return np.clip(1.0 - worst, -1.0, 1.0)
    carried = _measure_carried(signals, velocity, turn_rate)
    low = 1.0 - signals.lowness / CONTACT.low_eased
    return np.clip(np.minimum(low, (carried - CONTACT.carried) / CONTACT.carried_range), -1.0, 1.0)


def _measure_carried(signals: FootSignals, velocity: FloatArray, turn_rate: float) -> FloatArray:
    """Backward speeds (N, L, C) as shares of the speed: 1 moves with the ground, negative swings."""
    centre = _compute_centre_velocity(signals, velocity, turn_rate)
    squared = float(centre @ centre) + 1e-24
    return np.asarray(-(signals.velocities @ centre) / squared)


def _measure_contact_slips(
    slips: FloatArray, segments: list[tuple[int, int, float]]
) -> tuple[FloatArray, FloatArray]:
    """Slip in the still part of each leg's contact, and the level under which samples vote."""
    bases, levels = np.zeros(len(segments)), np.zeros(len(segments))
    for leg, (start, length, _) in enumerate(segments):
        spread = CONTACT.short_spread
        if length >= CONTACT.fewest_still:
            inside = (start + np.arange(length)) % len(slips)
            still = np.sort(np.min(slips[inside, leg], axis=1))
            still = still[: max(CONTACT.fewest_still, int(CONTACT.still_share * length))]
            bases[leg] = np.median(still)
            spread = CONTACT.spread_gain * float(np.median(np.abs(still - bases[leg])))
        levels[leg] = min(
            CONTACT.slip, bases[leg] + max(CONTACT.level_margin, CONTACT.level_spreads * spread)
        )
    return bases, levels


def _weigh_contacts(
    signals: FootSignals,
    mode: _StanceMode,
    slips: FloatArray,
    scores: FloatArray,
    segments: list[tuple[int, int, float]],
    levels: FloatArray,
) -> FloatArray:
    """Votes (N, L, C) in the re-fit: the still part of uniform contacts, all of eased ones."""
    weights = np.zeros_like(slips)
    for leg, (start, length, _) in enumerate(segments):
        inside = (start + np.arange(length)) % len(slips)
        if mode.uniform:
            worst = np.maximum(
                slips[inside, leg] / levels[leg], signals.lowness[inside, leg] / CONTACT.low
            )
            weights[inside, leg] = np.clip(1.0 - worst, 0.0, 1.0)
        else:
            voting = (scores[inside, leg] > 0).astype(np.float64)
            weights[inside, leg] = voting / np.maximum(np.sum(voting, axis=1, keepdims=True), 1.0)
    return weights


def find_still_hoverers(fit: ContactFit) -> np.ndarray:
    """Points that rest above their foot's ground but stand still while they do, (L, C) of bool.

    A heel held up in flight moves; one whose sole point was placed too high stands.
    """
    signals = fit.signals
    if not fit.mode.uniform or not np.any(signals.hovers):
        return np.zeros_like(signals.hovers)
    resting = np.abs(signals.over) < CONTACT.resting * signals.height_ranges[:, None]
    still = fit.slips < CONTACT.still_slip
    share = np.sum(resting & still, axis=0) / np.maximum(np.sum(resting, axis=0), 1)
    return signals.hovers & (share > CONTACT.still_rests)


def measure_leg(fit: ContactFit, leg: int) -> tuple[FloatArray, float]:
    """The character's velocity (2,) as one leg tells it, and its slip as a share of the speed."""
    weights = fit.weights[:, leg]
    total = float(np.sum(weights))
    if total < 1e-12:
        return np.zeros(2), 0.0
    moved = np.sum(weights[..., None] * fit.signals.velocities[:, leg], axis=(0, 1)) / total
    slips = _compute_slip_vectors(fit.signals, fit.velocity, fit.turn_rate)[:, leg]
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
