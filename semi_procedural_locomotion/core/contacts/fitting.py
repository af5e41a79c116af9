# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts for a velocity and the velocity of those contacts, in turn (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths.periodic import find_best_segment
from ..maths.rotations import FloatArray
from .foot_signals import FootSignals
from .limits import CONTACT
from .stance_velocity import StanceMode, compute_slip_vectors, fit_stance_twist


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
    mode: StanceMode
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
        return compute_centre_velocity(self.signals, self.velocity, self.turn_rate)


def fit_contacts(signals: FootSignals, mode: StanceMode, allow_turning: bool) -> ContactFit:
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
        refit, refit_turn = fit_stance_twist(signals, weights, allow_turning)
        moved = float(np.hypot(*(refit - velocity)))
        settled = (
            moved < CONTACT.settled_speed * signals.fast
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
    across = compute_slip_vectors(signals, velocity, turn_rate)
    slips = np.sqrt(
        np.sum(np.square(across), axis=-1) + np.square(CONTACT.rise_share * signals.rises)
    )
    centre = compute_centre_velocity(signals, velocity, turn_rate)
    reference = max(
        float(np.hypot(*centre)),
        CONTACT.least_reference * float(np.percentile(slips, CONTACT.fast_percentile)),
    )
    return slips / (reference + 1e-12)


def compute_centre_velocity(
    signals: FootSignals, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Velocity (2,) of the place amid the feet, metres a second."""
    centre = signals.centre
    return np.asarray(velocity + turn_rate * np.array([-centre[1], centre[0]]))


def _score_points(
    signals: FootSignals,
    mode: StanceMode,
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
    centre = compute_centre_velocity(signals, velocity, turn_rate)
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
    mode: StanceMode,
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
