# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet that take no part in jumps: they stay in the air until their own next footstep (numpy only).

A plan fills in the steps that a run of footsteps has not. Where the body jumps there may be no ground
for these, and none who hops on one foot sets the other one down.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.airborne.limits import JUMPS
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import integrate_rates
from ..prints.records import KeptStep
from ..travel.way import Travel


def leave_unfilled(
    grid: TimeGrid, leg_times: FloatArray, steps: Sequence[KeptStep], travel: Travel
) -> FloatArray:
    """Leg times (G, L) without steps that nobody asked for, from the footstep before a jump to its end.

    Parameters
    ----------
    grid
        The times.
    leg_times
        Time of each leg in steps, increasing, shape (G, L).
    steps
        The footsteps, with the times at which they bear.
    travel
        Its jumps.
    """
    if not travel.jumps:
        return leg_times
    timed = [(step.leg, step.time) for step in steps if step.time is not None]
    instants = np.array([time for _, time in timed])
    thinned = leg_times.copy()
    for leg in range(leg_times.shape[1]):
        own = [time for owner, time in timed if owner == leg]
        numbers = np.round(grid.sample(leg_times[:, leg], np.array(own))).astype(int)
        asked = set(numbers.tolist())
        dropped: set[int] = set()
        for jump in travel.jumps:
            before, after = instants[instants < jump.middle], instants[instants > jump.middle]
            ends = np.array([before.max(initial=-np.inf), after.min(initial=np.inf)])
            ends = np.clip(ends, jump.off - JUMPS.unfilled, jump.strike + JUMPS.unfilled)
            first, last = grid.sample(leg_times[:, leg], ends)
            inside = range(int(np.ceil(first)), int(np.floor(last)) + 1)
            dropped |= set(inside) - asked
        # From the last, as each changes the numbers of those after it.
        for number in sorted(dropped, reverse=True):
            if number + 1 not in dropped:
                last_number = number + 1
            if number - 1 not in dropped:
                thinned[:, leg] = _pass_over(thinned[:, leg], number - 1, last_number)
    return thinned


def _pass_over(leg_times: FloatArray, first: int, last: int) -> FloatArray:
    """Leg times (G,) of one step from the first to the last of some.

    The foot leaves and lands as fast as ever, and is slower in between.
    """
    passed = np.linspace(first, last, JUMPS.passing * (last - first) + 1)
    around = np.minimum(passed - first, last - passed)
    slow = rot.step_quintic((around - JUMPS.bears) / (0.5 - JUMPS.bears))
    lost = integrate_rates(slow, np.arange(len(slow), dtype=np.float64))
    lost *= (last - first - 1.0) / lost[-1]
    return leg_times - np.interp(leg_times, passed, lost)


def note_far_jumps(
    travel: Travel, steps: Sequence[KeptStep], gravity: float, length: float
) -> list[Note]:
    """A note of every jump that asks for more speed than bodies take off with.

    Parameters
    ----------
    travel
        Its jumps.
    steps
        The footsteps, with the times at which they bear.
    gravity
        Metres a second squared.
    length
        Of a leg, metres.
    """
    notes = []
    for jump in travel.jumps:
        times = np.array([jump.off - JUMPS.before[0], jump.off - JUMPS.before[1]])
        places, _ = travel.evaluate(np.array([*times, jump.off, jump.strike]))
        (run, _, way) = np.hypot(*np.diff(places[:, :2], axis=0).T)
        run_up = float(run) / float(times[1] - times[0])
        speed = float(np.hypot(way / jump.flight, max(jump.measure_push(gravity), 0.0)))
        possible = float(np.hypot(np.sqrt(JUMPS.farthest * gravity * length), run_up))
        landed = [step for step in steps if step.time is not None and step.time > jump.middle]
        if speed > possible and landed:
            step = min(landed, key=lambda step: step.time or 0.0)
            notes.append(
                make_note(
                    NoteKind.JUMP_FAR,
                    place=step.position,
                    footstep=step.name,
                    distance=float(way),
                    speed=speed,
                    possible=possible,
                )
            )
    return notes
