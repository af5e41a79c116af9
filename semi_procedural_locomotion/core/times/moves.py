# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and stops: the phase fitted to the moves of a travel (numpy only)."""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import OFF, MotionTables
from .limits import MOVES

Moves = list[tuple[int | None, int | None]]


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
