# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A travel whose steps are footsteps: the body's way and the clock that fit them (numpy only).

Every footstep tells where the body is at its stance instant. The way through these places is
smoothed over the cycle, and the length of the strides tells how long a cycle takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import TravelError
from ...notes import Note, NoteKind, make_note
from ..body.airborne.limits import JUMPS
from ..body.airborne.records import Jump
from ..body.airborne.shapes import find_flight
from ..maths import rotations as rot
from ..maths.constants import STANDARD_GRAVITY
from ..maths.rotations import FloatArray
from ..maths.smoothing import integrate_rates, smooth_gaussian
from ..times.durations import CyclePace
from ..travel.way import Travel, lay_flights
from .layout import LaidStep, StepGait
from .limits import STANDS, WALK
from .timing import StepTiming, TimedSteps, TimingMiss, find_rest, retime_clock


@dataclass(frozen=True)
class _StepJump:
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


def _find_jumps(
    gait: StepGait, steps: Sequence[LaidStep], phases: FloatArray, begin: float
) -> list[_StepJump]:
    """Jumps of a run of footsteps."""
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
            _StepJump(
                off=left + bears,
                strike=first - bears,
                leaving=_find_leaving(gait, steps, before),
                landing=tuple(sorted(landing)),
                rise=_measure_rise(steps, group, before),
            )
        )
    return jumps


def _find_apart(
    jumps: Sequence[_StepJump], knots: FloatArray, begins_on_step: bool = False
) -> list[int]:
    """Numbers of the jumps between which the body is somewhere, of phases (K,); others are at once."""
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


def _split_knots(
    gait: StepGait, knots: FloatArray, bodies: FloatArray, jumps: Sequence[_StepJump]
) -> list[tuple[FloatArray, FloatArray]]:
    """Places of the body before, between and after jumps, each as of a walk that goes on."""
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


def _sample_flights(grid: FloatArray, jumps: Sequence[_StepJump]) -> FloatArray:
    """Phases (K,) of a grid (G,), with those of flights evenly spread from their begin to their end."""
    for jump in jumps:
        outside = grid[(grid < jump.off - 1e-6) | (grid > jump.strike + 1e-6)]
        flight = np.linspace(jump.off, jump.strike, JUMPS.samples + 1)
        grid = np.sort(np.concatenate([outside, flight]))
    return grid


def _time_flights(
    grid: FloatArray,
    clock: FloatArray,
    way: FloatArray,
    jumps: Sequence[_StepJump],
    stride: float,
    gravity: float,
) -> FloatArray:
    """A clock whose flights last as long as bodies fly."""
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


def _time_contacts(
    gait: StepGait,
    steps: Sequence[LaidStep],
    phases: FloatArray,
    stays: FloatArray,
    jumps: Sequence[_StepJump],
    timings: Sequence[StepTiming],
) -> TimedSteps:
    """Find what is asked of the times of footsteps, whose feet leave to jumps and land from them."""
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


@dataclass(frozen=True)
class _Stands:
    """Cycles of standing that are put into the clock of a walk.

    Attributes
    ----------
    cuts
        Phases of the walk without them at which they are put in, cycles, increasing, shape (C,).
    """

    cuts: FloatArray

    def shift_phases(self, phases: FloatArray, offs: FloatArray) -> FloatArray:
        """Phases (N,) of steps with the stands before them; steps under way at a cut come first.

        Parameters
        ----------
        phases
            Without the stands, cycles.
        offs
            When the leg of each leaves after its stance, cycles, shape (N,).
        """
        return phases + self._count(phases - 1.0 + offs)

    def lengthen(self, phases: FloatArray, offs: FloatArray) -> FloatArray:
        """Cycles (N,) that the foot of each step stays longer; parameters as of `shift_phases`."""
        return self._count(phases + offs) - self._count(phases - 1.0 + offs)

    def find_natural(self, phases: FloatArray) -> FloatArray:
        """Phases (G,) of the walk without the stands, for phases with them."""
        passed = np.zeros_like(phases)
        for number, cut in enumerate(self.cuts):
            passed += np.clip(phases - (cut + STANDS.body + number), 0.0, 1.0)
        return phases - passed

    def find_rest(self, number: int) -> float:
        """Phase with the stands at which all feet bear in one of them."""
        return float(self.cuts[number]) + number + STANDS.rest

    def list_stays(self, off: float) -> list[tuple[float, float]]:
        """Phases with the stands between which no stance of a leg is a step.

        Parameters
        ----------
        off
            When the leg leaves after its stance, cycles.
        """
        return [
            (float(cut) + number + 1.0 - off, float(cut) + number + 2.0 - off)
            for number, cut in enumerate(self.cuts)
        ]

    def _count(self, lifts: FloatArray) -> FloatArray:
        """Count how many cuts lie before each lift-off (N,)."""
        return np.searchsorted(self.cuts, lifts, side="right").astype(np.float64)


def _find_cut(gait: StepGait, leg: int, stance: float) -> float:
    """Phase before a leg leaves its step at which no other leg leaves."""
    off = gait.contacts[:, 1]
    lift = stance + float(off[leg])
    # Legs that leave at nearly the same time, as in trots, leave after the cut together.
    earliest, gap = 0.0, 1.0
    for before in np.sort((lift - np.delete(gait.phases + off, leg)) % 1.0):
        gap = float(before) - earliest
        if gap > STANDS.together:
            break
        earliest = float(before)
    return lift - earliest - min(0.5 * gap, STANDS.farthest)


def _place_stands(cuts: Sequence[float]) -> tuple[_Stands, list[int]]:
    """_Stands at some phases, and which of them each phase got; such as are too near are one."""
    kept: list[float] = []
    chosen = [0] * len(cuts)
    for index in np.argsort(cuts, kind="stable"):
        if not kept or cuts[index] - kept[-1] > STANDS.least_apart:
            kept.append(float(cuts[index]))
        chosen[index] = len(kept) - 1
    return _Stands(np.array(kept)), chosen


@dataclass(frozen=True)
class StepTravel:
    """A travel along footsteps.

    Attributes
    ----------
    travel
        With the phases of the walk.
    instants
        When the foot of each step stands, seconds, shape (N,).
    misses
        Times set by hand that the walk cannot meet.
    """

    travel: Travel
    instants: FloatArray
    misses: tuple[TimingMiss, ...] = ()


@dataclass(frozen=True)
class StepWalkChoices:
    """Record of how a run of footsteps is walked.

    Attributes
    ----------
    start
        Where the character stands, world, metres, shape (3,), and its direction. It begins there
        where the first step is near, else in the place of the first step.
    start_time
        Seconds of the scene's clock.
    phase_offset
        Of the gait's motion against the common phase, cycles.
    max_turn
        Largest turn in a cycle, radians.
    timings
        When each step bears, where that was set by hand; none for as the walk has it.
    skipped
        Whether each step is left out, so that its foot stays while its turn passes; none for no step.
    gravity
        By which jumps fall, metres a second squared.
    """

    start: tuple[FloatArray, float]
    start_time: float
    phase_offset: float = 0.0
    max_turn: float = float(np.radians(120.0))
    timings: Sequence[StepTiming] = ()
    skipped: Sequence[bool] = ()
    gravity: float = STANDARD_GRAVITY


def travel_from_steps(
    gait: StepGait, steps: Sequence[LaidStep], pace: CyclePace, choices: StepWalkChoices
) -> StepTravel:
    """A travel that begins and ends standing and takes these steps in their order.

    Raises TravelError: there are no steps.

    Parameters
    ----------
    pace
        How long cycles take.
    """
    choices = replace(
        choices,
        timings=choices.timings or [StepTiming()] * len(steps),
        skipped=choices.skipped or [False] * len(steps),
    )
    if all(choices.skipped):
        raise TravelError("there are no footsteps to travel along: place or generate some")
    result = _follow_steps(gait, steps, pace, choices, _Stands(np.empty(0)), {})
    phases = _time_steps(gait, steps)
    shortest = WALK.least_stand * pace.factor * float(pace.periods[0])
    late = [
        miss
        for miss in result.misses
        if miss.wanted - miss.reached > shortest and find_rest(gait, steps[miss.step].leg) is None
    ]
    if not late:
        return result
    stands, chosen = _place_stands(
        [
            _find_cut(gait, steps[miss.step].leg, float(phases[miss.step]) - float(miss.is_start))
            for miss in late
        ]
    )
    rests = {
        (miss.step, miss.is_start): (stands.find_rest(number), STANDS.rest_half)
        for miss, number in zip(late, chosen, strict=True)
    }
    return _follow_steps(gait, steps, pace, choices, stands, rests)


def _follow_steps(
    gait: StepGait,
    steps: Sequence[LaidStep],
    pace: CyclePace,
    choices: StepWalkChoices,
    stands: _Stands,
    rests: Mapping[tuple[int, bool], tuple[float, float]],
) -> StepTravel:
    """The travel with some cycles of standing in it."""
    start, taken = choices.start, ~np.array(choices.skipped, dtype=bool)
    phases = _time_steps(gait, steps)
    used = [steps[i] for i in np.flatnonzero(taken)]
    knots, bodies, begins_on_step = _place_bodies(gait, used, phases[taken], start)
    own_jumps = _find_jumps(gait, used, phases[taken], float(knots[0]))
    apart = _find_apart(own_jumps, knots, begins_on_step)
    own_jumps = [own_jumps[number] for number in apart]
    offs = gait.contacts[[step.leg for step in steps], 1]
    stays = stands.lengthen(phases, offs)
    phases = stands.shift_phases(phases, offs)
    jumps = _find_jumps(gait, used, phases[taken], float(knots[0])) if own_jumps else []
    jumps = [jumps[number] for number in apart]
    first, last = knots[0] - WALK.lead, knots[-1] + WALK.tail + len(stands.cuts)
    is_timed = any(timing.is_set for timing in choices.timings)
    count = int(np.ceil((last - first) * (WALK.fine_rate if is_timed else WALK.rate))) + 1
    grid = np.linspace(first, last, count)
    parts = _split_knots(gait, knots, bodies, own_jumps)
    cuts = [jump.middle for jump in jumps]
    way, clock = _smooth_way(parts, stands, grid, cuts, pace, choices.max_turn)
    idle = _find_idle(grid, way, WALK.still * gait.stride)
    # Nobody stands longer than it takes to see that they stand.
    lifts = phases - 1.0 + gait.contacts[[step.leg for step in steps], 0]
    begin = max(min(idle, float(lifts[taken].min())) - WALK.stood, float(grid[0]))
    if jumps:
        begin = max(min(begin, jumps[0].off - JUMPS.ready), float(grid[0]))
    kept = _sample_flights(np.concatenate([[begin], grid[grid > begin + 1e-6]]), jumps)
    clock = np.interp(kept, grid, clock) - np.interp(begin, grid, clock)
    still = way[0]
    way = np.stack([np.interp(kept, grid, column) for column in way.T], axis=1)
    # What little it has moved until then comes in evenly.
    way = still + (way - still) * rot.step_quintic((kept - begin) / WALK.stood)[:, None]
    grid = kept
    clock = _time_flights(grid, clock, way, jumps, gait.stride, choices.gravity)
    asked = _time_contacts(gait, steps, phases, stays, jumps, choices.timings)
    clock, misses = retime_clock(gait, asked, grid, choices.start_time + clock, idle, rests)
    instants = np.interp(phases, grid, clock)
    flights = tuple(jump.time(grid, clock) for jump in jumps)
    way = lay_flights(clock, way, flights, gait.stride)
    travel = Travel(
        times=clock,
        positions=way[:, [0, 1, 3]],
        yaws=way[:, 2] - gait.facing,
        phases=grid + choices.phase_offset,
        stays=tuple(
            (leg, float(np.interp(first, grid, clock)), float(np.interp(last, grid, clock)))
            for leg in range(len(gait.phases))
            for first, last in stands.list_stays(float(gait.contacts[leg, 1]))
        ),
        begins_on_step=begins_on_step,
        standing_until=float(instants.min()) - WALK.early * pace.factor * float(pace.periods[0]),
        jumps=flights,
    )
    return StepTravel(travel, instants, tuple(misses))


def _smooth_way(
    parts: Sequence[tuple[FloatArray, FloatArray]],
    stands: _Stands,
    grid: FloatArray,
    cuts: Sequence[float],
    pace: CyclePace,
    max_turn: float,
) -> tuple[FloatArray, FloatArray]:
    """The body's way (G, 4) on a grid of phases, and its clock (G,), seconds from 0.

    Its ``parts`` are places at phases, see `_split_knots`; each is smoothed by itself, and taken from one
    of the ``cuts`` to the next.
    """
    interval, natural = float(grid[1] - grid[0]), stands.find_natural(grid)
    owners = np.searchsorted(cuts, grid)
    for width in WALK.widths:
        way, durations = np.empty((len(grid), 4)), np.empty(len(grid))
        keeps = True
        for number, (knots, bodies) in enumerate(parts):
            raw = np.stack([np.interp(natural, knots, column) for column in bodies.T], axis=1)
            own = smooth_gaussian(raw, interval, width)
            # Once more for what is left, else the body runs ahead of its steps where it gets faster.
            own = own + smooth_gaussian(raw - own, interval, width)
            lasting = pace.find_periods(np.hypot(*np.gradient(own[:, :2], interval, axis=0).T))
            # What a cycle takes changes no faster than the stride does.
            lasting = smooth_gaussian(lasting, interval, WALK.pace_width * width)
            keeps &= _keeps_limits(own, integrate_rates(lasting, grid), interval, pace, max_turn)
            rows = owners == number
            way[rows], durations[rows] = own[rows], lasting[rows]
        if keeps:
            break
    return way, integrate_rates(durations, grid)


def _find_idle(grid: FloatArray, way: FloatArray, still: float) -> float:
    """Phase up to which a way (G, 4) does not leave its start by more than some metres."""
    away = np.hypot(*(way[:, :2] - way[0, :2]).T)
    index = int(np.argmax(away > still))
    if index == 0:
        return float(grid[0])
    return float(np.interp(still, away[index - 1 : index + 1], grid[index - 1 : index + 1]))


def _time_steps(gait: StepGait, steps: Sequence[LaidStep]) -> FloatArray:
    """Phase of each step's stance in cycles, shape (N,): the next stance of its leg each time."""
    phases: list[float] = []
    latest: dict[int, float] = {}
    for step in steps:
        own = float(gait.phases[step.leg])
        after = phases[-1] - WALK.early if phases else own
        if step.leg in latest:
            after = max(after, latest[step.leg] + WALK.least_cycle)
        phase = own + np.ceil(after - own - 1e-9)
        latest[step.leg] = phase
        phases.append(phase)
    return np.array(phases)


def _place_bodies(
    gait: StepGait,
    steps: Sequence[LaidStep],
    phases: FloatArray,
    start: tuple[FloatArray, float],
) -> tuple[FloatArray, FloatArray, bool]:
    """Phases (K,) increasing, body places, directions and the steps' heights (K, 4) at them.

    Last comes whether it begins over the first step, as where the character stands far from it.
    """
    order = np.argsort(phases, kind="stable")
    places, directions, heights = [], [start[1]], []
    for index in order:
        step = steps[index]
        place, direction = gait.place_body(step.leg, step.middle, step.heading)
        turn = (direction - directions[-1] + np.pi) % (2.0 * np.pi) - np.pi
        directions.append(directions[-1] + turn)
        places.append(place)
        heights.append(float(step.middle[2]))
    _settle(gait, places, directions[-1], phases[order])
    leg = steps[order[0]].leg
    before = gait.order[gait.order.index(leg) - 1]
    begin = phases[order[0]] - gait.advance(before, leg)
    away = float(np.hypot(*(places[0] - start[0][:2])))
    near = away < WALK.near_start * gait.stride
    places.insert(0, start[0][:2] if near else places[0])
    heights.insert(0, heights[0])
    if not near:
        directions[0] = directions[1]
    knots = np.concatenate([[begin], phases[order]])
    bodies = np.column_stack([np.array(places), directions, heights])
    group = np.concatenate([[0], np.cumsum(np.diff(knots) > WALK.at_once)])
    sizes = np.bincount(group)
    mean = np.stack([np.bincount(group, bodies[:, k]) / sizes for k in range(4)], axis=1)
    return np.bincount(group, knots) / sizes, mean, not near


def _settle(gait: StepGait, places: list[FloatArray], direction: float, phases: FloatArray) -> None:
    """Let the last body (places (N, 2), changed) stand over its step, and none before go beyond."""
    ahead = np.array([np.cos(direction), np.sin(direction)])
    places[-1] = places[-1] + gait.settle * ahead
    for index in np.flatnonzero(phases[:-1] > phases[-1] - 1.0):
        beyond = float((places[index] - places[-1]) @ ahead)
        places[index] = places[index] - np.clip(beyond, 0.0, abs(gait.settle)) * ahead


def _keeps_limits(
    way: FloatArray, clock: FloatArray, interval: float, pace: CyclePace, max_turn: float
) -> bool:
    """Whether a way (G, 4) keeps to the limits of acceleration and turn."""
    velocity = np.gradient(way[:, :2], clock, axis=0)
    acceleration = np.hypot(*np.gradient(velocity, clock, axis=0).T)
    period = pace.factor * float(pace.periods[0])
    speed = max(float(pace.strides[0]) / period, 0.5 * float(np.hypot(*velocity.T).max()))
    limit = WALK.acceleration * speed / period
    turn = np.abs(np.gradient(way[:, 2], interval))
    return bool(acceleration.max() <= limit and turn.max() <= max_turn)


def note_long_steps(
    gait: StepGait, steps: Sequence[LaidStep], names: Sequence[str], pace: CyclePace
) -> list[Note]:
    """A note of every footstep that is farther from its leg's last than the motions step.

    Parameters
    ----------
    steps
        The footsteps in their order.
    names
        What the user knows them by.
    """
    longest = float(pace.strides[-1])
    phases = _time_steps(gait, steps)
    latest: dict[int, int] = {}
    jumped = -1
    notes = []
    for number, step in enumerate(steps):
        before = latest.get(step.leg)
        latest[step.leg] = number
        jumped = max(jumped, number if step.jump else -1)
        # A flight is no step.
        if before is None or jumped > before:
            continue
        apart = float(np.hypot(*(step.middle - steps[before].middle)[:2]))
        cycles = float(phases[number] - phases[before])
        if apart > WALK.stretch * longest * cycles:
            notes.append(
                make_note(
                    NoteKind.FOOTSTEP_FAR,
                    place=step.middle,
                    footstep=names[number],
                    before=names[before],
                    distance=apart,
                    reach=longest * cycles,
                )
            )
    return notes
