# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps that a user placed or moved take the place of planned ones (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import CycleTable, MotionTables
from ..prints.records import KeptStep, PrintRow, StepClaims
from ..prints.states import carry_prints, carry_row
from ..rig.structure import Rig
from ..times.planning import TimePlan
from .limits import CLAIMS


def claim_prints(
    tables: MotionTables,
    times: TimePlan,
    rows: Sequence[PrintRow],
    steps: Sequence[KeptStep],
    aside: float = np.inf,
) -> StepClaims:
    """Let each kept step claim the planned print of its leg that is nearest along the travel.

    The nearest pairs are made first; no print is claimed twice.

    Parameters
    ----------
    tables, times
        Motions and time plan.
    rows
        The planned prints of each leg.
    steps
        Footsteps that shall stay where they are.
    aside
        Metres beside a print from which no footstep claims it; a travel that goes along the footsteps
        needs no such limit.
    """
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


def keep_steps(
    rig: Rig, planned: Sequence[PrintRow], claims: StepClaims, ground: Ground
) -> tuple[PrintRow, ...]:
    """Put kept steps in the place of the prints that they claim; all others stay as they are.

    Parameters
    ----------
    rig
        The character.
    planned
        The planned prints of each leg.
    claims
        Which prints are kept steps.
    ground
        Carries steps that stand on something that moves.
    """
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


def stand_until(cycles: CycleTable, row: PrintRow, time: float, ground: Ground) -> PrintRow:
    """Prints of a foot that takes no short step before a time in seconds."""
    shuffle = CLAIMS.shuffle * float(cycles.strides[cycles.slowest])
    first, _, _ = carry_row(row, np.zeros(len(row.times), dtype=np.intp), row.times, ground)
    apart = np.hypot(*(row.positions - first)[:, :2].T)
    going = np.flatnonzero((row.times >= time) | (apart > shuffle))
    return row.hold(0, int(going[0]) if len(going) else len(row.times))


def stay_between(row: PrintRow, first: float, last: float) -> PrintRow:
    """Prints of a foot that takes no step whose stance lies from one to before another time, seconds."""
    for index in np.flatnonzero((row.times >= first) & (row.times < last)):
        row = _stay(row, int(index))
    return row
