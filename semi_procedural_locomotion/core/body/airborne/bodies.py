# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights of bodies that jump: a crouch, a parabola, and legs that give way (numpy only).

(docs/method/airborne.md, Crouch and landing)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths import rotations as rot
from ...maths.grid import TimeGrid
from ...maths.rotations import FloatArray
from ...maths.smoothing import smooth_gaussian
from ...prints.states import StepStates
from .limits import GIVE, OWN
from .records import Jump
from .shapes import find_give_span, fly, give_way


def list_stretches(grid: TimeGrid, jumps: Sequence[Jump]) -> list[slice]:
    """Rows of a grid from the middle of one jump to that of the next."""
    cuts = np.searchsorted(grid.times, [jump.middle for jump in jumps]).tolist()
    return [slice(a, b) for a, b in zip([0, *cuts], [*cuts, grid.count], strict=True) if a < b]


def smooth_apart(
    values: FloatArray, grid: TimeGrid, width: float, jumps: Sequence[Jump]
) -> FloatArray:
    """Series (G, ...) blurred by a Gaussian, what is before a jump and after it each by itself.

    Parameters
    ----------
    values
        On the grid.
    grid
        Its times.
    width
        Standard deviation, seconds.
    jumps
        In their order.
    """
    parts = [
        smooth_gaussian(values[rows], grid.interval, width) for rows in list_stretches(grid, jumps)
    ]
    return np.concatenate(parts)


def smooth_across(
    values: FloatArray, grid: TimeGrid, width: float, jumps: Sequence[Jump]
) -> FloatArray:
    """As `smooth_apart`, and in each flight evenly from where it begins to where it ends, (G,)."""
    smooth = smooth_apart(values, grid, width, jumps)
    bridged = smooth.copy()
    for jump in jumps:
        left, met = grid.sample(smooth, np.array([jump.off, jump.strike]))
        share = (grid.times - jump.off) / jump.flight
        inside = (share > 0.0) & (share < 1.0)
        bridged[inside] = left + (met - left) * rot.step_quintic(share[inside])
    return bridged


def split_shares(
    shares: FloatArray, steps: np.ndarray, grid: TimeGrid, jumps: Sequence[Jump]
) -> FloatArray:
    """How far each leg is from the print behind to the one ahead, at once amid jumps, shape (G, L).

    Parameters
    ----------
    shares
        As walks have it, 0 to 1, shape (G, L).
    steps
        Index of the step of each leg, shape (G, L).
    grid
        The times.
    jumps
        In their order.
    """
    for jump in jumps:
        middle = min(int(np.searchsorted(grid.times, jump.middle)), grid.count - 1)
        after = (np.arange(grid.count) >= middle)[:, None]
        shares = np.where(steps == steps[middle], after * 1.0, shares)
    return shares


def find_own_flights(
    states: StepStates, grid: TimeGrid, jumps: Sequence[Jump], length: float
) -> tuple[Jump, ...]:
    """Flights that the motions have by themselves and that lead to ground of another height.

    Parameters
    ----------
    states
        Steps of all legs at the times of the grid.
    grid
        The times.
    jumps
        Flights of the travel, which are none of these.
    length
        Of a leg, metres.
    """
    contacts = states.in_contact
    edges = np.diff(np.concatenate([[0], ~contacts.any(axis=1), [0]]).astype(int))
    found = []
    for first, last in zip(np.flatnonzero(edges > 0), np.flatnonzero(edges < 0), strict=True):
        begin, end = grid.times[[first, min(last, grid.count - 1)]]
        if first == 0 or last == grid.count or end - begin < OWN.shortest:
            continue
        if any(jump.off <= end and jump.strike >= begin for jump in jumps):
            continue
        left = states.behind[first, contacts[first - 1], 2].mean()
        met = states.ahead[last - 1, contacts[last], 2].mean()
        if abs(met - left) > OWN.level * length:
            found.append(Jump(float(begin), float(end), rise=float(met - left)))
    return tuple(found)


def tilt_flights(
    path: FloatArray, grid: TimeGrid, flights: Sequence[Jump], gravity: float, length: float
) -> FloatArray:
    """What is added to a motion's own height, straight in its flights: so parabolas stay such.

    Parameters
    ----------
    path
        As walks have it, metres, shape (G,).
    grid
        The times.
    flights
        Of the motions, in their order.
    gravity
        Metres a second squared.
    length
        Of a leg, metres.
    """
    tilted, times = path.copy(), grid.times
    for number, flight in enumerate(flights):
        left, met = grid.sample(path, np.array([flight.off, flight.strike]))
        speed = float(met - left) / flight.flight
        room = flight.off - (flights[number - 1].strike if number else grid.start)
        ahead = flights[number + 1].off if number + 1 < len(flights) else grid.times[-1]
        # The motion crouches and gives way for its own flight; this is what it lacks.
        needed, lower, higher = GIVE.push * speed**2 / (2.0 * gravity), OWN.deepest, OWN.highest
        before, after = (lower, higher) if speed > 0.0 else (higher, lower)
        span = _find_span(min(needed, before * length), speed, GIVE.crouch, room)
        tilted -= speed * give_way(flight.off - times, span, GIVE.crouch)
        depth = min(needed, after * length)
        span = _find_span(depth, speed, GIVE.landing, ahead - flight.strike)
        tilted += speed * give_way(times - flight.strike, span, GIVE.landing)
        inside = (times >= flight.off) & (times <= flight.strike)
        tilted[inside] = left + speed * (times[inside] - flight.off)
    return tilted


def fly_body(
    path: FloatArray, grid: TimeGrid, jumps: Sequence[Jump], gravity: float, length: float
) -> FloatArray:
    """Height of a body that crouches before its jumps, flies, and gives way as it lands.

    Parameters
    ----------
    path
        As it walks before, between and after them, metres, shape (G,).
    grid
        The times.
    jumps
        In their order.
    gravity
        Metres a second squared.
    length
        Of a leg, metres.

    Returns
    -------
    array, shape (G,)
        Metres. In flights it is a parabola between the heights of the path at their ends; its speeds
        there are those of the body before and after.
    """
    flown, times = path.copy(), grid.times
    slopes = 2.0 * grid.interval
    for number, jump in enumerate(jumps):
        off, strike = jump.off, jump.strike
        ends = np.array([off - slopes, off, strike, strike + slopes])
        before, left, met, after = grid.sample(path, ends)
        rise = float(met - left)
        pushed = rise / jump.flight + 0.5 * gravity * jump.flight
        fallen = rise / jump.flight - 0.5 * gravity * jump.flight
        room = off - (jumps[number - 1].strike if number else grid.start)
        change = pushed - float(left - before) / slopes
        depth = min(
            GIVE.push * max(pushed, 0.0) ** 2 / (2.0 * gravity), GIVE.deepest_crouch * length
        )
        span = _find_span(depth, change, GIVE.crouch, room)
        flown -= change * give_way(off - times, span, GIVE.crouch)
        until = (jumps[number + 1].off if number + 1 < len(jumps) else grid.times[-1]) - strike
        change = fallen - float(after - met) / slopes
        depth = min(GIVE.absorb * fallen**2 / (2.0 * gravity), GIVE.deepest_landing * length)
        span = _find_span(depth, change, GIVE.landing, until)
        flown += change * give_way(times - strike, span, GIVE.landing)
        inside = (times >= off) & (times <= strike)
        flown[inside] = left + fly(times[inside] - off, jump.flight, rise, gravity)
    return flown


def _find_span(depth: float, change: float, power: int, room: float) -> float:
    """Seconds over which a body gives way by a depth, metres, to a change of its speed."""
    if depth <= 0.0 or abs(change) < 1e-6:
        return 0.0
    return min(find_give_span(depth / abs(change), power), GIVE.longest, GIVE.room * room)
