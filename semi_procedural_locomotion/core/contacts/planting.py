# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as a planted foot needs them: while the foot is seen on the ground (numpy only).

The analysis calls contact what moves evenly with the ground. An animator's foot may be on the ground
and yet slam in fast or ease out; a foot that is planted only in between is seen to slide at both
ends. So it is planted while it is low and carried back, and then the speed is that which asks the
least of the legs over the whole of that time (docs/method/contacts.md, Planting). In a run that only
brushes the ground a foot moves evenly long before it is down; it is not pulled down there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..maths.periodic import wrap_phases
from ..maths.rotations import FloatArray
from .find import LegContact
from .limits import PLANTING


def plant_contacts(
    points: FloatArray,
    contacts: Sequence[LegContact],
    velocity: FloatArray,
    period: float,
    leg_length: float,
    extend: bool,
) -> tuple[LegContact, ...]:
    """Contacts of all legs, cut to when the foot is down, and lengthened to all of that if asked.

    Parameters
    ----------
    points
        Sole points at equally spaced phases, character space, metres, shape (S, L, 3, 3).
    contacts
        What the analysis found.
    velocity
        Native velocity, metres a second, shape (2,).
    period
        Seconds.
    leg_length
        Metres.
    extend
        Whether feet are planted also where they do not move evenly with the ground.
    """
    speed = float(np.hypot(*velocity))
    if speed <= 0:
        return tuple(contacts)
    backward = _measure_backward(points, np.asarray(velocity) / (speed * speed * period))
    return tuple(
        _plant(points[:, leg, :, 2].min(axis=1), backward[:, leg], contact, leg_length, extend)
        if contact.steps
        else contact
        for leg, contact in enumerate(contacts)
    )


def _measure_backward(points: FloatArray, strides: FloatArray) -> FloatArray:
    """Backward speeds (S, L) of the lowest sole points; 1 is the speed of the ground."""
    along = points[..., :2] @ strides
    moves = 0.5 * len(points) * (np.roll(along, 1, axis=0) - np.roll(along, -1, axis=0))
    lowest = np.argmin(points[..., 2], axis=2)
    return np.asarray(np.take_along_axis(moves, lowest[..., None], axis=2)[..., 0])


def _plant(
    heights: FloatArray,
    backward: FloatArray,
    contact: LegContact,
    leg_length: float,
    extend: bool,
) -> LegContact:
    """One leg's contact as it is planted; heights and backward speeds (S,) of its lowest points."""
    count = len(heights)
    inside = (np.arange(count) / count - contact.strike) % 1.0 <= contact.duty
    if not np.any(inside):
        return contact
    over = heights - contact.floor
    planted = inside & (
        over < max(PLANTING.high_leg * leg_length, PLANTING.high_lift * contact.lift_height)
    )
    if extend:
        low = over < max(PLANTING.low_leg * leg_length, PLANTING.low_lift * contact.lift_height)
        planted |= low & (backward > PLANTING.carried)
    middle = int(np.argmin(np.where(inside, heights, np.inf)))
    before, after = (_run_length(planted, middle, step) for step in (-1, 1))
    strike, duty = (middle - before) / count, (before + after) / count
    lead = wrap_phases(contact.strike - strike)
    gain = max(abs(lead), abs(lead + contact.duty - duty))
    if gain <= PLANTING.least_gain or not PLANTING.least_duty <= duty <= PLANTING.most_duty:
        return contact
    land = float(np.clip(wrap_phases(contact.land - strike), 0.0, duty))
    lift = float(np.clip((contact.lift - strike) % 1.0, land, duty))
    return replace(
        contact,
        strike=strike % 1.0,
        land=(strike + land) % 1.0,
        lift=(strike + lift) % 1.0,
        off=(strike + duty) % 1.0,
        duty=duty,
        stance=(strike + float(np.clip(0.5 * duty, land, lift))) % 1.0,
    )


def _run_length(planted: np.ndarray, start: int, step: int) -> int:
    """How many samples after ``start`` in one direction are ``planted`` (S,) without a break."""
    count = len(planted)
    run = planted[(start + step * np.arange(1, count)) % count]
    return count - 1 if run.all() else int(np.argmin(run))


def fit_planted_velocity(
    footbases: FloatArray, contacts: Sequence[LegContact], period: float
) -> FloatArray:
    """Velocity that asks the least of planted feet: one least-squares slope for all legs together.

    Parameters
    ----------
    footbases
        In character space at equally spaced phases, metres, shape (L, S, 3).
    contacts
        When they are planted.
    period
        Seconds.

    Returns
    -------
    array, shape (2,)
        Metres a second; zero where no leg steps.
    """
    count = footbases.shape[1]
    phases = np.arange(count) / count
    top, bottom = np.zeros(2), 0.0
    for leg, contact in enumerate(contacts):
        if not contact.steps:
            continue
        since = (phases - contact.strike) % 1.0
        planted = since <= contact.duty
        times = since[planted] - since[planted].mean()
        places = footbases[leg, planted, :2]
        top += times @ (places - places.mean(axis=0))
        bottom += float(times @ times)
    return -top / (bottom * period) if bottom > 0 else np.zeros(2)
