# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts as a planted foot needs them: while the foot is seen on the ground (numpy only).

The analysis calls contact what moves evenly with the ground. An animator's foot may be on the ground
and yet slam in fast or ease out; a foot that is planted only in between is seen to slide at both
ends. So it is planted while it is low and carried back (docs/method/contacts.md, Planting). In a run
that only brushes the ground a foot moves evenly long before it is down; it is not pulled down there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..maths.periodic import wrap_phases
from ..maths.rotations import FloatArray
from .find import LegContact
from .limits import LEAST_SLIP, PLANTING


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
    along = points[..., :2] @ (np.asarray(velocity) / (speed * speed * period))
    backward = 0.5 * len(points) * (np.roll(along, 1, axis=0) - np.roll(along, -1, axis=0))
    planted = []
    for leg, contact in enumerate(contacts):
        if not contact.steps:
            planted.append(contact)
            continue
        # A tip that droops is deepest, but what made the contact is another point.
        made = [index for index, name in enumerate("HBT") if name in contact.points]
        heights = points[:, leg, made, 2]
        lowest = np.argmin(heights, axis=1)[:, None]
        moves = np.take_along_axis(backward[:, leg, made], lowest, axis=1)[:, 0]
        planted.append(_plant(heights.min(axis=1), moves, contact, leg_length, extend))
    return tuple(planted)


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
        planted |= low & (backward > LEAST_SLIP.carried)
    middle = int(np.argmin(np.where(inside, heights, np.inf)))
    before, after = (_run_length(planted, middle, step) for step in (-1, 1))
    return _change_contact(contact, (middle - before) / count, (before + after) / count)


def _change_contact(contact: LegContact, strike: float, duty: float) -> LegContact:
    """A contact with another strike and duty, in cycles, where that changes enough and is sound."""
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
    """Count how many samples after ``start`` in one direction are ``planted`` (S,) without a break."""
    count = len(planted)
    run = planted[(start + step * np.arange(1, count)) % count]
    return count - 1 if run.all() else int(np.argmin(run))


def cut_to_reach(
    contacts: Sequence[LegContact],
    hips: FloatArray,
    ankles: FloatArray,
    footbases: FloatArray,
    reaches: FloatArray,
    way: FloatArray,
    leg_length: float,
) -> tuple[LegContact, ...]:
    """Contacts of all legs, cut where the body would have to crouch for a planted foot.

    Parameters
    ----------
    hips, ankles
        Joints at equally spaced phases, character space, metres, shape (S, L, 3).
    footbases
        What is planted of each foot, metres, shape (L, S, 3).
    reaches
        How far each ankle may be from its hip, metres, shape (L,).
    way
        Of the body in a cycle, straight on, metres, shape (2,).
    leg_length
        Metres.
    """
    cut, count = [], len(hips)
    phases = np.arange(count) / count
    for leg, contact in enumerate(contacts):
        since = (phases - contact.strike) % 1.0
        inside = since <= contact.duty
        if not contact.steps or not np.any(inside):
            cut.append(contact)
            continue
        order = np.flatnonzero(inside)[np.argsort(since[inside], kind="stable")]
        still = footbases[leg, order, :2] + since[order, None] * way
        across = hips[order, leg] - ankles[order, leg]
        first, last = _find_borne(still, across, float(reaches[leg]), leg_length)
        if last - first == len(order):
            cut.append(contact)
            continue
        strike, duty = float(phases[order[first]]), (last - 1 - first) / count
        cut.append(_change_contact(contact, strike, duty))
    return tuple(cut)


def _find_borne(
    still: FloatArray, across: FloatArray, reach: float, leg_length: float
) -> tuple[int, int]:
    """First sample of a contact that its leg bears, and the one after the last.

    Parameters
    ----------
    still
        Where what is planted lies over the ground, metres, shape (n, 2).
    across
        From ankle to hip, metres, shape (n, 3).
    reach, leg_length
        Metres.
    """
    first, last = 0, len(still)
    slips = np.linalg.norm(np.gradient(still, axis=0), axis=1) if last > 1 else np.zeros(last)
    while last - first > 1:
        rows = slice(first, last)
        moves = still[rows].mean(axis=0) - still[rows]
        level = np.hypot(*(across[rows, :2] - moves).T)
        high = np.sqrt(np.maximum(reach**2 - level**2, 0.0))
        drops = np.where(level < reach, across[rows, 2] - high, level)
        if drops.max() <= PLANTING.most_drop * leg_length:
            break
        # The end goes first at which the clip's own foot is drawn along the most.
        ends = slips[first], slips[last - 1]
        even = abs(ends[0] - ends[1]) <= PLANTING.alike * max(ends)
        is_early = drops[0] > drops[-1] if even else ends[0] > ends[1]
        first, last = (first + 1, last) if is_early else (first, last - 1)
    return first, last
