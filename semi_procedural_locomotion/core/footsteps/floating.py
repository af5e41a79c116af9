# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Footsteps in the air are ground themselves, for the body and for the feet between (numpy only).

Steps may rise without any stairs under them. What is not a footstep then, as where the other feet close
up at the end, stands as if each footstep were a tread that goes on to both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..prints.records import KeptStep, PrintRow, StepClaims
from ..rig.structure import Rig
from .limits import FLOATING


def find_middles(rig: Rig, steps: Sequence[KeptStep]) -> FloatArray:
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


def lift_levels(
    rig: Rig,
    steps: Sequence[KeptStep],
    grid: TimeGrid,
    levels: FloatArray,
    ground: Ground,
    start: float | None = None,
) -> FloatArray:
    """Levels (G,) of a walk along footsteps, on those that float where some do.

    Parameters
    ----------
    rig, steps
        The character and its footsteps.
    grid
        The times.
    levels
        Height of the ground that the body walks on there, metres, shape (G,).
    ground
        What the other steps stand on.
    start
        Seconds at which the walk begins on that ground; None where it begins on its first footstep.
    """
    floats = find_floating(rig, steps, ground)
    if not np.any(floats):
        return levels
    used = np.array([_is_used(step) for step in steps], dtype=bool)
    times = _list_times([step for step in steps if _is_used(step)])
    heights = find_middles(rig, steps)[used, 2]
    lifts = np.where(floats[used], heights - grid.sample(levels, times), 0.0)
    order = np.argsort(times, kind="stable")
    times, lifts = times[order], lifts[order]
    if start is not None:
        times, lifts = np.append(min(start, times[0]), times), np.append(0.0, lifts)
    return levels + np.interp(grid.times, times, lifts)


def lift_prints(
    rig: Rig,
    rows: Sequence[PrintRow],
    claims: StepClaims,
    ground: Ground,
    begins_on_step: bool = False,
) -> tuple[PrintRow, ...]:
    """Prints of a walk along footsteps, those between floating ones on a level with the nearest.

    Parameters
    ----------
    rig
        The character.
    rows
        The prints of each leg, footsteps among them.
    claims
        Which prints are footsteps.
    ground
        What the other footsteps stand on.
    begins_on_step
        Whether the walk begins over its first footstep.
    """
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
    middles = find_middles(rig, steps)
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
