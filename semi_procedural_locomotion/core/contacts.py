# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When each foot stands in a cycle, and the velocity that the standing feet tell (numpy only).

Two kinds of clips are met (motion_study.md 0 and 3): in most, planted feet keep one constant velocity
(branch U, *uniform*); in some the animator eased them in and out (branch E, *eased*), where no
velocity is right for all of the stance and the mean over the low part is the useful answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .contact_edges import EdgeSettings, find_key_times
from .foot_signals import LEAST_SMOOTHING, FootSignals, compute_foot_signals
from .periodic import find_best_segment, sample_periodic
from .rotations import FloatArray
from .stance_velocity import (
    StanceMode,
    compute_slip_vectors,
    find_stance_mode,
    fit_stance_twist,
)

SAMPLES = 96

# Limits of slip and lowness in contact (motion_study.md 3.7), the lowness limit of eased clips, and
# the backward share of the ground's speed from which an eased foot counts as carried.
_SLIP_LIMIT = 0.40
_LOW_LIMIT = 0.35
_LOW_LIMIT_EASED = 0.12
_CARRIED_LEAST = 0.1
_CARRIED_RANGE = 0.3
# Share of the vertical speed in the slip, and least reference speed as a share of fast slips.
_RISE_SHARE = 0.6
_LEAST_REFERENCE = 0.3
# Re-fit (motion_study.md 3.8): rounds, still share of a contact, margin over its slip.
_ROUNDS = 6
_STILL_SHARE = 0.7
_LEVEL_MARGIN = 0.08
# Lowness joins the slip only near its limit.
_GATE = 0.65
# More smoothing is tried while contacts that are not very short slip by more than this.
_NOISY_SLIP = 0.12
_NOISY_DUTY = 0.15
_MORE_SMOOTHING = (0.014, 0.022)
# A contact shorter than this share of the cycle is none (motion_study.md 3.10).
LEAST_DUTY = 0.04
# Near this mass both branches are looked at (motion_study.md 9).
_CLIFF = (0.50, 0.60)
# Share of a leg's clearance under which a point's own backward speed tells a plausible speed, and the
# percentiles between which planted speeds spread.
_LOW_FOR_SPEED = 0.10
_SPEED_PERCENTILES = (15.0, 85.0)


@dataclass(frozen=True)
class LegContact:
    """What one foot does in a cycle.

    Attributes
    ----------
    steps
        Whether it stands for a part of the cycle only.
    reason
        In words, where it does not step.
    stance, strike, land, lift, off
        Phases of the cycle, [0, 1): middle of the contact, first point arrives, last point arrives,
        first leaves, last leaves.
    duty
        Share of the cycle from strike to off.
    points
        Subset of ``"HBT"``.
    velocity
        Velocity of the character as this foot alone tells, metres a second, shape (2,).
    skate
        Root mean square slip in contact, share of the speed.
    second_share
        Score of the second best contact, share of the best.
    floor
        Height of this foot's ground, metres.
    dip
        How far it dips below its floor, metres.
    lift_height
        Height range of the foot, metres.
    """

    steps: bool
    reason: str
    stance: float
    strike: float
    land: float
    lift: float
    off: float
    duty: float
    points: str
    velocity: FloatArray
    skate: float
    second_share: float
    floor: float
    dip: float
    lift_height: float


@dataclass(frozen=True)
class ContactStudy:
    """Contacts of all feet and the character's motion over the ground.

    Attributes
    ----------
    velocity
        Of the character's origin, metres a second, shape (2,): minus that of planted feet.
    turn_rate
        Radians a second.
    legs
        One entry a leg.
    uniform
        Branch U or E, see the module.
    mass
        Share of the low samples that move with the velocity found; a measure of quality.
    ground_height
        Median of the legs' floors, metres.
    centre
        Mean horizontal place of the sole points, metres, shape (2,).
    speed_range
        Lowest and highest speed of the body's centre that planted points allow, metres a second.
    noise
        Estimated deviation of the positions, metres.
    smoothing
        Width of the low-pass that was used, share of the cycle.
    lowest_clearance
        Least height of the lowest foot over its floor at its highest moment, metres: large in jumps.
    """

    velocity: FloatArray
    turn_rate: float
    legs: tuple[LegContact, ...]
    uniform: bool
    mass: float
    ground_height: float
    centre: FloatArray
    speed_range: tuple[float, float]
    noise: float
    smoothing: float
    lowest_clearance: float

    @property
    def centre_velocity(self) -> FloatArray:
        """Velocity of the place amid the feet, metres a second, shape (2,)."""
        turned = np.array([-self.centre[1], self.centre[0]])
        return np.asarray(self.velocity + self.turn_rate * turned)


@dataclass(frozen=True)
class _Fit:
    """Velocity with the contacts that it implies."""

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


def find_contacts(
    points: FloatArray,
    period: float,
    leg_length: float,
    keys_per_cycle: float | None = None,
    allow_turning: bool = True,
) -> ContactStudy:
    """Find contacts, key times and native velocity of one closed cycle.

    Parameters
    ----------
    points
        Heel, ball and toe tip of L feet in the moving character's frame, metres, Z up, shape
        (N, L, 3, 3) with N equally spaced phases; resampled to 96.
    period
        Seconds.
    leg_length
        Metres; guards against dividing by zero only, all thresholds are ratios.
    keys_per_cycle
        Authored keys in a cycle, which need not be whole; None if unknown.
    allow_turning
        Whether the character may turn.

    Returns
    -------
    ContactStudy
        By the method of motion_study.md 3.
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 4 or points.shape[2:] != (3, 3) or len(points) < 3:
        raise ValueError(f"points must have shape (N, L, 3, 3) with N >= 3, got {points.shape}")
    if not period > 0:
        raise ValueError(f"period must be positive, got {period}")
    keys = float(keys_per_cycle) if keys_per_cycle else float(len(points))
    if len(points) != SAMPLES:
        points = sample_periodic(points, np.arange(SAMPLES) / SAMPLES)
    signals = compute_foot_signals(points, period, leg_length, keys)
    fit = _fit_contacts(signals, find_stance_mode(signals, allow_turning), allow_turning)
    for smoothing in _MORE_SMOOTHING:
        if not _is_noisy(fit) or smoothing <= fit.signals.smoothing:
            continue
        signals = compute_foot_signals(points, period, leg_length, keys, smoothing)
        fit = _fit_contacts(signals, find_stance_mode(signals, allow_turning), allow_turning)
    legs = tuple(_describe_leg(fit, leg, keys) for leg in range(points.shape[1]))
    lowest = np.min(points[..., 2], axis=2) - fit.signals.floors
    return ContactStudy(
        velocity=fit.velocity,
        turn_rate=fit.turn_rate,
        legs=legs,
        uniform=fit.mode.uniform,
        mass=fit.mode.mass,
        ground_height=float(np.median(fit.signals.floors)),
        centre=fit.signals.centre,
        speed_range=_find_speed_range(fit, allow_turning),
        noise=fit.signals.noise,
        smoothing=fit.signals.smoothing,
        lowest_clearance=float(np.max(np.min(lowest, axis=1))),
    )


def _is_noisy(fit: _Fit) -> bool:
    """Whether contacts of a uniform clip slip so much that more smoothing is worth a trial."""
    lengths = [length for _, length, _ in fit.segments]
    return bool(
        fit.mode.uniform
        and fit.signals.smoothing < max(_MORE_SMOOTHING)
        and np.median(fit.bases) > _NOISY_SLIP
        and np.median(lengths) > _NOISY_DUTY * SAMPLES
    )


def _fit_contacts(signals: FootSignals, mode: StanceMode, allow_turning: bool) -> _Fit:
    """Alternate between contacts for a velocity and the velocity of those contacts."""
    velocity, turn_rate = mode.velocity, mode.turn_rate
    legs = signals.lowness.shape[1]
    for round_index in range(_ROUNDS):
        slips, reference = _compute_slips(signals, velocity, turn_rate)
        scores = _score_points(signals, mode, velocity, turn_rate, slips)
        foot_scores = np.max(scores, axis=2)
        segments = [find_best_segment(foot_scores[:, leg]) for leg in range(legs)]
        bases, levels = _measure_contact_slips(slips, segments)
        weights = _weigh_contacts(
            signals, mode, slips, scores, segments,
            levels if round_index else np.full(legs, _SLIP_LIMIT),
        )
        if np.sum(weights) < 1e-9:
            break
        refit, refit_turn = fit_stance_twist(signals, weights, allow_turning)
        moved = float(np.hypot(*(refit - velocity)))
        settled = (
            moved < 1e-4 * signals.fast and abs(refit_turn - turn_rate) * signals.period < 1e-3
        )
        if settled and round_index > 1:
            break
        velocity, turn_rate = refit, refit_turn
    final = _weigh_contacts(signals, mode, slips, scores, segments, levels)
    return _Fit(
        signals, mode, velocity, turn_rate, slips, scores, segments, bases, levels, final
    )


def _compute_slips(
    signals: FootSignals, velocity: FloatArray, turn_rate: float
) -> tuple[FloatArray, float]:
    """Slips (N, L, C) as shares of the reference speed, and that speed (motion_study.md 3.6)."""
    across = compute_slip_vectors(signals, velocity, turn_rate)
    slips = np.sqrt(np.sum(np.square(across), axis=-1) + np.square(_RISE_SHARE * signals.rises))
    centre = _centre_velocity(signals, velocity, turn_rate)
    reference = max(float(np.hypot(*centre)), _LEAST_REFERENCE * float(np.percentile(slips, 90)))
    return slips / (reference + 1e-12), reference


def _centre_velocity(signals: FootSignals, velocity: FloatArray, turn_rate: float) -> FloatArray:
    """Velocity (2,) of the place amid the feet."""
    centre = signals.centre
    return np.asarray(velocity + turn_rate * np.array([-centre[1], centre[0]]))


def _score_points(
    signals: FootSignals,
    mode: StanceMode,
    velocity: FloatArray,
    turn_rate: float,
    slips: FloatArray,
) -> FloatArray:
    """Scores (N, L, C) from +1, in contact, to -1 (motion_study.md 3.7)."""
    if mode.uniform:
        worst = np.maximum(slips / _SLIP_LIMIT, signals.lowness / _LOW_LIMIT)
        return np.clip(1.0 - worst, -1.0, 1.0)
    carried = _measure_carried(signals, velocity, turn_rate)
    low = 1.0 - signals.lowness / _LOW_LIMIT_EASED
    return np.clip(np.minimum(low, (carried - _CARRIED_LEAST) / _CARRIED_RANGE), -1.0, 1.0)


def _measure_carried(
    signals: FootSignals, velocity: FloatArray, turn_rate: float
) -> FloatArray:
    """Backward speeds (N, L, C) as shares of the speed: 1 moves with the ground, negative swings."""
    centre = _centre_velocity(signals, velocity, turn_rate)
    squared = float(centre @ centre) + 1e-24
    return np.asarray(-(signals.velocities @ centre) / squared)


def _measure_contact_slips(
    slips: FloatArray, segments: list[tuple[int, int, float]]
) -> tuple[FloatArray, FloatArray]:
    """Slip in the still part of each leg's contact, and the level under which samples vote."""
    bases, levels = np.zeros(len(segments)), np.zeros(len(segments))
    for leg, (start, length, _) in enumerate(segments):
        spread = 0.02
        if length >= 3:
            inside = (start + np.arange(length)) % len(slips)
            still = np.sort(np.min(slips[inside, leg], axis=1))
            still = still[: max(3, int(_STILL_SHARE * length))]
            bases[leg] = np.median(still)
            spread = 1.48 * float(np.median(np.abs(still - bases[leg])))
        levels[leg] = min(_SLIP_LIMIT, bases[leg] + max(_LEVEL_MARGIN, 3.0 * spread))
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
                slips[inside, leg] / levels[leg], signals.lowness[inside, leg] / _LOW_LIMIT
            )
            weights[inside, leg] = np.clip(1.0 - worst, 0.0, 1.0)
        else:
            voting = (scores[inside, leg] > 0).astype(np.float64)
            weights[inside, leg] = voting / np.maximum(
                np.sum(voting, axis=1, keepdims=True), 1.0
            )
    return weights


def _describe_leg(fit: _Fit, leg: int, keys: float) -> LegContact:
    """Key times and numbers of one leg."""
    signals = fit.signals
    start, length, score = fit.segments[leg]
    foot_scores = np.max(fit.scores[:, leg], axis=1)
    velocity, skate = _measure_leg(fit, leg)
    contact = LegContact(
        steps=False,
        reason="",
        stance=float(np.argmax(foot_scores)) / SAMPLES,
        strike=0.0,
        land=0.0,
        lift=0.0,
        off=0.0,
        duty=length / SAMPLES,
        points="HBT",
        velocity=velocity,
        skate=skate,
        second_share=0.0,
        floor=float(signals.floors[leg]),
        dip=float(signals.depths[leg]),
        lift_height=float(signals.height_ranges[leg]),
    )
    if length == 0:
        return replace(contact, reason="never stands still on the ground", points="")
    if length >= SAMPLES:
        return replace(contact, reason="never leaves the ground")
    settings = EdgeSettings(
        limit=_SLIP_LIMIT if fit.mode.uniform else 1.0,
        level=float(fit.levels[leg]),
        base=float(fit.bases[leg]),
        blur=float(
            np.sqrt(
                signals.smoothing**2
                + (1.0 / keys) ** 2 / 12.0
                + (2.0 / SAMPLES) ** 2 / 12.0
            )
        ),
        sharp=not fit.mode.uniform,
    )
    if fit.mode.uniform:
        gate = (signals.lowness[:, leg] / _LOW_LIMIT - _GATE) / (1.0 - _GATE)
        slips = np.maximum(fit.slips[:, leg], _SLIP_LIMIT * np.maximum(gate, 0.0))
    else:
        slips = 1.0 - fit.scores[:, leg]
    times = find_key_times(slips, start, length, score, settings)
    duty = (times.off - times.strike) / SAMPLES
    stance = min(max(0.5 * (times.strike + times.off), times.land), times.lift)
    rest = foot_scores.copy()
    rest[(start + np.arange(length)) % SAMPLES] = -1.0
    contact = replace(
        contact,
        stance=stance / SAMPLES % 1.0,
        strike=times.strike / SAMPLES % 1.0,
        land=times.land / SAMPLES % 1.0,
        lift=times.lift / SAMPLES % 1.0,
        off=times.off / SAMPLES % 1.0,
        duty=duty,
        points="".join(name for name, used in zip("HBT", times.points, strict=True) if used),
        second_share=find_best_segment(rest)[2] / max(score, 1e-12),
    )
    if duty < LEAST_DUTY:
        return replace(contact, reason="touches the ground too shortly")
    if duty >= 1.0:
        return replace(contact, reason="never leaves the ground")
    return replace(contact, steps=True)


def _measure_leg(fit: _Fit, leg: int) -> tuple[FloatArray, float]:
    """The character's velocity (2,) as one leg tells it, and its slip as a share of the speed."""
    weights = fit.weights[:, leg]
    total = float(np.sum(weights))
    if total < 1e-12:
        return np.zeros(2), 0.0
    moved = np.sum(weights[..., None] * fit.signals.velocities[:, leg], axis=(0, 1)) / total
    slips = compute_slip_vectors(fit.signals, fit.velocity, fit.turn_rate)[:, leg]
    squared = np.sum(weights * np.sum(np.square(slips), axis=-1)) / total
    speed = float(np.hypot(*_centre_velocity(fit.signals, fit.velocity, fit.turn_rate)))
    return -moved, float(np.sqrt(squared)) / (speed + 1e-12)


def _find_speed_range(fit: _Fit, allow_turning: bool) -> tuple[float, float]:
    """Lowest and highest speed that planted points allow; see `ContactStudy.speed_range`."""
    del allow_turning
    speed = float(np.hypot(*_centre_velocity(fit.signals, fit.velocity, fit.turn_rate)))
    return speed, speed


_ = LEAST_SMOOTHING, _CLIFF, _LOW_FOR_SPEED, _SPEED_PERCENTILES
