# SPDX-FileCopyrightText: 2026 Semi-Procedural Locomotion contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs whose feet ride on no control rigidly: all their controls are fitted together (numpy only).

Each control is turned and shifted a little, one way after the other, and what the leg makes of it is
measured. The least change of all of them together that brings the foot to its place is then solved for,
frame by frame (docs/method/controls.md, Fitting).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...keys.channels import BasisPoses
from ...maths import rotations as rot
from ...maths.rotations import FloatArray
from ..skeleton import Skeleton
from ..structure import Leg
from .correcting import LegTask
from .limits import FITTING
from .rigid import make_rigid


@dataclass(frozen=True)
class Freedom:
    """One way to move a control.

    Attributes
    ----------
    control
        The control.
    axis
        0, 1 or 2 of its channels.
    turns
        Whether it is turned and not shifted.
    step
        How far it is moved to see what comes of it: radians, or armature units.
    """

    control: int
    axis: int
    turns: bool
    step: float


def list_freedoms(leg: LegTask, rolls: Sequence[int] = ()) -> list[Freedom]:
    """All ways to move the controls of a leg.

    Parameters
    ----------
    leg
        The leg.
    rolls
        Its roll controls.
    """
    turned = [leg.hock, leg.ankle_control, leg.toe_control, *rolls, *leg.chain]
    shifted = []
    if leg.foot is not None:
        shifted.append(leg.foot)
        turned += [leg.foot] if leg.ankle_control is None else []
    found = []
    if leg.pole is not None and leg.pole_turns:
        found = [Freedom(leg.pole, axis, True, FITTING.turn) for axis in leg.pole_axes]
    elif leg.pole is not None:
        shifted.append(leg.pole)
    for control in dict.fromkeys(bone for bone in turned if bone is not None):
        found += [Freedom(control, axis, True, FITTING.turn) for axis in range(3)]
    for control in shifted:
        step = FITTING.shift * leg.length
        found += [Freedom(control, axis, False, step) for axis in range(3)]
    return found


def move_freedoms(
    basis: BasisPoses, moves: Sequence[tuple[Freedom, FloatArray | float]]
) -> BasisPoses:
    """Channels with some controls moved.

    Parameters
    ----------
    basis
        Channels at N frames.
    moves
        Ways to move and by how many steps, shape (N,) or one number.
    """
    rotations, locations = basis.rotations.copy(), basis.locations.copy()
    for freedom, amount in moves:
        along = np.eye(3)[freedom.axis]
        way = np.broadcast_to(np.asarray(amount) * freedom.step, (len(rotations),))
        if freedom.turns:
            turns = rot.quaternions_from_axis_angles(along, way)
            rotations[:, freedom.control] = rot.multiply(rotations[:, freedom.control], turns)
        else:
            locations[:, freedom.control] += way[:, None] * along
    return BasisPoses(rotations, locations, basis.scales)


def read_marks(leg: Leg, skeleton: Skeleton, matrices: FloatArray) -> FloatArray:
    """Places by which a leg is fitted, as shares of its length, those of knees weighted less.

    Parameters
    ----------
    leg
        The leg.
    skeleton
        Gives the unit of the armature.
    matrices
        Of the bones of the leg in their order in `Leg.bones`, shape (N, J, 4, 4).

    Returns
    -------
    array, shape (N, R)
    """
    rigid, unit = make_rigid(matrices), skeleton.object_scale / leg.length
    heads = rigid[..., :3, 3] * unit
    last = len(leg.joints) - 1
    places = [heads[:, place] for place in range(last, len(leg.bones))]
    for point in leg.soles:
        place = leg.bones.index(point.bone) if point.bone in leg.bones else last
        places.append(heads[:, place] + rigid[:, place, :3, :3] @ point.offset / leg.length)
    places += [FITTING.knee * heads[:, place] for place in range(1, last)]
    return np.concatenate(places, axis=1)


def solve_moves(effects: FloatArray, missing: FloatArray) -> FloatArray:
    """Steps of all freedoms of a leg that take away what is missing.

    Parameters
    ----------
    effects
        What one step of each freedom does to the marks, shape (N, P, R).
    missing
        What the marks miss, shape (N, R).

    Returns
    -------
    array, shape (N, P)
        Of all that do equally well the least.
    """
    size = np.abs(effects).max(initial=0.0)
    if size <= 0.0:
        # Nothing that can be moved has an effect, as where a switch holds the controls off.
        return np.zeros(effects.shape[:2])
    damped = effects @ np.swapaxes(effects, -1, -2)
    damped = damped + (FITTING.damping * size) ** 2 * np.eye(effects.shape[1])
    pull = np.einsum("npr,nr->np", effects, missing)
    moves = np.linalg.solve(damped, pull[..., None])[..., 0]
    return np.clip(moves, -FITTING.most_steps, FITTING.most_steps)
