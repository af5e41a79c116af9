# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps as a source of a walk's clock, levels and prints; which prints they claim (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...notes import Note, NoteKind, make_note
from ..body.airborne.limits import JUMPS
from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import integrate_rates
from ..motions.tables import CycleTable, MotionTables
from ..prints.records import KeptStep, PrintPlan, PrintRow, StepClaims
from ..prints.states import carry_prints, carry_row
from ..rig.structure import Rig
from ..times.planning import TimePlan
from ..travel.way import Travel
from .limits import CLAIMS, FLOATING


def _find_middles(rig: Rig, steps: Sequence[KeptStep]) -> FloatArray:
    """Middles of the soles of some footsteps, world, metres, shape (N, 3)."""
    halves = [np.array([0.5 * float(rig.foot_lengths[step.leg]), 0.0, 0.0]) for step in steps]
    middles = [
        step.position + rot.rotate(step.frame, half)
        for step, half in zip(steps, halves, strict=True)
    ]
    return np.array(middles).reshape(-1, 3)


def find_floating(rig: Rig, steps: Sequence[KeptStep], ground: Ground) -> np.ndarray:
    """Which footsteps, of those that have a time, have no ground near under any of their sole, (N,)."""
    used = [number for number, step in enumerate(steps) if _is_used(step)]
    floats = np.zeros(len(steps), dtype=bool)
    if not used:
        return floats
    near = FLOATING.height * rig.leg_length
    chosen = [steps[number] for number in used]
    stations, count = list_stations(rig, chosen), len(FLOATING.along)
    layers = ground.cast_all(stations.reshape(-1, 3), np.repeat(_list_times(chosen), count))
    away = stations.reshape(-1, 3)[layers.rays, 2] - layers.heights
    owners = layers.rays // count
    for row, number in enumerate(used):
        own = away[owners == row]
        # One with all ground above it lies in the ground, one beside all ground is in the air.
        floats[number] = not np.any(np.abs(own) <= near) and (np.any(own > 0.0) or not len(own))
    return floats


def list_stations(rig: Rig, steps: Sequence[KeptStep]) -> FloatArray:
    """Places along the soles of some footsteps, from heel to toe, world, metres, shape (N, S, 3)."""
    along = np.array([FLOATING.along, 0.0 * FLOATING.along, 0.0 * FLOATING.along]).T
    places = [
        step.position + rot.rotate(step.frame, float(rig.foot_lengths[step.leg]) * along)
        for step in steps
    ]
    return np.array(places).reshape(-1, len(FLOATING.along), 3)


def _is_used(step: KeptStep) -> bool:
    """Whether a footstep is taken at a time that is known."""
    return step.time is not None and not step.left_out


def _list_times(steps: Sequence[KeptStep]) -> FloatArray:
    """Times of footsteps that have one, seconds, shape (N,)."""
    return np.array([step.time for step in steps], dtype=np.float64)


def _lift_levels(
    rig: Rig,
    steps: Sequence[KeptStep],
    grid: TimeGrid,
    levels: FloatArray,
    ground: Ground,
    start: float | None = None,
) -> FloatArray:
    """Levels (G,) of a walk along footsteps, on those that float where some do."""
    floats = find_floating(rig, steps, ground)
    if not np.any(floats):
        return levels
    used = np.array([_is_used(step) for step in steps], dtype=bool)
    times = _list_times([step for step in steps if _is_used(step)])
    heights = _find_middles(rig, steps)[used, 2]
    lifts = np.where(floats[used], heights - grid.sample(levels, times), 0.0)
    order = np.argsort(times, kind="stable")
    times, lifts = times[order], lifts[order]
    if start is not None:
        times, lifts = np.append(min(start, times[0]), times), np.append(0.0, lifts)
    return levels + np.interp(grid.times, times, lifts)


def _lift_prints(
    rig: Rig,
    rows: Sequence[PrintRow],
    claims: StepClaims,
    ground: Ground,
    begins_on_step: bool = False,
) -> tuple[PrintRow, ...]:
    """Prints of a walk along footsteps, those between floating ones on a level with the nearest."""
    pairs = [
        (float(rows[place[0]].times[place[1]]), step, place)
        for step, place in zip(claims.steps, claims.prints, strict=True)
        if place is not None and not step.left_out
    ]
    pairs.sort(key=lambda pair: pair[0])
    steps, places = [step for _, step, _ in pairs], [place for _, _, place in pairs]
    floats = find_floating(rig, steps, ground)
    if not np.any(floats):
        return tuple(rows)
    times = np.array([time for time, _, _ in pairs])
    begins = bool(floats[0]) and begins_on_step
    lifted = []
    for leg, row in enumerate(rows):
        borne = [places[number][1] for number in np.flatnonzero(floats) if places[number][0] == leg]
        fresh = [
            int(index)
            for index in np.flatnonzero(~row.parked)
            if (leg, int(index)) not in places
            and _is_between(times, floats, row.times[index], begins)
        ]
        lifted.append(_lift_row(rig, _leave_ground(row, borne, ground), leg, fresh, steps))
    return tuple(lifted)


def _leave_ground(row: PrintRow, indices: Sequence[int], ground: Ground) -> PrintRow:
    """A row whose prints of these indices stand on no surface, but for one that carries them along."""
    surfaces, moving = row.surfaces.copy(), ground.moving_surfaces()
    owners = row.owners
    for index in indices:
        if int(surfaces[index]) not in moving:
            surfaces[owners == index] = -1
    return replace(row, surfaces=surfaces)


def _is_between(times: FloatArray, floats: np.ndarray, time: float, begins: bool) -> bool:
    """Whether the footsteps before and after a time float; before the first, whether it begins so."""
    after = int(np.searchsorted(times, time, side="right"))
    if after == 0:
        return begins
    return bool(floats[after - 1] and (after == len(times) or floats[after]))


def _lift_row(
    rig: Rig, row: PrintRow, leg: int, indices: Sequence[int], steps: Sequence[KeptStep]
) -> PrintRow:
    """A row with some of its prints, and those that stay on them, level with the nearest footsteps."""
    if not len(indices):
        return row
    middles = _find_middles(rig, steps)
    half = np.array([0.5 * float(rig.foot_lengths[leg]), 0.0, 0.0])
    positions, frames = row.positions.copy(), row.frames.copy()
    normals, found, surfaces = row.normals.copy(), row.found.copy(), row.surfaces.copy()
    supports = row.supports.copy()
    owners = row.owners
    for index in indices:
        own = owners == index
        frame = rot.quaternions_from_yaws(row.headings[index])
        middle = row.positions[index] + rot.rotate(row.frames[index], half)
        nearest = int(np.argmin(np.hypot(*(middles - middle)[:, :2].T)))
        middle[2] = middles[nearest, 2]
        positions[own] = middle - rot.rotate(frame, half)
        frames[own], normals[own] = frame, rot.UP
        found[own], surfaces[own], supports[own] = True, -1, 1.0
    return replace(
        row,
        positions=positions,
        frames=frames,
        normals=normals,
        found=found,
        surfaces=surfaces,
        supports=supports,
    )


def _leave_unfilled(
    grid: TimeGrid, leg_times: FloatArray, steps: Sequence[KeptStep], travel: Travel
) -> FloatArray:
    """Leg times (G, L) without steps that nobody asked for, from the step before a jump to its end."""
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


def _claim_prints(
    tables: MotionTables,
    times: TimePlan,
    rows: Sequence[PrintRow],
    steps: Sequence[KeptStep],
    aside: float = np.inf,
) -> StepClaims:
    """Let each kept step claim the planned print of its leg that is nearest along the travel."""
    offers: list[tuple[float, int, int]] = []
    for number, step in enumerate(steps):
        row = rows[step.leg]
        costs = _weigh_prints(tables, times, row, step, aside)
        offers += [(float(costs[i]), number, int(i)) for i in np.flatnonzero(np.isfinite(costs))]
    chosen: dict[int, tuple[int, int]] = {}
    taken: set[tuple[int, int]] = set()
    for _, number, index in sorted(offers):
        place = (steps[number].leg, index)
        if number not in chosen and place not in taken:
            chosen[number] = place
            taken.add(place)
    takers = {place: steps[number].name for number, place in chosen.items()}
    rivals = [""] * len(steps)
    for _, number, index in sorted(offers, reverse=True):
        rivals[number] = takers.get((steps[number].leg, index), "")
    return StepClaims(
        steps=tuple(steps),
        prints=tuple(chosen.get(number) for number in range(len(steps))),
        rivals=tuple("" if n in chosen else rival for n, rival in enumerate(rivals)),
    )


def _weigh_prints(
    tables: MotionTables, times: TimePlan, row: PrintRow, step: KeptStep, aside: float
) -> FloatArray:
    """Cost of claiming each print of a row, metres, infinite where it is out of reach, (K,)."""
    grid = times.grid
    _, rates, _ = times.rides.measure_velocities()
    rate = grid.sample(rates, row.times)
    ahead = grid.sample(times.yaws, row.times) + np.arctan2(*tables.rig.forward[::-1])
    speeds = np.hypot(rate[:, 0], rate[:, 1])
    moving = speeds > CLAIMS.standing * tables.cycles.slowest_speed
    ahead = np.where(moving, np.arctan2(rate[:, 1], rate[:, 0]), ahead)
    apart = step.position[:2] - row.positions[:, :2]
    along = np.abs(np.cos(ahead) * apart[:, 0] + np.sin(ahead) * apart[:, 1])
    across = np.abs(np.cos(ahead) * apart[:, 1] - np.sin(ahead) * apart[:, 0])
    strides = grid.sample(times.cycle_weights, row.times) @ tables.cycles.strides
    costs = along + CLAIMS.across_cost * across
    if step.time is not None:
        cycles = np.abs(row.times - step.time) / tables.cycles.slowest_period
        costs = costs + CLAIMS.cycle_cost * strides * np.minimum(cycles, CLAIMS.most_cycles)
    # The first print of a foot that stays where it is comes before its later ones.
    costs = costs + CLAIMS.parked_cost * strides * row.parked
    widest = np.minimum(CLAIMS.across * strides, aside)
    out_of_reach = (along > CLAIMS.along * strides) | (across > widest)
    return np.where(out_of_reach, np.inf, costs)


def _keep_steps(
    rig: Rig, planned: Sequence[PrintRow], claims: StepClaims, ground: Ground
) -> tuple[PrintRow, ...]:
    """Put kept steps in the place of the prints that they claim; all others stay as they are."""
    rows = list(planned)
    left_out = []
    for step, place in zip(claims.steps, claims.prints, strict=True):
        if place is None:
            continue
        leg, index = place
        if step.left_out:
            left_out.append(place)
        else:
            rows[leg] = _set_print(rig, rows[leg], step, index, ground)
    for leg, index in sorted(left_out):
        rows[leg] = _stay(rows[leg], index)
    return tuple(rows)


def _stay(row: PrintRow, index: int) -> PrintRow:
    """A row whose foot stays on the print before one, and for as long as it would stay on that."""
    return row if index == 0 else row.hold(index - 1, _find_end(row, index))


def _find_end(row: PrintRow, index: int) -> int:
    """Index of the next print that is not the one at an index, kept."""
    fresh = np.flatnonzero(~row.parked[index + 1 :])
    return index + 1 + int(fresh[0]) if len(fresh) else len(row.times)


def _set_print(rig: Rig, row: PrintRow, step: KeptStep, index: int, ground: Ground) -> PrintRow:
    """A row with one of its prints, and those that stay on it, at a kept step."""
    length = float(rig.foot_lengths[step.leg])
    stance = row.times[index : index + 1]
    known = stance if step.time is None else np.array([step.time])
    heading = row.headings[index] + rot.wrap_angles(_find_heading(step.frame) - row.headings[index])
    surface = _find_surface(ground, step, length, known, rig.leg_length)
    position, frame, heading = carry_prints(
        ground,
        np.array([surface]),
        known,
        stance,
        (step.position[None], step.frame[None], np.atleast_1d(heading)),
    )
    # Later prints of a foot that stays have the same stance.
    end = _find_end(row, index)
    values = {
        "positions": position[0],
        "headings": heading[0],
        "frames": frame[0],
        "normals": rot.rotate(frame[0], rot.UP),
        "surfaces": surface,
        "supports": 1.0,
        "found": True,
        "parted": 0.0,
        "crowded": 0.0,
    }
    parked = row.parked.copy()
    parked[index] = False
    changed: dict[str, Any] = {"parked": parked}
    for name, value in values.items():
        column = getattr(row, name).copy()
        column[index:end] = value
        changed[name] = column
    return replace(row, **changed)


def _find_heading(frame: FloatArray) -> float:
    """Angle of a sole's direction seen from above, radians."""
    x, y, _ = rot.rotate(frame, np.array([1.0, 0.0, 0.0]))
    return float(np.arctan2(y, x))


def _find_surface(
    ground: Ground, step: KeptStep, length: float, time: FloatArray, leg_length: float
) -> int:
    """The surface under the middle of a step's sole, -1 where none is near."""
    middle = step.position + rot.rotate(step.frame, np.array([0.5 * length, 0.0, 0.0]))
    reach = STARTS.over_sole * leg_length
    top, bottom = middle[2] + np.array([reach]), middle[2] - np.array([reach])
    return int(cast_soles(ground, middle[None], top, time, bottom).surfaces[0])


def _stand_until(cycles: CycleTable, row: PrintRow, time: float, ground: Ground) -> PrintRow:
    """Prints of a foot that takes no short step before a time in seconds."""
    shuffle = CLAIMS.shuffle * float(cycles.strides[cycles.slowest])
    first, _, _ = carry_row(row, np.zeros(len(row.times), dtype=np.intp), row.times, ground)
    apart = np.hypot(*(row.positions - first)[:, :2].T)
    going = np.flatnonzero((row.times >= time) | (apart > shuffle))
    return row.hold(0, int(going[0]) if len(going) else len(row.times))


def _stay_between(row: PrintRow, first: float, last: float) -> PrintRow:
    """Prints of a foot that takes no step whose stance lies from one to before another time, seconds."""
    for index in np.flatnonzero((row.times >= first) & (row.times < last)):
        row = _stay(row, int(index))
    return row


@dataclass(frozen=True)
class StepSource:
    """Record of what footsteps say about a walk; it fits `ClockSource` and `PrintSource`.

    Attributes
    ----------
    travel
        The travel: with phases, a first step and stays where it goes along footsteps.
    steps
        Footsteps of the user that take the place of planned prints.
    """

    travel: Travel
    steps: tuple[KeptStep, ...] = ()

    def set_clock(
        self, grid: TimeGrid, phases: FloatArray, leg_times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Phases (G,) and leg times (G, L) on a grid whose steps come when the travel says so.

        Parameters
        ----------
        phases, leg_times
            Of the travel's own pace, cycles and steps; returned where it says nothing.
        """
        travel = self.travel
        if travel.phases is None:
            return phases, leg_times
        times = grid.times
        told = np.interp(times, travel.times, travel.phases)
        rate = (travel.phases[-1] - travel.phases[0]) / (travel.end - travel.start)
        told += rate * (np.minimum(times - travel.start, 0.0) + np.maximum(times - travel.end, 0.0))
        moved = np.maximum.accumulate(leg_times + (told - phases)[:, None], axis=0)
        moved = moved + 1e-9 * np.arange(len(times))[:, None]
        return told, _leave_unfilled(grid, moved, self.steps, travel)

    def set_levels(
        self, rig: Rig, grid: TimeGrid, levels: FloatArray, ground: Ground
    ) -> FloatArray:
        """Levels (G,) on a grid, on footsteps that float where the walk goes along such.

        Parameters
        ----------
        levels
            Of the ground; returned where no step floats.
        ground
            What the others stand on.
        """
        if self.travel.phases is None:
            return levels
        start = None if self.travel.begins_on_step else self.travel.start
        return _lift_levels(rig, self.steps, grid, levels, ground, start)

    def claim_prints(
        self, tables: MotionTables, times: TimePlan, prints: PrintPlan, ground: Ground
    ) -> PrintPlan:
        """Prints that stay and are footsteps where the source says so.

        Parameters
        ----------
        prints
            As planned without footsteps.
        ground
            What they stand on.
        """
        rows = list(prints.rows)
        first = self.travel.standing_until
        if first is not None:
            rows = [_stand_until(tables.cycles, row, first, ground) for row in rows]
        for leg, start, end in self.travel.stays:
            rows[leg] = _stay_between(rows[leg], start, end)
        aside = CLAIMS.aside * tables.rig.leg_length if self.travel.phases is None else np.inf
        claims = _claim_prints(tables, times, rows, self.steps, aside)
        kept = _keep_steps(tables.rig, rows, claims, ground)
        return replace(prints, rows=kept, claims=claims)

    def lift_prints(self, tables: MotionTables, prints: PrintPlan, ground: Ground) -> PrintPlan:
        """All prints, those between footsteps in the air on a level with these.

        Parameters
        ----------
        prints
            Footsteps and what was planned beside them.
        ground
            What they stand on.
        """
        if self.travel.phases is None:
            return prints
        begins = self.travel.begins_on_step
        rows = _lift_prints(tables.rig, prints.rows, prints.claims, ground, begins)
        return replace(prints, rows=rows)
