# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read of a clip that another character shall follow (numpy only)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ...rig.footpoints import compute_sole_points
from ...rig.skeleton import compute_global_poses, compute_rest_poses
from ...rig.structure import Rig
from ..clips import Clip
from .feet import find_footbases, find_sole_axes, read_yaws
from .limits import TRANSFER
from .standing import find_standing


@dataclass(frozen=True)
class FollowedFoot:
    """What a foot of the source does at S times.

    Attributes
    ----------
    soles, toes
        Axes of both parts of the sole, see `SoleAxes`, shape (S, 4); no toes without a toe bone.
    yaws
        To where it heads; of a clip that goes straight its mean on the ground, radians, shape (S,).
    turns
        Turn of what keeps its place beside the foot against rest, radians, shape (S,).
    footbases, ankles
        Metres, height from the ground, shape (S, 3).
    stands, holds
        Whether the foot stands, of bool, and how much of that counts in its swing, see `Standing`,
        shape (S,).
    lines
        From hip to ankle, metres, shape (S, 3).
    hinges
        Axis about which the knee of a straight leg bends, shape (S, 3).
    """

    soles: FloatArray
    toes: FloatArray | None
    yaws: FloatArray
    turns: FloatArray
    footbases: FloatArray
    ankles: FloatArray
    stands: np.ndarray
    holds: FloatArray
    lines: FloatArray
    hinges: FloatArray


@dataclass(frozen=True)
class FollowedClip:
    """A clip seen in axes in which its character faces as the one that follows.

    Attributes
    ----------
    turns
        Rotation of all bones of the source against rest, shape (S, B, 4).
    rest
        Their positions at rest, metres, shape (B, 3).
    hips
        Middle of the hip joints, metres, height from the ground, shape (S, 3).
    feet
        One for each leg of the source.
    """

    turns: FloatArray
    rest: FloatArray
    hips: FloatArray
    feet: tuple[FollowedFoot, ...]


def read_followed(clip: Clip, source: Rig, forward: FloatArray) -> FollowedClip:
    """A clip as another character follows it.

    Parameters
    ----------
    clip, source
        The clip and its rig.
    forward
        To where the other one faces at rest, shape (2,).
    """
    skeleton = source.skeleton
    yaw = np.arctan2(forward[1], forward[0]) - np.arctan2(source.forward[1], source.forward[0])
    turn = rot.quaternions_from_yaws(yaw)
    rotations, positions = compute_global_poses(
        skeleton, clip.rotations, clip.translations, clip.scales
    )
    rest_rotations, rest_positions = compute_rest_poses(skeleton)
    rotations, positions = rot.multiply(turn, rotations), rot.rotate(turn, positions)
    rest_rotations = rot.multiply(turn, rest_rotations)
    rest = rot.rotate(turn, rest_positions)
    hip_bones = [leg.joints[0] for leg in source.legs]
    middle = rest[hip_bones].mean(axis=0)
    away = positions[0, hip_bones].mean(axis=0) - middle
    if float(np.hypot(away[0], away[1])) > TRANSFER.away * source.leg_length:
        positions = positions - away * np.array([1.0, 1.0, 0.0])
    points = np.stack(
        [compute_sole_points(leg, rotations, positions) for leg in source.legs], axis=1
    )
    standing = find_standing(clip, source, points)
    turns = rot.multiply(rotations, rot.conjugate(rest_rotations))
    left = rot.rotate(turns[:, source.body], np.array([-forward[1], forward[0], 0.0]))
    body_yaws = np.arctan2(left[:, 1], left[:, 0]) - np.arctan2(forward[0], -forward[1])
    soles = [find_sole_axes(source, leg) for leg in source.legs]
    foot_soles = [
        rot.multiply(rotations[:, leg.ankle], own.foot)
        for leg, own in zip(source.legs, soles, strict=True)
    ]
    yaws = np.stack([read_yaws(axes) for axes in foot_soles], axis=1)
    stands = standing.stands
    straight = _goes_straight(body_yaws, yaws, stands)
    down = np.array([0.0, 0.0, standing.ground])
    feet = []
    for number, (leg, own) in enumerate(zip(source.legs, soles, strict=True)):
        heading, beside = _find_headings(body_yaws, yaws[:, number], stands[:, number], straight)
        feet.append(
            FollowedFoot(
                soles=foot_soles[number],
                toes=None
                if leg.toe is None or own.toe is None
                else rot.multiply(rotations[:, leg.toe], own.toe),
                yaws=heading,
                turns=beside,
                footbases=find_footbases(source, number, points[:, number] - down, heading),
                ankles=positions[:, leg.ankle] - down,
                stands=stands[:, number],
                holds=standing.holds[:, number],
                lines=positions[:, leg.ankle] - positions[:, leg.joints[0]],
                hinges=rot.rotate(rotations[:, leg.joints[0]], leg.hinge),
            )
        )
    hips = positions[:, hip_bones].mean(axis=1) - down
    return FollowedClip(turns, rest, hips, tuple(feet))


def _goes_straight(body: FloatArray, yaws: FloatArray, stands: np.ndarray) -> bool:
    """Whether a body does not turn against its standing feet.

    Parameters
    ----------
    body, yaws
        Headings of body and feet, radians, shapes (S,) and (S, L).
    stands
        Which feet stand, shape (S, L).
    """
    if len(body) < 2:
        return True
    steps = rot.wrap_angles(np.diff(body[:, None] - yaws, axis=0))
    standing = stands[1:] & stands[:-1]
    if not np.any(standing):
        return True
    return abs(float(np.median(steps[standing])) * len(steps)) < TRANSFER.straight


def _find_headings(
    body: FloatArray, yaws: FloatArray, stands: np.ndarray, straight: bool
) -> tuple[FloatArray, FloatArray]:
    """Heading of a foot, and turn of what keeps its place beside it, shapes (S,).

    In a turn the foot on the ground tells both, since it is what must not slide.
    """
    stands = stands if np.any(stands) else np.ones_like(stands)
    if straight:
        return (
            np.full(len(yaws), _average(yaws[stands])),
            np.full(len(body), _average(body)),
        )
    out = _average(yaws[stands] - body[stands])
    return yaws, yaws - out


def _average(angles: FloatArray) -> float:
    """Mean of directions, radians."""
    return float(np.arctan2(np.sin(angles).mean(), np.cos(angles).mean()))
