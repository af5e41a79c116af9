# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps whose times were set by hand: the clock of a walk bent to meet them (numpy only).

A foot that is to come down or to leave later makes the character wait, where all feet bear; one that
is to do so earlier makes the steps before it quicker. Gaits that never have all feet on the ground need
a stand for longer waits, see `step_stands`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..maths.smoothing import integrate_rates
from .layout import StepGait
from .limits import TIMING


@dataclass(frozen=True)
class StepTiming:
    """Record of when a footstep bears, where that was set by hand.

    Attributes
    ----------
    start
        Seconds of the scene's clock at which the foot comes down; None as the walk has it.
    duration
        Seconds from then until it leaves; None as the walk has it.
    """

    start: float | None = None
    duration: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether anything was set by hand."""
        return self.start is not None or self.duration is not None


@dataclass(frozen=True)
class TimingMiss:
    """A time that the walk cannot meet.

    Attributes
    ----------
    step
        Number of the step in its order, from 0.
    is_start
        Whether the foot comes down then; else it leaves.
    wanted, reached
        Seconds of the scene's clock.
    """

    step: int
    is_start: bool
    wanted: float
    reached: float


@dataclass(frozen=True)
class _Rest:
    """Record of where in the cycle a character can wait before a leg leaves the ground.

    Attributes
    ----------
    place
        From the leg's stance, cycles.
    half
        Half of the time in which all feet bear, cycles.
    """

    place: float
    half: float


def find_rest(gait: StepGait, leg: int) -> _Rest | None:
    """The last time of a cycle before a leg leaves at which all feet bear; None for none."""
    off, strike = gait.contacts[:, 1], gait.contacts[:, 2]
    after = np.linspace(0.0, float(off[leg]), TIMING.scan)
    own = (after[:, None] + gait.phases[leg] - gait.phases) % 1.0
    bears = np.all((own <= off + 1e-9) | (own >= strike - 1e-9), axis=1)
    if not np.any(bears):
        return None
    last = int(np.flatnonzero(bears)[-1])
    lifted = np.flatnonzero(~bears[:last])
    first = int(lifted[-1]) + 1 if len(lifted) else 0
    half = 0.5 * float(after[last] - after[first])
    return _Rest(float(after[first]) + half, max(half, TIMING.least_rest))


def _find_rest(gait: StepGait, leg: int, stance: float) -> tuple[float, float] | None:
    """Phase and half width of the rest before a leg leaves a step of this phase."""
    rest = find_rest(gait, leg)
    return None if rest is None else (stance + rest.place, rest.half)


@dataclass(frozen=True)
class TimedSteps:
    """Footsteps in the order of the walk and what is asked of their times.

    Attributes
    ----------
    legs
        Leg of each step, N.
    phases
        Stance of each, cycles, shape (N,).
    stays
        Cycles that the foot of each step stays longer than the gait has it, shape (N,).
    timings
        What is asked of each, N.
    contacts
        Phases at which the foot of each step comes down and leaves, cycles, shape (N, 2), where they
        are not those of the gait.
    """

    legs: Sequence[int]
    phases: FloatArray
    stays: FloatArray
    timings: Sequence[StepTiming]
    contacts: FloatArray | None = None

    def find_contacts(self, gait: StepGait) -> FloatArray:
        """Phases at which the foot of each step comes down and leaves, cycles, shape (N, 2)."""
        if self.contacts is not None:
            return self.contacts
        own = gait.contacts[list(self.legs)]
        return np.stack(
            [self.phases + own[:, 2] - 1.0, self.phases + own[:, 1] + self.stays], axis=1
        )


def retime_clock(
    gait: StepGait,
    steps: TimedSteps,
    grid: FloatArray,
    clock: FloatArray,
    idle: float,
    rests: Mapping[tuple[int, bool], tuple[float, float]],
) -> tuple[FloatArray, list[TimingMiss]]:
    """Bend a clock so that steps bear when they are asked to.

    Times are met in the order of the walk; what comes after a changed one moves along.

    Parameters
    ----------
    grid
        Phases of the clock, cycles, increasing, shape (G,).
    clock
        Seconds of the scene's clock at these, increasing, shape (G,).
    idle
        Phase up to which the character only stands: that may get as short as is asked.
    rests
        Phase and half width, cycles, of a time at which all feet bear, by the number of a step and
        whether its start waits there; else its end does.

    Returns
    -------
    clock
        Shape (G,).
    misses
        What cannot be met.
    """
    clock, phases = clock.copy(), steps.phases
    asked: list[tuple[float, bool, int]] = []
    contacts = steps.find_contacts(gait)
    for number, timing in enumerate(steps.timings):
        if timing.start is not None:
            asked.append((float(contacts[number, 0]), True, number))
        # After the last step of all the feet stay.
        if timing.duration is not None and number < len(phases) - 1:
            asked.append((float(contacts[number, 1]), False, number))
    misses = []
    held = float(grid[0])
    for phase, is_start, number in sorted(asked):
        leg, timing = steps.legs[number], steps.timings[number]
        now = float(np.interp(phase, grid, clock))
        if is_start:
            wanted = float(timing.start or 0.0)
        else:
            begin = float(contacts[number, 0])
            wanted = float(np.interp(begin, grid, clock)) + float(timing.duration or 0.0)
            held = max(held, begin)
        change = wanted - now
        rest = rests.get((number, is_start)) or _find_rest(
            gait, leg, float(phases[number]) - float(is_start)
        )
        if change < 0.0:
            clock = _hurry(grid, clock, held, phase, change, idle)
        elif rest is not None and held + TIMING.least_room < rest[0] < phase:
            clock = _wait(grid, clock, held, rest, phase, change)
        else:
            span = (max(held, phase - 1.0), phase)
            clock = _stretch(grid, clock, span, change, TIMING.slowest - 1.0)
        reached = float(np.interp(phase, grid, clock))
        if abs(reached - wanted) > TIMING.met:
            misses.append(TimingMiss(number, is_start, wanted, reached))
        held = phase
    return clock, misses


def _skip(grid: FloatArray, clock: FloatArray, idle: float, change: float) -> FloatArray:
    """A clock that stands less before a phase, by a negative change of seconds at most."""
    spent = np.minimum(clock, np.interp(idle, grid, clock)) - clock[0]
    if spent[-1] <= 0.0:
        return clock
    return clock - min(TIMING.skipped, -change / spent[-1]) * spent


def _hurry(
    grid: FloatArray, clock: FloatArray, held: float, phase: float, change: float, idle: float
) -> FloatArray:
    """A clock that is at a phase by a negative change of seconds earlier, or as early as can be.

    The first steps rather come without standing before than quicker; later ones only where they have to.
    """
    wanted = float(np.interp(phase, grid, clock)) + change
    is_first = phase - idle < 1.0
    if held < idle and is_first:
        clock = _skip(grid, clock, idle, change)
    cycles = 1.0
    while (left := wanted - float(np.interp(phase, grid, clock))) < -TIMING.met:
        start = max(held, phase - cycles)
        quicker = _stretch(grid, clock, (start, phase), left, 1.0 - TIMING.quickest)
        if start > held and float(np.interp(phase, grid, quicker)) > wanted + TIMING.met:
            cycles *= 2.0
            continue
        clock = quicker
        break
    left = wanted - float(np.interp(phase, grid, clock))
    if held < idle and not is_first and left < -TIMING.met:
        clock = _skip(grid, clock, idle, left)
    return clock


def _stretch(
    grid: FloatArray, clock: FloatArray, span: tuple[float, float], change: float, most: float
) -> FloatArray:
    """A clock that runs evenly slower or faster over a span of phases, by a share at most."""
    first, last = span
    taper = max(TIMING.taper * (last - first), 1e-6)
    shape = rot.step_quintic((grid - first) / taper) * rot.step_quintic((last - grid) / taper)
    added = integrate_rates(shape, clock)
    if added[-1] < 1e-9:
        return clock
    share = float(np.clip(change / added[-1], -most, most))
    return clock + share * added


def _wait(
    grid: FloatArray,
    clock: FloatArray,
    held: float,
    rest: tuple[float, float],
    phase: float,
    change: float,
) -> FloatArray:
    """A clock that is at a phase by a change of seconds later, for a wait about a rest before it."""
    place, half = rest
    period = float(np.interp(place, grid, np.gradient(clock, grid)))
    left = change
    for width, slower in (*TIMING.slowing, (half, np.inf)):
        before = min(width, place - held)
        apart = (grid - place) / np.where(grid < place, before, width)
        added = integrate_rates(0.5 + 0.5 * np.cos(np.pi * np.clip(apart, -1.0, 1.0)), grid)
        reached = float(np.interp(phase, grid, added))
        peak = min(slower * period, left / reached)
        clock = clock + peak * added
        left -= peak * reached
    return clock
