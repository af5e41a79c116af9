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
from .foot_signals import compute_foot_signals
from .limits import CONTACT, EDGE, LEAST_SLIP, MODE, PLANTING, SPEED
from .stance_velocity import (
    ContactFit,
    find_speed_range,
    find_stance_mode,
    find_still_hoverers,
    fit_contacts,
    measure_leg,
    measure_still_share,
    moves_evenly,
)


@dataclass(frozen=True)
class _EdgeSettings:
    """Levels that decide where contacts end.

    Attributes
    ----------
    limit
        Slip at which a point is certainly moving, share of the speed.
    level
        Slip below which a point of this leg is certainly still.
    base
        The leg's own slip in the middle of its contact.
    blur
        Deviation of all smoothing in the chain from keys to samples, cycles.
    sharp
        True where edges are simply the crossings of the limit (branch E).
    """

    limit: float
    level: float
    base: float
    blur: float
    sharp: bool


@dataclass(frozen=True)
class KeyTimes:
    """First and last instants of one contact in samples, unwrapped: strike <= land <= lift <= off.

    Attributes
    ----------
    strike, land, lift, off
        First point arrives, last point arrives, first leaves, last leaves.
    points
        Which points made contact, shape (C,) of bool.
    """

    strike: float
    land: float
    lift: float
    off: float
    points: np.ndarray


def _find_key_times(
    slips: FloatArray, start: int, length: int, score: float, settings: _EdgeSettings
) -> KeyTimes:
    """Key times of one foot from the slips of its points."""
    count = len(slips)
    inside = (start + np.arange(length)) % count
    found: list[FloatArray | None] = []
    level = settings.limit if settings.sharp else settings.level
    for point in range(slips.shape[1]):
        scores = np.full(count, -1.0)
        scores[inside] = np.clip(1.0 - slips[inside, point] / level, -1.0, 1.0)
        own_start, own_length, own_score = find_best_segment(scores)
        edges = None
        if own_length > 0 and own_score >= EDGE.least_point_score * score:
            edges = _find_edges(slips[:, point], own_start, own_length, settings)
        found.append(None if edges is None else _unwrap_edges(edges, start, length, count))
    used = np.array([edges is not None for edges in found])
    sides = [edges for edges in (found[0], _join_points(found[1:])) if edges is not None]
    if not sides:
        lowest = np.min(slips, axis=1)
        best = int(inside[np.argmin(lowest[inside])])
        edges = _find_edges(lowest, best, 1, settings)
        if edges is None:
            edges = np.array([start, start + length - 1, start, start + length - 1], dtype=float)
        sides = [_unwrap_edges(edges, start, length, count)]
        used = np.ones(slips.shape[1], dtype=bool)
    strike = min(float(side[0]) for side in sides)
    off = max(float(side[1]) for side in sides)
    land, lift = strike, off
    if len(sides) == 2:
        land = max(strike, *(float(side[2]) for side in sides))
        lift = min(off, *(float(side[3]) for side in sides))
    if land > lift:
        middle = 0.5 * (strike + off)
        land = lift = min(max(middle, min(land, lift)), max(land, lift))
    return KeyTimes(strike, land, lift, off, used)


def extend_key_times(times: KeyTimes, carried: FloatArray) -> KeyTimes:
    """Key times with strike and off moved outwards while the foot is still carried on the ground.

    For clips whose planted feet move unevenly: a foot that slips on the ground must be held, so a
    longer contact is better than a slide (docs/method/contacts.md, Planting).

    Parameters
    ----------
    carried
        Positive where the foot is low and moves at least a little with the ground, shape (N,).
    """
    count = len(carried)
    reach = []
    for origin, direction in ((times.strike, -1), (times.off, 1)):
        first = int(np.floor(origin)) if direction > 0 else int(np.ceil(origin))
        free = -np.roll(carried[::direction], -(first if direction > 0 else count - 1 - first))
        if free[0] > 0:
            reach.append(origin)
            continue
        end = _cross_upwards(free, 0.0, 0)
        reach.append(origin if end is None else first + direction * end)
    strike, off = min(reach[0], times.strike), max(reach[1], times.off)
    if off - strike >= count:
        return times
    return KeyTimes(strike, times.land, times.lift, off, times.points)


def _join_points(points: list[FloatArray | None]) -> FloatArray | None:
    """Edges of several points as one: earliest begins, latest ends; None where none has any."""
    present = [edges for edges in points if edges is not None]
    if not present:
        return None
    begins, ends = np.min(present, axis=0), np.max(present, axis=0)
    return np.array([begins[0], ends[1], begins[2], ends[3]])


def _unwrap_edges(edges: FloatArray, start: int, length: int, count: int) -> FloatArray:
    """Begins and ends brought within half a cycle of the foot's own contact."""
    anchors = np.array([start, start + length - 1, start, start + length - 1], dtype=np.float64)
    return np.asarray(anchors + (edges - anchors + 0.5 * count) % count - 0.5 * count)


def _find_edges(
    slips: FloatArray, start: int, length: int, settings: _EdgeSettings
) -> FloatArray | None:
    """Outer begin, outer end, inner begin, inner end in samples; None if the point never moves."""
    edges = []
    for gain in (EDGE.outer_gain, EDGE.inner_gain):
        for direction in (-1, 1):
            origin = start if direction < 0 else start + length - 1
            away = np.roll(slips, -origin)
            if direction < 0:
                away = np.roll(away[::-1], 1)
            distance = _find_corner(away, gain, settings)
            if distance is None:
                return None
            edges.append(origin + direction * distance)
    return np.array(edges)


def _find_corner(slips: FloatArray, gain: float, settings: _EdgeSettings) -> float | None:
    """Samples from the first row to where a point starts to move; None if it never does."""
    count = len(slips)
    limit = settings.limit
    at_limit = _cross_upwards(slips, limit, 0)
    if at_limit is None or settings.sharp:
        return at_limit
    row = int(at_limit)
    at_top = _cross_upwards(slips, EDGE.ramp_top * limit, row)
    if at_top is None or at_top - at_limit > EDGE.ramp_reach * count:
        later = slips[round(at_limit + EDGE.ramp_step * count) % count]
        slope = (later - limit) / EDGE.ramp_step
    else:
        slope = (EDGE.ramp_top - 1.0) * limit / ((at_top - at_limit) / count + 1e-6)
    least = settings.base + EDGE.least_rise
    if settings.level > settings.base + EDGE.noise_margin + 1e-9:
        least = max(least, min(settings.level, limit))
    corner = settings.base + gain * max(float(slope), 0.0) * settings.blur
    corner = min(max(corner, least), limit)
    still = np.flatnonzero(slips[: row + 1] <= corner)
    if len(still) == 0:
        return 0.0
    last = int(still[-1])
    return last + _share_between(slips[last], slips[(last + 1) % count], corner)


def _cross_upwards(values: FloatArray, level: float, first: int) -> float | None:
    """Find where ``values`` first pass ``level`` at or after row ``first``; None if they never do."""
    above = np.flatnonzero(values[first + 1 :] > level)
    if len(above) == 0:
        return None
    row = first + int(above[0])
    return row + min(_share_between(values[row], values[row + 1], level), 1.0 - 1e-9)


def _share_between(before: float, after: float, level: float) -> float:
    """Share of the way from ``before`` to ``after`` at which ``level`` is passed, in [0, 1]."""
    rise = after - before
    return float(np.clip((level - before) / rise, 0.0, 1.0)) if abs(rise) > 1e-12 else 0.0


def _fit_least_slip(fit: ContactFit, leg_length: float) -> FloatArray:
    """Velocity (2,) of the character at which its feet slip least while they are on the ground."""
    on_ground, longer = _find_time_on_ground(fit, leg_length)
    if not np.any(on_ground) or (fit.mode.uniform and longer < LEAST_SLIP.longer):
        return fit.velocity
    if fit.mode.uniform:
        return _agree(fit, on_ground)
    # The mean speed of such a fit is pulled along by feet that are pulled off, and so hides them.
    velocity = fit.velocity
    for _ in range(LEAST_SLIP.settlings):
        velocity = _agree(fit, on_ground)
        on_ground, _ = _find_time_on_ground(replace(fit, velocity=velocity), leg_length)
        if not np.any(on_ground):
            break
    return velocity


def _agree(fit: ContactFit, on_ground: np.ndarray) -> FloatArray:
    """The velocity (2,) of least slip of points while they are ``on_ground``, (N, L, C) of bool."""
    moves, legs = -fit.signals.velocities[on_ground], np.nonzero(on_ground)[1]
    even, fast = _is_even(fit), fit.signals.fast
    alike = np.ones(len(moves))
    least = LEAST_SLIP.even_width if even else LEAST_SLIP.alike
    least *= float(np.hypot(*_minimise_slip(moves, alike, even, fast)))
    evenness = alike.copy()
    for leg in np.unique(legs):
        own = legs == leg
        alone = _minimise_slip(moves[own], alike[own], even, fast)
        slip = float(np.mean(np.hypot(*(moves[own] - alone).T)))
        evenness[own] = 1.0 / max(slip, least, 1e-12)
    return _minimise_slip(moves, evenness, even, fast)


def _minimise_slip(moves: FloatArray, weights: FloatArray, even: bool, fast: float) -> FloatArray:
    """The velocity (2,) nearest to weighted ``moves`` (K, 2) by docs/method/contacts.md, Least slip."""
    velocity = np.average(moves, axis=0, weights=weights)
    for _ in range(LEAST_SLIP.rounds):
        slips = np.hypot(*(moves - velocity).T)
        width = LEAST_SLIP.even_width * float(np.hypot(*velocity)) + 1e-12 * fast
        if not even:
            width = max(width, _find_median(slips, weights))
        votes = weights * np.minimum(1.0, width / np.maximum(slips, width))
        moved = votes @ moves / np.sum(votes) - velocity
        velocity = velocity + moved
        if np.hypot(*moved) < MODE.settled * fast:
            break
    return np.asarray(velocity)


def _find_median(values: FloatArray, weights: FloatArray) -> float:
    """Median of weighted ``values`` (K,)."""
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order[np.searchsorted(sums, 0.5 * sums[-1])]])


def _is_even(fit: ContactFit) -> bool:
    """Whether feet surely have one speed for most of the time."""
    return fit.mode.uniform and fit.mode.uniform_mass >= SPEED.cliff[1]


def _find_time_on_ground(fit: ContactFit, leg_length: float) -> tuple[np.ndarray, float]:
    """Find where points bear weight in their foot's stance, (N, L, C) of bool, and how much longer it is.

    The stance is the contact found, with all before and after it in which the foot is low and
    carried, and a little in which it is low and still; it is longer without the latter. Points that
    go up or down fast bear nothing yet, or no more, nor do those of a foot that is pulled off.
    """
    signals = fit.signals
    speed = float(np.hypot(*fit.velocity)) + 1e-12
    carried = -(signals.velocities @ fit.velocity) / speed**2
    limits = np.clip(
        PLANTING.low_leg * leg_length / signals.clearances, CONTACT.low_eased, CONTACT.low
    )
    low = signals.lowness < limits[:, None]
    bears = (
        low
        & (carried > -LEAST_SLIP.carried)
        & (np.abs(signals.rises) < LEAST_SLIP.settling * speed)
        & (np.max(signals.rises, axis=2, keepdims=True) < LEAST_SLIP.lifting * speed)
    )
    moves = np.any(low & (carried > LEAST_SLIP.carried), axis=2)
    count = len(bears)
    ends = round(LEAST_SLIP.ends * count)
    stands = np.zeros(bears.shape[:2], dtype=bool)
    time = even = 0
    for leg, (start, length, _) in enumerate(fit.segments):
        if length == 0:
            continue
        reach = np.where(moves[:, leg], 1.0 / count, -float(count))
        reach[(start + np.arange(length)) % count] = 1.0
        first, whole, _ = find_best_segment(reach)
        time, even = time + whole, even + length
        stance = first - ends + np.arange(min(whole + 2 * ends, count))
        stands[stance % count, leg] = True
    return bears & stands[..., None], time / max(even, 1)


@dataclass(frozen=True)
class LegContact:
    """Record of what one foot does in a cycle.

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
    planted = fit.velocity if even or fit.turn_rate else _fit_least_slip(fit, leg_length)
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
    settings = _EdgeSettings(
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
    times = _find_key_times(slips, start, length, score, settings)
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
