# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet led so that what bears of their skin stays where it is while they roll (numpy only).

The footbase rests on where the points of a flat foot lie. Skin that hangs on a shin, or bends with the
toes, comes down elsewhere: a foot tied to its footbase is then dragged by as much as its sole is
stretched (docs/method/body.md, Rolling).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.footpoints import measure_slips
from ..rig.hulls import FootHull, hull_points_from_ground
from ..swings.evaluation import take_rows
from ..swings.feet import FootTargets
from ..swings.hand_over import FootHold
from ..times.source import SourcePoses
from .limits import ROLLING
from .settling import find_farthest, settle_legs


@dataclass(frozen=True)
class RollTrack:
    """How feet are led over their prints, on a grid of G times.

    Attributes
    ----------
    grid
        The times.
    shifts
        Way of each foot along and across its print, in the axes of its footbase, metres, shape
        (G, L, 2).
    """

    grid: TimeGrid
    shifts: FloatArray

    def lead(self, times: FloatArray, targets: FootTargets) -> FootTargets:
        """Feet (N, L) at times (N,), led."""
        shifts = self.grid.sample(self.shifts, times)
        flat = rot.pack(shifts[..., 0], shifts[..., 1], np.zeros(shifts.shape[:-1]))
        away = rot.rotate(targets.frames, flat)
        return replace(targets, footbases=targets.footbases + away, ankles=targets.ankles + away)


def plan_rolls(
    tables: MotionTables,
    grid: TimeGrid,
    span: tuple[float, float],
    walk: tuple[SourcePoses, StepStates, FootTargets],
    placed: tuple[FloatArray, FloatArray],
    holds: Sequence[FootHold],
    method: str,
) -> RollTrack | None:
    """Feet led by what their skin would slip while they bear.

    Parameters
    ----------
    tables
        The motions.
    grid, span
        Times of what follows, G of them, and seconds from and to which feet are asked for.
    walk
        Blended poses, steps and feet.
    placed
        World poses of the bones that carry the legs, with the hips already moved, metres, shapes
        (G, K, 4) and (G, K, 3).
    holds
        Feet that poses beside the walk hold: these are not led.
    method
        How limits of joints are kept, see `solve_legs`.

    Returns
    -------
    RollTrack or None
        None where no foot has a mesh.
    """
    rig = tables.small_rig
    if all(leg.hull is None for leg in rig.legs):
        return None
    rows = _choose_rows(grid, span, walk[1].in_contact)
    grid = TimeGrid(float(grid.times[rows[0]]), grid.interval, len(rows))
    source, states, targets = _take_walk(walk, rows)
    positions = placed[1][rows]
    shifts = np.zeros((len(rows), len(rig.legs), 2))
    for leg, own in enumerate(rig.legs):
        # In flight nothing bears, and nothing is asked of the leg.
        bearing = states.in_contact[:, leg]
        if own.hull is None or not np.any(bearing):
            continue
        own_source, own_states, asked = _take_walk(walk, rows[bearing])
        turns, places = (poses[rows[bearing]] for poses in placed)
        _, legs = settle_legs(tables, own_source, asked, turns, places, method, (leg,))
        poses = legs.rotations, legs.positions
        points = _see_from_prints(own.hull, *poses, own_states.pick(leg), asked.frames[:, leg])
        made_up = _make_up(points, states.pick(leg), rig.leg_length)
        farthest = find_farthest(tables, source, targets, positions, leg)
        hips = positions[:, own.joints[0]]
        shifts[:, leg] = _keep_within(made_up, targets, leg, hips, farthest)
    for hold in holds:
        shifts[:, hold.leg] *= 1.0 - hold.find_shares(grid.times)[:, None]
    return RollTrack(grid, shifts)


def _choose_rows(grid: TimeGrid, span: tuple[float, float], bears: np.ndarray) -> np.ndarray:
    """Samples of a grid between seconds, with all of the contacts of legs (G, L) at both ends."""
    first, last = (int(row) for row in grid.locate(np.array(span))[0])
    starts, ends = [first], [last + 1]
    for leg in bears.T:
        before, after = np.flatnonzero(leg[: first + 1]), np.flatnonzero(leg[last:])
        if len(before):
            free = np.flatnonzero(~leg[: before[-1] + 1])
            starts.append(int(free[-1]) + 1 if len(free) else 0)
        if len(after):
            free = np.flatnonzero(~leg[last + after[0] :])
            ends.append(last + int(after[0] + free[0]) - 1 if len(free) else grid.count - 1)
    start, end = min(starts), max(ends)
    return np.arange(min(start, end - 1), end + 1)


def _take_walk(
    walk: tuple[SourcePoses, StepStates, FootTargets], rows: np.ndarray
) -> tuple[SourcePoses, StepStates, FootTargets]:
    """Poses, steps and feet of some samples."""
    feet = FootTargets(**{f.name: getattr(walk[2], f.name)[rows] for f in fields(walk[2])})
    return take_rows(walk[0], rows), take_rows(walk[1], rows), feet


def _see_from_prints(
    hull: FootHull,
    rotations: FloatArray,
    positions: FloatArray,
    steps: StepStates,
    frames: FloatArray,
) -> FloatArray:
    """Points of a foot (N, P, 3) from its prints, in their frames (N, 4)."""
    prints = np.where((steps.flight >= 1.0)[:, None], steps.ahead, steps.behind)
    return hull_points_from_ground(hull, rotations, positions, frames, prints)


def _make_up(points: FloatArray, steps: StepStates, leg_length: float) -> FloatArray:
    """Shifts (G, 2) that make up for slips of a foot's points (N, P, 3) at the samples that bear."""
    bears = steps.in_contact
    seen = np.zeros((len(bears), *points.shape[1:]))
    seen[bears] = points
    slips = measure_slips(seen, bears, ROLLING.bearing * leg_length)
    near = _keep_near(-slips, bears, ROLLING.most * leg_length)
    return _bridge(near, bears, steps.flight)


def _keep_within(
    shifts: FloatArray, targets: FootTargets, leg: int, hips: FloatArray, farthest: FloatArray
) -> FloatArray:
    """Shifts (G, 2), shortened where ankles would be farther from their hips (G, 3) than given (G,)."""
    flat = rot.pack(shifts[:, 0], shifts[:, 1], np.zeros(len(shifts)))
    ways = rot.rotate(targets.frames[:, leg], flat)
    away = targets.ankles[:, leg] - hips
    # The share at which the way leaves the ball around the hip, in which it begins.
    square, half = rot.dot(ways, ways), rot.dot(ways, away)
    room = farthest**2 - rot.dot(away, away)
    share = (np.sqrt(half**2 + square * room) - half) / np.maximum(square, 1e-18)
    return shifts * np.minimum(share, 1.0)[:, None]


def _keep_near(shifts: FloatArray, bears: np.ndarray, limit: float) -> FloatArray:
    """Shifts (G, 2) of contacts, zero in the mean of each, and nowhere beyond a limit."""
    near = np.zeros_like(shifts)
    rows = np.flatnonzero(bears)
    if len(rows) == 0:
        return near
    first = np.flatnonzero(np.diff(rows, prepend=rows[0] - 2) > 1)
    counts = np.diff(np.append(first, len(rows)))
    means = np.add.reduceat(shifts[rows], first) / counts[:, None]
    away = shifts[rows] - np.repeat(means, counts, axis=0)
    most = np.maximum.reduceat(np.hypot(*away.T), first)
    shares = np.minimum(limit / np.maximum(most, 1e-12), 1.0)
    near[rows] = away * np.repeat(shares, counts)[:, None]
    return near


def _bridge(shifts: FloatArray, bears: np.ndarray, flight: FloatArray) -> FloatArray:
    """Shifts (G, 2) that go over in flight from one contact to the next, of which both are known."""
    count = len(shifts)
    if not np.any(bears):
        return shifts
    rows = np.arange(count)
    before = np.maximum.accumulate(np.where(bears, rows, -1))
    after = np.minimum.accumulate(np.where(bears, rows, count)[::-1])[::-1]
    # Before the first contact and after the last there is one only.
    start, end = np.where(before < 0, after, before), np.where(after == count, before, after)
    share = rot.step_quintic(flight)[:, None]
    return np.where(bears[:, None], shifts, shifts[start] + (shifts[end] - shifts[start]) * share)
