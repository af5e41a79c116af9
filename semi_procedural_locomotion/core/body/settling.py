# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet set down on their skin as the solved legs bend it (numpy only).

Skin of a foot that hangs on its shin, too, is known only once the leg is solved: a leg that is bent
otherwise than in its clip lifts or lowers it, and moves it along (docs/method/body.md, Settling).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import MotionTables
from ..rig.footpoints import compute_footbases, compute_standing_points
from ..rig.reach import compute_comfortable_reaches
from ..rig.structure import Rig
from ..swings.feet import FootTargets
from ..times.source import SourcePoses
from .legs import SolvedLegs, solve_legs
from .limits import SETTLING


def settle_legs(
    tables: MotionTables,
    source: SourcePoses,
    targets: FootTargets,
    rotations: FloatArray,
    positions: FloatArray,
    method: str,
    only: Sequence[int] | None = None,
) -> tuple[FootTargets, SolvedLegs]:
    """Legs solved, with feet moved until their meshes stand where they were asked to.

    Parameters
    ----------
    tables, source, targets
        The motions, and blended poses and feet at the same N times.
    rotations, positions
        World poses of the bones that carry the legs, with the hips already moved, metres, shapes
        (N, K, 4) and (N, K, 3).
    method
        How limits of joints are kept, see `solve_legs`.
    only
        Legs that are asked for, see `solve_legs`; None for all.

    Returns
    -------
    targets, legs
        The moved feet, and the legs that reach them.
    """
    rig = tables.small_rig
    hung = [leg for leg in rig.hung_legs if only is None or leg in only]
    placed = rotations, positions, method
    legs = solve_legs(tables, source.legs, targets, *placed, hung or only)
    if not hung:
        return targets, legs
    asked = {leg: _find_asked(tables, source, targets, leg) for leg in hung}
    farthest = {leg: find_farthest(tables, source, targets, positions, leg) for leg in hung}
    settled, shares = targets, np.ones(targets.ankles.shape[:2])
    missing, before = np.zeros_like(targets.ankles), None
    for done in range(1, SETTLING.passes + 1):
        ankles, poses = targets.ankles.copy(), (legs.rotations, legs.positions)
        for leg in hung:
            frames = targets.frames[:, leg]
            points = compute_standing_points(rig, leg, *poses, frames)
            missing[:, leg] = asked[leg] - _find_bearing(rig, leg, points, frames)
        if before is not None:
            shares = _find_shares(shares, before, missing)
        for leg in hung:
            ankle = legs.positions[:, rig.legs[leg].ankle] + shares[:, leg, None] * missing[:, leg]
            hips = positions[:, rig.legs[leg].joints[0]]
            ankles[:, leg] = _draw_in(ankle, hips, farthest[leg])
        before = missing.copy()
        settled = replace(targets, ankles=ankles)
        # Only of the last pass all is asked.
        bent = only if done == SETTLING.passes else hung
        legs = solve_legs(tables, source.legs, settled, *placed, bent)
    return settled, legs


def _find_shares(shares: FloatArray, before: FloatArray, missing: FloatArray) -> FloatArray:
    """Shares (N, L) of what is missing (N, L, 3) that ankles go, by what the last share brought.

    Skin that goes more than its foot overshoots, what goes less lags behind (Aitken's relaxation).
    """
    change = missing - before
    along = -np.sum(before * change, axis=-1) / np.maximum(np.sum(change**2, axis=-1), 1e-18)
    return np.clip(shares * along, SETTLING.least_share, SETTLING.most_share)


def _find_asked(
    tables: MotionTables,
    source: SourcePoses,
    targets: FootTargets,
    leg: int,
) -> FloatArray:
    """Where the bearing of a foot shall be (N, 3), known from its skin as the motions bend it."""
    rig, poses = tables.small_rig, source.legs
    ankle = rig.legs[leg].ankle
    turns = rot.multiply(targets.rotations[:, leg], rot.conjugate(poses.rotations[:, ankle]))
    away = poses.positions - poses.positions[:, ankle, None]
    points = compute_standing_points(
        rig,
        leg,
        rot.multiply(turns[:, None], poses.rotations),
        rot.rotate(turns[:, None], away),
        targets.frames[:, leg],
        blend_constants(source.weights, tables.cycles.skin_shares),
    )
    bearing = _find_bearing(rig, leg, points, targets.frames[:, leg])
    return np.asarray(bearing + targets.ankles[:, leg])


def _find_bearing(rig: Rig, leg: int, points: FloatArray, frames: FloatArray) -> FloatArray:
    """What of a foot shall be where it is asked for (N, 3), of its sole points (N, 3, 3).

    Its heel; of the end of a shin, which turns otherwise than it was asked to, its footbase.
    """
    if rig.skeleton.is_own[rig.legs[leg].ankle]:
        return points[:, 0]
    soles = rot.rotate(rot.conjugate(frames)[:, None], points)
    length, share = float(rig.foot_lengths[leg]), float(rig.ball_shares[leg])
    bases, _ = compute_footbases(soles, np.array([1.0, 0.0, 0.0]), length, share)
    return rot.rotate(frames, bases)


def find_farthest(
    tables: MotionTables,
    source: SourcePoses,
    targets: FootTargets,
    positions: FloatArray,
    leg: int,
) -> FloatArray:
    """How far from its hip an ankle may be asked for, metres, (N,): soft reach shortens it little."""
    joints, length = tables.small_rig.legs[leg].joints, tables.small_rig.legs[leg].length
    asked = rot.lengths(targets.ankles[:, leg] - positions[:, joints[0]])
    if tables.small_rig.legs[leg].detached:
        return np.maximum(asked, float(tables.leg_rows.longest[leg]))
    places = source.legs.positions
    own = rot.lengths(places[:, joints[-1]] - places[:, joints[0]])
    return np.maximum(asked, compute_comfortable_reaches(own, length) + SETTLING.beyond * length)


def _draw_in(ankles: FloatArray, hips: FloatArray, farthest: FloatArray) -> FloatArray:
    """Ankles (N, 3) drawn towards their hips (N, 3) until they are no farther away than given (N,)."""
    away = ankles - hips
    size = np.maximum(rot.lengths(away), 1e-12)
    return np.asarray(hips + away * np.minimum(farthest / size, 1.0)[:, None])
