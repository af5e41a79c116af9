# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The velocity at which feet that stand unevenly slip least, all feet together (numpy only).

A foot that pushes or slams for a part of its stance slips there at any speed; it may not pull the
speed away from what the feet do most of the time (docs/method/contacts.md, Least slip).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..maths.periodic import find_best_segment
from ..maths.rotations import FloatArray
from .fitting import ContactFit
from .limits import CONTACT, LEAST_SLIP, PLANTING, SPEED


def fit_least_slip(fit: ContactFit, leg_length: float) -> FloatArray:
    """Velocity (2,) of the character at which its feet slip least while they are on the ground.

    Parameters
    ----------
    fit
        Contacts of a character that does not turn.
    leg_length
        Metres.

    Returns
    -------
    array, shape (2,)
        Metres a second. Small slips count by their squares, larger ones by their size; every point
        counts for as long as it is on the ground, and by how evenly its leg moves there. The velocity
        of ``fit`` where no foot stands, and where feet are hardly longer on the ground than they move
        evenly with it.
    """
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
        if np.hypot(*moved) < CONTACT.settled_speed * fast:
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
    """Where points bear weight in their foot's stance, (N, L, C) of bool, and how much longer it is.

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
        & (carried > -LEAST_SLIP.swinging)
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
