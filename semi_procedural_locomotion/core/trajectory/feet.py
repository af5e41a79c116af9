# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet seen from the ground under them (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..motions.posing import blend_constants
from ..motions.tables import MotionTables
from ..rig.footpoints import compute_sole_points
from ..rig.hulls import FootHull, hull_points_from_poses
from ..rig.limits import FOOTBASE
from ..swings.feet import FootTargets
from ..times.source import SourcePoses

# Directions about the left of a foot in which it touches something first: on its tip with its upper side.
_OUT = np.linspace(-np.pi, np.pi, 16, endpoint=False)
# Share of the foot's length by which points that are as far out may differ.
_SAME = 1e-6


@dataclass(frozen=True)
class GroundedFeet:
    """One foot at N times, from its ankle in the frame of its ground, metres.

    Attributes
    ----------
    points
        That can bear, ahead and above, shape (N, P, 2).
    bearings
        Where these are on the ground that the foot has rolled over, shape (N, P).
    widths
        See `find_rocks`, shape (N,).
    hull
        Outermost points of the foot, shape (N, H, 3).
    hull_heights
        Of these over the footbase, shape (N, H).
    rises
        Of the ball over the heel, radians, shape (N,).
    """

    points: FloatArray
    bearings: FloatArray
    widths: FloatArray
    hull: FloatArray
    hull_heights: FloatArray
    rises: FloatArray


def ground_feet(
    tables: MotionTables,
    source: SourcePoses,
    targets: FootTargets,
    leg: int,
    rows: np.ndarray | slice = slice(None),
) -> GroundedFeet:
    """See a foot from the ground under it.

    Parameters
    ----------
    tables, source, targets
        The motions, and blended poses and feet at the same times.
    leg
        Which leg.
    rows
        Which of the times.
    """
    rig, poses = tables.small_rig, source.legs
    own, stiff = rig.legs[leg], rig.stiff_hulls[leg]
    frames, held = targets.frames[rows, leg], targets.rotations[rows, leg]
    turns, places = poses.rotations[rows], poses.positions[rows]
    ankles = places[:, own.ankle, None]
    into_foot = rot.multiply(held, rot.conjugate(turns[:, own.ankle]))
    into_frame = rot.multiply(rot.conjugate(frames), into_foot)[:, None]
    length = float(rig.foot_lengths[leg])
    seen = compute_sole_points(own, turns, places)
    ahead = rot.rotate(into_frame, seen)
    ahead = ahead[:, 1] - ahead[:, 0]
    bearings = length * np.array([0.0, rig.ball_shares[leg], 1.0])
    if own.hull is not None and stiff is not None:
        seen = hull_points_from_poses(stiff, turns, places)
        # Skin that hangs on the shin, too, is where the motions bend it: a heel of it bears there.
        bent = blend_constants(source.weights[rows], tables.cycles.skin_shares)[:, None, None]
        seen = seen + bent * (hull_points_from_poses(own.hull, turns, places) - seen)
        bearings = own.hull.bearings[:, 0]
    points = rot.rotate(into_frame, seen - ankles)
    outer = choose_outermost(rig.hulls[leg])
    hull = rot.rotate(into_frame, hull_points_from_poses(outer, turns, places) - ankles)
    bases = rot.rotate(
        rot.conjugate(frames), targets.footbases[rows, leg] - targets.ankles[rows, leg]
    )
    count = len(hull)
    return GroundedFeet(
        points[..., [0, 2]],
        np.broadcast_to(bearings, (count, len(bearings))),
        np.full(count, FOOTBASE.soft_width * length),
        hull,
        hull[..., 2] - bases[:, None, 2],
        np.arctan2(ahead[:, 2], np.hypot(ahead[:, 0], ahead[:, 1])),
    )


def choose_outermost(hull: FootHull) -> FootHull:
    """The points of a hull that are the furthest in some direction along the foot.

    Of points to the left and right that are as far out both are taken: feet are mirror images.
    """
    far = hull.places[:, [0, 2]] @ np.stack([np.cos(_OUT), np.sin(_OUT)])
    near = far.max(axis=0) - _SAME * np.ptp(hull.places[:, 0])
    return hull.select(np.flatnonzero((far >= near).any(axis=1)))
