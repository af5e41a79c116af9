# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps to which a character jumps: when it flies, and the body's way then (numpy only).

Before and after a flight the way is that of a walk which goes on; the flight joins both in a straight
line at one speed, and what the speeds differ by is taken from the push and from the landing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..body.airborne.limits import JUMPS
from ..body.airborne.records import Jump
from ..body.airborne.shapes import find_flight
from ..maths.rotations import FloatArray
from .layout import LaidStep, StepGait
from .limits import WALK
from .timing import StepTiming, TimedSteps


@dataclass(frozen=True)
class StepJump:
    """A jump along footsteps.

    Attributes
    ----------
    off, strike
        Phases at which the last foot leaves and the first one lands, cycles.
    leaving, landing
        Legs that leave at once, and that land at once.
    rise
        From the footsteps before to those after, metres.
    """

    off: float
    strike: float
    leaving: tuple[int, ...]
    landing: tuple[int, ...]
    rise: float

    @property
    def middle(self) -> float:
        """Phase halfway."""
        return 0.5 * (self.off + self.strike)

    def time(self, grid: FloatArray, clock: FloatArray) -> Jump:
        """The jump on a clock: seconds (K,) at phases (K,)."""
        off, strike = np.interp([self.off, self.strike], grid, clock)
        return Jump(float(off), float(strike), self.leaving, self.landing, self.rise)


def find_jumps(
    gait: StepGait, steps: Sequence[LaidStep], phases: FloatArray, begin: float
) -> list[StepJump]:
    """Jumps of a run of footsteps.

    Parameters
    ----------
    gait
        How the walk sets its feet.
    steps
        The footsteps that are taken.
    phases
        Stance of each, cycles, shape (N,).
    begin
        Phase before the first at which the character stands.
    """
    order = [int(index) for index in np.argsort(phases, kind="stable")]
    groups: list[list[int]] = []
    for place, index in enumerate(order):
        if not steps[index].jump:
            continue
        last = groups[-1] if groups else []
        goes_on = bool(last) and place > 0 and order[place - 1] == last[-1]
        legs = {steps[i].leg for i in last}
        if goes_on and steps[index].leg not in legs and _are_beside(gait, steps, last[0], index):
            last.append(index)
        else:
            groups.append([index])
    jumps = []
    for group in groups:
        first = float(phases[group[0]])
        before = [i for i in order if phases[i] < first - WALK.at_once]
        # Steps that come at nearly the same time land as well.
        landing = {steps[i].leg for i in group}
        landing |= {steps[i].leg for i in order if abs(phases[i] - first) <= WALK.at_once}
        left = float(phases[before[-1]]) if before else begin
        bears = JUMPS.bears * min(first - left, 1.0)
        jumps.append(
            StepJump(
                off=left + bears,
                strike=first - bears,
                leaving=_find_leaving(gait, steps, before),
                landing=tuple(sorted(landing)),
                rise=_measure_rise(steps, group, before),
            )
        )
    return jumps


def find_apart(
    jumps: Sequence[StepJump], knots: FloatArray, begins_on_step: bool = False
) -> list[int]:
    """Numbers of the jumps between which the body is somewhere, of phases (K,); others are at once.

    Nobody jumps to the first footstep where the walk begins on that.
    """
    found: list[int] = []
    last = float(knots[0]) if begins_on_step else -np.inf
    for number, jump in enumerate(jumps):
        before = (knots > last) & (knots < jump.middle)
        if np.any(before) and np.any(knots > jump.middle):
            found.append(number)
            last = jump.middle
    return found


def _are_beside(gait: StepGait, steps: Sequence[LaidStep], one: int, other: int) -> bool:
    """Whether a body that stands on two footsteps is in one place."""
    places = [
        gait.place_body(steps[i].leg, steps[i].middle, steps[i].heading)[0] for i in (one, other)
    ]
    return bool(np.hypot(*(places[1] - places[0])) < JUMPS.beside * gait.stride)


def _find_leaving(
    gait: StepGait, steps: Sequence[LaidStep], before: Sequence[int]
) -> tuple[int, ...]:
    """Legs that stand beside the last footstep before a jump; all of them where there is none."""
    if not before:
        return tuple(sorted(gait.order))
    latest = {steps[i].leg: i for i in before}
    last = before[-1]
    beside = {leg for leg, i in latest.items() if i == last or _are_beside(gait, steps, i, last)}
    # Legs that have taken no footstep yet stand where the character began.
    return tuple(sorted(beside))


def _measure_rise(steps: Sequence[LaidStep], group: Sequence[int], before: Sequence[int]) -> float:
    """From the footstep before a jump to those of it, metres."""
    if not before:
        return 0.0
    reached = np.mean([steps[i].middle[2] for i in group])
    return float(reached - steps[before[-1]].middle[2])


def split_knots(
    gait: StepGait, knots: FloatArray, bodies: FloatArray, jumps: Sequence[StepJump]
) -> list[tuple[FloatArray, FloatArray]]:
    """Places of the body before, between and after jumps, each as of a walk that goes on.

    Parameters
    ----------
    gait
        How the walk sets its feet.
    knots, bodies
        Phases (K,) increasing, and body places, directions and heights (K, 4) at them.
    jumps
        In their order.

    Returns
    -------
    list of (knots, bodies)
        One more than there are jumps.
    """
    parts = np.searchsorted([jump.middle for jump in jumps], knots)
    found = []
    for number in range(len(jumps) + 1):
        own = parts == number
        at, places = knots[own], bodies[own]
        if number > 0:
            jump = jumps[number - 1]
            way = places[0] - bodies[parts < number][-1]
            slope = _find_slope(gait, at[0] - jump.strike, way)
            ahead = at[0] - np.array([4.0 + at[0] - jump.strike, at[0] - jump.strike])
            places = np.concatenate([places[:1] - (at[0] - ahead)[:, None] * slope, places])
            at = np.concatenate([ahead, at])
        if number < len(jumps):
            jump = jumps[number]
            way = bodies[parts > number][0] - places[-1]
            slope = _find_slope(gait, jump.off - at[-1], way)
            beyond = np.array([jump.off, jump.off + 4.0])
            places = np.concatenate([places, places[-1:] + (beyond - at[-1])[:, None] * slope])
            at = np.concatenate([at, beyond])
        found.append((at, places))
    return found


def _find_slope(gait: StepGait, phase: float, way: FloatArray) -> FloatArray:
    """Change (4,) of a body in a cycle about a jump along a way (4,), over some phase to the flight."""
    length = float(np.hypot(*way[:2]))
    slope = np.zeros(4)
    if length > 0.0 and phase > 0.0:
        speed = min(gait.stride, JUMPS.reach * length / phase)
        slope[:2] = speed * way[:2] / length
    return slope


def sample_flights(grid: FloatArray, jumps: Sequence[StepJump]) -> FloatArray:
    """Phases (K,) of a grid (G,), with those of flights evenly spread from their begin to their end."""
    for jump in jumps:
        outside = grid[(grid < jump.off - 1e-6) | (grid > jump.strike + 1e-6)]
        flight = np.linspace(jump.off, jump.strike, JUMPS.samples + 1)
        grid = np.sort(np.concatenate([outside, flight]))
    return grid


def time_flights(
    grid: FloatArray,
    clock: FloatArray,
    way: FloatArray,
    jumps: Sequence[StepJump],
    stride: float,
    gravity: float,
) -> FloatArray:
    """A clock whose flights last as long as bodies fly.

    Parameters
    ----------
    grid, clock
        Phases and seconds, with samples where flights begin and end, shape (K,).
    way
        Of walks before, between and after them, shape (K, 4).
    jumps
        In their order.
    stride
        Of the walk, metres.
    gravity
        Metres a second squared.
    """
    for jump in jumps:
        first, last = np.searchsorted(grid, (jump.off - 1e-9, jump.strike - 1e-9))
        speed = float(np.hypot(*(way[first] - way[first - 1])[:2]))
        speed /= float(clock[first] - clock[first - 1])
        distance = float(np.hypot(*(way[last] - way[first])[:2]))
        span = find_flight(distance, jump.rise, speed, JUMPS.hop * stride, gravity)
        share = np.clip((grid - jump.off) / (jump.strike - jump.off), 0.0, 1.0)
        inside = np.where((share > 0.0) & (share < 1.0), clock[first], clock)
        clock = np.where(share >= 1.0, clock - clock[last] + clock[first], inside) + span * share
    return clock


def time_contacts(
    gait: StepGait,
    steps: Sequence[LaidStep],
    phases: FloatArray,
    stays: FloatArray,
    jumps: Sequence[StepJump],
    timings: Sequence[StepTiming],
) -> TimedSteps:
    """What is asked of the times of footsteps, whose feet leave to jumps and land from them.

    Parameters
    ----------
    gait, steps
        How the walk sets its feet, and the footsteps.
    phases, stays, timings
        See `TimedSteps`.
    jumps
        The jumps.
    """
    asked = TimedSteps([step.leg for step in steps], phases, stays, timings)
    contacts = asked.find_contacts(gait)
    for jump in jumps:
        for number, step in enumerate(steps):
            is_next = jump.middle < phases[number] <= jump.middle + 1.0
            is_last = jump.middle - 1.0 < phases[number] <= jump.middle
            if is_next and (step.leg in jump.landing or contacts[number, 0] < jump.strike):
                contacts[number, 0] = jump.strike
            if is_last and (step.leg in jump.leaving or contacts[number, 1] > jump.off):
                contacts[number, 1] = jump.off
    return replace(asked, contacts=contacts)
