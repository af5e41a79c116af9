# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Soles that the user sets instead of those measured (numpy only)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...errors import RigError
from ..maths import rotations as rot
from ..maths.rotations import FloatArray
from .hulls import FootHull
from .limits import SOLE_EDITS
from .skeleton import compute_rest_poses
from .structure import Leg, Rig, SolePoint

SOLE_POINTS = ("heel", "ball", "toe_tip")


@dataclass(frozen=True)
class SoleEdit:
    """What the user has set of one sole.

    Attributes
    ----------
    points
        Points by their names, of `SOLE_POINTS`; others as measured.
    width
        Metres; None as measured.
    """

    points: Mapping[str, SolePoint] = field(default_factory=dict)
    width: float | None = None


def edit_soles(rig: Rig, edits: Mapping[int, SoleEdit]) -> Rig:
    """A rig with soles that the user has set.

    Parameters
    ----------
    rig
        As measured.
    edits
        By the number of the leg.

    Returns
    -------
    Rig
        Lengths of the feet and places of their balls change as the points do in the rest pose, and
        contact hulls go along with them.

    Raises
    ------
    RigError
        Heel and toe tip of a leg lie on one another.
    """
    legs = list(rig.legs)
    lengths, shares = rig.foot_lengths.copy(), rig.ball_shares.copy()
    for index, edit in edits.items():
        leg = legs[index]
        width = leg.sole_width if edit.width is None else edit.width
        heel, ball, toe_tip = (edit.points.get(name) for name in SOLE_POINTS)
        edited = replace(
            leg,
            sole_width=width,
            heel=heel or leg.heel,
            ball=ball or leg.ball,
            toe_tip=toe_tip or leg.toe_tip,
        )
        before, after = _measure_sole(rig, leg), _measure_sole(rig, edited)
        if after[0] < SOLE_EDITS.least_length * leg.length:
            raise RigError(
                f"the sole of leg {leg.name!r} has no length",
                "move its heel and toe tip apart, or press Reset Sole",
                "name its `legs` in a job",
            )
        if before[0] > 0:
            lengths[index] *= after[0] / before[0]
        shares[index] = np.clip(
            shares[index] + after[1] - before[1], SOLE_EDITS.least_ball, SOLE_EDITS.most_ball
        )
        if leg.hull is not None:
            edited = replace(edited, hull=_move_hull(rig, leg, edited, leg.hull))
        legs[index] = edited
    return replace(rig, legs=tuple(legs), foot_lengths=lengths, ball_shares=shares)


def mirror_sole_edit(
    rig: Rig, edit: SoleEdit, own: int, other: int, bones: Mapping[int, int]
) -> SoleEdit:
    """What was set of one sole, for the foot on the other side.

    Parameters
    ----------
    rig
        Gives the rest pose and forward.
    edit
        What was set.
    own, other
        Numbers of the leg that it was set for, and of the one on the other side.
    bones
        Counterparts of bones; points on others come to ride on the ankle's bone.

    Returns
    -------
    SoleEdit
        Points lie from the ankle as their mirror images do at rest, wherever that foot stands.
    """
    rotations, positions = compute_rest_poses(rig.skeleton)
    side = np.array([-rig.forward[1], rig.forward[0], 0.0])
    ankle, other_ankle = rig.legs[own].ankle, rig.legs[other].ankle
    points = {}
    for name, point in edit.points.items():
        place = positions[point.bone] + rot.rotate(rotations[point.bone], point.offset)
        away = place - positions[ankle]
        mirrored = positions[other_ankle] + away - 2.0 * (away @ side) * side
        bone = bones.get(point.bone, other_ankle)
        local = rot.rotate(rot.conjugate(rotations[bone]), mirrored - positions[bone])
        points[name] = SolePoint(bone, local)
    return SoleEdit(points, edit.width)


def _move_hull(rig: Rig, leg: Leg, edited: Leg, hull: FootHull) -> FootHull:
    """A contact hull that goes along with the points of its sole, and becomes as much wider.

    Each point moves as the line heel, ball, toe tip does beside it, in the rest pose.
    """
    rotations, _ = compute_rest_poses(rig.skeleton)
    before, after = _place_sole(rig, leg), _place_sole(rig, edited)
    line = before - before[0]
    span = float(np.linalg.norm(line[2])) or 1.0
    knots = np.clip([0.0, float(line[1] @ line[2]) / span**2, 1.0], 0.0, 1.0)
    shares = hull.places[:, 0] / span
    moves = np.stack([np.interp(shares, knots, (after - before)[:, i]) for i in range(3)], axis=1)
    ratio = edited.sole_width / max(leg.sole_width, rot.TINY)
    middle = 0.5 * (hull.places[:, 1].min() + hull.places[:, 1].max())
    wider = (ratio - 1.0) * (hull.places[:, 1] - middle)
    axes = rot.multiply(rotations[leg.ankle], hull.frame)
    moves = moves + wider[:, None] * rot.rotate(axes, np.array([0.0, 1.0, 0.0]))
    turned = rot.rotate(rot.conjugate(rotations[hull.bones]), moves[:, None])
    frame_moves = rot.rotate(rot.conjugate(axes), moves - (after - before)[0])
    return replace(
        hull, offsets=hull.offsets + turned, places=hull.places + np.asarray(frame_moves)
    )


def _place_sole(rig: Rig, leg: Leg) -> FloatArray:
    """Heel, ball and toe tip in the rest pose, metres, shape (3, 3)."""
    rotations, positions = compute_rest_poses(rig.skeleton)
    return np.array(
        [positions[p.bone] + rot.rotate(rotations[p.bone], p.offset) for p in leg.soles]
    )


def _measure_sole(rig: Rig, leg: Leg) -> tuple[float, float]:
    """Metres from heel to toe tip at rest, and the place of the ball between them."""
    heel, ball, tip = _place_sole(rig, leg)
    along: FloatArray = tip - heel
    length = float(np.linalg.norm(along))
    if length <= 0:
        return 0.0, 0.0
    return length, float((ball - heel) @ along) / length**2
