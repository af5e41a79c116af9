# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet with toes that reach down with their ball first where a step leads down far (numpy only).

A leg reaches farther with its foot pointed, so that the body need not sink as low over the other one;
the heel comes down as the weight does (docs/method/swings.md, Ball first).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import STRIKE, MotionTables
from ..prints.heels import share_balls
from ..prints.states import StepStates
from ..rig.footpoints import compute_sole_points
from ..rig.hulls import hull_points_from_poses
from ..rig.limits import FOOTBASE
from ..times.source import SourcePoses
from .feet import FootTargets
from .limits import TIPPING

# Axis about which a foot is pointed, in its print's frame.
_ACROSS = np.array([0.0, 1.0, 0.0])


def tip_feet(
    tables: MotionTables,
    source: SourcePoses,
    states: StepStates,
    targets: FootTargets,
    drops: Sequence[FloatArray],
) -> FootTargets:
    """Feet pointed where their step leads down; about what bears them, which stays where it is.

    Parameters
    ----------
    tables, source, states, targets
        The motions, and blended poses, steps and feet at the same N times.
    drops
        How far each step leads down, see `heels.measure_drops`.
    """
    for index, leg in enumerate(tables.small_rig.legs):
        own = states.pick(index)
        shares = measure_tips(own, drops[index][own.steps])
        rows = np.flatnonzero(shares > 0.0)
        if len(rows) and leg.toe is not None:
            targets = _tip_foot(tables, source, targets, index, rows, shares[rows])
    return targets


def _tip_foot(
    tables: MotionTables,
    source: SourcePoses,
    targets: FootTargets,
    index: int,
    rows: np.ndarray,
    shares: FloatArray,
) -> FootTargets:
    """Feet with that of one leg pointed in some frames, by shares (n,)."""
    rig, poses = tables.small_rig, source.legs
    leg, stiff = rig.legs[index], rig.stiff_hulls[index]
    frames, held = targets.frames[rows, index], targets.rotations[rows, index]
    turns, places = poses.rotations[rows], poses.positions[rows]
    into_foot = rot.multiply(held, rot.conjugate(turns[:, leg.ankle]))
    into_frame = rot.multiply(rot.conjugate(frames), into_foot)[:, None]
    soles = compute_sole_points(leg, turns, places)
    points = rot.rotate(into_frame, soles - places[:, leg.ankle, None])
    along = points[:, 1] - points[:, 0]
    pitch = np.arctan2(along[:, 2], np.hypot(along[:, 0], along[:, 1]))
    angles = shares * np.maximum(TIPPING.pitch + pitch, 0.0)
    turn = rot.quaternions_from_axis_angles(_ACROSS, angles)
    length = float(rig.foot_lengths[index])
    bearings = length * np.array([0.0, rig.ball_shares[index], 1.0])
    if leg.hull is not None and stiff is not None:
        seen = hull_points_from_poses(stiff, turns, places)
        # Skin that hangs on the shin, too, is where the motions bend it: a heel of it bears there.
        bent = blend_constants(source.weights[rows], tables.cycles.skin_shares)[:, None, None]
        seen = seen + bent * (hull_points_from_poses(leg.hull, turns, places) - seen)
        seen = seen - places[:, leg.ankle, None]
        points, bearings = rot.rotate(into_frame, seen), leg.hull.bearings[:, 0]
    width = FOOTBASE.soft_width * length
    pointed = rot.rotate(turn[:, None], points)
    moved = _find_bases(points, bearings, width) - _find_bases(pointed, bearings, width)
    shift = rot.rotate(frames, rot.pack(moved[:, 0], np.zeros(len(rows)), moved[:, 1]))
    ankles, rotations = targets.ankles.copy(), targets.rotations.copy()
    ankles[rows, index] += shift
    about = rot.multiply(rot.multiply(frames, turn), rot.conjugate(frames))
    rotations[rows, index] = rot.multiply(about, held)
    return replace(targets, ankles=ankles, rotations=rotations)


def measure_tips(states: StepStates, drops: FloatArray) -> FloatArray:
    """How far a foot is pointed for steps that lead down by drops (N,), 0 to 1, (N,)."""
    down = np.where(states.standing, 0.0, share_balls(drops))
    strike = states.key_times[:, STRIKE]
    coming = rot.step_quintic((states.flight - TIPPING.begins) / (1.0 - TIPPING.begins))
    left = TIPPING.lowered * np.maximum(1.0 - strike, 1e-6)
    lowering = 1.0 - rot.step_quintic((states.leg_times - strike) / left)
    return np.asarray(down * np.where(states.flight >= 1.0, lowering, coming))


def _find_bases(points: FloatArray, bearings: FloatArray, width: float) -> FloatArray:
    """How far ahead and how high the footbases of points (n, P, 3) are, metres, (n, 2)."""
    low = points[..., 2].min(axis=1)
    loads = np.exp(-(points[..., 2] - low[:, None]) / width)
    ahead = np.sum(loads * (points[..., 0] - bearings), axis=1)
    return np.stack([ahead / loads.sum(axis=1), low], axis=1)
