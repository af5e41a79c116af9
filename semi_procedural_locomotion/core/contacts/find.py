# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""When each foot stands in a cycle, and the velocity that the standing feet tell (numpy only).

Two kinds of clips are met: in most, planted feet keep one constant velocity (branch U, *uniform*); in
some the animator eased them in and out (branch E, *eased*), where no velocity is right for all of the
stance and the mean over the low part is the useful answer (docs/method/contacts.md, Contacts).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...notes import NoteKind
from ..maths.periodic import find_best_segment, sample_periodic
from ..maths.rotations import FloatArray
from .edges import EdgeSettings, extend_key_times, find_key_times
from .fitting import ContactFit, find_still_hoverers, fit_contacts
from .foot_signals import compute_foot_signals
from .least_slip import fit_least_slip
from .limits import CONTACT, EDGE
from .planted_speeds import find_speed_range, measure_leg, measure_still_share, moves_evenly
from .stance_velocity import find_stance_mode


@dataclass(frozen=True)
class LegContact:
    """What one foot does in a cycle.

    Attributes
    ----------
    steps
        Whether it stands for a part of the cycle only.
    reason
        Why it does not step; None where it does.
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
        Height of this foot's ground, of the points in contact, metres.
    dip
        How far it dips below its floor, metres.
    lift_height
        Height range of the foot, metres.
    """

    steps: bool
    reason: NoteKind | None
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
    planted_velocity
        The same where feet slip least for as long as they are on the ground, also while they do not
        move evenly, shape (2,).
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
    still_share
        Share of the feet's time on the ground in which they do not move with it but stand still in
        the character's frame; large where a character does not walk.
    noise
        Estimated deviation of the positions, metres.
    smoothing
        Width of the low-pass that was used, share of the cycle.
    lowest_clearance
        Least height of the lowest foot over its floor at its highest moment, metres: large in jumps.
    """

    velocity: FloatArray
    planted_velocity: FloatArray
    turn_rate: float
    legs: tuple[LegContact, ...]
    uniform: bool
    mass: float
    ground_height: float
    centre: FloatArray
    speed_range: tuple[float, float]
    still_share: float
    noise: float
    smoothing: float
    lowest_clearance: float

    @property
    def centre_velocity(self) -> FloatArray:
        """Velocity of the place amid the feet, metres a second, shape (2,)."""
        turned = np.array([-self.centre[1], self.centre[0]])
        return np.asarray(self.velocity + self.turn_rate * turned)


def find_contacts(
    points: FloatArray,
    period: float,
    leg_length: float,
    keys_per_cycle: float | None = None,
    allow_turning: bool = True,
    forward: FloatArray | None = None,
) -> ContactStudy:
    """Find contacts, key times and native velocity of one closed cycle.

    Parameters
    ----------
    points
        Heel, ball and toe tip of L feet in the moving character's frame, metres, Z up, shape
        (N, L, 3, 3) with N equally spaced phases; resampled where N is
        not `ContactLimits.samples`.
    period
        Seconds.
    leg_length
        Metres; tells what is low beside the feet's own lifts. All thresholds are ratios.
    keys_per_cycle
        Authored keys in a cycle, which need not be whole; None if unknown.
    allow_turning
        Whether the character may turn.
    forward
        To where it faces, (2,), or None; see `find_stance_mode`.

    Returns
    -------
    ContactStudy
        By docs/method/contacts.md, Contacts.
    """
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 4 or points.shape[2:] != (3, 3) or len(points) < 3:
        raise ValueError(f"points must have shape (N, L, 3, 3) with N >= 3, got {points.shape}")
    if not period > 0:
        raise ValueError(f"period must be positive, got {period}")
    keys = float(keys_per_cycle) if keys_per_cycle else float(len(points))
    if len(points) != CONTACT.samples:
        points = sample_periodic(points, np.arange(CONTACT.samples) / CONTACT.samples)

    def fit_signals(ranks: np.ndarray) -> ContactFit:
        signals = compute_foot_signals(points, period, leg_length, keys, ranks=ranks)
        fit = fit_contacts(
            signals, find_stance_mode(signals, allow_turning, forward), allow_turning
        )
        for smoothing in CONTACT.more_smoothing:
            if not _is_noisy(fit) or smoothing <= fit.signals.smoothing:
                continue
            signals = compute_foot_signals(points, period, leg_length, keys, smoothing, ranks=ranks)
            fit = fit_contacts(
                signals, find_stance_mode(signals, allow_turning, forward), allow_turning
            )
        grounded = find_still_hoverers(fit)
        if np.any(grounded):
            signals = compute_foot_signals(
                points, period, leg_length, keys, fit.signals.smoothing, grounded, ranks
            )
            mode = replace(fit.mode, velocity=fit.velocity, turn_rate=fit.turn_rate)
            fit = fit_contacts(signals, mode, allow_turning)
        return fit

    fit = _choose_floors(fit_signals, points.shape[1])
    even = moves_evenly(fit)
    planted = fit.velocity if even or fit.turn_rate else fit_least_slip(fit, leg_length)
    if not fit.mode.uniform:
        fit = replace(fit, velocity=planted)
    legs = tuple(_describe_leg(fit, leg, keys, even) for leg in range(points.shape[1]))
    lowest = np.min(points[..., 2], axis=2) - fit.signals.floors
    return ContactStudy(
        velocity=fit.velocity,
        planted_velocity=planted,
        turn_rate=fit.turn_rate,
        legs=legs,
        uniform=fit.mode.uniform,
        mass=fit.mode.mass,
        ground_height=float(np.median([leg.floor for leg in legs])),
        centre=fit.signals.centre,
        speed_range=find_speed_range(fit),
        still_share=measure_still_share(fit),
        noise=fit.signals.noise,
        smoothing=fit.signals.smoothing,
        lowest_clearance=float(np.max(np.min(lowest, axis=1))),
    )


def _choose_floors(fit_signals: Callable[[np.ndarray], ContactFit], legs: int) -> ContactFit:
    """Fit with the floor of each foot on which it stands most (docs/method/contacts.md, Floors)."""
    ranks = np.zeros(legs, dtype=int)
    deepest = fit_signals(ranks)
    fits = {0: deepest}
    best = np.array([score for _, _, score in deepest.segments])
    is_apart = deepest.signals.is_apart
    for rank in range(1, is_apart.shape[1] + 1):
        if not np.any(is_apart[:, rank - 1]):
            continue
        fit = fits[rank] = fit_signals(np.full(legs, rank))
        scores = np.array([score for _, _, score in fit.segments])
        is_more = is_apart[:, rank - 1] & (scores > CONTACT.firmer * best)
        ranks, best = np.where(is_more, rank, ranks), np.where(is_more, scores, best)
    # Feet that all stand by one rank have been fitted.
    chosen = fits[int(ranks[0])] if np.all(ranks == ranks[0]) else fit_signals(ranks)
    return chosen if chosen.mode.uniform >= deepest.mode.uniform else deepest


def _is_noisy(fit: ContactFit) -> bool:
    """Whether contacts of a uniform clip slip so much that more smoothing is worth a trial."""
    lengths = [length for _, length, _ in fit.segments]
    return bool(
        fit.mode.uniform
        and fit.signals.smoothing < max(CONTACT.more_smoothing)
        and np.median(fit.bases) > CONTACT.noisy_slip
        and np.median(lengths) > CONTACT.noisy_duty * CONTACT.samples
    )


def _describe_leg(fit: ContactFit, leg: int, keys: float, even: bool) -> LegContact:
    """Key times and numbers of one leg."""
    signals = fit.signals
    start, length, score = fit.segments[leg]
    foot_scores = np.max(fit.scores[:, leg], axis=1)
    velocity, skate = measure_leg(fit, leg)
    contact = LegContact(
        steps=False,
        reason=None,
        stance=float(np.argmax(foot_scores)) / CONTACT.samples,
        strike=0.0,
        land=0.0,
        lift=0.0,
        off=0.0,
        duty=length / CONTACT.samples,
        points="HBT",
        velocity=velocity,
        skate=skate,
        second_share=0.0,
        floor=float(signals.floors[leg]),
        dip=float(signals.depths[leg]),
        lift_height=float(signals.height_ranges[leg]),
    )
    if length == 0:
        return replace(contact, reason=NoteKind.FOOT_NEVER_STANDS, points="")
    if length >= CONTACT.samples:
        return replace(contact, reason=NoteKind.FOOT_NEVER_LIFTS)
    settings = EdgeSettings(
        limit=CONTACT.slip if fit.mode.uniform else 1.0,
        level=float(fit.levels[leg]),
        base=float(fit.bases[leg]),
        blur=float(
            np.sqrt(
                signals.smoothing**2
                + (1.0 / keys) ** 2 / 12.0
                + (2.0 / CONTACT.samples) ** 2 / 12.0
            )
        ),
        sharp=not fit.mode.uniform,
    )
    if fit.mode.uniform:
        gate = (signals.lowness[:, leg] / CONTACT.low - EDGE.low_gate) / (1.0 - EDGE.low_gate)
        slips = np.maximum(fit.slips[:, leg], CONTACT.slip * np.maximum(gate, 0.0))
    else:
        slips = 1.0 - fit.scores[:, leg]
    times = find_key_times(slips, start, length, score, settings)
    if fit.mode.uniform and not even:
        carried = np.minimum(
            1.0 - fit.slips[:, leg], 1.0 - signals.lowness[:, leg] / CONTACT.low_eased
        )
        times = extend_key_times(times, np.max(carried, axis=1))
    duty = (times.off - times.strike) / CONTACT.samples
    stance = min(max(0.5 * (times.strike + times.off), times.land), times.lift)
    levels = signals.levels[leg][times.points]
    rest = foot_scores.copy()
    rest[(start + np.arange(length)) % CONTACT.samples] = -1.0
    contact = replace(
        contact,
        stance=stance / CONTACT.samples % 1.0,
        strike=times.strike / CONTACT.samples % 1.0,
        land=times.land / CONTACT.samples % 1.0,
        lift=times.lift / CONTACT.samples % 1.0,
        off=times.off / CONTACT.samples % 1.0,
        duty=duty,
        points="".join(name for name, used in zip("HBT", times.points, strict=True) if used),
        second_share=find_best_segment(rest)[2] / max(score, 1e-12),
        floor=float(np.min(levels)) if len(levels) else contact.floor,
    )
    if duty < CONTACT.least_duty:
        return replace(contact, reason=NoteKind.FOOT_TOUCHES_SHORTLY)
    if duty >= 1.0:
        return replace(contact, reason=NoteKind.FOOT_NEVER_LIFTS)
    return replace(contact, steps=True)
