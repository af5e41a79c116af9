# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves of what leaves the ground and comes back to it (numpy only).

All are closed functions of time (docs/method/airborne.md, Crouch and landing).
"""

from __future__ import annotations

import numpy as np

from ...maths.rotations import FloatArray
from .limits import JUMPS


def give_way(elapsed: FloatArray, span: float, power: int) -> FloatArray:
    """A curve that begins with slope 1 and ends flat, with curvature 0, after a span.

    u (1 - u / U)^n: it is highest, U / (n + 1) (n / (n + 1))^n, after U / (n + 1).

    Parameters
    ----------
    elapsed
        Seconds, shape (N,); the curve is 0 outside of 0 to ``span``.
    span
        U, seconds.
    power
        n, 3 or more for a flat end.

    Returns
    -------
    array, shape (N,)
        Seconds.
    """
    if span <= 0.0:
        return np.zeros_like(elapsed)
    inside = np.clip(elapsed, 0.0, span)
    return inside * (1.0 - inside / span) ** power


def find_give_span(height: float, power: int) -> float:
    """Span of the curve of `give_way` whose top is so high, both in seconds."""
    return height * (power + 1.0) * ((power + 1.0) / power) ** power


def find_easiest_flight(distance: float, rise: float, gravity: float) -> float:
    """Seconds of the flight between two places that takes the least speed.

    T = sqrt(2 d / g) with the distance d in space: the square of the speed at take-off,
    (R / T)^2 + (h / T + g T / 2)^2, is least there. A body that falls farther than it flies is not
    pushed downwards: T is sqrt(2 |h| / g) at least.

    Parameters
    ----------
    distance
        R, along the ground, metres.
    rise
        h, metres, negative downwards.
    gravity
        g, metres a second squared.
    """
    space = float(np.hypot(distance, rise))
    return float(np.sqrt(2.0 * max(space, -rise) / gravity))


def find_flight(distance: float, rise: float, speed: float, least: float, gravity: float) -> float:
    """Seconds of a jump: those of the easiest, fewer where the body is faster already.

    Parameters
    ----------
    distance
        Along the ground, metres.
    rise
        Metres, negative downwards.
    speed
        Of the body before, metres a second.
    least
        Metres for which it is as long in time at least.
    gravity
        Metres a second squared.
    """
    easiest = find_easiest_flight(max(distance, least), rise, gravity)
    if speed * easiest <= distance:
        return easiest
    fall = find_easiest_flight(0.0, min(rise, 0.0), gravity)
    return max(distance / speed, JUMPS.flattest * easiest, fall)


def fly(elapsed: FloatArray, flight: float, rise: float, gravity: float) -> FloatArray:
    """Height of what flies over where it left, metres, (N,).

    h t / T + g t (T - t) / 2

    Parameters
    ----------
    elapsed
        t, seconds since it left, shape (N,).
    flight
        T, seconds.
    rise
        h, from where it left to where it lands, metres.
    gravity
        g, metres a second squared.
    """
    return elapsed * (rise / flight + 0.5 * gravity * (flight - elapsed))


def arch(share: FloatArray, begins: float, ends: float) -> FloatArray:
    """A curve over 0 to 1 with top 1: s^p (1 - s)^q, (N,).

    Parameters
    ----------
    share
        s, shape (N,).
    begins, ends
        p and q, 1 for an end with a slope and 2 for a flat one.
    """
    total = begins + ends
    top = (begins / total) ** begins * (ends / total) ** ends
    inside = np.clip(share, 0.0, 1.0)
    return np.asarray(inside**begins * (1.0 - inside) ** ends / top)


def descend(share: FloatArray, begins: float, ends: float) -> FloatArray:
    """A curve from 0 to 1 over 0 to 1 whose slopes at its ends are given, by a cubic, (N,).

    Parameters
    ----------
    share
        Shape (N,).
    begins, ends
        The slopes, 1 at both for a straight line.
    """
    back = share * (1.0 - share)
    return np.asarray(
        share * share * (3.0 - 2.0 * share) + begins * back * (1.0 - share) - ends * back * share
    )
