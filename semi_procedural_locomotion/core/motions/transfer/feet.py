# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles of one character moved as those of another (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.footpoints import compute_footbases, compute_sole_points
from ...rig.skeleton import compute_rest_poses
from ...rig.structure import Leg, Rig
from .limits import TRANSFER


@dataclass(frozen=True)
class SoleAxes:
    """Axes of the two parts of a sole in those of their bones: x to the front, z off the ground.

    Attributes
    ----------
    foot
        Of the part from heel to ball, in the axes of the ankle bone, shape (4,).
    toe
        Of the part from ball to toe tip, in the axes of the toe bone; None without one.
    """

    foot: FloatArray
    toe: FloatArray | None


def find_sole_axes(rig: Rig, leg: Leg) -> SoleAxes:
    """The axes of a leg's sole (docs/method/transfer.md, Feet)."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    points = compute_sole_points(leg, rotations[None], positions[None])[0]
    heel, ball, tip = points

    def find(part: FloatArray, bone: int) -> FloatArray:
        short = float(rot.lengths(part)) < TRANSFER.short_sole * leg.length
        ahead = rot.normalize(tip - heel if short else part)
        if float(np.hypot(ahead[0], ahead[1])) < TRANSFER.vertical:
            ahead = np.array([*rig.forward, 0.0])
        up = rot.normalize(rot.UP - ahead[2] * ahead)
        axes = np.stack([ahead, rot.cross(up, ahead), up], axis=-1)
        return rot.multiply(rot.conjugate(rotations[bone]), rot.quaternions_from_matrices(axes))

    return SoleAxes(
        find(ball - heel, leg.ankle), None if leg.toe is None else find(tip - ball, leg.toe)
    )


def read_yaws(soles: FloatArray) -> FloatArray:
    """Headings in radians of soles with axes ``soles`` (..., 4), steady however they pitch."""
    left = rot.rotate(soles, np.array([0.0, 1.0, 0.0]))
    return np.arctan2(-left[..., 0], left[..., 1])


@dataclass(frozen=True)
class FollowingFoot:
    """Where a foot goes.

    Attributes
    ----------
    rotations
        Of the ankle bone, shape (S, 4).
    toe_rotations
        Of the toe bone, shape (S, 4); None where nothing tells them.
    ankles
        Positions of the ankle, metres, shape (S, 3).
    """

    rotations: FloatArray
    toe_rotations: FloatArray | None
    ankles: FloatArray


def turn_foot(
    rig: Rig, leg: Leg, soles: FloatArray, toes: FloatArray | None
) -> tuple[FloatArray, FloatArray | None, FloatArray]:
    """A foot whose sole has given axes.

    Parameters
    ----------
    rig, leg
        Whose foot.
    soles, toes
        Axes of both parts of the sole in character space, shape (S, 4); None for toes that follow.

    Returns
    -------
    rotations, toe_rotations
        Of the ankle and toe bones, shape (S, 4); None without a toe that is told.
    points
        Heel, ball and toe tip seen from the ankle, metres, shape (S, 3, 3).
    """
    own = find_sole_axes(rig, leg)
    rest_rotations, rest_positions = compute_rest_poses(rig.skeleton)
    feet = rot.multiply(soles, rot.conjugate(own.foot))
    turned = None
    if own.toe is not None and toes is not None:
        turned = rot.multiply(toes, rot.conjugate(own.toe))
    carried = rot.multiply(feet, rot.conjugate(rest_rotations[leg.ankle]))
    points = []
    for point in leg.soles:
        rides_on_toe = leg.toe is not None and point.bone == leg.toe
        away = rest_positions[point.bone] - rest_positions[leg.ankle]
        turn = rot.multiply(carried, rest_rotations[point.bone])
        if rides_on_toe and turned is not None:
            turn = turned
        points.append(rot.rotate(carried, away) + rot.rotate(turn, point.offset))
    return feet, turned, np.stack(points, axis=1)


def find_footbases(rig: Rig, number: int, points: FloatArray, yaws: FloatArray) -> FloatArray:
    """Footbases (S, 3) of the sole points (S, 3, 3) of a leg that heads to ``yaws`` (S,)."""
    ahead = rot.pack(np.cos(yaws), np.sin(yaws), np.zeros_like(yaws))
    length, share = float(rig.foot_lengths[number]), float(rig.ball_shares[number])
    return compute_footbases(points, ahead, length, share)[0]
