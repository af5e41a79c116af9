# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far feet are turned flat, so that their legs need not fold as far (numpy only).

A foot that hangs with its heel up holds its ankle high: turned flat about what bears it, or in the air
about its ball, it takes the ankle away from the hip (docs/method/swings.md, Folding).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ..body.hips import find_folded
from ..ground.interface import Ground
from ..ground.soles import STARTS, cast_soles, start_over_prints
from ..maths import rotations as rot
from ..maths.grid import TimeGrid
from ..maths.rotations import FloatArray
from ..maths.smoothing import blur_hann, find_sliding_maximum
from ..motions.tables import MotionTables
from ..prints.states import StepStates
from ..rig.ik_chain import measure_shortest
from ..rig.structure import Rig
from ..times.source import SourcePoses
from .ankles import HeldFoot
from .feet import FootTargets
from .limits import CLEARANCE, FOLDS

_SHARES = np.linspace(0.0, FOLDS.flattest, FOLDS.tries)


@dataclass(frozen=True)
class FlexTrack:
    """How far feet are turned flat over time, on a grid of G times.

    Attributes
    ----------
    grid
        The times.
    shares
        Share of the foot's pitch that is taken out, 0 to 1, shape (G, L).
    """

    grid: TimeGrid
    shares: FloatArray

    def read(self, times: FloatArray) -> FloatArray:
        """Shares at times (N,), shape (N, L)."""
        return np.clip(self.grid.sample_smooth(self.shares, times), 0.0, 1.0)


def plan_flexes(
    tables: MotionTables,
    walked: tuple[SourcePoses, StepStates, FootTargets],
    hips: FloatArray,
    grid: TimeGrid,
    ground: Ground,
) -> FlexTrack:
    """How far the feet of all legs are turned flat.

    Parameters
    ----------
    tables
        The motions.
    walked
        Blended poses, steps and feet at the G times of the grid.
    hips
        World positions of the hip joints there, metres, shape (G, L, 3).
    grid
        Those times.
    ground
        What feet that are turned flat shall not be in.
    """
    period = tables.cycles.slowest_period / grid.interval
    widths = max(round(FOLDS.ease * period), 1), max(round(FOLDS.kept * period), 1)
    shares = np.zeros((grid.count, hips.shape[1]))
    for index in range(hips.shape[1]):
        tries = _try_flexes(tables, walked, hips[:, index], grid, ground, index)
        if tries is not None:
            shares[:, index] = _choose_shares(tries, grid.count, widths)
    return FlexTrack(grid, shares)


@dataclass(frozen=True)
class _Tries:
    """A foot turned flat by all of `_SHARES` in n instants of the grid, whose rows are ``rows`` (n,).

    ``reaches`` (n, S) are distances from hip to ankle, ``asked`` (n,) those that are wanted, metres;
    ``fits`` (n, S) tells which shares can be taken, each with all smaller ones.
    """

    rows: np.ndarray
    reaches: FloatArray
    asked: FloatArray
    fits: np.ndarray

    def read_reaches(self, shares: FloatArray) -> FloatArray:
        """Distances at shares (n,), metres, (n,)."""
        place = shares / _SHARES[1]
        low = np.minimum(place.astype(np.intp), len(_SHARES) - 2)
        rows = np.arange(len(place))
        before, after = self.reaches[rows, low], self.reaches[rows, low + 1]
        return np.asarray(before + (place - low) * (after - before))

    def find_needed(self, least: FloatArray) -> FloatArray:
        """Smallest shares (n,), from the least on, that reach as far as asked, or farthest."""
        enough = (self.reaches >= self.asked[:, None]) & self.fits & (least[:, None] <= _SHARES)
        reached = enough.any(axis=1)
        farthest = np.where(self.fits, self.reaches, -np.inf).argmax(axis=1)
        first = np.where(reached, enough.argmax(axis=1), farthest)
        rows, before = np.arange(len(first)), np.maximum(first - 1, 0)
        left = self.asked - self.reaches[rows, before]
        span = self.reaches[rows, first] - self.reaches[rows, before]
        part = np.divide(left, span, out=np.ones_like(left), where=reached & (span > 0.0))
        return (before + np.clip(part, 0.0, 1.0) * (first - before)) * _SHARES[1]


def _try_flexes(
    tables: MotionTables,
    walked: tuple[SourcePoses, StepStates, FootTargets],
    hips: FloatArray,
    grid: TimeGrid,
    ground: Ground,
    index: int,
) -> _Tries | None:
    """The foot of one leg, whose hip is at (G, 3), in its steps that fold it too far; None for none."""
    source, states, targets = walked
    rig, poses, steps = tables.small_rig, source.legs, states.steps[:, index]
    leg, joints = rig.legs[index], np.array(rig.legs[index].joints, dtype=np.intp)
    rolling = find_rolling(states, index) & (len(joints) > 2)
    reach = rot.lengths(targets.ankles[:, index] - hips)
    own = rot.lengths(poses.positions[:, joints[-1]] - poses.positions[:, joints[0]])
    folded = find_folded(tables, own[:, None], grid.interval)[:, index]

    def ask(rows: np.ndarray) -> FloatArray:
        """Least distances of ankle and hip in some of the instants."""
        hinge = rot.rotate(poses.rotations[rows, joints[0]], leg.hinge)
        bends, points = tables.leg_rows.most_bends[index], poses.positions[np.ix_(rows, joints)]
        tight = measure_shortest(points, hinge, bends) + FOLDS.margin * leg.length
        return np.maximum(np.minimum(tight, own[rows]), folded[rows])

    rows = np.flatnonzero(rolling & (reach < np.minimum(own, FOLDS.looked_at * leg.length)))
    rows = rows[reach[rows] < ask(rows)] if len(rows) else rows
    if len(rows) == 0:
        return None
    rows = np.flatnonzero(rolling & np.isin(steps, steps[rows]))
    foot = HeldFoot.read(rig, source, states, targets, index, rows)
    turned = [foot.flatten(np.full(len(rows), share)) for share in _SHARES]
    reaches = np.stack([rot.lengths(ankles - hips[rows]) for ankles, _ in turned], axis=1)
    asked = ask(rows)
    longest = np.maximum(FOLDS.longest * leg.length, reach[rows] + FOLDS.stretch * leg.length)
    # One whose heel hangs is left as it is by any share.
    fits = (reaches <= longest[:, None]) | (foot.pitch >= 0.0)[:, None]
    points = np.stack([foot.place(*placed) for placed in turned], axis=1)
    # The heel goes down and the toe ahead, over the next tread; the others can be in no more ground.
    moves = points[:, -1] - points[:, 0]
    ahead = rot.rotate(rot.conjugate(foot.frames)[:, None], moves)[..., 0]
    points = points[:, :, ((moves[..., 2] < 0.0) | (ahead > 0.0)).any(axis=0)]
    fits &= _find_clear(
        points, states, index, rows, grid.times[rows], ground, tables.rig.leg_length
    )
    fits[:, 0] = True
    fits = np.logical_and.accumulate(fits, axis=1)
    # A foot that hangs ahead of its hip may only come nearer to it as it is turned flat.
    farthest = np.where(fits, reaches, -np.inf).max(axis=1, keepdims=True)
    harmless = reaches >= np.minimum(reaches[:, :1], asked[:, None])
    fits &= harmless | (farthest > reaches[:, :1])
    return _Tries(rows, reaches, asked, np.logical_and.accumulate(fits, axis=1))


def _find_clear(
    points: FloatArray,
    states: StepStates,
    index: int,
    rows: np.ndarray,
    times: FloatArray,
    ground: Ground,
    length: float,
) -> np.ndarray:
    """Whether feet (n, S, P, 3) are no deeper in the ground than the first of each instant, (n, S).

    Where no point comes below the higher ground of its first and its last place there is nothing to ask
    between them: the ground is asked twice for nearly all instants, not S times.
    """
    if points.shape[2] == 0:
        return np.ones(points.shape[:2], dtype=bool)
    behind, ahead = states.behind[rows, index], states.ahead[rows, index]
    tops = start_over_prints(behind, ahead, length)

    def cast(shares: slice, chosen: np.ndarray) -> FloatArray:
        """World z of the ground under the points in some of the instants, metres, (c, s, P)."""
        starts, when = tops[chosen, None, None], times[chosen, None, None]
        floors = starts - STARTS.over_prints * length
        hits = cast_soles(ground, points[chosen, shares], starts, when, floors=floors)
        return hits.fill(-CLEARANCE.void * length)

    ends = slice(None, None, points.shape[1] - 1)
    heights, under = points[..., 2], cast(ends, np.arange(len(rows)))
    depths = np.full(points.shape[:2], -np.inf)
    depths[:, ends] = (under - heights[:, ends]).max(axis=-1)
    allowed = np.maximum(depths[:, :1], -FOLDS.clear * length) + FOLDS.touching * length
    deepest = under.max(axis=1) - heights.min(axis=1)
    doubtful = np.flatnonzero((deepest > allowed).any(axis=1))
    inner = slice(1, -1)
    depths[doubtful, inner] = (cast(inner, doubtful) - heights[doubtful, inner]).max(axis=-1)
    return np.asarray(depths <= allowed)


def _choose_shares(tries: _Tries, count: int, widths: tuple[int, int]) -> FloatArray:
    """Shares over the grid of ``count`` times, smooth over so many of them, (count,)."""
    ease, kept = widths
    shares, needed, most = np.zeros(count), np.zeros(count), np.zeros(count)
    most[tries.rows] = _SHARES[tries.fits.sum(axis=1) - 1]
    most = -blur_hann(find_sliding_maximum(-most, kept), kept)
    # On its way past the hip a foot that is turned flat may come nearer before it gets away.
    for _ in range(FOLDS.passes):
        given = shares[tries.rows]
        near = tries.read_reaches(given) < tries.asked
        if not np.any(near):
            break
        found = np.where(near, tries.find_needed(given), 0.0)
        needed[tries.rows] = np.maximum(needed[tries.rows], found)
        shares = np.minimum(blur_hann(find_sliding_maximum(needed, ease), ease), most)
    return shares


def flex_ankles(
    rig: Rig,
    source: SourcePoses,
    states: StepStates,
    flexes: FloatArray,
    targets: FootTargets,
) -> FootTargets:
    """Feet turned flat about where they bear.

    Parameters
    ----------
    rig, source, states
        The bones that carry the legs, the blended poses and the steps at N times.
    flexes
        Share of the pitch of each foot that is taken out, shape (N, L).
    targets
        The feet.
    """
    ankles, rotations = targets.ankles, targets.rotations
    for index in range(flexes.shape[1]):
        rows = np.flatnonzero((flexes[:, index] > FOLDS.none) & find_rolling(states, index))
        if len(rows) == 0:
            continue
        if ankles is targets.ankles:
            ankles, rotations = ankles.copy(), rotations.copy()
        foot = HeldFoot.read(rig, source, states, targets, index, rows)
        ankles[rows, index], rotations[rows, index] = foot.flatten(flexes[rows, index])
    return replace(targets, ankles=ankles, rotations=rotations)


def find_rolling(states: StepStates, index: int) -> np.ndarray:
    """Whether the foot of a leg is on its way from lift to land, shape (N,)."""
    roll = states.roll_share[:, index]
    return np.asarray((roll > 0.0) & (roll < 1.0) & ~states.standing[:, index])
