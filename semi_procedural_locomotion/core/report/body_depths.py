# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep legs and trunk are in the ground in what the scene shows (numpy only)."""

from __future__ import annotations

import numpy as np

from ..ground.interface import Ground
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from ..rig.structure import Leg, Rig
from .heights import measure_beside, measure_heights
from .limits import SHOWN_BODY
from .shown import ShownWalk


def measure_body_depths(rig: Rig, shown: ShownWalk, ground: Ground) -> FloatArray:
    """Depth in the ground of each leg between hip and ankle, and of the trunk, metres, (N, L + 1).

    Legs are as thick as their mesh, the trunk hangs as low; lines where no mesh is known. How deep
    something is in an edge is the shortest way out of it, up or to the side.
    """
    floors = np.stack(
        [shown.bones.place_hull(rig, i)[..., 2].min(axis=1) for i in range(len(rig.legs))], axis=1
    )
    columns = []
    for index, leg in enumerate(rig.legs):
        points = place_leg_skin(leg, shown.bones.place_joints(rig, leg.joints))
        columns.append(_measure_depths(points, shown.times, ground, rig, floors[:, index]))
    hips = shown.bones.place_joints(rig, [leg.joints[0] for leg in rig.legs])
    along = np.array(SHOWN_BODY.along)[:, None]
    trunk = hips[:, :, None] + along * (np.roll(hips, -1, axis=1) - hips)[:, :, None]
    trunk = trunk.reshape(len(hips), -1, 3) - rig.belly * rot.UP
    columns.append(_measure_depths(trunk, shown.times, ground, rig, floors.min(axis=1)))
    return np.stack(columns, axis=1)


def place_leg_skin(leg: Leg, joints: FloatArray) -> FloatArray:
    """Places on the skin about the bones of a leg, metres, shape (N, P, 3).

    Above and below the bone, and on its sides. What is nearer to the ankle than a limb is thick is skin
    of the foot, which is measured by its own hull.

    Parameters
    ----------
    leg
        The leg, whose girths are those of its mesh; bare bones where it has none.
    joints
        Hip .. ankle, world, metres, shape (N, K, 3).
    """
    ways = np.diff(joints, axis=1)
    sizes = rot.lengths(ways)
    along = np.array(SHOWN_BODY.along)
    axes = joints[:, :-1, None] + along[:, None] * ways[:, :, None]
    girths = np.array(leg.girths or np.zeros(len(leg.joints) - 1))
    radii = np.minimum(girths, SHOWN_BODY.stout * sizes)
    radii = np.minimum(radii[..., None], rot.lengths(joints[:, None, None, -1] - axes))
    steady = np.broadcast_to(np.array([1.0, 0.0, 0.0]), ways.shape)
    level = rot.cross(ways, np.broadcast_to(rot.UP, ways.shape))
    upright = rot.lengths(level) < SHOWN_BODY.upright * sizes
    level = rot.normalize(np.where(upright[..., None], steady, level))
    other = rot.normalize(rot.cross(ways, level))
    around = np.stack([level, -level, other, -other], axis=2)
    points = axes[:, :, :, None] + radii[..., None, None] * around[:, :, None]
    return np.asarray(points.reshape(len(joints), -1, 3))


def _measure_depths(
    points: FloatArray, times: FloatArray, ground: Ground, rig: Rig, floors: FloatArray
) -> FloatArray:
    """Depth of the deepest of points (N, P, 3) at each time, metres, (N,).

    Floors (N,) are the world z, metres, that the feet are at.
    """
    depths = np.zeros(points.shape[:2])
    near = np.ones(depths.shape, dtype=bool)
    if not ground.moving_surfaces():
        near = points[..., 2] < ground.height_limits()[1]
    rows, columns = np.nonzero(near)
    if len(rows) == 0:
        return depths.max(axis=1)
    asked, when, level = points[rows, columns], times[rows], floors[rows]
    heights, _ = measure_heights(asked, when, ground, rig.leg_length, level)
    deep = np.flatnonzero(heights < 0.0)
    found = np.zeros(len(rows))
    found[deep] = shorten_depths(
        asked[deep], -heights[deep], when[deep], ground, rig.leg_length, level[deep]
    )
    depths[rows, columns] = found
    return np.asarray(depths.max(axis=1))


def shorten_depths(
    points: FloatArray,
    depths: FloatArray,
    times: FloatArray,
    ground: Ground,
    length: float,
    floors: FloatArray,
) -> FloatArray:
    """Depths by the shortest way out of the ground, straight up or straight to a side, metres, (n,).

    Parameters
    ----------
    points
        World, metres, shape (n, 3).
    depths
        How far they are below the ground, metres, shape (n,).
    times
        Seconds, shape (n,).
    ground, length
        What they are in, and L in metres.
    floors
        World z that their feet are at, metres, shape (n,).
    """
    shortest = depths.copy()
    for way in sorted(SHOWN_BODY.ways_out, reverse=True):
        rows = np.flatnonzero(shortest > way * length)
        if len(rows) == 0:
            continue
        aside = way * length, SHOWN_BODY.sides
        heights = measure_beside(points[rows], aside, times[rows], ground, length, floors[rows])
        free = (np.nan_to_num(heights, nan=1.0) >= 0.0).any(axis=1)
        shortest[rows[free]] = way * length
    return shortest
