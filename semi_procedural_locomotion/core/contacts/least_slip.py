# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The velocity at which feet that stand unevenly slip least, all feet together (numpy only).

A foot that pushes or slams for a part of its stance slips there at any speed; it may not pull the
speed away from what the feet do most of the time (docs/method/contacts.md, Least slip).
"""

from __future__ import annotations

import numpy as np

from ..maths.periodic import find_best_segment
from ..maths.rotations import FloatArray
from .fitting import ContactFit
from .limits import CONTACT, LEAST_SLIP, MODE, PLANTING, SPEED


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
    moves = -fit.signals.velocities[on_ground]
    legs = np.nonzero(on_ground)[1]
    share = _choose_width(fit)
    alike = np.ones(len(moves))
    all_alike = _minimise_slip(moves, alike, share, fit.signals.fast)
    evenness = alike.copy()
    for leg in np.unique(legs):
        own = legs == leg
        alone = _minimise_slip(moves[own], alike[own], share, fit.signals.fast)
        slip = float(np.mean(np.hypot(*(moves[own] - alone).T)))
        evenness[own] = 1.0 / max(slip, share * float(np.hypot(*all_alike)), 1e-12)
    return _minimise_slip(moves, evenness, share, fit.signals.fast)


def _minimise_slip(moves: FloatArray, weights: FloatArray, share: float, fast: float) -> FloatArray:
    """The velocity (2,) nearest to weighted ``moves`` (K, 2) by docs/method/contacts.md, Least slip."""
    velocity = np.average(moves, axis=0, weights=weights)
    for _ in range(LEAST_SLIP.rounds):
        slips = np.hypot(*(moves - velocity).T)
        width = share * float(np.hypot(*velocity)) + 1e-12 * fast
        votes = weights * np.minimum(1.0, width / np.maximum(slips, width))
        moved = votes @ moves / np.sum(votes) - velocity
        velocity = velocity + moved
        if np.hypot(*moved) < CONTACT.settled_speed * fast:
            break
    return np.asarray(velocity)


def _choose_width(fit: ContactFit) -> float:
    """Slip up to which its square counts, share of the speed."""
    even = fit.mode.uniform and fit.mode.uniform_mass >= SPEED.cliff[1]
    return LEAST_SLIP.even_width if even else MODE.bandwidths[1]


def _find_time_on_ground(fit: ContactFit, leg_length: float) -> tuple[np.ndarray, float]:
    """Where points bear weight in their foot's stance, (N, L, C) of bool, and how much longer it is.

    The stance is the contact found, with all before and after it in which the foot is low and
    carried, and a little in which it is low and still; it is longer without the latter. Points that
    go up or down fast bear nothing yet, or no more.
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
