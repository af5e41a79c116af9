# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sole points of posed feet, their weights, and the footbase (numpy only).

The *footbase* is one point that stands for the foot: the heel end of the sole, carried by whichever
of heel, ball and toe tip bears the weight. It stays put through a whole roll from heel to toe.
"""

from __future__ import annotations

import numpy as np

from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .hulls import hull_points_from_ground
from .limits import FOOTBASE
from .structure import Leg, Rig


def compute_sole_points(leg: Leg, rotations: FloatArray, positions: FloatArray) -> FloatArray:
    """Heel, ball and toe tip of posed feet.

    Parameters
    ----------
    leg
        The leg; its sole points name bones of the arrays' second axis.
    rotations, positions
        Global poses in any one space, shapes (S, B, 4) and (S, B, 3).

    Returns
    -------
    array, shape (S, 3, 3)
        Points in the order heel, ball, toe tip; components last.
    """
    points = [positions[:, s.bone] + rot.rotate(rotations[:, s.bone], s.offset) for s in leg.soles]
    return np.stack([np.moveaxis(p, -1, 0) for p in points], axis=1).transpose(2, 1, 0)


def compute_standing_points(
    rig: Rig,
    leg: int,
    rotations: FloatArray,
    positions: FloatArray,
    frames: FloatArray,
    shares: float | FloatArray = 1.0,
) -> FloatArray:
    """Sole points of posed feet, moved together until their footbase is that of the foot's mesh.

    Three points on the middle line of a sole do not know that a heel is round, nor that a hoof stands
    on its edge (docs/method/rig.md, Footbase).

    Parameters
    ----------
    rig, leg
        The character, and which leg; without a mesh its points are those of `compute_sole_points`.
    rotations, positions
        Global poses in any one space, shapes (S, B, 4) and (S, B, 3).
    frames
        Of the ground under each foot: x from heel to toe as it stands, z up, shape (S, 4) or (4,).
    shares
        How far skin that hangs on a shin, too, goes with it, 0 to 1, shape (S,) or one for all: not
        where the shin will be turned otherwise than in these poses.

    Returns
    -------
    array, shape (S, 3, 3)
        Points in the order heel, ball, toe tip; components last.
    """
    points = compute_sole_points(rig.legs[leg], rotations, positions)
    hull, stiff = rig.legs[leg].hull, rig.stiff_hulls[leg]
    if hull is None or stiff is None:
        return points
    back, origins = rot.conjugate(frames)[..., None, :], points[:, 0]
    length, share = float(rig.foot_lengths[leg]), np.reshape(shares, (-1, 1, 1))
    outline = hull_points_from_ground(hull, rotations, positions, frames, origins)
    if stiff is not hull and np.any(share < 1.0):
        stiffly = hull_points_from_ground(stiff, rotations, positions, frames, origins)
        outline = share * outline + (1.0 - share) * stiffly
    soles = rot.rotate(back, points - origins[:, None])
    low = outline[..., 2].min(axis=1)
    loads = np.exp(-(outline[..., 2] - low[:, None]) / (FOOTBASE.soft_width * length))
    loads = loads / loads.sum(axis=1, keepdims=True)
    base = np.einsum("sp,spc->sc", loads, outline[..., :2]) - loads @ hull.bearings
    along = np.array([1.0, 0.0, 0.0])
    before, _ = compute_footbases(soles, along, length, float(rig.ball_shares[leg]))
    shifts = rot.pack(base[:, 0], base[:, 1], low) - before
    return np.asarray(points + rot.rotate(frames, shifts)[:, None])


def compute_sole_weights(heights: FloatArray, foot_length: float) -> FloatArray:
    """Shares of the weight that the sole points carry, by a soft minimum of their heights.

    Parameters
    ----------
    heights
        Heights of heel, ball and toe tip, metres, shape (..., 3).
    foot_length
        Heel to toe tip, metres.

    Returns
    -------
    array, shape (..., 3)
        Non-negative, sum 1 (docs/method/rig.md, Footbase).
    """
    low = np.minimum(np.minimum(heights[..., 0], heights[..., 1]), heights[..., 2])
    weights = np.exp(-(heights - low[..., None]) / (FOOTBASE.soft_width * foot_length))
    return weights / np.sum(weights, axis=-1, keepdims=True)


def compute_footbases(
    points: FloatArray, directions: FloatArray, foot_length: float, ball_share: float
) -> tuple[FloatArray, FloatArray]:
    """Footbases of posed feet.

    Parameters
    ----------
    points
        Heel, ball and toe tip, metres, shape (..., 3, 3), Z up.
    directions
        Horizontal unit vector from heel to toe, shape (..., 3) or (3,).
    foot_length
        Heel to toe tip, metres.
    ball_share
        Place of the ball between heel (0) and toe tip (1).

    Returns
    -------
    footbases
        Shape (..., 3): sum of w_i (p_i - a_i foot_length direction), a = (0, ball_share, 1).
    weights
        Shape (..., 3), see `compute_sole_weights`.
    """
    weights = compute_sole_weights(points[..., 2], foot_length)
    along = foot_length * (weights[..., 1] * ball_share + weights[..., 2])
    w = weights
    base = (
        w[..., 0, None] * points[..., 0, :]
        + w[..., 1, None] * points[..., 1, :]
        + w[..., 2, None] * points[..., 2, :]
    )
    base = base - along[..., None] * directions
    # The weighted height would lie above the lowest point, which then sinks in.
    low = np.minimum(np.minimum(points[..., 0, 2], points[..., 1, 2]), points[..., 2, 2])
    return rot.pack(base[..., 0], base[..., 1], low), weights


def correct_twists(
    points: FloatArray, angles: FloatArray, twists: FloatArray, foot_length: float
) -> FloatArray:
    """Twists of feet by the line on which they bear, where they bear on more than one point.

    A foot that rolls sideways and pitches at once turns the line of its sole by more than its bone
    turns about up. While the sole bears on two points, it is their line that must not turn.

    Parameters
    ----------
    points
        Heel, ball and toe tip, metres, shape (N, 3, 3), Z up.
    angles
        Direction heel to toe at stance, radians from +X, shape (N,).
    twists
        Turn of the foot's bone about up against its stance, radians, shape (N,).
    foot_length
        Heel to toe tip, metres.

    Returns
    -------
    array, shape (N,)
        Radians; ``twists`` where one point alone bears.
    """
    w = compute_sole_weights(points[..., 2], foot_length)
    rear, front = [0, 1, 0], [1, 2, 2]
    lines = points[:, front, :2] - points[:, rear, :2]
    line = np.einsum("np,npc->nc", w[:, rear] * w[:, front], lines)
    turn = rot.wrap_angles(np.arctan2(line[:, 1], line[:, 0]) - angles - twists)
    square = line[:, 0] ** 2 + line[:, 1] ** 2
    return twists + turn * square / (square + (FOOTBASE.sure_line * foot_length) ** 2)


def measure_slips(
    points: FloatArray, bears: np.ndarray, width: float, least: float = 0.0
) -> FloatArray:
    """How far what bears of a foot has moved since the start of each contact.

    Parameters
    ----------
    points
        Of the foot, from its print and in its axes, metres, shape (N, P, 3).
    bears
        When it is in contact, shape (N,) of bool.
    width
        Height over the lowest point at which one bears less by a factor of e, metres.
    least
        Count of lowest points that have to bear at two times on end; what less than that bears has
        rolled on meanwhile.

    Returns
    -------
    array, shape (N, 2)
        Along and across the print, metres; each point counts from one time to the next by the root of
        what it bears at both (docs/method/prints.md, Holding feet).
    """
    heights = points[..., 2]
    loads = np.exp(-(heights - heights.min(axis=1, keepdims=True)) / (2.0 * width))
    shared = loads[1:] * loads[:-1]
    total = np.maximum(shared.sum(axis=1), max(least, 1e-30))
    ways = np.einsum("np,npc->nc", shared, np.diff(points[..., :2], axis=0)) / total[:, None]
    ways[~(bears[1:] & bears[:-1])] = 0.0
    return np.concatenate([np.zeros((1, 2)), np.cumsum(ways, axis=0)])
