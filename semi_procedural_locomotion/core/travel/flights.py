# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The body's way in jumps: straight on at one speed, pushed to it and slowed from it (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..body.airborne.limits import GIVE, JUMPS
from ..body.airborne.records import Jump
from ..body.airborne.shapes import find_give_span, give_way
from ..maths.rotations import FloatArray


def lay_flights(
    clock: FloatArray, way: FloatArray, jumps: Sequence[Jump], stride: float
) -> FloatArray:
    """A way whose flights go straight on at one speed, and to which it speeds up and slows down.

    Parameters
    ----------
    clock
        Seconds, increasing, with samples where flights begin and end, shape (K,).
    way
        Of walks before, between and after the flights, shape (K, C).
    jumps
        In their order.
    stride
        Of the walk, metres.
    """
    laid = way.copy()
    ends = [(jump.off, jump.strike) for jump in jumps]
    for number, jump in enumerate(jumps):
        first, last = np.searchsorted(clock, (jump.off - 1e-9, jump.strike - 1e-9))
        speed = (way[last] - way[first]) / jump.flight
        before = (way[first] - way[first - 1]) / (clock[first] - clock[first - 1])
        after = (way[last + 1] - way[last]) / (clock[last + 1] - clock[last])
        share = ((clock[first : last + 1] - jump.off) / jump.flight)[:, None]
        laid[first : last + 1] = way[first] + share * (way[last] - way[first])
        room = jump.off - (ends[number - 1][1] if number else clock[0])
        until = (ends[number + 1][0] if number + 1 < len(ends) else clock[-1]) - jump.strike
        for change, elapsed, longest, rows, sign in (
            (speed - before, jump.off - clock[:first], room, slice(0, first), -1.0),
            (speed - after, clock[last + 1 :] - jump.strike, until, slice(last + 1, None), 1.0),
        ):
            rate = float(np.hypot(*change[:2]))
            most = find_give_span(JUMPS.sway * stride / max(rate, 1e-9), GIVE.crouch)
            span = min(most, GIVE.room * longest, JUMPS.swaying)
            curve = give_way(elapsed, float(span), GIVE.crouch)
            laid[rows] += sign * curve[:, None] * change
    return laid
