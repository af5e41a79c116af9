# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts no longer than a leg can hold its foot where it is planted (numpy only).

An animator's foot that is low may go along with the body for a while before it is lifted. Planted all
that time it is left behind farther than its leg reaches, and the body is pulled down after it
(docs/method/contacts.md, Planting).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..maths.rotations import FloatArray
from .find import LegContact
from .limits import PLANTING
from .planting import change_contact


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
    contacts
        As feet are planted.
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
        cut.append(change_contact(contact, strike, duty))
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
