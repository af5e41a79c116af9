# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and stops: the phase fitted to the moves of a travel (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, MotionTables
from ..settings import PlanSettings
from .limits import MOVES

Moves = list[tuple[int | None, int | None]]


def step_on_drifts(
    moving: np.ndarray,
    velocities: FloatArray,
    turn_rates: FloatArray,
    grid: TimeGrid,
    tables: MotionTables,
    settings: PlanSettings,
) -> np.ndarray:
    """Let a travel that hardly moves move for a step whenever its drift has added up to one.

    Parameters
    ----------
    moving
        Whether the travel moves by its speed, shape (G,).
    velocities, turn_rates
        In character space, metres and radians a second, shapes (G, 2) and (G,).
    grid
        The times.
    tables
        The motions.
    settings
        Which steps are too short to be taken.

    Returns
    -------
    array, shape (G,)
        Whether the travel moves; as given where it rests in its place.
    """
    length = tables.rig.leg_length
    angle = max(settings.park_angle, MOVES.least_drift_turn)
    distance = max(settings.park_distance, MOVES.least_drift) * length
    farthest = float(np.hypot(*tables.leg_cycles.stance_positions[..., :2].T).max())
    yaws = np.cumsum(turn_rates) * grid.interval
    turned = rot.rotate(rot.quaternions_from_yaws(yaws), rot.pack(*velocities.T, 0.0 * yaws))
    places = np.cumsum(turned[:, :2], axis=0) * grid.interval
    cycle = tables.cycles.slowest_period / grid.interval
    lasting = max(round(MOVES.drift_step * cycle), 1)
    moving = moving.copy()
    index = 0
    while index < len(moving):
        # What stands still from here on, as far as to the next move.
        rest = int(np.argmax(np.append(moving[index:], True)))
        stretch = slice(index, index + rest)
        turns = np.abs(yaws[stretch] - yaws[index])
        ways = np.hypot(*(places[stretch] - places[index]).T)
        passed = np.flatnonzero((ways + farthest * turns >= distance) | (turns >= angle))
        if len(passed) > 0:
            start = index + int(passed[0])
            if index > 0 and start - index < MOVES.drift_rest * cycle:
                moving[index:start] = True
            moving[start : start + lasting] = True
            index = start + lasting
        else:
            index += rest + int(np.argmin(np.append(moving[index + rest :], False)))
    return moving


def find_moves(moving: np.ndarray, grid: TimeGrid, period: float) -> Moves:
    """Moves of a travel.

    Parameters
    ----------
    moving
        Whether the travel moves, on the grid, shape (G,).
    grid
        The times.
    period
        Cycle time of the slowest walk, seconds.

    Returns
    -------
    list of (start, end)
        Grid indices; None where a move runs past the grid. Rests that are too short for all feet to
        close and to start again are part of a move.
    """
    edges = np.diff(moving.astype(int))
    starts: list[int | None] = [int(i) for i in np.flatnonzero(edges > 0)]
    ends: list[int | None] = [int(i) for i in np.flatnonzero(edges < 0)]
    if moving[0]:
        starts.insert(0, None)
    if moving[-1]:
        ends.append(None)
    least = (MOVES.closing + MOVES.opening + MOVES.anticipation) * period / grid.interval
    merged: Moves = []
    for start, end in zip(starts, ends, strict=True):
        last = merged[-1][1] if merged else None
        if last is not None and start is not None and start - last < least:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged


def fit_moves(phases: FloatArray, grid: TimeGrid, moves: Moves, tables: MotionTables) -> FloatArray:
    """Phases (G,) shifted so that a foot lifts just before each start, and stands at each stop."""
    period = tables.cycles.slowest_period
    stances = tables.leg_cycles.stances[tables.cycles.slowest]
    offs = tables.leg_cycles.key_times[tables.cycles.slowest, :, OFF]
    times = grid.times
    phases = phases.copy()
    previous_end: int | None = None
    for start, end in moves:
        if start is not None:
            lead = times[start] - MOVES.anticipation * period
            ahead = (stances + offs - np.interp(lead, times, phases)) % 1.0
            shift = float(ahead[np.argmin(np.minimum(ahead, 1.0 - ahead))])
            first = 0
            if previous_end is not None:
                # All feet stand here: a jump of the phase is not seen.
                closed = times[previous_end] + MOVES.closing * period
                opens = lead - MOVES.opening * period
                first = int(np.searchsorted(times, 0.5 * (closed + opens)))
            elif shift >= 0.5:
                shift -= 1.0
            phases[first:] += shift
        if end is not None:
            stop = times[end]
            ahead = (stances - np.interp(stop, times, phases)) % 1.0
            options = np.concatenate([ahead, ahead - 1.0])
            # Longer last steps cost more than an extra short one: they drop the hips.
            shift = float(
                options[np.argmin(np.where(options >= 0, options, -MOVES.longer_cost * options))]
            )
            span = MOVES.settle * period
            if start is not None:
                span = min(span, MOVES.settle_share * (stop - times[start]))
            phases += shift * rot.step_quintic((times - (stop - span)) / max(span, grid.interval))
            previous_end = end
    return np.maximum.accumulate(phases)
