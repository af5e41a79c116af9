# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps that a user placed or moved take the place of planned ones (numpy only)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.planning import Footprint, PrintPlan, PrintRow
from ..prints.states import carry_prints
from ..times.planning import TimePlan

# A kept step claims no stance farther away along the travel than this share of a stride, nor
# farther beside it than the other share: there another part of the travel passes.
_ALONG, _ACROSS = 0.5, 1.0
# Distance beside the travel counts less than along it. Where the travel passes twice, the stance
# nearest in time is claimed: a cycle apart counts as this share of a stride.
_ACROSS_COST, _CYCLE_COST = 0.3, 0.2
_PARKED_COST = 0.1
# Before the first footstep no foot takes a step shorter than this share of a stride.
_SHUFFLE = 0.15
# A body slower than this share of the slowest walk stands: its heading tells where ahead is.
_STANDING = 0.05


@dataclass(frozen=True)
class KeptStep:
    """A footstep that a user placed or moved.

    Attributes
    ----------
    name
        By which the user knows it.
    leg
        Index of the leg.
    position
        Heel end of the sole, world, metres, shape (3,).
    frame
        Rotation whose x axis runs from heel to toe and whose z axis is the sole's normal, shape (4,).
    time
        Seconds of the scene's clock at which it is there and at which it was planned to bear; None
        where that is not known.
    origin
        ``"edited"`` for a planned step that was moved, ``"user"`` for one of the user's own.
    left_out
        Whether the leg leaves this step out and stays where it stood before.
    """

    name: str
    leg: int
    position: FloatArray
    frame: FloatArray
    time: float | None = None
    origin: str = "user"
    left_out: bool = False


@dataclass(frozen=True)
class StepClaims:
    """Which prints of a plan are steps that a user placed or moved.

    Attributes
    ----------
    steps
        All kept steps.
    prints
        Leg and index in the leg's row of the print that each claims, None for none.
    rivals
        For each step, name of the step that claims the print nearest to it; empty where it claims that
        itself, and where none is near.
    """

    steps: tuple[KeptStep, ...] = ()
    prints: tuple[tuple[int, int] | None, ...] = ()
    rivals: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[KeptStep, ...]:
        """Steps that claim no print."""
        return tuple(s for s, p in zip(self.steps, self.prints, strict=True) if p is None)

    def find_step(self, leg: int, index: int) -> KeptStep | None:
        """The step that claims a print, None for a planned one."""
        for step, place in zip(self.steps, self.prints, strict=True):
            if place == (leg, index):
                return step
        return None


def claim_prints(
    tables: MotionTables, times: TimePlan, prints: PrintPlan, steps: Sequence[KeptStep]
) -> StepClaims:
    """Let each kept step claim the planned print of its leg that is nearest along the travel.

    The nearest pairs are made first; no print is claimed twice.

    Parameters
    ----------
    tables, times
        Motions and time plan.
    prints
        The planned prints.
    steps
        Footsteps that shall stay where they are.
    """
    offers: list[tuple[float, int, int]] = []
    for number, step in enumerate(steps):
        row = prints.rows[step.leg]
        costs = _weigh_prints(tables, times, row, step)
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
    tables: MotionTables, times: TimePlan, row: PrintRow, step: KeptStep
) -> FloatArray:
    """Cost of claiming each print of a row, metres, infinite where it is out of reach, (K,)."""
    grid = times.grid
    rate = np.gradient(times.positions[:, :2], grid.interval, axis=0)
    rate = grid.sample(rate, row.times)
    ahead = grid.sample(times.yaws, row.times) + np.arctan2(*tables.rig.forward[::-1])
    speeds = np.hypot(rate[:, 0], rate[:, 1])
    moving = speeds > _STANDING * tables.cycles.slowest_speed
    ahead = np.where(moving, np.arctan2(rate[:, 1], rate[:, 0]), ahead)
    apart = step.position[:2] - row.positions[:, :2]
    along = np.abs(np.cos(ahead) * apart[:, 0] + np.sin(ahead) * apart[:, 1])
    across = np.abs(np.cos(ahead) * apart[:, 1] - np.sin(ahead) * apart[:, 0])
    strides = grid.sample(times.cycle_weights, row.times) @ tables.cycles.strides
    costs = along + _ACROSS_COST * across
    if step.time is not None:
        cycles = np.abs(row.times - step.time) / tables.cycles.slowest_period
        costs = costs + _CYCLE_COST * strides * np.minimum(cycles, 3.0)
    # The first print of a foot that stays where it is comes before its later ones.
    costs = costs + _PARKED_COST * strides * row.parked
    out_of_reach = (along > _ALONG * strides) | (across > _ACROSS * strides)
    return np.where(out_of_reach, np.inf, costs)


def keep_steps(
    tables: MotionTables, prints: PrintPlan, claims: StepClaims, ground: Ground
) -> PrintPlan:
    """Put kept steps in the place of the prints that they claim; all others stay as they are.

    Parameters
    ----------
    tables
        Motions.
    prints
        The planned prints.
    claims
        Which prints are kept steps.
    ground
        Carries steps that stand on something that moves.
    """
    rows = list(prints.rows)
    left_out = []
    for step, place in zip(claims.steps, claims.prints, strict=True):
        if place is None:
            continue
        leg, index = place
        if step.left_out:
            left_out.append(place)
        else:
            rows[leg] = _set_print(tables, rows[leg], step, index, ground)
    for leg, index in sorted(left_out):
        rows[leg] = _stay(rows[leg], index)
    return replace(prints, rows=tuple(rows))


def _stay(row: PrintRow, index: int) -> PrintRow:
    """A row whose foot stays on the print before one, and for as long as it would stay on that."""
    if index == 0:
        return row
    end = _find_end(row, index)
    changed: dict[str, Any] = {}
    for entry in fields(row):
        column = getattr(row, entry.name)
        if isinstance(column, np.ndarray):
            changed[entry.name] = column.copy()
            changed[entry.name][index:end] = column[index - 1]
    changed["parked"][index:end] = True
    return replace(row, **changed)


def _find_end(row: PrintRow, index: int) -> int:
    """Index of the next print that is not the one at an index, kept."""
    fresh = np.flatnonzero(~row.parked[index + 1 :])
    return index + 1 + int(fresh[0]) if len(fresh) else len(row.times)


def _set_print(
    tables: MotionTables, row: PrintRow, step: KeptStep, index: int, ground: Ground
) -> PrintRow:
    """A row with one of its prints, and those that stay on it, at a kept step."""
    length = float(tables.rig.foot_lengths[step.leg])
    stance = row.times[index : index + 1]
    known = stance if step.time is None else np.array([step.time])
    heading = row.headings[index] + rot.wrap_angles(_find_heading(step.frame) - row.headings[index])
    surface = _find_surface(ground, step, length, known, tables.rig.leg_length)
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


def stand_until(tables: MotionTables, prints: PrintPlan, time: float | None) -> PrintPlan:
    """Prints of feet that take no short step before a time in seconds; None for no such time."""
    if time is None:
        return prints
    shuffle = _SHUFFLE * float(tables.cycles.strides[tables.cycles.slowest])
    rows = []
    for row in prints.rows:
        apart = np.hypot(*(row.positions - row.positions[0])[:, :2].T)
        going = np.flatnonzero((row.times >= time) | (apart > shuffle))
        last = int(going[0]) if len(going) else len(row.times)
        changed: dict[str, Any] = {}
        for entry in fields(row):
            column = getattr(row, entry.name)
            if isinstance(column, np.ndarray):
                changed[entry.name] = column.copy()
                changed[entry.name][1:last] = column[0]
        changed["parked"][1:last] = True
        rows.append(replace(row, **changed))
    return replace(prints, rows=tuple(rows))


def stay_between(prints: PrintPlan, stays: Sequence[tuple[int, float, float]]) -> PrintPlan:
    """Prints of feet that take no step whose stance lies within some times.

    Parameters
    ----------
    prints
        The planned prints.
    stays
        Leg, and seconds from and to which it stays.
    """
    rows = list(prints.rows)
    for leg, first, last in stays:
        for index in np.flatnonzero((rows[leg].times >= first) & (rows[leg].times < last)):
            rows[leg] = _stay(rows[leg], int(index))
    return replace(prints, rows=tuple(rows))


def list_footprints(prints: PrintPlan, claims: StepClaims) -> list[Footprint]:
    """The prints of a plan in the order of time, with the origin of each."""
    result = []
    for single in prints.list_footprints():
        index = int(single.identifier.partition(":")[2]) - prints.rows[single.leg].first
        step = claims.find_step(single.leg, index)
        result.append(single if step is None else replace(single, origin=step.origin))
    return result
